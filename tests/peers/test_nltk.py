"""Agreement with NLTK's sentence_bleu, and where corpus_bleu differs by design.

Each test compares 500 seeded random segments in each of its chunks. Scores must agree within
1e-12 of their size, without any absolute allowance.

Left out, as NLTK crashes there: no references at all; nested wrongly.
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
    # references drawn by lot may fit better the other way round
    pytest.mark.filterwarnings("ignore:.*look transposed:UserWarning"),
]

CHUNKS = range(4)
SIZE = 500
TOLERANCE = 1e-12
EPSILONS = (0.1, 0.1, 0.5, 1, 0.01, 1e-7)


def theirs(hypothesis, references, max_order, weights=None, method="method0", **values):
    """NLTK's score; its warnings about orders without a match are what we turn into 0."""
    smoothing = getattr(nltk.SmoothingFunction(**values), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return nltk.sentence_bleu(
            references, hypothesis, weights or (1 / max_order,) * max_order, smoothing
        )


@pytest.mark.parametrize("chunk", CHUNKS)
def test_without_smoothing(chunk):
    """Equal wherever every order with a weight has a match.

    Elsewhere the score is exactly 0 here; NLTK puts the smallest normal float, 2.2e-308, in the
    place of each p_n that is 0, so its score is at most 2.2e-308 to the power of their weights
    (1e-77 for one of four).
    """
    rng = random.Random(f"none {chunk}")
    zeros = 0
    for _ in range(SIZE):
        max_order = rng.choice((4, 4, rng.randint(1, 9)))
        weights = random_weights(rng, max_order)
        hypothesis, references = random_segment(rng)
        mine = sentence_bleu(hypothesis, references, max_order=max_order, weights=weights)
        other = theirs(hypothesis, references, max_order, weights)
        case = (hypothesis, references, max_order, weights)
        missing = [w for w, m in zip(mine.weights, mine.matched, strict=True) if not m and w]
        if missing:
            zeros += 1
            assert mine.value == 0.0, case
            assert other <= sys.float_info.min ** float(sum(missing)) * (1 + 1e-9), case
        else:
            assert mine.value > 0, case
            assert difference(mine.value, other) <= TOLERANCE, case
    assert SIZE / 10 < zeros < SIZE * 9 / 10


@pytest.mark.parametrize("chunk", CHUNKS)
def test_counts_lengths_and_penalty(chunk):
    """matched and total of each order, of 0 in place of NLTK's 1 where there is no n-gram."""
    rng = random.Random(f"counts {chunk}")
    for _ in range(SIZE):
        hypothesis, references = random_segment(rng)
        mine = sentence_bleu(hypothesis, references, max_order=9)
        for n, (matched, total) in enumerate(zip(mine.matched, mine.total, strict=True), 1):
            precision = nltk.modified_precision(references, hypothesis, n)
            assert (matched, max(1, total)) == (precision.numerator, precision.denominator)
        length = nltk.closest_ref_length(references, len(hypothesis))
        assert (mine.hypothesis_length, mine.reference_length) == (len(hypothesis), length)
        penalty = nltk.brevity_penalty(length, len(hypothesis))
        if hypothesis or length:  # NLTK has 0 for empty against empty; no score depends on it
            assert difference(mine.brevity_penalty, penalty) <= TOLERANCE


@pytest.mark.parametrize("chunk", CHUNKS)
def test_floor_is_method_1(chunk):
    """With every ε, also where the text is too short for an order."""
    rng = random.Random(f"floor {chunk}")
    for _ in range(SIZE):
        max_order = rng.choice((4, 4, rng.randint(1, 9)))
        weights = random_weights(rng, max_order)
        epsilon = rng.choice(EPSILONS)
        hypothesis, references = random_segment(rng, longest=12)
        mine = sentence_bleu(
            hypothesis,
            references,
            max_order=max_order,
            weights=weights,
            smoothing="floor",
            smoothing_value=epsilon,
        )
        other = theirs(hypothesis, references, max_order, weights, "method1", epsilon=epsilon)
        case = (hypothesis, references, max_order, weights, epsilon)
        assert difference(mine.value, other) <= TOLERANCE, case


@pytest.mark.parametrize(("smoothing", "method"), [("add-k", "method2"), ("exp", "method3")])
@pytest.mark.parametrize("chunk", CHUNKS)
def test_add_1_is_method_2_and_exp_is_method_3_where_the_text_has_n_tokens(
    chunk, smoothing, method
):
    """On shorter texts they differ by design: see below."""
    rng = random.Random(f"{smoothing} {chunk}")
    for _ in range(SIZE):
        max_order = rng.choice((4, 4, rng.randint(1, 9)))
        weights = random_weights(rng, max_order)
        hypothesis, references = random_segment(rng, longest=12, at_least=max_order)
        mine = sentence_bleu(
            hypothesis, references, max_order=max_order, weights=weights, smoothing=smoothing
        )
        other = theirs(hypothesis, references, max_order, weights, method)
        case = (hypothesis, references, max_order, weights)
        assert difference(mine.value, other) <= TOLERANCE, case


def test_where_method_2_and_3_differ_on_short_text():
    """NLTK counts 0 of 1 n-grams where the text has none: (0+1)/(1+1), and 1/2, 1/4, 1/8 of 1."""
    text = ["a"]
    assert sentence_bleu(text, [text], smoothing="add-k").value == 1.0
    assert theirs(text, [text], 4, method="method2") == pytest.approx(0.5**0.75)
    assert sentence_bleu(text, [text], smoothing="exp").value == 0.0
    assert theirs(text, [text], 4, method="method3") == pytest.approx(0.5 ** (6 / 4))


def test_nltk_warns_and_leaves_a_tiny_number_where_we_say_0():
    text = ["a", "b", "c"]
    with pytest.warns(UserWarning, match="0 counts of 4-gram overlaps"):
        assert 0 < nltk.sentence_bleu([text], text) < 1e-70
    assert sentence_bleu(text, [text]).value == 0.0


def test_nltks_corpus_bleu_counts_an_order_that_a_segment_is_too_short_for_as_0_of_1():
    """A perfect corpus with one short segment: 1 here and in sacreBLEU, (1/2 · 2/3)^(1/4) there."""
    hypotheses = [["a", "b", "c", "d", "e"], ["a", "b"]]
    references = [[hypothesis] for hypothesis in hypotheses]
    mine = corpus_bleu(hypotheses, references)
    assert mine.total == (7, 5, 3, 2)
    assert mine.value == 1.0
    assert nltk.corpus_bleu(references, hypotheses) == pytest.approx((3 / 4 * 2 / 3) ** 0.25)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_corpora_agree_where_every_segment_has_n_tokens(chunk):
    rng = random.Random(f"corpus {chunk}")
    for _ in range(SIZE // 5):
        max_order = rng.choice((4, 4, rng.randint(1, 6)))
        segments = [random_segment(rng, 12, max_order) for _ in range(rng.randint(1, 6))]
        hypotheses, references = zip(*segments, strict=True)
        mine = corpus_bleu(hypotheses, references, max_order=max_order, smoothing="floor")
        other = nltk.corpus_bleu(
            references,
            hypotheses,
            (1 / max_order,) * max_order,
            nltk.SmoothingFunction().method1,
        )
        assert difference(mine.value, other) <= TOLERANCE, segments


@pytest.mark.parametrize("method", range(8))
@pytest.mark.parametrize("length", range(6))
@pytest.mark.parametrize("text", ["a b c d e", "a x c d e", "a b x d e"])
def test_effective_order_is_nltks_auto_reweigh(method, length, text):
    hypothesis, references = text.split()[:length], [["a", "b", "c", "d", "e"], ["a", "b"]]
    smooth = getattr(nltk.SmoothingFunction(), f"method{method}")
    for n in (3, 4, 5):
        weights = (1 / n,) * n if n != 4 else (0.25,) * 4
        choices = {"convention": f"nltk-method{method}", "max_order": n, "effective_order": True}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                theirs = nltk.sentence_bleu(
                    references, hypothesis, weights, smooth, auto_reweigh=True
                )
        except AssertionError:
            with pytest.raises(ValueError, match="3-gram"):
                sentence_bleu(hypothesis, references, **choices)
            continue
        ours = sentence_bleu(hypothesis, references, **choices).value
        assert ours == pytest.approx(float(theirs), rel=1e-9)


def test_auto_reweigh_looks_at_the_length_of_the_corpus():
    for texts in (["a", "b"], ["a b", "c"], ["a b", "c d"]):
        hypotheses = [text.split() for text in texts]
        references = [[["a", "b", "c"]], [["c", "d"]]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = nltk.corpus_bleu(references, hypotheses, auto_reweigh=True)
        choices = {"convention": "nltk-method0", "effective_order": True}
        ours = corpus_bleu(hypotheses, references, **choices).value
        assert ours == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("weights", [(0.33, 0.33, 0.33, 0), (0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0.5)])
@pytest.mark.parametrize("text", ["a b c d e", "a x c d e", "a b x", "x y"])
def test_nltk_takes_weights_that_do_not_sum_to_1_and_an_epsilon_of_0(weights, text):
    hypothesis, references = text.split(), [["a", "b", "c", "d", "e"]]
    for method, values in ((0, {}), (1, {"epsilon": 0}), (3, {})):
        smooth = getattr(nltk.SmoothingFunction(**values), f"method{method}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = nltk.sentence_bleu(references, hypothesis, weights, smooth)
        choices = {"smoothing_value": 0} if values else {}
        ours = sentence_bleu(
            hypothesis, references, convention=f"nltk-method{method}", weights=weights, **choices
        )
        assert ours.value == pytest.approx(float(theirs), rel=1e-9)


def test_method_6_scores_a_corpus_of_which_a_line_alone_has_no_score():
    hypotheses = [["the", "cat", "is", "on", "the", "mat", "now"], ["a", "cat"]]
    references = [[["the", "cat", "is", "on", "the", "mat", "here"]], [["a", "dog"]]]
    smooth = nltk.SmoothingFunction().method6
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = nltk.corpus_bleu(references, hypotheses, smoothing_function=smooth)
        alone = nltk.sentence_bleu(references[0], hypotheses[0], smoothing_function=smooth)
        with pytest.raises(AssertionError):
            nltk.sentence_bleu(references[1], hypotheses[1], smoothing_function=smooth)
    ours = derive_corpus(hypotheses, references, convention="nltk-method6")
    assert ours.score.value == pytest.approx(whole, rel=1e-12)
    assert ours.scores == [pytest.approx(alone, rel=1e-12), None]
    assert ours.mean is None
    assert "needs a matching 3-gram" in ours.missing_score_reason(1)
    assert ours.missing_score_reason(0) == ""
