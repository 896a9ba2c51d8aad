"""The command line: `python -m bleu "the cat is on mat" "the cat is on the mat"`."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bleu import corpus_command
from bleu.derivation import Derivation, derive_with
from bleu.examples import self_check
from bleu.explain import explain
from bleu.options import add_setting_options, chosen_settings
from bleu.render import html, json, markdown, text
from bleu.version import __version__

FORMATS: Final[Mapping[str, Callable[[Derivation], str]]] = {
    "text": lambda derivation: text.render(explain(derivation)).rstrip(),
    "markdown": lambda derivation: markdown.render(explain(derivation)).rstrip(),
    "html": lambda derivation: html.render(explain(derivation)),
    "json": json.render,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a hypothesis against its references and print the derivation; the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["corpus"]:
        return corpus_command.main(arguments[1:])
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.self_check:
        print(f"self-check passed: {self_check()} examples")
        return 0
    if not options.references:
        parser.error("give a hypothesis and at least one reference")
    try:
        settings = chosen_settings(options)
        derivation = derive_with(settings, options.hypothesis, options.references)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    print(FORMATS[options.format](derivation))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m bleu",
        description="BLEU, step by step.",
        epilog="Files are scored by: python -m bleu corpus --help",
    )
    parser.add_argument("hypothesis", nargs="?", help="the text scored")
    parser.add_argument("references", nargs="*", help="the references, one or more")
    add_setting_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="default text")
    parser.add_argument("--self-check", action="store_true", help="recompute the worked examples")
    parser.add_argument("--version", action="version", version=f"bleu {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
