"""Agreement with sacreBLEU's BLEU(tokenize="none").corpus_score.

Each test compares 500 seeded random corpora in each of its chunks. Scores and precisions must
agree within 1e-12 of their size; matched, total and lengths must be equal.

Left out: the empty corpus, where sacreBLEU raises IndexError; a first list of references that is
missing for the first segment is no problem of ours, and does not occur, as every segment has at
least one reference and missing ones (None) stand behind it.
"""

import random
from itertools import zip_longest

import pytest
from sacrebleu.metrics import BLEU

from bleu import Settings, corpus_bleu, sentence_bleu

from . import difference, joined, random_segment

pytestmark = [
    pytest.mark.host,
    # references drawn by lot may fit better the other way round
    pytest.mark.filterwarnings("ignore:.*look transposed:UserWarning"),
]

CHUNKS = range(4)
SIZE = 500
TOLERANCE = 1e-12
VALUES = {
    "none": (None,),
    "exp": (None,),
    "add-k": (None, 1, 2, 0.5, 0.1, 1e-3, 7.25),
    "floor": (None, 0.1, 0.5, 1, 0.01, 1e-6),
}


def random_corpus(rng):
    """Texts of a few segments, sometimes all short, and the references of each."""
    longest = rng.choice((2, 5, 12, 25))
    segments = [random_segment(rng, longest) for _ in range(rng.randint(1, 5))]
    hypotheses = [joined(rng, hypothesis) for hypothesis, _ in segments]
    return hypotheses, [[joined(rng, text) for text in references] for _, references in segments]


def random_choices(rng, smoothing):
    """Settings that both libraries have."""
    return {
        "max_order": rng.choice((4, 4, rng.randint(1, 9))),
        "lowercase": rng.random() < 0.3,
        "effective_order": rng.random() < 0.5,
        "smoothing": smoothing,
        "smoothing_value": rng.choice(VALUES[smoothing]),
    }


def theirs(hypotheses, references, choices):
    """sacreBLEU's score; it takes one list for the first references, one for the second, …"""
    metric = BLEU(
        tokenize="none",
        force=True,
        lowercase=choices["lowercase"],
        max_ngram_order=choices["max_order"],
        effective_order=choices["effective_order"],
        smooth_method=choices["smoothing"],
        smooth_value=choices["smoothing_value"],
    )
    return metric.corpus_score(hypotheses, list(zip_longest(*references)))


def assert_same(mine, other, case):
    """Counts and lengths are equal, and numbers as close as rounding lets them be.

    sacreBLEU reports the counts of add-k as increased, from the second order on, unless nothing
    matched at all; ours are as counted, so k is added here.
    """
    matched, total = list(mine.matched), list(mine.total)
    if case["smoothing"] == "add-k" and any(matched):
        k = 1 if case["smoothing_value"] is None else case["smoothing_value"]
        matched[1:] = [m + k for m in matched[1:]]
        total[1:] = [t + k for t in total[1:]]
    assert (matched, total) == (other.counts, other.totals), case
    assert (mine.hypothesis_length, mine.reference_length) == (other.sys_len, other.ref_len), case
    assert difference(mine.brevity_penalty, other.bp) <= TOLERANCE, case
    for precision, theirs_, weight in zip(
        mine.precisions, other.precisions, mine.weights, strict=True
    ):
        if weight:  # an order left out by effective_order has no say in either score
            assert difference(float(precision), theirs_ / 100) <= TOLERANCE, case
    assert difference(mine.value, other.score / 100) <= TOLERANCE, case


def too_short(score):
    """Whether no segment has an n-gram of some order, but some token matches."""
    return any(score.matched) and 0 in score.total


@pytest.mark.parametrize("smoothing", VALUES)
@pytest.mark.parametrize("chunk", CHUNKS)
def test_corpora(smoothing, chunk):
    """One exception: floor without effective order, where no segment has n-grams of an order.

    sacreBLEU's precision is then 0, ours is ε as in NLTK's method 1 (see below).
    """
    rng = random.Random(f"{smoothing} {chunk}")
    compared = positive = 0
    while compared < SIZE:
        hypotheses, references = random_corpus(rng)
        choices = random_choices(rng, smoothing)
        mine = corpus_bleu(hypotheses, references, **choices)
        if smoothing == "floor" and not choices["effective_order"] and too_short(mine):
            continue
        compared += 1
        positive += mine.value > 0
        case = {**choices, "hypotheses": hypotheses, "references": references}
        assert_same(mine, theirs(hypotheses, references, choices), case)
    assert positive > SIZE / 4


@pytest.mark.parametrize("chunk", CHUNKS)
def test_sentences(chunk):
    """sentence_score with effective order, as sacreBLEU recommends for segments."""
    rng = random.Random(f"sentences {chunk}")
    for _ in range(SIZE):
        hypotheses, references = random_corpus(rng)
        choices = random_choices(rng, rng.choice(list(VALUES))) | {"effective_order": True}
        mine = sentence_bleu(hypotheses[0], references[0], **choices)
        other = theirs(hypotheses[:1], references[:1], choices)
        assert_same(mine, other, {**choices, "segment": (hypotheses[0], references[0])})


def test_floor_where_the_text_is_too_short_differs_by_design():
    """ε for every empty order, as in NLTK's method 1; sacreBLEU stops at such an order with 0."""
    choices = {
        "max_order": 4,
        "lowercase": False,
        "effective_order": False,
        "smoothing": "floor",
        "smoothing_value": None,
    }
    assert corpus_bleu(["a b"], [["a b"]], **choices).value == pytest.approx(0.1**0.5)
    assert theirs(["a b"], [["a b"]], choices).score == 0.0


def test_a_perfect_corpus_is_exactly_1_here():
    text = "a b c d e"
    assert corpus_bleu([text], [[text]]).value == 1.0
    assert BLEU(tokenize="none").corpus_score([text], [[text]]).score == pytest.approx(100)


SIGNED = [
    {"smoothing": "exp"},
    {"smoothing": "none", "lowercase": True, "effective_order": True},
    {"smoothing": "floor", "smoothing_value": None},
    {"smoothing": "add-k", "smoothing_value": None},
    {"smoothing": "floor", "smoothing_value": 0.25},
]


def signed(choices, **others):
    metric = BLEU(
        tokenize="none",
        smooth_method=choices["smoothing"],
        smooth_value=choices.get("smoothing_value"),
        lowercase=choices.get("lowercase", False),
        effective_order=choices.get("effective_order", False),
    )
    metric.corpus_score(["a b"], [["a b"], ["a c"]], **others)
    return metric.get_signature()


@pytest.mark.parametrize("choices", SIGNED)
@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("resamples", [1, 40])
def test_the_signature_is_theirs(choices, short, resamples):
    real = signed(choices, n_bootstrap=resamples).format(short=short)
    resampled = {"bootstrap": resamples, "seed": 12345} if resamples > 1 else {}
    mine = Settings(**choices, too_short="zero")
    assert mine.sacrebleu_signature(2, short=short, **resampled) == real


@pytest.mark.parametrize(
    "choices",
    [
        {"max_order": 3},
        {"weights": [0.4, 0.3, 0.2, 0.1]},
        {"smoothing": "length-exp"},
        {"tokenizer": "mteval-v14"},
        {"reference_length": "shortest"},
    ],
)
def test_the_signature_has_no_place_for_what_they_do_not_have(choices):
    with pytest.raises(ValueError, match="has no place for these settings"):
        Settings(too_short="zero", **choices).sacrebleu_signature(1)


@pytest.mark.parametrize("choices", SIGNED)
def test_our_signature_is_theirs_with_our_tokenizer_and_the_order(choices):
    peer = dict(part.split(":") for part in signed(choices).format().split("|"))
    mine = dict(part.split(":") for part in Settings(**choices).signature(2).split("|"))
    assert mine.pop("order") == "4"
    assert (mine.pop("tok"), peer.pop("tok")) == ("whitespace", "none")
    assert peer.pop("version")
    peer["smooth"] = peer["smooth"].replace("0.10", "0.1").replace("1.00", "1")
    assert mine == peer


@pytest.mark.parametrize("smoothing", ["floor", "add-k"])
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("text", ["a b c d e", "a b x d", "a b", "a b c d e f g"])
def test_a_smoothing_value_of_0_is_computed_as_sacrebleu_does(smoothing, effective_order, text):
    """The book's `smooth_method="floor", smooth_value=0`."""
    peer = BLEU(
        smooth_method=smoothing, smooth_value=0, effective_order=effective_order, force=True
    )
    theirs = peer.corpus_score([text], [["a b c d e f"]]).score / 100
    ours = sentence_bleu(
        text,
        ["a b c d e f"],
        convention=f"sacrebleu-{smoothing}",
        smoothing_value=0,
        effective_order=effective_order,
    )
    assert ours.value == pytest.approx(theirs, rel=1e-9)
