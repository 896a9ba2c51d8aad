"""A result in a notebook keeps its shape among the rules that JupyterLab has for all output."""

from playwright.sync_api import Browser

import bleu

JUPYTERLAB = """
.jp-OutputArea-output :is(dl, dt, dd) { display: block; margin: 0; padding: 0; }
.jp-OutputArea-output dl { width: 100%; overflow: hidden; }
.jp-OutputArea-output dt { float: left; width: 20%; font-weight: bold; }
.jp-OutputArea-output dd { float: left; width: 80%; }
"""
"""What JupyterLab 4.6 does to lists of terms."""

BOXES = """(all) => all.map((one) => {
  const range = document.createRange(); range.selectNodeContents(one);
  const { top, bottom, left, right } = range.getBoundingClientRect();
  return [top, bottom, left, right];
})"""


def test_no_fact_lies_over_another(browser: Browser):
    page = browser.new_page()
    markup = bleu.derive("the cat is on mat", ["the cat is on the mat"])._repr_html_()
    page.set_content(f"<style>{JUPYTERLAB}</style><div class=jp-OutputArea-output>{markup}</div>")
    boxes = page.locator(".facts :is(dt, dd)").evaluate_all(BOXES)
    page.close()
    assert len(boxes) == 8
    for place, (top, bottom, left, right) in enumerate(boxes):
        for other_top, other_bottom, other_left, other_right in boxes[:place]:
            apart = right <= other_left or other_right <= left
            assert apart or bottom <= other_top + 1 or other_bottom <= top + 1
