"""Worksheets: what is wanted of one, its link, its forms, and the answers of a class."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final
from urllib.parse import parse_qsl, urlencode

from app.components.controls import options
from app.components.export_format import ExportFormat
from app.learn.exercise_view import without_ngram_keys
from app.learn.lesson import ANSWER_SUFFIX
from app.learn.practice import topic_boxes
from bleu.document.blocks import Row, Table, Worksheet
from bleu.explanation.exercises import TITLES, exercise_step, solution_step, worksheet
from bleu.explanation.phrases import count_with_noun, english_list, escape_invisible
from bleu.learn.exercise import Exercise
from bleu.learn.generation import (
    MAX_COUNT,
    ORDERS,
    VARIANTS,
    exercise_on_texts,
    iter_exercises,
    one_like_this,
    worksheet_variant,
)
from bleu.learn.grading import grade
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS
from bleu.learn.records import as_json
from bleu.render import html, html_page, latex, markdown, text

MAX_NAME: Final = 60
"""Characters of a learner's name that are shown."""
LEARNERS_SHOWN: Final = 100
MARKS: Final = {"right": "✓", "wrong": "✗", "blank": "–"}
MAX_LINE: Final = 20_000
"""Characters that one learner's line may have."""
MAX_REPLACEMENTS: Final = 99
"""How often another exercise can be asked for in the place of one."""
MAX_TEXTS: Final = 2_000
"""Characters that the texts of one exercise may have."""


@dataclass(frozen=True, slots=True)
class WorksheetSpec:
    """What a worksheet is made from; the same gives the same exercises everywhere.

    `replacements` says of each exercise how often another was taken in its place; `worksheet_variant` is A to D;
    `texts` are those that were written in the place of the texts found, with the place from 0 on:
    they are the same in every variant.
    """

    seed: str = "1"
    topics: tuple[str, ...] = ()
    count: int = 6
    max_order: int = 2
    by_hand: bool = True
    variant: str = "A"
    replacements: tuple[int, ...] = ()
    texts: tuple[tuple[int, str], ...] = ()

    def with_another_exercise(self, index: int) -> "WorksheetSpec":
        """The same with another exercise in one place, from 0 on.

        >>> WorksheetSpec().with_another_exercise(1).replacements
        (0, 1)
        """
        again = [*self.replacements, *(0,) * (index + 1 - len(self.replacements))]
        again[index] = again[index] % MAX_REPLACEMENTS + 1
        return replace(self.with_own_texts(index, ""), replacements=tuple(again))

    def with_own_texts(self, index: int, texts: str) -> "WorksheetSpec":
        """The same with other texts in one place; without any, with those found for it.

        >>> WorksheetSpec().with_own_texts(1, "a b\\na c").with_own_texts(0, "a").with_own_texts(0, "").texts
        ((1, 'a b\\na c'),)
        """
        kept = {**dict(self.texts), index: texts}
        return replace(self, texts=tuple(sorted(one for one in kept.items() if one[1])))


def iter_worksheet(spec: WorksheetSpec) -> Iterator[Exercise]:
    """The exercises found for a worksheet, one after the other: each takes a while to find.

    Texts that were written in the place of others are not in them yet: see `apply_own_texts`.

    Raises ValueError that names what is not known and the choices.
    """
    if spec.variant not in VARIANTS:
        raise ValueError(f"there is no variant {spec.variant!r}; choose from A, B, C, D")
    found = iter_exercises(
        spec.seed,
        spec.topics,
        spec.count,
        max_order=spec.max_order,
        by_hand=spec.by_hand,
    )
    for place, exercise in enumerate(found):
        again = spec.replacements[place] if place < len(spec.replacements) else 0
        chosen = one_like_this(exercise, again) if again else exercise
        yield worksheet_variant((chosen,), spec.variant)[0]


def apply_own_texts(
    spec: WorksheetSpec, generated: Sequence[Exercise]
) -> tuple[tuple[Exercise, ...], str]:
    """The exercises found, with the texts that were written in the place of theirs.

    Texts of which no exercise can be made are told of in words, and those found stay.
    """
    exercises, notices = list(generated), []
    for place, texts in spec.texts:
        if place < len(exercises):
            try:
                exercises[place] = exercise_from_lines(exercises[place], texts)
            except ValueError as error:
                notices.append(f"The texts written for exercise {place + 1} are left out: {error}.")
    return tuple(exercises), " ".join(notices)


def exercise_from_lines(exercise: Exercise, texts: str) -> Exercise:
    """An exercise on other texts, in lines: a candidate and its references, an empty line between.

    Raises ValueError as `exercise_on_texts` does, and where there is too much of them.
    """
    if len(texts) > MAX_TEXTS:
        raise ValueError(f"they have {len(texts):,} characters; at most {MAX_TEXTS:,} fit")
    blocks = [block.split("\n") for block in _blocks(texts)]
    return exercise_on_texts(
        exercise, [block[0] for block in blocks], [block[1:] for block in blocks]
    )


def _blocks(texts: str) -> list[str]:
    lines = (line.strip() for line in texts.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return [block for block in re.split(r"\n\n+", "\n".join(lines).strip("\n")) if block]


def texts_as_lines(exercise: Exercise) -> str:
    """The texts of an exercise in lines, as `exercise_from_lines` reads them."""
    return "\n\n".join(
        "\n".join((text, *own))
        for text, own in zip(exercise.hypotheses, exercise.references, strict=True)
    )


def _pairs(spec: WorksheetSpec) -> list[tuple[str, str]]:
    pairs = [("exercises", spec.seed)]
    if spec.topics:
        pairs.append(("topics", " ".join(spec.topics)))
    pairs += [("count", str(spec.count)), ("order", str(spec.max_order))]
    if not spec.by_hand:
        pairs.append(("calculator", "yes"))
    if spec.variant != "A":
        pairs.append(("variant", spec.variant))
    if any(spec.replacements):
        pairs.append(("again", ".".join(map(str, spec.replacements))))
    written = ((place, texts) for place, texts in spec.texts if place < spec.count)
    return [*pairs, *((f"text-{place + 1}", texts) for place, texts in written)]


def to_fragment(spec: WorksheetSpec) -> str:
    """The fragment of a link to a worksheet, without its #.

    >>> to_fragment(WorksheetSpec("7k2q", ("clipping", "brevity"), 4))
    'exercises=7k2q&topics=clipping+brevity&count=4&order=2&view=learn'
    """
    return urlencode([*_pairs(spec), ("view", "learn")], errors="replace")


def from_fragment(fragment: str) -> tuple[WorksheetSpec, str] | None:
    """What a link asks for, and in words what of it there is not; None where it is no such link.

    What makes no sense falls back to its default.

    >>> from_fragment("#exercises=7k2q&count=many")[1]
    'The link asks for count “many”, which is not possible: the default is used instead.'
    >>> from_fragment("#hypothesis=a")
    """
    try:
        pairs = parse_qsl(fragment.removeprefix("#")[:MAX_LINE], errors="replace")
    except ValueError:
        return None
    found = dict(pairs)
    if "exercises" not in found:
        return None
    ignored: list[str] = []
    spec = WorksheetSpec()
    seed = found["exercises"]
    if seed.isprintable() and 0 < len(seed) <= 40:
        spec = replace(spec, seed=seed)
    else:
        ignored.append(f"seed “{seed[:20]}”")
    named = found.get("topics", "").split()
    spec = replace(spec, topics=tuple(dict.fromkeys(name for name in named if name in TOPICS)))
    ignored += [f"topic “{name[:20]}”" for name in named if name not in TOPICS][:3]
    count, order = found.get("count", ""), found.get("order", "")
    if _is_number(count, range(1, MAX_COUNT + 1)):
        spec = replace(spec, count=int(count))
    elif count:
        ignored.append(f"count “{count[:20]}”")
    if _is_number(order, ORDERS):
        spec = replace(spec, max_order=int(order))
    elif order:
        ignored.append(f"order “{order[:20]}”")
    spec = replace(spec, by_hand=found.get("calculator") != "yes")
    letter = found.get("variant", "A")
    if letter in VARIANTS:
        spec = replace(spec, variant=letter)
    else:
        ignored.append(f"variant “{letter[:20]}”")
    again = found.get("again", "")
    numbers = [part for part in again.split(".") if part][: spec.count]
    if all(_is_number(part, range(MAX_REPLACEMENTS + 1)) for part in numbers):
        spec = replace(spec, replacements=tuple(map(int, numbers)))
    else:
        ignored.append(f"again “{again[:20]}”")
    for name, texts in found.items():
        kind, _, place = name.partition("-")
        if kind == "text" and _is_number(place, range(1, spec.count + 1)):
            spec = spec.with_own_texts(int(place) - 1, texts)
        elif kind == "text":
            ignored.append(f"texts of exercise “{place[:20]}”")
    return spec, _ignored_parts_notice(ignored)


def _is_number(written: str, known: Sequence[int]) -> bool:
    return written.isascii() and written.isdigit() and len(written) < 4 and int(written) in known


def _ignored_parts_notice(ignored: Sequence[str]) -> str:
    if not ignored:
        return ""
    what = (
        "are not possible: the defaults are"
        if len(ignored) > 1
        else "is not possible: the default is"
    )
    return f"The link asks for {english_list(ignored)}, which {what} used instead."


# As HTML and as files


def spec_form_html(spec: WorksheetSpec) -> str:
    """What can be chosen for a worksheet."""
    orders = options({str(n): str(n) for n in ORDERS}, str(spec.max_order))
    ways = options({"no": "by hand", "yes": "with a calculator"}, "no" if spec.by_hand else "yes")
    letters = options({letter: letter for letter in VARIANTS}, spec.variant)
    forms = options({name: form.label for name, form in SHEET_FORMATS.items()}, "html")
    return (
        '<form id="sheet-form" class="sheet-form" autocomplete="off" aria-label="Worksheet">'
        '<fieldset class="orders"><legend>Topics (all if none is ticked)</legend>'
        f"{topic_boxes(spec.topics)}</fieldset>"
        '<div class="settings">'
        '<div class="setting"><label for="sheet-count">Exercises</label>'
        f'<input type="text" inputmode="numeric" id="sheet-count" value="{spec.count}"></div>'
        '<div class="setting"><label for="sheet-order">Max order <i>N</i></label>'
        f'<select id="sheet-order">{orders}</select></div>'
        '<div class="setting wide"><label for="sheet-way">To be worked out</label>'
        f'<select id="sheet-way">{ways}</select></div>'
        '<div class="setting"><label for="sheet-seed">Seed</label>'
        f'<input type="text" id="sheet-seed" value="{escape(spec.seed)}"></div>'
        '<div class="setting"><label for="sheet-variant">Variant</label>'
        f'<select id="sheet-variant">{letters}</select></div></div>'
        '<p class="hint">The same seed always gives the same exercises. Variants have the same '
        "kinds of exercise with other texts, so that neighbours cannot copy. Texts that you write "
        "yourself are the same in all variants.</p>"
        '<div class="buttons">'
        '<button type="button" class="first" data-command="learn:sheet-link">Copy the link</button>'
        '<button type="button" data-command="learn:sheet-print">Print</button>'
        f'<span class="whole"><label for="sheet-as">Format</label> '
        f'<select id="sheet-as">{forms}</select></span>'
        '<button type="button" data-command="learn:sheet-save">Download</button>'
        '<label class="check"><input type="checkbox" id="sheet-solutions"> With solutions</label>'
        '</div><p id="sheet-error" role="alert" class="alert"></p></form>'
    )


def class_html() -> str:
    """Where the lines of a class are pasted together."""
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
    """A worksheet to fill in, or its solutions; a teacher can have another in place of each.

    `said` is what there is to say of the link that asked for it.
    """
    steps = []
    for place, exercise in enumerate(exercises):
        markup = html.step(
            without_ngram_keys((solution_step if solved else exercise_step)(exercise)), linked=False
        )
        other = (
            _teacher_controls(place, exercise, dict(spec.texts).get(place, "")) if teaching else ""
        )
        steps.append(markup.removesuffix("</section>") + f"{other}</section>")
    name = (
        ""
        if teaching or solved
        else '<p class="sheet-name"><label for="sheet-name">Your name</label> '
        '<input type="text" id="sheet-name" autocomplete="off"></p>'
    )
    opening = "".join(map(html.block, worksheet(exercises).intro))
    body = "".join(steps)
    noted = f'<p class="note">{escape(notice)}</p>' if notice else ""
    return (
        f'<form id="exercise" class="sheet{" solved" if solved else ""}" autocomplete="off" '
        'aria-labelledby="exercise-title">'
        f'<h3 id="exercise-title" tabindex="-1">{escape(heading(spec, solved=solved))}</h3>'
        f"{noted}{opening}{name}{body}</form>"
    )


def _teacher_controls(index: int, exercise: Exercise, own_texts: str) -> str:
    """What a teacher can have in the place of an exercise: another one, or other texts."""
    spoken = f'<span class="spoken"> of exercise {index + 1}</span>'
    back = (
        f'<button type="button" data-command="learn:as-found {index}">Back to the texts found'
        f"{spoken}</button>"
        if own_texts
        else ""
    )
    return (
        f'<div class="another"><button type="button" class="choice" '
        f'data-command="learn:another {index}">Another one<span class="spoken"> in the place '
        f"of exercise {index + 1}</span></button>"
        f'<details id="rewrite-{index}"><summary>Edit the texts{spoken}</summary>'
        f'<label for="texts-{index}">A candidate, and below it its references, a line each; an '
        "empty line before the next candidate</label>"
        f'<textarea id="texts-{index}" rows="4" spellcheck="false" autocomplete="off" dir="auto" '
        f'maxlength="{MAX_TEXTS}">{escape(own_texts or texts_as_lines(exercise))}</textarea>'
        f'<p role="alert" class="alert" id="texts-{index}-error"></p>'
        f'<p class="buttons"><button type="button" data-command="learn:rewrite {index}">'
        f"Use these{spoken}</button>{back}</p></details></div>"
    )


def item_html(exercise: Exercise, *, solved: bool) -> str:
    """One exercise of a worksheet alone, or its solution."""
    markup = html.step(
        without_ngram_keys((solution_step if solved else exercise_step)(exercise)), linked=False
    )
    return f'<form id="exercise" class="sheet" autocomplete="off">{markup}</form>'


def item_ids(count: int) -> list[str]:
    """What is presented one after the other: each exercise, then its solution.

    >>> item_ids(2)
    ['item-1', 'item-1-answer', 'item-2', 'item-2-answer']
    """
    return [f"item-{number + 1}{more}" for number in range(count) for more in ("", ANSWER_SUFFIX)]


def parse_item_id(name: str) -> tuple[int, bool]:
    """Of one of `item_ids`: the exercise, from 0 on, and whether it is solved.

    >>> parse_item_id("item-2-answer")
    (1, True)
    """
    return int(name.removesuffix(ANSWER_SUFFIX).removeprefix("item-")) - 1, name.endswith(
        ANSWER_SUFFIX
    )


def heading(spec: WorksheetSpec, *, solved: bool = False) -> str:
    """What a worksheet is called.

    >>> heading(WorksheetSpec("7k2q"), solved=True)
    'BLEU, worksheet 7k2q, variant A: solutions'
    """
    what = ": solutions" if solved else ""
    return f"BLEU, worksheet {spec.seed}, variant {spec.variant}{what}"


def file_name(spec: WorksheetSpec, *, solved: bool) -> str:
    """What the file of a worksheet is called, without its ending.

    >>> file_name(WorksheetSpec("7k2q"), solved=False), file_name(WorksheetSpec("a/../b c"), solved=True)
    ('bleu-worksheet-7k2q-A', 'bleu-worksheet-a-b-c-A-solutions')
    """
    parts = ("bleu-worksheet", *re.findall(r"\w+", spec.seed), spec.variant)
    return "-".join((*parts, "solutions") if solved else parts)


WorksheetExport = tuple[WorksheetSpec, Sequence[Exercise], bool]
"""A worksheet that was asked for, its exercises, and whether with the solutions."""


def _sheet(make: Callable[[Worksheet], str]) -> Callable[[WorksheetExport], str]:
    def render(made: WorksheetExport) -> str:
        wanted, chosen, solved = made
        words = f"worksheet {wanted.seed}, variant {wanted.variant}"
        return make(worksheet(chosen, solutions=solved, heading=words, name_line=True))

    return render


SHEET_FORMATS: Final = {
    "html": ExportFormat("Web page", "html", "text/html", _sheet(html_page.worksheet)),
    "markdown": ExportFormat("Markdown", "md", "text/markdown", _sheet(markdown.worksheet)),
    "latex": ExportFormat("LaTeX", "tex", "application/x-tex", _sheet(latex.worksheet)),
    "text": ExportFormat("Plain text", "txt", "text/plain", _sheet(text.worksheet)),
    "json": ExportFormat(
        "JSON, with answers",
        "json",
        "application/json",
        lambda made: json.dumps(list(map(as_json, made[1])), indent=1) + "\n",
    ),
}
"""The formats of a worksheet, in the order of the menu; JSON has the answers always."""


# Answers


@dataclass(frozen=True, slots=True)
class WorksheetInput:
    """What is written on a worksheet: the answers, those that were marked last, and new texts.

    Answers have the names of their blanks, as `2.p-1` in the second exercise; `drafts`, the texts
    that are being edited, the places of their exercises, from 0 on.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    graded_answers: Mapping[str, str] = field(default_factory=dict)
    drafts: Mapping[int, str] = field(default_factory=dict)

    def carry_over(self, old: Sequence[Exercise], new: Sequence[Exercise]) -> "WorksheetInput":
        """What stays when `new` exercises come for `old`: all that was written for the same ones.

        Marks stay only where every exercise that they are for does.

        >>> WorksheetInput({"1.p-1": "2/7"}, drafts={0: "a b"}).carry_over((), ())
        WorksheetInput(answers={}, graded_answers={}, drafts={})
        """
        same = {place for place, (a, b) in enumerate(zip(old, new, strict=False)) if a == b}
        names = {str(place + 1) for place in same}
        marks_stay = {name.partition(".")[0] for name in self.graded_answers} <= names
        return WorksheetInput(
            {name: own for name, own in self.answers.items() if name.partition(".")[0] in names},
            self.graded_answers if marks_stay else {},
            {place: texts for place, texts in self.drafts.items() if place in same},
        )


def by_exercise(exercises: Sequence[Exercise], answers: Mapping[str, str]) -> list[dict[str, str]]:
    """The answers to each exercise, of those written under the names of the blanks.

    >>> by_exercise((), {"1.p-1": "1/2"})
    []
    """
    return [
        {name: answers.get(f"{place}.{name}", "") for name in exercise.names}
        for place, exercise in enumerate(exercises, 1)
    ]


def worksheet_feedback(exercises: Sequence[Exercise], answers: Mapping[str, str]) -> str:
    """What to say to a worksheet that was filled in: how many are right, and each mistake."""
    graded = [
        grade(exercise, own)
        for exercise, own in zip(exercises, by_exercise(exercises, answers), strict=True)
    ]
    items = []
    for exercise, own, marked in zip(
        exercises, by_exercise(exercises, answers), graded, strict=True
    ):
        wrong = [one.message for one in marked.verdicts if one.status in {"wrong", "unreadable"}]
        if not any(own.values()):
            wrong = ["There is no answer yet."]
        for message in dict.fromkeys(wrong):
            where = f"{exercise.number + 1}. {TITLES[exercise.topic]}"
            items.append(f"<li><b>{escape(where)}</b> {html.prose(message)}</li>")
    right = sum(marked.right for marked in graded)
    listed = f'<ul class="choices">{"".join(items)}</ul>' if items else ""
    return f"<p>{right} of {len(graded)} are right.</p>{listed}"


def answers_line(spec: WorksheetSpec, name: str, answers: Mapping[str, str]) -> str:
    """One line with what a learner answered, to be handed in; it has the worksheet in it.

    >>> answers_line(WorksheetSpec("7k2q"), "Ann", {"1.p-1": "2/7", "2.line": ""})
    'exercises=7k2q&count=6&order=2&name=Ann&1.p-1=2%2F7'
    """
    given = [(key, text) for key, text in answers.items() if text.strip() and "." in key]
    return urlencode([*_pairs(spec), ("name", name), *given], errors="replace")


@dataclass(frozen=True, slots=True)
class Learner:
    """The name on a line, and of each exercise whether it is right, wrong or blank."""

    name: str
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassTally:
    """A class: who answered what, how many lines could not be read, and the mistakes."""

    learners: tuple[Learner, ...]
    unreadable: int
    mistakes: tuple[tuple[str, int], ...]


def tally_class(lines: str) -> Iterator[ClassTally]:
    """How many learners made each mistake, from their lines; told again after each line.

    A line that cannot be read, or that is of no worksheet, is counted as such.
    """
    sheets: dict[WorksheetSpec, tuple[Exercise, ...]] = {}
    found: Counter[str] = Counter()
    learners: list[Learner] = []
    unread = 0
    for line in lines.splitlines():
        if not line.strip():
            continue
        asked = from_fragment(line.strip()) if len(line) <= MAX_LINE else None
        if asked is None or asked[1]:
            unread += 1
        else:
            wanted = asked[0]
            if wanted not in sheets:
                sheets[wanted] = apply_own_texts(wanted, tuple(iter_worksheet(wanted)))[0]
            chosen = sheets[wanted]
            written = dict(parse_qsl(line.strip(), errors="replace"))
            answers = by_exercise(chosen, written)
            marked = [grade(one, own) for one, own in zip(chosen, answers, strict=True)]
            found.update({one.misconception for one in marked if one.misconception})
            marks = (
                "blank" if not any(own.values()) else "right" if one.right else "wrong"
                for own, one in zip(answers, marked, strict=True)
            )
            name = escape_invisible(written.get("name", "").strip()[:MAX_NAME])
            learners.append(Learner(name or f"line {len(learners) + unread + 1}", tuple(marks)))
        named = list(MISCONCEPTIONS)
        ranked = sorted(found.items(), key=lambda one: (-one[1], named.index(one[0])))
        yield ClassTally(tuple(learners), unread, tuple(ranked))


def class_tally_html(counted: ClassTally) -> str:
    """Who answered what, and the mistakes of a class, the most frequent first."""
    said = f"{count_with_noun(len(counted.learners), 'line')} read."
    if counted.unreadable:
        said += f" {count_with_noun(counted.unreadable, 'line')} could not be read."
    if not counted.learners:
        return f"<p>{said}</p>"
    shown = html.block(_by_learner(counted.learners))
    if not counted.mistakes:
        return f"<p>{said} No typical mistake was found.</p>{shown}"
    lines = tuple(
        Row((MISCONCEPTIONS[name].sentence, str(count))) for name, count in counted.mistakes
    )
    table = Table("mistakes", "Learners who made each mistake", ("Mistake", "Learners"), lines)
    return f"<p>{said}</p>{html.block(table)}{shown}"


def _by_learner(learners: Sequence[Learner]) -> Table:
    most = max(len(one.marks) for one in learners)
    rows = []
    for one in learners[:LEARNERS_SHOWN]:
        marks = (MARKS[mark] for mark in one.marks)
        empty = ("",) * (most - len(one.marks))
        right = f"{one.marks.count('right')} of {len(one.marks)}"
        rows.append(Row((one.name, *marks, *empty, right)))
    return Table(
        "learners",
        "Each learner’s exercises: ✓ right, ✗ wrong, – blank",
        ("Learner", *map(str, range(1, most + 1)), "Right"),
        tuple(rows),
        None,
        max(0, len(learners) - LEARNERS_SHOWN),
        "learners, counted above",
    )
