"""The comparison in words: every convention's score, and what it did differently here."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from bleu.analysis.comparison import (
    ConventionCorpusResult,
    ConventionResult,
    Group,
    Outcome,
    agree,
    agree_all,
    caveats,
    group_by_score,
)
from bleu.analysis.zero import ALMOST_ZERO, uses_min_float
from bleu.core.derivation import Derivation
from bleu.core.score import Score
from bleu.core.settings import Settings
from bleu.corpus.corpus import Corpus
from bleu.document.blocks import (
    Cell,
    Choice,
    ChoiceList,
    Paragraph,
    Row,
    Score100,
    Span,
    Strong,
    Table,
    paragraph,
)
from bleu.explanation.phrases import english_list, signed_score_text
from bleu.explanation.smoothings import SHORT_DESCRIPTIONS

MIN_TWO_DECIMALS = 0.001
"""A score of at least this is shown with two decimals, on the scale of 0 to 100."""


def comparison_tables(
    outcomes: Sequence[ConventionResult], current: Derivation
) -> tuple[Table, Table]:
    """The conventions with another score, and those with the same, as two tables."""

    def describe(outcome: ConventionResult) -> str:
        if outcome.derivation is None:
            return outcome.refusal
        words = _join_sentence(differences(outcome.derivation, current))
        return _row_text(outcome, words, [current.score.value], "texts")

    return _tables(outcomes, [current.score.value], ["BLEU, 0–100"], "convention", describe)


def corpus_tables(
    outcomes: Sequence[ConventionCorpusResult], systems: Sequence[str], current: Sequence[Corpus]
) -> tuple[Table, Table]:
    """The same for a corpus under the systems of these names, the first of them the baseline.

    `here` are the same systems as they are scored on the page.
    """
    values = [corpus.score.value for corpus in current]

    def describe(outcome: ConventionCorpusResult) -> str:
        if not outcome.scores:
            return outcome.refusal
        found = [_corpus_differences(outcome, *pair) for pair in enumerate(current)]
        common = [words for words in found[0] if all(words in own for own in found)]
        parts = _join_sentence(common)
        for name, own in zip(systems, found, strict=True):
            if more := [words for words in own if words not in common]:
                parts.append(f"{name}: {'; '.join(more)}.")
        return _row_text(outcome, parts + _short_segment_note(outcome, current), values, "files")

    several = len(systems) > 1
    columns = [*systems, "Difference"] if several else ["BLEU, 0–100"]
    first, second = _tables(outcomes, values, columns, "file-convention", describe)
    if several:
        first = replace(first, caption="Conventions with other scores, 0–100")
        second = replace(second, caption="Conventions with the same scores, 0–100")
    return replace(first, stackable=True), replace(second, stackable=True)


def _short_segment_note(outcome: ConventionCorpusResult, current: Sequence[Corpus]) -> list[str]:
    """Segments too short for an order, which NLTK and R count, where only one side does that."""
    theirs, ours = (
        [score for score in scores if settings.too_short == "zero-of-one"]
        for settings, scores in (
            (outcome.settings, outcome.scores),
            (current[0].settings, [corpus.score for corpus in current]),
        )
    )
    if bool(theirs) == bool(ours):
        return []
    details = [score.statistics.details for score in theirs or ours]
    short = any(detail and any(detail.too_short) for detail in details)
    how = "counts as 0 of 1" if theirs else "is not counted there"
    return [f"A segment too short for an order {how}."] * short


def spread_paragraph(outcomes: Sequence[ConventionResult], current: Derivation) -> Paragraph:
    """How far apart the scores are, and how many agree with the one on the page."""
    values = [outcome.value for outcome in outcomes if outcome.value is not None]
    same = sum(agree(value, current.score.value) for value in values)
    low, high = Score100(min(values)), Score100(max(values))
    ways: list[Span] = [Strong(str(len(values))), f" {'way' if len(values) == 1 else 'ways'} "]
    if same == len(values) > 1:
        return paragraph(
            "For these texts, all ", *ways, "to compute BLEU give ", Score100(current.score.value),
            " on the 0–100 scale, this page’s settings included.",
        )  # fmt: skip
    give = "gives" if len(values) == 1 else "give"
    span: list[Span] = [f"{give} scores from ", low, " to ", high]
    if low == high:
        span = [f"{give} ", low]
    elif low.value >= MIN_TWO_DECIMALS and _same_two_decimals(low.value, high.value):
        span = [f"{give} about ", high]
    agreeing: list[Span] = [Strong(str(same)), f" {'gives' if same == 1 else 'give'}"]
    return paragraph(
        "For these texts, ", *ways, "to compute BLEU ", *span, " on the 0–100 scale; ",
        *(agreeing if same else ["none gives"]), " the same score as this page.",
    )  # fmt: skip


def differences(other: Derivation, current: Derivation) -> list[str]:
    """What another derivation of the same texts did differently, each in a few words.

    >>> from bleu import derive
    >>> texts = ("a b c", ["a b c"])
    >>> differences(derive(*texts, smoothing="floor"), derive(*texts))
    ['order 4: smoothed (floor)']
    """
    apart = (other.hypothesis, other.references) != (current.hypothesis, current.references)
    tokens = [_token_difference(other.settings, current.settings)] if apart else []
    return tokens + _score_differences(other, current, "the text is too short", other_tokens=apart)


def _corpus_differences(
    outcome: ConventionCorpusResult, system_index: int, current: Corpus
) -> list[str]:
    settings, score = outcome.settings, outcome.scores[system_index]
    tokens = [_token_difference(settings, current.settings)] if outcome.tokens_differ else []
    other = replace(current, settings=settings, score=score)
    too_short = "all segments are too short"
    return tokens + _score_differences(
        other, current, too_short, other_tokens=outcome.tokens_differ
    )


def _token_difference(other: Settings, current: Settings) -> str:
    folded = ", case folded" if other.lowercase and not current.lowercase else ""
    kept = ", case kept" if current.lowercase and not other.lowercase else ""
    tokenizer = "white space" if other.tokenizer == "whitespace" else other.tokenizer
    return f"other tokens ({tokenizer}{folded}{kept})"


def _score_differences(
    other: Derivation | Corpus, current: Derivation | Corpus, too_short: str, *, other_tokens: bool
) -> list[str]:
    """What was done differently once the texts were tokens."""
    current_settings, other_settings = current.settings, other.settings
    found = []
    if other_settings.max_order != current_settings.max_order:
        found.append(f"N is {other_settings.max_order}")
    elif (
        other_settings.order_weights != current_settings.order_weights
        and other_settings.weights == current_settings.weights
    ):
        found.append(f"weights in {other_settings.weight_precision} precision")
    elif other_settings.order_weights != current_settings.order_weights:
        found.append("equal weights" if other_settings.weights is None else "other weights")
    if other.score.reference_length != current.score.reference_length:
        found.append(f"r = {other.score.reference_length} ({other_settings.reference_length})")
    changed: dict[str, list[str]] = {}
    pairs = list(zip(current.score.precisions, current.score.weights, strict=True))
    for order, pair in enumerate(zip(other.score.precisions, other.score.weights, strict=True)):
        how = _treatment(other.score, other_settings, order, too_short)
        own = (
            _treatment(current.score, current_settings, order, too_short)
            if order < len(pairs)
            else ""
        )
        if order < len(pairs) and pair == pairs[order] and not (other_tokens and how != own):
            continue
        if own and not how:
            how = "0 stays 0" if uses_min_float(current_settings) else "not smoothed"
        changed.setdefault(how, []).append(str(order + 1))
    for how, orders in changed.items():
        if how:
            noun = "order" if len(orders) == 1 else "orders"
            found.append(f"{noun} {english_list(orders)}: {how}")
    if other_settings.length_padding != current_settings.length_padding:
        found.append("tiny numbers added to the lengths")
    return found


def _treatment(score: Score, settings: Settings, order: int, too_short: str) -> str:
    dropped = settings.zero_precision == "dropped" and not score.precisions[order]
    if not score.weights[order] and dropped:
        return "a precision of 0, dropped"
    if not score.weights[order]:
        return f"left out, as {too_short}"
    if not score.total[order] and settings.too_short == "one":
        return f"{too_short}, counts as 1"
    matched, total = score.pairs[order]
    counted = (Fraction(score.matched[order]), Fraction(score.total[order]))
    details = score.statistics.details
    if counted[1] and settings.too_short == "zero-of-one" and details:
        counted = (counted[0], counted[1] + details.too_short[order])
    if (matched, total) == counted or not (total or score.precisions[order]):
        return ""
    return SHORT_DESCRIPTIONS[settings.smoothing.removesuffix("-last")]


def _tables(
    outcomes: Sequence[Outcome],
    current: Sequence[float],
    columns: Sequence[str],
    command: str,
    describe: Callable[[Outcome], str],
) -> tuple[Table, Table]:
    headers = ("Convention", *columns, "What it did differently here")

    def table(caption: str, *, same: bool) -> Table:
        """A row that shows the scores of the row before it is of the kind `again`, too."""
        rows: list[Row] = []
        for group in group_by_score(outcomes, current):
            if agree_all(group.values, current) == same:
                for row in _rows(group, current, len(columns), command, describe):
                    again = rows and _displayed_scores(rows[-1]) == _displayed_scores(row)
                    kind = f"{row.kind} again".strip() if again else row.kind
                    rows.append(replace(row, kind=kind))
        return Table("comparison", caption, headers, tuple(rows))

    return (
        table("Conventions with another score", same=False),
        table("Conventions with the same score", same=True),
    )


def _displayed_scores(row: Row) -> list[Cell]:
    scores = row.cells[1:-1]
    return [f"{one.value:.4f}" if isinstance(one, Score100) else one for one in scores]


def _rows(
    group: Group[Outcome],
    current: Sequence[float],
    columns: int,
    command: str,
    describe: Callable[[Outcome], str],
) -> list[Row]:
    """One row for those of a group of which the same is to be said."""
    values = group.values
    kind = "same" if agree_all(values, current) else "" if values else "refused"
    shown: list[Cell] = ["—"] * columns
    if values:
        shown = [_score(*pair) for pair in zip(values, current, strict=True)]
        if len(values) > 1:
            shown.append(signed_score_text(values[-1] - values[0]))
    alike: dict[str, list[Choice]] = {}
    for outcome in group.outcomes:
        choice = Choice(outcome.convention.title, f"{command}:{outcome.name}")
        alike.setdefault(describe(outcome), []).append(choice)
    return [
        Row((ChoiceList(tuple(choices)), *shown, words), kind) for words, choices in alike.items()
    ]


def _score(value: float, current: float) -> Cell:
    """A score, with as many decimals as it takes to tell it from the one on the page."""
    return (
        _distinct_decimals(value, current)[0] if _looks_equal(value, current) else Score100(value)
    )


def _looks_equal(value: float, current: float) -> bool:
    """Whether two scores that do not agree look the same with two decimals."""
    return (
        not agree(value, current)
        and min(value, current) >= MIN_TWO_DECIMALS
        and _same_two_decimals(value, current)
    )


def _same_two_decimals(one: float, other: float) -> bool:
    return f"{100 * one:.2f}" == f"{100 * other:.2f}"


def _distinct_decimals(one: float, other: float) -> tuple[str, str]:
    """Two scores on the scale of 0 to 100, with as few decimals as tell them apart.

    >>> _distinct_decimals(0.57893, 0.578934)
    ('57.8930', '57.8934')
    """
    pairs = ((f"{100 * one:.{n}f}", f"{100 * other:.{n}f}") for n in range(2, 18))
    return next(pair for pair in pairs if pair[0] != pair[1])


def _row_text(
    outcome: ConventionResult | ConventionCorpusResult,
    differing: Sequence[str],
    current: Sequence[float],
    what: str,
) -> str:
    """What was done differently, given as sentences, then what is to be known of the scores."""
    pairs = list(zip(outcome.values, current, strict=True))
    sentences = list(differing)
    if not sentences:
        sentences.append(f"No difference for these {what}.")
    elif agree_all(outcome.values, current):
        scores = "score" if len(pairs) == 1 else "scores"
        sentences.append(f"This does not change the {scores}.")
    if tiny := [pair for pair in pairs if 0 < pair[0] < ALMOST_ZERO]:
        printed = [f"{value:.4g}".replace("-", "−") for value, _ in tiny]
        instead = "" if any(own for _, own in tiny) else " instead of 0"
        sentences.append(f"On the 0–1 scale it gives {english_list(printed)}{instead}.")
    if near := [_distinct_decimals(*pair)[1] for pair in pairs if _looks_equal(*pair)]:
        scores = "score is" if len(near) == 1 else "scores are"
        sentences.append(f"Almost the same: this page’s {scores} {english_list(near)}.")
    return " ".join([*sentences, *caveats(outcome)])


def _join_sentence(parts: Sequence[str]) -> list[str]:
    """Parts as one sentence, if there are any; a symbol at its beginning stays as it is.

    >>> _join_sentence(["other tokens (13a)", "r = 5 (closest)"]), _join_sentence([])
    (['Other tokens (13a); r = 5 (closest).'], [])
    """
    words = "; ".join(parts)
    begun = words if words.startswith("r = ") else f"{words[:1].upper()}{words[1:]}"
    return [f"{begun}."] if parts else []
