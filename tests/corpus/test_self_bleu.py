"""Self-BLEU against its definition and against NLTK."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu
from bleu.analysis.api import self_bleu

TEXTS = st.lists(st.lists(st.sampled_from(["ab", "c", "d"]), max_size=7), min_size=2, max_size=6)


def naive(texts, **choices):
    """Return the score of each text against all others."""
    return [
        bleu.sentence_bleu(text, [*texts[:number], *texts[number + 1 :]], **choices).value
        for number, text in enumerate(texts)
    ]


@given(
    TEXTS,
    st.sampled_from(
        [
            "default",
            "nltk-method1",
            "nltk-method3",
            "nltk-method5",
            "sacrebleu-sentence",
            "torchtext",
        ]
    ),
    st.integers(1, 4),
)
def test_scores_are_those_of_each_text_against_all_others(tokens, convention, max_order):
    texts = [" ".join(words) for words in tokens]
    choices = {"convention": convention, "max_order": max_order}
    try:
        expected = naive(texts, **choices)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:20]):
            self_bleu(texts, **choices)
        return
    result = self_bleu(iter(texts), **choices)
    assert list(result.scores) == expected
    assert result.value == pytest.approx(sum(expected) / len(expected), rel=1e-14)


@pytest.mark.host
@pytest.mark.parametrize("max_order", [2, 3, 4, 5])
def test_value_is_that_of_texygen(max_order):
    translate = pytest.importorskip("nltk.translate.bleu_score")
    rng = random.Random(max_order)
    words = ["the", "a", "cat", "dog", "sat", "on", "mat"]
    texts = [rng.choices(words, k=rng.randint(3, 12)) for _ in range(40)]
    smoothing = translate.SmoothingFunction().method1
    expected = [
        translate.sentence_bleu(
            [*texts[:number], *texts[number + 1 :]],
            text,
            (1 / max_order,) * max_order,
            smoothing_function=smoothing,
        )
        for number, text in enumerate(texts)
    ]
    result = self_bleu(texts, max_order=max_order)
    assert result.scores == pytest.approx(expected, rel=1e-14)
    assert result.value == pytest.approx(sum(expected) / len(expected), rel=1e-14)


def test_equal_texts_have_1_and_different_texts_less():
    assert self_bleu(["the cat sat on the mat"] * 3).value == 1
    assert self_bleu(["a b c d", "e f g h"], convention="default").value == 0
    assert str(self_bleu(["a b c d"] * 2)) == "Self-BLEU 100.00 of 2 texts"


@pytest.mark.parametrize("texts", [[], ["a b"], "a b"])
def test_fewer_than_two_texts_are_refused(texts):
    with pytest.raises((ValueError, TypeError), match="list"):
        bleu.self_bleu(texts)


def test_mistakes_are_refused():
    with pytest.raises(TypeError, match="reference 2 in texts is 7"):
        bleu.self_bleu(["a b", "c d", 7])
