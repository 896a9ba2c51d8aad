"""Exports of a result: its report, and its segments as data."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from html import escape
from itertools import chain
from typing import Final

from app.components.controls import button
from app.components.export_format import ExportFormat
from app.files.checkup_html import finding_text, status_text
from app.files.scoring import CorpusResult
from bleu.analysis.evaluation import evaluation_json
from bleu.document.blocks import Block, paragraph
from bleu.document.writing import without_isolates
from bleu.explanation.phrases import english_list, token_text
from bleu.explanation.report import (
    report_blocks,
    result_sentences,
    signature_text,
    systems_table,
)
from bleu.render import markdown, tabular, text
from bleu.render.csv import cell


def segments_csv(outcome: CorpusResult) -> str:
    """Return a row for each segment: number, repairs, groups, and the figures of each system.

    The figures are the score, the counts and the lengths. Lines end with CR and LF, as in RFC 4180.
    Header cells begin with a word and groups are escaped: no spreadsheet takes them for formulas.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    orders = range(1, outcome.corpora[0].settings.max_order + 1)
    columns = ["score", *(f"{kind}_{n}" for n in orders for kind in ("matched", "total")), "c", "r"]
    names = [token_text(source.name) for source in outcome.texts.systems]
    groups = outcome.texts.groups
    group_columns = (f"group {token_text(source.name)}" for source in groups)
    repairs = [english_list(outcome.report.repairs)] if outcome.report.repairs else []
    columns_of_segment = ["segment", *("repaired" for _ in repairs), *group_columns]
    writer.writerow(
        [*columns_of_segment, *(f"{column} {name}" for name in names for column in columns)]
    )
    for index in range(outcome.texts.size):
        row: list[object] = [index + 1, *repairs, *(cell(source.lines[index]) for source in groups)]
        for corpus in outcome.corpora:
            segment, score = corpus.segments[index], corpus.scores[index]
            counts = chain.from_iterable(zip(segment.matched, segment.total, strict=True))
            row += ["" if score is None else repr(score), *counts]
            row += [segment.hypothesis_length, segment.reference_length]
        writer.writerow(row)
    return out.getvalue()


def segments_jsonl(outcome: CorpusResult) -> str:
    """Return a line of JSON for each segment, with its texts, scores and counts."""
    lines = []
    for index in range(outcome.texts.size):
        systems = [
            {
                "name": source.name,
                "hypothesis": source.lines[index],
                "score": corpus.scores[index],
                "matched": corpus.segments[index].matched,
                "total": corpus.segments[index].total,
            }
            for source, corpus in zip(outcome.texts.systems, outcome.corpora, strict=True)
        ]
        _, references = outcome.texts.segment(index)
        segment = {
            "segment": index + 1,
            "references": references,
            "systems": systems,
            "groups": {source.name: source.lines[index] for source in outcome.texts.groups},
            "repairs": outcome.report.repairs,
        }
        lines.append(json.dumps(segment))
    return "".join(f"{line}\n" for line in lines)


def result_json(outcome: CorpusResult) -> str:
    """Return the evaluation as JSON; `findings` are null while the texts are being checked."""
    report = outcome.report
    report = replace(report, caution=without_isolates(report.caution or "") or None)
    return evaluation_json(replace(outcome.evaluation, report=report), outcome.convention)


def _report_renderer(render: Callable[..., str]) -> Callable[[CorpusResult], str]:
    return lambda outcome: render([*report_blocks(outcome.report), *_check_up_blocks(outcome)])


def _table_renderer(render: Callable[..., str], comment: str) -> Callable[[CorpusResult], str]:
    """Return a renderer of the table alone; `comment` has `{}` in the place of the signature."""

    def render_table(outcome: CorpusResult) -> str:
        report = outcome.report
        signature = without_isolates(signature_text(report)).replace("--", "- -")
        return comment.format(signature) + render([systems_table(report)])

    return render_table


def _check_up_blocks(outcome: CorpusResult) -> list[Block]:
    """Return the outcome and the findings of the check-up as paragraphs; [] before a check-up."""
    if outcome.check_up is None:
        return []
    status = paragraph(f"Check-up: {status_text(outcome.check_up, outcome.texts.size)}")
    return [status, *(paragraph(finding_text(item.finding)) for item in outcome.check_up)]


CORPUS_FORMATS: Final[dict[str, ExportFormat[Callable[[CorpusResult], str]]]] = {
    "report": ExportFormat("Report", "md", "text/markdown", _report_renderer(markdown.blocks)),
    "markdown": ExportFormat(
        "Table as Markdown",
        "md",
        "text/markdown",
        _table_renderer(markdown.blocks, "<!-- {} -->\n\n"),
    ),
    "latex": ExportFormat(
        "Table as LaTeX",
        "tex",
        "application/x-tex",
        _table_renderer(tabular.blocks, "% {}\n% \\usepackage{{booktabs}}\n"),
    ),
    "latex-rows": ExportFormat(
        "Rows for a LaTeX table",
        "tex",
        "application/x-tex",
        lambda outcome: tabular.rows(systems_table(outcome.report), signature_text(outcome.report)),
    ),
    "sentence": ExportFormat(
        "Sentence for a paper",
        "txt",
        "text/plain",
        lambda outcome: result_sentences(outcome.report),
    ),
    "signature": ExportFormat(
        "Signature", "txt", "text/plain", lambda outcome: f"{signature_text(outcome.report)}\n"
    ),
    "text": ExportFormat(
        "Table as text", "txt", "text/plain", _table_renderer(text.blocks, "# {}\n\n")
    ),
    "json": ExportFormat("Result as JSON", "json", "application/json", result_json),
    "csv": ExportFormat("Segments as CSV", "csv", "text/csv", segments_csv),
    "jsonl": ExportFormat("Segments as JSON lines", "jsonl", "application/jsonl", segments_jsonl),
}
"""The export formats of a result, in menu order."""
QUOTED: Final = {"sentence": "For a paper", "signature": "Signature", "latex-rows": "LaTeX"}
"""Labels of the formats that stand below the result, each with a button that copies it."""


def quotations_html(outcome: CorpusResult) -> str:
    """Return what a paper quotes of the result, each with a button that copies it."""
    parts = []
    for name, label in QUOTED.items():
        text = escape(CORPUS_FORMATS[name].render(outcome).strip())
        spoken = f'<span class="spoken">: {escape(CORPUS_FORMATS[name].label)}</span>'
        parts.append(
            f'<div><dt>{label}</dt><dd><code translate="no">{text}</code>'
            f"{button(f'corpus-copy:{name}', f'Copy{spoken}')}</dd></div>"
        )
    return f'<dl class="quotations">{"".join(parts)}</dl>'
