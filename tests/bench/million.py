"""A million segments on two processes against one, and the memory that each takes.

The texts are made anew in each part, so that what is measured is counting and adding: every part
is counted segment by segment and added up, and one `reduce` adds the sums of the parts. Run by
`.venv/bin/python -m tests.bench.million`; `--segments` is for fewer.
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


def texts(part: int, segments: int) -> Iterator[tuple[str, str]]:
    """Hypotheses with a reference each, some 20 words long, the same for the same part."""
    random = Random(part)
    for _ in range(segments):
        words = random.choices(WORDS, k=random.randrange(15, 26))
        other = words.copy()
        for _ in range(4):
            other[random.randrange(len(other))] = random.choice(WORDS)
        yield " ".join(words), " ".join(other)


def counted(task: tuple[int, int]) -> tuple[bleu.Statistics, int]:
    """The sum of a part's statistics, and the peak memory of this process in KiB."""
    counts = (bleu.segment_statistics(text, [other]) for text, other in texts(*task))
    whole = bleu.Statistics.sum(counts, max_order=4)
    return whole, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measured(processes: int, segments: int) -> tuple[bleu.Score, float, float]:
    """The score, the time in seconds, and the largest memory of a process in MiB."""
    tasks = [(part, segments // PARTS) for part in range(PARTS)]
    with get_context("spawn").Pool(processes) as pool:
        pool.map(counted, [(0, 10)] * processes, 1)  # imports are no part of it
        start = time.perf_counter()
        found = list(pool.imap_unordered(counted, tasks))
        whole = reduce(add, (own for own, _ in found))
        taken = time.perf_counter() - start
    return bleu.score_statistics(whole), taken, max(peak for _, peak in found) / 1024


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=1_000_000)
    size = parser.parse_args().segments
    print(
        "| segments | processes | time | peak memory of a process | score |\n|--:|--:|--:|--:|--:|"
    )
    for processes, segments in ((1, size // 100), (1, size), (2, size)):
        score, taken, memory = measured(processes, segments)
        print(
            f"| {segments:,} | {processes} | {taken:.1f} s | {memory:.1f} MiB | {score.value!r} |"
        )


if __name__ == "__main__":
    main()
