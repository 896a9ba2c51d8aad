"""A worksheet as it is filled in: the answers, the line that hands them in, and its HTML."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final
from urllib.parse import urlencode

from app.components import button
from app.learn.exercise_html import without_ngram_keys
from app.learn.worksheet_spec import (
    MAX_TEXT_CHARACTERS,
    WorksheetSpec,
    link_parameters,
    texts_as_lines,
)
from bleu.document.writing import isolate
from bleu.explanation.exercises import TOPIC_TITLES, exercise_step, solution_step, worksheet
from bleu.learn.exercise import Exercise
from bleu.learn.grading import Grade, grade
from bleu.learn.sentences import SeededRandom
from bleu.render import html

END: Final = "end"
"""The name of the last value in a line, which is that of `line_check`."""
_ADDED_TO_LINKS: Final = frozenset({"name", "view", "step", "size"})
"""The names of values that are no part of a worksheet or of its answers."""
_FIRST_PREFIX: Final = "first-"
"""The prefix of the names of first answers, which the line has only if the last ones differ."""


@dataclass(frozen=True, slots=True)
class WorksheetInput:
    """The content of a worksheet's blanks and text boxes.

    - `answers`: by the name of the blank, such as `2.p-1` in the second exercise.
    - `graded_answers`: the answers that were graded last.
    - `first_answers`: the answers to each exercise when they were graded first.
    - `drafts`: texts being edited, by the 0-based index of the exercise.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    graded_answers: Mapping[str, str] = field(default_factory=dict)
    first_answers: Mapping[str, str] = field(default_factory=dict)
    drafts: Mapping[int, str] = field(default_factory=dict)

    def carry_over(self, old: Sequence[Exercise], new: Sequence[Exercise]) -> "WorksheetInput":
        """Return the input to the exercises that are the same in `old` and `new`.

        The graded answers are kept only if all graded exercises are the same.

        >>> WorksheetInput({"1.p-1": "2/7"}, drafts={0: "a b"}).carry_over((), ())
        WorksheetInput(answers={}, graded_answers={}, first_answers={}, drafts={})
        """
        unchanged = {index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a == b}
        numbers = {str(index + 1) for index in unchanged}

        def remaining(answers: Mapping[str, str]) -> dict[str, str]:
            return {
                name: answer
                for name, answer in answers.items()
                if name.partition(".")[0] in numbers
            }

        graded = remaining(self.graded_answers)
        return WorksheetInput(
            remaining(self.answers),
            graded if graded == self.graded_answers else {},
            remaining(self.first_answers),
            {index: texts for index, texts in self.drafts.items() if index in unchanged},
        )

    def with_graded(self, answers: Mapping[str, str]) -> "WorksheetInput":
        """Return the input after these answers are graded.

        >>> inputs = WorksheetInput().with_graded({"1.c": "7"})
        >>> inputs.with_graded({"1.c": "8", "2.c": "9"}).first_answers
        {'2.c': '9', '1.c': '7'}
        """
        graded_before = {name.partition(".")[0] for name in self.first_answers}
        answered = {name.partition(".")[0] for name, text in answers.items() if text.strip()}
        first = {
            name: text
            for name, text in answers.items()
            if name.partition(".")[0] in answered - graded_before
        }
        return replace(self, graded_answers=answers, first_answers=first | {**self.first_answers})


def input_to_json(link: str, name: str, inputs: WorksheetInput) -> str:
    """Return a learner's name and answers to the worksheet of a link, to store in the tab."""
    return json.dumps([link, name, inputs.answers, inputs.graded_answers, inputs.first_answers])


def input_from_json(text: str, link: str) -> tuple[str, WorksheetInput] | None:
    """Return the stored name and answers, or None if the text is not those of the link.

    >>> inputs = WorksheetInput({"1.c": "7"})
    >>> input_from_json(input_to_json("a", "Ann", inputs), "a") == ("Ann", inputs)
    True
    >>> input_from_json("[]", "a")
    """
    try:
        stored_link, name, *answers = json.loads(text)
        given, graded, first = (
            {str(key): str(value) for key, value in each.items()} for each in answers
        )
        if stored_link == link:
            return str(name), WorksheetInput(given, graded, first)
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return None


def first_attempt(values: Mapping[str, str]) -> dict[str, str]:
    """Return the answers of the first attempt, from the values in a line to hand in.

    >>> first_attempt({"1.c": "8", "2.c": "9", "first-1.c": "7"})
    {'1.c': '7', '2.c': '9'}
    """
    answers = {name: text for name, text in values.items() if not name.startswith(_FIRST_PREFIX)}
    first = {
        name.removeprefix(_FIRST_PREFIX): text
        for name, text in values.items()
        if name.startswith(_FIRST_PREFIX)
    }
    return answers | first


def grade_sheet(exercises: Sequence[Exercise], answers: Mapping[str, str]) -> list[Grade]:
    """Return the grade of each exercise; `answers` are by blank, such as `2.p-1`."""
    return [
        grade(exercise, {name: answers.get(f"{number}.{name}", "") for name in exercise.names})
        for number, exercise in enumerate(exercises, 1)
    ]


def answers_line(
    spec: WorksheetSpec,
    name: str,
    answers: Mapping[str, str],
    first: Mapping[str, str] | None = None,
) -> str:
    """Return one line to hand in: the worksheet, the learner's name and the answers.

    `first` are the answers of the first attempt; those that differ are in the line, too.

    >>> answers_line(WorksheetSpec("7k2q"), "Ann", {"1.p-1": "2/7", "2.line": ""}, {"1.p-1": "1"})
    'exercises=7k2q&version=4&count=6&order=2&name=Ann&1.p-1=2%2F7&first-1.p-1=1&end=cwwsb'
    """
    pairs = [(key, text) for key, text in answers.items() if text.strip() and "." in key]
    pairs += [
        (f"{_FIRST_PREFIX}{key}", text)
        for key, text in (first or {}).items()
        if text.strip() != answers.get(key, "").strip()
    ]
    values = [*link_parameters(spec), ("name", name), *pairs]
    return urlencode([*values, (END, line_check(dict(values)))], errors="replace")


def line_check(values: Mapping[str, str]) -> str:
    """Return five characters that change with any value of a line except the learner's name.

    >>> line_check({"exercises": "1", "1.c": "7"}), line_check({"exercises": "1", "1.c": "8"})
    ('c8x8n', 'ccmee')
    """
    checked = sorted(item for item in values.items() if item[0] not in {END, *_ADDED_TO_LINKS})
    rng = SeededRandom(urlencode(checked, errors="replace"))
    return "c" + "".join(rng.choice("0123456789abcdefghjkmnpqrstvwxyz") for _ in range(4))


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
