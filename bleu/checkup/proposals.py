"""The table of all that proposes changes, in the order in which the check-up asks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from bleu.checkup.changes import (
    MIN_GAIN,
    SIDES,
    Change,
    Proof,
    Proposals,
    ScoredRows,
    min_lines,
    pause,
)
from bleu.checkup.faults import (
    TEXT_FAULTS,
    TextFault,
    detokenize,
    join_separated,
    straighten_differences,
    strip_chatter,
)
from bleu.checkup.finding import has_any
from bleu.checkup.frames import detect_frames
from bleu.checkup.kinds import FAULTS
from bleu.checkup.line_faults import cut_loop, has_loop
from bleu.checkup.replacements import detect_marks, detect_replacements
from bleu.checkup.respelling import (
    detect_ends,
    detect_folds,
    detect_long,
    detect_lost_marks,
    detect_lost_words,
    detect_spacing,
    measure_cut,
    measure_lost,
)
from bleu.checkup.transforms import detect_transforms
from bleu.core.progress import ITEMS_PER_SLICE

Proposer: TypeAlias = Callable[[ScoredRows], Proposals]

CHUNK_ROWS: Final = 200
"""The number of rows that are searched for marks at once, which is faster than one by one."""
SHARED: Final = {"escapes", "special-tokens", "subwords", "bom"}
"""Literal faults that are no text, even if both sides have them."""


@dataclass(frozen=True, slots=True)
class Group:
    """Functions that propose changes; the best one is made, and again if the group `repeats`.

    Changes of a group that does not repeat are proved by their marks, so all lines are searched,
    and one line suffices; unless they are certain, the score must gain `min_gain`.
    """

    proposers: tuple[Proposer, ...]
    repeats: bool = False
    min_gain: float = 0.0


def _propose_fault(rows: ScoredRows, name: str, fault: TextFault) -> Proposals:
    """Propose to undo a fault of single texts, if any text may have it."""
    for start in range(0, len(rows.rows), CHUNK_ROWS):
        yield None
        chunk = rows.rows[start : start + CHUNK_ROWS]
        text = "\n".join(text for hypothesis, row in chunk for text in (hypothesis, *row))
        if has_any(fault.marks, text) if fault.marks else not text.isascii():
            if not fault.marks and fault.repair(text) == text:
                continue
            yield Change(
                name,
                f"{'have' if fault.is_certain else 'differ in'} {FAULTS[name]}",
                "either",
                lambda text, _: fault.repair(text),
                Proof.LITERAL,
                is_certain=fault.is_certain,
                is_shared=name in SHARED,
            )
            return


def _propose_loops(rows: ScoredRows) -> Proposals:
    """Propose to cut phrases that hypotheses repeat again and again, and no reference does."""
    for index, (text, references) in enumerate(rows.rows):
        if index % ITEMS_PER_SLICE == 0:
            yield None
        if cut_loop(text) != text and not any(map(has_loop, references)):
            yield Change(
                "repetition",
                "repeat a phrase again and again",
                "hypotheses",
                lambda text, other: text if has_loop(other) else cut_loop(text),
                Proof.LITERAL,
                is_certain=True,
            )
            return


def _propose_separated(rows: ScoredRows) -> Proposals:
    """Propose to join pieces of words, if both sides have so many of them."""
    change = Change(
        "subwords",
        "have “+” at pieces of words",
        "either",
        lambda text, _: join_separated(text),
        Proof.LITERAL,
        is_certain=True,
        is_shared=True,
    )
    if (yield from pause(rows.is_whole(change))):
        yield change


def _propose_chatter(rows: ScoredRows) -> Proposals:
    """Propose to remove usual words of language models from the hypotheses."""
    phrase, least = "have words or quotes around the translation", min_lines(len(rows.rows))
    yield Change(
        "chatter",
        phrase,
        "hypotheses",
        lambda text, _: strip_chatter(text),
        Proof.LITERAL,
        min_better=least,
    )


def _propose_tokenized(rows: ScoredRows) -> Proposals:
    """Propose to join marks and clitics on the side that has far more of them."""
    lines: list[set[int]] = [set(), set()]
    for index, (text, references) in enumerate(rows.rows):
        if index % ITEMS_PER_SLICE == 0:
            yield None
        is_tokenized = detokenize(text) != text, list(map(detokenize, references)) != references
        if is_tokenized[0] != is_tokenized[1]:
            lines[is_tokenized[1]].add(index)
    more, fewer = max(map(len, lines)), min(map(len, lines))
    if more - fewer >= min_lines(len(rows.rows)) and 4 * fewer <= more:
        side = SIDES[len(lines[1]) == more]
        yield Change(
            "tokenized",
            "look already tokenized",
            side,
            lambda text, _: detokenize(text),
            Proof.LITERAL,
        )


def _propose_punctuation(_: ScoredRows) -> Iterator[Change]:
    phrase = f"differ in {FAULTS['punctuation']}"
    yield Change(
        "punctuation", phrase, "either", straighten_differences, Proof.LITERAL, is_style=True
    )


_LITERAL: Final[tuple[Proposer, ...]] = (
    _propose_separated,
    *(partial(_propose_fault, name=name, fault=fault)
      for name, fault in TEXT_FAULTS.items() if name != "punctuation"),
    measure_lost,
    _propose_loops,
)  # fmt: skip
_STYLE: Final[tuple[Proposer, ...]] = (_propose_chatter, _propose_tokenized, _propose_punctuation)
"""What may be style, and is left until the end if it gains little."""
GROUPS: Final = (
    *(Group((propose,)) for propose in _LITERAL),
    *(Group((propose,), min_gain=MIN_GAIN) for propose in _STYLE),
    Group(
        (
            detect_transforms,
            detect_frames,
            detect_marks,
            detect_replacements,
            detect_folds,
            detect_spacing,
            detect_lost_words,
            detect_lost_marks,
            detect_ends,
            detect_long,
        ),
        repeats=True,
    ),
    *(Group((propose,)) for propose in _STYLE),
    Group((measure_cut,)),
)
"""What the check-up asks, one group after the other."""
