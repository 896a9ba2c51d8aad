"""Tests of the alignment of two texts line by line."""

import random

import pytest

from bleu.analysis.alignment import Alignment, align
from bleu.core.progress import run_to_end


def alignment_of(hypotheses: list[str], references: list[str]) -> Alignment:
    return run_to_end(align(hypotheses, [[line] for line in references]))


def sentences(count: int, seed: int = 1) -> list[str]:
    """Return sentences of 4 to 16 words; common words are a hundred times as frequent as rare."""
    rng = random.Random(seed)
    words = [f"w{n}" for n in range(1000)]
    weights = [1 / (n + 10) for n in range(1000)]
    return [" ".join(rng.choices(words, weights, k=rng.randint(4, 16))) for _ in range(count)]


REFERENCES = sentences(100)


@pytest.mark.parametrize("index", [0, 1, 50, 98, 99])
def test_missing_and_extra_lines_are_named(index: int):
    missing = alignment_of(REFERENCES[:index] + REFERENCES[index + 1 :], REFERENCES)
    assert (missing.fault, missing.shifts) == ("length-mismatch", ((index + 1, 1),))
    extra = alignment_of([*REFERENCES[:index], "x", *REFERENCES[index:]], REFERENCES)
    assert (extra.fault, extra.shifts) == ("length-mismatch", ((index + 1, -1),))


def test_shifts_are_named_and_repaired():
    hypotheses = ["x", *REFERENCES[:39], *REFERENCES[40:60], "y", *REFERENCES[60:-1]]
    alignment = alignment_of(hypotheses, REFERENCES)
    assert alignment.fault == "misaligned"
    assert alignment.shifts == ((1, -1), (41, 0), (61, -1))
    repaired = alignment.realign(hypotheses)
    assert repaired == [*REFERENCES[:39], "", *REFERENCES[40:-1], ""]


@pytest.mark.parametrize("share", [0.05, 0.2, 1])
def test_shuffled_lines_are_found(share: float):
    rng = random.Random(2)
    hypotheses = REFERENCES.copy()
    moved = rng.sample(range(100), k=round(100 * share))
    for source, target in zip(moved, moved[1:] + moved[:1], strict=True):
        hypotheses[target] = REFERENCES[source]
    alignment = alignment_of(hypotheses, REFERENCES)
    assert alignment.fault == "shuffled"
    assert set(alignment.shuffled) <= set(moved)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 100])
@pytest.mark.parametrize("hypothesis", ["", "w1", "something else", None])
def test_clean_texts_have_no_fault(size: int, hypothesis: str | None):
    references = REFERENCES[:size]
    hypotheses = references if hypothesis is None else [hypothesis] * size
    assert not alignment_of(hypotheses, references).fault
    assert not alignment_of(sentences(size, seed=3), references).fault
