"""The command that scores one segment, given as arguments or files."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from bleu.analysis.examples import self_check
from bleu.cli.help import command_parser, conventions_help
from bleu.cli.options import SETTING_OPTIONS, Options, add_options, settings_from_options
from bleu.cli.run import print_text
from bleu.core.derivation import Derivation, derive
from bleu.corpus.text_files import STANDARD_INPUT, display_name
from bleu.explanation import explain
from bleu.render import csv, html_page, json, latex, markdown, svg, text
from bleu.version import __version__

FORMATS: Final[Mapping[str, Callable[[Derivation], str]]] = {
    "text": lambda derivation: text.render(explain(derivation)),
    "markdown": lambda derivation: markdown.render(explain(derivation)),
    "latex": lambda derivation: latex.render(explain(derivation)),
    "html": lambda derivation: html_page.render(explain(derivation)),
    "json": lambda derivation: json.render(derivation) + "\n",
    "csv": csv.render,
    "svg": lambda derivation: svg.render(explain(derivation)),
}

EPILOG: Final = (
    "To score files of many segments, see python -m bleu corpus --help; to find out which BLEU a "
    "number is, python -m bleu which --help; to make exercises, python -m bleu exercises --help "
    "and python -m bleu worksheet --help\n\n"
)
OPTIONS: Final[Options] = {
    "texts": {
        "nargs": "*",
        "metavar": "text",
        "help": "the hypothesis, unless it comes from a file, and its references, one or more",
    },
    "--hypothesis-file": {
        "metavar": "F",
        "help": "read the hypothesis: all of F, UTF-8; - for stdin",
    },
    "--reference-file": {
        "action": "append",
        "default": [],
        "metavar": "F",
        "help": "read a reference likewise; may be given again",
    },
    **SETTING_OPTIONS,
    "--format": {"choices": FORMATS, "default": "text", "help": "default text"},
    "--self-check": {"action": "store_true", "help": "recompute the worked examples"},
    "--version": {"action": "version", "version": f"bleu {__version__}"},
}


def main(arguments: Sequence[str]) -> int:
    """Score a hypothesis and print the derivation; return the exit code.

    The exit code is 0, or 1 if a file cannot be read.
    """
    parser = command_parser("", "BLEU, step by step.", EPILOG + conventions_help())
    add_options(parser, OPTIONS)
    options = parser.parse_intermixed_args(arguments)
    if options.self_check:
        return print_text(f"self-check passed: {self_check()} examples\n")
    _check_texts(parser, options)
    try:
        hypothesis, references = _texts(options)
    except ValueError as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 1
    try:
        settings = settings_from_options(options)
        derivation = derive(hypothesis, references, settings)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    return print_text(FORMATS[options.format](derivation))


def _check_texts(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    files = [name for name in (options.hypothesis_file, *options.reference_file) if name]
    if len(options.texts) + len(files) < 2:
        parser.error("give a hypothesis and at least one reference")
    if files.count(STANDARD_INPUT) > 1:
        parser.error("standard input (-) is named more than once; it can be read once")


def _texts(options: argparse.Namespace) -> tuple[str, list[str]]:
    """Return the hypothesis and its references, those from files last."""
    texts = list(options.texts)
    hypothesis = _read(options.hypothesis_file) if options.hypothesis_file else texts.pop(0)
    return hypothesis, texts + [_read(name) for name in options.reference_file]


def _read(name: str) -> str:
    """Return the text of a UTF-8 file or of standard input; raise ValueError if there is none."""
    shown_name, is_input = display_name(name), name == STANDARD_INPUT
    if is_input and not sys.stdin:
        raise ValueError(f"{shown_name} is closed")
    try:
        content = sys.stdin.buffer.read() if is_input else Path(name).read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        position = f"byte {byte:#04x} at position {error.start}"
        raise ValueError(f"{shown_name} is not UTF-8: {position}") from None
    except OSError as error:
        raise ValueError(f"{shown_name} cannot be read: {error.strerror}") from None
