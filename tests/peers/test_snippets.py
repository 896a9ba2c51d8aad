"""The offered code prints the displayed number."""

import contextlib
import io
import re
import warnings
from importlib.util import find_spec

import pytest

from bleu import CONVENTIONS, derive
from bleu.analysis.libraries import PLAIN
from bleu.analysis.snippets import snippets
from bleu.analysis.zero import ALMOST_ZERO

pytestmark = pytest.mark.host

TEXTS = [
    ("the cat is on mat", ["the cat is on the mat"]),
    ("hello world", ["hello world"]),
    ('It\'s "quoted" \\ here.', ["It's 'quoted' here.", "It is quoted, here."]),
    ("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]),
    ("你好 世界 a b c", ["你好 世界 a b d"]),
    ("", ["the cat is on the mat"]),
]
CHOICES = [
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
    """Run code and return its output without the last line break."""
    output = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(output):
        warnings.simplefilter("ignore")
        exec(code, {})
    return output.getvalue().removesuffix("\n")


def libraries(texts, derivation):
    """Return the libraries with a snippet."""
    return [snippet.library for snippet in snippets(*texts, derivation)]


def nltk_snippet(texts, derivation):
    """Return the only snippet for NLTK."""
    [result] = [snippet for snippet in snippets(*texts, derivation) if snippet.library == "nltk"]
    return result


def test_snippets_print_the_displayed_number():
    compared = dict.fromkeys(("bleu", "nltk", "sacrebleu"), 0)
    for texts in TEXTS:
        for choices in CHOICES:
            try:
                derivation = derive(*texts, **choices)
            except ValueError:
                has_second_reference = len(texts[1]) > 1 and re.search(
                    "fairseq|tensor2tensor", str(choices)
                )
                refuse_empty = "mteval-v13a|huggingface-evaluate|multi-bleu"
                is_empty = not texts[0] and re.search(refuse_empty, str(choices))
                assert has_second_reference or is_empty or "nltk-method6" in str(choices)
                continue
            for snippet in snippets(*texts, derivation)[:-1]:
                if snippet.library not in compared:
                    compile(snippet.code, snippet.library, "exec")
                    continue
                compared[snippet.library] += 1
                assert printed(snippet.code) == snippet.output, (choices, snippet)
                value = derivation.score.value
                if not snippet.remark.startswith("If BLEU is 0"):
                    assert float(snippet.output) == pytest.approx(value, rel=1e-9, abs=1e-300)
                assert "pip install" in snippet.install
    assert min(compared.values()) > 30


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
def test_number_that_nltk_prints_for_0_has_a_remark(hypothesis, choices):
    texts = (hypothesis, ["the cat is on the mat"])
    derivation = derive(*texts, **choices)
    snippet = nltk_snippet(texts, derivation)
    assert derivation.score.value == 0 < float(snippet.output) < ALMOST_ZERO
    assert snippet.remark == "If BLEU is 0, NLTK prints this tiny number."
    assert printed(snippet.code) == snippet.output


@pytest.mark.parametrize(
    ("texts", "choices"),
    [
        (("", ["the cat"]), {}),
        (("a b", ["c d"]), {}),
        (("the cat sat", ["the cat is"]), {"smoothing": "floor"}),
        (("the cat sat", ["the cat is"]), {"convention": "nltk-method0"}),
    ],
)
def test_displayed_number_that_nltk_prints_has_no_remark(texts, choices):
    derivation = derive(*texts, **choices)
    snippet = nltk_snippet(texts, derivation)
    assert (snippet.output, snippet.remark) == (format(derivation.score.value, ".10g"), "")
    assert printed(snippet.code) == snippet.output


def test_nltk_is_left_out_if_the_score_is_0_for_another_reason():
    texts = ("a x", ["a y"])
    choices = {"convention": "torchmetrics", "max_order": 2, "weights": (1, 0)}
    derivation = derive(*texts, **choices)
    assert derivation.score.value == 0
    assert "nltk" not in libraries(texts, derivation)


def test_libraries_that_disagree_are_left_out():
    texts = ("a b", ["a b c d", "a b c"])
    derivation = derive(*texts, reference_length="average", max_order=2)
    assert libraries(texts, derivation) == ["bleu", PLAIN]


def test_hostile_text_is_quoted():
    text = "'); raise SystemExit('\"\\\n\u202e"
    derivation = derive(text, [text], max_order=1)
    for snippet in snippets(text, [text], derivation)[:3]:
        assert printed(snippet.code) == "1"
