"""Benchmarks: `make bench`, or `python -m tests.bench.bench [--json] [--data FOLDER]`.

Every ratio is of one run on one machine: ours and theirs take turns, and the best round of each
counts. What tokenizers remember is forgotten before a round, as a corpus is scored once. Both
must come to the same score. Without `--data` the texts are generated; a FOLDER has one segment a
line in `NAME.ref.LANGUAGE.txt` and in `NAME.SYSTEM.txt` for every system (`NAME.src.…` is not
read), which are repeated as often as needed.
"""

import argparse
import gc
import json
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
from itertools import cycle, islice
from pathlib import Path

import sacrebleu
from nltk.translate import bleu_score as nltk
from sacrebleu.significance import _bootstrap_resample
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

import bleu
from bleu.core import tokenizers
from bleu.core.conventions import convention_settings
from tests.bench.page import page

FEW, MANY, RESAMPLES = 3_000, 100_000, 1_000
COMMAND = [sys.executable, "-m", "tests.bench.bench"]
Texts = tuple[list[str], list[str]]
"""Hypotheses, and a reference for each."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: ours and what it is held against, in the same unit."""

    what: str
    against: str
    ours: float
    theirs: float
    unit: str
    ratio: float
    target: str = ""

    def __str__(self) -> str:
        """The row as a line of the table."""
        ours, theirs = f"{self.ours:.4g} {self.unit}", f"{self.theirs:.4g} {self.unit}"
        met = self.target and f"{self.target:>9}   {'met' if self.met else 'MISSED'}"
        return f"{self.what:72}{self.against:24}{ours:>12}{theirs:>12}{self.ratio:9.2f}x{met}"

    @property
    def met(self) -> bool | None:
        """Whether the target is met, where there is one."""
        if not self.target:
            return None
        bound = float(self.target[2:-1])
        return self.ratio >= bound if self.target[0] == "≥" else self.ratio <= bound


# Texts


def generated(count: int) -> Texts:
    """Segments of about 25 words, alike as a good translation and its reference.

    Words are drawn by Zipf's law, and about a quarter of them is changed.
    """
    draw = random.Random(1)
    words = [f"word{rank}" for rank in range(1, 5_000)]
    weights = [1 / rank for rank in range(1, 5_000)]
    references = [draw.choices(words, weights, k=draw.randint(10, 40)) for _ in range(count)]
    hypotheses = [
        [draw.choices(words, weights)[0] if draw.random() < 0.25 else word for word in reference]
        for reference in references
    ]
    return [" ".join(h) for h in hypotheses], [" ".join(r) for r in references]


def real(folder: Path) -> Texts:
    """The segments of every system in a folder, and their references."""
    (source,) = folder.glob("*.ref.*.txt")
    name = source.name.split(".ref.")[0]
    references = source.read_text("utf-8").splitlines()
    systems = [
        path.read_text("utf-8").splitlines()
        for path in sorted(folder.glob(f"{name}.*.txt"))
        if not path.name.startswith((f"{name}.ref.", f"{name}.src."))
    ]
    return [line for system in systems for line in system], references * len(systems)


def repeated(texts: Texts, count: int) -> Texts:
    """So many segments, from the first again after the last."""
    return list(islice(cycle(texts[0]), count)), list(islice(cycle(texts[1]), count))


# Measuring


def seconds(batches: Sequence[Sequence[Callable[[], float]]], rounds: int) -> list[float]:
    """The least time of each action, added up over the batches that its work is divided into.

    The actions take turns at every batch, every other round in reverse, and each round goes through
    all batches: what slows the machine for a while slows all alike, and no batch in every round.

    Raises ValueError where they do not come to the same score.
    """
    gc.collect()
    gc.freeze()  # so that the texts prepared for one slow no other down
    best = [[float("inf")] * len(actions) for actions in batches]
    for turn in range(rounds):
        for actions, least in zip(batches, best, strict=True):
            scores = []
            for place, action in list(enumerate(actions))[:: -1 if turn % 2 else 1]:
                forget()
                start = time.perf_counter()
                scores.append(action())
                least[place] = min(least[place], time.perf_counter() - start)
            if max(scores) - min(scores) > 1e-3:  # NLTK's corpus counts 0 of 1 in a short segment
                raise ValueError(f"these are not the same scores: {scores}")
    gc.unfreeze()
    return [sum(column) for column in zip(*best, strict=True)]


def forget() -> None:
    """Empty what tokenizers remember, theirs and ours."""
    Tokenizer13a.__call__.cache_clear()
    TokenizerRegexp.__call__.cache_clear()
    tokenizers._WORD_TOKENS.clear()


def mean(scores: Sequence[float]) -> float:
    """The mean, to compare many scores by one number."""
    return sum(scores) / len(scores)


# The rows


def corpora(texts: Texts) -> Iterator[Row]:
    """The score of a corpus, against sacreBLEU and NLTK."""
    for count, rounds in ((FEW, 12), (MANY, 2)):
        yield from _corpora(repeated(texts, count), rounds)


def small_corpus(texts: Texts) -> Iterator[Row]:
    """The same for the smaller corpus alone."""
    yield from _corpora(repeated(texts, FEW), 12)


def in_pyodide(texts: Texts) -> Iterator[Row]:
    """The smaller corpus and the sentences, ours and theirs in one Pyodide under Node.js."""
    command = [
        *("node", "tests/pyodide/run.mjs", "node_modules/pyodide", "."),
        *(sysconfig.get_path("purelib"), "tests.pyodide.bench"),
    ]
    given = json.dumps(texts)
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True)
    yield from (Row(**row) for row in json.loads(done.stdout.splitlines()[-1]))


def _corpora(some: Texts, rounds: int) -> Iterator[Row]:
    yield from _corpus(some, rounds, "none", "≥ 3x", with_nltk=True)
    yield from _corpus(some, rounds, "13a", "≥ 2.5x")


def _corpus(
    texts: Texts, rounds: int, tokenizer: str, target: str, *, with_nltk: bool = False
) -> Iterator[Row]:
    hypotheses, references = texts
    lists = [[reference] for reference in references]
    peer = sacrebleu.BLEU(tokenize=tokenizer, force=True, smooth_method="none")
    actions = [
        lambda: bleu.corpus_bleu(hypotheses, lists, tokenizer=tokenizer).value,
        lambda: peer.corpus_score(hypotheses, [references]).score / 100,
    ]
    if with_nltk:
        split = [[r.split()] for r in references], [h.split() for h in hypotheses]
        actions.append(lambda: nltk.corpus_bleu(*split))
    mine, *others = seconds([actions], rounds)
    what = f"corpus of {len(hypotheses):,} segments, tokenizer {tokenizer}"
    yield Row(what, "sacreBLEU", mine, others[0], "s", others[0] / mine, target)
    for other in others[1:]:
        yield Row(what, "NLTK, split before", mine, other, "s", other / mine, "≥ 5x")


def sentences(texts: Texts) -> Iterator[Row]:
    """The scores of sentences one by one, each as the other library computes it.

    Against sacreBLEU's metric, which is made once, the settings are made once, too.
    """
    pairs = [(h, [r]) for h, r in zip(*repeated(texts, FEW), strict=True)]
    split = [([r[0].split()], h.split()) for h, r in pairs]
    theirs = {"convention": "sacrebleu-sentence", "tokenizer": "none"}
    settings = convention_settings("sacrebleu-sentence", tokenizer="none")
    peer = sacrebleu.BLEU(tokenize="none", effective_order=True)
    what = f"{FEW:,} sentences one by one"
    mine, function, prepared, metric = in_turns(
        (lambda h, r: bleu.sentence_bleu(h, r, **theirs).value, pairs),
        (lambda h, r: sacrebleu.sentence_bleu(h, r, tokenize="none").score / 100, pairs),
        (lambda h, r: bleu.sentence_bleu(h, r, settings).value, pairs),
        (lambda h, r: peer.sentence_score(h, r).score / 100, pairs),
    )
    compared = (("sentence_bleu", mine, function), ("one metric for all", prepared, metric))
    for against, mine, other in compared:
        yield Row(what, f"sacreBLEU, {against}", mine, other, "s", other / mine, "≥ 2.5x")
    mine, other = in_turns(
        (lambda h, r: bleu.sentence_bleu(h, r).value, pairs), (nltk.sentence_bleu, split)
    )
    yield Row(what, "NLTK, split before", mine, other, "s", other / mine, "≥ 4.5x")


def in_turns(*scores: tuple[Callable[..., float], Sequence[tuple]]) -> list[float]:
    """The time of each score of all its sentences, a few hundred at a time in turns.

    So many that a library whose turn has come works on them long after its code is in the caches.
    """
    batches = [
        [partial(mean_score, one, all_[at : at + 500]) for one, all_ in scores]
        for at in range(0, FEW, 500)
    ]
    return seconds(batches, 12)


def mean_score(score: Callable[..., float], sentences: Sequence[tuple]) -> float:
    """The mean of the scores of some sentences."""
    return mean([score(*sentence) for sentence in sentences])


def resamples(texts: Texts) -> Iterator[Row]:
    """The bootstrap interval of a corpus, in the standard library alone, against NumPy's."""
    hypotheses, references = repeated(texts, FEW)
    choices = {"tokenizer": "whitespace"}
    settings = bleu.Settings(**choices)
    pairs = zip(hypotheses, references, strict=True)
    segments = [bleu.segment_statistics(text, [own], **choices) for text, own in pairs]
    peer = sacrebleu.BLEU(tokenize="none", force=True, smooth_method="none")
    counted = peer._extract_corpus_statistics(hypotheses, [references])

    def ours() -> float:
        return bleu.confidence_interval(segments, settings).mean

    def theirs() -> float:
        _, scores = _bootstrap_resample(counted, peer, RESAMPLES)
        return mean([score.score for score in scores]) / 100

    def ours_from_texts() -> float:
        pairs = zip(hypotheses, references, strict=True)
        parts = [bleu.segment_statistics(text, [own], **choices) for text, own in pairs]
        return bleu.confidence_interval(parts, settings).mean

    def theirs_from_texts() -> float:
        return peer.corpus_score(hypotheses, [references], n_bootstrap=RESAMPLES)._mean / 100

    what, against = f"{RESAMPLES:,} bootstrap resamples of {FEW:,} segments", "sacreBLEU with NumPy"
    for name, actions in (
        (f"{what}, counted before", (ours, theirs)),
        (f"{what}, from the texts", (ours_from_texts, theirs_from_texts)),
    ):
        mine, other = seconds([actions], 5)
        yield Row(name, against, mine, other, "s", mine / other, "≤ 3x")


def memory(texts: Texts) -> Iterator[Row]:
    """What the score of a large corpus needs beyond its texts, each in a process of its own."""
    hypotheses, references = repeated(texts, MANY)
    given = "\n".join([*hypotheses, *references])

    def grown(who: str) -> float:
        done = subprocess.run(
            [*COMMAND, "--peak", who], input=given, stdout=subprocess.PIPE, text=True, check=True
        )
        return int(done.stdout) / 2**20

    with ThreadPoolExecutor() as both:
        mine, other = both.map(grown, ("bleu", "sacrebleu"))
    what = f"peak memory of {MANY:,} segments, beyond the texts"
    yield Row(what, "sacreBLEU", mine, other, "MiB", mine / other, "≤ 0.25x")


def peak(who: str) -> int:
    """By how many bytes Python's peak grows while the corpus on the standard input is scored."""
    lines = [line.rstrip("\n") for line in sys.stdin]
    hypotheses, references = lines[:MANY], lines[MANY:]
    lists = [[reference] for reference in references]
    peer = sacrebleu.BLEU(tokenize="none", force=True)
    tracemalloc.start()
    if who == "bleu":
        bleu.corpus_bleu(hypotheses, lists)
    else:
        peer.corpus_score(hypotheses, [references])
    return tracemalloc.get_traced_memory()[1]


def curves(texts: Texts) -> Iterator[Row]:
    """The cost of a token and of a segment as the work grows, against that of the row before."""
    words = [words for text in zip(*texts, strict=True) for words in map(str.split, text)]
    hypothesis = list(islice(cycle([w for own in words[::2] for w in own]), 100_000))
    reference = list(islice(cycle([w for own in words[1::2] for w in own]), 100_000))
    yield from _curve(
        "a segment of {:,} tokens",
        (10, 100, 1_000, 10_000, 100_000),
        lambda size: lambda: bleu.sentence_bleu(hypothesis[:size], [reference[:size]]).value,
    )
    hypotheses, references = repeated(texts, MANY)
    lists = [[reference] for reference in references]
    yield from _curve(
        "a corpus of {:,} segments",
        (1, 10, 100, 1_000, 10_000, 100_000),
        lambda size: lambda: bleu.corpus_bleu(hypotheses[:size], lists[:size]).value,
    )


def _curve(
    what: str, sizes: Sequence[int], action: Callable[[int], Callable[[], float]]
) -> Iterator[Row]:
    before = 0.0
    for size in sizes:
        (time_,) = seconds([[action(size)]], max(2, min(500, 20_000 // size)))
        each = time_ / size * 1e6
        before = before or each
        yield Row(what.format(size), "per unit, row before", each, before, "µs", each / before)
        before = each


PARTS = (corpora, sentences, in_pyodide, resamples, memory, curves, page)
"""What is measured, in order: each part takes the texts and gives rows."""


def main() -> None:
    """Measure, and print a table or JSON."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description="Benchmarks, as ratios within one run.")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="real translations to score")
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.peak:
        print(peak(chosen.peak))
        return
    texts = real(chosen.data) if chosen.data else generated(FEW)
    rows = (row for part in PARTS for row in part(texts))
    if chosen.json:
        print(json.dumps([asdict(row) | {"met": row.met} for row in rows], indent=1))
        return
    print(f"{'':72}{'against':24}{'ours':>12}{'theirs':>12}{'ratio':>10}{'target':>9}")
    for row in rows:
        print(row, flush=True)


if __name__ == "__main__":
    main()
