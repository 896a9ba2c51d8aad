"""A result in a notebook keeps its shape among the rules that JupyterLab has for all output."""

from playwright.sync_api import Browser, expect

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


def test_where_a_host_takes_style_and_drawings_away_the_figures_are_told(browser: Browser):
    page = browser.new_page()
    page.set_content(bleu.derive("the cat is on mat", ["the cat is on the mat"])._repr_html_())
    told = page.locator(".told")
    expect(told).to_have_count(page.locator("figure").count())
    expect(told.first).to_be_hidden()
    page.evaluate("document.querySelectorAll('style, svg').forEach((one) => one.remove())")
    expect(told.first).to_contain_text("p₁ is 5 of 5")
    expect(page.locator(".bleu-result")).to_contain_text("on the 0–100 scale 0.5789")
    page.close()
