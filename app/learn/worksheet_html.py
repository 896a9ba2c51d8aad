"""The HTML of worksheets; `<template>` elements in index.html hold the teacher's form."""

from collections.abc import Mapping, Sequence
from html import escape

from app.components import button
from app.learn.exercise_html import without_ngram_keys
from app.learn.worksheet_answers import grade_sheet
from app.learn.worksheet_spec import MAX_TEXT_CHARACTERS, WorksheetSpec, texts_as_lines
from bleu.document.writing import isolate
from bleu.explanation.exercises import TOPIC_TITLES, exercise_step, solution_step, worksheet
from bleu.learn.exercise import Exercise
from bleu.render import html


def worksheet_html(
    spec: WorksheetSpec,
    exercises: Sequence[Exercise],
    *,
    solved: bool,
    teaching: bool,
    notice: str = "",
) -> str:
    """Return a worksheet as a form, or its solutions; if `teaching`, with controls to change it."""
    own_texts = dict(spec.texts)
    steps = []
    for index, exercise in enumerate(exercises):
        controls = _teacher_controls(index, exercise, own_texts.get(index, "")) if teaching else ""
        markup = _exercise_html(exercise, solved=solved)
        steps.append(markup.removesuffix("</section>") + f"{controls}</section>")
    name = (
        ""
        if teaching or solved
        else '<p class="sheet-name"><label for="sheet-name">Your name</label> '
        '<input type="text" id="sheet-name" dir="auto" autocomplete="off"></p>'
    )
    intro = "".join(map(html.block, worksheet(exercises).intro))
    note = f'<p class="note">{html.prose(notice)}</p>' if notice else ""
    return (
        f'<form id="exercise" class="sheet{" solved" if solved else ""}" autocomplete="off" '
        'aria-labelledby="exercise-title">'
        f'<h3 id="exercise-title" tabindex="-1">{html.prose(heading(spec, solved=solved))}</h3>'
        f"{note}{intro}{name}{''.join(steps)}</form>"
    )


def item_html(exercise: Exercise, *, solved: bool) -> str:
    """Return one exercise of a worksheet, or its solution, to present."""
    markup = _exercise_html(exercise, solved=solved)
    return f'<form id="exercise" class="sheet" autocomplete="off">{markup}</form>'


def _exercise_html(exercise: Exercise, *, solved: bool) -> str:
    step = solution_step(exercise) if solved else exercise_step(exercise)
    return html.step(without_ngram_keys(step), linked=False)


def _teacher_controls(index: int, exercise: Exercise, own_texts: str) -> str:
    """Return the controls to replace an exercise and, unless it is a claim, to edit its texts."""
    spoken = f'<span class="spoken"> of exercise {index + 1}</span>'
    label = f'Another one<span class="spoken"> in the place of exercise {index + 1}</span>'
    another = button(f"learn:another {index}", label, ' class="choice"')
    if exercise.topic == "trust":
        return f'<div class="another">{another}</div>'
    buttons = button(f"learn:rewrite {index}", f"Use these{spoken}")
    if own_texts:
        buttons += button(f"learn:as-found {index}", f"Back to the texts found{spoken}")
    return (
        f'<div class="another">{another}'
        f'<details id="rewrite-{index}"><summary>Edit the texts{spoken}</summary>'
        f'<label for="texts-{index}"><span class="spoken">Exercise {index + 1}: </span>'
        "A candidate, and below it its references, a line each; an empty line before the next "
        "candidate</label>"
        f'<textarea id="texts-{index}" rows="4" spellcheck="false" autocomplete="off" dir="auto" '
        f'translate="no" maxlength="{MAX_TEXT_CHARACTERS}">'
        f"{escape(own_texts or texts_as_lines(exercise))}</textarea>"
        f'<p role="alert" class="alert" id="texts-{index}-error"></p>'
        f'<p class="buttons">{buttons}</p></details></div>'
    )


def heading(spec: WorksheetSpec, *, solved: bool = False) -> str:
    """Return the heading of a worksheet.

    >>> heading(WorksheetSpec("7k2q"), solved=True)
    'BLEU, worksheet \u20687k2q\u2069, variant A: solutions'
    """
    suffix = ": solutions" if solved else ""
    return f"BLEU, worksheet {isolate(spec.seed)}, variant {spec.variant}{suffix}"


def worksheet_feedback(exercises: Sequence[Exercise], answers: Mapping[str, str]) -> str:
    """Return the number of right exercises, and the messages of the others, as HTML."""
    items, right_count = [], 0
    for exercise, graded in zip(exercises, grade_sheet(exercises, answers), strict=True):
        right_count += graded.right
        messages = [
            verdict.message
            for verdict in graded.verdicts
            if verdict.status in {"wrong", "unreadable"}
        ]
        if graded.is_blank:
            messages = ["There is no answer yet."]
        title = escape(f"{exercise.number + 1}. {TOPIC_TITLES[exercise.topic]}")
        items += [
            f"<li><b>{title}</b> {html.prose(message)}</li>" for message in dict.fromkeys(messages)
        ]
    listed = f'<ul class="choices">{"".join(items)}</ul>' if items else ""
    return f"<p>{right_count} of {len(exercises)} are right.</p>{listed}"
