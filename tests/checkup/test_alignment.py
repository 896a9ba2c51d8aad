"""Tests of the alignment of two texts line by line."""

import random
from collections.abc import Mapping, Sequence

import pytest

import bleu
from bleu.checkup.alignment import (
    CHANCE_PER_WORD,
    Alignment,
    LineEvidence,
    align,
    align_anchors,
    find_anchors,
    pair_lines,
)
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
    first = bleu.check_corpus(hypotheses, [[line] for line in REFERENCES])[0]
    assert (first.name, first.score_without) == ("shuffled", 1)
    alignment = alignment_of(hypotheses, REFERENCES)
    assert set(alignment.moved) <= set(moved)
    assert len(alignment.moved) >= 0.8 * len(moved)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 100])
@pytest.mark.parametrize("hypothesis", ["", "w1", "something else", None])
def test_clean_texts_have_no_fault(size: int, hypothesis: str | None):
    references = REFERENCES[:size]
    hypotheses = references if hypothesis is None else [hypothesis] * size
    assert not alignment_of(hypotheses, references).fault
    assert not alignment_of(sentences(size, seed=3), references).fault


JUMP_COST = 10.0
FULL = 9.5
"""Evidence of a pair of lines, close to the cost of a jump, which no pair reaches."""


def evidence_of(
    pairs: Mapping[tuple[int, int], float],
    counts: tuple[int, int] = (60, 60),
    rare: Sequence[tuple[int, int]] = (),
) -> LineEvidence:
    """Return evidence in which these pairs of (hypothesis, reference) have these values.

    Each pair shares a word of its own. The words of `rare` pairs are rare, so they support offsets.
    """
    evidence = LineEvidence(counts, JUMP_COST)
    for line in range(counts[0]):
        evidence.hypotheses[line] = {word_of(pair) for pair in pairs if pair[0] == line}
    for line in range(counts[1]):
        evidence.references[line] = {word_of(pair) for pair in pairs if pair[1] == line}
    for (hypothesis, reference), value in pairs.items():
        sides = evidence.hypotheses[hypothesis], evidence.references[reference]
        surplus = value * JUMP_COST / (JUMP_COST - value)
        weight = surplus + CHANCE_PER_WORD * sum(map(len, sides)) / 2
        evidence.weights[word_of((hypothesis, reference))] = weight
        assert evidence.pair(hypothesis, reference) == pytest.approx(value)
    for pair in rare:
        evidence.lines_by_word[word_of(pair)].append(pair[1])
    return evidence


def word_of(pair: tuple[int, int]) -> str:
    return f"{pair[0]}-{pair[1]}"


def shifted(offset: int, values: Sequence[float], first: int = 20) -> dict[tuple[int, int], float]:
    """Return pairs of successive lines at an offset; 0 is a line without a counterpart."""
    return {
        (first + index, first + index + offset): value
        for index, value in enumerate(values)
        if value
    }


def offsets_of(evidence: LineEvidence) -> list[int]:
    """Return the offsets of the runs of lines."""
    alignment = run_to_end(align_anchors(evidence, run_to_end(find_anchors(evidence))))
    return [block.offset for block in alignment.blocks]


def test_run_moves_if_its_evidence_exceeds_both_jumps():
    for total in (19.8, 20.2):
        pairs = shifted(5, [total / 4] * 4)
        assert (5 in offsets_of(evidence_of(pairs, rare=list(pairs)))) == (total > 20)


def test_pair_has_a_fifth_of_a_jump_of_evidence():
    for value in (1.9, 2.1):
        pairs = shifted(5, [value] * 12)
        assert (5 in offsets_of(evidence_of(pairs, rare=list(pairs)))) == (value > 2)


def test_three_references_of_a_line_are_tried():
    """References that share a word of more weight come first."""
    for count in (2, 3):
        pairs = shifted(5, [FULL] * 4)
        evidence = evidence_of(pairs, rare=list(pairs))
        for line in range(20, 24):
            for distance in range(30, 30 + count):
                word = f"{line} at {distance}"
                evidence.hypotheses[line].add(word)
                evidence.weights[word] = 1000.0
                evidence.lines_by_word[word].append(line + distance)
        assert (5 in offsets_of(evidence)) == (count == 2)


def test_texts_of_different_lengths_need_one_nat_per_line():
    for value in (2.9, 3.1):
        pairs = {(line, line): value for line in range(0, 60, 3)}
        evidence = evidence_of(pairs, (60, 61), rare=list(pairs))
        assert bool(offsets_of(evidence)) == (value > 3)


def pairs_of(evidence: LineEvidence) -> dict[int, int]:
    return run_to_end(pair_lines(evidence, run_to_end(find_anchors(evidence))))


def moved_of(pairs: Mapping[tuple[int, int], float]) -> list[int]:
    """Return the hypotheses that belong to references of other lines."""
    lines = {line for pair in pairs for line in pair}
    unmoved = {(line, line): FULL for line in range(60) if line not in lines}
    found = pairs_of(evidence_of({**pairs, **unmoved}, rare=list(pairs)))
    return sorted(index for index, target in found.items() if index != target)


def test_moved_line_has_half_a_jump_of_evidence_elsewhere():
    for value in (4.9, 5.1):
        found = moved_of({(0, 3): value, (1, 2): FULL, (2, 1): FULL})
        assert found == ([0, 1, 2] if value > 5 else [1, 2])


def test_moved_line_has_more_evidence_elsewhere_than_in_its_place():
    for value in (7.9, 8.1):
        found = moved_of({(0, 0): value, (0, 3): 8, (1, 2): FULL, (2, 1): FULL})
        assert found == ([0, 1, 2] if value < 8 else [1, 2])


def test_moved_lines_are_a_tenth_of_those_without_a_match():
    for size in (20, 21):
        pairs = {(0, 1): FULL, (1, 0): FULL}
        pairs |= {(line, line): 1.0 for line in range(2, size)}
        assert moved_of(pairs) == ([0, 1] if size == 20 else [])


def test_unmoved_line_has_a_quarter_of_a_jump_in_its_place():
    for value in (2.4, 2.6):
        found = pairs_of(evidence_of({(5, 5): value}))
        assert found == ({5: 5} if value > 2.5 else {})


def test_reference_belongs_to_the_line_with_the_most_evidence():
    for value in (6.9, 7.1):
        assert moved_of({(0, 2): value, (1, 2): 7, (2, 0): 7}) == ([1, 2] if value < 7 else [0, 2])


def test_moved_lines_are_two_percent_of_all():
    for size in (100, 101):
        alignment = Alignment(size, size, (), {0: 1, 1: 0, 2: 2})
        assert alignment.moved == ({0: 1, 1: 0} if size == 100 else {})
    assert not Alignment(10, 10, (), {0: 1}).moved


def is_shift_found(size: int, unshared_words: int, doubtful: Sequence[int] | None = None) -> bool:
    """Return whether a shift of `size` lines in 100 is found.

    Each shares one word with the next reference; words that it does not share weaken the evidence.
    """
    hypotheses, references = ([f"{side}{n}" for n in range(100)] for side in "hr")
    for index in range(50, 50 + size):
        hypotheses[index] = references[index + 1] = f"s{index}"
    for number in range(unshared_words):
        hypotheses[50 + number % size] += f" x{number}"
    lists = [[reference] for reference in references]
    return bool(run_to_end(align(hypotheses, lists, doubtful)).fault)


def test_jump_costs_three_nats_and_the_logarithm_of_the_number_of_lines():
    assert is_shift_found(7, 40)
    assert not is_shift_found(7, 41)


def test_doubtful_lines_are_examined_at_a_third_of_the_cost():
    """If they show no fault, the others are not examined, even if all together would show it."""
    assert is_shift_found(10, 90, range(40, 60))
    assert not is_shift_found(10, 91, range(40, 60))
    assert is_shift_found(10, 110)
    assert not is_shift_found(10, 111)
