"""Help that breaks no name across lines, and each convention in half a line."""

import argparse
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Final

CONVENTION_HELP: Final[Mapping[str, str]] = {
    "default": "the paper's BLEU, tokens split at white space",
    "papineni": "the same, case folded, as Papineni et al. 2002",
    "nltk-method0": "NLTK unsmoothed: an empty order is 2.2e-308",
    "nltk-method1": "an empty order counts 0.1 matches",
    "nltk-method2": "1 added to every order from the second on",
    "nltk-method3": "empty orders count 1/2, 1/4, … matches",
    "nltk-method4": "as 3, with less for shorter texts",
    "nltk-method5": "each precision averaged with its neighbours",
    "nltk-method6": "mixes in what the two orders before suggest",
    "nltk-method7": "method 4, then method 5",
    "nltk-method5-summed": "method 5 over the sums of a corpus",
    "nltk-method6-summed": "method 6 over the sums of a corpus",
    "nltk-method7-summed": "method 7 over the sums of a corpus",
    "sacrebleu": "corpus_bleu: tokenizer 13a, smoothing exp",
    "sacrebleu-none": "the same without smoothing",
    "sacrebleu-floor": "the same with smoothing floor, 0.1",
    "sacrebleu-add-k": "the same with smoothing add-k, 1",
    "sacrebleu-sentence": "sentence_bleu: the same with effective order",
    "sacrebleu-sentence-none": "the same without smoothing",
    "sacrebleu-sentence-floor": "the same with smoothing floor, 0.1",
    "sacrebleu-sentence-add-k": "the same with smoothing add-k, 1",
    "huggingface-evaluate": "evaluate's bleu: 13a, shortest reference",
    "huggingface-evaluate-smooth": "the same, 1 added to every order",
    "torchmetrics": "BLEUScore: of equally close lengths the first",
    "torchmetrics-smooth": "the same, 1 added from the second order on",
    "torchtext": "bleu_score, as torchmetrics",
    "mteval-v13a": "NIST's script: 13a, A to Z folded, exp",
    "mteval-v14": "the same, international tokens, all folded",
    "multi-bleu": "Moses' script: case kept, N always 4",
    "moses-sentence": "sentence-bleu: 1 added to every order",
    "fairseq": "one reference, unsmoothed",
    "fairseq-sentence": "one reference, 1 added from the second order",
    "tensor2tensor": "one reference, its own tokens, folded, exp",
    "coco-caption": "folded; tiny numbers added to counts and lengths",
    "sacrebleu-r": "R's sacRebleu: single-precision weights",
    "sacrebleu-r-floor": "the same, 0.1 for each segment without a match",
    "sacrebleu-r-add-k": "the same, a whole k added to every order",
}
"""What each convention computes, in half a line."""


class HelpFormatter(argparse.HelpFormatter):
    """Lines broken at spaces only; in a description, indented lines are kept."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        kept = []
        for line in text.splitlines():
            wrapped = [line] if line.startswith("  ") else self._split_lines(line, width)
            kept += [indent + part for part in wrapped] or [""]
        return "\n".join(kept)


def conventions_help() -> str:
    """All conventions, a line each.

    >>> print(conventions_help().splitlines()[1])
      default                      the paper's BLEU, tokens split at white space
    """
    lines = [f"  {name:<28} {words}" for name, words in CONVENTION_HELP.items()]
    return "\n".join(["conventions:", *lines])


def program(command: str = "") -> str:
    """What the command is called in messages: `bleu`, or `python -m bleu`, and the command in it.

    >>> program("corpus")
    'python -m bleu corpus'
    """
    name = "bleu" if Path(sys.argv[0]).stem == "bleu" else "python -m bleu"
    return f"{name} {command}".rstrip()
