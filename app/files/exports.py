"""Files to save of a scored corpus: its report, and its segments as data."""

import csv
import io
import json
from collections.abc import Callable
from itertools import chain
from typing import Final

from app.components.export_format import ExportFormat
from app.files.scoring import (
    CorpusResult,
)
from bleu.corpus.report import as_json
from bleu.explanation.phrases import token_text
from bleu.explanation.report import report_blocks
from bleu.render import markdown, tabular, text


def segments_csv(outcome: CorpusResult) -> str:
    """A line for each segment: its number, and score, counts and lengths under each system.

    Lines end as in RFC 4180. Of the texts there is nothing in it but the systems' names, each after
    a word of ours, so nothing that a spreadsheet could run.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    orders = range(1, outcome.corpora[0].settings.max_order + 1)
    columns = ["score", *(f"{kind}_{n}" for n in orders for kind in ("matched", "total")), "c", "r"]
    names = [token_text(one.name) for one in outcome.texts.systems]
    writer.writerow(["segment", *(f"{column} {name}" for name in names for column in columns)])
    for number in range(outcome.texts.size):
        row: list[object] = [number + 1]
        for corpus in outcome.corpora:
            own = corpus.segments[number]
            pairs = zip(own.matched, own.total, strict=True)
            score = corpus.scores[number]
            row += ["" if score is None else repr(score), *chain.from_iterable(pairs)]
            row += [own.hypothesis_length, own.reference_length]
        writer.writerow(row)
    return out.getvalue()


def segments_jsonl(outcome: CorpusResult) -> str:
    """A JSON object a line for each segment, with its texts and, for each system, its score."""
    lines = []
    for number in range(outcome.texts.size):
        systems = [
            {
                "name": source.name,
                "hypothesis": source.lines[number],
                "score": corpus.scores[number],
                "matched": corpus.segments[number].matched,
                "total": corpus.segments[number].total,
            }
            for source, corpus in zip(outcome.texts.systems, outcome.corpora, strict=True)
        ]
        _, references = outcome.texts.segment(number)
        lines.append(
            json.dumps({"segment": number + 1, "references": references, "systems": systems})
        )
    return "".join(f"{line}\n" for line in lines)


def result_json(outcome: CorpusResult) -> str:
    """The whole result for a program."""
    return json.dumps(as_json(outcome.report, outcome.convention), indent=1) + "\n"


def _blocks(make: Callable[..., str]) -> Callable[[CorpusResult], str]:
    return lambda outcome: make(report_blocks(outcome.report))


CORPUS_FORMATS: Final = {
    "markdown": ExportFormat("Table as Markdown", "md", "text/markdown", _blocks(markdown.blocks)),
    "latex": ExportFormat("Table as LaTeX", "tex", "application/x-tex", _blocks(tabular.blocks)),
    "text": ExportFormat("Table as text", "txt", "text/plain", _blocks(text.blocks)),
    "json": ExportFormat("Result as JSON", "json", "application/json", result_json),
    "csv": ExportFormat("Segments as CSV", "csv", "text/csv", segments_csv),
    "jsonl": ExportFormat("Segments as JSON lines", "jsonl", "application/jsonl", segments_jsonl),
}
