"""Agreement with sacreBLEU's BLEU(tokenize="none").corpus_score.

Each test compares 500 seeded random corpora in each of its chunks. Scores and precisions must agree
within a relative difference of 1e-12; matched, total and lengths must be equal. The empty corpus is
left out, because sacreBLEU raises IndexError.
"""

import json
import random
from itertools import zip_longest

import pytest
from sacrebleu.metrics import BLEU

import bleu
from bleu import CONVENTIONS, Settings, corpus_bleu, sentence_bleu
from bleu.__main__ import main
from bleu.core.conventions import convention_settings
from bleu.render.json import render as render_json
from tests.support.case_selection import fast_and_slow

from . import difference, joined, random_segment

pytestmark = [
    pytest.mark.host,
    # Random references may score higher when transposed.
    pytest.mark.filterwarnings("ignore:.*look transposed:UserWarning"),
]

CHUNKS = range(4)
SIZE = 500
TOLERANCE = 1e-12
SACREBLEU = [name for name, entry in CONVENTIONS.items() if entry.title.startswith("sacreBLEU ")]
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
@pytest.mark.parametrize("chunk", fast_and_slow(2, CHUNKS))
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
    {"smoothing": "floor", "smoothing_value": None, "too_short": "zero"},
    {"smoothing": "add-k", "smoothing_value": None},
    {"smoothing": "add-k", "smoothing_value": 1.5, "too_short": "zero"},
    {"smoothing": "floor", "smoothing_value": 0.25, "too_short": "zero"},
]
HYPOTHESES = ["the cat is on mat"]
REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]


def metric_for(choices, tokenizer="none"):
    return BLEU(
        tokenize=tokenizer,
        smooth_method=choices["smoothing"],
        smooth_value=choices.get("smoothing_value"),
        lowercase=choices.get("lowercase", False),
        effective_order=choices.get("effective_order", False),
    )


def sacrebleu_signature(metric, **options):
    """Return sacreBLEU's signature object after it has scored a corpus."""
    metric.corpus_score(HYPOTHESES, [[text] for text in REFERENCES], **options)
    return metric.get_signature()


@pytest.mark.parametrize("choices", SIGNATURE_CHOICES)
@pytest.mark.parametrize("form", [None, "sacrebleu", "sacrebleu-short"])
@pytest.mark.parametrize("resamples", [1, 40])
def test_signature_equals_that_of_sacrebleu(choices, form, resamples):
    peer = sacrebleu_signature(metric_for(choices), n_bootstrap=resamples)
    resampling = {"bootstrap": resamples, "seed": 12345} if resamples > 1 else {}
    expected = peer.format(short=form == "sacrebleu-short")
    assert Settings(**choices).signature(2, form=form, **resampling) == expected


@pytest.mark.parametrize(
    "choices",
    [
        {"max_order": 3},
        {"weights": [0.4, 0.3, 0.2, 0.1]},
        {"smoothing": "length-exp"},
        {"smoothing": "floor", "too_short": "smoothed"},
        {"tokenizer": "mteval-v14"},
        {"reference_length": "shortest"},
    ],
)
def test_settings_that_sacrebleu_lacks_are_named_by_a_signature_without_its_version(choices):
    settings = Settings(**{"too_short": "zero", **choices})
    assert "version" not in settings.signature(1)
    assert settings.signature(1) == settings.signature(1, form="bleu")
    with pytest.raises(ValueError, match="cannot express these settings"):
        settings.signature(1, form="sacrebleu")


def test_a_value_that_sacrebleu_rounds_is_given_in_full():
    choices = {"smoothing": "floor", "smoothing_value": 0.125, "too_short": "zero"}
    settings = Settings(**choices)
    assert "|smooth:floor[0.125]|order:4|" in settings.signature(1)
    peer = sacrebleu_signature(metric_for(choices)).format()
    assert settings.signature(2, form="sacrebleu") == peer
    assert "|smooth:floor[0.12]|" in peer


@pytest.mark.parametrize("chunk", CHUNKS)
def test_scores_with_the_version_of_sacrebleu_are_those_of_its_options(chunk):
    """The options are read from the signature alone."""
    rng = random.Random(f"signatures {chunk}")
    versions = 0
    for _ in range(SIZE):
        hypotheses, references = random_corpus(rng)
        choices = random_choices(rng, rng.choice(list(VALUES))) | {
            "max_order": 4,
            "too_short": rng.choice(("zero", "smoothed")),
        }
        score = corpus_bleu(hypotheses, references, **choices)
        parts = dict(part.split(":") for part in score.signature.split("|"))
        if "version" not in parts:
            continue
        versions += 1
        smoothing, _, value = parts["smooth"].rstrip("]").partition("[")
        peer_choices = {
            "lowercase": parts["case"] == "lc",
            "max_order": 4,
            "effective_order": parts["eff"] == "yes",
            "smoothing": smoothing,
            "smoothing_value": float(value) if value else None,
        }
        peer = score_by_sacrebleu(hypotheses, references, peer_choices)
        assert_equal_scores(score, peer, {**choices, "texts": (hypotheses, references)})
    assert versions > SIZE / 2


@pytest.mark.parametrize("convention", SACREBLEU)
def test_every_place_has_the_signature_of_sacrebleu(convention, capsys):
    settings = convention_settings(convention)
    choices = {"smoothing": settings.smoothing, "effective_order": settings.effective_order}
    expected = str(sacrebleu_signature(metric_for(choices, "13a")))
    derivation = bleu.derive(HYPOTHESES[0], REFERENCES, settings)
    corpus = bleu.derive_corpus(HYPOTHESES, [REFERENCES], settings)
    assert derivation.signature == corpus.signature == expected
    assert bleu.explain(derivation).summary.signature == expected
    assert json.loads(render_json(derivation))["signature"] == expected
    without_count = expected.partition("|")[2]
    accumulator = bleu.Accumulator(settings)
    accumulator.update(HYPOTHESES, [REFERENCES])
    assert repr(accumulator) == f"<Accumulator: {without_count}>"
    for score in (derivation.score, corpus.score, accumulator.compute()):
        assert score.signature == score.to_dict()["signature"] == without_count
    assert main([*HYPOTHESES, *REFERENCES, "--convention", convention]) == 0
    assert f"Signature: {expected}\n" in capsys.readouterr().out
