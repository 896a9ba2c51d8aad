"""The report on a corpus: a headline, tables of its systems, and cautions."""

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
    """Return the tables of the systems, the signature, and the meaning of a test.

    If there are two systems, they begin with a headline on the difference.
    """
    blocks: list[Block] = [*headline(report), systems_table(report)]
    if len(report.systems) > 1:
        blocks.append(components_table(report))
    blocks.append(paragraph(f"{count_with_noun(report.segments, 'segment')}, {report.signature}"))
    return [*blocks, *verdict_blocks(report)]


def headline(report: Report) -> list[Paragraph]:
    """Return a paragraph on the difference of two systems, or nothing for another number."""
    if len(report.systems) != 2:
        return []
    difference, rest = difference_text(report, 1)
    return [paragraph(Strong(difference), rest)]


def difference_text(report: Report, system_index: int) -> tuple[str, str]:
    """Return the difference of a system from the baseline, and its interval and p-value.

    Raises ValueError for the baseline itself.
    """
    baseline, system = report.systems[0], report.systems[system_index]
    comparison = system.comparison
    if comparison is None:
        raise ValueError(f"system {system_index} is the baseline; choose another one")
    names = f"{token_text(system.name)} − {token_text(baseline.name)}"
    ends = interval_text(comparison.interval, signed=True)
    interval = f" (95 % interval {ends})" if ends else ""
    p_value = "" if comparison.p_value is None else f", {p_text(comparison.p_value)}"
    difference, score, baseline_score = (
        round(100 * value, 2)
        for value in (comparison.difference, system.score.value, baseline.score.value)
    )
    is_inexact = abs(score - baseline_score - difference) > 0.001
    rounding = " between the scores before rounding" if is_inexact else ""
    return (
        f"{names}: {signed_score_text(comparison.difference)}",
        f"{rounding}{interval}{p_value}",
    )


def p_text(p_value: float) -> str:
    """Return a p-value with two significant digits.

    >>> p_text(0.00999), p_text(0.047952), p_text(1.0), p_text(0.000999)
    ('p = 0.01', 'p = 0.048', 'p = 1', 'p = 0.001')
    """
    return f"p = {p_value:.2g}"


def systems_table(report: Report) -> Table:
    """Return the table of systems: scores, differences from the first, intervals and p-values.

    A single system has its precisions and lengths in this table.
    """
    if len(report.systems) == 1:
        return _single_system_table(report)
    comparisons = [system.comparison for system in report.systems if system.comparison]
    headers = ["System", "BLEU"]
    headers += ["95 % interval"] * any(system.interval for system in report.systems)
    headers += ["Difference"]
    headers += ["95 % interval of the difference"] * any(each.interval for each in comparisons)
    headers += ["p"] * any(each.p_value is not None for each in comparisons)
    rows = []
    for system in report.systems:
        cells: list[Cell] = [token_text(system.name), Score100(system.score.value)]
        if system.interval:
            cells.append(interval_text(system.interval))
        comparison = system.comparison
        if comparison is None:
            cells += ["baseline", *[""] * (len(headers) - len(cells) - 1)]
        else:
            cells.append(signed_score_text(comparison.difference))
            if comparison.interval:
                cells.append(interval_text(comparison.interval, signed=True))
            if comparison.p_value is not None:
                cells.append(f"{comparison.p_value:.2g}")
        rows.append(Row(tuple(cells), "baseline" if comparison is None else ""))
    baseline = token_text(report.systems[0].name)
    caption = f"Corpus BLEU on the 0–100 scale, and the difference from {baseline}"
    return Table("systems", caption, tuple(headers), tuple(rows), stackable=True)


def components_table(report: Report) -> Table:
    """Return the table of precisions, brevity penalties and lengths."""
    headers = ["System", *_component_headers(report)]
    rows = tuple(
        Row((token_text(system.name), *_component_cells(system))) for system in report.systems
    )
    caption = "Precisions, on the 0–100 scale, and lengths"
    return Table("systems-parts", caption, tuple(headers), rows, stackable=True)


def digits_table(report: Report) -> Table:
    """Return the table of all numbers with all digits, on the 0–1 scale."""
    names = ("Score", "Interval from", "to", "Difference", "Its interval from", "to", "p")
    rows = []
    for system in report.systems:
        interval, comparison = system.interval, system.comparison
        difference_interval = comparison.interval if comparison else None
        values = (
            system.score.value,
            interval and interval.low,
            interval and interval.high,
            comparison and comparison.difference,
            difference_interval and difference_interval.low,
            difference_interval and difference_interval.high,
            comparison and comparison.p_value,
        )
        cells = ("" if value is None else repr(value).replace("-", "−") for value in values)
        rows.append(Row((token_text(system.name), *cells)))
    caption = "All digits, on the 0–1 scale"
    return Table("systems-digits", caption, ("System", *names), tuple(rows), stackable=True)


def verdict_blocks(report: Report) -> list[Block]:
    """Return the meaning of the test, and the cautions."""
    blocks: list[Block] = []
    if report.test:
        results, name = report.test.results, report.test.name
        meaning = (
            p_value_meaning(results[0].p_value)
            if len(results) == 1
            else multiple_tests_text(len(results))
        )
        trials = f"{results[0].trials:,} times, seed {report.test.seed}"
        blocks.append(paragraph(f"{name[:1].upper()}{name[1:]}, {trials}: {meaning}"))
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


def interval_text(interval: Interval | None, *, signed: bool = False) -> str:
    """Return the ends of an interval on the 0–100 scale, with signs for a difference, or ""."""
    if interval is None:
        return ""
    if signed:
        return f"{signed_score_text(interval.low)} to {signed_score_text(interval.high)}"
    return f"{interval.low * 100:.2f} to {interval.high * 100:.2f}"
