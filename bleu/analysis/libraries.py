"""Libraries that compute BLEU, and the code that calls them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bleu.core.api import Derivation

PLAIN: Final = "BLEU in plain Python"
"""The name of the code that needs no library."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library, and its calls; `{names}` in code stand for expressions.

    - `code`: the code for the score of one segment.
    - `digits`: the format of the printed number; libraries may differ in what it leaves out.
    - `scale`: 1 or 100, the score of a perfect match.
    - `convention`: the convention of its defaults, if it has one of the same name with `-smooth`.
    - `suits`: whether it can score a derivation with this tokenizer.
    - `remark`: a sentence on its code, or "".

    For corpora in `hypotheses` and `references`, if the library is called for the search for a
    number:

    - `calls`: the lines of the call, by the mistake in it; "" is none.
    - `imported`: the line that imports it, with the `{function}` for a corpus or a sentence.
    - `score`, `penalty`: the expressions for the score and the brevity penalty after the call.
    """

    code: str
    digits: str = ".10g"
    scale: int = 1
    convention: str = ""
    suits: Callable[[Derivation], bool] = lambda _: True
    remark: str = ""
    calls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    imported: str = ""
    score: str = ""
    penalty: str = ""


LIBRARIES: Final[Mapping[str, Library]] = {
    "bleu": Library(
        code="""\
import bleu

score = bleu.sentence_bleu({arguments})
print(format(score.value, "{digits}"))""",
        calls={
            "": ("result = bleu.corpus_bleu(hypotheses, references, {keywords})",),
            "mean-of-sentences": (
                "scores = [bleu.sentence_bleu(h, list(refs), {keywords}).value "
                "for h, refs in zip(hypotheses, references)]",
            ),
            "mean-of-orders": (
                "scores = [bleu.corpus_bleu(hypotheses, references, {keywords}).value "
                "for n in {orders}]",
            ),
            # The library refuses whole lines as tokens unless they are in tuples.
            "lines": (
                "tokens = [({h},) for h in hypotheses]",
                "columns = [[({r},) for r in column] for column in zip(*references)]",
                "result = bleu.corpus_bleu([tokens], [columns], {keywords})",
            ),
        },
        imported="import bleu", score="result.value", penalty="result.brevity_penalty"),
    "nltk": Library(
        code="""\
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

references = {references!r}
hypothesis = {hypothesis!r}
smooth = SmoothingFunction({smoothing}).method{method}
score = sentence_bleu(references, hypothesis, {weights}, smooth)
print(format(score, "{digits}"))""",
        calls={
            "": (),
            "mean-of-sentences": (
                "scores = [sentence_bleu(refs, h, {weights}, smooth) "
                "for refs, h in zip(references_, hypotheses_)]",
            ),
            "mean-of-orders": (
                "scores = [corpus_bleu(references_, hypotheses_, (1 / n,) * n, smooth) "
                "for n in {orders}]",
            ),
            "no-brevity-penalty": (
                "c = sum(map(len, hypotheses_))",
                "r = sum(closest_ref_length(refs, len(h)) "
                "for refs, h in zip(references_, hypotheses_))",
                "penalty = brevity_penalty(r, c)",
            ),
        },
        imported="from nltk.translate.bleu_score import SmoothingFunction, {function}",
        score="corpus_bleu(references_, hypotheses_, {weights}, smooth)", penalty="penalty"),
    "sacrebleu": Library(
        code="""\
import sacrebleu

bleu = {metric}
score = bleu.corpus_score([{hypothesis!r}], {references!r})
print(format(score.score / 100, "{digits}"))""",
        scale=100,
        calls={
            "": (
                "streams = {streams}",
                "bleu = {metric}",
                "result = bleu.corpus_score(hypotheses, streams)",
            ),
            "mean-of-sentences": (
                "bleu = {metric}",
                "pairs = zip(hypotheses, references)",
                "scores = [bleu.sentence_score(h, list(refs)).score for h, refs in pairs]",
            ),
            "mean-of-orders": (
                "streams = {streams}",
                "bleus = [{metric} for n in {orders}]",
                "scores = [bleu.corpus_score(hypotheses, streams).score for bleu in bleus]",
            ),
        },
        imported="import sacrebleu", score="result.score", penalty="result.bp"),
    "evaluate": Library(
        code="""\
import evaluate

bleu = evaluate.load("bleu")
result = bleu.compute(predictions=[{hypothesis!r}], references=[{references!r}], \
max_order={max_order}, smooth={smooth})
print(format(result["bleu"], "{digits}"))""",
        convention="huggingface-evaluate",
        suits=lambda derivation: all((derivation.hypothesis, *derivation.references)),
        remark="It loads the metric from the network when it first runs."),
    "torchmetrics": Library(
        code="""\
from torchmetrics.text import BLEUScore

bleu = BLEUScore(n_gram={max_order}, smooth={smooth})
score = bleu([{hypothesis!r}], [{references!r}]).item()
print(format(score, "{digits}"))  # in single precision""",
        digits=".5g", convention="torchmetrics",
        suits=lambda derivation: not derivation.settings.weights),
    PLAIN: Library(
        code='''\
"""BLEU in plain Python (Papineni et al. 2002)."""

import math{more_imports}
from collections import Counter


def split(text):
    """Return the tokens of a text."""
    {split}


def ngrams(tokens, n):
    """Count the n-grams of a text."""
    return Counter(zip(*(tokens[start:] for start in range(n))))


def match(candidate, references, n):
    """Count the n-grams that match, each at most as often as in one reference, and all of them."""
    counts, others = ngrams(candidate, n), [ngrams(tokens, n) for tokens in references]
    credits = [min(k, max(other[gram] for other in others)) for gram, k in counts.items()]
    return sum(credits), sum(counts.values())


def bleu(candidate, references, weights):
    """Return BLEU, the penalty times the geometric mean of the precisions p."""
    N = len(weights)
    matched, total = zip(*[match(candidate, references, n) for n in range(1, N + 1)])
    c = len(candidate)
    r = min(map(len, references), key=lambda length: (abs(length - c), length))  # the closest
    p = [m / max(t, 1) for m, t in zip(matched, total)]
{smoothing}    penalty = 1 if c >= r else math.exp(1 - r / c) if c else 0
    return penalty * math.prod(x**w for x, w in zip(p, weights))


candidate = {hypothesis!r}
references = {references!r}
score = bleu(split(candidate), [split(text) for text in references], {weights})
print(format(score, "{digits}"))'''),
}  # fmt: skip
"""Libraries by name, in the order of the snippets."""

IMPORTS: Final = {
    "re.sub(": "import re",
    "TOKENIZERS": "from bleu import TOKENIZERS",
    "brevity_penalty(": "from nltk.translate.bleu_score import brevity_penalty, closest_ref_length",
    "zip_longest": "from itertools import zip_longest",
}
"""Further imports, by a text that occurs only in code that needs them."""
