"""Python's memory ends below 2 GB in every engine, and Python is told so."""

import pytest

from tests.browser.servers import Site
from tests.engines.page import Page

ASK = """
return import(new URL("static/python.mjs", document.baseURI)).then(async ({loadPyodide}) => {
    const {_malloc, _free, HEAPU8} = (await loadPyodide())._module;
    const room = 2 ** 31 - HEAPU8.length - 2 ** 27;
    const first = _malloc(room);
    const second = _malloc(2 ** 28);
    _free(first);
    return [first > 0, second];
});
"""


@pytest.mark.slow
def test_python_has_less_than_two_gigabytes(running: Page, blank: str, site_copy: Site):
    with running.tab(blank):
        running.open(site_copy.address)
        assert running.run(ASK) == [True, 0]
    running.complaints()
