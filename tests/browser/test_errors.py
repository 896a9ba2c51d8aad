"""What a browser's console says of an error in Python that nothing catches: where it came about."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import (
    Recorder,
    open_page,
    reveal,
)
from tests.browser.servers import ROOT

REFUSING = """
element => Object.defineProperty(element, "textContent", {
    set() { throw new Error("no room"); },
})
"""
"""What another script may do to an element that Python writes into."""


def typed(page: Page) -> None:
    page.locator("#hypothesis-count").evaluate(REFUSING)
    reveal(page, "#hypothesis").press_sequentially("x")


def chosen(page: Page) -> None:
    page.locator("#corpus-note").evaluate(REFUSING)
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"}
    page.locator("#corpus-system-file").set_input_files([file])


@pytest.mark.parametrize(
    ("action", "module", "function"),
    [
        (typed, "app/main.py", "update"),
        (chosen, "app/files/controller.py", "read"),
    ],
)
def test_an_error_names_our_file_and_line(recorder: Recorder, action, module, function):
    page = open_page(recorder)
    with page.expect_event("pageerror") as caught:
        action(page)
    trace = str(caught.value)
    assert trace.startswith("Traceback (most recent call last):\n")
    assert trace.rstrip().endswith("JsException: Error: no room")
    # a plain runtime has the sources in a zip
    place = rf'File "(?:/page\.zip/)?{module}", line (\d+), in {function}$'
    [line] = re.findall(place, trace, re.MULTILINE)
    assert ".textContent = " in (ROOT / module).read_text("utf-8").splitlines()[int(line) - 1]
