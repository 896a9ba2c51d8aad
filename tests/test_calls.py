"""Random calls of the library with odd arguments: TypeError or ValueError, and nothing else."""

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
from bleu.core.settings import IMPLEMENTATION_RULES
from bleu.corpus.corpus import corpus_from_segments
from bleu.render import csv, html, html_page, json, latex, markdown, svg, text
from tests.support.strategies import HOSTILE, WORDS

np = pytest.importorskip("numpy", exc_type=ImportError)
pytestmark = pytest.mark.host
SEED = 20261123
RENDERERS = [one.render for one in (html, latex, markdown, html_page, svg, text)]


class Text(str):
    """A text of another class."""


class Tokens(list):
    """A list of another class."""


def endless():
    """A generator that is no sequence."""
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


def anything(random: Random) -> Any:
    """A text, a number, something else, or a list of such, or a generator."""
    kind = random.random()
    if kind < 0.3:
        return random.choice(TEXTS)
    if kind < 0.5:
        return random.choice(NUMBERS)
    if kind < 0.8:
        return random.choice(OBJECTS)
    if kind < 0.85:
        return endless()
    made = [anything(random) for _ in range(random.randrange(4))]
    return random.choice([list, tuple, Tokens])(made)


def words(random: Random) -> Any:
    """A text or tokens that make sense, or nearly."""
    kind = random.random()
    if kind < 0.5:
        return " ".join(random.choices(WORDS, k=random.randrange(9)))
    if kind < 0.8:
        return random.choice(TEXTS)
    if kind < 0.95:
        return [random.choice([*WORDS, 1, 1.0, np.int64(1), (1,), None, "\ud800", b"a", math.nan])
                for _ in range(random.randrange(6))]  # fmt: skip
    return anything(random)


def references(random: Random, hypothesis: Any) -> Any:
    """References for it: of the same kind, mostly."""
    if random.random() < 0.04:
        return anything(random)
    made = [
        hypothesis if random.random() < 0.3 else words(random) for _ in range(random.randint(0, 3))
    ]
    if random.random() < 0.9:
        plain = isinstance(hypothesis, str)
        made = [one if isinstance(one, str) == plain else hypothesis for one in made] or [
            hypothesis
        ]
    return tuple(made) if random.random() < 0.2 else made


def settings(random: Random) -> dict[str, Any]:
    """A few settings, of which one is odd now and then."""
    chosen = {
        name: random.choice(SETTINGS[name])
        for name in random.sample(list(SETTINGS), random.choice([0, 1, 1, 2, 3, 5]))
    }
    if "weights" in chosen and chosen["weights"] is not None and random.random() < 0.8:
        chosen["max_order"] = len(chosen["weights"])
    if random.random() < 0.1:
        chosen[random.choice(list(SETTINGS))] = anything(random)
    if random.random() < 0.01:
        chosen["other"] = 1
    return chosen


def sentence(random: Random) -> tuple[Any, ...]:
    """A hypothesis, its references, and settings."""
    hypothesis = words(random)
    return hypothesis, references(random, hypothesis), settings(random)


def corpus(random: Random) -> tuple[Any, ...]:
    """Hypotheses, their references, and settings."""
    pairs = [sentence(random)[:2] for _ in range(random.randrange(4))]
    hypotheses: Any = [one for one, _ in pairs]
    own: Any = [many for _, many in pairs]
    if random.random() < 0.1:
        hypotheses = anything(random)
    if random.random() < 0.1:
        own = anything(random)
    return hypotheses, own, settings(random)


def counted(random: Random, chosen: dict[str, Any]) -> list[Any]:
    """The statistics of a few segments; now and then, something else is among them."""
    found: list[Any] = []
    for _ in range(random.randint(0, 4)):
        text, others, _ = sentence(random)
        try:
            found.append(bleu.segment_statistics(text, others, **chosen))
        except (TypeError, ValueError):
            size = random.randint(1, 9)
            found.append(Statistics((1,) * size, (2,) * size, 2, Fraction(5, 2)))
    if random.random() < 0.1:
        found.append(anything(random))
    return found


def forged(random: Random) -> Statistics:
    """Statistics that nobody has counted."""
    size = random.randint(0, 9)
    numbers = [0, 0, 1, 1, 2, 3, 100, 10**30]
    matched, total = (tuple(random.choices(numbers, k=size)) for _ in range(2))
    if random.random() < 0.8:
        matched = tuple(map(min, matched, total))
    length = random.choice([*numbers, Fraction(1, 3), Fraction(10**30, 7)])
    return Statistics(matched, total, random.choice(numbers), length)


def made(random: Random, chosen: dict[str, Any]) -> Any:
    """The settings themselves; now and then, something else."""
    return anything(random) if random.random() < 0.1 else resolve_settings(chosen)


def number(random: Random) -> Any:
    """How often to resample, or a seed: small, or odd."""
    odd = random.choice([one for one in NUMBERS if not isinstance(one, int) or one < 10])
    return random.randint(1, 5) if random.random() < 0.95 else odd


def call_sentence(random: Random) -> None:
    hypothesis, others, chosen = sentence(random)
    float(bleu.sentence_bleu(hypothesis, others, **chosen))


def call_corpus(random: Random) -> None:
    hypotheses, own, chosen = corpus(random)
    score = bleu.corpus_bleu(hypotheses, own, **chosen)
    repr((score.precisions, score.weights, score.cross_check.agrees))


def call_statistics(random: Random) -> None:
    hypothesis, others, chosen = sentence(random)
    one = bleu.segment_statistics(hypothesis, others, **chosen)
    bleu.score_statistics(one + one, **chosen)


def call_score(random: Random) -> None:
    chosen = settings(random)
    parts = counted(random, chosen)
    whole = random.choice(parts) if parts else anything(random)
    if random.random() < 0.2:
        whole = forged(random)
        chosen.setdefault("max_order", len(whole.matched))
    bleu.score_statistics(whole, **(chosen if random.random() < 0.8 else settings(random)))


def call_settings(random: Random) -> None:
    chosen = settings(random)
    one = convention_settings(chosen.pop("convention", "default"), **chosen)
    repr((one, one.signature(1), one.sacrebleu_signature(short=True), hash(one)))


def call_derivation(random: Random) -> None:
    hypothesis, others, chosen = sentence(random)
    derivation = bleu.derive(hypothesis, others, **chosen)
    if random.random() < 0.3:
        json_text.loads(json.render(derivation))
        csv.render(derivation)
    else:
        random.choice(RENDERERS)(bleu.explain(derivation))


def call_around(random: Random) -> None:
    hypothesis, others, chosen = sentence(random)
    derivation = bleu.derive(hypothesis, others, **chosen)
    if isinstance(hypothesis, str):
        bleu.diagnose(hypothesis, others, **chosen)
        snippets(hypothesis, others, derivation)


def call_whatif(random: Random) -> None:
    hypothesis, others, chosen = sentence(random)
    if not isinstance(hypothesis, str) or len(hypothesis) < 60:
        for _ in zip(
            range(20), scored_edits(hypothesis, others, resolve_settings(chosen)), strict=False
        ):
            pass


def call_comparison(random: Random) -> None:
    hypothesis, others, chosen = sentence(random)
    names = random.choices([*CONVENTIONS, "x", None, []], k=2)
    bleu.compare(hypothesis, others, conventions=names, **chosen)


def call_interval(random: Random) -> None:
    chosen = settings(random)
    level = random.choice([0.5, 0.95, Fraction(2, 3)] if random.random() < 0.9 else NUMBERS)
    parts: Any = counted(random, chosen) if random.random() < 0.95 else anything(random)
    bleu.confidence_interval(
        parts, made(random, chosen), resamples=number(random), seed=number(random), level=level
    )


def call_test(random: Random) -> None:
    chosen = settings(random)
    one, other = counted(random, chosen), counted(random, chosen)
    least = min(len(one), len(other))
    if random.random() < 0.9:
        one, other = one[:least], other[:least]
    times, seed = number(random), number(random)
    if random.random() < 0.5:
        bleu.paired_bootstrap(one, other, made(random, chosen), resamples=times, seed=seed)
    else:
        bleu.approximate_randomization(one, other, made(random, chosen), trials=times, seed=seed)


def call_summed(random: Random) -> None:
    chosen = settings(random)
    whole = corpus_from_segments(counted(random, chosen), resolve_settings(chosen))
    repr((whole.mean, whole.uncredited, whole.signature))


CALLS: dict[Callable[[Random], None], int] = {
    call_sentence: 380,
    call_statistics: 150,
    call_settings: 150,
    call_corpus: 100,
    call_score: 80,
    call_summed: 40,
    call_derivation: 25,
    call_around: 25,
    call_whatif: 10,
    call_comparison: 20,
    call_interval: 10,
    call_test: 10,
}
"""The calls, and how many of a thousand they are."""


def check_calls(numbers: range) -> None:
    """Make these calls of an endless row, each with a seed of its own."""
    calls, shares = list(CALLS), list(CALLS.values())
    done: Counter[str] = Counter()
    for place in numbers:
        random = Random(SEED + place)
        [call] = random.choices(calls, shares)
        try:
            call(random)
        except (TypeError, ValueError, UserWarning) as error:  # a warning is an answer, too
            done[type(error).__name__] += 1
        except Exception as error:
            pytest.fail(
                f"call {place}, {call.__name__}: {error!r}\n{traceback.format_exc()[-3000:]}"
            )
        else:
            done["none"] += 1
    assert done["none"] > len(numbers) / 4
    assert done["ValueError"]
    assert done["TypeError"]


def test_ten_thousand_calls():
    check_calls(range(10_000))


@pytest.mark.slow
def test_a_million_calls():
    check_calls(range(10_000, 1_010_000))
