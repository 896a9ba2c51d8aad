"""What a person should know about this input: hidden differences, and what to do about each."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bleu.core.derivation import Derivation
from bleu.core.ngrams import match
from bleu.core.segment import tokenize_segment
from bleu.core.settings import Settings
from bleu.core.tokenizers import TOKENIZERS

MAX_CHARACTERS: Final = 50_000
"""Characters above which hidden differences are not looked for."""

QUOTES: Final = str.maketrans("‘’‚‛“”„‟′″", "''''\"\"\"\"'\"")
HIDDEN: Final = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
CHINESE: Final = "[\u3400-\u9fff\U00020000-\U000323af]"
KANA_OR_THAI: Final = "[\u3040-\u30ff\u0e00-\u0e7f]"
TOKENIZED: Final = r"(?:^|\s)[.,!?](?:\s|$)|\sn't(?:\s|$)|@@(?:\s|$)|▁"
WHITE_SPACE: Final = {"whitespace", "none"}
SPLITS: Final = TOKENIZERS.keys() - WHITE_SPACE


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know, and what can be done: the name of an action, and what it is called.

    Actions are `lowercase`, `quotes`, `compose_accents`, `hidden`, `tokens`, `words`, `swap` and
    `tokenizer:NAME`; an empty one is no action.
    """

    message: str
    action: str = ""
    label: str = ""


def straighten_quotes(text: str) -> str:
    """Curly quotes and primes as straight ones.

    >>> straighten_quotes("“it’s”")
    '"it\\'s"'
    """
    return text.translate(QUOTES)


def compose_accents(text: str) -> str:
    """Unicode's composed form, NFC: a letter and its accent as one character.

    >>> len("e\\u0301"), len(compose_accents("e\\u0301"))
    (2, 1)
    """
    return unicodedata.normalize("NFC", text)


def remove_hidden(text: str) -> str:
    """Without zero-width spaces, soft hyphens and byte order marks.

    >>> remove_hidden("a\\u200bb")
    'ab'
    """
    return text.translate(HIDDEN)


CLEANINGS: Final[Mapping[str, tuple[Callable[[str], str], str, str]]] = {
    "lowercase": (str.lower, "upper and lower case", "Lowercase the texts"),
    "quotes": (straighten_quotes, "curly and straight quotes", "Straighten the quotes"),
    "compose": (compose_accents, "composed and decomposed accents", "Compose the accents"),
    "hidden": (remove_hidden, "characters without width", "Remove the hidden characters"),
}
"""What can be evened out: the function, what differs, and what the action is called."""


_PART: Final = re.compile(
    r"""\s*(?:(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<mark>[\[\](),]))""", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r"}


def python_lists(text: str) -> list[list[str]] | None:
    """The tokens of a list of them as Python prints it, or of each of several such in a list.

    None where a text is neither.

    >>> python_lists("['the', 'cat']"), python_lists("[['a', 'b'], ['c']]")
    ([['the', 'cat']], [['a', 'b'], ['c']])
    >>> python_lists("[1] the cat")
    """
    if text.lstrip()[:1] not in {"[", "("} or text.rstrip()[-1:] not in {"]", ")"}:
        return None
    parts: list[str] = []
    place, deep = 0, 0
    text = text.rstrip()
    while place < len(text):
        found = _PART.match(text, place)
        if not found:
            return None
        place = found.end()
        part = {"(": "[", ")": "]"}.get(found["mark"], found["mark"])
        deep += {"[": 1, "]": -1}.get(part, 0)
        if deep > 2:
            return None
        if part == "]" and parts[-1] == ",":
            parts.pop()  # Python may end a list with a comma
        parts.append(part or json.dumps(_ESCAPE.sub(_character, found["quoted"][1:-1])))
    try:
        value = json.loads("".join(parts))
    except ValueError:
        return None
    if not isinstance(value, list) or not value:
        return None
    lists = value if isinstance(value[0], list) else [value]
    plain = all(isinstance(one, list) and all(isinstance(t, str) for t in one) for one in lists)
    return lists if plain else None


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) > 1:
        return chr(int(code[1:], 16)) if int(code[1:], 16) < 0x110000 else escape[0]
    return _ESCAPED.get(code, code)


def join_python_lists(text: str) -> list[str]:
    """The texts that Python's lists of tokens stand for; a text that is none stays as it is.

    >>> join_python_lists("['the', 'cat']"), join_python_lists("the cat")
    (['the cat'], ['the cat'])
    """
    lists = python_lists(text)
    return [text] if lists is None else [" ".join(own) for own in lists]


def findings(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> tuple[Finding, ...]:
    """What to know about a text and its references, the most telling first; often nothing.

    >>> from bleu import derive
    >>> texts = ("The cat", ["the cat"])
    >>> [finding.action for finding in findings(*texts, derive(*texts, max_order=2))]
    ['lowercase']
    """
    texts = (hypothesis, *references)
    found = [*_label_findings(hypothesis, references)]
    if not hypothesis.strip() or sum(map(len, texts)) > MAX_CHARACTERS:
        return tuple(found)
    found += _list_findings(hypothesis, references)
    found += _cleaning_findings(hypothesis, references, derivation)
    found += _whitespace_findings(hypothesis, references)
    found += [*_tokenizer_findings(texts, derivation)] or _word_findings(found, texts, derivation)
    found += _line_findings(hypothesis)
    return tuple(found)


def _label_findings(hypothesis: str, references: Sequence[str]) -> Iterator[Finding]:
    candidate = re.match(r"\s*(?:references?|ref|gold)\s*\d*\s*:", hypothesis, re.IGNORECASE)
    pattern = r"\s*(?:hypothesis|candidate|translation|hyp|system)\s*:"
    if candidate and any(re.match(pattern, text, re.IGNORECASE) for text in references):
        message = "The labels in the texts say that candidate and reference are swapped."
        yield Finding(message, "swap", "Swap them")


def _list_findings(hypothesis: str, references: Sequence[str]) -> Iterator[Finding]:
    own = python_lists(hypothesis)
    if (own and len(own) == 1) or any(map(python_lists, references)):
        yield Finding(
            "A text here is a list as Python prints it, and its brackets, quotes and commas are "
            "scored as text.",
            "tokens",
            "Read the list as tokens",
        )


def _cleaning_findings(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> Iterator[Finding]:
    now = derivation.statistics.matched[0]
    for action, (clean, what, label) in CLEANINGS.items():
        if action == "lowercase" and derivation.settings.lowercase:
            continue
        cleaned, others = clean(hypothesis), [clean(text) for text in references]
        if (cleaned, others) == (hypothesis, list(references)):
            continue
        more = _matched_tokens(derivation.settings, cleaned, others) - now
        if more > 0 and cleaned in others:
            message = f"Apart from {what}, the candidate is identical to a reference."
            yield Finding(message, action, label)
        elif more > 0:
            yield Finding(
                f"Without differences in {what}, {_token_count_text(more)} would match.",
                action,
                label,
            )


def _whitespace_findings(hypothesis: str, references: Sequence[str]) -> Iterator[Finding]:
    if any(hypothesis != text and hypothesis.split() == text.split() for text in references):
        yield Finding(
            "Apart from spaces (doubled, no-break or at an end), the candidate is identical to "
            "a reference. Here any run of spaces counts as one."
        )


def _tokenizer_findings(texts: tuple[str, ...], derivation: Derivation) -> Iterator[Finding]:
    settings = derivation.settings
    whole = "\n".join(texts)
    kana_or_thai, chinese = _scripts(whole)
    if settings.tokenizer in SPLITS and re.search(TOKENIZED, whole):
        message = "The text looks already tokenized, and is tokenized again."
        yield Finding(message, "tokenizer:whitespace", "Split at white space only")
    elif (kana_or_thai or chinese) and settings.tokenizer not in {"char", "zh", "zh-corrected"}:
        name = "char" if kana_or_thai else "zh-corrected"
        yield Finding(
            "Chinese, Japanese and Thai have no spaces between words, so whole sentences "
            f"become tokens here. The tokenizer {name} splits them.",
            f"tokenizer:{name}",
            f"Use tokenizer {name}",
        )
    elif settings.tokenizer in WHITE_SPACE and (glued := _words_alike(derivation)):
        more = _matched_tokens(replace(settings, tokenizer="13a"), texts[0], texts[1:])
        if more > derivation.statistics.matched[0] and not re.search(TOKENIZED, whole):
            yield Finding(
                f"Punctuation is attached to words: “{glued[0]}” does not match “{glued[1]}”. "
                "The tokenizer 13a splits it off.",
                "tokenizer:13a",
                "Use tokenizer 13a",
            )


def _word_findings(
    found: list[Finding], texts: tuple[str, ...], derivation: Derivation
) -> Iterator[Finding]:
    """Words that differ in case and punctuation at once: to even out one alone changes nothing."""
    settings = derivation.settings
    if found or settings.lowercase or settings.tokenizer not in WHITE_SPACE:
        return
    plain = replace(settings, tokenizer="13a", lowercase=True)
    more = _matched_tokens(plain, texts[0], texts[1:]) - derivation.statistics.matched[0]
    if more > 0:
        yield Finding(
            f"Without differences in case and punctuation, {_token_count_text(more)} would match.",
            "words",
            "Lowercase the texts, and use tokenizer 13a",
        )


def _token_count_text(more: int) -> str:
    return "1 more token" if more == 1 else f"{more} more tokens"


def _scripts(text: str) -> tuple[bool, bool]:
    """Whether there is kana or Thai in a text, and whether there is Chinese."""
    if text.isascii():
        return False, False
    return bool(re.search(KANA_OR_THAI, text)), bool(re.search(CHINESE, text))


def _words_alike(derivation: Derivation) -> tuple[str, str] | None:
    strip = '.,;:!?"()'
    known = {str(token) for reference in derivation.references for token in reference}
    bare = {word.strip(strip): word for word in known}
    for token in map(str, derivation.hypothesis):
        other = bare.get(token.strip(strip))
        if token not in known and other and token.strip(strip):
            return token, other
    return None


def _line_findings(hypothesis: str) -> Iterator[Finding]:
    lines = [line for line in hypothesis.split("\n") if line.strip()]
    if len(lines) > 1:
        yield Finding(
            f"The {len(lines)} lines of the candidate are scored as one segment. To score each "
            "line as a segment of its own, use Whole files."
        )


def _matched_tokens(settings: Settings, hypothesis: str, references: Sequence[str]) -> int:
    tokens, others = tokenize_segment(hypothesis, references, settings)
    return match(tokens, others, 1).matched
