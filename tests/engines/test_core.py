"""The page's core functions in every engine: scores, explanations, figures, files and exports."""

import gzip
import json
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from app.files.result_html import CORPUS_FORMATS
from app.learn import attempt, lesson_screens
from app.learn.worksheet_spec import WorksheetSpec, iter_worksheet, to_fragment
from app.score.html import build_snapshot
from app.state.inputs import example_inputs
from bleu import (
    CONVENTIONS,
    EXAMPLES,
    corpus_bleu,
    paired_bootstrap,
    segment_statistics,
    sentence_bleu,
)
from bleu.core.conventions import convention_settings
from bleu.explanation.phrases import signed_score_text
from bleu.formats import SCORE_FORMATS
from bleu.learn.grading import answer_key
from tests.engines.page import Page
from tests.support.case_selection import fast_and_slow
from tests.support.sentencepiece_models import generate_lines, train

WORDS = ["the", "cat", "sat", "on", "a", "mat", "near", "an", "old", "dog", "and", "it", "rained"]
SYSTEM = [" ".join(WORDS[n % 5 : n % 5 + 4 + n % 7]) for n in range(60)]
SECOND = [" ".join(WORDS[n % 4 : n % 4 + 5 + n % 6]) for n in range(60)]
REFERENCE = [" ".join(WORDS[n % 5 : n % 5 + 5 + n % 6]) for n in range(60)]

COMPARED = list(CONVENTIONS)


def wait_for_score(page: Page, value: float, score: str = "#score") -> None:
    """Wait until the page shows exactly this score."""
    page.until(lambda: page.data(score, "value"), repr(value))


def show_example(page: Page, name: str) -> None:
    """Open a worked example and wait for its score."""
    page.click(f'[data-command="example:{name}"]')
    wait_for_score(page, sentence_bleu(**arguments(name)).value)


def arguments(name: str) -> dict[str, object]:
    """Return the arguments of `sentence_bleu` for a worked example."""
    example = EXAMPLES[name]
    texts = {"hypothesis": example.hypothesis, "references": example.references}
    return {**texts, **example.settings}


def unfold(page: Page, name: str) -> None:
    """Expand a collapsed section."""
    page.click(f"#{name} > summary")
    page.until(lambda: page.count(f"#{name}[open]"), 1)


def score_files(page: Page) -> None:
    """Score the corpus and wait for the result."""
    page.run("document.getElementById('corpus-outcome').hidden = true")
    page.click("#corpus-run")
    page.until(lambda: page.visible_ids("#corpus-cancel, #corpus-outcome"), ["corpus-outcome"])
    assert page.text("#corpus-error") == ""


def open_file(page: Page, slot: str, *files: Path) -> None:
    """Select files for a slot and wait until they are open."""
    before = page.count(f'[data-slot="{slot}"] .opened li')
    page.press(f"#corpus-{slot}-file", "\n".join(map(str, files)))
    opened = before + len(files)
    page.until(lambda: page.count(f'[data-slot="{slot}"] .opened li'), opened)


@pytest.fixture
def corpus(page: Page) -> Page:
    """Return the page without an open corpus."""
    while count := page.count("[data-command^='close:']"):
        page.click("[data-command^='close:']")
        page.until_true(lambda count=count: page.count("[data-command^='close:']") < count)
    for slot in ("system", "references"):
        page.reveal(f"#corpus-{slot}").clear()
    page.select("#corpus-test", "none")
    return page


def test_errors_are_recorded_as_complaints(page):
    page.run("""console.error("logged"); setTimeout(() => { throw new Error("thrown"); })""")
    complaints: list[str] = []
    page.until_true(lambda: complaints.extend(page.complaints()) or len(complaints) >= 2)
    assert any("logged" in complaint for complaint in complaints)
    # For a page from disk, WebKit reports an exception without its message.
    muted = page.run("return location.protocol") == "file:"
    assert any("thrown" in text or (muted and "Script error" in text) for text in complaints)


def test_page_starts_and_passes_its_self_check(page):
    assert page.count("html[data-ready]") == 1
    page.until_true(lambda: "Self-check passed: 9 of 9 examples" in page.text("#self-check"))


def test_inline_style_is_allowed_by_the_policy(page):
    measure = "getComputedStyle(document.documentElement).getPropertyValue('--measure')"
    assert page.run(f"return {measure}.trim()") == "41rem"


@pytest.mark.parametrize("names", fast_and_slow(1, [(*EXAMPLES,)[:1], (*EXAMPLES,)[1:]]))
def test_examples_show_their_scores(page, names):
    for name in names:
        show_example(page, name)
        assert float(page.data("#score", "value")) == pytest.approx(EXAMPLES[name].value, abs=1e-12)
        assert f"{EXAMPLES[name].value * 100:.2f}" in page.text("#score")
        assert "logarithms and product agree" in page.text(".checked")


def test_typing_updates_score_counts_and_derivation(page):
    page.type("#reference-1", "the cat is on the mat")
    page.type("#hypothesis", "the cat is on mat")
    wait_for_score(page, sentence_bleu("the cat is on mat", ["the cat is on the mat"]).value)
    page.until(lambda: page.text("#hypothesis-count"), "5 tokens")
    page.until_true(lambda: "0.8187" in (page.text("#brevity-penalty") or ""))
    page.press("#hypothesis", Keys.END, " today")
    wait_for_score(page, sentence_bleu("the cat is on mat today", ["the cat is on the mat"]).value)
    page.until(lambda: page.text("#hypothesis-count"), "6 tokens")
    page.until_true(lambda: "today" in (page.text("section#tokens") or ""))


FILL = (
    "const box = document.querySelector(arguments[0]); box.value = arguments[1];"
    "box.dispatchEvent(new Event('input', {bubbles: true}))"
)


@pytest.mark.slow
def test_right_to_left_text_reads_in_its_direction(page):
    for css, text in (("#reference-1", "3 חתולים ישבו"), ("#hypothesis", "3 חתולים (BLEU) ישבו")):
        page.run(FILL, css, text)
    # Spoken 1.2 s after the text, the score would replace what is spoken about an n-gram.
    page.until_true(lambda: "BLEU is 0. No 3 words in a row" in page.text("#spoken"))
    edges = (
        "return [...document.querySelectorAll(arguments[0])].slice(0, 4)"
        ".map((node) => node.getBoundingClientRect().right)"
    )
    page.click("#walk")
    while not page.count("html[data-walk=precision-2]"):  # A slide that does not fit scrolls first.
        page.click("#next")
    page.until(lambda: page.count("#matches-body [data-order='2'] .running button"), 7)
    rights = page.run(edges, "#matches-body .running button")
    assert rights == sorted(rights, reverse=True)
    page.run("document.querySelector('#matches-body .running button').focus()")
    page.keys(Keys.ARROW_LEFT)
    page.until_true(lambda: "חתולים (BLEU)”: once" in page.text("#spoken"))
    page.until(lambda: page.count(".running button.lit"), 2)
    page.click("#leave")
    assert page.run("return getComputedStyle(document.querySelector('#hypothesis')).direction") == (
        "rtl"
    )
    page.reveal("#tokens")
    rights = page.run(edges, "#tokens .token-list li")
    assert rights == sorted(rights, reverse=True)
    widths = page.run(  # of a credited n-gram, and of its runs of one direction
        "const gram = document.querySelector('#precision-2 .credited .ngram');"
        "const sum = (node) => [...node.getClientRects()].reduce((sum, box) => sum + box.width, 0);"
        "return [sum(gram) - 2 * parseFloat(getComputedStyle(gram).paddingLeft), "
        "sum(gram.firstChild)]"
    )
    assert widths[0] - widths[1] == pytest.approx(0, abs=1)
    page.reveal("#hypothesis")


@pytest.mark.slow
def test_product_name_in_a_right_to_left_text_keeps_its_order(page):
    for css in ("#reference-1", "#hypothesis"):
        page.run(FILL, css, "הוא Windows Server 2019 כאן")
    page.until(lambda: page.text("#tokens li:nth-child(5)"), "כאן")
    page.reveal("#tokens")
    lefts = page.run(
        "return [...document.querySelectorAll(arguments[0])].slice(0, 5)"
        ".map((node) => node.getBoundingClientRect().left)",
        "#tokens li > span",
    )
    assert sorted(lefts) == [lefts[index] for index in (4, 1, 2, 3, 0)]
    page.reveal("#hypothesis")


@pytest.mark.slow
def test_long_option_of_a_list_does_not_widen_the_page(phone):
    phone.run("parent.document.querySelector('iframe').width = 320")
    phone.run("document.documentElement.style.letterSpacing = '.12em'")
    phone.click("#large")
    phone.select("#smoothing", "floor")
    assert phone.run("return document.documentElement.scrollWidth") <= 320
    phone.click("#large")


@pytest.mark.slow
def test_settings_change_the_score_and_an_invalid_one_is_reported(page):
    page.type("#reference-1", "hello world")
    page.type("#hypothesis", "hello world")
    page.select("#smoothing", "floor")
    wait_for_score(page, sentence_bleu("hello world", ["hello world"], smoothing="floor").value)
    page.reveal("#smoothing-step")
    assert page.visible_ids("#smoothing-step") == ["smoothing-step"]
    page.type("#smoothing-value", "7")
    page.until_true(lambda: "ε of smoothing floor is 7" in page.text("#error"))
    page.type("#smoothing-value", "0.5")
    page.until(lambda: page.text("#error"), "")
    settings = {"smoothing": "floor", "smoothing_value": 0.5}
    wait_for_score(page, sentence_bleu("hello world", ["hello world"], **settings).value)


def test_sentencepiece_model_from_a_file_splits_as_on_the_command_line(page, tmp_path, capsys):
    from bleu.__main__ import main

    texts, path = generate_lines(2, seed=4), tmp_path / "small.model"
    path.write_bytes(train())
    options = ["--tokenizer-model", str(path), "--smoothing", "exp", "--format", "json"]
    assert main([*texts, *options]) == 0
    expected = json.loads(capsys.readouterr().out)
    for box, text in zip(("#hypothesis", "#reference-1"), texts, strict=True):
        page.run("document.querySelector(arguments[0]).value = arguments[1]", box, text)
    page.select("#smoothing", "exp")
    page.select("#tokenizer", "model")
    page.press("#model-file", str(path))
    wait_for_score(page, expected["score"]["value"])
    first = expected["tokens"]["hypothesis"][0]
    page.until_true(lambda: first in (page.text("section#tokens li") or ""))
    assert page.text("section#tokens li").startswith("▁")
    assert page.text("#model-error") == ""


@pytest.mark.slow
def test_comparison_lists_every_convention_with_its_score(page):
    show_example(page, "partial-match")
    page.reveal("#comparison")
    page.until(lambda: page.count("#comparison button.choice"), len(COMPARED))
    texts = ("the cat is on mat", ["the cat is on the mat"])
    for name in ("nltk-method2", "moses-sentence", "sacrebleu-add-k"):
        value = sentence_bleu(*texts, convention=name).value
        cell = f'#comparison tr:has([data-command="convention:{name}"]) td:nth-of-type(1)'
        page.until_true(
            lambda cell=cell, value=value: f"{value * 100:.2f}" in (page.text(cell) or "")
        )
    page.click("#comparison .agreeing > summary")
    page.click('[data-command="convention:nltk-method2"]')
    wait_for_score(page, sentence_bleu(*texts, convention="nltk-method2").value)


def test_matches_are_marked_in_the_boxes_and_a_word_lights_up_its_ngram(page):
    show_example(page, "clipping")
    page.until(lambda: page.count("#hypothesis-marks"), 1)
    page.until(lambda: page.count("#texts .struck"), 5)
    page.until(lambda: page.count("#texts [data-kind=credited]"), 4)
    page.until(lambda: page.count("#texts [data-kind=present]"), 1)
    page.run(HOVER, 0, 3)
    page.until_true(lambda: "7 times in the candidate" in page.text("#reading"))
    page.until(lambda: page.count("#texts .lit"), 10)
    page.press("#hypothesis", Keys.ESCAPE)
    page.until(lambda: page.count("#texts .lit"), 0)


HOVER = """
const [box, index] = arguments;
const field = [...document.querySelectorAll("#texts .field")][box];
const {x, y, width} = field.querySelectorAll("[data-lane]")[index].getBoundingClientRect();
const place = {bubbles: true, clientX: x + width / 2, clientY: y - 4, pointerType: "mouse"};
field.querySelector("textarea").dispatchEvent(new PointerEvent("pointermove", place));
"""
"""Points at the word above a mark."""

WIDE = "word “quoted” AVATAR To Ty fi ffi e\u0301te\u0301 👩‍👩‍👧‍👦 7,000.5 j) (f T.V. "
LINES = {
    "Latin": "the military always obeys the commands of the party, which ensures it. " * 3,
    "Hebrew": "הכלב רץ מהר Windows Server 2019 בפארק הגדול של העיר " * 3,
    "Arabic": "يعمل نظام Microsoft Windows Server 2019 بسرعة، وهو (كما يقال) أفضل " * 3,
    "Chinese": "这个计算器说明每一步，所有的数都是你自己的文字的。今天天气很好。" * 3,
    "Thai": "เครื่องคิดเลขนี้อธิบายทุกขั้นตอนด้วยตัวเลขของคุณเอง " * 3,
    "ligatures and emoji": WIDE * 3,
    "white space": "a\tb  c   d \n\n  e f  \n",
    "300 tokens": " ".join(WORDS[n * n % 13] for n in range(330)),
    "50,000 characters": ("lorem ipsum dolor sit amet elit " * 1600)[:50_000],
}
"""Texts whose lines browsers break in different ways."""

MEASURE = """
const [name] = arguments, area = document.getElementById("hypothesis"), results = [];
const field = area.closest(".field"), mirror = field.querySelector(".mirror");
for (let width = 180; width <= 560; width += name.startsWith("50") ? 190 : 38) {
  field.style.width = `${width}px`;
  Object.assign(area.style, {height: "0", minHeight: "0"});
  results.push([width, area.scrollHeight, mirror.clientHeight]);  // the bars are gone or there now
  Object.assign(area.style, {height: "", minHeight: ""});
}
field.style.width = "";
return results.filter(([, area, mirror]) => Math.abs(mirror - area) > 1);
"""
"""Returns the widths at which the mirror of the candidate has another height than its letters."""

PLACES = """
const field = document.querySelector("#texts .field"), mirror = field.querySelector(".mirror");
field.querySelector(".box").scrollTop = 0;
field.scrollIntoView();
const marks = [...field.querySelectorAll(".box .lanes:nth-of-type(2) [data-lane='1']")]
    .map((mark) => mark.getBoundingClientRect());
const words = [...mirror.textContent.matchAll(/[^\\s\u200b]+/gu)].slice(0, 300);
return words.map(({0: word, index}) => {
  const range = document.createRange();
  range.setStart(mirror.firstChild, index);
  range.setEnd(mirror.firstChild, index + word.length);
  const boxes = [...range.getClientRects()].filter(({width}) => width > 1);
  return boxes.every(({left, right, bottom}) => marks.some((mark) =>
    mark.left < left + 2.5 && mark.right > right - 2.5 && Math.abs(mark.top - bottom) < 3));
}).filter((isMarked) => !isMarked).length;
"""
"""Returns the number of words without a mark below all of their letters."""


@pytest.mark.parametrize("name", fast_and_slow(4, [*LINES]))
def test_marks_follow_the_letters(page, name):
    page.reveal("#hypothesis")
    page.run(FILL, "#reference-1", LINES[name])
    page.run(FILL, "#hypothesis", LINES[name])
    page.until_true(lambda: page.count("#texts .field:first-child [data-kind=credited]"))
    wait_for_score(page, sentence_bleu(LINES[name], [LINES[name]]).value)
    assert page.run(MEASURE, name) == []
    page.until(lambda: page.run(PLACES), 0)
    assert page.count("#texts .line:not([hidden])") == 0
    page.run(FILL, "#reference-1", "")
    page.until(lambda: page.count("#texts .field:first-child [data-kind]"), 0)


@pytest.mark.slow
def test_marks_of_tokens_that_are_no_slices_stand_in_a_line_below(page):
    page.select("#tokenizer", "13a")
    page.run(FILL, "#reference-1", "Tom & Jerry ran")
    page.run(FILL, "#hypothesis", "Tom &amp; Jerry ran")
    page.until(lambda: page.count("#texts .line:not([hidden])"), 1)
    page.until(lambda: page.count("#texts .line [data-kind=credited][data-lane='1']"), 4)
    assert page.text("#texts .line .mirror").startswith("Tom & Jerry ran")
    page.select("#tokenizer", "whitespace")


@pytest.mark.slow
def test_figures_are_drawn(page):
    show_example(page, "clipping")
    assert page.box("#orders .bar .clipped-line")["height"] > 60
    show_example(page, "partial-match")
    width = "(bar) => bar.getBoundingClientRect().width"
    widths = page.run(f"return [...document.querySelectorAll('.bar')].map({width})")
    assert len(widths) == 5
    assert max(widths) - min(widths) <= 3
    page.click('#views a[href="#why"]')
    page.until_true(lambda: page.box("#brevity-figure svg")["width"])
    for name in ("brevity", "contributions"):
        svg = f"#{name}-figure svg"
        assert page.box(svg)["width"] > 150
        assert page.box(svg)["height"] > 60
        drawn = page.run("return document.querySelector(arguments[0]).getBBox().height", svg)
        assert drawn > 60


def test_formulas_are_laid_out_in_two_dimensions(page):
    show_example(page, "partial-match")
    page.until_true(lambda: page.count("#derivation math") > 8)
    tall = "#precision-2 .equation"
    assert page.box(f"{tall} math")["height"] > 25
    above, below = page.box(f"{tall} mfrac > :first-child"), page.box(f"{tall} mfrac > :last-child")
    assert above["y"] + above["height"] <= below["y"] + 1


def go_on(page, act):
    """Act until the next slide is shown; before that, the rest of this one scrolls into view."""
    slide, _ = before = slide_position(page)
    while before[0] == slide:
        act()
        page.until_true(lambda before=before: slide_position(page) != before)
        before = slide_position(page)


def slide_position(page):
    """Return the title and the filled fields of the slide, and how far it is scrolled."""
    title, *fields, scrolled = page.run(
        "const fields = [...document.querySelectorAll('#exercise input')];"
        "const title = document.getElementById('where').textContent;"
        "const column = document.getElementById('calculator');"
        "return [title, ...fields.map((field) => field.value), scrollY + column.scrollTop]"
    )
    return [title, *fields], scrolled


@pytest.mark.slow
def test_presentation_shows_one_step_at_a_time(page):
    show_example(page, "partial-match")
    page.click("#walk")
    page.until(lambda: page.visible_ids("#derivation section"), ["tokens"])
    page.until(lambda: page.text("#where"), "Step 1 of 8: Tokens")
    go_on(page, lambda: page.press("#next", Keys.ARROW_RIGHT))
    page.until(lambda: page.text("#station h3"), "Words")
    go_on(page, lambda: page.click("#next"))
    page.until(lambda: page.text("#station h3"), "Pairs")
    page.until(lambda: page.visible_ids("#derivation section"), [])
    page.press("#next", Keys.ESCAPE)
    page.until(lambda: len(page.visible_ids("#derivation section")), 8)


RESIZE = """
const frame = document.querySelector("iframe");
[frame.width, frame.height] = arguments;
"""
AFTER_A_FRAME = "requestAnimationFrame(() => setTimeout(arguments[0], 20));"
HIDDEN_PIXELS = """
const boxes = [document.documentElement, ...document.querySelectorAll("#why, #calculator")];
return boxes.map((box) => box.scrollHeight - box.clientHeight).filter((pixels) => pixels > 1);
"""


@pytest.mark.slow
def test_every_step_fits_low_walls(engine_page, blank, site):
    if engine_page.run("return location.protocol") == "file:":
        pytest.skip("the frame of a page on disk cannot be inspected")
    link = f"{site}#hypothesis=the+cat+is+on+mat&reference=the+cat+is+on+the+mat&view=why"
    sizes = [(width, height) for width in range(1280, 1400, 20) for height in (682, 720)]
    driver = engine_page.driver
    with engine_page.framed(blank, f"{link}&step=precision-1", 1366, 682):
        faults, is_last = [], False
        while not is_last:
            title = engine_page.text("#where")
            for size in sizes:
                driver.switch_to.parent_frame()
                engine_page.run(RESIZE, *size)
                driver.switch_to.frame(engine_page.one("iframe"))
                driver.execute_async_script(AFTER_A_FRAME)
                if hidden := engine_page.run(HIDDEN_PIXELS):
                    faults.append((title, size, hidden))
            is_last = not engine_page.count("#next:enabled")
            engine_page.run("document.getElementById('next').click()")
        assert faults == []


@pytest.mark.slow
def test_pasted_corpus_is_scored(corpus):
    corpus.type("#corpus-system", "the cat is on the mat\n\nit rains")
    corpus.type("#corpus-references", "the cat is on the mat\na dog\nit rained")
    score_files(corpus)
    texts = ["the cat is on the mat", "", "it rains"]
    references = [["the cat is on the mat"], ["a dog"], ["it rained"]]
    expected = corpus_bleu(texts, references, convention="sacrebleu").value
    wait_for_score(corpus, expected, "#corpus-score")
    corpus.until(lambda: corpus.count(".segments tbody tr"), 3)
    unfold(corpus, "corpus-steps")
    corpus.until_true(lambda: corpus.count("#corpus-steps-body math"))
    corpus.until_true(lambda: corpus.box("#corpus-steps-body math")["height"] > 10)


def test_two_systems_from_files_are_scored_and_compared(corpus, tmp_path: Path):
    (tmp_path / "system.txt").write_text("\n".join(SYSTEM), "utf-16")
    (tmp_path / "second.txt.gz").write_bytes(gzip.compress("\n".join(SECOND).encode()))
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("\n".join(REFERENCE), "utf-8")
    open_file(corpus, "system", tmp_path / "system.txt", tmp_path / "second.txt.gz")
    open_file(corpus, "references", tmp_path / "one.txt", tmp_path / "two.txt")
    corpus.select("#corpus-test", "bootstrap")
    score_files(corpus)
    references = [[line, line] for line in REFERENCE]
    expected = corpus_bleu(SECOND, references, convention="sacrebleu").value
    wait_for_score(corpus, expected, "#corpus-score")
    settings = convention_settings("sacrebleu")
    counted = [
        [segment_statistics(*segment, settings) for segment in zip(lines, references, strict=True)]
        for lines in (SYSTEM, SECOND)
    ]
    test = paired_bootstrap(*counted, settings)
    corpus.until_true(lambda: f"p = {test.p_value:.2g}" in corpus.text("#corpus-result"))
    difference = signed_score_text(test.difference)
    assert f"second.txt.gz − system.txt: {difference}" in corpus.text(".difference")
    unfold(corpus, "corpus-ngrams")
    corpus.until(lambda: corpus.count("#corpus-ngrams-body table"), 2)
    corpus.click("#corpus-result .precisions a")
    corpus.until(lambda: corpus.count("#corpus-steps-body section"), 5)
    for direction in ("ascending", "descending"):
        corpus.click('[data-command="sort:difference"]')
        corpus.until(lambda sort=direction: corpus.text(f"th[aria-sort={sort}]"), "Difference")


@pytest.mark.slow
def test_systems_are_renamed_segments_opened_and_a_score_identified(corpus, tmp_path: Path):
    lines = {"x.A.txt": SYSTEM, "x.B.txt": SECOND, "ref.txt": REFERENCE}
    for name, segments in lines.items():
        (tmp_path / name).write_text("\n".join(segments[:12]), "utf-8")
    open_file(corpus, "system", tmp_path / "x.A.txt", tmp_path / "x.B.txt")
    open_file(corpus, "references", tmp_path / "ref.txt")
    score_files(corpus)
    corpus.until_true(lambda: "B − A" in corpus.text(".difference"))
    corpus.reveal("#corpus-name-1").clear()
    corpus.type("#corpus-name-1", "Ours")
    corpus.click("#corpus-again")
    corpus.until_true(lambda: "Ours − A" in corpus.text(".difference"))
    corpus.click('[data-command="segment:3"]')
    corpus.until_true(lambda: corpus.text("#segment-title").startswith("Segment 4 of 12"))
    assert corpus.count("#segment-view .candidate") == 2
    value = corpus_bleu(SYSTEM[:12], [[line] for line in REFERENCE[:12]], convention="sacrebleu")
    unfold(corpus, "file-which")
    corpus.type("#file-which-number", f"{100 * value.value:.6f}")
    corpus.press("#file-which-number", Keys.ENTER)
    corpus.until_true(lambda: "of these numbers agree" in corpus.text("#file-which-status"))
    corpus.until_true(lambda: "sacreBLEU" in corpus.text("#file-which-body tbody tr"))
    corpus.click("#file-which > summary")


def test_derivation_is_exported_as_rendered_by_the_library(page):
    show_example(page, "clipping")
    explained = build_snapshot(example_inputs("clipping")).explained
    exports = {name: form.render(explained) for name, form in SCORE_FORMATS.items()}
    for name, export in exports.items():
        page.select("#form", name)
        page.click("#download")
        assert page.downloaded(f"bleu.{SCORE_FORMATS[name].extension}") == export
    page.select("#form", "markdown")
    with page.expect_notice("Copied"):
        page.click("#copy-form")
    assert page.pasted("#hypothesis") == exports["markdown"]


@pytest.mark.slow
def test_files_result_is_the_same_downloaded_and_copied(corpus):
    corpus.type("#corpus-system", "a b c d\ne")
    corpus.type("#corpus-references", "a b c d\nf")
    score_files(corpus)
    copied = {"markdown", "csv"}
    # Each download takes a row of WebKit's window, and its driver cannot paste all formats.
    for name in copied if corpus.engine == "WebKit" else CORPUS_FORMATS:
        corpus.select("#corpus-as", name)
        corpus.click("#corpus-download")
        saved = corpus.downloaded(f"bleu-files.{CORPUS_FORMATS[name].extension}")
        assert saved
        if name in copied:
            with corpus.expect_notice("Copied"):
                corpus.click("#corpus-copy")
            assert corpus.pasted("#hypothesis") == saved.replace("\r\n", "\n")
        if name == "csv":
            assert "\r\n1,1.0,4,4,3,3,2,2,1,1,4,4\r\n" in saved


@pytest.mark.slow
def test_page_fits_the_width_of_a_phone(phone):
    show_example(phone, "clipping")
    phone.type("#hypothesis", "https://example.org/" + "x" * 90 + " the cat is on")
    phone.until(lambda: phone.text("#hypothesis-count"), "5 tokens")
    phone.reveal("#comparison")
    phone.until(lambda: phone.count("#comparison button.choice"), len(COMPARED))
    for name in ("lens", "what-if", "check-yourself"):
        unfold(phone, name)
    phone.until_true(lambda: phone.count("#what-if-body table"))
    phone.type("#corpus-system", "a b c d\n" + "y" * 90)
    phone.type("#corpus-references", "a b c d\nz")
    score_files(phone)
    size = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    content_width, window_width = phone.run(size)
    assert content_width <= window_width <= 390
    assert phone.complaints() == []


@pytest.mark.slow
def test_lesson_is_presented_with_the_keyboard(page):
    page.click("#views a[href='#learn']")
    page.until_true(lambda: page.count("#exercise"))
    page.click("#learn-aside [data-command='learn:screen rank']")
    page.click("#learn-present")
    names = lesson_screens.lesson_item_ids()
    for name in names[:12]:
        answered = name.endswith(attempt.ANSWER_SUFFIX)
        page.until(lambda: page.text("#where").endswith("with the answer"), answered)
        page.until(lambda: page.count("#learn-after :is(p, ul, table)") > 0, answered)
        assert page.box("#learn-body")["width"] > 300
        go_on(page, lambda: page.press("#next", Keys.ARROW_RIGHT))
    page.press("#leave", Keys.ESCAPE)
    page.until(lambda: page.count("html[data-walk]"), 0)
    page.until_true(lambda: page.visible_ids("#views"))


@pytest.mark.slow
def test_lesson_is_completed_with_the_keyboard(page):
    page.click("#views a[href='#learn']")
    page.until_true(lambda: page.count("#learn-aside [data-command='learn:screen rank']"))
    page.press("#learn-aside [data-command='learn:screen rank']", Keys.ENTER)
    for screen in lesson_screens.SCREENS:
        for exercise in screen.questions:
            page.until(lambda: focused(page)[0], "exercise-title")
            page.until(lambda: page.text("#exercise-title"), screen.title)
            for name, text in answer_key(exercise).items():
                answer(page, name, text.split(" ≈")[0])
            page.keys(Keys.ENTER)
            page.until_true(lambda: "Right." in page.text("#learn-said"))
            page.until(lambda: focused(page)[0], "learn-said")
            while focused(page)[0] != "learn-on":
                page.keys(Keys.TAB)
            page.keys(Keys.ENTER)
    page.until_true(lambda: "question 1 of 4" in page.text("#screen-place"))
    page.click("#views a[href='#calculator']")


def focused(page):
    """Return the id, name, value and type of the focused element."""
    return page.run(
        "const {id, name, value, type} = document.activeElement; return [id, name, value, type]"
    )


def answer(page, name, text):
    """Fill in a field with the keyboard."""
    for _ in range(40):
        if (focused(page)[1] or "").partition(".")[2] == name:
            break
        page.keys(Keys.TAB)
    kind = focused(page)[3]
    if kind == "text":
        page.run("document.activeElement.select()")
    if kind == "radio":
        page.keys(Keys.SPACE)
        for _ in range(10):
            if focused(page)[2] == text:
                return
            page.keys(Keys.ARROW_RIGHT)
        raise AssertionError(f"{text} cannot be selected")
    if kind == "checkbox":
        for value in text.split():
            while focused(page)[2] != value:
                page.keys(Keys.TAB)
            page.keys(Keys.SPACE)
        return
    page.keys(text)


@pytest.mark.slow
def test_worksheet_link_opens_the_same_exercises(page):
    spec = WorksheetSpec("7k2q", ("clipping", "brevity"), 2)
    page.run("location.hash = arguments[0]", to_fragment(spec))
    page.until(lambda: page.count("#exercise .step"), 2)
    texts = [text for exercise in iter_worksheet(spec) for text in texts_of(exercise)]
    displayed = (
        "return [...document.querySelectorAll('#exercise q.ngram')].map((q) => q.textContent)"
    )
    page.until_true(lambda: set(texts) <= set(page.run(displayed)))
    page.click("#views a[href='#calculator']")


def texts_of(exercise):
    """Return the texts that an exercise displays."""
    if exercise.given:
        return []
    return [
        *exercise.hypotheses,
        *(text for references in exercise.references for text in references),
    ]
