"""The texts to score with their faults, and their scoring in slices, which yields its progress."""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Final

from app.files.reading import TextSource
from bleu.analysis.comparison import ConventionResult, convention_corpus_results
from bleu.analysis.evaluation import (
    MAX_CHECKED_SEGMENTS,
    CheckedSegments,
    Evaluation,
    Plan,
    SystemFinding,
    iter_findings,
    iter_scores,
    iter_statistics,
)
from bleu.checkup.repairs import repair_texts
from bleu.core.ngrams import Ngram, match
from bleu.core.progress import Progress, track
from bleu.core.segment import tokenize_segment
from bleu.core.settings import ResamplingOptions, Settings
from bleu.corpus.corpus import Corpus
from bleu.corpus.report import BOOTSTRAP, INTERVAL, RANDOMIZATION, Report
from bleu.corpus.significance import RESAMPLES, SEED, TRIALS
from bleu.document.writing import Writing, writing_of
from bleu.explanation.phrases import count_with_noun, english_list, name_text
from bleu.files.parallel import ParallelTexts
from bleu.files.text_files import FileError
from bleu.metric.smoothings import SMOOTHINGS

BOX_IDS: Final = ("corpus-system", "corpus-references")
"""The ids of the text boxes for the first system and for the references."""

MAX_SYSTEMS: Final = 16
"""The largest number of systems that can be compared at once."""
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

CONTAINERS: Final = {"markup", "json", "table", "format"}
"""Faults of files that are scored as plain text only if the user asks for it."""

Sources = Sequence[TextSource]
CheckUp = tuple[SystemFinding, ...]
CheckUpJob = Generator[Progress, None, CheckUp]


def iter_check_up(
    systems: Sources, references: Sources, settings: Settings, sources: Sequence[str] = ()
) -> CheckUpJob:
    """Return the findings on texts that cannot be scored, as `iter_findings` does."""
    texts = replace(parallel_texts(systems, references), sources=sources)
    plan = Plan(texts.names, has_bom=has_bom(systems, references))
    return iter_findings(texts, settings, plan)


def has_bom(systems: Sources, references: Sources) -> tuple[list[bool], bool]:
    """Return whether each system, and any reference, began with a byte order mark."""
    return [source.has_bom for source in systems], any(source.has_bom for source in references)


def parallel_texts(systems: Sources, references: Sources) -> ParallelTexts:
    """Return the texts of files, whose lengths may differ."""
    lines = [source.lines for source in systems]
    texts = ParallelTexts.of_columns(lines, [source.texts for source in references])
    return replace(texts, names=[source.name for source in systems])


class BoxError(FileError):
    """An error in the texts of some text boxes, whose ids are `box_ids`."""

    def __init__(self, box_ids: Sequence[str], message: str) -> None:
        super().__init__(message)
        self.box_ids = box_ids


def check_texts(
    systems: Sources,
    references: Sources,
    repairs: Sequence[str] = (),
    settings: Settings | None = None,
) -> ParallelTexts:
    """Check systems and references, and return them, after repairs, as texts to score.

    Raises BoxError, with the names of the files, if there is no system or no reference, if a file
    is empty, or if the files have different numbers of lines; FileError for too many systems.
    """
    for box_id, name, sources in zip(
        BOX_IDS, ("candidate", "reference"), (systems, references), strict=True
    ):
        if not sources:
            message = f"There is no {name} yet. Open a file or paste one segment per line."
            raise BoxError([box_id], message)
    if len(systems) > MAX_SYSTEMS:
        raise FileError(
            f"There are {len(systems)} systems, and at most {MAX_SYSTEMS} can be compared at once. "
            "Close some."
        )
    texts = (*systems, *references)
    if unclear := [name_text(source.name) for source in texts if source.table and not source.lines]:
        raise BoxError(
            BOX_IDS, f"Choose the column of {english_list(unclear)} in the menu below its name."
        )
    if empty := [name_text(source.name) for source in texts if not source.lines]:
        verb = "is" if len(empty) == 1 else "are"
        by_box = zip(BOX_IDS, (systems[:1], references), strict=True)
        raise BoxError(
            [box_id for box_id, sources in by_box if not all(source.lines for source in sources)],
            f"{english_list(empty)} {verb} empty. Use files with one segment per line.",
        )
    parallel = repair_texts(parallel_texts(systems, references), repairs, settings)
    added = parallel.size - max(len(source.lines) for source in references)
    counts = [len(lines) for lines in parallel.systems]
    counts += [len(source.lines) + added for source in references]
    if len(set(counts)) > 1:
        names = [name_text(source.name) for source in texts]
        raise BoxError(
            BOX_IDS,
            f"{_line_counts_text(names, counts)}. Use files with the same number of lines, one "
            "segment per line.",
        )
    return parallel


def _line_counts_text(names: Sequence[str], counts: Sequence[int]) -> str:
    """Return a text with the line count of each file; files with equal counts share a clause."""
    names_by_count: dict[int, list[str]] = {}
    for name, count in zip(names, counts, strict=True):
        names_by_count.setdefault(count, []).append(name)
    clauses = []
    for count, same in names_by_count.items():
        verb = "has" if len(same) == 1 else "have"
        clauses.append(f"{english_list(same)} {verb} {count_with_noun(count, 'line')}")
    return english_list(clauses) if len(clauses) == 2 else "; ".join(clauses)


@dataclass(frozen=True, slots=True)
class CorpusResult:
    """The result of scored files: their texts and their evaluation.

    `convention` is the name of the convention of the settings. `check` starts the check-up of the
    texts, whose findings are not yet in the evaluation.
    """

    texts: ParallelTexts
    evaluation: Evaluation
    convention: str
    check: Callable[[], CheckUpJob] = field(compare=False, repr=False)

    @property
    def corpora(self) -> tuple[Corpus, ...]:
        """The corpus of each system."""
        return self.evaluation.corpora

    @property
    def report(self) -> Report:
        """The report on all systems."""
        return self.evaluation.report

    @property
    def check_up(self) -> CheckUp | None:
        """The findings, or None until the texts are checked."""
        return self.evaluation.findings

    def name(self, system_index: int) -> str:
        """Return the name of a system for a sentence."""
        return name_text(self.texts.names[system_index])

    @property
    def writing(self) -> Writing:
        """The direction and language of the first reference of 20 segments."""
        return writing_of(
            " ".join(chain.from_iterable(row[:1] for row in self.texts.references[:20]))
        )

    def difference(self, index: int, system_index: int) -> float | None:
        """Return a system's score of a segment minus the baseline's; None if either is missing."""
        score, baseline = (self.corpora[system].scores[index] for system in (system_index, 0))
        return None if score is None or baseline is None else score - baseline


ScoringJob = Generator[Progress, None, CorpusResult]


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
    sources: Sequence[str] = (),
) -> ScoringJob:
    """Repair, check and score the files.

    `baseline` is the index of a system. Groups with another number of lines are left out, with a
    caution. `sources` are the source texts.

    Raises the exceptions of `check_texts` and `score`, and FileError if two systems have the same
    name.
    """
    duplicates = [name for name, count in Counter(names).items() if count > 1]
    if duplicates:
        raise FileError(f"Two systems are called “{duplicates[0]}”. Give them different names.")
    order = sorted(range(len(systems)), key=lambda index: index != baseline)
    systems, names = [systems[index] for index in order], [names[index] for index in order]
    texts = check_texts(systems, references, repairs, settings)
    fitting = [(source.name, source.lines) for source in groups if len(source.lines) == texts.size]
    group_cautions = tuple(
        f"The groups of {name_text(source.name)} are left out: there are {len(source.lines):,} of "
        f"them for {texts.size:,} segments."
        for source in groups
        if len(source.lines) != texts.size
    )
    bom = has_bom(systems, references)
    plan = Plan(names, repairs=repairs, cautions=group_cautions, has_bom=bom)
    texts = replace(texts, names=names, groups=fitting, sources=sources)
    return (yield from score(texts, settings, test, convention, plan))


def score(
    texts: ParallelTexts,
    settings: Settings,
    test: str = NO_TEST,
    convention: str = "default",
    plan: Plan | None = None,
) -> ScoringJob:
    """Score the segments and the corpus of each system, then test the differences.

    `convention` is the name of the convention of the settings; `plan` has the repairs, cautions and
    source texts. For a single system, the bootstrap yields a confidence interval; for several,
    every test also yields the intervals of the scores and of their differences. If the smoothing
    depends on the last segment, there is no test, and the report says why.

    Raises ValueError for a test not in TESTS, and for approximate randomization of a single system.
    """
    if test not in TESTS:
        raise ValueError(f"test is {test!r}; choose one of: {', '.join(TESTS)}")
    if test == "randomization" and len(texts.systems) < 2:
        raise ValueError(f"A {RANDOMIZATION} test compares two systems. Add a second one.")
    plan = plan or Plan(texts.names)
    if test != NO_TEST and SMOOTHINGS[settings.smoothing].by_last_segment:
        test = NO_TEST
        reason = (
            f"There is no significance test: smoothing {settings.smoothing} takes numbers from the "
            "last segment alone, which resampling makes meaningless."
        )
        plan = replace(plan, cautions=(reason, *plan.cautions))
    resampling = ResamplingOptions()
    if test == "randomization":
        resampling = ResamplingOptions(randomization=TRIALS, seed=SEED)
    elif test != NO_TEST:
        resampling = ResamplingOptions(bootstrap=RESAMPLES, seed=SEED)
    plan = replace(
        plan,
        signature=settings.signature(texts.reference_count, **resampling),
        references=texts.reference_count,
        size=texts.size,
        test=TESTS[test] if test in ("bootstrap", "randomization") else "",
        intervals=test != NO_TEST,
        groups=texts.groups,
        keeps_segments=True,
    )
    checked = CheckedSegments(MAX_CHECKED_SEGMENTS, texts)
    rows = iter_statistics(checked.rows(), len(texts.systems), settings)
    rows = checked.keep_statistics(rows)
    evaluation = yield from iter_scores(rows, checked, settings, plan)
    check = partial(checked.iter_findings, settings, plan)
    return CorpusResult(texts, evaluation, convention, check)


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
    indices = dict.fromkeys((0, system_index))
    texts = replace(outcome.texts, systems=[outcome.texts.systems[index] for index in indices])
    steps = convention_corpus_results(texts, outcome.corpora[0].settings)
    return (yield from track("scoring as other implementations do", steps))
