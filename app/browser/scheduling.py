"""Work for later: once after a while, or long and in slices, so that the page stays alive."""

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import Any, Generic, TypeVar

from pyodide.ffi import create_proxy
from pyscript import window

T = TypeVar("T")
SLICE_SECONDS = 0.04
"""Seconds of work before the page may do something else."""


class DebouncedCall:
    """Work that is done once, some time from now; asking for it anew puts it off."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work
        self.proxy = create_proxy(self.run)
        self.number = 0

    @property
    def pending(self) -> bool:
        """Whether there is work to come."""
        return bool(self.number)

    def schedule(self, milliseconds: float) -> None:
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
    """One generator, run in slices until it returns; then `on_result` gets what it returns.

    A promise that it yields is waited for: the generator gets what that brings, or its error.
    `on_progress` hears what else it yielded last, and the seconds since its beginning, after every slice;
    `on_error` gets an error, and one that is no fault of the input is raised as well. Nothing is
    heard of a job that was cancelled.
    """

    def __init__(
        self,
        work: Generator[Any, Any, T],
        on_result: Callable[[T], None],
        on_error: Callable[[Exception], None],
        on_progress: Callable[[Any, float], None],
    ) -> None:
        self.work = work
        self.on_result, self.on_error, self.on_progress = on_result, on_error, on_progress
        self.started_at = perf_counter()
        self.closed = False
        self.proxy = create_proxy(self.run_slice)
        self.schedule_step(partial(next, work))

    def schedule_step(self, step: Callable[[], Any]) -> None:
        """Go on with this step when the page has breathed."""
        if not self.closed:
            self.step = step
            self.timer = window.setTimeout(self.proxy, 0)

    def run_slice(self, *_: object) -> None:
        """Work for a moment, then let the page breathe."""
        end = perf_counter() + SLICE_SECONDS
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
            self.on_result(stop.value)
        except Exception as error:
            self.close()
            self.on_error(error)
            if not isinstance(error, TypeError | ValueError | MemoryError):
                raise
        else:
            if last is not None:
                self.on_progress(last, perf_counter() - self.started_at)
            if hasattr(given, "then"):
                given.then(self.resume, self.resume_with_error)
            else:
                self.schedule_step(partial(next, self.work))

    def resume(self, value: Any) -> None:
        """What was waited for is there."""
        self.schedule_step(partial(self.work.send, value))

    def resume_with_error(self, error: Exception) -> None:
        """What was waited for cannot be had."""
        self.schedule_step(partial(self.work.throw, error))

    def close(self) -> None:
        """Stop, and forget the proxy."""
        self.closed = True
        window.clearTimeout(self.timer)
        self.work.close()
        self.proxy.destroy()
