"""The effect of single words: scores of edits, limits, and tables in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import Settings, derive, sentence_bleu
from bleu.analysis.edits import Edit, reference_word_edits, removals, scored_edits, split_words
from bleu.document.blocks import Score100, Table
from bleu.explanation.edits import VISIBLE_CHANGE, changes_table, word_value_blocks
from bleu.metric.expressions import Num
from bleu.render.text import span
from tests.support.strategies import WORDS

short_texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


def value_blocks(hypothesis, references, **settings):
    """Return the blocks on the words of a hypothesis."""
    current = derive(hypothesis, references, **settings)
    edits = list(scored_edits(hypothesis, references, current.settings))
    return list(word_value_blocks(edits, current, hypothesis))


def plain_text(paragraph):
    """Return a paragraph as plain text."""
    return "".join(map(span, paragraph.spans))


@given(short_texts, st.lists(short_texts, min_size=1, max_size=2), st.integers(1, 3))
def test_edit_has_the_score_of_its_text(hypothesis, references, max_order):
    for edit in scored_edits(hypothesis, references, Settings(max_order=max_order)):
        expected = sentence_bleu(edit.text, references, max_order=max_order)
        assert edit.value == expected.value


def test_edit_without_a_score_says_so():
    current = derive("a b c d", ["a b c e"], convention="nltk-method6")
    edits = list(scored_edits("a b c d", ["a b c e"], current.settings))
    assert [edit.value is None for edit in edits[:4]] == [True, True, True, False]
    *_, losses = word_value_blocks(edits, current, "a b c d")
    assert isinstance(losses, Table)
    assert losses.rows[0].cells[1:3] == ("no score under these settings", "—")
    assert losses.rows[3].cells[1] == Score100(edits[3].value)


def test_blocks_exist_if_no_removal_has_a_score():
    current = derive("a b c", ["a b c"], convention="nltk-method6")
    edits = list(scored_edits("a b c", ["a b c"], current.settings))
    assert not any(edit.value for edit in edits[:3])
    assert list(word_value_blocks(edits, current, "a b c"))


def test_number_of_edits_is_limited():
    assert list(removals("a " * 201)) == []
    assert len(list(removals("a " * 200))) == 200
    many = " ".join(map(str, range(100)))
    assert list(reference_word_edits(many, [many])) == []
    assert list(reference_word_edits("a " * 62, [" ".join(map(str, range(32)))]))  # 4,000 texts


def test_number_of_characters_is_limited():
    for hypothesis, reference in (("x" * 50_001, "y" * 50_000), ("a", "y " * 50_000)):
        assert list(scored_edits(hypothesis, [reference], Settings())) == []
        (limit,) = value_blocks(hypothesis, [reference])
        assert "up to 100,000 characters" in limit.spans[0]
    assert len(list(scored_edits("x" * 50_000, ["y" * 50_000], Settings()))) == 4


def test_text_without_spaces_is_split_into_characters():
    assert split_words("猫在垫子上") == (["猫", "在", "垫", "子", "上"], "")
    assert split_words("hello") == (["hello"], " ")
    assert [edit.text for edit in removals("猫在")] == ["在", "猫"]


def test_best_edit_comes_first():
    first, gains, losses = value_blocks("the cat is on mat", ["the cat is on the mat"])
    assert "hurts most" in plain_text(first)
    assert gains.rows[0].cells[0] == "add “the” before “mat”"
    assert gains.rows[0].cells[1] == Score100(1.0)
    assert [row.cells[0].text for row in losses.rows] == ["the", "cat", "is", "on", "mat"]


def test_perfect_text_has_no_gains():
    _, gains, _ = value_blocks("a b c d e", ["a b c d e"])
    assert gains.spans == ("No single-word change raises the displayed score.",)


def test_missing_insertions_have_a_reason():
    for settings in ({}, {"convention": "fairseq"}):
        _, reason, *_ = value_blocks("a b", [" "], **settings)
        assert reason.spans == ("There is no reference to take words from.",)
    _, reason, *_ = value_blocks("a b", [" ".join(map(str, range(1000)))])
    assert reason.spans == ("Other words are tried for shorter texts only.",)


def test_no_word_and_too_many_words_have_a_note():
    (no_word,) = value_blocks("", ["a"])
    assert no_word.spans == ("There is no word to remove yet.",)
    (too_many,) = value_blocks("a " * 201, ["a"])
    assert "has 201 words" in too_many.spans[0]


def test_removals_without_effect_have_no_table():
    first, *others = value_blocks("x", ["a"], max_order=1)
    assert plain_text(first) == "Whichever single word is removed, BLEU stays 0.00."
    assert [getattr(block, "name", "") for block in others] == ["gains"]
    first, *_ = value_blocks("a b x", ["a b"], convention="nltk-method1")
    assert "hurts most" in plain_text(first)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", "Removing “a” or “b” hurts most"),
        ("a a", "Removing “a” (or another) hurts most"),
        ("a b c", "Removing “a” (or any of 2 others) hurts most"),
    ],
)
def test_words_with_the_same_effect_are_named_together(text, expected):
    first, *_ = value_blocks(text, [text], max_order=1)
    assert plain_text(first).startswith(expected)


@pytest.mark.parametrize(("share", "is_listed"), [(0.9, False), (1.1, True)])
def test_gains_are_listed_from_the_smallest_visible_change(share, is_listed):
    current = derive("a b", ["a c"], max_order=1)
    removal, *_ = scored_edits("a b", ["a c"], current.settings)
    value = current.score.value + share * VISIBLE_CHANGE
    insertion = Edit(0, "", "new", "new a b", value)
    _, gains, *_ = word_value_blocks([removal, insertion], current, "a b")
    assert isinstance(gains, Table) == is_listed


def test_changes_table_has_the_differences():
    before = derive("a b x", ["a b c"], max_order=2)
    after = derive("a b c", ["a b c"], max_order=2)
    rows = {row.cells[0]: row.cells[1:] for row in changes_table(before, after).rows}
    difference = Score100(1 - before.score.value, difference=True)
    assert rows["BLEU"] == (Score100(before.score.value), Score100(1.0), difference)
    assert rows["Brevity penalty"] == (Num(1.0), Num(1.0), "=")
    assert rows["Length c"] == (Num(3), Num(3), "=")
    assert not any(row.kind for row in changes_table(before, before).rows)
    shorter = {row.cells[0]: row.cells[3] for row in changes_table(after, derive("a", ["b"])).rows}
    assert shorter["Length c"] == "−2"
    assert span(shorter["BLEU"]) == "−100.00"


def test_order_missing_in_one_result_has_no_difference():
    table = changes_table(derive("a", ["a"], max_order=1), derive("a", ["a"], max_order=2))
    assert table.rows[-1].cells[1:] == ("—", Num(0.0), "—")


def test_order_left_out_is_named_so():
    texts = ("a", ["a"])
    table = changes_table(
        derive(*texts, max_order=2), derive(*texts, max_order=2, effective_order=True)
    )
    assert table.rows[-1].cells[1:] == (Num(0.0), "left out", "—")


def test_tokens_raise_a_type_error():
    with pytest.raises(TypeError, match=r"text is \['a'\]; give a string"):
        next(scored_edits(["a"], [["a"]], Settings()))
