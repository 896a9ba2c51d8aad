"""The command for the diversity of texts: `python -m bleu self samples.txt`."""

import json
from collections.abc import Sequence

from bleu.cli.help import Parser, command_parser, conventions_help
from bleu.cli.options import SETTING_OPTIONS, add_options, settings_from_options
from bleu.cli.run import print_text, show_progress
from bleu.core.progress import map_progress, run_to_end
from bleu.corpus.self_bleu import CONVENTION, iter_self_bleu
from bleu.corpus.text_files import STANDARD_INPUT, read_lines


def self_parser() -> Parser:
    """Return the parser of `python -m bleu self`."""
    parser = command_parser(
        "self",
        "Self-BLEU of a file with one text a line: the mean of the scores of all texts, each "
        "against all others. The lower, the more diverse. By default, as Texygen scores with NLTK.",
        conventions_help(),
    )
    parser.add_argument("file", nargs="?", default=STANDARD_INPUT, help="default standard input")
    convention = {**SETTING_OPTIONS["--convention"], "default": CONVENTION}
    add_options(
        parser,
        {
            **SETTING_OPTIONS,
            "--convention": convention,
            "--format": {"choices": ("text", "json"), "default": "text", "help": "default text"},
        },
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Print the Self-BLEU of a file; return 0, or 1 if it cannot be read or has too few texts."""
    parser = self_parser()
    options = parser.parse(arguments)
    try:
        settings = settings_from_options(options)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    try:
        texts = list(read_lines(options.file))
        result = run_to_end(map_progress(iter_self_bleu(texts, settings), _print_progress))
    except ValueError as error:
        show_progress("")
        return parser.report(error)
    show_progress("")
    signature = settings.signature(len(texts) - 1)
    if options.format == "json":
        data = {
            "convention": options.convention,
            "scale": 1,
            "signature": signature,
            "value": result.value,
            "scores": list(result.scores),
        }
        return print_text(json.dumps(data, indent=1) + "\n")
    return print_text(f"{result}\nConvention: {options.convention}, {signature}\n")


def _print_progress(done: int, total: int) -> None:
    show_progress(f"{done:,} of {total:,} texts")
