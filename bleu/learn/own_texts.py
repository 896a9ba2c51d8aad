"""Exercises on texts of a teacher."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bleu.core.display import short_repr
from bleu.learn.exercise import MAX_EFFORT, Exercise
from bleu.learn.generation import VERSION, possible_targets
from bleu.learn.hand_calculation import Task, split_tokens
from bleu.learn.kinds import KINDS
from bleu.learn.sentences import SeededRandom

MAX_TOKENS: Final = 12
"""The largest number of tokens of a text by a teacher."""


def exercise_on_texts(
    exercise: Exercise, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> Exercise:
    """Return an exercise of the same kind and topic on other texts.

    The number of hypotheses stays the same. Each has N (`max_order`) to 12 tokens, and 1 to 3
    references of 1 to 12 tokens; in a corpus, only the longest needs N tokens. Translations to rank
    have the same references. If the texts cannot reveal the target, another misconception about the
    topic replaces it.

    Raises ValueError if the texts are invalid, take more effort than `MAX_EFFORT` allows, or do
    not suit the kind.

    >>> from bleu.learn.generation import exercises
    >>> first = exercises("7k2q", ("clipping",), 1, kinds=("step",))[0]
    >>> exercise_on_texts(first, ["the the cat"], [["the cat sat"]]).task.references
    (('the cat sat',),)
    """
    task = replace(
        exercise.task,
        hypotheses=tuple(" ".join(text.split()) for text in hypotheses),
        references=tuple(
            tuple(" ".join(text.split()) for text in segment_references)
            for segment_references in references
        ),
    )
    _check_texts(exercise, task)
    topic = exercise.topic
    other_targets = possible_targets(topic, exercise.kind, task.tokenizer, by_hand=False)
    for name in dict.fromkeys((exercise.target.name, *other_targets)):
        rng = SeededRandom(f"{VERSION}/{exercise.seed}/{exercise.number}/{name}")
        outline = replace(exercise, task=task, misconceptions=(name,), by_hand=False)
        draft = KINDS[exercise.kind].draft(rng, outline)
        if draft and (misconceptions := KINDS[exercise.kind].reveal(draft)):
            max_effort = MAX_EFFORT[exercise.by_hand]
            if draft.effort > max_effort:
                raise ValueError(
                    f"these texts take {draft.effort} comparisons and sums, but at most "
                    f"{max_effort} are allowed; use shorter texts or fewer references"
                )
            return replace(draft, misconceptions=misconceptions, by_hand=exercise.by_hand)
    raise ValueError(
        f"with these texts, the usual mistakes about {topic} give the right answer, so this kind "
        "of exercise would test nothing; use other texts"
    )


def _check_texts(exercise: Exercise, task: Task) -> None:
    expected = len(exercise.hypotheses)
    count = len(task.hypotheses)
    if len(task.references) != count:
        raise ValueError(
            f"there are {count} candidates and {len(task.references)} lists of references; give "
            "each candidate a list of references"
        )
    if count != expected:
        candidates = "candidates with their" if expected > 1 else "candidate with its"
        raise ValueError(f"this exercise takes {expected} {candidates} references, not {count}")
    longest = max(task.hypotheses, key=lambda text: len(split_tokens(text, task.tokenizer)))
    for text in task.hypotheses:  # In a corpus, only the longest needs an n-gram of order N.
        may_be_short = exercise.topic == "corpus" and text != longest
        _check_length("candidate", text, 1 if may_be_short else task.max_order, task.tokenizer)
    for references in task.references:
        if not 1 <= len(references) <= 3:
            raise ValueError(f"a candidate has {len(references)} references; give it 1 to 3")
        for text in references:
            _check_length("reference", text, 1, task.tokenizer)
    if "order" in exercise.names and len(set(task.references)) > 1:
        raise ValueError("the translations have different references; give all the same references")


def _check_length(role: str, text: str, min_tokens: int, tokenizer: str) -> None:
    count = len(split_tokens(text, tokenizer))
    if not min_tokens <= count <= MAX_TOKENS:
        limits = f"{min_tokens} to {MAX_TOKENS} tokens"
        raise ValueError(f"the {role} {short_repr(text, 40)} has length {count}; give it {limits}")
