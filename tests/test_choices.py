"""The keyword arguments of public functions: names, types, documentation and `settings`."""

import inspect
import json
import pydoc
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import bleu
from bleu import CONVENTIONS, REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS, Settings
from bleu.core import choices
from bleu.core.choices import Choices, SettingChoices
from bleu.core.settings import IMPLEMENTATION_RULES, SETTING_NAMES

ROOT = Path(__file__).parents[1]
FUNCTIONS = {
    name: getattr(bleu, name)
    for name in (
        *("sentence_bleu", "corpus_bleu", "derive", "segment_statistics", "score_statistics"),
        *("derive_corpus", "compare", "diagnose"),
        *("confidence_interval", "paired_bootstrap", "approximate_randomization"),
    )
}
REGISTRIES = {
    "ConventionName": CONVENTIONS,
    "TokenizerName": TOKENIZERS,
    "SmoothingName": SMOOTHINGS,
    "ReferenceLengthName": REFERENCE_LENGTHS,
}
TEXTS = "a b c d", ["a b c e"]
STATISTICS = [bleu.segment_statistics(*TEXTS), bleu.segment_statistics("a b", ["a b"])]
ARGUMENTS = {
    "corpus_bleu": ([TEXTS[0]], [TEXTS[1]]),
    "derive_corpus": ([TEXTS[0]], [TEXTS[1]]),
    "check_corpus": ([TEXTS[0]], [TEXTS[1]]),
    "score_statistics": STATISTICS[:1],
    "confidence_interval": [STATISTICS],
    "paired_bootstrap": [STATISTICS, STATISTICS],
    "approximate_randomization": [STATISTICS, STATISTICS],
}
INVALID_CALLS = {
    'bleu.sentence_bleu("a", ["a"], smoothin="floor")': "smoothin",
    'bleu.sentence_bleu("a", ["a"], smoothing="flor")': "flor",
    'bleu.corpus_bleu(["a"], [["a"]], tokenizer="13")': "13",
    'bleu.derive("a", ["a"], convention="sacreblue")': "sacreblue",
    'bleu.segment_statistics("a", ["a"], max_order="4")': "max_order",
    'bleu.score_statistics(bleu.Statistics.zero(4), lowercase="yes")': "lowercase",
    'bleu.confidence_interval([], reference_length="longest")': "longest",
    "bleu.paired_bootstrap([], [], resample=5)": "resample",
    'bleu.approximate_randomization([], [], settings="default")': "settings",
    'bleu.compare("a", ["a"], conventions=["sacreblue"])': "sacreblue",
    'bleu.diagnose("a", ["a"], smoothing="flor")': "flor",
    'bleu.derive_corpus(["a"], ["a"], tokenizer="13")': "13",
    "bleu.Settings(weights=0.5)": "weights",
    'bleu.Settings(too_short="of-two")': "of-two",
    'bleu.sentence_bleu("a", ["a"]) < "0.5"': "Score",
    'bleu.sentence_bleu("a", ["a"]) + "0.5"': "Score",
    'percent: str = 100 * bleu.sentence_bleu("a", ["a"])': "float",
    'is_high: str = bleu.sentence_bleu("a", ["a"]) > 0.3': "bool",
    'bleu.CONVENTIONS["sacreblue"]': "sacreblue",
    'bleu.sentence_bleu("a", ["a"]).bp': "bp",
    "bleu.BLEU()": "BLEU",
    "bleu.Accumulator().add": "add",
}
"""Calls that a type checker must refuse, and a word of its message."""


@pytest.mark.parametrize("alias", REGISTRIES)
def test_literal_types_equal_the_registries(alias):
    assert get_args(getattr(choices, alias)) == tuple(REGISTRIES[alias])


def test_keywords_and_types_of_settings_agree():
    parameters = inspect.signature(Settings).parameters
    assert tuple(parameters) == SETTING_NAMES == tuple(SettingChoices.__annotations__)
    assert set(Choices.__annotations__) == {*SETTING_NAMES, "convention"}
    hints = get_type_hints(SettingChoices)
    assert get_type_hints(Settings.__init__) == {**hints, "return": type(None)}
    differing = {name for name, hint in hints.items() if get_type_hints(Settings)[name] != hint}
    assert differing == {"weights", "smoothing_value"}
    for name, rule_choices in IMPLEMENTATION_RULES.items():
        assert getattr(Settings(), name) == rule_choices[0] == parameters[name].default


@pytest.mark.parametrize("name", [*FUNCTIONS, "Settings"])
def test_help_documents_every_keyword(name):
    text = pydoc.render_doc(getattr(bleu, name), renderer=pydoc.plaintext)
    for setting in SETTING_NAMES:
        assert text.count(f"- `{setting}`:") == 1
    assert text.count("- `convention`:") == text.count("- `settings`:") == (name in FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_settings_cannot_be_combined_with_other_keywords(name):
    def call(*settings, **choices):
        return FUNCTIONS[name](*ARGUMENTS.get(name, TEXTS), *settings, **choices)

    settings = Settings(smoothing="floor", effective_order=True)
    by_name = call(smoothing="floor", effective_order=True)
    assert call(settings) == call(settings=settings) == by_name
    assert (by_name == call()) == (name in {"segment_statistics", "diagnose", "check_corpus"})
    with pytest.raises(TypeError, match="settings is given together with tokenizer; give one or"):
        call(settings, tokenizer="13a")
    with pytest.raises(TypeError, match=r"settings is 'sacrebleu'; give a bleu.Settings"):
        call("sacrebleu")
    with pytest.raises(ValueError, match=r"convention is \['sacrebleu'\]; choose one of: default"):
        call(convention=["sacrebleu"])


def test_settings_are_built_once_even_if_not_hashable(monkeypatch):
    calls = []
    monkeypatch.setattr(
        "bleu.core.conventions.Settings",
        lambda **choices: calls.append(choices) or Settings(**choices),
    )
    for choices_ in (
        {"weights": (0.3, 0.7), "max_order": 2},
        {"weights": [0.5, 0.5], "max_order": 2},
    ):
        bleu.sentence_bleu(*TEXTS, **choices_)
    assert len(calls) == 2


@pytest.mark.parametrize("choices_", [{"max_order": "4"}, {"weights": ([],)}, {"weights": [None]}])
def test_error_of_a_setting_is_raised_alone(choices_):
    with pytest.raises((TypeError, ValueError)) as error:
        bleu.sentence_bleu(*TEXTS, **choices_)
    assert error.value.__context__ is None or error.value.__suppress_context__


CHECKERS = {
    "mypy": ("mypy", "--strict", "--config-file=", "--no-error-summary", "--hide-error-context"),
    "pyright": ("pyright", "--pythonpath", sys.executable),
}


@pytest.mark.host
@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checker_accepts_valid_calls_and_refuses_invalid_calls(checker, tmp_path):
    valid, invalid = tmp_path / "valid.py", tmp_path / "invalid.py"
    shutil.copy(ROOT / "tests" / "support" / "typed_client.py", valid)
    invalid.write_text("\n".join(["import bleu", *INVALID_CALLS]) + "\n", encoding="utf-8")
    if checker == "pyright":  # It reads settings only from a file.
        settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    files = ["--project", tmp_path] if checker == "pyright" else [valid, invalid]
    command = [sys.executable, "-m", *CHECKERS[checker], *files]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    errors: dict[int, str] = {}
    for line in process.stdout.splitlines():
        match = re.match(r"\s*(.*?):(\d+)(?::\d+)?:? -? ?error: (.*)", line)
        if match:
            assert Path(match[1]).name == "invalid.py", line
            last = int(match[2])
            errors[last] = errors.get(last, "") + match[3]
        elif line.startswith("  \N{NO-BREAK SPACE}"):  # Pyright continues its message.
            errors[last] += line
    assert sorted(errors) == list(range(2, 2 + len(INVALID_CALLS))), process.stdout + process.stderr
    for number, word in enumerate(INVALID_CALLS.values(), 2):
        assert word in errors[number]


@pytest.mark.host
def test_typed_client_runs():
    subprocess.run([sys.executable, "-m", "tests.support.typed_client"], cwd=ROOT, check=True)
