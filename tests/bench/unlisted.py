"""Differences outside every list of the check-up, put into clean texts, and judged without names.

A corruption is found if the first finding costs what undoing it gains: within 0.5 points or 30 %.
"""

import html
import json
import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from urllib.parse import quote, quote_plus

from bleu import check_corpus
from tests.bench.checkup_texts import TextSet
from tests.bench.corruptions import Line, corrupt_lines

MIN_COST: Final = 0.005
"""The cost in [0, 1] from which a corruption must be found."""
CLOSE: Final = 0.3
"""The largest difference between the cost told and the true cost, as a share of the latter."""

_PREFIXES: Final = (
    "eng_Latn ", ">>eng<< ", "<2en> ", "__en__ ", "[EN] ", "en: ", "ENGLISH\t", "Output - ",
    "=> ", "-> ", "> ", "* ", "- ", "• ", "# ", "1) ", "Q: ", "A: ", "[INST] ", "Assistant: ",
    "assistant\n", "System 1: ", "Übersetzung: ", "Traduction : ", "翻訳：", "답: ", "Перевод: ",
    "الترجمة: ", "Final answer = ", "<translation>", "<t>", "~", "§ ", "=== ", "0.98 ",
    "score=-1.25 ", "Speaker A: ", "NARRATOR: ", "(whispering) ", "[music] ", "♪ ",
    "http://x.org/7 ", "<p class='x'>", "<BOS> ", "[BOS] ", "Here you go, my friend: ",
    "As an AI, I say: ", "Okay so basically ", "Of course, boss. ",
)  # fmt: skip
_SUFFIXES: Final = (
    " (translated by a machine)", " [end]", " <EOS>", " ###", " ---", " _eos", " \\n", " 0.87",
    "</p>", " (Applause)", " ♪", " #1", " ~", " © 2026", " Thanks for watching the show.",
    " Let me know about more texts!", " <br/>", " END", " [Note: this is informal.]", " |||",
)  # fmt: skip
_SPACES: Final = ("_", "+", "\u2581", "%20", "\u00b7", "|", "<space>", " / ")
_CODE_PAGES: Final = (
    ("utf-8", "cp1251"), ("utf-8", "cp437"), ("utf-8", "mac_roman"), ("utf-8", "cp850"),
    ("utf-8", "koi8-r"), ("utf-8", "cp1250"), ("cp1251", "latin-1"), ("koi8-r", "cp1251"),
    ("gbk", "latin-1"), ("euc_kr", "latin-1"),
)  # fmt: skip
_EXCHANGES: Final = {
    "Cyrillic a, e, o": ("aeo", "аео"), "Greek o": ("o", "ο"), "dotless i": ("i", "ı"),
    "long s": ("s", "ſ"), "Arabic yeh": ("ي", "ی"), "Arabic alef": ("ا", "أ"),
    "Arabic digits": ("0123456789", "٠١٢٣٤٥٦٧٨٩"), "masked digits": ("123456789", "000000000"),
    "e for ё": ("ё", "е"), "e for э": ("ео", "ёо"), "ß for v": ("v", "ß"),
    "zh 0": ("\u4e00\u4e07\u4e0e", "\u58f9\u842c\u8207"), "Thai ิ": ("ิ", "ี"),
}  # fmt: skip


def _plain(function) -> Line:
    return lambda _, line: function(line)


def _exchange(pair: tuple[str, str], line: str) -> str:
    return line.translate(str.maketrans(*pair))


def _misread(right: str, wrong: str, line: str) -> str:
    return line.encode(right, "ignore").decode(wrong, "ignore")


def _strip_accents(line: str) -> str:
    decomposed = unicodedata.normalize("NFD", line)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _join_marks(mark: str, line: str) -> str:
    return re.sub(r"(\w{3})(\w{2,})", rf"\1{mark}\2", line)


def _placeholders(token: str, rng: random.Random, line: str) -> str:
    return " ".join(token if rng.random() < 0.2 else word for word in line.split())


def _entities(line: str) -> str:
    return html.escape(line).encode("ascii", "xmlcharrefreplace").decode()


def _vowel_signs(line: str) -> str:
    return re.sub(r"([\u0628-\u064a])", "\\1\u064e", line)


UNLISTED: Final[dict[str, Line]] = {
    **{f"begin {text!r}": _plain(f"{text}{{}}".format) for text in _PREFIXES},
    **{f"end {text!r}": _plain(f"{{}}{text}".format) for text in _SUFFIXES},
    **{f"{mark!r} for spaces": _plain(lambda line, m=mark: line.replace(" ", m))
       for mark in _SPACES},
    **{f"{right} as {wrong}": _plain(partial(_misread, right, wrong))
       for right, wrong in _CODE_PAGES},
    **{name: _plain(partial(_exchange, pair)) for name, pair in _EXCHANGES.items()},
    **{f"{mark!r} in words": _plain(partial(_join_marks, mark))
       for mark in ("+ +", "￭ ", " ·", "-~", "| ", "^")},
    **{f"{token} for words": partial(_placeholders, token) for token in ("UNK", "[X]", "⁇", "***")},
    "thinking": _plain("<think>Let me see what it says.</think>\n{}".format),
    "thinking, cut": _plain("I think about this text first.</think> {}".format),
    "bold": _plain("**{}**".format),
    "italics": _plain("_{}_".format),
    "tags": _plain("<p>{}</p>".format),
    "tag and id": lambda rng, line: f"<s id='{rng.randrange(999)}'>{line}</s>",
    "times": lambda rng, line: f"[00:{rng.randrange(10, 60)}.{rng.randrange(100, 999)}] {line}",
    "log": lambda rng, line: f"H-{rng.randrange(999)}\t-0.{rng.randrange(1000, 9999)}\t{line}",
    "numbers": lambda rng, line: f"{rng.randrange(1, 400)}. {line}",
    "token list": _plain(lambda line: repr(line.split())),
    "bytes": _plain(lambda line: repr(line.encode())),
    "JSON string": _plain(json.dumps),
    "JSON object": _plain(lambda line: json.dumps({"mt": line}, ensure_ascii=False)),
    "escaped": _plain(lambda line: line.encode("unicode_escape").decode()),
    "URL": _plain(quote),
    "form": _plain(quote_plus),
    "entities": _plain(_entities),
    "spaced": _plain(lambda line: " ".join(line.replace(" ", "  "))),
    "no spaces": _plain(lambda line: line.replace(" ", "")),
    "no punctuation": _plain(lambda line: re.sub(r"[^\w\s]", "", line)),
    "spaced signs": _plain(lambda line: re.sub(r"([^\w\s])", r" \1 ", line)),
    "no accents": _plain(_strip_accents),
    "vowel signs": _plain(_vowel_signs),
    "question marks": _plain(lambda line: line.encode("ascii", "replace").decode()),
    "ASCII": _plain(lambda line: line.encode("ascii", "ignore").decode()),
    "title case": _plain(str.title),
    "swapped case": _plain(str.swapcase),
    "reversed words": _plain(lambda line: " ".join(line.split()[::-1])),
    "reversed": _plain(lambda line: line[::-1]),
    "twice": _plain("{0} {0}".format),
    "tags inside": _plain(lambda line: re.sub(r"(\w{5,})", r"<b>\1</b>", line)),
    "footnotes": _plain(lambda line: re.sub(r"(\w{7,})", r"\1[3]", line)),
}  # fmt: skip
"""By name, a function that corrupts a line in a way that the check-up has no name for."""
CONTAINERS: Final = {"json", "table", "markup", "format"}
"""Faults of files of which the texts are read, so that they are not scored as they are."""
SHARES: Final = (0.05, 0.2, 1.0)


@dataclass(slots=True)
class Judgement:
    """How many corruptions cost enough, and how many have the right cost; and the others."""

    total: int = 0
    right: int = 0
    misses: list[str] = field(default_factory=list)


def unlisted_corruptions(
    clean: TextSet, rng: random.Random
) -> Iterator[tuple[str, float, list[str]]]:
    """Yield (name, share, hypotheses) of all corruptions."""
    for name, corrupt in UNLISTED.items():
        for share in SHARES:
            yield name, share, corrupt_lines(rng, clean.hypotheses, corrupt, share)


def judge_costs(sets: Sequence[TextSet], score, every: int = 1, seed: int = 1) -> Judgement:
    """Return in how many corruptions the first finding has the true cost; each n-th is tried.

    `score` is a function of a set.
    """
    judgement = Judgement()
    for clean in sets:
        rng = random.Random(f"{seed} {clean.name}")
        clean_score = score(clean)
        for number, (name, share, output) in enumerate(unlisted_corruptions(clean, rng)):
            texts = TextSet(clean.name, output, clean.references, None, clean.tokenizer)
            cost = clean_score - score(texts)
            if number % every or cost < MIN_COST:
                continue
            rows = [[line] for line in clean.references]
            first = next(iter(check_corpus(output, rows, tokenizer=clean.tokenizer)), None)
            told = first.cost if first else None
            judgement.total += 1
            is_read = first is not None and first.name in CONTAINERS
            is_close = told is not None and abs(told - cost) <= max(MIN_COST, CLOSE * cost)
            if is_read or is_close:
                judgement.right += 1
            else:
                finding = f"{first.name}, {100 * (told or 0):.2f}" if first else "nothing"
                where = f"{share:.0%} of {clean.name}"
                judgement.misses.append(f"{name} in {where}: {100 * cost:.2f}; told: {finding}")
    return judgement
