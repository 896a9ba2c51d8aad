"""The view Score in use: typing, settings, examples, exports, tools and presentation."""

import io
import re
from urllib.parse import urlencode
from urllib.request import urlopen
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from app.components import COMMON_ORDER, WHEEL, token_count_text
from bleu import CONVENTIONS, EXAMPLES, sentence_bleu
from tests.browser.conftest import (
    Recorder,
    copy_link,
    expect_marks,
    expect_notice,
    mark_order,
    open_page,
    reveal,
    wait_for_script,
    word_place,
)
from tests.support.case_selection import fast_and_slow


def score(page: Page) -> float:
    """Return the score that the page shows."""
    return float(page.locator("#score").get_attribute("data-value"))


def expect_score(page: Page, value: float) -> None:
    """Wait until the page shows a score."""
    expect(page.locator("#score")).to_have_attribute("data-value", repr(value))


def type_pair(page: Page, hypothesis: str, reference: str) -> None:
    """Fill candidate and reference, and wait until the page shows their token counts."""
    for box, text in (("hypothesis", hypothesis), ("reference-1", reference)):
        reveal(page, f"#{box}").fill(text)
        expect(page.locator(f"#{box}-count")).to_have_text(token_count_text(text, "whitespace"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_shows_its_score(page, name):
    example = EXAMPLES[name]
    reveal(page, f'[data-command="example:{name}"]').click()
    expect(page.locator("#hypothesis")).to_have_value(example.hypothesis)
    for number, reference in enumerate(example.references, 1):
        expect(page.locator(f"#reference-{number}")).to_have_value(reference)
    expect(page.locator("#score")).to_contain_text(f"{example.value * 100:.2f}")
    value = sentence_bleu(example.hypothesis, example.references, **example.settings).value
    assert score(page) == pytest.approx(value, abs=1e-12)
    assert score(page) == pytest.approx(example.value, abs=1e-12)
    expect(page.locator(".checked")).to_have_text("logarithms and product agree")


def test_typing_updates_score_and_counts(page):
    reveal(page, "#hypothesis").press_sequentially("the cat is on the mat")
    reveal(page, "#reference-1").press_sequentially("the cat is on the mat")
    expect_score(page, 1.0)
    expect(page.locator("#hypothesis-count")).to_have_text("6 tokens")
    reveal(page, "#hypothesis").press("End")
    reveal(page, "#hypothesis").press_sequentially(" today")
    expect(page.locator("#hypothesis-count")).to_have_text("7 tokens")
    expect_score(
        page, sentence_bleu("the cat is on the mat today", ["the cat is on the mat"]).value
    )


@pytest.mark.parametrize("order", fast_and_slow(5, [4, 1, 2, 5, 9, 3, 6, 7, 8]))
def test_there_is_one_precision_step_per_order(page, order):
    type_pair(page, "a b c d e f g h i j", "a b c d e f g h i j")
    if order <= COMMON_ORDER:
        page.get_by_role("radio", name=str(order), exact=True).check()
    else:
        reveal(page, "#max-order").select_option(str(order))
    expect(page.locator("#max-order")).to_have_value(str(order))
    expect(page.locator('section[id^="precision-"]')).to_have_count(order)
    expect(page.locator("#result-title")).to_have_text(f"BLEU-{order}")
    expect_score(page, 1.0)


LANES_KEY = "1 word 2 3 4 words in a row"
PAIR = "the cat is on mat near the dog", "the cat is on the mat near a dog"


def expect_convention(page: Page, name: str) -> None:
    """Wait until the page shows the score and the name of a convention."""
    expect(page.locator("#convention")).to_have_value(name)
    expect_score(page, sentence_bleu(PAIR[0], [PAIR[1]], convention=name).value)
    expect(page.locator("#error")).to_be_empty()
    if name != "default":
        expect(page.locator(".convention strong").first).to_have_text(CONVENTIONS[name].title)


@pytest.mark.slow
def test_convention_from_the_menu_scores_as_in_the_library(page):
    type_pair(page, *PAIR)
    for name in CONVENTIONS:
        reveal(page, "#convention").select_option(name)
        expect_convention(page, name)


@pytest.mark.slow
def test_convention_from_a_link_scores_as_in_the_library(tab):
    page = open_page(tab)
    texts = urlencode({"hypothesis": PAIR[0], "reference": PAIR[1]})
    for name in CONVENTIONS:
        page.evaluate("link => { location.hash = link }", f"{texts}&convention={name}")
        expect_convention(page, name)


ALL_VISIBLE = "all => all.every((css) => document.querySelector(css)?.checkVisibility())"


def open_agreeing(page: Page) -> None:
    """Open the table of the conventions that agree, if there is one."""
    reveal(page, "#comparison")
    expect(page.locator("#comparison-body table").first).to_be_visible()
    details = page.locator("#comparison .agreeing")
    if details.count() and not details.evaluate("node => node.open"):
        details.locator("summary").click()


@pytest.mark.slow
def test_convention_from_the_comparison_scores_as_in_the_library(page):
    type_pair(page, *PAIR)
    reveal(page, "#comparison")
    expect(page.locator("#comparison-body [data-command^=convention]").first).to_be_visible()
    names = list(CONVENTIONS)
    buttons = [f'#comparison-body [data-command="convention:{name}"]' for name in names]
    for number, name in enumerate(names):
        if number in {0, len(names) - 1}:
            reveal(page, "#comparison")
            while not page.evaluate(ALL_VISIBLE, buttons):  # Redrawing closes the table again.
                open_agreeing(page)
                page.wait_for_timeout(100)
            page.locator(buttons[number]).click()
        else:  # A click on the button as it was spares drawing the table again.
            page.evaluate("css => document.querySelector(css).click()", buttons[number])
        expect_convention(page, name)


def test_what_if_reports_edits_without_a_score(page):
    type_pair(page, "a b c d", "a b c e")
    reveal(page, "#convention").select_option("nltk-method6")
    reveal(page, "#what-if summary").click()
    expect(page.locator("#what-if-body")).to_contain_text("no score under these settings")
    reveal(page, "#what-if summary").click()


def test_last_result_can_be_explored_while_settings_are_invalid(page):
    type_pair(page, "a b", "a c")
    reveal(page, "#max-order").select_option("1")
    expect_score(page, 0.5)
    reveal(page, "#smoothing").select_option("floor")
    reveal(page, "#smoothing-value").fill("7")
    expect(page.locator("#error")).to_contain_text("Choose a number above 0 and at most 1")
    reveal(page, "#lens summary").click()
    expect(page.locator("#lens-body")).to_contain_text("13a")
    reveal(page, "#lens summary").click()


@pytest.mark.slow
def test_steps_cannot_be_presented_before_there_is_a_result(tab):
    page = tab.page
    page.add_init_script("""sessionStorage.setItem("bleu", JSON.stringify({
        link: "", values: {hypothesis: "a", "reference-1": "a", weights: "2"}, whole: true,
    }))""")
    open_page(tab)
    expect(page.locator("#error")).to_contain_text("The number of weights is 1, and N is 4")
    reveal(page, "#walk").click()
    expect(page.locator("#walk")).to_have_text("Present the steps")
    tab.check()


def test_smoothing_value_is_enabled_if_the_smoothing_takes_one(page):
    type_pair(page, "hello world", "hello world")
    value = page.locator("#smoothing-value")
    expect(value).to_be_disabled()
    page.get_by_label("Smoothing").first.select_option("floor")
    expect(value).to_be_enabled()
    expect(page.locator("#smoothing-value-label")).to_contain_text("ε")
    expect_score(page, sentence_bleu("hello world", ["hello world"], smoothing="floor").value)
    expect(page.locator("#smoothing-step")).to_have_count(1)
    expect(reveal(page, "section#smoothing-step")).to_be_visible()
    reveal(page, "#smoothing-value").fill("0.5")
    expected = sentence_bleu("hello world", ["hello world"], smoothing="floor", smoothing_value=0.5)
    expect_score(page, expected.value)
    reveal(page, "#smoothing").select_option("add-k")
    expect(page.locator("#smoothing-value-label")).to_contain_text("k")
    expect(value).to_have_value("")
    reveal(page, "#smoothing").select_option("exp")
    expect(value).to_be_disabled()


def test_invalid_value_is_reported_and_keeps_texts_and_result(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    expect_score(page, 0.5789300674674098)
    reveal(page, "#smoothing").select_option("floor")
    reveal(page, "#smoothing-value").fill("7")
    expect(page.locator("#error")).to_contain_text(
        "ε of smoothing floor is 7. Choose a number above 0 and at most 1"
    )
    expect(page.locator("html[data-invalid]")).to_have_count(1)
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    expect_score(page, 0.5789300674674098)
    for section in ("#result", "#matches", "#derivation"):
        expect(page.locator(section)).to_have_css("filter", "grayscale(1)")
    page.evaluate("window.printed = 0; window.print = () => { window.printed += 1; }; 0")
    with expect_notice(page, "First correct the setting that is marked."):
        reveal(page, "#keep").click()
    expect(page.locator("#before-after")).to_be_hidden()
    reveal(page, '[data-command="print"]').click()
    assert page.evaluate("window.printed") == 0
    reveal(page, "#smoothing-value").fill("0.2")
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("html[data-invalid]")).to_have_count(0)


def test_weights_effective_order_and_reference_length_change_the_score(page):
    type_pair(page, "a b", "a b")
    reveal(page, "#effective-order")
    page.get_by_label("Effective order").check()
    expect_score(page, 1.0)
    page.get_by_label("Effective order").uncheck()
    reveal(page, "#max-order").select_option("2")
    page.get_by_label("Weights").fill("0.9")
    expect(page.locator("#error")).to_contain_text("The number of weights is 1, and N is 2")
    page.get_by_label("Weights").fill("1/4 3/4")
    expect_score(page, 1.0)
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill("a b c d")
    reveal(page, "#reference-1").fill("a b c")
    page.get_by_label("Reference length").select_option("average")
    value = sentence_bleu(
        "a b", ["a b c", "a b c d"], max_order=2, weights=(0.25, 0.75), reference_length="average"
    ).value
    expect_score(page, value)
    reveal(page, "#more summary").click()


def test_lowercase_changes_the_score(page):
    type_pair(page, "The CAT is here", "the cat is here")
    page.locator("#inputs").get_by_label("Lowercase").check()
    expect_score(page, 1.0)
    expect(page.locator("section#tokens")).to_contain_text("lowercased")


def test_references_are_added_and_removed_with_their_texts(page):
    reveal(page, "#reference-1").fill("one")
    expect(page.locator(".remove")).to_have_count(0)
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill("two")
    reveal(page, "#add-reference").click()
    expect(page.locator("#reference-3")).to_be_focused()
    reveal(page, "#reference-3").fill("three")
    page.get_by_role("button", name="Remove reference 2").click()
    expect(page.locator("#references textarea")).to_have_count(2)
    expect(page.locator("#reference-1")).to_have_value("one")
    expect(page.locator("#reference-2")).to_have_value("three")
    expect(page.get_by_label("Reference 2", exact=True)).to_have_value("three")
    expect(page.locator("#reference-3")).to_have_count(0)
    page.get_by_role("button", name="Remove reference 1").click()
    expect(page.get_by_label("Reference 1", exact=True)).to_have_value("three")
    expect(page.locator(".remove")).to_have_count(0)


def test_empty_reference_has_a_note(page):
    type_pair(page, "a b c d", "a b c d")
    reveal(page, "#add-reference").click()
    expect(page.locator("#result-body")).to_contain_text("Reference 2 is empty and does not count")
    expect_score(page, 1.0)


def test_swap_and_clear_change_the_texts(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#swap").click()
    expect(page.locator("#hypothesis")).to_have_value("the cat is on the mat")
    expect(page.locator("#reference-1")).to_have_value("the cat is on mat")
    reveal(page, "#clear").click()
    expect(page.locator("#hypothesis")).to_have_value("")
    expect(page.locator("#reference-1")).to_have_value("")
    expect(page.locator("#result-body")).to_contain_text("Type or paste a candidate")
    expect(page.locator("#score")).to_have_count(0)


@pytest.mark.slow
def test_copied_link_opens_the_same_form(page, shared_recorder: Recorder):
    before = page.url
    type_pair(page, "hello & world #1", "hello & world #1")
    reveal(page, "#smoothing").select_option("floor")
    with expect_notice(page, "Result copied"):
        reveal(page, "#copy").click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("BLEU-4 = ")
    with expect_notice(page, "Link copied"):
        copy_link(page)
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(shared_recorder.site + "#hypothesis=")
    assert page.url == before, "the address is left alone"
    other = Recorder(page.context.new_page(), shared_recorder.site)
    open_page(other, link.removeprefix(shared_recorder.site))
    expect(other.page.locator("#hypothesis")).to_have_value("hello & world #1")
    expect(other.page.locator("#smoothing")).to_have_value("floor")
    text = "hello & world #1"
    for shown_page in (page, other.page):
        expect_score(shown_page, sentence_bleu(text, [text], smoothing="floor").value)
    other.check()
    other.page.close()


def test_text_is_shown_if_there_is_no_clipboard(page):
    type_pair(page, "a b c d", "a b c d")
    expect_score(page, 1.0)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {configurable: true})")
    reveal(page, "#copy").click()
    expect(page.locator("#notice")).to_contain_text("Copy this: BLEU-4 = 100.00")
    page.evaluate("delete navigator.clipboard")


def test_enter_does_not_submit_the_form(page):
    type_pair(page, "a b c d", "a b c d")
    page.evaluate("window.wasNotReloaded = true")
    reveal(page, "#smoothing").select_option("floor")
    reveal(page, "#more summary").click()
    for field in ("smoothing-value", "weights", "lowercase"):
        reveal(page, f"#{field}").press("Enter")
    reveal(page, "#more summary").click()
    expect_score(page, 1.0)
    assert page.evaluate("window.wasNotReloaded")


def test_redrawn_box_keeps_every_line_break(page):
    reveal(page, "#reference-1").fill("\n\n one\n\ntwo ")
    reveal(page, "#add-reference").click()
    expect(page.locator("#reference-2")).to_be_focused()
    expect(page.locator("#reference-1")).to_have_value("\n\n one\n\ntwo ")
    expect(page.locator("#reference-1-count")).to_have_text("2 tokens")


def test_no_keystroke_is_lost_in_50_000_characters(page):
    text = "word " * 10_000
    type_pair(page, text, text)
    expect(page.locator("#hypothesis-count")).to_have_text("10,000 tokens")
    reveal(page, "#hypothesis").press("Control+End")
    reveal(page, "#hypothesis").press_sequentially("twenty keystrokes ok")
    expect(page.locator("#hypothesis")).to_have_value(text + "twenty keystrokes ok")
    expect(page.locator("#hypothesis-count")).to_have_text("10,003 tokens")
    expect(page.locator("#result-body")).to_contain_text("50,020 characters")
    assert 0.99 < score(page) < 1


HOSTILE = (
    "<script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "</textarea><svg onload=window.hacked=1>",
    "<math><mi>x</mi></math>",
    "&lt;b&gt;",
    "\u202eturned",
    "שלום",
    "你好",
    "👩‍👩‍👧‍👦",
    "e\u0301\u0302\u0303",
)


def test_hostile_text_is_shown_and_never_executed(page):
    text = " ".join(HOSTILE)
    type_pair(page, text, text)
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill(text)
    expect_score(page, 1.0)
    expect(page.locator("section#tokens .token-list").first).to_contain_text("你好")
    assert page.evaluate("window.hacked") is None
    assert page.locator("#derivation :is(script, img, svg:not(.drawing))").count() == 0
    expect(page.locator("section#tokens")).to_contain_text("⟨U+202E⟩turned")


def test_lone_surrogate_is_scored_and_escaped(page):
    page.evaluate(
        """() => {
            for (const id of ["hypothesis", "reference-1"])
                document.getElementById(id).value = "a \\ud800 b c";
            document.getElementById("hypothesis")
                .dispatchEvent(new Event("input", {bubbles: true}));
        }"""
    )
    expect_score(page, 1.0)
    expect(page.locator("section#tokens")).to_contain_text("⟨U+D800⟩")


def test_only_the_steps_that_changed_are_replaced(page):
    type_pair(page, "hello there world", "hello there world")
    expect(page.locator("section#tokens")).to_contain_text("there")
    page.locator("section#tokens").evaluate("node => node.dataset.mark = 'unchanged'")
    page.locator("section#cross-check").evaluate("node => node.dataset.mark = 'unchanged'")
    reveal(page, "#more summary").click()
    reveal(page, "#weights").fill("0.5 0.5 0 0")
    expect_score(page, 1.0)
    expect(page.locator('section#tokens[data-mark="unchanged"]')).to_have_count(1)
    expect(page.locator('section#cross-check[data-mark="unchanged"]')).to_have_count(0)
    reveal(page, "#more summary").click()


def test_page_has_documented_ids_and_labelled_controls(page):
    type_pair(page, "hello world", "hello world")
    reveal(page, "#smoothing").select_option("floor")
    for control in (
        "hypothesis", "reference-1", "max-order", "smoothing", "smoothing-value", "lowercase",
        "score", "tokens", "precision-1", "precision-4", "brevity-penalty", "cross-check",
    ):  # fmt: skip
        expect(page.locator(f"#{control}")).to_have_count(1)
    for step in ("smoothing", "score"):
        expect(page.locator(f'section#{step}-step[data-step="{step}"]')).to_have_count(1)
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button")]
            .filter(node => !(node.labels?.length || node.textContent.trim()
                || node.getAttribute("aria-label"))).map(node => node.id)"""
    )
    assert unnamed == []
    ids = page.evaluate("() => [...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.slow
@pytest.mark.layout
@pytest.mark.parametrize("width", [360, 1280])
def test_long_words_do_not_overflow_the_page(page, width):
    long = "https://example.org/" + "x" * 400 + " the cat"
    type_pair(page, long, long)
    reveal(page, "#max-order").select_option("9")
    expect(page.locator("section#precision-9")).to_have_count(1)
    expect(reveal(page, "section#precision-9")).to_be_visible()
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 720})


def test_internal_links_have_targets(page):
    reveal(page, '[data-command="example:partial-match"]').click()
    expect(page.locator("#precision-4")).to_have_count(1)
    targets = page.evaluate(
        """() => [...document.querySelectorAll('a[href^="#"]:not([href*="="])')]
            .map(node => node.getAttribute("href").slice(1))"""
    )
    assert len(targets) > 10
    for target in set(targets):
        expect(page.locator(f"[id='{target}']")).to_have_count(1)
    assert re.search(r"precision-1", " ".join(targets))


def test_outdated_result_is_not_copied(page):
    type_pair(page, "a b c d", "a b c d")
    expect_score(page, 1.0)
    reveal(page, "#smoothing").select_option("floor")
    reveal(page, "#smoothing-value").fill("9")
    expect(page.locator("html[data-invalid]")).to_have_count(1)
    with expect_notice(page, "First correct the setting that is marked."):
        reveal(page, "#copy").click()


def test_added_step_leaves_the_others_unchanged(page):
    type_pair(page, "hello there world", "hello there world")
    expect(page.locator("section#tokens")).to_contain_text("there")
    page.locator("section#tokens").evaluate("node => node.dataset.mark = 'unchanged'")
    reveal(page, "#smoothing").select_option("floor")
    expect(page.locator("#smoothing-step")).to_have_count(1)
    expect(reveal(page, "section#smoothing-step")).to_be_visible()
    expect(page.locator('section#tokens[data-mark="unchanged"]')).to_have_count(1)


def test_convention_sets_the_form_and_the_derivation(page):
    type_pair(page, "Hello world, my friend.", "hello world, my friends.")
    page.locator("#inputs").get_by_label("Score like").select_option("sacrebleu")
    expect(page.locator("#tokenizer")).to_have_value("13a")
    expect(page.locator("#smoothing")).to_have_value("exp")
    texts = ("Hello world, my friend.", ["hello world, my friends."])
    expect_score(page, sentence_bleu(*texts, convention="sacrebleu").value)
    expect(page.locator("#result .signature")).to_contain_text(
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    )
    expect(page.locator("section#tokens")).to_contain_text("mteval-v13a")
    reveal(page, "#tokenizer").select_option("whitespace")
    expect_score(page, sentence_bleu(*texts, convention="sacrebleu", tokenizer="none").value)


def test_convention_of_the_comparison_is_applied(page):
    """The table itself is tested in every engine."""
    texts = ("Hello world, my friend.", ["hello world, my friends.", "Hello there, world"])
    type_pair(page, texts[0], texts[1][0])
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill(texts[1][1])
    reveal(page, "#comparison")
    fairseq_row = page.locator('#comparison tr:has([data-command="convention:fairseq"])')
    expect(fairseq_row).to_contain_text("It takes one reference only.")
    open_agreeing(page)
    reveal(page, '[data-command="convention:mteval-v13a"]').click()
    expect(page.locator("#convention")).to_have_value("mteval-v13a")
    expect_score(page, sentence_bleu(*texts, convention="mteval-v13a").value)
    expect(page.locator(".convention")).to_contain_text("mteval-v13a")
    expect(page.locator("#convention")).to_be_focused()
    page.get_by_role("link", name="Compare with other tools").click()
    expect(page.locator("#comparison summary").first).to_be_in_viewport()
    reveal(page, "#hypothesis").press_sequentially("x")
    open_agreeing(page)
    expect(page.locator("#comparison tr.same").first).to_be_visible()


def test_lens_shows_each_tokenizer_with_its_score(page):
    type_pair(page, "It's 5€.", "你好")
    reveal(page, "#lens summary").click()
    lens = page.locator("#lens-body")
    expect(lens).to_contain_text("intl: BLEU 0.00 on the 0–100 scale")
    expect(lens).to_contain_text("Reference: 2 tokens")
    expect(lens.locator("li.differs").first).to_be_visible()
    reveal(page, "#lens summary").click()


def test_code_is_shown_and_copied(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#check-yourself summary").click()
    expect(page.locator("#snippets-body h3")).to_have_text(
        ["bleu", "nltk", "sacrebleu", "torchmetrics", "BLEU in plain Python"]
    )
    with expect_notice(page, "Code copied"):
        page.get_by_role("button", name="Copy the code").nth(1).click()
    assert "sentence_bleu" in page.evaluate("navigator.clipboard.readText()")
    address = page.locator("#snippets-body p code").first.inner_text().removeprefix("pip install ")
    assert address == page.url.partition("#")[0] + WHEEL
    with urlopen(address) as response, ZipFile(io.BytesIO(response.read())) as wheel:
        assert "bleu/__init__.py" in wheel.namelist()
    reveal(page, "#check-yourself summary").click()


def test_wheel_can_be_downloaded(page):
    with page.expect_download() as download:
        reveal(page, "#documentation [download]").click()
    assert download.value.suggested_filename == WHEEL
    with ZipFile(download.value.path()) as wheel:
        assert "bleu/__init__.py" in wheel.namelist()


@pytest.mark.parametrize(
    ("hypothesis", "reference", "button", "value"),
    [
        ("The Cat Is Here", "the cat is here", "Lowercase the texts", 1.0),
        ("it’s all so good", "it's all so good", "Straighten quotes and dashes", 1.0),
        ("cafe\u0301 au lait noir", "café au lait noir", "Compose the accents", 1.0),
        ("the cat\u200b is here", "the cat is here", "Remove the hidden characters", 1.0),
        ("我们 爱自然语言处理", "我们 爱自然语言处理吗", "Use tokenizer zh", None),
        ("here is a cat", "here is a cat.", "Use tokenizer 13a", None),
    ],
)
def test_finding_is_shown_and_its_button_removes_it(page, hypothesis, reference, button, value):
    type_pair(page, hypothesis, reference)
    before = score(page)
    page.locator("#findings > summary").click()
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_role("button", name=button, exact=True)).to_have_count(0)
    if value is None:
        wait_for_script(
            page, "before => document.querySelector('#score').dataset.value > before", before
        )
    else:
        expect_score(page, value)


@pytest.mark.slow
def test_comparison_of_long_texts_does_not_block_typing(page):
    text = " ".join(f"word{number % 700}" for number in range(5_000))
    type_pair(page, text, text)
    reveal(page, "#comparison")
    rows = page.locator("#comparison button.choice")
    expect(rows).to_have_count(len(CONVENTIONS))
    expect(page.locator("#comparison tr.same")).not_to_have_count(0)
    reveal(page, "#hypothesis").press("Control+End")
    reveal(page, "#hypothesis").press_sequentially(" and on")
    expect(page.locator("#hypothesis")).to_have_value(text + " and on")
    expect(page.locator("#hypothesis-count")).to_have_text("5,002 tokens")
    value = sentence_bleu(text + " and on", [text], convention="moses-sentence").value
    reveal(page, "#comparison")
    row = page.locator('#comparison tr:has([data-command="convention:moses-sentence"])')
    expect(row.locator("td").first).to_contain_text(f"{value * 100:.2f}")


def test_matches_are_marked_in_the_boxes(page):
    reveal(page, '[data-command="example:clipping"]').click()
    expect_marks(page, 0, "credited", 1, 2)
    expect_marks(page, 0, "clipped", 1, 5)
    expect(page.locator("#texts .struck")).to_have_count(5)
    expect_marks(page, 2, "present", 1, 1)
    expect(page.locator("#texts .legend .present")).to_be_visible()
    expect(page.locator("#texts .legend .unmatched")).to_be_hidden()
    page.mouse.move(*word_place(page, 0, "the"))
    expect(page.locator("#reading")).to_have_text(
        "the: 7 times in the candidate, at most 2 times in ref. 1: 2 credited, 5 cut off. "
        "Click to leave it out."
    )
    expect(page.locator("#texts .lit")).to_have_count(7 + 2 + 1)
    expect(page.locator("#result-body .factor.lit")).to_have_attribute("data-order", "1")
    page.mouse.move(0, 0)
    expect(page.locator("#result-body .lit")).to_have_count(0)
    expect(page.locator("#texts .lit")).to_have_count(0)
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#max-order").select_option("4")
    for lane, marks in enumerate((5, 1, 1, 1), 1):
        expect_marks(page, 0, "credited", lane, marks)
    mark_order(page, "2")
    expect_marks(page, 0, "credited", 1, 2)  # the cat, is on
    expect_marks(page, 0, "credited", 2, 1)  # cat is
    reveal(page, "#max-order").select_option("1")
    expect_marks(page, 0, "credited", 2, 0)
    mark_order(page, "0")


def test_word_at_the_caret_can_be_left_out(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#max-order").select_option("4")
    expect_marks(page, 0, "credited", 4, 1)
    page.mouse.click(*word_place(page, 0, "mat"))
    reading = page.locator("#reading")
    expect(reading).to_have_text("mat: it counts. Without it: 60.65 (+2.76) Leave it out")
    expect(page.locator("#texts .picked")).to_have_count(1)
    expect(page.locator("#hypothesis")).to_be_focused()
    page.keyboard.type("s")
    expect(reading).to_have_text(LANES_KEY)
    page.keyboard.press("Backspace")
    page.keyboard.press("ArrowLeft")
    reading.get_by_role("button").click()
    expect(page.locator("#hypothesis")).to_have_value("the cat is on")
    expect(page.locator("#undo")).to_be_focused()
    reveal(page, "#undo").click()
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")


def test_word_clicked_before_its_text_is_scored_is_picked_once_it_is(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#max-order").select_option("4")
    page.evaluate("""() => {
        const area = document.getElementById("hypothesis");
        area.focus();
        for (const text of ["the cat", "the cat is on mats", "the cat is on mat"]) {
            area.value = text;
            area.dispatchEvent(new InputEvent("input", {bubbles: true}));
        }
        area.setSelectionRange(15, 15);
        area.click();
    }""")
    reading = page.locator("#reading")
    expect(reading).to_have_text("mat: it counts. Without it: 60.65 (+2.76) Leave it out")
    page.locator("#orders [data-order='2']").hover()
    expect(reading).to_have_text("mat: it counts. Without it: 60.65 (+2.76) Leave it out")
    page.keyboard.press("Escape")
    expect(reading).to_have_text("Marked: the pairs")


@pytest.mark.parametrize(
    ("tokenizer", "text", "line"),
    [
        ("13a", "AT&amp;T rose, they said.", "at & t rose , they said ."),
        ("char", "İs is", "i \u0307 s i s"),
        ("13a", "AT&T rose, they said.", None),
    ],
)
def test_marks_stand_in_a_line_below_where_tokens_are_no_slices(page, tokenizer, text, line):
    type_pair(page, text, "AT&T rose, he is said to say.")
    reveal(page, "#lowercase").check()
    reveal(page, "#tokenizer").select_option(tokenizer)
    below, marks = page.locator("#texts .line").first, ".lanes [data-kind=credited]"
    expect(below).to_be_visible(visible=line is not None)
    if line:
        expect(below.locator(".mirror")).to_have_text(re.compile(re.escape(line)))
        expect(below.locator(marks)).not_to_have_count(0)
    assert bool(page.locator("#texts .box").first.locator(marks).count()) == (line is None)
    reveal(page, "#tokenizer").select_option("whitespace")
    reveal(page, "#lowercase").uncheck()


def test_marks_stand_in_a_line_below_if_a_style_moves_the_letters_of_the_box(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    below = page.locator("#texts .line").first
    expect(below).to_be_hidden()
    page.evaluate("document.getElementById('hypothesis').style.fontSize = '60px'")
    page.locator("#hypothesis").press("End")
    page.locator("#hypothesis").press_sequentially(" now")
    expect(below).to_be_visible()
    expect(below.locator("[data-kind=credited]")).not_to_have_count(0)
    page.evaluate("document.getElementById('hypothesis').style.fontSize = ''")
    page.locator("#hypothesis").press_sequentially(" or then")
    expect(below).to_be_hidden()


def test_example_reference_beside_a_candidate_of_ones_own_is_noted(page):
    reveal(page, '[data-command="example:partial-match"]').click()
    note = page.get_by_text("The reference is still the example’s.")
    expect(note).to_have_count(0)
    reveal(page, "#hypothesis").fill("my own translation of something else")
    expect(note).to_be_visible()
    reveal(page, "#reference-1").fill("my own reference")
    expect(note).to_have_count(0)


def test_pinned_result_is_compared_with_the_next(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    expect_score(page, 0.5789300674674098)
    reveal(page, "#keep").click()
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    rows = page.locator("#before-after tbody tr")
    expect(rows.first).to_have_text("BLEU57.89100.00+42.11")
    expect(rows.nth(3)).to_have_text("Length c56+1")
    reveal(page, "#max-order").select_option("5")
    expect(rows.last).to_have_text("p5—1—")
    reveal(page, "#forget").click()
    expect(page.locator("#before-after")).to_be_hidden()
    expect(page.locator("#keep")).to_be_focused()


def test_what_if_lists_edits_and_applies_one(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#what-if summary").click()
    gains = page.locator("#what-if-body .gains tbody tr")
    expect(gains.first).to_contain_text("add “the” before “mat”")
    expect(gains.first).to_contain_text("+42.11")
    expect(page.locator("#what-if-body .losses tbody tr")).to_have_count(5)
    gains.first.get_by_role("button").click()
    expect(page.locator("#hypothesis")).to_have_value("the cat is on the mat")
    expect_score(page, 1.0)
    expect(page.locator("#before-after tbody tr").first).to_have_text("BLEU57.89100.00+42.11")
    reveal(page, "#forget").click()
    reveal(page, "#what-if summary").click()


def test_steps_are_presented_by_buttons_and_keys(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    visible_steps = page.locator("#derivation section:visible")
    station = page.locator("#station h3")
    reveal(page, "#walk").click()
    expect(visible_steps).to_have_attribute("data-step", "tokens")
    expect(page.locator("#where")).to_have_text("Step 1 of 8: Tokens")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageDown")
    expect(station).to_have_text("Pairs")
    expect(visible_steps).to_have_count(0)
    expect(page.locator("#station .chips .gram:visible")).to_have_text(
        ["the cat", "cat is", "is on", "on mat"]
    )
    expect(page.locator("#station .next")).to_be_hidden()
    expect(page.locator('#matches-body [data-order="2"]')).to_be_visible()
    reveal(page, "#next").click()
    expect(station).to_have_text("Triples")
    reveal(page, "#previous").click()
    expect(station).to_have_text("Pairs")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text("Step 8 of 8: Where the score is lost")
    expect(page.locator("#contributions-figure")).to_be_visible()
    expect(page.locator("#next")).to_be_disabled()
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_have_text("Step 1 of 8: Tokens")
    page.keyboard.press("End")
    expect(page.locator("#next")).to_be_disabled()
    reveal(page, "#previous").click()
    expect(visible_steps.first).to_have_attribute("data-step", "score")
    expect(visible_steps.last).to_have_attribute("data-step", "cross-check")
    page.keyboard.press("Escape")
    expect(page.locator("#station")).to_be_hidden()
    reveal(page, "#why")
    expect(visible_steps).to_have_count(8)
    expect(page.locator("#previous")).to_be_hidden()


def test_presentation_hides_the_score_until_its_step(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#walk").click()
    for anchor in ("tokens", "precision-1", "precision-2", "precision-3", "precision-4"):
        expect(page.locator("html")).to_have_attribute("data-walk", anchor)
        expect(page.locator("#score")).to_be_hidden()
        expect(page.locator("#strip")).to_be_hidden()
        page.keyboard.press("Space")
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("html")).to_have_attribute("data-walk", "brevity-penalty")
    expect(page.locator("#score")).to_be_hidden()
    page.keyboard.press("Space")
    expect(page.locator("html")).to_have_attribute("data-walk", "score")
    expect(page.locator("#score")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("html[data-walk]")).to_have_count(0)


MEASURE_SLIDES = """(examples) => {
    const scripts = "msub, msup, msubsup, munder, munderover, mroot";
    function isScript(node) {
        const base = node.closest(scripts);
        return base && !base.firstElementChild.contains(node);
    }
    function isText({data, parentElement}) {
        const isSeen = parentElement.checkVisibility({visibilityProperty: true});
        const isHidden = parentElement.closest("title, desc, .spoken, .radical");
        return data.trim() && isSeen && !isHidden && !isScript(parentElement);
    }
    function fontSize({parentElement}) {
        const scale = parentElement.ownerSVGElement?.getScreenCTM().a ?? 1;
        const size = parseFloat(getComputedStyle(parentElement).fontSize);
        return scale * size * parentElement.currentCSSZoom;
    }
    function visibleTexts() {
        const main = document.querySelector("main");
        const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode()) if (isText(walker.currentNode)) texts.push(walker.currentNode);
        return texts;
    }
    function box(css) {
        return document.querySelector(css).getBoundingClientRect();
    }
    function bottom(text) {
        const range = document.createRange();
        range.selectNode(text);
        return range.getBoundingClientRect().bottom;
    }
    function measure() {
        const step = "#derivation > [data-step]:not([data-off-slide])";
        const columns = document.querySelectorAll("#why, #calculator");
        const parts = `:is(${step}, #station) :is(.equation, .table), .product`;
        const wide = document.querySelectorAll(parts);
        const overflowing = [document.documentElement, ...columns, ...wide].filter((node) =>
            node.checkVisibility() && (node.scrollWidth > node.clientWidth + 1
            || !node.matches(".equation") && node.scrollHeight > node.clientHeight + 1));
        const texts = visibleTexts(), bar = box("#presenter").top + 1;
        const covered = texts.filter((text) => bottom(text) > bar);
        return {
            smallest: Math.min(...texts.map(fontSize)),
            filled: Math.max(...texts.map(bottom)) / bar,
            faults: [
                ...overflowing.map((node) => node.className || node.id),
                ...covered.map((node) => node.textContent),
            ],
            reveals: document.querySelector("#score")?.checkVisibility() ?? false,
        };
    }
    const slides = {};
    const next = document.getElementById("next");
    for (const example of examples) {
        document.querySelector(`[data-command="example:${example}"]`).click();
        document.getElementById("walk").click();  // back to the first slide
        while (true) {
            slides[`${example} ${document.documentElement.dataset.walk}`] = measure();
            if (next.disabled) break;
            next.click();
        }
    }
    return slides;
}"""
"""Presents every step of the examples; returns the measures of each slide."""


@pytest.mark.slow
@pytest.mark.layout
@pytest.mark.parametrize(
    "size", fast_and_slow(1, [(1280, 720), (1366, 682), (1366, 768), (1920, 1080)]), ids=str
)
def test_every_presented_step_fits_the_wall(page, size):
    width, height = size
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    page.set_viewport_size({"width": width, "height": height})
    try:
        reveal(page, "#walk").click()
        slides = page.evaluate(MEASURE_SLIDES, [*EXAMPLES])
        assert len(slides) > 50
        assert {name: each["faults"] for name, each in slides.items() if each["faults"]} == {}
        scale = min(width / 1280, height / 720)
        assert min(each["smallest"] for each in slides.values()) >= 17 * scale
        assert min(each["filled"] for each in slides.values()) >= 0.6
        for name, each in slides.items():
            assert each["reveals"] == (name.split()[1] in {"score", "loss"}), name
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.locator("#leave").click()


FIND_OVERLAPS = """() => {
    const lefts = [], overlaps = [];
    const line = document.querySelector(".individual").getBoundingClientRect().top;
    for (const node of document.querySelectorAll(".product :is(b, small:not(.individual))")) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        if (node.closest(".factors") && bottom > line)
            overlaps.push(`${node.textContent} and the line below`);
        for (const [text, end, y] of lefts)
            if (y === top && left < end) overlaps.push(`${text} ${node.textContent}`);
        lefts.push([node.textContent, right, top]);
    }
    return overlaps;
}"""
"""Returns the labels below the bars that reach the line below, or begin before the one to their
left ends."""


@pytest.mark.slow
@pytest.mark.layout
def test_labels_below_the_bars_of_a_narrow_slide_stay_apart(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    page.set_viewport_size({"width": 1024, "height": 768})
    try:
        reveal(page, "#walk").click()
        for _ in range(7):
            page.locator("#next").click()
            assert page.evaluate(FIND_OVERLAPS) == []
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.locator("#leave").click()


def test_slide_of_a_precision_has_the_code_that_is_open(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#precision-2 .code summary").click()
    code = page.locator("#precision-2 .code pre")
    reveal(page, "#walk").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#station h3")).to_have_text("Words")
    expect(code).to_be_hidden()
    expect(page.locator("#result-body > .product")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(code).to_be_visible()
    expect(page.locator("#station h3")).to_be_visible()
    expect(page.locator("#result-body > .product")).to_be_hidden()
    for name in ("calculator", "why"):
        column = page.locator(f"#{name}")
        assert column.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1"), name
    page.keyboard.press("Escape")
    reveal(page, "#precision-2 .code summary").click()


@pytest.mark.parametrize("count", fast_and_slow(1, [60, 400]))
def test_slides_of_long_texts_fit_with_code_and_without(page, count):
    texts = (" ".join(f"word{n % period}" for n in range(count)) for period in (37, 41))
    type_pair(page, *texts)
    reveal(page, "#walk").click()
    for has_code in (False, True):
        if has_code:
            page.evaluate("document.querySelectorAll('.code summary').forEach((n) => n.click())")
            expect(page.locator("#score-step .code pre").first).to_be_attached()
        for _ in range(7):
            page.keyboard.press("PageDown" if not has_code else "PageUp")
            hidden = "(nodes) => nodes.map((node) => node.scrollHeight - node.clientHeight)"
            pixels = page.locator("#calculator, #why").evaluate_all(hidden)
            assert max(pixels) <= 1, page.locator("#where").inner_text()
            shown = "(nodes) => nodes.every((node) => node.clientHeight > 40)"
            assert page.locator(".running:visible, .token-list:visible").evaluate_all(shown)
    page.keyboard.press("Escape")
    page.evaluate("document.querySelectorAll('.code summary').forEach((n) => n.click())")


def test_slide_of_a_precision_has_the_station_that_is_not_open(page):
    type_pair(page, " ".join(f"w{n}" for n in range(40)), " ".join(f"w{n}" for n in range(1, 50)))
    page.locator(".factor[data-factor=brevity-penalty]").click()
    expect(page.locator("#station h3")).to_have_text("Length")
    reveal(page, "#walk").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#station h3")).to_have_text("Words")
    expect(page.locator("#station .gram:visible")).to_have_count(17)
    expect(page.locator("#station summary")).to_have_text("23 more")
    page.keyboard.press("Escape")
    expect(page.locator("#station h3")).to_have_text("Length")
    page.keyboard.press("Escape")
    expect(page.locator("#station")).to_be_hidden()


def test_keys_go_on_whatever_was_clicked_last(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    reveal(page, "#walk").click()
    title = page.locator("#where")
    page.locator("#theme").click()
    page.keyboard.press("Space")
    expect(title).to_have_text("Step 2 of 8: Precision of 1-grams (single tokens)")
    page.locator("#matches-body .running button").nth(1).click()
    page.keyboard.press("ArrowRight")
    expect(title).to_have_text("Step 3 of 8: Precision of 2-grams")
    page.locator("#previous").click()
    page.keyboard.press("Space")
    expect(title).to_have_text("Step 3 of 8: Precision of 2-grams")
    page.locator("#theme").press("Space")  # A button that was reached by keyboard keeps its keys.
    expect(title).to_have_text("Step 3 of 8: Precision of 2-grams")
    page.locator("#leave").click()


def test_every_step_has_a_source_and_a_link(page):
    type_pair(page, "hello world", "hello world")
    reveal(page, "#smoothing").select_option("floor")
    expect(page.locator("#smoothing-step")).to_have_count(1)
    expect(reveal(page, "#smoothing-step")).to_be_visible()
    for step in page.locator("#derivation section").all():
        expect(step.locator(".source a")).to_have_attribute("href", re.compile("^https://acl"))
        name = step.get_attribute("id")
        expect(step.locator("h3 a")).to_have_attribute("href", f"#{name}")


def test_theme_and_size_can_be_changed(page):
    paper = "getComputedStyle(document.body).backgroundColor"
    size = "parseFloat(getComputedStyle(document.body).fontSize)"
    light, small = page.evaluate(paper), page.evaluate(size)
    reveal(page, "#theme").click()
    reveal(page, "#large").click()
    expect(page.locator("body")).not_to_have_css("background-color", light)
    wait_for_script(page, f"small => {size} > 1.2 * small", small)
    reveal(page, "#theme").click()
    reveal(page, "#large").click()
    expect(page.locator("body")).to_have_css("background-color", light)
    wait_for_script(page, f"small => {size} === small", small)


def test_pressed_factor_marks_its_order_until_it_is_released_or_gone(page):
    type_pair(page, "a b c d", "a b c d")
    mark_order(page, "2")
    expect_marks(page, 0, "credited", 1, 2)  # a b, c d
    expect_marks(page, 0, "credited", 2, 1)  # b c
    expect_marks(page, 0, "credited", 3, 0)
    reveal(page, '[data-command="example:papineni-2"]').click()
    pressed = page.locator("#orders [aria-expanded=true]")
    expect(pressed).to_have_attribute("data-order", "2")
    reveal(page, '[data-command="example:clipping"]').click()
    expect(page.locator("#result-title")).to_have_text("BLEU-1")
    expect(page.locator("#score")).to_contain_text("28.57")
    expect(pressed).to_have_count(0)
    reveal(page, '[data-command="example:partial-match"]').click()
    expect_marks(page, 0, "credited", 4, 1)
    mark_order(page, "1")
    expect_marks(page, 0, "credited", 4, 0)
    page.keyboard.press("Escape")
    expect(pressed).to_have_count(0)
    expect_marks(page, 0, "credited", 4, 1)
    page.locator('.sentence [data-factor="precision-1"]').hover()
    expect(page.locator("#orders .factor.lit")).to_have_count(1)
    expect_marks(page, 0, "credited", 1, 5)
    expect_marks(page, 0, "credited", 4, 0)


def test_marks_are_drawn_with_the_score_and_print_is_never_stale(page):
    type_pair(page, "a b c d", "a b c d")
    drawn = """async () => {
        const area = document.getElementById("hypothesis");
        const css = "#texts .field:first-child [data-kind=unmatched]";
        const scored = new Promise((resolve) => new MutationObserver(
            () => resolve(document.querySelectorAll(css))
        ).observe(document.getElementById("result-body"), {childList: true}));
        area.value = "a b c d e";
        area.dispatchEvent(new Event("input", {bubbles: true}));
        const marks = await scored;
        dispatchEvent(new Event("beforeprint"));
        const texts = document.querySelectorAll("#matches-body .running");
        const words = [...texts[0].querySelectorAll(".token")].map((token) => token.textContent);
        return [document.getElementById("score").dataset.value, marks.length, words.length];
    }"""
    value, marks, count = page.evaluate(drawn)
    assert float(value) == pytest.approx(sentence_bleu("a b c d e", ["a b c d"]).value)
    assert (marks, count) == (1, 5)


def test_menu_says_custom_as_soon_as_a_setting_departs(page):
    type_pair(page, *PAIR)
    reveal(page, "#convention").select_option("nltk-method0")
    chosen = page.locator("#convention option:checked")
    expect(chosen).to_have_text("NLTK default (method 0)")
    page.locator("#tokenizer").select_option("13a")
    expect(chosen).to_have_text("custom (from NLTK default (method 0))")
    expect(page.locator("#convention")).to_have_value("nltk-method0")
    page.locator("#convention").select_option(label="NLTK default (method 0)")
    expect(page.locator("#tokenizer")).to_have_value("whitespace")
    expect(chosen).to_have_text("NLTK default (method 0)")


def test_score_of_zero_has_one_remedy_first_and_findings_unfold(page):
    type_pair(page, "The cat sat", "the cat ran")
    reveal(page, "#convention").select_option("nltk-method0")
    note = page.locator("#why-0")
    expect(note).to_contain_text("No 2 words in a row of the candidate are in the reference")
    expect(note.locator(".action").first).to_be_hidden()
    expect(reveal(page, "#why-0 .action").first).to_be_visible()
    finding = page.locator("#findings")
    expect(finding).to_contain_text("upper and lower case")
    expect(reveal(page, "#findings .action")).to_be_visible()
    page.locator("#why-0 .first").click()
    expect(page.locator("#convention")).to_have_value("sacrebleu-sentence")
    expect(note).to_have_count(0)
    expect(finding).to_have_attribute("open", "")  # It stays as it was.
    page.locator("#undo").click()
    expect(page.locator("#convention")).to_have_value("nltk-method0")
    expect(note.locator("strong")).to_have_text("Why almost 0?")


LINED_BUTTONS = """() => [...document.querySelectorAll(".acts button")].filter((button) => {
    const right = button.closest(".outcome").getBoundingClientRect().right;
    const hasLine = !/, 0\\)$/.test(getComputedStyle(button).borderRightColor);
    return hasLine && button.getBoundingClientRect().right > right;
}).length"""
"""Counts the buttons of the result that have a line beyond the column."""


@pytest.mark.layout
def test_error_without_texts_has_no_previous_result_and_no_lines_at_the_edge(page):
    assert page.evaluate(LINED_BUTTONS) == 0
    reveal(page, "#weights").fill("x")
    expect(page.locator("html[data-invalid]")).to_have_count(1)
    expect(page.locator("#result-body")).to_contain_text("No score yet")
    expect(page.locator(".previous-note:visible")).to_have_count(0)
    page.locator("#weights").fill("")
    type_pair(page, "a b c d", "a b c d")
    expect_score(page, 1.0)
    page.locator("#weights").fill("x")
    expect(page.locator(".outcome .previous-note")).to_be_visible()


@pytest.mark.layout
def test_factors_stand_above_bars_of_their_height(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    expect_score(page, 0.5789300674674098)
    for order, share in (("1", 1), ("2", 3 / 4), ("3", 2 / 3), ("4", 1 / 2)):
        factor = page.locator(f'#orders [data-order="{order}"]')
        parts = (".number", ".bar", ".counts-fill")
        number, bar, filled = (factor.locator(css).bounding_box() for css in parts)
        assert number["y"] + number["height"] <= bar["y"]
        assert filled["height"] == pytest.approx(share * bar["height"], abs=1)
        assert filled["y"] + filled["height"] == pytest.approx(bar["y"] + bar["height"], abs=1.5)
    expect(page.locator("#orders [data-order='2']")).to_have_accessible_name("pairs: 3 of 4")


def test_tour_explains_every_factor_in_place_with_the_focus_on_next(page):
    type_pair(page, "the the the cat sat", "the cat sat on the mat")
    announced, strip = page.locator("#spoken"), page.locator("#station")
    reveal(page, "#tour").click()
    expect(strip.locator("h3")).to_have_text("Words")
    expect(announced).to_contain_text("All 5 words are in the reference, but only 4 count")
    expect(strip.locator(".clipped")).to_contain_text("the · 2 of 3")
    expect(page.locator("#orders [aria-expanded=true]")).to_have_attribute("data-order", "1")
    for name in ("pairs", "triples", "fours", "length", "the score"):
        page.locator("#station .next").click()
        expect(strip.locator("h3")).to_have_text(name.capitalize())
        expect(strip.locator(".next")).to_be_focused()
    expect(strip.locator(".ways")).to_contain_text("as a product")
    page.keyboard.press("Enter")
    expect(strip).to_be_hidden()
    expect(page.locator("#tour")).to_be_focused()


def test_unfolded_ngrams_stay_unfolded_while_typing(page):
    words = " ".join(f"w{number}" for number in range(20))
    type_pair(page, words, "a")
    mark_order(page, "1")
    fold = page.locator("#more-unmatched")
    fold.locator("summary").click()
    expect(fold.locator("summary")).to_have_text("4 more")
    reveal(page, "#hypothesis").press_sequentially(" ")  # The result stays the same.
    expect(fold).to_have_attribute("open", "")
    reveal(page, "#hypothesis").press_sequentially("x y")
    expect(fold.locator("summary")).to_have_text("6 more")
    expect(fold).to_have_attribute("open", "")


def test_pointing_at_a_chip_lights_its_ngram_in_every_text(page):
    type_pair(page, "the the cat", "the cat sat")
    mark_order(page, "2")
    reveal(page, "#station .credited [data-ngram]").hover()
    expect(page.locator("#texts .lanes .lit")).to_have_count(2)
    expect(page.locator("#reading")).to_contain_text("the cat: once in the candidate")


TOPS = """(names) => names.map(
    (name) => document.querySelector(name).getBoundingClientRect().top)"""


@pytest.mark.layout
def test_typing_moves_neither_settings_nor_formula(page):
    type_pair(page, "the cat", "the cat is on the mat and sleeps")
    places = set()
    page.locator("#hypothesis").press("End")
    for letter in " the the cat sat on it":
        page.keyboard.type(letter)
        places.add(tuple(page.evaluate(TOPS, ["#settings", "#smoothing", ".product"])))
    assert len(places) == 1, places


@pytest.mark.layout
def test_more_settings_unfold_below_their_button(page):
    parts = "#more > summary", "#smoothing", "#lowercase"
    before = [page.locator(css).bounding_box() for css in parts]
    page.locator("#more > summary").click()
    expect(page.locator("#weights")).to_be_visible()
    assert [page.locator(css).bounding_box() for css in parts] == before
    page.locator("#more > summary").click()


def test_marks_are_read_in_runs(page):
    type_pair(page, "the cat the sat", "the cat")
    read = page.get_by_role("button", name="Read the marks of Candidate")
    read.focus()
    expect(read).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    heard = "the cat, credited; second the, cut off; sat, no match."
    expect(page.locator("#spoken")).to_contain_text(heard)


def test_link_opens_a_station(tab: Recorder):
    page = open_page(tab, "#hypothesis=a+b&reference=a+c&max-order=2&open=precision-2")
    expect(page.locator("#station h3")).to_have_text("Pairs")
    expect(page.locator("#orders [aria-expanded=true]")).to_have_attribute("data-order", "2")
    tab.check()


def test_each_n_has_its_score(page):
    type_pair(page, "the cat is on mat", "the cat is on the mat")
    scores = ["81.87", "70.90", "64.98", "57.89", *[""] * 5]
    expect(page.locator("#settings .segmented small")).to_have_text(scores)


FIRST_SCREEN = """() => {
    const isSeen = (node) => {
        const box = node.getBoundingClientRect();
        return box.width > 1 && box.height > 1 && box.top < innerHeight && box.bottom > 0
            && node.checkVisibility({visibilityProperty: true, opacityProperty: true});
    };
    const groups = new Set(), controls = [];
    for (const node of document.querySelectorAll("a, button, select, textarea, input, summary")) {
        if (node.closest("#matches, .factor") || node.matches(".factor")) continue;
        if (node.type === "radio" ? groups.has(node.name) : !isSeen(node)) continue;
        if (node.type === "radio") groups.add(node.name);
        controls.push(node.id || node.textContent.trim());
    }
    let words = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const {data, parentElement} = walker.currentNode;
        if (!isSeen(parentElement) || parentElement.closest("#matches, textarea, option, .spoken"))
            continue;
        words += (data.match(/\\p{L}[\\p{L}\\p{N}’'-]*/gu) ?? []).length;
    }
    return [controls, words];
}"""
"""The controls and the number of words on the first screen, without texts, marks and factors."""
LONG = (
    "Officials said on Monday that the number of patients in hospitals had risen again, and warned "
    "that the coming weeks would be difficult for everybody who works there, above all in the "
    "cities of the north and the west"
)
MAX_PHONE_CHARACTERS = 60
"""The length of texts above which the formula may end below the first screen of a phone."""
FIRST_PARTS = (
    *("#hypothesis", "#reference-1", ".segmented", "#smoothing", "#convention", "#tokenizer"),
    *("#lowercase", "#score", ".product"),
)


@pytest.mark.layout
@pytest.mark.parametrize(
    ("hypothesis", "reference", "note"),
    [
        ("the cat is on mat", "the cat is on the mat", ".sentence"),
        (LONG, LONG.replace("Monday", "Tuesday").replace("number", "count"), ".sentence"),
        (f"{LONG} too", " ".join(reversed(LONG.split())), "#why-0"),
    ],
    ids=["short", "long", "zero"],
)
def test_first_screen_has_texts_settings_and_formula_and_little_else(
    page, fonts, hypothesis, reference, note
):
    assert len(hypothesis.split()) <= 40
    type_pair(page, hypothesis, reference)
    expect(page.locator(note)).to_have_count(1)
    page.evaluate("scrollTo(0, 0)")
    for css in (*FIRST_PARTS, note):
        box = page.locator(css).bounding_box()
        assert box["y"] + box["height"] <= 720, css
    formula = page.locator(".product").bounding_box()
    assert formula["y"] + formula["height"] <= 520
    if fonts == "narrow":
        is_whole = "all => all.every((box) => box.scrollHeight <= box.clientHeight)"
        assert page.locator("#texts .box").evaluate_all(is_whole)
    controls, words = page.evaluate(FIRST_SCREEN)
    assert len(controls) <= 33, controls
    assert words <= 135
    page.set_viewport_size({"width": 390, "height": 844})
    is_short = len(hypothesis) < MAX_PHONE_CHARACTERS
    try:
        for css in ("#score", ".product"):
            box = page.locator(css).bounding_box()
            assert box["y"] + box["height"] <= (844 if is_short else 1.5 * 844), css
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})
