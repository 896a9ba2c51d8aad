"""Generation of exercises: the same seed gives the same exercises on every platform."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bleu.core.api import seems_transposed
from bleu.core.choices import choices_text
from bleu.core.display import short_repr
from bleu.core.settings import Settings
from bleu.learn.exercise import MAX_EFFORT, Exercise
from bleu.learn.hand_calculation import MARKS, WORDS, HandCalculation, Task, split_tokens
from bleu.learn.kinds import KINDS, KINDS_BY_TOPIC
from bleu.learn.kinds.claim import CLAIMS
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS, misconceptions_about
from bleu.learn.number_input import is_decimal
from bleu.learn.sentences import SeededRandom

VERSION: Final = 4
"""The version of the generator; it changes whenever a seed gives other exercises."""

TOKENIZERS: Final = (WORDS, MARKS)
ORDERS: Final = (2, 3, 4)
VARIANTS: Final = ("A", "B", "C", "D")
MAX_COUNT: Final = 100
MAX_DRAFTS: Final = 20_000

RARE_IN_WHOLE: Final = frozenset(
    {"zeros-skipped", "penalty-upside-down", "penalty-rewards"}
    | {"shortest-reference", "first-reference-length", "longer-of-two"}
    | {"sum-over-references", "first-reference-only"}
)
"""Misconceptions that exercises on the whole score seldom reveal, as all have 0 < p and c < r."""


def exercises(
    seed: str,
    topics: Sequence[str] = (),
    count: int = 6,
    *,
    max_order: int = 2,
    by_hand: bool = True,
    kinds: Sequence[str] = (),
    tokenizer: str = WORDS,
) -> tuple[Exercise, ...]:
    """Return exercises from a seed, each of which reveals the misconception that it targets.

    The topics take turns in the given order, and the kinds of each topic in a random order. Each
    exercise targets the misconception that the exercises before it reveal least often, so that
    eight exercises on a topic distinguish all its misconceptions.

    - `topics`, `kinds`: the keys and values of `KINDS_BY_TOPIC`; empty means all.
    - `count`: 1 to 100; the first exercises are the same for every count. `max_order`: 2 to 4.
    - `by_hand`: whether the numbers are easy enough without a calculator.
    - `tokenizer`: whitespace or 13a.

    Raises ValueError if an argument is invalid, and LookupError if the seed gives no exercise.

    >>> [exercise.kind for exercise in exercises("7k2q", ("clipping", "brevity"), 2)]
    ['mistake', 'bet']
    """
    generated = iter_exercises(
        seed, topics, count, max_order=max_order, by_hand=by_hand, kinds=kinds, tokenizer=tokenizer
    )
    return tuple(generated)


def iter_exercises(
    seed: str,
    topics: Sequence[str] = (),
    count: int = 6,
    *,
    max_order: int = 2,
    by_hand: bool = True,
    kinds: Sequence[str] = (),
    tokenizer: str = WORDS,
) -> Iterator[Exercise]:
    """Yield the exercises of `exercises` one by one; each takes a while to generate.

    >>> next(iter_exercises("7k2q", ("clipping", "brevity"))) == exercises("7k2q", ("clipping",))[0]
    True
    """
    _check_arguments(seed, topics, count, max_order, kinds, tokenizer)
    selected_topics = list(dict.fromkeys(topics)) or topics_with(kinds, ())
    no_texts = Task((), (), max_order, tokenizer)
    seen: Counter[str] = Counter()
    for number in range(count):
        turn, index = divmod(number, len(selected_topics))
        topic = selected_topics[index]
        if topic == "trust" and turn >= len(CLAIMS):  # Each claim is drawn once.
            topic = selected_topics[index - 1]
        rng = SeededRandom(f"{VERSION}/{seed}/{topic}")
        possible_kinds = [kind for kind in KINDS_BY_TOPIC[topic] if not kinds or kind in kinds]
        kind = rng.shuffled(possible_kinds)[turn % len(possible_kinds)]
        targets = rng.shuffled(possible_targets(topic, kind, tokenizer, by_hand))
        target = min(targets, key=lambda name: seen[name])
        exercise = _generate(
            Exercise(seed, number, by_hand, kind, topic, no_texts, misconceptions=(target,))
        )
        seen.update(exercise.misconceptions)
        yield exercise


def possible_targets(topic: str, kind: str, tokenizer: str, by_hand: bool) -> list[str]:
    """Return the names of the misconceptions that an exercise of a kind on a topic can target."""
    excluded = {"punctuation-kept"} if tokenizer == WORDS else {"punctuation-split"}
    if by_hand:
        excluded |= KINDS[kind].not_by_hand
    if topic == "whole":
        for other_topic in ("tokens", "corpus", "trust"):
            excluded |= {misconception.name for misconception in misconceptions_about(other_topic)}
        excluded |= RARE_IN_WHOLE
    possible = set(KINDS[kind].targets) - excluded
    names = (misconception.name for misconception in misconceptions_about(topic))
    return [name for name in names if name in possible]


def topics_with(kinds: Sequence[str], topics: Sequence[str]) -> list[str]:
    """Return the `topics`, in teaching order, with exercises of one of `kinds`; empty means all.

    >>> topics_with(("claim",), ()), topics_with(("claim",), ("tokens",))
    (['trust'], [])
    """
    return [
        topic
        for topic in TOPICS
        if (not topics or topic in topics)
        and (not kinds or set(kinds) & set(KINDS_BY_TOPIC[topic]))
    ]


def exercise_for_misconception(name: str, seed: str) -> Exercise:
    """Return an exercise that targets a misconception; the seed determines its kind.

    Raises ValueError if there is no such misconception, no exercise can target it, or the seed is
    invalid, and LookupError if the seed gives no exercise.

    >>> exercise = exercise_for_misconception("no-clipping", "7k2q")
    >>> exercise.topic, exercise.misconceptions[0]
    ('clipping', 'no-clipping')
    """
    if name not in MISCONCEPTIONS:
        names = choices_text(name, MISCONCEPTIONS)
        raise ValueError(f"the misconception is {short_repr(name)}; choose from {names}")
    topic, tokenizer = MISCONCEPTIONS[name].topic, WORDS
    _check_arguments(seed, (topic,), 1, max_order=2, kinds=(), tokenizer=tokenizer)
    kinds = [
        kind
        for kind in KINDS_BY_TOPIC[topic]
        if name in possible_targets(topic, kind, tokenizer, by_hand=True)
    ]
    if not kinds:
        raise ValueError(f"no exercise can target {name}; choose another misconception")
    kind = SeededRandom(f"{VERSION}/{seed}/0/{name}").choice(kinds)
    no_texts = Task((), (), 2, tokenizer)
    return _generate(Exercise(seed, 0, True, kind, topic, no_texts, misconceptions=(name,)))


def one_like_this(exercise: Exercise, again: int = 1) -> Exercise:
    """Return another exercise of the same kind, topic and target; each `again` > 0 gives a new one.

    The target changes only for a claim, because its texts are fixed.

    >>> first = exercises("7k2q", ("clipping",), 1)[0]
    >>> other = one_like_this(first)
    >>> other.kind == first.kind, other.task == first.task
    (True, False)
    """
    target = exercise.target.name
    is_claim = exercise.topic == "trust"
    if is_claim:
        names = [misconception.name for misconception in misconceptions_about("trust")]
        target = names[(names.index(target) + again) % len(names)]
    outline = replace(exercise, misconceptions=(target,))
    while True:
        outline = replace(outline, seed=f"{outline.seed}+{again}")
        similar = _generate(outline)
        if similar.task != exercise.task or is_claim:
            return similar


def worksheet_variant(sheet: Sequence[Exercise], letter: str) -> tuple[Exercise, ...]:
    """Return a variant of a worksheet, in which `one_like_this` replaces each exercise.

    Variant A is the worksheet itself.

    Raises ValueError if `letter` is not A, B, C or D.
    """
    if letter not in VARIANTS:
        raise ValueError(
            f"there is no variant {short_repr(letter)}; choose from {', '.join(VARIANTS)}"
        )
    index = VARIANTS.index(letter)
    return tuple(one_like_this(exercise, index) if index else exercise for exercise in sheet)


def _check_arguments(
    seed: str,
    topics: Sequence[str],
    count: int,
    max_order: int,
    kinds: Sequence[str],
    tokenizer: str,
) -> None:
    if not isinstance(seed, str) or not 1 <= len(seed) <= 40 or not seed.isprintable():
        raise ValueError(f"the seed is {short_repr(seed)}; give 1 to 40 printable characters")
    for noun, names, valid in (("topic", topics, TOPICS), ("kind", kinds, KINDS)):
        if isinstance(names, str):
            raise ValueError(f"{noun}s is {short_repr(names)}; give a list of names")
        for name in names:
            if name not in valid:
                raise ValueError(
                    f"there is no {noun} {short_repr(name)}; choose from {', '.join(valid)}"
                )
    if not 1 <= count <= MAX_COUNT:
        raise ValueError(f"count is {short_repr(count)}; choose 1 to {MAX_COUNT}")
    if topics_with(kinds, topics) == ["trust"] and count > len(CLAIMS):
        raise ValueError(
            f"there are {len(CLAIMS)} exercises on trust, not {count}; ask for fewer, or for other "
            "topics as well"
        )
    if max_order not in ORDERS:
        raise ValueError(f"max_order is {short_repr(max_order)}; choose from 2, 3, 4")
    if tokenizer not in TOKENIZERS:
        raise ValueError(f"tokenizer is {short_repr(tokenizer)}; choose {' or '.join(TOKENIZERS)}")
    for topic in topics:
        if kinds and not set(kinds) & set(KINDS_BY_TOPIC[topic]):
            raise ValueError(
                f"there is no exercise of kind {', '.join(kinds)} on {topic}; "
                f"choose from {', '.join(KINDS_BY_TOPIC[topic])}"
            )


def _generate(outline: Exercise) -> Exercise:
    """Return the first draft that is clear and easy enough and reveals the target.

    `outline` is the exercise without texts and fields.
    """
    kind, topic, target = outline.kind, outline.topic, outline.target.name
    origin = f"{VERSION}/{outline.seed}/{outline.number}"
    rng = SeededRandom(f"{origin}/{kind}/{topic}/{target}")
    for draft_number in range(MAX_DRAFTS):
        draft = KINDS[kind].draft(rng, replace(outline, task=KINDS[kind].draw(rng, outline)))
        if draft and _has_suitable_texts(draft) and _is_easy(draft, draft_number):
            misconceptions = KINDS[kind].reveal(draft)
            if misconceptions:
                return replace(draft, misconceptions=misconceptions)
    raise LookupError(
        f"seed {short_repr(outline.seed)} gives no exercise of kind {kind} on {topic} with "
        f"N = {outline.max_order} that targets {target}; choose another seed"
    )


def _has_suitable_texts(draft: Exercise) -> bool:
    """Return whether a draft has short texts, and distinct references that are not transposed."""
    if draft.topic == "trust":
        return True
    task, kind = draft.task, KINDS[draft.kind]
    lengths = [len(text.split()) for text in task.hypotheses]
    min_length = 2 if draft.topic == "corpus" else kind.min_length
    if not all(min_length <= length <= 8 for length in lengths) or max(lengths) < task.max_order:
        return False
    if kind.lengths and tuple(sorted(lengths)) != kind.lengths:
        return False
    if any(len(set(references)) < len(references) for references in task.references):
        return False
    if len(lengths) == 1:
        return True
    settings = Settings(max_order=task.max_order)
    return not seems_transposed(task.hypotheses, task.references, settings)


def _is_easy(draft: Exercise, draft_number: int) -> bool:
    """Return whether a draft is easy enough to compute, but not trivial.

    By hand, the geometric mean must be rational in the first 200 drafts, later either GM or BP.
    A computation of the whole score must pass `needs_all_of_bleu`; its GM may be a root.
    """
    right = HandCalculation(draft.task)
    if draft.effort > MAX_EFFORT[bool(draft.by_hand)]:
        return False
    needs_all = draft.topic == "whole" or KINDS[draft.kind].needs_all_of_bleu
    if needs_all and not needs_all_of_bleu(right):
        return False
    if not draft.fields[0].is_quantity:
        return True
    if needs_all:
        return not (draft.by_hand and is_decimal(right["gm"]))
    if draft.topic == "combination" and draft.by_hand and right["bp"] != 1:
        return False
    if {"gm", "bleu"} & set(draft.names):
        mean = right["gm"]
        if (draft.target.name == "zeros-skipped") != (mean == 0):
            return False
        rational = not isinstance(mean, float)
        if draft.by_hand and draft_number < 200 and not rational:
            return False
        if draft.by_hand and not rational and isinstance(right["bp"], float):
            return False
    return True


def needs_all_of_bleu(calculation: HandCalculation) -> bool:
    """Return whether no stage of BLEU is trivial: 0 < p₁, p₂ < 1, BP < 1 and a score above 0.

    >>> from bleu.learn.hand_calculation import Task
    >>> needs_all_of_bleu(HandCalculation(Task(("the cat sat",), (("the cat sat",),))))
    False
    """
    are_fractions = all(0 < calculation[f"p-{n}"] < 1 for n in (1, 2))
    return are_fractions and calculation["bp"] < 1 and bool(calculation["gm"])


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
