"""What a learner types on a worksheet, and the line that hands the answers in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from app.learn.worksheet_spec import WorksheetSpec, link_parameters
from bleu.learn.exercise import Exercise


@dataclass(frozen=True, slots=True)
class WorksheetInput:
    """The content of a worksheet's blanks and text boxes.

    - `answers`: by the name of the blank, such as `2.p-1` in the second exercise.
    - `graded_answers`: the answers that were graded last.
    - `drafts`: texts being edited, by the 0-based index of the exercise.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    graded_answers: Mapping[str, str] = field(default_factory=dict)
    drafts: Mapping[int, str] = field(default_factory=dict)

    def carry_over(self, old: Sequence[Exercise], new: Sequence[Exercise]) -> "WorksheetInput":
        """Return the input that still applies after `old` exercises are replaced by `new`.

        The graded answers are kept only if all of them still apply.

        >>> WorksheetInput({"1.p-1": "2/7"}, drafts={0: "a b"}).carry_over((), ())
        WorksheetInput(answers={}, graded_answers={}, drafts={})
        """
        unchanged = {index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a == b}
        numbers = {str(index + 1) for index in unchanged}
        keep_grades = {name.partition(".")[0] for name in self.graded_answers} <= numbers
        return WorksheetInput(
            {
                name: answer
                for name, answer in self.answers.items()
                if name.partition(".")[0] in numbers
            },
            self.graded_answers if keep_grades else {},
            {index: texts for index, texts in self.drafts.items() if index in unchanged},
        )


def split_by_exercise(
    exercises: Sequence[Exercise], answers: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the answers to each exercise by field name; `answers` are by blank, such as `2.p-1`.

    >>> split_by_exercise((), {"1.p-1": "1/2"})
    []
    """
    return [
        {name: answers.get(f"{number}.{name}", "") for name in exercise.names}
        for number, exercise in enumerate(exercises, 1)
    ]


def answers_line(spec: WorksheetSpec, name: str, answers: Mapping[str, str]) -> str:
    """Return one line to hand in: the worksheet, the learner's name and the answers.

    >>> answers_line(WorksheetSpec("7k2q"), "Ann", {"1.p-1": "2/7", "2.line": ""})
    'exercises=7k2q&version=2&count=6&order=2&name=Ann&1.p-1=2%2F7'
    """
    answered = [(key, text) for key, text in answers.items() if text.strip() and "." in key]
    return urlencode([*link_parameters(spec), ("name", name), *answered], errors="replace")
