"""The pages of the questions: their links, examples and sources, and the numbers in the answers."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag
from xml.etree import ElementTree

import pytest

from app.build.questions import INDEX, MAX_DESCRIPTION, question_pages
from app.state.form import form_settings
from app.state.inputs import scored_references
from app.state.saved_form import from_fragment
from app.template import fill_template
from bleu import Settings, derive, human_agreement, sentence_bleu

PAGE = (Path(__file__).parents[2] / "index.html").read_text("utf-8")
PAGES = question_pages(PAGE, "")
NAMES = [name for name in PAGES if name != f"{INDEX}.html"]
IDS = set(re.findall(r'\bid="([\w-]+)"', fill_template(PAGE)))
MAX_WORDS = 120
"""The number of words that an answer may have, if it is none of `LONG`."""
LONG = {"why-zero", "which-smoothing", "tools-differ", "is-30-good", "privacy"}


def links(markup):
    """Return the addresses of all links."""
    return [unescape(address) for address in re.findall(r'<a href="([^"]+)"', markup)]


def rows(name, start=0):
    """Return the texts of the cells of the table on a page, row by row, and its header."""
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in PAGES[name].split("<tr>")[1:])
    return [[re.sub(r"<[^>]+>", "", cell) for cell in row] for row in cells][start:]


def test_each_question_has_a_page_that_links_to_the_others():
    assert len(NAMES) == PAGE.partition('id="sources"')[0].partition('id="questions"')[2].count(
        "<h3"
    )
    for name in NAMES:
        assert {*NAMES} - {name} <= {*links(PAGES[name])}
        assert "../" in links(PAGES[name])
    assert {*NAMES} <= {*links(PAGES[f"{INDEX}.html"])}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    for address in links(PAGES[name]):
        path, fragment = urldefrag(address)
        if path.startswith("https:"):
            continue
        if "=" in fragment:
            assert from_fragment(fragment), address
        elif path == "../":
            assert not fragment or fragment in IDS, address
        elif path:
            assert path in PAGES
        else:
            assert f'id="{fragment}"' in PAGES[name], address


@pytest.mark.parametrize("name", NAMES)
def test_each_answer_has_an_example_that_is_scored(name):
    [example] = [address for address in links(PAGES[name]) if "hypothesis=" in address]
    inputs = from_fragment(urldefrag(example)[1])
    score = derive(inputs.hypothesis, scored_references(inputs), form_settings(inputs)).score
    assert 0 <= score.value < 1


@pytest.mark.parametrize("name", PAGES)
def test_page_has_a_title_and_a_short_description(name):
    [title] = re.findall("<title>(.+) – BLEU</title>", PAGES[name])
    [heading] = re.findall("<h1>(.+)</h1>", PAGES[name])
    assert title == unescape(re.sub(r"<[^>]+>", "", heading))
    [description] = re.findall('<meta name="description" content="(.+)">', PAGES[name])
    assert 30 < len(unescape(description)) <= MAX_DESCRIPTION + len(" …")


@pytest.mark.parametrize("name", [name for name in NAMES if name.removesuffix(".html") not in LONG])
def test_answer_is_short(name):
    answer, _, _ = PAGES[name].partition("</h1>")[2].partition('<p class="try">')
    assert len(re.sub(r"<[^>]+>", " ", answer).split()) <= MAX_WORDS


def test_each_source_is_cited():
    sources = re.findall(r'<li id="([\w-]+)">', PAGE.partition('id="sources"')[2])
    assert [source for source in sources if f'href="#{source}"' not in PAGE] == []


def test_site_map_lists_the_pages_by_their_addresses():
    pages = question_pages(PAGE, "https://example.org/bleu")
    namespace = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    listed = ElementTree.fromstring(pages.pop("sitemap.xml")).iter(f"{namespace}loc")
    addresses = [entry.text for entry in listed]
    assert addresses[0] == "https://example.org/bleu/"
    assert addresses[1:] == [f"https://example.org/bleu/questions/{name}" for name in NAMES]
    for name, address in zip(NAMES, addresses[1:], strict=True):
        assert f'<link rel="canonical" href="{address}">' in pages[name]
    assert "sitemap.xml" not in PAGES


def test_cumulative_and_individual_scores_are_those_of_the_library():
    hypothesis, references = "the cat is on mat", ["the cat is on the mat"]
    for n, (label, *shown) in enumerate(rows("cumulative.html", 1), 1):
        weights = (None, (*[0] * (n - 1), 1))
        scores = [
            sentence_bleu(hypothesis, references, Settings(max_order=n, weights=weight))
            for weight in weights
        ]
        assert [label, *shown] == [f"BLEU-{n}", *(f"{100 * score:.2f}" for score in scores)]


def test_agreement_of_people_is_that_of_the_curves():
    for share, *points in rows("how-many.html", 1):
        for number, metric in zip(points, ("bleu", "spbleu"), strict=True):
            agreement = human_agreement(float(number) / 100, metric)
            assert agreement == pytest.approx(int(share.split()[0]) / 100, abs=0.006)
    assert f"{human_agreement(0.005):.0%}".replace("%", " %") in PAGES["how-many.html"]
    assert f"{human_agreement(1):.0%}".replace("%", " %") in PAGES["how-many.html"]
