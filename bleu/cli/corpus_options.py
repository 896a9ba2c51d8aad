"""The options of the command that scores files, and their checks."""

import argparse
from functools import partial
from typing import Final

from bleu.analysis.repairs import REPAIRS
from bleu.cli.help import Parser
from bleu.cli.options import Options, merge_options, setting_options
from bleu.cli.sacrebleu_options import (
    OTHER_METRIC_OPTIONS,
    SACREBLEU_OPTIONS,
    SEED_VARIABLE,
    SIGNATURES,
    TEST_SET_OPTIONS,
    WIDTH,
    complete_options,
    default_seed,
    refused,
    system_count_error,
)
from bleu.cli.tables import TABLE_OPTIONS
from bleu.corpus.report import BOOTSTRAP, RANDOMIZATION
from bleu.corpus.significance import RESAMPLES, SEED, TRIALS
from bleu.version import __version__

FORMATS: Final = ("text", "markdown", "latex", "latex-rows", "sentence", "json")
SEGMENT_FORMATS: Final = ("text", "markdown", "latex", "json")
"""The formats that can hold the score of each segment."""


def _int_at_least(minimum: int, text: str) -> int:
    if not text.isdecimal() or int(text) < minimum:
        raise argparse.ArgumentTypeError(f"{text!r:.60} is not a whole number of {minimum} or more")
    return int(text)


_TEST: Final = {
    "dest": "test",
    "action": "store_const",
    "help": "test the difference from the baseline",
}
SCORING_OPTIONS: Final[Options] = {
    "--hypotheses": {
        "metavar": "FILE",
        "nargs": "+",
        "help": "the output of one system or several, default standard input, where several stand "
        "between tabs; without --baseline, the first is the baseline",
    },
    "--baseline": {"metavar": "FILE", "help": "the system that the others are compared with"},
    "--names": {
        "metavar": "NAME",
        "nargs": "+",
        "help": "names of the systems, the baseline first, in place of those of the files",
    },
    "--references": {"metavar": "FILE", "nargs": "+", "help": "one or more references"},
    **TABLE_OPTIONS,
    "positional": {
        "metavar": "REFERENCE",
        "nargs": "*",
        "help": "references, as sacreBLEU takes them",
    },
    "--num-refs": {
        "type": int,
        "default": 1,
        "metavar": "N",
        "help": "so many references, separated by tabs, in each line of one file",
    },
    "--score-only": {"action": "store_true", "help": "print the score, from 0 to 100, alone"},
    "--width": {
        "type": int,
        "metavar": "N",
        "help": f"decimals of --score-only, default {WIDTH} (sacreBLEU's is 1)",
    },
    "--signature": {
        "choices": SIGNATURES,
        "help": "whose form the signature has, default sacrebleu if that can express the settings, "
        "else bleu, which names every setting",
    },
    "--version": {"action": "version", "version": f"bleu {__version__}"},
    **setting_options(None),
    "--old-mac-lines": {
        "action": "store_true",
        "help": "lines end at \\r alone, too, as in files from before Mac OS X",
    },
    "--as-text": {
        "action": "store_true",
        "help": "score the lines of JSON, markup and tables as they are",
    },
    "--repair": {
        "metavar": "FAULT",
        "nargs": "+",
        "choices": REPAIRS,
        "default": [],
        "help": f"undo faults before scoring: {', '.join(REPAIRS)}",
    },
    "--quiet": {"action": "store_true", "help": "print no notes on the files"},
    "--confidence": {"action": "store_true", "help": "bootstrap a 95 %% interval"},
    "--paired-bootstrap": {**_TEST, "const": BOOTSTRAP},
    "--paired-approximate-randomization": {**_TEST, "const": RANDOMIZATION},
    "--resamples": {
        "type": partial(_int_at_least, 1),
        "metavar": "N",
        "help": f"default {RESAMPLES}, and {TRIALS} for approximate randomization",
    },
    "--seed": {
        "type": partial(_int_at_least, 0),
        "metavar": "N",
        "help": f"default {SEED_VARIABLE}, or {SEED}",
    },
    "--segments": {
        "action": "store_true",
        "help": "print each segment's own score, from 0 to 1, under the same settings",
    },
    "--jobs": {
        "type": partial(_int_at_least, 1),
        "default": 1,
        "metavar": "N",
        "help": "count in N processes, default 1",
    },
    "--format": {"choices": FORMATS, "default": "text", "help": "default text"},
}
CORPUS_OPTIONS: Final[Options] = {
    **merge_options(SCORING_OPTIONS, SACREBLEU_OPTIONS),
    **refused({**OTHER_METRIC_OPTIONS, **TEST_SET_OPTIONS}),
}


def check_options(parser: Parser, options: argparse.Namespace) -> None:
    """Exit with code 2 if options contradict each other; complete systems and seed."""
    complete_options(parser, options)
    options.systems = list(options.hypotheses)
    if options.baseline:
        others = [name for name in options.systems if name != options.baseline]
        # A baseline that equals the only hypothesis file is compared with itself.
        options.systems = [options.baseline, *(others or options.systems)]
    parser.check_standard_input([*options.systems, *options.references])
    if not options.between_tabs and (message := system_count_error(options)):
        parser.error(message)
    if options.names and len(set(options.names)) < len(options.names):
        parser.error(f"--names has a name twice ({', '.join(options.names)}); give different ones")
    if options.segments and not options.score_only and options.format not in SEGMENT_FORMATS:
        choices = ", ".join(SEGMENT_FORMATS)
        parser.error(f"--segments has no {options.format} form; choose --format {choices}")
    resampled = options.confidence or options.test
    if options.segments and options.format == "text" and resampled:
        parser.error("--segments prints segments alone; for both, choose --format json")
    if not resampled and (options.resamples or options.seed is not None):
        parser.error("--resamples and --seed belong to --confidence or a paired test")
    options.seed = default_seed(parser) if options.seed is None else options.seed
