"""Scheduled work: debounced calls, and long jobs in time slices that keep the page responsive."""

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import Any, Generic, TypeVar

from pyodide.ffi import create_proxy
from pyscript import window

T = TypeVar("T")
SLICE_SECONDS = 0.04
"""Seconds of work before the browser may handle events."""


class DebouncedCall:
    """A call that happens once after a delay; scheduling it again restarts the delay."""

    def __init__(self, function: Callable[[], object]) -> None:
        self.function = function
        self.proxy = create_proxy(self.run)
        self.timer = 0

    def schedule(self, milliseconds: float) -> None:
        """Schedule the call, instead of an earlier one."""
        self.cancel()
        self.timer = window.setTimeout(self.proxy, milliseconds)

    def postpone(self, milliseconds: float) -> None:
        """Restart the delay if the call is scheduled."""
        if self.timer:
            self.schedule(milliseconds)

    def finish(self) -> None:
        """Run the call now if it is scheduled."""
        if self.timer:
            self.cancel()
            self.function()

    def cancel(self) -> None:
        """Cancel the scheduled call, if there is one."""
        window.clearTimeout(self.timer)
        self.timer = 0

    def run(self, *_: object) -> None:
        """Run the scheduled call."""
        self.timer = 0
        self.function()


class Job(Generic[T]):
    """A generator that runs in time slices.

    - `work`: the generator; after it yields a promise, it gets the promise's value or error.
    - `on_result`: called with the return value.
    - `on_error`: called with an error; unless it is a TypeError, ValueError or MemoryError, it is
      raised, too.
    - `on_progress`: called after every slice with the last value yielded that is no promise, if
      there is one, and the seconds since the start.

    After `close`, no callback is called.
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
        self.schedule(next, work)

    def schedule(self, step: Callable[[Any], Any], argument: Any) -> None:
        """Continue with `step(argument)` once the browser has handled its events."""
        if not self.closed:
            self.step = partial(step, argument)
            self.timer = window.setTimeout(self.proxy, 0)

    def run_slice(self, *_: object) -> None:
        """Run the generator for a slice, or until it yields a promise or ends."""
        end = perf_counter() + SLICE_SECONDS
        progress = None
        try:
            value = self.step()
            while not hasattr(value, "then"):
                progress = value
                if perf_counter() > end:
                    break
                value = next(self.work)
        except StopIteration as stop:
            self.close()
            self.on_result(stop.value)
        except Exception as error:
            self.close()
            self.on_error(error)
            if not isinstance(error, TypeError | ValueError | MemoryError):
                raise
        else:
            if progress is not None:
                self.on_progress(progress, perf_counter() - self.started_at)
            if hasattr(value, "then"):
                send, throw = self.work.send, self.work.throw
                value.then(partial(self.schedule, send), partial(self.schedule, throw))
            else:
                self.schedule(next, self.work)

    def close(self) -> None:
        """Stop the job, and free its proxy."""
        self.closed = True
        window.clearTimeout(self.timer)
        self.work.close()
        self.proxy.destroy()
