"""The misconceptions that an exercise can target, and those that a draft reveals."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bleu.learn.drafting import rank_letters
from bleu.learn.exercise import Exercise
from bleu.learn.goals import GOALS
from bleu.learn.hand_calculation import CORRECT, HandCalculation, Method, calculate_all
from bleu.learn.misconceptions import MISCONCEPTIONS, misconceptions_about

INDISTINGUISHABLE: Final = {
    "no-penalty": frozenset({"penalty-upside-down"}),
    "c-minus-n": frozenset({"c-minus-n-from-2"}),
    "c-minus-n-from-2": frozenset({"c-minus-n"}),
}
"""By target: the misconceptions that may give the same values in an exercise on it."""

RARE_IN_WHOLE: Final = frozenset(
    {"zeros-skipped", "penalty-upside-down", "penalty-rewards"}
    | {"shortest-reference", "first-reference-length", "longer-of-two"}
    | {"sum-over-references", "first-reference-only"}
)
"""Misconceptions that exercises on the whole score seldom reveal, as all have 0 < p and c < r."""

_TARGETS_BY_KIND: Final[dict[str, Sequence[str]]] = {
    "make": tuple(goal.misconception for goal in GOALS.values()),
    "order": (
        *(misconception.name for misconception in misconceptions_about("combination")),
        *("no-penalty", "penalty-upside-down", "penalty-swapped", "penalty-rewards"),
    ),
    "totals": ("ngrams-across-segments",),
    "setting": ("case-folded", "punctuation-split", "highest-order-only", "longest-reference"),
}
"""By kind: the possible targets; all other kinds can target every misconception."""


def possible_targets(topic: str, kind: str, tokenizer: str, by_hand: bool) -> list[str]:
    """Return the names of the misconceptions that an exercise of a kind on a topic can target."""
    excluded = {"punctuation-kept"} if tokenizer == "whitespace" else {"punctuation-split"}
    if topic == "corpus" and kind == "bet" and by_hand:
        # These means are decimals, which exercises by hand do not offer as options.
        excluded |= {"mean-of-penalties", "mean-of-scores"}
    if topic == "whole":
        for other_topic in ("tokens", "corpus", "trust"):
            excluded |= {misconception.name for misconception in misconceptions_about(other_topic)}
        excluded |= RARE_IN_WHOLE
    possible = set(_TARGETS_BY_KIND.get(kind, MISCONCEPTIONS)) - excluded
    names = (misconception.name for misconception in misconceptions_about(topic))
    return [name for name in names if name in possible]


def revealed_misconceptions(draft: Exercise) -> tuple[str, ...]:
    """Return the misconceptions that a draft reveals, target first; () if it hides the target."""
    task, target = draft.task, draft.target
    match draft.kind:
        case "make" | "setting" | "mistake" | "claim":
            return (target.name,)
        case "order":
            wrong_order = rank_letters(task, target.method)
            return (target.name,) if wrong_order not in ("", draft.fields[0].answer) else ()
        case "mark":
            right = HandCalculation(task).credits(0, 1)
            credits = {
                misconception.name: HandCalculation(task, misconception.method).credits(0, 1)
                for misconception in misconceptions_about("clipping")
                if misconception.method.credit is not CORRECT.credit
            }
            targeted = credits[target.name]
            if targeted == right or list(credits.values()).count(targeted) > 1:
                return ()
            return (target.name,)
        case _:
            return _distinguished(draft)


def _distinguished(draft: Exercise) -> tuple[str, ...]:
    """Return the misconceptions whose values differ from the right ones and all other wrong ones.

    The target comes first, and need not differ from those in `INDISTINGUISHABLE`; the result is
    empty if it differs too little. Values that agree to two decimals count as equal.
    """
    target, given_values = draft.target, draft.given_values

    def outcome(method: Method) -> tuple[float, ...]:
        values = calculate_all(draft.task, draft.names, method, given_values)
        return tuple(round(float(value), 2) for value in values.values())

    right_outcome, target_outcome = outcome(CORRECT), outcome(target.method)
    if target_outcome == right_outcome:
        return ()
    outcomes = {
        misconception.name: outcome(misconception.method)
        for misconception in MISCONCEPTIONS.values()
    }
    equal = {name for name in outcomes if outcomes[name] == target_outcome} - {target.name}
    if equal - INDISTINGUISHABLE.get(target.name, frozenset()):
        return ()
    counts = Counter(outcomes.values())
    unique = (
        name for name in outcomes if outcomes[name] != right_outcome and counts[outcomes[name]] == 1
    )
    return (target.name, *(name for name in unique if name != target.name))
