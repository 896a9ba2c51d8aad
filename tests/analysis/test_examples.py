"""The worked examples and the library's self-check."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bleu import EXAMPLES, derive, self_check


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_gives_its_score_and_precisions(name):
    example = EXAMPLES[name]
    score = derive(example.hypothesis, example.references, **example.settings).score
    assert score.value == pytest.approx(example.value, abs=1e-15)
    assert score.precisions[: len(example.precisions)] == example.precisions


def test_published_numbers():
    partial = derive("the cat is on mat", ["the cat is on the mat"]).score
    assert f"{partial.value * 100:.2f}" == "57.89"
    assert f"{partial.brevity_penalty:.4f} {partial.geometric_mean:.4f}" == "0.8187 0.7071"
    assert (partial.matched, partial.total) == ((5, 3, 2, 1), (5, 4, 3, 2))
    clipped = derive("the " * 7, ["the cat is on the mat", "there is a cat on the mat"]).score
    assert (clipped.matched[0], clipped.total[0], clipped.value) == (2, 7, 0.0)
    assert derive("hello world", ["hello world"]).score.value == 0.0
    smoothed = derive("hello world", ["hello world"], smoothing="floor", smoothing_value=0.1)
    assert f"{smoothed.score.value * 100:.2f}" == "31.62"


def test_self_check_counts_the_examples_and_raises_on_a_wrong_result():
    assert self_check() == len(EXAMPLES) >= 6
    example = EXAMPLES["partial-match"]
    with pytest.raises(ArithmeticError, match=r"'wrong' gives 0\.57893"):
        self_check({"wrong": replace(example, value=0.5789)})
    with pytest.raises(ArithmeticError, match="expected 0"):
        self_check({"wrong": replace(example, precisions=(Fraction(4, 5),))})
