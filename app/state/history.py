"""The undo history: the changes that commands make to the form, or to the choices for files."""

from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

MAX_CHARACTERS: Final = 20_000_000
"""Characters in all changes that can be undone; the newest change is always kept."""


class UndoableState(Protocol):
    """A state that an undo can restore, such as `Inputs`."""

    @property
    def size(self) -> int:
        """The number of characters that the state keeps in memory."""


State = TypeVar("State", bound=UndoableState)


@dataclass(frozen=True, slots=True)
class Change(Generic[State]):
    """A change: its label, and the state before and after it."""

    label: str
    before: State
    after: State


class History(Generic[State]):
    """The changes that can be undone (`past`) and redone (`future`), the next one last.

    >>> from app.state.inputs import Inputs
    >>> history = History[Inputs]()
    >>> history.add("Clear", Inputs("a"), Inputs())
    >>> history.undo(Inputs("b")).hypothesis, history.redo(Inputs("a")).hypothesis
    ('a', 'b')
    """

    def __init__(self) -> None:
        self.past: list[Change[State]] = []
        self.future: list[Change[State]] = []

    def add(self, label: str, before: State, after: State) -> None:
        """Add a change and clear `future`; do nothing if both states are equal."""
        if before != after:
            self.past.append(Change(label, before, after))
            self.future = []
            sizes = [change.before.size for change in self.past]
            while len(sizes) > 1 and sum(sizes) > MAX_CHARACTERS:
                del self.past[0], sizes[0]

    def undo(self, current: State) -> State:
        """Return the state before the last change; `redo` restores `current`.

        Raises IndexError if there is nothing to undo.
        """
        change = self.past.pop()
        self.future.append(Change(change.label, change.before, current))
        return change.before

    def redo(self, current: State) -> State:
        """Return the state from before the last undo; `undo` restores `current`.

        Raises IndexError if there is nothing to redo.
        """
        change = self.future.pop()
        self.past.append(Change(change.label, current, change.after))
        return change.after
