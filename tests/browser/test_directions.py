"""Words of both directions: boxes stand in the order in which browsers show a plain text."""

import random
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from app.build.assemble import page_style
from bleu import derive
from bleu.document.blocks import MarkedText, TokenList
from bleu.document.writing import word_directions, writing_of
from bleu.explanation.matches import marked_texts
from bleu.render import html
from bleu.render.html_page import CONTENT_STYLE
from tests.browser.conftest import new_context, reveal, score_pasted_lines
from tests.browser.servers import ROOT

HEBREW = (
    "חברת מיקרוסופט השיקה את Microsoft Windows Server 2019 אתמול",
    ("חברת מיקרוסופט הוציאה את Microsoft Windows Server 2019 אתמול"),
)
ARABIC = (
    "أطلقت الشركة Microsoft Windows Server 2019 أمس",
    ("قدمت الشركة Microsoft Windows Server 2019 أمس"),
)
WORDS = (
    *("שלום", "עולם", "את", "قطط", "السلام", "ב-iPhone", "Microsoft", "Windows", "Server", "cat"),
    *("2019", "365", "3.5", "٣", "—", "&"),
)
BOXES = "#matches-body .running, #tokens .token-list, #segment-view .running"
CENTRES = """css => [...document.querySelectorAll(css)].filter((row) => row.clientWidth).map(
    (row) => [...row.querySelectorAll("button > .token, li > *, .word")].map((node) => {
        const box = node.getBoundingClientRect();
        return [node.firstChild.textContent, box.left + box.width / 2, Math.round(box.top)];
    }))"""
"""The words of each row that is shown, each with its centre and its top."""


def expect_plain_order(page: Page, css: str = BOXES) -> None:
    """Check that words of one direction stand in it wherever neighbours share a line."""
    rows = page.evaluate(CENTRES, css)
    assert rows
    for row in rows:
        directions = word_directions([word for word, _, _ in row], "rtl")
        assert directions
        neighbours = list(pairwise(zip(row, directions, strict=True)))
        for ((_, here, top), direction), ((_, there, next_top), other) in neighbours:
            if top == next_top and direction == other:
                assert (here < there) == (direction == "ltr"), row


def test_boxes_stand_in_the_order_of_a_plain_text(browser: Browser):
    """Random words, in the style of the page and in that of exports."""
    generator = random.Random(2019)
    style = page_style(ROOT / "static")
    context = new_context(browser, viewport={"width": 3000, "height": 700})
    page = context.new_page()
    for css in (style, CONTENT_STYLE):
        markup, compared = f"<style>{css}</style>", 0
        for _ in range(300):
            words = generator.choices(WORDS, k=generator.randint(2, 8))
            writing = writing_of(" ".join(words))
            if word_directions(words, writing.direction) is None:
                continue
            compared += 1
            plain = " ".join(f'<span class="word">{word}</span>' for word in words)
            markup += f"<p{html.dir_lang(writing)}>{plain}</p>"
            markup += html.token_list(TokenList("", tuple(words), writing=writing))
            markup += html.marked_text(MarkedText("", tuple(words), writing=writing))
        page.set_content(markup)
        plain, boxes, marked = (
            [
                [index for _, index in sorted((centre, n) for n, (_, centre, _) in enumerate(row))]
                for row in page.evaluate(CENTRES, css)
            ]
            for css in ("p:has(.word)", ".token-list", ".running")
        )
        assert compared > 200
        assert boxes == plain
        if css == style:  # exports have no marks below the tokens
            assert marked == plain
    context.close()


@pytest.mark.parametrize(
    "texts",
    [pytest.param(HEBREW, id="Hebrew"), pytest.param(ARABIC, id="Arabic", marks=pytest.mark.slow)],
)
def test_product_name_keeps_its_order_in_every_view(page: Page, texts):
    hypothesis, reference = texts
    reveal(page, "#reference-1").fill(reference)
    reveal(page, "#hypothesis").fill(hypothesis)
    expect(page.locator("#matches-body .running")).to_have_count(2)
    page.emulate_media(media="print")
    try:
        expect_plain_order(page)
    finally:
        page.emulate_media(media="null")
    reveal(page, "#walk").click()
    expect_plain_order(page, "#tokens .token-list")
    page.keyboard.press("ArrowRight")
    expect_plain_order(page, "#matches-body .running")
    page.keyboard.press("Escape")
    score_pasted_lines(page, hypothesis, reference)
    reveal(page, '[data-command="segment:0"]').click()
    expect(page.locator("#segment-view .running")).to_have_count(2)
    expect_plain_order(page)
    page.locator("#segment-view [data-command='segment-steps:0']").click()
    expect_plain_order(page, "#segment-view .token-list")


def test_arrow_keys_move_to_the_neighbour_that_they_point_to(page: Page):
    reveal(page, "#reference-1").fill(HEBREW[1])
    reveal(page, "#hypothesis").fill(HEBREW[0])
    reveal(page, "#walk").click()
    page.keyboard.press("ArrowRight")
    tokens = page.locator("#matches-body .running").first.locator("button")
    tokens.nth(4).focus()
    for key, focused in (("ArrowRight", 5), ("ArrowLeft", 4), ("ArrowLeft", 3), ("ArrowRight", 2)):
        page.keyboard.press(key)
        expect(tokens.nth(focused)).to_be_focused()
    page.keyboard.press("Escape")


def test_words_run_in_one_direction_if_a_mark_crosses_and_a_line_says_so(page: Page):
    reveal(page, "#reference-1").fill(HEBREW[1])
    reveal(page, "#hypothesis").fill(HEBREW[0])
    reveal(page, "#walk").click()
    for notes in (0, 2):
        page.keyboard.press("ArrowRight")
        note = "All words run right to left, because a mark crosses from one direction to the other"
        expect(page.locator("#matches-body").get_by_text(note)).to_have_count(notes)
        if notes:
            for row in page.evaluate(CENTRES, "#matches-body .running"):
                lines = [(top, -centre) for _, centre, top in row]
                assert lines == sorted(lines)
    page.keyboard.press("Escape")


def test_line_names_the_word_that_crosses():
    mixed, plain = marked_texts(derive("ב-iPhone 15 Pro", ["הוא Pro"]), 1)
    assert "to right, because" not in html.marked_text(mixed)
    assert "All words run right to left, because a word crosses" in html.marked_text(mixed)
    assert "because" not in html.marked_text(plain)
