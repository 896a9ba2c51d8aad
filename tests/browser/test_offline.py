"""Offline use: the store is complete or absent, serves the page, and is updated by a click."""

import pytest
from playwright.sync_api import BrowserContext, expect

from app.build.single_file import SINGLE_FILE
from app.components import WHEEL
from tests.browser.conftest import (
    START_MS,
    compare_and_score,
    open_sealed_page,
    reveal,
    wait_for_script,
)
from tests.browser.servers import Site, deploy_newer_build


@pytest.mark.slow
def test_store_has_exactly_the_files_of_the_build(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    expect(page.locator("#seal")).to_contain_text("opens without a network")
    stored = page.evaluate(
        """async () => {
            const [name] = await caches.keys();
            const files = await caches.open(name);
            return (await files.keys()).map((request) => request.url);
        }"""
    )
    expected = {
        path.relative_to(site_copy.folder).as_posix()
        for path in site_copy.folder.rglob("*")
        if path.is_file()
        and path.name not in {".nojekyll", "service-worker.js", SINGLE_FILE, WHEEL}
    }
    expected = expected - {"index.html"} | {""}
    assert {url.removeprefix(site_copy.address) for url in stored} == expected
    build_id = page.locator("html").get_attribute("data-build")
    assert page.evaluate("caches.keys()") == [f"bleu {site_copy.address} {build_id}"]


def test_page_works_without_a_network(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    site_copy.close()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.reload()
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#hypothesis").fill("the cat is on mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    compare_and_score(page)
    reveal(page, "#score-step")
    wait_for_script(page, "() => [...document.fonts].every((font) => font.status === 'loaded')")
    assert page.evaluate("document.fonts.size") == 1
    with page.expect_download() as download:
        reveal(page, "#download").click()
    assert download.value.path().stat().st_size > 1000
    other_page = context.new_page()
    other_page.goto(site_copy.address + "#hypothesis=a&reference=a&max-order=1")
    expect(other_page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(other_page.locator("#score")).to_have_attribute("data-value", "1.0")
    assert errors == []


@pytest.mark.slow
def test_new_build_is_offered_and_activated_by_a_click(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    first = page.locator("html").get_attribute("data-build")
    uncontrolled_page = open_sealed_page(context, site_copy.address)
    # A forced reload bypasses the worker.
    context.new_cdp_session(uncontrolled_page).send("Page.reload", {"ignoreCache": True})
    uncontrolled_page.wait_for_function("() => navigator.serviceWorker.controller === null")
    deploy_newer_build(site_copy, "Newer")
    page.reload()
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#update")).to_be_visible(timeout=START_MS)
    assert page.locator("html").get_attribute("data-build") == first
    expect(page.locator("h1")).to_have_text("BLEU calculator")
    reveal(page, "#hypothesis").fill("my own words")
    expect(page.locator("#hypothesis-count")).to_have_text("3 tokens")
    reveal(page, "#take-over").click()
    expect(page.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    second = page.locator("html").get_attribute("data-build")
    assert second != first
    expect(page.locator("#hypothesis")).to_have_value("my own words")
    expect(page.locator("#keep-texts")).not_to_be_checked()
    expect(page.locator("#update")).to_be_hidden()
    assert page.evaluate("caches.keys()") == [f"bleu {site_copy.address} {second}"]
    # The new worker would answer an old page with files of another build.
    assert uncontrolled_page.evaluate("navigator.serviceWorker.controller") is None


@pytest.mark.slow
def test_incomplete_build_is_not_stored(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    first = page.locator("html").get_attribute("data-build")
    deploy_newer_build(site_copy, "Newer")
    (site_copy.folder / "licenses.txt").write_text("of another build", "utf-8")
    page.reload()
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    page.wait_for_function(
        "() => navigator.serviceWorker.getRegistration().then((r) => !r.installing)"
    )
    assert page.evaluate("caches.keys()") == [f"bleu {site_copy.address} {first}"]
    expect(page.locator("#update")).to_be_hidden()
    site_copy.close()
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    assert page.locator("html").get_attribute("data-build") == first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("delete Navigator.prototype.serviceWorker", "this browser keeps no service worker here"),
        (
            "ServiceWorkerContainer.prototype.register = async () => "
            "{ throw new Error('the quota is exceeded') }",
            "the quota is exceeded",
        ),
    ],
)
def test_page_works_if_nothing_can_be_stored(
    context: BrowserContext, site_copy: Site, script, reason
):
    context.add_init_script(script)
    page = open_sealed_page(context, site_copy.address)
    expect(page.locator("#seal")).to_contain_text("It is not stored for use without a network")
    expect(page.locator("#seal")).to_contain_text(reason)
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


@pytest.mark.slow
def test_missing_file_prevents_storing(context: BrowserContext, site_copy: Site):
    (site_copy.folder / "licenses.txt").unlink()
    page = open_sealed_page(context, site_copy.address)
    expect(page.locator("#seal")).to_contain_text("a file could not be stored")
    assert page.evaluate("caches.keys()") == []


@pytest.mark.slow
def test_texts_survive_a_reload_only_if_allowed_and_in_one_tab(
    context: BrowserContext, site_copy: Site
):
    page = open_sealed_page(context, site_copy.address)
    reveal(page, "#hypothesis").fill("not kept")
    expect(page.locator("#hypothesis-count")).to_have_text("2 tokens")
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").check()
    reveal(page, "#hypothesis").fill("kept through a reload")
    reveal(page, "#lowercase").check()
    expect(page.locator("#hypothesis-count")).to_have_text("4 tokens")
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("kept through a reload")
    expect(page.locator("#lowercase")).to_be_checked()
    expect(page.locator("#keep-texts")).to_be_checked()
    other_page = open_sealed_page(context, site_copy.address)
    expect(other_page.locator("#hypothesis")).to_have_value("the cat is on mat")
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").uncheck()
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")


@pytest.mark.slow
def test_page_is_installable(context: BrowserContext, site_copy: Site):
    page = context.new_page()
    page.goto(site_copy.address)
    client = context.new_cdp_session(page)
    # Chromium reads the manifest and its icons before the page is sealed
    errors = client.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}  # like all test contexts
    manifest = client.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert '"start_url": "../"' in manifest["data"]
