"""The command line: `python -m bleu "the cat is on mat" "the cat is on the mat"`."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bleu.brevity import REFERENCE_LENGTHS
from bleu.conventions import CONVENTIONS, convention_settings
from bleu.derivation import Derivation, derive_with
from bleu.examples import self_check
from bleu.explain import explain
from bleu.render import html, json, markdown, text
from bleu.settings import SETTING_NAMES
from bleu.smoothing import SMOOTHINGS
from bleu.tokenizers import TOKENIZERS
from bleu.version import __version__

FORMATS: Final[Mapping[str, Callable[[Derivation], str]]] = {
    "text": lambda derivation: text.render(explain(derivation)).rstrip(),
    "markdown": lambda derivation: markdown.render(explain(derivation)).rstrip(),
    "html": lambda derivation: html.render(explain(derivation)),
    "json": json.render,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a hypothesis against its references and print the derivation; the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.self_check:
        print(f"self-check passed: {self_check()} examples")
        return 0
    if not options.references:
        parser.error("give a hypothesis and at least one reference")
    given = {
        name: value
        for name, value in vars(options).items()
        if name in SETTING_NAMES and value is not None and value is not False
    }
    if options.weights:
        given["weights"] = options.weights.split(",")
    try:
        settings = convention_settings(options.convention, **given)
        derivation = derive_with(settings, options.hypothesis, options.references)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    print(FORMATS[options.format](derivation))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m bleu", description="BLEU, step by step.")
    parser.add_argument("hypothesis", nargs="?", help="the text scored")
    parser.add_argument("references", nargs="*", help="the references, one or more")
    parser.add_argument("--convention", default="default", help=f"one of: {', '.join(CONVENTIONS)}")
    parser.add_argument("--tokenizer", help=f"one of: {', '.join(TOKENIZERS)}")
    parser.add_argument("--max-order", type=int, metavar="N", help="1 to 9, default 4")
    parser.add_argument("--smoothing", help=f"one of: {', '.join(SMOOTHINGS)}")
    parser.add_argument("--smoothing-value", metavar="X", help="ε of floor, or k of add-k")
    parser.add_argument("--weights", metavar="W,W,…", help="one for each order, summing to 1")
    parser.add_argument("--lowercase", action="store_true", help="fold case first")
    parser.add_argument(
        "--effective-order", action="store_true", help="leave out orders the text is too short for"
    )
    parser.add_argument(
        "--reference-length",
        help=f"one of: {', '.join(REFERENCE_LENGTHS)}",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="default text")
    parser.add_argument("--self-check", action="store_true", help="recompute the worked examples")
    parser.add_argument("--version", action="version", version=f"bleu {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
