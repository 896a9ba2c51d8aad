"""The ids of elements: those that Python looks up are in the page or in its own markup."""

import re
from pathlib import Path

from app.template import fill_template

ROOT = Path(__file__).parents[2]
SOURCES = {
    path: path.read_text("utf-8")
    for folder in ("app", "bleu/render")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
ID = re.compile(r'\bid="([\w-]+)"')
LOOKUP = re.compile(r'\b(?:find_)?element\(\s*"([\w-]+)"')
"""A call that finds an element by its id."""
SELECTOR = re.compile(r'\b(?:listen|querySelector|querySelectorAll|closest)\([^)]*?"([^"]*)"')
"""A call with a CSS selector."""
FORMATTED = {"learn-solution-button"}
"""Ids that Python formats from parts."""


def ids_looked_up():
    """Yield each id that Python looks up, with its module."""
    for path, source in SOURCES.items():
        for name in LOOKUP.findall(source):
            yield name, path.name
        for selector in SELECTOR.findall(source):
            for name in re.findall(r"#([\w-]+)(?![\w{-])", selector):
                yield name, path.name


def test_every_id_that_python_looks_up_exists():
    page = set(ID.findall(fill_template((ROOT / "index.html").read_text("utf-8"))))
    created = {name for source in SOURCES.values() for name in ID.findall(source)}
    used = dict(ids_looked_up())
    assert len(used) > 100
    missing = {
        name: module for name, module in used.items() if name not in page | created | FORMATTED
    }
    assert missing == {}


def test_ids_of_the_page_are_unique():
    ids = ID.findall(fill_template((ROOT / "index.html").read_text("utf-8")))
    assert len(ids) == len(set(ids))
