"""Where the command lines print."""

import io
import sys

from bleu.cli.help import program


def print_text(output: str) -> int:
    """Print in UTF-8, line ends as they are; the exit code, 0.

    Raises OSError where standard output cannot be written.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
    print(output, end="")
    return 0


def show_progress(words: str) -> None:
    """Words on the terminal's last line, in place of those before; nothing where there is none."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)


def print_note(words: str) -> None:
    """What a person should know of the files, where it does not mix with the output."""
    show_progress("")
    print(f"{program('corpus')}: note: {words}", file=sys.stderr)
