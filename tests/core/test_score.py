"""From statistics to the score."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleu import Settings, Statistics, corpus_bleu, segment_statistics, sentence_bleu
from bleu.core.score import (
    TOLERANCE,
    CrossCheck,
    compute,
    effective_weights,
    precisions,
    product_mean,
    smooth,
)
from bleu.core.settings import IMPLEMENTATION_RULES
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.weights import Weights
from tests.support.strategies import COMMON, scored, statistics

counted = st.integers(1, 9).flatmap(statistics)


def close(value):
    """Equal up to the rounding that libm is allowed."""
    return pytest.approx(value, rel=1e-12, abs=0)


# Statistics


def test_statistics_add_up():
    one = Statistics((2, 1), (3, 2), 3, 4)
    assert one + Statistics((1, 0), (1, 0), 1, 1) == Statistics((3, 1), (4, 2), 4, 5)
    assert Statistics.sum([one, one, one], 2) == Statistics((6, 3), (9, 6), 9, 12)


def test_averaged_lengths_add_up_exactly():
    half = Statistics((0,), (1,), 1, Fraction(1, 3))
    assert Statistics.sum([half] * 3, 1).reference_length == 1


@given(counted)
def test_zero_is_neutral(some):
    zero = Statistics.zero(len(some.matched))
    assert some + zero == some == zero + some


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(*[statistics(n)] * 3)))
def test_adding_is_associative_and_commutative(three):
    a, b, c = three
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a


def test_statistics_of_other_orders_do_not_add_up():
    with pytest.raises(ValueError, match="statistics of 2 and of 3 orders"):
        Statistics.zero(2) + Statistics.zero(3)


def test_the_sum_of_nothing_is_zero():
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


def test_a_score_prints_as_one_line_and_formats_as_its_value():
    score = compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings())
    line = "BLEU-4 57.89 (BP 0.819, precisions 100.0/75.0/66.7/50.0, c 5, r 6)"
    assert str(score) == f"{score}" == line
    assert f"{score:.2f} {score:8.4f} {score:.1%}" == "0.58   0.5789 57.9%"
    averaged = compute(Statistics((0,), (1,), 1, Fraction(7, 3)), Settings(max_order=1))
    assert str(averaged) == "BLEU-1 0.00 (BP 0.264, precisions 0.0, c 1, r 7/3)"


def test_scores_are_ordered_by_value_and_equal_by_all_they_hold():
    low, high, other = (
        compute(Statistics((m,), (t,), t, t), Settings(max_order=1))
        for m, t in ((1, 4), (1, 2), (2, 4))
    )
    assert low < high
    assert low <= high
    assert high > low
    assert not high < low
    assert not high < other
    assert high <= other <= high
    assert high != other
    assert max([low, high]) is high
    for compared in (lambda: high < 0.5, lambda: high >= "1", lambda: high <= 1):
        with pytest.raises(TypeError, match="not supported between"):
            compared()


def test_weights_are_exponents():
    statistics = Statistics((5, 1), (10, 4), 10, 10)
    score = compute(statistics, Settings(max_order=2, weights=(0.75, 0.25)))
    assert score.value == close(0.5**0.75 * 0.25**0.25)


def test_a_weight_of_0_leaves_the_order_out():
    statistics = Statistics((5, 0), (10, 4), 10, 10)
    assert compute(statistics, Settings(max_order=2, weights=(1, 0))).value == close(0.5)
    assert compute(statistics, Settings(max_order=2, weights=(0, 1))).value == 0.0


@pytest.mark.parametrize("smoothing", COMMON)
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("lengths", [(0, 0), (0, 5), (5, 0), (5, 5)])
def test_where_nothing_matched_the_score_is_0_under_every_smoothing(
    smoothing, effective_order, lengths
):
    c, r = lengths
    statistics = Statistics((0,) * 4, tuple(max(0, c - n) for n in range(4)), c, r)
    settings = Settings(smoothing=smoothing, effective_order=effective_order)
    score = compute(statistics, settings)
    assert score.value == 0.0
    assert score.cross_check.agrees
    assert score.log_geometric_mean == -math.inf
    assert score.pairs == tuple((0, total) for total in statistics.total)


def test_effective_order_scales_the_weights_of_the_orders_left_to_sum_to_1():
    statistics = Statistics((2, 1, 0, 0), (2, 1, 0, 0), 2, 2)
    score = compute(statistics, Settings(effective_order=True))
    assert score.weights == (Fraction(1, 2), Fraction(1, 2), 0, 0)
    assert score.value == 1.0
    given_weights = Settings(weights=(0.1, 0.3, 0.2, 0.4), effective_order=True)
    assert compute(statistics, given_weights).weights == (Fraction(1, 4), Fraction(3, 4), 0, 0)


def test_effective_order_keeps_an_order_that_has_ngrams_but_no_match():
    statistics = Statistics((2, 0, 0, 0), (3, 2, 1, 0), 3, 3)
    settings = Settings(effective_order=True, smoothing="floor")
    score = compute(statistics, settings)
    assert score.weights == (Fraction(1, 3),) * 3 + (0,)
    assert score.value == close((2 / 3 * 0.1 / 2 * 0.1 / 1) ** (1 / 3))
    assert compute(statistics, Settings(effective_order=True)).value == 0.0


def test_under_add_k_no_order_is_too_short():
    statistics = Statistics((1, 0, 0, 0), (2, 1, 0, 0), 2, 2)
    score = compute(statistics, Settings(smoothing="add-k", effective_order=True))
    assert score.weights == (Fraction(1, 4),) * 4
    assert score.precisions == (Fraction(1, 2), Fraction(1, 2), 1, 1)
    assert score.value == close(math.sqrt(0.5))


def test_without_effective_order_an_order_without_ngrams_is_0_or_what_smoothing_says():
    statistics = Statistics((2, 1, 0, 0), (2, 1, 0, 0), 2, 2)
    values = {name: compute(statistics, Settings(smoothing=name)).value for name in COMMON}
    assert values == {"none": 0.0, "floor": close(math.sqrt(0.1)), "add-k": 1.0, "exp": 0.0}


@pytest.mark.parametrize("smoothing", COMMON)
@given(some=counted)
def test_matched_and_total_stay_as_counted(smoothing, some):
    score = compute(some, Settings(max_order=len(some.matched), smoothing=smoothing))
    assert (score.matched, score.total) == (some.matched, some.total)
    assert score.hypothesis_length == some.hypothesis_length
    assert score.reference_length == some.reference_length


@given(scored())
def test_every_quantity_is_in_its_range(case):
    score = compute(*case)
    assert 0 <= score.value <= 1
    assert 0 <= score.geometric_mean <= 1
    assert 0 <= score.brevity_penalty <= 1
    assert score.log_geometric_mean <= 0
    assert all(0 <= p <= 1 for p in score.precisions)
    assert sum(score.weights) == 1


@given(scored())
def test_the_two_ways_agree(case):
    score = compute(*case)
    assert score.cross_check.relative_difference <= 1e-12
    assert score.cross_check.value == pytest.approx(score.value, rel=1e-12, abs=0)
    assert score.cross_check.geometric_mean == pytest.approx(score.geometric_mean, rel=1e-12, abs=0)


def smoothed_by_hand(statistics: Statistics, settings: Settings) -> list[tuple[Fraction, Fraction]]:
    """The matches and n-grams of each order after smoothing, written apart from the library."""
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


def by_hand(statistics: Statistics, settings: Settings) -> Decimal:
    """BLEU to 50 digits, written apart from the library: 1 - r/c + Σ w_n ln p_n."""
    if not any(statistics.matched):
        return Decimal(0)
    pairs = smoothed_by_hand(statistics, settings)
    weights = settings.weights or [Fraction(1, settings.max_order)] * settings.max_order
    orders = [(w, m / t if t else m, t) for w, (m, t) in zip(weights, pairs, strict=True) if w]
    if settings.effective_order:
        orders = [order for order in orders if order[2]] or orders
    whole = sum(w for w, _, _ in orders)
    c, r = statistics.hypothesis_length, statistics.reference_length
    if not all(p for _, p, _ in orders):
        return Decimal(0)
    with localcontext(prec=50):

        def number(x: Fraction) -> Decimal:
            return Decimal(x.numerator) / Decimal(x.denominator)

        logs = (number(w / whole) * number(p).ln() for w, p, _ in orders)
        return sum(logs, start=min(Decimal(0), 1 - number(Fraction(r, c)))).exp()


@given(scored())
def test_the_score_is_the_formula_in_50_digits(case):
    expected = by_hand(*case)
    assert abs(Decimal(compute(*case).value) - expected) <= expected * Decimal("1e-12")


@given(scored(), st.data())
def test_one_match_more_never_lowers_the_score(case, data):
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
def test_a_longer_reference_never_raises_the_score(case):
    some, settings = case
    longer = some + Statistics(*[(0,) * settings.max_order] * 2, 0, 1)
    assert compute(longer, settings).value <= compute(some, settings).value


def test_statistics_of_another_max_order_are_refused():
    with pytest.raises(ValueError, match="statistics have 2 orders and max_order is 4"):
        compute(Statistics.zero(2), Settings())


# The two ways


def test_two_ways_that_differ_beyond_rounding_do_not_agree():
    assert CrossCheck(0.5, 0.5, TOLERANCE).agrees
    assert not CrossCheck(0.5, 0.5, 2 * TOLERANCE).agrees
    assert not CrossCheck(0.5, 0.5, math.nan).agrees


def test_a_disagreement_is_loud(monkeypatch):
    monkeypatch.setattr("bleu.core.score.product_mean", lambda *_, **__: 0.7072)
    with pytest.raises(ArithmeticError, match=r"disagree: .*logarithms.*product"):
        compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings())


@pytest.mark.parametrize("reference_length", [1439, 1488])
def test_a_score_below_the_smallest_normal_float_is_no_disagreement(reference_length):
    statistics = Statistics((1, 0, 0), (2, 1, 0), 2, reference_length)
    settings = Settings(max_order=3, smoothing="floor", smoothing_value="1/16")
    assert 0 <= compute(statistics, settings).value < 1e-308


def test_equal_weights_take_one_root_of_an_exact_product():
    ratios = [(1, 2), (1, 8)]
    both, first = Weights.from_numerators(2, (1, 1)), Weights.from_numerators(1, (1, 0))
    assert (both.nonzero, both.equal) == ((0.5, 0.5), True)
    assert product_mean(ratios, both.nonzero, equal=True) == 0.25
    assert (first.nonzero, first.equal) == ((1.0,), True)
    assert product_mean(ratios[:1], first.nonzero, equal=True) == 0.5
    for whole, parts in ((3, (1, 1, 0)), (4, (3, 1)), (1, (0, 0))):
        assert not Weights.from_numerators(whole, parts).equal


@pytest.mark.parametrize("smoothing", [name for name, s in SMOOTHINGS.items() if s.keeps_matches])
@pytest.mark.parametrize("effective_order", [False, True])
def test_where_every_order_has_a_match_nothing_is_smoothed(smoothing, effective_order):
    statistics = Statistics((5, 3, 2, 1), (6, 5, 4, 3), 6, 7)
    settings = Settings(smoothing=smoothing, effective_order=effective_order)
    score = compute(statistics, settings)
    assert list(score.pairs) == smooth(statistics, settings)
    assert list(score.ratios) == precisions(smooth(statistics, settings), settings.too_short)
    assert score.shares == effective_weights(score.pairs, score.ratios, settings, 6)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_which_smoothings_keep_matches(smoothing):
    texts = "a b c d e f g", ["a b c d x f g"]
    settings = Settings(smoothing=smoothing)
    counted = segment_statistics(*texts, smoothing=smoothing)
    kept = list(zip(counted.matched, counted.total, strict=True)) == smooth(counted, settings)
    assert kept == (SMOOTHINGS[smoothing].keeps_matches or smoothing == "segment-floor")


def test_a_segment_too_short_for_an_order_counts_though_the_corpus_has_matches_of_all():
    """NLTK counts 0 of 1 for the 2-grams of one token; sacreBLEU counts nothing."""
    parts = ["a b c d e", "a"]
    choices = {"convention": "nltk-method1", "max_order": 2}
    assert corpus_bleu(parts, [[part] for part in parts], **choices).pairs == ((6, 6), (4, 5))
    choices["convention"] = "sacrebleu-none"
    assert corpus_bleu(parts, [[part] for part in parts], **choices).pairs == ((6, 6), (4, 4))


def test_smoothing_is_not_asked_where_nothing_matched():
    statistics = Statistics((0, 0), (3, 2), 3, 3)
    assert smooth(statistics, Settings(max_order=2, smoothing="add-k")) == [(0, 3), (0, 2)]


def test_weights_stay_where_no_order_is_left():
    settings = Settings(max_order=2, effective_order=True)
    weights = effective_weights([(0, 0)] * 2, [(0, 1)] * 2, settings, 0).weights
    assert weights == (Fraction(1, 2),) * 2


def test_an_order_that_the_text_is_too_short_for_lifts_no_score_above_0():
    mixed = {"max_order": 4, "weights": [1, 0, 0, 0], "too_short": "one", "smoothing": "exp"}
    chosen = Settings(**mixed, zero_precision="dropped")
    assert sentence_bleu("a b", ["c d"], settings=chosen).value == 0


# What no match can lift


NUMBERS = st.lists(st.integers(0, 4), min_size=4, max_size=4)


@st.composite
def ruled(draw):
    """Statistics of a segment with N = 4, and any rules and smoothing, mixed as nobody has them."""
    hypothesis = draw(st.lists(st.sampled_from("abc"), max_size=6))
    reference = draw(st.lists(st.sampled_from("abx"), max_size=6))
    rules = {name: draw(st.sampled_from(choices)) for name, choices in IMPLEMENTATION_RULES.items()}
    weights = draw(st.none() | NUMBERS.filter(any))
    choices = {
        **rules,
        "unusual_values": "computed",
        "case": "all",
        "weights": weights and [Fraction(one, sum(weights)) for one in weights],
        "smoothing": draw(st.sampled_from(list(SMOOTHINGS))),
        "effective_order": draw(st.booleans()),
    }
    try:
        settings = Settings(**choices)
        return sentence_bleu(hypothesis, [reference], settings), settings
    except ValueError:  # no such choice, or no number for it
        return None


@given(ruled())
def test_without_a_match_a_score_is_0_unless_the_rules_ask_for_another(found):
    assume(found)
    score, settings = found
    if settings.unmatched == "zero" and not any(score.matched):
        assert score.value == 0
    if settings.unmatched == "zero-if-any-order-empty" and not all(score.matched):
        assert score.value == 0


@given(ruled())
def test_a_score_above_0_has_an_order_that_gives_it(found):
    """But for NLTK, whose empty product is 1: `tests/peers` holds it to that."""
    assume(found)
    score, settings = found
    used = [p for p, weight in zip(score.precisions, score.weights, strict=True) if weight]
    if settings.zero_precision == "zero" or settings.too_short != "zero-of-one":
        assert bool(score.value) <= bool(used)
