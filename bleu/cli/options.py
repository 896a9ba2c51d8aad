"""Options as data, the options that choose settings, and the commands with their parsers."""

import argparse
from argparse import BooleanOptionalAction
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from bleu.cli.terminal import HelpFormatter, Parser, listing, print_note, program
from bleu.core.conventions import convention_settings
from bleu.core.custom_tokenizers import (
    FLORES200_SHA256,
    MECAB_TOKENIZERS,
    SACREBLEU_MODELS,
    Tokenizer,
    load_tokenizer,
)
from bleu.core.display import short_repr
from bleu.core.settings import SETTING_NAMES, Settings
from bleu.metric.rules import REFERENCE_LENGTHS

Options = Mapping[str, Mapping[str, Any]]
"""The arguments of `add_argument` for each option, by its names, separated by spaces.

`group` is the title above the option in the help, by default that of argparse.
"""
FURTHER: Final = "further options"

SETTING_OPTIONS: Final[Options] = {
    "--convention": {
        "default": "default",
        "metavar": "NAME",
        "help": f"whose BLEU; {program('conventions')} lists all",
    },
    "--tokenizer": {"metavar": "NAME", "help": "what splits texts; listed likewise"},
    "--lowercase": {"action": BooleanOptionalAction, "help": "fold case first, or keep it"},
    "--max-order": {"type": int, "metavar": "N", "help": "1 to 9, default 4"},
    "--smoothing": {"metavar": "NAME", "help": "what raises counts of 0; listed likewise"},
    "--tokenizer-model": {
        "metavar": "FILE",
        "help": "a SentencePiece model, to split texts with",
        "group": FURTHER,
    },
    "--smoothing-value": {
        "metavar": "X",
        "help": "epsilon of floor, or k of add-k",
        "group": FURTHER,
    },
    "--weights": {
        "metavar": "W,W,...",
        "help": "one for each order, summing to 1",
        "group": FURTHER,
    },
    "--effective-order": {
        "action": BooleanOptionalAction,
        "help": "leave out orders without n-grams, or keep them",
        "group": FURTHER,
    },
    "--reference-length": {
        "metavar": "NAME",
        "help": f"{', '.join(REFERENCE_LENGTHS)}",
        "group": FURTHER,
    },
}
FORMAT_OPTION: Final[Options] = {
    "--format": {"choices": ("text", "json"), "default": "text", "help": "default text"}
}
"""The option of commands that print text or JSON."""
COMMANDS: Final[Mapping[str, str]] = {
    "corpus": "score files",
    "check": "say what is wrong with files, and what it costs",
    "which": "find out which BLEU a number is",
    "conventions": "list whose BLEU there is, and other names",
    "sacrebleu": "print what sacreBLEU prints, for scripts",
    "exercises": "make exercises",
    "worksheet": "make a worksheet",
    "assess": "assess code that computes BLEU",
}
"""Short descriptions of the commands, by name."""
MODULES: Final = {"": "segment", "worksheet": "exercises"}
"""Modules by command, if their names differ; "" is a call without a command."""


def whole_number(minimum: int, maximum: int, text: str) -> int:
    """Return the number in a text, as the `type` of an option: `partial(whole_number, 0, 9)`.

    Raises ArgumentTypeError unless it is in the range.
    """
    is_short = text.isdecimal() and len(text) <= len(str(maximum))
    if not is_short or not minimum <= int(text) <= maximum:
        raise argparse.ArgumentTypeError(
            f"{short_repr(text)} is not a whole number from {minimum} to {maximum:,}"
        )
    return int(text)


def setting_options(convention: str | None) -> Options:
    """Return the options that choose settings, with `convention` as the default."""
    option = {**SETTING_OPTIONS["--convention"], "default": convention}
    return {**SETTING_OPTIONS, "--convention": option}


def add_options(parser: argparse.ArgumentParser, options: Options) -> None:
    """Add options to a parser, in groups; those that set `test` exclude each other."""
    tests = None
    groups: dict[str | None, argparse._ActionsContainer] = {None: parser}
    for names, details in options.items():
        arguments = dict(details)
        title = arguments.pop("group", None)
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        action = groups[title].add_argument(*names.split(), **arguments)
        if action.dest == "test":
            tests = tests or parser.add_mutually_exclusive_group()
            tests._group_actions.append(action)  # No public method adds options of other groups.


def parse_settings(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Settings:
    """Return the settings that parsed options choose; exit with code 2 if a choice is invalid.

    >>> parser = argparse.ArgumentParser()
    >>> add_options(parser, SETTING_OPTIONS)
    >>> options = parser.parse_args(["--convention", "mteval-v13a", "--no-lowercase"])
    >>> parse_settings(parser, options).lowercase
    False
    """
    choices = {
        name: value
        for name, value in vars(options).items()
        if name in SETTING_NAMES and value is not None
    }
    if options.weights:
        choices["weights"] = options.weights.split(",")
    try:
        if tokenizer := _model_from_options(options):
            choices["tokenizer"] = tokenizer
        return convention_settings(options.convention, **choices)
    except (TypeError, ValueError) as error:
        parser.error(str(error))


def _model_from_options(options: argparse.Namespace) -> Tokenizer | None:
    name, file = options.tokenizer, options.tokenizer_model
    if name is not None and file is not None:
        raise ValueError("--tokenizer and --tokenizer-model are both given; give one of them")
    if file is not None:
        return load_model(file)
    if name not in {*SACREBLEU_MODELS, *MECAB_TOKENIZERS}:
        return None
    model = load_tokenizer(name)
    if name == "flores200" and model.digest != FLORES200_SHA256:
        print_note(
            options,
            "the file of flores200 is not the published one: its SHA-256 is "
            f"{model.digest[:8]}…, not {FLORES200_SHA256[:8]}…",
        )
    return model


def load_model(file: str) -> Tokenizer:
    """Return the SentencePiece model in a file; raise ValueError if there is none."""
    try:
        return load_tokenizer(Path(file))
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None


def command_module(command: str) -> Any:
    """Return the module of a command, with its `DESCRIPTION`, `OPTIONS` and `main`."""
    return import_module(f"bleu.cli.{MODULES.get(command, command)}")


def command_list() -> str:
    """Return the commands, each with a short description."""
    return listing(f"commands ({program('COMMAND')} --help):", COMMANDS)


def make_parser(command: str) -> Parser:
    """Return the parser of a command; parsed options have its name as `command`."""
    module = command_module(command)
    parser = Parser(
        program(command),
        usage=getattr(module, "USAGE", None),
        description=module.DESCRIPTION or command_list(),
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    add_options(parser, module.OPTIONS)
    parser.set_defaults(command=command)
    return parser
