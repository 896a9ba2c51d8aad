"""The commands: their modules and their parsers."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from bleu.cli.help import HelpFormatter, Parser, listing, program
from bleu.cli.options import add_options
from bleu.metric.conventions import CONVENTIONS

COMMANDS: Final[Mapping[str, str]] = {
    "corpus": "score files",
    "check": "say what is wrong with files, and what it costs",
    "sacrebleu": "print what sacreBLEU prints, for scripts",
    "which": "find out which BLEU a number is",
    "self": "measure the diversity of texts",
    "exercises": "make exercises",
    "worksheet": "make a worksheet",
    "assess": "assess code that computes BLEU",
}
"""Short descriptions of the commands, by name."""
MODULES: Final = {"": "segment", "self": "self_bleu", "worksheet": "exercises"}
"""Modules by command, if their names differ; "" is a call without a command."""


def command_module(command: str) -> Any:
    """Return the module of a command, with its `DESCRIPTION`, `OPTIONS` and `main`."""
    return import_module(f"bleu.cli.{MODULES.get(command, command)}")


def make_parser(command: str) -> Parser:
    """Return the parser of a command; parsed options have its name as `command`."""
    module = command_module(command)
    listings = []
    if not command:
        listings.append(listing(f"commands ({program('COMMAND')} --help):", COMMANDS))
    if "--convention" in module.OPTIONS:
        texts = {str(name): convention.help for name, convention in CONVENTIONS.items()}
        listings.append(listing("conventions:", texts))
    parser = Parser(
        program(command),
        usage=getattr(module, "USAGE", None),
        description=module.DESCRIPTION,
        epilog="\n\n".join(listings),
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    add_options(parser, module.OPTIONS)
    parser.set_defaults(command=command)
    return parser
