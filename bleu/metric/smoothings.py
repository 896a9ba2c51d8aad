"""Smoothings: for each, a rule, and all that is said of it and needed to choose it.

A rule takes the counts, the smoothing value (ε, k, K or α) and `let`, and returns the matched and
total n-grams of every order, whose quotient is p_n. It never changes the counts. Run on symbols,
it gives the formulas that explain it, so nothing else in this project knows how a smoothing works.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from bleu.metric.algebra import Quantity, as_it_is, exact, ln, number_like, power_of_half, quotient
from bleu.metric.method import Let, Pairs, unsmoothed
from bleu.metric.rules import SettingError


def none(counts: Any, _: Quantity, let: Let = as_it_is) -> Pairs:
    """Leave the counts as they are: an order without a match has p_n = 0, so the score is 0."""
    return unsmoothed(counts, let)


def floor(counts: Any, epsilon: Quantity, let: Let = as_it_is) -> Pairs:
    """Count an order without a match as ε matches: p_n = ε/total, or ε if total is 0."""
    return [(m or epsilon, t) for m, t in unsmoothed(counts, let)]


def add_k(counts: Any, k: Quantity, let: Let = as_it_is) -> Pairs:
    """Add k to matches and total from the second order on (Lin and Och 2004)."""
    unigrams, *others = unsmoothed(counts, let)
    return [unigrams, *((m + k, t + k) for m, t in others)]


def add_k_all(counts: Any, k: Quantity, let: Let = as_it_is) -> Pairs:
    """Add k to matches and total of every order."""
    return [(m + k, t + k) for m, t in unsmoothed(counts, let)]


def exp(counts: Any, _: Quantity, let: Let = as_it_is) -> Pairs:
    """Count the first order without a match as 1/2 match, the second as 1/4, and so on.

    An order that the text is too short for is skipped.
    """
    pairs, halvings = list(unsmoothed(counts, let)), 0
    for n, (m, t) in enumerate(pairs):
        if t and not m:
            halvings += 1
            pairs[n] = power_of_half(number_like(t, halvings)), t
    return pairs


def nltk_min_float(counts: Any, tiny: Quantity, let: Let = as_it_is) -> Pairs:
    """Set p_n of an order without a match to the smallest normal float, whatever its total."""
    return [(m, t) if m else (tiny, 1) for m, t in unsmoothed(counts, let)]


def length_exp(counts: Any, big_k: Quantity, let: Let = as_it_is) -> Pairs:
    """Set p_n of the k-th order without a match to ln c/(2^k · K · total): less for shorter texts.

    By Chen and Cherry, that order counts (ln c/K)^k matches instead. A text of c = 1 token is not
    smoothed, because ln c is 0.
    """
    pairs, c, rank = list(unsmoothed(counts, let)), counts.hypothesis_length, 0
    for n, (m, t) in enumerate(pairs):
        if c > 1 and not m:
            rank += 1
            divisor = 2 ** number_like(t, rank) * big_k
            pairs[n] = exact(ln(c), divisor * t if t else divisor), 1
    return pairs


def average(counts: Any, _: Quantity, let: Let = as_it_is) -> Pairs:
    """Average each p_n with the average before it, p′_(n-1), and with p_(n+1); p′_0 is p_1 + 1.

    Chen and Cherry average counts instead. Whatever N is, p_(N+1) is the precision of the 5-grams
    of the last segment, as in NLTK.
    """
    pairs = enumerate(unsmoothed(counts, let), 1)
    return _averages([let("counted p", n, quotient(m, t)) for n, (m, t) in pairs], counts, let)


def length_average(counts: Any, big_k: Quantity, let: Let = as_it_is) -> Pairs:
    """Smooth by `length_exp`, then by `average`."""
    pairs = enumerate(length_exp(counts, big_k, let), 1)
    return _averages([let("q", n, quotient(m, t)) for n, (m, t) in pairs], counts, let)


def _averages(precisions: Sequence[Quantity], counts: Any, let: Let) -> Pairs:
    matched, total = details_of(counts, last=True).last_five_grams
    following = [*precisions[1:], let("5-grams", 5, quotient(matched, max(1, total)))]
    previous, pairs = let("p′", 0, precisions[0] + 1), []
    for n, (p, p_after) in enumerate(zip(precisions, following, strict=True), 1):
        pairs.append((previous + p + p_after, 3))
        previous = let("p′", n, quotient(*pairs[-1]))
    return pairs


def interpolation(counts: Any, alpha: Quantity, let: Let = as_it_is) -> Pairs:
    """Mix each p_n from order 3 on with the prior π = p′_(n-1)²/p′_(n-2): (m + α·π)/(t + α).

    t is that of the last segment alone, as in NLTK. Raises ValueError, where NLTK fails too, if N
    is below 3 or no 3-gram matches (Gao and He 2013).
    """
    pairs = list(unsmoothed(counts, let))
    if len(pairs) < 3:
        problem = f"N is {len(pairs)}, and interpolation needs 3 or more"
        raise SettingError("max_order", problem, "choose a larger N")
    if not counts.matched[2]:
        problem = "interpolation needs a matching 3-gram, and none matches"
        raise SettingError("smoothing", problem, "choose another smoothing")
    last_total = details_of(counts, last=True).last_total
    second_previous, previous = (let("p", n + 1, quotient(*pairs[n])) for n in range(2))
    for n in range(3, len(pairs) + 1):
        prior = let("π", n, previous**2 / second_previous if second_previous else 0)
        total = let("last total", n, last_total[n - 1])
        pairs[n - 1] = pairs[n - 1][0] + alpha * prior, total + alpha
        second_previous, previous = previous, let("p′", n, quotient(*pairs[n - 1]))
    return pairs


def coco_epsilon(counts: Any, tiny: Quantity, let: Let = as_it_is) -> Pairs:
    """Add a tiny number to matches, and 1e6 times that to totals."""
    return [(m + tiny, t + 10**6 * tiny) for m, t in unsmoothed(counts, let)]


def segment_floor(counts: Any, epsilon: Quantity, let: Let = as_it_is) -> Pairs:
    """Add ε to the matches of an order for each segment that has none."""
    pairs = zip(unsmoothed(counts, let), details_of(counts).no_match, strict=True)
    return [(m + epsilon * segments, t) for (m, t), segments in pairs]


def details_of(counts: Any, *, last: bool = False) -> Any:
    """Return the details of the counts; raise ValueError without them or without a last segment."""
    if counts.details is None:
        raise ValueError(
            "the statistics have no details, which this smoothing needs; count the segments again "
            "with these settings"
        )
    if last and not counts.details.last_total:
        raise ValueError(
            "this smoothing depends on the last segment, which adding with + does not keep; "
            "add with Statistics.sum"
        )
    return counts.details


@dataclass(frozen=True, slots=True, kw_only=True)
class Smoothing:
    """A smoothing: its rule, its value, and the words for it.

    - `rule`: the function of counts, smoothing value and `let`. If it uses floats, as `ln` does,
      let it end in one `exact(…)` around all of them: then numbers and formulas round alike. Write
      `not m` instead of `m == 0`, because `==` compares formulas by their form, not their value.
    - `label`: its name in menus; `effect`: what it does to an order, in a few words; `text`: what
      it does, in a paragraph, with a *term* between asterisks.
    - `example`: its p_1 to p_4 of 5, 3, 1 and 0 matches among 6, 5, 4 and 3 n-grams, as “a b c d x
      y” has with the reference “a b c e x y”; a test compares them.
    - `cites`: the number in Chen and Cherry 2014, or the implementation.
    - `symbol`: the name of the smoothing value in formulas, or "" if the rule takes none;
      `default`, `maximum`: its default and its largest, or None if unlimited; `zero_is_none`:
      whether 0 smooths nothing.
    - `nltk_method`, `nltk_parameter`: the number of NLTK's method, or None if it has none, and the
      name of the value there; `sacrebleu`: whether sacreBLEU has it, under the same name.
    - `detailed`: whether it needs the details of the counts; `by_last_segment`: whether it needs
      those of the last segment, so that the order of the segments matters.
    - `keeps_matches`: whether it changes nothing if every order has a match.
    - `plain`: the same for one segment in plain Python: lines that change the list p of precisions.
      They may use the lists matched and total, N, c, and the value under the name in `symbol`.
    """

    rule: Callable[[Any, Quantity, Let], Pairs]
    label: str
    effect: str
    text: str
    example: tuple[float, ...]
    cites: str = ""
    symbol: str = ""
    default: Fraction = Fraction(0)
    maximum: int | None = None
    zero_is_none: bool = False
    nltk_method: int | None = None
    nltk_parameter: str = ""
    sacrebleu: bool = False
    detailed: bool = False
    by_last_segment: bool = False
    keeps_matches: bool = False
    plain: str = ""

    @property
    def takes_value(self) -> bool:
        """Whether the smoothing takes a value, such as ε."""
        return bool(self.symbol)

    def apply(self, counts: Any, value: Quantity) -> Pairs:
        """Return the matched and total n-grams of each order as smoothed, as numbers.

        >>> from bleu.metric.method import Counts
        >>> SMOOTHINGS["floor"].apply(Counts([2, 0], [3, 2], 3, 3), Fraction(1, 10))
        [(2, 3), (Fraction(1, 10), 2)]
        """
        return self.rule(counts, value, as_it_is)


_ZERO: Final = "An order without a match would make the whole score 0. "
_PLAIN_FLOOR: Final = "p = [x or ε / max(t, 1) for x, t in zip(p, total)]"
_PLAIN_LENGTH_EXP: Final = """\
rank = 0  # of the orders without a match
for n in range(N):
    if not matched[n] and c > 1:
        rank += 1
        p[n] = math.log(c) / (2**rank * K * max(total[n], 1))"""
_PLAIN_AVERAGE: Final = """\
matches, count = match(candidate, references, 5)
following = [*p[1:], matches / max(count, 1)]
previous = p[0] + 1
for n in range(N):
    p[n] = previous = (previous + p[n] + following[n]) / 3"""

SmoothingName = Literal[
    "none", "floor", "add-k", "exp", "length-exp", "add-k-all", "nltk-min-float", "average-last",
    "interpolation-last", "length-average-last", "coco-epsilon", "segment-floor",
]  # fmt: skip
SMOOTHINGS: Final[Mapping[SmoothingName, Smoothing]] = {
    "none": Smoothing(
        rule=none, label="none (as in the paper)", effect="counts as 0 of 1",
        example=(0.833333, 0.6, 0.25, 0),
        text="Nothing is smoothed, but one order is counted differently here.",
        nltk_method=0, sacrebleu=True, keeps_matches=True),
    "floor": Smoothing(
        rule=floor, label="floor: ε (NLTK 1)", effect="smoothed (floor)",
        example=(0.833333, 0.6, 0.25, 0.0333333),
        text=_ZERO + "*Floor smoothing* counts it as ε matches instead; an order that the text is "
        "too short for gets the precision ε.",
        cites="Chen and Cherry 1, NLTK method 1", symbol="ε", default=Fraction(1, 10), maximum=1,
        zero_is_none=True, nltk_method=1, nltk_parameter="epsilon", sacrebleu=True,
        keeps_matches=True,
        plain=_PLAIN_FLOOR),
    "add-k": Smoothing(
        rule=add_k, label="add-k: k more, for n ≥ 2", effect="smoothed (add-k)",
        example=(0.833333, 0.666667, 0.4, 0.25),
        text="*Add-k smoothing* adds k to matches and total of every order from the second on, "
        "whether it has a match or not.",
        cites="Chen and Cherry 2", symbol="k", default=Fraction(1), zero_is_none=True,
        nltk_method=2, sacrebleu=True,
        plain="p[1:] = [(m + k) / (t + k) for m, t in zip(matched[1:], total[1:])]"),
    "exp": Smoothing(
        rule=exp, label="exp: ½, ¼, … (sacreBLEU)", effect="smoothed (exponential)",
        example=(0.833333, 0.6, 0.25, 0.166667),
        text=_ZERO + "*Exponential smoothing* counts the first such order as half a match, the "
        "next as a quarter, and so on.",
        cites="Chen and Cherry 3, NIST, sacreBLEU", nltk_method=3, sacrebleu=True,
        keeps_matches=True,
        plain="""\
rank = 0  # of the orders without a match
for n in range(N):
    if total[n] and not matched[n]:
        rank += 1
        p[n] = 1 / (2**rank * total[n])"""),
    "length-exp": Smoothing(
        rule=length_exp, label="by length (NLTK 4)", effect="smoothed (exponential, by length)",
        example=(0.833333, 0.6, 0.25, 0.0597253),
        text=_ZERO + "This is exponential smoothing with less credit for shorter texts: the half, "
        "the quarter and so on are multiplied by (ln c)/K.",
        cites="NLTK method 4, after Chen and Cherry 4", symbol="K", default=Fraction(5),
        nltk_method=4, nltk_parameter="k", keeps_matches=True,
        plain=_PLAIN_LENGTH_EXP),
    "add-k-all": Smoothing(
        rule=add_k_all, label="add-k for every order", effect="smoothed (add-k, 1-grams included)",
        example=(0.857143, 0.666667, 0.4, 0.25),
        text="*Add-k smoothing* in this form adds k to matches and total of every order, 1-grams "
        "included.",
        cites="TensorFlow NMT, Moses", symbol="k", default=Fraction(1), zero_is_none=True,
        plain="p = [(m + k) / (t + k) for m, t in zip(matched, total)]"),
    "nltk-min-float": Smoothing(
        rule=nltk_min_float, label="2.2e−308 (NLTK 0)",
        effect="the smallest number above 0 in place of 0",
        example=(0.833333, 0.6, 0.25, 2.22507e-308),
        text="Nothing is smoothed, but a precision of 0 is replaced by the smallest normal "
        "floating-point number, so the score is almost 0 instead of 0.",
        cites="NLTK method 0", symbol="tiny",
        default=Fraction("2.2250738585072014e-308"),
        maximum=1, nltk_method=0, keeps_matches=True,
        plain="p = [x or tiny for x in p]"),
    "average-last": Smoothing(
        rule=average, label="average (NLTK 5)", effect="averaged with the neighbouring orders",
        example=(1.08889, 0.646296, 0.298765, 0.0995885),
        text="Matches of neighbouring orders should be similar, so each precision is averaged with "
        "its two neighbours: the smoothed one before it, and the counted one after it. The first "
        "has p₁ + 1 before it, which can lift the score above 1.",
        cites="NLTK method 5, after Chen and Cherry 5", nltk_method=5, detailed=True,
        by_last_segment=True,
        plain=_PLAIN_AVERAGE),
    "interpolation-last": Smoothing(
        rule=interpolation, label="interpolation (NLTK 6)", effect="interpolated",
        example=(0.833333, 0.6, 0.351111, 0.128416),
        text="From the third order on, the precision is mixed with a prior π: what it would be if "
        "it fell from order to order as it did before.",
        cites="NLTK method 6, Chen and Cherry 6", symbol="α", default=Fraction(5), nltk_method=6,
        nltk_parameter="alpha", detailed=True, by_last_segment=True,
        plain="""\
for n in range(2, N):
    π = p[n - 1] ** 2 / p[n - 2] if p[n - 2] else 0
    p[n] = (matched[n] + α * π) / (total[n] + α)"""),
    "length-average-last": Smoothing(
        rule=length_average, label="length, average (NLTK 7)",
        effect="smoothed by length and averaged with the neighbouring orders",
        example=(1.08889, 0.646296, 0.318674, 0.126133),
        text=_ZERO + "First an order without a match gets a share that depends on the length, then "
        "every precision is averaged with its neighbours.",
        cites="NLTK method 7, after Chen and Cherry 7", symbol="K", default=Fraction(5),
        nltk_method=7, nltk_parameter="k", detailed=True, by_last_segment=True,
        plain=f"{_PLAIN_LENGTH_EXP}\n{_PLAIN_AVERAGE}"),
    "coco-epsilon": Smoothing(
        rule=coco_epsilon, label="1e−15 (coco-caption)", effect="a tiny number added",
        example=(0.833333, 0.6, 0.25, 3.33333e-16),
        text="A tiny number is added to matches and totals, so that nothing is divided by 0.",
        cites="coco-caption", symbol="tiny", default=Fraction(1, 10**15), maximum=1,
        plain="p = [(m + tiny) / (t + 10**6 * tiny) for m, t in zip(matched, total)]"),
    "segment-floor": Smoothing(
        rule=segment_floor, label="ε by segment (R)", effect="smoothed (floor, segment by segment)",
        example=(0.833333, 0.6, 0.25, 0.0333333),
        text="Every segment without a match at an order adds ε to the matches of that order.",
        cites="R sacRebleu", symbol="ε", default=Fraction(1, 10), maximum=1, zero_is_none=True,
        detailed=True,
        plain=_PLAIN_FLOOR),
}  # fmt: skip
"""Smoothings by name, in menu order."""
