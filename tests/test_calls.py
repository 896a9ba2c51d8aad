"""Random calls with odd arguments, which may raise only TypeError and ValueError."""

import json as json_text
import math
import traceback
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import bleu
from bleu import CONVENTIONS, REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS, Settings, Statistics
from bleu.analysis.edits import scored_edits
from bleu.analysis.snippets import snippets
from bleu.core.conventions import convention_settings, resolve_settings
from bleu.core.progress import run_to_end
from bleu.core.settings import IMPLEMENTATION_RULES
from bleu.corpus.corpus import iter_corpus
from bleu.render import csv, html, html_page, json, latex, markdown, svg, text
from tests.support.strategies import HOSTILE, WORDS

np = pytest.importorskip("numpy", exc_type=ImportError)
pytestmark = pytest.mark.host
SEED = 20261123
RENDERERS = [module.render for module in (html, latex, markdown, html_page, svg, text)]


class Text(str):
    """A subclass of str."""


class Tokens(list):
    """A subclass of list."""


def generator():
    """Yield two tokens; a generator is not a sequence."""
    yield from ("a", "b")


TEXTS = [
    *HOSTILE, "", " ", "a", "a b", "the cat", "the cat is on the mat", "a a a a a a", "\0",
    "\ud800", "\udfff\ud800", "e\u0301", "\u202eabc", "👩\u200d👧 🙂", "مرحبا שלום", "你好 世界",
    "a\u00a0b", "\n", "1.5 ½", "-\n", "&quot;&amp;", "<skipped>", "x" * 3000, "\u2028", "Ω ß İ ﬁ",
    Text("the cat"), np.str_("a b"),
]  # fmt: skip
NUMBERS = [
    0, 1, 2, 3, 4, 5, 9, 10, -1, -0.0, 0.0, 0.1, 0.5, 1.0, 1e-300, 1e-9, 1e299, 1e308, 5e-324,
    math.nan, math.inf, -math.inf, 10**400, -(10**400), 10**5000, 2**63, True, False,
    Fraction(1, 3), Fraction(-1, 3), Fraction(1, 10**400), Fraction(10**400, 3), Decimal("0.1"),
    Decimal("NaN"), Decimal("-0"), Decimal("1E+999999"), 1j, np.int64(1), np.int64(2), np.int8(-1),
    np.uint64(2**63), np.float64(0.5), np.float32(0.1), np.float64("nan"), np.bool_(True),
    "1", "1/3", "0.1", "1/0", "1e999999999", "nan", "", "٣", "x", "1_0", " 1 ", "1e5000",
]  # fmt: skip
OBJECTS = [
    None, b"a b", bytearray(b"a"), memoryview(b"a"), object(), [], (), {}, set(), {"a": "b"}, {"a"},
    frozenset({"a"}), range(3), [[]], [[["a"]]], ["a"], [None], [["a", "b"], ["c"]], [[1, 2], [3]],
    np.array([]), np.array([0.5, 0.5]), np.array([1, 2]), np.array([["a"]]), np.array(1.0), int,
    len, Ellipsis, NotImplemented, ValueError("x"), Tokens(["a", "b"]), ["a", {}], ["a", ["b"]],
    ["a\0"], (1, 1.0, True), [math.nan, math.nan], [float("nan"), None, (1, 2)], [10**5000],
    Settings(), Statistics((1,), (1,), 1, 1), Statistics((), (), 0, 0),
]  # fmt: skip
WEIGHTS = [
    None, (1,), [0.5, 0.5], ["1/2", "1/2"], (1, 0), [0.25] * 4, [0.1, 0.2, 0.3, 0.4], [1, 0, 0, 0],
    [Fraction(1, 3)] * 3, [1 / 3] * 3, [0.0] * 4, [0.5, 0.5, -0.0, 0], np.array([0.5, 0.5]),
    np.array([1, 2]), np.array([1, 0], dtype=np.int32), [0.1] * 1000, [math.nan] * 4, [1e-300, 1],
    [1 - 1e-10, 1e-10], [Fraction(1, 10**200), 1 - Fraction(1, 10**200)], (True, False), [2, -1],
    [Decimal("0.5")] * 2, "0.5", {0.5, 0.25}, {0.5: 1},
]  # fmt: skip
SETTINGS: dict[str, list[Any]] = {
    "tokenizer": list(TOKENIZERS),
    "lowercase": [True, False],
    "max_order": list(range(1, 10)),
    "weights": WEIGHTS,
    "smoothing": list(SMOOTHINGS),
    "smoothing_value": [None, *NUMBERS],
    "effective_order": [True, False],
    "reference_length": list(REFERENCE_LENGTHS),
    **{name: list(choices) for name, choices in IMPLEMENTATION_RULES.items()},
    "convention": list(CONVENTIONS),
}


def random_object(random: Random) -> Any:
    """Return a text, a number, another object, a generator, or a sequence of these."""
    kind = random.random()
    if kind < 0.3:
        return random.choice(TEXTS)
    if kind < 0.5:
        return random.choice(NUMBERS)
    if kind < 0.8:
        return random.choice(OBJECTS)
    if kind < 0.85:
        return generator()
    items = [random_object(random) for _ in range(random.randrange(4))]
    return random.choice([list, tuple, Tokens])(items)


def random_text(random: Random) -> Any:
    """Return a text or tokens, mostly valid."""
    kind = random.random()
    if kind < 0.5:
        return " ".join(random.choices(WORDS, k=random.randrange(9)))
    if kind < 0.8:
        return random.choice(TEXTS)
    if kind < 0.95:
        return [random.choice([*WORDS, 1, 1.0, np.int64(1), (1,), None, "\ud800", b"a", math.nan])
                for _ in range(random.randrange(6))]  # fmt: skip
    return random_object(random)


def random_references(random: Random, hypothesis: Any) -> Any:
    """Return references for a hypothesis, mostly of the same type."""
    if random.random() < 0.04:
        return random_object(random)
    references = [
        hypothesis if random.random() < 0.3 else random_text(random)
        for _ in range(random.randint(0, 3))
    ]
    if random.random() < 0.9:
        is_text = isinstance(hypothesis, str)
        references = [
            reference if isinstance(reference, str) == is_text else hypothesis
            for reference in references
        ] or [hypothesis]
    return tuple(references) if random.random() < 0.2 else references


def random_choices(random: Random) -> dict[str, Any]:
    """Return a few settings, rarely with an odd one."""
    choices = {
        name: random.choice(SETTINGS[name])
        for name in random.sample(list(SETTINGS), random.choice([0, 1, 1, 2, 3, 5]))
    }
    if "weights" in choices and choices["weights"] is not None and random.random() < 0.8:
        choices["max_order"] = len(choices["weights"])
    if random.random() < 0.1:
        choices[random.choice(list(SETTINGS))] = random_object(random)
    if random.random() < 0.01:
        choices["other"] = 1
    return choices


def random_segment(random: Random) -> tuple[Any, ...]:
    """Return a hypothesis, its references, and settings."""
    hypothesis = random_text(random)
    return hypothesis, random_references(random, hypothesis), random_choices(random)


def random_corpus(random: Random) -> tuple[Any, ...]:
    """Return hypotheses, their references, and settings."""
    segments = [random_segment(random)[:2] for _ in range(random.randrange(4))]
    hypotheses: Any = [hypothesis for hypothesis, _ in segments]
    references: Any = [segment_references for _, segment_references in segments]
    if random.random() < 0.1:
        hypotheses = random_object(random)
    if random.random() < 0.1:
        references = random_object(random)
    return hypotheses, references, random_choices(random)


def random_statistics(random: Random, choices: dict[str, Any]) -> list[Any]:
    """Return the statistics of a few segments, rarely with another object."""
    statistics: list[Any] = []
    for _ in range(random.randint(0, 4)):
        hypothesis, references, _ = random_segment(random)
        try:
            statistics.append(bleu.segment_statistics(hypothesis, references, **choices))
        except (TypeError, ValueError):
            size = random.randint(1, 9)
            statistics.append(Statistics((1,) * size, (2,) * size, 2, Fraction(5, 2)))
    if random.random() < 0.1:
        statistics.append(random_object(random))
    return statistics


def impossible_statistics(random: Random) -> Statistics:
    """Return statistics with arbitrary numbers."""
    size = random.randint(0, 9)
    numbers = [0, 0, 1, 1, 2, 3, 100, 10**30]
    matched, total = (tuple(random.choices(numbers, k=size)) for _ in range(2))
    if random.random() < 0.8:
        matched = tuple(map(min, matched, total))
    length = random.choice([*numbers, Fraction(1, 3), Fraction(10**30, 7)])
    return Statistics(matched, total, random.choice(numbers), length)


def random_settings(random: Random, choices: dict[str, Any]) -> Any:
    """Return the settings of these choices, rarely another object."""
    return random_object(random) if random.random() < 0.1 else resolve_settings(choices)


def random_number(random: Random) -> Any:
    """Return a small number of resamples or a small seed, rarely an odd one."""
    odd = random.choice(
        [number for number in NUMBERS if not isinstance(number, int) or number < 10]
    )
    return random.randint(1, 5) if random.random() < 0.95 else odd


def call_sentence(random: Random) -> None:
    hypothesis, references, choices = random_segment(random)
    float(bleu.sentence_bleu(hypothesis, references, **choices))


def call_corpus(random: Random) -> None:
    hypotheses, references, choices = random_corpus(random)
    score = bleu.corpus_bleu(hypotheses, references, **choices)
    repr((score.precisions, score.weights, score.cross_check.relative_difference))


def call_statistics(random: Random) -> None:
    hypothesis, references, choices = random_segment(random)
    statistics = bleu.segment_statistics(hypothesis, references, **choices)
    bleu.score_statistics(statistics + statistics, **choices)


def call_score(random: Random) -> None:
    choices = random_choices(random)
    parts = random_statistics(random, choices)
    statistics = random.choice(parts) if parts else random_object(random)
    if random.random() < 0.2:
        statistics = impossible_statistics(random)
        choices.setdefault("max_order", len(statistics.matched))
    bleu.score_statistics(
        statistics, **(choices if random.random() < 0.8 else random_choices(random))
    )


def call_settings(random: Random) -> None:
    choices = random_choices(random)
    settings = convention_settings(choices.pop("convention", "default"), **choices)
    signatures = settings.signature(1), settings.signature(form="bleu")
    repr((settings, signatures, hash(settings)))


def call_derivation(random: Random) -> None:
    hypothesis, references, choices = random_segment(random)
    derivation = bleu.derive(hypothesis, references, **choices)
    if random.random() < 0.3:
        json_text.loads(json.render(derivation))
        csv.render(derivation)
    else:
        random.choice(RENDERERS)(bleu.explain(derivation))


def call_diagnosis(random: Random) -> None:
    hypothesis, references, choices = random_segment(random)
    derivation = bleu.derive(hypothesis, references, **choices)
    if isinstance(hypothesis, str):
        bleu.diagnose(hypothesis, references, **choices)
        snippets(hypothesis, references, derivation)


def call_edits(random: Random) -> None:
    hypothesis, references, choices = random_segment(random)
    if not isinstance(hypothesis, str) or len(hypothesis) < 60:
        for _ in zip(
            range(20), scored_edits(hypothesis, references, resolve_settings(choices)), strict=False
        ):
            pass


def call_comparison(random: Random) -> None:
    hypothesis, references, choices = random_segment(random)
    names = random.choices([*CONVENTIONS, "x", None, []], k=2)
    bleu.compare(hypothesis, references, conventions=names, **choices)


def call_interval(random: Random) -> None:
    choices = random_choices(random)
    level = random.choice([0.5, 0.95, Fraction(2, 3)] if random.random() < 0.9 else NUMBERS)
    parts: Any = (
        random_statistics(random, choices) if random.random() < 0.95 else random_object(random)
    )
    bleu.confidence_interval(
        parts,
        random_settings(random, choices),
        resamples=random_number(random),
        seed=random_number(random),
        level=level,
    )


def call_paired_test(random: Random) -> None:
    choices = random_choices(random)
    baseline, system = random_statistics(random, choices), random_statistics(random, choices)
    segments = min(len(baseline), len(system))
    if random.random() < 0.9:
        baseline, system = baseline[:segments], system[:segments]
    times, seed = random_number(random), random_number(random)
    if random.random() < 0.5:
        bleu.paired_bootstrap(
            baseline, system, random_settings(random, choices), resamples=times, seed=seed
        )
    else:
        bleu.approximate_randomization(
            baseline, system, random_settings(random, choices), trials=times, seed=seed
        )


def call_corpus_of_segments(random: Random) -> None:
    choices = random_choices(random)
    segments, settings = random_statistics(random, choices), resolve_settings(choices)
    corpus = run_to_end(iter_corpus(segments, len(segments), settings))
    repr((corpus.mean, corpus.uncredited, corpus.signature))


CALLS: dict[Callable[[Random], None], int] = {
    call_sentence: 380,
    call_statistics: 150,
    call_settings: 150,
    call_corpus: 100,
    call_score: 80,
    call_corpus_of_segments: 40,
    call_derivation: 25,
    call_diagnosis: 25,
    call_edits: 10,
    call_comparison: 20,
    call_interval: 10,
    call_paired_test: 10,
}
"""The calls and their relative frequencies."""


def check_calls(numbers: range) -> None:
    """Make random calls, each with its number as the seed."""
    calls, frequencies = list(CALLS), list(CALLS.values())
    outcomes: Counter[str] = Counter()
    for number in numbers:
        random = Random(SEED + number)
        [call] = random.choices(calls, frequencies)
        try:
            call(random)
        except (TypeError, ValueError, UserWarning) as error:  # Warnings are errors in tests.
            outcomes[type(error).__name__] += 1
        except Exception as error:
            pytest.fail(
                f"call {number}, {call.__name__}: {error!r}\n{traceback.format_exc()[-3000:]}"
            )
        else:
            outcomes["none"] += 1
    assert outcomes["none"] > len(numbers) / 4
    assert outcomes["ValueError"]
    assert outcomes["TypeError"]


def test_ten_thousand_random_calls():
    check_calls(range(10_000))


@pytest.mark.slow
def test_fifty_thousand_random_calls():
    check_calls(range(10_000, 60_000))
