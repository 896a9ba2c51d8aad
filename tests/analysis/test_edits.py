"""What one word is worth: every trial is the score of its text, and the words are right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import Settings, derive, sentence_bleu
from bleu.analysis.edits import insertions, removals, scored_edits, split_words
from bleu.document.blocks import Score100, Table
from bleu.document.expressions import Num
from bleu.explanation.edits import changes_table, word_value_blocks
from bleu.render.text import span
from tests.support.strategies import WORDS

short = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


@given(short, st.lists(short, min_size=1, max_size=2), st.integers(1, 3))
def test_a_trial_is_the_score_of_its_text(hypothesis, references, max_order):
    for trial in scored_edits(hypothesis, references, Settings(max_order=max_order)):
        expected = sentence_bleu(trial.edit.text, references, max_order=max_order)
        assert trial.score.value == expected.value


def test_a_text_that_the_settings_give_no_score_is_said_to_have_none():
    here = derive("a b c d", ["a b c e"], convention="nltk-method6")
    tried = list(scored_edits("a b c d", ["a b c e"], here.settings))
    assert [one.score is None for one in tried[:4]] == [True, True, True, False]
    *_, losses = word_value_blocks(tried, here, "a b c d")
    assert isinstance(losses, Table)
    assert losses.rows[0].cells[1:3] == ("no score under these settings", "—")
    assert losses.rows[3].cells[1] == Score100(tried[3].score.value)


def test_no_word_is_missed_where_none_can_be_left_out():
    here = derive("a b c", ["a b c"], convention="nltk-method6")
    tried = list(scored_edits("a b c", ["a b c"], here.settings))
    assert not any(one.score for one in tried[:3])
    assert list(word_value_blocks(tried, here, "a b c"))


def test_nothing_is_tried_where_it_would_take_for_ever():
    assert list(removals("a " * 201)) == []
    assert len(list(removals("a " * 200))) == 200
    many = " ".join(map(str, range(100)))
    assert list(insertions(many, [many])) == []
    assert list(insertions("a " * 62, [" ".join(map(str, range(32)))]))  # 4,000 texts


def test_nothing_is_tried_in_texts_that_would_fill_the_memory():
    for hypothesis, reference in (("x" * 50_001, "y" * 50_000), ("a", "y " * 50_000)):
        assert list(scored_edits(hypothesis, [reference], Settings())) == []
        (said,) = told(hypothesis, [reference])
        assert "up to 100,000 characters" in said.spans[0]
    assert len(list(scored_edits("x" * 50_000, ["y" * 50_000], Settings()))) == 4


def test_text_without_spaces_is_taken_by_characters():
    assert split_words("猫在垫子上") == (["猫", "在", "垫", "子", "上"], "")
    assert split_words("hello") == (["hello"], " ")
    assert [edit.text for edit in removals("猫在")] == ["在", "猫"]


def told(hypothesis, references, **settings):
    here = derive(hypothesis, references, **settings)
    return list(
        word_value_blocks(
            list(scored_edits(hypothesis, references, here.settings)), here, hypothesis
        )
    )


def test_the_best_change_comes_first():
    first, gains, losses = told("the cat is on mat", ["the cat is on the mat"])
    assert "hurts most" in "".join(map(span, first.spans))
    assert gains.rows[0].cells[0] == "add “the” before “mat”"
    assert gains.rows[0].cells[1] == Score100(1.0)
    assert [row.cells[0].text for row in losses.rows] == ["the", "cat", "is", "on", "mat"]


def test_a_perfect_text_cannot_be_raised():
    _, gains, _ = told("a b c d e", ["a b c d e"])
    assert gains.spans == ("No single-word change raises the displayed score.",)


def test_why_no_other_word_was_tried_is_said():
    for settings in ({}, {"convention": "fairseq"}):
        _, nothing, *_ = told("a b", [" "], **settings)
        assert nothing.spans == ("There is no reference to take words from.",)
    _, many, *_ = told("a b", [" ".join(map(str, range(1000)))])
    assert many.spans == ("Other words are tried for shorter texts only.",)


def test_no_word_and_too_many_words_are_said():
    (nothing,) = told("", ["a"])
    assert nothing.spans == ("There is no word to remove yet.",)
    (many,) = told("a " * 201, ["a"])
    assert "has 201 words" in many.spans[0]


def test_a_word_that_is_not_missed():
    first, *others = told("x", ["a"], max_order=1)
    assert "".join(map(span, first.spans)) == "Whichever single word is removed, BLEU stays 0.00."
    assert [getattr(one, "name", "") for one in others] == ["gains"]
    first, *_ = told("a b x", ["a b"], convention="nltk-method1")
    assert "hurts most" in "".join(map(span, first.spans))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a b", "Removing “a” or “b” hurts most"),
        ("a a", "Removing “a” (or another) hurts most"),
        ("a b c", "Removing “a” (or any of 2 others) hurts most"),
    ],
)
def test_words_that_hurt_as_much_are_named(text, words):
    first, *_ = told(text, [text], max_order=1)
    assert "".join(map(span, first.spans)).startswith(words)


def test_what_changed_and_by_how_much():
    before = derive("a b x", ["a b c"], max_order=2)
    after = derive("a b c", ["a b c"], max_order=2)
    rows = {row.cells[0]: row.cells[1:] for row in changes_table(before, after).rows}
    moved = Score100(1 - before.score.value, difference=True)
    assert rows["BLEU"] == (Score100(before.score.value), Score100(1.0), moved)
    assert rows["Brevity penalty"] == (Num(1.0), Num(1.0), "=")
    assert rows["Length c"] == (Num(3), Num(3), "=")
    assert not any(row.kind for row in changes_table(before, before).rows)
    longer = {row.cells[0]: row.cells[3] for row in changes_table(after, derive("a", ["b"])).rows}
    assert longer["Length c"] == "−2"
    assert span(longer["BLEU"]) == "−100.00"


def test_an_order_that_one_of_them_lacks_has_no_change():
    table = changes_table(derive("a", ["a"], max_order=1), derive("a", ["a"], max_order=2))
    assert table.rows[-1].cells[1:] == ("—", Num(0.0), "—")


def test_an_order_that_is_left_out_says_so():
    texts = ("a", ["a"])
    table = changes_table(
        derive(*texts, max_order=2), derive(*texts, max_order=2, effective_order=True)
    )
    assert table.rows[-1].cells[1:] == (Num(0.0), "left out", "—")


def test_tokens_are_no_text_to_change():
    with pytest.raises(TypeError, match=r"the text is \['a'\]; give it as text"):
        next(scored_edits(["a"], [["a"]], Settings()))
