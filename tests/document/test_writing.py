"""The direction and language of texts: scripts, mixed texts, and texts that start otherwise."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive, explain
from bleu.document.writing import word_directions, writing_of
from bleu.explanation.matches import marked_texts, ngram_sentence
from bleu.render import html, html_page


@pytest.mark.parametrize(
    ("text", "direction", "language"),
    [
        ("", "ltr", ""),
        ("123 !?", "ltr", ""),
        ("the cat", "ltr", ""),
        ("القطة على الحصيرة", "rtl", ""),
        ("گربه روی حصیر است", "rtl", ""),
        ("החתול על המחצלת", "rtl", "he"),
        ("3 חתולים ישבו על המחצלת", "rtl", "he"),
        ("٣ قطط", "rtl", ""),
        ("۳ گربه", "rtl", ""),
        ("«!? — القطة»", "rtl", ""),
        ("🐈‍⬛ القطة", "rtl", ""),
        ("\u200fabc", "rtl", ""),
        ("the word שלום", "ltr", "he"),
        ("שלום means peace in English", "rtl", ""),
        ("แมวนั่งบนเสื่อ", "ltr", "th"),
        ("고양이가 매트 위에 BLEU", "ltr", "ko"),
        ("猫がマットの上に座った", "ltr", "ja"),
        ("猫坐在垫子上", "ltr", ""),
        ("Η γάτα", "ltr", "el"),
        ("კატა", "ltr", "ka"),
        ("Կատուն", "ltr", "hy"),
        ("an α-helix and a β-sheet", "ltr", ""),
        ("кошка", "ltr", ""),
    ],
)
def test_writing(text: str, direction: str, language: str) -> None:
    assert writing_of(text).direction == direction
    assert writing_of(text).language == language


@given(st.text())
def test_first_strong_character_decides(text: str) -> None:
    strong = [c for c in text if unicodedata.bidirectional(c) in {"L", "R", "AL"}]
    is_rtl = bool(strong) and unicodedata.bidirectional(strong[0]) != "L"
    assert writing_of(text).direction == ("rtl" if is_rtl else "ltr")


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("a 5 - b", "ltr", "LLLL"),
        ("a 5 שלום 5 - 5 b", "ltr", "LLRRRRL"),
        ("— 5 Windows Server 2019 — שלום ٣ 5 !", "rtl", "RRLLLRRRRR"),
        ("Windows ٣ — Server", "ltr", "LRLL"),
        ("ב-iPhone שלום ו-iPad", "rtl", "RRR"),
        ("ב-iPhone 15", "rtl", None),
        ("iPhone-ב שלום", "ltr", None),
        ("", "rtl", ""),
    ],
)
def test_word_has_the_direction_of_its_neighbours_in_a_plain_text(text, base, expected):
    directions = word_directions(text.split(), base)
    assert directions is None if expected is None else directions is not None
    if directions is not None:
        assert "".join(name[0].upper() for name in directions) == expected


def test_every_text_of_the_user_has_the_direction_of_the_whole_text():
    """The n-gram "means שלום" stands in a left-to-right text, and "3" in a right-to-left text."""
    derivation = derive("the word means שלום", ["3 חתולים", "hello"])
    page = html_page.render(explain(derivation))
    ltr, rtl = ' dir="ltr" translate="no"', ' dir="rtl" lang="he" translate="no"'
    ngrams = re.findall(r'<q class="ngram"><bdi([^>]*)>', page)
    assert set(ngrams) == {ltr}
    assert len(ngrams) == 10
    lists = re.findall(r'class="token-list"([^>]*)>', page)
    assert lists == [ltr, rtl, ltr, ltr]
    markup = "".join(map(html.marked_text, marked_texts(derivation, 1)))
    running = re.findall(r'class="running"([^>]*?) role', markup)
    assert running == [ltr, rtl, ltr]
    assert 'dir="auto"' not in page + markup


def test_direction_is_that_of_the_text_before_invisible_characters_are_escaped():
    text, _ = marked_texts(derive("\u200f(a)", ["a"]), 1)
    assert text.tokens[0] == "⟨U+200F⟩(a)"
    assert text.writing.direction == "rtl"


def test_sentence_on_an_ngram_keeps_its_order():
    derivation = derive("3 חתולים", ["3 חתולים"])
    sentence = html.paragraph(ngram_sentence(derivation, "2-0"))
    assert sentence.startswith(
        '<p><q class="ngram"><bdi dir="rtl" lang="he" translate="no">3 חתולים</bdi></q>: once'
    )
