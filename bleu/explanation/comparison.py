"""The comparison in words: every convention's score, and what it did differently here."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from bleu.analysis.comparison import (
    ConventionCorpusResult,
    ConventionResult,
    Group,
    agree,
    caveats,
    grouped,
)
from bleu.analysis.zero import puts_smallest
from bleu.core.derivation import Derivation
from bleu.document.blocks import (
    Cell,
    Choice,
    ChoiceList,
    Hundred,
    Paragraph,
    Row,
    Span,
    Strong,
    Table,
    paragraph,
)
from bleu.explanation.smoothings import BRIEFLY
from bleu.explanation.words import english_list, signed_hundred


def comparison_tables(
    outcomes: Sequence[ConventionResult], here: Derivation
) -> tuple[Table, Table]:
    """The conventions with another score, and those with the same, as two tables."""
    groups = grouped(outcomes, here)
    differing = [group for group in groups if not agree(group.value, here.score.value)]
    same = [group for group in groups if agree(group.value, here.score.value)]
    return (
        _table("Conventions with another score", differing, here),
        _table("Conventions with the same score", same, here),
    )


def corpus_table(
    outcomes: Sequence[ConventionCorpusResult], systems: Sequence[str], here: Sequence[float]
) -> Table:
    """Every convention's scores of a corpus under the systems of these names, the first a baseline.

    `here` are the scores on the page, which a convention with all of them agrees with.
    """
    headers = ["Convention", *systems, *["Difference"] * (len(systems) > 1), "What it does"]
    rows = []
    for one in outcomes:
        name = Choice(one.convention.title, f"file-convention:{one.name}")
        if not one.scores:
            dashes = ["—"] * (len(headers) - 2)
            rows.append(Row((name, *dashes, one.refusal), "refused"))
            continue
        values = [score.value for score in one.scores]
        cells: list[Cell] = [name, *map(Hundred, values)]
        if len(values) > 1:
            cells.append(signed_hundred(values[-1] - values[0]))
        same = all(agree(*pair) for pair in zip(values, here, strict=True))
        words = " ".join(filter(None, (one.convention.difference, _short(one))))
        words = f"{words} {one.convention.known_issue}".strip()
        cells.append(f"The same as here. {words}" if same else words)
        rows.append(Row(tuple(cells), "same" if same else ""))
    caption = "Corpus BLEU on the 0–100 scale"
    return Table("comparison", caption, tuple(headers), tuple(rows), stacks=True)


def _short(one: ConventionCorpusResult) -> str:
    """What NLTK and coco-caption do with segments that are too short for an order, if there are."""
    details = [score.statistics.details for score in one.scores]
    if one.convention.settings.get("too_short") != "zero-of-one":
        return ""
    short = any(detail and any(detail.too_short) for detail in details)
    return "A segment too short for an order counts as 0 of 1 there." if short else ""


def spread(outcomes: Sequence[ConventionResult], here: Derivation) -> Paragraph:
    """How far apart the scores are, and how many agree with the one on the page."""
    values = [outcome.value for outcome in outcomes if outcome.value is not None]
    same = sum(agree(value, here.score.value) for value in values)
    low, high = Hundred(min(values)), Hundred(max(values))
    span: list[Span] = (
        ["all give ", low] if low == high else ["give scores from ", low, " to ", high]
    )
    return paragraph(
        "For these texts, ", Strong(str(len(values))), " ways to compute BLEU ", *span,
        " on the 0–100 scale; ", Strong(str(same)), f" of them {'give' if same != 1 else 'gives'} "
        "the result on this page, its own settings included.",
    )  # fmt: skip


def differences(other: Derivation, here: Derivation) -> list[str]:
    """What another derivation of the same texts did differently, each in a few words.

    >>> from bleu import derive
    >>> texts = ("a b c", ["a b c"])
    >>> differences(derive(*texts, smoothing="floor"), derive(*texts))
    ['order 4: smoothed (floor)']
    """
    mine, its = here.settings, other.settings
    found = []
    if (other.hypothesis, other.references) != (here.hypothesis, here.references):
        folded = ", case folded" if its.lowercase and not mine.lowercase else ""
        kept = ", case kept" if mine.lowercase and not its.lowercase else ""
        tokenizer = "white space" if its.tokenizer == "whitespace" else its.tokenizer
        found.append(f"other tokens ({tokenizer}{folded}{kept})")
    if its.max_order != mine.max_order:
        found.append(f"N is {its.max_order}")
    if other.score.reference_length != here.score.reference_length:
        found.append(f"r = {other.score.reference_length} ({its.reference_length})")
    changed: dict[str, list[str]] = {}
    for n, (p, weight) in enumerate(
        zip(other.score.precisions, other.score.weights, strict=True), 1
    ):
        if n > mine.max_order or (p, weight) != (
            here.score.precisions[n - 1],
            here.score.weights[n - 1],
        ):
            how = _treatment(other, n - 1)
            if not how and n <= mine.max_order and _treatment(here, n - 1):
                how = "0 stays 0" if puts_smallest(mine) else "not smoothed"
            changed.setdefault(how, []).append(str(n))
    for how, orders in changed.items():
        if how:
            noun = "order" if len(orders) == 1 else "orders"
            found.append(f"{noun} {english_list(orders)}: {how}")
    if its.length_padding != mine.length_padding:
        found.append("tiny numbers added to the lengths")
    return found


def _treatment(derivation: Derivation, order: int) -> str:
    score, settings = derivation.score, derivation.settings
    dropped = settings.zero_precision == "dropped" and not score.precisions[order]
    if not score.weights[order] and dropped:
        return "a precision of 0, dropped"
    if not score.weights[order]:
        return "left out, as the text is too short"
    if not score.total[order] and settings.too_short == "one":
        return "the text is too short, counts as 1"
    matched, total = score.pairs[order]
    counted = (matched, total) == (Fraction(score.matched[order]), Fraction(score.total[order]))
    if counted or not (total or score.precisions[order]):
        return ""
    return BRIEFLY[settings.smoothing.removesuffix("-last")]


def _table(caption: str, groups: Sequence[Group], here: Derivation) -> Table:
    """A row that shows the score of the row before it is of the kind `again`, too."""
    rows: list[Row] = []
    for group in groups:
        for row in _rows(group, here):
            again = rows and _rounded(rows[-1].cells[1]) == _rounded(row.cells[1])
            rows.append(replace(row, kind=f"{row.kind} again".strip()) if again else row)
    headers = ("Convention", "BLEU, 0–100", "What it did differently here")
    return Table("comparison", caption, headers, tuple(rows))


def _rounded(score: Cell) -> Cell:
    return f"{score.value:.4f}" if isinstance(score, Hundred) else score


def _rows(group: Group, here: Derivation) -> Iterator[Row]:
    """One row for those of a group of which the same is to be said."""
    same = agree(group.value, here.score.value)
    kind = "refused" if group.value is None else "same" if same else ""
    shown = "—" if group.value is None else Hundred(group.value)
    alike: dict[str, list[Choice]] = {}
    for outcome in group.outcomes:
        choice = Choice(outcome.convention.title, f"convention:{outcome.name}")
        alike.setdefault(_said(outcome, here, same=same), []).append(choice)
    for said, choices in alike.items():
        yield Row((ChoiceList(tuple(choices)), shown, said), kind)


def _said(outcome: ConventionResult, here: Derivation, *, same: bool) -> str:
    if outcome.derivation is None:
        return outcome.refusal
    words = differences(outcome.derivation, here)
    text = "; ".join(words) if words else "nothing"
    if same and words:
        text = f"nothing that changes the score ({text})"
    start = text if text.startswith("r = ") else f"{text[0].upper()}{text[1:]}"
    value = outcome.derivation.score.value
    printed = f"{value:.4g}".replace("-", "−")
    tiny = [f"On the scale of 0 to 1 it gives {printed}."] if 0 < value < 5e-6 else []
    close = not same and value > 5e-5 and abs(value - here.score.value) < 5e-5
    near = ["The score differs by less than 0.01."] if close else []
    return " ".join([f"{start}.", *tiny, *near, *caveats(outcome, here)])
