"""Speed of two versions: `python -m tests.bench.two_trees OLD [--rounds 30]`, with OLD a checkout.

Three processes take turns within one run: OLD, this tree, and OLD once more, whose ratio to itself
is what the machine adds. The best round of each counts, in time of the processor, so other programs
disturb little. They start several times, because the places of objects in memory, which differ from
start to start, change the time of a score by up to a tenth. Rows are scores of 25-word and of short
sentences, by default and by every smoothing and some conventions; explanations; and exercises.
"""

import argparse
import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from math import ceil
from pathlib import Path

ROOT = Path(__file__).parents[2]
STARTS = 3
CONVENTIONS = (
    *("nltk-method1", "nltk-method4", "nltk-method5", "sacrebleu-sentence", "torchmetrics"),
    *("coco-caption", "mteval-v13a"),
)
Texts = list[tuple[str, list[str]]]


def texts(count: int, lengths: tuple[int, int], words: list[str], error: float) -> Texts:
    """Return random hypotheses, each with a reference from which it differs in some words."""
    rng = random.Random(1)
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    references = [rng.choices(words, weights, k=rng.randint(*lengths)) for _ in range(count)]
    return [
        (
            " ".join(rng.choice(words) if rng.random() < error else w for w in words_),
            [" ".join(words_)],
        )
        for words_ in references
    ]


def tasks() -> dict[str, tuple[int, Callable[[], object]]]:
    """Return what is measured by name: the number of results of a call, and the call."""
    from bleu import SMOOTHINGS, derive, explain, sentence_bleu
    from bleu.core.conventions import convention_settings
    from bleu.learn.generation import exercises

    warnings.simplefilter("ignore")
    long = texts(60, (10, 40), [f"word{rank}" for rank in range(5000)], 0.25)
    short = texts(100, (3, 9), list("abcdef"), 0.4)
    found: dict[str, tuple[int, Callable[[], object]]] = {}

    def add_scores(name: str, pairs: Texts, **choices: str) -> None:
        settings = convention_settings(**choices)
        scored = []
        for hypothesis, references in pairs:
            try:
                sentence_bleu(hypothesis, references, settings)
            except ValueError:  # Interpolation needs a 3-gram that matches.
                continue
            scored.append((hypothesis, references))
        found[name] = (len(scored), lambda: [sentence_bleu(*pair, settings) for pair in scored])

    def add_explanation(convention: str) -> None:
        derivation = derive(
            "the cat sat on mat and the cat is there .",
            ["the cat sat on the mat", "a cat is there"],
            convention=convention,
        )
        found[f"explain {convention}"] = (10, lambda: [explain(derivation) for _ in range(10)])

    found["25 words"] = (len(long), lambda: [sentence_bleu(*pair) for pair in long])
    add_scores("25 words, settings", long)
    for name in SMOOTHINGS:
        add_scores(f"short, {name}", short, smoothing=name)
    for name in CONVENTIONS:
        add_scores(f"short, {name}", short, convention=name)
    for name in ("default", "sacrebleu-sentence", "nltk-method4", "nltk-method5", "nltk-method7"):
        add_explanation(name)
    found["exercise"] = (4, lambda: exercises("aim", ("whole",), 4))
    return found


def work() -> None:
    """Measure the tasks whose names come by standard input, and print microseconds a result."""
    found = tasks()
    print("\t".join(found), flush=True)
    for line in sys.stdin:
        count, task = found[line.rstrip("\n")]
        start = time.process_time()
        task()
        print((time.process_time() - start) / count * 1e6, flush=True)


def start_worker(tree: Path) -> subprocess.Popen[str]:
    """Start a process that measures the code of a tree."""
    environment = os.environ | {"PYTHONPATH": str(tree)}
    command = [sys.executable, __file__, "--work"]
    return subprocess.Popen(
        command, cwd=tree, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def ask(worker: subprocess.Popen[str], line: str) -> float:
    """Return the time that a worker takes for a task."""
    assert worker.stdin
    assert worker.stdout
    worker.stdin.write(f"{line}\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


def main(old: Path, rounds: int, rows: str) -> None:
    """Print the best time of each task in both trees, and its ratios to the old tree."""
    best: dict[str, list[float]] = {}
    for _ in range(STARTS):
        workers = [start_worker(tree) for tree in (old, ROOT, old)]
        names = [
            worker.stdout.readline().rstrip("\n").split("\t") for worker in workers if worker.stdout
        ]
        for name in (name for name in names[1] if name in names[0] and rows in name):
            for _ in range(ceil(rounds / STARTS)):
                times = [ask(worker, name) for worker in workers]
                best[name] = list(map(min, times, best.get(name, times)))
        for worker in workers:
            worker.communicate()
    print(f"{'µs':32}{'old':>10}{'new':>10}{'new/old':>9}{'old/old':>9}")
    for name, (first, new, second) in best.items():
        print(f"{name:32}{first:10.2f}{new:10.2f}{new / first:9.3f}{second / first:9.3f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("old", type=Path)
        parser.add_argument("--rounds", type=int, default=30)
        parser.add_argument("--rows", default="", help="a part of the names of the rows to measure")
        main(**vars(parser.parse_args()))
