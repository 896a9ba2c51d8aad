"""Faults that show when hypotheses and references are compared line by line."""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bleu.analysis.faults import detokenize
from bleu.analysis.finding import common_length
from bleu.core.choices import TokenizerName
from bleu.core.settings import Settings
from bleu.core.tokenizers import TOKENIZERS

WHITESPACE_TOKENIZERS: Final = {"whitespace", "none"}
CHINESE_TOKENIZERS: Final = {"zh", "zh-corrected"}
UNSPACED_UNSPLIT: Final = TOKENIZERS.keys() - {"char", "ja-char", *CHINESE_TOKENIZERS}
"""Tokenizers that split text without spaces, such as Chinese, at punctuation only."""
TOKENIZED_WARNING_LINES: Final = 100
"""The number of lines ending in a tokenized period from which sacreBLEU warns."""
MIN_REPEATS: Final = 4
"""Repeats of a phrase that make a loop."""
MIN_SENTENCE: Final = 40
"""Characters of a text without a final mark that is probably a sentence."""
MAX_PERIOD: Final = 12
"""The longest phrase, in words, whose loops are looked for."""

OTHER_UNSPACED: Final = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
CHINESE: Final = "\u3400-\u9fff\U00020000-\U000323af"
_TERMINAL: Final = tuple(".!?:;)]}\"'”’»…。！？：；）」』؟۔।॥።։")
_LETTER: Final = re.compile(r"[^\W\d_]")
_FIRST_LETTER: Final = re.compile(r"\W*([^\W\d_])")
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


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines with a fault, counted from 0, on one side or both.

    `phrase` completes “12 of 40 lines …”; `tokenizer` is the remedy if there is one, and `label`
    names the remedy.
    """

    side: str
    indices: Sequence[int]
    phrase: str
    tokenizer: TokenizerName | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class ParallelLines:
    """Hypotheses and their references, and the settings that they are scored with."""

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    settings: Settings
    sources: Sequence[str] = ()
    other_systems: Sequence[Sequence[str]] = ()

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.hypotheses)

    @property
    def rows(self) -> Iterable[tuple[str, Sequence[str]]]:
        """The hypothesis and the references of each segment."""
        return zip(self.hypotheses, self.references, strict=True)

    def with_texts(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
    ) -> "ParallelLines":
        """Return other texts with the same settings."""
        return replace(self, hypotheses=hypotheses, references=references)

    def without(self, lines: Collection[int]) -> "ParallelLines":
        """Return the texts with some lines empty on both sides."""
        if not lines:
            return self
        hypotheses = ["" if i in lines else text for i, text in enumerate(self.hypotheses)]
        references = [[""] if i in lines else row for i, row in enumerate(self.references)]
        return self.with_texts(hypotheses, references)

    @property
    def min_lines(self) -> int:
        """The smallest number of lines whose difference between the sides is not by chance."""
        return max(1, min(self.size, 3), math.ceil(self.size / 40))

    def one_sided(self, is_faulty: Callable[[str], bool], phrase: str) -> Lines | None:
        """Return the lines that are faulty on the one side where this is far more common."""
        hypotheses = list(map(is_faulty, self.hypotheses))
        references = [any(map(is_faulty, texts)) for texts in self.references]
        pairs = list(enumerate(zip(hypotheses, references, strict=True)))
        sides = {
            "hypotheses": [index for index, (left, right) in pairs if left and not right],
            "references": [index for index, (left, right) in pairs if right and not left],
        }
        side = max(sides, key=lambda name: len(sides[name]))
        lines = sides[side]
        opposite = sum(map(len, sides.values())) - len(lines)
        is_clear = len(lines) - opposite >= self.min_lines and 4 * opposite <= len(lines)
        return Lines(side, lines, phrase) if is_clear else None


def find_case(texts: ParallelLines) -> Lines | None:
    """Find lines that begin with a small letter, or are in capitals, on one side alone."""
    if texts.settings.lowercase and texts.settings.case == "all":
        return None
    found = texts.one_sided(_is_cased_otherwise, "are lowercased, or in capitals")
    return found and replace(found, label="Lowercase the texts")


def _is_cased_otherwise(text: str) -> bool:
    first = _FIRST_LETTER.match(text)
    return bool(first and first[1].islower()) or (len(text) > 3 and text.isupper())


def find_tokenized(texts: ParallelLines) -> Lines | None:
    """Find text that is tokenized on one side, or on both and would be tokenized again."""
    phrase = "look already tokenized"
    if found := texts.one_sided(_is_tokenized, phrase):
        return found
    if texts.settings.tokenizer in WHITESPACE_TOKENIZERS:
        return None
    lines = [index for index, text in enumerate(texts.hypotheses) if _is_tokenized(text)]
    periods = sum(texts.hypotheses[index].endswith((" .", " ,")) for index in lines)
    if periods < TOKENIZED_WARNING_LINES and not (periods and 2 * len(lines) > texts.size):
        return None
    label = "Split at white space only"
    return Lines("both", lines, f"{phrase}, and are tokenized again", "whitespace", label)


def _is_tokenized(text: str) -> bool:
    return detokenize(text) != text


def find_script(texts: ParallelLines) -> Lines | None:
    """Find scripts without spaces that the tokenizer does not split."""
    tokenizer = texts.settings.tokenizer
    if tokenizer not in UNSPACED_UNSPLIT | CHINESE_TOKENIZERS:
        return None
    chinese = "" if tokenizer in CHINESE_TOKENIZERS else CHINESE
    other = re.compile(f"[{OTHER_UNSPACED}]")
    unsplit = re.compile(f"[{OTHER_UNSPACED}{chinese}]{{4}}")
    lines = [
        index
        for index, text in enumerate(texts.hypotheses)
        if not text.isascii() and unsplit.search(text)
    ]
    if 2 * len(lines) <= texts.size:
        return None
    phrase = f"are in a script without spaces, which the tokenizer {tokenizer} does not split"
    is_chinese = not any(other.search(texts.hypotheses[index]) for index in lines)
    better: TokenizerName = "zh-corrected" if is_chinese else "char"
    return Lines("both", lines, phrase, better, f"Use tokenizer {better}")


class _Scripts(dict[str, str]):
    """The script of each letter, by its name in Unicode; "" for other characters."""

    def __missing__(self, character: str) -> str:
        script = unicodedata.name(character, "").split(" ")[0] if character.isalpha() else ""
        script = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "FULLWIDTH": "", "HALFWIDTH": ""}.get(
            script, script
        )
        self[character] = script
        return script


_SCRIPTS: Final = _Scripts()


def _main_script(text: str) -> str:
    if text.isascii():
        return "LATIN" if len(text) > 2 and _LETTER.search(text) else ""
    counts = Counter(map(_SCRIPTS.__getitem__, text[:300]))
    counts.pop("", None)
    script, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    return script if count > 2 and 5 * count > 3 * counts.total() else ""


def find_other_language(texts: ParallelLines) -> Lines | None:
    """Find hypotheses in another script than the reference, or equal to their source."""
    lines = []
    for index, (text, references) in enumerate(texts.rows):
        if text.isascii() and all(map(str.isascii, references)):
            continue
        script, scripts = _main_script(text), set(map(_main_script, references))
        if script and script not in scripts and "" not in scripts:
            lines.append(index)
    if len(lines) >= texts.min_lines:
        return Lines("hypotheses", lines, "are in another script than the reference")
    copies = [
        index
        for index, (source, text) in enumerate(zip(texts.sources, texts.hypotheses, strict=False))
        if source == text and text not in texts.references[index] and len(text.split()) > 2
    ]
    if len(copies) >= texts.min_lines:
        return Lines("hypotheses", copies, "are equal to their source")
    return None


def strip_chatter(texts: ParallelLines) -> list[str]:
    """Return the hypotheses without words around the translation that no reference has.

    >>> hypotheses = ["Translation: a b", '"a b"', "```a b```", "Sure! Here it is: a b", "a b"]
    >>> set(strip_chatter(ParallelLines(hypotheses, [["a b"]] * 5, Settings())))
    {'a b'}
    """
    prefixes, suffixes = _common_affixes(texts)
    return [_strip_affixes(text, references, prefixes, suffixes) for text, references in texts.rows]


def _strip_affixes(
    text: str, references: Sequence[str], prefixes: Sequence[str], suffixes: Sequence[str]
) -> str:
    stripped = text
    chatter = _CHATTER.match(text)
    if chatter and chatter[0].strip() and not any(_starts_alike(chatter[0], references)):
        stripped = text[chatter.end() :] or text
    for prefix in prefixes:
        if text.startswith(prefix) and not any(_starts_alike(prefix, references)):
            stripped = text[len(prefix) :].lstrip()
    for suffix in suffixes:
        if stripped.endswith(suffix) and not any(each.endswith(suffix) for each in references):
            stripped = stripped[: -len(suffix)].rstrip()
    if "```" in stripped and not any("```" in each for each in references):
        stripped = _FENCE.sub("", stripped)
    if (quoted := _QUOTED.fullmatch(stripped)) and not any(map(_QUOTED.fullmatch, references)):
        stripped = next(part for part in quoted.groups() if part is not None)
    return stripped


def _starts_alike(prefix: str, references: Iterable[str]) -> Iterable[bool]:
    word = prefix.split()[0].casefold()
    return (reference.lstrip().casefold().startswith(word) for reference in references)


def _common_affixes(texts: ParallelLines) -> tuple[list[str], list[str]]:
    """Return beginnings and ends that many hypotheses share, and that their references lack.

    Unless most hypotheses have it, it must have four words, or punctuation must divide it from the
    text.
    """
    groups: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for index, text in enumerate(texts.hypotheses):
        if len(words := text.split()) > 3:
            groups[1, words[0], words[1]].append(index)
            groups[-1, words[-1], words[-2]].append(index)
    affixes: dict[int, list[str]] = {1: [], -1: []}
    for (step, _, _), lines in groups.items():
        if len(lines) < texts.min_lines:
            continue
        rows = [texts.hypotheses[index].split()[::step] for index in lines]
        words = rows[0][: min(common_length(rows[0], row) for row in rows)]
        if any(len(row) == len(words) for row in rows) or len(set(map(tuple, rows))) < 3:
            continue
        boundary = words[-1] if step == 1 else rows[0][len(words)]
        vocabularies = [set(" ".join(texts.references[index]).split()) for index in lines]
        is_common = 2 * len(lines) > texts.size
        is_foreign = 10 * sum(map(set(words).isdisjoint, vocabularies)) >= 9 * len(lines)
        if is_foreign and (len(words) > 3 or boundary.endswith(_TERMINAL) or is_common):
            affixes[step].append(" ".join(words[::step]))
    return affixes[1], affixes[-1]


def find_chatter(texts: ParallelLines) -> Lines | None:
    """Find words around the translation that no reference has."""
    stripped = strip_chatter(texts)
    lines = [index for index, text in enumerate(texts.hypotheses) if text != stripped[index]]
    if len(lines) < texts.min_lines:
        return None
    return Lines("hypotheses", lines, "have words or quotes around the translation")


def find_truncated(texts: ParallelLines) -> Lines | None:
    """Find hypotheses that end in the middle of a sentence, far shorter than their reference."""
    lines, opposite = [], 0
    counts = Counter(texts.hypotheses)
    for index, (text, references) in enumerate(texts.rows):
        shortest = min(references, key=len, default="")
        if counts[text] < MIN_REPEATS and _is_cut(text, shortest):
            lines.append(index)
        opposite += _is_cut(max(references, key=len, default=""), text)
    if texts.size < 10 or len(lines) - 2 * opposite < texts.min_lines:
        return None
    return Lines("hypotheses", lines, "end in the middle of a sentence, far shorter than expected")


def _is_cut(text: str, complete: str) -> bool:
    text, complete = text.rstrip(), complete.rstrip()
    if not text or text.endswith(_TERMINAL):
        return False
    if complete.endswith(_TERMINAL):
        return len(text) < 0.85 * len(complete)
    return len(text) < 0.6 * len(complete) and len(complete) > MIN_SENTENCE


def find_repetition(texts: ParallelLines) -> Lines | None:
    """Find loops that no reference has, or the same output for many different references."""
    loops = [
        index
        for index, text in enumerate(texts.hypotheses)
        if _has_loop(text) and not any(map(_has_loop, texts.references[index]))
    ]
    if loops:
        return Lines("hypotheses", loops, "repeat a phrase again and again")
    lines_by_text: dict[str, list[int]] = defaultdict(list)
    for index, text in enumerate(texts.hypotheses):
        lines_by_text[text.strip()].append(index)
    repeated = []
    for text, lines in lines_by_text.items():
        is_short = len(text.split()) < 4 and len(text) < 20
        least = texts.size / (10 if is_short else 40)
        different = len({tuple(texts.references[index]) for index in lines})
        if text and different >= max(3, least):
            repeated += lines
    if repeated:
        return Lines("hypotheses", sorted(repeated), "have the same output for other references")
    return None


def _has_loop(text: str) -> bool:
    parts: Sequence[str] = text.split()
    if len(parts) < MIN_REPEATS and len(text) > 20:
        return bool(re.search(r"(?=\w)(.{2,30}?)\1{3}", text))
    if len(parts) < MIN_REPEATS or 3 * len(set(parts)) > 2 * len(parts):
        return False
    for period in range(1, min(MAX_PERIOD, len(parts) // MIN_REPEATS) + 1):
        run = 0
        for left, right in zip(parts, parts[period:], strict=False):
            run = run + 1 if left == right else 0
            if run >= (MIN_REPEATS - 1) * period and any(map(str.isalnum, left)):
                return True
    return False


def find_empty(texts: ParallelLines) -> Lines | None:
    """Find segments with an empty hypothesis or reference."""
    hypotheses = {index for index, text in enumerate(texts.hypotheses) if not text.strip()}
    references = {
        index
        for index, row in enumerate(texts.references)
        if not all(map(str.strip, row)) and index not in hypotheses
    }
    if not hypotheses and not references:
        return None
    side = "both" if hypotheses and references else "hypotheses" if hypotheses else "references"
    return Lines(side, sorted(hypotheses | references), "are empty")


def find_identical(texts: ParallelLines) -> Lines | None:
    """Find a system that is equal to a reference or to another system, line by line."""
    if texts.size < 2:
        return None
    lines = range(texts.size)
    if any(texts.hypotheses == list(column) for column in zip(*texts.references, strict=False)):
        return Lines("both", lines, "are equal in the hypotheses and a reference")
    if any(list(texts.hypotheses) == list(other) for other in texts.other_systems):
        return Lines("hypotheses", lines, "are equal in two systems")
    return None


LINE_FAULTS: Final = {
    "identical": find_identical,
    "empty": find_empty,
    "chatter": find_chatter,
    "other-language": find_other_language,
    "repetition": find_repetition,
    "truncated": find_truncated,
    "tokenized": find_tokenized,
    "case": find_case,
    "script": find_script,
}
"""Functions that find faults, in the order in which they are looked for.

The first two compare the texts as they are, the others without the faults found before.
"""
