"""What NLTK prints for a 0, and how it is explained."""

import warnings

import pytest
from nltk.translate.bleu_score import sentence_bleu

from bleu import derive
from bleu.analysis.zero import diagnose_zero
from bleu.document.blocks import Score100
from bleu.explanation.zero import remedies_paragraph, zero_paragraph

pytestmark = pytest.mark.host

PAIRS = [
    ("the cat sat on mat", "the cat is on the mat", "No 3-gram", "p₃ = 0/3"),
    ("a b c", "a b c", "only 3 tokens", "p₄ = 0"),
]


@pytest.mark.parametrize(("hypothesis", "reference", "why", "precision"), PAIRS)
def test_what_nltk_prints_for_0_is_explained_like_0(
    hypothesis: str, reference: str, why: str, precision: str
) -> None:
    theirs = derive(hypothesis, [reference], convention="nltk-method0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK's own, of the orders without a match
        printed = sentence_bleu([reference.split()], hypothesis.split())
    found = diagnose_zero(theirs)
    assert found
    assert found.value == printed > 0
    _, words = zero_paragraph(found, theirs).spans
    assert isinstance(words, str)
    for part in (why, precision, "2.2e−308", f"{printed:.2g}".replace("-", "−")):
        assert part in words
    helping = remedies_paragraph(found)
    assert helping
    assert all(span.value > 0.1 for span in helping.spans if isinstance(span, Score100))
