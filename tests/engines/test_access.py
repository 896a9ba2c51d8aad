"""axe-core in every engine: the views, and the stations of the score."""

import pytest

from tests.browser.conftest import VIEWS
from tests.browser.test_access import AXE, RULES
from tests.engines.page import Page

FIND_VIOLATIONS = """
const [rules, done] = arguments;
// where the sticky bar covers nothing
scrollTo({ top: 0, behavior: "instant" });
const describe = ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target}`);
axe.run(document, { runOnly: rules, resultTypes: ["violations"] })
    .then(({ violations }) => done(violations.flatMap(describe)), (error) => done([`${error}`]));
"""


def violations(page: Page) -> list[str]:
    """Return the violations that axe-core finds: rule and element."""
    if page.run("return typeof axe") == "undefined":
        page.run(AXE)
    return page.driver.execute_async_script(FIND_VIOLATIONS, RULES)


@pytest.mark.slow
def test_axe_finds_no_violation_in_any_view_or_station(page):
    page.type("#hypothesis", "the cat is on mat")
    page.type("#reference-1", "the cat is on the mat")
    page.until(lambda: page.count("#result-body .factor"), 5)
    for anchor in ("precision-1", "brevity-penalty", "score"):
        page.click(f'#result-body [data-command="explain:{anchor}"]')
        page.until(lambda: page.count("#station:not([hidden]) h3"), 1)
        assert violations(page) == [], anchor
        page.click(f'#result-body [data-command="explain:{anchor}"]')
        page.until(lambda: page.count("#station:not([hidden])"), 0)
    for view in VIEWS:
        page.reveal(f"{view} h2, {view} label")
        assert violations(page) == [], view
