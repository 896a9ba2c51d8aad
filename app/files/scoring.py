"""A corpus scored piece by piece, so that the page can breathe: progress, then the outcome."""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import eq
from typing import Final, TypeVar

from app.files.tables import Progress, TextSource
from bleu.analysis.comparison import ConventionResult, convention_corpus_results
from bleu.analysis.corpus_notes import CorpusNotes
from bleu.core.api import seems_transposed
from bleu.core.clipping import Ngram
from bleu.core.conventions import CONVENTIONS
from bleu.core.ngrams import match
from bleu.core.progress import ProgressGenerator, map_progress
from bleu.core.score import compute
from bleu.core.segment import analyse
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import tokenize
from bleu.corpus.corpus import Corpus, score_segment
from bleu.corpus.report import Report, TestReport, compare_systems
from bleu.corpus.significance import (
    SEED,
    Interval,
    PairedTest,
    iter_approximate_randomization,
    iter_confidence_interval,
    iter_paired_bootstraps,
)
from bleu.corpus.text_files import FileError
from bleu.corpus.transposition import TRANSPOSED_NOTE
from bleu.explanation.phrases import count_with_noun, english_list, token_text
from bleu.explanation.significance import caution_text

T = TypeVar("T")

NO_TEST: Final = "none"
TESTS: Final = {
    NO_TEST: "none",
    "interval": "confidence interval",
    "bootstrap": "paired bootstrap",
    "randomization": "paired approximate randomization",
}
"""The tests of significance: names and labels, in menu order."""


DEFAULT_TEST: Final = "bootstrap"
"""The one that is offered: of a single system, it is the confidence interval."""

BOXES: Final = ("corpus-system", "corpus-references")
"""The ids of the boxes for systems, the first of two, and for references."""

MAX_SYSTEMS: Final = 16
"""Systems that are compared at once."""


@dataclass(frozen=True, slots=True)
class CorpusTexts:
    """Systems and references, line by line; of several systems, the first is the baseline."""

    systems: tuple[TextSource, ...]
    references: tuple[TextSource, ...]

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.systems[0].lines)

    def segment(self, number: int, system: int = 0) -> tuple[str, tuple[str, ...]]:
        """A segment's hypothesis and references, counted from 0."""
        references = tuple(one.lines[number] for one in self.references)
        return self.systems[system].lines[number], references


@dataclass(frozen=True, slots=True)
class CorpusResult:
    """All that is known of a corpus: its texts, the corpus under each system, and the report.

    `convention` is whose settings they are, and `caution_text` what the report warns of, but for what
    has the name of a system in it.
    """

    texts: CorpusTexts
    corpora: tuple[Corpus, ...]
    report: Report
    convention: str = "default"
    caution: str = ""


ScoringJob = Generator[Progress, None, CorpusResult]


class BoxError(FileError):
    """What is wrong with the files of some boxes; `boxes` are the ids of these."""

    def __init__(self, boxes: Sequence[str], words: str) -> None:
        super().__init__(words)
        self.boxes = boxes


def check_texts(
    systems: Sequence[TextSource | None], references: Sequence[TextSource]
) -> CorpusTexts:
    """The texts to score; what is not given is left out.

    Raises BoxError, naming the files, where there is no system or no reference, where one is
    empty, or where one has more lines than another.

    >>> check_texts([TextSource("a.txt", ["x"])], [TextSource("r.txt", ["x", "y"])])
    Traceback (most recent call last):
    app.files.scoring.BoxError: a.txt has 1 line and r.txt has 2 lines. Use files with the same \
number of lines, one segment per line.
    """
    given = tuple(one for one in systems if one is not None)
    if not given:
        raise BoxError(
            BOXES[:1],
            "There is no system output yet. Open a file or paste one segment per line.",
        )
    if not references:
        raise BoxError(
            BOXES[1:],
            "There is no reference yet. Open a file or paste one segment per line.",
        )
    if len(given) > MAX_SYSTEMS:
        raise FileError(
            f"There are {len(given)} systems, and at most {MAX_SYSTEMS} can be compared at once. "
            "Close some."
        )
    sources = (*given, *references)
    if empty := [one.name for one in sources if not one.lines]:
        verb = "is" if len(empty) == 1 else "are"
        raise BoxError(
            [box for box, of in zip(BOXES, (given[:1], references), strict=True) if _any_empty(of)],
            f"{english_list(empty)} {verb} empty. Use files with one segment per line.",
        )
    if len({len(one.lines) for one in sources}) > 1:
        raise BoxError(
            BOXES,
            f"{_lengths(sources)}. Use files with the same number of lines, one segment per line."
            + "".join(f" {one.note}." for one in sources if one.note),
        )
    return CorpusTexts(given, tuple(references))


def _any_empty(sources: Sequence[TextSource]) -> bool:
    return not all(one.lines for one in sources)


def _lengths(sources: Sequence[TextSource]) -> str:
    """How many lines each file has, those with as many together."""
    found: dict[int, list[str]] = {}
    for one in sources:
        found.setdefault(len(one.lines), []).append(one.name)
    words = []
    for lines, names in found.items():
        verb = "has" if len(names) == 1 else "have"
        words.append(f"{english_list(names)} {verb} {count_with_noun(lines, 'line')}")
    return english_list(words) if len(words) == 2 else "; ".join(words)


def name_systems(texts: CorpusTexts, names: Sequence[str], baseline: int = 0) -> CorpusTexts:
    """The texts with other names for the systems, and the baseline first.

    Raises FileError where two systems have one name.

    >>> texts = CorpusTexts((TextSource("a.txt", ["x"]), TextSource("b.txt", ["y"])), (TextSource("r", ["z"]),))
    >>> [source.name for source in name_systems(texts, ["A", "B"], baseline=1).systems]
    ['B', 'A']
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise FileError(f"Two systems are called “{twice[0]}”. Give them different names.")
    systems = [
        TextSource(name, source.lines) for name, source in zip(names, texts.systems, strict=True)
    ]
    first = systems.pop(baseline)
    return CorpusTexts((first, *systems), texts.references)


def rename_systems(outcome: CorpusResult, names: Sequence[str]) -> CorpusResult:
    """The outcome with other names for its systems, as if it had been scored under them.

    Raises FileError where two systems have one name.
    """
    texts = name_systems(outcome.texts, names)
    systems = [
        replace(one, name=name) for one, name in zip(outcome.report.systems, names, strict=True)
    ]
    caution = _all_warnings(texts, outcome.caution)
    return replace(
        outcome, texts=texts, report=replace(outcome.report, systems=systems, caution=caution)
    )


WINDOW: Final = 4
"""Lines that are looked at together, to find where two files drift apart."""


def find_misalignment(sources: Sequence[TextSource]) -> Generator[Progress, None, str]:
    """Where files of different lengths seem to drift apart, in a sentence; nothing where unclear.

    The first file is held against the first one with another number of lines: where the next lines
    have more words in common with one line before or after than with those opposite. Yields how
    far it is, after every line.

    >>> from bleu.core.progress import run_to_end
    >>> one, other = "a b|c d|e f|g h|i j|k l".split("|"), "a b|e f|g h|i j|k l".split("|")
    >>> steps = find_misalignment([TextSource("x", one), TextSource("y", other)])
    >>> run_to_end(steps)
    'They seem to drift apart at line 2: x has “c d”, and y “e f”.'
    """
    first, *others = sources
    other = next((one for one in others if len(one.lines) != len(first.lines)), None)
    if other is None:
        return ""
    first_lines, other_lines = first.lines, other.lines
    size = min(len(first_lines), len(other_lines))
    for number in range(size):
        here = _similarity(first_lines, number, other_lines, number)
        if here < WINDOW:
            shifted = max(
                _similarity(first_lines, number + 1, other_lines, number),
                _similarity(first_lines, number, other_lines, number + 1),
            )
            if (
                shifted > here + WINDOW / 4
                and _shared_words(first_lines[number], other_lines[number]) < 1
            ):
                return (
                    f"They seem to drift apart at line {number + 1:,}: {first.name} has "
                    f"“{_abbreviate(first_lines[number])}”, and {other.name} “{_abbreviate(other_lines[number])}”."
                )
        yield Progress("looking where the files drift apart", number + 1, size)
    return ""


def _similarity(mine: Sequence[str], here: int, its: Sequence[str], there: int) -> float:
    pairs = zip(mine[here : here + WINDOW], its[there : there + WINDOW], strict=False)
    return sum(_shared_words(*pair) for pair in pairs)


def _shared_words(one: str, other: str) -> float:
    """The share of different words that two lines have in common, in [0, 1]."""
    words, others = set(one.casefold().split()), set(other.casefold().split())
    return len(words & others) / len(words | others) if words | others else 1.0


def _abbreviate(line: str) -> str:
    return token_text(line if len(line) <= MAX_QUOTED else f"{line[:MAX_QUOTED]} …")


MAX_QUOTED: Final = 60
"""Characters of a line that a message quotes."""


def check_and_score(
    systems: Sequence[TextSource],
    references: Sequence[TextSource],
    names: Sequence[str],
    baseline: int,
    settings: Settings,
    test: str,
    convention: str,
) -> ScoringJob:
    """Check the files, say where those of different lengths drift apart, and score them.

    Raises what `check_texts`, `name_systems` and `score` raise.
    """
    try:
        texts = name_systems(check_texts(systems, references), names, baseline)
    except BoxError as error:
        where = (
            yield from find_misalignment([*systems, *references]) if systems and references else ()
        )
        if not where:
            raise
        raise BoxError(error.boxes, f"{error} {where}") from None
    return (yield from score(texts, settings, test, convention))


def score(
    texts: CorpusTexts, settings: Settings, test: str = NO_TEST, convention: str = "default"
) -> ScoringJob:
    """Count every segment, score their sum and each of them, then ask about chance.

    `convention` is whose settings they are. The bootstrap of a single system is its interval;
    with several, every test brings their intervals and those of the differences.

    Where a smoothing depends on the last segment, there is no test, and the report says why.

    Raises ValueError for another test than those of TESTS, and for approximate randomization of a
    single system.
    """
    if test not in TESTS:
        raise ValueError(f"test is {test!r}; choose one of: {', '.join(TESTS)}")
    if test == "randomization" and len(texts.systems) < 2:
        raise ValueError(f"A {TESTS[test]} test compares two systems. Add a second one.")
    untested = ""
    if test != NO_TEST and settings.smoothing.endswith("-last"):
        test = NO_TEST
        untested = (
            f"There is no significance test: smoothing {settings.smoothing} takes numbers from the "
            "last segment alone, which resampling makes meaningless."
        )
    corpora = []
    notes = CorpusNotes(settings, (), ())
    for place, system in enumerate(texts.systems):
        corpora.append((yield from _score_system(texts, place, settings, system.name, notes)))
    segments = [corpus.segments for corpus in corpora]
    interval: Interval | None = None
    bootstraps: tuple[PairedTest, ...] = ()
    tests: tuple[PairedTest, ...] = ()
    if test != NO_TEST and len(segments) == 1:
        alone = iter_confidence_interval(segments[0], settings)
        interval = yield from _with_label(TESTS["interval"], alone)
    elif test != NO_TEST:
        together = iter_paired_bootstraps(segments, settings)
        bootstraps = yield from _with_label(TESTS["bootstrap"], together)
        tests = bootstraps if test == "bootstrap" else ()
    if test == "randomization":
        for own, system in zip(segments[1:], texts.systems[1:], strict=True):
            what = TESTS[test] if len(segments) == 2 else f"{TESTS[test]} of {system.name}"
            swapping = iter_approximate_randomization(segments[0], own, settings)
            tests += ((yield from _with_label(what, swapping)),)
    few = caution_text(*segments) if test != NO_TEST else untested
    found = notes.messages("the tokenizer white space", "the tokenizer char, or zh for Chinese")
    warned = " ".join(
        filter(None, [_transposed_warning(texts, settings), *(f"{n}." for n in found), few])
    )
    report = Report(
        corpora[0].signature,
        texts.size,
        compare_systems(
            [source.name for source in texts.systems],
            [corpus.score for corpus in corpora],
            interval=interval,
            bootstraps=bootstraps,
            tests=tests,
        ),
        TestReport(TESTS[test], SEED, tests) if tests else None,
        _all_warnings(texts, warned),
    )
    return CorpusResult(texts, tuple(corpora), report, convention, warned)


def _all_warnings(texts: CorpusTexts, warned: str) -> str | None:
    """What the report warns of: what names a file, and the rest."""
    notes = [f"{one.note}." for one in (*texts.systems, *texts.references) if one.note]
    return (
        " ".join(word for word in (_identical_texts_warning(texts), *notes, warned) if word) or None
    )


def _transposed_warning(texts: CorpusTexts, settings: Settings) -> str:
    """A word of warning where the references look transposed; only a few segments can be."""
    if len(texts.references) != texts.size:
        return ""
    references = [texts.segment(number)[1] for number in range(texts.size)]
    if any(seems_transposed(one.lines, references, settings) for one in texts.systems):
        return f"{TRANSPOSED_NOTE[0].upper()}{TRANSPOSED_NOTE[1:]}."
    return ""


def _identical_texts_warning(texts: CorpusTexts) -> str:
    """A word of warning where a system is, line for line, another text that is given."""
    for place, system in enumerate(texts.systems):
        for other in (*texts.systems[place + 1 :], *texts.references):
            if all(map(eq, system.lines, other.lines)):
                return (
                    f"{system.name} and {other.name} are the same text: is one in the wrong place?"
                )
    return ""


def _score_system(
    texts: CorpusTexts, system_index: int, settings: Settings, name: str, notes: CorpusNotes
) -> Generator[Progress, None, Corpus]:
    segments, scores, alone = [], [], settings.of_parts
    whole = Statistics.zero(settings.max_order)
    for number in range(texts.size):
        hypothesis, references = texts.segment(number, system_index)
        notes.add([hypothesis])
        own = analyse(hypothesis, references, settings).statistics
        segments.append(own)
        whole += own
        scores.append(score_segment(own, alone)[0])
        yield Progress(f"scoring {name}", number + 1, texts.size)
    return Corpus(settings, segments, scores, compute(whole, settings), len(texts.references))


def _with_label(what: str, steps: ProgressGenerator[T]) -> Generator[Progress, None, T]:
    return map_progress(steps, partial(Progress, what))


def credit_differences(
    texts: CorpusTexts, settings: Settings, system_index: int = 1
) -> Generator[Progress, None, Counter[Ngram]]:
    """How much oftener a system is credited an n-gram than the baseline, over the corpus."""
    more: Counter[Ngram] = Counter()
    for number in range(texts.size):
        for sign, system in ((-1, 0), (1, system_index)):
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


def score_under_conventions(
    outcome: CorpusResult, system_index: int
) -> Generator[Progress, None, tuple[ConventionResult, ...]]:
    """The baseline and one system, or a single one, under every convention."""
    texts = outcome.texts
    systems = [texts.systems[one].lines for one in dict.fromkeys((0, system_index))]
    names = [name for name in CONVENTIONS if not name.endswith("-summed")]
    current = outcome.corpora[0].settings
    steps = convention_corpus_results(
        systems, [one.lines for one in texts.references], current, names
    )
    return (yield from _with_label("scoring as other implementations do", steps))
