"""The entry point of the command line: `python -m bleu "a cat" "the cat"`.

Modules are imported by the functions, so that Ctrl-C ends in one line while they are imported, too.
"""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command named by the first argument, or score a segment; return its exit code.

    Invalid arguments end with SystemExit and exit code 2, as in argparse.

    Raises OSError if standard output cannot be written.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    command = arguments[0] if arguments else ""
    if command == "corpus":
        from bleu.cli import corpus

        return corpus.main(arguments[1:])
    if command == "check":
        from bleu.cli import check

        return check.main(arguments[1:])
    if command == "sacrebleu":
        from bleu.cli import sacrebleu

        return sacrebleu.main(arguments[1:])
    if command == "which":
        from bleu.cli import which

        return which.main(arguments[1:])
    if command in {"exercises", "worksheet"}:
        from bleu.cli import exercises

        return exercises.main(command, arguments[1:])
    if command == "assess":
        from bleu.cli import assess

        return assess.main(arguments[1:])
    if command == "self":
        from bleu.cli import self_bleu

        return self_bleu.main(arguments[1:])
    if command == "--completion":
        from bleu.cli import completion

        return completion.main(arguments[1:])
    from bleu.cli import segment

    return segment.main(arguments)


def run() -> int:
    """Run the installed command `bleu`; return its exit code."""
    from bleu.cli.help import program
    from bleu.cli.run import run_command

    return run_command(main, program())


if __name__ == "__main__":
    sys.exit(run())
