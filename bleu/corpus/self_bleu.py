"""Self-BLEU: how much the texts of one system resemble each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Unpack

from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.ngrams import Ngram, count_ngrams
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.score import compute
from bleu.core.segment import check_references, count_tokens, tokenize_segment
from bleu.core.settings import Settings, document_choices
from bleu.core.tokenizers import Text, Tokens

CONVENTION: Final = "nltk-method1"
"""The convention that Texygen scores with."""


@dataclass(frozen=True, slots=True)
class SelfBleu:
    """The mean of the scores of texts, each against all others as its references.

    - `value`: the mean, in [0, 1]; 1 if all texts are the same.
    - `scores`: the score of each text, in order.
    """

    value: float
    scores: tuple[float, ...]

    def __str__(self) -> str:
        """Return the mean on the 0–100 scale, and the number of texts."""
        return f"Self-BLEU {100 * self.value:.2f} of {len(self.scores):,} texts"


@document_choices
def self_bleu(
    texts: Iterable[Text], settings: Settings | None = None, **choices: Unpack[Choices]
) -> SelfBleu:
    """Return the Self-BLEU of texts (Zhu et al. 2018): the lower, the more diverse they are.

    Each text is scored against all others, and the scores are averaged. Without settings and
    convention, NLTK's method 1 is used, as in Texygen's parallel computation, but with N = 4 and
    all texts; Texygen's defaults are N = 3 and the first 500 texts.

    Raises ValueError for fewer than two texts, and the exceptions of `sentence_bleu`.

    >>> print(self_bleu(["a b c d", "a b c e", "a x"], max_order=2))
    Self-BLEU 49.88 of 3 texts
    """
    if settings is None:
        choices.setdefault("convention", CONVENTION)
    texts = texts if isinstance(texts, str) else list(texts)
    return run_to_end(iter_self_bleu(texts, resolve_settings(choices, settings)))


def iter_self_bleu(texts: Sequence[Text], settings: Settings) -> ProgressGenerator[SelfBleu]:
    """Return the result of `self_bleu`, yielding (done, total) after each text."""
    count = 1 if isinstance(texts, str) else len(texts)
    if count < 2:
        raise ValueError(f"the number of texts is {count}; give a list of two or more")
    check_references(texts[0], texts[1:], "texts")
    tokens = tokenize_segment(texts[0], texts[1:], settings)
    all_tokens = (tokens[0], *tokens[1])
    scores = []
    for number, matched in enumerate(_iter_matches(all_tokens, settings.orders)):
        others = (*all_tokens[:number], *all_tokens[number + 1 :])
        statistics = count_tokens((all_tokens[number], others), settings, matched)
        scores.append(compute(statistics, settings).value)
        yield len(scores), len(texts)
    return SelfBleu(sum(scores) / len(scores), tuple(scores))


def _iter_matches(texts: Sequence[Tokens], max_order: int) -> Iterator[list[int]]:
    """Yield the clipped matches of each text against all others, for orders 1 to `max_order`.

    The two largest counts of each n-gram suffice: the maximum in the other texts is the largest
    count, or the second largest for the text that has the largest. So the time grows with the
    number of texts instead of its square.
    """
    # By n-gram: the largest count, the text that has it, and the second largest count.
    largest_counts: dict[Ngram, tuple[int, int, int]] = {}
    for index, tokens in enumerate(texts):
        for order in range(1, max_order + 1):
            for ngram, count in count_ngrams(tokens, order).items():
                largest, owner, second = largest_counts.get(ngram, (0, -1, 0))
                if count > largest:
                    largest_counts[ngram] = count, index, largest
                elif count > second:
                    largest_counts[ngram] = largest, owner, count
    for index, tokens in enumerate(texts):
        matched = []
        for order in range(1, max_order + 1):
            total = 0
            for ngram, count in count_ngrams(tokens, order).items():
                largest, owner, second = largest_counts[ngram]
                total += min(count, second if owner == index else largest)
            matched.append(total)
        yield matched
