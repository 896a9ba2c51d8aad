"""NLTK's number for a score of 0, and its explanation."""

import warnings

import pytest
from nltk.translate.bleu_score import sentence_bleu

from bleu import derive
from bleu.analysis.zero import diagnose_zero
from bleu.document.blocks import Score100
from bleu.explanation.summary import remedies_paragraph, zero_paragraph
from bleu.render import text

pytestmark = pytest.mark.host

PAIRS = [
    ("the cat sat on mat", "the cat is on the mat", "No 3 words in a row", "p₃ = 0/3"),
    ("a b c", "a b c", "only 3 words", "p₄ = 0"),
]


@pytest.mark.parametrize(("hypothesis", "reference", "cause", "precision"), PAIRS)
def test_number_that_nltk_prints_for_0_is_explained(
    hypothesis: str, reference: str, cause: str, precision: str
) -> None:
    derivation = derive(hypothesis, [reference], convention="nltk-method0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns of orders without a match
        nltk_score = sentence_bleu([reference.split()], hypothesis.split())
    diagnosis = diagnose_zero(derivation)
    assert diagnosis
    assert diagnosis.value == nltk_score > 0
    sentences = text.spans(zero_paragraph(diagnosis, derivation).spans)
    for part in (cause, precision, "2.2e−308", f"{nltk_score:.2g}".replace("-", "−")):
        assert part in sentences
    remedies = remedies_paragraph(diagnosis)
    assert remedies
    assert all(span.value > 0.1 for span in remedies.spans if isinstance(span, Score100))
