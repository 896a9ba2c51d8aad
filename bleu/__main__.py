"""The command line: `python -m bleu "the cat is on mat" "the cat is on the mat"`."""

import sys
from collections.abc import Sequence

from bleu.cli import corpus, segment
from bleu.cli.exit_code import ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a segment, or with `corpus` files of many; the exit code.

    Raises what the two commands raise.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["corpus"]:
        return corpus.main(arguments[1:])
    return segment.main(arguments)


if __name__ == "__main__":
    sys.exit(ended(main, "python -m bleu"))
