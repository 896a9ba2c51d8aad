"""The tally of a class: each learner's results, and how often each mistake was made."""

import re
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import zip_longest
from typing import Final
from urllib.parse import parse_qsl

from app.components.controls import button
from app.learn.worksheet_answers import END, first_attempt, grade_sheet
from app.learn.worksheet_spec import (
    MAX_LINE_CHARACTERS,
    WorksheetSpec,
    apply_own_texts,
    from_fragment,
    iter_worksheet,
)
from bleu.document.blocks import Row, Table
from bleu.document.writing import isolate
from bleu.explanation.phrases import count_with_noun, escape_invisible
from bleu.learn.exercise import Exercise
from bleu.learn.grading import Grade
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.render import html
from bleu.render.csv import cell, row

MAX_NAME_CHARACTERS: Final = 60
"""The largest number of characters of a learner's name; longer names are cut."""
MAX_LEARNERS_SHOWN: Final = 100
RESULT_SIGNS: Final = {"right": "✓", "corrected": "(✓)", "wrong": "✗", "blank": "–"}
RIGHT_RESULTS: Final = {"right", "corrected"}
_DECORATION: Final = " \t>|\"'“”„«»‘’`*-"
"""Characters that mail programs and people add before and after a line."""
_CONTINUATION: Final = re.compile(r"[^\s=]*[&=%+][^\s]*|[\w.%+-]+")
"""A line without spaces, which may be the rest of a wrapped line."""
_END_PATTERN: Final = re.compile(rf"&{END}=\d+$")


@dataclass(frozen=True, slots=True)
class Learner:
    """A learner's name, results by exercise, and misconceptions in the first and last attempt.

    A result is right, corrected (right, but not in the first attempt), wrong or blank.
    """

    name: str
    results: tuple[str, ...]
    first_mistakes: frozenset[str] = frozenset()
    last_mistakes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ClassTally:
    """The learners, why lines could not be read, and how many lines a later one replaced."""

    learners: tuple[Learner, ...] = ()
    unreadable: tuple[str, ...] = ()
    replaced_count: int = 0

    @property
    def mistakes(self) -> tuple[tuple[str, int, int], ...]:
        """(misconception, how many show it at first, how many at last), most frequent first."""
        first = Counter(name for learner in self.learners for name in learner.first_mistakes)
        last = Counter(name for learner in self.learners for name in learner.last_mistakes)
        names = [name for name in MISCONCEPTIONS if first[name] or last[name]]
        counts = [(name, first[name], last[name]) for name in names]
        return tuple(sorted(counts, key=lambda item: (-item[1], -item[2])))


def tally_class(pasted_text: str) -> Generator[Exercise | None, None, ClassTally]:
    """Return the tally of a class; yield after each exercise and line, because they take a while.

    A later line replaces an earlier one of the same name and worksheet.
    """
    worksheets: dict[WorksheetSpec, tuple[Exercise, ...]] = {}
    learners: dict[tuple[str, WorksheetSpec], Learner] = {}
    unreadable: list[str] = []
    replaced = 0
    for number, line in _join_wrapped_lines(pasted_text):
        answers = line[max(0, line.find("exercises=")) :][:MAX_LINE_CHARACTERS]
        values = dict(parse_qsl(answers, keep_blank_values=True, errors="replace"))
        name = escape_invisible(values.get("name", "").strip()[:MAX_NAME_CHARACTERS])
        try:
            spec = _check_line(line, values)
        except ValueError as error:
            of_name = f" of {isolate(name)}" if name else ""
            unreadable.append(f"Line {number:,}{of_name} {error}.")
        else:
            if spec not in worksheets:
                worksheets[spec] = apply_own_texts(spec, (yield from iter_worksheet(spec)))[0]
            learner = _grade_learner(name or f"line {number}", worksheets[spec], values)
            replaced += (learner.name, spec) in learners
            learners[learner.name, spec] = learner
        yield None
    return ClassTally(tuple(learners.values()), tuple(unreadable), replaced)


def _join_wrapped_lines(pasted_text: str) -> Iterator[tuple[int, str]]:
    """Yield (1-based number, line) of each line with text, after joining wrapped lines."""
    number, parts = 0, list[str]()
    for index, raw in enumerate(pasted_text.splitlines(), 1):
        line = unescape(raw).strip(_DECORATION)
        begins = "exercises=" in line
        is_open = bool(parts) and "exercises=" in parts[0] and not _END_PATTERN.search(parts[-1])
        if is_open and not begins and _CONTINUATION.fullmatch(line):
            parts.append(line)
        elif line:
            if parts:
                yield number, "".join(parts)
            number, parts = index, [line]
    if parts:
        yield number, "".join(parts)


def _check_line(line: str, values: Mapping[str, str]) -> WorksheetSpec:
    """Return the worksheet that a learner's line answers; `values` are the values in the line.

    Text before “exercises=” is ignored.

    Raises ValueError if the line cannot be read; its message completes “Line n …”.
    """
    start = line.find("exercises=")
    if start < 0:
        raise ValueError("has no answers; they begin with “exercises=”")
    if len(line) > MAX_LINE_CHARACTERS:
        raise ValueError(f"has {len(line):,} characters; at most {MAX_LINE_CHARACTERS:,} are read")
    parsed = from_fragment(line[start:])
    if parsed is None:
        raise ValueError("has no worksheet number after “exercises=”; ask for the whole line")
    spec, notice = parsed
    if notice:
        raise ValueError(f"names another worksheet: {notice.rstrip('.')}")
    answer_count = sum("." in name for name in values)
    if values.get(END) != str(answer_count):
        raise ValueError("is cut off; ask for the whole line")
    return spec


def _grade_learner(name: str, exercises: Sequence[Exercise], values: Mapping[str, str]) -> Learner:
    first = grade_sheet(exercises, first_attempt(values))
    last = grade_sheet(exercises, values)
    first_mistakes, last_mistakes = (
        frozenset(grade.misconception for grade in grades) - {""} for grades in (first, last)
    )
    return Learner(name, tuple(map(_result, first, last)), first_mistakes, last_mistakes)


def _result(first: Grade, last: Grade) -> str:
    if last.is_blank:
        return "blank"
    if not last.right:
        return "wrong"
    return "right" if first.right else "corrected"


def class_tally_html(tally: ClassTally) -> str:
    """Return the tally as HTML: the lines read, the mistakes, and the learners."""
    summary = f"{count_with_noun(len(tally.learners), 'learner')} counted."
    if tally.replaced_count:
        verb = "was" if tally.replaced_count == 1 else "were"
        earlier = count_with_noun(tally.replaced_count, "earlier line")
        summary += f" {earlier} of the same name {verb} replaced."
    body = f"<p>{summary}</p>"
    if tally.unreadable:
        count = count_with_noun(len(tally.unreadable), "line")
        items = "".join(f"<li>{html.prose(reason)}</li>" for reason in tally.unreadable)
        body += f"<p>{count} could not be read:</p><ul>{items}</ul>"
    if not tally.learners:
        return body
    if tally.mistakes:
        rows = tuple(
            Row((MISCONCEPTIONS[name].sentence, str(first), str(last)))
            for name, first, last in tally.mistakes
        )
        headers = ("Mistake", "In the first attempt", "In the answers handed in")
        body += html.block(Table("mistakes", "Learners who made each mistake", headers, rows))
    else:
        body += "<p>No typical mistake was found.</p>"
    save = button("learn:class-save", "Download CSV")
    return f"{body}{html.block(_learner_table(tally.learners))}<p>{save}</p>"


def _learner_table(learners: Sequence[Learner]) -> Table:
    max_count = max(len(learner.results) for learner in learners)
    rows = []
    for learner in learners[:MAX_LEARNERS_SHOWN]:
        signs = [RESULT_SIGNS[result] for result in learner.results]
        padding = [""] * (max_count - len(signs))
        right = sum(result in RIGHT_RESULTS for result in learner.results)
        rows.append(Row((isolate(learner.name), *signs, *padding, f"{right} of {len(signs)}")))
    columns = zip_longest(*(learner.results for learner in learners))
    totals = [sum(result in RIGHT_RESULTS for result in column) for column in columns]
    return Table(
        "learners",
        "Each learner’s exercises: ✓ right in the first attempt, (✓) corrected, ✗ wrong, – blank",
        ("Learner", *map(str, range(1, max_count + 1)), "Right"),
        tuple(rows),
        Row(("Right in the end", *map(str, totals), str(sum(totals)))),
        max(0, len(learners) - MAX_LEARNERS_SHOWN),
        "learners, counted above",
    )


def class_tally_csv(tally: ClassTally) -> str:
    """Return the results as CSV: a row for each learner, with the names of the mistakes."""
    count = max((len(learner.results) for learner in tally.learners), default=0)
    numbers = (f"exercise {n}" for n in range(1, count + 1))
    header = ["learner", *numbers, "first mistakes", "mistakes"]
    rows = [
        [
            learner.name,
            *learner.results,
            *[""] * (count - len(learner.results)),
            " ".join(sorted(learner.first_mistakes)),
            " ".join(sorted(learner.last_mistakes)),
        ]
        for learner in tally.learners
    ]
    return "".join(row(map(cell, cells)) for cells in (header, *rows))
