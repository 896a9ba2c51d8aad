"""The command line: `python -m bleu "the cat is on mat" "the cat is on the mat"`."""

import argparse
import sys
from collections.abc import Sequence

from bleu.brevity import REFERENCE_LENGTHS
from bleu.derivation import derive_with
from bleu.examples import self_check
from bleu.explain import explain
from bleu.render.text import render
from bleu.settings import Settings, exact
from bleu.smoothing import SMOOTHINGS
from bleu.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a hypothesis against its references and print the derivation; the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.self_check:
        print(f"self-check passed: {self_check()} examples")
        return 0
    if not options.references:
        parser.error("give a hypothesis and at least one reference")
    try:
        weights = options.weights and tuple(
            exact("a weight", weight) for weight in options.weights.split(",")
        )
        settings = Settings(
            lowercase=options.lowercase,
            max_order=options.max_order,
            weights=weights,
            smoothing=options.smoothing,
            smoothing_value=options.smoothing_value,
            effective_order=options.effective_order,
            reference_length=options.reference_length,
        )
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    print(render(explain(derive_with(settings, options.hypothesis, options.references))), end="")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m bleu", description="BLEU, step by step.")
    parser.add_argument("hypothesis", nargs="?", help="the text scored")
    parser.add_argument("references", nargs="*", help="the references, one or more")
    parser.add_argument("--max-order", type=int, default=4, metavar="N", help="1 to 9, default 4")
    parser.add_argument("--smoothing", default="none", help=f"one of: {', '.join(SMOOTHINGS)}")
    parser.add_argument("--smoothing-value", metavar="X", help="ε of floor, or k of add-k")
    parser.add_argument("--weights", metavar="W,W,…", help="one for each order, summing to 1")
    parser.add_argument("--lowercase", action="store_true", help="fold case first")
    parser.add_argument(
        "--effective-order", action="store_true", help="leave out orders the text is too short for"
    )
    parser.add_argument(
        "--reference-length",
        default="closest",
        help=f"one of: {', '.join(REFERENCE_LENGTHS)}",
    )
    parser.add_argument("--self-check", action="store_true", help="recompute the worked examples")
    parser.add_argument("--version", action="version", version=f"bleu {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
