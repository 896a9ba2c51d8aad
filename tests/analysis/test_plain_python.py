"""The file of plain Python prints the displayed number, for every smoothing."""

import contextlib
import io
import subprocess
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleu import SMOOTHINGS, derive
from bleu.analysis.libraries import PLAIN
from bleu.analysis.snippets import snippets
from tests.support.case_selection import fast_and_slow

MAX_LINES = 60
TEXTS = [
    ("the cat is on mat", ["the cat is on the mat"]),
    ("", ["the cat is on the mat"]),
    ("", ["", ""]),
    ("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]),
    ("你好 世界 a b c", ["你好 世界 a b d"]),
    ("a b", ["c d", ""]),
    ("the cat", ["the cat"]),
    ("a a a b a a a", ["a b a", "a a"]),
    ("a b c d e f g h", ["a b c d e x y z w"]),
    ("הילד הלך לבית הספר אתמול", ["הילד הלך לבית הספר היום"]),
    ("👍🏽 said 👨‍👩‍👧 it costs 1,000.5 $-x", ["👍🏽 said it costs 1,000.5 $ -x", "3-4"]),
    (
        "He said:\\n 'no'-\n&quot;yes&amp;&lt;&quot; <skipped>.,x\t",
        ['He said "yes&<".', "\\", "'\"'"],
    ),
    ("El\u2028gato {come} {0} pescado\u3000hoy", ["El gato {come} {0} pescado fresco hoy"]),
    ("dangling-\n", ["dangling- dangling"]),
    ("\ud800 a b c", ["\ud800 a b d"]),
]
CHOICES = [
    {},
    {"lowercase": True, "max_order": 6},
    {"max_order": 3, "weights": ("1/3", "0", "2/3")},
    {"max_order": 1},
]


def assert_prints(snippet, value):
    """Run the code in a new namespace, and compare what it prints and its score with ours."""
    output, namespace = io.StringIO(), {}
    with contextlib.redirect_stdout(output):
        exec(snippet.code, namespace)
    assert namespace["score"] == pytest.approx(value, rel=1e-12, abs=0)
    assert output.getvalue() == f"{snippet.output}\n"


def plain_snippet(texts, derivation):
    """Return the snippet without a library."""
    [result] = [snippet for snippet in snippets(*texts, derivation) if snippet.library == PLAIN]
    return result


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("tokenizer", fast_and_slow(1, ["whitespace", "none", "13a"]))
def test_plain_python_prints_the_score_for_every_smoothing(smoothing, tokenizer):
    compared = 0
    for texts in TEXTS:
        for choices in CHOICES:
            values = [None, "0.7"] if SMOOTHINGS[smoothing].takes_value else [None]
            for value in values:
                settings = choices | {"smoothing_value": value, "tokenizer": tokenizer}
                try:
                    derivation = derive(*texts, smoothing=smoothing, **settings)
                except ValueError:
                    assert smoothing.startswith("interpolation")
                    continue
                compared += 1
                snippet = plain_snippet(texts, derivation)
                assert not snippet.remark
                assert len(snippet.code.splitlines()) <= MAX_LINES
                assert_prints(snippet, derivation.score.value)
    assert compared > (10 if smoothing.startswith("interpolation") else 59)


WORDS = st.text("ab1., -&;\"'\\\n\r\u2028é“🙂", max_size=30) | st.text(max_size=20)


@given(
    WORDS,
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from([*SMOOTHINGS]),
    st.sampled_from(["whitespace", "13a"]),
    st.booleans(),
)
def test_plain_python_prints_the_score_of_any_text(
    hypothesis, references, smoothing, tokenizer, lowercase
):
    choices = {"smoothing": smoothing, "tokenizer": tokenizer, "lowercase": lowercase}
    try:
        derivation = derive(hypothesis, references, **choices)
    except ValueError:
        assume(False)
    assert_prints(plain_snippet((hypothesis, references), derivation), derivation.score.value)


@pytest.mark.host
def test_plain_python_runs_alone():
    texts = TEXTS[-3]
    snippet = plain_snippet(texts, derive(*texts, smoothing="exp", tokenizer="13a"))
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", snippet.code]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output == f"{snippet.output}\n"


@pytest.mark.parametrize(
    ("choices", "missing"),
    [
        ({"tokenizer": "intl"}, "tokenizer='intl'"),
        ({"effective_order": True, "smoothing": "exp"}, "effective_order=True"),
        ({"convention": "sacrebleu-sentence"}, "effective_order=True, too_short='zero'"),
        ({"reference_length": "average", "max_order": 1}, "reference_length='average'"),
    ],
)
def test_plain_python_refuses_what_it_cannot_print(choices, missing):
    texts = ("a “b” c", ["a “b” c d e f", "a b"])
    snippet = plain_snippet(texts, derive(*texts, **choices))
    assert (snippet.code, snippet.output, snippet.install) == ("", "", "")
    assert snippet.remark == f"It cannot print this score: it has no {missing}."


def test_plain_python_names_settings_that_change_nothing():
    texts = ("the cat is here now", ["the cat is here"])
    derivation = derive(*texts, convention="sacrebleu")
    snippet = plain_snippet(texts, derivation)
    assert snippet.remark == "It has no too_short='zero', which changes nothing for these texts."
    assert_prints(snippet, derivation.score.value)


def test_plain_python_without_smoothing_for_a_value_of_0():
    texts = ("a x", ["a y"])
    derivation = derive(*texts, smoothing="add-k", smoothing_value=0, unusual_values="computed")
    assert_prints(plain_snippet(texts, derivation), 0)
