"""Memoized functions with a bound on the total size of the results."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Final, Generic, TypeVar, TypeVarTuple

Args = TypeVarTuple("Args")
Result = TypeVar("Result")

_MEMOIZED: Final[list["MemoizedFunction[*tuple[object, ...], object]"]] = []
"""All memoized functions."""

MAX_ENTRIES: Final = 64
"""The largest number of results in either half of a cache, whatever their sizes."""
MAX_WORDS: Final = 1 << 14
MAX_WORD_CHARACTERS: Final = 40
"""The length of a word above which its result is not cached."""


class MemoizedFunction(Generic[*Args, Result]):
    """A memoized function with a bounded cache; callers must not mutate its results.

    `size` estimates the size of a result from the arguments. The cache has two halves, recent
    and previous results: before the recent ones exceed `capacity` in total size, or MAX_ENTRIES in
    number, they replace the previous ones. A previous result that is read becomes recent. So the
    cache holds at most twice `capacity`. A result larger than `capacity` is not cached.
    """

    def __init__(
        self, function: Callable[[*Args], Result], capacity: int, size: Callable[[*Args], int]
    ) -> None:
        update_wrapper(self, function)
        self.function, self.capacity, self.size = function, capacity, size
        self.clear()
        _MEMOIZED.append(self)  # type: ignore[arg-type]

    def clear(self) -> None:
        """Drop all cached results."""
        self.recent_size = 0
        self.recent: dict[tuple[*Args], Result] = {}
        self.previous: dict[tuple[*Args], Result] = {}

    def cached(self, *args: *Args) -> Result | None:
        """Return the cached result, or None."""
        return self.recent.get(args) or self.previous.get(args)

    def __call__(self, *args: *Args) -> Result:
        """Return the cached result, or call the function."""
        cached = self.recent.get(args)
        if cached is not None:
            return cached
        size = self.size(*args)
        if size > self.capacity:
            return self.function(*args)
        result = self.previous.pop(args) if args in self.previous else self.function(*args)
        if self.recent_size + size > self.capacity or len(self.recent) >= MAX_ENTRIES:
            self.recent_size, self.previous, self.recent = 0, self.recent, {}
        self.recent_size += size
        self.recent[args] = result
        return result


def memoize(
    capacity: int, size: Callable[[*Args], int]
) -> Callable[[Callable[[*Args], Result]], MemoizedFunction[*Args, Result]]:
    """Decorate a function as a `MemoizedFunction`.

    >>> double = memoize(capacity=5, size=len)(lambda text: print("called") or text * 2)
    >>> double("ab"), double("ab"), double("longer")
    called
    called
    ('abab', 'abab', 'longerlonger')
    """
    return lambda function: MemoizedFunction(function, capacity, size)


class WordCache(dict[str, Result]):
    """The results of a function for up to MAX_WORDS short words, computed when they are read.

    >>> WordCache(str.upper)["cat"]
    'CAT'
    """

    def __init__(self, function: Callable[[str], Result]) -> None:
        self.function = function

    def __missing__(self, word: str) -> Result:
        result = self.function(word)
        if len(word) <= MAX_WORD_CHARACTERS:
            if len(self) >= MAX_WORDS:
                self.clear()
            self[word] = result
        return result


def clear_memoized() -> None:
    """Clear all memoized functions to free memory."""
    for function in _MEMOIZED:
        function.clear()
