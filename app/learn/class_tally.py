"""The tally of a class: each learner's results, and how often each mistake was made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from app.learn.worksheet_answers import split_by_exercise
from app.learn.worksheet_spec import (
    MAX_LINE,
    WorksheetSpec,
    apply_own_texts,
    from_fragment,
    iter_worksheet,
)
from bleu.document.blocks import Row, Table
from bleu.explanation.phrases import count_with_noun, escape_invisible
from bleu.learn.exercise import Exercise
from bleu.learn.grading import grade
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.render import html

MAX_NAME: Final = 60
"""The largest number of characters of a learner's name; longer names are cut."""
MAX_LEARNERS_SHOWN: Final = 100
RESULT_SIGNS: Final = {"right": "✓", "wrong": "✗", "blank": "–"}


@dataclass(frozen=True, slots=True)
class Learner:
    """A learner's name, and the result of each exercise: right, wrong or blank."""

    name: str
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassTally:
    """The learners, the number of unreadable lines, and the number of learners by mistake."""

    learners: tuple[Learner, ...]
    unreadable: int
    mistakes: tuple[tuple[str, int], ...]


def tally_class(lines: str) -> Iterator[ClassTally]:
    """Yield the tally so far after each learner's line; the most frequent mistake comes first.

    A line counts as unreadable if it is too long or names no valid worksheet.
    """
    worksheets: dict[WorksheetSpec, tuple[Exercise, ...]] = {}
    mistake_counts: Counter[str] = Counter()
    learners: list[Learner] = []
    unreadable = 0
    menu_order = list(MISCONCEPTIONS)
    for line in lines.splitlines():
        if not line.strip():
            continue
        parsed = from_fragment(line.strip()) if len(line) <= MAX_LINE else None
        if parsed is None or parsed[1]:
            unreadable += 1
        else:
            spec = parsed[0]
            if spec not in worksheets:
                worksheets[spec] = apply_own_texts(spec, tuple(iter_worksheet(spec)))[0]
            values = dict(parse_qsl(line.strip(), errors="replace"))
            answers = split_by_exercise(worksheets[spec], values)
            grades = [
                grade(exercise, own_answers)
                for exercise, own_answers in zip(worksheets[spec], answers, strict=True)
            ]
            mistake_counts.update({graded.misconception for graded in grades} - {""})
            results = tuple(
                "blank" if not any(own_answers.values()) else "right" if graded.right else "wrong"
                for own_answers, graded in zip(answers, grades, strict=True)
            )
            name = escape_invisible(values.get("name", "").strip()[:MAX_NAME])
            learners.append(Learner(name or f"line {len(learners) + unreadable + 1}", results))
        mistakes = sorted(
            mistake_counts.items(), key=lambda item: (-item[1], menu_order.index(item[0]))
        )
        yield ClassTally(tuple(learners), unreadable, tuple(mistakes))


def class_tally_html(tally: ClassTally) -> str:
    """Return the tally as HTML: a table of mistakes and a table of learners."""
    summary = f"{count_with_noun(len(tally.learners), 'line')} read."
    if tally.unreadable:
        summary += f" {count_with_noun(tally.unreadable, 'line')} could not be read."
    if not tally.learners:
        return f"<p>{summary}</p>"
    learners = html.block(_learner_table(tally.learners))
    if not tally.mistakes:
        return f"<p>{summary} No typical mistake was found.</p>{learners}"
    rows = tuple(Row((MISCONCEPTIONS[name].sentence, str(count))) for name, count in tally.mistakes)
    table = Table("mistakes", "Learners who made each mistake", ("Mistake", "Learners"), rows)
    return f"<p>{summary}</p>{html.block(table)}{learners}"


def _learner_table(learners: Sequence[Learner]) -> Table:
    max_count = max(len(learner.results) for learner in learners)
    rows = []
    for learner in learners[:MAX_LEARNERS_SHOWN]:
        signs = [RESULT_SIGNS[result] for result in learner.results]
        padding = [""] * (max_count - len(signs))
        right = f"{learner.results.count('right')} of {len(signs)}"
        rows.append(Row((learner.name, *signs, *padding, right)))
    return Table(
        "learners",
        "Each learner’s exercises: ✓ right, ✗ wrong, – blank",
        ("Learner", *map(str, range(1, max_count + 1)), "Right"),
        tuple(rows),
        None,
        max(0, len(learners) - MAX_LEARNERS_SHOWN),
        "learners, counted above",
    )
