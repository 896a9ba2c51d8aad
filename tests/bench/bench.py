"""Benchmarks: `make bench`, or `python -m tests.bench.bench [--json] [--data FOLDER]`.

Within one run, this library and its peers take turns, and the best round of each counts. The
caches of the tokenizers are cleared before each round, because a corpus is scored once. All must
compute the same score. Without `--data` the texts are generated. A FOLDER has one segment per line
in `NAME.ref.LANGUAGE.txt`, and in `NAME.SYSTEM.txt` for every system (`NAME.src.…` is ignored);
the segments are repeated as often as needed.
"""

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import sysconfig
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path

import sacrebleu
from nltk.translate import bleu_score as nltk
from sacrebleu.significance import _bootstrap_resample
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

import bleu
from bleu.core import tokenizers
from bleu.core.conventions import convention_settings
from tests.bench.page import page_rows
from tests.bench.sentencepiece_rows import measurements

FEW, MANY, RESAMPLES = 3_000, 100_000, 1_000
COMMAND = [sys.executable, "-m", "tests.bench.bench"]
Texts = tuple[list[str], list[str]]
"""Hypotheses, and one reference for each."""


@dataclass(frozen=True, slots=True)
class Row:
    """A measurement of this library and of a baseline, in the same unit."""

    task: str
    baseline: str
    value: float
    baseline_value: float
    unit: str
    ratio: float
    target: str = ""

    def __str__(self) -> str:
        """Return the row as a line of the table."""
        value = f"{self.value:.4g} {self.unit}"
        baseline_value = f"{self.baseline_value:.4g} {self.unit}"
        met = self.target and f"{self.target:>9}   {'met' if self.met else 'MISSED'}"
        values = f"{value:>12}{baseline_value:>12}"
        return f"{self.task:72}{self.baseline:24}{values}{self.ratio:9.2f}x{met}"

    @property
    def met(self) -> bool | None:
        """Whether the target is met, or None without a target."""
        if not self.target:
            return None
        bound = float(self.target[2:-1])
        return self.ratio >= bound if self.target[0] == "≥" else self.ratio <= bound


# Texts


def generate_texts(count: int) -> Texts:
    """Return segments of about 25 words that resemble a good translation and its reference.

    Words follow Zipf's law; about a quarter of the words of a reference is replaced.
    """
    rng = random.Random(1)
    words = [f"word{rank}" for rank in range(1, 5_000)]
    weights = [1 / rank for rank in range(1, 5_000)]
    references = [rng.choices(words, weights, k=rng.randint(10, 40)) for _ in range(count)]
    hypotheses = [
        [rng.choices(words, weights)[0] if rng.random() < 0.25 else word for word in reference]
        for reference in references
    ]
    return [" ".join(h) for h in hypotheses], [" ".join(r) for r in references]


def read_texts(folder: Path) -> Texts:
    """Return the segments of all systems in a folder, and their references."""
    (reference_file,) = folder.glob("*.ref.*.txt")
    name = reference_file.name.split(".ref.")[0]
    references = reference_file.read_text("utf-8").splitlines()
    systems = [
        path.read_text("utf-8").splitlines()
        for path in sorted(folder.glob(f"{name}.*.txt"))
        if not path.name.startswith((f"{name}.ref.", f"{name}.src."))
    ]
    return [line for system in systems for line in system], references * len(systems)


def repeat(texts: Texts, count: int) -> Texts:
    """Return `count` segments, repeating the texts as often as needed.

    A repeated segment ends with the number of its round, since a corpus has few equal lines, and
    sacreBLEU keeps the tokens of each line.
    """
    size = len(texts[0])
    ends = [f" {n // size}" if n >= size else "" for n in range(count)]
    hypotheses, references = (map(str.__add__, cycle(side), ends) for side in texts)
    return list(hypotheses), list(references)


# Measuring


def measure_seconds(batches: Sequence[Sequence[Callable[[], float]]], rounds: int) -> list[float]:
    """Return the sum of the best times of each action over all batches, in seconds.

    A batch has one part of the work for each action. The actions take turns within every batch, in
    reverse order in every other round, so that a slow phase of the machine affects all alike.

    Raises ValueError if the actions return different scores.
    """
    gc.collect()
    gc.freeze()  # the collector must not visit the prepared texts
    best = [[float("inf")] * len(actions) for actions in batches]
    for round_index in range(rounds):
        for actions, times in zip(batches, best, strict=True):
            scores = []
            for index, action in list(enumerate(actions))[:: -1 if round_index % 2 else 1]:
                clear_tokenizer_caches()
                start = time.perf_counter()
                scores.append(action())
                times[index] = min(times[index], time.perf_counter() - start)
            if max(scores) - min(scores) > 1e-3:  # NLTK's corpus counts 0 of 1 in a short segment
                raise ValueError(f"the scores differ: {scores}")
    gc.unfreeze()
    return [sum(column) for column in zip(*best, strict=True)]


def clear_tokenizer_caches() -> None:
    """Clear the tokenizer caches of sacreBLEU and of this library."""
    Tokenizer13a.__call__.cache_clear()
    TokenizerRegexp.__call__.cache_clear()
    TokenizerV14International.__call__.cache_clear()
    TokenizerChar.__call__.cache_clear()
    for cache in (tokenizers._WORD_TOKENS, *chain(*tokenizers.INTERNATIONAL_WORDS)):
        cache.clear()


def mean(scores: Sequence[float]) -> float:
    """Return the mean, so that many scores can be compared by one number."""
    return sum(scores) / len(scores)


# The rows


def corpus_rows(texts: Texts) -> Iterator[Row]:
    """Measure the score of a corpus, compared with sacreBLEU and NLTK."""
    for count, rounds in ((FEW, 12), (MANY, 2)):
        yield from _corpus_rows(repeat(texts, count), rounds)


def small_corpus_rows(texts: Texts) -> Iterator[Row]:
    """Measure the score of the smaller corpus alone."""
    yield from _corpus_rows(repeat(texts, FEW), 12)


def pyodide_rows(texts: Texts) -> Iterator[Row]:
    """Measure the smaller corpus and the sentences inside Pyodide under Node.js."""
    command = [
        *("node", "tests/pyodide/run.mjs", "node_modules/pyodide", "."),
        *(sysconfig.get_path("purelib"), "tests.pyodide.bench"),
    ]
    process = subprocess.run(
        command, input=json.dumps(texts), stdout=subprocess.PIPE, text=True, check=True
    )
    yield from (Row(**row) for row in json.loads(process.stdout.splitlines()[-1]))


def _corpus_rows(texts: Texts, rounds: int) -> Iterator[Row]:
    yield from _corpus(texts, rounds, "none", "≥ 3x", with_nltk=True)
    yield from _corpus(texts, rounds, "13a", "≥ 2.5x")
    yield from _corpus(texts, rounds, "intl", "≥ 4x")
    yield from _corpus(texts, rounds, "char", "≥ 1.5x")
    for lines, tokens in ((12, 300), (40, 1_000)):
        joined = join_lines(texts[0], lines), join_lines(texts[1], lines)
        yield from _corpus(joined, rounds, "none", "≥ 2x", size=f" of {tokens:,} tokens")


def join_lines(texts: Sequence[str], count: int) -> list[str]:
    """Return segments of `count` texts each."""
    return [" ".join(texts[start : start + count]) for start in range(0, len(texts), count)]


def _corpus(
    texts: Texts,
    rounds: int,
    tokenizer: str,
    target: str,
    *,
    with_nltk: bool = False,
    size: str = "",
) -> Iterator[Row]:
    hypotheses, references = texts
    reference_lists = [[reference] for reference in references]
    peer = sacrebleu.BLEU(tokenize=tokenizer, force=True, smooth_method="none")
    actions = [
        lambda: bleu.corpus_bleu(hypotheses, reference_lists, tokenizer=tokenizer).value,
        lambda: peer.corpus_score(hypotheses, [references]).score / 100,
    ]
    if with_nltk:
        split = [[r.split()] for r in references], [h.split() for h in hypotheses]
        actions.append(lambda: nltk.corpus_bleu(*split))
    bleu_time, sacrebleu_time, *nltk_times = measure_seconds([actions], rounds)
    task = f"corpus of {len(hypotheses):,} segments{size}, tokenizer {tokenizer}"
    yield Row(task, "sacreBLEU", bleu_time, sacrebleu_time, "s", sacrebleu_time / bleu_time, target)
    for nltk_time in nltk_times:
        ratio = nltk_time / bleu_time
        yield Row(task, "NLTK, split before", bleu_time, nltk_time, "s", ratio, "≥ 5x")


def sentence_rows(texts: Texts) -> Iterator[Row]:
    """Measure scores of single sentences, computed as the other library computes them.

    sacreBLEU's metric object is created once; in that comparison, `Settings` is, too.
    """
    pairs = [(h, [r]) for h, r in zip(*repeat(texts, FEW), strict=True)]
    split = [([r[0].split()], h.split()) for h, r in pairs]
    choices = {"convention": "sacrebleu-sentence", "tokenizer": "none"}
    settings = convention_settings("sacrebleu-sentence", tokenizer="none")
    peer = sacrebleu.BLEU(tokenize="none", effective_order=True)
    task = f"{FEW:,} sentences one by one"
    bleu_time, function_time, prepared_time, metric_time = measure_sentences(
        (lambda h, r: bleu.sentence_bleu(h, r, **choices).value, pairs),
        (lambda h, r: sacrebleu.sentence_bleu(h, r, tokenize="none").score / 100, pairs),
        (lambda h, r: bleu.sentence_bleu(h, r, settings).value, pairs),
        (lambda h, r: peer.sentence_score(h, r).score / 100, pairs),
    )
    for name, seconds, baseline_seconds in (
        ("sentence_bleu", bleu_time, function_time),
        ("one metric for all", prepared_time, metric_time),
    ):
        ratio = baseline_seconds / seconds
        yield Row(task, f"sacreBLEU, {name}", seconds, baseline_seconds, "s", ratio, "≥ 2.2x")
    bleu_time, nltk_time = measure_sentences(
        (lambda h, r: bleu.sentence_bleu(h, r).value, pairs), (nltk.sentence_bleu, split)
    )
    ratio = nltk_time / bleu_time
    yield Row(task, "NLTK, split before", bleu_time, nltk_time, "s", ratio, "≥ 4.5x")


def bleuscore_rows(texts: Texts) -> Iterator[Row]:
    """Measure a corpus and single sentences, compared with bleuscore, which is written in Rust."""
    os.environ["RAYON_NUM_THREADS"] = "1"  # bleuscore uses every core otherwise
    import bleuscore  # Pyodide, which imports this module, too, does not have it.

    def rust_score(hypotheses: list[str], references: list[list[str]]) -> float:
        return bleuscore.compute(references, hypotheses)["bleu"]

    def scores(count: int) -> list[Callable[[], float]]:
        hypotheses, references = repeat(texts, count)
        lists = [[reference] for reference in references]
        return [
            lambda: bleu.corpus_bleu(hypotheses, lists, tokenizer="13a").value,
            lambda: rust_score(hypotheses, lists),
        ]

    for count, rounds in ((FEW, 12), (MANY, 2)):
        times = measure_seconds([scores(count)], rounds)
        yield _bleuscore_row(f"corpus of {count:,} segments, tokenizer 13a", times, "≥ 0.7x")
    pairs = [(h, [r]) for h, r in zip(*repeat(texts, FEW), strict=True)]
    times = measure_sentences(
        (lambda h, r: bleu.sentence_bleu(h, r, tokenizer="13a").value, pairs),
        (lambda h, r: rust_score([h], [r]), pairs),
    )
    yield _bleuscore_row(f"{FEW:,} sentences one by one, tokenizer 13a", times, "≥ 0.5x")


def _bleuscore_row(task: str, times: Sequence[float], target: str) -> Row:
    bleu_time, rust_time = times
    return Row(task, "bleuscore, one thread", *times, "s", rust_time / bleu_time, target)


def measure_sentences(*tasks: tuple[Callable[..., float], Sequence[tuple]]) -> list[float]:
    """Return the time of each scoring function for all its sentences, in seconds.

    The functions take turns after 500 sentences, which take long enough that the warm-up of the
    processor's caches does not matter.
    """
    batches = [
        [partial(mean_score, score, sentences[start : start + 500]) for score, sentences in tasks]
        for start in range(0, FEW, 500)
    ]
    return measure_seconds(batches, 12)


def mean_score(score: Callable[..., float], sentences: Sequence[tuple]) -> float:
    """Return the mean score of sentences."""
    return mean([score(*sentence) for sentence in sentences])


def bootstrap_rows(texts: Texts) -> Iterator[Row]:
    """Measure the bootstrap interval of a corpus, compared with sacreBLEU, which uses NumPy."""
    hypotheses, references = repeat(texts, FEW)
    choices = {"tokenizer": "whitespace"}
    settings = bleu.Settings(**choices)
    pairs = zip(hypotheses, references, strict=True)
    segments = [bleu.segment_statistics(text, [reference], **choices) for text, reference in pairs]
    peer = sacrebleu.BLEU(tokenize="none", force=True, smooth_method="none")
    statistics = peer._extract_corpus_statistics(hypotheses, [references])

    def bleu_counted() -> float:
        return bleu.confidence_interval(segments, settings).mean

    def sacrebleu_counted() -> float:
        _, scores = _bootstrap_resample(statistics, peer, RESAMPLES)
        return mean([score.score for score in scores]) / 100

    def bleu_from_texts() -> float:
        pairs = zip(hypotheses, references, strict=True)
        statistics = [bleu.segment_statistics(text, [ref], **choices) for text, ref in pairs]
        return bleu.confidence_interval(statistics, settings).mean

    def sacrebleu_from_texts() -> float:
        return peer.corpus_score(hypotheses, [references], n_bootstrap=RESAMPLES)._mean / 100

    task = f"{RESAMPLES:,} bootstrap resamples of {FEW:,} segments"
    for name, actions in (
        (f"{task}, counted before", (bleu_counted, sacrebleu_counted)),
        (f"{task}, from the texts", (bleu_from_texts, sacrebleu_from_texts)),
    ):
        bleu_time, numpy_time = measure_seconds([actions], 5)
        ratio = bleu_time / numpy_time
        yield Row(name, "sacreBLEU with NumPy", bleu_time, numpy_time, "s", ratio, "≤ 4x")


def memory_rows(texts: Texts) -> Iterator[Row]:
    """Measure the peak memory of scoring a large corpus, each library in a separate process."""
    hypotheses, references = repeat(texts, MANY)
    lines = "\n".join([*hypotheses, *references])

    def peak_mib(library: str) -> float:
        command = [*COMMAND, "--peak", library]
        process = subprocess.run(
            command, input=lines, stdout=subprocess.PIPE, text=True, check=True
        )
        return int(process.stdout) / 2**20

    with ThreadPoolExecutor() as executor:
        bleu_peak, sacrebleu_peak = executor.map(peak_mib, ("bleu", "sacrebleu"))
    task = f"peak memory of {MANY:,} segments, beyond the texts"
    ratio = bleu_peak / sacrebleu_peak
    yield Row(task, "sacreBLEU", bleu_peak, sacrebleu_peak, "MiB", ratio, "≤ 0.25x")


def peak_bytes(library: str) -> int:
    """Return the peak of the memory allocated while the corpus on standard input is scored."""
    lines = [line.rstrip("\n") for line in sys.stdin]
    hypotheses, references = lines[:MANY], lines[MANY:]
    reference_lists = [[reference] for reference in references]
    peer = sacrebleu.BLEU(tokenize="none", force=True)
    tracemalloc.start()
    if library == "bleu":
        bleu.corpus_bleu(hypotheses, reference_lists)
    else:
        peer.corpus_score(hypotheses, [references])
    return tracemalloc.get_traced_memory()[1]


def growth_rows(texts: Texts) -> Iterator[Row]:
    """Measure the cost per token and per segment as the input grows, relative to the row before."""
    hypothesis_words, reference_words = (
        list(islice(cycle([word for line in lines for word in line.split()]), 100_000))
        for lines in texts
    )
    yield from _growth(
        "a segment of {:,} tokens",
        (10, 100, 1_000, 10_000, 100_000),
        lambda size: (
            lambda: bleu.sentence_bleu(hypothesis_words[:size], [reference_words[:size]]).value
        ),
    )
    hypotheses, references = repeat(texts, MANY)
    reference_lists = [[reference] for reference in references]
    yield from _growth(
        "a corpus of {:,} segments",
        (1, 10, 100, 1_000, 10_000, 100_000),
        lambda size: lambda: bleu.corpus_bleu(hypotheses[:size], reference_lists[:size]).value,
    )


def _growth(
    task: str, sizes: Sequence[int], make_action: Callable[[int], Callable[[], float]]
) -> Iterator[Row]:
    before = 0.0
    for size in sizes:
        (seconds,) = measure_seconds([[make_action(size)]], max(2, min(500, 20_000 // size)))
        microseconds = seconds / size * 1e6
        before = before or microseconds
        ratio = microseconds / before
        yield Row(task.format(size), "per unit, row before", microseconds, before, "µs", ratio)
        before = microseconds


def sentencepiece_rows(_texts: Texts) -> Iterator[Row]:
    """Measure SentencePiece models of two sizes."""
    for task, value, limit, unit in measurements():
        yield Row(task, f"{limit:g} {unit}", value, limit, unit, value / limit, "≤ 1x")


BENCHMARKS = (
    *(corpus_rows, sentence_rows, bleuscore_rows, pyodide_rows, bootstrap_rows, memory_rows),
    *(growth_rows, sentencepiece_rows, page_rows),
)
"""The benchmarks in order: each takes the texts and yields rows."""


def main() -> None:
    """Run the benchmarks and print a table or JSON."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description="Benchmarks, as ratios within one run.")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="real translations to score")
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        print(peak_bytes(options.peak))
        return
    texts = read_texts(options.data) if options.data else generate_texts(FEW)
    rows = (row for benchmark in BENCHMARKS for row in benchmark(texts))
    if options.json:
        print(json.dumps([asdict(row) | {"met": row.met} for row in rows], indent=1))
        return
    print(f"{'':72}{'baseline':24}{'bleu':>12}{'baseline':>12}{'ratio':>10}{'target':>9}")
    for row in rows:
        print(row, flush=True)


if __name__ == "__main__":
    main()
