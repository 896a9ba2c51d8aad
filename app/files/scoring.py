"""The scoring of files in slices: a generator yields its progress and returns the result."""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.files.checking import CorpusTexts, check_texts, name_systems
from app.files.checkup import CONTAINERS, CheckUp, repair_files
from app.files.tables import Progress, TextSource, track
from bleu.analysis.agreement import agreement_metric
from bleu.analysis.comparison import ConventionResult, convention_corpus_results
from bleu.analysis.which_tools import TOOLS
from bleu.core.api import segment_statistics
from bleu.core.clipping import Ngram
from bleu.core.ngrams import match
from bleu.core.segment import tokenize_segment
from bleu.core.settings import ResamplingOptions, Settings
from bleu.corpus.containers import detect_container
from bleu.corpus.corpus import Corpus, iter_corpus
from bleu.corpus.groups import iter_grouping
from bleu.corpus.report import BOOTSTRAP, INTERVAL, RANDOMIZATION, Report, iter_comparison
from bleu.corpus.significance import RESAMPLES, SEED, TRIALS
from bleu.corpus.transposition import transposed_note
from bleu.explanation.phrases import token_text
from bleu.explanation.significance import caution_text

NO_TEST: Final = "none"
TESTS: Final = {
    NO_TEST: "none",
    "interval": INTERVAL,
    "bootstrap": BOOTSTRAP,
    "randomization": RANDOMIZATION,
}
"""The significance tests: names and labels, in menu order."""

DEFAULT_TEST: Final = "bootstrap"
"""The preselected test; for a single system, it is the confidence interval."""


@dataclass(frozen=True, slots=True)
class CorpusResult:
    """The result of scored files: their texts, the corpus of each system, and the report.

    `convention` is the name of the convention of the settings, and `caution` the part of the
    report's caution that does not depend on the names of the systems. `check_up` is None until the
    texts are checked.
    """

    texts: CorpusTexts
    corpora: tuple[Corpus, ...]
    report: Report
    convention: str = "default"
    caution: str = ""
    check_up: CheckUp | None = None

    def name(self, system_index: int) -> str:
        """Return the displayed name of a system."""
        return token_text(self.texts.systems[system_index].name)

    def difference(self, index: int, system_index: int) -> float | None:
        """Return a system's score of a segment minus the baseline's; None if either is missing."""
        score, baseline = (self.corpora[system].scores[index] for system in (system_index, 0))
        return None if score is None or baseline is None else score - baseline


ScoringJob = Generator[Progress, None, CorpusResult]


def rename_systems(outcome: CorpusResult, names: Sequence[str]) -> CorpusResult:
    """Return the result with other names for its systems.

    Raises FileError if two systems have the same name.
    """
    texts = name_systems(outcome.texts, names)
    systems = [
        replace(system, name=name)
        for system, name in zip(outcome.report.systems, names, strict=True)
    ]
    caution = _full_caution(texts, outcome.caution)
    report = replace(outcome.report, systems=systems, caution=caution)
    return replace(outcome, texts=texts, report=report)


def check_and_score(
    systems: Sequence[TextSource],
    references: Sequence[TextSource],
    names: Sequence[str],
    baseline: int,
    settings: Settings,
    test: str,
    convention: str,
    groups: Sequence[TextSource] = (),
    repairs: tuple[str, ...] = (),
) -> ScoringJob:
    """Repair, check and score the files.

    `baseline` is the index of a system. Groups with another number of lines are left out, with a
    caution.

    Raises the exceptions of `repair_files`, `check_texts`, `name_systems` and `score`.
    """
    systems, references = repair_files(systems, references, repairs)
    size = len(systems[0].lines) if systems else 0
    complete_groups = [source for source in groups if len(source.lines) == size]
    texts = name_systems(check_texts(systems, references, complete_groups), names, baseline)
    group_cautions = [
        f"The groups of {source.name} are left out: there are {len(source.lines):,} of them for "
        f"{texts.size:,} segments."
        for source in groups
        if source not in complete_groups
    ]
    return (yield from score(texts, settings, test, convention, repairs, group_cautions))


def score(
    texts: CorpusTexts,
    settings: Settings,
    test: str = NO_TEST,
    convention: str = "default",
    repairs: tuple[str, ...] = (),
    cautions: Sequence[str] = (),
) -> ScoringJob:
    """Score the segments and the corpus of each system, then test the differences.

    `convention` is the name of the convention of the settings, `repairs` are the faults repaired in
    the texts, and `cautions` are added to the report. For a single system, the bootstrap yields
    a confidence interval; for several, every test also yields the intervals of the scores and of
    their differences. If the smoothing depends on the last segment, there is no test, and the
    report says why.

    Raises ValueError for a test not in TESTS, and for approximate randomization of a single system.
    """
    if test not in TESTS:
        raise ValueError(f"test is {test!r}; choose one of: {', '.join(TESTS)}")
    if test == "randomization" and len(texts.systems) < 2:
        raise ValueError(f"A {RANDOMIZATION} test compares two systems. Add a second one.")
    untested_reason = ""
    if test != NO_TEST and settings.smoothing.endswith("-last"):
        test = NO_TEST
        untested_reason = (
            f"There is no significance test: smoothing {settings.smoothing} takes numbers from the "
            "last segment alone, which resampling makes meaningless."
        )
    names = [source.name for source in texts.systems]
    corpora = []
    for index, name in enumerate(names):
        statistics = (
            segment_statistics(*texts.segment(n, index), settings) for n in range(texts.size)
        )
        steps = iter_corpus(statistics, texts.size, settings, references=texts.reference_count)
        corpora.append((yield from track(f"scoring {name}", steps)))
    segments = [corpus.segments for corpus in corpora]
    systems, test_report = yield from iter_comparison(
        names,
        [corpus.score for corpus in corpora],
        segments,
        settings,
        Progress,
        test="" if test in (NO_TEST, "interval") else TESTS[test],
        intervals=test != NO_TEST,
    )
    test_caution = caution_text(*segments) if test != NO_TEST else untested_reason
    all_cautions = (_transposed_warning(texts, settings), test_caution, *cautions)
    caution = " ".join(filter(None, all_cautions))
    groupings = []
    for source in texts.groups:
        grouping = iter_grouping(source.name, source.lines, segments, settings)
        groupings.append((yield from track(f"scoring by {source.name}", grouping)))
    resampling = ResamplingOptions()
    if test == "randomization":
        resampling = ResamplingOptions(randomization=TRIALS, seed=SEED)
    elif test != NO_TEST:
        resampling = ResamplingOptions(bootstrap=RESAMPLES, seed=SEED)
    report = Report(
        settings.reported_signature(texts.reference_count, **resampling),
        texts.size,
        systems,
        test_report,
        _full_caution(texts, caution),
        agreement_metric(settings),
        tuple(groupings),
        repairs,
    )
    return CorpusResult(texts, tuple(corpora), report, convention, caution)


def _full_caution(texts: CorpusTexts, caution: str) -> str | None:
    """Return the caution of a report, which begins with notes on its files, or None."""
    sources = *texts.systems, *texts.references
    notes = [f"{source.note}." for source in sources if source.note]
    for source in sources:
        if container := detect_container(source.lines):
            notes.append(f"{source.name} looks like {CONTAINERS[container]} and is scored as text.")
    return " ".join(filter(None, [*notes, caution])) or None


def _transposed_warning(texts: CorpusTexts, settings: Settings) -> str:
    """Return a warning if each reference file seems to hold the references of one segment, or "".

    This is possible only if there are as many segments as references.
    """
    if len(texts.references) != texts.size:
        return ""
    references = [texts.segment(index)[1] for index in range(texts.size)]
    note = transposed_note([source.lines for source in texts.systems], references, settings)
    return f"{note[0].upper()}{note[1:]}." if note else ""


def credit_differences(
    outcome: CorpusResult, system_index: int
) -> Generator[Progress, None, Counter[Ngram]]:
    """Return for each n-gram a system's credit minus the baseline's credit."""
    texts, settings = outcome.texts, outcome.corpora[0].settings
    differences: Counter[Ngram] = Counter()
    for index in range(texts.size):
        for sign, system in ((-1, 0), (1, system_index)):
            tokens, references = tokenize_segment(*texts.segment(index, system), settings)
            for n in range(1, settings.max_order + 1):
                for ngram_match in match(tokens, references, n).matches():
                    if ngram_match.clipped_count:
                        differences[ngram_match.ngram] += sign * ngram_match.clipped_count
        yield Progress("comparing n-grams", index + 1, texts.size)
    return differences


def score_under_conventions(
    outcome: CorpusResult, system_index: int
) -> Generator[Progress, None, tuple[ConventionResult, ...]]:
    """Return the scores of the baseline and one system, or of a single system, by convention."""
    texts = outcome.texts
    systems = [texts.systems[index].lines for index in dict.fromkeys((0, system_index))]
    references = [
        [None if n in source.missing else line for n, line in enumerate(source.lines)]
        for source in texts.references
    ]
    settings = outcome.corpora[0].settings
    steps = convention_corpus_results(systems, references, settings, TOOLS)
    return (yield from track("scoring as other implementations do", steps))
