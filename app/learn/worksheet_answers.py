"""A learner's input on a worksheet, and the line with which the answers are handed in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlencode

from app.learn.worksheet_spec import WorksheetSpec, link_parameters
from bleu.learn.exercise import Exercise
from bleu.learn.grading import Grade, grade

END: Final = "end"
"""The name of the last value in the line: the number of answers, to detect a line cut off."""
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
    'exercises=7k2q&version=3&count=6&order=2&name=Ann&1.p-1=2%2F7&first-1.p-1=1&end=2'
    """
    pairs = [(key, text) for key, text in answers.items() if text.strip() and "." in key]
    pairs += [
        (f"{_FIRST_PREFIX}{key}", text)
        for key, text in (first or {}).items()
        if text.strip() != answers.get(key, "").strip()
    ]
    values = [*link_parameters(spec), ("name", name), *pairs, (END, str(len(pairs)))]
    return urlencode(values, errors="replace")
