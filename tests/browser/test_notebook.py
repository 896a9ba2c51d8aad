"""Layout of a notebook result under JupyterLab's style, and without style and figures."""

import re

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


def test_figures_are_images_that_load_and_have_descriptions(browser: Browser):
    page = browser.new_page()
    page.set_content(bleu.derive("the cat is on mat", ["the cat is on the mat"])._repr_html_())
    images = page.locator(".bleu-result img")
    expect(images).to_have_count(page.locator("figure").count())
    expect(images.first).to_have_attribute("alt", re.compile("p₁ is 5 of 5"))
    assert images.evaluate_all("(nodes) => nodes.every((node) => node.naturalWidth > 0)")
    page.evaluate("document.querySelectorAll('style').forEach((node) => node.remove())")
    expect(page.locator(".bleu-result")).to_contain_text("on the 0–100 scale 0.5789")
    page.close()
