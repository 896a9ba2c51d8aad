"""The scores of groups of segments, by document, domain or language, as a table."""

from collections.abc import Sequence

from bleu.corpus.groups import Grouping
from bleu.corpus.report import Report
from bleu.document.blocks import Block, Cell, Paragraph, Row, Score100, Table, paragraph
from bleu.explanation.phrases import count_with_noun, name_text, signed_score_text
from bleu.metric.expressions import Num

Scores = Sequence[float | None]


def grouping_blocks(report: Report, grouping: Grouping) -> list[Block]:
    """Return the table of a grouping, and the meaning of its macro average."""
    return [grouping_table(report, grouping, range(len(report.systems))), macro_note(grouping)]


def grouping_table(
    report: Report, grouping: Grouping, system_indices: Sequence[int], max_groups: int | None = None
) -> Table:
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
    labelled_scores: list[tuple[str, Cell, Scores]] = [
        *((name_text(group.name), Num(group.segments), group.scores) for group in groups),
        ("Macro average", "", grouping.macro_averages),
    ]
    rows = tuple(
        Row((label, size, *_score_cells([scores[i] for i in system_indices], corpus_scores)))
        for label, size, scores in labelled_scores
    )
    foot_cells = _score_cells(corpus_scores, corpus_scores)
    if len(names) == 1:
        foot_cells[-1] = ""
    column = name_text(grouping.column)
    return Table(
        "groups",
        f"Corpus BLEU by {column} on the 0–100 scale",
        (column, "Segments", *headers),
        rows,
        Row(("All segments", Num(report.segments), *foot_cells)),
        len(grouping.groups) - len(groups),
        "groups",
        stackable=True,
    )


def macro_note(grouping: Grouping) -> Paragraph:
    """Return a paragraph on the macro average, which is not BLEU of the corpus."""
    count = count_with_noun(len(grouping.groups), "group")
    return paragraph(
        f"The macro average is the mean over {count} by {name_text(grouping.column)}, each scored "
        "as a unit whatever its size. It is not BLEU of all segments, which adds their counts."
    )


def _score_cells(scores: Scores, corpus_scores: Scores) -> list[Cell]:
    """Return the cells of the scores in a row, and of their differences.

    Differences are from the first score or, if there is a single score, from the corpus score.
    """
    first, *others = scores
    cells = [_score_cell(first)]
    for score in others:
        cells += [_score_cell(score), _difference_cell(score, first)]
    return cells if others else [*cells, _difference_cell(first, corpus_scores[0])]


def _score_cell(score: float | None) -> Cell:
    return "—" if score is None else Score100(score)


def _difference_cell(score: float | None, subtrahend: float | None) -> Cell:
    if score is None or subtrahend is None:
        return "—"
    return signed_score_text(score - subtrahend)
