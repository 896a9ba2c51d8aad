"""Help with a field, in three levels: the mistake by its name, where to look, the row worked."""

from bleu.learn.exercise import Exercise
from bleu.learn.grading import answer_key, grade
from bleu.learn.hand_calculation import Gram, HandCalculation, consecutive_grams, split_tokens
from bleu.learn.number_input import format_number


def hint_text(exercise: Exercise, name: str, answer: str, level: int) -> str:
    """What to tell a learner whose answer to a field was wrong: at first, again, a third time.

    After level 3 comes `one_like_this`.

    Raises ValueError for another level, and KeyError for a field that the exercise does not have.

    >>> from bleu.learn.generation import exercises
    >>> exercise = exercises("7k2q", ("clipping",), 1, kinds=("step",))[0]
    >>> hint_text(exercise, "total-2", "6", 2)
    'A 2-gram begins at every word that has 1 more after it.'
    """
    if level not in (1, 2, 3):
        raise ValueError(f"there is no level {level} of help; choose from 1, 2, 3")
    if name not in exercise.names:
        raise KeyError(name)
    if level == 1:
        verdicts = grade(exercise, {name: answer}).verdicts
        return next(verdict.message for verdict in verdicts if verdict.name == name)
    return _where_to_look(exercise, name) if level == 2 else _worked_example(exercise, name)


def _where_to_look(exercise: Exercise, name: str) -> str:
    kind, n = _kind(exercise, name)
    match kind:
        case "matched" | "words":
            gram = _example_ngram(exercise, int(n))
            others = _ngram_counts(exercise, gram)[1]
            which = "the reference" if len(others) == 1 else "the reference that has it most often"
            return f"How often is “{' '.join(gram)}” in the candidate, and how often in {which}?"
        case "total":
            more = int(n) - 1
            return (
                f"A {n}-gram begins at every word that has {more} more after it."
                if more
                else "Every word of the candidate is a 1-gram."
            )
        case "p":
            return "Divide the credited n-grams by all n-grams of the candidate."
        case "c":
            return "Count the words of the candidate, repeated ones too."
        case "r":
            return "Write down the length of each reference, and how far it is from c."
        case "bp":
            return "Is c less than r? Only then is there a penalty, exp(1 − r/c)."
        case "gm":
            return f"Multiply the {exercise.task.max_order} precisions; which root do you take?"
        case "bleu":
            return "Multiply the brevity penalty by the geometric mean."
        case "line":
            return "Work each line out yourself from the lines above it, and stop where you differ."
        case "setting":
            return "Work the number out under each setting; only one gives it."
        case "order":
            return "Compare the longest n-grams first: one precision of 0 makes BLEU 0."
        case _:
            return "Try one change at a time, and work out which precision it moves."


def _worked_example(exercise: Exercise, name: str) -> str:
    kind, n = _kind(exercise, name)
    right = HandCalculation(exercise.task, given=exercise.given_values)
    answer = answer_key(exercise)[name]
    match kind:
        case "matched" | "words":
            gram = _example_ngram(exercise, int(n))
            count, others, credit = _ngram_counts(exercise, gram)
            most = max(others)
            row = (
                f"“{' '.join(gram)}”: {count} in the candidate, at most {most} in one reference, "
                f"so min({count}, {most}) = {credit}."
            )
            return f"{row} The sum over all n-grams is {format_number(right[f'matched-{n}'])}."
        case "total":
            return f"{_totals(exercise, int(n))} {answer} {n}-gram{'' if answer == '1' else 's'}."
        case "p":
            return f"{format_number(right[f'matched-{n}'])} / {format_number(right[f'total-{n}'])} = {answer}."
        case "bp" if right["c"] >= right["r"]:
            return f"c = {format_number(right['c'])} is not less than r = {format_number(right['r'])}, so BP is 1."
        case "bp":
            return f"exp(1 − {format_number(right['r'])}/{format_number(right['c'])}) = {answer}."
        case "gm":
            factors = [
                format_number(right[f"p-{n}"]) for n in range(1, exercise.task.max_order + 1)
            ]
            return f"({' · '.join(factors)})^(1/{len(factors)}) = {answer}."
        case "bleu":
            product = f"BP · GM = {format_number(right['bp'])} · {format_number(right['gm'])}"
            value = right["bleu"]
            ends = f"≈ {value:.4f}" if isinstance(value, float) else f"= {format_number(value)}"
            return f"{product} {ends}."
        case _:
            return f"The answer is {answer}."


def _totals(exercise: Exercise, n: int) -> str:
    """How the n-grams of a candidate, or of those of all segments, are counted."""
    lengths = [
        len(split_tokens(text, exercise.task.tokenizer)) for text in exercise.task.hypotheses
    ]
    if len(lengths) == 1:
        return f"{lengths[0]} words have"
    words = " and ".join(map(str, lengths))
    counts = " + ".join(str(max(0, length - n + 1)) for length in lengths)
    return f"Segment by segment, {words} words have {counts} ="


def _kind(exercise: Exercise, name: str) -> tuple[str, str]:
    """What a field asks for, and of which order, if of one."""
    kind, _, n = name.partition("-")
    return kind, str(exercise.marked_order) if kind == "words" else n


def _example_ngram(exercise: Exercise, n: int) -> Gram:
    """The n-gram whose row says most: one that is clipped, else one that is not credited."""
    credits = [
        HandCalculation(exercise.task).credits(at, n) for at in range(len(exercise.task.hypotheses))
    ]
    rows = [gram for own in credits for gram in own]

    def rank(gram: Gram) -> tuple[bool, int]:
        count, _, credit = _ngram_counts(exercise, gram)
        return (not 0 < credit < count, credit)

    return min(rows, key=rank)


def _ngram_counts(exercise: Exercise, gram: Gram) -> tuple[int, list[int], int]:
    """Count, counts in the references, and credit of an n-gram, in the first segment with it."""
    task = next(
        task
        for task in exercise.task.segments
        if gram in HandCalculation(task).credits(0, len(gram))
    )
    texts = (task.hypotheses[0], *task.references[0])
    count, *others = (
        consecutive_grams(split_tokens(text, task.tokenizer), len(gram)).count(gram)
        for text in texts
    )
    return count, others, HandCalculation(task).credits(0, len(gram))[gram]
