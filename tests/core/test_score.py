"""Statistics, the score formula, weights, and both ways to the geometric mean."""

import copy
import json
import math
import pickle
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bleu import (
    Score,
    Settings,
    Statistics,
    corpus_bleu,
    score_statistics,
    segment_statistics,
    sentence_bleu,
)
from bleu.core.score import (
    TOLERANCE,
    CrossCheck,
    compute,
    effective_weights,
    product_mean,
    smooth,
)
from bleu.core.settings import IMPLEMENTATION_RULES
from bleu.metric.numerics import Weights
from bleu.metric.smoothings import SMOOTHINGS
from tests.support.strategies import COMMON, scored, statistics

any_statistics = st.integers(1, 9).flatmap(statistics)


def close(value):
    """Return an expectation up to the rounding that libm is allowed."""
    return pytest.approx(value, rel=1e-12, abs=0)


# Statistics


def test_statistics_add_up():
    segment = Statistics((2, 1), (3, 2), 3, 4)
    assert segment + Statistics((1, 0), (1, 0), 1, 1) == Statistics((3, 1), (4, 2), 4, 5)
    assert Statistics.sum([segment] * 3, 2) == Statistics((6, 3), (9, 6), 9, 12)


def test_averaged_lengths_add_up_exactly():
    segment = Statistics((0,), (1,), 1, Fraction(1, 3))
    assert Statistics.sum([segment] * 3, 1).reference_length == 1


@given(any_statistics)
def test_zero_is_the_neutral_element(segment):
    zero = Statistics.zero(len(segment.matched))
    assert segment + zero == segment == zero + segment


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(*[statistics(n)] * 3)))
def test_addition_is_associative_and_commutative(segments):
    a, b, c = segments
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a


def test_statistics_of_different_max_order_do_not_add_up():
    with pytest.raises(ValueError, match="statistics of 2 and of 3 orders"):
        Statistics.zero(2) + Statistics.zero(3)


def test_sum_of_no_statistics_is_zero():
    assert Statistics.sum([], 4) == Statistics.zero(4)


# The score


def test_score_is_penalty_times_geometric_mean():
    score = compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings())
    assert score.precisions == (1, Fraction(3, 4), Fraction(2, 3), Fraction(1, 2))
    assert score.geometric_mean == close(math.sqrt(0.5))
    assert score.brevity_penalty == close(math.exp(-0.2))
    assert score.log_geometric_mean == close(math.log(0.5) / 2)
    assert score.value == close(math.exp(-0.2) * math.sqrt(0.5))
    assert float(score) == score.value


def test_str_is_one_line_and_format_specifications_apply_to_the_value():
    score = compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings())
    line = "BLEU-4 57.89 (BP 0.819, precisions 100.0/75.0/66.7/50.0, c 5, r 6)"
    assert str(score) == f"{score}" == line
    assert f"{score:.2f} {score:8.4f} {score:.1%}" == "0.58   0.5789 57.9%"
    averaged = compute(Statistics((0,), (1,), 1, Fraction(7, 3)), Settings(max_order=1))
    assert str(averaged) == "BLEU-1 0.00 (BP 0.264, precisions 0.0, c 1, r 7/3)"


def test_scores_are_ordered_by_value_and_equal_by_all_fields():
    low, high, same_value = (
        compute(Statistics((m,), (t,), t, t), Settings(max_order=1))
        for m, t in ((1, 4), (1, 2), (2, 4))
    )
    assert low < high
    assert low <= high
    assert high > low
    assert not high < low
    assert not high < same_value
    assert high <= same_value <= high
    assert high != same_value
    assert max([low, high]) is high
    for comparison in (lambda: high < None, lambda: high >= "1", lambda: high <= [1]):
        with pytest.raises(TypeError, match="not supported between"):
            comparison()


def test_score_stands_for_its_value_in_arithmetic():
    np = pytest.importorskip("numpy", exc_type=ImportError)
    half, quarter = (compute(Statistics((1,), (t,), t, t), Settings(max_order=1)) for t in (2, 4))
    assert (half > 0.3, half >= 0.5, half < 0.5, half <= 0) == (True, True, False, False)
    assert quarter < np.float64(0.5)
    assert (half + quarter, half - quarter, half * quarter, half / quarter) == (
        0.75, 0.25, 0.125, 2.0,
    )  # fmt: skip
    assert (1 + half, 1 - half, 100 * half, 1 / half) == (1.5, 0.5, 50.0, 2.0)
    assert (sum([half, quarter]), np.mean([half, quarter]), round(quarter, 1)) == (0.75, 0.375, 0.2)
    with pytest.raises(TypeError, match="unsupported operand"):
        half + "1"


def test_score_equals_a_number_with_its_value():
    half, same, zero = (
        compute(Statistics((m,), (t,), t, t), Settings(max_order=1))
        for m, t in ((1, 2), (2, 4), (0, 3))
    )
    assert (half == 0.5, half != 0.5, half == 1, half == 0) == (True, False, False, False)
    assert (zero == 0, zero == 0.0, zero == False, zero == 0) == (True,) * 4  # noqa: E712
    assert half == Fraction(1, 2)
    assert half != 10**400
    assert half < 10**400
    assert (half == "0.5", half == None, half == [0.5]) == (False,) * 3  # noqa: E711
    assert [bool(score) for score in (half, zero)] == [True, False]
    assert half != same
    assert half in [0.5]
    assert {0.5: "half", 0: "zero"}[half] == "half"
    assert len({half, same}) == 2
    assert hash(half) == hash(same) == hash(Fraction(1, 2)) == hash(0.5)
    third = compute(Statistics((1,), (3,), 3, 3), Settings(max_order=1))
    assert third != Fraction(1, 3)  # which has another hash
    assert third < Fraction(1, 3)
    np = pytest.importorskip("numpy", exc_type=ImportError)
    for number in (np.float64(0.5), np.float32(0.5), np.float16(0.5)):
        assert (half == number, half >= number, half < number) == (True, True, False)
        assert number == half
        assert hash(number) == hash(half)


def test_score_is_a_float_that_keeps_its_parts():
    score = compute(Statistics((3, 1), (4, 3), 4, 5), Settings(max_order=2, smoothing="exp"))
    copies = [copy.copy(score), copy.deepcopy(score), replace(score)]
    copies += [pickle.loads(pickle.dumps(score, protocol)) for protocol in range(6)]
    for other in copies:
        assert type(other) is Score
        assert (other, hash(other), repr(other)) == (score, hash(score), repr(score))
        assert (float(other), other.settings) == (score.value, score.settings)
    assert json.dumps([score]) == json.dumps([score.value])
    assert (abs(score), -score, score**2) == (score.value, -score.value, score.value**2)
    assert type(float(score)) is type(score + 0) is type(-score) is float
    assert f"{score:.3f} {score:.1%}" == f"{score.value:.3f} {score.value:.1%}"
    assert f"{score}" == str(score) != repr(score)
    halved = replace(score, value=score.value / 2)
    assert (halved, halved != score) == (score.value / 2, True)
    shorter = replace(score, statistics=Statistics((3, 1), (4, 3), 4, 6))
    assert (shorter == score.value, shorter == score, shorter != score) == (True, False, True)


@given(st.integers(0, 40), st.integers(1, 40))
def test_score_and_its_value_are_the_same_key(matched, total):
    matched = min(matched, total)
    score = compute(Statistics((matched,), (total,), total, total + 3), Settings(max_order=1))
    number = score.value
    assert score == number
    assert hash(score) == hash(number)
    assert bool(score) == bool(number)
    assert (score == matched / total) == (number == matched / total)


def test_score_as_a_dictionary_is_json_with_the_signature():
    settings = Settings(max_order=2, reference_length="average")
    score = compute(Statistics((3, 1), (4, 2), 4, Fraction(9, 2)), settings)
    data = json.loads(json.dumps(score.to_dict()))
    assert data == score.to_dict()
    assert (data["value"], data["precisions"]) == (score.value, [0.75, 0.5])
    assert (data["matched"], data["reference_length"]) == ([3, 1], 4.5)
    assert data["signature"] == settings.signature(1).removeprefix("nrefs:1|") == score.signature


def test_sum_in_any_order_forgets_the_last_segment():
    settings = Settings(smoothing="average-last")
    parts = [segment_statistics(text, ["a b c d e"], settings) for text in ("a b c d e", "a b c")]
    in_order = score_statistics(Statistics.sum(parts, 4), settings)
    assert in_order != score_statistics(Statistics.sum(parts[::-1], 4), settings)
    with pytest.raises(ValueError, match="depends on the last segment"):
        score_statistics(sum(parts), settings)
    assert score_statistics(sum(parts[1:]), settings).value > 0


def test_weights_are_exponents():
    statistics = Statistics((5, 1), (10, 4), 10, 10)
    score = compute(statistics, Settings(max_order=2, weights=(0.75, 0.25)))
    assert score.value == close(0.5**0.75 * 0.25**0.25)


def test_weight_0_leaves_the_order_out():
    statistics = Statistics((5, 0), (10, 4), 10, 10)
    assert compute(statistics, Settings(max_order=2, weights=(1, 0))).value == close(0.5)
    assert compute(statistics, Settings(max_order=2, weights=(0, 1))).value == 0.0


@pytest.mark.parametrize("smoothing", COMMON)
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("lengths", [(0, 0), (0, 5), (5, 0), (5, 5)])
def test_score_without_matches_is_0_under_every_smoothing(smoothing, effective_order, lengths):
    c, r = lengths
    statistics = Statistics((0,) * 4, tuple(max(0, c - n) for n in range(4)), c, r)
    settings = Settings(smoothing=smoothing, effective_order=effective_order)
    score = compute(statistics, settings)
    assert score.value == 0.0
    assert score.cross_check.agrees
    assert score.cross_check.relative_difference == 0
    assert score.log_geometric_mean == -math.inf
    assert score.pairs == tuple((0, total) for total in statistics.total)


def test_effective_order_scales_the_remaining_weights_to_sum_to_1():
    statistics = Statistics((2, 1, 0, 0), (2, 1, 0, 0), 2, 2)
    score = compute(statistics, Settings(effective_order=True))
    assert score.weights == (Fraction(1, 2), Fraction(1, 2), 0, 0)
    assert score.value == 1.0
    settings = Settings(weights=(0.1, 0.3, 0.2, 0.4), effective_order=True)
    assert compute(statistics, settings).weights == (Fraction(1, 4), Fraction(3, 4), 0, 0)


def test_effective_order_keeps_orders_with_ngrams_but_no_match():
    statistics = Statistics((2, 0, 0, 0), (3, 2, 1, 0), 3, 3)
    settings = Settings(effective_order=True, smoothing="floor")
    score = compute(statistics, settings)
    assert score.weights == (Fraction(1, 3),) * 3 + (0,)
    assert score.value == close((2 / 3 * 0.1 / 2 * 0.1 / 1) ** (1 / 3))
    assert compute(statistics, Settings(effective_order=True)).value == 0.0


def test_effective_order_leaves_nothing_out_under_add_k():
    statistics = Statistics((1, 0, 0, 0), (2, 1, 0, 0), 2, 2)
    score = compute(statistics, Settings(smoothing="add-k", effective_order=True))
    assert score.weights == (Fraction(1, 4),) * 4
    assert score.precisions == (Fraction(1, 2), Fraction(1, 2), 1, 1)
    assert score.value == close(math.sqrt(0.5))


def test_orders_without_ngrams_get_their_smoothed_precision_without_effective_order():
    statistics = Statistics((2, 1, 0, 0), (2, 1, 0, 0), 2, 2)
    values = {name: compute(statistics, Settings(smoothing=name)).value for name in COMMON}
    assert values == {"none": 0.0, "floor": close(math.sqrt(0.1)), "add-k": 1.0, "exp": 0.0}


@pytest.mark.parametrize("smoothing", COMMON)
@given(statistics=any_statistics)
def test_score_keeps_the_statistics_as_counted(smoothing, statistics):
    score = compute(statistics, Settings(max_order=len(statistics.matched), smoothing=smoothing))
    assert (score.matched, score.total) == (statistics.matched, statistics.total)
    assert score.hypothesis_length == statistics.hypothesis_length
    assert score.reference_length == statistics.reference_length


@given(scored())
def test_every_component_is_in_its_range(case):
    score = compute(*case)
    assert 0 <= score.value <= 1
    assert 0 <= score.geometric_mean <= 1
    assert 0 <= score.brevity_penalty <= 1
    assert score.log_geometric_mean <= 0
    assert all(0 <= p <= 1 for p in score.precisions)
    assert sum(score.weights) == 1


@given(scored())
def test_cross_check_agrees(case):
    score = compute(*case)
    assert score.cross_check.relative_difference <= 1e-12
    assert score.cross_check.value == pytest.approx(score.value, rel=1e-12, abs=0)
    assert score.cross_check.geometric_mean == pytest.approx(score.geometric_mean, rel=1e-12, abs=0)


def smoothed_by_hand(statistics: Statistics, settings: Settings) -> list[tuple[Fraction, Fraction]]:
    """Return the smoothed matched and total of each order, independently of the library."""
    pairs, halvings = [], 0
    for n, (matched, total) in enumerate(zip(statistics.matched, statistics.total, strict=True)):
        m, t = Fraction(matched), Fraction(total)
        if settings.smoothing == "add-k" and n >= 1:
            m, t = m + settings.smoothing_value, t + settings.smoothing_value
        elif settings.smoothing == "floor" and m == 0:
            m = settings.smoothing_value
        elif settings.smoothing == "exp" and m == 0 and t > 0:
            halvings += 1
            m = Fraction(1, 2**halvings)
        pairs.append((m, t))
    return pairs


def bleu_by_hand(statistics: Statistics, settings: Settings) -> Decimal:
    """Return BLEU to 50 digits, independently of the library: exp(1 - r/c + Σ w_n ln p_n)."""
    if not any(statistics.matched):
        return Decimal(0)
    pairs = smoothed_by_hand(statistics, settings)
    weights = settings.weights or [Fraction(1, settings.max_order)] * settings.max_order
    orders = [(w, m / t if t else m, t) for w, (m, t) in zip(weights, pairs, strict=True) if w]
    if settings.effective_order:
        orders = [order for order in orders if order[2]] or orders
    total_weight = sum(w for w, _, _ in orders)
    c, r = statistics.hypothesis_length, statistics.reference_length
    if not all(p for _, p, _ in orders):
        return Decimal(0)
    with localcontext(prec=50):

        def number(x: Fraction) -> Decimal:
            return Decimal(x.numerator) / Decimal(x.denominator)

        logs = (number(w / total_weight) * number(p).ln() for w, p, _ in orders)
        return sum(logs, start=min(Decimal(0), 1 - number(Fraction(r, c)))).exp()


@given(scored())
def test_score_equals_the_formula_in_50_digits(case):
    expected = bleu_by_hand(*case)
    assert abs(Decimal(compute(*case).value) - expected) <= expected * Decimal("1e-12")


@given(scored(), st.data())
def test_another_match_never_lowers_the_score(case, data):
    statistics, settings = case
    n = data.draw(st.integers(0, settings.max_order - 1))
    assume(statistics.matched[n] < statistics.total[n])
    matched = list(statistics.matched)
    matched[n] += 1
    better = Statistics(
        tuple(matched), statistics.total, statistics.hypothesis_length, statistics.reference_length
    )
    assert compute(better, settings).value >= compute(statistics, settings).value * (1 - 1e-12)


@given(scored())
def test_longer_reference_never_raises_the_score(case):
    statistics, settings = case
    longer = statistics + Statistics(*[(0,) * settings.max_order] * 2, 0, 1)
    assert compute(longer, settings).value <= compute(statistics, settings).value


def test_statistics_of_another_max_order_are_refused():
    with pytest.raises(ValueError, match="statistics have 2 orders and max_order is 4"):
        compute(Statistics.zero(2), Settings())


# The cross-check


def test_cross_check_disagrees_beyond_rounding():
    assert CrossCheck(0.5, 0.5, TOLERANCE).agrees
    assert not CrossCheck(0.5, 0.5, 2 * TOLERANCE).agrees
    assert not CrossCheck(0.5, 0.5, math.nan).agrees


def test_disagreeing_means_raise_an_error(monkeypatch):
    monkeypatch.setattr("bleu.core.score.product_mean", lambda *_, **__: 0.7072)
    with pytest.raises(ArithmeticError, match=r"disagree: .*logarithms.*product"):
        compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings())


@pytest.mark.parametrize("reference_length", [1439, 1488])
def test_cross_check_tolerates_scores_below_the_smallest_normal_float(reference_length):
    statistics = Statistics((1, 0, 0), (2, 1, 0), 2, reference_length)
    settings = Settings(max_order=3, smoothing="floor", smoothing_value="1/16")
    assert 0 <= compute(statistics, settings).value < 1e-308


def test_equal_weights_use_one_root_of_an_exact_product():
    ratios = [(1, 2), (1, 8)]
    both, first = Weights.from_numerators((1, 1), 2), Weights.from_numerators((1, 0), 1)
    assert (both.nonzero, both.equal) == ((0.5, 0.5), True)
    assert product_mean(ratios, both) == 0.25
    assert (first.nonzero, first.equal) == ((1.0,), True)
    assert product_mean(ratios[:1], first) == 0.5
    for numerators, denominator in (((1, 1, 0), 3), ((3, 1), 4), ((0, 0), 1)):
        assert not Weights.from_numerators(numerators, denominator).equal


# Smoothing and weights


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_keeps_matches_is_true_if_smoothing_changes_no_matched_order(smoothing):
    texts = "a b c d e f g", ["a b c d x f g"]
    settings = Settings(smoothing=smoothing)
    statistics = segment_statistics(*texts, smoothing=smoothing)
    pairs = list(zip(statistics.matched, statistics.total, strict=True))
    unchanged = pairs == smooth(statistics, settings)
    assert unchanged == (SMOOTHINGS[smoothing].keeps_matches or smoothing == "segment-floor")


def test_nltk_counts_0_of_1_for_a_segment_that_is_too_short_for_an_order():
    """NLTK counts 0 of 1 for the 2-grams of one token; sacreBLEU counts nothing."""
    hypotheses = ["a b c d e", "a"]
    references = [[hypothesis] for hypothesis in hypotheses]
    choices = {"convention": "nltk-method1", "max_order": 2}
    assert corpus_bleu(hypotheses, references, **choices).pairs == ((6, 6), (4, 5))
    choices["convention"] = "sacrebleu-none"
    assert corpus_bleu(hypotheses, references, **choices).pairs == ((6, 6), (4, 4))


def test_nothing_is_smoothed_if_nothing_matches():
    statistics = Statistics((0, 0), (3, 2), 3, 3)
    assert smooth(statistics, Settings(max_order=2, smoothing="add-k")) == [(0, 3), (0, 2)]


def test_effective_order_keeps_the_weights_if_no_order_has_ngrams():
    settings = Settings(max_order=2, effective_order=True)
    weights = effective_weights(settings, settings.shares, [0, 0], [0, 0], 0)
    assert weights.weights == (Fraction(1, 2),) * 2


def test_effective_order_scales_weights_that_do_not_sum_to_1():
    settings = Settings(
        max_order=2, weights=[0.5, 0.2], effective_order=True, unusual_values="computed"
    )
    weights = compute(Statistics((3, 1), (3, 2), 3, 3), settings).weights
    assert weights == (Fraction(5, 7), Fraction(2, 7))


def test_dropping_every_weighted_precision_scores_0():
    settings = Settings(max_order=2, weights=[0, 1], zero_precision="dropped")
    assert compute(Statistics((1, 0), (2, 1), 2, 2), settings).value == 0.0


def test_order_that_counts_as_1_does_not_raise_a_score_of_0():
    settings = Settings(
        weights=[1, 0, 0, 0], too_short="one", smoothing="exp", zero_precision="dropped"
    )
    assert sentence_bleu("a b", ["c d"], settings).value == 0


# Arbitrary combinations of rules


texts = st.lists(st.sampled_from("abcx"), max_size=6)
pairs = st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda ns: (ns[0], sum(ns)))


@st.composite
def settings_with_rules(draw):
    """Draw settings that combine any rules and smoothing, with N = 4."""
    rules = {name: draw(st.sampled_from(choices)) for name, choices in IMPLEMENTATION_RULES.items()}
    numbers = draw(st.none() | st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any))
    total = draw(st.sampled_from([sum(numbers), 5])) if numbers else 1
    choices = {
        **rules,
        "unusual_values": "computed",
        "case": "all",
        "weights": numbers and [Fraction(number, total) for number in numbers],
        "smoothing": draw(st.sampled_from(list(SMOOTHINGS))),
        "effective_order": draw(st.booleans()),
    }
    try:
        return Settings(**choices)
    except ValueError:  # Some rules have no effective order.
        return Settings(**choices | {"effective_order": False})


def score_or_reject(hypothesis, reference, settings):
    """Return the score, or reject the example if the settings give none."""
    try:
        return sentence_bleu(hypothesis, [reference], settings)
    except ValueError:
        assume(False)


@given(texts, texts, settings_with_rules())
def test_score_without_matches_is_0_unless_the_rules_smooth_it(hypothesis, reference, settings):
    score = score_or_reject(hypothesis, reference, settings)
    if settings.unmatched == "zero" and not any(score.matched):
        assert score.value == 0
    if settings.unmatched == "zero-if-any-order-empty" and not all(score.matched):
        assert score.value == 0


@given(texts, texts, settings_with_rules())
def test_score_above_0_uses_some_order(hypothesis, reference, settings):
    """Only NLTK's empty product is 1, which tests/peers covers."""
    score = score_or_reject(hypothesis, reference, settings)
    used = [p for p, weight in zip(score.precisions, score.weights, strict=True) if weight]
    if settings.zero_precision == "zero" or settings.too_short != "zero-of-one":
        assert bool(score.value) <= bool(used)


@given(
    settings_with_rules().filter(lambda settings: settings.keeps_matches),
    st.tuples(pairs, pairs, pairs, pairs),
)
def test_fast_path_equals_the_slow_path(settings, pairs):
    matched, total = zip(*pairs, strict=True)
    statistics = Statistics(matched, total, 9, 8)
    slow_settings = replace(settings)
    object.__setattr__(slow_settings, "keeps_matches", False)
    assert compute(statistics, settings) == compute(statistics, slow_settings)


@example("a b", "a c", Settings(max_order=2, weights=[1, 0], unmatched="zero-if-any-order-empty"))
@given(texts, texts, settings_with_rules())
def test_weights_that_are_kept_are_those_of_the_slow_path(hypothesis, reference, settings):
    score = score_or_reject(hypothesis, reference, settings)
    slow_settings = replace(settings)
    object.__setattr__(slow_settings, "keeps_weights", False)
    assert compute(score.statistics, slow_settings) == score
