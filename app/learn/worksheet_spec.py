"""The specification of a worksheet, its link and its exercises."""

import re
from collections.abc import Callable, Container, Generator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final
from urllib.parse import parse_qsl, urlencode

from bleu.explanation.phrases import english_list
from bleu.learn.exercise import Exercise
from bleu.learn.generation import (
    MAX_COUNT,
    ORDERS,
    VARIANTS,
    VERSION,
    exercise_on_texts,
    iter_exercises,
    one_like_this,
    worksheet_variant,
)
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import TOPICS

MAX_LINE_CHARACTERS: Final = 20_000
"""The largest number of characters of a link, or of a learner's line of answers."""
MAX_REPLACEMENTS: Final = 99
"""How often an exercise can be replaced until the first replacement returns."""
OTHER_VERSION: Final = (
    "This link was made by another version of this page, which had other exercises under the same "
    "number."
)
MAX_TEXT_CHARACTERS: Final = 2_000
"""The largest number of characters of a teacher's own texts for an exercise."""
CHOSEN_SEEDS: Final = {"": "7"} | dict.fromkeys(TOPICS, "2")
"""By topic, or "" for several: the worksheet to show first, chosen by reading the first numbers."""


@dataclass(frozen=True, slots=True)
class WorksheetSpec:
    """The specification of a worksheet: equal specifications give equal exercises everywhere.

    - `replacements`: for each exercise, how often it was replaced by another.
    - `texts`: a teacher's own texts as (0-based index of the exercise, lines), for all variants.
    """

    seed: str = "1"
    topics: tuple[str, ...] = ()
    count: int = 6
    max_order: int = 2
    by_hand: bool = True
    variant: str = "A"
    replacements: tuple[int, ...] = ()
    texts: tuple[tuple[int, str], ...] = ()
    kinds: tuple[str, ...] = ()

    def with_another_exercise(self, index: int) -> "WorksheetSpec":
        """Return the specification with the exercise at `index` replaced by another.

        >>> WorksheetSpec().with_another_exercise(1).replacements
        (0, 1)
        """
        counts = [*self.replacements, *(0,) * (index + 1 - len(self.replacements))]
        counts[index] = counts[index] % MAX_REPLACEMENTS + 1
        return replace(self.with_own_texts(index, ""), replacements=tuple(counts))

    def with_own_texts(self, index: int, texts: str) -> "WorksheetSpec":
        """Return the specification with own texts at `index`; "" restores the generated texts.

        >>> WorksheetSpec().with_own_texts(1, "a b\\na c").texts
        ((1, 'a b\\na c'),)
        """
        by_index = {**dict(self.texts), index: texts}
        return replace(self, texts=tuple(sorted(item for item in by_index.items() if item[1])))


def chosen_seed(topics: Sequence[str]) -> str:
    """Return the seed of the worksheet on the topics that is shown first."""
    return CHOSEN_SEEDS["".join(topics) if len(topics) == 1 else ""]


def iter_worksheet(spec: WorksheetSpec) -> Generator[Exercise, None, tuple[Exercise, ...]]:
    """Yield each exercise of a worksheet once it is generated, and return all of them.

    Own texts are applied later, by `apply_own_texts`.

    Raises ValueError if a value of the specification is invalid.
    """
    generated = iter_exercises(
        spec.seed,
        spec.topics,
        spec.count,
        max_order=spec.max_order,
        by_hand=spec.by_hand,
        kinds=spec.kinds,
    )
    exercises: list[Exercise] = []
    for index, exercise in enumerate(generated):
        count = spec.replacements[index] if index < len(spec.replacements) else 0
        chosen = one_like_this(exercise, count) if count else exercise
        exercises += worksheet_variant((chosen,), spec.variant)
        yield exercises[-1]
    return tuple(exercises)


def apply_own_texts(
    spec: WorksheetSpec, generated: Sequence[Exercise]
) -> tuple[tuple[Exercise, ...], str]:
    """Return the exercises with own texts applied, and a notice.

    If own texts cannot make an exercise, the generated one stays and the notice says why.
    """
    exercises, notices = list(generated), []
    for index, texts in spec.texts:
        if index < len(exercises):
            try:
                exercises[index] = exercise_from_lines(exercises[index], texts)
            except ValueError as error:
                notices.append(f"The texts written for exercise {index + 1} are left out: {error}.")
    return tuple(exercises), " ".join(notices)


def exercise_from_lines(exercise: Exercise, texts: str) -> Exercise:
    """Return the exercise on other texts: a candidate and its references, one per line.

    An empty line separates segments.

    Raises ValueError if the texts are too long, and as `exercise_on_texts` does.
    """
    if len(texts) > MAX_TEXT_CHARACTERS:
        raise ValueError(
            f"the texts have {len(texts):,} characters; give at most {MAX_TEXT_CHARACTERS:,}"
        )
    lines = [line.strip() for line in re.split(r"\r\n|\r|\n", texts)]
    segments = [list(group) for has_text, group in groupby(lines, key=bool) if has_text]
    return exercise_on_texts(
        exercise, [segment[0] for segment in segments], [segment[1:] for segment in segments]
    )


def texts_as_lines(exercise: Exercise) -> str:
    """Return the texts of an exercise as lines that `exercise_from_lines` can read."""
    return "\n\n".join(
        "\n".join((hypothesis, *references))
        for hypothesis, references in zip(exercise.hypotheses, exercise.references, strict=True)
    )


def link_parameters(spec: WorksheetSpec) -> list[tuple[str, str]]:
    """Return the parameters of a link to a worksheet."""
    pairs = [("exercises", spec.seed), ("version", str(VERSION))]
    if spec.topics:
        pairs.append(("topics", " ".join(spec.topics)))
    if spec.kinds:
        pairs.append(("kinds", " ".join(spec.kinds)))
    pairs += [("count", str(spec.count)), ("order", str(spec.max_order))]
    if not spec.by_hand:
        pairs.append(("calculator", "yes"))
    if spec.variant != "A":
        pairs.append(("variant", spec.variant))
    if any(spec.replacements):
        pairs.append(("again", ".".join(map(str, spec.replacements))))
    pairs += [(f"text-{index + 1}", texts) for index, texts in spec.texts if index < spec.count]
    return pairs


def to_fragment(spec: WorksheetSpec) -> str:
    """Return the fragment of a link to a worksheet, without "#".

    >>> to_fragment(WorksheetSpec("7k2q", ("clipping", "brevity"), 4))
    'exercises=7k2q&version=4&topics=clipping+brevity&count=4&order=2&view=learn'
    """
    return urlencode([*link_parameters(spec), ("view", "learn")], errors="replace")


def from_fragment(fragment: str) -> tuple[WorksheetSpec, str] | None:
    """Return the worksheet of a link and a notice, or None if the link is not to a worksheet.

    Invalid values are replaced by their defaults, and the notice says so; otherwise it is "".

    >>> from_fragment("#exercises=7k2q&version=4&count=many")[1]
    'The link asks for count “many”, which is not possible: the default is used instead.'
    >>> from_fragment("#hypothesis=a")
    """
    try:
        values = dict(parse_qsl(fragment.removeprefix("#")[:MAX_LINE_CHARACTERS], errors="replace"))
    except ValueError:
        return None
    if "exercises" not in values:
        return None
    default = WorksheetSpec()
    ignored: list[str] = []

    def read(name: str, default_text: str, is_valid: Callable[[str], bool], label: str = "") -> str:
        text = values.get(name, default_text)
        if is_valid(text):
            return text
        ignored.append(f"{label or name} “{text[:20]}”")
        return default_text

    seed = read("exercises", default.seed, _is_seed, "seed")
    topics, kinds = (values.get(name, "").split() for name in ("topics", "kinds"))
    ignored += [f"topic “{name[:20]}”" for name in topics if name not in TOPICS][:3]
    ignored += [f"kind “{name[:20]}”" for name in kinds if name not in KINDS][:3]
    counts = range(1, MAX_COUNT + 1)
    count = int(read("count", str(default.count), lambda text: _is_integer_in(text, counts)))
    order = read("order", str(default.max_order), lambda text: _is_integer_in(text, ORDERS))
    variant = read("variant", default.variant, lambda text: text in VARIANTS)

    replacements = values.get("again", "")
    numbers = [part for part in replacements.split(".") if part][:count]
    if not all(_is_integer_in(part, range(MAX_REPLACEMENTS + 1)) for part in numbers):
        ignored.append(f"again “{replacements[:20]}”")
        numbers = []
    valid_topics = tuple(dict.fromkeys(name for name in topics if name in TOPICS))
    valid_kinds = tuple(dict.fromkeys(name for name in kinds if name in KINDS))
    by_hand = values.get("calculator") != "yes"
    replaced = tuple(map(int, numbers))
    spec = WorksheetSpec(
        seed, valid_topics, count, int(order), by_hand, variant, replaced, kinds=valid_kinds
    )
    for name, texts in values.items():
        prefix, _, number = name.partition("-")
        if prefix == "text" and _is_integer_in(number, range(1, count + 1)):
            spec = spec.with_own_texts(int(number) - 1, texts)
        elif prefix == "text":
            ignored.append(f"texts of exercise “{number[:20]}”")
    notices = ["" if values.get("version") == str(VERSION) else OTHER_VERSION, _notice(ignored)]
    return spec, " ".join(filter(None, notices))


def _is_seed(text: str) -> bool:
    return text.isprintable() and len(text) <= 40


def _is_integer_in(text: str, valid: Container[int]) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4 and int(text) in valid


def _notice(ignored: Sequence[str]) -> str:
    verb, ending = ("are", "s are") if len(ignored) > 1 else ("is", " is")
    wishes = f"The link asks for {english_list(ignored)}, which {verb} not possible"
    return f"{wishes}: the default{ending} used instead." if ignored else ""


def file_name(spec: WorksheetSpec, *, solved: bool) -> str:
    """Return the name of a worksheet's file, without its extension.

    >>> file_name(WorksheetSpec("7k2q"), solved=False)
    'bleu-worksheet-7k2q-A'
    >>> file_name(WorksheetSpec("a/../b c"), solved=True)
    'bleu-worksheet-a-b-c-A-solutions'
    """
    parts = ("bleu-worksheet", *re.findall(r"\w+", spec.seed), spec.variant)
    return "-".join((*parts, "solutions") if solved else parts)
