"""Confidence interval and paired tests beside sacreBLEU's own.

Its resampled scores are of single precision, so interval and mean agree to about 1e-6; the
p-values, which count, must be equal.
"""

import random

import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from bleu import (
    Settings,
    approximate_randomization,
    confidence_interval,
    paired_bootstrap,
    segment_statistics,
)
from bleu.core.progress import run_to_end
from bleu.corpus.significance import iter_paired_bootstraps

from . import difference, edited, random_tokens

pytestmark = pytest.mark.host

SIZES = (1, 3, 50, 301)
CHOICES = (
    {"smoothing": "exp"},
    {"smoothing": "none", "max_order": 2},
    {"smoothing": "floor", "lowercase": True},
    {"smoothing": "add-k", "effective_order": True, "max_order": 3},
)
SINGLE = 2e-6
WORDS = ("the", "cat", "sat", "on", "a", "mat", "The", "dog")


def corpus(size, seed):
    """Two systems, about as good, and two references for each segment."""
    rng = random.Random(f"{size} {seed}")
    sources = [random_tokens(rng, WORDS, 25) or ["cat"] for _ in range(size)]
    return [[" ".join(edited(rng, text, WORDS)) for text in sources] for _ in range(4)]


def metric(choices):
    """The peer's metric with these choices."""
    return BLEU(
        tokenize="none",
        force=True,
        smooth_method=choices["smoothing"],
        lowercase=choices.get("lowercase", False),
        max_ngram_order=choices.get("max_order", 4),
        effective_order=choices.get("effective_order", False),
    )


def statistics(hypotheses, references, choices):
    """Ours."""
    return [
        segment_statistics(text, own, too_short="zero", **choices)
        for text, own in zip(hypotheses, zip(*references, strict=True), strict=True)
    ]


@pytest.mark.parametrize("choices", CHOICES, ids=lambda choices: choices["smoothing"])
@pytest.mark.parametrize("size", SIZES)
def test_intervals_and_tests_equal_sacrebleu(size, choices, monkeypatch):
    for seed in (12345, 7):
        monkeypatch.setenv("SACREBLEU_SEED", str(seed))
        one, other, *references = corpus(size, seed)
        chosen = Settings(too_short="zero", **choices)
        ours, theirs = (statistics(texts, references, choices) for texts in (one, other))

        peer = metric(choices).corpus_score(one, references, n_bootstrap=200)
        mine = confidence_interval(ours, chosen, resamples=200, seed=seed)
        assert difference(mine.score * 100, peer.score) < 1e-12
        assert mine.mean * 100 == pytest.approx(peer._mean, rel=SINGLE)
        assert mine.half_width * 100 == pytest.approx(peer._ci, rel=SINGLE, abs=100 * SINGLE)

        named = [("one", one), ("other", other)]
        _, scores = PairedTest(named, {"BLEU": metric(choices)}, references, "bs", 200)()
        paired = paired_bootstrap(ours, theirs, chosen, resamples=200, seed=seed)
        assert paired.p_value == scores["BLEU"][1].p_value
        for interval, result in zip(paired.intervals, scores["BLEU"], strict=True):
            assert interval.mean * 100 == pytest.approx(result.mean, rel=SINGLE)
            assert interval.half_width * 100 == pytest.approx(
                result.ci, rel=SINGLE, abs=100 * SINGLE
            )

        _, scores = PairedTest(named, {"BLEU": metric(choices)}, references, "ar", 500)()
        swapped = approximate_randomization(ours, theirs, chosen, trials=500, seed=seed)
        assert swapped.p_value == scores["BLEU"][1].p_value
        assert swapped.difference * 100 == pytest.approx(
            scores["BLEU"][1].score - scores["BLEU"][0].score, abs=1e-9
        )


def test_several_systems_equal_sacrebleu():
    one, other, *references = corpus(60, 7)
    third = [line[::-1] for line in other]
    named = [("one", one), ("other", other), ("third", third)]
    choices = CHOICES[0]
    _, scores = PairedTest(named, {"BLEU": metric(choices)}, references, "bs", 200)()
    counted = [statistics(texts, references, choices) for _, texts in named]
    chosen = Settings(too_short="zero", **choices)
    tests = run_to_end(iter_paired_bootstraps(counted, chosen, resamples=200))
    assert [test.p_value for test in tests] == [one.p_value for one in scores["BLEU"][1:]]
