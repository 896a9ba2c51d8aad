"""Scores and formulas of 250 texts and settings, equal to those of an earlier version.

Each line of `unchanged.jsonl` has a case and a short hash of each part of its result: the numbers,
and the formulas of each step. Floats count to 12 digits, because exp, log and pow differ in the
last bit between C libraries. If a part is meant to change, make all hashes anew by

    .venv/bin/python -m tests.test_unchanged

and see in the difference which cases and parts changed. With `--draw`, the cases are drawn anew.
"""

import hashlib
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bleu import CONVENTIONS, SMOOTHINGS, derive, derive_corpus, explain
from bleu.core.settings import CHOICES

FILE = Path(__file__).parent / "unchanged.jsonl"
NUMBER = r"Fraction\((-?\d+), (\d+)\)|(-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+)"
LINES = FILE.read_text("utf-8").splitlines() if FILE.exists() else []


def parts(choices: dict[str, Any], hypotheses: Any, references: Any) -> dict[str, str]:
    """Return the parts of a score and its explanation as text, or the kind of its error."""
    try:
        one = isinstance(hypotheses, str)
        result = (derive if one else derive_corpus)(hypotheses, references, **choices)
    except ValueError:
        return {"error": "ValueError"}
    score = result.score
    floats = (score.value, score.brevity_penalty, score.log_geometric_mean, score.product_mean)
    found = {
        "floats": repr(floats),
        "pairs": repr(score.pairs),
        "precisions": repr(score.fractions),
        "weights": repr(score.weights),
    }
    for step in explain(result).steps:
        equations = [block for block in step.blocks if type(block).__name__ == "Equation"]
        formulas = [repr(equation) for equation in equations if equation.left.name != "δ"]
        if formulas:
            found[step.anchor] = " ".join(formulas)
    return {name: re.sub(NUMBER, _normalized, text) for name, text in found.items()}


def _normalized(match: re.Match[str]) -> str:
    """Return a number as text: a float, also as a long fraction, with 12 digits."""
    numerator, denominator, number = match.groups()
    if denominator == "1":  # A whole number is the same, whether it is a fraction or not.
        return str(numerator)
    if number:
        return f"{float(number):.12g}"
    is_float = len(denominator) > 15
    return f"{int(numerator) / int(denominator):.12g}" if is_float else match[0]


def hashes(case: dict[str, Any]) -> dict[str, str]:
    """Return the parts of a case, hashed."""
    found = parts(case["choices"], case["hypotheses"], case["references"])
    return {name: hashlib.sha256(text.encode()).hexdigest()[:8] for name, text in found.items()}


def drawn_cases(rng: random.Random) -> Iterator[dict[str, Any]]:
    """Yield random cases without end: a segment, or a corpus of one to three."""

    def words() -> str:
        pool = ["a", "b", "c", "d", "The", "the,", "x."]
        return " ".join(rng.choice(pool) for _ in range(rng.randint(0, 8)))

    while True:
        references = [[words() for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(1, 3))]
        hypotheses = [rng.choice([words(), rng.choice(texts)]) for texts in references]
        case = {"choices": _choices(rng), "hypotheses": hypotheses, "references": references}
        if len(hypotheses) == 1 and rng.random() < 0.7:
            case |= {"hypotheses": hypotheses[0], "references": references[0]}
        yield case


def _choices(rng: random.Random) -> dict[str, Any]:
    """Return random settings, not all of which are valid."""
    if rng.random() < 0.3:
        return {"convention": rng.choice(list(CONVENTIONS))}
    order, smoothing = rng.randint(1, 6), rng.choice(list(SMOOTHINGS))
    choices: dict[str, Any] = {"smoothing": smoothing, "max_order": order}
    for name, names in CHOICES.items():
        if name not in {"smoothing", "tokenizer", "several_references"} and rng.random() < 0.25:
            choices[name] = rng.choice(names)
    if rng.random() < 0.3:
        choices["effective_order"] = True
    if rng.random() < 0.3:
        weights = [rng.randint(0, 3) for _ in range(order)]
        choices["weights"] = [f"{weight}/{sum(weights) or 1}" for weight in weights]
    if SMOOTHINGS[smoothing].takes_value and rng.random() < 0.5:
        choices["smoothing_value"] = rng.choice(["1/3", "0.07", "1", "0"])
    return choices | {"unusual_values": rng.choice(["refused", "computed"])}


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_score_and_formulas_are_unchanged(line: str) -> None:
    case = json.loads(line)
    assert hashes(case) == case["parts"], case


def main(*options: str) -> None:
    """Write the file anew."""
    cases = [json.loads(line) for line in LINES]
    if "--draw" in options:
        drawn = (case | {"parts": hashes(case)} for case in drawn_cases(random.Random(1)))
        cases = []
        while len(cases) < 250:
            case = next(drawn)
            if ("error" in case["parts"]) == (len(cases) % 10 == 9):  # One of ten is refused.
                cases.append(case)
    lines = (json.dumps(case | {"parts": hashes(case)}, ensure_ascii=False) for case in cases)
    FILE.write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
