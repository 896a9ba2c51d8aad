"""The command that scores one segment, given as arguments or files."""

import argparse
import os
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from bleu.cli.options import COMMANDS, SETTING_OPTIONS, Options, command_list, parse_settings
from bleu.cli.terminal import Parser, print_text, program
from bleu.core.api import derive
from bleu.files.text_files import read_lines
from bleu.formats import SCORE_FORMATS, ExplainedScore
from bleu.version import __version__

MAX_COMMAND_CHARACTERS: Final = 100
"""The largest number of characters of a command in an error."""

DESCRIPTION: Final = ""
"""The list of commands stands in the place of the description."""
USAGE: Final = "%(prog)s HYPOTHESIS REFERENCE [REFERENCE ...] [option ...]"
EXAMPLES: Final = (
    '"the cat is on mat" "the cat is on the mat"',
    "corpus --hypotheses system.txt --references reference.txt",
    "which 26.6 system.txt reference.txt",
)
"""The examples that a call without arguments prints."""
OPTIONS: Final[Options] = {
    "texts": {
        "nargs": "*",
        "help": argparse.SUPPRESS,  # They stand in the usage.
    },
    "--hypothesis-file": {
        "metavar": "F",
        "help": "read the hypothesis: all of F; - for stdin",
    },
    "--reference-file": {
        "action": "append",
        "default": [],
        "metavar": "F",
        "help": "read a reference; may be given again",
    },
    "--text": {
        "action": "store_true",
        "help": "score names of files or commands as text",
    },
    **{name: {**option, "group": None} for name, option in SETTING_OPTIONS.items()},
    "--format": {
        "metavar": "NAME",
        "choices": SCORE_FORMATS,
        "default": "text",
        "help": ", ".join(SCORE_FORMATS),
    },
    "--version": {"action": "version", "version": f"bleu {__version__}"},
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the derivation of a score; return 0, or 1 if a file cannot be read.

    Without arguments, print examples and the commands, and return 2.
    """
    if not arguments:
        lines = ["examples:", *(f"  {program()} {example}" for example in EXAMPLES)]
        print_text("\n".join([*lines, "", command_list()]) + "\n")
        return 2
    if message := _mistaken_command(*arguments[:2]):
        parser.error(message)
    options = parser.parse(arguments)
    if not options.text and (message := _mistaken_file(options)):
        parser.error(message)
    files = [name for name in (options.hypothesis_file, *options.reference_file) if name]
    if len(options.texts) + len(files) < 2:
        parser.error("give a hypothesis and at least one reference")
    parser.check_standard_input(files)
    try:
        hypothesis, references = _texts(options)
    except ValueError as error:
        return parser.report(error)
    settings = parse_settings(parser, options)
    try:
        derivation = derive(hypothesis, references, settings)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    output = SCORE_FORMATS[options.format].render(ExplainedScore(derivation))
    return print_text(output if output.endswith("\n") else f"{output}\n")


def _mistaken_command(text: str, following: str = "") -> str:
    """Return an error if the first argument is nearly a command, or follows `help`, else ""."""
    if text == "help" and following:
        return (
            f"there is no command {following}; {program()} help lists them. To score help as text, "
            "give --text before it"
        )
    if text.startswith("-"):
        return ""
    if similar := get_close_matches(text.lower(), COMMANDS, 1, 0.75):
        return (
            f"there is no command {text}; did you mean {program(similar[0])}? To score it as text, "
            "give --text before it"
        )
    return ""


def _mistaken_file(options: argparse.Namespace) -> str:
    """Return an error if a text is the name of an existing file, else ""."""
    names = [text for text in options.texts if os.path.isfile(text)]
    if not names:
        return ""
    command = f"corpus --hypotheses {shlex.quote(options.texts[0])}"
    if len(options.texts) > 1:
        command += f" --references {shlex.join(options.texts[1:])}"
    if len(names) < len(options.texts) or len(command) > MAX_COMMAND_CHARACTERS:
        command = "corpus --hypotheses FILE --references FILE"
    return (
        f"{names[0]:.60} is the name of a file; to score files, run {program(command)}; "
        "to score the name as text, add --text"
    )


def _texts(options: argparse.Namespace) -> tuple[str, list[str]]:
    """Return the hypothesis and its references, those from files last."""
    texts = list(options.texts)
    hypothesis = _read_text(options.hypothesis_file) if options.hypothesis_file else texts.pop(0)
    return hypothesis, texts + list(map(_read_text, options.reference_file))


def _read_text(name: str) -> str:
    return "\n".join(read_lines(name))
