"""The box that asks which BLEU a number is: what is refused, what is shown, what a row applies."""

import doctest
from dataclasses import replace
from html import escape

import pytest

from app.page import which as page_which
from app.page.form import FormError, Inputs, derivation
from app.page.which import applicable, applied, result, search, status
from bleu.analysis.which import Answer
from bleu.explanation.which import SHOWN, listed
from tests.support.strategies import HOSTILE

TEXTS = Inputs("The cat sat on a mat.", ("the cat sat on the mat.", "The cat sits there.", ""))


def found(number: str, inputs: Inputs = TEXTS) -> Answer:
    """What a search finds."""
    work = search(inputs, number)
    shares = []
    while True:
        try:
            shares.append(next(work))
        except StopIteration as end:
            assert shares == sorted(shares)
            assert 0 <= shares[0] <= shares[-1] == 1
            answer: Answer = end.value
            return answer


def test_examples_are_true():
    assert doctest.testmod(page_which).failed == 0


@pytest.mark.parametrize(
    ("inputs", "number", "words"),
    [
        (TEXTS, "", "There is no number yet. Type one number"),
        (TEXTS, "about 20", "“about 20” is not a score. Type one number, such as 26.60"),
        (TEXTS, "2660", "2660 is more than any BLEU: 100."),
        (TEXTS, "\u202e1", "“⟨U+202E⟩1” is not a score."),
        (Inputs(), "1", "Type or paste a candidate"),
        (Inputs("a"), "1", "Type or paste a reference"),
    ],
)
def test_what_is_refused_says_what_to_type(inputs, number, words):
    with pytest.raises(FormError) as error:
        next(search(inputs, number))
    assert words in str(error.value)


@pytest.mark.parametrize("number", ["30", "0,3", "50", "97.7512", "100"])
def test_a_row_applies_settings_that_give_its_number(number):
    answer = found(number)
    applied_rows = 0
    for one in listed(answer):
        if applicable(one):
            applied_rows += 1
            form = applied(replace(TEXTS, smoothing="floor", max_order="2"), one)
            assert derivation(form).score.value == pytest.approx(one.value, rel=1e-12)
    markup = result(answer, TEXTS)
    shown = listed(answer)[:SHOWN]
    assert markup.count("which-apply:") == sum(map(applicable, shown))
    assert markup.count('data-command="copy-code:which-') == len(shown)
    assert markup.count("<tr") == len(shown) + 1
    assert status(answer)
    assert applied_rows or number not in {"0,3", "50"}


def test_rows_beyond_the_shown_are_counted():
    answer = found("0.4")
    assert len(answer.found) > SHOWN
    assert f"{len(answer.found) - SHOWN} more less likely ways" in result(answer, TEXTS)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_escaped(text):
    inputs = Inputs(text, (text,))
    if text.strip():
        markup = result(found("100", inputs), inputs)
        assert "<script" not in markup
        assert text not in markup or escape(text) == text
