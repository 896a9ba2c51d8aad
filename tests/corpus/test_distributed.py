"""Corpora counted in several processes with dask."""

import os

import pytest

import bleu

pytestmark = pytest.mark.host


def text_of(seed):
    """Return a text that depends on the seed."""
    return " ".join(str(seed * step % 11) for step in range(1, 4 + seed % 9))


HYPOTHESES = [text_of(number) for number in range(300)]
REFERENCES = [[text_of(number + 1), text_of(number)[::-1]] for number in range(300)]


@pytest.mark.parametrize(
    "convention", ["default", "sacrebleu", "nltk-method1", "sacrebleu-r-floor"]
)
@pytest.mark.filterwarnings("default")
def test_dask_score_equals_local_score(convention):
    from tests.support.distributed import corpus_bleu_on_dask

    score = corpus_bleu_on_dask(HYPOTHESES, REFERENCES, convention=convention)
    assert score == bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention=convention)


def process_id(_row):
    """Return the id of the process."""
    return os.getpid()


def test_dask_workers_are_separate_processes():
    import dask.bag

    bag = dask.bag.from_sequence(range(8), npartitions=8).map(process_id)
    processes = set(bag.compute(scheduler="processes", num_workers=2))
    assert os.getpid() not in processes
