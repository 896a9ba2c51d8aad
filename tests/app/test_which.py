"""The search for a number: errors, results as HTML, and the settings that a row applies."""

from dataclasses import replace
from html import escape

import pytest

from app.state.file_settings import file_settings
from app.state.form import form_derivation
from app.state.inputs import Inputs
from app.tools.which import (
    SearchRequest,
    apply_candidate,
    candidate_file_inputs,
    is_applicable_to_form,
    request_from_files,
    request_from_form,
    result_html,
    search,
)
from bleu import corpus_bleu
from bleu.analysis.which import WhichResult
from bleu.explanation.which import MAX_ROWS, displayed_candidates, verdict
from tests.support.case_selection import fast_and_slow
from tests.support.plain_markup import plain
from tests.support.strategies import HOSTILE

TEXTS = Inputs("The cat sat on a mat.", ("the cat sat on the mat.", "The cat sits there.", ""))
FILE_NAMES = ["mt.txt", "one.txt", "two.txt"]
HYPOTHESES = ["The cat sat on a mat.", "It rained all day, I saw it."]
REFERENCES = [
    ("the cat sat on the mat.", "The cat sits there."),
    ("It rained all the day; I saw it.", "It was raining all day."),
]


def run_search(number: str, request: SearchRequest) -> WhichResult:
    """Return the result of a search, and check its progress."""
    job = search(request, number)
    shares = []
    while True:
        try:
            shares.append(next(job))
        except StopIteration as stop:
            assert shares == sorted(shares)
            assert 0 <= shares[0] <= shares[-1] == 1
            result: WhichResult = stop.value
            return result


def files_request() -> SearchRequest:
    """Return the request for the files."""
    return request_from_files(FILE_NAMES, HYPOTHESES, REFERENCES)


@pytest.mark.parametrize(
    ("inputs", "number", "message"),
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
def test_error_says_what_to_type(inputs, number, message):
    with pytest.raises(ValueError, match=r".") as error:
        next(search(request_from_form(inputs), number))
    assert message in plain(str(error.value))


@pytest.mark.parametrize("number", ["30", "0,3", "50", "97.7512", "100"])
def test_row_applies_settings_that_give_its_score(number):
    request = request_from_form(TEXTS)
    result = run_search(number, request)
    applicable = list(filter(is_applicable_to_form, displayed_candidates(result)))
    for candidate in applicable:
        form = apply_candidate(replace(TEXTS, smoothing="floor", max_order="2"), candidate)
        assert form_derivation(form).score.value == pytest.approx(candidate.value, rel=1e-12)
    markup = result_html(result, request)
    displayed = displayed_candidates(result)[:MAX_ROWS]
    assert markup.count("which-apply:") == sum(map(is_applicable_to_form, displayed))
    assert markup.count('data-command="copy-code:which-') == len(displayed)
    assert markup.count("<tr") == len(displayed) + 1
    assert verdict(result)
    assert applicable or number not in {"0,3", "50"}


@pytest.mark.parametrize("number", ["30", "0.4", "50", "100"])
def test_row_of_files_applies_settings_that_give_its_score(number):
    request = files_request()
    result = run_search(number, request)
    for candidate in filter(request.is_applicable, displayed_candidates(result)):
        file_inputs = candidate_file_inputs(candidate)
        score = corpus_bleu(HYPOTHESES, REFERENCES, file_settings(file_inputs, Inputs()))
        assert score.value == pytest.approx(candidate.value, rel=1e-12)
    markup = result_html(result, request, "file-which")
    assert markup.count("file-which-apply:") == sum(
        map(request.is_applicable, displayed_candidates(result)[:MAX_ROWS])
    )
    assert "copy-code:file-which-0" in markup
    code = markup.replace("<bdi>", "").replace("</bdi>", "")
    assert "references = list(zip(lines(&#x27;one.txt&#x27;), lines(&#x27;two.txt&#x27;)))" in code


def test_candidates_beyond_the_settings_for_files_are_not_applicable():
    request = files_request()
    results = [run_search(number, request) for number in ("0.3", "0.4", "0.5", "0.6")]
    candidates = [candidate for result in results for candidate in (*result.found, *result.nearest)]
    candidates += [other for candidate in candidates for other in candidate.equivalents]
    weighted = [
        candidate
        for candidate in candidates
        if candidate.settings.weights and not candidate.mistakes
    ]
    assert weighted
    assert not any(map(request.is_applicable, weighted))
    one_reference = [candidate for candidate in candidates if candidate.preprocessing.reference]
    assert one_reference
    assert not any(map(request.is_applicable, one_reference))


def test_hidden_rows_are_counted():
    result = run_search("0.4", request_from_form(TEXTS))
    assert len(result.found) > MAX_ROWS
    assert f"{len(result.found) - MAX_ROWS} more less likely ways" in result_html(
        result, request_from_form(TEXTS)
    )


@pytest.mark.parametrize("text", fast_and_slow(6, HOSTILE))
def test_hostile_texts_are_escaped(text):
    inputs = Inputs(text, (text,))
    if text.strip():
        request = request_from_form(inputs)
        markup = result_html(run_search("100", request), request)
        assert "<script" not in markup
        assert text not in markup or escape(text) == text


def test_score_that_nltk_prints_for_zero_is_shown_as_printed():
    texts = Inputs("hello there general", ("hello there general kenobi",))
    request = request_from_form(texts)
    markup = result_html(run_search("8.75e-78", request), request)
    assert ">8.751e−78 (0–1)<" in plain(markup)
    assert "Ways to this number" in markup
    assert "The nearest" in result_html(run_search("0.123456", request), request)


def test_exact_zero_ranks_before_an_almost_zero_score():
    texts = Inputs("hello there general", ("hello there general kenobi",))
    result = run_search("0.0", request_from_form(texts))
    values = [candidate.value for candidate in result.found]
    assert values[0] == 0
    assert max(values) > 0
