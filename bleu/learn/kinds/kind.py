"""A kind of exercise as a record, and the texts and fields that several kinds share."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bleu.core.display import english_list
from bleu.learn.exercise import Exercise, Field, effort_of, quantity_label, step_anchor
from bleu.learn.hand_calculation import CORRECT, Change, Task, calculate_all
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number
from bleu.learn.sentences import (
    PATTERNS,
    SHORT_PATTERNS,
    SeededRandom,
    punctuate,
    random_edits,
    random_sentence,
    replace_words,
    vary_sentence,
)

NEED_SEVERAL_REFERENCES: Final = frozenset(
    {"sum-over-references", "first-reference-only", "every-reference", "longest-reference"}
    | {"shortest-reference", "average-reference", "first-reference-length", "longer-of-two"}
)
"""The misconceptions that have an effect only with several references."""


def draw_segment(
    rng: SeededRandom,
    outline: Exercise,
    patterns: tuple[str, ...] = PATTERNS,
    *,
    needs_several: bool = False,
) -> Task:
    """Return a segment: one to three references, and a hypothesis edited from one of them."""
    pattern = rng.choice(patterns)
    first = random_sentence(rng, pattern)
    target = outline.target.name
    needs_several = needs_several or target in NEED_SEVERAL_REFERENCES
    needs_one = target in {"recall", "ngrams-across-segments"}
    references = [first]
    if needs_several or (not rng.randbelow(4) and not needs_one):
        references.append(vary_sentence(rng, pattern, first))
    if target in {"longer-of-two", "first-reference-length"}:
        # With only two, the longer or first reference is also the longest or the shortest one.
        references.append((*first[: len(pattern.split())], "again", "and", "again"))
    repeat = target in {"no-clipping", "sum-over-references", "distinct-only"}
    original = rng.choice(references[:2])
    if target == "zeros-skipped":  # Few edits of one reference leave no matching 2-gram.
        original = replace_words(rng, pattern, original)
    hypothesis = random_edits(rng, pattern, original, 1 + rng.randbelow(3), repeat=repeat)
    if outline.topic == "tokens":
        references = [punctuate(rng, reference) for reference in references]
        hypothesis = punctuate(rng, hypothesis)
    return replace(
        outline.task,
        hypotheses=(" ".join(hypothesis),),
        references=(tuple(map(" ".join, references)),),
    )


def draw_corpus(
    rng: SeededRandom,
    outline: Exercise,
    *,
    count: int = 0,
    min_order: int = 0,
    needs_several: bool = False,
) -> Task:
    """Return `count` segments, by default two or three, of different patterns."""
    count = count or (2 if rng.randbelow(3) else 3)
    # With one pattern, a reference could also fit the hypothesis of another segment.
    patterns = rng.shuffled(SHORT_PATTERNS)[:count]
    segments = [
        draw_segment(rng, outline, (pattern,), needs_several=needs_several) for pattern in patterns
    ]
    return replace(
        segments[0],
        hypotheses=tuple(segment.hypotheses[0] for segment in segments),
        references=tuple(segment.references[0] for segment in segments),
        max_order=max(min_order, outline.max_order),
    )


def step_quantities(topic: str, task: Task) -> tuple[str, ...]:
    """Return the quantities that an exercise on a topic asks for, in order of computation."""
    names = task.quantity_names()
    match topic:
        case "tokens":
            return ("matched-1", "total-1", "p-1")
        case "clipping" | "precision":
            return tuple(name for name in names if "-" in name)
        case "combination":
            return ("gm", "bleu")
        case "brevity":
            return ("c", "r", "bp")
        case _:
            return names


def quantity_fields(task: Task, names: tuple[str, ...]) -> tuple[Field, ...]:
    """Return the fields for quantities of a task."""
    corpus = len(task.hypotheses) > 1
    return tuple(
        Field(name, quantity_label(name), step_anchor(name, corpus=corpus)) for name in names
    )


def given_quantities(topic: str, task: Task) -> tuple[str, ...]:
    """Return the quantities that an exercise on a topic gives instead of texts."""
    if topic != "combination":
        return ()
    return (*(f"p-{n}" for n in range(1, task.max_order + 1)), "bp")


def given_text(exercise: Exercise, *, without: str = "") -> str:
    """Return the given quantities except `without`, each name in braces, as part of a prompt."""
    values = exercise.given_values.items()
    return english_list(
        [f"{{{name}}} = {format_number(value)}" for name, value in values if name != without]
    )


def segment_count_text(exercise: Exercise) -> str:
    """Return the number of segments as a word."""
    return {2: "two", 3: "three"}.get(len(exercise.hypotheses), "")


INDISTINGUISHABLE: Final = {
    "no-penalty": frozenset({"penalty-upside-down"}),
    "c-minus-n": frozenset({"c-minus-n-from-2"}),
    "c-minus-n-from-2": frozenset({"c-minus-n"}),
}
"""By target: the misconceptions that may give the same values in an exercise on it."""

Judgement = tuple[bool, tuple[str, ...], str]
"""Whether an answer is right, the misconceptions that give it if it is wrong, and the message."""


def judge_by_answer(exercise: Exercise, text: str) -> Judgement:
    """Compare an answer with that of the only field."""
    return text.casefold() == exercise.fields[0].answer.casefold(), (), ""


def _reveal_distinguished(draft: Exercise) -> tuple[str, ...]:
    """Return the misconceptions whose values differ from the right ones and all other wrong ones.

    The target comes first, and need not differ from those in `INDISTINGUISHABLE`; the result is
    empty if it differs too little. Values that agree to two decimals count as equal.
    """
    target, given_values = draft.target, draft.given_values

    def outcome(change: Change) -> tuple[float, ...]:
        values = calculate_all(draft.task, draft.names, change, given_values)
        return tuple(round(float(value), 2) for value in values.values())

    right_outcome, target_outcome = outcome(CORRECT), outcome(target.change)
    if target_outcome == right_outcome:
        return ()
    may_equal = INDISTINGUISHABLE.get(target.name, frozenset()) | {target.name}
    outcomes = dict[str, tuple[float, ...]]()
    for name, misconception in MISCONCEPTIONS.items():
        outcomes[name] = outcome(misconception.change)
        if outcomes[name] == target_outcome and name not in may_equal:
            return ()
    counts = Counter(outcomes.values())
    names = [
        name for name in outcomes if outcomes[name] != right_outcome and counts[outcomes[name]] == 1
    ]
    # BP = 1 is the commonest mistake, and both of these give it for a short candidate.
    penalty = outcomes["no-penalty"]
    if penalty == outcomes["penalty-upside-down"] != right_outcome and counts[penalty] == 2:
        names += ["no-penalty", "penalty-upside-down"]
    return (target.name, *(name for name in names if name != target.name))


def reveal_target(draft: Exercise) -> tuple[str, ...]:
    """Return the target alone."""
    return (draft.target.name,)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of exercise.

    - `label`: what the learner does, for a menu.
    - `draft`: adds the fields to an exercise with texts, or returns None if these do not suit it.
    - `prompt`: the question; `{p-1}` in it is the symbol of a quantity.
    - `hint`: where to look, for a field that is no quantity.
    - `draw`: random texts for an outline, which is an exercise without texts and fields.
    - `reveal`: the misconceptions that a draft reveals, target first; () if it hides the target.
    - `judge`: the judgement of an answer that is no quantity.
    - `choices`: the answers, by field name, of a changed method, except those that are quantities.
    - `targets`: the misconceptions that it can target, `not_by_hand` not without a calculator.
    - `min_length`: the number of words of the shortest candidate of a single segment; `lengths`:
      those of the candidates of a corpus in ascending order, or () for any.
    """

    name: str
    label: str
    draft: Callable[[SeededRandom, Exercise], Exercise | None]
    prompt: Callable[[Exercise], str]
    hint: str = ""
    draw: Callable[[SeededRandom, Exercise], Task] = draw_segment
    reveal: Callable[[Exercise], tuple[str, ...]] = _reveal_distinguished
    judge: Callable[[Exercise, str], Judgement] = judge_by_answer
    choices: Callable[[Exercise, Change], Mapping[str, str]] = lambda *_: {}
    targets: Sequence[str] = tuple(MISCONCEPTIONS)
    not_by_hand: frozenset[str] = frozenset()
    min_length: int = 4
    lengths: tuple[int, ...] = ()
    needs_all_of_bleu: bool = False


def complete(
    outline: Exercise,
    fields: tuple[Field, ...],
    computed: tuple[str, ...] = (),
    given: tuple[str, ...] = (),
    detail: str = "",
) -> Exercise:
    """Return the exercise with its fields; the `computed` quantities determine its effort."""
    effort = effort_of(outline.task, computed)
    return replace(outline, fields=fields, given=given, effort=effort, detail=detail)
