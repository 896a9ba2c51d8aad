"""The parts of `python -m bleu corpus` that work as in sacreBLEU: files, seed, signature."""

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from bleu.cli.options import Options
from bleu.core.settings import ResamplingOptions, Settings
from bleu.corpus.report import RANDOMIZATION
from bleu.corpus.significance import RESAMPLES, SEED, TRIALS
from bleu.corpus.text_files import STANDARD_INPUT, FileError
from bleu.explanation.phrases import count_with_noun
from bleu.version import __version__

SIGNATURES: Final = ("bleu", "sacrebleu")
SEED_VARIABLE: Final = "SACREBLEU_SEED"
WIDTH: Final = 2
MAX_WIDTH: Final = 15


SACREBLEU_OPTIONS: Final[Options] = {
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
}
"""sacreBLEU's options and its positional references."""


def complete_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Complete files, convention and width; exit with code 2 if options contradict each other.

    Without `--hypotheses`, one system, or several between tabs, are read from standard input.
    Without `--convention`, sacreBLEU's corpus score is computed, or, if only segments are printed,
    its sentence score, as with its option --sentence-level.
    """
    if options.positional and options.references:
        positional = ", ".join(options.positional)
        parser.error(
            f"references are given with --references and without ({positional}); "
            "give all with --references"
        )
    options.references = options.references or options.positional
    if not options.references:
        parser.error("there is no reference; give --references FILE …, or its name alone")
    options.between_tabs = not options.hypotheses and not options.baseline
    if not options.hypotheses:
        options.hypotheses = [STANDARD_INPUT]
    if options.num_refs < 1:
        parser.error(f"--num-refs is {options.num_refs}; give a whole number of 1 or more")
    if options.num_refs > 1 and len(options.references) > 1:
        parser.error(
            f"--num-refs {options.num_refs} splits one file, and there are "
            f"{len(options.references)} files of references"
        )
    if options.width is not None and not options.score_only:
        parser.error("--width belongs to --score-only")
    if options.width is not None and not 0 <= options.width <= MAX_WIDTH:
        parser.error(f"--width is {options.width}; give a whole number from 0 to {MAX_WIDTH}")
    if options.score_only and (options.segments or options.format != "text"):
        parser.error("--score-only prints scores alone, without --segments or another --format")
    options.width = WIDTH if options.width is None else options.width
    options.by_default = options.convention is None
    if options.by_default:
        segments_only = options.segments and options.format == "text"
        options.convention = "sacrebleu-sentence" if segments_only else "sacrebleu"


def default_seed(parser: argparse.ArgumentParser) -> int:
    """Return the seed of the environment variable that sacreBLEU reads, or its default seed."""
    text = os.environ.get(SEED_VARIABLE, str(SEED))
    if not (text.isascii() and text.isdecimal()):
        parser.error(f"{SEED_VARIABLE} is {text!r}; set it to a whole number of 0 or more")
    return int(text)


def signature(options: argparse.Namespace, settings: Settings) -> str:
    """Return the signature in the chosen form, by default sacreBLEU's if it has one.

    Raises ValueError if sacreBLEU's form cannot express the settings.
    """
    count: int | None = options.num_refs if options.num_refs > 1 else len(options.references)
    if options.table:
        count = options.table_texts.reference_count
    if options.signature == "bleu":
        return settings.signature(count)
    resampling = ResamplingOptions()
    if options.test == RANDOMIZATION:
        resampling["randomization"] = options.resamples or TRIALS
    elif options.test or options.confidence:
        resampling["bootstrap"] = options.resamples or RESAMPLES
    if resampling:
        resampling["seed"] = options.seed
    if not options.signature:
        return settings.reported_signature(count, **resampling)
    try:
        return settings.sacrebleu_signature(count, **resampling)
    except ValueError as error:
        raise ValueError(f"{error}; choose --signature bleu, or --convention sacrebleu") from None


def split_tabbed_systems(
    rows: Iterator[tuple[str, ...]], options: argparse.Namespace
) -> Iterator[tuple[str, ...]]:
    """Yield the rows with the line of standard input split into systems.

    The first line determines the number of systems. They are named as in sacreBLEU: System 1,
    System 2, and so on.

    Raises FileError if the options require more or fewer systems, or if a line has another number
    of them.
    """
    first = next(rows)
    count = len(first[0].rstrip().split("\t"))
    if count > 1:
        options.systems = [f"System {number}" for number in range(1, count + 1)]
    if options.names and len(options.names) != count:
        systems = "1 system" if count == 1 else f"{count} systems"
        raise FileError(
            f"--names has {len(options.names)} for {systems} in standard input; "
            "give a name for each"
        )
    if options.test and count < 2:
        raise FileError(
            "a paired test compares two systems or more, and standard input has 1; give several "
            "between tabs, or files with --hypotheses"
        )
    return _split(chain([first], rows), count)


def _split(rows: Iterable[tuple[str, ...]], count: int) -> Iterator[tuple[str, ...]]:
    for number, (line, *references) in enumerate(rows, 1):
        fields = line.split("\t")
        while len(fields) > count and not fields[-1].strip():
            fields.pop()
        if len(fields) != count:
            raise FileError(
                f"standard input, line {number} has {count_with_noun(len(fields), 'system')}, and "
                f"line 1 has {count}, between tabs; give the same number in each line"
            )
        yield (*fields, *references)


def split_references(
    rows: Iterable[Sequence[str]], options: argparse.Namespace
) -> Iterator[Sequence[str]]:
    """Yield the lines of each segment with references split at tabs if `--num-refs` asks for it.

    Raises FileError if a line has another number of references than `--num-refs`.
    """
    if options.num_refs == 1:
        yield from rows
        return
    for number, row in enumerate(rows, 1):
        fields = row[-1].split("\t", options.num_refs - 1)
        if len(fields) != options.num_refs:
            raise FileError(
                f"{options.references[0]}, line {number}: there are {len(fields)} references "
                f"between tabs, and --num-refs is {options.num_refs}"
            )
        yield (*row[:-1], *fields)
