"""The command `python -m bleu conventions`: the names that the options of settings take."""

from collections.abc import Sequence
from typing import Final

from bleu.cli.options import Options
from bleu.cli.terminal import Parser, listing, print_text
from bleu.core.custom_tokenizers import MECAB_TOKENIZERS, SACREBLEU_MODELS
from bleu.core.tokenizers import TOKENIZERS
from bleu.metric.conventions import CONVENTIONS
from bleu.metric.rules import REFERENCE_LENGTHS
from bleu.metric.smoothings import SMOOTHINGS

DESCRIPTION: Final = "The names that --convention and the other options of settings take."
OPTIONS: Final[Options] = {}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the names, with a short description of each convention; return 0."""
    parser.parse(arguments)
    conventions = {str(name): convention.help for name, convention in CONVENTIONS.items()}
    parts = [
        listing("--convention:", conventions),
        listing("--tokenizer:", dict.fromkeys(map(str, TOKENIZERS), "")),
        listing(
            "--tokenizer, if sacreBLEU has downloaded the model, or if MeCab is installed:",
            dict.fromkeys((*SACREBLEU_MODELS, *MECAB_TOKENIZERS), ""),
        ),
        listing("--smoothing:", dict.fromkeys(map(str, SMOOTHINGS), "")),
        listing("--reference-length:", dict.fromkeys(map(str, REFERENCE_LENGTHS), "")),
    ]
    return print_text("\n\n".join(parts) + "\n")
