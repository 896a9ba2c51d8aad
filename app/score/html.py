"""The result and the marked texts as HTML; the build and the browser both run this code."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from html import escape
from typing import Final

from app.components import (
    COMMON_ORDER,
    TOKENIZER_LABELS,
    button,
    explain_button,
    missing_text_html,
    product_html,
    score_in_bar,
)
from app.state.form import PageMarkup, PageSnapshot, StepsMarkup, departures, form_derivation
from app.state.inputs import (
    HIDDEN_SCORE,
    Inputs,
    apply_action,
    input_notes,
    model_label,
    scored_references,
    todo_text,
)
from bleu.analysis.comparison import segment_caveats
from bleu.analysis.diagnosis import findings
from bleu.analysis.zero import ALMOST_ZERO, diagnose_zero, script_tokenizer
from bleu.checkup.finding import Finding
from bleu.core.api import Derivation
from bleu.core.conventions import get_convention
from bleu.core.score import compute
from bleu.core.settings import MAX_ORDER
from bleu.core.statistics import truncate_orders
from bleu.document.blocks import Document, Step, Summary
from bleu.explanation.comparison import difference_text
from bleu.explanation.matches import marked_texts
from bleu.explanation.phrases import english_list, escape_invisible
from bleu.explanation.summary import reading, remedy_name, zero_paragraph
from bleu.formats import ExplainedScore
from bleu.render import html, text
from bleu.render.html import prose
from bleu.render.numbers import both_scales, number_text, score_text

SENTENCE_CONVENTION: Final = "sacrebleu-sentence"
"""The convention that is recommended if a score is 0: the usual choice for single sentences."""
FIGURES: Final = {"brevity-penalty": "brevity-figure", "score": "contributions-figure"}
"""The names of the figures by the steps that they belong to; the formula is a figure, too."""
PIN_HINT: Final = "Change a text or a setting to see how the score changes."
"""What to do after pinning a result."""

_SHOW_SCORE: Final = f'<p class="buttons">{button("reveal", "Show the score")}</p>'


def build_snapshot(inputs: Inputs) -> PageSnapshot:
    """Compute everything that the page shows of a form.

    Raises ValueError if the settings are invalid or give the texts no score.

    >>> list(build_snapshot(Inputs("a b", ("a b",), max_order="1")).view.steps.by_anchor)
    ['tokens', 'precision-1', 'brevity-penalty', 'score', 'cross-check']
    """
    derivation = form_derivation(inputs)
    score = ExplainedScore(derivation, inputs.lang)
    if todo := todo_text(inputs):
        heading = '<div class="headline"><h2 id="result-title">No score yet</h2></div>'
        line, request = f"No score yet. {todo}", missing_text_html(todo)
        reveal = _SHOW_SCORE if todo == HIDDEN_SCORE else ""
        steps = StepsMarkup(f'<nav aria-label="Steps">{request}</nav>', {})
        view = PageMarkup(heading + request + reveal, line, spoken=line, render_steps=lambda: steps)
        return PageSnapshot(inputs, score, view, todo)
    view = PageMarkup(
        result=html.with_language(_result(inputs, derivation, score.outline), inputs.lang),
        line=text.one_line(score.outline.summary),
        spoken=_spoken(derivation),
        render_steps=lambda: _steps_markup(score),
    )
    return PageSnapshot(inputs, score, view)


def _steps_markup(score: ExplainedScore) -> StepsMarkup:
    document = score.document
    by_anchor = {
        step.anchor: html.with_language(
            html.step(step, end=step_figure(document, step.anchor) + _code_fold(step)),
            score.language,
        )
        for step in document.steps
    }
    return StepsMarkup(html.contents(document), by_anchor)


def step_figure(document: Document, anchor: str, prefix: str = "") -> str:
    """Return the figure of a step, or ""; `prefix` keeps the ids of a second one unique."""
    return "".join(
        html.figure(replace(figure, name=f"{prefix}{figure.name}"))
        for figure in document.figures
        if figure.name == FIGURES.get(anchor)
    )


def _result(inputs: Inputs, derivation: Derivation, document: Document) -> str:
    """Return the score, its reading, its factors and its settings; notes come last."""
    summary, product = document.summary, document.product
    remark, zero_note = summary.interpretation, _zero_note(inputs, derivation)
    listed = findings(inputs.hypothesis, scored_references(inputs), derivation)
    if zero_note and not any(derivation.score.matched) and script_tokenizer(derivation):
        listed = tuple(finding for finding in listed if finding.name != "script")  # Said there.
    return (
        _headline(summary)
        + (product_html(product) if product else "")
        + '<section id="station" aria-label="Explanation" hidden></section>'
        + (zero_note or _sentence(derivation))
        + _findings_fold(listed)
        + html.signature("Signature", summary.signature)
        + (f'<p class="interpretation">{html.spans(remark.spans)}</p>' if remark else "")
        + "".join(f'<p class="note">{html.prose(note)}</p>' for note in input_notes(inputs))
        + _convention_note(inputs, derivation)
    )


def _headline(summary: Summary) -> str:
    """Return the score on both scales, and the buttons that explain it in place."""
    score_100, (_, score_1) = score_text(summary.value), both_scales(summary.value)
    named = f' aria-label="{score_100}: how it is computed"'
    return (
        f'<div class="headline"><h2 id="result-title">{html.prose(summary.name)}</h2>'
        f'<output id="score" aria-live="off" data-value="{summary.value!r}">'
        f"{explain_button('score', f'<b>{html.prose(score_100)}</b>', named)} "
        f'<span class="whole">or <bdi>{html.prose(score_1)}</bdi></span></output> '
        '<div class="tour">'
        + explain_button("precision-1", "Explain this score", ' id="tour"')
        + f'<p class="checked">{explain_button("score", "logarithms and product agree")}</p>'
        "</div></div>"
    )


def _sentence(derivation: Derivation) -> str:
    """Return the sentence that reads the score, or "" for a score of 0, which has a reason."""
    if diagnose_zero(derivation):
        return ""
    parts = (
        f'<span data-factor="{part.anchor}">{html.spans(part.spans)}</span>'
        if part.anchor
        else html.spans(part.spans)
        for part in reading(derivation)
    )
    return f'<p class="sentence">{"".join(parts)}</p>'


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
        difference = difference_text(inputs.convention, derivation.settings)
        sentences = [
            f"<strong>{title}</strong>: {html.prose(difference)}",
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


def _findings_fold(listed: Sequence[Finding]) -> str:
    """Return the findings as one line, the first, which unfolds to all with their remedies."""
    items = ""
    for index, finding in enumerate(listed):
        message = html.prose(escape_invisible(finding.message))
        remedy = _apply_button(finding.action, finding.label) if finding.action else ""
        # A translator leaves the name as it is.
        name = f' data-name="{escape(escape_invisible(finding.message))}"'
        summary = f"<summary{name}>{message}</summary>"
        items += f"<p>{message} {remedy}</p>" if index else f"{summary}{remedy}"
    return f'<details class="findings" id="findings">{items}</details>' if items else ""


def _apply_button(action: str, label: str) -> str:
    return button(f"apply:{escape(action)}", escape(label), ' class="action"')


def _zero_note(inputs: Inputs, derivation: Derivation) -> str:
    """Return why the score is 0, the recommended remedy and the others, or "" if it is not 0."""
    diagnosis = diagnose_zero(derivation)
    if diagnosis is None:
        return ""
    question, cause, *details = zero_paragraph(diagnosis, derivation).spans
    items = ""
    for remedy in diagnosis.remedies:
        if remedy.setting != "sentence":
            action = f"{remedy.setting}:{getattr(remedy.settings, remedy.setting)}"
            name = remedy_name(remedy, nltk=bool(diagnosis.value))
            items += (
                f"<li><b>{score_text(remedy.value)}</b> with {_apply_button(action, name)}</li>"
            )
    more = f"<p>{html.spans(details)}</p>" * bool(details) + f"<ul>{items}</ul>" * bool(items)
    buttons = (
        f'<details id="other-ways"><summary>Other ways</summary>{more}</details>' if more else ""
    )
    action, label = f"convention:{SENTENCE_CONVENTION}", "Score like sacreBLEU"
    if tokenizer := script_tokenizer(derivation):
        action, label = f"{action}+{tokenizer}", f"Tokenizer {tokenizer}, the rest like sacreBLEU"
    score = form_derivation(apply_action(inputs, action)).score.value
    if score >= ALMOST_ZERO:
        primary = button(f"apply:{action}", f"{label}: {score_text(score)}", ' class="first"')
        buttons = primary + buttons
    return (
        f'<div class="why-zero" id="why-0"><p>{html.spans([question, cause])}</p>'
        f'<div class="buttons">{buttons}</div></div>'
    )


def score_bar(snapshot: PageSnapshot) -> str:
    """Return the score for the bar at the top, or a dash if a text is missing.

    >>> score_bar(build_snapshot(Inputs("a b c d", ("a b c d",))))
    '<span>BLEU</span> <b>100.00</b>'
    >>> score_bar(build_snapshot(Inputs()))
    '<span>BLEU</span> <b>–</b>'
    """
    return score_in_bar(None if snapshot.todo else snapshot.derivation.score)


def order_scores(inputs: Inputs) -> list[str]:
    """Return BLEU-1 to BLEU-9, with "" for those above both 4 and the form’s N, or without score.

    Weights, which are for one N, leave only the score of that N.

    >>> order_scores(Inputs("the cat is on mat", ("the cat is on the mat",)))[:4]
    ['81.87', '70.90', '64.98', '57.89']
    """
    scores = [""] * MAX_ORDER
    if not todo_text(inputs):
        order = int(inputs.max_order)
        size = order if inputs.weights.strip() else max(order, COMMON_ORDER)
        derivation = form_derivation(replace(inputs, max_order=str(size)))
        for n in (order,) if inputs.weights.strip() else range(1, size + 1):
            with suppress(ValueError):  # A smoothing may need a larger N.
                settings = replace(derivation.settings, max_order=n)
                score = compute(truncate_orders(derivation.statistics, n), settings)
                scores[n - 1] = score_text(score.value)
    return scores


def settings_line(inputs: Inputs) -> str:
    """Return the settings in one line, from which they unfold on a phone.

    >>> settings_line(Inputs(smoothing="floor", lowercase=True))
    '<bdi class="whole">BLEU-4</bdi> · floor · white space · lowercase'
    """
    tokenizer = TOKENIZER_LABELS.get(inputs.tokenizer) or model_label(inputs.tokenizer)
    smoothing = "no smoothing" if inputs.smoothing == "none" else inputs.smoothing
    parts = [f"BLEU-{inputs.max_order}", smoothing, tokenizer.partition(" (")[0]]
    parts += ["lowercase"] * inputs.lowercase
    return prose(" · ".join(parts))


def matches_html(derivation: Derivation, order: str) -> str:
    """Return the texts with the matches of an order marked, or of the highest if it is higher.

    >>> from bleu import derive
    >>> matches_html(derive("a b", ["a b"], max_order=2), "2").count('class="marked"')
    2
    """
    marked_order = min(int(order), len(derivation.orders))
    texts = "".join(map(html.marked_text, marked_texts(derivation, marked_order)))
    return f'<div data-order="{marked_order}">{texts}</div>'


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
