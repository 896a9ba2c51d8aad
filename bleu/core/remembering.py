"""Results that are remembered, as long as they are not too much together."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Final, Generic, TypeVar, TypeVarTuple

Given = TypeVarTuple("Given")
Result = TypeVar("Result")

_ALL: Final[list["Remembered[*tuple[object, ...], object]"]] = []


MOST: Final = 64
"""Results, however small, after which older ones are forgotten."""


class Remembered(Generic[*Given, Result]):
    """A function whose last results are remembered; nobody may change what it returns.

    `size` says how big a result is, from what the function is given. As soon as new results are
    bigger than `room` together, or many, all those are forgotten that were not asked for since
    the last time; so at most twice as much is kept. What is bigger than `room` by itself never is.
    """

    def __init__(
        self, make: Callable[[*Given], Result], room: int, size: Callable[[*Given], int]
    ) -> None:
        update_wrapper(self, make)
        self.make, self.room, self.size = make, room, size
        self.forget()
        _ALL.append(self)  # type: ignore[arg-type]

    def forget(self) -> None:
        """Remember nothing."""
        self.taken = 0
        self.new: dict[tuple[*Given], Result] = {}
        self.old: dict[tuple[*Given], Result] = {}

    def __call__(self, *given: *Given) -> Result:
        """What the function returns, remembered or made."""
        found = self.new.get(given)
        if found is not None:
            return found
        size = self.size(*given)
        if size > self.room:
            return self.make(*given)
        result = self.old.pop(given) if given in self.old else self.make(*given)
        if self.taken + size > self.room or len(self.new) >= MOST:
            self.taken, self.old, self.new = 0, self.new, {}
        self.taken += size
        self.new[given] = result
        return result


def remembered(
    room: int, size: Callable[[*Given], int]
) -> Callable[[Callable[[*Given], Result]], Remembered[*Given, Result]]:
    """A function that is `Remembered`.

    >>> doubled = remembered(room=5, size=len)(lambda text: print("made") or text * 2)
    >>> doubled("ab"), doubled("ab"), doubled("longer")
    made
    made
    ('abab', 'abab', 'longerlonger')
    """
    return lambda make: Remembered(make, room, size)


def forget() -> None:
    """Forget all that is remembered anywhere, for room."""
    for one in _ALL:
        one.forget()
