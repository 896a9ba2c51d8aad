"""The single-file page, opened from disk: complete, sealed from its first byte, no requests."""

import os
import subprocess
import sys

import pytest

from bleu import sentence_bleu
from tests.engines.page import Page
from tests.engines.test_core import unfold, wait_for_score
from tests.engines.test_seal import LEAVING, MODEL, UNREFUSABLE, attempt_all


def test_page_starts_and_scores(page: Page):
    assert "Self-check passed" in page.text("#self-check")
    page.type("#hypothesis", "the cat is on mat")
    page.type("#reference-1", "the cat is on the mat")
    wait_for_score(page, sentence_bleu("the cat is on mat", ["the cat is on the mat"]).value)


def test_page_states_how_it_is_sealed(page: Page):
    status = page.text("#seal")
    assert status.startswith(f"Sealed: {MODEL}")
    assert "from the first byte" in status
    assert ("In Firefox" in status) is (page.engine == "Firefox")


def test_page_states_its_build_and_contains_the_licenses(page: Page):
    assert page.run("return document.documentElement.dataset.build") in page.text("#one-file")
    page.click("#license-texts summary")
    page.until_true(lambda: "MPL-2.0" in page.text("#license-texts"))
    page.click("#license-texts summary")


def test_page_makes_no_request(page: Page):
    names = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
    assert [name for name in page.run(names) if not name.startswith("data:")] == []


def test_link_works_on_this_computer_only(page: Page):
    page.type("#hypothesis", "the cat")
    page.type("#reference-1", "the cat")
    with page.expect_notice("file"):  # The hint "It opens this file", or a link to copy by hand.
        page.click("#share")
        page.click("#copy-link")


@pytest.mark.slow
def test_texts_survive_a_reload(page: Page):
    page.type("#hypothesis", "kept on this device")
    unfold(page, "more")
    page.click("#keep-texts")
    page.run("window.before = true")
    page.driver.refresh()
    is_reloaded = "return !window.before && document.readyState !== 'loading'"
    page.until(lambda: page.run(is_reloaded), True)
    page.get_ready()
    page.until(lambda: page.value("#hypothesis"), "kept on this device")
    unfold(page, "more")
    page.click("#keep-texts")


@pytest.mark.slow
def test_no_route_leaves_the_page(engine_page: Page, blank: str):
    unrefusable = UNREFUSABLE.get(engine_page.engine, set())
    assert attempt_all(engine_page, blank) == unrefusable.difference(LEAVING)
    engine_page.complaints()


WITHOUT_NETWORK = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
"""A prefix that runs a command with no network but the loopback, which WebDriver needs."""


def can_drop_network() -> bool:
    """Return whether this machine can run a process without a network."""
    try:
        return not subprocess.run(
            [*WITHOUT_NETWORK, "true"], capture_output=True, check=False
        ).returncode
    except OSError:
        return False


@pytest.mark.slow
def test_page_works_without_any_network():
    if not can_drop_network():
        pytest.skip("this machine cannot run a process without a network")
    tests = [__file__, "-k", "starts_and_scores or makes_no_request"]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    ran = subprocess.run(
        [*WITHOUT_NETWORK, *command], capture_output=True, text=True, env=environment, check=False
    )
    assert ran.returncode == 0, ran.stdout
