"""Work for later: once after a while, or long and in slices, so that the page stays alive."""

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import Any, Generic, TypeVar

from pyodide.ffi import create_proxy
from pyscript import window

T = TypeVar("T")
SLICE = 0.04
"""Seconds of work before the page may do something else."""


class Timer:
    """Work that is done once, some time from now; asking for it anew puts it off."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work
        self.proxy = create_proxy(self.run)
        self.number = 0

    @property
    def waits(self) -> bool:
        """Whether there is work to come."""
        return bool(self.number)

    def after(self, milliseconds: float) -> None:
        """Do the work then, and not before."""
        self.cancel()
        self.number = window.setTimeout(self.proxy, milliseconds)

    def cancel(self) -> None:
        """Do it no more."""
        window.clearTimeout(self.number)
        self.number = 0

    def run(self, *_: object) -> None:
        """It is time."""
        self.number = 0
        self.work()


class Job(Generic[T]):
    """One generator, run in slices until it returns; then `finished` gets what it returns.

    A promise that it yields is waited for: the generator gets what that brings, or its error.
    `told` hears what else it yielded last, and the seconds since its beginning, after every slice;
    `failed` gets an error, and one that is no fault of the input is raised as well. Nothing is
    heard of a job that was cancelled.
    """

    def __init__(
        self,
        work: Generator[Any, Any, T],
        finished: Callable[[T], None],
        failed: Callable[[Exception], None],
        told: Callable[[Any, float], None],
    ) -> None:
        self.work = work
        self.finished, self.failed, self.told = finished, failed, told
        self.began = perf_counter()
        self.closed = False
        self.proxy = create_proxy(self.slice)
        self.later(partial(next, work))

    def later(self, step: Callable[[], Any]) -> None:
        """Go on with this step when the page has breathed."""
        if not self.closed:
            self.step = step
            self.timer = window.setTimeout(self.proxy, 0)

    def slice(self, *_: object) -> None:
        """Work for a moment, then let the page breathe."""
        end = perf_counter() + SLICE
        last = None
        try:
            given = self.step()
            while not hasattr(given, "then"):
                last = given
                if perf_counter() > end:
                    break
                given = next(self.work)
        except StopIteration as stop:
            self.close()
            self.finished(stop.value)
        except Exception as error:
            self.close()
            self.failed(error)
            if not isinstance(error, TypeError | ValueError | MemoryError):
                raise
        else:
            if last is not None:
                self.told(last, perf_counter() - self.began)
            if hasattr(given, "then"):
                given.then(self.go_on, self.go_wrong)
            else:
                self.later(partial(next, self.work))

    def go_on(self, value: Any) -> None:
        """What was waited for is there."""
        self.later(partial(self.work.send, value))

    def go_wrong(self, error: Exception) -> None:
        """What was waited for cannot be had."""
        self.later(partial(self.work.throw, error))

    def close(self) -> None:
        """Stop, and forget the proxy."""
        self.closed = True
        window.clearTimeout(self.timer)
        self.work.close()
        self.proxy.destroy()
