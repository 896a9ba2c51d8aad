"""Marking, field by field and with the learner's own numbers, so that one slip counts once."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bleu.learn.drafting import rank_letters
from bleu.learn.exercise import Exercise
from bleu.learn.goals import is_reached
from bleu.learn.hand_calculation import CORRECT, HandCalculation, Method, Value
from bleu.learn.misconceptions import MISCONCEPTIONS, misconceptions_about
from bleu.learn.number_input import ParsedNumber, format_number, is_decimal, parse_number

SLIP_RATE: Final = 0.1
"""How often a field is wrong by chance, and by which number: what `likely_misconceptions` reckons with."""

ON_ANOTHER_SCALE: Final = (
    "That is the number on the scale of 0 to 100; here everything is on the scale of 0 to 1, so "
    "divide it by 100, or add a % sign."
)

_AGREES: Final = math.log(1 - SLIP_RATE)
_DIFFERS: Final = math.log(SLIP_RATE * SLIP_RATE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one field.

    `status` is right; follows, which is right with the learner's own numbers from before; wrong;
    unreadable, which is no number or one on the scale of 0 to 100; or missing. `misconceptions` are
    those that give the wrong answer.
    """

    name: str
    status: str
    misconceptions: tuple[str, ...] = ()
    message: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """The verdict on each field, the misconception behind the mistakes, and how many there are.

    `misconception` is empty where nothing is wrong, or nothing known explains it. Fields that it
    explains are one mistake together.
    """

    verdicts: tuple[Verdict, ...]
    misconception: str
    mistakes: int

    @property
    def right(self) -> bool:
        """Whether all is there and nothing wrong."""
        return all(verdict.status in {"right", "follows"} for verdict in self.verdicts)


def answer_key(exercise: Exercise) -> dict[str, str]:
    """The right answer to every field, as a key gives it.

    >>> from bleu.learn.generation import exercises
    >>> answer_key(exercises("7k2q", ("clipping",), 1, kinds=("step",))[0])["total-1"]
    '6'
    """
    right = HandCalculation(exercise.task, given=exercise.given_values)
    answers = {}
    for field in exercise.fields:
        if field.name == "words":
            answers[field.name] = " ".join(map(str, _credited_positions(exercise)))
        elif field.answer:
            answers[field.name] = field.answer
        else:
            value = right.calculate(field.name)
            factors = (
                f"{format_number(right['gm'])} · {format_number(right['bp'])}"
                if field.name == "bleu"
                else ""
            )
            exact = factors and value and exercise.by_hand and is_decimal(value)
            answers[field.name] = factors if exact else format_number(value)
    return answers


def grade(exercise: Exercise, answers: Mapping[str, str]) -> Grade:
    """Mark the answers to an exercise, given as they were written, by the names of its fields.

    A field that is missing or empty is no mistake. Numbers are read as `bleu.learn.number_input.parse_number`
    reads them; a decimal is right within half a unit of its last digit. The `words`, or n-grams, to
    mark are given by their places from 1 on; an `order` by its letters.

    >>> from bleu.learn.generation import exercises
    >>> exercise = exercises("7k2q", ("clipping",), 1, kinds=("step",))[0]
    >>> grade(exercise, answer_key(exercise)).right
    True
    """
    verdicts = _grade_numbers(exercise, answers) + _grade_choices(exercise, answers)
    wrong = [verdict for verdict in verdicts if verdict.status == "wrong"]
    likely = log_likelihoods([(exercise, answers)])
    known = {name for verdict in wrong for name in verdict.misconceptions}
    best = max((likely[name] for name in known), default=-math.inf)
    named = [name for name in known if likely[name] == best]
    first = next((name for name in exercise.misconceptions if name in named), "")
    name = first or (min(named, key=list(MISCONCEPTIONS).index) if named else "")
    explained = [verdict for verdict in wrong if name and name in verdict.misconceptions]
    told = tuple(_with_message(verdict, name) for verdict in verdicts)
    return Grade(told, name, len(wrong) - len(explained) + bool(explained))


def log_likelihoods(sheet: Iterable[tuple[Exercise, Mapping[str, str]]]) -> dict[str, float]:
    """For every misconception, how likely these answers are with it, as a logarithm.

    The empty name is that of no misconception. Each field may be a slip, and later fields are
    checked against it.
    """
    likely = dict.fromkeys(("", *MISCONCEPTIONS), 0.0)
    for exercise, answers in sheet:
        numbers = _parse_answers(exercise, answers)
        meant = _diagnosable(exercise)
        for name in likely:
            method = MISCONCEPTIONS[name].method if name else CORRECT
            agreed = _follow_through(exercise, numbers, method)[0]
            chosen = method if name in meant else CORRECT
            marks = [*agreed.values(), *_agrees_with_method(exercise, answers, chosen)]
            likely[name] += sum(_AGREES if mark else _DIFFERS for mark in marks)
    return likely


def likely_misconceptions(sheet: Iterable[tuple[Exercise, Mapping[str, str]]]) -> tuple[str, ...]:
    """The misconception that explains a sheet of answers best, by name; several if as well.

    Nothing where no misconception explains it better than slips alone.
    """
    likely = log_likelihoods(sheet)
    best = max(likely.values())
    if likely[""] >= best - 1e-9:
        return ()
    return tuple(name for name, value in likely.items() if value >= best - 1e-9)


def _parse_answers(exercise: Exercise, answers: Mapping[str, str]) -> dict[str, ParsedNumber]:
    """The numbers that can be read, by field."""
    numbers = {}
    for field in exercise.fields:
        if not field.answer and field.name != "words" and answers.get(field.name, "").strip():
            try:
                numbers[field.name] = parse_number(answers[field.name])
            except ValueError:
                continue
    return numbers


def _follow_through(
    exercise: Exercise, numbers: Mapping[str, ParsedNumber], method: Method
) -> tuple[dict[str, bool], dict[str, dict[str, Value]]]:
    """Field by field: whether the number is the method's, and what was known before it.

    A number that agrees is known exactly; one that does not, as it was written. What was worked
    out from rounded numbers agrees as well.
    """
    exact, written = dict(exercise.given_values), dict(exercise.given_values)
    agreed, before = {}, {}
    for name, answer in numbers.items():
        before[name] = dict(exact)
        value = HandCalculation(exercise.task, method, exact).calculate(name)
        agreed[name] = answer.is_near(value) or answer.is_near(
            HandCalculation(exercise.task, method, written).calculate(name)
        )
        if answer.value >= 0:
            exact[name] = value if agreed[name] else answer.value
            written[name] = answer.value
    return agreed, before


def _grade_numbers(exercise: Exercise, answers: Mapping[str, str]) -> list[Verdict]:
    numbers = _parse_answers(exercise, answers)
    agreed, before = _follow_through(exercise, numbers, CORRECT)
    true = HandCalculation(exercise.task, given=exercise.given_values)
    verdicts = []
    for field in exercise.fields:
        name = field.name
        if field.answer or name == "words":
            continue
        if not answers.get(name, "").strip():
            verdicts.append(Verdict(name, "missing"))
        elif name not in numbers:
            verdicts.append(Verdict(name, "unreadable"))
        elif numbers[name].is_near(true.calculate(name)):
            verdicts.append(Verdict(name, "right"))
        elif agreed[name]:
            verdicts.append(Verdict(name, "follows"))
        elif any(
            _on_another_scale(name, numbers[name], right)
            for right in (
                true.calculate(name),
                HandCalculation(exercise.task, CORRECT, before[name]).calculate(name),
            )
        ):
            verdicts.append(Verdict(name, "unreadable", (), ON_ANOTHER_SCALE))
        else:
            explaining = tuple(
                one.name
                for one in MISCONCEPTIONS.values()
                if numbers[name].is_near(
                    HandCalculation(exercise.task, one.method, before[name]).calculate(name)
                )
            )
            verdicts.append(Verdict(name, "wrong", explaining))
    return verdicts


def _on_another_scale(name: str, written: ParsedNumber, right: Value) -> bool:
    """Whether a number between 0 and 1 was given on the scale of 0 to 100, rounded as written."""
    shares = {"p", "bp", "gm", "bleu"}
    hundredth = ParsedNumber(written.value / 100, (written.tolerance or 0.5) / 100)
    return name.partition("-")[0] in shares and written.value > 1 and hundredth.is_near(right)


def _grade_choices(exercise: Exercise, answers: Mapping[str, str]) -> list[Verdict]:
    """The verdicts on words, lines, settings, orders and texts."""
    verdicts = []
    for field in exercise.fields:
        text = answers.get(field.name, "").strip()
        if not (field.answer or field.name == "words"):
            continue
        if not text:
            verdicts.append(Verdict(field.name, "missing"))
        elif _is_right(exercise, field.name, text):
            verdicts.append(Verdict(field.name, "right"))
        else:
            explaining = tuple(
                name
                for name in _diagnosable(exercise)
                if any(_agrees_with_method(exercise, answers, MISCONCEPTIONS[name].method))
            )
            verdicts.append(Verdict(field.name, "wrong", explaining))
    return verdicts


def _diagnosable(exercise: Exercise) -> tuple[str, ...]:
    """The misconceptions that an answer can show; others would give the same by chance.

    There are few orders, so most mistakes agree with an order that somebody felt. Where n-grams are
    to be marked, they are on the screen: only what is credited can be mistaken.
    """
    match exercise.kind:
        case "order":
            return exercise.misconceptions
        case "mark":
            clipping = (one.name for one in misconceptions_about("clipping"))
            return tuple(dict.fromkeys((*exercise.misconceptions, *clipping)))
        case _:
            return tuple(MISCONCEPTIONS)


def _is_right(exercise: Exercise, name: str, text: str) -> bool:
    if name == "text":
        return is_reached(exercise.detail, exercise.task, text)
    if name in {"order", "words"}:
        return any(_agrees_with_method(exercise, {name: text}, CORRECT))
    answer = next(field.answer for field in exercise.fields if field.name == name)
    return text.casefold() == answer.casefold()


def _agrees_with_method(
    exercise: Exercise, answers: Mapping[str, str], method: Method
) -> list[bool]:
    """Whether marked words, and an order, are those of a method."""
    marks = []
    if answers.get("words", "").strip() and exercise.kind == "mark":
        grams = exercise.marked_grams
        places = {int(place) for place in re.findall(r"\d{1,3}", answers["words"])}
        n = exercise.marked_order
        # an n-gram as the method takes it: one that ignores the order has its words sorted
        marked = Counter(
            method.ngrams(grams[at - 1], n)[0] for at in places if 0 < at <= len(grams)
        )
        fits = all(0 < at <= len(grams) for at in places)
        credited = HandCalculation(exercise.task, method).credits(0, n)
        marks.append(fits and +Counter(credited) == marked)
    if answers.get("order", "").strip() and exercise.kind == "order":
        letters = "".join(re.findall("[A-Z]", answers["order"].upper()))
        marks.append(rank_letters(exercise.task, method) == letters)
    return marks


def _credited_positions(exercise: Exercise) -> list[int]:
    """The places of what is credited, from 1 on; of what is credited in part, the first."""
    left = Counter(HandCalculation(exercise.task).credits(0, exercise.marked_order))
    places = []
    for place, gram in enumerate(exercise.marked_grams, 1):
        if left[gram]:
            left[gram] -= 1
            places.append(place)
    return places


def _with_message(verdict: Verdict, name: str) -> Verdict:
    """The verdict with its sentence to the learner."""
    names = [name] if name in verdict.misconceptions else list(verdict.misconceptions[:1])
    message = {
        "right": "Right.",
        "follows": "Right with your own numbers from before.",
        "wrong": MISCONCEPTIONS[names[0]].sentence if names else "This is not right yet.",
        "unreadable": verdict.message
        or f"This is not a number. {_input_format_hint(verdict.name)}",
        "missing": "",
    }[verdict.status]
    return Verdict(verdict.name, verdict.status, verdict.misconceptions, message)


def _input_format_hint(name: str) -> str:
    """What to type for a quantity."""
    if name.partition("-")[0] in {"matched", "total", "c", "r"}:
        return "Type a whole number, such as 3."
    return "Type a number such as 3/4, 0.75 or 75 %."


def typical_wrong_answers(exercise: Exercise) -> tuple[tuple[str, str], ...]:
    """The mistakes that an exercise tells apart, each with the answers that it gives.

    Only what differs from the key is given, for whoever marks the sheet.
    """
    told, found = exercise.given_values, []
    right = answer_key(exercise)
    for name in exercise.misconceptions:
        method = MISCONCEPTIONS[name].method
        known: dict[str, Value] = dict(told)
        parts = []
        for field in exercise.fields:
            if field.name == "order":
                parts.append(rank_letters(exercise.task, method))
            if field.answer or field.name == "words":
                continue
            known[field.name] = HandCalculation(exercise.task, method, known).calculate(field.name)
            if format_number(known[field.name]) != right[field.name]:
                parts.append(f"{field.label} = {format_number(known[field.name])}")
        if "words" in right:
            n = exercise.marked_order
            count = sum(HandCalculation(exercise.task, method).credits(0, n).values())
            parts.append(f"{Fraction(count)} {'words' if n == 1 else f'{n}-grams'} marked")
        found.append((name, ", ".join(parts)))
    return tuple(found)
