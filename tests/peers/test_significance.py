"""Confidence intervals and paired tests compared with those of sacreBLEU.

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
from tests.support.case_selection import fast_and_slow

from . import difference, edited, random_tokens

pytestmark = pytest.mark.host

SIZES = (1, 3, 50, 301)
CHOICES = (
    {"smoothing": "exp"},
    {"smoothing": "none", "max_order": 2},
    {"smoothing": "floor", "lowercase": True},
    {"smoothing": "add-k", "effective_order": True, "max_order": 3},
)
SINGLE_PRECISION = 2e-6
WORDS = ("the", "cat", "sat", "on", "a", "mat", "The", "dog")


def corpus(size, seed):
    """Return two systems of similar quality and two references."""
    rng = random.Random(f"{size} {seed}")
    sources = [random_tokens(rng, WORDS, 25) or ["cat"] for _ in range(size)]
    return [[" ".join(edited(rng, text, WORDS)) for text in sources] for _ in range(4)]


def metric(choices):
    """Return sacreBLEU's metric with these choices."""
    return BLEU(
        tokenize="none",
        force=True,
        smooth_method=choices["smoothing"],
        lowercase=choices.get("lowercase", False),
        max_ngram_order=choices.get("max_order", 4),
        effective_order=choices.get("effective_order", False),
    )


def statistics(hypotheses, references, choices):
    """Return the statistics of every segment."""
    return [
        segment_statistics(text, segment_references, too_short="zero", **choices)
        for text, segment_references in zip(hypotheses, zip(*references, strict=True), strict=True)
    ]


@pytest.mark.parametrize("choices", CHOICES, ids=lambda choices: choices["smoothing"])
@pytest.mark.parametrize("size", fast_and_slow(2, SIZES))
def test_intervals_and_tests_equal_sacrebleu(size, choices, monkeypatch):
    for seed in (12345, 7):
        monkeypatch.setenv("SACREBLEU_SEED", str(seed))
        first, second, *references = corpus(size, seed)
        bleu_settings = Settings(too_short="zero", **choices)
        first_parts, second_parts = (
            statistics(texts, references, choices) for texts in (first, second)
        )

        peer_score = metric(choices).corpus_score(first, references, n_bootstrap=200)
        interval = confidence_interval(first_parts, bleu_settings, resamples=200, seed=seed)
        assert difference(interval.score * 100, peer_score.score) < 1e-12
        assert interval.mean * 100 == pytest.approx(peer_score._mean, rel=SINGLE_PRECISION)
        assert interval.half_width * 100 == pytest.approx(
            peer_score._ci, rel=SINGLE_PRECISION, abs=100 * SINGLE_PRECISION
        )

        named_systems = [("one", first), ("other", second)]
        _, scores = PairedTest(named_systems, {"BLEU": metric(choices)}, references, "bs", 200)()
        paired = paired_bootstrap(
            first_parts, second_parts, bleu_settings, resamples=200, seed=seed
        )
        assert paired.p_value == scores["BLEU"][1].p_value
        for interval, result in zip(paired.intervals, scores["BLEU"], strict=True):
            assert interval.mean * 100 == pytest.approx(result.mean, rel=SINGLE_PRECISION)
            assert interval.half_width * 100 == pytest.approx(
                result.ci, rel=SINGLE_PRECISION, abs=100 * SINGLE_PRECISION
            )

        _, scores = PairedTest(named_systems, {"BLEU": metric(choices)}, references, "ar", 500)()
        randomization = approximate_randomization(
            first_parts, second_parts, bleu_settings, trials=500, seed=seed
        )
        assert randomization.p_value == scores["BLEU"][1].p_value
        assert randomization.difference * 100 == pytest.approx(
            scores["BLEU"][1].score - scores["BLEU"][0].score, abs=1e-9
        )


def test_several_systems_equal_sacrebleu():
    first, second, *references = corpus(60, 7)
    third = [line[::-1] for line in second]
    named_systems = [("one", first), ("other", second), ("third", third)]
    choices = CHOICES[0]
    _, scores = PairedTest(named_systems, {"BLEU": metric(choices)}, references, "bs", 200)()
    parts = [statistics(texts, references, choices) for _, texts in named_systems]
    bleu_settings = Settings(too_short="zero", **choices)
    tests = run_to_end(iter_paired_bootstraps(parts, bleu_settings, resamples=200))
    assert [test.p_value for test in tests] == [first.p_value for first in scores["BLEU"][1:]]
