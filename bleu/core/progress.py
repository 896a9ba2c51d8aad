"""Long computations in parts: generators that tell how far they are, and return their result."""

from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")
Event = TypeVar("Event")
ProgressGenerator = Generator[tuple[int, int], None, T]
"""A long computation: yields (done, all) after every part of it, and returns its result."""


def run_to_end(steps: Generator[object, None, T]) -> T:
    """The result of a computation, run to its end.

    >>> def computation():
    ...     yield 1, 2
    ...     return "the result"
    >>> run_to_end(computation())
    'the result'
    """
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def map_progress(
    steps: ProgressGenerator[T], to_event: Callable[[int, int], Event]
) -> Generator[Event, None, T]:
    """The same computation, which yields what `make` makes of (done, all).

    >>> def computation():
    ...     yield 1, 2
    ...     return "the result"
    >>> run_to_end(map_progress(computation(), print))
    1 2
    'the result'
    """
    while True:
        try:
            done, all_ = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        yield to_event(done, all_)
