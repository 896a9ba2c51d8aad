"""The output formats of a score, of files and of exercises: one record each, in menu order.

Page and command line have the same formats; those without a label are not in the page's menu.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from bleu.analysis.evaluation import Evaluation, evaluation_json
from bleu.core.api import Derivation
from bleu.document.blocks import Block, Document, paragraph
from bleu.document.writing import without_isolates
from bleu.explanation import outline, with_steps
from bleu.explanation.report import report_blocks, result_sentences, signature_text, systems_table
from bleu.render import csv, html, html_page, json, latex, markdown, svg, tabular, text

if TYPE_CHECKING:
    from bleu.learn.exercise import Exercise

Content = TypeVar("Content", contravariant=True)
Output = TypeVar("Output", bound=str | bytes, covariant=True)


@dataclass(frozen=True, slots=True)
class OutputFormat(Generic[Content, Output]):
    """A format: its label in a menu, its file's extension and media type, and its renderer."""

    label: str
    extension: str
    media_type: str
    render: Callable[[Content], Output]


@dataclass(frozen=True)
class ExplainedScore:
    """A score that is explained on demand; `language` is the code of the texts' language."""

    derivation: Derivation
    language: str = ""

    @cached_property
    def outline(self) -> Document:
        """The explanation without its steps."""
        return outline(self.derivation)

    @cached_property
    def document(self) -> Document:
        """The explanation."""
        return with_steps(self.outline, self.derivation)


SCORE_FORMATS: Final[Mapping[str, OutputFormat[ExplainedScore, str]]] = {
    "markdown": OutputFormat(
        "Markdown", "md", "text/markdown", lambda score: markdown.render(score.document)
    ),
    "latex": OutputFormat(
        "LaTeX", "tex", "application/x-tex", lambda score: latex.render(score.document)
    ),
    "text": OutputFormat(
        "Plain text", "txt", "text/plain", lambda score: text.render(score.document)
    ),
    "json": OutputFormat(
        "JSON", "json", "application/json", lambda score: json.render(score.derivation)
    ),
    "csv": OutputFormat(
        "CSV of the n-grams", "csv", "text/csv", lambda score: csv.render(score.derivation)
    ),
    "svg": OutputFormat(
        "Picture (SVG)", "svg", "image/svg+xml", lambda score: svg.render(score.document)
    ),
    "html": OutputFormat(
        "Web page (HTML)",
        "html",
        "text/html",
        lambda score: html.with_language(html_page.render(score.document), score.language),
    ),
}


@dataclass(frozen=True, slots=True)
class EvaluatedFiles:
    """The evaluation of files under a convention; `notes` follow the report."""

    evaluation: Evaluation
    convention: str
    notes: Sequence[str] = ()

    @property
    def blocks(self) -> list[Block]:
        """The report and the notes."""
        return [*report_blocks(self.evaluation.report), *map(paragraph, self.notes)]


def _markdown_table(files: EvaluatedFiles) -> str:
    """Return the table of the systems below a comment with the signature."""
    report = files.evaluation.report
    signature = without_isolates(signature_text(report)).replace("--", "- -")  # It ends no comment.
    return f"<!-- {signature} -->\n\n{markdown.blocks([systems_table(report)])}"


def _evaluation_json(files: EvaluatedFiles) -> str:
    """Return the evaluation as JSON; `findings` are null while the texts are being checked."""
    report = files.evaluation.report
    report = replace(report, caution=without_isolates(report.caution or "") or None)
    return evaluation_json(replace(files.evaluation, report=report), files.convention)


FILE_FORMATS: Final[Mapping[str, OutputFormat[EvaluatedFiles, str]]] = {
    "text": OutputFormat("", "txt", "text/plain", lambda files: text.blocks(files.blocks)),
    "markdown": OutputFormat(
        "Report", "md", "text/markdown", lambda files: markdown.blocks(files.blocks)
    ),
    "table-markdown": OutputFormat("Table as Markdown", "md", "text/markdown", _markdown_table),
    "latex-rows": OutputFormat(
        "Rows for a LaTeX table",
        "tex",
        "application/x-tex",
        lambda files: tabular.rows(
            systems_table(files.evaluation.report), signature_text(files.evaluation.report)
        ),
    ),
    "sentence": OutputFormat(
        "Sentence for a paper",
        "txt",
        "text/plain",
        lambda files: result_sentences(files.evaluation.report),
    ),
    "signature": OutputFormat(
        "Signature",
        "txt",
        "text/plain",
        lambda files: f"{signature_text(files.evaluation.report)}\n",
    ),
    "json": OutputFormat("Result as JSON", "json", "application/json", _evaluation_json),
}


@dataclass(frozen=True, slots=True)
class ExerciseSheet:
    """Exercises with a heading; `solved` shows the solutions, `name_line` a line for the name."""

    exercises: Sequence["Exercise"]
    heading: str
    solved: bool = False
    name_line: bool = False


def _sheet(renderer: Any) -> Callable[[ExerciseSheet], str]:
    """Return the renderer of a sheet in the format of a module of `bleu.render`."""

    def render(sheet: ExerciseSheet) -> str:
        from bleu.explanation.exercises import worksheet  # The page loads it with the view Learn.

        content = worksheet(
            sheet.exercises,
            solutions=sheet.solved,
            heading=sheet.heading,
            name_line=sheet.name_line or renderer is latex,
        )
        return str(renderer.worksheet(content))

    return render


def _quiz(name: str) -> Callable[[ExerciseSheet], str | bytes]:
    """Return the renderer of a sheet by a function of `bleu.render.quiz`."""

    def render(sheet: ExerciseSheet) -> str | bytes:
        from bleu.explanation.exercises import quiz_questions
        from bleu.render import quiz

        content: str | bytes = getattr(quiz, name)(quiz_questions(sheet.exercises))
        return content

    return render


def _exercises_json(sheet: ExerciseSheet) -> str:
    from bleu.learn.grading import exercises_json

    return exercises_json(sheet.exercises)


EXERCISE_FORMATS: Final[Mapping[str, OutputFormat[ExerciseSheet, str | bytes]]] = {
    "text": OutputFormat("", "txt", "text/plain", _sheet(text)),
    "markdown": OutputFormat("", "md", "text/markdown", _sheet(markdown)),
    "latex": OutputFormat("LaTeX", "tex", "application/x-tex", _sheet(latex)),
    "html": OutputFormat("", "html", "text/html", _sheet(html_page)),
    "json": OutputFormat("JSON, with answers", "json", "application/json", _exercises_json),
    "moodle": OutputFormat(
        "Moodle XML, with answers", "xml", "application/xml", _quiz("moodle_xml")
    ),
    "qti": OutputFormat("QTI 2.1, with answers", "zip", "application/zip", _quiz("qti_package")),
}
"""Formats of exercises; those for learning platforms and JSON contain the answers."""
