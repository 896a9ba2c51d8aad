"""Texts that do not fit the tokenizer: tokenized before, or in a script without spaces."""

import re
from typing import Final

from bleu.analysis.parallel_lines import Lines, ParallelLines
from bleu.core.tokenizers import token_unit, usual_tokenizer

UNSPACED_CHARACTERS: Final = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
"""Thai, Lao, Tibetan, Burmese, Khmer and Japanese kana, which have no spaces between words."""
CHINESE_CHARACTERS: Final = "\u3400-\u9fff\U00020000-\U000323af"
TOKENIZED_WARNING_LINES: Final = 100
"""The number of lines with a separate period at the end that makes sacreBLEU warn."""
_SEPARATE: Final = re.compile(
    r" (?:[.,!?;:]|n['’]t|['’](?:s|re|ll|ve|m|d|t)|``|''|@[-/]@|-[LR]RB-)(?!\S)"
)
"""Marks and clitics as separate words; the space before them makes the search fast."""
_ATTACHED: Final = re.compile(r"\w[,;?!](?:\s|$)|\w\.$")


def is_tokenized(text: str) -> bool:
    """Return whether a mark or clitic is a word of its own, and no mark is attached to a word.

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
    """Find tokenized text that is tokenized again; the references may be tokenized, too."""
    if token_unit(texts.settings.tokenizer) == "spaces":
        return None
    lines = [index for index, text in enumerate(texts.hypotheses) if _is_repairable(text)]
    periods = sum(texts.hypotheses[index].endswith((" .", " ,")) for index in lines)
    if periods < TOKENIZED_WARNING_LINES and not (periods and 2 * len(lines) > texts.size):
        return None
    phrase = "look already tokenized, and are tokenized again"
    both = [index for index in lines if any(map(_is_repairable, texts.references[index]))]
    if 2 * len(both) < len(lines):
        return Lines(lines, (), phrase)
    return Lines(lines, lines, phrase, "tokenizer:whitespace")


def _is_repairable(text: str) -> bool:
    """Return whether a text is tokenized, and `detokenize` changes it."""
    return detokenize(text) != text


def find_script(texts: ParallelLines) -> Lines | None:
    """Find scripts without spaces that the tokenizer does not split."""
    tokenizer = texts.settings.tokenizer
    unit = token_unit(tokenizer)
    if unit not in {"spaces", "marks", "han"}:
        return None
    chinese = "" if unit == "han" else CHINESE_CHARACTERS
    unsplit = re.compile(f"[{UNSPACED_CHARACTERS}{chinese}]")
    lines = {
        index: text
        for index, text in enumerate(texts.hypotheses)
        if not text.isascii() and 2 * len(unsplit.findall(text)) > sum(map(str.isalpha, text))
    }
    if 2 * len(lines) <= texts.size:
        return None
    phrase = f"are in a script without spaces, which the tokenizer {tokenizer} does not split"
    return Lines(lines, lines, phrase, f"tokenizer:{unspaced_tokenizer(''.join(lines.values()))}")


def unspaced_tokenizer(text: str) -> str:
    """Return the tokenizer for the script without spaces in a text, or "" if it has none."""
    if re.search(f"[{UNSPACED_CHARACTERS}]", text):
        return usual_tokenizer("characters")
    return usual_tokenizer("han") if re.search(f"[{CHINESE_CHARACTERS}]", text) else ""
