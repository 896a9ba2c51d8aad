"""JSON contains everything needed to compute a result again."""

import json as json_text

import pytest
from hypothesis import given

from bleu import CONVENTIONS, Settings, derive, sentence_bleu
from bleu.core.settings import SETTING_NAMES
from bleu.render import json
from tests.support.strategies import settings as any_settings

TEXT = "The cat is on mat, and so was he 1."
REFERENCES = ["the cat is on the mat", "The cat is sitting on a mat, and so was he."]


def parse_json(derivation):
    """Return the parsed JSON of a derivation."""
    return json_text.loads(json.render(derivation))


@pytest.mark.parametrize("name", CONVENTIONS)
def test_score_of_every_convention_can_be_recomputed_from_json(name):
    references = REFERENCES[: 1 if CONVENTIONS[name].single_reference else 2]
    derivation = derive(TEXT, references, convention=name)
    data = parse_json(derivation)
    settings = Settings(**data["settings"])
    assert settings == derivation.settings
    score = sentence_bleu(TEXT, references, settings)
    assert score == derivation.score
    assert score.value == data["score"]["value"]


def test_logarithm_of_zero_is_null():
    assert parse_json(derive("a", ["b"]))["score"]["log_geometric_mean"] is None


@given(any_settings())
def test_all_settings_can_be_restored(choices):
    derivation = derive(TEXT, REFERENCES, **choices)
    data = parse_json(derivation)
    assert data["version"] == 3
    assert tuple(data["settings"]) == SETTING_NAMES
    assert Settings(**data["settings"]) == derivation.settings
