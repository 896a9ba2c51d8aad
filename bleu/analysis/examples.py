"""Worked examples with published or hand-checked numbers, and the library's self-check.

The first three are those of Induwara Ashinsana's BLEU calculator. `papineni-1` and `papineni-2`
are candidates 1 and 2 of Papineni et al. 2002 (section 2.1), whose counts ignore case.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from bleu.core.api import derive

PAPINENI_REFERENCES: Final = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: texts, settings, and the expected result.

    `value` is BLEU in [0, 1], correct to 1e-12; `precisions` are the exact precisions of the
    first orders, from p_1.
    """

    name: str
    hypothesis: str
    references: tuple[str, ...]
    value: float
    precisions: tuple[Fraction, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


EXAMPLES: Final = {
    "partial-match": Example(
        "A missing word",
        "the cat is on mat",
        ("the cat is on the mat",),
        0.5789300674674098,
        (Fraction(1), Fraction(3, 4), Fraction(2, 3), Fraction(1, 2)),
    ),
    "clipping": Example(
        "Repeated word",
        "the the the the the the the",
        ("the cat is on the mat", "there is a cat on the mat"),
        2 / 7,
        (Fraction(2, 7),),
        {"max_order": 1},
    ),
    "short-match": Example(
        "Too short",
        "hello world",
        ("hello world",),
        0.0,
        (Fraction(1), Fraction(1), Fraction(0), Fraction(0)),
    ),
    "short-match-smoothed": Example(
        "Too short, smoothed",
        "hello world",
        ("hello world",),
        math.sqrt(0.1),
        (Fraction(1), Fraction(1), Fraction(1, 10), Fraction(1, 10)),
        {"smoothing": "floor"},
    ),
    "word-order": Example(
        "Same words, other order",
        "on Monday the bank opens at nine",
        ("the bank opens at nine on Monday",),
        math.sqrt(0.5),
        (Fraction(1), Fraction(5, 6), Fraction(3, 5), Fraction(1, 2)),
    ),
    "papineni-1": Example(
        "From the 2002 paper",
        "It is a guide to action which ensures that the military always obeys the commands of "
        "the party",
        PAPINENI_REFERENCES,
        0.5045666840058485,
        (Fraction(17, 18), Fraction(10, 17), Fraction(7, 16), Fraction(4, 15)),
        {"lowercase": True},
    ),
    "papineni-2": Example(
        "From the 2002 paper: candidate 2",
        "It is to insure the troops forever hearing the activity guidebook that party direct",
        PAPINENI_REFERENCES,
        0.0,
        (Fraction(8, 14), Fraction(1, 13)),
        {"lowercase": True},
    ),
    "length-tie": Example(
        "Two references equally close",
        "there is a small cat here",
        ("a small cat is here", "there is a small black cat here"),
        math.sqrt(0.5),
        (Fraction(1), Fraction(1), Fraction(3, 4), Fraction(1, 3)),
    ),
    "too-short": Example(
        "Shorter than N words",
        "good morning everyone",
        ("good morning everyone",),
        1.0,
        (Fraction(1), Fraction(1), Fraction(1)),
        {"effective_order": True},
    ),
}
"""The worked examples, in menu order."""


def self_check(examples: Mapping[str, Example] = EXAMPLES) -> int:
    """Recompute every worked example, and return their number.

    Raises ArithmeticError, which names the first example with an unexpected result.

    >>> self_check() == len(EXAMPLES)
    True
    """
    for name, example in examples.items():
        score = derive(example.hypothesis, example.references, **example.settings).score
        is_close = math.isclose(score.value, example.value, rel_tol=1e-12)
        precisions = score.precisions[: len(example.precisions)]
        if not is_close or precisions != example.precisions:
            raise ArithmeticError(
                f"self-check failed: example {name!r} gives {score.value!r} with precisions "
                f"{', '.join(map(str, precisions))}; expected {example.value!r} with "
                f"{', '.join(map(str, example.precisions))}"
            )
    return len(examples)
