"""The command for the diversity of texts: `python -m bleu self samples.txt`."""

from collections.abc import Sequence
from typing import Final

from bleu.analysis.api import CONVENTION, iter_self_bleu
from bleu.cli.options import FORMAT_OPTION, Options, parse_settings, setting_options
from bleu.cli.terminal import Parser, print_json, print_text, run_with_progress
from bleu.core.progress import track
from bleu.files.text_files import STANDARD_INPUT, read_lines

DESCRIPTION: Final = (
    "Self-BLEU of a file with one text a line: the mean of the scores of all texts, each "
    "against all others. The lower, the more diverse. By default, as Texygen scores with NLTK."
)
OPTIONS: Final[Options] = {
    "file": {"nargs": "?", "default": STANDARD_INPUT, "help": "default standard input"},
    **setting_options(CONVENTION),
    **FORMAT_OPTION,
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the Self-BLEU of a file; return 0, or 1 if it cannot be read or has too few texts."""
    options = parser.parse(arguments)
    settings = parse_settings(parser, options)
    try:
        texts = list(read_lines(options.file))
        steps = iter_self_bleu(texts, settings)
        result = run_with_progress(track("texts", steps))
    except ValueError as error:
        return parser.report(error)
    signature = settings.signature(len(texts) - 1)
    if options.format == "json":
        data = {"convention": options.convention, "scale": 1, "signature": signature}
        return print_json({**data, "value": result.value, "scores": list(result.scores)})
    return print_text(f"{result}\nConvention: {options.convention}, {signature}\n")
