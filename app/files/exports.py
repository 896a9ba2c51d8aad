"""Exports of a result: its report, and its segments as data."""

import csv
import io
import json
from html import escape
from itertools import chain
from typing import Final

from app.components.controls import button
from app.files.checkup_html import finding_text, status_text
from app.files.scoring import CorpusResult
from bleu.explanation.phrases import english_list, token_text
from bleu.formats import FILE_FORMATS, EvaluatedFiles, OutputFormat
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


def _evaluated(outcome: CorpusResult) -> EvaluatedFiles:
    """Return the result with the outcome and the findings of the check-up, after one."""
    notes = []
    if outcome.check_up is not None:
        notes = [f"Check-up: {status_text(outcome.check_up, outcome.texts.size)}"]
        notes += [finding_text(item.finding) for item in outcome.check_up]
    return EvaluatedFiles(outcome.evaluation, outcome.convention, notes)


def _of_outcome(form: OutputFormat[EvaluatedFiles, str]) -> OutputFormat[CorpusResult, str]:
    def render(outcome: CorpusResult) -> str:
        return form.render(_evaluated(outcome))

    return OutputFormat(form.label, form.extension, form.media_type, render)


CORPUS_FORMATS: Final[dict[str, OutputFormat[CorpusResult, str]]] = {
    **{name: _of_outcome(form) for name, form in FILE_FORMATS.items() if form.label},
    "csv": OutputFormat("Segments as CSV", "csv", "text/csv", segments_csv),
    "jsonl": OutputFormat("Segments as JSON lines", "jsonl", "application/jsonl", segments_jsonl),
}
"""The export formats of a result, in menu order; the last two need the texts."""
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
