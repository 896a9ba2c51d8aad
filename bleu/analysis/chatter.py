"""Words around the translations of language models, such as “Sure, here is …”."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from bleu.analysis.changes import min_lines
from bleu.analysis.finding import common_prefix_length
from bleu.analysis.line_faults import FINAL_MARKS
from bleu.analysis.parallel_lines import Lines, ParallelLines

_CHATTER: Final = re.compile(
    r"\s*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^:\n]{0,100}[:!.]\s*)?"
    r"(?:(?:here(?:['’]s| is| are)|below is|the following is)\b[^:\n]{0,100}:\s*)?"
    r"(?:[*_#]*(?:the |my |final |english |[a-z]+ )?(?:translation|translated text|answer|output"
    r"|response|result|target|hypothesis|candidate|english|german|french|spanish|chinese)"
    r"[*_]*\s?(?:\([^)]*\)\s?)?:[*_]*\s*)?",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(
    r"^\s*```(?:text|txt|plain|plaintext|markdown|html|json)?\s*|(?:(?<!\s)\s+)?```\s*$"
)
_QUOTED: Final = re.compile(r"\s*(?:\"([^\"]*)\"|“([^“”]*)”|«([^«»]*)»|'([^']*)'|`([^`]*)`)\s*")
_QUOTES: Final = ('"', "”", "»", "'", "`")
END_CHARACTERS: Final = 6
"""Texts are compared word by word only if they share this many first or last characters."""


def strip_chatter(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[str]:
    """Return the hypotheses without words around the translation that their references lack.

    >>> hypotheses = ["Translation: a b", '"a b"', "```a b```", "Sure! Here it is: a b", "a b"]
    >>> set(strip_chatter(hypotheses, [["a b"]] * 5))
    {'a b'}
    """
    prefixes, suffixes = (_common_affixes(hypotheses, references, step) for step in (1, -1))
    return [
        _strip_affixes(text, row, prefixes, suffixes)
        for text, row in zip(hypotheses, references, strict=True)
    ]


def _strip_affixes(
    text: str, references: Sequence[str], prefixes: Sequence[str], suffixes: Sequence[str]
) -> str:
    stripped = text
    chatter = _CHATTER.match(text) if ":" in text or "!" in text else None
    if chatter and chatter[0].strip() and not _first_word_starts_reference(chatter[0], references):
        stripped = text[chatter.end() :] or text
    for prefix in prefixes:
        if text.startswith(prefix) and not _first_word_starts_reference(prefix, references):
            stripped = text[len(prefix) :].lstrip()
    for suffix in suffixes:
        if stripped.endswith(suffix) and not any(text.endswith(suffix) for text in references):
            stripped = stripped[: -len(suffix)].rstrip()
    if "```" in stripped and not any("```" in text for text in references):
        stripped = _FENCE.sub("", stripped)
    quoted = _QUOTED.fullmatch(stripped) if stripped.rstrip().endswith(_QUOTES) else None
    if quoted and not any(map(_QUOTED.fullmatch, references)):
        return next(content for content in quoted.groups() if content is not None)
    return stripped


def _first_word_starts_reference(prefix: str, references: Sequence[str]) -> bool:
    """Return whether a reference begins with the first word of a prefix."""
    word = prefix.split()[0].casefold()
    return any(reference.lstrip().casefold().startswith(word) for reference in references)


def _common_affixes(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], step: int
) -> list[str]:
    """Return beginnings (step 1) or ends (−1) that many hypotheses have, but not their references.

    Each is in more than half of the hypotheses, has four words or more, or is separated from the
    text by a final mark.
    """
    min_count = min_lines(len(hypotheses))
    ends = [text[:END_CHARACTERS] if step > 0 else text[-END_CHARACTERS:] for text in hypotheses]
    counts = Counter(ends)
    groups: dict[tuple[str, str], dict[int, list[str]]] = defaultdict(dict)
    for index, end in enumerate(ends):
        if counts[end] >= min_count and len(words := hypotheses[index].split()[::step]) > 3:
            groups[words[0], words[1]][index] = words
    affixes = []
    for group in groups.values():
        rows = list(group.values())
        if len(rows) < min_count or len(set(map(tuple, rows))) < 3:
            continue
        words = rows[0][: min(common_prefix_length(rows[0], row) for row in rows)]
        if any(len(row) == len(words) for row in rows):
            continue
        boundary = words[-1] if step > 0 else rows[0][len(words)]
        vocabularies = [set(" ".join(references[index]).split()) for index in group]
        is_foreign = 10 * sum(map(set(words).isdisjoint, vocabularies)) >= 9 * len(rows)
        is_common = 2 * len(rows) > len(hypotheses)
        if is_foreign and (len(words) > 3 or boundary.endswith(FINAL_MARKS) or is_common):
            affixes.append(" ".join(words[::step]))
    return affixes


def find_chatter(texts: ParallelLines) -> Lines | None:
    """Find words around the translation that the references lack."""
    stripped = strip_chatter(texts.hypotheses, texts.references)
    lines = [index for index, text in enumerate(texts.hypotheses) if text != stripped[index]]
    if len(lines) < min_lines(texts.size):
        return None
    return Lines(lines, (), "have words or quotes around the translation", "repair:chatter")
