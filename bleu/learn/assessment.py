"""Assessment of a learner's implementation of BLEU with cases that distinguish mistakes."""

import io
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations, product
from operator import attrgetter
from random import Random
from typing import Any, Final, NamedTuple, Unpack

from bleu.core.api import corpus_bleu
from bleu.core.choices import Choices, SmoothingName
from bleu.core.conventions import resolve_settings
from bleu.core.settings import Settings, document_choices
from bleu.core.tokenizers import tokenize
from bleu.learn.hand_calculation import CORRECT, HandCalculation, Method, Task
from bleu.learn.misconceptions import MISCONCEPTIONS

TOLERANCE: Final = 1e-9
"""The difference, on the 0–1 scale, up to which two scores agree."""

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
)
_RANDOM_CASES: Final = 24
_CORPUS_SIZES: Final = (2, 2, 3, 5)
_TRIED_SMOOTHINGS: Final[tuple[SmoothingName, ...]] = (
    *("none", "floor", "add-k", "exp", "add-k-all"),
)


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

    Both scores are on the 0–1 scale; `actual` is None if the function failed with `error`.
    """

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    expected: float
    actual: float | None
    error: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the scores agree within `TOLERANCE`."""
        return self.actual is not None and abs(self.actual - self.expected) <= TOLERANCE

    def __str__(self) -> str:
        """Return the case in one line."""
        texts: list[Any] = [list(self.hypotheses), list(map(list, self.references))]
        hypotheses, references = (side[0] if len(side) == 1 else side for side in texts)
        result = f"fails: {self.error}" if self.actual is None else f"gives {self.actual:.6g}"
        return f"{hypotheses!r} against {references!r} {result}; right is {self.expected:.6g}"


@dataclass(frozen=True, slots=True)
class Assessment:
    """The result of `assess`.

    - `passed`: whether all cases agree.
    - `cases`: the shortest texts first.
    - `style`: how the function was called.
    - `misconceptions`: up to two names in `MISCONCEPTIONS` that give the function's scores.
    - `explanation`: a sentence about them, or about a smoothing that gives these scores, or "".
    """

    passed: bool
    cases: tuple[AssessedCase, ...]
    style: CallStyle
    misconceptions: tuple[str, ...] = ()
    explanation: str = ""

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
        lines = [f"{self.agreeing} of {size} cases agree to {TOLERANCE:g}, as {self.style}."]
        failing = [case for case in self.cases if not case.agrees]
        if failing:
            lines.append(f"The smallest case that does not: {failing[0]}.")
        return "\n".join(filter(None, [*lines, self.explanation]))

    def to_dict(self) -> dict[str, Any]:
        """Return the assessment for JSON, with only the cases that do not agree."""
        return {
            "passed": self.passed,
            "agreeing": self.agreeing,
            "total": len(self.cases),
            "call": str(self.style),
            "misconceptions": list(self.misconceptions),
            "explanation": self.explanation,
            "cases": [asdict(case) for case in self.cases if not case.agrees],
        }


@document_choices
def assess(
    function: Callable[..., Any], settings: Settings | None = None, **choices: Unpack[Choices]
) -> Assessment:
    """Assess a learner's own function that computes BLEU of a sentence or a corpus.

    The function gets two arguments, candidate and references. `assess` finds out their order,
    whether they are tokens or text, one reference or a list, a sentence or a corpus, and the scale.
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
            f"the function gives no number (most often: {error[:70]}); give a function of a "
            "candidate and its references that returns the score"
        )
    for result in results:
        if result.passed:
            return result
    for result in results:
        if result.agreeing and (explained := _explain(result, settings)):
            return explained
    return results[0]


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
    for is_corpus, *form in product((False, True), (False, True), (True, False), (True, False)):
        style = CallStyle(is_corpus, *form)
        tasks = [
            task
            for task in _tasks(settings, is_corpus=is_corpus)
            if style.takes_list or all(len(references) == 1 for references in task.references)
        ]
        cases = [_call(function, task, style, settings) for task in tasks]
        if all(case.actual is None for case in cases):
            errors.update(case.error for case in cases)
            continue
        for scale in (1, 100):
            scaled = tuple(
                case if case.actual is None else replace(case, actual=case.actual / scale)
                for case in cases
            )
            passed = all(case.agrees for case in scaled)
            yield Assessment(passed, scaled, style._replace(scale=scale))


def _call(
    function: Callable[..., Any], task: Task, style: CallStyle, settings: Settings
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
    case = AssessedCase(task.hypotheses, task.references, expected, None)
    try:
        # The function may print and warn if it is called in another style than its own.
        with redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
            number = float(function(*arguments))
    except Exception as error:
        return replace(case, error=f"{type(error).__name__}: {error}"[:200])
    if not math.isfinite(number):
        return replace(case, error=f"it returned {number}")
    return replace(case, actual=number)


def _explain(result: Assessment, settings: Settings) -> Assessment | None:
    """Return the result with an explanation of all its numbers, or None if there is none."""
    cases = [case for case in result.cases if case.actual is not None]
    if all(case.agrees for case in cases):
        return result  # Only exceptions are wrong, which nothing explains.
    plain = Settings(max_order=settings.max_order, tokenizer=settings.tokenizer)
    if settings == plain and isinstance(settings.tokenizer, str):
        for names, method in _wrong_methods():
            if all(_agrees_with_method(case, method, settings) for case in cases):
                explanation = " ".join(MISCONCEPTIONS[name].sentence for name in names)
                return replace(result, misconceptions=names, explanation=explanation)
    explanation = _smoothing_explanation(cases, settings)
    return replace(result, explanation=explanation) if explanation else None


def _wrong_methods() -> Iterator[tuple[tuple[str, ...], Method]]:
    """Yield (names, method) of each misconception, then of each pair with different stages."""
    methods = {
        name: misconception.method
        for name, misconception in MISCONCEPTIONS.items()
        if misconception.topic != "trust"
    }
    for name, method in methods.items():
        yield (name,), method
    for first, second in combinations(methods, 2):
        first_stages, second_stages = map(_wrong_stages, (methods[first], methods[second]))
        if first_stages.keys().isdisjoint(second_stages):
            yield (first, second), Method(**first_stages, **second_stages)


def _wrong_stages(method: Method) -> dict[str, Any]:
    """Return the stages of a method that differ from the correct one, by name."""
    stages = {field.name: getattr(method, field.name) for field in fields(Method)}
    return {name: stage for name, stage in stages.items() if stage != getattr(CORRECT, name)}


def _agrees_with_method(case: AssessedCase, method: Method, settings: Settings) -> bool:
    task = Task(case.hypotheses, case.references, settings.max_order, str(settings.tokenizer))
    return replace(case, expected=float(HandCalculation(task, method)["bleu"])).agrees


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
