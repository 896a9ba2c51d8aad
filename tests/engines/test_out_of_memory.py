"""The limit of Python's memory, below 2 GB, in every engine."""

import pytest

from tests.browser.servers import Site
from tests.engines.page import Page

ALLOCATE = """
return import(new URL("static/python.mjs", document.baseURI)).then(async ({loadPyodide}) => {
    const {_malloc, _free, HEAPU8} = (await loadPyodide())._module;
    const belowLimit = 2 ** 31 - HEAPU8.length - 2 ** 27;
    const first = _malloc(belowLimit);
    const second = _malloc(2 ** 28);
    _free(first);
    return [first > 0, second];
});
"""


@pytest.mark.slow
def test_allocation_beyond_two_gigabytes_fails(engine_page: Page, blank: str, site_copy: Site):
    with engine_page.tab(blank):
        engine_page.open(site_copy.address)
        assert engine_page.run(ALLOCATE) == [True, 0]
    engine_page.complaints()
