"""Exercises that ask to mark the credited words, or longer n-grams, of the candidate."""

import re
from collections import Counter
from typing import Final

from bleu.learn.exercise import Exercise, Field
from bleu.learn.hand_calculation import (
    CORRECT,
    Change,
    HandCalculation,
    changed_stages,
    method_by_hand,
)
from bleu.learn.kinds.kind import Judgement, Kind, complete
from bleu.learn.misconceptions import MISCONCEPTIONS, misconceptions_about
from bleu.learn.sentences import SeededRandom


def _draft_mark(_: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the marking of credited words, at least one of which is not credited."""
    if HandCalculation(outline.task)["p-1"] == 1:
        return None
    field = Field("words", "credited words of the candidate", "precision-1")
    return complete(outline, (field,), ("matched-1",))


def _prompt(exercise: Exercise) -> str:
    n = exercise.marked_order
    noun = "word" if n == 1 else f"{n}-gram"
    return (
        f"Which {noun}s of the candidate are credited in the precision of {n}-grams? Mark them. "
        f"If a {noun} is credited fewer times than it occurs, mark its first occurrences."
    )


def _reveal(draft: Exercise) -> tuple[str, ...]:
    """Return the target if no other method, right or wrong, credits the same words."""
    credits = {
        misconception.name: HandCalculation(draft.task, misconception.change).credits(0, 1)
        for misconception in misconceptions_about("clipping")
        if "credit" in changed_stages(misconception.change)
    }
    targeted = credits[draft.target.name]
    is_hidden = targeted == HandCalculation(draft.task).credits(0, 1)
    return () if is_hidden or list(credits.values()).count(targeted) > 1 else (draft.target.name,)


def _judge(exercise: Exercise, text: str) -> Judgement:
    """Judge marks; as the n-grams are shown, only misconceptions about clipping explain them."""
    about_clipping = (wrong.name for wrong in misconceptions_about("clipping"))
    names = tuple(
        name
        for name in dict.fromkeys((*exercise.misconceptions, *about_clipping))
        if _agrees(exercise, text, MISCONCEPTIONS[name].change)
    )
    return _agrees(exercise, text, CORRECT), names, ""


def _agrees(exercise: Exercise, text: str, change: Change) -> bool:
    """Return whether a method credits the n-grams marked by `text`, their 1-based positions."""
    grams, n = exercise.marked_grams, exercise.marked_order
    positions = {int(digits) for digits in re.findall(r"\d{1,3}", text)}
    existing = [position for position in positions if 0 < position <= len(grams)]
    # A method that ignores word order sorts each n-gram, so do the same to the marked ones.
    ngrams = method_by_hand(exercise.task.tokenizer, change).ngrams
    marked = Counter(ngrams(grams[position - 1], n)[0] for position in existing)
    credited = HandCalculation(exercise.task, change).credits(0, n)
    return len(existing) == len(positions) and +Counter(credited) == marked


def _choices(exercise: Exercise, change: Change) -> dict[str, str]:
    """Return the positions of credited n-grams, or their number if the method is changed."""
    remaining = Counter(HandCalculation(exercise.task, change).credits(0, exercise.marked_order))
    if change is not CORRECT:
        return {"words": str(remaining.total())}
    positions = []
    for position, gram in enumerate(exercise.marked_grams, 1):
        if remaining[gram]:
            remaining[gram] -= 1
            positions.append(str(position))
    return {"words": " ".join(positions)}


MARK: Final = Kind(
    "mark", "Mark words", _draft_mark, _prompt, reveal=_reveal, judge=_judge, choices=_choices
)
