"""The glossary: short sentences, answers that exist, and no other word for the same thing."""

import re
from functools import partial
from html import unescape
from pathlib import Path

import pytest

import bleu
from app.files.checkup_html import check_up_html
from app.files.reading import TextSource
from app.files.result_html import (
    CORPUS_FORMATS,
    derivation_html,
    result_html,
    settings_html,
    spoken_result,
)
from app.files.scoring import check_and_score
from app.files.segment_html import differences_html, segment_derivations, segment_view
from app.learn.lesson_screens import SCREENS
from app.score.html import build_snapshot, matches_html, settings_line
from app.state.inputs import example_inputs
from app.template import fill_template
from app.tools.html import iter_comparison_html, iter_what_if_html, tokenizers_html
from bleu.analysis.calls import MISTAKES
from bleu.analysis.examples import EXAMPLES
from bleu.checkup.kinds import KINDS as CHECKUP_KINDS
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from bleu.explanation.glossary import GLOSSARY
from bleu.formats import SCORE_FORMATS
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import MISCONCEPTIONS
from tests.app.test_evaluation import FILES

ROOT = Path(__file__).parents[2]
MAX_WORDS = 20
AVOIDED = [word for entry in GLOSSARY for word in entry.avoided]
NAME = r'\b(?:aria-label|title|placeholder|alt|content)="([^"]*)"'


def visible_text(markup: str) -> str:
    """Return what people see or hear of markup: its text and the names of its elements."""
    markup = re.sub(r"<(style|script|code|pre)\b.*?</\1>", " ", markup, flags=re.DOTALL)
    return unescape(" ".join([re.sub(r"<[^>]*>", "", markup), *re.findall(NAME, markup)]))


CODE_FORMATS = {"json", "jsonl", "csv", "metrics"}
"""The exports with names of data, which stay those of the library."""


def example_texts(name: str) -> list[str]:
    """Return what all views show of an example, and its exports."""
    snapshot = build_snapshot(example_inputs(name))
    view, orders = snapshot.view, map(str, range(len(snapshot.derivation.orders) + 1))
    return [
        *(view.result, view.spoken, view.line, settings_line(snapshot.inputs)),
        *(matches_html(snapshot.derivation, order) for order in orders),
        run_to_end(iter_comparison_html(snapshot)),
        run_to_end(iter_what_if_html(snapshot, [])),
        tokenizers_html(snapshot.inputs),
        *(
            form.render(snapshot.explained)
            for name, form in SCORE_FORMATS.items()
            if name not in CODE_FORMATS
        ),
    ]


def file_texts(name: str) -> list[str]:
    """Return what the view Files shows of texts with a fault, and the exports."""
    systems, references = (
        [TextSource(f"{side}{n}", lines) for n, lines in enumerate(sources)]
        for side, sources in zip("sr", FILES[name], strict=True)
    )
    names, settings = [source.name for source in systems], convention_settings("sacrebleu")
    test = "bootstrap" if len(systems) > 1 else "none"
    steps = check_and_score(systems, references, names, 0, settings, test, "sacrebleu")
    outcome = run_to_end(steps)
    shown = len(systems) - 1
    derivations = segment_derivations(outcome, 0)
    return [
        *(result_html(outcome, shown), spoken_result(outcome), settings_html(outcome)),
        check_up_html(run_to_end(outcome.check()), names),
        derivation_html(outcome, shown),
        segment_view(outcome, derivations, 0, [0], 1, shown),
        differences_html(outcome, shown) if shown else "",
        *(
            form.render(outcome)
            for name, form in CORPUS_FORMATS.items()
            if name not in CODE_FORMATS
        ),
    ]


def record_texts() -> list[str]:
    """Return the texts of the records and of the lesson."""
    records = (CHECKUP_KINDS, bleu.SMOOTHINGS, bleu.TOKENIZERS, KINDS, MISCONCEPTIONS)
    mistakes = [text for mistake in MISTAKES.values() for text in (mistake.sentence, mistake.label)]
    page = fill_template((ROOT / "index.html").read_text("utf-8"))
    return [page, repr(SCREENS), *(repr([*kind.values()]) for kind in records), *mistakes]


SOURCES = {
    "records": record_texts,
    **{f"example {name}": partial(example_texts, name) for name in EXAMPLES},
    **{f"files with {name}": partial(file_texts, name) for name in FILES},
}


@pytest.mark.parametrize("name", SOURCES)
def test_texts_have_one_word_for_each_thing(name):
    text = visible_text(" ".join(SOURCES[name]())).lower()
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
