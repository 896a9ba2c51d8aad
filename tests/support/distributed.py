"""A corpus scored with Dask in two worker processes.

Any engine with map and sum works the same: `bleu.segment_statistics` counts one segment, `sum` adds
the statistics, and `bleu.score_statistics` computes the score of the sum.
"""

from collections.abc import Sequence
from typing import Any

import dask.bag

import bleu


def corpus_bleu_on_dask(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], **settings: Any
) -> bleu.Score:
    """Return the score of `bleu.corpus_bleu`, computed in two processes."""
    segments = dask.bag.from_sequence(zip(hypotheses, references, strict=True), npartitions=8)
    statistics = segments.starmap(bleu.segment_statistics, **settings)
    total = statistics.sum().compute(scheduler="processes", num_workers=2)
    return bleu.score_statistics(total, **settings)
