"""JSON holds all that a result can be computed again from."""

import json as json_text

import pytest
from hypothesis import given

from bleu import CONVENTIONS, Settings, derive, sentence_bleu
from bleu.core.settings import SETTING_NAMES
from bleu.render import json
from tests.support.strategies import settings as any_settings

TEXT = "The cat is on mat, and so was he 1."
REFERENCES = ["the cat is on the mat", "The cat is sitting on a mat, and so was he."]


def read(derivation):
    """What is in the JSON of a derivation."""
    return json_text.loads(json.render(derivation))


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_result_of_every_convention_is_computed_again_from_its_json(name):
    references = REFERENCES[: 1 if CONVENTIONS[name].single_reference else 2]
    derivation = derive(TEXT, references, convention=name)
    said = read(derivation)
    again = Settings(**said["settings"])
    assert again == derivation.settings
    score = sentence_bleu(TEXT, references, again)
    assert score == derivation.score
    assert score.value == said["score"]["value"]


def test_a_logarithm_without_end_is_null():
    assert read(derive("a", ["b"]))["score"]["log_geometric_mean"] is None


@given(any_settings())
def test_all_settings_come_back(choices):
    derivation = derive(TEXT, REFERENCES, **choices)
    said = read(derivation)
    assert said["version"] == 2
    assert tuple(said["settings"]) == SETTING_NAMES
    assert Settings(**said["settings"]) == derivation.settings
