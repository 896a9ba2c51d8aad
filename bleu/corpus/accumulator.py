"""Corpus BLEU from batches, as in a training loop."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Self, Unpack

from bleu.core.api import count_corpus, score_statistics
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.migration import adapt_arguments, refuse_attribute
from bleu.core.score import Score
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import Text


class Accumulator:
    """BLEU of a corpus that comes in batches; it keeps only sums, no texts.

    - `settings`: those of the score.
    - `statistics`: the sum over the segments so far.

    >>> accumulator = Accumulator(max_order=1)
    >>> accumulator.update(["a b"], [["a b"]])
    >>> accumulator.update(["c d"], [["c x"]])
    >>> accumulator.compute().value
    0.75
    """

    statistics: Statistics

    @document_choices
    def __init__(self, settings: Settings | None = None, **choices: Unpack[Choices]) -> None:
        """Start without segments; raise the exceptions of `Settings`."""
        self.settings = resolve_settings(choices, settings)
        self.reset()

    @adapt_arguments
    def update(self, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> None:
        """Add segments; arguments and exceptions are those of `corpus_bleu`."""
        self._add(count_corpus(hypotheses, references, self.settings))

    def merge(self, others: Iterable[Self]) -> None:
        """Append the segments of other accumulators, in order.

        Raises ValueError if they were counted with other settings.
        """
        self._add(other.statistics for other in others)

    def _add(self, parts: Iterable[Statistics]) -> None:
        self.statistics = Statistics.sum((self.statistics, *parts), self.settings.max_order)

    def compute(self) -> Score:
        """Return the score of all segments so far, or 0 without segments."""
        return score_statistics(self.statistics, self.settings)

    def reset(self) -> None:
        """Forget all segments."""
        self.statistics = Statistics.zero(self.settings.max_order)

    if not TYPE_CHECKING:  # A type checker would accept every name.
        __getattr__ = refuse_attribute

    def __repr__(self) -> str:
        """Return the class name and the signature of the settings."""
        return f"<Accumulator: {self.settings.signature()}>"
