"""Benchmarks, as ratios within one run: `make bench`."""

import random
import time
import warnings
from collections.abc import Callable

import sacrebleu
from nltk.translate import bleu_score as nltk

import bleu

SEGMENTS = 3_000
ROUNDS = 5


def texts(count: int, seed: int) -> tuple[list[str], list[str]]:
    """Hypotheses and references of about 25 words, alike as a good translation and its reference.

    Words are drawn by Zipf's law, and about a quarter of them is changed.
    """
    draw = random.Random(seed)
    words = [f"word{rank}" for rank in range(1, 5_000)]
    weights = [1 / rank for rank in range(1, 5_000)]
    references = [draw.choices(words, weights, k=draw.randint(10, 40)) for _ in range(count)]
    hypotheses = [
        [draw.choices(words, weights)[0] if draw.random() < 0.25 else word for word in reference]
        for reference in references
    ]
    return [" ".join(h) for h in hypotheses], [" ".join(r) for r in references]


def seconds(action: Callable[[], object]) -> float:
    """The least time of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print a table of times and ratios."""
    warnings.simplefilter("ignore")
    hypotheses, references = texts(SEGMENTS, 1)
    lists = [[reference] for reference in references]
    split = [h.split() for h in hypotheses], [[r.split()] for r in references]
    peer = sacrebleu.BLEU(tokenize="none", force=True, smooth_method="none")
    single = sacrebleu.BLEU(tokenize="none", effective_order=True)
    rows = {
        f"corpus of {SEGMENTS:,} segments": (
            lambda: bleu.corpus_bleu(hypotheses, lists),
            lambda: peer.corpus_score(hypotheses, [references]),
            lambda: nltk.corpus_bleu(split[1], split[0]),
        ),
        f"{SEGMENTS:,} sentences, one by one": (
            lambda: [bleu.sentence_bleu(h, r) for h, r in zip(hypotheses, lists, strict=True)],
            lambda: [single.sentence_score(h, r) for h, r in zip(hypotheses, lists, strict=True)],
            lambda: [nltk.sentence_bleu(r, h) for h, r in zip(*split, strict=True)],
        ),
    }
    print(f"{'':34}{'bleu':>9}{'sacreBLEU':>12}{'NLTK':>9}   ratio to sacreBLEU, to NLTK")
    for name, (ours, sacre, theirs) in rows.items():
        times = [seconds(action) for action in (ours, sacre, theirs)]
        mine, first, second = times
        shown = f"{mine:8.3f}s{first:11.3f}s{second:8.3f}s"
        print(f"{name:34}{shown}   {first / mine:.2f}x, {second / mine:.2f}x their speed")


if __name__ == "__main__":
    main()
