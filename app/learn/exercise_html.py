"""The HTML of one exercise: its form, buttons, feedback and solution."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from html import escape
from typing import Final

from app.components import button
from app.learn.attempt import MAX_HINT_LEVEL, Attempt
from bleu.document.blocks import Step, Table
from bleu.explanation.exercises import (
    TOPIC_TITLES,
    exercise_document,
    exercise_step,
    exercise_texts,
    hint_spans,
    ranking_table,
    tokenization_text,
)
from bleu.explanation.phrases import english_list
from bleu.learn.exercise import Exercise
from bleu.learn.grading import NOT_RIGHT, answer_key, grade, where_to_look, worked_example
from bleu.learn.kinds.calculation import worked_exercise
from bleu.learn.kinds.kind import quantity_fields
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.render import html

EXPLANATIONS: Final = {
    "tokens": ("how-tokens", "Tokens"),
    "precision": ("how-precision", "Modified precision"),
    "brevity-penalty": ("how-brevity", "Brevity penalty"),
    "score": ("how-score", "Combination"),
    "sums": ("corpus", "A corpus"),
    "precisions": ("corpus", "A corpus"),
}
"""By a step's anchor without its n-gram order: the id and title of the section that explains it."""


def exercise_html(attempt: Attempt, title: str = "", intro_html: str = "") -> str:
    """Return an exercise as a form: prompt, texts and blanks.

    An empty `title` means the topic's title. `intro_html` stands between title and prompt.
    """
    exercise = attempt.exercise
    heading = escape(title or TOPIC_TITLES[exercise.topic])
    prompt, *blocks = map(html.block, without_ngram_keys(exercise_step(exercise)).blocks)
    count = len(exercise_texts(exercise))
    texts, questions = "".join(blocks[:count]), "".join(blocks[count:])
    if texts:
        stays = ' class="stays"' if len(exercise.fields) > 3 else ""  # in sight on a phone
        texts = f'<div id="exercise-texts"{stays}>{texts}</div>'
    live = ""
    if exercise.names == ("text",):
        bars = '<div id="learn-bars" class="product" aria-hidden="true"></div>'
        live = f'{bars}<p id="learn-live" role="status"></p>'
    return (
        '<form id="exercise" class="step" autocomplete="off" aria-labelledby="exercise-title">'
        f'<h3 id="exercise-title" tabindex="-1">{heading}</h3>{intro_html}'
        f"{prompt}{texts}{questions}{live}</form>"
    )


def tokenization_note_html(exercise: Exercise) -> str:
    """Return a note on the tokenization, or "" if the exercise needs none.

    >>> from app.learn.attempt import PracticeProgress, next_exercise
    >>> tokenization_note_html(next_exercise(PracticeProgress(), ("clipping",), "1"))
    '<p class="hint">Texts are split at white space only; capital and small letters differ.</p>'
    """
    if exercise.topic == "trust":
        return ""
    return f'<p class="hint">{tokenization_text([exercise])}.</p>'


def action_button(command: str, label: str, continue_id: str = "") -> str:
    """Return a button below an exercise; with a `continue_id` as its id, it is the main button.

    >>> action_button("hint", "A hint")
    '<button type="button" data-command="learn:hint" id="learn-hint-button">A hint</button>'
    """
    button_id = continue_id or f"learn-{command}-button"
    css_class = ' class="first"' if continue_id else ""
    return button(f"learn:{command}", label, f' id="{button_id}"{css_class}')


def answer_buttons(attempt: Attempt) -> list[str]:
    """Return the buttons to submit answers and to get help; none if the attempt is done."""
    if attempt.done:
        return []
    submit = '<button type="submit" form="exercise" class="first">Check answer</button>'
    if attempt.exercise.is_choice:
        return [submit]
    if attempt.hint_level < MAX_HINT_LEVEL:
        return [submit, action_button("hint", "A hint")]
    return [submit, action_button("solution", "Show the answers")]


def without_ngram_keys(step: Step) -> Step:
    """Return the step without n-gram keys, which would highlight n-grams in the Score view."""
    blocks = (
        replace(block, rows=tuple(replace(row, key="") for row in block.rows))
        if isinstance(block, Table)
        else block
        for block in step.blocks
    )
    return replace(step, blocks=tuple(blocks))


def feedback_html(attempt: Attempt) -> str:
    """Return the feedback on the last submission, and the hints given so far."""
    if attempt.unreadable:
        parts = _unreadable_html(attempt)
    elif attempt.grade:
        parts = [_verdict_html(attempt)]
    elif attempt.gave_up:
        parts = [_answers_html(attempt.exercise, attempt.exercise.names)]
    elif attempt.hint_level >= 2 and not attempt.empty:  # There is a hint, but no answer.
        parts = []
    else:
        chooses = attempt.exercise.is_choice or attempt.exercise.names == ("words",)
        request = "Choose an answer" if chooses else "Fill in an answer"
        parts = [f"<p>{request} first, then press “Check answer”.</p>"]
    if attempt.hint_level >= 2 and not attempt.done:
        exercise, name = attempt.exercise, _first_unsolved(attempt)
        hints = (("Hint", where_to_look), ("Worked out", worked_example))
        for label, hint in hints[: attempt.hint_level - 1]:
            spans = hint_spans(exercise, hint(exercise, name))
            parts.append(f"<p><b>{label}:</b> {html.spans(spans)}</p>")
    return "".join([*parts, _retry_html(attempt)])


def _answers_html(exercise: Exercise, names: Collection[str]) -> str:
    """Return the answers to the named fields; fields with the same answer share a paragraph."""
    labels_by_answer: dict[str, list[str]] = {}
    for field in exercise.fields:
        if field.name in names:
            answer = _answer_sentence(exercise, field.name)
            labels_by_answer.setdefault(answer, []).append(field.label)
    return "".join(
        f"<p>{_subject(exercise, labels)}{html.prose(answer)}</p>"
        for answer, labels in labels_by_answer.items()
    )


def _subject(exercise: Exercise, labels: Sequence[str]) -> str:
    """Return labels of fields to begin a sentence, or "" if the exercise has only one field."""
    if len(exercise.fields) == 1:
        return ""
    names = [labels[0][0].upper() + labels[0][1:], *labels[1:]]
    return f"{html.prose(english_list([f'“{name}”' for name in names] if names[1:] else names))}: "


def _unreadable_html(attempt: Attempt) -> list[str]:
    """Return a paragraph for each unreadable answer on how to correct it."""
    labels = {field.name: field.label for field in attempt.exercise.fields}
    parts = []
    for verdict in attempt.unreadable:
        subject = _subject(attempt.exercise, [labels[verdict.name]])
        parts.append(f"<p>{subject}{html.prose(verdict.message)}</p>")
    retry = (
        "Then press “Check answer” again. Nothing was checked, and this does not count as a try."
    )
    return [*parts, f"<p>{retry}</p>"]


def _retry_html(attempt: Attempt) -> str:
    """Return the request to correct wrong answers, or "" if there are none to correct."""
    wrong_count = sum(verdict.status == "wrong" for verdict in attempt.verdicts)
    if attempt.done or attempt.unreadable or not wrong_count:
        return ""
    fields = "the fields marked ✗" if wrong_count > 1 else "the field marked ✗"
    target = {"words": "your marks", "text": "your text"}.get(attempt.exercise.names[0], fields)
    return f"<p>Correct {target} and press “Check answer” again, as often as you like.</p>"


def _first_unsolved(attempt: Attempt) -> str:
    """Return the name of the first field that is not right, or of the first if all are."""
    statuses = {verdict.name: verdict.status for verdict in attempt.verdicts}
    names = attempt.exercise.names
    unsolved = (name for name in names if statuses.get(name) not in {"right", "follows"})
    return next(unsolved, names[0])


def _verdict_html(attempt: Attempt) -> str:
    """Return what is right, wrong or missing in the last graded answers."""
    follows = any(verdict.status == "follows" for verdict in attempt.verdicts)
    if attempt.right:
        text = " All of it agrees with the numbers that you went on with." if follows else ""
        return f'<p><b class="is-right">Right.</b>{text}{_explanation_html(attempt.exercise)}</p>'
    labels = {field.name: field.label for field in attempt.exercise.fields}
    parts = _wrong_answers_html(attempt, labels)
    if follows:
        parts.append("<p>(✓) is right with your own numbers from before.</p>")
    missing = [verdict.name for verdict in attempt.verdicts if verdict.status == "missing"]
    if missing and attempt.gave_up:
        parts.append(_answers_html(attempt.exercise, missing))
    elif missing and not attempt.done:
        missing_labels = english_list([labels[name] for name in missing])
        parts.append(f"<p>Still to fill in: {html.prose(missing_labels)}.</p>")
    return "".join(parts)


def _wrong_answers_html(attempt: Attempt, labels: dict[str, str]) -> list[str]:
    """Return a paragraph for each message; wrong fields with the same message share one."""
    labels_by_message: dict[str, list[str]] = {}
    for verdict in attempt.verdicts:
        if verdict.status == "wrong":
            message = "" if verdict.message == NOT_RIGHT else verdict.message
            if attempt.gave_up or (attempt.done and not message):
                message = f"{message} {_answer_sentence(attempt.exercise, verdict.name)}".strip()
            labels_by_message.setdefault(message, []).append(labels[verdict.name])
    parts = []
    for message, wrong_labels in labels_by_message.items():
        if message:
            parts.append(f"{_subject(attempt.exercise, wrong_labels)}{html.prose(message)}")
        elif len(labels) > 1:
            pronoun = "these" if len(wrong_labels) > 1 else "this"
            listed = html.prose(english_list(wrong_labels))
            parts.append(f"Check {pronoun} again: {listed}.")
        else:
            parts.append("Check your answer again.")
    if not parts:
        return []
    link = ""
    if "order" not in attempt.exercise.names:
        name = attempt.grade.misconception if attempt.grade else ""
        wrong = attempt.exercise.names.index(_first_unsolved(attempt))
        anchor = (MISCONCEPTIONS[name] if name else attempt.exercise.fields[wrong]).anchor
        link = f" {explanation_link(anchor)}"
    lead = '<b class="is-wrong">Not quite.</b>'
    if len(parts) == 1:
        return [f"<p>{lead} {parts[0]}{link}</p>"]
    items = "".join(f"<li>{part}</li>" for part in parts)
    return [f"<p>{lead} {len(parts)} things to look at:{link}</p><ul>{items}</ul>"]


def _explanation_html(exercise: Exercise) -> str:
    """Return how the right answer to the only field comes about, or "" if nothing says so."""
    names, field = exercise.names, exercise.fields[0]
    if exercise.topic == "trust":
        rule = exercise.target.rule
        return f" {html.prose(f'{rule[0].upper()}{rule[1:]}.')}"
    if len(names) > 1 or not (field.is_quantity or field.name == "words"):
        return ""
    kind, _, n = field.name.partition("-")
    if kind == "p" and not exercise.given:
        names = (f"matched-{n}", f"total-{n}", field.name)
        exercise = replace(exercise, fields=quantity_fields(exercise.task, names))
    worked = [worked_example(exercise, name) for name in names]
    if kind == "p":
        worked[-1] = f"p{'₀₁₂₃₄'[int(n)]} = {worked[-1]}"
    text = " ".join(sentence for sentence in worked if not sentence.startswith("The answer is"))
    return f" {html.spans(hint_spans(exercise, text))}" if text else ""


def _answer_sentence(exercise: Exercise, name: str) -> str:
    answer = answer_key(exercise)[name]
    if name == "order":
        return f"BLEU ranks them {', '.join(answer)}."
    if name == "words":
        grams = (exercise.marked_grams[int(position) - 1] for position in answer.split())
        answer = english_list([f"“{' '.join(gram)}”" for gram in grams])
    elif not exercise.fields[0].is_quantity:
        answer = f"“{answer}”"
    return f"{'One answer' if name == 'text' else 'The answer'} is {answer}."


def explanation_link(anchor: str) -> str:
    """Return a link to the section of the page that explains a step.

    >>> explanation_link("precision-2")
    '<a href="#how-precision">How it works: Modified precision</a>'
    """
    kind = anchor if anchor in EXPLANATIONS else anchor.rpartition("-")[0]
    section, title = EXPLANATIONS[kind]
    return f'<a href="#{section}">How it works: {title}</a>'


def solution_html(attempt: Attempt) -> str:
    """Return the solution: the meaning of each choice, and the steps with numbers."""
    exercise = attempt.exercise
    if "order" in exercise.names:
        return html.block(ranking_table(exercise))
    is_number_choice = exercise.is_choice and exercise.fields[0].is_quantity
    parts = [_choices_html(attempt)] if is_number_choice else []
    if exercise.topic == "trust" and attempt.gave_up:
        parts.append(f"<p>{_explanation_html(exercise)}</p>")
    if exercise.names == ("line",):
        sentence = exercise.target.third_person_sentence
        line = html.prose(exercise.fields[0].answer)
        parts.append(f"<p>The first wrong line is <b>{line}</b>. {html.prose(sentence)}</p>")
    return "".join([*parts, _steps_html(attempt)])


def _choices_html(attempt: Attempt) -> str:
    """Return the options, each with the mistake that leads to it."""
    exercise = attempt.exercise
    [field] = exercise.fields
    items = []
    for option in field.options:
        [verdict] = grade(exercise, {field.name: option}).verdicts
        right = verdict.status == "right"
        chosen = attempt.answers.get(field.name) == option
        if right or verdict.misconceptions:
            text = verdict.message
        else:
            text = "No single mistake gives this."
        css_class = "is-right" if right else "is-wrong"
        prefix = "<i>Your answer.</i> " if chosen else ""
        explanation = "" if chosen or not right else _explanation_html(exercise)
        items.append(
            f'<li><b class="{css_class}">{html.prose(option)}</b> '
            f"<span>{prefix}{html.prose(text)}{explanation}</span></li>"
        )
    return (
        '<h4 id="choices-title">What each answer would mean</h4>'
        f'<ul class="choices" aria-labelledby="choices-title">{"".join(items)}</ul>'
    )


def _steps_html(attempt: Attempt) -> str:
    """Return the derivation steps that the exercise asks for, worked out on its texts."""
    exercise = attempt.exercise
    if exercise.topic == "trust" and exercise.fields[0].anchor == "score":
        return ""  # The claim is about systems, not about the numbers of a text.
    if exercise.names == ("text",) and attempt.answers.get("text"):
        task = replace(exercise.task, hypotheses=(attempt.answers["text"],))
        exercise = replace(exercise, task=task)
    anchors = {field.anchor for field in worked_exercise(exercise).fields}
    if exercise.names == ("words",):
        anchors = {f"precision-{exercise.marked_order}"}
    if anchors & {"precisions", "sums"}:
        anchors |= {"sums", "precisions"}
    body = "".join(
        html.step(without_ngram_keys(step), "learn-", linked=False)
        for step in exercise_document(exercise).steps
        if step.anchor in anchors
    )
    if not body:
        return ""
    return (
        f"<details{' open' if attempt.gave_up else ''}><summary>Worked out, step by step</summary>"
        f"<div>{body}</div></details>"
    )
