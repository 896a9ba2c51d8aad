"""The tally of a class: each learner's results, and how often each mistake was made."""

import re
import unicodedata
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import zip_longest
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode

from app.components import button
from app.learn.worksheet_answers import END, first_attempt, grade_sheet, line_check
from app.learn.worksheet_spec import (
    MAX_LINE_CHARACTERS,
    WorksheetSpec,
    apply_own_texts,
    from_fragment,
    iter_worksheet,
)
from bleu.document.blocks import Row, Table
from bleu.document.writing import isolate
from bleu.explanation.phrases import count_with_noun, english_list, escape_invisible
from bleu.learn.exercise import Exercise
from bleu.learn.grading import Grade
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.render import html
from bleu.render.csv import table

MAX_NAME_CHARACTERS: Final = 60
"""The largest number of characters of a learner's name; longer names are cut."""
MAX_LEARNERS_SHOWN: Final = 100
RESULT_SIGNS: Final = {"right": "✓", "corrected": "(✓)", "wrong": "✗", "blank": "–"}
RIGHT_RESULTS: Final = {"right", "corrected"}
_DECORATION: Final = " \t>|\"'“”„«»‘’`*-"
"""Characters that mail programs and people add before and after a line."""
_CONTINUATION: Final = re.compile(r"[^\s=]*[&=%+][^\s]*|[\w.%+-]+")
"""A line without spaces, which may be the rest of a wrapped line."""
_BEGIN: Final = re.compile(r"exercises\W?(?:[=＝]|%3d|%253d)", re.IGNORECASE)
_END_PATTERN: Final = re.compile(rf"\b{END}(?:=|%3d|%253d|=3d)c[0-9a-z]{{4}}\W*$", re.IGNORECASE)
_LINE: Final = re.compile(rf"exercises=.*?&{END}=c[0-9a-z]{{4}}\b", re.IGNORECASE)
"""A line of answers, without what stands around it."""


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
    """The learners, why lines could not be read, and how many lines repeat an earlier one.

    `same_names` are the names of learners who are not the first of their name.
    """

    learners: tuple[Learner, ...] = ()
    unreadable: tuple[str, ...] = ()
    repeated_count: int = 0
    same_names: tuple[str, ...] = ()

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

    A line that repeats the name and the answers of an earlier one is counted once. If the answers
    differ, both are counted, and the number of the line is added to the second name.
    """
    worksheets: dict[WorksheetSpec, tuple[Exercise, ...]] = {}
    learners: dict[tuple[str, WorksheetSpec, str], Learner] = {}
    unreadable: list[str] = []
    same_names: list[str] = []
    lines = 0
    for number, line in _join_wrapped_lines(pasted_text):
        values = _read_values(line)
        name = escape_invisible(values.get("name", "").strip()[:MAX_NAME_CHARACTERS])
        try:
            spec = _check_line(line, values)
            if spec not in worksheets:
                worksheets[spec] = apply_own_texts(spec, (yield from iter_worksheet(spec)))[0]
            _check_fields(worksheets[spec], values)
        except ValueError as error:
            of_name = f" of {isolate(name)}" if name else ""
            unreadable.append(f"Line {number:,}{of_name} {error}.")
        else:
            lines += 1
            key = label, _, _ = name or f"line {number}", spec, line_check(values)
            if key not in learners:
                if (label, spec) in (other[:2] for other in learners):
                    label = f"{label} (line {number})"
                    same_names.append(label)
                learners[key] = _grade_learner(label, worksheets[spec], values)
        yield None
    repeated = lines - len(learners)
    return ClassTally(tuple(learners.values()), tuple(unreadable), repeated, tuple(same_names))


def _join_wrapped_lines(pasted_text: str) -> Iterator[tuple[int, str]]:
    """Yield (1-based number, line) of each line with text; a wrapped line keeps its line feeds."""
    number, parts = 0, list[str]()
    separated = re.sub(rf"(&{END}=\w+)[ \t]+(?=\S*exercises=)", r"\1\n", pasted_text)
    for index, raw in enumerate(separated.splitlines(), 1):
        line = raw
        while (unescaped := unescape(line)) != line:
            line = unescaped
        line = line.strip(_DECORATION)
        begins = bool(_BEGIN.search(line))
        is_open = bool(parts and _BEGIN.search(parts[0]))
        is_open &= not _END_PATTERN.search(_mend("".join(parts[-1:])))
        if is_open and not begins and _CONTINUATION.fullmatch(_mend(line)):
            parts.append(line)
        elif line:
            if parts:
                yield number, "\n".join(parts)
            number, parts = index, [line]
    if parts:
        yield number, "\n".join(parts)


def _mend(line: str) -> str:
    """Undo what mail and word processors do to a line, which had ASCII signs only.

    >>> _mend("1.p\u2011\u200b1=3&2.c=７")
    '1.p-1=3&2.c=7'
    """
    signs = ((sign, unicodedata.category(sign)) for sign in unicodedata.normalize("NFKC", line))
    dashed = ("-" if kind == "Pd" or sign == "−" else sign for sign, kind in signs if kind != "Cf")
    return "".join(dashed).replace("\\", "")


def _read_values(line: str) -> dict[str, str]:
    """Return the values in a line, read in the first way that agrees with its check."""
    start = _BEGIN.search(line)
    text = line[start.start() if start else 0 :][:MAX_LINE_CHARACTERS]
    quoted_printable = text.replace("=\n", "").replace("=3D", "=")
    readings = list[dict[str, str]]()
    for variant in (text, quoted_printable, _mend(text)):
        decoded, readings = variant.replace("\n", ""), []
        for _ in range(3):
            found = _LINE.search(decoded)
            pairs = parse_qsl(found[0] if found else decoded, True, errors="replace")
            values = {name[:1].lower() + name[1:]: value for name, value in pairs}
            if values.get(END) == line_check(values):
                return values
            readings.append(values)
            decoded = unquote(decoded)
    return readings["%25" in text]  # No reading agrees; the error names the learner.


def _check_line(line: str, values: Mapping[str, str]) -> WorksheetSpec:
    """Return the worksheet that a learner's line answers; `values` are the values in the line.

    Raises ValueError if the line cannot be read; its message completes “Line n …”.
    """
    if not _BEGIN.search(line):
        raise ValueError("has no answers; they begin with “exercises=”")
    if len(line) > MAX_LINE_CHARACTERS:
        raise ValueError(f"has {len(line):,} characters; at most {MAX_LINE_CHARACTERS:,} are read")
    parsed = from_fragment(urlencode(values))
    if parsed is None:
        raise ValueError("has no worksheet number after “exercises=”; ask for the whole line")
    spec, notice = parsed
    if END not in values:
        raise ValueError("is cut off; ask for the whole line")
    if values[END] != line_check(values):
        raise ValueError("was changed on the way; ask for it once more")
    if notice:
        raise ValueError(f"names another worksheet: {notice.rstrip('.')}")
    return spec


def _check_fields(exercises: Sequence[Exercise], values: Mapping[str, str]) -> None:
    """Raise ValueError if a line answers a field that the worksheet does not have."""
    numbered = enumerate(exercises, 1)
    fields = {f"{number}.{name}" for number, exercise in numbered for name in exercise.names}
    for name in (name.removeprefix("first-") for name in values if "." in name):
        if name not in fields and ".row-" not in name:
            raise ValueError(f"answers “{name[:20]}”, which the worksheet does not ask")


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
    if tally.repeated_count:
        repeated = count_with_noun(tally.repeated_count, "line")
        summary += f" {repeated} with the same name and answers counted once."
    if tally.same_names:
        names = english_list([isolate(name) for name in tally.same_names])
        summary += f" Of the same name, with other answers, and counted as well: {names}."
    body = f"<p>{html.prose(summary)}</p>"
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
    return table([header, *rows])
