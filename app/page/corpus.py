"""A corpus scored piece by piece, so that the page can breathe: progress, then the outcome."""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from app.page.uploads import Progress, Source
from bleu.core.ngrams import Ngram, match
from bleu.core.score import compute
from bleu.core.segment import analyse
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import tokenize
from bleu.corpus.corpus import Corpus
from bleu.corpus.report import Report, Significance, compared
from bleu.corpus.resampling import Steps
from bleu.corpus.significance import (
    SEED,
    Interval,
    PairedTest,
    approximate_randomization_steps,
    confidence_interval_steps,
    paired_bootstraps_steps,
)
from bleu.corpus.text_files import FileError
from bleu.explanation.significance import caution
from bleu.explanation.words import count_of

T = TypeVar("T")

NO_TEST: Final = "none"
TESTS: Final = {
    NO_TEST: "none",
    "interval": "confidence interval",
    "bootstrap": "paired bootstrap",
    "randomization": "paired approximate randomization",
}
"""The tests of significance: names and labels, in menu order."""


@dataclass(frozen=True, slots=True)
class Texts:
    """One or two systems and their references, line by line; of two, the first is the baseline."""

    systems: tuple[Source, ...]
    references: tuple[Source, ...]

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.systems[0].lines)

    def segment(self, number: int, system: int = 0) -> tuple[str, tuple[str, ...]]:
        """A segment's hypothesis and references, counted from 0."""
        references = tuple(one.lines[number] for one in self.references)
        return self.systems[system].lines[number], references


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that is known of a corpus: its texts, the corpus under each system, and the report.

    `title` is what the settings are called.
    """

    texts: Texts
    corpora: tuple[Corpus, ...]
    report: Report
    title: str = ""


Work = Generator[Progress, None, Outcome]


def checked(systems: Sequence[Source | None], references: Sequence[Source]) -> Texts:
    """The texts to score; what is not given is left out.

    Raises FileError, naming the files, where there is no system or no reference, or where one has
    more lines than another.

    >>> checked([Source("a.txt", ["x"])], [Source("r.txt", ["x", "y"])])
    Traceback (most recent call last):
    bleu.corpus.text_files.FileError: a.txt has 1 line and r.txt has 2 lines. Give files with \
one line for each segment, the same segments in all.
    """
    given = tuple(one for one in systems if one is not None)
    if not given:
        raise FileError("There is no system output yet. Open a file or paste one segment per line.")
    if not references:
        raise FileError("There is no reference yet. Open a file or paste one segment per line.")
    first, *others = (*given, *references)
    for other in others:
        if len(other.lines) != len(first.lines):
            raise FileError(
                f"{first.name} has {count_of(len(first.lines), 'line')} and {other.name} has "
                f"{count_of(len(other.lines), 'line')}. Give files with one line for each "
                "segment, the same segments in all."
            )
    return Texts(given, tuple(references))


def score(texts: Texts, settings: Settings, test: str = NO_TEST, title: str = "") -> Work:
    """Count every segment, score their sum and each of them, then ask about chance.

    `title` is what the settings are called. The bootstrap of a single system is its interval;
    with several, every test brings their intervals and those of the differences.

    Raises ValueError for another test than those of TESTS, or approximate randomization of a
    single system.
    """
    if test not in TESTS:
        raise ValueError(f"test is {test!r}; choose one of: {', '.join(TESTS)}")
    if test == "randomization" and len(texts.systems) < 2:
        raise ValueError(f"A {TESTS[test]} test compares two systems. Add a second one.")
    corpora = []
    for place, system in enumerate(texts.systems):
        corpora.append((yield from _corpus(texts, place, settings, system.name)))
    segments = [corpus.segments for corpus in corpora]
    interval: Interval | None = None
    bootstraps: tuple[PairedTest, ...] = ()
    tests: tuple[PairedTest, ...] = ()
    if test != NO_TEST and len(segments) == 1:
        alone = confidence_interval_steps(segments[0], settings)
        interval = yield from _told(TESTS["interval"], alone)
    elif test != NO_TEST:
        together = paired_bootstraps_steps(segments, settings)
        bootstraps = yield from _told(TESTS["bootstrap"], together)
        tests = bootstraps if test == "bootstrap" else ()
    if test == "randomization":
        for own, system in zip(segments[1:], texts.systems[1:], strict=True):
            what = TESTS[test] if len(segments) == 2 else f"{TESTS[test]} of {system.name}"
            swapping = approximate_randomization_steps(segments[0], own, settings)
            tests += ((yield from _told(what, swapping)),)
    report = Report(
        corpora[0].signature,
        texts.size,
        compared(
            [source.name for source in texts.systems],
            [corpus.score for corpus in corpora],
            interval=interval,
            bootstraps=bootstraps,
            tests=tests,
        ),
        Significance(TESTS[test], SEED, tests) if tests else None,
        _cautions(texts, segments if test != NO_TEST else []),
    )
    return Outcome(texts, tuple(corpora), report, title)


def _cautions(texts: Texts, tested: list[Sequence[Statistics]]) -> str | None:
    words = [_same(texts), caution(*tested) if tested else None]
    return " ".join(word for word in words if word) or None


def _same(texts: Texts) -> str:
    """A word of warning where a system is, line for line, another text that is given."""
    for place, system in enumerate(texts.systems):
        for other in (*texts.systems[place + 1 :], *texts.references):
            if list(system.lines) == list(other.lines):
                return f"{system.name} and {other.name} are the same text: is one in a wrong place?"
    return ""


def _corpus(
    texts: Texts, place: int, settings: Settings, name: str
) -> Generator[Progress, None, Corpus]:
    segments, scores = [], []
    whole = Statistics.zero(settings.max_order)
    for number in range(texts.size):
        own = analyse(*texts.segment(number, place), settings).statistics
        segments.append(own)
        whole += own
        scores.append(compute(own, settings).value)
        yield Progress(f"scoring {name}", number + 1, texts.size)
    return Corpus(settings, segments, scores, compute(whole, settings), len(texts.references))


def _told(what: str, steps: Steps[T]) -> Generator[Progress, None, T]:
    while True:
        try:
            done, of = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        yield Progress(what, done, of)


def gains(texts: Texts, settings: Settings) -> Generator[Progress, None, Counter[Ngram]]:
    """How much oftener the second system is credited an n-gram than the first, over the corpus."""
    more: Counter[Ngram] = Counter()
    for number in range(texts.size):
        for sign, system in ((-1, 0), (1, 1)):
            hypothesis, references = texts.segment(number, system)
            tokens, *others = (
                tokenize(text, settings.tokenizer, lowercase=settings.lowercase, case=settings.case)
                for text in (hypothesis, *references)
            )
            for n in range(1, settings.max_order + 1):
                for one in match(tokens, tuple(others), n).matches():
                    if one.clipped_count:
                        more[one.ngram] += sign * one.clipped_count
        yield Progress("comparing n-grams", number + 1, texts.size)
    return more
