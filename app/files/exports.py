"""Exports of a result: its report, and its segments as data."""

import csv
import io
import json
from collections.abc import Callable
from itertools import chain
from typing import Final

from app.components.export_format import ExportFormat
from app.files.scoring import CorpusResult
from bleu.corpus.report import as_json
from bleu.explanation.phrases import token_text
from bleu.explanation.report import report_blocks
from bleu.render import markdown, tabular, text
from bleu.render.csv import cell


def segments_csv(outcome: CorpusResult) -> str:
    """Return a row for each segment: its number, and score, counts and lengths of each system.

    Lines end as in RFC 4180. The row begins with the groups of the segment. A name in the header
    follows a word and groups are escaped, so a spreadsheet cannot take one for a formula.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    orders = range(1, outcome.corpora[0].settings.max_order + 1)
    columns = ["score", *(f"{kind}_{n}" for n in orders for kind in ("matched", "total")), "c", "r"]
    names = [token_text(source.name) for source in outcome.texts.systems]
    groups = outcome.texts.groups
    group_columns = (f"group {token_text(source.name)}" for source in groups)
    writer.writerow(
        ["segment", *group_columns, *(f"{column} {name}" for name in names for column in columns)]
    )
    for index in range(outcome.texts.size):
        row: list[object] = [index + 1, *(cell(source.lines[index]) for source in groups)]
        for corpus in outcome.corpora:
            segment, score = corpus.segments[index], corpus.scores[index]
            counts = chain.from_iterable(zip(segment.matched, segment.total, strict=True))
            row += ["" if score is None else repr(score), *counts]
            row += [segment.hypothesis_length, segment.reference_length]
        writer.writerow(row)
    return out.getvalue()


def segments_jsonl(outcome: CorpusResult) -> str:
    """Return a JSON object in a line for each segment: its texts, and scores and counts."""
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
        lines.append(
            json.dumps(
                {"segment": index + 1, "references": references, "systems": systems}
                | {"groups": {source.name: source.lines[index] for source in outcome.texts.groups}}
            )
        )
    return "".join(f"{line}\n" for line in lines)


def result_json(outcome: CorpusResult) -> str:
    """Return the report as JSON."""
    return json.dumps(as_json(outcome.report, outcome.convention), indent=1) + "\n"


def _report_renderer(render: Callable[..., str]) -> Callable[[CorpusResult], str]:
    return lambda outcome: render(report_blocks(outcome.report))


CORPUS_FORMATS: Final = {
    "markdown": ExportFormat(
        "Table as Markdown", "md", "text/markdown", _report_renderer(markdown.blocks)
    ),
    "latex": ExportFormat(
        "Table as LaTeX", "tex", "application/x-tex", _report_renderer(tabular.blocks)
    ),
    "text": ExportFormat("Table as text", "txt", "text/plain", _report_renderer(text.blocks)),
    "json": ExportFormat("Result as JSON", "json", "application/json", result_json),
    "csv": ExportFormat("Segments as CSV", "csv", "text/csv", segments_csv),
    "jsonl": ExportFormat("Segments as JSON lines", "jsonl", "application/jsonl", segments_jsonl),
}
"""The formats for export, in menu order."""
