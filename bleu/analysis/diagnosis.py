"""Findings on the input of one segment: likely faults, their effect, and remedies."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bleu.analysis.zero import script_tokenizer
from bleu.checkup.checkup import iter_check
from bleu.checkup.faults import detokenize
from bleu.checkup.finding import Finding
from bleu.checkup.kinds import FAULTS
from bleu.checkup.repairs import repair_corpus
from bleu.core.api import Derivation
from bleu.core.ngrams import match
from bleu.core.progress import run_to_end
from bleu.core.segment import tokenize_segment
from bleu.core.settings import Settings
from bleu.core.tokenizers import token_unit, usual_tokenizer
from bleu.files.containers import detect_container

MAX_CHARACTERS: Final = 50_000
"""The largest number of characters of all texts together that are searched for faults."""

PUNCTUATION: Final = '.,;:!?"()'

_STRING: Final = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")"""
_LIST: Final = rf"\s*[\[(]\s*+(?:{_STRING}\s*+,\s*+)*+(?:{_STRING}\s*+)?+[\])]\s*+"
_LISTS: Final = re.compile(rf"{_LIST}|\s*[\[(](?:{_LIST},)*+(?:{_LIST})?+\s*[\])]\s*", re.DOTALL)
"""A list of strings, or a list of such lists, as Python prints it."""
_ESCAPE: Final = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r"}


def python_lists(text: str) -> list[list[str]] | None:
    """Parse a list of strings, or a list of such lists, as Python prints it.

    Returns None for any other text, and for empty lists.

    >>> python_lists("['the', 'cat']"), python_lists("[['a', 'b'], ['c']]")
    ([['the', 'cat']], [['a', 'b'], ['c']])
    >>> python_lists("[1] the cat")
    """
    if not _LISTS.fullmatch(text):
        return None
    lists = [
        [_ESCAPE.sub(_unescape, string[1:-1]) for string in re.findall(_STRING, part, re.DOTALL)]
        for part in re.findall(_LIST, text, re.DOTALL)
    ]
    return lists if any(lists) else None


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) > 1:
        return chr(int(code[1:], 16)) if int(code[1:], 16) < 0x110000 else escape[0]
    return _ESCAPED.get(code, code)


def join_python_lists(text: str) -> list[str]:
    """Return the tokens of each printed Python list, joined by spaces, or else the text itself.

    >>> join_python_lists("['the', 'cat']"), join_python_lists("the cat")
    (['the cat'], ['the cat'])
    """
    lists = python_lists(text)
    return [text] if lists is None else [" ".join(tokens) for tokens in lists]


def findings(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> tuple[Finding, ...]:
    """Return findings, the most important first; none for a blank hypothesis or long texts."""
    texts = (hypothesis, *references)
    if not hypothesis.strip() or sum(map(len, texts)) > MAX_CHARACTERS:
        return ()
    result = [*_form_findings(hypothesis, references), *_repair_findings(texts, derivation)]
    result += _tokenizer_findings(texts, derivation)
    result = list({finding.name or finding.message: finding for finding in result}.values())
    if not result:
        result += _word_findings(derivation)
    line_count = sum(map(bool, map(str.strip, hypothesis.split("\n"))))
    if line_count > 1:
        message = (
            f"The {line_count} lines of the candidate are scored as one segment. To score each "
            "line as a segment of its own, use Whole files."
        )
        result.append(Finding(message))
    return tuple(result)


def _form_findings(hypothesis: str, references: Sequence[str]) -> Iterator[Finding]:
    """Yield findings on texts that are printed lists or files, or have the other side's label."""
    is_labelled = re.match(r"\s*(?:references?|ref|gold)\s*\d*\s*:", hypothesis, re.IGNORECASE)
    pattern = r"\s*(?:hypothesis|candidate|translation|hyp|system)\s*:"
    if is_labelled and any(re.match(pattern, text, re.IGNORECASE) for text in references):
        message = "The labels in the texts say that candidate and reference are swapped."
        yield Finding(message, "swap")
    hypotheses = python_lists(hypothesis)
    if (hypotheses and len(hypotheses) == 1) or any(map(python_lists, references)):
        message = (
            "A text here is a list as Python prints it, and its brackets, quotes and commas are "
            "scored as text."
        )
        yield Finding(message, "tokens")
    kinds = [detect_container(text.strip().split("\n")) for text in (hypothesis, *references)]
    if name := next((kind for kind in kinds if kind not in ("", "table")), ""):
        form = FAULTS.get(name, f"{name} read as text")
        message = f"A text here is {form}. To score a file, use Whole files."
        yield Finding(message, name=name if name in FAULTS else "format")


def _repair_findings(texts: tuple[str, ...], derivation: Derivation) -> Iterator[Finding]:
    """Yield the findings of the check-up of this segment, in words for one sentence."""
    settings = derivation.settings
    sides = [texts[0]], [list(texts[1:])]
    for finding in run_to_end(iter_check(*sides, settings, is_segment=True)):
        action, _, name = finding.action.partition(":")
        message = ""
        if action == "repair":
            hypotheses, references = repair_corpus(*sides, [name], settings)
            repaired = hypotheses[0], *references[0]
            gain = _match_gain(settings, repaired, derivation)
            message = _repair_message(name, repaired, gain)
            if finding.name == "chatter":
                message = "The candidate has words or quotes around it that no reference has."
        elif finding.name == "case":
            continue  # The gain of lowercasing both texts follows.
        message = message or finding.message.removesuffix(finding.remark).rstrip()
        yield replace(finding, message=message, claim="", remark="")
    lowercased = tuple(map(str.lower, texts))
    if not settings.lowercase and lowercased != texts:
        gain = _match_gain(settings, lowercased, derivation)
        if message := _repair_message("case", lowercased, gain):
            yield Finding(message, "lowercase", "case")
    if any(texts[0] != text and texts[0].split() == text.split() for text in texts[1:]):
        yield Finding(
            "Apart from spaces (doubled, no-break or at an end), the candidate is identical to "
            "a reference. Here any run of spaces counts as one."
        )


def _repair_message(name: str, repaired: Sequence[str], gain: int) -> str:
    """Return a sentence on the tokens that a repair gains, or "" if it gains none."""
    if gain <= 0:
        return ""
    if repaired[0] in repaired[1:]:
        return f"Apart from {FAULTS[name]}, the candidate is identical to a reference."
    return f"Without differences in {FAULTS[name]}, {_gain_text(gain)} would match."


def _tokenizer_findings(texts: tuple[str, ...], derivation: Derivation) -> Iterator[Finding]:
    settings = derivation.settings
    unit = token_unit(settings.tokenizer)
    is_tokenized = any(detokenize(text) != text for text in texts)
    split_script = script_tokenizer(derivation)
    if is_tokenized and unit != "spaces":
        message = "The text looks already tokenized, and is tokenized again."
        yield Finding(message, f"tokenizer:{usual_tokenizer('spaces')}", "tokenized")
    elif split_script:
        message = (
            "This script has no spaces between words, so whole sentences become tokens here. The "
            f"tokenizer {split_script} splits them."
        )
        yield Finding(message, f"tokenizer:{split_script}", "script")
    elif unit == "spaces" and not is_tokenized:
        splitting = usual_tokenizer("marks")
        pair = _words_differing_in_punctuation(derivation)
        if pair and _match_gain(replace(settings, tokenizer=splitting), texts, derivation) > 0:
            message = (
                f"Punctuation is attached to words: “{pair[0]}” does not match “{pair[1]}”. The "
                f"tokenizer {splitting} splits it off."
            )
            yield Finding(message, f"tokenizer:{splitting}")


def _word_findings(derivation: Derivation) -> Iterator[Finding]:
    """Yield a finding on words that differ in both case and punctuation.

    Correcting only one of the two gains nothing, so no other finding covers them.
    """
    settings = derivation.settings
    if settings.lowercase or token_unit(settings.tokenizer) != "spaces":
        return
    hypothesis, *references = (
        tuple(str(token).strip(PUNCTUATION).lower() or token for token in tokens)
        for tokens in (derivation.hypothesis, *derivation.references)
    )
    gain = match(hypothesis, tuple(references), 1).matched - derivation.statistics.matched[0]
    if gain > 0:
        message = f"Without differences in case and punctuation, {_gain_text(gain)} would match."
        yield Finding(message, "words")


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


def _match_gain(settings: Settings, texts: Sequence[str], derivation: Derivation) -> int:
    """Return how many more tokens match under these settings than in the derivation."""
    tokens, reference_tokens = tokenize_segment(texts[0], texts[1:], settings)
    return match(tokens, reference_tokens, 1).matched - derivation.statistics.matched[0]
