"""A corpus and its systems in words: a table, and what to beware of."""

from bleu.corpus.report import Report, System
from bleu.document.blocks import Block, Cell, Hundred, Row, Table, note, paragraph
from bleu.document.expressions import Num
from bleu.explanation.significance import meaning
from bleu.explanation.words import count_of, token_text


def report_blocks(report: Report) -> list[Block]:
    """The table of the systems, the signature, and what a test says and does not."""
    blocks: list[Block] = [
        _table(report),
        paragraph(f"{count_of(report.segments, 'segment')}, {report.signature}"),
    ]
    if report.test:
        result = report.test.result
        times = f"{report.test.name}, {result.trials:,} times, seed {report.test.seed}"
        blocks.append(paragraph(f"{times}: {meaning(result.p_value)}"))
    if report.caution:
        blocks.append(note(report.caution))
    return blocks


def _table(report: Report) -> Table:
    orders = len(report.systems[0].score.precisions)
    headers = ["System", "BLEU", *(f"p{n}" for n in range(1, orders + 1)), "BP", "c", "r"]
    if report.systems[0].interval:
        headers += ["95 % interval", "mean ± half-width"]
    rows = tuple(Row(tuple(_cells(system))) for system in report.systems)
    return Table(
        "systems", "Corpus BLEU and its precisions on the 0–100 scale", tuple(headers), rows
    )


def _cells(system: System) -> list[Cell]:
    score = system.score
    cells: list[Cell] = [
        token_text(system.name),
        Hundred(score.value),
        *(
            Hundred(float(p)) if weight or (p and total) else "left out"
            for p, weight, total in zip(score.precisions, score.weights, score.total, strict=True)
        ),
        Num(score.brevity_penalty),
        Num(score.hypothesis_length),
        Num(score.reference_length),
    ]
    if system.interval:
        low, high = system.interval.low * 100, system.interval.high * 100
        mean, half = system.interval.mean * 100, system.interval.half_width * 100
        cells += [f"{low:.2f} to {high:.2f}", f"{mean:.2f} ± {half:.2f}"]
    return cells
