"""The view Files: opening, scoring, comparing, sorting, exporting and cancelling."""

import gzip
import json
import re
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Locator, Page, expect

from app.files.result_html import CORPUS_FORMATS, QUOTED
from bleu import corpus_bleu, sentence_bleu
from tests.browser.conftest import (
    TIMEOUT_MS,
    Recorder,
    expect_notice,
    open_page,
    reveal,
    score_pasted_lines,
)
from tests.browser.test_access import rules_for, violations
from tests.support.case_selection import fast_and_slow
from tests.support.table_files import QUADRATIC, TST_SGM, WMT_XML, inline_rows, workbook, zeros

WORDS = ["the", "cat", "sat", "on", "a", "mat", "near", "an", "old", "dog", "and", "it", "rained"]
SYSTEM = [" ".join(WORDS[n % 5 : n % 5 + 4 + n % 7]) for n in range(120)]
SECOND = [" ".join(WORDS[n % 4 : n % 4 + 5 + n % 6]) for n in range(120)]
REFERENCE = [" ".join(WORDS[n % 5 : n % 5 + 5 + n % 6]) for n in range(120)]


def file(name: str, lines: list[str], encoding: str = "utf-8") -> dict[str, object]:
    """Return a file for a file input."""
    content = "".join(f"{line}\n" for line in lines).encode(encoding)
    return {"name": name, "mimeType": "text/plain", "buffer": content}


@pytest.fixture
def page(shared_recorder: Recorder):
    """Return the module's page with no open files and default settings."""
    page = shared_recorder.page
    reveal(page, "#clear").click()
    reveal(page, "#corpus-form")
    page.locator("#table-file").evaluate("details => { details.open = true; }")
    if page.locator("#columns fieldset").count():
        reveal(page, '[data-command="close-table"]').click()
    closes = page.locator("#corpus-form .opened [data-command^=close]")
    while closes.count():
        closes.first.click()
    page.locator("#table-file").evaluate("details => { details.open = false; }")
    for name in ("system", "references"):
        reveal(page, f"#corpus-{name}").fill("")
    reveal(page, "#corpus-convention").select_option("sacrebleu")
    reveal(page, "#corpus-max-order").select_option("4")
    reveal(page, "#corpus-test").select_option("none")
    yield page
    complaints, shared_recorder.complaints = shared_recorder.complaints, []
    assert complaints == []


def open_files(page: Page, **slots: object) -> None:
    """Open files in slots, and wait until they are open."""
    for name, files in slots.items():
        page.locator(f"#corpus-{name}-file").set_input_files(files)
        file_list = files if isinstance(files, list) else [files]
        expect(page.locator(f'[data-slot="{name}"] .opened li')).to_have_count(len(file_list))


def score_files(page: Page) -> None:
    """Score, and wait for the result; an older result is hidden before."""
    page.evaluate("document.getElementById('corpus-outcome').hidden = true")
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-outcome")).to_be_visible()
    expect(page.locator("#corpus-cancel")).to_be_hidden()
    expect(page.locator("#corpus-error")).to_be_empty()


def corpus_score(page: Page) -> float:
    """Return the corpus score on the page."""
    return float(page.locator("#corpus-score").get_attribute("data-value"))


@pytest.mark.slow
def test_example_leads_to_the_segments_that_differ_and_back(page):
    reveal(page, '[data-command="corpus-example"]').click()
    expect(page.locator("#corpus-outcome")).to_be_visible()
    expect(page.locator("#corpus-example")).to_be_hidden()
    row = page.locator('.differences [data-command="segment:1:win"]')
    expect(row).to_be_visible()
    expect(page.locator(".differences details[open] mark.credited").first).to_be_visible()
    row.click()
    title = page.locator("#segment-title")
    expect(title).to_contain_text("Segment 2 of 12")
    page.locator('[data-command="segment-step:1"]').click()
    expect(title).to_contain_text("Segment 3 of 12")
    page.go_back()
    expect(page.locator("#segment-view")).to_be_hidden()
    expect(page.locator('.segments [data-command="segment:2"]')).to_be_focused()
    page.go_forward()
    expect(title).to_contain_text("Segment 3 of 12")
    page.locator('#views a[href="#learn"]').click()
    for screen in ("ngrams", "mean"):
        page.locator(f'#learn-aside [data-command="learn:screen {screen}"]').click()
    page.go_back()
    expect(page.locator("#exercise-title")).to_have_text("Words in a row")
    page.locator('#views a[href="#files"]').click()
    expect(title).to_be_visible()  # A place in Learn has closed no segment.
    page.locator('[data-command="segment-close"]').click()
    expect(page.locator('.segments [data-command="segment:2"]')).to_be_focused()
    expect(page.locator("#files")).to_be_visible()
    page.locator("#corpus-ngrams summary").click()
    page.get_by_role("button", name="town hall: list the segments", exact=True).click()
    expect(page.locator(".segments tbody th")).to_have_text(["1", "5", "11"])
    expect(page.locator(".segments tbody mark.lit").first).to_have_text("town hall")
    expect(page.locator(".segments tbody mark.lit")).to_have_count(6)
    page.locator('[data-command="segment:10"]').click()
    expect(page.locator("#segment-order")).to_have_value("2")
    page.locator('[data-command="segment-close"]').click()
    page.locator('[data-command="ngram:[]"]').click()
    expect(page.locator(".segments tbody th")).to_have_count(12)
    open_files(page, system=file("mine.txt", ["x"]))
    expect(page.locator(".opened li")).to_have_count(1)


@pytest.mark.slow
def test_file_settings_are_separate_or_those_of_the_form(page):
    reveal(page, "#tokenizer").select_option("char")
    reveal(page, "#corpus-system").fill("A cat.\nit rains today")
    reveal(page, "#corpus-references").fill("a cat.\nit rains today")
    score_files(page)
    lines = ["A cat.", "it rains today"], [["a cat."], ["it rains today"]]
    assert corpus_score(page) == corpus_bleu(*lines, convention="sacrebleu").value
    signature = page.locator(".quotations div", has_text="Signature").locator("code")
    expect(signature.last).to_contain_text("case:mixed|eff:no|tok:13a|smooth:exp|version")
    expect(page.locator(".corpus-summary .signature")).to_have_text(
        "sacreBLEU corpus_bleu, tokenizer 13a, smoothing exp, N = 4, case kept"
    )
    reveal(page, "#corpus-convention").select_option("papineni")
    expect(page.locator("#corpus-lowercase")).to_be_checked()
    expect(page.locator("#corpus-tokenizer")).to_have_value("whitespace")
    expect(page.locator("#corpus-stale")).to_be_visible()
    score_files(page)
    assert corpus_score(page) == corpus_bleu(*lines, convention="papineni").value
    reveal(page, "#corpus-convention").select_option("boxes")
    expect(page.locator("#corpus-tokenizer")).to_have_value("char")
    expect(page.locator("#corpus-tokenizer")).to_be_disabled()
    score_files(page)
    assert corpus_score(page) == corpus_bleu(*lines, tokenizer="char").value
    reveal(page, "#max-order").select_option("2")
    reveal(page, "#corpus-max-order")
    expect(page.locator("#corpus-max-order")).to_have_value("2")
    expect(page.locator("#corpus-stale")).to_be_visible()
    score_files(page)
    assert corpus_score(page) == corpus_bleu(*lines, tokenizer="char", max_order=2).value
    reveal(page, "#tokenizer").select_option("whitespace")


@pytest.mark.slow
def test_file_settings_survive_a_reload(recorder: Recorder):
    page = open_page(recorder)
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").check()
    reveal(page, "#corpus-convention").select_option("papineni")
    reveal(page, "#corpus-max-order").select_option("2")
    reveal(page, "#corpus-test").select_option("interval")
    open_page(recorder)
    expect(page.locator("#corpus-convention")).to_have_value("papineni")
    expect(page.locator("#corpus-max-order")).to_have_value("2")
    expect(page.locator("#corpus-test")).to_have_value("interval")
    expect(page.locator("#corpus-lowercase")).to_be_checked()


@pytest.mark.slow
def test_texts_are_in_the_chosen_language(page):
    score_pasted_lines(page, "un chat\nun “chien”", "le chat\nle chien")
    cells = page.locator("#segments-body td.words")
    expect(cells).to_have_count(2)
    expect(page.locator("#corpus-outcome [lang]")).to_have_count(0)
    reveal(page, "#lang").select_option("fr")
    reveal(page, "#files")
    expect(page.locator('#segments-body td.words[lang="fr"]')).to_have_count(2)
    reveal(page, '[data-command="segment:1"]').click()
    expect(page.locator('#segment-view .running[lang="fr"]')).to_have_count(2)
    page.locator('[data-command="segment-boxes:0"]').click()
    expect(page.locator("#lang")).to_have_value("fr")
    page.locator("#lang").select_option("")


def test_segment_opens_with_its_derivation_and_back_returns(page):
    open_files(page, system=file("system.txt", SYSTEM), references=file("reference.txt", REFERENCE))
    score_files(page)
    reveal(page, '[data-command="page:on"]').click()
    expect(page.locator(".segments caption")).to_have_text("Segments 51 to 100 of 120")
    reveal(page, "#hypothesis").fill("my own text")
    reveal(page, '[data-command="segment:77"]').click()
    title = page.locator("#segment-title")
    expect(title).to_have_text("Segment 78 of 120")
    expect(title).to_be_focused()
    marked = page.locator("#segment-view .marked")
    expect(marked).to_have_count(2)
    expect(marked.first.locator(".token")).to_have_text(SYSTEM[77].split())
    expect(marked.last.locator(".token")).to_have_text(REFERENCE[77].split())
    expect(page.locator("#hypothesis")).to_have_value("my own text")
    reveal(page, '#segment-view [data-ngram^="segment-0-1-"]').first.hover()
    expect(page.locator("#segment-reading")).to_contain_text("once in the candidate")
    reveal(page, "#segment-order").select_option("2")
    expect(page.locator('#segment-view [data-order="2"]')).to_have_count(1)
    reveal(page, '[data-command="segment-steps:0"]').click()
    expect(page.locator('[data-command="segment-steps:0"]')).to_have_attribute(
        "aria-expanded", "true"
    )
    expect(page.locator("#segment-steps-0 section")).not_to_have_count(0)
    reveal(page, '[data-command="segment-boxes:0"]').click()
    expect(page.locator("#hypothesis")).to_have_value(SYSTEM[77])
    expect(page.locator("#reference-1")).to_have_value(REFERENCE[77])
    expect(page.locator("#tokenizer")).to_have_value("13a")
    score = sentence_bleu(SYSTEM[77], [REFERENCE[77]], convention="sacrebleu")
    expect(page.locator("#score")).to_have_attribute("data-value", repr(score.value))
    reveal(page, "#back").click()
    expect(title).to_be_focused()
    reveal(page, "#undo").click()
    expect(page.locator("#hypothesis")).to_have_value("my own text")
    expect(page.locator("#tokenizer")).to_have_value("whitespace")
    reveal(page, '[data-command="segment-close"]').click()
    expect(page.locator('[data-command="segment:77"]')).to_be_focused()
    expect(page.locator('[data-command="segment:77"]')).to_be_in_viewport()
    reveal(page, "#segments-filter").fill("RAINED")
    count = sum(
        "rained" in line + reference for line, reference in zip(SYSTEM, REFERENCE, strict=True)
    )
    expect(page.locator(".segments caption")).to_have_text(f"Segments 1 to {count} of {count}")
    reveal(page, "#segments-filter").fill("nothing like this")
    expect(page.locator("#segments-body")).to_have_text(
        "No segment has “nothing like this” in a candidate or a reference."
    )


@pytest.mark.slow
def test_previous_and_next_follow_the_table(page):
    open_files(page, system=file("system.txt", SYSTEM), references=file("reference.txt", REFERENCE))
    score_files(page)
    reveal(page, '[data-command="sort:c"]').click()
    reveal(page, '[data-command="sort:c"]').click()
    rows = page.locator(".segments tbody th").all_inner_texts()
    page.locator(".segments tbody button").first.click()
    title = page.locator("#segment-title")
    back, forward = (page.locator(f'[data-command="segment-step:{way}"]') for way in (-1, 1))
    expect(back).to_be_disabled()
    for position, row in enumerate(rows[:3], 1):
        expect(title).to_have_text(f"Segment {row} of 120 {position} of 120 in the table")
        forward.focus()
        page.keyboard.press("Enter")
    expect(forward).to_be_focused()
    back.click()
    expect(title).to_contain_text(f"Segment {rows[2]} of 120")


def test_pasted_lines_and_several_references_are_scored(page):
    reveal(page, "#corpus-system").fill("a b c d\n\nx")
    reveal(page, "#corpus-references").fill("a b c d\ny\nx\n")
    open_files(page, references=[file("r1.txt", ["a", "b", "c"]), file("r2.txt", ["d", "e", "f"])])
    score_files(page)
    references = [["a", "d", "a b c d"], ["b", "e", "y"], ["c", "f", "x"]]
    assert (
        corpus_score(page)
        == corpus_bleu(["a b c d", "", "x"], references, convention="sacrebleu").value
    )
    expect(page.locator("#corpus-result")).to_contain_text("nrefs:3")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_file_encodings_are_detected(page, encoding):
    lines = ["кот на коврике", "猫在垫子上", "🙂 ok"]
    open_files(
        page, system=file("s.txt", lines, encoding), references=file("r.txt", lines, "utf-8")
    )
    reveal(page, "#corpus-max-order").select_option("1")
    score_files(page)
    assert corpus_score(page) == 1.0


def test_gzip_file_is_scored(page):
    packed = {
        "name": "s.txt.gz",
        "mimeType": "application/gzip",
        "buffer": gzip.compress(b"a\nb\n"),
    }
    open_files(page, system=packed, references=file("r.txt", ["a", "b"]))
    reveal(page, "#corpus-max-order").select_option("1")
    score_files(page)
    assert corpus_score(page) == 1.0


def test_mismatched_files_are_named_and_stay_open(page):
    open_files(page, system=file("s.txt", ["a"] * 3), references=file("r.txt", ["a"] * 2))
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-error")).to_have_text(
        "s.txt has 3 lines and r.txt has 2 lines. Use files with the same number of lines, "
        "one segment per line."
    )
    boxes = page.locator("#corpus-form [aria-invalid][aria-errormessage=corpus-error]")
    expect(boxes).to_have_count(2)
    expect(page.locator("[data-slot=system] #corpus-error")).to_be_in_viewport()
    expect(page.locator(".opened li")).to_have_count(2)
    page.locator("#corpus-references-file").set_input_files(
        {"name": "image.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n\x00\x00"}
    )
    expect(page.locator("#corpus-error")).to_contain_text("image.png is an image")
    expect(page.locator("[data-slot=references] #corpus-error")).to_be_visible()
    expect(page.locator("#corpus-form [aria-invalid]")).to_have_id("corpus-references")
    reveal(page, '[data-command="close:system:0"]').click()
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-error")).to_contain_text("There is no candidate yet")


@pytest.mark.slow
def test_cancelled_scoring_keeps_the_previous_result(page):
    open_files(page, system=file("s.txt", SYSTEM), references=file("r.txt", REFERENCE))
    score_files(page)
    before, rows = corpus_score(page), page.locator("#segments-body").inner_html()
    reveal(page, '[data-command="close:references:0"]').click()
    reveal(page, '[data-command="close:system:0"]').click()
    open_files(
        page,
        system=file("much.txt", SYSTEM * 300),
        references=file("much-r.txt", REFERENCE * 300),
    )
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-progress-text")).to_contain_text("of 36,000")
    reveal(page, "#hypothesis").fill("typing goes on")
    expect(page.locator("#hypothesis-count")).to_have_text("3 tokens")
    reveal(page, "#corpus-cancel").click()
    expect(page.locator("#corpus-progress")).to_be_hidden()
    assert corpus_score(page) == before
    assert page.locator("#segments-body").inner_html() == rows
    score_files(page)
    expect(page.locator(".segments caption")).to_have_text("Segments 1 to 50 of 36,000")


def test_changed_settings_mark_the_result_as_outdated(page):
    reveal(page, "#corpus-system").fill("A b\nc d")
    reveal(page, "#corpus-references").fill("a b\nc d")
    reveal(page, "#corpus-max-order").select_option("2")
    score_files(page)
    old_score = corpus_score(page)
    expect(page.locator("#corpus-stale")).to_be_hidden()
    reveal(page, "#corpus-lowercase").check()
    expect(reveal(page, "#corpus-stale")).to_be_visible()
    reveal(page, "#corpus-again").click()
    expect(page.locator("#corpus-stale")).to_be_hidden()
    assert (old_score < 1.0, corpus_score(page)) == (True, 1.0)


def test_columns_of_a_table_are_scored(page):
    lines = [json.dumps({"id": "x", "hyp": h, "ref": [h, "z"]}) for h in ("a b", "c d")]
    reveal(page, "#table-file summary").click()
    page.locator("#corpus-table-file").set_input_files(file("all.jsonl", lines))
    expect(page.locator("#columns select")).to_have_count(3)
    for index, role in enumerate(("", "system", "references")):
        expect(page.locator(f"#column-{index}")).to_have_value(role)
    reveal(page, "#column-2").select_option("")
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-error")).to_have_text(
        "No column of all.jsonl is used as a reference. Choose one."
    )
    expect(page.locator(".opened li")).to_have_count(0)
    reveal(page, "#column-2").select_option("references")
    reveal(page, "#corpus-max-order").select_option("2")
    score_files(page)
    expect(page.locator(".opened li")).to_have_count(3)
    assert corpus_score(page) == 1.0
    expect(page.locator("#corpus-result-title")).to_have_text("Corpus BLEU-2 of all.jsonl: hyp")
    reveal(page, "#column-1").select_option("references")
    reveal(page, "#column-0").select_option("system")
    score_files(page)
    expect(page.locator("#corpus-result-title")).to_have_text("Corpus BLEU-2 of all.jsonl: id")
    expect(opened_files(page, "references")).to_have_count(3)
    reveal(page, "#table-file summary").click()


@pytest.mark.slow
def test_table_with_unknown_headers_asks_for_columns(page):
    reveal(page, "#table-file summary").click()
    page.locator("#corpus-table-file").set_input_files(file("odd.tsv", ["a\tb", "x y\tu z"]))
    expect(page.locator("#columns select")).to_have_count(2)
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-error")).to_have_text(
        "No column of odd.tsv is used as a reference. Choose one."
    )
    reveal(page, "#corpus-system").fill("a b c d")
    reveal(page, "#corpus-references").fill("a b c d")
    score_files(page)
    assert corpus_score(page) == 1


def test_table_without_header_keeps_its_first_row(page):
    reveal(page, "#table-file summary").click()
    page.locator("#corpus-table-file").set_input_files(
        file("plain.tsv", ["a b c d\ta b c d", "x\ty"])
    )
    expect(page.locator("#columns legend")).to_have_text("Columns of plain.tsv, 2 rows")
    reveal(page, "#column-0").select_option("system")
    reveal(page, "#column-1").select_option("references")
    reveal(page, "#columns-named").check()
    expect(page.locator("#columns-named")).to_be_focused()
    expect(page.locator("#columns legend")).to_have_text("Columns of plain.tsv, 1 row")
    reveal(page, "#columns-named").uncheck()
    score_files(page)
    expect(opened_files(page, "system")).to_have_text("plain.tsv: column 1: 2 lines")
    reveal(page, "#columns-named").check()
    expect(page.locator("#columns legend")).to_have_text("Columns of plain.tsv, 1 row")
    reveal(page, '[data-command="close-table"]').click()
    reveal(page, "#table-file summary").click()


def test_reference_file_can_be_combined_with_a_table(page):
    open_files(page, references=file("r.txt", ["a b c d", "e"]))
    reveal(page, "#table-file summary").click()
    page.locator("#corpus-table-file").set_input_files(
        file("all.csv", ["mt,x", "a b c d,1", "e,2"])
    )
    expect(page.locator("#column-0")).to_have_value("system")
    score_files(page)
    expect(opened_files(page, "system")).to_have_text("all.csv: mt: 2 lines")
    expect(opened_files(page, "references")).to_have_text("r.txt: 2 lines")
    assert corpus_score(page) == 1.0
    reveal(page, '[data-command="close-table"]').click()
    expect(page.locator("#columns")).to_be_empty()
    expect(page.locator("#corpus-table-file")).to_be_focused()
    reveal(page, "#table-file summary").click()


@pytest.mark.slow
def test_file_chosen_after_columns_wins_and_invalid_column_changes_nothing(page):
    rows = [json.dumps({"mt": "a b", "n": 1, "ref": "a b"})] * 60_000
    reveal(page, "#table-file summary").click()
    page.locator("#corpus-table-file").set_input_files(file("all.jsonl", rows))
    expect(page.locator("#columns legend")).to_contain_text("60,000 rows", timeout=30_000)
    choose = page.locator("#corpus-references-file").set_input_files
    choose(file("before.txt", ["x"]))
    expect(opened_files(page, "references")).to_have_text("before.txt: 1 line")
    reveal(page, "#column-1").select_option("references")
    reveal(page, "#use-columns").click()
    expect(page.locator("#corpus-error")).to_have_text(
        "all.jsonl, row 1 has 1 in column n; give text"
    )
    expect(page.locator(".opened li")).to_have_count(1)
    reveal(page, "#column-1").select_option("")
    reveal(page, "#use-columns").click()
    choose(file("after.txt", ["x"]))
    expect(opened_files(page, "system")).to_have_text("all.jsonl: mt: 60,000 lines")
    expect(page.locator("#corpus-cancel")).to_be_hidden()
    files = opened_files(page, "references")
    expect(files).to_have_text(["before.txt: 1 line", "after.txt: 1 line"])
    reveal(page, "#table-file summary").click()


def drag(session: CDPSession, page: Page, target: str, data: dict[str, object], *kinds: str):
    """Send the browser's drag events over the middle of an element."""
    page.locator(target).scroll_into_view_if_needed()
    box = page.locator(target).bounding_box()
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    for kind in kinds:
        session.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})


def files_dragged(*paths: Path) -> dict[str, object]:
    """Return the data of dragged files for the browser."""
    return {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}


def drop(page: Page, target: str, *paths: Path) -> None:
    """Drop files on an element after its view is opened."""
    reveal(page, target)
    session = page.context.new_cdp_session(page)
    drag(session, page, target, files_dragged(*paths), "dragEnter", "dragOver", "drop")
    session.detach()


@pytest.fixture
def saved(tmp_path: Path):
    """Return a function that writes a file to drop, and returns its path."""

    def save(name: str, content: bytes = b"a b\n") -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return save


def test_file_dropped_before_start_does_not_navigate(recorder: Recorder, saved):
    page = recorder.page
    page.add_init_script("WebAssembly.compileStreaming = () => new Promise(() => {})")
    page.goto(recorder.site)
    reveal(page, "#hypothesis").fill("typed")
    drop(page, "#files-title", saved("early.txt"))
    expect(page.locator("#hypothesis")).to_have_value("typed")
    assert page.url.partition("#")[0] == recorder.site


HOLD_SLOW_FILES = """
    const readBuffer = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = function () {
        if (!window.heldReads || !this.name?.startsWith("slow")) return readBuffer.call(this);
        return new Promise((done) => heldReads.push(() => done(readBuffer.call(this))));
    };
"""
"""Makes `release` possible: a sealed page has its prototypes frozen, so this runs before."""


@pytest.fixture(scope="module")
def shared_context(shared_context: BrowserContext) -> BrowserContext:
    """Return the process's context, whose pages can hold the reading of files."""
    shared_context.add_init_script(HOLD_SLOW_FILES)
    return shared_context


@pytest.fixture
def release(page: Page):
    """Hold the reading of files whose names begin with slow; return a function that ends it."""
    page.evaluate("() => { window.heldReads = []; }")
    yield lambda: page.evaluate("async () => { for (const read of heldReads) await read(); }")
    page.evaluate("() => { window.heldReads = null; }")


def opened_files(page: Page, slot: str) -> Locator:
    """Return the open files of a slot, without those that were refused."""
    return page.locator(f'[data-slot="{slot}"] .opened li:not(.refused) > span')


def test_dropped_file_opens_in_its_slot(page, saved):
    drop(page, "#corpus-system", saved("dropped.txt"))
    expect(opened_files(page, "system")).to_have_text("dropped.txt: 1 line")
    drop(page, '[data-slot="references"]', saved("r1.txt"), saved("r2.txt"))
    expect(opened_files(page, "references")).to_have_text(["r1.txt: 1 line", "r2.txt: 1 line"])
    score_files(page)


@pytest.mark.parametrize(
    "target", fast_and_slow(1, ["#result", "h1", "#files-title", "#how-title", "#max-order"])
)
def test_file_dropped_elsewhere_opens_by_its_name(page, saved, target):
    before = page.url.partition("#")[0]
    page.evaluate("window.stays = true")
    drop(page, target, saved("mt.txt"), saved("mt.ref.txt"), saved("mt.src.txt"))
    expect(opened_files(page, "system")).to_have_text("mt.txt: 1 line")
    expect(opened_files(page, "references")).to_have_text("mt.ref.txt: 1 line")
    expect(page.locator("#corpus-sources-opened li")).to_contain_text("mt.src.txt: 1 line")
    expect(page.locator("#corpus-note")).to_have_text(
        "mt.ref.txt: taken for a reference because of the name. "
        "mt.src.txt: taken for the source because of the name: the check-up uses it."
    )
    expect(page.locator("#corpus-run")).to_be_visible()
    assert page.url.partition("#")[0] == before
    assert page.evaluate("window.stays")
    assert len(page.context.pages) == 1


def test_table_dropped_elsewhere_shows_its_columns(page, saved):
    drop(page, "#files-title", saved("all.tsv", b"src\tmt\tref\na\tb\tc\n"))
    expect(page.locator("#columns legend")).to_contain_text("all.tsv, 1 row")
    drop(page, "#files-title", saved("a.src.txt"), saved("b.src.txt"))
    expect(page.locator("#corpus-error")).to_have_text(
        "a.src.txt and b.src.txt are 2 files, and there is room for one. Choose one."
    )
    expect(page.locator(".opened li")).to_have_count(0)
    reveal(page, "#table-file summary").click()


def test_every_format_is_recognised_where_it_is_dropped(page, saved):
    csv = 'id;mt;expected\r\n1;"He said ""go"" to us";He said go to us\r\n'
    drop(page, "#corpus-system", saved("export.txt", csv.encode("utf-16")))
    expect(page.locator("#columns legend")).to_have_text("Columns of export.txt, 1 row")
    expect(page.locator("#corpus-note")).to_have_text(
        "export.txt is a table. Choose what its columns are used as."
    )
    assert [menu.input_value() for menu in page.locator("#columns select").all()] == [
        *("", "system", "references")
    ]
    reveal(page, '[data-command="table-as-text"]').click()
    expect(opened_files(page, "system")).to_have_text("export.txt: 2 lines")
    reveal(page, '[data-slot="system"] [data-command^=close]').click()

    sheet = inline_rows(("prompt", "mt", "ref"), ("x", "a b c d", "a b c d"))
    drop(page, "#corpus-system", saved("book.xlsx", workbook(sheet)))
    expect(page.locator("#columns legend")).to_have_text("Columns of book.xlsx, 1 row")
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-result-title")).to_have_text("Corpus BLEU-4 of book.xlsx: mt")

    drop(page, "#files-title", saved("wmt.xml", WMT_XML.encode()))
    expect(page.locator("#columns legend")).to_have_text("Columns of wmt.xml, 3 rows")
    reveal(page, "#corpus-run").click()
    expect(page.locator("table.systems tbody tr")).to_have_count(2)
    expect(opened_files(page, "references")).to_have_text(
        ["wmt.xml: reference A: 3 lines", "wmt.xml: reference B: 3 lines"]
    )


def test_each_of_two_tables_has_a_menu_with_the_column_that_matches(page, saved):
    rows = [("Ja.", "Yes, it is.", "Yes, so it is."), ("Nein.", "No, none.", "No, there is none.")]
    rows += [
        ("Brot", "He bakes bread.", "He baked some bread."),
        ("Tee", "Tea is hot.", "Hot tea."),
    ]
    paths = []
    for name, column in (("results.csv", 1), ("truth.csv", 2)):
        lines = ["alpha,beta", *(f'{row[0]},"{row[column]}"' for row in rows)]
        paths.append(saved(name, "\n".join(lines).encode()))
    drop(page, "#files-title", *paths)
    expect(opened_files(page, "system")).to_have_text("results.csv: beta: 4 lines")
    expect(opened_files(page, "references")).to_have_text("truth.csv: beta: 4 lines")
    menu = page.locator('[data-source-column="references:0"]')
    expect(menu).to_have_value("1")
    menu.select_option("alpha")
    expect(opened_files(page, "references")).to_have_text("truth.csv: alpha: 4 lines")
    expect(menu).to_be_focused()
    page.locator('[data-source-header="references:0"]').uncheck()
    expect(opened_files(page, "references")).to_have_text("truth.csv: column 1: 5 lines")


def test_clear_column_of_a_dropped_file_is_read(page, saved):
    drop(page, "#corpus-system", saved("sys.sgm", TST_SGM.encode()))
    drop(
        page,
        '[data-slot="references"]',
        saved(
            "ref.json",
            b'[{"id": 1, "refs": ["a", "b"]},'
            b'{"id": 2, "refs": ["He said go to all of us"]}, {"id": 3, "refs": ["c"]}]',
        ),
    )
    expect(opened_files(page, "system")).to_have_text("sys.sgm: online-B.0: 3 lines")
    expect(opened_files(page, "references")).to_have_text(
        ["ref.json: refs 1: 3 lines", "ref.json: refs 2: 3 lines"]
    )
    score_files(page)
    expect(page.locator(".quotations")).to_contain_text("nrefs:var")
    reveal(page, '[data-command="plain:system:0"]').click()
    expect(opened_files(page, "system")).to_have_text("sys.sgm: 15 lines")


def test_pasted_table_is_recognised(page):
    box = reveal(page, "#corpus-system")
    box.fill("mt\tref\nthe cat\ta cat\n")
    box.press("ControlOrMeta+a")
    box.press("ControlOrMeta+x")
    box.press("ControlOrMeta+v")
    expect(page.locator("#columns legend")).to_have_text("Columns of Candidates, pasted, 1 row")
    expect(box).to_have_value("")


def test_unreadable_files_get_one_sentence(page, saved):
    names = {
        "a.pdf": (b"%PDF-1.7", "a.pdf is a PDF; copy its text to a text file"),
        "a.docx": (
            b"PK\3\4word/document.xml",
            "a.docx is a Word document (DOCX); save it",
        ),
        "a.png": (b"\x89PNG\r\n\x1a\n\0\0", "a.png is an image"),
        "a.zip": (b"PK\3\4\0\0a.txt", "a.zip is a ZIP archive"),
        "a.xml": (QUADRATIC.encode(), "a.xml declares entities, which are not read; save it"),
        "a.xlsx": (zeros(), "a.xlsx unpacks to 90 MB, more than a table needs"),
        "a.txt": (
            b"caf\xe9\n",
            "a.txt, line 1: the byte 0xe9 is not UTF-8; save the file as",
        ),
    }
    for name, (content, message) in names.items():
        drop(page, "#corpus-table-file", saved(name, content))
        expect(page.locator("#corpus-error")).to_contain_text(message)
        assert page.locator("#corpus-error").inner_text().count(". ") == 0


def test_printed_files_show_the_result_without_controls(page):
    score_pasted_lines(page, "a b c d e\nx y z w", "a b c d e\nx y z v")
    page.emulate_media(media="print")
    try:
        expect(page.locator("#corpus-result")).to_be_visible()
        for part in (
            ".handout",
            "#corpus-form",
            "#result",
            "#steps",
            "#corpus-download",
            "#segments-body",
        ):
            expect(page.locator(part)).to_be_hidden()
        expect(page.locator("#corpus-outcome button:visible")).to_have_count(0)
    finally:
        page.emulate_media(media="null")


@pytest.mark.slow
def test_many_systems_with_names_and_a_baseline(page, saved):
    lines = {
        f"mt{n}.txt": [line if k % (n + 1) else "x" for k, line in enumerate(SYSTEM)]
        for n in range(4)
    }
    paths = [saved(name, "\n".join(system_lines).encode()) for name, system_lines in lines.items()]
    drop(page, "h1", *paths, saved("ref.txt", "\n".join(REFERENCE).encode()))
    expect(opened_files(page, "system")).to_have_count(4)
    names = page.locator("#corpus-names input[type=text]")
    expect(names).to_have_count(4)
    expect(names.nth(2)).to_have_value("mt2")
    names.nth(2).fill("the <b>third</b>")
    page.get_by_role("radio", name=re.compile("^baseline ?: ?mt3$")).check()
    reveal(page, "#corpus-test").select_option("bootstrap")
    score_files(page)
    rows = page.locator("table.systems tbody tr")
    row_names = [row.locator("th").inner_text() for row in rows.all()]
    assert row_names == ["mt3", "mt0", "mt1", "the <b>third</b>"]
    expect(rows.first).to_contain_text("baseline")
    expect(page.locator(".difference")).to_have_count(0)
    third = corpus_bleu(lines["mt2.txt"], [[line] for line in REFERENCE], convention="sacrebleu")
    expect(rows.last.locator("td").first).to_have_text(f"{third.value * 100:.2f}")
    reveal(page, "#corpus-shown").select_option("0")
    expect(page.locator("#corpus-result h2")).to_have_text("Corpus BLEU-4 of mt3")
    expect(page.locator("#corpus-ngrams")).to_be_hidden()
    expect(page.locator("table.segments th", has_text="Difference")).to_have_count(0)
    reveal(page, "#corpus-shown").select_option("3")
    expect(page.locator("#corpus-ngrams")).to_be_visible()
    assert corpus_score(page) == third.value
    expect(page.locator("#corpus-shown")).to_be_focused()
    reveal(page, "#corpus-comparison summary").click()
    expect(page.locator("#corpus-comparison-body thead").first.locator("th")).to_have_text(
        ["Tool", "mt3", "the <b>third</b>", "Difference", "What it did differently here"]
    )
    page.locator('[data-command="segment:5"]').click()
    expect(page.locator("#segment-view .candidate")).to_have_count(4)
    expect(page.locator(".segment-references h3")).to_have_text(
        "Reference, matches of the <b>third</b>"
    )
    reveal(page, "#corpus-comparison .agreeing summary").click()
    page.locator('[data-command="file-convention:papineni"]').click()
    expect(page.locator("#corpus-convention")).to_have_value("papineni")
    expect(page.locator("#corpus-stale")).to_be_visible()
    reveal(page, "#corpus-convention").select_option("sacrebleu")
    expect(page.locator("#corpus-stale")).to_be_hidden()
    names.nth(0).fill("mt1")
    expect(page.locator("#corpus-stale")).to_be_visible()
    page.locator("#corpus-again").click()
    expect(page.locator("#corpus-error")).to_have_text(
        "Two systems are called “mt1”. Give them different names."
    )
    names.nth(0).fill("")
    expect(page.locator("#corpus-stale")).to_be_hidden()
    page.get_by_role("radio", name=re.compile("^baseline ?: ?mt0$")).check()
    expect(page.locator("#corpus-stale")).to_be_visible()
    drop(page, "[data-slot=references]", *[saved(f"{n}.txt") for n in range(2)])
    drop(page, "#files-title", *[saved(f"more{n}.txt") for n in range(13)])
    expect(page.locator("#corpus-error")).to_have_text(
        "There is room for 16 systems: 4 are open, and you added 13 more. Close some."
    )
    expect(opened_files(page, "system")).to_have_count(4)


@pytest.mark.slow
def ask(page: Page, number: str) -> None:
    """Search a score of the files with the keyboard."""
    fold = reveal(page, "#file-which")
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()
    page.locator("#file-which-number").fill(number)
    page.locator("#file-which-number").press("Enter")


@pytest.mark.slow
def test_search_finds_the_settings_of_a_file_score(page):
    ask(page, "26.60")
    expect(page.locator("#file-which-error")).to_contain_text("There is no candidate yet.")
    expect(page.locator("#file-which-number")).to_have_value("26.60")
    lines = [line.replace("the", "The") for line in SYSTEM[:9]], SECOND[:9], REFERENCE[:9]
    open_files(
        page,
        system=[file("x.A.txt", lines[0]), file("x.B.txt", lines[1])],
        references=file("r.txt", lines[2]),
    )
    folded = corpus_bleu(
        lines[0], [[line] for line in lines[2]], convention="sacrebleu", lowercase=True
    )
    expect(page.locator("#file-which-system option")).to_have_text(["A", "B"])
    page.locator("#corpus-names input[type=text]").first.fill("Ours")
    expect(page.locator("#file-which-system option")).to_have_text(["Ours", "B"])
    ask(page, "about 30")
    expect(page.locator("#file-which-error")).to_contain_text("“about 30” is not a score.")
    ask(page, f"{100 * folded.value:.2f}")
    expect(page.locator("#file-which-status")).to_contain_text("of these numbers agree")
    expect(page.locator("#file-which-error")).to_be_empty()
    row = page.locator("#file-which-body tbody tr", has_text="case folded").first
    expect(row).to_contain_text("Signature: nrefs:1|case:lc")
    fold = page.locator("#file-which-body details").first
    fold.locator("summary").click()
    expect(fold.locator("code")).to_contain_text("lines('x.A.txt')")
    assert violations(page) == []
    row.get_by_role("button").click()
    expect(page.locator("#corpus-convention")).to_be_focused()
    score_files(page)
    expect(page.locator("table.systems tbody tr").first.locator("td").first).to_have_text(
        f"{100 * folded.value:.2f}"
    )
    expect(page.locator("#file-which-stale")).to_be_hidden()
    reveal(page, "#file-which-system").select_option("B")
    expect(page.locator("#file-which-stale")).to_be_visible()
    reveal(page, '[data-command="close:system:1"]').click()
    expect(page.locator("#file-which-system")).to_be_hidden()
    expect(page.locator("#file-which-stale")).to_be_visible()


def test_file_search_can_be_cancelled(page):
    open_files(page, system=file("s.txt", SYSTEM * 50), references=file("r.txt", REFERENCE * 50))
    ask(page, "50")
    page.locator("#file-which-cancel").click()
    expect(page.locator("#file-which-status")).to_have_text("Cancelled.")
    expect(page.locator("#file-which-cancel")).to_be_hidden()
    expect(page.locator("#file-which-search")).to_be_focused()


@pytest.mark.layout
def test_drop_and_score_with_default_test(tab: Recorder, saved):
    page = open_page(tab)
    texts = (("x.A.txt", SYSTEM), ("x.B.txt", SECOND), ("x.ref.txt", REFERENCE))
    drop(page, "h1", *(saved(name, "\n".join(lines).encode()) for name, lines in texts))
    expect(page.locator(".opened li")).to_have_count(3)
    page.locator("#corpus-run").click()
    headline = page.locator(".difference")
    expect(headline).to_have_text(
        re.compile(r"B − A: [+−]\d+\.\d\d \(95 % interval [+−][\d.]+ to [+−][\d.]+\), p = 0\.\d+")
    )
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 800})
    reveal(page, "#file-which summary").click()
    page.locator("#corpus-names input[type=text]").first.fill("a-long-name" * 12)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_file_dropped_on_a_text_box_fills_it_and_can_be_undone(page, saved):
    reveal(page, "#hypothesis").press_sequentially("typed before")
    drop(page, "#hypothesis", saved("h.txt", "die Katze\r\nauf der Matte\r\n".encode("utf-16")))
    expect(page.locator("#hypothesis")).to_have_value("die Katze\nauf der Matte")
    expect(page.locator("#hypothesis-count")).to_have_text("5 tokens")
    page.keyboard.press("Control+z")
    expect(page.locator("#hypothesis")).to_have_value("typed before")
    drop(page, "#reference-1", saved("r.gz", gzip.compress(b"typed before\n")))
    expect(page.locator("#reference-1")).to_have_value("typed before")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.0")
    drop(page, "#reference-1", saved("empty.txt", b""))
    expect(page.locator("#reference-1")).to_have_value("")


def test_unsuitable_files_leave_the_text_box_unchanged(page, saved):
    reveal(page, "#hypothesis").fill("typed before")
    error = page.locator("#error")
    drop(page, "#hypothesis", saved("a.txt"), saved("b.txt"))
    expect(error).to_contain_text("a.txt and b.txt are 2 files, and there is room for one")
    drop(page, "#hypothesis", saved("long.txt", b"a" * (2**20 + 1)))
    expect(error).to_contain_text("long.txt has more than 1 MB: it is too long for one text")
    expect(error).to_be_in_viewport()
    drop(page, "#hypothesis", saved("image.png", b"\x89PNG"))
    expect(error).to_contain_text("image.png is an image")
    drop(page, "#hypothesis", saved("latin.txt", b"caf\xe9"))
    expect(error).to_contain_text("latin.txt, line 1: the byte 0xe9")
    expect(page.locator("#hypothesis")).to_have_value("typed before")


@pytest.mark.parametrize("box", ["#hypothesis", "#corpus-system"])
def test_dropped_text_is_handled_by_the_browser(page, box):
    item = {"mimeType": "text/plain", "data": "some words"}
    data = {"items": [item], "files": [], "dragOperationsMask": 1}
    reveal(page, box)
    drag(page.context.new_cdp_session(page), page, box, data, "dragEnter", "dragOver", "drop")
    expect(page.locator(box)).to_have_value("some words")


@pytest.mark.slow
def test_slot_under_a_dragged_file_is_marked(page, saved):
    marked = page.locator("[data-over]")
    over = partial(drag, page.context.new_cdp_session(page), page)
    data = files_dragged(saved("a.txt"))
    over("#corpus-references", data, "dragEnter", "dragOver")
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("data-slot", "references")
    expect(marked).to_have_css("outline-style", "dashed")
    reveal(page, "#hypothesis")
    over("#hypothesis", data, "dragOver")
    expect(marked.locator("textarea")).to_have_id("hypothesis")
    over("h1", data, "dragOver")
    expect(marked).to_have_count(0)
    reveal(page, "#corpus-references")
    over("#corpus-references", data, "dragOver")
    expect(marked).to_have_count(1)
    page.locator("#corpus-references").dispatch_event(
        "dragleave"
    )  # as it comes where the page ends
    expect(marked).to_have_count(0)
    drop(page, "#corpus-references", saved("a.txt"))
    expect(opened_files(page, "references")).to_have_text("a.txt: 1 line")
    expect(marked).to_have_count(0)


@pytest.mark.slow
def test_several_files_for_a_table_are_refused(page, saved):
    reveal(page, "#table-file summary").click()
    columns = page.locator("#columns").inner_html()
    drop(page, '[data-slot="table"]', saved("a.txt"), saved("b.txt"), saved("c.txt"))
    expect(page.locator("#corpus-error")).to_have_text(
        "a.txt, b.txt and c.txt are 3 files, and there is room for one. Choose one."
    )
    assert page.locator("#columns").inner_html() == columns
    reveal(page, "#table-file summary").click()


@pytest.mark.slow
def test_systems_are_pasted_one_after_another(page):
    box = reveal(page, "#corpus-system")
    expect(page.locator("#another-system")).to_be_hidden()
    box.fill("\n".join(SYSTEM))
    page.locator("#another-system").click()
    expect(box).to_have_value("")
    expect(box).to_be_focused()
    expect(opened_files(page, "system")).to_have_text("Candidates 1: 120 lines")
    box.fill("\n".join(SECOND))
    reveal(page, "#corpus-references").fill("\n".join(REFERENCE))
    score_files(page)
    expect(page.locator("#corpus-result table.systems tbody tr")).to_have_count(2)


@pytest.mark.slow
def test_unreadable_file_keeps_the_open_one(page, saved):
    good, binary = file("good.txt", ["a b"]), {"name": "bad.txt", "mimeType": "", "buffer": b"a\0"}
    open_files(page, system=good, references=good)
    for slot, files in (("system", binary), ("references", [file("fine.txt", ["c"]), binary])):
        page.locator(f"#corpus-{slot}-file").set_input_files(files)
        expect(page.locator("#corpus-error")).to_contain_text("bad.txt, line 1: there is a NUL")
        expect(opened_files(page, slot)).to_have_text("good.txt: 1 line")
        expect(page.locator(f"#corpus-{slot}-file")).to_have_value("")
    score_files(page)
    for slot, named in (("system", "Not read: bad.txt"), ("references", "fine.txt and bad.txt: ")):
        refused = page.locator(f'[data-slot="{slot}"] .opened .refused')
        expect(refused).to_contain_text(named)
        refused.get_by_role("button").click()
        expect(refused).to_have_count(0)
        expect(opened_files(page, slot)).to_have_text("good.txt: 1 line")
    reveal(page, "#table-file summary").click()
    page.locator("#corpus-table-file").set_input_files(file("all.tsv", ["x\ty", "a\tb"]))
    expect(page.locator("#columns legend")).to_contain_text("all.tsv")
    page.locator("#corpus-table-file").set_input_files(file("none.tsv", ["x"]))
    expect(page.locator("#corpus-error")).to_contain_text("none.tsv has no columns")
    expect(page.locator("#columns legend")).to_contain_text("all.tsv")
    reveal(page, "#table-file summary").click()


@pytest.mark.parametrize("slot", fast_and_slow(1, ["references", "system"]))
def test_files_open_in_the_order_of_choice(page, release, slot):
    choose = page.locator(f"#corpus-{slot}-file").set_input_files
    choose(file("slow.txt", ["a"]))
    choose([file("slow2.txt", ["a"]), file("third.txt", ["a"])])
    choose(file("fourth.txt", ["a"]))
    release()
    expect(opened_files(page, slot)).to_have_count(1)
    release()
    names = ["slow.txt", "slow2.txt", "third.txt", "fourth.txt"]
    expect(opened_files(page, slot)).to_have_text([f"{name}: 1 line" for name in names])


@pytest.mark.slow
def test_cancelled_reading_keeps_the_open_file(page, release):
    open_files(page, system=file("open.txt", ["a b"]))
    page.locator("#corpus-system-file").set_input_files(file("slow.txt", ["a" * 99] * 20_000))
    page.locator("#corpus-references-file").set_input_files(file("slow2.txt", ["a"]))
    page.locator("#corpus-references-file").set_input_files(file("third.txt", ["a"]))
    said = page.locator("#corpus-progress-text")
    expect(said).to_have_text("reading slow.txt: 0.0 of 1.9 MB; reading slow2.txt: 0.0 of 0.0 MB")
    reveal(page, "#corpus-cancel").click()
    for name in ("cancel", "progress"):
        expect(page.locator(f"#corpus-{name}")).to_be_hidden()
    expect(said).to_be_empty()
    release()
    expect(opened_files(page, "references")).to_have_count(0)
    open_files(page, references=file("other.txt", ["a b"]))
    expect(opened_files(page, "system")).to_have_text("open.txt: 1 line")
    expect(page.locator("#corpus-system-file")).to_have_value("")


@pytest.mark.slow
def test_scoring_during_reading_shows_a_notice_until_it_ends(page, release):
    error = page.locator("#corpus-error")
    page.locator("#corpus-system-file").set_input_files(file("slow.txt", ["a b"]))
    open_files(page, references=file("r.txt", ["a b"]))
    reveal(page, "#corpus-run").click()
    expect(error).to_contain_text("A file is still being read")
    release()
    expect(opened_files(page, "system")).to_have_text("slow.txt: 1 line")
    expect(error).to_be_empty()
    score_files(page)


@pytest.mark.slow
def test_file_is_read_during_scoring(page, release):
    reveal(page, "#corpus-system").fill("a b c d")
    reveal(page, "#corpus-references").fill("a b c d")
    page.locator("#corpus-system-file").set_input_files(file("slow.txt", ["a b c d"]))
    expect(page.locator("#corpus-cancel")).to_be_visible()
    reveal(page, "#corpus-cancel").click()
    reveal(page, "#corpus-test").select_option("interval")
    reveal(page, "#corpus-run").click()
    page.locator("#corpus-system-file").set_input_files(file("slow.txt", ["a b c d"]))
    expect(page.locator("#corpus-outcome")).to_be_visible()
    expect(page.locator("#corpus-progress-text")).to_have_text("reading slow.txt: 0.0 of 0.0 MB")
    release()
    expect(opened_files(page, "system")).to_have_text("slow.txt: 1 line")
    expect(page.locator("#corpus-cancel")).to_be_hidden()


@pytest.mark.slow
def test_large_file_shows_reading_progress(page, saved):
    page.evaluate(
        """() => {
            window.progressTexts = [];
            new MutationObserver(() => progressTexts.push(
                document.querySelector("#corpus-progress-text").textContent
            )).observe(document.querySelector("#corpus-progress-text"), {childList: true});
        }"""
    )
    line = b"the cat sat on the mat and it rained all day\n"
    endless = b"a" * 60 * 2**20
    drop(page, "#corpus-system", saved("large.txt", endless + b"\n" + line * 700_000))
    expect(opened_files(page, "system")).to_have_text(
        "large.txt: 700,001 lines", timeout=10 * TIMEOUT_MS
    )
    texts = [text for text in page.evaluate("progressTexts") if text]
    matches = [re.fullmatch(r"reading large\.txt: ([\d.]+) of 90\.0 MB.*", text) for text in texts]
    amounts = [float(match[1]) for match in matches]
    assert amounts == sorted(amounts)
    assert sum(0 < amount < 60 for amount in amounts) > 3, "a long line is read in parts"
    assert sum(60 < amount < 90 for amount in amounts) > 3


@pytest.mark.slow
def test_gzip_file_that_unpacks_to_too_much_is_refused_early(page, saved):
    bomb = gzip.compress(b"a" * 100_000_000) * 100
    drop(page, "#corpus-system", saved("bomb.gz", bomb))
    expect(page.locator("#corpus-error")).to_contain_text(
        "bomb.gz unpacks to more than 100 MB; a browser can safely hold 100 MB per file",
    )
    expect(opened_files(page, "system")).to_have_count(0)


def test_reading_error_is_shown(page, release, tmp_path, saved):
    folder = tmp_path / "folder"
    folder.mkdir()
    error = page.locator("#corpus-error")
    drop(page, "#corpus-system", folder)
    expect(error).to_have_text(
        "folder cannot be read: it is a folder, or it is gone; choose a file"
    )
    changed = saved("changed.txt")
    drop(page, "#corpus-system", changed.rename(tmp_path / "slow.txt"))
    expect(page.locator("#corpus-cancel")).to_be_visible()
    saved("slow.txt", b"another text\n")
    release()
    expect(error).to_have_text(
        "slow.txt cannot be read: it has changed since it was chosen, or may not be read; "
        "choose it again"
    )


def test_line_for_a_paper_is_shown_and_copied_beside_the_result(page):
    """The exports themselves are tested in every engine."""
    reveal(page, "#corpus-system").fill("a b c\nd")
    reveal(page, "#corpus-references").fill("a b c\nd")
    reveal(page, "#corpus-max-order").select_option("2")
    score_files(page)
    for name in QUOTED:
        button = page.locator(f'[data-command="corpus-copy:{name}"]')
        expect(button).to_have_accessible_name(f"Copy : {CORPUS_FORMATS[name].label}")
        with expect_notice(page, "Copied"):
            button.click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert button.locator("..").locator("code").inner_text() in copied


@pytest.mark.slow
def test_score_of_the_files_stands_in_the_bar(tab):
    page = open_page(tab)
    reveal(page, "#corpus-system").fill("a b c d\nx")
    reveal(page, "#corpus-references").fill("a b c d\nx")
    expect(page.locator("#files-strip")).to_be_hidden()
    score_files(page)
    expect(page.locator("#files-strip")).to_have_text("BLEU 100.00")
    expect(page.locator("#strip")).to_be_hidden()
    page.locator("#files-strip").click()
    expect(page.locator("#corpus-result h2")).to_be_in_viewport()
    reveal(page, "#comparison-body")
    expect(page.locator("#files-strip")).to_be_hidden()
    expect(page.locator("#strip")).to_be_visible()
    tab.check()


def test_hostile_lines_are_shown_as_text(page):
    hostile = "<img src=x onerror=alert(1)> </td><script>alert(2)</script> \u202e &lt;"
    reveal(page, "#corpus-system").fill(f"{hostile}\n{hostile}")
    reveal(page, "#corpus-references").fill(f"{hostile}\nx")
    score_files(page)
    expect(page.locator(".segments tbody .words").first).to_contain_text("<img src=x onerror")
    assert page.locator("#files img, #files script").count() == 0


@pytest.mark.layout
@pytest.mark.parametrize("systems", [1, 2])
def test_tables_of_segments_and_systems_fit_every_window(page, systems):
    if systems == 1:
        score_pasted_lines(page, "\n".join(SYSTEM), "\n".join(REFERENCE))
    else:
        reveal(page, '[data-command="corpus-example"]').click()
        reveal(page, "#corpus-test").select_option("bootstrap")
        score_files(page)
    table = page.locator("#segments-body .table")
    expect(table.locator("thead th")).to_have_count(2 * systems + 4)
    numbers = "(row) => [...row.children].slice(0, -1).map((cell) => cell.offsetTop)"
    scores = page.locator("#corpus-result .table:has(> .systems)").first
    try:
        for width in (360, 700, 705, 768, 900, 999, 1024):
            page.set_viewport_size({"width": width, "height": 720})
            assert table.evaluate("node => node.scrollWidth <= node.clientWidth"), width
            if systems > 1 and width > 705:
                assert scores.evaluate("node => node.scrollWidth <= node.clientWidth"), width
            expect(table.locator("td.words").first).to_be_visible()
            if width > 704:
                assert len(set(table.locator("tbody tr").first.evaluate(numbers))) == 1, width
        page.locator("#large").click()
        page.set_viewport_size({"width": 1280, "height": 720})
        assert table.evaluate("node => node.scrollWidth <= node.clientWidth")
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.locator("#large").click()


@pytest.mark.slow
def test_files_view_has_no_accessibility_violations(tab: Recorder, fonts):
    page = open_page(tab)
    open_files(
        page,
        system=[file("system.txt", SYSTEM), file("second.txt", SECOND)],
        references=file("reference.txt", REFERENCE),
    )
    reveal(page, "#corpus-test").select_option("interval")
    score_files(page)
    for name in ("table-file", "corpus-steps", "corpus-ngrams"):
        reveal(page, f"#{name} summary").click()
    expect(page.locator("#corpus-ngrams-body table")).to_have_count(2)
    page.locator("#corpus-table-file").set_input_files(file("a.tsv", ["x\ty", "a\tb"]))
    expect(page.locator("#use-columns")).to_be_visible()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page, rules_for(fonts)) == []
        content_width = page.evaluate("document.documentElement.scrollWidth")
        assert content_width <= page.evaluate("document.documentElement.clientWidth")
