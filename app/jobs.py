"""Long work in slices, so that the page stays alive: with progress, and it can be cancelled."""

from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

from pyodide.ffi import create_proxy
from pyscript import window

T = TypeVar("T")
SLICE = 40
"""Milliseconds of work before the page may do something else."""


class Job(Generic[T]):
    """One generator, run in slices until it returns; then `finished` gets what it returns.

    `told` hears what it yielded last, and the seconds since its beginning, after every slice;
    `failed` gets an error, and one that is no fault of the input is raised as well. Nothing is
    heard of a job that was cancelled.
    """

    def __init__(
        self,
        work: Generator[Any, None, T],
        finished: Callable[[T], None],
        failed: Callable[[Exception], None],
        told: Callable[[Any, float], None] = lambda *_: None,
    ) -> None:
        self.work = work
        self.finished, self.failed, self.told = finished, failed, told
        self.began = window.performance.now()
        self.proxy = create_proxy(self.slice)
        self.timer = window.setTimeout(self.proxy, 0)

    def slice(self, *_: object) -> None:
        """Work for a moment, then let the page breathe."""
        end = window.performance.now() + SLICE
        last = None
        try:
            while window.performance.now() < end:
                last = next(self.work)
        except StopIteration as stop:
            self.close()
            self.finished(stop.value)
        except Exception as error:
            self.close()
            self.failed(error)
            if not isinstance(error, TypeError | ValueError | MemoryError):
                raise
        else:
            self.told(last, (window.performance.now() - self.began) / 1000)
            self.timer = window.setTimeout(self.proxy, 0)

    def close(self) -> None:
        """Stop, and forget the proxy."""
        window.clearTimeout(self.timer)
        self.work.close()
        self.proxy.destroy()
