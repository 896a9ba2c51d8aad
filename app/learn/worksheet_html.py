"""The HTML of worksheets and of the form that specifies them."""

from collections.abc import Mapping, Sequence
from html import escape

from app.components.controls import options
from app.learn.exercise_html import without_ngram_keys
from app.learn.practice import boxes
from app.learn.worksheet_answers import grade_sheet
from app.learn.worksheet_exports import WORKSHEET_FORMATS
from app.learn.worksheet_spec import MAX_TEXTS, WorksheetSpec, texts_as_lines
from bleu.explanation.exercises import TITLES, exercise_step, solution_step, worksheet
from bleu.learn.exercise import Exercise
from bleu.learn.generation import ORDERS, VARIANTS
from bleu.render import html


def spec_form_html(spec: WorksheetSpec) -> str:
    """Return the form in which a teacher specifies a worksheet."""
    orders = options({str(n): str(n) for n in ORDERS}, str(spec.max_order))
    methods = options(
        {"no": "by hand", "yes": "with a calculator"}, "no" if spec.by_hand else "yes"
    )
    variants = options({variant: variant for variant in VARIANTS}, spec.variant)
    formats = options({name: export.label for name, export in WORKSHEET_FORMATS.items()}, "html")
    return (
        '<form id="sheet-form" class="sheet-form" autocomplete="off" aria-label="Worksheet">'
        '<fieldset class="orders"><legend>Topics (all if none is ticked)</legend>'
        f"{boxes('topic', TITLES, spec.topics)}</fieldset>"
        '<div class="settings">'
        '<div class="setting"><label for="sheet-count">Exercises</label>'
        f'<input type="text" inputmode="numeric" id="sheet-count" value="{spec.count}"></div>'
        '<div class="setting"><label for="sheet-order">Max order <i>N</i></label>'
        f'<select id="sheet-order">{orders}</select></div>'
        '<div class="setting wide"><label for="sheet-way">To be worked out</label>'
        f'<select id="sheet-way">{methods}</select></div>'
        '<div class="setting"><label for="sheet-seed">Worksheet no.</label>'
        f'<input type="text" id="sheet-seed" value="{escape(spec.seed)}"></div>'
        '<div class="setting"><label for="sheet-variant">Variant</label>'
        f'<select id="sheet-variant">{variants}</select></div></div>'
        '<p class="hint">The same number always gives the same exercises. Variants have the same '
        "kinds of exercise with other texts, so that neighbours cannot copy. Texts that you write "
        "yourself are the same in all variants.</p>"
        '<div class="buttons">'
        '<button type="button" class="first" data-command="learn:sheet-print">Print worksheet'
        "</button>"
        '<button type="button" data-command="learn:sheet-print solutions">Print solutions</button>'
        '<button type="button" data-command="learn:sheet-link">Copy the link</button>'
        f'<span class="whole"><label for="sheet-as">Format</label> '
        f'<select id="sheet-as">{formats}</select></span>'
        '<button type="button" data-command="learn:sheet-save">Download</button>'
        '<label class="check"><input type="checkbox" id="sheet-solutions"> With solutions</label>'
        '</div><p id="sheet-error" role="alert" class="alert"></p></form>'
    )


def class_html() -> str:
    """Return the box for the lines of a class."""
    return (
        '<details id="class"><summary>The answers of a class</summary><div>'
        '<label for="class-lines">One line for each learner, as <em>Copy my answers</em> gives it'
        '</label><textarea id="class-lines" rows="4" spellcheck="false" autocomplete="off">'
        '</textarea><div class="buttons"><button type="button" data-command="learn:class-count">'
        'Count the mistakes</button></div><div id="class-counts"></div></div></details>'
    )


def worksheet_html(
    spec: WorksheetSpec,
    exercises: Sequence[Exercise],
    *,
    solved: bool,
    teaching: bool,
    notice: str = "",
) -> str:
    """Return a worksheet as a form, or its solutions; a teacher can change each exercise."""
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
        '<input type="text" id="sheet-name" autocomplete="off"></p>'
    )
    intro = "".join(map(html.block, worksheet(exercises).intro))
    note = f'<p class="note">{escape(notice)}</p>' if notice else ""
    return (
        f'<form id="exercise" class="sheet{" solved" if solved else ""}" autocomplete="off" '
        'aria-labelledby="exercise-title">'
        f'<h3 id="exercise-title" tabindex="-1">{escape(heading(spec, solved=solved))}</h3>'
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
    """Return the controls that replace an exercise or edit its texts, if it has any."""
    spoken = f'<span class="spoken"> of exercise {index + 1}</span>'
    restore = (
        f'<button type="button" data-command="learn:as-found {index}">Back to the texts found'
        f"{spoken}</button>"
        if own_texts
        else ""
    )
    another = (
        f'<button type="button" class="choice" data-command="learn:another {index}">Another one'
        f'<span class="spoken"> in the place of exercise {index + 1}</span></button>'
    )
    if exercise.kind == "claim":
        return f'<div class="another">{another}</div>'
    return (
        f'<div class="another">{another}'
        f'<details id="rewrite-{index}"><summary>Edit the texts{spoken}</summary>'
        f'<label for="texts-{index}">A candidate, and below it its references, a line each; an '
        "empty line before the next candidate</label>"
        f'<textarea id="texts-{index}" rows="4" spellcheck="false" autocomplete="off" dir="auto" '
        f'maxlength="{MAX_TEXTS}">{escape(own_texts or texts_as_lines(exercise))}</textarea>'
        f'<p role="alert" class="alert" id="texts-{index}-error"></p>'
        f'<p class="buttons"><button type="button" data-command="learn:rewrite {index}">'
        f"Use these{spoken}</button>{restore}</p></details></div>"
    )


def heading(spec: WorksheetSpec, *, solved: bool = False) -> str:
    """Return the heading of a worksheet.

    >>> heading(WorksheetSpec("7k2q"), solved=True)
    'BLEU, worksheet 7k2q, variant A: solutions'
    """
    suffix = ": solutions" if solved else ""
    return f"BLEU, worksheet {spec.seed}, variant {spec.variant}{suffix}"


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
        title = escape(f"{exercise.number + 1}. {TITLES[exercise.topic]}")
        items += [
            f"<li><b>{title}</b> {html.prose(message)}</li>" for message in dict.fromkeys(messages)
        ]
    listed = f'<ul class="choices">{"".join(items)}</ul>' if items else ""
    return f"<p>{right_count} of {len(exercises)} are right.</p>{listed}"
