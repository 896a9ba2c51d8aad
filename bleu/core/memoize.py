"""Caches of results: those of the latest arguments, and those of words."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final, TypeVar, TypeVarTuple

Args = TypeVarTuple("Args")
Result = TypeVar("Result")

_CACHES: Final[list[Any]] = []
"""The caches of all memoized functions."""

MAX_ENTRIES: Final = 64
"""The number of results that a memoized function keeps."""
MAX_WORDS: Final = 1 << 14
MAX_WORD_CHARACTERS: Final = 40
"""The length of a word above which its result is not cached."""


def memoize(
    max_size: int, size: Callable[[*Args], int]
) -> Callable[[Callable[[*Args], Result]], Callable[[*Args], Result]]:
    """Decorate a function to keep its latest results, which callers must not mutate.

    `size` estimates the size of a result from the arguments. Above `max_size`, it is not kept.

    >>> double = memoize(max_size=5, size=len)(lambda text: print("called") or text * 2)
    >>> double("ab"), double("ab"), double("longer")
    called
    called
    ('abab', 'abab', 'longerlonger')
    """

    def decorate(function: Callable[[*Args], Result]) -> Callable[[*Args], Result]:
        cached = lru_cache(MAX_ENTRIES)(function)
        _CACHES.append(cached)

        @wraps(function)
        def memoized(*args: *Args) -> Result:
            return cached(*args) if size(*args) <= max_size else function(*args)

        return memoized

    return decorate


def clear_memoized() -> None:
    """Clear the caches of all memoized functions to free memory."""
    for cached in _CACHES:
        cached.cache_clear()


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
