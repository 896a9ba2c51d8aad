"""Results that are remembered, as long as they are not too much together."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Final, Generic, TypeVar, TypeVarTuple

Args = TypeVarTuple("Args")
Result = TypeVar("Result")

_MEMOIZED: Final[list["MemoizedFunction[*tuple[object, ...], object]"]] = []


MAX_ENTRIES: Final = 64
"""Results, however small, after which older ones are forgotten."""


class MemoizedFunction(Generic[*Args, Result]):
    """A function whose last results are remembered; nobody may change what it returns.

    `size` says how big a result is, from what the function is given. As soon as new results are
    bigger than `capacity` together, or many, all those are forgotten that were not asked for since
    the last time; so at most twice as much is kept. What is bigger than `capacity` by itself never is.
    """

    def __init__(
        self, function: Callable[[*Args], Result], capacity: int, size: Callable[[*Args], int]
    ) -> None:
        update_wrapper(self, function)
        self.function, self.capacity, self.size = function, capacity, size
        self.clear()
        _MEMOIZED.append(self)  # type: ignore[arg-type]

    def clear(self) -> None:
        """Remember nothing."""
        self.used = 0
        self.recent: dict[tuple[*Args], Result] = {}
        self.previous: dict[tuple[*Args], Result] = {}

    def __call__(self, *given: *Args) -> Result:
        """What the function returns, remembered or made."""
        found = self.recent.get(given)
        if found is not None:
            return found
        size = self.size(*given)
        if size > self.capacity:
            return self.function(*given)
        result = self.previous.pop(given) if given in self.previous else self.function(*given)
        if self.used + size > self.capacity or len(self.recent) >= MAX_ENTRIES:
            self.used, self.previous, self.recent = 0, self.recent, {}
        self.used += size
        self.recent[given] = result
        return result


def memoize(
    capacity: int, size: Callable[[*Args], int]
) -> Callable[[Callable[[*Args], Result]], MemoizedFunction[*Args, Result]]:
    """A function that is `MemoizedFunction`.

    >>> doubled = memoize(capacity=5, size=len)(lambda text: print("made") or text * 2)
    >>> doubled("ab"), doubled("ab"), doubled("longer")
    made
    made
    ('abab', 'abab', 'longerlonger')
    """
    return lambda make: MemoizedFunction(make, capacity, size)


def clear_memoized() -> None:
    """Forget all that is remembered anywhere, for room."""
    for one in _MEMOIZED:
        one.clear()
