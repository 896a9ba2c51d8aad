"""What a click overwrote in the form, so that it can be brought back."""

from dataclasses import dataclass
from typing import Final

from app.state.form import Inputs

MAX_CHARACTERS: Final = 20_000_000
"""Characters that all the forms kept may have together; the newest is kept whatever it has."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was done, in a word or two, and the form before and after it."""

    label: str
    before: Inputs
    after: Inputs


class History:
    """The changes that can be undone, and those that were and can be done again.

    >>> history = History()
    >>> history.add("Clear", Inputs("a"), Inputs())
    >>> history.undo(Inputs("b")).hypothesis, history.redo(Inputs("a")).hypothesis
    ('a', 'b')
    """

    def __init__(self) -> None:
        self.past: list[Change] = []
        self.future: list[Change] = []

    def add(self, what: str, before: Inputs, after: Inputs) -> None:
        """Remember a change, unless it changes nothing; what was undone before is forgotten."""
        if before != after:
            self.past.append(Change(what, before, after))
            self.future = []
            while len(self.past) > 1 and sum(map(_size, self.past)) > MAX_CHARACTERS:
                del self.past[0]

    def undo(self, now: Inputs) -> Inputs:
        """The form before the last change; `now` is what `redo` brings back.

        Raises IndexError where there is nothing to undo.
        """
        change = self.past.pop()
        self.future.append(Change(change.label, change.before, now))
        return change.before

    def redo(self, now: Inputs) -> Inputs:
        """The form as it was when the last change was undone; `now` is what `undo` brings back.

        Raises IndexError where there is nothing to do again.
        """
        change = self.future.pop()
        self.past.append(Change(change.label, now, change.after))
        return change.after


def _size(change: Change) -> int:
    return sum(map(len, (change.before.hypothesis, *change.before.references)))
