"""The undo history: changes of the form by commands."""

from dataclasses import dataclass
from typing import Final

from app.state.inputs import Inputs

MAX_CHARACTERS: Final = 20_000_000
"""Characters of all changes that can be undone; the newest is kept whatever its size."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change: its label, and the form before and after it."""

    label: str
    before: Inputs
    after: Inputs

    @property
    def size(self) -> int:
        """The number of characters of the texts before it."""
        return sum(map(len, (self.before.hypothesis, *self.before.references)))


class History:
    """The changes that can be undone (`past`) and redone (`future`), the next one last.

    >>> history = History()
    >>> history.add("Clear", Inputs("a"), Inputs())
    >>> history.undo(Inputs("b")).hypothesis, history.redo(Inputs("a")).hypothesis
    ('a', 'b')
    """

    def __init__(self) -> None:
        self.past: list[Change] = []
        self.future: list[Change] = []

    def add(self, label: str, before: Inputs, after: Inputs) -> None:
        """Add a change, and drop those that were undone, unless nothing differs."""
        if before != after:
            self.past.append(Change(label, before, after))
            self.future = []
            while len(self.past) > 1 and sum(change.size for change in self.past) > MAX_CHARACTERS:
                del self.past[0]

    def undo(self, current: Inputs) -> Inputs:
        """Return the form before the last change; `redo` restores `current`.

        Raises IndexError if there is nothing to undo.
        """
        change = self.past.pop()
        self.future.append(Change(change.label, change.before, current))
        return change.before

    def redo(self, current: Inputs) -> Inputs:
        """Return the form from before the last undo; `undo` restores `current`.

        Raises IndexError if there is nothing to redo.
        """
        change = self.future.pop()
        self.past.append(Change(change.label, current, change.after))
        return change.after
