"""The terminal: the parser of a command with its help and errors, and the output and exit code."""

import argparse
import io
import json
import os
import re
import sys
import textwrap
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from bleu.core.display import short_repr
from bleu.core.progress import Progress

MAX_ERROR_CHARACTERS: Final = 260
"""The largest number of characters of an error; the middle of a longer one is left out."""
RED: Final = 31
YELLOW: Final = 33
_CONTROL: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
T = TypeVar("T")
_REDRAW_SECONDS: Final = 0.1
_last_drawn = 0.0


class HelpFormatter(argparse.HelpFormatter):
    """A formatter that breaks lines at spaces only, and keeps indented lines of descriptions.

    The values of an option with several names are printed once.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if isinstance(action, argparse.BooleanOptionalAction):
            return f"--[no-]{action.option_strings[0].removeprefix('--')}"
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        values = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {values}"

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = []
        for line in text.splitlines():
            wrapped = [line] if line.startswith("  ") else self._split_lines(line, width)
            lines += [indent + part for part in wrapped] or [""]
        return "\n".join(lines)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and suggest the nearest option instead of a wrong one."""

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the options; exit with code 2 if an argument is unknown."""
        options, unknown = self.parse_known_intermixed_args(arguments)
        if unknown:
            self.error(self._unknown_argument(unknown[0]))
        return options

    def print_help(self, file: Any = None) -> None:
        """Print the help; raise OSError if it cannot be written, which argparse ignores."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Print an error in one line, and exit with code 2."""
        self.exit(2, self._error_line(message))

    def report(self, error: Exception) -> int:
        """Print an error about files in one line; return 1."""
        show_progress("")
        print(self._error_line(str(error)), end="", file=sys.stderr)
        return 1

    def check_standard_input(self, files: Sequence[str]) -> None:
        """Exit with code 2 if standard input is named more than once."""
        if files.count("-") > 1:
            self.error("standard input (-) is named more than once; name it once")

    def _error_line(self, message: str) -> str:
        line = _CONTROL.sub(lambda match: repr(match[0])[1:-1], message)
        if len(line) > MAX_ERROR_CHARACTERS:
            line = f"{line[: MAX_ERROR_CHARACTERS // 2]} … {line[-MAX_ERROR_CHARACTERS // 3 :]}"
        return f"{self.prog}: {coloured('error', RED)}: {line}\n"

    def _unknown_argument(self, argument: str) -> str:
        listed = f"{self.prog} --help lists the options"
        if not argument.startswith("-"):
            return f"{short_repr(argument, 100)} belongs to no option; {listed}"
        name = argument.partition("=")[0][:40]
        shown = [action for action in self._actions if action.help != argparse.SUPPRESS]
        similar = nearest(name, [each for action in shown for each in action.option_strings])
        return f"there is no option {name}; " + (f"did you mean {similar}?" if similar else listed)


def coloured(text: str, code: int) -> str:
    """Return text in a colour if standard error is a terminal that shows colours.

    `NO_COLOR` and `FORCE_COLOR` override this. `code` is the ANSI code of a colour, such as RED.
    """
    shows_colour = is_terminal() and os.environ.get("TERM") != "dumb"
    if os.environ.get("NO_COLOR") or not (shows_colour or os.environ.get("FORCE_COLOR")):
        return text
    return f"\x1b[{code}m{text}\x1b[0m"


def is_terminal() -> bool:
    """Return whether standard error is a terminal, and not closed."""
    return bool(sys.stderr) and sys.stderr.isatty()


def nearest(word: str, candidates: Iterable[str]) -> str:
    """Return the first candidate that begins with a word, else the most similar one, or "".

    >>> nearest("--hyp", ["--help", "--hypotheses"]), nearest("--fromat", ["--help", "--format"])
    ('--hypotheses', '--format')
    """
    candidates = list(candidates)
    longer = [candidate for candidate in candidates if candidate.startswith(word)]
    return next(iter(longer or get_close_matches(word, candidates, 1)), "")


def listing(title: str, texts: Mapping[str, str]) -> str:
    """Return a title, and names with their texts below it.

    >>> print(listing("tests:", {"a": "the first"}))
    tests:
      a                            the first
    """
    return "\n".join([title, *(f"  {name:<28} {text}".rstrip() for name, text in texts.items())])


def program(command: str = "") -> str:
    """Return a command as the user calls it, with `bleu` or `python -m bleu` before its name.

    >>> program("corpus")
    'python -m bleu corpus'
    """
    name = "bleu" if Path(sys.argv[0]).stem == "bleu" else "python -m bleu"
    return f"{name} {command}".rstrip()


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
            task, done, total, _, name, _ = next(steps)
            if _is_due():  # There are thousands of steps.
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
    if (not text or _is_due()) and is_terminal():
        _last_drawn = time.monotonic() if text else 0.0
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _is_due() -> bool:
    return time.monotonic() - _last_drawn >= _REDRAW_SECONDS


def print_file_note(options: argparse.Namespace, note: str) -> None:
    """Print a note on the files to standard error, unless the command is quiet."""
    if not options.quiet:
        print_note(options, note)


def print_note(options: argparse.Namespace, note: str) -> None:
    """Print a note to standard error, with the name of the command that the options belong to."""
    show_progress("")
    print(f"{program(options.command)}: {coloured('note', YELLOW)}: {note}", file=sys.stderr)
