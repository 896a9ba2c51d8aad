"""Grading field by field, based on a learner's earlier numbers; hints, and JSON."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from bleu.core.api import corpus_bleu
from bleu.learn.exercise import Exercise
from bleu.learn.hand_calculation import (
    CORRECT,
    Change,
    Gram,
    HandCalculation,
    Value,
    calculate_all,
    consecutive_grams,
    split_tokens,
)
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import MISCONCEPTIONS, chosen_misconceptions, feedback
from bleu.learn.number_input import (
    ParsedNumber,
    UnclearNumberError,
    format_number,
    is_decimal,
    parse_number,
)

SLIP_RATE: Final = 0.1
"""The probability of a slip in a field, and that of one particular wrong number after a slip."""

OTHER_SCALE_MESSAGE: Final = (
    "That is the number on the scale of 0 to 100; here everything is on the scale of 0 to 1, so "
    "divide it by 100, or add a % sign."
)

MAX_ROUNDING: Final = 0.0005
"""The rounding tolerance up to which a number is precise enough."""
ONE_MORE_DIGIT: Final = (
    "This may be right, but a common mistake rounds to the same number: give one more digit."
)

NOT_RIGHT: Final = "This is not right yet."
"""The message on a wrong answer that no misconception explains."""

_AGREES: Final = math.log(1 - SLIP_RATE)
_DIFFERS: Final = math.log(SLIP_RATE * SLIP_RATE)
"""The log-likelihoods of a number that agrees with a method, and of one that differs."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one field.

    - `status`: `right`; `follows` if it follows from the learner's own earlier numbers; `wrong`;
      `unreadable` if it is not a number, or on the scale of 0 to 100; `missing`.
    - `misconceptions`: the names of the misconceptions that give the wrong answer.
    - `message`: the feedback to the learner.
    """

    name: str
    status: str
    misconceptions: tuple[str, ...] = ()
    message: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """The verdict on each field, the most likely misconception, and the number of mistakes.

    - `misconception`: the name, or "" if nothing is wrong or no misconception explains it.
    - `mistakes`: all fields that the misconception explains count as one mistake.
    """

    verdicts: tuple[Verdict, ...]
    misconception: str
    mistakes: int

    @property
    def right(self) -> bool:
        """Whether each verdict is `right` or `follows`."""
        return all(verdict.status in {"right", "follows"} for verdict in self.verdicts)

    @property
    def is_blank(self) -> bool:
        """Whether no field is answered."""
        return all(verdict.status == "missing" for verdict in self.verdicts)


def answer_key(exercise: Exercise) -> dict[str, str]:
    """Return the right answer to each field, by name.

    >>> from bleu.learn.generation import exercises
    >>> answer_key(exercises("7k2q", ("clipping",), 1, kinds=("step",))[0])["total-1"]
    '6'
    """
    calculation = HandCalculation(exercise.task, given=exercise.given_values)
    answers = {}
    for field in exercise.fields:
        answers[field.name] = field.answer
        if field.is_quantity:
            value = calculation.calculate(field.name)
            answers[field.name] = format_number(value)
            if field.name == "bleu" and value and exercise.by_hand and is_decimal(value):
                factors = (format_number(calculation[name]) for name in ("gm", "bp"))
                answers[field.name] = " · ".join(factors)
    return {**answers, **KINDS[exercise.kind].choices(exercise, CORRECT)}


def grade(exercise: Exercise, answers: Mapping[str, str]) -> Grade:
    """Grade the answers to an exercise, given as typed text by field name.

    A missing or empty field is not a mistake. Numbers are parsed by
    `bleu.learn.number_input.parse_number`; a decimal is right within half a unit of its last
    digit. The answer to `words` is the 1-based positions of the marked n-grams, to `order` the
    letters of the translations.

    >>> from bleu.learn.generation import exercises
    >>> exercise = exercises("7k2q", ("clipping",), 1, kinds=("step",))[0]
    >>> grade(exercise, answer_key(exercise)).right
    True
    """
    numbers = parse_answers(exercise, answers)
    follows, earlier = follow_through(exercise, numbers, CORRECT)
    graded = []
    for field in exercise.fields:
        name, text = field.name, answers.get(field.name, "").strip()
        if not text:
            graded.append(Verdict(name, "missing"))
        elif not field.is_quantity:
            is_right, misconceptions, message = KINDS[exercise.kind].judge(exercise, text)
            verdict = Verdict(name, "wrong", misconceptions, message)
            graded.append(Verdict(name, "right") if is_right else verdict)
        elif name not in numbers:
            graded.append(Verdict(name, "unreadable", (), _unclear_message(text)))
        else:
            verdict = _grade_number(exercise, name, numbers[name], follows[name], earlier[name])
            graded.append(verdict)
    right = [verdict.name for verdict in graded if verdict.status in {"right", "follows"}]
    likelihoods = {}
    for name in {name for verdict in graded for name in verdict.misconceptions}:
        agreed, _ = follow_through(exercise, numbers, MISCONCEPTIONS[name].change)
        # A misconception that contradicts a right number does not explain the wrong ones.
        if all(agreed[field] for field in right):
            likelihoods[name] = log_likelihood(agreed)
    best = max(likelihoods.values(), default=-math.inf)
    likely = [name for name in likelihoods if likelihoods[name] == best]
    # Of equally likely misconceptions, prefer the exercise's, else the first in teaching order.
    preferred = next((name for name in exercise.misconceptions if name in likely), "")
    diagnosis = preferred or min(likely, key=list(MISCONCEPTIONS).index, default="")
    verdicts = []
    for verdict in graded:
        possible = tuple(name for name in verdict.misconceptions if name in likelihoods)
        causes = (diagnosis, *likely) if diagnosis in possible else possible[:1]
        causes = tuple(dict.fromkeys(name for name in causes if name in possible))
        verdicts.append(_with_message(replace(verdict, misconceptions=possible), causes))
    wrong = [verdict for verdict in verdicts if verdict.status == "wrong"]
    # An impossible number that follows from earlier numbers is not another mistake.
    mistakes = [verdict for verdict in wrong if not follows.get(verdict.name)]
    explained = [verdict for verdict in mistakes if diagnosis in verdict.misconceptions]
    return Grade(tuple(verdicts), diagnosis, len(mistakes) - len(explained) + bool(explained))


def log_likelihood(agreed: Mapping[str, bool]) -> float:
    """Return the log-likelihood of a method, given which of a learner's numbers agree with it."""
    return sum(_AGREES if agrees else _DIFFERS for agrees in agreed.values())


def parse_answers(exercise: Exercise, answers: Mapping[str, str]) -> dict[str, ParsedNumber]:
    """Return the readable numbers, by field name."""
    numbers = {}
    for field in exercise.fields:
        if field.is_quantity:
            with suppress(ValueError):
                numbers[field.name] = parse_number(answers.get(field.name, ""))
    return numbers


def follow_through(
    exercise: Exercise, numbers: Mapping[str, ParsedNumber], change: Change
) -> tuple[dict[str, bool], dict[str, dict[str, Value]]]:
    """Compare each number with what a changed method computes from the learner's earlier numbers.

    Return two dictionaries by field name: whether the number agrees, and the earlier values. The
    earlier numbers may be exact, or rounded as the learner typed them.
    """
    exact, typed = dict(exercise.given_values), dict(exercise.given_values)
    agreed, earlier = {}, {}
    for name, number in numbers.items():
        earlier[name] = dict(exact)
        value = HandCalculation(exercise.task, change, exact).calculate(name)
        agreed[name] = number.is_near(value) or (
            typed != exact
            and number.is_near(HandCalculation(exercise.task, change, typed).calculate(name))
        )
        if number.value >= 0:  # No later value can be computed from a negative one.
            exact[name] = value if agreed[name] else number.value
            typed[name] = number.value
    return agreed, earlier


def _grade_number(
    exercise: Exercise, name: str, number: ParsedNumber, agrees: bool, earlier: Mapping[str, Value]
) -> Verdict:
    """Return the verdict on a number; it `agrees` if it follows from the `earlier` values."""
    value = HandCalculation(exercise.task, given=exercise.given_values).calculate(name)
    own_value = HandCalculation(exercise.task, CORRECT, earlier).calculate(name)
    if number.is_near(value):
        is_exact = math.isclose(number.value, value)
        if not is_exact and _may_be_mistake(exercise, name, number, earlier):
            return Verdict(name, "unreadable", (), ONE_MORE_DIGIT)
        return Verdict(name, "right")
    is_possible = 0 <= number.value <= (1 if _is_ratio(name) else math.inf)
    if agrees and is_possible:
        return Verdict(name, "follows")
    if any(_is_on_other_scale(name, number, expected) for expected in (value, own_value)):
        return Verdict(name, "unreadable", (), OTHER_SCALE_MESSAGE)
    possible = chosen_misconceptions(name) if exercise.is_choice else MISCONCEPTIONS.values()
    misconceptions = tuple(
        wrong.name
        for wrong in possible
        if not agrees
        and number.is_near(HandCalculation(exercise.task, wrong.change, earlier).calculate(name))
    )
    message = "" if is_possible else _impossible_message(name, number)
    return Verdict(name, "wrong", misconceptions, message)


def _may_be_mistake(
    exercise: Exercise, name: str, number: ParsedNumber, earlier: Mapping[str, Value]
) -> bool:
    """Return whether a misconception gives another value that also rounds to the number."""
    if number.tolerance <= MAX_ROUNDING:
        return False
    right = HandCalculation(exercise.task, CORRECT, earlier).calculate(name)
    values = (
        HandCalculation(exercise.task, wrong.change, earlier).calculate(name)
        for wrong in MISCONCEPTIONS.values()
    )
    return any(number.is_near(wrong) and not math.isclose(wrong, right) for wrong in values)


def _impossible_message(name: str, number: ParsedNumber) -> str:
    if number.value < 0:
        return "This cannot be negative."
    subjects = {"p": "A precision", "bp": "A brevity penalty", "gm": "A mean of precisions"}
    subject = subjects.get(name.partition("-")[0], "BLEU")
    return f"{subject} cannot exceed 1: look one line up."


def _is_ratio(name: str) -> bool:
    """Return whether a quantity is in [0, 1]."""
    return name.partition("-")[0] in {"p", "bp", "gm", "bleu"}


def _is_on_other_scale(name: str, number: ParsedNumber, value: Value) -> bool:
    """Return whether a number is 100 times a value in [0, 1], up to its rounding."""
    hundredth = ParsedNumber(number.value / 100, (number.tolerance or 0.5) / 100)
    return _is_ratio(name) and number.value > 1 and hundredth.is_near(value)


def _unclear_message(text: str) -> str:
    """Return why a number can be read in two ways, or "" if it is no number at all."""
    try:
        parse_number(text)
    except UnclearNumberError as error:
        return f"{error}."
    except ValueError:
        pass
    return ""


def _with_message(verdict: Verdict, causes: Sequence[str]) -> Verdict:
    """Return the verdict with its message, which names the likely misconceptions."""
    is_whole = verdict.name.partition("-")[0] in {"matched", "total", "c", "r"}
    examples = "a whole number, such as 3" if is_whole else "3/4, 0.75, 75 %, √(3/8) or exp(−1/4)"
    message = {
        "right": "Right.",
        "follows": "Right with your own numbers from before.",
        "wrong": feedback(causes) if causes else verdict.message or NOT_RIGHT,
        "unreadable": verdict.message or f"This is not a number. Type {examples}.",
        "missing": "",
    }[verdict.status]
    return replace(verdict, message=message)


def wrong_answers(exercise: Exercise, misconception: str) -> dict[str, str]:
    """Return the answers that a misconception gives, by field name, without those that are right.

    The value of `words` is the number of n-grams to mark, not their positions.

    >>> from bleu.learn.generation import exercises
    >>> exercise = exercises("7k2q", ("brevity",), 1, kinds=("step",))[0]
    >>> wrong_answers(exercise, "penalty-upside-down")
    {'bp': '1'}
    """
    change = MISCONCEPTIONS[misconception].change
    values = wrong_values(exercise, misconception)
    choices, key = KINDS[exercise.kind].choices(exercise, change), answer_key(exercise)
    wrong_choices = {name: text for name, text in choices.items() if text != key[name]}
    return {name: format_number(value) for name, value in values.items()} | wrong_choices


def wrong_values(exercise: Exercise, misconception: str) -> dict[str, Value]:
    """Return the values that a misconception gives, by field name, without those that are right."""
    names = [field.name for field in exercise.fields if field.is_quantity]
    right, wrong = (
        calculate_all(exercise.task, names, change, exercise.given_values)
        for change in (CORRECT, MISCONCEPTIONS[misconception].change)
    )
    return {name: value for name, value in wrong.items() if not math.isclose(value, right[name])}


def as_json(exercise: Exercise) -> dict[str, Any]:
    """Return an exercise as a dictionary that JSON can represent.

    - `seed`, `number` (1-based), `kind`, `topic`, `by_hand`, `detail`, `effort`.
    - `hypotheses`, `references` (a list for each hypothesis), `max_order`, `tokenizer`.
    - `given`: the given values; `fields`: each field's `name`, `label`, `options` and right
      `answer`, as text.
    - `misconceptions`: names; `sentences`: the message of each to the learner; `wrong_answers`:
      the answers of each by field name, where they differ from the right ones.
    - `answer`: `bleu`, `matched`, `total`, `brevity_penalty` and `reference_length` of all segments
      together; for a ranking, a text or a claim, the answer by field name.
    """
    task = exercise.task
    answers = answer_key(exercise)
    score = corpus_bleu(task.hypotheses, task.references, exercise.settings)
    total = {
        "bleu": score.value,
        "matched": list(score.matched),
        "total": list(score.total),
        "brevity_penalty": score.brevity_penalty,
        "reference_length": int(score.reference_length),
    }
    has_no_score = exercise.topic == "trust" or exercise.names[0] in {"order", "text"}
    return {
        "version": 1,
        "seed": exercise.seed,
        "number": exercise.number + 1,
        "kind": exercise.kind,
        "topic": exercise.topic,
        "by_hand": exercise.by_hand,
        "detail": exercise.detail,
        "effort": exercise.effort,
        "hypotheses": list(task.hypotheses),
        "references": [list(references) for references in task.references],
        "max_order": task.max_order,
        "tokenizer": task.tokenizer,
        "given": {name: str(value) for name, value in exercise.given_values.items()},
        "fields": [
            {
                "name": field.name,
                "label": field.label,
                "options": list(field.options),
                "answer": answers[field.name],
            }
            for field in exercise.fields
        ],
        "misconceptions": list(exercise.misconceptions),
        "sentences": [MISCONCEPTIONS[name].sentence for name in exercise.misconceptions],
        "wrong_answers": [wrong_answers(exercise, name) for name in exercise.misconceptions],
        "answer": answers if has_no_score else total,
    }


def exercises_json(exercises: Iterable[Exercise]) -> str:
    """Return exercises as a JSON array."""
    return json.dumps(list(map(as_json, exercises)), indent=1) + "\n"


_WHERE_TO_LOOK: Final = {
    "p": "Divide the credited n-grams by all n-grams of the candidate.",
    "c": "Count the words of the candidate, repeated ones too.",
    "r": "Write down the length of each reference, and how far it is from c.",
    "bp": "Is c less than r? Only then is there a penalty, exp(1 − r/c).",
    "gm": "Multiply the {max_order} precisions; which root do you take?",
    "bleu": "Multiply the brevity penalty by the geometric mean.",
}


def where_to_look(exercise: Exercise, name: str) -> str:
    """Return the first hint for a field.

    >>> from bleu.learn.generation import exercises
    >>> exercise = exercises("7k2q", ("clipping",), 1, kinds=("step",))[0]
    >>> where_to_look(exercise, "total-2")
    'A 2-gram begins at every word that has 1 more after it.'
    """
    kind, n = _kind_and_order(exercise, name)
    match kind:
        case "matched" | "words":
            gram = _example_ngram(exercise, int(n))
            is_single = len(_ngram_counts(exercise, gram)[1]) == 1
            reference = "the reference" if is_single else "the reference that has it most often"
            counted = f"in the candidate, and how often in {reference}"
            return f"How often is “{' '.join(gram)}” {counted}?"
        case "total":
            more = int(n) - 1
            return (
                f"A {n}-gram begins at every word that has {more} more after it."
                if more
                else "Every word of the candidate is a 1-gram."
            )
        case _:
            hint = _WHERE_TO_LOOK.get(kind) or KINDS[exercise.kind].hint
            return hint.format(max_order=exercise.max_order)


def worked_example(exercise: Exercise, name: str) -> str:
    """Return how the answer to a field is worked out.

    Raises KeyError if there is no such field.
    """
    answer = answer_key(exercise)[name]
    kind, n = _kind_and_order(exercise, name)
    calculation = HandCalculation(exercise.task, given=exercise.given_values)

    def value_text(quantity: str) -> str:
        return format_number(calculation[quantity])

    match kind:
        case "matched" | "words":
            gram = _example_ngram(exercise, int(n))
            count, reference_counts, credit = _ngram_counts(exercise, gram)
            max_count = max(reference_counts)
            grams = "words" if n == "1" else f"{n}-grams"
            return (
                f"“{' '.join(gram)}”: {count} in the candidate, at most {max_count} in one "
                f"reference, so min({count}, {max_count}) = {credit}. "
                f"The sum over all {grams} is {value_text(f'matched-{n}')}."
            )
        case "total":
            plural = "" if answer == "1" else "s"
            if n == "1" and len(exercise.hypotheses) == 1:
                return f"The candidate has {answer} word{plural}."
            return f"{_total_text(exercise, int(n))} {answer} {n}-gram{plural}."
        case "p":
            quotient = f"{value_text(f'matched-{n}')}/{value_text(f'total-{n}')}"
            same = "" if quotient == answer else f" = {answer}"
            return f"{quotient}{same}."
        case "bp" if calculation["c"] >= calculation["r"]:
            return f"c = {value_text('c')} is not less than r = {value_text('r')}, so BP is 1."
        case "bp":
            return f"exp(1 − {value_text('r')}/{value_text('c')}) = {answer}."
        case "gm":
            factors = [value_text(f"p-{order}") for order in range(1, exercise.max_order + 1)]
            return f"({' · '.join(factors)})^(1/{len(factors)}) = {answer}."
        case "bleu":
            value = calculation["bleu"]
            result = f"≈ {value:.4f}" if isinstance(value, float) else f"= {value_text('bleu')}"
            return f"BP · GM = {value_text('bp')} · {value_text('gm')} {result}."
        case _:
            return f"The answer is {answer}."


def _total_text(exercise: Exercise, n: int) -> str:
    """Return how many words there are, as the beginning of a sentence on their n-grams."""
    task = exercise.task
    lengths = [len(split_tokens(text, task.tokenizer)) for text in task.hypotheses]
    if len(lengths) == 1:
        return f"{lengths[0]} words have"
    words = f"{', '.join(map(str, lengths[:-1]))} and {lengths[-1]}"
    counts = " + ".join(str(max(0, length - n + 1)) for length in lengths)
    return f"Segment by segment, {words} words have {counts} ="


def _kind_and_order(exercise: Exercise, name: str) -> tuple[str, str]:
    """Return a field's name without its n-gram order, and this order, or "" if it has none."""
    kind, _, n = name.partition("-")
    return kind, str(exercise.marked_order) if kind == "words" else n


def _example_ngram(exercise: Exercise, n: int) -> Gram:
    """Return the n-gram to explain: one that is clipped, else one that is not credited."""
    grams = dict.fromkeys(
        gram for task in exercise.task.segments for gram in HandCalculation(task).credits(0, n)
    )

    def rank(gram: Gram) -> tuple[bool, int]:
        count, _, credit = _ngram_counts(exercise, gram)
        return (not 0 < credit < count, credit)

    return min(grams, key=rank)


def _ngram_counts(exercise: Exercise, gram: Gram) -> tuple[int, list[int], int]:
    """Return count, reference counts and credit of an n-gram in the first segment that has it."""
    n = len(gram)
    task = next(
        task for task in exercise.task.segments if gram in HandCalculation(task).credits(0, n)
    )
    count, *reference_counts = (
        consecutive_grams(split_tokens(text, task.tokenizer), n).count(gram)
        for text in (task.hypotheses[0], *task.references[0])
    )
    return count, reference_counts, HandCalculation(task).credits(0, n)[gram]
