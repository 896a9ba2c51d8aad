"""Two hints for a field, after the message on its answer: where to look, and a worked example."""

from typing import Final

from bleu.learn.exercise import Exercise
from bleu.learn.grading import answer_key
from bleu.learn.hand_calculation import Gram, HandCalculation, consecutive_grams, split_tokens
from bleu.learn.kinds import KINDS
from bleu.learn.number_input import format_number

_WHERE_TO_LOOK: Final = {
    "p": "Divide the credited n-grams by all n-grams of the candidate.",
    "c": "Count the words of the candidate, repeated ones too.",
    "r": "Write down the length of each reference, and how far it is from c.",
    "bp": "Is c less than r? Only then is there a penalty, exp(1 − r/c).",
    "gm": "Multiply the {max_order} precisions; which root do you take?",
    "bleu": "Multiply the brevity penalty by the geometric mean.",
}


def where_to_look(exercise: Exercise, name: str) -> str:
    """Return the first hint for a field.

    >>> from bleu.learn.generation import exercises
    >>> exercise = exercises("7k2q", ("clipping",), 1, kinds=("step",))[0]
    >>> where_to_look(exercise, "total-2")
    'A 2-gram begins at every word that has 1 more after it.'
    """
    kind, n = _kind_and_order(exercise, name)
    match kind:
        case "matched" | "words":
            gram = _example_ngram(exercise, int(n))
            is_single = len(_ngram_counts(exercise, gram)[1]) == 1
            reference = "the reference" if is_single else "the reference that has it most often"
            counted = f"in the candidate, and how often in {reference}"
            return f"How often is “{' '.join(gram)}” {counted}?"
        case "total":
            more = int(n) - 1
            return (
                f"A {n}-gram begins at every word that has {more} more after it."
                if more
                else "Every word of the candidate is a 1-gram."
            )
        case _:
            hint = _WHERE_TO_LOOK.get(kind) or KINDS[exercise.kind].hint
            return hint.format(max_order=exercise.max_order)


def worked_example(exercise: Exercise, name: str) -> str:
    """Return how the answer to a field is worked out.

    Raises KeyError if there is no such field.
    """
    answer = answer_key(exercise)[name]
    kind, n = _kind_and_order(exercise, name)
    calculation = HandCalculation(exercise.task, given=exercise.given_values)

    def value_text(quantity: str) -> str:
        return format_number(calculation[quantity])

    match kind:
        case "matched" | "words":
            gram = _example_ngram(exercise, int(n))
            count, reference_counts, credit = _ngram_counts(exercise, gram)
            max_count = max(reference_counts)
            grams = "words" if n == "1" else f"{n}-grams"
            return (
                f"“{' '.join(gram)}”: {count} in the candidate, at most {max_count} in one "
                f"reference, so min({count}, {max_count}) = {credit}. "
                f"The sum over all {grams} is {value_text(f'matched-{n}')}."
            )
        case "total":
            plural = "" if answer == "1" else "s"
            if n == "1" and len(exercise.hypotheses) == 1:
                return f"The candidate has {answer} word{plural}."
            return f"{_total_text(exercise, int(n))} {answer} {n}-gram{plural}."
        case "p":
            quotient = f"{value_text(f'matched-{n}')}/{value_text(f'total-{n}')}"
            same = "" if quotient == answer else f" = {answer}"
            return f"{quotient}{same}."
        case "bp" if calculation["c"] >= calculation["r"]:
            return f"c = {value_text('c')} is not less than r = {value_text('r')}, so BP is 1."
        case "bp":
            return f"exp(1 − {value_text('r')}/{value_text('c')}) = {answer}."
        case "gm":
            factors = [value_text(f"p-{order}") for order in range(1, exercise.max_order + 1)]
            return f"({' · '.join(factors)})^(1/{len(factors)}) = {answer}."
        case "bleu":
            value = calculation["bleu"]
            result = f"≈ {value:.4f}" if isinstance(value, float) else f"= {value_text('bleu')}"
            return f"BP · GM = {value_text('bp')} · {value_text('gm')} {result}."
        case _:
            return f"The answer is {answer}."


def _total_text(exercise: Exercise, n: int) -> str:
    """Return how many words there are, as the beginning of a sentence on their n-grams."""
    task = exercise.task
    lengths = [len(split_tokens(text, task.tokenizer)) for text in task.hypotheses]
    if len(lengths) == 1:
        return f"{lengths[0]} words have"
    words = f"{', '.join(map(str, lengths[:-1]))} and {lengths[-1]}"
    counts = " + ".join(str(max(0, length - n + 1)) for length in lengths)
    return f"Segment by segment, {words} words have {counts} ="


def _kind_and_order(exercise: Exercise, name: str) -> tuple[str, str]:
    """Return a field's name without its n-gram order, and this order, or "" if it has none."""
    kind, _, n = name.partition("-")
    return kind, str(exercise.marked_order) if kind == "words" else n


def _example_ngram(exercise: Exercise, n: int) -> Gram:
    """Return the n-gram to explain: one that is clipped, else one that is not credited."""
    grams = dict.fromkeys(
        gram for task in exercise.task.segments for gram in HandCalculation(task).credits(0, n)
    )

    def rank(gram: Gram) -> tuple[bool, int]:
        count, _, credit = _ngram_counts(exercise, gram)
        return (not 0 < credit < count, credit)

    return min(grams, key=rank)


def _ngram_counts(exercise: Exercise, gram: Gram) -> tuple[int, list[int], int]:
    """Return count, reference counts and credit of an n-gram in the first segment that has it."""
    n = len(gram)
    task = next(
        task for task in exercise.task.segments if gram in HandCalculation(task).credits(0, n)
    )
    count, *reference_counts = (
        consecutive_grams(split_tokens(text, task.tokenizer), n).count(gram)
        for text in (task.hypotheses[0], *task.references[0])
    )
    return count, reference_counts, HandCalculation(task).credits(0, n)[gram]
