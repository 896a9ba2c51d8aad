"""The options of sacreBLEU's command, and its seed and signature, which `corpus` has, too."""

import argparse
import codecs
import os
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from bleu.cli.options import Options, whole_number
from bleu.core.display import short_repr
from bleu.core.settings import SACREBLEU_VERSION, ResamplingOptions, Settings
from bleu.corpus.report import BOOTSTRAP, RANDOMIZATION
from bleu.corpus.significance import RESAMPLES, SEED, TRIALS
from bleu.explanation.phrases import count_with_noun
from bleu.metric.smoothings import SMOOTHINGS
from bleu.version import __version__

FORMATS: Final = ("json", "text", "latex")
SEED_VARIABLE: Final = "SACREBLEU_SEED"
MAX_SEED: Final = 2**64 - 1
MAX_WIDTH: Final = 15
TOKENIZER_BY_LANGUAGE: Final = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_FLAG: Final[Mapping[str, Any]] = {"action": "store_true"}


class _Refuse(argparse.Action):
    """An option that exits with the reason why it is not supported, and an alternative."""

    def __call__(self, parser: argparse.ArgumentParser, *arguments: Any) -> NoReturn:
        """Exit with code 2."""
        parser.error(
            f"{arguments[-1]} needs the test sets that sacreBLEU downloads, and nothing is "
            "downloaded here; save the references with "
            "sacrebleu -t SET -l PAIR --echo ref > ref.txt"
        )


def _encoding(text: str) -> str:
    try:
        return codecs.lookup(text).name
    except LookupError:
        raise argparse.ArgumentTypeError(f"{short_repr(text)} is not a Python encoding") from None


SACREBLEU_OPTIONS: Final[Options] = {
    "--input -i": {
        "dest": "hypotheses",
        "metavar": "FILE",
        "nargs": "*",
        "help": "the output of one system or several, default standard input",
    },
    "--num-refs -nr": {
        "type": int,
        "default": 1,
        "metavar": "N",
        "help": "the number of references, separated by tabs, in each line of the reference file",
    },
    "--encoding -e": {
        "type": _encoding,
        "metavar": "NAME",
        "help": "the encoding of files, default UTF-8, or UTF-16 with a byte order mark",
    },
    "--metrics -m": {
        "nargs": "+",
        "choices": ("bleu", "chrf", "ter"),
        "default": ["bleu"],
        "help": "bleu; the others are refused",
    },
    "--sentence-level -sl": {
        **_FLAG,
        "help": "print the score of each segment, with the effective order",
    },
    "--language-pair -l": {
        "metavar": "PAIR",
        "help": "such as en-zh; the language after the hyphen selects the tokenizer: "
        + ", ".join(f"{name} for {code}" for code, name in TOKENIZER_BY_LANGUAGE.items()),
    },
    "--smooth-method -s": {
        "dest": "smoothing",
        "default": "exp",
        "choices": [name for name, smoothing in SMOOTHINGS.items() if smoothing.sacrebleu],
        "help": "smoothing, default exp",
    },
    "--smooth-value -sv": {
        "dest": "smoothing_value",
        "type": float,
        "metavar": "X",
        "help": "epsilon of floor, default 0.1, or k of add-k, default 1",
    },
    "--tokenize --tok -tok": {
        "dest": "tokenizer",
        "choices": (
            *("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab", "spm"),
            *("flores101", "flores200", "spBLEU-1K"),
        ),
        "help": "tokenizer, default 13a",
    },
    "--lowercase -lc": {**_FLAG, "help": "lowercase the texts first"},
    "--force": {**_FLAG, "help": "print no note on texts that seem to be tokenized"},
    "--confidence -ci": {**_FLAG, "help": "bootstrap a 95 %% confidence interval"},
    "--confidence-n -cin": {
        "dest": "resamples",
        "type": int,
        "metavar": "N",
        "help": f"resamples of a confidence interval, default {RESAMPLES}",
    },
    "--paired-ar-n -parn": {
        "type": int,
        "metavar": "N",
        "help": "resamples of an approximate randomization",
    },
    "--paired-bs-n -pbsn": {"type": int, "metavar": "N", "help": "resamples of a bootstrap"},
    "--paired-jobs -j": {
        "dest": "test_jobs",
        "type": int,
        "default": 1,
        "metavar": "N",
        "help": "processes of a paired test of three systems or more; 0 is as many as useful",
    },
    "--quiet -q": {**_FLAG, "help": "print no notes on the files"},
    "--short -sh": {**_FLAG, "help": "print the short form of the signature"},
    "--score-only -b": {**_FLAG, "help": "print only the score"},
    "--width -w": {"type": int, "default": 1, "metavar": "N", "help": "decimals, default 1"},
    "--no-color -nc": {
        **_FLAG,
        "help": "print notes and errors without color in a terminal, as NO_COLOR=1 does",
    },
    "--format -f": {
        "choices": FORMATS,
        "default": FORMATS[0],
        "help": "the form of the output, default json",
    },
    "--version -V": {
        "action": "version",
        "version": f"bleu {__version__}, with the scores of sacreBLEU {SACREBLEU_VERSION}",
    },
    "--paired-ar -par": {
        "dest": "test",
        "action": "store_const",
        "const": RANDOMIZATION,
        "help": "test differences from the first system by approximate randomization",
    },
    "--paired-bs -pbs": {
        "dest": "test",
        "action": "store_const",
        "const": BOOTSTRAP,
        "help": "test differences from the first system by a bootstrap",
    },
}
"""sacreBLEU's options for BLEU."""
OTHER_METRIC_OPTIONS: Final[Options] = {
    "--chrf-char-order -cc": {"type": int},
    "--chrf-word-order -cw": {"type": int},
    "--chrf-beta": {"type": int},
    "--chrf-whitespace": _FLAG,
    "--chrf-lowercase": _FLAG,
    "--chrf-eps-smoothing": _FLAG,
    "--ter-case-sensitive": _FLAG,
    "--ter-asian-support": _FLAG,
    "--ter-no-punct": _FLAG,
    "--ter-normalized": _FLAG,
}
"""sacreBLEU's options for chrF and TER, which it ignores when it computes BLEU."""
TEST_SET_OPTIONS: Final[Options] = {
    "--test-set -t": {},
    "--origlang -ol": {},
    "--subset": {},
    "--download": {},
    "--echo": {"nargs": "+"},
    "--list": _FLAG,
    "--citation --cite": _FLAG,
}
"""sacreBLEU's options for the test sets that it downloads."""


def refused_options(options: Options) -> Options:
    """Return options that exit with the reason why they are not supported; the help omits them."""
    return {
        names: {
            "action": _Refuse,
            "nargs": 0 if details is _FLAG else details.get("nargs"),
            "help": argparse.SUPPRESS,
        }
        for names, details in options.items()
    }


def complete_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Complete tokenizer, resamples and processes; exit with code 2 if an option is invalid."""
    if not 0 <= options.width <= MAX_WIDTH:
        parser.error(f"--width is {options.width}; give a whole number from 0 to {MAX_WIDTH}")
    if options.no_color:
        os.environ["NO_COLOR"] = "1"
    if others := [name for name in options.metrics if name != "bleu"]:
        parser.error(
            f"--metrics {' '.join(others)} is not BLEU; for other metrics, use sacreBLEU: "
            "pip install sacrebleu"
        )
    if options.language_pair:
        source, hyphen, target = options.language_pair.partition("-")
        if not (source and hyphen and target):
            parser.error(
                f"--language-pair is {short_repr(options.language_pair)}; give a pair such as en-zh"
            )
        if not options.tokenizer:
            options.tokenizer = TOKENIZER_BY_LANGUAGE.get(target.partition("-")[0])
    count = {RANDOMIZATION: options.paired_ar_n, BOOTSTRAP: options.paired_bs_n}.get(options.test)
    options.resamples = count or options.resamples
    options.test_jobs = options.test_jobs or os.cpu_count() or 1


def default_seed(parser: argparse.ArgumentParser) -> int:
    """Return the seed of the environment variable that sacreBLEU reads, or its default seed."""
    text = os.environ.get(SEED_VARIABLE, str(SEED))
    try:
        return whole_number(0, MAX_SEED, text)
    except argparse.ArgumentTypeError as error:
        parser.error(f"{SEED_VARIABLE}: {error}")


def reference_count(options: argparse.Namespace) -> int | None:
    """Return the number of references of each segment, or None if it varies."""
    count = options.num_refs if options.num_refs > 1 else len(options.references)
    return getattr(options, "joined_references", count)


def signature(options: argparse.Namespace, settings: Settings) -> str:
    """Return the signature in the chosen form, with the numbers of references and resamples.

    Raises ValueError if sacreBLEU's form is chosen and cannot express the settings.
    """
    count = reference_count(options)
    resampling = ResamplingOptions()
    if options.test == RANDOMIZATION:
        resampling["randomization"] = options.resamples or TRIALS
    elif options.test or options.confidence:
        resampling["bootstrap"] = options.resamples or RESAMPLES
    if resampling:
        resampling["seed"] = options.seed
    return settings.signature(count, form=options.signature, **resampling)


def system_count_error(options: argparse.Namespace) -> str:
    """Return an error if `--names` or the test does not fit the number of systems, else ""."""
    count = len(options.systems)
    if options.names and len(options.names) != count:
        return (
            f"--names has {count_with_noun(len(options.names), 'name')} for "
            f"{count_with_noun(count, 'system')} "
            f"({', '.join(options.systems):.100}); give a name for each, in this order"
        )
    if options.test and count < 2:
        return "there is 1 system, and a paired test compares two or more; add another"
    return ""
