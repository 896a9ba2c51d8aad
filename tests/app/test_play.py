"""The parts of a score as bars to play with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.learn.play import (
    FIRST_PARTS,
    NAMES,
    bleu_of,
    part_value,
    play_html,
    play_score_html,
)


@given(st.lists(st.fractions(0, 1), min_size=2, max_size=5))
def test_score_of_the_parts_is_their_product_and_root(parts):
    markup = play_score_html(parts)
    assert f"<b>{bleu_of(parts):.4f}</b>" in markup
    penalty, *precisions = map(float, parts)
    product = 1.0
    for precision in precisions:
        product *= precision
    assert bleu_of(parts) == pytest.approx(penalty * product ** (1 / len(precisions)), abs=1e-12)
    assert ("takes the whole score with it" in markup) == (not all(parts))


def test_first_parts_are_those_of_a_text():
    assert [part_value(*part) for part in zip(NAMES, FIRST_PARTS, strict=False)]
    markup = play_html(FIRST_PARTS)
    assert markup.count('type="range"') == len(FIRST_PARTS) == 5


@pytest.mark.parametrize("text", ["", "x", "2", "-1/2", "8/7", "1e9"])
def test_part_outside_0_to_1_is_refused(text):
    with pytest.raises(ValueError, match="type a number from 0 to 1"):
        part_value("p₂", text)
