"""The quality of the check-up: `python -m tests.bench.checkup [--data FOLDER] [--every N]`.

Clean texts are corrupted in every way at 5, 20 and 100 % of the lines; the table counts how many
corruptions that cost 0.5 BLEU or more are found, and named first. Then come false alarms on clean
texts, the exactness of the line at which texts drift apart, corruptions outside every list that are
judged by their cost, translations of programs made twice, and the time against scoring. Without
`--data` the texts are generated; a FOLDER is one of `python -m tests.bench.bench`.
"""

import argparse
import random
import re
import resource
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, pairwise, permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

import bleu
from bleu.checkup.checkup import STYLE_NOTE, iter_check
from bleu.core.progress import run_to_end
from tests.bench.checkup_texts import (
    SYLLABLES,
    UNSPACED,
    TextSet,
    generate_sets,
    make_vocabulary,
    read_sets,
    translate,
)
from tests.bench.clean_sets import TRUE_FAULTS, twice_translated, varieties
from tests.bench.corruptions import CORPUS_FAULTS, LINE_FAULTS, corrupt_lines
from tests.bench.unlisted import judge_costs

T = TypeVar("T")
SHARES: Final = (0.05, 0.2, 1.0)
MIN_COST: Final = 0.005
"""The cost in [0, 1] from which a corruption must be found."""
HYPOTHESES_ONLY: Final = {"chatter", "truncated", "repetition"}
GAINING: Final = {"markup", "json", "table", "identical"}
"""Faults that may raise the score, which is no better than a cost."""
TRUE_MARKS: Final = {
    "punctuation": "“”‘’«»–—…",
    "invisible": "\u200b\u200e",
    "normalization": "\u0301",
}
"""Characters that some real outputs do have, by the fault that they are."""


@dataclass(frozen=True, slots=True)
class Corruption:
    """A corrupted text: what was done to it, and what it costs (infinite without a score)."""

    fault: str
    variant: str
    side: str
    share: float
    texts: TextSet
    cost: float

    def __str__(self) -> str:
        """Return a description for the list of misses."""
        where = f"{self.texts.name}, {self.share:.0%} of the {self.side}"
        return f"{self.fault} ({self.variant}) in {where}, {100 * self.cost:.2f} BLEU"


@dataclass(slots=True)
class Count:
    """How many corruptions cost enough, were found, and were named first; and the others."""

    total: int = 0
    found: int = 0
    first: int = 0
    misses: list[str] = field(default_factory=list)


def score(texts: TextSet) -> float:
    """Return the corpus score in [0, 1]."""
    references = [[line] for line in texts.references]
    return bleu.corpus_bleu(texts.hypotheses, references, tokenizer=texts.tokenizer).value


def check(texts: TextSet) -> tuple[bleu.Finding, ...]:
    """Return the findings of the check-up."""
    references = [[line] for line in texts.references]
    return bleu.check_corpus(
        texts.hypotheses, references, sources=texts.sources, tokenizer=texts.tokenizer
    )


# Detection


def corruptions(clean: TextSet, rng: random.Random) -> Iterator[Corruption]:
    """Yield all corruptions of a set."""
    clean_score = score(clean)

    def corruption(fault, variant, side, share, hypotheses, references):
        texts = TextSet(clean.name, hypotheses, references, clean.sources, clean.tokenizer)
        cost = float("inf")
        if len(hypotheses) == len(references):
            cost = clean_score - score(texts)
            if fault in GAINING:
                cost = abs(cost)
        return Corruption(fault, variant, side, share, texts, cost)

    for share in SHARES:
        for fault, variants in LINE_FAULTS.items():
            for variant, corrupt in variants.items():
                output = corrupt_lines(rng, clean.hypotheses, corrupt, share)
                yield corruption(fault, variant, "hypotheses", share, output, clean.references)
                if fault not in HYPOTHESES_ONLY:
                    output = corrupt_lines(rng, clean.references, corrupt, share)
                    yield corruption(fault, variant, "references", share, clean.hypotheses, output)
        for fault, variants in CORPUS_FAULTS.items():
            for variant, corrupt_corpus in variants.items():
                sides = clean.hypotheses, clean.references, clean.sources
                if pair := corrupt_corpus(rng, *sides, share):
                    yield corruption(fault, variant, "corpus", share, *pair)
    if clean.name in UNSPACED:
        texts = TextSet(clean.name, clean.hypotheses, clean.references, None, "13a")
        yield Corruption("script", "13a", "corpus", 1, texts, clean_score - score(texts))


def count_detections(sets: Sequence[TextSet], seed: int = 1, every: int = 1) -> dict[str, Count]:
    """Return by fault how many corruptions were found; only each n-th is tried."""
    counts: dict[str, Count] = {}
    for clean in sets:
        steps = corruptions(clean, random.Random(f"{seed} {clean.name}"))
        for corruption in islice(steps, 0, None, every):
            count = counts.setdefault(corruption.fault, Count())
            if corruption.cost >= MIN_COST:
                names = [finding.name for finding in check(corruption.texts)]
                count.total += 1
                count.found += corruption.fault in names
                count.first += corruption.fault in names[:1]
                if corruption.fault not in names[:1]:
                    count.misses.append(f"{corruption}: {', '.join(names[:3]) or 'nothing'}")
    return counts


def in_processes(function: Callable[..., T], sets: Sequence[TextSet], **options: object) -> list[T]:
    """Return the result of a function for each set alone, computed in a process for each core."""
    with ProcessPoolExecutor() as pool:
        return list(pool.map(partial(function, **options), [[texts] for texts in sets]))


def merge_counts(results: Sequence[dict[str, Count]]) -> dict[str, Count]:
    """Return by fault the sums of the counts of several sets."""
    merged: dict[str, Count] = {}
    for fault, count in chain.from_iterable(result.items() for result in results):
        total = merged.setdefault(fault, Count())
        total.total += count.total
        total.found += count.found
        total.first += count.first
        total.misses += count.misses
    return merged


# False alarms


def false_alarms(
    sets: Sequence[TextSet], count: int = 200, seed: int = 1
) -> tuple[Counter[str], Counter[str]]:
    """Return the findings in clean sets of 100 lines, drawn with replacement: false and true.

    A finding is true if the texts have characters that are this fault, or if it says itself that it
    may be a matter of style.
    """
    rng = random.Random(seed)
    alarms: Counter[str] = Counter()
    truths: Counter[str] = Counter()
    for index in range(count):
        texts = sets[index % len(sets)].draw(rng, 100)
        for finding in check(texts):
            costs = ", 0.5 or more" if (finding.cost or 0) >= MIN_COST else ""
            (truths if _is_true(finding, texts) else alarms)[
                f"{texts.name}: {finding.name}{costs}"
            ] += 1
    return alarms, truths


def _is_true(finding: bleu.Finding, texts: TextSet) -> bool:
    """Return whether texts have the fault, or characters that are it, or it is but style."""
    if STYLE_NOTE in finding.remark or (texts.name, finding.name) in TRUE_FAULTS:
        return True
    characters = set("".join((*texts.hypotheses, *texts.references)))
    return not characters.isdisjoint(TRUE_MARKS.get(finding.name, ""))


def against_each_other(sets: Sequence[TextSet]) -> list[TextSet]:
    """Return each set with the output of each other one as its references."""
    pairs = permutations(sets, 2)
    return [TextSet(f"{a.name} against {b.name}", a.hypotheses, b.hypotheses) for a, b in pairs]


def costly_findings(sets: Sequence[TextSet]) -> list[str]:
    """Return the sets with a fault of 0.5 points or more that is no matter of style."""
    faults = []
    for texts in sets:
        costly = [each for each in check(texts) if abs(each.cost or 0) >= MIN_COST]
        if names := [each.name for each in costly if not _is_true(each, texts)]:
            faults.append(f"{texts.name}: {', '.join(names)}")
    return faults


# Exactness


def count_exact(sets: Sequence[TextSet], count: int = 1000, seed: int = 1) -> tuple[int, list[str]]:
    """Return in how many trials the right line was named, and the other trials.

    A trial takes 100 references, changes 0 to 5 words of each, and loses a line or adds one, with
    or without the opposite at the end. Lines equal to their neighbours count as the same place.
    """
    rng = random.Random(seed)
    exact, misses = 0, []
    for trial in range(count):
        clean = sets[trial % len(sets)]
        lines = clean.references[(start := rng.randrange(len(clean.references) - 99)) :][:100]
        changes = trial // len(sets) % 6
        space = "" if clean.name in UNSPACED else " "
        hypotheses = [_change_words(rng, line, changes, lines, space) for line in lines]
        is_lost, is_balanced = rng.random() < 0.5, rng.random() < 0.5
        index = rng.randrange(100 - 5 * is_balanced)
        stranger = rng.choice(clean.hypotheses[:start] + clean.hypotheses[start + 100 :])
        if is_lost:
            output = hypotheses[:index] + hypotheses[index + 1 :] + [stranger] * is_balanced
        else:
            output = [*hypotheses[:index], stranger, *hypotheses[index : 100 - is_balanced]]
        fault = "misaligned" if is_balanced else "length-mismatch"
        findings = check(TextSet("", output, lines, None, clean.tokenizer))
        finding = next((each for each in findings if each.name == fault), None)
        named = re.search(r"line ([\d,]+)", finding.message) if finding else None
        line = int(named[1].replace(",", "")) if named else 0
        if line in _same_place(lines, index + 1):
            exact += 1
        else:
            what = f"{fault}, {'a lost' if is_lost else 'an extra'} line, {changes} words changed"
            misses.append(f"{clean.name}: {what}: {line} instead of {index + 1}")
    return exact, misses


def _change_words(
    rng: random.Random, line: str, count: int, lines: Sequence[str], space: str
) -> str:
    """Return a line with up to `count` words from other lines, but not more than half changed.

    `space` separates words; characters are changed if it is empty.
    """
    words = line.split() if space else list(line)
    for index in rng.sample(range(len(words)), min(count, len(words) // 2)):
        other = rng.choice(lines)
        words[index] = rng.choice(other.split() if space else other)
    return space.join(words)


def _same_place(lines: Sequence[str], line: int) -> range:
    """Return the numbers of the equal lines around a line."""
    first = last = line
    while first > 1 and lines[first - 2] == lines[line - 1]:
        first -= 1
    while last < len(lines) and lines[last] == lines[line - 1]:
        last += 1
    return range(first, last + 1)


# Time


def measure_time(clean: TextSet, count: int) -> tuple[float, float]:
    """Return the microseconds per line of scoring, and of the check-up of a scored corpus."""
    repeats = count // len(clean.hypotheses) + 1
    hypotheses = (clean.hypotheses * repeats)[:count]
    references = [[line] for line in (clean.references * repeats)[:count]]
    settings = bleu.Settings(tokenizer=clean.tokenizer)
    rows = zip(hypotheses, references, strict=True)
    statistics = [bleu.segment_statistics(*row, settings) for row in rows]
    best = [float("inf")] * 2
    for _ in range(5):
        for index, action in enumerate(
            (
                lambda: bleu.corpus_bleu(hypotheses, references, settings),
                lambda: run_to_end(
                    iter_check(hypotheses, references, settings, statistics=statistics)
                ),
            )
        ):
            bleu.core.tokenizers._WORD_TOKENS.clear()
            start = time.process_time()
            action()
            best[index] = min(best[index], (time.process_time() - start) / count * 1e6)
    return best[0], best[1]


def longest_slice(clean: TextSet, count: int) -> float:
    """Return the seconds of the longest step of a check-up of a scored corpus, which has no pause.

    The steps of three runs are the same, so the shortest time of each counts.
    """
    repeats = count // len(clean.hypotheses) + 1
    hypotheses = [f"{line} {k}" for k in range(repeats) for line in clean.hypotheses][:count]
    references = [[f"{line} {k}"] for k in range(repeats) for line in clean.references][:count]
    settings = bleu.Settings(tokenizer=clean.tokenizer)
    rows = zip(hypotheses, references, strict=True)
    statistics = [bleu.segment_statistics(*row, settings) for row in rows]
    runs = []
    for _ in range(3):
        steps = iter_check(hypotheses, references, settings, statistics=statistics)
        times = [time.process_time(), *(time.process_time() for _ in steps), time.process_time()]
        runs.append([after - before for before, after in pairwise(times)])
    return max(map(min, zip(*runs, strict=True)))


def measure_command(systems: int, rounds: int = 3) -> tuple[float, float]:
    """Return the CPU seconds of `bleu sacrebleu`, without and with `--quiet`, in turns.

    The systems translate 3,000 different lines.
    """
    references = generate_sets(count=3_000)[0].references
    words = make_vocabulary(random.Random(1), SYLLABLES["Latin"].split())
    texts = [references]
    for number in range(systems):
        rng = random.Random(f"system {number}")
        texts.append([translate(rng, line, words) for line in references])
    root, best = Path(bleu.__file__).parents[1], [float("inf")] * 2
    with TemporaryDirectory() as folder:
        files = [Path(folder) / str(number) for number in range(systems + 1)]
        for file, lines in zip(files, texts, strict=True):
            file.write_text("\n".join(lines) + "\n", "utf-8")
        command = [sys.executable, "-m", "bleu", "sacrebleu", files[0], "-i", *files[1:]]
        for index in [0, 1] * rounds:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = [*command, *["--quiet"] * index]
            subprocess.run(run, cwd=root, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best[index] = min(best[index], seconds)
    return best[0], best[1]


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description="The quality of the check-up.")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="real translations")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try each n-th only")
    parser.add_argument("--slices", action="store_true", help="only the longest step, in seconds")
    parser.add_argument("--command", action="store_true", help="only the time of the command")
    parser.add_argument("--misses", action="store_true", help="list what is missed")
    options = parser.parse_args()
    generated = generate_sets()
    real = read_sets(options.data) if options.data else generated[:1]
    sets = [*real, *generated] if options.data else generated
    if options.slices:
        for texts, count in product(real[:1], (3_000, 20_000, 100_000)):
            print(f"{count:,} lines: no step over {1000 * longest_slice(texts, count):.1f} ms")
        return
    if options.command:
        for systems in (1, 16):
            checked, quiet = measure_command(systems)
            ratio = f"{checked / quiet:.2f} x as long as with --quiet"
            print(f"{systems} systems: {checked:.2f} s, {ratio}")
        return
    start = time.perf_counter()
    counts = merge_counts(in_processes(count_detections, sets, every=options.every))
    print(f"{'fault':20}{'cost ≥ 0.5':>12}{'found':>8}{'first':>8}")
    for fault, count in [*counts.items(), ("all", _sum(counts.values()))]:
        share = count.first / count.total if count.total else 1
        print(f"{fault:20}{count.total:>12,}{count.found:>8,}{count.first:>8,}{share:>9.1%}")
    if options.misses:
        print(*(miss for count in counts.values() for miss in count.misses), sep="\n")
    alarms, truths = false_alarms(real if options.data else generated)
    print(f"\nfalse alarms in 200 clean sets: {alarms.total()} {dict(alarms) or ''}")
    print(f"findings that are true: {truths.total()} {dict(truths) or ''}")
    exact, misses = count_exact([*real[:1], *generated] if options.data else generated)
    print(f"\nright line named: {exact:,} of 1,000 trials")
    if options.misses:
        print(*misses, sep="\n")
    judged = [*real[:1], *generated[1:7]]
    judgements = in_processes(judge_costs, judged, score=score, every=options.every)
    right, total = sum(j.right for j in judgements), sum(j.total for j in judgements)
    print(f"\noutside every list: {right:,} of {total:,} with the right cost")
    if options.misses:
        print(*(miss for judgement in judgements for miss in judgement.misses), sep="\n")
    clean = [*twice_translated(), *varieties(), *against_each_other(real)]
    faults = list(chain.from_iterable(in_processes(costly_findings, clean)))
    print(f"\n{len(clean)} clean sets, {len(faults)} with a fault of 0.5 or more: {faults}")
    print(f"\nall this took {(time.perf_counter() - start) / 60:.1f} minutes")
    for texts, count in product(real, (2_000, 16_000)):
        scoring, checking = measure_time(texts, count)
        what = f"{count:,} lines of {texts.name}"
        print(f"{what}: check-up {checking:.1f} µs a line, {checking / scoring:.2f} × scoring")


def _sum(counts: Sequence[Count]) -> Count:
    totals = [(count.total, count.found, count.first) for count in counts]
    return Count(*map(sum, zip(*totals, strict=True)))


if __name__ == "__main__":
    main()
