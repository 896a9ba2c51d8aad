"""Find how a score was computed: `python -m bleu which --number 26.60 --hypotheses F …`."""

import argparse
from collections.abc import Sequence
from typing import Any, Final

from bleu.analysis.which import (
    Candidate,
    ReportedScore,
    WhichResult,
    iter_which,
    parse_reported_score,
)
from bleu.analysis.which_code import candidate_code, file_reading_code, repair_code
from bleu.cli.options import FORMAT_OPTION, Options, load_model
from bleu.cli.tables import TABLE_OPTIONS
from bleu.cli.terminal import Parser, print_json, print_note, print_text, run_with_progress
from bleu.cli.texts import BARE_FILES, FILE_OPTIONS, READING_DEFAULTS, read_texts, take_files
from bleu.core.progress import track
from bleu.core.settings import SETTING_NAMES
from bleu.explanation.phrases import english_list, escape_invisible
from bleu.explanation.which import (
    candidate_label,
    candidate_reason,
    displayed_candidates,
    equivalents_text,
    score_cell,
    verdict,
)
from bleu.render.numbers import score_text


def _reported_score(text: str) -> ReportedScore:
    try:
        return parse_reported_score(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


DESCRIPTION: Final = (
    "Which BLEU is this number? Tries every convention with the common tokenizers, both cases, "
    "its smoothings and N from 1 to 4, single references, and the usual mistakes in calling a "
    "library, and lists what agrees within the digits given, the likeliest first."
)
OPTIONS: Final[Options] = {
    **BARE_FILES,
    "--number": {
        "metavar": "X",
        "type": _reported_score,
        "help": "the score as reported, with all its digits: 26.60, 0.266 or 26,6%%; or the first "
        "argument",
    },
    "--hypotheses": {"metavar": "FILE", "nargs": 1, "help": "the system's output"},
    "--references": FILE_OPTIONS["--references"],
    **{name: option for name, option in TABLE_OPTIONS.items() if name != "--group-column"},
    "--tokenizer-model": {
        "metavar": "FILE",
        "nargs": "+",
        "default": [],
        "help": "SentencePiece models, tried in addition to the tokenizers",
    },
    "--encoding": FILE_OPTIONS["--encoding"],
    "--as-text": FILE_OPTIONS["--as-text"],
    **FORMAT_OPTION,
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the settings that give a score; return 0, or 1 if files cannot be read."""
    parser.set_defaults(**READING_DEFAULTS)
    options = parser.parse(arguments)
    if options.number is None:
        if not options.files:
            parser.error("the number is missing; give it first, or with --number")
        try:
            options.number = parse_reported_score(options.files.pop(0))
        except ValueError as error:
            parser.error(str(error))
    try:
        note = take_files(parser, options)
        if len(options.systems) > 1:
            parser.error(
                f"{options.table} has {len(options.systems)} systems; name one of "
                f"{english_list(options.systems)} with --hypothesis-column"
            )
        parser.check_standard_input([*options.systems, *options.references])
        models = [load_model(file) for file in options.tokenizer_model]
        texts = read_texts(options, is_even=True)
        if note:
            print_note(options, note)
        steps = iter_which(options.number, texts.systems[0], texts.references, models)
        result = run_with_progress(track("trying", steps))
    except ValueError as error:
        return parser.report(error)
    texts_code = file_reading_code(options.systems[0], options.references)
    if options.is_joined or options.table:
        texts_code = (
            f"# save the texts of these files with one segment per line first\n{texts_code}"
        )
    texts_code += repair_code(result.repairs)
    if options.format == "json":
        return print_json(as_json(result, texts_code))
    return print_text(as_text(result, texts_code))


def as_json(result: WhichResult, texts_code: str) -> list[dict[str, Any]]:
    """Return the agreeing candidates, or else the nearest, as JSON data, the likeliest first.

    `texts_code` is the code that reads the texts. Each candidate has:

    - `convention`, `conventions`: its name, and all names of the same computation.
    - `settings`: all settings, with fractions as floats.
    - `mistake`: the name of the mistake, two names separated by a comma, or null.
    - `value`: the score on the 0–1 scale.
    - `scale`: the scale that the number is reported on.
    - `agrees`: whether it agrees within the digits given; `cut`: only if truncated.
    - `distance`: the distance from the number on the 0–100 scale.
    - `reference`: the only reference used, counted from 1, or null for all.
    - `signature`, `way`, `why`, `code`: the candidate in text and code.
    - `cost`: how unlikely it is.
    - `also`: other candidates with the same value, without their code.
    """
    return [
        {
            **_candidate_json(candidate),
            "conventions": list(candidate.conventions),
            "code": candidate_code(candidate, texts_code),
            "also": list(map(_candidate_json, candidate.equivalents)),
        }
        for candidate in displayed_candidates(result)
    ]


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
    settings: dict[str, Any] = {name: getattr(candidate.settings, name) for name in SETTING_NAMES}
    value, weights = settings["smoothing_value"], settings["weights"]
    settings["tokenizer"] = str(settings["tokenizer"])
    settings["smoothing_value"] = None if value is None else float(value)
    settings["weights"] = weights and list(map(float, weights))
    return {
        "convention": candidate.convention,
        "settings": settings,
        "mistake": ", ".join(candidate.mistakes) or None,
        "value": candidate.value,
        "scale": candidate.scale,
        "signature": candidate.signature,
        "agrees": bool(candidate.agreement),
        "cut": candidate.agreement == "cut",
        "distance": candidate.distance,
        "reference": candidate.preprocessing.reference or None,
        "way": candidate_label(candidate),
        "why": candidate_reason(candidate),
        "cost": round(candidate.cost, 2),
    }


def as_text(result: WhichResult, texts_code: str) -> str:
    """Return the candidates as a numbered list, and the code of the likeliest if it agrees."""
    parts = [verdict(result)]
    for number, candidate in enumerate(displayed_candidates(result), 1):
        distance = "" if result.found else f" ({_score_text(candidate.distance / 100)} away)"
        lines = [
            f"{number}. {_score_text(candidate.value)}{distance}  {candidate_label(candidate)}",
            candidate_reason(candidate),
            f"Signature: {candidate.signature}",
        ]
        if candidate.equivalents:
            lines.append(equivalents_text(candidate))
        parts.append("\n   ".join(lines))
    if result.found:
        lines = candidate_code(result.found[0], texts_code).splitlines()
        code = "\n".join(f"    {escape_invisible(line)}".rstrip() for line in lines)
        parts.append(f"Code that prints the first (--format json has that of each):\n\n{code}")
    return "\n\n".join(parts) + "\n"


def _score_text(value: float) -> str:
    cell = score_cell(value)
    return cell if isinstance(cell, str) else score_text(cell.value)
