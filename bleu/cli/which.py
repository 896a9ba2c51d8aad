"""The command line for a number: `python -m bleu which --number 26.60 --hypotheses F …`."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bleu.analysis.reported import ReportedScore, parse_reported_score
from bleu.analysis.which import Candidate, WhichResult, iter_which
from bleu.analysis.which_code import candidate_code, file_reading_code
from bleu.cli.help import HelpFormatter, program
from bleu.cli.output import print_text, show_progress
from bleu.core.progress import map_progress, run_to_end
from bleu.core.settings import SETTING_NAMES
from bleu.corpus.text_files import STANDARD_INPUT, read_parallel_lines
from bleu.explanation.phrases import escape_invisible
from bleu.explanation.which import (
    candidate_label,
    candidate_reason,
    displayed_candidates,
    equivalents_text,
    verdict,
)
from bleu.render.numbers import score_text


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
        rows = list(read_parallel_lines([options.hypotheses, *options.references]))
        steps = iter_which(options.number, [row[0] for row in rows], [row[1:] for row in rows])
        answer = run_to_end(map_progress(steps, _print_progress))
    except ValueError as error:
        show_progress("")
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 1
    show_progress("")
    texts = file_reading_code(options.hypotheses, options.references)
    return print_text(FORMATS[options.format](answer, texts))


def as_json(answer: WhichResult, texts: str) -> list[dict[str, Any]]:
    """What agrees, the likeliest first, or else the nearest, in what JSON has.

    - `convention`, `conventions`: the name, and all names of the same computation.
    - `settings`: all of them, numbers as numbers.
    - `mistake`: its name, or two with a comma between, or null.
    - `value`: on the scale of 0 to 1; `scale`: the one that the number is stated on.
    - `agreement`: whether it agrees within the digits given; `cut` says that they were cut off.
    - `distance`: from the number, on the scale of 0 to 100.
    - `reference`: the only one used, counted from 1, or null for all.
    - `signature`, `candidate_label`, `candidate_reason`, `candidate_code`: the same in other forms; `cost`: how unlikely it is.
    - `equivalents`: other ways to the same number, likewise, without their code.
    """
    return [
        {
            **_object(one),
            "conventions": list(one.conventions),
            "code": candidate_code(one, texts),
            "also": [_object(other) for other in one.equivalents],
        }
        for one in displayed_candidates(answer)
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
        "reference": one.preprocessing.reference or None,
        "way": candidate_label(one),
        "why": candidate_reason(one),
        "cost": round(one.cost, 2),
    }


def as_text(answer: WhichResult, texts: str) -> str:
    """What agrees as a list, and the code of the likeliest."""
    parts = [verdict(answer)]
    for number, one in enumerate(displayed_candidates(answer), 1):
        distance = "" if answer.found else f" ({score_text(one.distance / 100)} away)"
        lines = [
            f"{number}. {score_text(one.value)}{distance}  {candidate_label(one)}",
            candidate_reason(one),
        ]
        lines += [f"Signature: {one.signature}"]
        lines += [equivalents_text(one)] if one.equivalents else []
        parts.append("\n   ".join(lines))
    if answer.found:
        lines = candidate_code(answer.found[0], texts).splitlines()
        shown = "\n".join(f"    {escape_invisible(line)}".rstrip() for line in lines)
        parts.append(f"Code that prints the first (--format json has that of each):\n\n{shown}")
    return "\n\n".join(parts) + "\n"


FORMATS: Final[Mapping[str, Callable[[WhichResult, str], str]]] = {
    "text": as_text,
    "json": lambda answer, texts: json.dumps(as_json(answer, texts), indent=1) + "\n",
}


def _number(text: str) -> ReportedScore:
    try:
        return parse_reported_score(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _print_progress(done: int, total: int) -> None:
    show_progress(f"{100 * done // total} % tried")


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
