"""SentencePiece models in menus, links and saved forms, open or not."""

import json

import pytest

import bleu
from app.score.html import build_snapshot
from app.state.file_settings import FileInputs, file_settings
from app.state.form import form_derivation, form_settings
from app.state.inputs import OPEN_MODELS, Inputs, apply_action, is_model, menu_value
from app.state.saved_form import from_fragment, initial_form, to_fragment
from app.tools.html import code_html, tokenizers_html
from app.tools.which import apply_candidate, is_applicable_to_form, request_from_form, search
from bleu import SettingError
from bleu.core.custom_tokenizers import iter_tokenizer
from bleu.core.progress import run_to_end
from bleu.explanation.which import displayed_candidates
from tests.support.plain_markup import plain
from tests.support.sentencepiece_models import write_model

MODEL = write_model(
    [("<unk>", 0.0, 2), *((letter, -4.0, 1) for letter in "▁abc"), ("▁ab", -2.0, 1)]
)
TOKENIZER = run_to_end(iter_tokenizer(MODEL, "my.model"))
VALUE = menu_value(TOKENIZER)
INPUTS = Inputs("ab cab ba c", ("ab ca ba cc",), tokenizer=VALUE, max_order="2", lowercase=True)


@pytest.fixture
def opened(monkeypatch):
    """Open the model."""
    monkeypatch.setitem(OPEN_MODELS, VALUE, TOKENIZER)


def test_open_model_is_scored_and_named(opened):
    snapshot = build_snapshot(INPUTS)
    options = {"tokenizer": TOKENIZER, "max_order": 2, "lowercase": True}
    assert snapshot.derivation.score == bleu.sentence_bleu(
        "ab cab ba c", ["ab ca ba cc"], **options
    )
    assert "&#x27;my.model&#x27;" in code_html(snapshot)
    assert f"<h3>{TOKENIZER} (chosen): " in plain(tokenizers_html(INPUTS))
    assert f"<h3>{TOKENIZER}: " in plain(tokenizers_html(Inputs("ab c", ("ab",))))
    assert file_settings(FileInputs(tokenizer=VALUE), Inputs()).tokenizer == TOKENIZER


def test_texts_are_repaired_with_an_open_model(opened):
    inputs = Inputs("a “b”", ('a "b"',), tokenizer=VALUE)
    assert apply_action(inputs, "repair:punctuation").hypothesis == 'a "b"'


def test_model_that_is_not_open_is_asked_for_and_kept_in_links_and_storage():
    for inputs in (INPUTS, Inputs("a", ("a",), tokenizer="model")):
        with pytest.raises(SettingError, match="SentencePiece model") as error:
            form_derivation(inputs)
        assert error.value.setting == "tokenizer"
        assert from_fragment(to_fragment(inputs)) == inputs
        values = {"hypothesis": "x", "tokenizer": inputs.tokenizer}
        saved = json.dumps({"link": "", "values": values, "whole": True})
        assert initial_form("", saved, "").inputs.tokenizer == inputs.tokenizer
    assert TOKENIZER.digest in to_fragment(INPUTS)
    for other in (f"sp-{'0' * 63}", f"sp-{'g' * 64}", f"sp-{'0' * 64}\n", "sp-", 7):
        assert not is_model(other)
        assert from_fragment(f"hypothesis=a&tokenizer={other}").tokenizer == "whitespace"


def test_search_tries_the_open_models_and_applies_one(opened):
    wanted = form_settings(Inputs(convention="sacrebleu-sentence", tokenizer=VALUE))
    value = bleu.sentence_bleu(INPUTS.hypothesis, INPUTS.references, wanted).value
    result = run_to_end(search(request_from_form(INPUTS), f"{100 * value:.6f}"))
    candidate = next(c for c in displayed_candidates(result) if is_applicable_to_form(c))
    applied = apply_candidate(INPUTS, candidate)
    assert applied.tokenizer == VALUE
    assert form_derivation(applied).score.value == pytest.approx(value)
