"""Whole files on the page: opened, scored, compared, sorted, taken along, cancelled."""

import gzip
import json

import pytest
from playwright.sync_api import Page, expect

from app.corpora_view import CORPUS_FORMS
from bleu import corpus_bleu, paired_bootstrap, segment_statistics
from bleu.conventions import convention_settings
from tests.browser.conftest import Recorder, open_page
from tests.browser.test_access import violations

WORDS = ["the", "cat", "sat", "on", "a", "mat", "near", "an", "old", "dog", "and", "it", "rained"]
SYSTEM = [" ".join(WORDS[n % 5 : n % 5 + 4 + n % 7]) for n in range(120)]
SECOND = [" ".join(WORDS[n % 4 : n % 4 + 5 + n % 6]) for n in range(120)]
REFERENCE = [" ".join(WORDS[n % 5 : n % 5 + 5 + n % 6]) for n in range(120)]


def file(name: str, lines: list[str], encoding: str = "utf-8") -> dict[str, object]:
    """A file as the browser gets it from a person."""
    content = "".join(f"{line}\n" for line in lines).encode(encoding)
    return {"name": name, "mimeType": "text/plain", "buffer": content}


@pytest.fixture
def page(shared: Recorder):
    """The module's page, with nothing open and the default settings."""
    page = shared.page
    page.locator("#clear").click()
    for name in ("system", "second", "references"):
        closes = page.locator(f'[data-slot="{name}"] [data-close]')
        while closes.count():
            closes.first.click()
        page.locator(f"#corpus-{name}").fill("")
    page.locator("#corpus-test").select_option("none")
    yield page
    complaints, shared.complaints = shared.complaints, []
    assert complaints == []


def open_files(page: Page, **slots: object) -> None:
    """Open files in their places, and wait until they are there."""
    for name, given in slots.items():
        page.locator(f"#corpus-{name}-file").set_input_files(given)
        several = given if isinstance(given, list) else [given]
        expect(page.locator(f'[data-slot="{name}"] .opened li')).to_have_count(len(several))


def run(page: Page) -> None:
    """Score, and wait for the outcome."""
    page.locator("#corpus-run").click()
    expect(page.locator("#corpus-cancel")).to_be_hidden(timeout=60_000)
    expect(page.locator("#corpus-error")).to_be_empty()
    expect(page.locator("#corpus-outcome")).to_be_visible()


def shown(page: Page) -> float:
    """The corpus score on the page."""
    return float(page.locator("#corpus-score").get_attribute("data-value"))


def test_two_systems_from_files_score_as_in_the_library(page):
    open_files(
        page,
        system=file("system.txt", SYSTEM),
        second=file("second.txt", SECOND),
        references=file("reference.txt", REFERENCE),
    )
    page.locator("#convention").select_option("sacrebleu")
    page.locator("#corpus-test").select_option("bootstrap")
    run(page)
    references = [[line] for line in REFERENCE]
    assert shown(page) == corpus_bleu(SYSTEM, references, convention="sacrebleu").value
    counted = [
        [
            segment_statistics(text, own, convention="sacrebleu")
            for text, own in zip(lines, references, strict=True)
        ]
        for lines in (SECOND, SYSTEM)
    ]
    test = paired_bootstrap(*counted, convention_settings("sacrebleu"))
    expect(page.locator("#corpus-result")).to_contain_text(f"p = {test.p_value:.4g}")
    rows = page.locator("#corpus-result table.systems tbody tr")
    expect(rows.first).to_contain_text("second.txt")
    expect(rows.last).to_contain_text("system.txt")
    page.locator("#corpus-ngrams summary").click()
    expect(page.locator("#corpus-ngrams-body table")).to_have_count(2)
    page.locator("#corpus-steps summary").click()
    expect(page.locator("#corpus-steps-body section")).to_have_count(5)
    page.locator('[data-sort="difference"]').click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Difference")
    page.locator('[data-sort="difference"]').click()
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Difference")
    expect(page.locator('[data-sort="difference"]')).to_be_focused()


def test_a_segment_opens_with_its_derivation_and_back_returns(page):
    open_files(page, system=file("system.txt", SYSTEM), references=file("reference.txt", REFERENCE))
    run(page)
    page.locator('[data-page="on"]').click()
    expect(page.locator(".segments caption")).to_have_text("Segments 51 to 100 of 120")
    page.locator('[data-segment="77"]').click()
    expect(page.locator("#hypothesis")).to_have_value(SYSTEM[77])
    expect(page.locator("#reference-1")).to_have_value(REFERENCE[77])
    page.locator("#back").click()
    expect(page.locator('[data-segment="77"]')).to_be_focused()
    expect(page.locator('[data-segment="77"]')).to_be_in_viewport()
    page.locator("#segments-filter").fill("RAINED")
    found = sum("rained" in one + two for one, two in zip(SYSTEM, REFERENCE, strict=True))
    expect(page.locator(".segments caption")).to_have_text(f"Segments 1 to {found} of {found}")
    page.locator("#segments-filter").fill("nothing like this")
    expect(page.locator(".segments caption")).to_have_text("Segments 0 to 0 of 0")


def test_pasted_lines_and_several_references(page):
    page.locator("#corpus-system").fill("a b c d\n\nx")
    page.locator("#corpus-references").fill("a b c d\ny\nx\n")
    open_files(page, references=[file("r1.txt", ["a", "b", "c"]), file("r2.txt", ["d", "e", "f"])])
    run(page)
    references = [["a", "d", "a b c d"], ["b", "e", "y"], ["c", "f", "x"]]
    assert shown(page) == corpus_bleu(["a b c d", "", "x"], references).value
    expect(page.locator("#corpus-result")).to_contain_text("nrefs:3")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_files_of_other_encodings(page, encoding):
    lines = ["кот на коврике", "猫在垫子上", "🙂 ok"]
    open_files(
        page, system=file("s.txt", lines, encoding), references=file("r.txt", lines, "utf-8")
    )
    page.locator("#max-order").select_option("1")
    run(page)
    assert shown(page) == 1.0


def test_a_packed_file(page):
    packed = {
        "name": "s.txt.gz",
        "mimeType": "application/gzip",
        "buffer": gzip.compress(b"a\nb\n"),
    }
    open_files(page, system=packed, references=file("r.txt", ["a", "b"]))
    page.locator("#max-order").select_option("1")
    run(page)
    assert shown(page) == 1.0


def test_files_that_do_not_fit_are_named_and_nothing_is_lost(page):
    open_files(page, system=file("s.txt", ["a"] * 3), references=file("r.txt", ["a"] * 2))
    page.locator("#corpus-run").click()
    expect(page.locator("#corpus-error")).to_have_text(
        "s.txt has 3 lines and r.txt has 2 lines; give files with one line for each segment, "
        "the same segments in all"
    )
    expect(page.locator(".opened li")).to_have_count(2)
    page.locator("#corpus-second-file").set_input_files(
        {"name": "image.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n\x00\x00"}
    )
    expect(page.locator("#corpus-error")).to_contain_text("image.png, line 1: the byte 0x89")
    page.locator('[data-close="system:0"]').click()
    page.locator("#corpus-run").click()
    expect(page.locator("#corpus-error")).to_contain_text("there is no system output yet")


def test_a_cancelled_run_leaves_everything_as_it_was(page):
    open_files(page, system=file("s.txt", SYSTEM), references=file("r.txt", REFERENCE))
    run(page)
    before, rows = shown(page), page.locator("#segments-body").inner_html()
    page.locator('[data-close="references:0"]').click()
    open_files(
        page,
        system=file("much.txt", SYSTEM * 1000),
        references=file("much-r.txt", REFERENCE * 1000),
    )
    page.locator("#corpus-run").click()
    expect(page.locator("#corpus-progress-text")).to_contain_text("of 120,000")
    page.locator("#hypothesis").fill("typing goes on")
    expect(page.locator("#hypothesis-count")).to_have_text("3 tokens")
    page.locator("#corpus-cancel").click()
    expect(page.locator("#corpus-progress")).to_be_hidden()
    assert shown(page) == before
    assert page.locator("#segments-body").inner_html() == rows
    run(page)
    expect(page.locator(".segments caption")).to_have_text("Segments 1 to 50 of 120,000")


def test_other_settings_make_an_outcome_old_until_it_is_scored_again(page):
    page.locator("#corpus-system").fill("A b\nc d")
    page.locator("#corpus-references").fill("a b\nc d")
    page.locator("#max-order").select_option("2")
    run(page)
    old = shown(page)
    expect(page.locator("#corpus-stale")).to_be_hidden()
    page.locator("#lowercase").check()
    expect(page.locator("#corpus-stale")).to_be_visible()
    page.locator("#corpus-again").click()
    expect(page.locator("#corpus-stale")).to_be_hidden()
    assert (old < 1.0, shown(page)) == (True, 1.0)


def test_columns_of_a_table(page):
    lines = [json.dumps({"id": "x", "hyp": h, "ref": [h, "z"]}) for h in ("a b", "c d")]
    page.locator("#table-file summary").click()
    page.locator("#corpus-table-file").set_input_files(file("all.jsonl", lines))
    page.locator("#column-system").select_option("1")
    page.get_by_label("ref", exact=True).check()
    page.locator("#use-columns").click()
    expect(page.locator(".opened li")).to_have_count(3)
    page.locator("#max-order").select_option("2")
    run(page)
    assert shown(page) == 1.0
    expect(page.locator("#corpus-result table.systems tbody th")).to_have_text("all.jsonl: hyp")
    page.locator("#table-file summary").click()


def test_a_file_is_dropped_on_its_box(page):
    drop = """([slot, name, text]) => {
        const given = new DataTransfer();
        given.items.add(new File([text], name));
        const init = {dataTransfer: given, bubbles: true, cancelable: true};
        document.querySelector(slot).dispatchEvent(new DragEvent("drop", init));
    }"""
    page.evaluate(drop, ['[data-slot="system"]', "dropped.txt", "a b\n"])
    expect(page.locator('[data-slot="system"] .opened li')).to_contain_text("dropped.txt: 1 line")
    page.evaluate(drop, ["#files-title", "lost.txt", "a"])
    expect(page.locator("#corpus-error")).to_have_text("drop the file on the box that it is for")


def test_everything_is_taken_along(page):
    page.locator("#corpus-system").fill("a b c\nd")
    page.locator("#corpus-references").fill("a b c\nd")
    page.locator("#max-order").select_option("2")
    run(page)
    for name, form in CORPUS_FORMS.items():
        page.locator("#corpus-as").select_option(name)
        with page.expect_download() as download:
            page.locator("#corpus-download").click()
        assert download.value.suggested_filename == f"bleu.{form.ending}"
        saved = download.value.path().read_bytes().decode()
        page.locator("#corpus-copy").click()
        expect(page.locator("#notice")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == saved


def test_hostile_lines_are_shown_and_never_run(page):
    hostile = "<img src=x onerror=alert(1)> </td><script>alert(2)</script> \u202e &lt;"
    page.locator("#corpus-system").fill(f"{hostile}\n{hostile}")
    page.locator("#corpus-references").fill(f"{hostile}\nx")
    run(page)
    expect(page.locator(".segments tbody .words").first).to_contain_text("<img src=x onerror")
    assert page.locator("#files img, #files script").count() == 0


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing(browser, site, width):
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = open_page(Recorder(context.new_page(), site))
    open_files(
        page,
        system=file("system.txt", SYSTEM),
        second=file("second.txt", SECOND),
        references=file("reference.txt", REFERENCE),
    )
    page.locator("#corpus-test").select_option("interval")
    run(page)
    for name in ("table-file", "corpus-steps", "corpus-ngrams"):
        page.locator(f"#{name} summary").click()
    expect(page.locator("#corpus-ngrams-body table")).to_have_count(2)
    page.locator("#corpus-table-file").set_input_files(file("a.tsv", ["x\ty", "a\tb"]))
    expect(page.locator("#use-columns")).to_be_visible()
    assert violations(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.evaluate("document.documentElement.clientWidth")
    context.close()
