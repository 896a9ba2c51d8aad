"""Assessment of a learner's implementation of BLEU with cases that distinguish mistakes."""

import inspect
import io
import math
import re
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations, product
from operator import attrgetter
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple, Unpack

from bleu.core.api import corpus_bleu
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.settings import Settings, document_choices
from bleu.core.tokenizers import tokenize
from bleu.learn.hand_calculation import CORRECT, Change, HandCalculation, Task, both, changed_stages
from bleu.learn.misconceptions import CODE_MISTAKES
from bleu.metric.smoothings import SmoothingName

TOLERANCE: Final = 1e-9
"""The difference, on the 0–1 scale, up to which two scores agree unless they are rounded."""
MAX_ERROR_CHARACTERS: Final = 300
"""The length up to which the message of an error is shown."""

_SENTENCES: Final[Sequence[tuple[str, Sequence[str]]]] = (
    ("the cat sat on the mat", ["the cat sat on the mat"]),
    ("the cat", ["the cat"]),
    ("", ["the cat sat"]),
    ("one two three four", ["five six seven eight"]),
    ("the cat sat on the", ["the cat sat on the mat"]),
    ("the cat sat on the mat all day", ["the cat sat on the mat"]),
    ("the cat sat here on a mat", ["the cat sat on the mat"]),
    ("The cat sat on the mat", ["the cat sat on the mat"]),
    ("the cat sat on the mat.", ["the cat sat on the mat ."]),
    ("the the the the cat sat on", ["the cat sat on the mat", "on the mat the cat sat"]),
    ("a cat sat on the mat", ["the cat sat on the mat", "a cat sat on a mat", "it sat on the mat"]),
    ("the cat sat on the mat", ["the cat sat on the mat too", "the cat sat on it"]),
    ("the cat sat on it all", ["the cat sat on it all day", "the cat"]),
    ("well, the cat sat on it", ["well the cat sat on it"]),
    ("the cat sat on a mat", ["the cat sat on a mat and it was", "the cat sat on a mat so it was"]),
    ("the cat sat on", ["the cat sat on a mat and it was", "the cat sat on a mat and so it was"]),
    ("the cat sat on", ["the cat sat on a mat and it was so warm"]),
    ("the cat sat on a mat", ["the cat sat on", "the cat sat on a mat so warm"]),
    ("the cat sat on the cat sat on", ["the cat sat on the mat and it sat on a cat"]),
    ("so warm it was the cat sat on", ["the cat sat on the mat", "so it was so warm on the mat"]),
)
_RANDOM_CASES: Final = 24
_CORPUS_SIZES: Final = (2, 2, 3, 5)
_TRIED_SMOOTHINGS: Final[tuple[SmoothingName, ...]] = (
    *("none", "floor", "add-k", "exp", "add-k-all"),
)


_REFERENCE_NAMES: Final = "ref|target|gold|truth"
_CANDIDATE_NAMES: Final = "cand|hyp|pred|sys|trans|output"


class CallStyle(NamedTuple):
    """A way to call the assessed function, and the scale of its result: 1 or 100.

    `takes_list`: whether it takes a list of references for a candidate, not just one.
    """

    is_corpus: bool
    references_first: bool
    takes_tokens: bool
    takes_list: bool
    scale: int = 1

    def __str__(self) -> str:
        """Return the call as a phrase."""
        hypotheses = "candidates" if self.is_corpus else "candidate"
        references = "references" if self.takes_list else "reference"
        arguments = [hypotheses, references]
        if self.references_first:
            arguments.reverse()
        form = "tokens" if self.takes_tokens else "text"
        return f"f({', '.join(arguments)}) of {form}, on the 0–{self.scale} scale"


@dataclass(frozen=True, slots=True)
class AssessedCase:
    """A test of the function: the texts, the `expected` score, and the `actual` score.

    Both scores are on the 0–1 scale; `actual` is None if the function failed with `error`. `call`
    is the call as code; `tolerance` is the difference up to which the scores agree.
    """

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    expected: float
    actual: float | None
    error: str = ""
    call: str = ""
    tolerance: float = TOLERANCE

    @property
    def agrees(self) -> bool:
        """Whether the scores agree within the tolerance."""
        return self.actual is not None and abs(self.actual - self.expected) <= self.tolerance

    def __str__(self) -> str:
        """Return the case in one line."""
        result = f"fails: {self.error}" if self.actual is None else f"gives {self.actual:.6g}"
        return f"{self.call} {result}; right is {self.expected:.6g}"


@dataclass(frozen=True, slots=True)
class Assessment:
    """The result of `assess`.

    - `passed`: whether all cases agree.
    - `cases`: the shortest texts first.
    - `style`: how the function was called.
    - `misconceptions`: up to two names of misconceptions that give the function's scores.
    - `explanation`: a sentence about them, or about a smoothing that gives these scores, or "".
    - `remark`: a remark on a function that passed, or "".
    """

    passed: bool
    cases: tuple[AssessedCase, ...]
    style: CallStyle
    misconceptions: tuple[str, ...] = ()
    explanation: str = ""
    remark: str = ""

    @property
    def misconception(self) -> str:
        """The first misconception, or ""."""
        return self.misconceptions[0] if self.misconceptions else ""

    @property
    def agreeing(self) -> int:
        """The number of cases that agree."""
        return sum(case.agrees for case in self.cases)

    def __str__(self) -> str:
        """Return how many cases agree, the shortest that does not, and the explanation."""
        size = len(self.cases)
        precision = self.cases[0].tolerance
        lines = [f"{self.agreeing} of {size} cases agree to {precision:g}, as {self.style}."]
        failing = [case for case in self.cases if not case.agrees]
        if failing:
            lines.append(f"The smallest case that does not: {failing[0]}.")
        return "\n".join(filter(None, [*lines, self.explanation, self.remark]))

    def to_dict(self) -> dict[str, Any]:
        """Return the assessment for JSON, with only the cases that do not agree."""
        return {
            "passed": self.passed,
            "agreeing": self.agreeing,
            "total": len(self.cases),
            "call": str(self.style),
            "misconceptions": list(self.misconceptions),
            "explanation": self.explanation,
            "remark": self.remark,
            "cases": [asdict(case) for case in self.cases if not case.agrees],
        }


@document_choices
def assess(
    function: Callable[..., Any], settings: Settings | None = None, **choices: Unpack[Choices]
) -> Assessment:
    """Assess a learner's own function that computes BLEU of a sentence or a corpus.

    The function gets two arguments, candidate and references. `assess` finds out their order,
    whether they are tokens or text, one reference or a list, a sentence or a corpus, and the scale;
    names of parameters such as `reference` decide the order. A third parameter gets `max_order`. Of
    a tuple, the first number counts, of a dictionary that with "bleu" in its key. Scores that are
    rounded pass, and so does a function that fails on an empty candidate only, with a remark.
    The right scores are those of `corpus_bleu` with these settings; misconceptions are named
    only if no choices but `max_order` and `tokenizer` differ from the defaults. Output of the
    function is dropped, and an exception in it fails the case.

    Raises TypeError unless the function is callable, and ValueError if no call of it gives numbers.

    >>> def without_penalty(candidate: list[str], references: list[list[str]]) -> float:
    ...     score = corpus_bleu([candidate], [references])
    ...     return score.geometric_mean
    >>> assess(without_penalty).misconception
    'no-penalty'
    """
    settings = resolve_settings(choices, settings)
    if not callable(function):
        raise TypeError(
            f"function has type {type(function).__name__}; give a function of two texts"
        )
    errors = Counter[str]()
    results = list(_results(function, settings, errors))
    results.sort(key=attrgetter("agreeing"), reverse=True)
    if not results:
        [(error, _)] = errors.most_common(1)
        raise ValueError(
            f"the function gives no number (most often: {error}); give a function of a "
            "candidate and its references that returns the score"
        )
    # A function that takes lists of references must be right with several, too.
    with_lists = {
        result.style
        for result in results
        if result.style.takes_list and all(case.actual is not None for case in result.cases)
    }
    for result in results:
        with_list = result.style._replace(takes_list=True)
        if result.passed and (result.style.takes_list or with_list not in with_lists):
            return result
    by_order: dict[bool, Assessment] = {}
    for result in results:
        order = result.style.references_first
        is_new = result.agreeing and order not in by_order
        if is_new and (explained := _explain(result, settings)):
            by_order[order] = explained
    explanations = list(by_order.values())
    if len(explanations) == 2 and all(result.misconceptions for result in explanations):
        text = " ".join(f"Called as {each.style}: {each.explanation}" for each in explanations)
        names = tuple(dict.fromkeys(name for each in explanations for name in each.misconceptions))
        return replace(explanations[0], misconceptions=names, explanation=text)
    return (explanations or results)[0]


def _tasks(settings: Settings, *, is_corpus: bool) -> list[Task]:
    """Return the fixed and the random cases, the shortest first."""
    random = Random(47)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "it", "was", "so", "warm"]
    segments = [(hypothesis, tuple(references)) for hypothesis, references in _SENTENCES]
    for _ in range(_RANDOM_CASES):
        reference = random.choices(words, k=random.randint(5, 9))
        texts = []
        for _ in range(random.randint(2, 4)):
            text = reference.copy()
            for _ in range(random.randint(0, 2)):
                position = random.randrange(len(text))
                text[position : position + random.randint(0, 1)] = random.choices(
                    words, k=random.randint(0, 2)
                )
            texts.append(" ".join(text))
        segments.append((texts[0], tuple(texts[1:])))
    groups = [[segment] for segment in segments]
    if is_corpus:
        groups += [random.sample(segments[4:], size) for size in _CORPUS_SIZES]
    tasks = [
        Task(
            tuple(hypothesis for hypothesis, _ in group),
            tuple(references for _, references in group),
            settings.max_order,
        )
        for group in groups
    ]
    return sorted(tasks, key=lambda task: len(str((task.hypotheses, task.references))))


def _results(
    function: Callable[..., Any], settings: Settings, errors: Counter[str]
) -> Iterator[Assessment]:
    """Yield an assessment for each style that gives numbers; count other errors in `errors`."""
    all_tasks = [_tasks(settings, is_corpus=is_corpus) for is_corpus in (False, True)]
    orders, extra = _parameter_order(function, settings)
    for is_corpus, *form in product((False, True), orders, (True, False), (True, False)):
        style = CallStyle(is_corpus, *form)
        tasks = [
            task
            for task in all_tasks[is_corpus]
            if style.takes_list or all(len(references) == 1 for references in task.references)
        ]
        cases = [_call(function, task, style, settings, extra) for task in tasks]
        numbers = [case.actual for case in cases if case.actual is not None]
        if not numbers:
            errors.update(case.error for case in cases)
            continue
        # Even a penalty that rewards long texts gives less than 3 on the scale of 0 to 1.
        for scale in (1, 100) if 1 < max(numbers) < 3 else (1,) if max(numbers) < 3 else (100,):
            yield _scaled(cases, style._replace(scale=scale))


def _parameter_order(
    function: Callable[..., Any], settings: Settings
) -> tuple[tuple[bool, ...], tuple[Any, ...]]:
    """Return whether references may come first, for each order to try, and further arguments."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # Some functions in C have no signature.
        return (False, True), ()
    kinds = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
    positional = [each for each in parameters if each.kind in kinds]
    n = settings.max_order
    extra = tuple(
        [1 / n] * n if "weight" in each.name.lower() else n
        for each in positional[2:]
        if each.default is each.empty
    )
    names = [each.name.lower() for each in positional[:2]]
    for pattern, is_reference in ((_REFERENCE_NAMES, True), (_CANDIDATE_NAMES, False)):
        first, second = (bool(re.search(pattern, name)) for name in (*names, "", "")[:2])
        if first != second:
            return (first == is_reference,), extra
    return (False, True), extra


def _scaled(cases: Sequence[AssessedCase], style: CallStyle) -> Assessment:
    """Return the assessment of cases whose `actual` scores are on the scale of a style."""
    numbers = [case.actual for case in cases if case.actual is not None]
    digits = range(2 if style.scale == 1 else 1, 7)
    decimals = next((d for d in digits if all(abs(x - round(x, d)) < 1e-11 for x in numbers)), 0)
    tolerance = TOLERANCE + (0.5 * 10**-decimals / style.scale if decimals else 0)
    scaled = tuple(
        case
        if case.actual is None
        else replace(case, actual=case.actual / style.scale, tolerance=tolerance)
        for case in cases
    )
    failing = [case for case in scaled if not case.agrees]
    fails_if_empty = all(case.actual is None and case.hypotheses == ("",) for case in failing)
    remarks = []
    if decimals:
        remarks.append(f"The scores are rounded to {decimals} decimals; return them as they are.")
    if failing and fails_if_empty:
        remarks.append("It fails on an empty candidate; return 0 there.")
    return Assessment(
        fails_if_empty, scaled, style, remark=" ".join(remarks) if fails_if_empty else ""
    )


def _call(
    function: Callable[..., Any],
    task: Task,
    style: CallStyle,
    settings: Settings,
    extra: tuple[Any, ...],
) -> AssessedCase:
    """Call the function with a task; `actual` of the result is on the function's scale."""

    def convert(text: str) -> Any:
        return list(tokenize(text, settings.tokenizer)) if style.takes_tokens else text

    hypotheses: list[Any] = list(map(convert, task.hypotheses))
    references: list[Any] = [list(map(convert, texts)) for texts in task.references]
    if not style.takes_list:
        references = [texts[0] for texts in references]
    arguments = [hypotheses, references] if style.is_corpus else [hypotheses[0], references[0]]
    if style.references_first:
        arguments.reverse()
    expected = corpus_bleu(task.hypotheses, task.references, settings).value
    call = f"f({', '.join(map(repr, (*arguments, *extra)))})"
    case = AssessedCase(task.hypotheses, task.references, expected, None, call=call)
    try:
        # The function may print and warn if it is called in another style than its own.
        with (
            redirect_stdout(io.StringIO()),
            redirect_stderr(io.StringIO()),
            warnings.catch_warnings(action="ignore"),
        ):
            number = _first_number(function(*arguments, *extra))
    except (Exception, SystemExit) as error:
        return replace(case, error=error_text(error))
    if not math.isfinite(number):
        return replace(case, error=f"it returned {number}")
    return replace(case, actual=number)


def _first_number(result: Any) -> float:
    """Return the score in a result: a number, or the likely one of several."""
    if isinstance(result, dict):
        keys = [key for key in result if "bleu" in str(key).lower()] or list(result)
        result = result[keys[0]]
    if isinstance(result, (tuple, list)):
        result = next(item for item in result if isinstance(item, (int, float)))
    return float(result)


def error_text(error: BaseException) -> str:
    """Return the type and message of an error, shortened between words."""
    text = f"{type(error).__name__}: {error}".removesuffix(": ")
    return textwrap.shorten(text, MAX_ERROR_CHARACTERS, placeholder=" …")


def _explain(result: Assessment, settings: Settings) -> Assessment | None:
    """Return the result with an explanation of all its numbers, or None if there is none."""
    cases = [case for case in result.cases if case.actual is not None]
    if all(case.agrees for case in cases):
        return result  # Only exceptions are wrong, which nothing explains.
    cases.sort(key=attrgetter("agrees"))  # Those that do not agree reject most explanations.
    plain = Settings(max_order=settings.max_order, tokenizer=settings.tokenizer)
    if settings == plain and isinstance(settings.tokenizer, str):
        for names, sentence, score in _wrong_scores():
            if all(_agrees_with(case, score, settings) for case in cases):
                return replace(result, misconceptions=names, explanation=sentence)
    explanation = _smoothing_explanation(cases, settings)
    return replace(result, explanation=explanation) if explanation else None


Score = Callable[[Task], float]


@cache
def _wrong_scores() -> tuple[tuple[tuple[str, ...], str, Score], ...]:
    """Return (names, explanation, score) of each mistake, then of pairs with different stages."""
    single = [
        ((wrong.name,), wrong.sentence, partial(_changed_score, change=wrong.change))
        for wrong in CODE_MISTAKES
    ]
    changes = {wrong.name: wrong for wrong in CODE_MISTAKES if wrong.name != "epsilon-in-log"}
    pairs = []
    for first, second in combinations(changes.values(), 2):
        stages = changed_stages(first.change)
        if stages.keys().isdisjoint(changed_stages(second.change)):
            score = partial(_changed_score, change=both(first.change, second.change))
            sentence = f"{first.sentence} {second.sentence}"
            pairs.append(((first.name, second.name), sentence, score))
    return (*single, *_WHOLE_SCORES, *pairs)


@lru_cache(maxsize=65536)
def _changed_score(task: Task, change: Change) -> float:
    return float(HandCalculation(task, change)["bleu"])


def _score_by_reference(task: Task, combine: Callable[[Sequence[float]], float]) -> float:
    """Return what `combine` makes of the scores of a segment with each of its references."""
    if len(task.hypotheses) > 1:
        return math.nan
    tasks = (replace(task, references=((text,),)) for text in task.references[0])
    return combine([_changed_score(each, CORRECT) for each in tasks])


def _score_by_characters(task: Task) -> float:
    """Return the score with lengths in characters."""
    c = sum(map(len, task.hypotheses))
    pairs = zip(task.hypotheses, task.references, strict=True)
    r = sum(min((abs(len(each) - len(h)), len(each)) for each in texts)[1] for h, texts in pairs)
    given = {"c": Fraction(c), "r": Fraction(r)}
    return float(HandCalculation(task, CORRECT, given)["bleu"])


_EACH_REFERENCE: Final = (
    " of the scores with each reference; an n-gram is credited if any reference has it, in one "
    "score."
)
_WHOLE_SCORES: Final = (
    (
        ("best-reference",),
        f"You took the best{_EACH_REFERENCE}",
        partial(_score_by_reference, combine=max),
    ),
    (
        ("mean-over-references",),
        f"You took the mean{_EACH_REFERENCE}",
        partial(_score_by_reference, combine=fmean),
    ),
    (
        ("lengths-in-characters",),
        "You took the lengths c and r in characters; they are numbers of tokens.",
        _score_by_characters,
    ),
)
"""Mistakes that no stage of a method explains."""


def _agrees_with(case: AssessedCase, score: Score, settings: Settings) -> bool:
    task = Task(case.hypotheses, case.references, settings.max_order, str(settings.tokenizer))
    return replace(case, expected=score(task)).agrees


def _smoothing_explanation(cases: Sequence[AssessedCase], settings: Settings) -> str:
    """Return a sentence on a smoothing that gives all `actual` scores, or ""."""
    for smoothing, effective_order in product(_TRIED_SMOOTHINGS, (False, True)):
        changed = replace(
            settings, smoothing=smoothing, smoothing_value=None, effective_order=effective_order
        )
        scores = (corpus_bleu(case.hypotheses, case.references, changed).value for case in cases)
        agreeing = (
            replace(case, expected=score).agrees for case, score in zip(cases, scores, strict=True)
        )
        if changed != settings and all(agreeing):
            ending = ", without the orders that exceed a text’s length" if effective_order else ""
            return f"These are the scores with smoothing {smoothing}{ending}."
    return ""
