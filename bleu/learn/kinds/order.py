"""Exercises that ask to rank three translations."""

import re
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Final

from bleu.learn.exercise import Exercise, Field
from bleu.learn.hand_calculation import CORRECT, Change, HandCalculation, Task
from bleu.learn.kinds.kind import Judgement, Kind, complete
from bleu.learn.misconceptions import MISCONCEPTIONS, misconceptions_about
from bleu.learn.sentences import (
    PATTERNS,
    SHORT_PATTERNS,
    SeededRandom,
    random_edits,
    random_sentence,
)

_POWERS: Final = (
    " Roughly, exp(−1/7) is 0.87, exp(−1/6) 0.85, exp(−1/5) 0.82, exp(−1/4) 0.78, exp(−1/3) 0.72, "
    "and exp(−1/2) 0.61."
)
"""Values of exp for learners without a calculator."""


def _draw_three_translations(rng: SeededRandom, outline: Exercise) -> Task:
    """Return three translations with the same reference."""
    pattern = rng.choice(PATTERNS if outline.topic == "brevity" else SHORT_PATTERNS)
    reference = random_sentence(rng, pattern, 7)
    hypotheses = tuple(
        " ".join(random_edits(rng, pattern, reference, 1 + rng.randbelow(3))) for _ in range(3)
    )
    references = ((" ".join(reference),),) * 3
    return replace(outline.task, hypotheses=hypotheses, references=references)


def _draft_order(_: SeededRandom, outline: Exercise) -> Exercise | None:
    field = order_field(outline.task)
    return complete(outline, (field,), outline.task.quantity_names()) if field.answer else None


def order_field(task: Task) -> Field:
    """Return the field for a ranking of the translations; see `rank_letters` on its answer."""
    options = tuple(map("".join, permutations("ABC"[: len(task.hypotheses)])))
    answer = rank_letters(task, CORRECT)
    return Field("order", "from the best to the worst", "score", answer, options)


def rank_letters(task: Task, change: Change) -> str:
    """Return the letters of translations, best first; "" if two scores are within 0.01.

    >>> rank_letters(Task(("a b", "c", "a c"), (("a b",),) * 3, 1), CORRECT)
    'ACB'
    """
    scores = [float(HandCalculation(segment, change)["bleu"]) for segment in task.segments]
    ranking = sorted(range(len(scores)), key=lambda i: -scores[i])
    are_distinct = all(scores[i] - scores[j] > 0.01 for i, j in pairwise(ranking))
    return "".join("ABC"[i] for i in ranking) if are_distinct else ""


def compared_ngrams_text(max_order: int) -> str:
    """Return the n-grams that BLEU-N compares, described without the term n-gram.

    >>> compared_ngrams_text(2), compared_ngrams_text(4)
    ('single words and pairs of words', '1 to 4 words in a row')
    """
    if max_order == 2:
        return "single words and pairs of words"
    return f"1 to {max_order} words in a row"


def _prompt(exercise: Exercise) -> str:
    n = exercise.max_order
    return (
        f"Each of these translations is scored by itself with BLEU-{n}, by "
        f"{compared_ngrams_text(n)}. Rank them from the best to the worst."
        f"{_POWERS if exercise.by_hand and exercise.topic == 'brevity' else ''}"
    )


def _reveal(draft: Exercise) -> tuple[str, ...]:
    wrong_order = rank_letters(draft.task, draft.target.change)
    return (draft.target.name,) if wrong_order not in ("", draft.fields[0].answer) else ()


def _judge(exercise: Exercise, text: str) -> Judgement:
    """Judge a ranking; many misconceptions agree by chance, so only the exercise's count."""
    letters = "".join(re.findall("[A-Z]", text.upper()))
    names = tuple(
        name
        for name in exercise.misconceptions
        if rank_letters(exercise.task, MISCONCEPTIONS[name].change) == letters
    )
    return rank_letters(exercise.task, CORRECT) == letters, names, ""


ORDER: Final = Kind(
    "order",
    "Rank translations",
    _draft_order,
    _prompt,
    "Compare the longest n-grams first: one precision of 0 makes BLEU 0.",
    _draw_three_translations,
    _reveal,
    _judge,
    lambda exercise, change: {"order": rank_letters(exercise.task, change)},
    targets=(
        *(misconception.name for misconception in misconceptions_about("combination")),
        *("no-penalty", "penalty-upside-down", "penalty-swapped", "penalty-rewards"),
    ),
    min_length=3,
)
