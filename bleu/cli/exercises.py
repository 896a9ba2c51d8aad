"""The commands that print exercises and worksheets."""

import sys
from collections.abc import Sequence
from typing import Final

from bleu.cli.options import Options
from bleu.cli.terminal import Parser, print_text
from bleu.formats import EXERCISE_FORMATS, ExerciseSheet
from bleu.learn.generation import TOKENIZERS, VARIANTS, exercises, worksheet_variant
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import TOPICS

DESCRIPTION: Final = "Exercises on BLEU; the same seed gives the same exercises."
OPTIONS: Final[Options] = {
    "--seed": {"default": "1", "help": "any text of 1 to 40 characters, default 1"},
    "--topics": {
        "nargs": "+",
        "default": (),
        "metavar": "T",
        "help": f"some of: {', '.join(TOPICS)}",
    },
    "--kinds": {
        "nargs": "+",
        "default": (),
        "metavar": "K",
        "help": f"some of: {', '.join(KINDS)}",
    },
    "--count": {"type": int, "default": 6, "metavar": "N", "help": "1 to 100, default 6"},
    "--max-order": {"type": int, "default": 2, "metavar": "N", "help": "2 to 4, default 2"},
    "--calculator": {"action": "store_true", "help": "longer texts, and numbers for a calculator"},
    "--tokenizer": {"default": TOKENIZERS[0], "help": " or ".join(TOKENIZERS)},
    "--solutions": {
        "action": "store_true",
        "help": "the solutions, with the wrong answers of typical mistakes",
    },
    "--variant": {
        "default": "A",
        "help": f"other texts for a neighbour, one of: {', '.join(VARIANTS)}",
    },
    "--format": {
        "choices": EXERCISE_FORMATS,
        "default": "text",
        "help": "default text; moodle (XML) and qti (a ZIP file) are for learning platforms",
    },
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print exercises, or a worksheet with a line for the student's name; return exit code 0."""
    options = parser.parse(arguments)
    try:
        selected = exercises(
            options.seed,
            options.topics,
            options.count,
            max_order=options.max_order,
            by_hand=not options.calculator,
            kinds=options.kinds,
            tokenizer=options.tokenizer,
        )
        selected = worksheet_variant(selected, options.variant)
    except ValueError as error:
        parser.error(str(error))
    heading, is_worksheet = f"{options.command} {options.seed}", options.command == "worksheet"
    heading += f", variant {options.variant}" if is_worksheet else ""
    sheet = ExerciseSheet(selected, heading, options.solutions, name_line=is_worksheet)
    content = EXERCISE_FORMATS[options.format].render(sheet)
    if isinstance(content, str):
        return print_text(content)
    sys.stdout.buffer.write(content)
    return 0
