"""Agreement with sacreBLEU's BLEU(tokenize="none").corpus_score.

Each test compares 500 seeded random corpora in each of its chunks. Scores and precisions must agree
within a relative difference of 1e-12; matched, total and lengths must be equal. The empty corpus is
left out, because sacreBLEU raises IndexError.
"""

import random
from itertools import zip_longest

import pytest
from sacrebleu.metrics import BLEU

from bleu import Settings, corpus_bleu, sentence_bleu

from . import difference, joined, random_segment

pytestmark = [
    pytest.mark.host,
    # Random references may score higher when transposed.
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
    """Return the texts of a few segments, sometimes all short, and the references of each."""
    max_length = rng.choice((2, 5, 12, 25))
    segments = [random_segment(rng, max_length) for _ in range(rng.randint(1, 5))]
    hypotheses = [joined(rng, hypothesis) for hypothesis, _ in segments]
    return hypotheses, [[joined(rng, text) for text in references] for _, references in segments]


def random_choices(rng, smoothing):
    """Return settings that both libraries have."""
    return {
        "max_order": rng.choice((4, 4, rng.randint(1, 9))),
        "lowercase": rng.random() < 0.3,
        "effective_order": rng.random() < 0.5,
        "smoothing": smoothing,
        "smoothing_value": rng.choice(VALUES[smoothing]),
    }


def score_by_sacrebleu(hypotheses, references, choices):
    """Return sacreBLEU's score; it takes a list of all first references, of all second, …"""
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


def assert_equal_scores(score, peer, case):
    """Assert that counts and lengths are equal, and other numbers equal up to rounding.

    sacreBLEU adds the k of add-k to the counts that it reports, unless nothing matches.
    """
    matched, total = list(score.matched), list(score.total)
    if case["smoothing"] == "add-k" and any(matched):
        k = 1 if case["smoothing_value"] is None else case["smoothing_value"]
        matched[1:] = [m + k for m in matched[1:]]
        total[1:] = [t + k for t in total[1:]]
    assert (matched, total) == (peer.counts, peer.totals), case
    assert (score.hypothesis_length, score.reference_length) == (peer.sys_len, peer.ref_len), case
    assert difference(score.brevity_penalty, peer.bp) <= TOLERANCE, case
    for precision, peer_precision, weight in zip(
        score.precisions, peer.precisions, score.weights, strict=True
    ):
        if weight:  # Orders left out by effective_order affect neither score.
            assert difference(float(precision), peer_precision / 100) <= TOLERANCE, case
    assert difference(score.value, peer.score / 100) <= TOLERANCE, case


def is_too_short(score):
    """Return whether some token matches, but no segment has an n-gram of some order."""
    return any(score.matched) and 0 in score.total


@pytest.mark.parametrize("smoothing", VALUES)
@pytest.mark.parametrize("chunk", CHUNKS)
def test_corpora_agree(smoothing, chunk):
    """The exception is floor without effective order if no segment has n-grams of an order.

    sacreBLEU's precision is then 0; here it is ε, as in NLTK's method 1.
    """
    rng = random.Random(f"{smoothing} {chunk}")
    compared = positive = 0
    while compared < SIZE:
        hypotheses, references = random_corpus(rng)
        choices = random_choices(rng, smoothing)
        score = corpus_bleu(hypotheses, references, **choices)
        if smoothing == "floor" and not choices["effective_order"] and is_too_short(score):
            continue
        compared += 1
        positive += score.value > 0
        case = {**choices, "hypotheses": hypotheses, "references": references}
        assert_equal_scores(score, score_by_sacrebleu(hypotheses, references, choices), case)
    assert positive > SIZE / 4


@pytest.mark.parametrize("chunk", CHUNKS)
def test_sentences_agree(chunk):
    """They are scored with effective order, as sacreBLEU recommends for segments."""
    rng = random.Random(f"sentences {chunk}")
    for _ in range(SIZE):
        hypotheses, references = random_corpus(rng)
        choices = random_choices(rng, rng.choice(list(VALUES))) | {"effective_order": True}
        score = sentence_bleu(hypotheses[0], references[0], **choices)
        peer = score_by_sacrebleu(hypotheses[:1], references[:1], choices)
        case = {**choices, "segment": (hypotheses[0], references[0])}
        assert_equal_scores(score, peer, case)


def test_floor_differs_on_texts_that_are_too_short():
    """Every empty order counts ε, as in NLTK's method 1; sacreBLEU stops there and scores 0."""
    choices = {
        "max_order": 4,
        "lowercase": False,
        "effective_order": False,
        "smoothing": "floor",
        "smoothing_value": None,
    }
    assert corpus_bleu(["a b"], [["a b"]], **choices).value == pytest.approx(0.1**0.5)
    assert score_by_sacrebleu(["a b"], [["a b"]], choices).score == 0.0


def test_perfect_corpus_scores_exactly_1():
    text = "a b c d e"
    assert corpus_bleu([text], [[text]]).value == 1.0
    assert BLEU(tokenize="none").corpus_score([text], [[text]]).score == pytest.approx(100)


SIGNATURE_CHOICES = [
    {"smoothing": "exp"},
    {"smoothing": "none", "lowercase": True, "effective_order": True},
    {"smoothing": "floor", "smoothing_value": None},
    {"smoothing": "add-k", "smoothing_value": None},
    {"smoothing": "floor", "smoothing_value": 0.25},
]


def sacrebleu_signature(choices, **options):
    """Return sacreBLEU's signature object after it has scored a corpus."""
    metric = BLEU(
        tokenize="none",
        smooth_method=choices["smoothing"],
        smooth_value=choices.get("smoothing_value"),
        lowercase=choices.get("lowercase", False),
        effective_order=choices.get("effective_order", False),
    )
    metric.corpus_score(["a b"], [["a b"], ["a c"]], **options)
    return metric.get_signature()


@pytest.mark.parametrize("choices", SIGNATURE_CHOICES)
@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("resamples", [1, 40])
def test_sacrebleu_signature_equals_that_of_sacrebleu(choices, short, resamples):
    expected = sacrebleu_signature(choices, n_bootstrap=resamples).format(short=short)
    resampling = {"bootstrap": resamples, "seed": 12345} if resamples > 1 else {}
    settings = Settings(**choices, too_short="zero")
    assert settings.sacrebleu_signature(2, short=short, **resampling) == expected


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
def test_sacrebleu_signature_refuses_settings_that_sacrebleu_lacks(choices):
    with pytest.raises(ValueError, match="cannot express these settings"):
        Settings(too_short="zero", **choices).sacrebleu_signature(1)


@pytest.mark.parametrize("choices", SIGNATURE_CHOICES)
def test_signature_is_that_of_sacrebleu_with_tokenizer_and_order(choices):
    peer = dict(part.split(":") for part in sacrebleu_signature(choices).format().split("|"))
    parts = dict(part.split(":") for part in Settings(**choices).signature(2).split("|"))
    assert parts.pop("order") == "4"
    assert (parts.pop("tok"), peer.pop("tok")) == ("whitespace", "none")
    assert peer.pop("version")
    peer["smooth"] = peer["smooth"].replace("0.10", "0.1").replace("1.00", "1")
    assert parts == peer


@pytest.mark.parametrize("smoothing", ["floor", "add-k"])
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("text", ["a b c d e", "a b x d", "a b", "a b c d e f g"])
def test_smoothing_value_of_0_scores_as_sacrebleu(smoothing, effective_order, text):
    metric = BLEU(
        smooth_method=smoothing, smooth_value=0, effective_order=effective_order, force=True
    )
    expected = metric.corpus_score([text], [["a b c d e f"]]).score / 100
    score = sentence_bleu(
        text,
        ["a b c d e f"],
        convention=f"sacrebleu-{smoothing}",
        smoothing_value=0,
        effective_order=effective_order,
    )
    assert score.value == pytest.approx(expected, rel=1e-9)
