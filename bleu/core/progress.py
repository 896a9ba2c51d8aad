"""Progress-reporting generators for long computations."""

from collections.abc import Callable, Generator, Sequence
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")
Item = TypeVar("Item")
Event = TypeVar("Event")
ProgressGenerator = Generator[tuple[int, int], None, T]
"""A computation that yields (done, total) after every part and returns its result."""

ITEMS_PER_SLICE: Final = 10
"""The number of items between two pauses: about 0.5 ms of counting in CPython, 2 ms in Pyodide."""


class Progress(NamedTuple):
    """The progress of a task: how much of a total is done.

    - `total`: 0 if it is not known in advance.
    - `unit`: "MB" for bytes, else "".
    - `name`: the system or column that the task is about, or "".
    - `later`: the work of the tasks that follow, in units of this one.
    """

    task: str
    done: int
    total: int
    unit: str = ""
    name: str = ""
    later: float = 0


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


def map_in_slices(
    function: Callable[[Item], T], items: Sequence[Item], size: int = ITEMS_PER_SLICE
) -> ProgressGenerator[list[T]]:
    """Return the results of a function for all items, with a pause after every `size` items.

    >>> run_to_end(map_in_slices(abs, [-1, 2]))
    [1, 2]
    """
    results: list[T] = []
    for start in range(0, len(items), size):
        yield start, len(items)
        results += map(function, items[start : start + size])
    return results
