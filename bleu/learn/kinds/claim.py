"""Exercises that ask to judge a claim about what BLEU can say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bleu.analysis.agreement import human_agreement
from bleu.learn.exercise import Exercise, Field
from bleu.learn.hand_calculation import Task
from bleu.learn.kinds.kind import Kind, complete, judge_by_answer, reveal_target
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.sentences import SeededRandom


@dataclass(frozen=True, slots=True)
class Claim:
    """A question on what BLEU can say.

    - `answer`: the right answer; `wrong_answers`: the others, which show the misconception `name`.
    - `example`: texts that show the answer.
    """

    name: str
    question: str
    answer: str
    wrong_answers: tuple[str, ...]
    example: Task


def _preference_text(points: float) -> str:
    return f"in about {100 * human_agreement(points / 100):.0f} of 100 such pairs"


_TRAIN: Final = ("we did not see the train leave",)
_ALL: Final = (
    Claim(
        "source-needed",
        "Does BLEU need the text that was translated, the source?",
        "No: it compares the candidate with the references only",
        (
            "Yes: without it, nobody knows whether the meaning was kept",
            "Yes: r is the length of the source",
        ),
        Task(("we did not see the train",), (_TRAIN,)),
    ),
    Claim(
        "reference-harmless",
        "A candidate gets one more reference. What can that do to its BLEU?",
        "Raise or lower it: new matches raise precisions, and another length may be closest to c",
        (
            "Only raise it: more words can match",
            "Only lower it: every reference must have the words",
            "Nothing: the first reference counts",
        ),
        Task(
            ("the cat sat on the mat",),
            (("the cat sat down", "there was one cat lying over there"),),
        ),
    ),
    Claim(
        "scores-comparable",
        "Your system has 0.30 BLEU, and one in another paper has 0.35. Is that one better?",
        "Nobody can tell: test set, references, tokens and settings may differ",
        ("Yes: BLEU is the same scale for all texts", "Yes: five points are more than chance"),
        Task(("The train left.",), (("The train left .",),)),
    ),
    Claim(
        "equal-scores",
        "Can two different translations of a sentence have the same BLEU?",
        "Yes: BLEU only counts matches and lengths",
        ("No: each translation has a score of its own", "Only if both are perfect or both are 0"),
        Task(("the cat sat on a mat",), (("the cat sat on the mat", "the cat sat on a rug"),)),
    ),
    Claim(
        "meaning-measured",
        "“we did see the train leave” scores high against “we did not see the train leave”. Why?",
        "BLEU compares words, and only one is missing",
        (
            "BLEU takes the sentence for a paraphrase",
            "It cannot: BLEU is low if the meaning is the opposite",
        ),
        Task(("we did see the train leave",), (_TRAIN,)),
    ),
    Claim(
        "differences-certain",
        "On a large test set, system B scores 1 BLEU (of 100) more than system A. How often do "
        "people prefer B?",
        f"More often than not: {_preference_text(1)}",
        ("Nearly always: a point is a point", f"Very often: {_preference_text(5)}"),
        Task(("we did not see a train leave",), (_TRAIN,)),
    ),
)

CLAIMS: Final[Mapping[str, Claim]] = {claim.name: claim for claim in _ALL}
"""All claims, by the name of the misconception that a wrong answer shows."""


def claim_field(name: str, rng: SeededRandom) -> Field:
    """Return the field for the answer to a claim, with its answers in random order."""
    claim = CLAIMS[name]
    options = tuple(rng.shuffled((claim.answer, *claim.wrong_answers)))
    return Field("claim", "your answer", MISCONCEPTIONS[name].anchor, claim.answer, options)


def _draft_claim(rng: SeededRandom, outline: Exercise) -> Exercise:
    name = outline.target.name
    return complete(outline, (claim_field(name, rng),), detail=name)


CLAIM: Final = Kind(
    "claim",
    "Judge a claim",
    _draft_claim,
    lambda exercise: CLAIMS[exercise.detail].question,
    "What goes into BLEU? N-grams of candidate and references, and two lengths.",
    lambda _, outline: CLAIMS[outline.target.name].example,
    reveal_target,
    lambda exercise, text: (judge_by_answer(exercise, text)[0], exercise.misconceptions, ""),
)
