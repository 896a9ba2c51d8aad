"""Corpus BLEU in batches equals corpus BLEU at once."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import Accumulator, corpus_bleu
from tests.support.strategies import corpora, settings

pytestmark = pytest.mark.filterwarnings("ignore:.*look transposed:UserWarning")


@given(corpora, settings(), st.integers(0, 5))
def test_batches_score_as_the_whole(corpus, choices, cut):
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    references = [references for _, references in corpus]
    batches = [(hypotheses[:cut], references[:cut]), (hypotheses[cut:], references[cut:])]
    whole, *parts = (Accumulator(**choices) for _ in range(3))
    for part, batch in zip(parts, batches, strict=True):
        whole.update(*batch)
        part.update(*batch)
    parts[0].merge([pickle.loads(pickle.dumps(parts[1]))])
    score = corpus_bleu(hypotheses, references, **choices)
    assert whole.compute() == parts[0].compute() == score


def test_batches_keep_which_segment_is_the_last():
    accumulator = Accumulator(smoothing="average-last")
    for text in ("a b c d", "a b c e f", "a b"):
        accumulator.update([text], [["a b c d e"]])
    texts = ["a b c d", "a b c e f", "a b"], [["a b c d e"]] * 3
    assert accumulator.compute() == corpus_bleu(*texts, smoothing="average-last")


def test_failed_batch_leaves_the_sum_unchanged():
    accumulator = Accumulator(max_order=1)
    accumulator.update(["a b"], [["a c"]])
    with pytest.raises(TypeError, match="hypothesis is text"):
        accumulator.update(["a b", "a"], [["a b"], [["a"]]])
    assert accumulator.compute().value == 0.5
    accumulator.reset()
    assert accumulator.compute() == corpus_bleu([], [], max_order=1)


def test_accumulators_with_other_settings_do_not_merge():
    accumulator, other = Accumulator(tokenizer="13a"), Accumulator(tokenizer="char")
    for each in (accumulator, other):
        each.update(["a b"], [["a b"]])
    with pytest.raises(ValueError, match="counted with tok:13a"):
        accumulator.merge([other])
    assert "tok:13a" in repr(accumulator)
