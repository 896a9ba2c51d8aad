"""Python's memory, kept at the first visit and taken at the next: the same page, sooner."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import START, opened
from tests.browser.sites import Site, changed_build

CANARY = "Zeisigkanarie"
HOLDS = """async (texts) => {
    const [name] = await caches.keys();
    const found = await (await caches.open(name)).match("memory");
    if (!found) return null;
    const read = async (code) => new TextDecoder(code).decode(await found.clone().arrayBuffer());
    const memory = await read("latin1") + await read("utf-16le");
    const wide = memory.replaceAll("\\0", "");
    return texts.map((text) => memory.includes(text) || wide.includes(text));
}"""
"""Whether the memory holds each text, with one, two or four bytes to a character."""

CHANGED = """async ([start, end, kept]) => {
    const [name] = await caches.keys();
    const files = await caches.open(name);
    const found = await files.match("memory");
    const bytes = new Uint8Array(await found.arrayBuffer()).fill(255, start, end);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join();
    const headers = {...Object.fromEntries(found.headers), "sha-256": digest, ...kept};
    await files.put("memory", new Response(bytes, {headers}));
}"""
"""Puts another memory, with a digest that is true, in the place of the one that is kept."""


def restored(page: Page) -> bool:
    """Whether a page that is ready began with the memory that was kept."""
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    return page.locator("html").get_attribute("data-restored") == "true"


def test_a_later_visit_begins_with_the_memory_of_the_first(context: BrowserContext, own: Site):
    page = opened(context, own.address)
    assert not restored(page)
    text = page.locator("#derivation").inner_text()
    for _ in range(2):
        page = opened(context, own.address)
        assert restored(page)
        expect(page.locator("#loading")).to_contain_text("Self-check passed: 8 of 8 examples")
        assert page.locator("#derivation").inner_text() == text
    page.reload()
    assert restored(page)
    page.locator("#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


def test_nothing_of_the_texts_is_in_it(context: BrowserContext, own: Site):
    page = context.new_page()
    page.goto(f"{own.address}#hypothesis={CANARY}fragment&reference={CANARY}fragment")
    page.locator("#hypothesis").fill(f"{CANARY}typed")
    assert not restored(page)
    expect(page.locator("#hypothesis")).to_have_value(f"{CANARY}typed")
    page.locator("#reference-1").fill(f"{CANARY}later")
    assert page.evaluate(HOLDS, [CANARY, "app.corpora_view"]) == [False, True]


@pytest.mark.parametrize("kept", [{"made-in": "another browser"}, {"sha-256": "another digest"}])
def test_of_another_browser_or_with_another_digest_it_is_replaced(
    context: BrowserContext, own: Site, kept
):
    page = opened(context, own.address)
    page.evaluate(CHANGED, [0, 0, kept])
    assert not restored(opened(context, own.address))
    assert restored(opened(context, own.address))


@pytest.mark.parametrize(("start", "end"), [(0, 4), (4, 8), (8, 12), (20_000, 17_000_000)])
def test_one_that_python_cannot_begin_with_is_replaced(
    context: BrowserContext, own: Site, start, end
):
    page = opened(context, own.address)
    page.evaluate(CHANGED, [start, end, {}])
    page = opened(context, own.address)
    assert not restored(page)
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    assert restored(opened(context, own.address))


def test_after_a_start_that_did_not_end_it_is_replaced(context: BrowserContext, own: Site):
    page = opened(context, own.address)
    page.evaluate("sessionStorage.setItem('bleu:starting', 'true')")
    page.reload()
    assert not restored(page)
    page.reload()
    assert restored(page)


def test_where_python_does_not_start_it_is_forgotten(context: BrowserContext, own: Site):
    opened(context, own.address)
    page = context.new_page()
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(own.address)
    expect(page.locator("html[data-failed]")).to_have_count(1, timeout=START)
    expect(page.locator("#hypothesis")).to_be_visible()
    page.wait_for_timeout(500)
    assert page.evaluate(HOLDS, [CANARY]) is None


def test_where_there_is_no_room_for_it_the_page_is_as_ever(context: BrowserContext, own: Site):
    file = own.folder / "static" / "memory.mjs"
    text, taking = file.read_text("utf-8"), "made = python.makeMemorySnapshot();"
    assert taking in text
    full = text.replace(taking, "throw new RangeError('Array buffer allocation failed');")
    page = context.new_page()
    page.route("**/memory.mjs", lambda r: r.fulfill(body=full, content_type="text/javascript"))
    page.goto(own.address)
    assert not restored(page)
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    assert page.evaluate(HOLDS, [CANARY]) is None
    page.close()
    assert not restored(opened(context, own.address))
    assert restored(opened(context, own.address))


def test_a_new_build_begins_with_its_own(context: BrowserContext, own: Site):
    page = opened(context, own.address)
    changed_build(own, "Newer")
    page.reload()
    expect(page.locator("#update")).to_be_visible(timeout=START)
    assert restored(page)
    page.locator("#take-over").click()
    expect(page.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START)
    assert not restored(page)
    assert page.evaluate("caches.keys().then((names) => names.length)") == 1
    assert restored(opened(context, own.address))
