"""The command with the output of sacreBLEU: `python -m bleu sacrebleu ref.txt -i sys.txt`."""

import argparse
import json
import os
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

from bleu.analysis.evaluation import StatisticsRow
from bleu.cli.corpus import OpenCorpus
from bleu.cli.options import Options, parse_settings
from bleu.cli.sacrebleu_options import (
    FORMATS,
    OTHER_METRIC_OPTIONS,
    SACREBLEU_OPTIONS,
    TEST_SET_OPTIONS,
    complete_options,
    default_seed,
    refused_options,
    signature,
    system_count_error,
)
from bleu.cli.terminal import Parser
from bleu.cli.texts import FieldCountError
from bleu.core.score import Score, compute
from bleu.core.settings import SACREBLEU_VERSION, Settings
from bleu.corpus.report import BOOTSTRAP, Report, System
from bleu.corpus.significance import LEVEL, RESAMPLES, TRIALS
from bleu.files.text_files import STANDARD_INPUT, FileError
from bleu.metric.smoothings import SMOOTHINGS

_SIDE: Final = "│"
_BORDERS: Final = {"top": "╒═╤╕", "header": "╞═╪╡", "row": "├─┼┤", "bottom": "╘═╧╛"}
_LATEX: Final = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "^": r"\^{}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}

Rows = Sequence[tuple[str, list[str]]]
"""Rows of a name and the lines of a cell; the first row is the header."""


def grid(rows: Rows) -> str:
    """Return a table drawn with box characters."""
    names, cells = _widths(rows)
    borders = {
        kind: f"{signs[0]}{signs[1] * (names + 2)}{signs[2]}{signs[1] * (cells + 2)}{signs[3]}"
        for kind, signs in _BORDERS.items()
    }
    lines = []
    for number, (name, cell_lines) in enumerate(rows):
        lines.append(borders["row" if number > 1 else "header" if number else "top"])
        for index, line in enumerate(cell_lines):
            left = _right_aligned("" if index else name, names)
            lines.append(f"{_SIDE} {left} {_SIDE} {line:^{cells}} {_SIDE}")
    return "\n".join([*lines, borders["bottom"]])


def latex_table(rows: Rows) -> str:
    """Return a table in LaTeX."""
    rows = [(name, [" ".join(lines)]) for name, lines in rows]
    names, cells = _widths(rows)
    header, *others = (
        rf" {_escape(_right_aligned(name, names))} & {_escape(f'{cell:^{cells}}')} \\"
        for name, (cell,) in rows
    )
    begin, end = (r"\begin{tabular}{rc}", r"\toprule"), (r"\bottomrule", r"\end{tabular}")
    return "\n".join([*begin, header, r"\midrule", *others, *end])


def _widths(rows: Rows) -> tuple[int, int]:
    """Return the widths of both columns, each at least two more than that of its header."""
    (name, (title,)), *others = rows
    return (
        max(_width(name) + 2, *(_width(name) for name, _ in others)),
        max(_width(title) + 2, *(_width(line) for _, lines in others for line in lines)),
    )


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


def _right_aligned(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text


def _escape(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


FORMAT_VARIABLE: Final = "SACREBLEU_FORMAT"
FIELD_COUNT_CODE: Final = 17
"""sacreBLEU's exit code if lines have different numbers of tab-separated fields."""

DESCRIPTION: Final = (
    f"BLEU with the options, output and exit codes of sacreBLEU {SACREBLEU_VERSION}, for scripts "
    "that call its command. Without --quiet, faults of the texts are noted on standard error."
)
USAGE: Final = "%(prog)s REFERENCE [REFERENCE ...] --input FILE [FILE ...] [option ...]"
OPTIONS: Final[Options] = {
    "references": {
        "nargs": "*",
        "metavar": "REFERENCE",
        "help": "files with references; standard input has the system if no --input names it",
    },
    **SACREBLEU_OPTIONS,
    **{
        names: {**details, "help": "ignored", "group": "options of chrF and TER"}
        for names, details in OTHER_METRIC_OPTIONS.items()
    },
    **refused_options(TEST_SET_OPTIONS),
    "--detail -d": {
        "action": "store_true",
        "help": "print text instead of JSON, and that nothing is known of the texts' origins",
    },
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Score files and print the scores as sacreBLEU does; return its exit code.

    An unsupported option ends with SystemExit and exit code 2.
    """
    parser.allow_abbrev = True
    parser.set_defaults(**dict.fromkeys(("names", "table", "tokenizer_model", "weights")))
    parser.set_defaults(as_text=True, jobs=1, repair=[])
    options = parser.parse_args(arguments)
    options.segments, options.encoding = options.sentence_level, options.encoding or "utf-8"
    options.confidence = options.confidence and options.resamples not in {0, 1}
    options.resamples = None if options.test else options.resamples
    complete_options(parser, options)
    if not SMOOTHINGS[options.smoothing].takes_value:
        options.smoothing_value = None  # sacreBLEU ignores it with other smoothings.
    if options.tokenizer == "spm":
        options.tokenizer = "flores101"
    if os.environ.get(FORMAT_VARIABLE, "").lower() in FORMATS:
        options.format = os.environ[FORMAT_VARIABLE].lower()
    if options.detail and options.format == "json":
        options.format = "text"
    is_short = options.short and (options.format != "json" or options.segments)
    options.signature = "sacrebleu-short" if is_short else "sacrebleu"
    options.convention = "sacrebleu-sentence" if options.segments else "sacrebleu"
    options.seed = default_seed(parser)
    settings = parse_settings(parser, options)
    try:
        _print_scores(options, settings)
    except ValueError as error:
        code = parser.report(error)
        return FIELD_COUNT_CODE if isinstance(error, FieldCountError) else code
    return 0


def _print_scores(options: argparse.Namespace, settings: Settings) -> None:
    _complete_files(options)
    corpus = OpenCorpus(options, settings)
    if message := _count_error(options):
        raise FileError(message)
    if options.segments:
        _print_segments(corpus.rows, options, settings)
        findings = corpus.check()
    else:
        evaluation = corpus.evaluate()
        findings = evaluation.findings or ()
        is_single = len(corpus.plan.names) == 1
        print((_single_result if is_single else _systems_result)(evaluation.report, options))
        if options.detail and is_single:
            print("No subset information found. Consider using --origlang argument.")
    corpus.print_notes(findings)


def _complete_files(options: argparse.Namespace) -> None:
    """Complete the names of systems; raise FileError if the files do not fit the options."""
    if not options.references:
        raise FileError("there is no reference; give the name of its file before --input")
    if options.hypotheses == []:
        raise FileError("--input names no file; give one, or leave out --input for standard input")
    if options.num_refs < 1 or (options.num_refs > 1 and len(options.references) > 1):
        raise FileError(
            f"--num-refs is {options.num_refs}; give 1, or a larger number with one reference file"
        )
    options.tabbed_systems = options.hypotheses is None
    systems = options.hypotheses or [STANDARD_INPUT]
    if options.test and systems[0] in systems[1:]:
        systems = [systems[0], *(name for name in systems if name != systems[0])]
    if len(set(systems)) < len(systems):
        raise FileError("--input names a file twice; give different files")
    options.systems = systems


def _count_error(options: argparse.Namespace) -> str:
    """Return an error if the options do not fit the number of systems, else ""."""
    has_several = len(options.systems) > 1
    if options.segments and (has_several or options.confidence or options.test):
        return (
            "--sentence-level scores one system; leave out other systems, --confidence and paired "
            "tests"
        )
    if options.confidence and has_several:
        return "--confidence takes one system; for several, give --paired-bs"
    return system_count_error(options)


def _print_segments(
    rows: Iterable[StatisticsRow], options: argparse.Namespace, settings: Settings
) -> None:
    head = f"BLEU|{signature(options, settings)} = "
    for (part,) in rows:
        score = compute(part, settings)
        number = _score_text(score.value, options)
        print(number if options.score_only else f"{head}{number} {_components(score)}")


def _single_result(report: Report, options: argparse.Namespace) -> str:
    (system,) = report.systems
    number = _score_text(system.score.value, options)
    interval, components = system.interval, _components(system.score)
    mean, half_width, confidence = "", "", ""
    if interval and interval.mean:
        mean, half_width = (_score_text(v, options) for v in (interval.mean, interval.half_width))
        confidence = f"μ = {mean} ± {half_width}"
        number += f" ({confidence})"
    if options.score_only:
        return number
    if options.format != "json":
        return f"BLEU|{report.signature} = {number} {components}"
    data: dict[str, Any] = {
        "name": "BLEU",
        "score": float(number.partition(" ")[0]),
        "signature": report.signature,
    }
    if confidence:
        data |= {"confidence_mean": float(mean), "confidence_var": float(half_width)}
        data["confidence"] = confidence
    data["verbose_score"] = components
    data |= dict(pair.split(":") for pair in report.signature.split("|"))
    return json.dumps(data, indent=1, ensure_ascii=False)


def _systems_result(report: Report, options: argparse.Namespace) -> str:
    names = [system.name for system in report.systems]
    if report.test and options.tabbed_systems:
        names = ["Baseline", *(f"System {number}" for number in range(1, len(names)))]
    elif report.test:
        names[0] = f"Baseline: {names[0]}"
    named = list(zip(names, report.systems, strict=True))
    if options.format == "json":
        data = [
            {"system": name, "BLEU": _system_json(system, report, options)}
            for name, system in named
        ]
        return json.dumps(data, indent=4)
    header = "BLEU (μ ± 95% CI)" if options.test == BOOTSTRAP else "BLEU"
    rows = [(name, _system_cell(system, options)) for name, system in named]
    show = latex_table if options.format == "latex" else grid
    table = show([("System", [header]), *rows])
    test = _test_lines(names[0], options) if report.test else []
    title = "Metric signatures"
    line = "-" * len(title)
    return "\n".join([table, "", *test, line, title, line, f" - {'BLEU':<10} {report.signature}"])


def _system_json(system: System, report: Report, options: argparse.Namespace) -> object:
    if not report.test:
        return _score_text(system.score.value, options)
    interval, comparison = system.interval, system.comparison
    return {
        "score": 100 * system.score.value,
        "p_value": comparison and comparison.p_value,
        "mean": interval and 100 * interval.mean,
        "ci": interval and 100 * interval.half_width,
    }


def _system_cell(system: System, options: argparse.Namespace) -> list[str]:
    text = _score_text(system.score.value, options)
    if interval := system.interval:
        mean, half_width = (_score_text(v, options) for v in (interval.mean, interval.half_width))
        text += f" ({mean} ± {half_width})"
    p_value = system.comparison.p_value if system.comparison else None
    if p_value is None:
        return [text]
    return [text, f"(p = {p_value:.4f})" + ("*" if p_value <= 1 - LEVEL else "")]


def _test_lines(baseline: str, options: argparse.Namespace) -> list[str]:
    title = f"Paired approximate randomization test with {options.resamples or TRIALS} trials"
    if options.test == BOOTSTRAP:
        count = options.resamples or RESAMPLES
        title = f"Paired bootstrap resampling test with {count} resampling trials"
    return [
        *("-" * len(title), title, "-" * len(title)),
        f" - Each system is compared with {baseline}.",
        " - p: how often chance alone makes a larger difference; * marks 0.05 or less.",
        " - A small p does not say that the difference matters.",
        "",
    ]


def _score_text(value: float, options: argparse.Namespace) -> str:
    return f"{100 * value:.{options.width}f}"


def _components(score: Score) -> str:
    """Return precisions, brevity penalty and lengths as sacreBLEU prints them."""
    precisions = "/".join(f"{float(100 * precision):.1f}" for precision in score.precisions)
    c, r = score.hypothesis_length, score.reference_length
    return (
        f"{precisions} (BP = {score.brevity_penalty:.3f} ratio = {c / r if r else 0:.3f} "
        f"hyp_len = {c} ref_len = {r})"
    )
