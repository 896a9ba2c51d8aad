"""Exercises that ask for a text that reaches a goal."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import ne
from typing import Final

from bleu.learn.exercise import Exercise, Field
from bleu.learn.hand_calculation import HandCalculation, Task, Words, split_tokens
from bleu.learn.kinds.kind import Judgement, Kind, complete, reveal_target
from bleu.learn.sentences import PATTERNS, SeededRandom, random_edits, random_sentence


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal that a text must reach, and the misconception that it targets.

    `check` is called with the task and with a copy whose hypothesis is the learner's text; it
    returns the condition that fails, or "".
    """

    name: str
    instruction: str
    misconception: str
    check: Callable[[Task, Task], str]


def _tokens(task: Task) -> Words:
    return split_tokens(task.hypotheses[0], task.tokenizer)


def _replaces_one_word(original: Task, edited: Task) -> bool:
    """Return whether exactly one token is replaced, and none is added or removed."""
    old, new = _tokens(original), _tokens(edited)
    return len(old) == len(new) and sum(map(ne, old, new)) == 1


_ONE_WORD: Final = "exactly one word must be replaced, and the number of words stays the same"


def _rises(original: Task, edited: Task) -> str:
    if not _replaces_one_word(original, edited):
        return _ONE_WORD
    rises = HandCalculation(edited)["bleu"] > HandCalculation(original)["bleu"]
    return "" if rises else "BLEU has not risen"


def _clips(original: Task, edited: Task) -> str:
    reference_tokens = {
        token for text in original.references[0] for token in split_tokens(text, original.tokenizer)
    }
    if not _replaces_one_word(original, edited):
        return _ONE_WORD
    if not reference_tokens.issuperset(_tokens(edited)):
        return "a word of the candidate is not in the reference"
    falls = HandCalculation(edited)["p-1"] < HandCalculation(original)["p-1"]
    return "" if falls else "p₁ has not fallen"


def _repeats(original: Task, edited: Task) -> str:
    counts = Counter(_tokens(edited))
    reference = Counter(split_tokens(original.references[0][0], original.tokenizer))
    has_excess = any(count > reference[word] for word, count in counts.items() if reference[word])
    return "" if has_excess else "each word of the reference still counts"


def _zero(original: Task, edited: Task) -> str:
    calculation = HandCalculation(edited)
    if Counter(_tokens(original)) != Counter(_tokens(edited)) or calculation["p-1"] != 1:
        return "the words must stay the same, each as often as before"
    return "BLEU is not 0, because neighbouring words still match" if calculation["bleu"] else ""


def _short(original: Task, edited: Task) -> str:  # noqa: ARG001
    calculation = HandCalculation(edited)
    for n in range(1, edited.max_order + 1):
        if calculation[f"p-{n}"] != 1:
            return f"the precision of {n}-grams is not 1"
    return "" if calculation["bp"] < 1 else "BLEU is not less than 1"


_ALL: Final = (
    Goal("rise", "Change exactly one word of the candidate so that BLEU rises.",
         "order-ignored", _rises),
    Goal("clip", "Change exactly one word of the candidate so that p₁, the precision of single "
         "words, falls although every word of the candidate is still in the reference.",
         "no-clipping", _clips),
    Goal("repeat", "Add “the” at the end of the candidate, then once more, and so on, until p₁ no "
         "longer grows.", "no-clipping", _repeats),
    Goal("zero", "Put the words of the candidate in another order so that p₁ stays 1 and BLEU "
         "becomes 0.", "zeros-skipped", _zero),
    Goal("short", "Change the candidate so that every precision is 1 and BLEU is less than 1.",
         "no-penalty", _short),
)  # fmt: skip

GOALS: Final[Mapping[str, Goal]] = {goal.name: goal for goal in _ALL}
"""All goals by name."""


def failed_condition(goal: str, task: Task, text: str) -> str:
    """Return why a text, as the hypothesis, does not reach a goal, or "" if it does.

    >>> task = Task(("a b d",), (("a b c",),))
    >>> failed_condition("short", task, "a b"), failed_condition("short", task, "b a")
    ('', 'the precision of 2-grams is not 1')
    """
    return GOALS[goal].check(task, replace(task, hypotheses=(text,)))


def _draw_editable_segment(rng: SeededRandom, outline: Exercise) -> Task:
    """Return a hypothesis to edit until the goal is reached, and its reference."""
    pattern = rng.choice(PATTERNS)
    reference = random_sentence(rng, pattern, 7)
    hypothesis = reference
    if _goal(outline) in {"rise", "short"}:
        hypothesis = random_edits(rng, pattern, reference, 1 + rng.randbelow(2))
    hypotheses, references = (" ".join(hypothesis),), ((" ".join(reference),),)
    return replace(outline.task, hypotheses=hypotheses, references=references)


def _goal(outline: Exercise) -> str:
    return next(goal.name for goal in GOALS.values() if goal.misconception == outline.target.name)


def _draft_make(rng: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the editing of a text until it reaches a goal; the answer is one possible text."""
    goal, task = _goal(outline), outline.task
    text = task.hypotheses[0]
    words, reference = tuple(text.split()), tuple(task.references[0][0].split())
    for solution in map(" ".join, _possible_solutions(rng, goal, words, reference)):
        if failed_condition(goal, task, text) and not failed_condition(goal, task, solution):
            field = Field("text", "your text", outline.target.anchor, solution)
            return complete(outline, (field,), task.quantity_names(), detail=goal)
    return None


def _possible_solutions(
    rng: SeededRandom, goal: str, words: Words, reference: Words
) -> list[Words]:
    """Return texts, made from `words` and the reference, that may reach a goal."""
    if goal == "zero":
        return [tuple(rng.shuffled(words)) for _ in range(20)]
    if goal == "short":
        return [reference[:-1]]
    indices = rng.shuffled(range(len(words)))
    return [(*words[:i], word, *words[i + 1 :]) for i in indices for word in reference]


def _prompt(exercise: Exercise) -> str:
    return GOALS[exercise.detail].instruction.replace("BLEU", f"BLEU-{exercise.max_order}")


def _judge(exercise: Exercise, text: str) -> Judgement:
    failed = failed_condition(exercise.detail, exercise.task, text)
    return not failed, (), f"The goal is not reached: {failed}."


MAKE: Final = Kind(
    "make",
    "Change a text",
    _draft_make,
    _prompt,
    "Try one change at a time, and work out which precision it moves.",
    _draw_editable_segment,
    reveal_target,
    _judge,
    targets=tuple(dict.fromkeys(goal.misconception for goal in GOALS.values())),
)
