"""The comparison with other implementations: tables of scores, and differences as phrases."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from bleu.analysis.comparison import ConventionResult, agree, agree_all, group_by_score
from bleu.analysis.zero import ALMOST_ZERO, uses_min_float
from bleu.core.api import Derivation
from bleu.core.conventions import get_convention
from bleu.core.settings import Settings
from bleu.core.tokenizers import token_unit
from bleu.corpus.corpus import Corpus
from bleu.document import blocks as doc
from bleu.explanation.phrases import english_list, signed_score_text
from bleu.metric.smoothings import SMOOTHINGS

MIN_TWO_DECIMALS = 0.001
"""The smallest score, in [0, 1], that is displayed with two decimals on the 0–100 scale."""


PLOT_ROWS = {
    "sacreBLEU": "sacreBLEU",
    "NLTK": "NLTK",
    "Hugging Face and PyTorch": "PyTorch, Hugging Face",
}
"""The titles of the rows of a plot by group of conventions; these stand first in a table, too."""
LAST_PLOT_ROW = "Papers and scripts"
"""The title of the row with all other groups."""
LEADING = 6
"""The number of conventions that are listed without a click: the most popular ones."""


def comparison_plot(outcomes: Sequence[ConventionResult], current: Derivation) -> doc.DotPlot:
    """Return a plot of the scores by library, with a mark at the score of `current`.

    Conventions that refuse the texts have no dot; the usual choices for one sentence have a label.
    """
    rows: dict[str, list[doc.Dot]] = {title: [] for title in (*PLOT_ROWS.values(), LAST_PLOT_ROW)}
    for outcome in outcomes:
        if outcome.value is not None:
            convention = outcome.convention
            dot = doc.Dot(outcome.value, convention.title, convention.for_sentence)
            rows[PLOT_ROWS.get(convention.group, LAST_PLOT_ROW)].append(dot)
    count = sum(map(len, rows.values()))
    ways = "1 way" if count == 1 else f"{count} ways"
    return doc.DotPlot(
        tuple((title, tuple(dots)) for title, dots in rows.items() if dots),
        doc.Dot(current.score.value, "this page"),
        f"The scores of {ways} to compute BLEU, from 0 to 100. The tables below list them.",
    )


def leading_results(outcomes: Sequence[ConventionResult]) -> list[ConventionResult]:
    """Return the results of the `LEADING` conventions, those of sacreBLEU and NLTK first."""
    popular = sorted(outcomes, key=lambda outcome: outcome.convention.rank)[:LEADING]
    groups = [*PLOT_ROWS, *(outcome.convention.group for outcome in popular)]
    return sorted(popular, key=lambda outcome: groups.index(outcome.convention.group))


def leading_table(outcomes: Sequence[ConventionResult], current: Derivation) -> doc.Table:
    """Return a table with a row for each convention, and what it did differently from `current`."""
    rows = []
    for outcome in outcomes:
        scores = _score_cells(outcome.values, [current.score.value]) if outcome.scores else ["—"]
        agrees = agree(outcome.value, current.score.value)
        kind = "same" if agrees else "" if outcome.scores else "refused"
        choices = doc.ChoiceList(
            (doc.Choice(outcome.convention.title, f"convention:{outcome.name}"),)
        )
        rows.append(doc.Row((choices, *scores, _description(outcome, [current], ())), kind))
    columns = ("Tool", "BLEU, 0–100", "What it did differently here")
    return doc.Table("comparison", "The most popular tools", columns, tuple(rows))


def comparison_tables(
    outcomes: Sequence[ConventionResult], *current: Derivation | Corpus, systems: Sequence[str] = ()
) -> tuple[doc.Table, doc.Table]:
    """Return a table of the conventions that disagree with `current`, and a table of the others.

    `current` is the result under the current settings: the derivation of a segment, or the corpus
    of each of the `systems`, the baseline first. Conventions that refuse the texts are in the
    first table. If a row has the same scores as the row above it, its kind contains `again`.
    """
    headers, scale = ["BLEU, 0–100"], ""
    if len(systems) > 1:
        headers, scale = [*systems, "Difference"], ", scores 0–100"
    command = "file-convention" if systems else "convention"
    differing_rows, agreeing_rows = list[doc.Row](), list[doc.Row]()
    current_values = [result.score.value for result in current]
    for group in group_by_score(outcomes, current_values, by_rank=bool(systems)):
        values = group[0].values
        agrees = agree_all(values, current_values)
        rows = agreeing_rows if agrees else differing_rows
        kind = "same" if agrees else "" if values else "refused"
        scores = _score_cells(values, current_values) if values else ["—"] * len(headers)
        choices_by_description: dict[str, list[doc.Choice]] = {}
        for outcome in group:
            choice = doc.Choice(outcome.convention.title, f"{command}:{outcome.name}")
            description = _description(outcome, current, systems)
            choices_by_description.setdefault(description, []).append(choice)
        for description, choices in choices_by_description.items():
            row = doc.Row((doc.ChoiceList(tuple(choices)), *scores, description), kind)
            if rows and _displayed_scores(rows[-1]) == _displayed_scores(row):
                row = replace(row, kind=f"{kind} again".strip())
            rows.append(row)
    columns = ("Tool", *headers, "What it did differently here")
    differing = doc.Table(
        "comparison",
        f"Tools that disagree{scale}",
        columns,
        tuple(differing_rows),
        stackable=bool(systems),
    )
    caption = f"Tools that agree{scale}"
    return differing, replace(differing, caption=caption, rows=tuple(agreeing_rows))


def _description(
    outcome: ConventionResult, current: Sequence[Derivation | Corpus], systems: Sequence[str]
) -> str:
    """Return what a convention did differently, by system for a corpus, or why it refused."""
    if not outcome.scores:
        return outcome.refusal
    by_system = [
        differences(
            replace(result, settings=outcome.settings, score=score),
            result,
            tokens_differ=outcome.tokens_differ,
        )
        for result, score in zip(current, outcome.scores, strict=True)
    ]
    common = [text for text in by_system[0] if all(text in texts for texts in by_system)]
    sentences = _join_sentence(common)
    for name, texts in zip(systems, by_system, strict=bool(systems)):
        if specific := [text for text in texts if text not in common]:
            sentences.append(f"{name}: {'; '.join(specific)}.")
    if systems:
        sentences += _short_segment_note(outcome, current)
    values = [result.score.value for result in current]
    return _row_text(outcome, sentences, values, "files" if systems else "texts")


def _short_segment_note(
    outcome: ConventionResult, current: Sequence[Derivation | Corpus]
) -> list[str]:
    """Return a note if only the convention, or only the current settings, count short segments.

    NLTK and R's sacRebleu count a segment that is too short for an order as 0 of 1.
    """
    other_counts = outcome.settings.too_short == "zero-of-one"
    current_counts = current[0].settings.too_short == "zero-of-one"
    if other_counts == current_counts:
        return []
    scores = outcome.scores if other_counts else [corpus.score for corpus in current]
    details = [score.statistics.details for score in scores]
    if not any(detail and any(detail.too_short) for detail in details):
        return []
    treatment = "counts as 0 of 1" if other_counts else "is not counted there"
    return [f"A segment too short for an order {treatment}."]


def spread_paragraph(outcomes: Sequence[ConventionResult], current: Derivation) -> doc.Paragraph:
    """Return a paragraph on the range of the scores, and on how many agree with `current`."""
    values = [outcome.value for outcome in outcomes if outcome.value is not None]
    agreeing = sum(agree(value, current.score.value) for value in values)
    low, high = doc.Score100(min(values)), doc.Score100(max(values))
    ways: list[doc.Span] = [
        doc.Strong(str(len(values))),
        f" {'way' if len(values) == 1 else 'ways'} ",
    ]
    if agreeing == len(values) > 1:
        return doc.paragraph(
            "For these texts, all ", *ways, "to compute BLEU give ",
            doc.Score100(current.score.value), " on the 0–100 scale, these settings included.",
        )  # fmt: skip
    give = "gives" if len(values) == 1 else "give"
    scores: list[doc.Span] = [f"{give} scores from ", low, " to ", high]
    if low == high:
        scores = [f"{give} ", low]
    elif low.value >= MIN_TWO_DECIMALS and _same_two_decimals(low.value, high.value):
        scores = [f"{give} about ", high]
    agreeing_spans: list[doc.Span] = [
        doc.Strong(str(agreeing)),
        f" {'gives' if agreeing == 1 else 'give'}",
    ]
    return doc.paragraph(
        "For these texts, ", *ways, "to compute BLEU ", *scores, " on the 0–100 scale; ",
        *(agreeing_spans if agreeing else ["none gives"]), " the same score as these settings.",
    )  # fmt: skip


def differences(
    other: Derivation | Corpus, current: Derivation | Corpus, *, tokens_differ: bool
) -> list[str]:
    """Return the differences of `other` from `current`, for the same texts, as short phrases.

    `tokens_differ` says whether the two results have different tokens.

    >>> from bleu import derive
    >>> texts = ("a b c", ["a b c"])
    >>> other, current = derive(*texts, smoothing="floor"), derive(*texts)
    >>> differences(other, current, tokens_differ=False)
    ['order 4: smoothed (floor)']
    """
    phrases = [_token_difference(other.settings, current.settings)] if tokens_differ else []
    if other.settings.max_order != current.settings.max_order:
        phrases.append(f"N is {other.settings.max_order}")
    elif other.settings.order_weights != current.settings.order_weights:
        phrases.append(_weight_difference(other.settings, current.settings))
    if other.score.reference_length != current.score.reference_length:
        phrases.append(f"r = {other.score.reference_length} ({other.settings.reference_length})")
    orders_by_treatment: dict[str, list[str]] = {}
    for order, treatment in _changed_orders(other, current, tokens_differ=tokens_differ):
        orders_by_treatment.setdefault(treatment, []).append(str(order))
    for treatment, orders in orders_by_treatment.items():
        if treatment:
            noun = "order" if len(orders) == 1 else "orders"
            phrases.append(f"{noun} {english_list(orders)}: {treatment}")
    if other.settings.length_padding != current.settings.length_padding:
        numbers = {"none": "nothing", "one": "1", "coco": "tiny numbers"}
        phrases.append(f"{numbers[other.settings.length_padding]} added to the lengths")
    return phrases


def difference_text(name: str, settings: Settings) -> str:
    """Return how a convention differs from the paper's BLEU, or what replaces its own choices.

    >>> from bleu.core.conventions import convention_settings
    >>> difference_text("sacrebleu-none", convention_settings("sacrebleu-none", tokenizer="char"))
    'With tokenizer char instead of its own.'
    """
    convention = get_convention(name)
    phrases = {
        "tokenizer": f"tokenizer {settings.tokenizer}",
        "lowercase": f"case {'folded' if settings.lowercase else 'kept'}",
        "max_order": f"N = {settings.max_order}",
    }
    replaced = [
        phrase
        for setting, phrase in phrases.items()
        if getattr(settings, setting)
        != convention.settings.get(setting, getattr(settings, setting))
    ]
    return (
        f"With {english_list(replaced)} instead of its own." if replaced else convention.difference
    )


def _token_difference(other: Settings, current: Settings) -> str:
    folded = ", case folded" if other.lowercase and not current.lowercase else ""
    kept = ", case kept" if current.lowercase and not other.lowercase else ""
    tokenizer = "white space" if token_unit(other.tokenizer) == "spaces" else other.tokenizer
    return f"split differently ({tokenizer}{folded}{kept})"


def _weight_difference(other: Settings, current: Settings) -> str:
    if other.weights == current.weights:
        return f"weights in {other.weight_precision} precision"
    return "equal weights" if other.weights is None else "other weights"


def _changed_orders(
    other: Derivation | Corpus, current: Derivation | Corpus, *, tokens_differ: bool
) -> Iterator[tuple[int, str]]:
    """Yield each order, from 1, whose precision or weight differs, and how `other` treats it.

    If the tokens differ, orders that differ only in treatment are yielded, too.
    """
    current_pairs = list(zip(current.score.precisions, current.score.weights, strict=True))
    other_pairs = zip(other.score.precisions, other.score.weights, strict=True)
    for index, pair in enumerate(other_pairs):
        treatment = _treatment(other, index)
        current_treatment = _treatment(current, index) if index < len(current_pairs) else ""
        is_same_treatment = not tokens_differ or treatment == current_treatment
        if [pair] == current_pairs[index : index + 1] and is_same_treatment:
            continue
        if current_treatment and not treatment:
            treatment = "0 stays 0" if uses_min_float(current.settings) else "not smoothed"
        yield index + 1, treatment


def _treatment(result: Derivation | Corpus, index: int) -> str:
    """Return how an order was smoothed, left out or replaced, or "" if its counts are unchanged."""
    settings, score = result.settings, result.score
    is_corpus = isinstance(result, Corpus)
    too_short = "all segments are too short" if is_corpus else "the text is too short"
    if not score.weights[index]:
        dropped = settings.zero_precision == "dropped" and not score.precisions[index]
        return "a precision of 0, dropped" if dropped else f"left out, as {too_short}"
    if not score.total[index] and settings.too_short == "one":
        return f"{too_short}, counts as 1"
    matched, total = score.pairs[index]
    counted_total = Fraction(score.total[index])
    details = score.statistics.details
    if counted_total and settings.too_short == "zero-of-one" and details:
        counted_total += details.too_short[index]
    unchanged = (matched, total) == (score.matched[index], counted_total)
    if unchanged or not (total or score.precisions[index]):
        return ""
    return SMOOTHINGS[settings.smoothing].effect


def _displayed_scores(row: doc.Row) -> list[doc.Cell]:
    scores = row.cells[1:-1]
    return [f"{cell.value:.4f}" if isinstance(cell, doc.Score100) else cell for cell in scores]


def _score_cells(values: Sequence[float], current: Sequence[float]) -> list[doc.Cell]:
    """Return cells of scores, with enough decimals to differ from `current`.

    With several systems, the last cell is the last system's score minus the first system's.
    """
    cells: list[doc.Cell] = [
        _distinct_decimals(*pair)[0] if _looks_equal(*pair) else doc.Score100(pair[0])
        for pair in zip(values, current, strict=True)
    ]
    if len(values) > 1:
        cells.append(signed_score_text(values[-1] - values[0]))
    return cells


def _looks_equal(left: float, right: float) -> bool:
    """Return whether two scores differ but look the same with two decimals."""
    return (
        not agree(left, right)
        and min(left, right) >= MIN_TWO_DECIMALS
        and _same_two_decimals(left, right)
    )


def _same_two_decimals(left: float, right: float) -> bool:
    return f"{100 * left:.2f}" == f"{100 * right:.2f}"


def _distinct_decimals(left: float, right: float) -> tuple[str, str]:
    """Return two scores on the scale of 0 to 100 with just enough decimals to differ.

    >>> _distinct_decimals(0.57893, 0.578934)
    ('57.8930', '57.8934')
    """
    pairs = ((f"{100 * left:.{n}f}", f"{100 * right:.{n}f}") for n in range(2, 18))
    return next(pair for pair in pairs if pair[0] != pair[1])


def _row_text(
    outcome: ConventionResult, differences: Sequence[str], current: Sequence[float], noun: str
) -> str:
    """Return the sentences of a row: `differences`, notes on the scores, and caveats.

    `noun` names the input: "texts" or "files".
    """
    pairs = list(zip(outcome.values, current, strict=True))
    sentences = list(differences)
    if not sentences:
        sentences.append(f"No difference for these {noun}.")
    elif agree_all(outcome.values, current):
        scores = "score" if len(pairs) == 1 else "scores"
        sentences.append(f"This does not change the {scores}.")
    if tiny := [pair for pair in pairs if 0 < pair[0] < ALMOST_ZERO]:
        printed = [f"{value:.4g}".replace("-", "−") for value, _ in tiny]
        ending = "" if any(current_value for _, current_value in tiny) else " instead of 0"
        sentences.append(f"On the 0–1 scale it gives {english_list(printed)}{ending}.")
    if similar := [_distinct_decimals(*pair)[1] for pair in pairs if _looks_equal(*pair)]:
        scores = "score is" if len(similar) == 1 else "scores are"
        sentences.append(f"Almost the same: the {scores} {english_list(similar)} here.")
    return " ".join([*sentences, *outcome.caveats])


def _join_sentence(phrases: Sequence[str]) -> list[str]:
    """Join phrases into a sentence, or return [] without phrases; “r = …” keeps its case.

    >>> _join_sentence(["split differently (13a)", "r = 5 (closest)"]), _join_sentence([])
    (['Split differently (13a); r = 5 (closest).'], [])
    """
    text = "; ".join(phrases)
    if not text.startswith("r = "):
        text = f"{text[:1].upper()}{text[1:]}"
    return [f"{text}."] if phrases else []
