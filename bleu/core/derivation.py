"""The derivation of one segment's score: all quantities of its computation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin
from bleu.core.ngrams import Order
from bleu.core.score import Score, compute
from bleu.core.segment import TokenizedSegment, check_and_count, count_tokens
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import Text, Tokens


@dataclass(frozen=True, slots=True, repr=False)
class Derivation(DisplayMixin):
    """All quantities in the computation of one segment's score."""

    settings: Settings
    hypothesis: Tokens
    references: tuple[Tokens, ...]
    score: Score

    @property
    def reference_lengths(self) -> tuple[int, ...]:
        """The length of each reference, in tokens."""
        return tuple(map(len, self.references))

    @property
    def orders(self) -> tuple[Order, ...]:
        """The n-gram matches of orders 1 to N."""
        pairs = zip(self.score.matched, self.score.total, strict=True)
        return tuple(
            Order(n, self.hypothesis, self.references, *pair) for n, pair in enumerate(pairs, 1)
        )

    @property
    def statistics(self) -> Statistics:
        """The sufficient statistics of the segment."""
        return self.score.statistics

    @property
    def signature(self) -> str:
        """The settings in one line, as `Settings.signature` writes them."""
        return self.settings.signature(len(self.references))

    def __str__(self) -> str:
        return str(self.score)


@document_choices
def derive(
    hypothesis: Text,
    references: Sequence[Text],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Derivation:
    """Return the full derivation of one segment's BLEU.

    `hypothesis` is text or a sequence of hashable tokens, `references` a list of at least one of
    these. An empty hypothesis or reference is allowed.

    Raises TypeError for arguments of another type, such as `references` that are a bare string;
    ValueError if `references` is empty or the implementation that the settings follow gives no
    score; and whatever `Settings` raises.

    >>> derivation = derive("the cat is on mat", ["the cat is on the mat"])
    >>> [f"{order.matched}/{order.total}" for order in derivation.orders]
    ['5/5', '3/4', '2/3', '1/2']
    >>> derivation.score.value
    0.5789300674674098
    """
    settings = resolve_settings(choices, settings)
    tokens, statistics = check_and_count(hypothesis, references, settings)
    return Derivation(settings, *tokens, compute(statistics, settings))


def token_score(tokens: TokenizedSegment, settings: Settings) -> float | None:
    """Return the score of one segment's tokens, or None if the settings give them no score.

    >>> token_score((("a",), (("a",),)), Settings(max_order=1))
    1.0
    """
    try:
        return compute(count_tokens(tokens, settings), settings).value
    except ValueError:
        return None
