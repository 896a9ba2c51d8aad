"""The entry point of the command line: `python -m bleu "a cat" "the cat"`.

Imports are inside the functions, so that Ctrl-C during one prints a line instead of a traceback.
"""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the first argument names, or else score a segment; return the exit code.

    Invalid arguments end with SystemExit and exit code 2, as in argparse.

    Raises OSError if standard output cannot be written.
    """
    from bleu.cli.options import COMMANDS, command_module, make_parser

    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["help"] and {*arguments[1:]} <= {*COMMANDS}:
        arguments = [*arguments[1:2], "--help"]
    command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
    options = arguments[1:] if command else arguments
    return int(command_module(command).main(make_parser(command), options))


def run() -> int:
    """Run the installed command `bleu`; return its exit code."""
    from bleu.cli.terminal import program, run_command

    return run_command(main, program())


if __name__ == "__main__":
    sys.exit(run())
