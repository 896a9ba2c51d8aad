"""Confidence intervals and paired tests: properties, plain implementations, and errors."""

import math
import random
from fractions import Fraction
from functools import partial
from itertools import chain, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu import (
    CONVENTIONS,
    Settings,
    Statistics,
    approximate_randomization,
    confidence_interval,
    paired_bootstrap,
    segment_statistics,
)
from bleu.core.progress import run_to_end
from bleu.core.score import compute
from bleu.corpus.resampling import (
    bootstrap_scores,
    random_bits,
    random_indices,
    randomization_scores,
)
from bleu.corpus.significance import (
    caution_text,
    iter_approximate_randomization,
    iter_confidence_interval,
    iter_paired_bootstrap,
    iter_paired_bootstraps,
)
from bleu.explanation.report import p_value_meaning
from tests.support.strategies import corpora

bootstrap = partial(paired_bootstrap, resamples=200)
randomization = partial(approximate_randomization, trials=200)
WORDS = ("the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree", "and", "then")
BIGRAM_SETTINGS = Settings(max_order=2, smoothing="exp")
LAST_SEGMENT_CONVENTIONS = [
    name for name in CONVENTIONS if Settings(**CONVENTIONS[name].settings).smoothing[-5:] == "-last"
]


def system(seed, size, error=0.3, **choices):
    """Return the statistics of random segments, with a share of the words replaced."""
    reference_rng = random.Random("references")
    error_rng = random.Random(seed)
    parts = []
    for _ in range(size):
        reference = reference_rng.choices(WORDS, k=reference_rng.randint(4, 12))
        hypothesis = [
            error_rng.choice(WORDS) if error_rng.random() < error else w for w in reference
        ]
        parts.append(segment_statistics(hypothesis, [reference], **choices))
    return parts


def plain_bootstrap(systems, settings, resamples, seed):
    """Return the scores of resamples, summed without packing."""
    count = len(systems[0])
    drawn = chain.from_iterable(random_indices(seed, count))
    rows = []
    for _ in range(resamples):
        indices = list(islice(drawn, count))
        sums = [
            Statistics.sum((segments[index] for index in indices), settings.max_order)
            for segments in systems
        ]
        rows.append(tuple(compute(total, settings).value for total in sums))
    return rows


def plain_randomization(baseline, system, settings, trials, seed):
    """Return the scores of trials, summed without packing."""
    rows = []
    for bits in islice(random_bits(seed, len(baseline)), trials):
        pairs = [
            (system_part, baseline_part) if bits >> index & 1 else (baseline_part, system_part)
            for index, (baseline_part, system_part) in enumerate(zip(baseline, system, strict=True))
        ]
        sums = [Statistics.sum(side, settings.max_order) for side in zip(*pairs, strict=True)]
        rows.append(tuple(compute(total, settings).value for total in sums))
    return rows


@pytest.mark.parametrize("size", [1, 2, 5, 9, 40, 600])
@pytest.mark.parametrize("name", ["default", "sacrebleu", "nltk-method2", "sacrebleu-r-floor"])
def test_resampling_matches_plain_summation(size, name):
    chosen = Settings(**CONVENTIONS[name].settings)
    systems = [system(seed, size, convention=name) for seed in (1, 2)]
    scores = tuple(
        compute(Statistics.sum(segments, chosen.max_order), chosen).value for segments in systems
    )
    assert run_to_end(bootstrap_scores(systems, chosen, 20, 5)) == (
        scores,
        plain_bootstrap(systems, chosen, 20, 5),
    )
    assert run_to_end(randomization_scores(*systems, chosen, 20, 5)) == (
        scores,
        plain_randomization(*systems, chosen, 20, 5),
    )


def test_averaged_reference_lengths_are_resampled_exactly():
    chosen = Settings(max_order=2, reference_length="average")
    texts = [("a b c", ["a b", "a b c d", "a"]), ("a b", ["a b", "a c d"]), ("c a", ["c a"])]
    parts = [segment_statistics(*text, max_order=2, reference_length="average") for text in texts]
    assert parts[0].reference_length == Fraction(7, 3)
    _, resampled = run_to_end(bootstrap_scores([parts], chosen, 30, 1))
    assert resampled == plain_bootstrap([parts], chosen, 30, 1)


@settings(max_examples=30)
@given(corpora.filter(bool), st.integers(0, 2**40))
def test_interval_contains_its_mean_and_lies_in_unit_range(corpus, seed):
    parts = [segment_statistics(*segment, max_order=2, smoothing="exp") for segment in corpus]
    interval = confidence_interval(parts, BIGRAM_SETTINGS, resamples=30, seed=seed)
    assert 0 <= interval.low <= interval.high <= 1 + 1e-12
    assert interval.half_width == (interval.high - interval.low) / 2
    wider = confidence_interval(parts, BIGRAM_SETTINGS, resamples=30, seed=seed, level=0.999)
    assert wider.low <= interval.low <= interval.high <= wider.high
    assert wider.low - 1e-12 <= wider.mean <= wider.high + 1e-12


@pytest.mark.parametrize(
    ("resamples", "level", "left_out"),
    [(1000, 0.95, 25), (39, 0.95, 0), (40, 0.95, 1), (1000, 0.9, 50)],
)
def test_interval_ends_at_percentiles_of_sorted_scores(resamples, level, left_out):
    parts = system(1, 30, max_order=2)
    chosen = Settings(max_order=2)
    interval = confidence_interval(parts, chosen, resamples=resamples, level=level)
    scores = sorted(score for (score,) in plain_bootstrap([parts], chosen, resamples, 12345))
    assert (interval.low, interval.high) == (scores[left_out], scores[-1 - left_out])
    assert interval.mean == math.fsum(scores) / resamples
    assert interval.score == compute(Statistics.sum(parts, 2), chosen).value


def test_only_a_clear_difference_is_significant():
    poor, good, equally_good = system(1, 150, 0.5), system(2, 150, 0.1), system(3, 150, 0.1)
    chosen = Settings()
    for test in (bootstrap, randomization):
        assert test(poor, good, chosen).p_value < 0.01
        assert test(equally_good, good, chosen).p_value > 0.05
        assert test(poor, good, chosen).difference > 0.2


def test_p_value_is_symmetric():
    first, second = system(1, 60), system(2, 60)
    for test in (bootstrap, randomization):
        forward, backward = test(first, second, Settings()), test(second, first, Settings())
        assert forward.p_value == backward.p_value
        assert forward.difference == -backward.difference


def test_paired_bootstrap_intervals_match_single_intervals():
    first, second = system(1, 60), system(2, 60)
    test = paired_bootstrap(first, second, Settings())
    intervals = tuple(confidence_interval(parts, Settings()) for parts in (first, second))
    assert test.intervals == intervals


def test_equal_systems_have_smallest_p_value_and_a_caution():
    parts = system(1, 120)
    assert paired_bootstrap(parts, parts, Settings()).p_value == 1 / 1001
    assert approximate_randomization(parts, parts, Settings(), trials=99).p_value == 1 / 100
    assert "no difference to test" in caution_text(parts, list(parts))
    assert caution_text(parts, system(2, 120)) is None
    assert caution_text(parts) is None
    assert caution_text(parts[:1]).startswith("With only 1 segment the interval says")
    assert caution_text(parts[:1], parts[:1], tested=False).endswith(
        "the same counts in every segment."
    )
    assert "1 segment the intervals say" in caution_text(parts[:1], parts[1:2], tested=False)
    assert "99 segments the test says little" in caution_text(parts[:99], parts[1:100])


def test_p_value_text_says_what_it_does_not_mean():
    assert "about 2.3 % of" in p_value_meaning(0.0232)
    assert "not the probability" in p_value_meaning(0.5)


GENERATORS = (
    lambda a, _: iter_confidence_interval(a, BIGRAM_SETTINGS, resamples=7),
    lambda a, b: iter_paired_bootstrap(a, b, BIGRAM_SETTINGS, resamples=7),
    lambda a, b: iter_approximate_randomization(a, b, BIGRAM_SETTINGS, trials=7),
)


@pytest.mark.parametrize(
    ("steps", "field"), list(zip(GENERATORS, ("score", "p_value", "p_value"), strict=True))
)
def test_progress_is_yielded_after_every_resample(steps, field):
    first, second = system(1, 9, max_order=2), system(2, 9, max_order=2)
    events = list(steps(first, second))
    assert events[0] == (0, 7)
    assert [event for event in events if event[0]] == [(done, 7) for done in range(1, 8)]
    assert getattr(run_to_end(steps(first, second)), field) > 0
    stopped = steps(first, second)
    next(stopped)
    stopped.close()
    assert list(stopped) == []


@pytest.mark.parametrize(("steps", "passes"), list(zip(GENERATORS, (2, 2, 3), strict=True)))
def test_preparation_yields_after_every_chunk(steps, passes):
    """The page must respond while segments are measured, packed and swapped."""
    for size, chunks in ((500, 1), (2000, 4)):
        events = steps(*[system(seed, size, max_order=2) for seed in (1, 2)])
        assert sum(not done for done, _ in events) == passes * chunks + 1


INVALID_CALLS = [
    (lambda a: confidence_interval(a[:0], BIGRAM_SETTINGS), "there are no segments to resample"),
    (lambda a: confidence_interval(a, BIGRAM_SETTINGS, resamples=0), "resamples is 0; choose"),
    (lambda a: confidence_interval(a, BIGRAM_SETTINGS, resamples=1.5), "resamples is 1.5; choose"),
    (lambda a: confidence_interval(a, BIGRAM_SETTINGS, seed=-1), "seed is -1; choose"),
    (lambda a: confidence_interval(a, BIGRAM_SETTINGS, level=95), "level is 95; choose"),
    (lambda a: confidence_interval(a, BIGRAM_SETTINGS, level=0), "level is 0; choose"),
    (lambda a: confidence_interval(a, Settings()), "have 2 orders and max_order is 4"),
    (lambda a: paired_bootstrap(a, a[1:], BIGRAM_SETTINGS), "the systems have 3 and 2 segments"),
    (lambda a: approximate_randomization(a, a, BIGRAM_SETTINGS, trials=0), "trials is 0; choose"),
    (
        lambda a: approximate_randomization(a, a[1:], BIGRAM_SETTINGS),
        "the systems have 3 and 2 segments",
    ),
]


@pytest.mark.parametrize(("call", "message"), INVALID_CALLS)
def test_invalid_arguments_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call(system(1, 3, max_order=2))


@pytest.mark.parametrize("name", LAST_SEGMENT_CONVENTIONS)
def test_smoothing_by_last_segment_raises(name):
    chosen = Settings(**CONVENTIONS[name].settings)
    parts = system(1, 5, convention=name)
    with pytest.raises(ValueError, match=r"depends on the last segment.*; choose "):
        confidence_interval(parts, chosen)
    with pytest.raises(ValueError, match="depends on the last segment"):
        approximate_randomization(parts, parts, chosen)


def test_conventions_that_depend_on_the_last_segment():
    assert LAST_SEGMENT_CONVENTIONS == ["nltk-method5", "nltk-method6", "nltk-method7"]


@pytest.mark.parametrize("test", [confidence_interval, paired_bootstrap, approximate_randomization])
@pytest.mark.parametrize("value", [4, "sacrebleu", {"max_order": 2}, Settings])
def test_arguments_of_wrong_type_are_named(test, value):
    seeds = [1] if test is confidence_interval else [1, 2]
    systems = [system(seed, 3, max_order=2) for seed in seeds]
    with pytest.raises(TypeError) as caught:
        test(*systems, value)
    assert str(caught.value).startswith(f"settings is {value!r}; give a bleu.Settings")
    systems[-1][-1] = value
    with pytest.raises(TypeError) as caught:
        test(*systems, BIGRAM_SETTINGS)
    assert str(caught.value).startswith(f"{value!r} is not a bleu.Statistics; get one from")


@pytest.mark.parametrize("seed", [1.0, True, None])
def test_seed_of_wrong_type_raises(seed):
    parts = system(1, 3, max_order=2)
    for test in (paired_bootstrap, approximate_randomization):
        with pytest.raises(TypeError, match=f"seed is {seed}; choose a whole number of 0 or more"):
            test(parts, parts, BIGRAM_SETTINGS, seed=seed)


def test_several_systems_match_pairwise_tests():
    systems = [system(seed, 40, error, max_order=2) for seed, error in ((1, 0.3), (2, 0.4), (3, 0))]
    tests = run_to_end(iter_paired_bootstraps(systems, BIGRAM_SETTINGS, resamples=150, seed=3))
    pairs = [
        paired_bootstrap(systems[0], system_parts, BIGRAM_SETTINGS, resamples=150, seed=3)
        for system_parts in systems[1:]
    ]
    assert list(tests) == pairs
    with pytest.raises(ValueError, match="the number of systems is 1; give 2 or more"):
        run_to_end(iter_paired_bootstraps(systems[:1], BIGRAM_SETTINGS))


def test_difference_interval_is_from_differences_of_resamples():
    first, second = (system(seed, 40, max_order=2) for seed in (1, 2))
    test = paired_bootstrap(first, second, BIGRAM_SETTINGS, resamples=200, seed=3)
    scores, rows = run_to_end(bootstrap_scores([first, second], BIGRAM_SETTINGS, 200, 3))
    differences = sorted(score - baseline_score for baseline_score, score in rows)
    interval = test.difference_interval
    assert interval.score == scores[1] - scores[0] == test.difference
    assert (interval.low, interval.high) == (differences[5], differences[-6])
    assert interval.mean == pytest.approx(sum(differences) / 200)
    reversed_interval = paired_bootstrap(
        second, first, BIGRAM_SETTINGS, resamples=200, seed=3
    ).difference_interval
    assert (reversed_interval.low, reversed_interval.high) == (-interval.high, -interval.low)
    assert (
        approximate_randomization(first, second, BIGRAM_SETTINGS, trials=9).difference_interval
        is None
    )
