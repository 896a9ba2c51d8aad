"""Text and settings in, numbers out: derivations, scores of segments and corpora, statistics."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from operator import index
from typing import Final, TypeVar, Unpack, cast
from warnings import warn

from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin
from bleu.core.ngrams import Order
from bleu.core.score import (
    Score,
    apply_smoothing,
    compute,
    effective_weights,
    refuse,
    too_short_rule,
)
from bleu.core.segment import (
    TokenizedSegment,
    check_and_count,
    check_references,
    count_segment,
    count_tokens,
    length_rule,
    split_rule,
)
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import Statistics, check_statistics
from bleu.core.tokenizers import Text, Tokens, is_text_or_tokens
from bleu.metric.method import Method
from bleu.metric.rules import IS_SMOOTHED, IS_ZERO, PENALTIES

T = TypeVar("T")
_TRANSPOSED_MARGIN: Final = 0.1
"""References seem transposed if transposing them raises the score, in [0, 1], by this much."""


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


@document_choices
def sentence_bleu(
    hypothesis: Text,
    references: Sequence[Text],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Score:
    """Return BLEU of one segment, with its `value` in [0, 1].

    Arguments, empty texts and errors are handled as in `derive`. With the defaults this is NLTK's
    `sentence_bleu` on white-space tokens, except that a score of 0 is exactly 0, not 1e-231.

    >>> sentence_bleu("the cat is on mat", ["the cat is on the mat"]).value
    0.5789300674674098
    >>> sentence_bleu([7, 8, 9], [[7, 8, 9], [7]], max_order=3).value
    1.0
    """
    settings = resolve_settings(choices, settings)
    check_references(hypothesis, references)
    return compute(count_segment(hypothesis, references, settings), settings)


@document_choices
def corpus_bleu(
    hypotheses: Iterable[Text],
    references: Iterable[Sequence[Text]],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Score:
    """Return BLEU of a corpus, with its `value` in [0, 1], from the summed statistics.

    `references[i]` are the references of `hypotheses[i]`, one or more. Both may be generators. An
    empty corpus scores 0. With the defaults this is sacreBLEU's `corpus_bleu` without smoothing on
    white-space tokens (Papineni 2002, 2.1.1).

    Raises TypeError or ValueError if an argument is a bare string or the lengths differ, and
    whatever `derive` raises. Warns if the references may be transposed, because the score is far
    higher with `references[k][i]` as reference k of segment i.

    >>> corpus_bleu(["a b c d", "x y"], [["a b c d"], ["x z"]]).matched
    (5, 3, 2, 1)
    """
    settings = resolve_settings(choices, settings)
    hypotheses, references = _as_sequence(hypotheses), _as_sequence(references)
    score = _corpus_score(hypotheses, references, settings)
    if seems_transposed(hypotheses, references, settings, score.value):
        warn(
            f"the references of the {len(hypotheses)} segments look transposed, because the score "
            "is far higher with references[k][i] as reference k of segment i; give "
            "list(zip(*references)), so that references[i] are those of hypotheses[i]",
            stacklevel=3,
        )
    return score


def _corpus_score(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], settings: Settings
) -> Score:
    parts = count_corpus(hypotheses, references, settings)
    return compute(Statistics.sum(parts, settings.max_order), settings)


def count_corpus(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], settings: Settings
) -> Iterator[Statistics]:
    """Check a corpus, and return an iterator over the statistics of its segments."""
    check_corpus_arguments(hypotheses, references)
    return map(partial(count_segment, settings=settings), hypotheses, references)


def seems_transposed(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    settings: Settings,
    score: float | None = None,
) -> bool:
    """Return whether `references[k][i]`, as in sacreBLEU, seems to be reference k of segment i.

    This is possible only if each of two or more segments has as many references as there are
    segments. It is likely if transposing the references raises the score by at least 0.1. `score`
    is the value with the references as given, if known.

    >>> texts = ["a b c d", "e f g h"], [["a b c d", "e f g h"], ["a b c x", "e f g x"]]
    >>> seems_transposed(*texts, Settings())
    True
    """
    size = len(hypotheses)
    if size < 2 or any(len(segment_references) != size for segment_references in references):
        return False
    try:
        if score is None:
            score = _corpus_score(hypotheses, references, settings).value
        transposed = list(zip(*references, strict=True))
        transposed_score = _corpus_score(hypotheses, transposed, settings).value
    except (TypeError, ValueError):  # Text and tokens are mixed, or the settings give no score.
        return False
    return transposed_score >= score + _TRANSPOSED_MARGIN


@document_choices
def segment_statistics(
    hypothesis: Text,
    references: Sequence[Text],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Statistics:
    """Return the statistics of one segment, which add up with `+` to those of a corpus.

    So a corpus can be counted in parts, on any machine and in any order: the statistics are small,
    hold no text and can be pickled; `score_statistics` scores their sum. Only a smoothing whose
    name ends in `-last` depends on the order. Arguments, empty texts and errors are handled as in
    `derive`.

    >>> both = segment_statistics("a b c d", ["a b c d"]) + segment_statistics("x y", ["x z"])
    >>> both.matched, both.total
    ((5, 3, 2, 1), (6, 4, 2, 1))
    """
    settings = resolve_settings(choices, settings)
    check_references(hypothesis, references)
    return count_segment(hypothesis, references, settings)


@document_choices
def score_statistics(
    statistics: Statistics, settings: Settings | None = None, **choices: Unpack[Choices]
) -> Score:
    """Return BLEU of summed statistics, with its `value` in [0, 1].

    The settings must be those that the segments were counted with.

    Raises ValueError if the statistics were counted with another max order or other settings, lack
    details that the settings need or have more matches than n-grams; TypeError for an argument of
    another type; and whatever `Settings` raises.

    >>> parts = [segment_statistics("a b c d", ["a b c d"]), segment_statistics("x y", ["x z"])]
    >>> score_statistics(Statistics.sum(parts, max_order=4)).matched
    (5, 3, 2, 1)
    """
    settings = resolve_settings(choices, settings)
    check_statistics(statistics)
    statistics = _with_python_integers(statistics)
    for matched, total in zip(statistics.matched, statistics.total, strict=True):
        if not 0 <= matched <= total:
            raise ValueError(
                f"the statistics have {matched} matches among {total} n-grams; "
                f"give 0 to {total} matches"
            )
    empty = Statistics.zero(settings.max_order)
    if settings.detailed and statistics.details is None and statistics != empty:
        raise ValueError(
            "the statistics have no details, which these settings need; count the segments again "
            "with these settings"
        )
    return compute(statistics, settings)


def _with_python_integers(statistics: Statistics) -> Statistics:
    # NumPy's integers, unlike Python's, overflow.
    length = statistics.reference_length
    return replace(
        statistics,
        matched=tuple(map(index, statistics.matched)),
        total=tuple(map(index, statistics.total)),
        hypothesis_length=index(statistics.hypothesis_length),
        reference_length=length if isinstance(length, Fraction) else index(length),
    )


def _as_sequence(values: Iterable[T]) -> Sequence[T]:
    """Return the values of an iterator as a list, and any other argument unchanged."""
    is_plain_iterator = isinstance(values, Iterator) and not hasattr(values, "readlines")
    return list(values) if is_plain_iterator else cast(Sequence[T], values)


def check_corpus_arguments(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]
) -> None:
    """Raise TypeError or ValueError unless hypotheses and references form a corpus."""
    for name, value in (("hypotheses", hypotheses), ("references", references)):
        if hasattr(value, "readlines"):
            element = "line" if name == "hypotheses" else "[line]"
            raise TypeError(f"{name} is an open file; give a list, [{element} for line in file]")
        if isinstance(value, str) or not is_text_or_tokens(value):
            remedy = "a list with one entry for each segment"
            if hasattr(value, "tolist"):
                remedy = "its .tolist()"
            raise TypeError(f"{name} has type {type(value).__name__}; give {remedy}")
    if len(references) != len(hypotheses):
        lengths = {
            len(texts)
            for texts in references
            if not isinstance(texts, str) and hasattr(texts, "__len__")
        }
        remedy = (
            "the references look transposed: give list(zip(*references)), so that references[i] "
            "are those of segment i"
            if lengths == {len(hypotheses)}
            else "give one list of references for each hypothesis"
        )
        raise ValueError(
            f"there are {len(hypotheses)} hypotheses and {len(references)} lists of references; "
            f"{remedy}"
        )
    for number, (hypothesis, texts) in enumerate(zip(hypotheses, references, strict=True)):
        check_references(hypothesis, texts, f"references[{number}]")


@lru_cache(maxsize=256)
def method_of(settings: Settings) -> Method:
    """Return the method that the settings name; unlike them, it cannot be pickled.

    >>> from bleu.metric.method import bleu, count
    >>> method = method_of(Settings(max_order=2, smoothing="floor"))
    >>> round(bleu(method, count(method, ["a b"], [["b a"]], 2)), 4)
    0.3162
    """
    return Method(
        split=split_rule(settings),
        length=length_rule(settings),
        refuse=partial(refuse, settings),
        is_smoothed=IS_SMOOTHED[settings.unmatched],
        smooth=partial(apply_smoothing, settings),
        too_short=too_short_rule(settings),
        weigh=partial(effective_weights, settings),
        is_zero=IS_ZERO[settings.unmatched],
        penalty=PENALTIES[settings.length_padding],
    )
