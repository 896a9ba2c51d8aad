"""One exercise at a time: what was answered, and what to say to it, as HTML."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final

from bleu.core.derivation import derive
from bleu.document.blocks import Block, SolutionBlock, Step, Table, VisibleBlock
from bleu.document.expressions import Num
from bleu.explanation.exercises import TITLES, exercise_document, exercise_step, ranking_table
from bleu.explanation.phrases import english_list
from bleu.learn.drafting import values_by_setting
from bleu.learn.exercise import Exercise, quantity_label
from bleu.learn.goals import is_reached
from bleu.learn.grading import Grade, Verdict, answer_key, grade
from bleu.learn.hints import hint_text
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number, parse_number
from bleu.render import html
from bleu.render.numbers import number_text

CONFIDENCE: Final = {"guess": "a guess", "fairly": "fairly sure", "certain": "certain"}
"""How sure somebody can be."""
SINGLE_CHOICE_KINDS: Final = frozenset({"bet", "setting", "mistake", "order"})
"""The kinds that are answered once, by a choice, and then explained."""
EXPLANATIONS: Final = {
    "tokens": ("how-tokens", "Tokens"),
    "precision": ("how-precision", "Modified precision"),
    "brevity-penalty": ("how-brevity", "Brevity penalty"),
    "score": ("how-score", "Combination"),
    "sums": ("corpus", "A corpus"),
    "precisions": ("corpus", "A corpus"),
}
"""Where the page explains a step, by its anchor without an order: the id, and what it is called."""
STATUS_MARKS: Final = {
    "right": ("✓", "right"),
    "follows": ("(✓)", "right with your own numbers"),
    "wrong": ("✗", "not right"),
    "unreadable": ("?", "to be written in another way"),
}
"""The mark beside a blank, and its word."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An exercise and what has become of it so far.

    `answers` are those locked in last, by the names of the fields; `tries` counts how often;
    `hint_level` is that of the help given, 0 to 3; `misconceptions_seen` are the misconceptions named so far.
    `unreadable` are the verdicts on answers that could not be read, if any: these are to be typed
    again, and until then all else is as it was before. `empty` is an attempt whose answers were all
    empty when they were locked in last.
    """

    exercise: Exercise
    answers: Mapping[str, str] = field(default_factory=dict)
    confidence: str = ""
    tries: int = 0
    hint_level: int = 0
    misconceptions_seen: tuple[str, ...] = ()
    grade: Grade | None = None
    gave_up: bool = False
    unreadable: tuple[Verdict, ...] = ()
    empty: bool = False

    @property
    def right(self) -> bool:
        """Whether all of it is right."""
        return bool(self.grade and self.grade.right)

    @property
    def done(self) -> bool:
        """Whether there is nothing more to answer."""
        chosen = self.exercise.kind in SINGLE_CHOICE_KINDS and self.tries > 0
        return self.right or self.gave_up or chosen

    @property
    def first_try(self) -> bool:
        """Whether it was right at the first try, without help."""
        return self.right and self.tries == 1 and not self.hint_level and not self.gave_up


def submit(attempt: Attempt, answers: Mapping[str, str], sure: str = "") -> Attempt:
    """The attempt with these answers marked; answers that are all empty are none, and no try.

    A mistake brings the next level of help; what is still to be filled in is none. Where an answer
    cannot be read, nothing is marked, and it is no try.
    """
    given = {name: text.strip() for name, text in answers.items() if name in attempt.exercise.names}
    if attempt.done:
        return replace(attempt, unreadable=())
    if not any(given.values()):
        return replace(attempt, answers={}, grade=None, unreadable=(), empty=True)
    graded = grade(attempt.exercise, given)
    unread = tuple(one for one in graded.verdicts if one.status == "unreadable")
    if unread:
        return replace(attempt, unreadable=unread, empty=False)
    wrong = any(one.status == "wrong" for one in graded.verdicts)
    named = (graded.misconception,) if graded.misconception else ()
    return replace(
        attempt,
        answers=given,
        confidence=sure if sure in CONFIDENCE else "",
        tries=attempt.tries + 1,
        hint_level=min(3, attempt.hint_level + wrong),
        misconceptions_seen=tuple(dict.fromkeys((*attempt.misconceptions_seen, *named))),
        grade=graded,
        unreadable=(),
        empty=False,
    )


def add_hint(attempt: Attempt) -> Attempt:
    """The attempt with one more level of help, from the second on, which need no answer."""
    return replace(
        attempt, hint_level=min(3, max(2, attempt.hint_level + 1)), unreadable=(), empty=False
    )


def give_up(attempt: Attempt) -> Attempt:
    """The attempt of somebody who asks for the answers."""
    return replace(attempt, gave_up=True, unreadable=())


def verdict_marks(verdicts: Iterable[Verdict]) -> dict[str, tuple[str, str, str]]:
    """For each field that was answered: its status, the mark beside it, and the word for that."""
    return {
        one.name: (one.status, *STATUS_MARKS[one.status])
        for one in verdicts
        if one.status in STATUS_MARKS
    }


def attempt_marks(attempt: Attempt, answers: Mapping[str, str]) -> dict[str, tuple[str, str, str]]:
    """The same for an attempt, and for what else is written in its working space."""
    if attempt.unreadable:  # nothing was checked
        return verdict_marks(attempt.unreadable)
    return (verdict_marks(attempt.grade.verdicts) if attempt.grade else {}) | row_marks(
        attempt, answers
    )


def row_marks(attempt: Attempt, answers: Mapping[str, str]) -> dict[str, tuple[str, str, str]]:
    """The same for the counts of single n-grams, which are no fields and are not graded."""
    found = {}
    for name, content in _row_contents(exercise_step(attempt.exercise)):
        text = answers.get(name, "").strip()
        if text:
            try:
                status = "right" if parse_number(text).is_near(content) else "wrong"
            except ValueError:
                status = "unreadable"
            found[name] = (status, *STATUS_MARKS[status])
    return found


def _row_contents(step: Step) -> Iterator[tuple[str, int]]:
    for block in step.blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    name = getattr(cell, "name", "").partition(".")[2]
                    content = getattr(cell, "content", None)
                    if name.startswith("row-") and isinstance(content, Num):
                        yield name, int(content.value)


# As HTML


def exercise_html(attempt: Attempt, title: str = "", opening: str = "", options: str = "") -> str:
    """An exercise as a form: what to do, the texts, blanks, and how sure one is.

    `opening` is markup that comes between the title and the exercise, `options` what comes in the
    place of what it ends with, where there is something.
    """
    step = without_ngram_keys(exercise_step(attempt.exercise))
    heading = escape(title or TITLES[attempt.exercise.topic])
    blocks = [html.block(one) for one in step.blocks]
    body = "".join([*blocks[:-1], options] if options else blocks)
    sure = "".join(
        f'<label><input type="radio" name="sure" value="{name}"> {words}</label>'
        for name, words in CONFIDENCE.items()
    )
    live = '<p id="learn-live" class="hint"></p>' if attempt.exercise.kind == "make" else ""
    return (
        '<form id="exercise" class="step" autocomplete="off" aria-labelledby="exercise-title">'
        f'<h3 id="exercise-title" tabindex="-1">{heading}</h3>{opening}{body}{live}'
        f'<fieldset class="sure options"><legend>How sure are you?</legend>{sure}</fieldset></form>'
    )


def without_ngram_keys(step: Step) -> Step:
    """The step without the keys of its n-grams, which light up in the texts of the view Score."""
    return replace(step, blocks=tuple(map(_block_without_keys, step.blocks)))


def _block_without_keys(block: Block) -> Block:
    match block:
        case SolutionBlock(question=asked):
            return replace(block, question=tuple(map(_table_without_keys, asked)))
        case _:
            return _table_without_keys(block)


def _table_without_keys(block: VisibleBlock) -> VisibleBlock:
    if not isinstance(block, Table):
        return block
    return replace(block, rows=tuple(replace(row, key="") for row in block.rows))


def feedback_html(attempt: Attempt) -> str:
    """What to say to the answers that were locked in last, and the help given so far."""
    if attempt.unreadable:
        parts = [_unreadable_html(attempt)]
    elif attempt.grade:
        parts = [_verdict_html(attempt)]
    elif attempt.gave_up:
        parts = [_answers(attempt.exercise, attempt.exercise.names)]
    elif attempt.hint_level >= 2 and not attempt.empty:  # a hint was asked for
        parts = []
    else:
        chosen = attempt.exercise.kind in {*SINGLE_CHOICE_KINDS, "mark"}
        first = "Choose an answer" if chosen else "Fill in an answer"
        parts = [f"<p>{first} first, then press “Lock in”.</p>"]
    if attempt.hint_level >= 2 and not attempt.done:
        name = _first_unsolved(attempt)
        answer = attempt.answers.get(name, "")
        kinds = {2: "Hint", 3: "Worked out"}
        for level in range(2, attempt.hint_level + 1):
            text = hint_text(attempt.exercise, name, answer, level)
            parts.append(f"<p><b>{kinds[level]}:</b> {html.prose(text)}</p>")
    return "".join([*parts, _try_again(attempt)])


def _answers(exercise: Exercise, names: Collection[str]) -> str:
    """The answers to these fields, for somebody who has given none."""
    answers: dict[str, list[str]] = {}
    for one in exercise.fields:
        if one.name in names:
            answers.setdefault(_answer(exercise, one.name), []).append(one.label)
    several = len(exercise.fields) > 1
    return "".join(
        f"<p>{_subject(labels) if several else ''}{escape(answer)}</p>"
        for answer, labels in answers.items()
    )


def _subject(labels: Sequence[str]) -> str:
    """What a sentence is about, before it."""
    first, *others = labels
    named = [first[0].upper() + first[1:], *others]
    return f"{escape(english_list([f'“{one}”' for one in named] if others else named))}: "


def _unreadable_html(attempt: Attempt) -> str:
    """What could not be read, and that it is no try."""
    labels = {one.name: one.label for one in attempt.exercise.fields}
    several = len(labels) > 1
    parts = []
    for one in attempt.unreadable:
        where = _subject([labels[one.name]]) if several else ""
        parts.append(f"<p>{where}{html.prose(one.message)}</p>")
    again = "Then press “Lock in” again. Nothing was checked, and this does not count as a try."
    return f"{''.join(parts)}<p>{again}</p>"


def _try_again(attempt: Attempt) -> str:
    """After a mistake that can be corrected: that it can, as often as one likes."""
    graded = attempt.grade
    count = sum(one.status == "wrong" for one in graded.verdicts) if graded else 0
    if attempt.done or attempt.unreadable or not count:
        return ""
    fields = "the fields marked ✗" if count > 1 else "the field marked ✗"
    what = {"mark": "your marks", "make": "your text"}.get(attempt.exercise.kind, fields)
    return f"<p>Correct {what} and press “Lock in” again, as often as you like.</p>"


def _first_unsolved(attempt: Attempt) -> str:
    """The first field that is not right yet."""
    right = {
        one.name
        for one in (attempt.grade.verdicts if attempt.grade else ())
        if one.status in {"right", "follows"}
    }
    names = attempt.exercise.names
    return next((name for name in names if name not in right), names[0])


def _verdict_html(attempt: Attempt) -> str:
    graded = attempt.grade
    if graded is None:
        return ""
    if attempt.right:
        own = any(one.status == "follows" for one in graded.verdicts)
        words = " All of it agrees with the numbers that you went on with." if own else ""
        return f'<p><b class="is-right">Right.</b>{words}{_confidence_text(attempt)}</p>'
    labels = {one.name: one.label for one in attempt.exercise.fields}
    messages: dict[str, list[str]] = {}
    for one in graded.verdicts:
        if one.status == "wrong":
            message = one.message if one.misconceptions else ""
            if attempt.gave_up or (attempt.done and not message):
                message = f"{message} {_answer(attempt.exercise, one.name)}".strip()
            messages.setdefault(message, []).append(labels[one.name])
    several = len(attempt.exercise.fields) > 1
    parts = []
    for message, about in messages.items():
        listed = escape(english_list(about))
        if message:
            words = f"{_subject(about) if several else ''}{html.prose(message)}"
        elif several:
            words = f"Check {'these' if len(about) > 1 else 'this'} again: {listed}."
        else:
            words = "Check your answer again."
        parts.append(f'<p><b class="is-wrong">Not right.</b> {words}</p>')
    if parts:
        how = "" if attempt.exercise.kind == "order" else _explanation_link(attempt)
        parts[-1] = parts[-1].removesuffix("</p>") + f"{_confidence_text(attempt)}{how}</p>"
    if any(one.status == "follows" for one in graded.verdicts):
        parts.append("<p>(✓) is right with your own numbers from before.</p>")
    missing = [one.name for one in graded.verdicts if one.status == "missing"]
    if missing and attempt.gave_up:
        parts.append(_answers(attempt.exercise, missing))
    elif missing and not attempt.done:
        named = english_list([labels[name] for name in missing])
        parts.append(f"<p>Still to fill in: {escape(named)}.</p>")
    return "".join(parts)


def _answer(exercise: Exercise, name: str) -> str:
    """The answer to a field, in a sentence."""
    answer = answer_key(exercise)[name]
    if name == "words":
        answer = _marked(exercise, answer)
    elif exercise.kind in {"setting", "mistake", "make"}:
        answer = f"“{answer}”"
    return f"{'One answer' if exercise.kind == 'make' else 'The answer'} is {answer}."


def _marked(exercise: Exercise, places: str) -> str:
    """The n-grams to mark, in words; of one that occurs several times, how often."""
    grams = Counter(" ".join(exercise.marked_grams[int(place) - 1]) for place in places.split())
    times = {1: "", 2: " twice"}
    return english_list(
        [f"“{gram}”{times.get(count, f' {count} times')}" for gram, count in grams.items()]
    )


def _confidence_text(attempt: Attempt) -> str:
    match attempt.confidence, attempt.right:
        case "certain", False:
            return " You were certain, so this point is worth another look."
        case "guess", True:
            return " You guessed right; the working below shows why."
        case _:
            return ""


def _explanation_link(attempt: Attempt) -> str:
    """A link to where the page explains what went wrong."""
    name = attempt.grade.misconception if attempt.grade else ""
    anchor = MISCONCEPTIONS[name].anchor if name else attempt.exercise.fields[0].anchor
    return f" {explanation_link(anchor)}"


def explanation_link(anchor: str) -> str:
    """A link to where the page explains a step.

    >>> explanation_link("precision-2")
    '<a href="#how-precision">How it works: Modified precision</a>'
    """
    kind = anchor if anchor in EXPLANATIONS else anchor.rpartition("-")[0]
    place, title = EXPLANATIONS[kind]
    return f'<a href="#{place}">How it works: {title}</a>'


def solution_html(attempt: Attempt) -> str:
    """After an exercise: what every choice would have meant, and the steps with its numbers."""
    exercise = attempt.exercise
    parts = [_choices(attempt)] if exercise.kind in {"bet", "setting"} else []
    if exercise.kind == "mistake":
        sentence = MISCONCEPTIONS[exercise.misconceptions[0]].third_person_sentence
        answer = exercise.fields[0].answer
        why = html.prose(sentence)
        parts.append(f"<p>The first wrong line is <b>{escape(answer)}</b>. {why}</p>")
    if exercise.kind == "order":
        parts.append(html.block(ranking_table(exercise)))
    else:
        parts.append(_steps(attempt))
    return "".join(parts)


def _choices(attempt: Attempt) -> str:
    """Every option with what it would have meant."""
    exercise = attempt.exercise
    [asked] = exercise.fields
    told = exercise.detail.partition(" = ")[0]
    setting = exercise.kind == "setting"
    given = values_by_setting(exercise.topic, exercise.task) if setting else {}
    items = []
    for option in asked.options:
        [verdict] = grade(exercise, {asked.name: option}).verdicts
        right = verdict.status == "right"
        known = right or verdict.misconceptions
        words = verdict.message if known else "No single mistake gives this."
        chosen = attempt.answers.get(asked.name) == option
        if option in given:
            words = f"{'It gives' if chosen else 'gives'} {told} = {format_number(given[option])}."
        kind = "is-right" if right else "is-wrong"
        own = "<i>Your answer.</i> " if chosen else ""
        words = html.prose(words)
        items.append(f'<li><b class="{kind}">{escape(option)}</b> <span>{own}{words}</span></li>')
    return (
        '<h4 id="choices-title">What each answer would mean</h4>'
        f'<ul class="choices" aria-labelledby="choices-title">{"".join(items)}</ul>'
    )


def _steps(attempt: Attempt) -> str:
    """The steps of the derivation that an exercise is about, with its own numbers."""
    exercise = attempt.exercise
    if exercise.kind == "make" and attempt.answers.get("text"):
        task = replace(exercise.task, hypotheses=(attempt.answers["text"],))
        exercise = replace(exercise, task=task)
    document = exercise_document(exercise)
    wanted = {one.anchor for one in exercise.fields}
    if exercise.kind == "mark":
        wanted = {f"precision-{exercise.marked_order}"}
    if wanted & {"precisions", "sums"}:
        wanted |= {"sums", "precisions"}
    steps = [one for one in document.steps if one.anchor in wanted]
    body = "".join(html.step(without_ngram_keys(one), "learn-", linked=False) for one in steps)
    return (
        f"<details{' open' if attempt.gave_up else ''}><summary>Worked out, step by step</summary>"
        f"<div>{body}</div></details>"
        if body
        else ""
    )


def live_score_text(attempt: Attempt, text: str) -> str:
    """What the scorer gives for a text that is being made, and whether it reaches the goal."""
    exercise = attempt.exercise
    [references] = exercise.references
    now = derive(text, references, exercise.settings).score
    before = derive(exercise.hypotheses[0], references, exercise.settings).score
    orders = range(exercise.max_order)
    precisions = ", ".join(
        f"{quantity_label(f'p-{n + 1}')} {now.matched[n]}/{now.total[n]}" for n in orders
    )
    reached = is_reached(exercise.detail, exercise.task, text)
    return (
        f"BLEU-{exercise.max_order} is {number_text(now.value)} (it was "
        f"{number_text(before.value)}); {precisions}; BP {format_number(now.brevity_penalty)}. "
        f"{'The goal is reached.' if reached else 'The goal is not reached yet.'}"
    )
