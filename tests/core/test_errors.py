"""The length of errors: at most 300 characters, whatever is given."""

import pickle
import warnings

import pytest

import bleu
from bleu.core.settings import SETTING_NAMES

LONG = "x" * 3000


class LongRepr:
    """A value with a long representation."""

    def __repr__(self):
        return LONG


HOSTILE = [
    *(LONG, LONG.encode(), [LONG], {LONG: 1}, {LONG}, LongRepr(), [LongRepr()], 10**3000),
    *(10**5000, [10**5000]),
    *(-(10**400), "1" * 4000, float("nan"), None, (), [[LONG]], [1] * 900, ["a b c"] * 900),
    *([[["a"]] * 400], lambda: 1, "a:b|" * 900, "é\n" * 900),
]
STATISTICS = [bleu.segment_statistics("a", ["a"])]
CALLS = {
    bleu.sentence_bleu: ["a b", ["a b"]],
    bleu.corpus_bleu: [["a b"], [["a b"]]],
    bleu.derive: ["a b", ["a b"]],
    bleu.compare: ["a b", ["a b"]],
    bleu.check_corpus: [["a b"], [["a b"]]],
    bleu.repair_corpus: [["a b"], [["a b"]], ["escapes"]],
    bleu.human_agreement: [0.1, "BLEU"],
    bleu.paired_bootstrap: [STATISTICS, STATISTICS],
    bleu.score_statistics: [STATISTICS[0]],
    bleu.tokenizer: ["name", str.split],
    bleu.exercises: ["seed", ["tokens"], 1],
}


def message_of(function, *arguments, **options):
    """Return the error of a call, or "" if there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*arguments, **options)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


def is_short(message):
    """Return whether a message has at most 300 characters and is not Python's own."""
    return len(message) <= 300 and "set_int_max_str_digits" not in message


def test_single_reference_and_open_files_are_named(tmp_path):
    (tmp_path / "a").write_text("a b\n")
    for name, call in (("references", bleu.sentence_bleu), ("references[0]", bleu.corpus_bleu)):
        tokens = ["the", "cat"], ["the", "cat"]  # NLTK's issue 1285
        arguments = tokens if name == "references" else ([tokens[0]], [tokens[1]])
        assert f"single reference, a list of tokens such as 'the'; give it in a list, [{name}]" in (
            message_of(call, *arguments)
        )
    with open(tmp_path / "a") as file:
        expected = "hypotheses is an open file; give a list, [line for line in file]"
        assert message_of(bleu.corpus_bleu, file, [["a b"]]) == expected
        expected = "references is an open file; give a list, [[line] for line in file]"
        assert message_of(bleu.corpus_bleu, ["a b"], file) == expected
        assert "hypothesis is an open file" in message_of(bleu.sentence_bleu, file, ["a b"])
        assert "references is an open file" in message_of(bleu.sentence_bleu, "a b", file)


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_hostile_arguments_have_short_errors(function):
    for index in range(len(CALLS[function])):
        for value in HOSTILE:
            arguments = list(CALLS[function])
            arguments[index] = value
            assert is_short(message_of(function, *arguments))


@pytest.mark.parametrize("name", ["convention", *SETTING_NAMES])
def test_hostile_settings_have_short_errors(name):
    for value in HOSTILE:
        assert is_short(message_of(bleu.sentence_bleu, "a b", ["a b"], **{name: value}))


WRONG = {
    "convention": "nltk", "tokenizer": "bert", "max_order": 0, "weights": [1, 2], "smoothing": "x",
    "smoothing_value": 5, "effective_order": True, "reference_length": "longest", "case": "none",
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_error_of_a_setting_names_it_and_can_be_pickled(name):
    others = {"smoothing_value": {"smoothing": "floor"}, "effective_order": {"too_short": "one"}}
    with pytest.raises(bleu.SettingError) as caught:
        bleu.sentence_bleu("a", ["a"], **{name: WRONG[name]}, **others.get(name, {}))
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.setting == name
    assert str(error) == str(caught.value) == f"{error.problem}; {error.remedy}"


def test_unknown_names_have_short_errors_with_similar_names():
    assert len(message_of(bleu.sentence_bleu, "a", ["a"], **{LONG: 1})) <= 300
    nltk = message_of(bleu.sentence_bleu, "a", ["a"], convention="nltk")
    assert nltk.startswith("convention is 'nltk'; choose one of: nltk-method0, nltk-method1, ")
    assert message_of(bleu.sentence_bleu, "a", ["a"], convention=7).endswith(
        "papineni, nltk-method0, nltk-method1, nltk-method2, …"
    )
