"""Faults that show when hypotheses and references are compared line by line."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import chain, zip_longest
from typing import Final

from bleu.checkup.changes import min_lines
from bleu.checkup.faults import (
    CHINESE_CHARACTERS,
    UNSPACED_CHARACTERS,
    detokenize,
    unspaced_tokenizer,
)
from bleu.checkup.finding import LINES_PER_SLICE, SIDE_NAMES, Lines, ParallelLines
from bleu.checkup.kinds import FAULTS
from bleu.core.progress import ProgressGenerator
from bleu.core.tokenizers import token_unit
from bleu.files.containers import DETECTION_LINES, detect_container

MIN_REPEATS: Final = 4
"""The number of repeats of a phrase, a text or a length that is more than chance."""
MIN_SENTENCE_CHARACTERS: Final = 40
"""A text of this many characters is taken for a sentence even without a final mark."""
CUT_SHARE: Final = 0.85
"""A text without a final mark is cut if it is shorter than this share of the expected length."""
MIN_COMPLETE: Final = 0.1
"""If fewer of the lines are complete, because all are cut, they do not tell how lines end."""
TOKENIZED_WARNING_LINES: Final = 100
"""The number of lines with a separate period at the end that makes sacreBLEU warn."""

FINAL_MARKS: Final = tuple(".!?:;)]}\"'”’»…。！？：；）」』؟۔।॥።։")
"""Marks at the end of sentences."""
_WORD_LOOP: Final = re.compile(r"(?<!\S)(?=\S*[^\W_])(\S+(?: \S+){0,11}?)(?: \1){3,}(?!\S)")
_CHARACTER_LOOP: Final = re.compile(r"(\w.{1,29}?)\1{3,}")
ELLIPSES: Final = ("...", "…")
_LETTER: Final = re.compile(r"[^\W\d_]")
_NO_ASCII_LETTER: Final = re.compile(r"[^\W\d_a-zA-Z]")


def find_containers(texts: ParallelLines) -> dict[str, Lines]:
    """Return the lines of each side that is JSON, markup, a table or one long line, by fault."""
    columns = zip_longest(*texts.references[:DETECTION_LINES], fillvalue="")
    files = [("hypotheses", texts.hypotheses)]
    files += [("references", list(column)) for column in columns]
    sides_by_fault: dict[str, dict[str, int]] = defaultdict(dict)
    for number, (side, lines) in enumerate(files):
        is_old_mac = len(lines) == 1 and "\r" in lines[0].strip()
        if name := detect_container(lines, side) or ("line-ends" if is_old_mac else ""):
            sides_by_fault[name].setdefault(side, max(0, number - 1))
    lines_by_fault = {}
    for kind, sides in sides_by_fault.items():
        hypotheses = range(texts.size if "hypotheses" in sides else 0)
        references = range(texts.size if "references" in sides else 0)
        name = kind if kind in FAULTS else "format"
        phrase, action = f"are {FAULTS.get(kind, f'{kind} read as text')}", ""
        if name == "line-ends":
            phrase = "have carriage returns only, so all is one line"
            action = "repair:line-ends"
        message = f"The {' and the '.join(SIDE_NAMES[side] for side in sides)} {phrase}"
        column = next(iter(sides.values()))
        lines_by_fault[name] = Lines(hypotheses, references, phrase, action, message, column=column)
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


def find_other_language(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find hypotheses in another script than the reference, or equal to their source."""
    lines = yield from texts.matching(_is_in_another_script)
    if len(lines) >= min_lines(texts.size):
        return Lines(lines, (), "are in another script than the reference")
    copies = [
        index
        for index, (source, text) in enumerate(
            zip(texts.texts.sources, texts.hypotheses, strict=False)
        )
        if source == text and text not in texts.references[index] and len(text.split()) > 2
    ]
    if len(copies) >= min_lines(texts.size):
        return Lines(copies, (), "are equal to their source")
    return None


def _is_in_another_script(text: str, references: Sequence[str]) -> bool:
    first = _script(text[:1])
    if first and first == _script("".join(references)[:1]):
        return False  # Most lines need no slow search.
    script, scripts = _main_script(text), set(map(_main_script, references))
    return bool(script) and script not in scripts and "" not in scripts


def cut_foreign(text: str, other: str) -> str:
    """Return a text without its first and last words in a script that its counterpart lacks.

    >>> cut_foreign("(Кот сидит) The cat sat", "A cat sat"), cut_foreign("Кот", "A cat")
    ('The cat sat', 'Кот')
    >>> cut_foreign("Так пишет The Times. The cat sat.", "A cat sat.")
    'The cat sat.'
    """
    if not _NO_ASCII_LETTER.search(text) and not _NO_ASCII_LETTER.search(other):
        return text
    scripts = set(map(_script, filter(str.isalpha, set(other))))
    words = text.split()
    found = [(k, set(map(_script, filter(str.isalpha, word)))) for k, word in enumerate(words)]
    kinds = [(k, each.isdisjoint(scripts)) for k, each in found if each]
    count = _foreign_count(kinds)
    end_count = _foreign_count(kinds[count:][::-1])
    if not count + end_count or count + end_count == len(kinds):
        return text
    start = kinds[count - 1][0] + 1 if count else 0
    end = kinds[-end_count][0] if end_count else len(words)
    if count and not words[start - 1].endswith(FINAL_MARKS):
        # The sentence may end with a name of one word or two.
        names = enumerate(words[start : min(start + 2, end - 1)], start + 1)
        start = next((k for k, name in names if re.search(r"[.!?…]\W?$", name)), start)
    return " ".join(words[start:end]).strip("-–—|/() ")


def _foreign_count(kinds: Sequence[tuple[int, bool]]) -> int:
    """Return how many first words are in another script, as most of them are.

    The others are names, for example.
    """
    count = foreign = 0
    for position, (_, is_foreign) in enumerate(kinds, 1):
        foreign += is_foreign
        if not foreign:
            break
        if is_foreign and 3 * foreign > 2 * position:
            count = position
    return count


_OPEN_REASONING: Final = re.compile(
    r"(?i)^\W{0,9}[<\[◁](\w*(?:think|thought|reason)\w*)[>\]▷](?!.*/\1[>\]▷])"
)
"""The beginning of reasoning that does not end, in the tags of several models."""


def find_unfinished(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find hypotheses that are reasoning only, which was cut off before the answer."""
    lines = yield from texts.matching(lambda text, _: bool(_OPEN_REASONING.search(text)))
    return Lines(lines, (), "are reasoning without an answer") if lines else None


def find_truncated(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find hypotheses that end in mid-sentence, far shorter than expected or all at one length."""
    lines = yield from texts.matching(
        lambda text, row: _is_cut(text, min(row, key=len)) and not _OPEN_REASONING.search(text)
    )
    cut = {texts.hypotheses[index] for index in lines}
    counts = Counter(text for text in texts.hypotheses if text in cut)
    lines = [index for index in lines if counts[texts.hypotheses[index]] < MIN_REPEATS]
    if texts.size >= 10 and len(lines) >= min_lines(texts.size):
        others = yield from texts.matching(lambda text, row: _is_cut(max(row, key=len), text))
        is_rare = len(lines) - 2 * len(others) < min_lines(texts.size)
        if not is_rare and not (yield from _is_usual_end(texts, lines)):
            return Lines(lines, (), "end in the middle of a sentence, far shorter than expected")
    return (yield from _find_length_limit(texts))


def _is_usual_end(texts: ParallelLines, lines: Sequence[int]) -> ProgressGenerator[bool]:
    """Return whether most hypotheses that are long enough have no final mark, either."""

    def is_complete(text: str, row: Sequence[str]) -> bool:
        is_long = len(text) >= CUT_SHARE * len(min(row, key=len))
        return is_long and any(line.rstrip().endswith(FINAL_MARKS) for line in row)

    cut = set(lines)
    complete = [i for i in (yield from texts.matching(is_complete)) if i not in cut]
    is_open = [not texts.hypotheses[i].rstrip().endswith(FINAL_MARKS) for i in complete]
    is_telling = len(is_open) > MIN_COMPLETE * texts.size
    return is_telling and 2 * sum(is_open) > len(is_open)


def _find_length_limit(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find hypotheses without a final mark that have the same length far too often."""

    def is_open(text: str, row: Sequence[str]) -> bool:
        has_end = len(text) < MIN_SENTENCE_CHARACTERS or text.endswith(FINAL_MARKS)
        return not has_end and any(len(text) < len(reference) for reference in row)

    by_size: dict[int, set[str]] = defaultdict(set)
    for index in (yield from texts.matching(is_open)):
        by_size[len(texts.hypotheses[index])].add(texts.hypotheses[index])
    size = max(by_size, key=lambda size: len(by_size[size]), default=0)
    nearby_count = sum(len(by_size.get(size + step, ())) for step in (-3, -2, -1, 1, 2, 3))
    if len(by_size[size]) < MIN_REPEATS + nearby_count:
        return None
    lines = [index for index, text in enumerate(texts.hypotheses) if text in by_size[size]]
    return Lines(lines, (), f"end after {size} characters, in the middle of a sentence")


def strip_ellipsis(text: str, complete: str) -> str:
    """Return a text without the ellipsis at its end, unless a complete one has it, too."""
    text = text.rstrip()
    is_open = text.endswith(ELLIPSES) and not complete.endswith(ELLIPSES)
    return text.rstrip(" .…") if is_open else text


def _is_cut(text: str, complete: str) -> bool:
    complete = complete.rstrip()
    text = strip_ellipsis(text, complete)
    if not text or text.endswith(FINAL_MARKS):
        return False
    if complete.endswith(FINAL_MARKS):
        return len(text) < CUT_SHARE * len(complete)
    return len(text) < 0.6 * len(complete) and len(complete) > MIN_SENTENCE_CHARACTERS


def find_repetition(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find the same output for many different references."""
    counts: Counter[str] = Counter()
    for start in range(0, texts.size, LINES_PER_SLICE):
        yield start, texts.size
        counts.update(texts.hypotheses[start : start + LINES_PER_SLICE])
    repeated = {text for text, count in counts.items() if count > 2 and text.strip()}
    if not repeated:
        return None
    rows = yield from texts.matching(
        lambda text, row: text in repeated or not repeated.isdisjoint(row)
    )
    expected = Counter(chain.from_iterable(texts.references[index] for index in rows))
    references: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for index in rows:
        references[texts.hypotheses[index]].add(tuple(texts.references[index]))
    min_count = max(3, texts.size / 40)
    repeated = {
        text for text in repeated if len(references[text]) >= max(min_count, 3 * expected[text])
    }
    lines = [index for index in rows if texts.hypotheses[index] in repeated]
    return Lines(lines, (), "have the same text for different references") if lines else None


def cut_loop(text: str, other: str = "") -> str:
    """Return a text with a phrase once that it repeats again and again, unless another one does.

    >>> cut_loop("a cat and so and so and so and so on"), cut_loop("so so")
    ('a cat and so on', 'so so')
    """
    loop = _loop_pattern(text)
    return text if loop is None or _loop_pattern(other) else loop.sub(r"\1", text)


def _loop_pattern(text: str) -> re.Pattern[str] | None:
    """Return the pattern of the loops in a text, or None if it has none."""
    words = text.split()
    if len(words) < MIN_REPEATS:
        loop = _CHARACTER_LOOP if len(text) > 20 else None
    else:
        loop = _WORD_LOOP if 3 * len(set(words)) <= 2 * len(words) else None
    return loop if loop and loop.search(text) else None


def find_empty(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find segments with an empty hypothesis or an empty first reference.

    An empty line of a further file is a reference that the segment lacks, as in WebNLG.
    """
    hypotheses = set((yield from texts.matching(lambda text, _: not text.strip())))
    references = yield from texts.matching(lambda _, row: not row[0].strip())
    if not hypotheses and not references:
        return None
    return Lines(hypotheses, set(references) - hypotheses, "are empty")


def find_identical(texts: ParallelLines) -> Lines | None:
    """Find a system that equals a reference or another system, or references of one text."""
    lines = range(texts.size)
    if texts.size < 2:
        return None
    columns = range(min(map(len, texts.references)))
    if any(all(row[column] == text for text, row in texts.rows) for column in columns):
        return Lines(lines, lines, "are equal")
    if any(texts.hypotheses == list(other) for other in texts.texts.systems[1:]):
        return Lines(lines, (), "are equal in two systems")
    if texts.size > 2 and len(set(texts.hypotheses)) > 1 == len(set(map(tuple, texts.references))):
        return Lines((), lines, "have the same text for different candidates")
    return None


def find_tokenized(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find tokenized text that is tokenized again; the references may be tokenized, too."""
    if token_unit(texts.settings.tokenizer) == "spaces":
        return None
    lines = yield from texts.matching(lambda text, _: detokenize(text) != text)
    periods = sum(texts.hypotheses[index].endswith((" .", " ,")) for index in lines)
    if periods < TOKENIZED_WARNING_LINES and not (periods and 2 * len(lines) > texts.size):
        return None
    phrase = "look already tokenized, and are tokenized again"
    references = yield from texts.matching(lambda _, row: list(map(detokenize, row)) != row)
    if 2 * len(set(lines) & set(references)) < len(lines):
        return Lines(lines, (), phrase)
    return Lines(lines, lines, phrase, "tokenizer:whitespace")


def find_script(texts: ParallelLines) -> ProgressGenerator[Lines | None]:
    """Find scripts without spaces that the tokenizer does not split."""
    tokenizer = texts.settings.tokenizer
    unit = token_unit(tokenizer)
    if unit not in {"spaces", "marks", "han"}:
        return None
    chinese = "" if unit == "han" else CHINESE_CHARACTERS
    unsplit = re.compile(f"[{UNSPACED_CHARACTERS}{chinese}]")

    def is_unsplit(text: str, _: Sequence[str]) -> bool:
        is_plain = text.isascii()
        return not is_plain and 2 * len(unsplit.findall(text)) > sum(map(str.isalpha, text))

    lines = yield from texts.matching(is_unsplit)
    if 2 * len(lines) <= texts.size:
        return None
    phrase = f"are in a script without spaces, which the tokenizer {tokenizer} does not split"
    sample = "".join(texts.hypotheses[index] for index in lines)
    return Lines(lines, lines, phrase, f"tokenizer:{unspaced_tokenizer(sample)}")
