"""Tokenizing, checking and counting one segment."""

from collections.abc import Callable, Sequence
from itertools import chain
from numbers import Number
from typing import Any, Final
from warnings import warn

from bleu.core.display import short_repr
from bleu.core.ngrams import clipped_matches, ngram_totals
from bleu.core.settings import Settings
from bleu.core.statistics import SmoothingDetails, Statistics
from bleu.core.tokenizers import Text, Token, Tokens, is_text_or_tokens, token_rule
from bleu.metric.rules import REFERENCE_LENGTHS, Length, single_length

TokenizedSegment = tuple[Tokens, tuple[Tokens, ...]]
"""The tokens of a hypothesis, and of each of its references."""
_NEVER_MISSING: Final = frozenset({str, int, bytes})
"""Types of which no token is a missing value, unlike float, which has NaN."""
_LIST_REMEDY: Final = "give a list of references, each a text or a list of tokens"
END_TOKEN: Final[Tokens] = ("</s>",)
"""The tokens of an empty text if it counts as one token (fairseq)."""


def check_and_count(
    hypothesis: Text, references: Sequence[Text], settings: Settings
) -> tuple[TokenizedSegment, Statistics]:
    """Check, tokenize and count one segment; raise the errors of `check_references`.

    >>> check_and_count("a b", ["a c b"], Settings(max_order=1))[0]
    (('a', 'b'), (('a', 'c', 'b'),))
    """
    check_references(hypothesis, references)
    tokens = tokenize_segment(hypothesis, references, settings)
    statistics = count_tokens(tokens, settings)
    if not isinstance(hypothesis, str):
        _check_tokens(tokens, statistics)
    return tokens, statistics


def count_segment(hypothesis: Text, references: Sequence[Text], settings: Settings) -> Statistics:
    """Return the statistics of one segment that `check_references` has accepted.

    >>> count_segment("a b", ["a c b"], Settings(max_order=2)).matched
    (2, 0)
    """
    tokens = tokenize_segment(hypothesis, references, settings)
    statistics = count_tokens(tokens, settings)
    if not isinstance(hypothesis, str):
        _check_tokens(tokens, statistics)
    return statistics


def tokenize_segment(
    hypothesis: Text, references: Sequence[Text], settings: Settings
) -> TokenizedSegment:
    """Return the tokens of a hypothesis and references that `check_references` has accepted."""
    split = split_rule(settings)
    return split(hypothesis), tuple(map(split, references))


def split_rule(settings: Settings) -> Callable[[Text], Tokens]:
    """Return the function of the settings from a text to its tokens."""
    split = token_rule(settings.tokenizer, settings.lowercase, settings.case)
    if settings.empty_text == "end-token":
        return lambda text: split(text) or END_TOKEN
    return split


def length_rule(settings: Settings) -> Callable[[int, Sequence[int]], Length]:
    """Return the function of the settings from c and the references' lengths to r.

    It raises ValueError for several references if the settings accept only one.
    """
    accepts_several = settings.several_references == "taken"
    return REFERENCE_LENGTHS[settings.reference_length] if accepts_several else single_length


def count_tokens(
    tokens: TokenizedSegment, settings: Settings, matched: Sequence[int] = ()
) -> Statistics:
    """Return the statistics of one segment's tokens.

    `matched` has the clipped matches of the first `settings.orders` orders, if known.

    Raises ValueError for several references if the settings accept only one.
    """
    hypothesis, references = tokens
    length, n = len(hypothesis), settings.max_order
    matched = tuple(matched or clipped_matches(hypothesis, references, settings.orders))
    total = ngram_totals(length, len(matched))
    reference_length: Length = len(references[0])  # All rules agree on a single reference.
    if len(references) > 1:
        reference_length = length_rule(settings)(length, list(map(len, references)))
    details = None
    if settings.detailed:
        five_grams, matched, total = (matched[4], total[4]), matched[:n], total[:n]
        details = SmoothingDetails(
            tuple(int(not t) for t in total), tuple(int(not m) for m in matched), five_grams, total
        )
    return Statistics(matched, total, length, reference_length, details, settings.counting)


def _check_tokens(tokens: TokenizedSegment, statistics: Statistics) -> None:
    """Raise TypeError for tokens that are surely a mistake, and warn of a likely mistake.

    Mistakes are a whole text as one token in all texts, tokens that match except for their type,
    such as 7 and "7", and tokens that equal no other, such as PyTorch's numbers.
    """
    hypothesis, references = tokens
    if statistics.matched[0] and len(hypothesis) > 1:
        return
    reference_tokens = tuple(chain.from_iterable(references))
    if not hypothesis or not reference_tokens:
        return
    if len(hypothesis) == 1 and _is_whole_text(hypothesis[0]):
        problem = f"the hypothesis is a list with one token, the text {short_repr(hypothesis[0])}"
        if all(len(text) == 1 and _is_whole_text(text[0]) for text in references):
            raise TypeError(f"{problem}; give the text itself or the list of its tokens")
        warn(f"{problem}; is a list of its tokens meant?", stacklevel=5)
    if not statistics.matched[0]:
        _check_equality(hypothesis[0], reference_tokens[0])
        _check_types(hypothesis, reference_tokens)
        _check_types(reference_tokens, hypothesis)


def _check_equality(*tokens: Token) -> None:
    """Raise TypeError for a token that never equals another, such as a PyTorch number.

    Warn of a token that equals only itself, because its type compares by identity.
    """
    for token in tokens:
        if hasattr(token, "tolist") and hash(token) != hash(_tolist_value(token)):
            raise TypeError(
                f"the token {short_repr(token)} has type {type(token).__name__}, and tokens of "
                "this type never match; convert each with .tolist()"
            )
        if type(token).__hash__ is object.__hash__:
            warn(
                f"the token {short_repr(token)} has type {type(token).__name__}, and tokens of "
                "this type equal only themselves, so nothing matches; give text or numbers",
                stacklevel=6,
            )


def _check_types(tokens: Tokens, others: Tokens) -> None:
    """Raise TypeError if a token is equal as text, such as 7 and "7"; else warn that none matches.

    This applies only if all `tokens` are numbers or bytes and all `others` are strings.
    """
    if not all(isinstance(token, Number | bytes) for token in tokens):
        return
    if not all(isinstance(other, str) for other in others):
        return
    equal = next((token for token in tokens if _as_text(token) in others), None)
    if equal is not None:
        raise TypeError(
            f"the token {short_repr(equal)} is of type {type(equal).__name__} in one text and is "
            f"the text {short_repr(_as_text(equal))} in another, which do not match; give both in "
            "the same form"
        )
    warn(
        f"the tokens of one side are not text, such as {short_repr(tokens[0])}, and those of the "
        f"other are, such as {short_repr(others[0])}; nothing matches",
        stacklevel=6,
    )


def _is_whole_text(token: object) -> bool:
    return isinstance(token, str) and len(token.split()) > 1


def _as_text(token: object) -> str:
    return token.decode(errors="replace") if isinstance(token, bytes) else str(token)


def _tolist_value(token: Any) -> object:
    """Return the token's `tolist()`, or the token itself if that fails or is not hashable."""
    try:
        value = token.tolist()
        hash(value)
    except Exception:  # Another library may raise anything.
        return token
    return value


def check_references(hypothesis: Text, references: object, name: str = "references") -> None:
    """Raise TypeError or ValueError unless hypothesis and references can be scored.

    `name` is the name of the references in messages, such as `references[3]`.
    """
    is_text = isinstance(hypothesis, str)
    if not is_text:
        _check_hypothesis_tokens(hypothesis, name)
    if isinstance(references, str):
        remedy = "give a list of references, even if it has only one"
        if not is_text:
            remedy = "give the hypothesis first and a list of references second"
        raise TypeError(f"{name} is a single text, {short_repr(references)}; {remedy}")
    if hasattr(references, "readlines"):
        raise TypeError(
            f"{name} is an open file; {_LIST_REMEDY}, such as [[line] for line in file]"
        )
    if not is_text_or_tokens(references):
        remedy = "give its .tolist()" if hasattr(references, "tolist") else _LIST_REMEDY
        raise TypeError(f"{name} has type {type(references).__name__}; {remedy}")
    if not references:
        raise ValueError(f"{name} is empty; give at least one reference")
    if (
        not is_text
        and len(references) > 1
        and all(isinstance(text, str) and not _is_whole_text(text) for text in references)
    ):
        raise TypeError(
            f"{name} is a single reference, a list of tokens such as {short_repr(references[0])}; "
            f"give it in a list, [{name}]"
        )
    for number, reference in enumerate(references, 1):
        if is_text and isinstance(reference, str):
            continue
        if not is_text_or_tokens(reference):
            raise TypeError(
                f"reference {number} in {name} is {short_repr(reference)}; "
                + _remedy(reference, _LIST_REMEDY)
            )
        if isinstance(reference, str) != is_text:
            forms = ("text", "a list of tokens")
            hypothesis_form, reference_form = forms if is_text else forms[::-1]
            raise TypeError(
                f"the hypothesis is {hypothesis_form} and reference {number} in {name} is "
                f"{reference_form}, {short_repr(reference)}; give both in the same form"
            )
        if not is_text:
            _check_missing(reference, f"reference {number} in {name}")


def _check_hypothesis_tokens(hypothesis: Text, references_name: str) -> None:
    """Raise TypeError if a hypothesis that is not text is not a list of tokens either."""
    name = "the hypothesis"
    if "[" in references_name:
        name = references_name.replace("references", "hypotheses")
    if hasattr(hypothesis, "readlines"):
        raise TypeError(f"{name} is an open file; give its text, file.read()")
    if not is_text_or_tokens(hypothesis):
        raise TypeError(
            f"{name} is {short_repr(hypothesis)} (type {type(hypothesis).__name__}); "
            + _remedy(hypothesis, "give a text or a sequence of tokens")
        )
    _check_missing(hypothesis, name)
    if _is_nested_list(hypothesis):
        raise TypeError(
            f"the hypothesis is a list of lists, {short_repr(hypothesis)}, like the references "
            f"that NLTK takes first; give the hypothesis first and {references_name} second"
        )
    if _is_list_of_texts(hypothesis):
        raise TypeError(
            f"{name} is a list of {len(hypothesis)} texts, such as {short_repr(hypothesis[0])}; "
            "score a corpus with bleu.corpus_bleu, or give a single text or its tokens"
        )


def _check_missing(tokens: Text, name: str) -> None:
    """Raise TypeError for None or NaN among the tokens."""
    if _NEVER_MISSING.issuperset(map(type, tokens)):
        return
    for number, token in enumerate(tokens, 1):
        if _is_missing(token):
            raise TypeError(
                f"token {number} of {name} is {short_repr(token)}; leave out missing tokens"
            )


def _is_missing(value: object) -> bool:
    return value is None or (
        not isinstance(value, str | int) and str(value) in {"nan", "NaT", "<NA>"}
    )


def _is_nested_list(hypothesis: Text) -> bool:
    """Return whether the hypothesis is a list of lists instead of a list of tokens."""
    if not hypothesis or not isinstance(hypothesis[0], list):
        return False
    return all(isinstance(token, list | str) for token in hypothesis)


def _is_list_of_texts(hypothesis: Text) -> bool:
    """Return whether the hypothesis is a list of texts instead of a list of tokens."""
    if len(hypothesis) < 2 or not _is_whole_text(hypothesis[0]):
        return False
    return 2 * sum(map(_is_whole_text, hypothesis)) > len(hypothesis)


def _remedy(value: object, default: str) -> str:
    """Return the remedy for an array, for bytes or for a missing cell, or the default."""
    if hasattr(value, "tolist") and not isinstance(value, Number):
        return "give its .tolist()"
    if isinstance(value, bytes | bytearray):
        return "decode it first"
    if _is_missing(value):
        return "give '' for a missing text"
    return default
