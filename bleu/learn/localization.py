"""Where a wrong function fails: the fewest properties of cases that cover its failures.

What the scores imply is solved for: the weights of the orders, and the value of an order without a
match. So mistakes that nobody has listed are described, too.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from bleu.core.display import english_list
from bleu.learn.cases import AssessedCase
from bleu.learn.hand_calculation import Words, consecutive_grams

CLOSE: Final = 1e-6
"""The relative difference up to which numbers that scores imply are the same."""
MAX_DENOMINATOR: Final = 20


def properties(case: AssessedCase) -> list[str]:
    """Return what is special about a case, as conditions that complete “It fails only if …”."""
    counts, words = case.score, [h for h, _ in case.segments]
    c, r, max_order = counts.hypothesis_length, counts.reference_length, case.settings.max_order
    ratios = list(zip(counts.matched, counts.total, strict=True))
    lengths = [sorted(map(len, references)) for _, references in case.segments]
    tokens = {token for h, refs in case.segments for text in (h, *refs) for token in text}
    conditions = {
        "the candidate is empty": not all(words),
        f"the candidate has fewer than {max_order} words": all(words) and not all(counts.total),
        "no word matches": all(words) and not counts.matched[0],
        "an order has no match": any(total and not matched for matched, total in ratios),
        "a precision is below 1": any(matched < total for matched, total in ratios),
        "the candidate is shorter than r": c < r,
        "the candidate is longer than r": c > r,
        "two references are equally close in length": any(
            len({r for r in sizes if abs(r - len(h)) == min(abs(s - len(h)) for s in sizes)}) > 1
            for h, sizes in zip(words, lengths, strict=True)
        ),
        "the references differ in length": any(sizes[0] < sizes[-1] for sizes in lengths),
        "no one reference has all the matches": any(
            _matches_spread(h, references, max_order) for h, references in case.segments
        ),
        "there are several references": any(len(sizes) > 1 for sizes in lengths),
    }
    for n, name in ((1, "a word"), (2, "a longer n-gram")):
        grams = [(_grams(h, n), [_grams(r, n) for r in refs]) for h, refs in case.segments]
        conditions[f"{name} occurs more often than in any reference"] = any(
            0 < max(r[g] for r in refs) < k for own, refs in grams for g, k in own.items()
        )
        conditions[f"{name} is repeated"] = any(k > 1 for own, _ in grams for k in own.values())
    conditions |= {
        "there are capital letters": any(token != token.lower() for token in tokens),
        "there is punctuation": not all(token.isalnum() for token in tokens),
        "there are several segments": len(case.segments) > 1,
    }
    return [name for name, holds in conditions.items() if holds]


def _grams(tokens: Words, n: int) -> Counter[Words]:
    return Counter(consecutive_grams(tokens, n))


def _matches_spread(h: Words, references: Sequence[Words], max_order: int) -> bool:
    for n in range(1, max_order + 1):
        own, others = _grams(h, n), [_grams(r, n) for r in references]
        best = max((own & other).total() for other in others)
        if sum(min(k, max(other[g] for other in others)) for g, k in own.items()) > best:
            return True
    return False


def failure_condition(cases: Sequence[AssessedCase]) -> str:
    """Return a sentence on the fewest properties that cover all failures, or "".

    It is "" if more than half of the cases with these properties agree, or if all cases have them.
    """
    found = [(frozenset(properties(case)), case.agrees) for case in cases]
    failing = [features for features, agrees in found if not agrees]
    names = dict.fromkeys(name for features in failing for name in sorted(features))
    ranks = []
    all_of: Callable[[frozenset[str], Sequence[str]], bool] = frozenset.issuperset
    for chosen, word, holds in (
        *(((name,), "", all_of) for name in names),
        *((pair, " and ", all_of) for pair in combinations(names, 2)),
        *((pair, " or ", _meets) for pair in combinations(names, 2)),
    ):
        if failing and all(holds(features, chosen) for features in failing):
            covered = sum(holds(features, chosen) for features, _ in found)
            # A second property must explain away three cases that agree.
            ranks.append((covered + 3 * len(chosen), covered, word.join(chosen)))
    _, covered, condition = min(ranks, default=(0, 0, ""))
    if not ranks or covered > 2 * len(failing) or covered == len(cases):
        return ""
    share = f"all {covered}" if covered == len(failing) else f"{len(failing)} of {covered}"
    share = "the only such case" if covered == 1 else f"{share} such cases"
    return f"It fails only if {condition}, in {share}."


def _meets(features: frozenset[str], chosen: Sequence[str]) -> bool:
    return not features.isdisjoint(chosen)


def solved_weights(cases: Sequence[AssessedCase]) -> list[float] | None:
    """Return the weights of the orders that all scores imply, then two more numbers.

    These are the exponent of the penalty, and the logarithm of a factor. All are solved for from
    the cases that match in every order; None if these are too few, or if no weights give their
    scores.
    """
    rows = []
    for case in cases:
        if case.actual and case.actual > 0 and all(case.precisions):
            rows.append(([*map(math.log, case.precisions), case.log_penalty, 1.0], case))
    size = cases[0].settings.max_order + 2
    if len(rows) < size + 2:
        return None
    logs = [math.log(case.actual or 1) for _, case in rows]
    matrix = [
        [
            *(sum(x[i] * x[j] for x, _ in rows) for j in range(size)),
            sum(x[i] * y for (x, _), y in zip(rows, logs, strict=True)),
        ]
        for i in range(size)
    ]
    *solution, log_factor = _solve(matrix) or [0.0]
    weights = [*map(_near_fraction, solution), log_factor if abs(log_factor) > CLOSE else 0.0]
    for x, case in rows:
        score = math.exp(sum(w * value for w, value in zip(weights, x, strict=False)))
        if abs(score - (case.actual or 0)) > case.tolerance + CLOSE * score:
            return None
    return weights if any(weights) else None


def _near_fraction(number: float) -> float:
    """Return a number, or the simple fraction that it is up to rounding."""
    fraction = float(Fraction(number).limit_denominator(MAX_DENOMINATOR))
    return fraction if abs(fraction - number) < 1e-4 else number


def _solve(matrix: list[list[float]]) -> list[float] | None:
    """Return the solution of linear equations, or None if there is not exactly one."""
    size = len(matrix)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(matrix[k][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        if abs(matrix[i][i]) < 1e-9:
            return None
        for k in range(size):
            if k != i:
                factor = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i], strict=True)]
    return [matrix[i][size] / matrix[i][i] for i in range(size)]


def weights_sentence(weights: Sequence[float], max_order: int) -> str:
    """Return what is wrong about the weights, the exponent of the penalty and the factor, or ""."""
    *of_orders, exponent, log_factor = weights
    parts = []
    right = [1 / max_order] * max_order
    if any(abs(w - u) > CLOSE for w, u in zip(of_orders, right, strict=True)):
        shown = ", ".join(_fraction(w) for w in of_orders)
        part = f"raises the precisions to the powers {shown}, not each to 1/{max_order}"
        if max(of_orders) - min(of_orders) < 1e-4 and of_orders[0] > 0.1 / max_order:
            base = math.exp(1 / (max_order * of_orders[0]))
            if abs(base - round(base)) < 1e-3:
                part = f"takes logarithms to base {base:.0f}, but exp() has base e"
        parts.append(part)
    if abs(exponent) < CLOSE:
        parts.append("leaves out the brevity penalty")
    elif abs(exponent - 1) > CLOSE:
        parts.append(f"raises the brevity penalty to the power {_fraction(exponent)}")
    if log_factor:
        parts.append(f"multiplies the score by {math.exp(log_factor):.4g}")
    return f"It {english_list(parts)}." if parts else ""


def _fraction(number: float) -> str:
    fraction = Fraction(number).limit_denominator(MAX_DENOMINATOR)
    return str(fraction) if abs(fraction - number) < CLOSE else f"{number:.4f}"


def range_sentence(cases: Sequence[AssessedCase]) -> str:
    """Return what is impossible about the scores, or ""."""
    numbers = {case.actual for case in cases if case.actual is not None}
    if len(numbers) == 1:
        return f"It always returns {numbers.pop():g}."
    if min(numbers, default=0) < 0:
        return "Some of its scores are negative, as logarithms are; the last step is exp()."
    return ""


def part_of(cases: Sequence[AssessedCase]) -> tuple[str, str]:
    """Return whether the lengths or the matches alone can explain the wrong scores, and the step.

    A penalty exp(1 − r/c) gives back a whole r, and a geometric mean a whole product of matches, so
    that numbers that are whole in all cases are hardly a coincidence.
    """
    found = []
    for case in cases:
        single = len(case.segments) == 1 and all(case.precisions)
        if single and not case.agrees and case.actual and case.actual > 0:
            log_mean = sum(map(math.log, case.precisions)) / case.settings.max_order
            log = math.log(case.actual)
            product = math.exp((log - case.log_penalty) * case.settings.max_order)
            matches = product * math.prod(map(float, case.score.total))
            totals = math.prod(map(float, case.score.matched)) / product
            found.append((1 - log + log_mean, matches, totals, case))
    if len(found) < 3:
        return "", ""
    ratios = [Fraction(ratio).limit_denominator(MAX_DENOMINATOR) for ratio, *_ in found]
    if all(abs(near - each[0]) < 1e-7 for near, each in zip(ratios, found, strict=True)):
        case, ratio = found[0][-1], ratios[0]
        c = case.score.hypothesis_length
        over = f"{ratio * c}/{c}" if (ratio * c).denominator == 1 else f"{ratio}"
        exponents = f"exp(1 − {over}) = exp({1 - ratio})".replace("-", "−")
        text = (
            "The precisions fit its scores, the penalty does not: for "
            f"“{' '.join(case.segments[0][0])}”, with c = {c} and r = "
            f"{case.score.reference_length:g}, it is {'1' if ratio == 1 else exponents}."
        )
        return text, "brevity-penalty"
    wrong = [
        name
        for name, products in (
            ("matches", [matches for _, matches, _, _ in found]),
            ("totals", [totals for _, _, totals, _ in found]),
        )
        if all(round(x) and abs(x - round(x)) < 1e-6 * x for x in products)
    ]
    if not wrong:
        return "", ""
    rest = "; the matches or the totals do not"
    if len(wrong) == 1:
        right = "totals" if wrong == ["matches"] else "matches"
        rest = f", and so do the {right}; the {wrong[0]} do not"
    return f"The penalty fits its scores{rest}.", "precision-1"


def zero_sentence(cases: Sequence[AssessedCase], weights: Sequence[float]) -> str:
    """Return what the scores imply for an order without a match, or "".

    That is the same precision, or the same number of matches, in all cases that have one.
    """
    implied: list[tuple[float, float]] = []
    for case in cases:
        pairs = list(zip(case.score.matched, case.score.total, weights, strict=False))
        zeros = [(t, w) for m, t, w in pairs if t and not m]
        if not zeros or not all(t for _, t, _ in pairs) or not case.score.matched[0]:
            continue
        if not case.actual or case.actual <= 0:
            return ""
        *_, exponent, log_factor = weights
        rest = sum(w * math.log(m / t) for m, t, w in pairs if m)
        rest += case.log_penalty * exponent + log_factor
        total = sum(w for _, w in zeros)
        if not total:
            return ""
        log = (math.log(case.actual) - rest) / total
        log_count = log + sum(w * math.log(t) for t, w in zeros) / total
        implied.append((math.exp(log), math.exp(log_count)))
    if len(implied) < 3:
        return ""
    for kind, name in ((0, "a precision of {}"), (1, "{} matches")):
        values = [pair[kind] for pair in implied]
        if max(values) - min(values) <= 1e-4 * max(values):
            number = float(f"{sum(values) / len(values):.3g}")
            shown = "1 match" if kind and number == 1 else name.format(f"{number:g}")
            return (
                f"It counts an order without a match as {shown}; without smoothing it makes BLEU 0."
            )
    return ""
