"""One scoring with every quantity in order: what everything shown is read from."""

from collections.abc import Sequence
from typing import Any

from bleu.conventions import settings_from
from bleu.ngrams import Order
from bleu.record import record
from bleu.score import Score, compute
from bleu.segment import Segment, analyse
from bleu.settings import Settings
from bleu.statistics import Statistics
from bleu.tokenizers import Text, Tokens


@record
class Derivation:
    """Every quantity of the scoring of one segment."""

    settings: Settings
    segment: Segment
    score: Score

    @property
    def hypothesis(self) -> Tokens:
        """The hypothesis's tokens."""
        return self.segment.hypothesis

    @property
    def references(self) -> tuple[Tokens, ...]:
        """The tokens of each reference."""
        return self.segment.references

    @property
    def reference_lengths(self) -> tuple[int, ...]:
        """The length of each reference, in tokens."""
        return tuple(map(len, self.references))

    @property
    def orders(self) -> tuple[Order, ...]:
        """The n-gram matches of orders 1 to N."""
        return self.segment.orders

    @property
    def statistics(self) -> Statistics:
        """What was counted."""
        return self.segment.statistics

    @property
    def signature(self) -> str:
        """The choices behind the score, as `Settings.signature` writes them."""
        return self.settings.signature(len(self.references))


def derive(hypothesis: Text, references: Sequence[Text], **settings: Any) -> Derivation:
    """The full derivation of one segment's BLEU.

    `hypothesis` is text or a sequence of hashable tokens, `references` a sequence of such, at
    least one; keyword arguments are those of `Settings`. An empty
    hypothesis or reference is allowed.

    Raises TypeError for a bare string where the list of references belongs, ValueError for an
    empty list of references, and what `Settings` raises.

    >>> derivation = derive("the cat is on mat", ["the cat is on the mat"])
    >>> [f"{order.matched}/{order.total}" for order in derivation.orders]
    ['5/5', '3/4', '2/3', '1/2']
    >>> derivation.score.value
    0.5789300674674098
    """
    return derive_with(settings_from(settings), hypothesis, references)


def derive_with(settings: Settings, hypothesis: Text, references: Sequence[Text]) -> Derivation:
    """`derive`, with the settings already made."""
    segment = analyse(settings, hypothesis, references)
    return Derivation(settings, segment, compute(segment.statistics, settings))
