"""The scores of groups of segments, by document, domain or language, as a table."""

from collections.abc import Iterable, Sequence

from bleu.corpus.groups import Grouping
from bleu.corpus.report import Report
from bleu.document.blocks import Block, Cell, Paragraph, Row, Score100, Table, paragraph
from bleu.document.expressions import Num
from bleu.explanation.phrases import count_with_noun, signed_score_text, token_text

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
    systems = [(report.systems[index], index) for index in system_indices]
    names = [token_text(system.name) for system, _ in systems]
    scores: list[Scores] = [
        [
            *(group.scores[index] for group in groups),
            grouping.macro_averages[index],
            system.score.value,
        ]
        for system, index in systems
    ]
    columns: list[tuple[str, Iterable[Cell]]] = [
        (
            token_text(grouping.column),
            [*(token_text(group.name) for group in groups), "Macro average", "All segments"],
        ),
        ("Segments", [*(Num(group.segments) for group in groups), "", Num(report.segments)]),
    ]
    if len(systems) == 1:
        total = [scores[0][-1]] * (len(groups) + 1)
        columns += [
            ("BLEU", _score_cells(scores[0])),
            ("Difference from all", [*_difference_cells(scores[0][:-1], total), ""]),
        ]
    else:
        columns.append((names[0], _score_cells(scores[0])))
        for name, values in zip(names[1:], scores[1:], strict=True):
            header = "Difference" if len(names) == 2 else f"{name} − {names[0]}"
            columns += [
                (name, _score_cells(values)),
                (header, _difference_cells(values, scores[0])),
            ]
    headers, cells = zip(*columns, strict=True)
    *rows, foot = (Row(row) for row in zip(*cells, strict=True))
    caption = f"Corpus BLEU by {token_text(grouping.column)} on the 0–100 scale"
    hidden = len(grouping.groups) - len(groups)
    return Table("groups", caption, headers, tuple(rows), foot, hidden, "groups", stackable=True)


def macro_note(grouping: Grouping) -> Paragraph:
    """Return a paragraph on the macro average, which is not BLEU of the corpus."""
    count = count_with_noun(len(grouping.groups), "group")
    return paragraph(
        f"The macro average is the mean over {count} by {token_text(grouping.column)}, each scored "
        "as a unit whatever its size. It is not BLEU of all segments, which adds their counts."
    )


def _score_cells(scores: Scores) -> list[Cell]:
    return ["—" if score is None else Score100(score) for score in scores]


def _difference_cells(scores: Scores, subtrahends: Scores) -> list[Cell]:
    pairs = zip(scores, subtrahends, strict=True)
    return ["—" if a is None or b is None else signed_score_text(a - b) for a, b in pairs]
