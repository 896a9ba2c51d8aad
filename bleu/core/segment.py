"""One segment, from text to statistics: the only place where a segment is counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from numbers import Number
from typing import Any, Final
from warnings import warn

from bleu.core.brevity_penalty import REFERENCE_LENGTHS, Length
from bleu.core.clipping import clipped_matches, ngram_totals
from bleu.core.ngrams import Order
from bleu.core.settings import Settings
from bleu.core.statistics import Counts, SmoothingDetails, Statistics
from bleu.core.tokenizers import Text, Tokens, is_text_or_tokens, tokenize

TokenizedSegment = tuple[Tokens, tuple[Tokens, ...]]
"""The tokens of a hypothesis, and of each of its references."""
PLAIN: Final = frozenset({str, int, bytes})
"""Types of tokens of which none can be missing."""
END_TOKEN: Final[Tokens] = ("</s>",)
"""What stands for an empty text where it counts as one token (fairseq)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A hypothesis with its references: tokens, and the statistics of orders 1 to N."""

    hypothesis: Tokens
    references: tuple[Tokens, ...]
    statistics: Statistics

    @property
    def orders(self) -> tuple[Order, ...]:
        """The n-gram matches of orders 1 to N."""
        counted = zip(self.statistics.matched, self.statistics.total, strict=True)
        return tuple(
            Order(n, self.hypothesis, self.references, *pair) for n, pair in enumerate(counted, 1)
        )


def analyse(hypothesis: Text, references: Sequence[Text], settings: Settings) -> Segment:
    """Tokenize and count one segment.

    `hypothesis` is text or a sequence of tokens, `references` a sequence of such, at least one.

    Raises TypeError for a bare string or something else where the list of references belongs,
    and for text on one side and tokens on the other; ValueError for an empty list.

    >>> analyse("a b", ["a c b"], Settings(max_order=2)).statistics.matched
    (2, 0)
    """
    check_references(hypothesis, references)
    texts = tokenize_segment(hypothesis, references, settings)
    statistics = count_tokens(texts, settings)
    if not isinstance(hypothesis, str) and (not statistics.matched[0] or len(texts[0]) < 2):
        check_tokens(texts, statistics)
    return Segment(*texts, statistics)


def count_segment(hypothesis: Text, references: Sequence[Text], settings: Settings) -> Statistics:
    """The statistics of one segment, which must have been checked; errors as `analyse`.

    >>> count_segment("a b", ["a c b"], Settings(max_order=2)).matched
    (2, 0)
    """
    texts = tokenize_segment(hypothesis, references, settings)
    statistics = count_tokens(texts, settings)
    if not isinstance(hypothesis, str) and (not statistics.matched[0] or len(texts[0]) < 2):
        check_tokens(texts, statistics)
    return statistics


def tokenize_segment(
    hypothesis: Text, references: Sequence[Text], settings: Settings
) -> TokenizedSegment:
    """The tokens of a hypothesis and of each of its references, which must have been checked."""

    def tokens(text: Text) -> Tokens:
        return tokenize(text, settings.tokenizer, lowercase=settings.lowercase, case=settings.case)

    if settings.empty_text == "end-token":
        return tokens(hypothesis) or END_TOKEN, tuple(
            tokens(text) or END_TOKEN for text in references
        )
    return tokens(hypothesis), tuple(map(tokens, references))


def count_tokens(
    texts: TokenizedSegment, settings: Settings, matched: Sequence[int] = ()
) -> Statistics:
    """The statistics of one segment's tokens.

    `matched` has the clipped matches of the first `settings.orders` orders, where they are known
    already.

    Raises ValueError for several references where the settings take one.
    """
    hypothesis, references = texts
    length, n = len(hypothesis), settings.max_order
    credited = tuple(matched or clipped_matches(hypothesis, references, settings.orders))
    total = ngram_totals(length, len(credited))
    reference_length: Length = len(references[0])  # by any rule, where there is no other
    if len(references) > 1:
        if settings.several_references == "refused":
            raise ValueError(
                "the implementation that these settings follow takes one reference, and there are "
                f"{len(references)}: give one of them, or choose another convention"
            )
        rule = REFERENCE_LENGTHS[settings.reference_length]
        reference_length = rule(length, list(map(len, references)))
    details = None
    if settings.detailed:
        details = _details(credited, total, n)
        credited, total = credited[:n], total[:n]
    return Statistics(credited, total, length, reference_length, details, settings.counting)


def _details(matched: Counts, total: Counts, max_order: int) -> SmoothingDetails:
    five_grams = (matched[4], total[4])
    return SmoothingDetails(
        tuple(int(not t) for t in total[:max_order]),
        tuple(int(not m) for m in matched[:max_order]),
        five_grams,
        five_grams,
        total[:max_order],
    )


def check_tokens(texts: TokenizedSegment, statistics: Statistics) -> None:
    """Refuse tokens that are sure to be a mistake, and warn of those that are likely to be one.

    Called where no token matches, or there is only one: else the tokens are as they should be.

    Raises TypeError for a whole text as one token in all texts, for tokens that differ in their
    type alone, such as 7 and "7", and for such as PyTorch's numbers, each of which is another
    token even where it has the same value.
    """
    hypothesis, references = texts
    known = tuple(chain.from_iterable(references))
    if not hypothesis or not known:
        return
    if len(hypothesis) == 1 and _is_whole_text(hypothesis[0]):
        words = f"the hypothesis is a list with one token, {_abbreviate(hypothesis[0])}, which is a text"
        if all(len(own) == 1 and _is_whole_text(own[0]) for own in references):
            raise TypeError(f"{words}: give the text itself, or the list of its tokens")
        warn(f"{words}; is a list of its tokens meant?", stacklevel=4)
    if statistics.matched[0]:
        return
    for token in (hypothesis[0], known[0]):
        if hasattr(token, "tolist") and hash(token) != hash(_tolist_value(token)):
            raise TypeError(
                f"the token {_abbreviate(token)} is a {type(token).__name__}, and no other is equal to "
                "it as a token, whatever its value; give .tolist()"
            )
        if type(token).__hash__ is object.__hash__:
            warn(
                f"the token {_abbreviate(token)} is a {type(token).__name__}, which equals nothing but "
                "itself; nothing matches",
                stacklevel=4,
            )
    for own, others in ((hypothesis, known), (known, hypothesis)):
        mixed = all(isinstance(t, Number | bytes) for t in own)
        if mixed and all(isinstance(t, str) for t in others):
            same = next((t for t in own if _as_text(t) in others), None)
            if same is not None:
                raise TypeError(
                    f"the token {_abbreviate(same)} is of type {type(same).__name__} in one text, and "
                    f"the text {_abbreviate(_as_text(same))} in another, and they do not match; give "
                    "both in the same form"
                )
            warn(
                f"on one side the tokens are no text, such as {_abbreviate(own[0])}, and on the other "
                f"they are, such as {_abbreviate(others[0])}; nothing matches",
                stacklevel=4,
            )


def _is_whole_text(token: object) -> bool:
    return isinstance(token, str) and len(token.split()) > 1


def _as_text(token: object) -> str:
    return token.decode(errors="replace") if isinstance(token, bytes) else str(token)


def _tolist_value(token: Any) -> object:
    """What the token's `tolist` makes of it, or nothing hashable."""
    try:
        value = token.tolist()
        hash(value)
    except Exception:  # whatever another library does
        return token
    return value


def _abbreviate(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"


def check_references(hypothesis: Text, references: object, name: str = "references") -> None:
    """Raise TypeError or ValueError, saying what is wrong, unless these are texts to score."""
    if not is_text_or_tokens(hypothesis):
        place = f"{name.replace('references', 'hypotheses')} is wrong: " if "[" in name else ""
        raise TypeError(
            f"{place}a hypothesis is text or a sequence of tokens, "
            f"not {type(hypothesis).__name__}: {_abbreviate(hypothesis)}{_hint(hypothesis)}"
        )
    plain = isinstance(hypothesis, str)
    if not plain:
        of = name.replace("references", "hypotheses") if "[" in name else "the hypothesis"
        _check_missing(hypothesis, of)
    if not plain and _is_nested_list(hypothesis):
        raise TypeError(
            f"the hypothesis is a list of lists, {_abbreviate(hypothesis)}, as NLTK has references, which "
            f"it takes first; here the hypothesis comes first, and {name} come second"
        )
    if isinstance(references, str):
        swapped = "" if plain else "; references come second here"
        raise TypeError(
            f"{name} is a single text, {references[:60]!r}; "
            f"give a list of references, even if it has only one{swapped}"
        )
    if not is_text_or_tokens(references):
        raise TypeError(
            f"{name} is a {type(references).__name__}; "
            f"give a list of references, each a text or a list of tokens{_hint(references)}"
        )
    if not references:
        raise ValueError(f"{name} is empty; give at least one reference")
    for number, reference in enumerate(references, 1):
        if not is_text_or_tokens(reference):
            raise TypeError(
                f"{name} has {_abbreviate(reference)} at place {number}; "
                f"give a list of references, each a text or a list of tokens{_hint(reference)}"
            )
        if isinstance(reference, str) != plain:
            kinds = ("text", "a list of tokens")
            mine, its = kinds if plain else kinds[::-1]
            raise TypeError(
                f"the hypothesis is {mine} and reference {number} in {name} is {its}, "
                f"{reference!r}; give both in the same form"
            )
        if not plain:
            _check_missing(reference, f"reference {number} in {name}")


def _check_missing(tokens: Text, name: str) -> None:
    """Refuse None and NaN among tokens, naming their place: a token that is missing is none."""
    if PLAIN.issuperset(map(type, tokens)):
        return
    for number, token in enumerate(tokens, 1):
        if _is_missing(token):
            raise TypeError(
                f"{name} has {token!r} as its token {number}; where a token is missing, leave it "
                "out"
            )


def _is_missing(value: object) -> bool:
    return value is None or (not isinstance(value, str) and str(value) in {"nan", "NaT", "<NA>"})


def _is_nested_list(hypothesis: Text) -> bool:
    """Whether a list of lists stands where the list of tokens belongs."""
    if not hypothesis or not isinstance(hypothesis[0], list):
        return False
    return all(isinstance(one, list | str) for one in hypothesis)


def _hint(value: object) -> str:
    """What to do about a value of another library, of a missing cell, or of bytes."""
    if hasattr(value, "tolist") and not isinstance(value, Number):
        return "; give its .tolist()"
    if isinstance(value, bytes | bytearray):
        return "; decode it first"
    if _is_missing(value):
        return "; where a text is missing, give ''"
    return ""
