"""The table of all that proposes changes, in the order in which the check-up asks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from bleu.checkup.changes import (
    MIN_GAIN,
    SIDES,
    Change,
    Proof,
    Proposals,
    ScoredRows,
    Undo,
    pause,
)
from bleu.checkup.faults import (
    TEXT_FAULTS,
    TextFault,
    detokenize,
    join_separated,
    straighten_differences,
    strip_chatter,
    strip_quotes,
)
from bleu.checkup.frames import detect_frames
from bleu.checkup.kinds import FAULTS
from bleu.checkup.line_faults import cut_foreign, cut_loop
from bleu.checkup.replacements import detect_replacements
from bleu.checkup.respelling import (
    detect_ends,
    detect_folds,
    detect_lost_words,
    detect_spacing,
    measure_cut,
    measure_lost,
)
from bleu.checkup.transforms import detect_transforms

Proposer: TypeAlias = Callable[[ScoredRows], Proposals]

SHARED: Final = {"escapes", "special-tokens", "subwords", "bom"}
"""Literal faults that are no text, even if both sides have them."""


@dataclass(frozen=True, slots=True)
class Group:
    """Functions that propose changes; the best one is made, and again if the group `repeats`.

    Changes of a group that does not repeat are proved by their marks, so one line suffices; unless
    they are certain, the score must gain `min_gain`. If one line does not suffice to prove a change
    or to gain that, the lines of a sample are tried first.
    """

    proposers: tuple[Proposer, ...]
    repeats: bool = False
    min_gain: float = 0.0

    @property
    def is_sampled(self) -> bool:
        """Whether the lines of a sample are tried first."""
        return self.repeats or self.min_gain > 0


def _literal(
    kind: str, phrase: str, undo: Undo, side: str = "hypotheses", **options: Any
) -> Change:
    return Change(kind, phrase, side, undo, Proof.LITERAL, **options)


def _always(*row: Any, is_frequent: bool = False, **options: Any) -> Proposer:
    """Return a function that proposes a change that may be in any text, perhaps in many lines."""

    def propose(rows: ScoredRows) -> Proposals:
        yield _literal(*row, **options, min_better=rows.min_lines * is_frequent)

    return propose


def _propose_fault(rows: ScoredRows, name: str, fault: TextFault) -> Proposals:
    """Propose to undo a fault of single texts, if any text may have it."""
    for text in rows.texts_in_chunks():
        yield None
        if fault.may_be_in(text) and (name == "bom" or fault.repair(text) != text):
            phrase = f"{'have' if fault.is_certain else 'differ in'} {FAULTS[name]}"
            options = {"is_certain": fault.is_certain, "is_shared": name in SHARED}
            yield _literal(name, phrase, lambda text, _: fault.repair(text), "either", **options)
            return


_SEPARATED: Final = _literal(
    "subwords", "have “+” at pieces of words", lambda text, _: join_separated(text), "either",
    is_certain=True, is_shared=True,
)  # fmt: skip


def _propose_separated(rows: ScoredRows) -> Proposals:
    """Propose to join pieces of words, if both sides have so many of them."""
    has_marks = yield from pause(rows.have_any(("+ ", " +")))
    if has_marks and (yield from pause(rows.is_whole(_SEPARATED))):
        yield _SEPARATED


_LITERAL: Final[tuple[Proposer, ...]] = (
    _propose_separated,
    *(partial(_propose_fault, name=name, fault=fault)
      for name, fault in TEXT_FAULTS.items() if name != "punctuation"),
    measure_lost,
    _always("repetition", "repeat a phrase again and again", cut_loop, is_certain=True),
)  # fmt: skip
_AROUND: Final = (
    _always("chatter", "have words around the translation", lambda text, _: strip_chatter(text),
            is_frequent=True),
    _always("frame", "have quotes around the text", strip_quotes, is_frequent=True),
)  # fmt: skip
_TOKENIZED: Final = tuple(
    _always("tokenized", "look already tokenized", detokenize, side, is_frequent=True)
    for side in SIDES
)
_STYLE: Final[tuple[tuple[Proposer, ...], ...]] = (
    _AROUND,
    _TOKENIZED,
    (_always("punctuation", f"differ in {FAULTS['punctuation']}", straighten_differences, "either",
             is_style=True),),
)  # fmt: skip
"""What may be style, and is left until the end if it gains little."""
_FOREIGN: Final = _always(
    "frame", "have text in another script beside the translation", cut_foreign, is_frequent=True
)
_MANY_LINES: Final = (
    detect_transforms,
    detect_frames,
    _FOREIGN,
    detect_replacements,
    detect_folds,
    detect_spacing,
    detect_lost_words,
    detect_ends,
)
GROUPS: Final = (
    *(Group((propose,)) for propose in _LITERAL),
    *(Group(proposers, min_gain=MIN_GAIN) for proposers in _STYLE),
    Group(_MANY_LINES, repeats=True, min_gain=MIN_GAIN),
    *map(Group, ((_FOREIGN,), *_STYLE)),
    Group((measure_cut,)),
)
"""What the check-up asks, one group after the other."""
