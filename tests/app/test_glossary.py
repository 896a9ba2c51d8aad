"""The glossary: short sentences, answers that exist, and no other word for the same thing."""

import re
from html import unescape
from pathlib import Path

import pytest

import bleu
from app.learn.lesson_screens import SCREENS
from app.template import fill_template
from bleu.analysis.examples import EXAMPLES
from bleu.checkup.kinds import KINDS as CHECKUP_KINDS
from bleu.explanation.glossary import GLOSSARY
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.render import markdown

ROOT = Path(__file__).parents[2]
MAX_WORDS = 20
AVOIDED = [word for entry in GLOSSARY for word in entry.avoided]
NAME = r'\b(?:aria-label|title|placeholder|alt|content)="([^"]*)"'


def visible_text(markup: str) -> str:
    """Return what people see or hear of markup: its text and the names of its elements."""
    markup = re.sub(r"<(style|script|code|pre)\b.*?</\1>", " ", markup, flags=re.DOTALL)
    return unescape(" ".join([re.sub(r"<[^>]*>", "", markup), *re.findall(NAME, markup)]))


def texts() -> dict[str, str]:
    """Return what the views show at first, the steps of the examples, and the records' texts."""
    page = fill_template((ROOT / "index.html").read_text("utf-8"))
    derived = {
        name: bleu.derive(entry.hypothesis, entry.references, **entry.settings)
        for name, entry in EXAMPLES.items()
    }
    return {
        "page": visible_text(page),
        **{name: markdown.render(bleu.explain(derivation)) for name, derivation in derived.items()},
        "lesson": repr(SCREENS),
        "exercises": repr([*KINDS.values(), *MISCONCEPTIONS.values()]),
        "records": repr(
            [*CHECKUP_KINDS.values(), *bleu.SMOOTHINGS.values(), *bleu.TOKENIZERS.values()]
        ),
    }


@pytest.mark.parametrize("name", texts())
def test_texts_have_one_word_for_each_thing(name):
    text = texts()[name].lower()
    found = [
        text[max(0, match.start() - 40) : match.end() + 20]
        for word in AVOIDED
        for match in re.finditer(rf"\b{word}s?\b", text)
    ]
    assert not found


def test_sentences_are_short_and_their_answers_exist():
    page = (ROOT / "index.html").read_text("utf-8")
    for entry in GLOSSARY:
        assert len(entry.sentence.split()) <= MAX_WORDS, entry.term
        assert not entry.anchor or f' id="{entry.anchor}"' in page, entry.term


def test_no_term_is_avoided_by_another_entry():
    terms = {entry.term for entry in GLOSSARY}
    assert not terms & set(AVOIDED)
