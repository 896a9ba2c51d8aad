"""The documentation of the library: pages of unexpected structure are rejected."""

import html
import re
import subprocess
from pathlib import Path

import pytest

import bleu
from app.build.docs import DOCUMENTED_FIRST, GUIDES, HEAD, POLICY, TEACHING, docs_pages
from app.learn.lesson_screens import SCREENS

pytestmark = pytest.mark.host


def docs_page_from(page, monkeypatch):
    """Return the documentation page made from a page written by pdoc."""

    def run(command, **_):
        Path(command[-1], "bleu.html").write_text(page, encoding="utf-8")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    return docs_pages()["index.html"]


def test_page_has_a_policy_and_links_to_its_file_name(monkeypatch):
    page = docs_page_from(f'<html>{HEAD}</head><a href="bleu.html">a</a></html>', monkeypatch)
    assert page.index(POLICY) < page.index("</head>")
    assert 'href="index.html"' in page


@pytest.mark.parametrize(
    "page",
    [
        f"{HEAD}</head><body><script>1</script></body>",
        f"{HEAD}<script src=search.js></script></head>",
        "<head lang=en></head>",
        f"{HEAD}</head>{HEAD}</head>",
    ],
)
def test_page_with_script_or_unexpected_head_is_rejected(page, monkeypatch):
    with pytest.raises(RuntimeError, match="a script, or no single <head>"):
        docs_page_from(page, monkeypatch)


def test_page_has_the_guide_and_every_public_name_in_order_of_use():
    pages = docs_pages()
    page = pages["index.html"]
    names = re.findall('<section id="(\\w+)">', page)
    assert set(bleu.__all__) - {"__version__"} <= set(names)
    assert names[: len(DOCUMENTED_FIRST)] == list(DOCUMENTED_FIRST)
    for text in ("Command line", "In a training loop", "Spark, Dask and Beam", "In a notebook"):
        assert f">{text}</h2>" in page
    assert "bleu/core/score.py" not in page
    assert set(re.findall('class="decorator decorator-(\\w+)"', page)) == {"classmethod"}
    assert "**choices" not in page
    assert set(pages) == {"index.html", *GUIDES}
    for name in set(GUIDES) - {TEACHING}:
        assert f'href="{name}"' in page
        assert 'href="index.html"' in pages[name]
        assert POLICY in pages[name]
    teaching = pages[TEACHING]
    assert POLICY in teaching
    methods = [known for known in bleu.MISCONCEPTIONS.values() if known.topic != "trust"]
    sentences = [known.third_person_sentence for known in methods]
    shown = [text for text in sentences if html.escape(text, quote=False) in teaching]
    assert len(shown) > 0.7 * len(sentences)
    for screen in SCREENS:
        assert f"<td>{screen.tab}</td>" in teaching or screen.name == "check"
