"""The entry point of the command line: `python -m bleu "a cat" "the cat"`.

Modules are imported by the functions, so that Ctrl-C ends in one line while they are imported, too.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final

MODULES: Final[Mapping[str, str]] = {
    "corpus": "corpus",
    "check": "check",
    "sacrebleu": "sacrebleu",
    "which": "which",
    "assess": "assess",
    "self": "self_bleu",
    "--completion": "completion",
}
"""The modules of the commands in `bleu.cli`; a segment needs no command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command named by the first argument, or score a segment; return its exit code.

    Invalid arguments end with SystemExit and exit code 2, as in argparse.

    Raises OSError if standard output cannot be written.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    command = arguments[0] if arguments else ""
    if command in {"exercises", "worksheet"}:
        from bleu.cli import exercises

        return exercises.main(command, arguments[1:])
    module = import_module(f"bleu.cli.{MODULES.get(command, 'segment')}")
    return int(module.main(arguments[1:] if command in MODULES else arguments))


def run() -> int:
    """Run the installed command `bleu`; return its exit code."""
    from bleu.cli.help import program
    from bleu.cli.run import run_command

    return run_command(main, program())


if __name__ == "__main__":
    sys.exit(run())
