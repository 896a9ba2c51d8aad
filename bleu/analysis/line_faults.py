"""Faults that show when hypotheses and references are compared line by line."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import chain, zip_longest
from typing import Final

from bleu.analysis.changes import min_lines
from bleu.analysis.faults import (
    CHINESE_CHARACTERS,
    UNSPACED_CHARACTERS,
    detokenize,
    unspaced_tokenizer,
)
from bleu.analysis.finding import FaultyLine, Lines, ParallelLines
from bleu.analysis.kinds import FAULTS
from bleu.core.tokenizers import token_unit
from bleu.corpus.containers import DETECTION_LINES, detect_container

MIN_REPEATS: Final = 4
"""The number of repeats of a phrase, a text or a length that is more than chance."""
MIN_SENTENCE_CHARACTERS: Final = 40
"""A text of this many characters is taken for a sentence even without a final mark."""
MAX_PERIOD: Final = 12
"""The length in words of the longest phrase whose repetition is a loop."""

CUT_SHARE: Final = 0.85
"""A text without a final mark is cut if it is shorter than this share of the expected length."""
MAX_OPEN: Final = 0.6
"""If more of the complete texts have no final mark, its absence tells nothing."""

TOKENIZED_WARNING_LINES: Final = 100
"""The number of lines with a separate period at the end that makes sacreBLEU warn."""

FINAL_MARKS: Final = tuple(".!?:;)]}\"'”’»…。！？：；）」』؟۔।॥።։")
"""Marks at the end of sentences."""
_LETTER: Final = re.compile(r"[^\W\d_]")


def find_containers(texts: ParallelLines) -> dict[str, Lines]:
    """Return the lines of each side that is JSON, markup, a table or one long line, by fault."""
    columns = zip_longest(*texts.references[:DETECTION_LINES], fillvalue="")
    files = [("hypotheses", texts.hypotheses)]
    files += [("references", list(column)) for column in columns]
    excerpts_by_fault: dict[str, dict[str, str]] = defaultdict(dict)
    for side, lines in files:
        is_old_mac = len(lines) == 1 and "\r" in lines[0].strip()
        if name := detect_container(lines, side) or ("line-ends" if is_old_mac else ""):
            excerpts_by_fault[name][side] = FaultyLine.of_text(1, lines[0]).text
    lines_by_fault = {}
    for kind, excerpts in excerpts_by_fault.items():
        hypotheses = range(texts.size if "hypotheses" in excerpts else 0)
        references = range(texts.size if "references" in excerpts else 0)
        name = kind if kind in FAULTS else "format"
        phrase, action = f"are {FAULTS.get(kind, f'{kind} read as text')}", ""
        if name == "line-ends":
            phrase = "have carriage returns only, so all is one line"
            action = "repair:line-ends"
        excerpt = next(iter(excerpts.values()))
        message = f"The {' and the '.join(excerpts)} {phrase}: “{excerpt}” in line 1."
        if name == "format":
            message += (
                " Open them as a file, or paste them into an empty box, to score their texts."
            )
        lines_by_fault[name] = Lines(hypotheses, references, "", action, message)
    return lines_by_fault


@cache
def _script(character: str) -> str:
    """Return the script of a letter, by its name in Unicode; "" for other characters."""
    script = unicodedata.name(character, "").split(" ")[0] if character.isalpha() else ""
    return {"HIRAGANA": "CJK", "KATAKANA": "CJK", "FULLWIDTH": "", "HALFWIDTH": ""}.get(
        script, script
    )


def _main_script(text: str) -> str:
    if text.isascii():
        return "LATIN" if len(text) > 2 and _LETTER.search(text) else ""
    scripts = list(filter(None, map(_script, set(text[:100]))))
    script = max(set(scripts), key=scripts.count, default="")
    count = scripts.count(script)
    return script if count > 2 and 5 * count > 3 * len(scripts) else ""


def find_other_language(texts: ParallelLines) -> Lines | None:
    """Find hypotheses in another script than the reference, or equal to their source."""
    lines = []
    for index, (text, references) in enumerate(texts.rows):
        first = _script(text[:1])
        if first and first == _script("".join(references)[:1]):
            continue  # Most lines need no slow search.
        script, scripts = _main_script(text), set(map(_main_script, references))
        if script and script not in scripts and "" not in scripts:
            lines.append(index)
    if len(lines) >= min_lines(texts.size):
        return Lines(lines, (), "are in another script than the reference")
    copies = [
        index
        for index, (source, text) in enumerate(zip(texts.sources, texts.hypotheses, strict=False))
        if source == text and text not in texts.references[index] and len(text.split()) > 2
    ]
    if len(copies) >= min_lines(texts.size):
        return Lines(copies, (), "are equal to their source")
    return None


def find_truncated(texts: ParallelLines) -> Lines | None:
    """Find hypotheses that end in mid-sentence, far shorter than expected or all at one length."""
    counts = Counter(texts.hypotheses)
    lines = [
        index
        for index, (text, references) in enumerate(texts.rows)
        if counts[text] < MIN_REPEATS and _is_cut(text, min(references, key=len))
    ]
    cut_references = sum(_is_cut(max(references, key=len), text) for text, references in texts.rows)
    is_rare = texts.size < 10 or len(lines) - 2 * cut_references < min_lines(texts.size)
    if is_rare or _is_usual_end(texts, lines):
        return _find_length_limit(texts)
    return Lines(lines, (), "end in the middle of a sentence, far shorter than expected")


def _is_usual_end(texts: ParallelLines, lines: Sequence[int]) -> bool:
    """Return whether hypotheses that are long enough have no final mark, either."""
    cut = set(lines)
    complete = [
        text.rstrip().endswith(FINAL_MARKS)
        for index, (text, references) in enumerate(texts.rows)
        if index not in cut
        and len(text) >= CUT_SHARE * len(min(references, key=len))
        and any(reference.rstrip().endswith(FINAL_MARKS) for reference in references)
    ]
    return complete.count(False) > MAX_OPEN * len(complete)


def _find_length_limit(texts: ParallelLines) -> Lines | None:
    """Find hypotheses without a final mark that have the same length far too often."""
    by_size: dict[int, set[str]] = defaultdict(set)
    for text, references in texts.rows:
        size = len(text)
        is_open = size >= MIN_SENTENCE_CHARACTERS and not text.endswith(FINAL_MARKS)
        if is_open and any(size < len(reference) for reference in references):
            by_size[size].add(text)
    size = max(by_size, key=lambda size: len(by_size[size]), default=0)
    nearby_count = sum(len(by_size.get(size + step, ())) for step in (-3, -2, -1, 1, 2, 3))
    if len(by_size[size]) < MIN_REPEATS + nearby_count:
        return None
    lines = [index for index, text in enumerate(texts.hypotheses) if text in by_size[size]]
    return Lines(lines, (), f"end after {size} characters, in the middle of a sentence")


def _is_cut(text: str, complete: str) -> bool:
    text, complete = text.rstrip(), complete.rstrip()
    if not text or text.endswith(FINAL_MARKS):
        return False
    if complete.endswith(FINAL_MARKS):
        return len(text) < CUT_SHARE * len(complete)
    return len(text) < 0.6 * len(complete) and len(complete) > MIN_SENTENCE_CHARACTERS


def find_repetition(texts: ParallelLines) -> Lines | None:
    """Find loops that no reference has, or the same output for many different references."""
    loops = [
        index
        for index, text in enumerate(texts.hypotheses)
        if _has_loop(text) and not any(map(_has_loop, texts.references[index]))
    ]
    if loops:
        return Lines(loops, (), "repeat a phrase again and again")
    counts = Counter(texts.hypotheses)
    repeated = {text for text, count in counts.items() if count > 2 and text.strip()}
    if not repeated:
        return None
    expected = Counter(chain.from_iterable(texts.references))
    references: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for text, row in texts.rows:
        if text in repeated:
            references[text].add(tuple(row))
    min_count = max(3, texts.size / 40)
    repeated = {
        text for text in repeated if len(references[text]) >= max(min_count, 3 * expected[text])
    }
    lines = [index for index, text in enumerate(texts.hypotheses) if text in repeated]
    return Lines(lines, (), "have the same text for different references") if lines else None


def _has_loop(text: str) -> bool:
    words = text.split()
    if len(words) < MIN_REPEATS:
        return len(text) > 20 and bool(re.search(r"(?=\w)(.{2,30}?)\1{3}", text))
    if 3 * len(set(words)) > 2 * len(words):
        return False
    for period in range(1, min(MAX_PERIOD, len(words) // MIN_REPEATS) + 1):
        run = 0
        for left, right in zip(words, words[period:], strict=False):
            run = run + 1 if left == right else 0
            if run >= (MIN_REPEATS - 1) * period and any(map(str.isalnum, left)):
                return True
    return False


def find_empty(texts: ParallelLines) -> Lines | None:
    """Find segments with an empty hypothesis or reference."""
    hypotheses = {i for i, text in enumerate(texts.hypotheses) if not text or text.isspace()}
    references = {i for i, row in enumerate(texts.references) if not all(map(str.strip, row))}
    if not hypotheses and not references:
        return None
    return Lines(hypotheses, references - hypotheses, "are empty")


def find_identical(texts: ParallelLines) -> Lines | None:
    """Find a system that is equal to a reference or to another system, line by line."""
    lines = range(texts.size)
    if texts.size < 2:
        return None
    if any(texts.hypotheses == list(column) for column in zip(*texts.references, strict=False)):
        return Lines(lines, lines, "are equal")
    if any(texts.hypotheses == list(other) for other in texts.other_systems):
        return Lines(lines, (), "are equal in two systems")
    return None


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
