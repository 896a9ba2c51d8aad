"""Texts and fields of exercises that several kinds share."""

from dataclasses import replace
from typing import Final

from bleu.core.display import english_list
from bleu.learn.exercise import Exercise, Field, quantity_label, step_anchor
from bleu.learn.hand_calculation import Task
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
