"""The report on a corpus: a headline, tables of systems and groups, significance, and cautions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bleu.analysis.agreement import CHANCE, human_agreement
from bleu.checkup.kinds import FAULTS
from bleu.corpus.report import RANDOMIZATION, Comparison, Grouping, Report, System
from bleu.corpus.significance import Interval
from bleu.document import blocks as doc
from bleu.document.writing import without_isolates
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    name_text,
    signed_score_text,
    subscript,
)
from bleu.metric.expressions import Num


def p_value_meaning(p_value: float) -> str:
    """Return the meaning of a p-value, and a common misreading."""
    percent = float(f"{p_value:.2g}") * 100
    return (
        f"If the systems differed by chance only, about {percent:.3g} % "
        "of test sets like this one would show a larger difference. It is not the probability "
        "that the systems are equally good, and it does not say that the difference matters."
    )


def multiple_tests_text(count: int) -> str:
    """Return the meaning of several p-values, which are not corrected for multiple testing."""
    return (
        f"Each of the {count} p-values compares one system with the baseline. If the two "
        "differed by chance only, a share of about p of test sets like this one would show a "
        "larger difference. The p-values are not corrected for multiple testing."
    )


MAX_SIGNIFICANT: Final = 0.05
"""The p-value from which a difference is called not significant."""
MIN_CURVE_END: Final = 5.0
"""The smallest end of the x axis, which is in points on the 0–100 scale."""
CURVE_INTERVALS: Final = 80
"""The number of equal intervals between the computed points of the curve."""
METRIC_NAMES: Final = {"bleu": "BLEU", "spbleu": "spBLEU"}
STUDY: Final = "Kocmi, Zouhar, Federmann and Post 2024"
LIMITATIONS: Final = (
    "The study says less about unrelated systems, and nothing about a single sentence"
)


def agreement_text(difference: float, metric: str) -> str:
    """Return how often people prefer the higher of two scores with this difference, as text.

    `difference` is on the 0–1 scale, and its sign is ignored; `metric` is "bleu" or "spbleu".

    >>> agreement_text(-0.017, "bleu").partition(" (")[0]
    'Noticeable? Of pairs of systems 1.7 BLEU apart, people preferred the higher score in 74 %'
    """
    agreement, name = human_agreement(difference, metric), METRIC_NAMES[metric]
    systems = f"systems {abs(100 * difference):.2g} {name} apart"
    finding = f"Of pairs of {systems}, people preferred the higher score in {100 * agreement:.0f} %"
    if agreement == CHANCE:
        finding = f"For {systems}, the higher score agrees with people no better than chance"
    return f"Noticeable? {finding} ({STUDY}, on the human judgements of WMT). {LIMITATIONS}."


def agreement_figure(difference: float, metric: str) -> doc.Figure:
    """Return the curve of how often people prefer the higher score, with `difference` marked."""
    size, name = abs(100 * difference), METRIC_NAMES[metric]
    end = min(100.0, max(MIN_CURVE_END, 5.0 * math.ceil(size / 4)))
    samples = [end * (index / CURVE_INTERVALS) for index in range(CURVE_INTERVALS + 1)]
    points = tuple((x, human_agreement(x / 100, metric)) for x in samples)
    agreement = human_agreement(difference, metric)
    return doc.Figure(
        "agreement-figure",
        f"Share of pairs in which people prefer the system with the higher {name}, in %",
        doc.Curve(
            points,
            (size, agreement),
            ("Δ", "share"),
            tuple(doc.AxisTick(f"{end * part / 5:g}", end * part / 5) for part in range(1, 6)),
            end,
            in_percent=True,
        ),
        doc.paragraph(
            f"A curve that rises from 50 % for a difference of 0 to {100 * points[-1][1]:.0f} % "
            f"for {end:.3g} points. The systems are {size:.2f} points apart, so it is "
            f"{100 * agreement:.0f} %."
        ),
    )


Scores = Sequence[float | None]


def grouping_blocks(report: Report, grouping: Grouping) -> list[doc.Block]:
    """Return the table of a grouping, and the meaning of its macro average."""
    return [grouping_table(report, grouping, range(len(report.systems))), macro_note(grouping)]


def grouping_table(
    report: Report, grouping: Grouping, system_indices: Sequence[int], max_groups: int | None = None
) -> doc.Table:
    """Return a table with a row for each group: its size, its scores and their differences.

    The last rows are the macro average and the score of all segments. Differences are from the
    first system or, if there is a single system, from its score of all segments.
    """
    groups = grouping.groups[:max_groups]
    systems = [report.systems[index] for index in system_indices]
    names = [name_text(system.name) for system in systems]
    headers = ["BLEU", "Difference from all"] if len(names) == 1 else names[:1]
    for name in names[1:]:
        headers += [name, "Difference" if len(names) == 2 else f"{name} − {names[0]}"]
    corpus_scores = [system.score.value for system in systems]
    labelled_scores: list[tuple[str, doc.Cell, Scores]] = [
        *((name_text(group.name), Num(group.segments), group.scores) for group in groups),
        ("Macro average", "", grouping.macro_averages),
    ]
    rows = tuple(
        doc.Row((label, size, *_score_cells([scores[i] for i in system_indices], corpus_scores)))
        for label, size, scores in labelled_scores
    )
    foot_cells = _score_cells(corpus_scores, corpus_scores)
    if len(names) == 1:
        foot_cells[-1] = ""
    column = name_text(grouping.column)
    return doc.Table(
        "groups",
        f"Corpus BLEU by {column} on the 0–100 scale",
        (column, "Segments", *headers),
        rows,
        doc.Row(("All segments", Num(report.segments), *foot_cells)),
        len(grouping.groups) - len(groups),
        "groups",
        stackable=True,
    )


def macro_note(grouping: Grouping) -> doc.Paragraph:
    """Return a paragraph on the macro average, which is not BLEU of the corpus."""
    count = count_with_noun(len(grouping.groups), "group")
    return doc.paragraph(
        f"The macro average is the mean over {count} by {name_text(grouping.column)}, each scored "
        "as a unit whatever its size. It is not BLEU of all segments, which adds their counts."
    )


def _score_cells(scores: Scores, corpus_scores: Scores) -> list[doc.Cell]:
    """Return the cells of the scores in a row, and of their differences.

    Differences are from the first score or, if there is a single score, from the corpus score.
    """
    first, *others = scores
    cells = [_score_cell(first)]
    for score in others:
        cells += [_score_cell(score), _difference_cell(score, first)]
    return cells if others else [*cells, _difference_cell(first, corpus_scores[0])]


def _score_cell(score: float | None) -> doc.Cell:
    return "—" if score is None else doc.Score100(score)


def _difference_cell(score: float | None, subtrahend: float | None) -> doc.Cell:
    if score is None or subtrahend is None:
        return "—"
    return signed_score_text(score - subtrahend)


def report_blocks(report: Report) -> list[doc.Block]:
    """Return the tables of a report, its signature, and the meaning of its test, if it has one.

    With two systems, a headline on the difference comes first. Each grouping has a table.
    """
    blocks: list[doc.Block] = []
    if len(report.systems) == 2:
        headline, details = difference_text(report)
        blocks.append(doc.paragraph(doc.Strong(headline), details))
    blocks.append(systems_table(report))
    if len(report.systems) > 1:
        blocks.append(components_table(report))
    for grouping in report.groupings:
        blocks += grouping_blocks(report, grouping)
    if report.systems[0].segments:
        blocks.append(segments_table(report))
    blocks.append(
        doc.paragraph(f"{count_with_noun(report.segments, 'segment')}, {report.signature}")
    )
    return [*blocks, *verdict_blocks(report)]


def difference_text(report: Report) -> tuple[str, str]:
    """Return the difference of the second system from the first, and its interval and p-value."""
    baseline, system = report.systems
    comparison = system.comparison or Comparison(difference(report))
    names = f"{name_text(system.name)} − {name_text(baseline.name)}"
    ends = interval_text(comparison.interval, signed=True)
    p_value = f", p = {p_value_text(comparison)}" if comparison.p_value is not None else ""
    difference_of_rounded = round(100 * system.score, 2) - round(100 * baseline.score, 2)
    is_inexact = abs(difference_of_rounded - round(100 * comparison.difference, 2)) > 0.001
    remarks = ["from unrounded scores"] if is_inexact else []
    if ends:
        remarks.append(f"95 % interval {ends}")
    in_parentheses = f" ({'; '.join(remarks)})" if remarks else ""
    return f"{names}: {signed_score_text(comparison.difference)}", f"{in_parentheses}{p_value}"


def p_value_text(comparison: Comparison) -> str:
    """Return the p-value of a comparison, with words if it is large or its systems equal, or "".

    A resampled difference of systems with the same counts is never above theirs, which is 0, so
    that p is as small as it can be.

    >>> p_value_text(Comparison(0.0, None, 0.001)), p_value_text(Comparison(0.01, None, 0.34))
    ('0.001 (identical systems)', '0.34, not significant')
    """
    if comparison.p_value is None:
        return ""
    words = ", not significant" if comparison.p_value >= MAX_SIGNIFICANT else ""
    if comparison.difference == 0 and not words:
        words = " (identical systems)"
    return f"{comparison.p_value:.2g}{words}"


def result_sentences(report: Report) -> str:
    """Return a sentence for a paper on each system against the baseline, and the signature.

    A single system has a sentence, too. Scores have one decimal; differences are computed from
    unrounded scores.
    """
    baseline, *others = report.systems
    test, sentences = report.test, []
    name, score = name_text(baseline.name), f"{100 * baseline.score.value:.1f}"
    if not others:
        ends = _interval_ends(baseline.interval)
        sentences.append(f"{name} scores {score} BLEU{f' ({ends})' if ends else ''}.")
    for system in others:
        comparison = system.comparison or Comparison(0.0)
        details = [
            f"{100 * comparison.difference:+.1f}".replace("-", "−"),
            _interval_ends(comparison.interval, "+"),
        ]
        if test and comparison.p_value is not None:
            noun = "trials" if test.name == RANDOMIZATION else "resamples"
            trials = f"{test.results[0].trials:,} {noun}"
            details.append(f"p = {comparison.p_value:.2g}, {test.name} with {trials}")
        sentences.append(
            f"{name_text(system.name)} scores {100 * system.score.value:.1f} BLEU against {score} "
            f"for {name} ({', '.join(filter(None, details))})."
        )
    text = f"{' '.join(sentences)} Signature: {signature_text(report)}\n"
    return without_isolates(text)


def signature_text(report: Report) -> str:
    """Return the signature, followed by the repairs, which it does not contain."""
    return "; ".join(filter(None, (report.signature, _repairs_text(report))))


def _repairs_text(report: Report) -> str:
    if not report.repairs:
        return ""
    faults = english_list([FAULTS[name] for name in report.repairs])
    return f"repaired before scoring: {faults}"


def _interval_ends(interval: Interval | None, sign: str = "") -> str:
    if interval is None:
        return ""
    ends = f"{100 * interval.low:{sign}.1f} to {100 * interval.high:{sign}.1f}"
    return f"95 % CI {ends.replace('-', '−')}"


def difference(report: Report) -> float:
    """Return the score of the second system minus that of the first, on the 0–1 scale."""
    baseline, system = report.systems
    return system.score.value - baseline.score.value


def systems_table(report: Report) -> doc.Table:
    """Return the table of systems: scores, differences from the first, intervals and p-values.

    The table of a single system has its precisions and lengths, too.
    """
    baseline = name_text(report.systems[0].name)
    if len(report.systems) == 1:
        caption = "Corpus BLEU and its precisions on the 0–100 scale"
        return _table("systems", caption, report, _single_system_cells)
    caption = f"Corpus BLEU on the 0–100 scale, and the difference from {baseline}"
    table = _table("systems", caption, report, _comparison_cells)
    first, *others = table.rows
    return replace(table, rows=(replace(first, kind="baseline"), *others))


def segments_table(report: Report) -> doc.Table:
    """Return the table of segment scores, with a column for each system."""
    columns = [system.segments or () for system in report.systems]
    rows = tuple(
        doc.Row((str(number), *("" if score is None else doc.Score100(score) for score in scores)))
        for number, scores in enumerate(zip(*columns, strict=True), 1)
    )
    headers = ("Segment", *(name_text(system.name) for system in report.systems))
    return doc.Table("segments", "Scores of segments on the 0–100 scale", headers, rows)


def components_table(report: Report) -> doc.Table:
    """Return the table of precisions, brevity penalties, lengths and bootstrap means."""
    caption = "Precisions, on the 0–100 scale, and lengths"
    return _table(
        "systems-parts",
        caption,
        report,
        lambda system: _component_cells(system) | _mean_cells(system),
    )


def _table(
    name: str, caption: str, report: Report, cells: Callable[[System], dict[str, doc.Cell]]
) -> doc.Table:
    """Return a table with a row for each system, without columns that are empty in every row.

    `cells` returns the cells of a row by their headers.
    """
    rows = [{"System": name_text(system.name)} | cells(system) for system in report.systems]
    headers = tuple(header for header in rows[0] if any(row[header] != "" for row in rows))
    cell_rows = tuple(doc.Row(tuple(row[header] for header in headers)) for row in rows)
    return doc.Table(name, caption, headers, cell_rows, stackable=True)


def _comparison_cells(system: System) -> dict[str, doc.Cell]:
    comparison = system.comparison or Comparison(0.0)
    difference_cell = signed_score_text(comparison.difference) if system.comparison else "baseline"
    return {
        "BLEU": doc.Score100(system.score.value),
        "95 % interval": interval_text(system.interval),
        "Difference": difference_cell,
        "95 % interval of the difference": interval_text(comparison.interval, signed=True),
        "p": p_value_text(comparison),
    }


def _component_cells(system: System) -> dict[str, doc.Cell]:
    score = system.score
    orders = enumerate(zip(score.precisions, score.weights, score.total, strict=True), 1)
    precisions: dict[str, doc.Cell] = {
        f"p{subscript(n)}": doc.Score100(float(p)) if weight or (p and total) else "left out"
        for n, (p, weight, total) in orders
    }
    return precisions | {
        "BP": Num(score.brevity_penalty),
        "c": Num(score.hypothesis_length),
        "r": Num(score.reference_length),
    }


def _mean_cells(system: System) -> dict[str, doc.Cell]:
    mean, interval = "", system.interval
    if interval:
        mean = f"{interval.mean * 100:.2f} ± {interval.half_width * 100:.2f}"
    return {"bootstrap mean ± 95 %": mean}


def _single_system_cells(system: System) -> dict[str, doc.Cell]:
    return {
        "BLEU": doc.Score100(system.score.value),
        **_component_cells(system),
        "95 % interval": interval_text(system.interval),
        **_mean_cells(system),
    }


def digits_table(report: Report) -> doc.Table:
    """Return a table of unrounded scores, intervals, differences and p-values on the 0–1 scale."""
    ends = "95 % interval from", "95 % interval to"
    difference_ends = (f"{end} (difference)" for end in ends)
    names = ("Score", *ends, "Difference", *difference_ends, "p")
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
        rows.append(doc.Row((name_text(system.name), *cells)))
    caption = "All digits, on the 0–1 scale"
    return doc.Table("systems-digits", caption, ("System", *names), tuple(rows), stackable=True)


def verdict_blocks(report: Report) -> list[doc.Block]:
    """Return the meaning of the test, human agreement, repairs and caution, if there are any."""
    blocks: list[doc.Block] = []
    if report.test:
        results, name = report.test.results, report.test.name
        meaning = multiple_tests_text(len(results))
        if len(results) == 1:
            meaning = p_value_meaning(results[0].p_value)
        trials = f"{results[0].trials:,} times, seed {report.test.seed}"
        question = "Real? " if len(results) == 1 else ""
        blocks.append(doc.paragraph(f"{question}{name.capitalize()}, {trials}. {meaning}"))
    if len(report.systems) == 2 and report.agreement_metric:
        blocks.append(doc.paragraph(agreement_text(difference(report), report.agreement_metric)))
    if report.repairs:
        text = _repairs_text(report)
        blocks.append(doc.note(f"{text[0].upper()}{text[1:]}."))
    if report.caution:
        blocks.append(doc.note(report.caution))
    return blocks


def interval_text(interval: Interval | None, *, signed: bool = False) -> str:
    """Return the ends of an interval on the 0–100 scale, or "" if there is no interval."""
    if interval is None:
        return ""
    if signed:
        return f"{signed_score_text(interval.low)} to {signed_score_text(interval.high)}"
    return f"{interval.low * 100:.2f} to {interval.high * 100:.2f}"
