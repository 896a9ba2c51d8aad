"""The result and the marked texts as HTML; the build and the browser both run this code."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Final

from app.components.controls import SMOOTHING_LABELS, button, short_label, tokenizer_label
from app.components.text_boxes import missing_text_html
from app.state.form import departures, form_derivation
from app.state.inputs import Inputs, input_notes, scored_references, todo_text, with_convention
from app.state.models import is_model
from app.state.snapshot import PageMarkup, PageSnapshot
from bleu.analysis.comparison import segment_caveats
from bleu.analysis.diagnosis import findings
from bleu.analysis.finding import Finding
from bleu.analysis.zero import ALMOST_ZERO, diagnose_zero
from bleu.core.conventions import get_convention
from bleu.core.derivation import Derivation
from bleu.core.settings import MAX_ORDER
from bleu.document.blocks import Step, Summary
from bleu.document.writing import isolate
from bleu.explanation import explain
from bleu.explanation.matches import marked_texts
from bleu.explanation.phrases import english_list, escape_invisible
from bleu.explanation.zero import remedy_name, zero_paragraph
from bleu.metric.numerics import decimal
from bleu.render import html, text
from bleu.render.numbers import number_text, score_text

MAX_WIDTH: Final = 12
"""The largest width of a smoothed ratio in the table of precisions, in characters without “/”."""


def build_snapshot(inputs: Inputs) -> PageSnapshot:
    """Compute everything that the page shows of a form.

    Raises FormError or ValueError if the settings are invalid or give the texts no score.

    >>> build_snapshot(Inputs("a b", ("a b",), max_order="2")).view.steps[0][0]
    'tokens'
    """
    derivation = form_derivation(inputs)
    document = explain(derivation)
    if todo := todo_text(inputs):
        heading = '<div class="headline"><h2 id="result-title">No score yet</h2></div>'
        line = f"No score yet. {todo}"
        contents = f'<nav aria-label="Steps">{missing_text_html(todo)}</nav>'
        view = PageMarkup(heading + missing_text_html(todo), "", contents, (), line, line)
        return PageSnapshot(inputs, derivation, document, view, todo)
    view = PageMarkup(
        # Hints come last, so that none moves the score while somebody types.
        result=html.summary(_with_smoothed_counts(document.summary, derivation), remarks="")
        + _zero_note(inputs, derivation)
        + html.with_language(
            _findings_list(findings(inputs.hypothesis, scored_references(inputs), derivation)),
            inputs.lang,
        )
        + "".join(f'<p class="note">{html.prose(note)}</p>' for note in input_notes(inputs))
        + _convention_note(inputs, derivation),
        figures=html.figures(document),
        contents=html.contents(document),
        steps=tuple(
            (
                step.anchor,
                html.with_language(html.step(step, end=_code_fold(step)), inputs.lang),
            )
            for step in document.steps
        ),
        line=text.one_line(document.summary),
        spoken=_spoken(derivation),
    )
    return PageSnapshot(inputs, derivation, document, view)


def _code_fold(step: Step) -> str:
    """Return a closed fold for code, or "" for the cross-check, which is no part of the metric."""
    if step.anchor == "cross-check":
        return ""
    return (
        f'<details class="code" data-code="{step.anchor}">'
        f'<summary data-command="code:{step.anchor}">In Python'
        f'<span class="spoken">: {html.prose(step.title)}</span></summary><div></div></details>'
    )


def _spoken(derivation: Derivation) -> str:
    """Return the announcement of the score; a score of 0 comes with its reason."""
    score = derivation.score
    diagnosis = diagnose_zero(derivation)
    if diagnosis and not diagnosis.value:
        _question, *reason = zero_paragraph(diagnosis, derivation).spans
        return f"BLEU is 0.{text.spans(reason)}"
    return (
        f"BLEU is {score_text(score.value)} of 100, with a brevity penalty of "
        f"{number_text(score.brevity_penalty)}"
    )


def _with_smoothed_counts(summary: Summary, derivation: Derivation) -> Summary:
    """Return the summary with the smoothed counts beside the counts of each smoothed order."""
    rows = []
    for row, pair in zip(summary.table.rows, derivation.score.pairs, strict=True):
        if row.kind == "smoothed" and (smoothed := _short_ratio(*pair)):
            symbol, counts, value = row.cells
            row = replace(row, cells=(symbol, f"{counts}, smoothed {smoothed}", value), kind="")
        rows.append(row)
    return replace(summary, table=replace(summary.table, rows=tuple(rows)))


def _short_ratio(matched: Fraction | int, total: Fraction | int) -> str:
    """Return a ratio, or "" if it is too long for a table, or a count is not a finite decimal.

    >>> _short_ratio(Fraction(1, 2), 5), _short_ratio(Fraction(1, 3), 5)
    ('0.5/5', '')
    """
    numbers = [decimal(Fraction(number)) for number in (matched, total)]
    is_short = sum(map(len, numbers)) <= MAX_WIDTH and not any("/" in text for text in numbers)
    return "/".join(numbers) if is_short else ""


def _convention_note(inputs: Inputs, derivation: Derivation) -> str:
    """Return a note on the chosen convention, or "" for the default."""
    if inputs.convention == Inputs().convention:
        return ""
    convention = get_convention(inputs.convention)
    title, score = escape(convention.title), derivation.score.value
    if changed := departures(inputs.convention, derivation.settings):
        changes_html = html.prose(english_list(changed))
        sentences = [
            f"<strong>{title}, but {changes_html}</strong>. Without these changes, it may report "
            "another number."
        ]
    else:
        reported = number_text(score * convention.scale)
        sentences = [
            f"<strong>{title}</strong>: {html.prose(convention.difference)}",
            f"It reports {reported}, on a scale of 0 to {convention.scale}.",
        ]
        if issues := segment_caveats(convention, derivation):
            sentences.append(f"<strong>Caution</strong>: {html.prose(' '.join(issues))}")
    if 0 < score < ALMOST_ZERO and diagnose_zero(derivation) is None:
        sentences.append(f"Here {number_text(score)} on the 0–1 scale stands for 0.")
    if convention.single_precision:
        sentences.append("It rounds to single precision, so digits after the sixth may differ.")
    sentences.append('<a href="#comparison">Compare with other tools</a>')
    return f'<p class="note convention">{" ".join(sentences)}</p>'


def _findings_list(listed: Sequence[Finding]) -> str:
    items = ""
    for finding in listed:
        remedy = f" {_apply_button(finding.action, finding.label)}" if finding.action else ""
        items += f"<li>{html.prose(escape_invisible(finding.message))}{remedy}</li>"
    return f'<ul class="note findings">{items}</ul>' if items else ""


def _apply_button(action: str, label: str) -> str:
    return button(f"apply:{escape(action)}", escape(label), ' class="action"')


def _zero_note(inputs: Inputs, derivation: Derivation) -> str:
    """Return why the score is 0, with a button for each remedy, or "" if it is not 0."""
    diagnosis = diagnose_zero(derivation)
    if diagnosis is None:
        return ""
    items = ""
    for remedy in diagnosis.remedies:
        action = f"{remedy.setting}:{getattr(remedy.settings, remedy.setting)}"
        name = remedy_name(remedy, nltk=bool(diagnosis.value))
        items += f"<li><b>{score_text(remedy.value)}</b> with {_apply_button(action, name)}</li>"
    remedies = f"<p>On the 0–100 scale, the score would be</p><ul>{items}</ul>" if items else ""
    question, *reason = zero_paragraph(diagnosis, derivation).spans
    other = _sacrebleu_sentence(inputs) if diagnosis.value else ""
    return (
        '<details class="note why-zero" id="why-0" open>'
        f"<summary>{html.span(question)}</summary>"
        f"<div><p>{html.spans(reason)}</p>{other}{remedies}</div></details>"
    )


def _sacrebleu_sentence(inputs: Inputs) -> str:
    """Return a sentence with sacreBLEU's score for the same texts, and why it differs."""
    other = form_derivation(with_convention(inputs, "sacrebleu"))
    differences = ["it smooths orders without a match (exp)"]
    if other.hypothesis != form_derivation(inputs).hypothesis:
        differences.insert(0, "it splits punctuation from words (13a)")
    return (
        f"<p>sacreBLEU prints <strong>{score_text(other.score.value)}</strong> for the same texts, "
        f"because {english_list(differences)}. "
        '<a href="#comparison" data-command="row:sacrebleu">See its row</a></p>'
    )


def score_bar(snapshot: PageSnapshot) -> str:
    """Return the score for the bar at the top, or a dash if a text is missing.

    >>> score_bar(build_snapshot(Inputs("a b c d", ("a b c d",))))
    '<span>BLEU</span> <b>100.00</b>'
    >>> score_bar(build_snapshot(Inputs()))
    '<span>BLEU</span> <b>–</b>'
    """
    score = "–" if snapshot.todo else score_text(snapshot.derivation.score.value)
    return f"<span>BLEU</span> <b>{score}</b>"


def settings_line(inputs: Inputs) -> str:
    """Return the settings of the form as one line; most are named only if not at their default.

    Invisible characters, which a person can paste into the fields for numbers, are escaped.

    >>> settings_line(Inputs())
    'white space · N = 4 · no smoothing'
    >>> settings_line(Inputs(convention="sacrebleu", tokenizer="13a", smoothing="exp"))
    'sacreBLEU corpus_bleu · 13a · N = 4 · smoothing exp'
    >>> settings_line(Inputs(weights="1\\u202e"))
    'white space · N = 4 · no smoothing · weights \u20681⟨U+202E⟩\u2069'
    """
    smoothing = "no smoothing"
    if inputs.smoothing != "none":
        value = escape_invisible(inputs.smoothing_value.strip())
        name = short_label(SMOOTHING_LABELS[inputs.smoothing])
        smoothing = f"smoothing {name}{f' ({isolate(value)})' if value else ''}"
    weights = escape_invisible(inputs.weights.strip())
    tokenizer = short_label(tokenizer_label(inputs.tokenizer))
    phrases = (
        get_convention(inputs.convention).title if inputs.convention != Inputs().convention else "",
        isolate(tokenizer) if is_model(inputs.tokenizer) else tokenizer,
        f"N = {inputs.max_order}",
        smoothing,
        "lowercased" if inputs.lowercase else "",
        f"weights {isolate(weights)}" if weights else "",
        "effective order" if inputs.effective_order else "",
        f"r {inputs.reference_length}" if inputs.reference_length != "closest" else "",
    )
    return " · ".join(filter(None, phrases))


def order_choices(marked: str, max_order: int) -> str:
    """Return the radio buttons for the order whose matches are marked; higher orders are hidden.

    >>> choices = order_choices("1", 4)
    >>> choices.count("<input"), choices.count(" checked"), choices.count(" hidden")
    (10, 1, 5)
    """
    labels = {str(n): f"{n}-grams" for n in range(1, MAX_ORDER + 1)} | {"0": "all orders"}
    return "".join(
        f"<label{' hidden' if int(n) > max_order else ''}>"
        f'<input type="radio" name="order" value="{n}"'
        f"{' checked' if n == marked else ''}> {label}</label>"
        for n, label in labels.items()
    )


def matches_html(derivation: Derivation, order: str) -> str:
    """Return the texts with the matches of an order marked, or of the highest if it is higher.

    >>> from bleu import derive
    >>> matches_html(derive("a b", ["a b"], max_order=2), "2").count('class="marked"')
    2
    """
    marked_order = min(int(order), len(derivation.orders))
    texts = "".join(map(html.marked_text, marked_texts(derivation, marked_order)))
    return f'<div class="lanes-{marked_order}" data-order="{marked_order}">{texts}</div>'


PIN_HINT: Final = "Change a text or a setting to see how the score changes."
"""What to do after pinning a result."""


def pinned_text(pinned: Derivation, current: Derivation | None) -> str:
    """Return the pinned score and the change since then; `current` is None without a score.

    >>> from bleu import derive
    >>> pinned_text(derive("a b c d", ["a b c d"]), derive("a b c", ["a b c d"]))
    'Pinned: <b><bdi>100.00 → 0.00</bdi></b> (<bdi>−100.00</bdi>)'
    """
    score = score_text(pinned.score.value)
    if current is None:
        return f"Pinned: <b>{score}</b>."
    if current == pinned:
        return f"Pinned: <b>{score}</b>. {PIN_HINT}"
    new_score = score_text(current.score.value)
    difference = score_text(current.score.value - pinned.score.value, difference=True)
    return f"Pinned: <b>{html.prose(f'{score} → {new_score}')}</b> ({html.prose(difference)})"


def pinned_spoken(pinned: Derivation, current: Derivation) -> str:
    """Return the difference from the pinned score as an announcement, or "" without a change.

    >>> from bleu import derive
    >>> pinned_spoken(derive("a b c d", ["a b c d"]), derive("a b c", ["a b c d"]))
    '; 100.00 below the pinned score of 100.00'
    """
    if pinned == current:
        return ""
    score, new_score = pinned.score.value, current.score.value
    side = "below" if new_score < score else "above"
    return f"; {score_text(abs(new_score - score))} {side} the pinned score of {score_text(score)}"
