"""Findings on the input of one segment: likely faults, their effect, and remedies."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bleu.analysis.chatter import strip_chatter
from bleu.analysis.faults import TEXT_FAULTS, form_differences
from bleu.analysis.finding import FAULTS, Finding
from bleu.analysis.line_faults import (
    CHINESE,
    OTHER_UNSPACED,
    UNSPACED_UNSPLIT,
)
from bleu.analysis.tokenized import WHITESPACE_TOKENIZERS, detokenize
from bleu.core.derivation import Derivation
from bleu.core.ngrams import match
from bleu.core.segment import tokenize_segment
from bleu.core.settings import Settings
from bleu.corpus.containers import detect_container

MAX_CHARACTERS: Final = 50_000
"""The largest number of characters of all texts together that are searched for faults."""

PUNCTUATION: Final = '.,;:!?"()'

_LIST_PART: Final = re.compile(
    r"""\s*(?:(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<mark>[\[\](),]))""", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r"}


def python_lists(text: str) -> list[list[str]] | None:
    """Parse a list of strings, or a list of such lists, as Python prints it.

    Returns None for any other text.

    >>> python_lists("['the', 'cat']"), python_lists("[['a', 'b'], ['c']]")
    ([['the', 'cat']], [['a', 'b'], ['c']])
    >>> python_lists("[1] the cat")
    """
    if text.lstrip()[:1] not in {"[", "("} or text.rstrip()[-1:] not in {"]", ")"}:
        return None
    parts: list[str] = []
    position, depth = 0, 0
    text = text.rstrip()
    while position < len(text):
        part_match = _LIST_PART.match(text, position)
        if not part_match:
            return None
        position = part_match.end()
        part = {"(": "[", ")": "]"}.get(part_match["mark"], part_match["mark"])
        depth += {"[": 1, "]": -1}.get(part, 0)
        if depth > 2:
            return None
        if part == "]" and parts[-1] == ",":
            parts.pop()  # JSON allows no comma before the bracket, Python does
        parts.append(part or json.dumps(_ESCAPE.sub(_unescape, part_match["quoted"][1:-1])))
    try:
        value = json.loads("".join(parts))
    except ValueError:
        return None
    if not isinstance(value, list) or not value:
        return None
    lists = value if isinstance(value[0], list) else [value]
    is_valid = all(
        isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
        for tokens in lists
    )
    return lists if is_valid else None


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) > 1:
        return chr(int(code[1:], 16)) if int(code[1:], 16) < 0x110000 else escape[0]
    return _ESCAPED.get(code, code)


def join_python_lists(text: str) -> list[str]:
    """Return the texts of printed lists of tokens, joined by spaces; any other text unchanged.

    >>> join_python_lists("['the', 'cat']"), join_python_lists("the cat")
    (['the cat'], ['the cat'])
    """
    lists = python_lists(text)
    return [text] if lists is None else [" ".join(tokens) for tokens in lists]


def findings(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> tuple[Finding, ...]:
    """Return the findings on a text and its references, the most important first.

    >>> from bleu import derive
    >>> texts = ("The cat", ["the cat"])
    >>> [finding.action for finding in findings(*texts, derive(*texts, max_order=2))]
    ['lowercase']
    """
    texts = (hypothesis, *references)
    result = [*_label_findings(hypothesis, references)]
    if not hypothesis.strip() or sum(map(len, texts)) > MAX_CHARACTERS:
        return tuple(result)
    result += _list_findings(hypothesis, references)
    result += _container_findings(texts)
    result += _repair_findings(texts, derivation)
    result += _whitespace_findings(hypothesis, references)
    tokenizer_findings = [*_tokenizer_findings(texts, derivation)]
    if not result and not tokenizer_findings:
        result += _word_findings(texts, derivation)
    return (*result, *tokenizer_findings, *_line_findings(hypothesis))


def _label_findings(hypothesis: str, references: Sequence[str]) -> Iterator[Finding]:
    is_labelled = re.match(r"\s*(?:references?|ref|gold)\s*\d*\s*:", hypothesis, re.IGNORECASE)
    pattern = r"\s*(?:hypothesis|candidate|translation|hyp|system)\s*:"
    if is_labelled and any(re.match(pattern, text, re.IGNORECASE) for text in references):
        message = "The labels in the texts say that candidate and reference are swapped."
        yield Finding(message, "swap", "Swap them")


def _list_findings(hypothesis: str, references: Sequence[str]) -> Iterator[Finding]:
    hypotheses = python_lists(hypothesis)
    if (hypotheses and len(hypotheses) == 1) or any(map(python_lists, references)):
        yield Finding(
            "A text here is a list as Python prints it, and its brackets, quotes and commas are "
            "scored as text.",
            "tokens",
            "Read the list as tokens",
        )


def _container_findings(texts: Sequence[str]) -> Iterator[Finding]:
    for text in texts:
        if (name := detect_container(text.strip().split("\n"))) and name != "table":
            message = f"A text here is {FAULTS[name]}. To score a file, use Whole files."
            yield Finding(message, name=name)
            return


def _repair_findings(texts: tuple[str, ...], derivation: Derivation) -> Iterator[Finding]:
    """Yield findings on faults that can be undone in each text."""
    settings = derivation.settings
    for name, fault in TEXT_FAULTS.items():
        repaired = tuple(map(fault.repair, texts))
        differs = name != "punctuation" or any(form_differences(texts[0], texts[1:]))
        if repaired != texts and differs:
            gain = _match_gain(settings, repaired, derivation)
            if gain > 0 or fault.is_certain:
                message = _repair_message(name, repaired, gain) or f"A text has {fault.phrase}."
                yield Finding(message, f"repair:{name}", fault.label, name)
    if strip_chatter(texts[:1], [texts[1:]]) != [texts[0]]:
        message = "The candidate has words or quotes around it that no reference has."
        yield Finding(message, "repair:chatter", "Remove these words", "chatter")
    lowercased = tuple(map(str.lower, texts))
    if not settings.lowercase and lowercased != texts:
        gain = _match_gain(settings, lowercased, derivation)
        if message := _repair_message("case", lowercased, gain):
            yield Finding(message, "lowercase", "Lowercase the texts", "case")


def _repair_message(name: str, repaired: Sequence[str], gain: int) -> str:
    """Return what a repair would gain, or "" if it is nothing."""
    if gain <= 0:
        return ""
    if repaired[0] in repaired[1:]:
        return f"Apart from {FAULTS[name]}, the candidate is identical to a reference."
    return f"Without differences in {FAULTS[name]}, {_gain_text(gain)} would match."


def _whitespace_findings(hypothesis: str, references: Sequence[str]) -> Iterator[Finding]:
    if any(hypothesis != text and hypothesis.split() == text.split() for text in references):
        yield Finding(
            "Apart from spaces (doubled, no-break or at an end), the candidate is identical to "
            "a reference. Here any run of spaces counts as one."
        )


def _tokenizer_findings(texts: tuple[str, ...], derivation: Derivation) -> Iterator[Finding]:
    settings = derivation.settings
    joined = "\n".join(texts)
    tokenized = [detokenize(text) != text for text in texts]
    is_tokenized = any(tokenized)
    unspaced_tokenizer = ""
    if not joined.isascii():
        if re.search(f"[{OTHER_UNSPACED}]", joined):
            unspaced_tokenizer = "char"
        elif re.search(f"[{CHINESE}]", joined):
            unspaced_tokenizer = "zh-corrected"
    if is_tokenized and tokenized[0] not in tokenized[1:]:
        repaired = tuple(map(detokenize, texts))
        gain = _match_gain(settings, repaired, derivation)
        if message := _repair_message("tokenized", repaired, gain):
            yield Finding(message, "repair:tokenized", "Undo the tokenization", "tokenized")
            return
    if settings.tokenizer not in WHITESPACE_TOKENIZERS and is_tokenized:
        message = "The text looks already tokenized, and is tokenized again."
        label = "Split at white space only"
        yield Finding(message, "tokenizer:whitespace", label, "tokenized")
    elif unspaced_tokenizer and settings.tokenizer in UNSPACED_UNSPLIT:
        yield Finding(
            "This script has no spaces between words, so whole sentences become tokens here. The "
            f"tokenizer {unspaced_tokenizer} splits them.",
            f"tokenizer:{unspaced_tokenizer}",
            f"Use tokenizer {unspaced_tokenizer}",
            "script",
        )
    elif settings.tokenizer in WHITESPACE_TOKENIZERS and not is_tokenized:
        pair = _words_differing_in_punctuation(derivation)
        if pair and _match_gain(replace(settings, tokenizer="13a"), texts, derivation) > 0:
            yield Finding(
                f"Punctuation is attached to words: “{pair[0]}” does not match “{pair[1]}”. "
                "The tokenizer 13a splits it off.",
                "tokenizer:13a",
                "Use tokenizer 13a",
            )


def _word_findings(texts: tuple[str, ...], derivation: Derivation) -> Iterator[Finding]:
    """Yield a finding on words that differ in both case and punctuation.

    Correcting only one of the two gains nothing, so no other finding covers them.
    """
    settings = derivation.settings
    if settings.lowercase or settings.tokenizer not in WHITESPACE_TOKENIZERS:
        return
    gain = _match_gain(replace(settings, tokenizer="13a", lowercase=True), texts, derivation)
    if gain > 0:
        yield Finding(
            f"Without differences in case and punctuation, {_gain_text(gain)} would match.",
            "words",
            "Lowercase the texts, and use tokenizer 13a",
        )


def _gain_text(gain: int) -> str:
    return "1 more token" if gain == 1 else f"{gain} more tokens"


def _words_differing_in_punctuation(derivation: Derivation) -> tuple[str, str] | None:
    """Return a token of the hypothesis and one of a reference that differ in punctuation only."""
    tokens = dict.fromkeys(str(token) for reference in derivation.references for token in reference)
    by_word = {token.strip(PUNCTUATION): token for token in tokens}
    for token in map(str, derivation.hypothesis):
        word = token.strip(PUNCTUATION)
        if word and word in by_word and token not in tokens:
            return token, by_word[word]
    return None


def _line_findings(hypothesis: str) -> Iterator[Finding]:
    lines = [line for line in hypothesis.split("\n") if line.strip()]
    if len(lines) > 1:
        yield Finding(
            f"The {len(lines)} lines of the candidate are scored as one segment. To score each "
            "line as a segment of its own, use Whole files."
        )


def _match_gain(settings: Settings, texts: Sequence[str], derivation: Derivation) -> int:
    """Return how many more tokens match than in the derivation."""
    tokens, reference_tokens = tokenize_segment(texts[0], texts[1:], settings)
    return match(tokens, reference_tokens, 1).matched - derivation.statistics.matched[0]
