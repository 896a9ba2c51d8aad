"""A corpus and its systems in words: a headline, a table, and what to beware of."""

from bleu.corpus.report import Report, System
from bleu.corpus.significance import Interval
from bleu.document.blocks import (
    Block,
    Cell,
    Paragraph,
    Row,
    Score100,
    Strong,
    Table,
    note,
    paragraph,
)
from bleu.document.expressions import Num
from bleu.explanation.phrases import count_with_noun, signed_score_text, subscript, token_text
from bleu.explanation.significance import multiple_tests_text, p_value_meaning


def report_blocks(report: Report) -> list[Block]:
    """The systems, the signature, and what a test says and does not.

    Of two systems, a headline says which is the better by how much.
    """
    blocks: list[Block] = [*headline(report), systems_table(report)]
    if len(report.systems) > 1:
        blocks.append(components_table(report))
    blocks.append(paragraph(f"{count_with_noun(report.segments, 'segment')}, {report.signature}"))
    return [*blocks, *verdict_blocks(report)]


def headline(report: Report) -> list[Paragraph]:
    """The difference of two systems with its direction, interval and p, as far as known."""
    if len(report.systems) != 2:
        return []
    return [paragraph(Strong(lead), rest) for lead, rest in [difference_text(report, 1)]]


def difference_text(report: Report, place: int) -> tuple[str, str]:
    """The difference of a system from the baseline, and in what it is embedded.

    Raises ValueError for the baseline itself.
    """
    baseline, system = report.systems[0], report.systems[place]
    if system.comparison is None:
        raise ValueError(f"system {place} is the baseline; choose another one")
    found = system.comparison
    names = f"{token_text(system.name)} − {token_text(baseline.name)}"
    ends = interval_text(found.interval, signed=True)
    interval = f" (95 % interval {ends})" if ends else ""
    p_value = "" if found.p_value is None else f", {p_text(found.p_value)}"
    shown, *ends_shown = (
        round(100 * one, 2) for one in (found.difference, system.score.value, baseline.score.value)
    )
    apart = abs(ends_shown[0] - ends_shown[1] - shown) > 0.001
    rounding = " between the scores before rounding" if apart else ""
    return f"{names}: {signed_score_text(found.difference)}", f"{rounding}{interval}{p_value}"


def p_text(p_value: float) -> str:
    """A p-value with two digits that count.

    >>> p_text(0.00999), p_text(0.047952), p_text(1.0), p_text(0.000999)
    ('p = 0.01', 'p = 0.048', 'p = 1', 'p = 0.001')
    """
    return f"p = {p_value:.2g}"


def systems_table(report: Report) -> Table:
    """Several systems: score, difference from the first, intervals, p; of one, all there is."""
    if len(report.systems) == 1:
        return _single_system_table(report)
    tested = [system.comparison for system in report.systems if system.comparison]
    ends = any(system.interval for system in report.systems)
    headers = ["System", "BLEU"]
    headers += ["95 % interval"] * ends
    headers += ["Difference"]
    headers += ["95 % interval of the difference"] * any(one.interval for one in tested)
    headers += ["p"] * any(one.p_value is not None for one in tested)
    rows = []
    for system in report.systems:
        cells: list[Cell] = [token_text(system.name), Score100(system.score.value)]
        if system.interval:
            cells.append(interval_text(system.interval))
        found = system.comparison
        if found is None:
            cells += ["baseline", *[""] * (len(headers) - len(cells) - 1)]
        else:
            cells.append(signed_score_text(found.difference))
            cells += [interval_text(found.interval, signed=True)] if found.interval else []
            cells += [f"{found.p_value:.2g}"] if found.p_value is not None else []
        rows.append(Row(tuple(cells), "baseline" if found is None else ""))
    caption = f"Corpus BLEU on the 0–100 scale, and the difference from {_first(report)}"
    return Table("systems", caption, tuple(headers), tuple(rows), stackable=True)


def components_table(report: Report) -> Table:
    """The precisions, brevity penalty and lengths of every system."""
    headers = ["System", *_component_headers(report)]
    rows = tuple(Row((token_text(one.name), *_component_cells(one))) for one in report.systems)
    caption = "Precisions, on the 0–100 scale, and lengths"
    return Table("systems-parts", caption, tuple(headers), rows, stackable=True)


def digits_table(report: Report) -> Table:
    """Every number with all its digits, on the scale of 0 to 1."""
    names = ("Score", "Interval from", "to", "Difference", "Its interval from", "to", "p")
    rows = []
    for system in report.systems:
        own, found = system.interval, system.comparison
        other = found.interval if found else None
        values = (
            system.score.value,
            own and own.low,
            own and own.high,
            found and found.difference,
            other and other.low,
            other and other.high,
            found and found.p_value,
        )
        cells = ("" if value is None else repr(value).replace("-", "−") for value in values)
        rows.append(Row((token_text(system.name), *cells)))
    caption = "All digits, on the 0–1 scale"
    return Table("systems-digits", caption, ("System", *names), tuple(rows), stackable=True)


def verdict_blocks(report: Report) -> list[Block]:
    """What the test says and does not, and what to beware of."""
    blocks: list[Block] = []
    if report.test:
        results = report.test.results
        name = report.test.name
        times = (
            f"{name[:1].upper()}{name[1:]}, {results[0].trials:,} times, seed {report.test.seed}"
        )
        words = (
            p_value_meaning(results[0].p_value)
            if len(results) == 1
            else multiple_tests_text(len(results))
        )
        blocks.append(paragraph(f"{times}: {words}"))
    if report.caution:
        blocks.append(note(report.caution))
    return blocks


def _single_system_table(report: Report) -> Table:
    system = report.systems[0]
    headers = ["System", "BLEU", *_component_headers(report)]
    cells: list[Cell] = [
        token_text(system.name),
        Score100(system.score.value),
        *_component_cells(system),
    ]
    if system.interval:
        headers.insert(-1, "95 % interval")
        cells.insert(-1, interval_text(system.interval))
    caption = "Corpus BLEU and its precisions on the 0–100 scale"
    return Table("systems", caption, tuple(headers), (Row(tuple(cells)),), stackable=True)


def _component_headers(report: Report) -> list[str]:
    first = report.systems[0]
    orders = range(1, len(first.score.precisions) + 1)
    return [
        *(f"p{subscript(n)}" for n in orders),
        "BP",
        "c",
        "r",
        *["bootstrap mean ± 95 %"] * bool(first.interval),
    ]


def _component_cells(system: System) -> list[Cell]:
    score = system.score
    cells: list[Cell] = [
        *(
            Score100(float(p)) if weight or (p and total) else "left out"
            for p, weight, total in zip(score.precisions, score.weights, score.total, strict=True)
        ),
        Num(score.brevity_penalty),
        Num(score.hypothesis_length),
        Num(score.reference_length),
    ]
    if system.interval:
        mean, half = system.interval.mean * 100, system.interval.half_width * 100
        cells.append(f"{mean:.2f} ± {half:.2f}")
    return cells


def _first(report: Report) -> str:
    return token_text(report.systems[0].name)


def interval_text(interval: Interval | None, *, signed: bool = False) -> str:
    """An interval from end to end, on the 0–100 scale; signed, that of a difference."""
    if interval is None:
        return ""
    if signed:
        return f"{signed_score_text(interval.low)} to {signed_score_text(interval.high)}"
    return f"{interval.low * 100:.2f} to {interval.high * 100:.2f}"
