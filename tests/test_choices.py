"""What may be chosen, as type checkers, `help` and the functions themselves have it."""

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
TAKERS = {
    name: getattr(bleu, name)
    for name in (
        *("sentence_bleu", "corpus_bleu", "derive", "segment_statistics", "score_statistics"),
        *("derive_corpus", "compare", "diagnose"),
        *("confidence_interval", "paired_bootstrap", "approximate_randomization"),
    )
}
NAMES = {
    "ConventionName": CONVENTIONS,
    "TokenizerName": TOKENIZERS,
    "SmoothingName": SMOOTHINGS,
    "ReferenceLengthName": REFERENCE_LENGTHS,
}
TEXTS = "a b c d", ["a b c e"]
COUNTED = [bleu.segment_statistics(*TEXTS), bleu.segment_statistics("a b", ["a b"])]
GIVEN = {
    "corpus_bleu": ([TEXTS[0]], [TEXTS[1]]),
    "derive_corpus": ([TEXTS[0]], [TEXTS[1]]),
    "score_statistics": COUNTED[:1],
    "confidence_interval": [COUNTED],
    "paired_bootstrap": [COUNTED, COUNTED],
    "approximate_randomization": [COUNTED, COUNTED],
}
WRONG = {
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
}
"""Lines that a type checker must refuse, and what it must name."""


@pytest.mark.parametrize("alias", NAMES)
def test_the_names_that_are_typed_are_those_that_there_are(alias):
    assert get_args(getattr(choices, alias)) == tuple(NAMES[alias])


def test_the_keywords_are_the_settings():
    parameters = inspect.signature(Settings).parameters
    assert tuple(parameters) == SETTING_NAMES == tuple(SettingChoices.__annotations__)
    assert set(Choices.__annotations__) == {*SETTING_NAMES, "convention"}
    given = get_type_hints(Settings.__init__)
    assert given == {**get_type_hints(SettingChoices), "return": type(None)}
    for name, rules in IMPLEMENTATION_RULES.items():
        assert getattr(Settings(), name) == rules[0] == parameters[name].default


@pytest.mark.parametrize("taker", [*TAKERS, "Settings"])
def test_help_tells_every_choice(taker):
    told = pydoc.render_doc(getattr(bleu, taker), renderer=pydoc.plaintext)
    for name in SETTING_NAMES:
        assert told.count(f"- `{name}`:") == 1
    assert told.count("- `convention`:") == told.count("- `settings`:") == (taker in TAKERS)


@pytest.mark.parametrize("name", TAKERS)
def test_ready_settings_are_taken_alone(name):
    def call(*more, **chosen):
        return TAKERS[name](*GIVEN.get(name, TEXTS), *more, **chosen)

    settings = Settings(smoothing="floor", effective_order=True)
    by_name = call(smoothing="floor", effective_order=True)
    assert call(settings) == call(settings=settings) == by_name
    assert (by_name == call()) == (name in {"segment_statistics", "diagnose"})
    with pytest.raises(TypeError, match="settings is given together with tokenizer; give one or"):
        call(settings, tokenizer="13a")
    with pytest.raises(TypeError, match=r"settings is 'sacrebleu'; give a bleu.Settings"):
        call("sacrebleu")
    with pytest.raises(ValueError, match=r"convention is \['sacrebleu'\]; choose one of: default"):
        call(convention=["sacrebleu"])


def test_an_error_within_is_raised_once_and_has_no_other_behind_it(monkeypatch):
    made = []

    def failing(*given, **chosen):
        made.append(chosen)
        raise TypeError("broken")

    monkeypatch.setattr("bleu.core.conventions.convention_settings", failing)
    for chosen in ({"smoothing_value": 0.125}, {"weights": [0.5, 0.5]}, {"weights": ([],)}):
        with pytest.raises(TypeError, match="broken") as caught:
            bleu.sentence_bleu(*TEXTS, **chosen)
        assert caught.value.__context__ is None
    assert len(made) == 3


CHECKERS = {
    "mypy": ("mypy", "--strict", "--config-file=", "--no-error-summary", "--hide-error-context"),
    "pyright": ("pyright", "--pythonpath", sys.executable),
}


@pytest.mark.host
@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_passes_a_right_program_and_refuses_a_wrong_one(checker, tmp_path):
    right, wrong = tmp_path / "user.py", tmp_path / "wrong.py"
    shutil.copy(ROOT / "tests" / "support" / "typed_client.py", right)
    wrong.write_text("\n".join(["import bleu", *WRONG]) + "\n", encoding="utf-8")
    if checker == "pyright":  # takes its settings from a file alone
        settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    texts = ["--project", tmp_path] if checker == "pyright" else [right, wrong]
    command = [sys.executable, "-m", *CHECKERS[checker], *texts]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    errors: dict[int, str] = {}
    for line in done.stdout.splitlines():
        found = re.match(r"\s*(.*?):(\d+)(?::\d+)?:? -? ?error: (.*)", line)
        if found:
            assert Path(found[1]).name == "wrong.py", line
            last = int(found[2])
            errors[last] = errors.get(last, "") + found[3]
        elif line.startswith("  \N{NO-BREAK SPACE}"):  # pyright goes on
            errors[last] += line
    assert sorted(errors) == list(range(2, 2 + len(WRONG))), done.stdout + done.stderr
    for number, named in enumerate(WRONG.values(), 2):
        assert named in errors[number]


@pytest.mark.host
def test_the_right_program_runs():
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.typed_client"], cwd=ROOT, check=True
    )
    assert done.returncode == 0
