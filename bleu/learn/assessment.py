"""Assessment of a learner's implementation of BLEU with cases that distinguish mistakes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any, Final, NamedTuple, Unpack

from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.settings import Settings, document_choices
from bleu.learn.cases import TOLERANCE, AssessedCase, assessed_texts, right_score, tasks
from bleu.learn.explanations import Explanation, explain, locate
from bleu.learn.hand_calculation import Task
from bleu.learn.submission import (
    LIBRARIES,
    MAX_ERROR_CHARACTERS,
    MAX_NUMBERS,
    Outcome,
    Style,
    Submission,
    Texts,
    arguments,
    claims_bleu,
    printable,
)

OTHER_SCORE: Final = (
    "Called again with the same texts, it gives another score: it keeps something between calls."
)
COLUMNS: Final = ("file", "passed", "agreeing", "total", "misconceptions", "remarks", "case")
"""The columns of a table of verdicts."""


class Call(NamedTuple):
    """How a function was called, and where its score is: the scale, and the place in a result."""

    name: str
    style: Style
    scale: int = 1
    position: int = 0

    def __str__(self) -> str:
        """Return the call as a phrase."""
        is_corpus, references_first, takes_tokens, references = self.style
        hypotheses = "candidates" if is_corpus else "candidate"
        names = {"one": "reference", "list": "references", "streams": "reference streams"}
        both_names = [hypotheses, names[references]]
        if references_first:
            both_names.reverse()
        form = "tokens" if takes_tokens else "text"
        place = f", number {self.position + 1} of its result" if self.position else ""
        return f"{self.name}({', '.join(both_names)}) of {form}, on the 0–{self.scale} scale{place}"


@dataclass(frozen=True, slots=True)
class Assessment:
    """The result of `assess`.

    - `passed`: whether all cases agree.
    - `cases`: the shortest texts first.
    - `style`: how the function was called.
    - `misconceptions`: up to two names of misconceptions that give the function's scores.
    - `explanation`: sentences about them, about a smoothing that gives these scores, or about the
      cases that fail and what the scores imply; or "".
    - `anchor`: the step of a derivation that explains it, or "".
    - `remark`: a remark on a function that passed, or "".
    """

    passed: bool
    cases: tuple[AssessedCase, ...]
    style: Call
    misconceptions: tuple[str, ...] = ()
    explanation: str = ""
    remark: str = ""
    anchor: str = ""

    @property
    def misconception(self) -> str:
        """The first misconception, or ""."""
        return self.misconceptions[0] if self.misconceptions else ""

    @property
    def agreeing(self) -> int:
        """The number of cases that agree."""
        return sum(case.agrees for case in self.cases)

    @property
    def is_constant(self) -> bool:
        """Whether all numbers of the function are the same."""
        return len({case.actual for case in self.cases if case.actual is not None}) < 2

    def with_explanation(self, explanation: Explanation) -> "Assessment":
        """Return the assessment with what explains its scores."""
        names, text, anchor = explanation
        return replace(self, misconceptions=names, explanation=text, anchor=anchor)

    def __str__(self) -> str:
        """Return how many cases agree, the shortest that does not, and the explanation."""
        size = len(self.cases)
        precision = self.cases[0].tolerance
        lines = [f"{self.agreeing} of {size} cases agree to {precision:g}, as {self.style}."]
        failing = [case for case in self.cases if not case.agrees]
        if failing:
            lines.append(f"The smallest case that does not: {failing[0]}.")
            lines.append(f"In it, {failing[0].parts}.")
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
            "anchor": self.anchor,
            "remark": self.remark,
            "cases": [case.to_dict() for case in self.cases if not case.agrees],
        }


@document_choices
def assess(
    function: Callable[..., Any], settings: Settings | None = None, **choices: Unpack[Choices]
) -> Assessment:
    """Assess a learner's own function that computes BLEU of a sentence or a corpus.

    The function gets two arguments, candidate and references. `assess` finds out their order,
    whether they are tokens or text, one reference, a list or streams, a sentence or a corpus, and
    the scale; names of parameters such as `reference` decide the order, and the type `str` that
    they are texts. A single parameter gets pairs, a third one `max_order`. Of a result with several
    numbers, that counts which agrees best. Scores that are rounded pass, and so does a function
    that fails only on candidates of fewer words than the largest order, with a remark. The right
    scores are those of `corpus_bleu` with these settings; misconceptions are named only if no
    choices but `max_order` and `tokenizer` differ from the defaults. Output of the function is
    dropped, and an exception in it fails the case.

    Raises TypeError unless the function is callable, and ValueError if no call of it gives numbers.

    >>> from bleu import corpus_bleu
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
    outcomes = Submission([]).iter_outcomes(function, assessed_texts(settings), settings.max_order)
    return judge([("f", *found) for found in outcomes], settings)


def judge(found: Sequence[tuple[str, Style, Sequence[Outcome]]], settings: Settings) -> Assessment:
    """Return the verdict on the outcomes of functions, by name and style.

    Each function must be right whose name claims BLEU (`claims_bleu`) and that returns scores or
    has parameters named for candidates and references. If there is none, any right one passes.

    Raises ValueError if there are no numbers.
    """
    results = [result for each in found for result in _results(*each, settings)]
    # Many functions are right where the score is 0, so that says little about a style.
    results.sort(
        key=lambda result: (
            sum(case.agrees for case in result.cases if case.expected),
            not result.is_constant,
            result.agreeing,
        ),
        reverse=True,
    )
    # A function that takes lists of references must be right with several, too.
    with_lists = {
        (result.style.name, result.style.style)
        for result in results
        if result.style.style.references != "one"
        and all(case.actual is not None for case in result.cases)
    }
    passed: dict[str, Assessment] = {}
    for result in results:
        name, style = result.style.name, result.style.style
        with_list = name, style._replace(references="list")
        if result.passed and (style.references != "one" or with_list not in with_lists):
            passed.setdefault(name, result)
    scoring = {
        result.style.name
        for result in results
        if 2 * sum(case.actual is not None for case in result.cases) >= len(result.cases)
    }
    orders = dict.fromkeys((name, style.references_first) for name, style, _ in found)
    wrong = [
        name
        for name, number in Counter(name for name, _ in orders).items()
        if name not in passed
        and claims_bleu(name, settings.max_order)
        and (name in scoring or number == 1)  # Names of parameters decide their order.
    ]
    if passed and not wrong:
        return next(iter(passed.values()))
    if wrong:
        found = [each for each in found if each[0] in wrong]
        results = [result for result in results if result.style.name in wrong]
    outcomes = [outcome for *_, each in found for outcome in each if outcome != ""]
    texts = [outcome for outcome in outcomes if isinstance(outcome, str)]
    if not results or (
        all(result.is_constant for result in results) and 2 * len(texts) > len(outcomes)
    ):
        [(error, _)] = Counter(texts).most_common(1) or [("it cannot be called", 1)]
        reason = error if error.startswith("it ") else f"it stops with {error}"
        name = f" {wrong[0]}" if passed else ""
        raise ValueError(
            f"the function{name} gives no number, because {reason}; give a function of a candidate "
            "and its references that returns the score"
        )
    result = _explained(results, settings)
    if not passed:
        return result
    text = f"{next(iter(passed))} is right, but {result.style.name} is not. {result.explanation}"
    return replace(result, explanation=text.strip())


def _explained(results: Sequence[Assessment], settings: Settings) -> Assessment:
    """Return the likeliest of assessments that did not pass, with what explains its scores."""
    by_order: dict[bool, Assessment] = {}
    takes_tokens = results[0].style.style.takes_tokens
    # Each function of tokens, called with texts, counts letters.
    likely = [each for each in results if each.style.style.takes_tokens == takes_tokens]
    for result in likely:
        order = result.style.style.references_first
        is_new = result.agreeing and order not in by_order
        if is_new and (found_cause := explain(result.cases, settings)):
            by_order[order] = result.with_explanation(found_cause)
    explained = list(by_order.values())
    if len(explained) == 2 and all(result.misconceptions for result in explained):
        text = " ".join(f"Called as {each.style}: {each.explanation}" for each in explained)
        names = tuple(dict.fromkeys(name for each in explained for name in each.misconceptions))
        return replace(explained[0], misconceptions=names, explanation=text)
    if explained:
        return explained[0]
    return results[0].with_explanation(locate(results[0].cases, settings))


def _results(
    name: str, style: Style, outcomes: Sequence[Outcome], settings: Settings
) -> Iterator[Assessment]:
    """Yield an assessment for each place in the result and each scale that the numbers may have."""
    rows = [
        (task, texts, outcome)
        for task, texts, outcome in zip(
            # A call that is missing in a forged result is wrong.
            tasks(settings),
            assessed_texts(settings),
            chain(outcomes, repeat("it was not run")),
            strict=False,
        )
        if style.is_corpus or len(task.hypotheses) == 1
    ]
    lists = [outcome for *_, outcome in rows if not isinstance(outcome, str)]
    for position in range(min(map(len, lists), default=0)):
        cases = [_case(*row, Call(name, style, 1, position), settings) for row in rows]
        numbers = [case.actual for case in cases if case.actual is not None]
        # Even a penalty that rewards long texts gives less than 3 on the scale of 0 to 1.
        for scale in (1, 100) if 1 < max(numbers) < 3 else (1,) if max(numbers) < 3 else (100,):
            result = _scaled(cases, Call(name, style, scale, position), settings.max_order)
            is_same = list(outcomes[len(tasks(settings)) :]) in ([], [outcomes[0]])
            yield result if is_same else replace(result, passed=False, remark=OTHER_SCORE)


def _case(
    task: Task, texts: Texts, outcome: Outcome, call: Call, settings: Settings
) -> AssessedCase:
    """Return a case with its `actual` score still on the function's scale."""
    if call.style.references == "one":
        task = replace(task, references=tuple(texts[:1] for texts in task.references))
    shown = ", ".join(map(repr, arguments(texts, call.style)))
    expected, made = right_score(task, settings).value, f"{call.name}({shown})"
    case = AssessedCase(task.hypotheses, task.references, settings, expected, None, call=made)
    if isinstance(outcome, str):
        return replace(case, error=outcome)
    return replace(case, actual=outcome[call.position])


def _scaled(cases: Sequence[AssessedCase], call: Call, max_order: int) -> Assessment:
    """Return the assessment of cases whose `actual` scores are on the scale of a call."""
    numbers = [case.actual for case in cases if case.actual is not None]
    digits = range(2 if call.scale == 1 else 0, 7)
    decimals = next((d for d in digits if all(abs(x - round(x, d)) < 1e-11 for x in numbers)), None)
    rounding = 0.0 if decimals is None else 0.5 * 10**-decimals / call.scale
    tolerance = TOLERANCE + rounding
    scaled = [
        case
        if case.actual is None
        else replace(case, actual=case.actual / call.scale, tolerance=tolerance)
        for case in cases
    ]
    scaled.sort(key=lambda case: len(str(case.task)))
    failing = [case for case in scaled if not case.agrees]
    words = [len(text.split()) for case in failing for text in case.hypotheses]
    only_short = all(case.actual is None for case in failing) and max(words, default=0) < max_order
    remarks = []
    if rounding:
        remarks.append(f"The scores are rounded to {decimals} decimals; return them as they are.")
    if failing and only_short:
        limit = (
            f"a candidate of fewer than {max_order} words" if any(words) else "an empty candidate"
        )
        remarks.append(f"It fails on {limit}; return 0 there.")
    return Assessment(
        only_short, tuple(scaled), call, remark=" ".join(remarks) if only_short else ""
    )


def verdict(result: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the verdict on what `bleu.learn.submission` found, as data; numbers are all it trusts.

    A submission without numbers, or with a malformed result, gets the reason as its verdict.
    """
    if "error" in result:
        return failure(printable(str(result["error"])[:MAX_ERROR_CHARACTERS]))
    try:
        found = [
            (
                printable(str(name)[:80]),
                Style(*map(_plain, style)),
                [_plain_outcome(o) for o in outcomes],
            )
            for name, style, outcomes in result["found"]
        ]
        libraries = [str(name) for name in result["libraries"] if name in LIBRARIES]
        assessment = judge(found, settings)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        reasons = [str(error), *map(str, list(result.get("errors", ()))[:1])]
        text = ". While it was loaded, ".join(reasons)
        return failure(printable(text[: 2 * MAX_ERROR_CHARACTERS]))
    failing = next((str(case) for case in assessment.cases if not case.agrees), "")
    data = {**assessment.to_dict(), "smallest_case": failing, "report": str(assessment)}
    return {**data, "libraries": libraries}


def _plain(value: Any) -> Any:
    if not isinstance(value, bool | str):
        raise TypeError("the result of the submission is malformed")
    return value


def _plain_outcome(outcome: Any) -> Outcome:
    if isinstance(outcome, str):
        return printable(outcome[: 2 * MAX_ERROR_CHARACTERS])
    return [float(number) for number in outcome[:MAX_NUMBERS]]


def failure(reason: str) -> dict[str, Any]:
    """Return the verdict on a submission that gives no numbers."""
    reason = f"{reason[:1].upper()}{reason[1:].removesuffix('.')}."
    return {"passed": False, "error": reason, "report": reason}


def remarks(result: Mapping[str, Any]) -> str:
    """Return what is to be said about a verdict, in sentences."""
    parts = (result.get(name) for name in ("error", "explanation", "remark"))
    marks = (f"{mark[0].upper()}{mark[1:]}." for mark in result.get("marks", ()))
    return " ".join(filter(None, (*parts, *marks)))


def table_row(result: Mapping[str, Any]) -> list[str]:
    """Return the values of `COLUMNS` for a verdict."""
    values = [str(result.get(name, "")) for name in COLUMNS[:4]]
    names = " ".join(result.get("misconceptions", ()))
    return [*values, names, remarks(result), str(result.get("smallest_case", ""))]
