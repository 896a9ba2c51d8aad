"""The code that the page offers prints the number that the page shows."""

import contextlib
import io
import random
import re
import warnings
from importlib.util import find_spec

import pytest

from bleu import CONVENTIONS, derive
from bleu.analysis.snippets import snippets

pytestmark = pytest.mark.host

TEXTS = [
    ("the cat is on mat", ["the cat is on the mat"]),
    ("hello world", ["hello world"]),
    ('It\'s "quoted" \\ here.', ["It's 'quoted' here.", "It is quoted, here."]),
    ("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]),
    ("你好 世界 a b c", ["你好 世界 a b d"]),
    ("", ["the cat is on the mat"]),
]
SETTINGS = [
    {},
    {"smoothing": "floor", "smoothing_value": 0.3},
    {"smoothing": "exp"},
    {"smoothing": "add-k"},
    {"smoothing": "add-k", "smoothing_value": 0.5, "max_order": 2},
    {"tokenizer": "13a", "effective_order": True, "smoothing": "exp"},
    {"tokenizer": "intl", "lowercase": True},
    {"tokenizer": "zh-corrected"},
    {"max_order": 2, "weights": ("1/3", "2/3")},
    {"reference_length": "average", "smoothing": "floor"},
    *({"convention": name} for name in CONVENTIONS),
]


def printed(code: str) -> str:
    """What a snippet prints."""
    out = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(out):
        warnings.simplefilter("ignore")
        exec(code, {})
    return out.getvalue().removesuffix("\n")


def test_every_snippet_prints_the_number_shown():
    libraries = dict.fromkeys(("bleu", "nltk", "sacrebleu"), 0)
    for texts in TEXTS:
        for choices in SETTINGS:
            try:
                derivation = derive(*texts, **choices)
            except ValueError:
                several = len(texts[1]) > 1 and re.search("fairseq|tensor2tensor", str(choices))
                empty = not texts[0] and "mteval-v13a" in str(choices)
                assert several or empty or "nltk-method6" in str(choices)
                continue
            for snippet in snippets(*texts, derivation):
                if snippet.library not in libraries:
                    compile(snippet.code, snippet.library, "exec")
                    continue
                libraries[snippet.library] += 1
                assert printed(snippet.code) == snippet.output, (choices, snippet)
                value = derivation.score.value
                if not snippet.remark.startswith("Where BLEU is 0"):
                    assert float(snippet.output) == pytest.approx(value, rel=1e-9, abs=1e-300)
                assert "pip install" in snippet.install
    assert min(libraries.values()) > 30


@pytest.mark.skipif(not find_spec("torchmetrics"), reason="torchmetrics is not installed: 1 GB")
def test_torchmetrics_prints_the_number_in_single_precision():
    compared = 0
    for texts in TEXTS:
        for choices in ({}, {"convention": "torchmetrics-smooth"}, {"max_order": 2}):
            derivation = derive(*texts, **choices)
            for snippet in snippets(*texts, derivation):
                if snippet.library == "torchmetrics":
                    compared += 1
                    assert printed(snippet.code) == snippet.output
    assert compared > 5


@pytest.mark.parametrize("hypothesis", ["the the the the", "the cat", "a cat sat on mats"])
@pytest.mark.parametrize("choices", [{}, {"convention": "sacrebleu-none"}, {"max_order": 6}])
def test_what_nltk_prints_for_a_bleu_of_0_is_offered_and_said(hypothesis, choices):
    texts = (hypothesis, ["the cat is on the mat"])
    derivation = derive(*texts, **choices)
    [theirs] = [one for one in snippets(*texts, derivation) if one.library == "nltk"]
    assert derivation.score.value == 0 < float(theirs.output) < 5e-6
    assert theirs.remark == "Where BLEU is 0, NLTK prints this tiny number."
    assert printed(theirs.code) == theirs.output


@pytest.mark.parametrize(
    ("texts", "choices"),
    [
        (("", ["the cat"]), {}),
        (("a b", ["c d"]), {}),
        (("the cat sat", ["the cat is"]), {"smoothing": "floor"}),
        (("the cat sat", ["the cat is"]), {"convention": "nltk-method0"}),
    ],
)
def test_nothing_is_to_be_minded_where_nltk_prints_the_number_shown(texts, choices):
    derivation = derive(*texts, **choices)
    [theirs] = [one for one in snippets(*texts, derivation) if one.library == "nltk"]
    assert (theirs.output, theirs.remark) == (format(derivation.score.value, ".10g"), "")
    assert printed(theirs.code) == theirs.output


def test_nltk_is_not_offered_where_its_0_is_not_that_of_the_page():
    texts = ("a x", ["a y"])
    choices = {"convention": "torchmetrics", "max_order": 2, "weights": (1, 0)}
    derivation = derive(*texts, **choices)
    assert derivation.score.value == 0
    assert "nltk" not in [one.library for one in snippets(*texts, derivation)]


def test_a_library_that_disagrees_is_not_offered():
    texts = ("a b", ["a b c d", "a b c"])
    derivation = derive(*texts, reference_length="average", max_order=2)
    assert [snippet.library for snippet in snippets(*texts, derivation)] == ["bleu"]


def test_hostile_text_is_quoted():
    random.seed(1)
    text = "'); raise SystemExit('\"\\\n\u202e"
    derivation = derive(text, [text], max_order=1)
    for snippet in snippets(text, [text], derivation)[:3]:
        assert printed(snippet.code) == "1"
