"""The card to share: its texts with their marks, its number and its signature."""

import re
from xml.etree import ElementTree

import pytest

from app.score.html import build_snapshot
from app.score.lanes import share_card
from app.state.inputs import Inputs
from bleu.render import card

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*texts: str, **settings: str) -> ElementTree.Element:
    """Return the card of a candidate and its references, parsed."""
    snapshot = build_snapshot(Inputs(texts[0], texts[1:], **settings))
    assert snapshot.outline.product
    return ElementTree.fromstring(card.render(share_card(snapshot, snapshot.outline.product)))


def words(picture: ElementTree.Element, *, size: int = 18) -> list[tuple[float, str]]:
    """Return the texts of a card in letters of at least a size, with their x coordinates."""
    return [
        (float(node.attrib["x"]), node.text or "")
        for node in picture.iter(f"{SVG}text")
        if int(node.attrib["font-size"]) >= size
    ]


def test_card_has_texts_number_and_signature():
    picture = drawn("the cat is on mat", "the cat is on the mat")
    texts = [node.text for node in picture.iter(f"{SVG}text")]
    for expected in ("Candidate", "Reference", "mat", "57.89", "BLEU-4", "5/5", "length"):
        assert expected in texts
    assert any(text and text.startswith("nrefs:1|") for text in texts)
    assert picture.attrib["aria-label"].startswith("BLEU-4 57.89. 5 of 5 words")
    assert (picture.attrib["width"], picture.attrib["height"]) == ("1200", "630")


def test_clipped_words_are_hatched_and_struck_through():
    picture = drawn("the the the", "the cat", max_order="1")
    hatched = [node for node in picture.iter() if node.attrib.get("fill") == "url(#hatch)"]
    assert len(hatched) == 2 + 1  # Two words, and the part of the bar.


@pytest.mark.parametrize("text", [" ".join(["word"] * 400), "x" * 3000, "猫" * 900])
@pytest.mark.parametrize("references", [1, 6])
def test_long_texts_end_with_an_ellipsis_within_the_card(text, references):
    picture = drawn(text, *[f"{text} {n}" for n in range(references)], tokenizer="13a")
    assert any("…" in text for _, text in words(picture))
    assert all(float(node.attrib["y"]) < card.HEIGHT for node in picture.iter(f"{SVG}text"))
    texts = [node.text for node in picture.iter(f"{SVG}text")]
    assert ("and 3 more references" in texts) == (references > 3)


def test_words_from_right_to_left_stand_as_in_a_plain_text():
    picture = drawn(*["קניתי ב-iPhone Pro אתמול"] * 2)
    placed = {text: x for x, text in words(picture, size=44)}
    order = ["אתמול", "iPhone", "Pro", "ב-", "קניתי"]
    assert sorted(order, key=placed.__getitem__) == order


def test_text_is_escaped():
    markup = "<script>alert(1)</script>&"
    picture = drawn(markup, markup)
    assert markup in [node.text for node in picture.iter(f"{SVG}text")]
    assert not [node for node in picture.iter() if re.search("script", node.tag)]
