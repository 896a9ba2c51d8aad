"""The benchmarks of SentencePiece models: the time for a sentence, loading, and memory.

The baselines are limits. Times are of the processor, so that a busy machine does not matter. The
models are made by hand, because training one with 256,000 pieces needs far more text and time; only
their normalization is of a trained model.
"""

import random
import sys
import time
import tracemalloc
from collections.abc import Iterator
from functools import cache

import bleu
from bleu.core.sentencepiece_file import _iter_fields
from tests.support.sentencepiece_models import generate_lines, train, write_model

WORDS = 25
SENTENCES = 2_000


@cache
def large_model(size: int) -> bytes:
    """Return a unigram model of this many pieces: parts of words, and random letters."""
    rng = random.Random(3)
    pieces = {"▁"}
    for word in {word for line in generate_lines(20_000) for word in line.split()}:
        for text in (f"▁{word}", word):
            pieces |= {text[:length] for length in range(1, len(text) + 1)}
            pieces |= {text[length:] for length in range(len(text))}
    some = sorted(pieces, key=lambda piece: (len(piece), piece))[:size]
    pieces = set(some)
    while len(pieces) < size:
        pieces.add("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 14))))
    scores = [
        (piece, rng.uniform(-14, -3) * (0.6 + len(piece) / 10), 1) for piece in sorted(pieces)
    ]
    normalizer = dict(_iter_fields(train()))[3]
    return write_model([("<unk>", 0.0, 2), *scores], b"", normalizer)


def measure(size: int) -> tuple[float, float, float]:
    """Return the milliseconds for a sentence, and the seconds and the MiB for loading."""
    data = large_model(size)
    lines = generate_lines(SENTENCES, seed=5)
    sentences = [" ".join((line.split() * WORDS)[:WORDS]) for line in lines]
    loading = tokenizing = float("inf")
    for _ in range(3):
        start = time.process_time()
        tokenizer = bleu.load_tokenizer(data)
        loading = min(loading, time.process_time() - start)
        start = time.process_time()
        for sentence in sentences:
            tokenizer(sentence)
        tokenizing = min(tokenizing, time.process_time() - start)
    tracemalloc.start()
    tokenizer = bleu.load_tokenizer(data)
    mebibytes = tracemalloc.get_traced_memory()[0] / 2**20
    tracemalloc.stop()
    return 1000 * tokenizing / SENTENCES, loading, mebibytes


def measurements() -> Iterator[tuple[str, float, float, str]]:
    """Yield each task with its value, its limit and their unit."""
    for size, limit in ((32_000, 1.0), (256_000, 1.5)):
        model = f"SentencePiece with {size:,} pieces"
        milliseconds, seconds, mebibytes = measure(size)
        yield f"a sentence of {WORDS} words, {model}", milliseconds, limit, "ms"
        yield f"loading, {model}", seconds, 1.0, "s"
        yield f"memory, {model}", mebibytes, 100.0, "MiB"


if __name__ == "__main__":
    for task, value, limit, unit in measurements():
        sys.stdout.write(f"{task}: {value:.4g} {unit}, limit {limit:.4g} {unit}\n")
