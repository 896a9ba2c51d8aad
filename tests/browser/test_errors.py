"""Uncaught Python errors: the console shows their file, line and function."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import (
    Recorder,
    open_page,
    reveal,
)
from tests.browser.servers import ROOT

FAIL_ON_WRITE = """
element => Object.defineProperty(element, "textContent", {
    set() { throw new Error("no room"); },
})
"""
"""Makes an element throw when Python writes its text, as another script might."""


def type_text(page: Page) -> None:
    page.locator("#hypothesis-count").evaluate(FAIL_ON_WRITE)
    reveal(page, "#hypothesis").press_sequentially("x")


def select_file(page: Page) -> None:
    page.locator("#corpus-note").evaluate(FAIL_ON_WRITE)
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"}
    page.locator("#corpus-system-file").set_input_files([file])


@pytest.mark.parametrize(
    ("action", "module", "function"),
    [
        (type_text, "app/score/controller.py", "show_counts"),
        (select_file, "app/files/open_files_controller.py", "read"),
    ],
)
def test_error_names_its_file_line_and_function(tab: Recorder, action, module, function):
    page = open_page(tab)
    with page.expect_event("pageerror") as caught:
        action(page)
    trace = str(caught.value)
    assert trace.startswith("Traceback (most recent call last):\n")
    assert trace.rstrip().endswith("JsException: Error: no room")
    location = rf'File "{module}", line (\d+), in {function}$'
    [line] = re.findall(location, trace, re.MULTILINE)
    assert ".textContent = " in (ROOT / module).read_text("utf-8").splitlines()[int(line) - 1]
