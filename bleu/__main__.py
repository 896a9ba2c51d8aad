"""The command line: `python -m bleu "the cat is on mat" "the cat is on the mat"`."""

import sys
from collections.abc import Sequence

from bleu.cli import corpus, exercises, segment, which
from bleu.cli.help import program
from bleu.cli.run import run_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a segment, or with `corpus` files; `which` BLEU a number is; `exercises`, `worksheet`.

    The exit code is that of the command.

    Raises what the commands raise.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    command = arguments[0] if arguments else ""
    if command == "corpus":
        return corpus.main(arguments[1:])
    if command == "which":
        return which.main(arguments[1:])
    if command in {"exercises", "worksheet"}:
        return exercises.main(command, arguments[1:])
    return segment.main(arguments)


def run() -> int:
    """The command `bleu`, as it is installed; its exit code."""
    return run_command(main, program())


if __name__ == "__main__":
    sys.exit(run())
