"""The formats in which a worksheet can be downloaded."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from app.components.export_format import ExportFormat
from app.learn.worksheet_spec import WorksheetSpec
from bleu.document.quiz import QuizQuestion
from bleu.explanation.exercises import worksheet
from bleu.explanation.quiz import quiz_questions
from bleu.learn.exercise import Exercise
from bleu.learn.records import exercises_json
from bleu.render import latex, quiz

Renderer = Callable[[WorksheetSpec, Sequence[Exercise], bool], str | bytes]
"""A function of a specification, its exercises, and whether to show the solutions."""


def _latex(spec: WorksheetSpec, exercises: Sequence[Exercise], solved: bool) -> str:
    heading = f"worksheet {spec.seed}, variant {spec.variant}"
    return latex.worksheet(worksheet(exercises, solutions=solved, heading=heading, name_line=True))


def _quiz(render: Callable[[Sequence[QuizQuestion]], str | bytes]) -> Renderer:
    return lambda _, exercises, __: render(quiz_questions(exercises))


WORKSHEET_FORMATS: Final[dict[str, ExportFormat[Renderer]]] = {
    "latex": ExportFormat("LaTeX", "tex", "application/x-tex", _latex),
    "json": ExportFormat(
        "JSON, with answers",
        "json",
        "application/json",
        lambda _, exercises, __: exercises_json(exercises),
    ),
    "moodle": ExportFormat(
        "Moodle XML, with answers", "xml", "application/xml", _quiz(quiz.moodle_xml)
    ),
    "gift": ExportFormat("GIFT, with answers", "gift.txt", "text/plain", _quiz(quiz.gift)),
    "qti": ExportFormat("QTI 2.1, with answers", "zip", "application/zip", _quiz(quiz.qti_package)),
}
"""The export formats of a worksheet, in menu order; the last four contain the answers."""


def file_name(spec: WorksheetSpec, *, solved: bool) -> str:
    """Return the name of a worksheet's file, without its extension.

    >>> file_name(WorksheetSpec("7k2q"), solved=False)
    'bleu-worksheet-7k2q-A'
    >>> file_name(WorksheetSpec("a/../b c"), solved=True)
    'bleu-worksheet-a-b-c-A-solutions'
    """
    parts = ("bleu-worksheet", *re.findall(r"\w+", spec.seed), spec.variant)
    return "-".join((*parts, "solutions") if solved else parts)
