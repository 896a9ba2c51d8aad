"""Progress-reporting generators for long computations."""

from collections.abc import Callable, Generator
from typing import NamedTuple, TypeVar

T = TypeVar("T")
Event = TypeVar("Event")
ProgressGenerator = Generator[tuple[int, int], None, T]
"""A computation that yields (done, total) after every part and returns its result."""


class Progress(NamedTuple):
    """The progress of a task: how much of a total is done.

    - `total`: 0 if it is not known in advance.
    - `unit`: "MB" for bytes, else "".
    - `name`: the system or column that the task is about, or "".
    """

    task: str
    done: int
    total: int
    unit: str = ""
    name: str = ""


def track(
    task: str, computation: ProgressGenerator[T], name: str = ""
) -> Generator[Progress, None, T]:
    """Run a computation, and yield its progress as that of a task."""
    return map_progress(computation, lambda done, total: Progress(task, done, total, "", name))


def run_to_end(computation: Generator[object, None, T]) -> T:
    """Run a computation to its end and return its result."""
    while True:
        try:
            next(computation)
        except StopIteration as stop:
            result: T = stop.value
            return result


def map_progress(
    computation: ProgressGenerator[T], to_event: Callable[[int, int], Event]
) -> Generator[Event, None, T]:
    """Run a computation, yielding `to_event(done, total)` instead of each pair.

    >>> def computation():
    ...     yield 1, 2
    ...     return "the result"
    >>> run_to_end(map_progress(computation(), print))
    1 2
    'the result'
    """
    while True:
        try:
            done, total = next(computation)
        except StopIteration as stop:
            result: T = stop.value
            return result
        yield to_event(done, total)
