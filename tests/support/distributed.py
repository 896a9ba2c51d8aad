"""A corpus counted on Dask, in two worker processes: the statistics of segments, and their sum.

Any engine that maps and sums will do in its place: `bleu.segment_statistics` counts one segment,
`+` adds, and `bleu.score_statistics` makes the score of the sum.
"""

import operator
from collections.abc import Sequence
from typing import Any

import dask.bag

import bleu


def corpus_bleu_on_dask(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], **settings: Any
) -> bleu.Score:
    """The score that `bleu.corpus_bleu` gives, counted in two processes."""
    segments = dask.bag.from_sequence(zip(hypotheses, references, strict=True), npartitions=8)
    counted = segments.starmap(bleu.segment_statistics, **settings)
    whole = counted.fold(operator.add)
    return bleu.score_statistics(whole.compute(scheduler="processes", num_workers=2), **settings)
