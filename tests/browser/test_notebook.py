"""Layout of a notebook result under JupyterLab's style, and without style and figures."""

from playwright.sync_api import Browser, expect

import bleu

JUPYTERLAB = """
.jp-OutputArea-output :is(dl, dt, dd) { display: block; margin: 0; padding: 0; }
.jp-OutputArea-output dl { width: 100%; overflow: hidden; }
.jp-OutputArea-output dt { float: left; width: 20%; font-weight: bold; }
.jp-OutputArea-output dd { float: left; width: 80%; }
"""
"""The rules of JupyterLab 4.6 for description lists."""

BOXES = """(nodes) => nodes.map((node) => {
  const range = document.createRange(); range.selectNodeContents(node);
  const { top, bottom, left, right } = range.getBoundingClientRect();
  return [top, bottom, left, right];
})"""


def test_facts_do_not_overlap_in_jupyterlab(browser: Browser):
    page = browser.new_page()
    markup = bleu.derive("the cat is on mat", ["the cat is on the mat"])._repr_html_()
    page.set_content(f"<style>{JUPYTERLAB}</style><div class=jp-OutputArea-output>{markup}</div>")
    boxes = page.locator(".facts :is(dt, dd)").evaluate_all(BOXES)
    page.close()
    assert len(boxes) == 8
    for index, (top, bottom, left, right) in enumerate(boxes):
        for other_top, other_bottom, other_left, other_right in boxes[:index]:
            are_beside = right <= other_left or other_right <= left
            assert are_beside or bottom <= other_top + 1 or other_bottom <= top + 1


def test_figure_descriptions_appear_if_a_host_removes_style_and_figures(browser: Browser):
    page = browser.new_page()
    page.set_content(bleu.derive("the cat is on mat", ["the cat is on the mat"])._repr_html_())
    descriptions = page.locator(".told")
    expect(descriptions).to_have_count(page.locator("figure").count())
    expect(descriptions.first).to_be_hidden()
    page.evaluate("document.querySelectorAll('style, svg').forEach((node) => node.remove())")
    expect(descriptions.first).to_contain_text("p₁ is 5 of 5")
    expect(page.locator(".bleu-result")).to_contain_text("on the 0–100 scale 0.5789")
    page.close()
