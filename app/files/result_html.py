"""The result as HTML: scores, settings, the sections below them, and the exports."""

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import chain
from typing import Final

from app.components import NOT_TRANSLATED, button, conventions_html, options
from app.files.checkup_html import finding_text, status_text
from app.files.scoring import CorpusResult
from app.files.segment_html import differences_html
from bleu.analysis.comparison import ConventionResult, corpus_caveats
from bleu.core.conventions import get_convention
from bleu.core.ngrams import Ngram, ngrams
from bleu.corpus.report import Grouping
from bleu.document.blocks import Choice, Row, Table
from bleu.document.writing import Writing
from bleu.explanation.comparison import comparison_tables
from bleu.explanation.corpus import explain_corpus, mean_paragraph
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    name_text,
    ngram_text,
    signed_score_text,
    token_text,
)
from bleu.explanation.report import (
    agreement_figure,
    components_table,
    difference,
    difference_text,
    digits_table,
    grouping_table,
    macro_note,
    p_value_text,
    systems_table,
    verdict_blocks,
)
from bleu.formats import FILE_FORMATS, EvaluatedFiles, OutputFormat
from bleu.metric.expressions import Num
from bleu.render import html
from bleu.render import text as as_text
from bleu.render.csv import cell
from bleu.render.numbers import score_text

QUOTED: Final = {"sentence": "For a paper", "latex-rows": "LaTeX"}
"""Labels of the formats that stand below the result, each with a button that copies it."""
MAX_GROUPS: Final = 200
"""The largest number of groups in a table of the page; the exports have all groups."""
MAX_OPEN_GROUPS: Final = 20
"""The largest number of groups whose table is shown without a click."""
MAX_NGRAMS: Final = 15
"""The largest number of n-grams in the table of gains of a system."""


def result_html(outcome: CorpusResult, system_index: int) -> str:
    """Return the systems with the results of a test, and the details of one system."""
    report = outcome.report
    parts = []
    if len(report.systems) == 2:
        lead, rest = difference_text(report)
        parts.append(
            f'<p class="difference"><strong>{html.prose(lead)}</strong>{html.prose(rest)}</p>'
        )
    if len(report.systems) > 1:
        parts.append(html.table(systems_table(report)) + quotations_html(outcome))
        table = components_table(report)
        summary = "Precisions, brevity penalty, lengths; every number with all its digits"
    else:
        table = systems_table(report)
        summary = "As a row of a table; every number with all its digits"
    verdict = "".join(map(html.block, verdict_blocks(report)))
    if len(report.systems) == 2 and report.agreement_metric:
        figure = agreement_figure(difference(report), report.agreement_metric)
        verdict = f'<div class="meaning"><div>{verdict}</div>{html.figure(figure)}</div>'
    parts.append(verdict)
    if len(report.systems) > 1:
        parts.append(differences_html(outcome, system_index or 1))
        names = {str(n): token_text(system.name) for n, system in enumerate(report.systems)}
        parts.append(
            '<p class="buttons shown-system"><label for="corpus-shown">Details for</label> '
            '<select id="corpus-shown" autocomplete="off">'
            f"{options(names, str(system_index), NOT_TRANSLATED)}</select></p>"
        )
    parts.append(system_summary(outcome, system_index))
    if len(report.systems) == 1:
        parts.append(quotations_html(outcome))
    parts += (grouping_html(outcome, grouping, system_index) for grouping in report.groupings)
    tables = html.table(table) + html.table(digits_table(report))
    parts.append(f'<details class="parts"><summary>{summary}</summary>{tables}</details>')
    return "".join(parts)


def spoken_result(outcome: CorpusResult) -> str:
    """Return the scores for screen readers, and their difference or the reason for a score of 0."""
    systems = outcome.report.systems
    text = f"BLEU {english_list([score_text(system.score.value) for system in systems])}"
    for corpus in outcome.corpora:
        if not corpus.score.value:
            remarks = explain_corpus(corpus).summary.remarks
            return f"{text}. {as_text.blocks(remarks).strip()}"
    if len(systems) == 2 and (comparison := systems[1].comparison):
        text += f", difference {signed_score_text(comparison.difference)}"
        if comparison.p_value is not None:
            text += f", p = {p_value_text(comparison)}"
    return text


def system_summary(outcome: CorpusResult, system_index: int) -> str:
    """Return the score of a system, its precisions, the mean of its segments, and the settings."""
    corpus, system = outcome.corpora[system_index], outcome.report.systems[system_index]
    summary = explain_corpus(corpus).summary
    name = f"{summary.name} of {name_text(system.name)}"
    summary = replace(summary, name=name, signature="")  # The sentence for a paper has it.
    remarks = "".join(map(html.paragraph, summary.remarks))
    if system.interval:
        low, high = score_text(system.interval.low), score_text(system.interval.high)
        interval = html.prose(f"95 % interval: {low} to {high}")
        remarks = f'<p class="interval">{interval}</p>{remarks}'
    mean = html.paragraph(mean_paragraph(corpus, name_text(system.name)))
    # The steps are drawn when their section is opened.
    result = html.summary(summary, "corpus-", remarks, steps_id="corpus-steps")
    return (
        f'<div class="corpus-summary"><div>{result}</div>'
        f"<div>{mean}{settings_html(outcome)}</div></div>"
    )


def grouping_html(outcome: CorpusResult, grouping: Grouping, system_index: int) -> str:
    """Return the scores by document, domain or language, of the baseline and a system."""
    system_indices = sorted({0, system_index})
    table = grouping_table(outcome.report, grouping, system_indices, MAX_GROUPS)
    state = " open" if len(grouping.groups) <= MAX_OPEN_GROUPS else ""
    count = count_with_noun(len(grouping.groups), "group")
    return (
        f'<details class="grouping"{state}><summary>By {html.prose(name_text(grouping.column))}'
        f": {count}</summary>{html.table(table)}{html.paragraph(macro_note(grouping))}"
        "</details>"
    )


def settings_html(outcome: CorpusResult) -> str:
    """Return the caveats of the score's convention, and its settings, collapsed."""
    convention = get_convention(outcome.convention)
    settings = outcome.corpora[-1].settings
    smoothing = settings.smoothing
    parts = [
        f"<strong>{escape(convention.title)}</strong>",
        f"tokenizer {html.user_text(str(settings.tokenizer))}",
        "no smoothing" if smoothing == "none" else f"smoothing {escape(smoothing)}",
        f'<bdi class="whole"><i>N</i> = {settings.max_order}</bdi>',
        "lowercased" if settings.lowercase else "case kept",
    ]
    scores = [corpus.score for corpus in outcome.corpora]
    references = outcome.corpora[-1].references
    caveats = corpus_caveats(convention, scores, outcome.texts.size, references)
    caution = html.prose(" ".join(caveats))
    note = f'<p class="note"><strong>Caution</strong>: {caution}</p>' if caution else ""
    return (
        f'{note}<details class="every-setting"><summary>Settings in words</summary>'
        f'<p class="signature">{", ".join(parts)}</p></details>'
    )


def derivation_html(outcome: CorpusResult, system_index: int) -> str:
    """Return the steps from the summed counts to the corpus score of a system."""
    document = explain_corpus(outcome.corpora[system_index])
    return "".join(html.step(step, "corpus-") for step in document.steps)


def conventions_table(
    outcome: CorpusResult, system_index: int, results: Sequence[ConventionResult]
) -> str:
    """Return the scores by convention; conventions that agree with the result are collapsed."""
    system_indices = sorted({0, system_index})
    names = [outcome.name(index) for index in system_indices]
    corpora = [outcome.corpora[index] for index in system_indices]
    scores = "score" if len(system_indices) == 1 else "scores"
    return conventions_html(*comparison_tables(results, *corpora, systems=names), scores)


def ngram_gains(outcome: CorpusResult, system_index: int, differences: Counter[Ngram]) -> str:
    """Return the n-grams with more credit in a system or in the baseline, largest gains first.

    `differences` has the credits of the system minus those of the baseline. An n-gram within
    a longer one with the same difference is left out.
    """
    baseline, system = (outcome.texts.names[index] for index in (0, system_index))
    writing = outcome.writing
    ranked = sorted(differences.items(), key=lambda pair: (-abs(pair[1]), -len(pair[0])))
    tables = []
    for name, sign in ((system, 1), (baseline, -1)):
        gains: dict[Ngram, int] = {}
        for ngram, credit in ranked:
            is_part = (
                gain == sign * credit and ngram in ngrams(longer, len(ngram))
                for longer, gain in gains.items()
            )
            if sign * credit > 0 and not any(is_part):
                gains[ngram] = sign * credit
            if len(gains) == MAX_NGRAMS:
                break
        rows = tuple(
            Row((_ngram_choice(ngram, writing), Num(count))) for ngram, count in gains.items()
        )
        if not rows:
            text = f"{name_text(name)} gets no word or phrase right more often."
            tables.append(f'<p class="nothing">{html.prose(text)}</p>')
            continue
        caption = f"{name_text(name)} gets right more often"
        headers = ("Word or phrase", "More often by")
        tables.append(html.table(Table("ngram-gains", caption, headers, rows)))
    return f'<div class="pair">{"".join(tables)}</div>'


def _ngram_choice(ngram: Ngram, writing: Writing) -> Choice:
    """Return a button with an n-gram, which lists its segments."""
    command = f"ngram:{json.dumps(ngram)}"
    return Choice(ngram_text(ngram), command, writing, "list the segments")


def segments_csv(outcome: CorpusResult) -> str:
    """Return a row for each segment: number, repairs, groups, and the figures of each system.

    The figures are the score, the counts and the lengths. Lines end with CR and LF, as in RFC 4180.
    Header cells begin with a word and groups are escaped: no spreadsheet takes them for formulas.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    orders = range(1, outcome.corpora[0].settings.max_order + 1)
    columns = ["score", *(f"{kind}_{n}" for n in orders for kind in ("matched", "total")), "c", "r"]
    names = list(map(token_text, outcome.texts.names))
    groups = outcome.texts.groups
    group_columns = (f"group {token_text(name)}" for name, _ in groups)
    repairs = [english_list(outcome.report.repairs)] if outcome.report.repairs else []
    columns_of_segment = ["segment", *("repaired" for _ in repairs), *group_columns]
    writer.writerow(
        [*columns_of_segment, *(f"{column} {name}" for name in names for column in columns)]
    )
    for index in range(outcome.texts.size):
        row: list[object] = [index + 1, *repairs, *(cell(column[index]) for _, column in groups)]
        for corpus in outcome.corpora:
            segment, score = corpus.segments[index], corpus.scores[index]
            counts = chain.from_iterable(zip(segment.matched, segment.total, strict=True))
            row += ["" if score is None else repr(score), *counts]
            row += [segment.hypothesis_length, segment.reference_length]
        writer.writerow(row)
    return out.getvalue()


def segments_jsonl(outcome: CorpusResult) -> str:
    """Return a line of JSON for each segment, with its texts, scores and counts."""
    lines, texts = [], outcome.texts
    for index in range(texts.size):
        systems = [
            {
                "name": name,
                "hypothesis": hypotheses[index],
                "score": corpus.scores[index],
                "matched": corpus.segments[index].matched,
                "total": corpus.segments[index].total,
            }
            for name, hypotheses, corpus in zip(
                texts.names, texts.systems, outcome.corpora, strict=True
            )
        ]
        segment = {
            "segment": index + 1,
            "references": texts.references[index],
            "systems": systems,
            "groups": {name: column[index] for name, column in texts.groups},
            "repairs": outcome.report.repairs,
        }
        lines.append(json.dumps(segment))
    return "".join(f"{line}\n" for line in lines)


def _of_outcome(form: OutputFormat[EvaluatedFiles, str]) -> OutputFormat[CorpusResult, str]:
    def render(outcome: CorpusResult) -> str:
        """Render the result with the outcome and the findings of the check-up, after one."""
        notes = []
        if outcome.check_up is not None:
            notes = [f"Check-up: {status_text(outcome.check_up, outcome.texts.size)}"]
            notes += [finding_text(item.finding) for item in outcome.check_up]
        return form.render(EvaluatedFiles(outcome.evaluation, outcome.convention, notes))

    return OutputFormat(form.label, form.extension, form.media_type, render)


CORPUS_FORMATS: Final[dict[str, OutputFormat[CorpusResult, str]]] = {
    **{name: _of_outcome(form) for name, form in FILE_FORMATS.items() if form.label},
    "csv": OutputFormat("Segments as CSV", "csv", "text/csv", segments_csv),
    "jsonl": OutputFormat("Segments as JSON lines", "jsonl", "application/jsonl", segments_jsonl),
}
"""The export formats of a result, in menu order; the last two need the texts."""


def quotations_html(outcome: CorpusResult) -> str:
    """Return what a paper quotes of the result, each with a button that copies it."""
    parts = []
    for name, label in QUOTED.items():
        lines = CORPUS_FORMATS[name].render(outcome).strip().splitlines()
        # The comment has the signature, which the sentence has, too.
        text = escape("\n".join(line for line in lines if not line.startswith("%")))
        spoken = f'<span class="spoken">: {escape(CORPUS_FORMATS[name].label)}</span>'
        parts.append(
            f'<div><dt>{label}</dt><dd><code translate="no">{text}</code>'
            f"{button(f'corpus-copy:{name}', f'Copy{spoken}')}</dd></div>"
        )
    return f'<dl class="quotations">{"".join(parts)}</dl>'
