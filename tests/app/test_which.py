"""The box that asks which BLEU a number is: what is refused, what is shown, what a row applies."""

from dataclasses import replace
from html import escape

import pytest

from app.state.file_settings import FileInputs, file_settings
from app.state.form import FormError, form_derivation
from app.state.inputs import Inputs
from app.tools.which import (
    SearchRequest,
    apply_candidate,
    apply_candidate_to_files,
    is_applicable_to_form,
    request_from_files,
    request_from_form,
    result_html,
    search,
)
from bleu import corpus_bleu
from bleu.analysis.which import WhichResult
from bleu.explanation.which import MAX_ROWS, displayed_candidates, verdict
from tests.support.strategies import HOSTILE

TEXTS = Inputs("The cat sat on a mat.", ("the cat sat on the mat.", "The cat sits there.", ""))


FILE_NAMES = ["mt.txt", "one.txt", "two.txt"]
HYPOTHESES = ["The cat sat on a mat.", "It rained all day, I saw it."]
REFERENCES = [
    ("the cat sat on the mat.", "The cat sits there."),
    ("It rained all the day; I saw it.", "It was raining all day."),
]
FILES = FILE_NAMES, HYPOTHESES, REFERENCES


def found(number: str, asked: SearchRequest) -> WhichResult:
    """What a search finds."""
    work = search(asked, number)
    shares = []
    while True:
        try:
            shares.append(next(work))
        except StopIteration as end:
            assert shares == sorted(shares)
            assert 0 <= shares[0] <= shares[-1] == 1
            answer: WhichResult = end.value
            return answer


@pytest.mark.parametrize(
    ("inputs", "number", "words"),
    [
        (TEXTS, "", "There is no number yet. Type one number"),
        (TEXTS, "about 20", "“about 20” is not a score. Type one number, such as 26.60"),
        (TEXTS, "2660", "2660 is too large: BLEU goes up to 100."),
        (TEXTS, "1" * 60 + "0" * 9, f"{'1' * 60} is too large"),
        (TEXTS, "\u202e1", "“⟨U+202E⟩1” is not a score."),
        (Inputs(), "1", "Type or paste a candidate"),
        (Inputs("a"), "1", "Type or paste a reference"),
    ],
)
def test_what_is_refused_says_what_to_type(inputs, number, words):
    with pytest.raises(FormError) as error:
        next(search(request_from_form(inputs), number))
    assert words in str(error.value)


@pytest.mark.parametrize("number", ["30", "0,3", "50", "97.7512", "100"])
def test_a_row_applies_settings_that_give_its_number(number):
    asked = request_from_form(TEXTS)
    answer = found(number, asked)
    applied_rows = 0
    for one in displayed_candidates(answer):
        if is_applicable_to_form(one):
            applied_rows += 1
            form = apply_candidate(replace(TEXTS, smoothing="floor", max_order="2"), one)
            assert form_derivation(form).score.value == pytest.approx(one.value, rel=1e-12)
    markup = result_html(answer, asked)
    shown = displayed_candidates(answer)[:MAX_ROWS]
    assert markup.count("which-apply:") == sum(map(is_applicable_to_form, shown))
    assert markup.count('data-command="copy-code:which-') == len(shown)
    assert markup.count("<tr") == len(shown) + 1
    assert verdict(answer)
    assert applied_rows or number not in {"0,3", "50"}


def scored(own: FileInputs) -> float:
    """What the part for whole files scores under these settings."""
    return corpus_bleu(HYPOTHESES, REFERENCES, file_settings(own, Inputs())).value


@pytest.mark.parametrize("number", ["30", "0.4", "50", "100"])
def test_a_row_of_files_applies_settings_that_give_its_number(number):
    asked = request_from_files(*FILES)
    answer = found(number, asked)
    fitting = [one for one in displayed_candidates(answer) if asked.is_applicable(one)]
    for one in fitting:
        assert scored(
            apply_candidate_to_files(FileInputs("boxes", "char", "2"), one)
        ) == pytest.approx(one.value, rel=1e-12)
    markup = result_html(answer, asked, "file-which")
    assert markup.count("file-which-apply:") == sum(
        map(asked.is_applicable, displayed_candidates(answer)[:MAX_ROWS])
    )
    assert "copy-code:file-which-0" in markup
    assert (
        "references = list(zip(lines(&#x27;one.txt&#x27;), lines(&#x27;two.txt&#x27;)))" in markup
    )


def test_what_the_settings_for_files_cannot_say_is_no_choice():
    asked = request_from_files(*FILES)
    answers = [found(number, asked) for number in ("0.3", "0.4", "0.5", "0.6")]
    ways = [one for answer in answers for one in (*answer.found, *answer.nearest)]
    ways += [other for one in ways for other in one.equivalents]
    weighted = [one for one in ways if one.settings.weights and not one.mistakes]
    assert weighted
    assert not any(map(asked.is_applicable, weighted))
    alone = [one for one in ways if one.preprocessing.reference]
    assert alone
    assert not any(map(asked.is_applicable, alone))


def test_rows_beyond_the_shown_are_counted():
    answer = found("0.4", request_from_form(TEXTS))
    assert len(answer.found) > MAX_ROWS
    assert f"{len(answer.found) - MAX_ROWS} more less likely ways" in result_html(
        answer, request_from_form(TEXTS)
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_escaped(text):
    inputs = Inputs(text, (text,))
    if text.strip():
        asked = request_from_form(inputs)
        markup = result_html(found("100", asked), asked)
        assert "<script" not in markup
        assert text not in markup or escape(text) == text


def test_what_nltk_prints_for_0_is_shown_as_it_prints_it():
    texts = Inputs("hello there general", ("hello there general kenobi",))
    asked = request_from_form(texts)
    shown = result_html(found("8.75e-78", asked), asked)
    assert '>8.751e−78 (<span class="whole">0–1</span>)<' in shown
    assert "Ways to this number" in shown
    assert "The nearest" in result_html(found("0.123456", asked), asked)


def test_a_printed_0_is_0_before_it_is_almost_0():
    answer = found(
        "0.0", request_from_form(Inputs("hello there general", ("hello there general kenobi",)))
    )
    values = [one.value for one in answer.found]
    assert values[0] == 0
    assert max(values) > 0
