"""The commands that print exercises and worksheets."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bleu.cli.help import Parser
from bleu.cli.options import Options
from bleu.cli.run import print_text
from bleu.document.blocks import Worksheet
from bleu.document.quiz import QuizQuestion
from bleu.explanation.exercises import worksheet
from bleu.explanation.quiz import quiz_questions
from bleu.learn.generation import TOKENIZERS, VARIANTS, exercises, worksheet_variant
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import TOPICS
from bleu.learn.records import exercises_json
from bleu.render import html_page, latex, markdown, quiz, text

FORMATS: Final[Mapping[str, Callable[[Worksheet], str]]] = {
    "text": text.worksheet,
    "markdown": markdown.worksheet,
    "latex": latex.worksheet,
    "html": html_page.worksheet,
}

QUIZ_FORMATS: Final[Mapping[str, Callable[[Sequence[QuizQuestion]], str | bytes]]] = {
    "moodle": quiz.moodle_xml,
    "gift": quiz.gift,
    "qti": quiz.qti_package,
}
"""Formats for learning platforms, which contain the answers; QTI is a ZIP file."""

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
        "choices": [*FORMATS, "json", *QUIZ_FORMATS],
        "default": "text",
        "help": "default text; moodle (XML), gift and qti (a ZIP file) are for learning platforms",
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
    if options.format == "json":
        return print_text(exercises_json(selected))
    if options.format in QUIZ_FORMATS:
        content = QUIZ_FORMATS[options.format](quiz_questions(selected))
        if isinstance(content, str):
            return print_text(content)
        sys.stdout.buffer.write(content)
        return 0
    heading, is_worksheet = f"{options.command} {options.seed}", options.command == "worksheet"
    heading += f", variant {options.variant}" if is_worksheet else ""
    has_name = is_worksheet or options.format == "latex"
    document = worksheet(selected, solutions=options.solutions, heading=heading, name_line=has_name)
    return print_text(FORMATS[options.format](document))
