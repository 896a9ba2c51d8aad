"""The page in one file, opened from disk: whole, sealed from its first byte, and quiet."""

import os
import subprocess
import sys

import pytest

from bleu import sentence_bleu
from tests.engines.page import Page
from tests.engines.test_core import has_score, unfold
from tests.engines.test_seal import LEFT, attempt_all


def test_python_is_up_and_has_checked_itself(page: Page):
    assert "Self-check passed" in page.text("#loading")
    page.type("#hypothesis", "the cat is on mat")
    page.type("#reference-1", "the cat is on the mat")
    has_score(page, sentence_bleu("the cat is on mat", ["the cat is on the mat"]).value)


def test_it_says_how_it_is_sealed(page: Page):
    said = page.text("#seal")
    assert said.startswith("Sealed: the browser now refuses ")
    assert ("every connection from this page" in said) is (page.engine not in LEFT)
    assert "from the first byte" in said
    assert ("In Firefox" in said) is (page.engine == "Firefox")


def test_it_says_which_copy_it_is_and_brings_the_licences(page: Page):
    assert page.run("return document.documentElement.dataset.build") in page.text("#one-file")
    page.click("#licence-texts summary")
    page.until_true(lambda: "MPL-2.0" in page.text("#licence-texts"))
    page.click("#licence-texts summary")


def test_nothing_was_asked_for(page: Page):
    names = "return performance.getEntriesByType('resource').map((one) => one.name)"
    assert [name for name in page.run(names) if not name.startswith("data:")] == []


def test_a_link_is_for_this_computer(page: Page):
    page.type("#hypothesis", "the cat")
    page.click("#share")
    page.until_true(
        lambda: "on this computer" in page.text("#notice") or "file:" in page.text("#notice")
    )


@pytest.mark.slow
def test_texts_are_kept_through_a_reload(page: Page):
    page.type("#hypothesis", "kept on this device")
    unfold(page, "more")
    page.click("#keep-texts")
    page.run("window.before = true")
    page.driver.refresh()
    there = "return !window.before && document.readyState !== 'loading'"
    page.until(lambda: page.run(there), True)
    page.get_ready()
    typed = "return document.getElementById('hypothesis').value"
    page.until(lambda: page.run(typed), "kept on this device")
    unfold(page, "more")
    page.click("#keep-texts")


def test_nothing_gets_out(running: Page, one_file: str):
    assert attempt_all(running, lambda: running.open(one_file, fresh=True)) == LEFT.get(
        running.engine, set()
    )
    running.complaints()


ALONE = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
"""A command without any network but this machine's own address, by which an engine is driven."""


def can_be_alone() -> bool:
    """Whether this machine lets a process be without a network."""
    try:
        return not subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode
    except OSError:
        return False


@pytest.mark.slow
def test_it_works_where_there_is_no_network_at_all():
    if not can_be_alone():
        pytest.skip("This machine lets no process be without a network")
    tests = [__file__, "-k", "python_is_up or nothing_was_asked_for"]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
    given = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ran = subprocess.run([*ALONE, *command], capture_output=True, text=True, env=given, check=False)
    assert ran.returncode == 0, ran.stdout
