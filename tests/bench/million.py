"""A benchmark of a million segments on one and two processes, with the memory of each.

Each process generates its texts, counts them segment by segment and adds the statistics; the sums
of all parts are added at the end. Run `.venv/bin/python -m tests.bench.million`; `--segments` sets
another number.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from functools import reduce
from multiprocessing import get_context
from operator import add
from random import Random

import bleu

WORDS = [f"{first}{last}" for first in "bdfgklmnprst" for last in ("a", "en", "ir", "ost", "ul")]
PARTS = 20


def iter_texts(part: int, segments: int) -> Iterator[tuple[str, str]]:
    """Yield hypotheses of some 20 words with a reference each, always the same for a part."""
    rng = Random(part)
    for _ in range(segments):
        hypothesis = rng.choices(WORDS, k=rng.randrange(15, 26))
        reference = hypothesis.copy()
        for _ in range(4):
            reference[rng.randrange(len(reference))] = rng.choice(WORDS)
        yield " ".join(hypothesis), " ".join(reference)


def count_part(task: tuple[int, int]) -> tuple[bleu.Statistics, int]:
    """Return the sum of a part's statistics, and the peak memory of this process in KiB."""
    statistics = (
        bleu.segment_statistics(hypothesis, [reference])
        for hypothesis, reference in iter_texts(*task)
    )
    total = bleu.Statistics.sum(statistics, max_order=4)
    return total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(processes: int, segments: int) -> tuple[bleu.Score, float, float]:
    """Return the score, the time in seconds, and the largest memory of a process in MiB."""
    tasks = [(part, segments // PARTS) for part in range(PARTS)]
    with get_context("spawn").Pool(processes) as pool:
        pool.map(count_part, [(0, 10)] * processes, 1)  # imports are not measured
        start = time.perf_counter()
        results = list(pool.imap_unordered(count_part, tasks))
        total = reduce(add, (statistics for statistics, _ in results))
        seconds = time.perf_counter() - start
    return bleu.score_statistics(total), seconds, max(peak for _, peak in results) / 1024


def main() -> None:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=1_000_000)
    size = parser.parse_args().segments
    print(
        "| segments | processes | time | peak memory of a process | score |\n|--:|--:|--:|--:|--:|"
    )
    for processes, segments in ((1, size // 100), (1, size), (2, size)):
        score, seconds, memory = measure(processes, segments)
        print(
            f"| {segments:,} | {processes} | {seconds:.1f} s | {memory:.1f} MiB | {score.value!r} |"
        )


if __name__ == "__main__":
    main()
