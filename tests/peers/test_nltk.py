"""Agreement with NLTK's sentence_bleu, and intended differences from its corpus_bleu.

Each test compares 500 seeded random segments in each of its chunks. Scores must agree within a
relative difference of 1e-12. Inputs on which NLTK crashes are left out: no references, and wrongly
nested lists.
"""

import random
import sys
import warnings

import pytest
from nltk.translate import bleu_score as nltk

from bleu import corpus_bleu, derive_corpus, sentence_bleu

from . import difference, random_segment, random_weights

pytestmark = [
    pytest.mark.host,
    # Random references may score higher when transposed.
    pytest.mark.filterwarnings("ignore:.*look transposed:UserWarning"),
]

CHUNKS = range(4)
SIZE = 500
TOLERANCE = 1e-12
EPSILONS = (0.1, 0.1, 0.5, 1, 0.01, 1e-7)


def score_by_nltk(hypothesis, references, max_order, weights=None, method="method0", **values):
    """Return NLTK's score without its warnings about orders without a match."""
    smoothing = getattr(nltk.SmoothingFunction(**values), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return nltk.sentence_bleu(
            references, hypothesis, weights or (1 / max_order,) * max_order, smoothing
        )


@pytest.mark.parametrize("chunk", CHUNKS)
def test_unsmoothed_scores_agree(chunk):
    """They are equal if every weighted order has a match.

    Otherwise the score is exactly 0 here; NLTK replaces each p_n of 0 by the smallest normal float,
    2.2e-308, so its score is at most 2.2e-308 to the power of their weights (1e-77 for one of four
    orders).
    """
    rng = random.Random(f"none {chunk}")
    zeros = 0
    for _ in range(SIZE):
        max_order = rng.choice((4, 4, rng.randint(1, 9)))
        weights = random_weights(rng, max_order)
        hypothesis, references = random_segment(rng)
        score = sentence_bleu(hypothesis, references, max_order=max_order, weights=weights)
        nltk_score = score_by_nltk(hypothesis, references, max_order, weights)
        case = (hypothesis, references, max_order, weights)
        unmatched = [w for w, m in zip(score.weights, score.matched, strict=True) if not m and w]
        if unmatched:
            zeros += 1
            assert score.value == 0.0, case
            assert nltk_score <= sys.float_info.min ** float(sum(unmatched)) * (1 + 1e-9), case
        else:
            assert score.value > 0, case
            assert difference(score.value, nltk_score) <= TOLERANCE, case
    assert SIZE / 10 < zeros < SIZE * 9 / 10


@pytest.mark.parametrize("chunk", CHUNKS)
def test_counts_lengths_and_brevity_penalties_agree(chunk):
    """The total of an order without n-grams is 0 here and 1 in NLTK."""
    rng = random.Random(f"counts {chunk}")
    for _ in range(SIZE):
        hypothesis, references = random_segment(rng)
        score = sentence_bleu(hypothesis, references, max_order=9)
        for n, (matched, total) in enumerate(zip(score.matched, score.total, strict=True), 1):
            precision = nltk.modified_precision(references, hypothesis, n)
            assert (matched, max(1, total)) == (precision.numerator, precision.denominator)
        length = nltk.closest_ref_length(references, len(hypothesis))
        assert (score.hypothesis_length, score.reference_length) == (len(hypothesis), length)
        penalty = nltk.brevity_penalty(length, len(hypothesis))
        if hypothesis or length:  # For two empty texts NLTK has 0, on which no score depends.
            assert difference(score.brevity_penalty, penalty) <= TOLERANCE


@pytest.mark.parametrize("chunk", CHUNKS)
def test_floor_equals_method_1(chunk):
    """They are equal for every ε, even if the text is too short for an order."""
    rng = random.Random(f"floor {chunk}")
    for _ in range(SIZE):
        max_order = rng.choice((4, 4, rng.randint(1, 9)))
        weights = random_weights(rng, max_order)
        epsilon = rng.choice(EPSILONS)
        hypothesis, references = random_segment(rng, max_length=12)
        score = sentence_bleu(
            hypothesis,
            references,
            max_order=max_order,
            weights=weights,
            smoothing="floor",
            smoothing_value=epsilon,
        )
        nltk_score = score_by_nltk(
            hypothesis, references, max_order, weights, "method1", epsilon=epsilon
        )
        case = (hypothesis, references, max_order, weights, epsilon)
        assert difference(score.value, nltk_score) <= TOLERANCE, case


@pytest.mark.parametrize(("smoothing", "method"), [("add-k", "method2"), ("exp", "method3")])
@pytest.mark.parametrize("chunk", CHUNKS)
def test_smoothing_equals_nltks_method_for_at_least_n_tokens(chunk, smoothing, method):
    """On shorter texts they differ by design, as the next test shows."""
    rng = random.Random(f"{smoothing} {chunk}")
    for _ in range(SIZE):
        max_order = rng.choice((4, 4, rng.randint(1, 9)))
        weights = random_weights(rng, max_order)
        hypothesis, references = random_segment(rng, max_length=12, min_length=max_order)
        score = sentence_bleu(
            hypothesis, references, max_order=max_order, weights=weights, smoothing=smoothing
        )
        nltk_score = score_by_nltk(hypothesis, references, max_order, weights, method)
        case = (hypothesis, references, max_order, weights)
        assert difference(score.value, nltk_score) <= TOLERANCE, case


def test_methods_2_and_3_differ_on_short_texts():
    """NLTK counts 0 of 1 if a text has no n-gram: (0+1)/(1+1), and 1/2, 1/4, 1/8 of 1."""
    text = ["a"]
    assert sentence_bleu(text, [text], smoothing="add-k").value == 1.0
    assert score_by_nltk(text, [text], 4, method="method2") == pytest.approx(0.5**0.75)
    assert sentence_bleu(text, [text], smoothing="exp").value == 0.0
    assert score_by_nltk(text, [text], 4, method="method3") == pytest.approx(0.5 ** (6 / 4))


def test_score_of_0_is_a_tiny_number_with_a_warning_in_nltk():
    text = ["a", "b", "c"]
    with pytest.warns(UserWarning, match="0 counts of 4-gram overlaps"):
        assert 0 < nltk.sentence_bleu([text], text) < 1e-70
    assert sentence_bleu(text, [text]).value == 0.0


def test_perfect_corpus_with_a_short_segment_is_below_1_in_nltk():
    """NLTK counts 0 of 1 for each order that a segment is too short for; sacreBLEU does not."""
    hypotheses = [["a", "b", "c", "d", "e"], ["a", "b"]]
    references = [[hypothesis] for hypothesis in hypotheses]
    score = corpus_bleu(hypotheses, references)
    assert score.total == (7, 5, 3, 2)
    assert score.value == 1.0
    assert nltk.corpus_bleu(references, hypotheses) == pytest.approx((3 / 4 * 2 / 3) ** 0.25)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_corpora_agree_if_every_segment_has_n_tokens(chunk):
    rng = random.Random(f"corpus {chunk}")
    for _ in range(SIZE // 5):
        max_order = rng.choice((4, 4, rng.randint(1, 6)))
        segments = [random_segment(rng, 12, max_order) for _ in range(rng.randint(1, 6))]
        hypotheses, references = zip(*segments, strict=True)
        score = corpus_bleu(hypotheses, references, max_order=max_order, smoothing="floor")
        nltk_score = nltk.corpus_bleu(
            references,
            hypotheses,
            (1 / max_order,) * max_order,
            nltk.SmoothingFunction().method1,
        )
        assert difference(score.value, nltk_score) <= TOLERANCE, segments


@pytest.mark.parametrize("method", range(8))
@pytest.mark.parametrize("length", range(6))
@pytest.mark.parametrize("text", ["a b c d e", "a x c d e", "a b x d e"])
def test_effective_order_equals_auto_reweigh(method, length, text):
    hypothesis, references = text.split()[:length], [["a", "b", "c", "d", "e"], ["a", "b"]]
    smooth = getattr(nltk.SmoothingFunction(), f"method{method}")
    for n in (3, 4, 5):
        weights = (1 / n,) * n if n != 4 else (0.25,) * 4
        choices = {"convention": f"nltk-method{method}", "max_order": n, "effective_order": True}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                nltk_score = nltk.sentence_bleu(
                    references, hypothesis, weights, smooth, auto_reweigh=True
                )
        except AssertionError:
            with pytest.raises(ValueError, match="3-gram"):
                sentence_bleu(hypothesis, references, **choices)
            continue
        score = sentence_bleu(hypothesis, references, **choices).value
        assert score == pytest.approx(float(nltk_score), rel=1e-9)


def test_auto_reweigh_uses_the_length_of_the_corpus():
    for texts in (["a", "b"], ["a b", "c"], ["a b", "c d"]):
        hypotheses = [text.split() for text in texts]
        references = [[["a", "b", "c"]], [["c", "d"]]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nltk_score = nltk.corpus_bleu(references, hypotheses, auto_reweigh=True)
        choices = {"convention": "nltk-method0", "effective_order": True}
        score = corpus_bleu(hypotheses, references, **choices).value
        assert score == pytest.approx(nltk_score, rel=1e-9)


@pytest.mark.parametrize("weights", [(0.33, 0.33, 0.33, 0), (0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0.5)])
@pytest.mark.parametrize("text", ["a b c d e", "a x c d e", "a b x", "x y"])
def test_unusual_weights_and_epsilon_of_0_agree(weights, text):
    hypothesis, references = text.split(), [["a", "b", "c", "d", "e"]]
    for method, values in ((0, {}), (1, {"epsilon": 0}), (3, {})):
        smooth = getattr(nltk.SmoothingFunction(**values), f"method{method}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nltk_score = nltk.sentence_bleu(references, hypothesis, weights, smooth)
        choices = {"smoothing_value": 0} if values else {}
        score = sentence_bleu(
            hypothesis, references, convention=f"nltk-method{method}", weights=weights, **choices
        )
        assert score.value == pytest.approx(float(nltk_score), rel=1e-9)


def test_method_6_scores_a_corpus_with_a_segment_that_has_no_score():
    hypotheses = [["the", "cat", "is", "on", "the", "mat", "now"], ["a", "cat"]]
    references = [[["the", "cat", "is", "on", "the", "mat", "here"]], [["a", "dog"]]]
    smooth = nltk.SmoothingFunction().method6
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        corpus_score = nltk.corpus_bleu(references, hypotheses, smoothing_function=smooth)
        first_score = nltk.sentence_bleu(references[0], hypotheses[0], smoothing_function=smooth)
        with pytest.raises(AssertionError):
            nltk.sentence_bleu(references[1], hypotheses[1], smoothing_function=smooth)
    derivation = derive_corpus(hypotheses, references, convention="nltk-method6")
    assert derivation.score.value == pytest.approx(corpus_score, rel=1e-12)
    assert derivation.scores == [pytest.approx(first_score, rel=1e-12), None]
    assert derivation.mean is None
    assert "needs a matching 3-gram" in derivation.missing_score_reason(1)
    assert derivation.missing_score_reason(0) == ""
