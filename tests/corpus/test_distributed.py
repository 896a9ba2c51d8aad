"""Corpora counted in several processes with Dask, and in a pipeline of Beam."""

import os

import pytest

import bleu

pytestmark = [pytest.mark.host, pytest.mark.slow]
CONVENTIONS = ["default", "sacrebleu", "nltk-method1", "sacrebleu-r-floor"]


def text_of(seed):
    """Return a text that depends on the seed."""
    return " ".join(str(seed * step % 11) for step in range(1, 4 + seed % 9))


HYPOTHESES = [text_of(number) for number in range(300)]
REFERENCES = [[text_of(number + 1), text_of(number)[::-1]] for number in range(300)]


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.filterwarnings("default")
def test_dask_score_equals_local_score(convention):
    from tests.support.distributed import corpus_bleu_on_dask

    score = corpus_bleu_on_dask(HYPOTHESES, REFERENCES, convention=convention)
    assert score == bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention=convention)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.filterwarnings("default")
def test_beam_score_equals_local_score(convention, tmp_path):
    beam = pytest.importorskip("apache_beam")  # it needs 460 MB, and is not among the requirements
    score = bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention=convention)
    rows = list(zip(HYPOTHESES, REFERENCES, strict=True))

    def as_line(statistics):
        return repr(bleu.score_statistics(statistics, convention=convention).to_dict())

    with beam.Pipeline() as pipeline:
        counted = pipeline | beam.Create(rows) | beam.MapTuple(
            bleu.segment_statistics, convention=convention
        )  # fmt: skip
        total = counted | beam.CombineGlobally(sum)
        total | beam.Map(as_line) | beam.io.WriteToText(str(tmp_path / "score"))
    lines = [line for file in tmp_path.iterdir() for line in file.read_text().splitlines()]
    assert lines == [repr(score.to_dict())]


def process_id(_row):
    """Return the id of the process."""
    return os.getpid()


def test_dask_workers_are_separate_processes():
    import dask.bag

    bag = dask.bag.from_sequence(range(8), npartitions=8).map(process_id)
    processes = set(bag.compute(scheduler="processes", num_workers=2))
    assert os.getpid() not in processes
