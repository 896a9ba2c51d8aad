"""Texts that are already tokenized, as by Moses or in the Penn Treebank."""

import re
from typing import Final

from bleu.analysis.parallel_lines import Lines, ParallelLines

WHITESPACE_TOKENIZERS: Final = {"whitespace", "none"}
TOKENIZED_WARNING_LINES: Final = 100
"""The number of lines ending in a tokenized period from which sacreBLEU warns."""
_SEPARATE: Final = re.compile(
    r" (?:[.,!?;:]|n['’]t|['’](?:s|re|ll|ve|m|d|t)|``|''|@[-/]@|-[LR]RB-)(?!\S)"
)
"""Words that only tokenized text has; the space before them makes the search fast."""
_ATTACHED: Final = re.compile(r"\w[,;?!](?:\s|$)|\w\.$")


def is_tokenized(text: str) -> bool:
    """Return whether punctuation stands alone everywhere, or clitics do.

    >>> is_tokenized("It is , indeed ."), is_tokenized("It , it, it."), is_tokenized("do n't")
    (True, False, True)
    """
    return bool(_SEPARATE.search(text)) and not _ATTACHED.search(text)


_DETOKENIZATION: Final = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\s@([-/])@\s", r"\1"),
        ("-LRB-", "("),
        ("-RRB-", ")"),
        (r"``\s?|\s?''(?=\s|$)", '"'),
        (r"(?:(?<=\s)|^)\"\s([^\"]*?)\s\"(?=\s|$)", r'"\1"'),
        (r"\s([.,;:!?%)\]}…]+)(?=[\s\"]|$)", r"\1"),
        (r"([(\[{$£¿¡])\s", r"\1"),
        (r"(?<=\w)\s(n['’]t|['’](?:s|re|ll|ve|m|d|t))(?=\W|$)", r"\1"),
        (r"(?<=\b[cdjlmnstCDJLMNST]['’])\s(?=\w)", ""),
    )
]


def detokenize(text: str) -> str:
    """Join punctuation and clitics to their words if a text is tokenized.

    >>> detokenize('It is n\\'t " so " , ( he said ) .'), detokenize("a , b, c")
    ('It isn\\'t "so", (he said).', 'a , b, c')
    """
    if is_tokenized(text):
        for pattern, replacement in _DETOKENIZATION:
            text = pattern.sub(replacement, text)
    return text


def find_tokenized(texts: ParallelLines) -> Lines | None:
    """Find text that is tokenized on one side, or on both and would be tokenized again."""
    phrase = "look already tokenized"
    if found := texts.one_sided(_is_tokenized, phrase, "repair:tokenized"):
        return found
    if texts.settings.tokenizer in WHITESPACE_TOKENIZERS:
        return None
    lines = [index for index, text in enumerate(texts.hypotheses) if _is_tokenized(text)]
    periods = sum(texts.hypotheses[index].endswith((" .", " ,")) for index in lines)
    if periods < TOKENIZED_WARNING_LINES and not (periods and 2 * len(lines) > texts.size):
        return None
    return Lines(lines, lines, f"{phrase}, and are tokenized again", "tokenizer:whitespace")


def _is_tokenized(text: str) -> bool:
    return detokenize(text) != text
