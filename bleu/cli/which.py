"""The command line for a number: `python -m bleu which --number 26.60 --hypotheses F …`."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bleu.analysis.stated import Stated, stated
from bleu.analysis.which import Answer, Candidate, iter_which
from bleu.analysis.which_code import code, from_files
from bleu.cli.help import HelpFormatter, program
from bleu.cli.output import print_text, show_progress
from bleu.core.progressive import run_to_end, told_as
from bleu.core.settings import SETTING_NAMES
from bleu.corpus.text_files import STANDARD_INPUT, side_by_side
from bleu.explanation.which import listed, others, verdict, way, why
from bleu.explanation.words import visible
from bleu.render.numbers import hundred_text


def main(arguments: Sequence[str]) -> int:
    """Print which BLEU a number is; the exit code.

    0, also where nothing agrees; 1 where a file cannot be read or does not fit the others. What
    the command line itself has wrong ends with SystemExit and 2, as argparse does.

    Raises OSError where standard output cannot be written.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if [options.hypotheses, *options.references].count(STANDARD_INPUT) > 1:
        parser.error("standard input (-) is named more than once, and can be read once")
    try:
        rows = list(side_by_side([options.hypotheses, *options.references]))
        steps = iter_which(options.number, [row[0] for row in rows], [row[1:] for row in rows])
        answer = run_to_end(told_as(steps, _tell))
    except ValueError as error:
        show_progress("")
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 1
    show_progress("")
    texts = from_files(options.hypotheses, options.references)
    return print_text(FORMATS[options.format](answer, texts))


def as_json(answer: Answer, texts: str) -> list[dict[str, Any]]:
    """What agrees, the likeliest first, or else the nearest, in what JSON has.

    - `convention`, `conventions`: the name, and all names of the same computation.
    - `settings`: all of them, numbers as numbers.
    - `mistake`: its name, or two with a comma between, or null.
    - `value`: on the scale of 0 to 1; `scale`: the one that the number is stated on.
    - `agrees`: whether it agrees within the digits given; `cut` says that they were cut off.
    - `distance`: from the number, on the scale of 0 to 100.
    - `reference`: the only one used, counted from 1, or null for all.
    - `signature`, `way`, `why`, `code`: the same in other forms; `cost`: how unlikely it is.
    - `also`: other ways to the same number, likewise, without their code.
    """
    return [
        {
            **_object(one),
            "conventions": list(one.conventions),
            "code": code(one, texts),
            "also": [_object(other) for other in one.also],
        }
        for one in listed(answer)
    ]


def _object(one: Candidate) -> dict[str, Any]:
    settings: dict[str, Any] = {name: getattr(one.settings, name) for name in SETTING_NAMES}
    value, weights = settings["smoothing_value"], settings["weights"]
    settings["smoothing_value"] = None if value is None else float(value)
    settings["weights"] = weights and list(map(float, weights))
    return {
        "convention": one.convention,
        "settings": settings,
        "mistake": ", ".join(one.mistakes) or None,
        "value": one.value,
        "scale": one.scale,
        "signature": one.signature,
        "agrees": bool(one.agreement),
        "cut": one.agreement == "cut",
        "distance": one.distance,
        "reference": one.reading.reference or None,
        "way": way(one),
        "why": why(one),
        "cost": round(one.cost, 2),
    }


def as_text(answer: Answer, texts: str) -> str:
    """What agrees as a list, and the code of the likeliest."""
    parts = [verdict(answer)]
    for number, one in enumerate(listed(answer), 1):
        distance = "" if answer.found else f" ({hundred_text(one.distance / 100)} away)"
        lines = [f"{number}. {hundred_text(one.value)}{distance}  {way(one)}", why(one)]
        lines += [f"Signature: {one.signature}"]
        lines += [others(one)] if one.also else []
        parts.append("\n   ".join(lines))
    if answer.found:
        lines = code(answer.found[0], texts).splitlines()
        shown = "\n".join(f"    {visible(line)}".rstrip() for line in lines)
        parts.append(f"Code that prints the first (--format json has that of each):\n\n{shown}")
    return "\n\n".join(parts) + "\n"


FORMATS: Final[Mapping[str, Callable[[Answer, str], str]]] = {
    "text": as_text,
    "json": lambda answer, texts: json.dumps(as_json(answer, texts), indent=1) + "\n",
}


def _number(text: str) -> Stated:
    try:
        return stated(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _tell(done: int, of: int) -> None:
    show_progress(f"{100 * done // of} % tried")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        program("which"),
        description="Which BLEU is this number? Tries every convention with the common "
        "tokenizers, both cases, its smoothings and N from 1 to 4, single references, and the "
        "usual mistakes in calling a library, and lists what agrees within the digits given, the "
        "likeliest first.",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--number",
        metavar="X",
        type=_number,
        required=True,
        help="as it was stated, with its digits: 26.60, 0.266 or 26,6%%",
    )
    parser.add_argument("--hypotheses", metavar="FILE", required=True, help="the system's output")
    parser.add_argument(
        "--references", metavar="FILE", nargs="+", required=True, help="one or more references"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="default text")
    return parser
