"""Exercises from a seed: the same seed gives the same exercises, everywhere and for ever."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bleu.learn.drafting import Draft, ExercisePlan, draft_exercise, draft_on_texts, rank_letters
from bleu.learn.exercise import KINDS, MAX_EFFORT, Exercise, effort_of
from bleu.learn.goals import GOALS
from bleu.learn.hand_calculation import (
    CORRECT,
    HandCalculation,
    Method,
    Task,
    Value,
    calculate_all,
    split_tokens,
)
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS, Misconception, misconceptions_about
from bleu.learn.rng import SeededRandom

VERSION: Final = 1
"""Raised whenever a seed gives other exercises than before."""

KINDS_BY_TOPIC: Final = {
    "tokens": ("step", "bet", "setting"),
    "clipping": ("step", "bet", "mark", "mistake", "make"),
    "precision": ("step", "bet", "mistake", "make"),
    "combination": ("step", "bet", "order", "make", "setting"),
    "brevity": ("step", "bet", "mistake", "make", "setting", "order"),
    "corpus": ("corpus", "bet"),
    "whole": ("whole", "mistake"),
}
"""The kinds of exercise that there are on each topic."""

TOKENIZERS: Final = ("whitespace", "13a")
ORDERS: Final = (2, 3, 4)
VARIANTS: Final = ("A", "B", "C", "D")
MAX_COUNT: Final = 100
MAX_DRAFTS: Final = 20_000
MAX_TOKENS: Final = 12
"""Tokens that a text of one's own may have."""
INDISTINGUISHABLE: Final = {"no-penalty": frozenset({"penalty-upside-down"})}
"""Both give 1 for a short candidate: a second text tells them apart, where the latter does not."""

_TARGETS_BY_KIND: Final[dict[str, Sequence[str]]] = {
    "make": tuple(goal.misconception for goal in GOALS.values()),
    "order": (
        *(one.name for one in misconceptions_about("combination")),
        *("no-penalty", "penalty-upside-down", "penalty-swapped", "penalty-rewards"),
    ),
    "setting": ("case-folded", "punctuation-split", "highest-order-only", "longest-reference"),
}
"""The misconceptions that a kind can be aimed at, where they are not all of the topic."""


def exercises(
    seed: str,
    topics: Sequence[str] = (),
    count: int = 6,
    *,
    max_order: int = 2,
    by_hand: bool = True,
    kinds: Sequence[str] = (),
    tokenizer: str = "whitespace",
) -> tuple[Exercise, ...]:
    """Exercises from a seed, each aimed at a misconception that it tells from the truth.

    The topics take turns in the order given, and of each topic the kinds in an order of the seed's;
    without any, they are all topics and all kinds. What the exercises before it tell apart least is
    what the next is aimed at, so eight on a topic tell all its mistakes apart. `count` is 1 to 100,
    `max_order` 2 to 4, `tokenizer` whitespace or 13a. By hand, the numbers are easy. An exercise
    does not depend on `count`.

    Raises ValueError that names what is not known and the choices.

    >>> [(one.kind, one.topic) for one in exercises("7k2q", ("clipping", "brevity"), 2)]
    [('step', 'clipping'), ('setting', 'brevity')]
    """
    return tuple(
        iter_exercises(
            seed,
            topics,
            count,
            max_order=max_order,
            by_hand=by_hand,
            kinds=kinds,
            tokenizer=tokenizer,
        )
    )


def iter_exercises(
    seed: str,
    topics: Sequence[str] = (),
    count: int = 6,
    *,
    max_order: int = 2,
    by_hand: bool = True,
    kinds: Sequence[str] = (),
    tokenizer: str = "whitespace",
) -> Iterator[Exercise]:
    """The same as `exercises`, one after the other: each takes a while to find.

    >>> next(iter_exercises("7k2q", ("clipping", "brevity"))) == exercises("7k2q", ("clipping",))[0]
    True
    """
    _check(seed, topics, count, max_order, kinds, tokenizer)
    chosen = tuple(dict.fromkeys(topics)) or tuple(
        topic for topic in TOPICS if not kinds or set(kinds) & set(KINDS_BY_TOPIC[topic])
    )
    seen: Counter[str] = Counter()
    for number in range(count):
        topic, turn = chosen[number % len(chosen)], number // len(chosen)
        kind, aims = _kind_and_targets(seed, topic, turn, kinds, tokenizer, by_hand)
        aim = min(aims, key=lambda one: seen[one.name])
        exercise = _generate(
            seed, number, ExercisePlan(kind, topic, aim, max_order, by_hand, tokenizer)
        )
        seen.update(exercise.misconceptions)
        yield exercise


def exercise_for_misconception(
    name: str,
    seed: str,
    number: int = 0,
    *,
    max_order: int = 2,
    by_hand: bool = True,
    tokenizer: str = "whitespace",
) -> Exercise:
    """An exercise aimed at one misconception, of a kind that the seed and the number choose.

    `max_order` is 2 to 4, `tokenizer` whitespace or 13a, `number` 0 or more.

    Raises ValueError for a misconception that there is not, or that the tokenizer leaves no room
    for, and as `exercises` does.

    >>> exercise = exercise_for_misconception("no-clipping", "7k2q")
    >>> exercise.topic, exercise.misconceptions[0]
    ('clipping', 'no-clipping')
    """
    if name not in MISCONCEPTIONS:
        raise ValueError(
            f"there is no misconception {name!r}; choose from {', '.join(MISCONCEPTIONS)}"
        )
    target = MISCONCEPTIONS[name]
    _check(seed, (target.topic,), 1, max_order, (), tokenizer)
    kinds = [
        kind
        for kind in KINDS_BY_TOPIC[target.topic]
        if target in _possible_targets(target.topic, kind, tokenizer, by_hand)
    ]
    if not kinds:
        raise ValueError(f"under the tokenizer {tokenizer}, no exercise can be aimed at {name}")
    kind = SeededRandom(f"{VERSION}/{seed}/{number}/{name}").choice(kinds)
    plan = ExercisePlan(kind, target.topic, target, max_order, by_hand, tokenizer)
    return _generate(seed, number, plan)


def exercise_on_texts(
    exercise: Exercise, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> Exercise:
    """An exercise of the same kind and topic on other texts, with the references of each.

    There are as many hypotheses as before, each of N to 12 tokens, with 1 to 3 references of 1 to
    12 tokens; where translations are to be ranked, all have the same. It is aimed at the same
    misconception where the texts tell that from the truth, else at another of the topic.

    Raises ValueError that names what is wrong with the texts, where there is more to work out than
    `MAX_EFFORT` allows, and where nothing of the kind can be asked of them.

    >>> first = exercises("7k2q", ("clipping",), 1, kinds=("step",))[0]
    >>> exercise_on_texts(first, ["the the cat"], [["the cat sat"]]).task.references
    (('the cat sat',),)
    """
    task = replace(
        exercise.task,
        hypotheses=tuple(" ".join(text.split()) for text in hypotheses),
        references=tuple(tuple(" ".join(text.split()) for text in own) for own in references),
    )
    _check_texts(exercise, task)
    topic, kind, tokenizer = exercise.topic, exercise.kind, task.tokenizer
    aims = [MISCONCEPTIONS[name] for name in exercise.misconceptions[:1]]
    for target in dict.fromkeys((*aims, *_possible_targets(topic, kind, tokenizer, by_hand=False))):
        plan = ExercisePlan(kind, topic, target, task.max_order, by_hand=False, tokenizer=tokenizer)
        rng = SeededRandom(f"{VERSION}/{exercise.seed}/{exercise.number}/{target.name}")
        found = draft_on_texts(rng, plan, task)
        apart = _distinguished(found, plan) if found else ()
        if found and apart:
            if _draft_effort(found) > MAX_EFFORT[exercise.by_hand]:
                raise ValueError(
                    f"these texts take {_draft_effort(found)} comparisons and sums, and an exercise has "
                    f"at most {MAX_EFFORT[exercise.by_hand]}: take shorter texts, or fewer references"
                )
            return replace(
                exercise,
                task=task,
                fields=found.fields,
                given=found.given,
                misconceptions=apart,
                effort=_draft_effort(found),
                detail=found.detail,
            )
    raise ValueError(
        f"with these texts, the usual mistakes about {topic} give the right answer, so this kind "
        "of exercise would test nothing; use others"
    )


def _check_texts(exercise: Exercise, task: Task) -> None:
    wanted = len(exercise.hypotheses)
    if len(task.hypotheses) != wanted or len(task.references) != wanted:
        count = min(len(task.hypotheses), len(task.references))
        many = "s with their" if wanted > 1 else " with its"
        raise ValueError(f"this exercise takes {wanted} candidate{many} references, not {count}")
    for text in task.hypotheses:
        _check_length("candidate", text, task.max_order, task.tokenizer)
    for own in task.references:
        if not 1 <= len(own) <= 3:
            raise ValueError(f"a candidate has {len(own)} references; give it 1 to 3")
        for text in own:
            _check_length("reference", text, 1, task.tokenizer)
    if exercise.kind == "order" and len(set(task.references)) > 1:
        raise ValueError("translations to be ranked need the same reference")


def _check_length(what: str, text: str, least: int, tokenizer: str) -> None:
    count = len(split_tokens(text, tokenizer))
    if not least <= count <= MAX_TOKENS:
        shown = text if len(text) <= 40 else f"{text[:39]}…"
        far = "short" if count < least else "long"
        raise ValueError(
            f"the {what} {shown!r} is too {far}: it may have {least} to {MAX_TOKENS} tokens"
        )


def one_like_this(exercise: Exercise, again: int = 1) -> Exercise:
    """A new exercise of the same kind, topic and aim; another for each number `again`.

    >>> first = exercises("7k2q", ("clipping",), 1)[0]
    >>> other = one_like_this(first)
    >>> other.kind == first.kind, other.task == first.task
    (True, False)
    """
    plan = ExercisePlan(
        exercise.kind,
        exercise.topic,
        MISCONCEPTIONS[exercise.misconceptions[0]],
        exercise.task.max_order,
        exercise.by_hand,
        exercise.task.tokenizer,
    )
    seed = exercise.seed
    while True:
        seed = f"{seed}+{again}"
        other = _generate(seed, exercise.number, plan)
        if other.task != exercise.task:
            return other


def worksheet_variant(sheet: Sequence[Exercise], letter: str) -> tuple[Exercise, ...]:
    """The same sheet for a neighbour: other texts, and the same kinds, topics and aims. A is as is.

    Raises ValueError for another letter than A, B, C or D.
    """
    if letter not in VARIANTS:
        raise ValueError(f"there is no variant {letter!r}; choose from {', '.join(VARIANTS)}")
    again = VARIANTS.index(letter)
    return tuple(one_like_this(one, again) for one in sheet) if again else tuple(sheet)


def distinguished_misconceptions(
    task: Task, names: Sequence[str], given: Sequence[str], target: Misconception
) -> tuple[str, ...]:
    """The misconceptions that quantities of a task tell from the truth and from all others.

    The target comes first; nothing where it is not among them. Numbers that are the same to two
    decimals tell nothing apart.
    """
    given_values = {name: HandCalculation(task)[name] for name in given}

    def seen(method: Method) -> tuple[float, ...]:
        values: dict[str, Value] = calculate_all(task, names, method, given_values)
        return tuple(round(float(values[name]), 2) for name in names)

    right, aimed = seen(CORRECT), seen(target.method)
    if aimed == right:
        return ()
    patterns = {one.name: seen(one.method) for one in MISCONCEPTIONS.values()}
    same = {name for name, pattern in patterns.items() if pattern == aimed} - {target.name}
    if same - INDISTINGUISHABLE.get(target.name, frozenset()):
        return ()
    single = [
        name
        for name, pattern in patterns.items()
        if pattern != right and list(patterns.values()).count(pattern) == 1
    ]
    return (target.name, *(name for name in single if name != target.name))


def _check(
    seed: str,
    topics: Sequence[str],
    count: int,
    max_order: int,
    kinds: Sequence[str],
    tokenizer: str,
) -> None:
    if not seed or len(seed) > 40 or not seed.isprintable():
        raise ValueError(f"the seed is {seed[:60]!r}; give 1 to 40 printable characters")
    for what, names, known in (("topic", topics, TOPICS), ("kind", kinds, KINDS)):
        for name in [names] if isinstance(names, str) else names:
            if isinstance(names, str) or name not in known:
                raise ValueError(f"there is no {what} {name!r}; choose from {', '.join(known)}")
    if not 1 <= count <= MAX_COUNT:
        raise ValueError(f"count is {count}; choose 1 to {MAX_COUNT}")
    if max_order not in ORDERS:
        raise ValueError(f"max_order is {max_order}; choose from 2, 3, 4")
    if tokenizer not in TOKENIZERS:
        raise ValueError(f"there is no tokenizer {tokenizer!r} here; choose whitespace or 13a")
    for topic in topics:
        if kinds and not set(kinds) & set(KINDS_BY_TOPIC[topic]):
            raise ValueError(
                f"there is no exercise of kind {', '.join(kinds)} on {topic}; "
                f"choose from {', '.join(KINDS_BY_TOPIC[topic])}"
            )


def _kind_and_targets(
    seed: str, topic: str, turn: int, kinds: Sequence[str], tokenizer: str, by_hand: bool
) -> tuple[str, list[Misconception]]:
    """The kind of a topic's exercise in its turn, and what it can be aimed at."""
    rng = SeededRandom(f"{VERSION}/{seed}/{topic}")
    possible = rng.shuffled([one for one in KINDS_BY_TOPIC[topic] if not kinds or one in kinds])
    kind = possible[turn % len(possible)]
    return kind, rng.shuffled(_possible_targets(topic, kind, tokenizer, by_hand))


def _possible_targets(topic: str, kind: str, tokenizer: str, by_hand: bool) -> list[Misconception]:
    """The misconceptions that a kind of exercise on a topic can be aimed at."""
    hidden = {"punctuation-kept"} if tokenizer == "whitespace" else {"punctuation-split"}
    if topic != "tokens":
        hidden |= {one.name for one in misconceptions_about("tokens")}
    if topic == "corpus" and kind == "bet" and by_hand:  # the other means have no easy form
        hidden |= {"mean-of-penalties", "mean-of-scores"}
    if topic == "whole":
        hidden |= {one.name for one in misconceptions_about("corpus")}
    only = _TARGETS_BY_KIND.get(kind, tuple(MISCONCEPTIONS))
    return [
        one for one in misconceptions_about(topic) if one.name in only and one.name not in hidden
    ]


def _generate(seed: str, number: int, plan: ExercisePlan) -> Exercise:
    rng = SeededRandom(f"{VERSION}/{seed}/{number}/{plan.kind}/{plan.topic}/{plan.target.name}")
    for attempt in range(MAX_DRAFTS):
        found = draft_exercise(rng, plan)
        if found is None or not _is_easy(found, plan, attempt):
            continue
        apart = _distinguished(found, plan)
        if apart:
            return Exercise(
                seed,
                number,
                plan.by_hand,
                plan.kind,
                plan.topic,
                found.task,
                found.fields,
                found.given,
                apart,
                _draft_effort(found),
                found.detail,
            )
    raise LookupError(
        f"no exercise of kind {plan.kind} on {plan.topic} was found for seed {seed!r} and N = "
        f"{plan.max_order}, aimed at {plan.target.name}"
    )


def _draft_effort(found: Draft) -> int:
    return effort_of(found.task, found.effort_quantities)


def _is_easy(found: Draft, plan: ExercisePlan, attempt: int) -> bool:
    """Whether an attempt is short enough, and by hand, whether its numbers are easy.

    A perfect root is asked for at first, and one root that is left standing later.
    """
    lengths = [len(text.split()) for text in found.task.hypotheses]
    least = 4
    if plan.topic == "corpus":  # no segment is too short for an order: there, others count 0 of 1
        least = max(3, plan.max_order)
    elif plan.kind == "order":
        least = 3
    if not all(least <= length <= 8 for length in lengths):
        return False
    if _draft_effort(found) > MAX_EFFORT[plan.by_hand]:
        return False
    if plan.kind in {"make", "order", "setting", "mistake"}:
        return True
    names = [field.name for field in found.fields]
    right = HandCalculation(found.task)
    zero_wanted = plan.target.name == "zeros-skipped"
    if "gm" in names or "bleu" in names:
        if zero_wanted != (right["gm"] == 0):
            return False
        rational = not isinstance(right["gm"], float)
        if plan.by_hand and attempt < 200 and not rational:
            return False
        if plan.by_hand and not rational and isinstance(right["bp"], float):
            return False
    return not (plan.topic == "combination" and plan.by_hand and right["bp"] != 1)


def _distinguished(found: Draft, plan: ExercisePlan) -> tuple[str, ...]:
    """The misconceptions that an attempt tells apart, the target first; nothing if not even it."""
    task, target = found.task, plan.target
    match plan.kind:
        case "make" | "setting" | "mistake":
            return (target.name,)
        case "order":
            other = rank_letters(task, target.method)
            return (target.name,) if other not in ("", found.fields[0].answer) else ()
        case "mark":
            right = HandCalculation(task).credits(0, 1)
            wrong = [
                one
                for one in misconceptions_about("clipping")
                if one.method.credit is not CORRECT.credit
            ]
            given = {one.name: HandCalculation(task, one.method).credits(0, 1) for one in wrong}
            aimed = given[target.name]
            if aimed == right or list(given.values()).count(aimed) > 1:
                return ()
            return (target.name,)
        case _:
            names = [field.name for field in found.fields]
            return distinguished_misconceptions(task, names, found.given, target)
