"""The output and the exit code of a command."""

import argparse
import io
import json
import os
import sys
import time
from collections.abc import Callable, Generator
from typing import Final, TypeVar

from bleu.cli.help import RED, YELLOW, coloured, is_terminal, program
from bleu.core.progress import Progress

T = TypeVar("T")

_REDRAW_SECONDS: Final = 0.1
_last_drawn = 0.0


def run_command(work: Callable[[], int], name: str) -> int:
    """Run a command, write its output in UTF-8, and return its exit code.

    The exit code is 1 if standard output cannot be written: silently if its reader has closed it,
    else with a message that begins with the command's name. It is 130 after Ctrl-C.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
    try:
        try:
            return work()
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        pass
    except OSError as error:
        message = f"cannot write: {error.strerror or error}"
        print(f"{name}: {coloured('error', RED)}: {message}", file=sys.stderr)
    # Python flushes standard output when it ends, which would fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def print_text(output: str) -> int:
    """Print text; return the exit code 0."""
    print(output, end="")
    return 0


def print_json(data: object) -> int:
    """Print data as JSON; return the exit code 0."""
    return print_text(json.dumps(data, indent=1) + "\n")


def run_with_progress(steps: Generator[Progress, None, T]) -> T:
    """Return the result of a computation, and show its progress in a terminal while it runs."""
    try:
        while True:
            task, done, total, _, name = next(steps)
            count = f"{done:,} of {total:,}" if total else f"{done:,}"
            show_progress(f"{task} {name}".rstrip() + f": {count}")
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        show_progress("")


def show_progress(text: str) -> None:
    """Replace the last line on standard error if it is a terminal, at most ten times a second.

    An empty text clears the line at once.
    """
    global _last_drawn
    now = time.monotonic()
    if (not text or now - _last_drawn >= _REDRAW_SECONDS) and is_terminal():
        _last_drawn = now if text else 0.0
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def print_file_note(options: argparse.Namespace, note: str) -> None:
    """Print a note on the files to standard error, unless the command is quiet."""
    if not options.quiet:
        print_note(note)


def print_note(note: str) -> None:
    """Print a note to standard error."""
    show_progress("")
    print(f"{program('corpus')}: {coloured('note', YELLOW)}: {note}", file=sys.stderr)
