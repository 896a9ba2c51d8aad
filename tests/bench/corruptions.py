"""Faults put into clean texts, written without the tables of the detectors."""

import html
import json
import random
import re
import unicodedata
from collections.abc import Callable
from typing import Final

Line = Callable[[random.Random, str], str]


def _double_escape(_: random.Random, line: str) -> str:
    return html.escape(html.escape(line))


def _numeric_escape(_: random.Random, line: str) -> str:
    return re.sub(r"['\"&<>]|[^\x00-\x7f\w]", lambda match: f"&#{ord(match[0])};", line)


def _moses_escape(_: random.Random, line: str) -> str:
    pairs = {"&": "&amp;", "|": "&#124;", "<": "&lt;", ">": "&gt;", "'": "&apos;"}
    pairs |= {'"': "&quot;", "[": "&#91;", "]": "&#93;"}
    return "".join(pairs.get(character, character) for character in line)


def _inside(mark: str) -> Line:
    """Return a corruption that puts a character into some words."""

    def insert(rng: random.Random, line: str) -> str:
        words = line.split(" ")
        for index, word in enumerate(words):
            if len(word) > 3 and (rng.random() < 0.3 or index == len(words) // 2):
                words[index] = f"{word[:2]}{mark}{word[2:]}"
        return " ".join(words)

    return insert


def _around(before: str, after: str) -> Line:
    return lambda _, line: f"{before}{line}{after}"


def _replace(*pairs: tuple[str, str]) -> Line:
    def replace(_: random.Random, line: str) -> str:
        for pattern, replacement in pairs:
            line = re.sub(pattern, replacement, line)
        return line

    return replace


def _full_width(_: random.Random, line: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in line)


def _superscript(_: random.Random, line: str) -> str:
    return line.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _pieces(rng: random.Random, word: str) -> list[str]:
    """Return a word cut into one to three pieces."""
    if len(word) < 4 or rng.random() < 0.4:
        return [word]
    cuts = sorted(rng.sample(range(1, len(word)), rng.randint(1, 2)))
    return [word[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]


def _subwords(join: Callable[[list[str]], str]) -> Line:
    return lambda rng, line: " ".join(join(_pieces(rng, word)) for word in line.split())


def _gpt(rng: random.Random, line: str) -> str:
    """Mark spaces as GPT-2 does; it cuts scripts without spaces into bytes."""
    return _subwords(lambda pieces: "Ġ" + " ".join(pieces))(rng, line) if " " in line else line


def _penn(_: random.Random, line: str) -> str:
    line = re.sub(r'"(\S)', r"`` \1", line).replace('"', " ''")
    line = re.sub(r"('s|n't|'m|'re|'ve|'ll|'d)\b", r" \1", line)
    line = re.sub(r"([,;:?!]|\.\.\.)(?=\s|$)", r" \1", line)
    line = re.sub(r"(?<![. ])\.$", " .", line)
    return re.sub(r"\(", "-LRB- ", re.sub(r"\)", " -RRB-", line))


def _moses(_: random.Random, line: str) -> str:
    """Tokenize as Moses does with -no-escape, because its escapes are a fault of their own."""
    line = re.sub(r"([\"(),;:?!%]|\.\.\.)", r" \1 ", line)
    line = re.sub(r"(?<=\w)'(?=\w)", " '", line)
    line = re.sub(r"(?<=\w)-(?=\w)", " @-@ ", line)
    return " ".join(re.sub(r"(?<![. ])\.$", " .", line).split())


def _spaced(_: random.Random, line: str) -> str:
    return " ".join(re.sub(r"([^\w\s'-])", r" \1 ", line).split())


def _cut(words: int) -> Line:
    return lambda _, line: " ".join(line.split()[:words])


def _cut_characters(size: int) -> Line:
    return lambda _, line: line[:size]


def _loop(rng: random.Random, line: str) -> str:
    words = line.split() or [line]
    return " ".join([*words, *(words[-rng.randint(1, 3) :] * rng.randint(5, 9))])


def _mojibake(codec: str) -> Line:
    def decode_wrongly(_: random.Random, line: str) -> str:
        return line.encode().decode(codec, "replace")

    return decode_wrongly


def _lost_characters(_: random.Random, line: str) -> str:
    return "".join(c if c.isascii() else "\ufffd" for c in line)


LINE_FAULTS: Final[dict[str, dict[str, Line]]] = {
    "escapes": {
        "HTML": lambda _, line: html.escape(line),
        "numeric": _numeric_escape,
        "Moses": _moses_escape,
        "double": _double_escape,
    },
    "normalization": {"NFD": lambda _, line: unicodedata.normalize("NFD", line)},
    "invisible": {
        "zero-width space": _inside("\u200b"),
        "soft hyphen": _inside("\u00ad"),
        "word joiner": _inside("\u2060"),
        "right-to-left marks": _around("\u200f", "\u200f"),
        "isolates": _around("\u2067", "\u2069"),
        "variation selector": _replace((r"([^\w\s])", "\\1\ufe0f")),
    },
    "punctuation": {
        "curly quotes": _replace((r'"(?=\w)', "“"), ('"', "”"), ("'", "’")),
        "guillemets": _replace((r'"(?=\w)', "« "), ('"', " »")),
        "dash": _replace(("-", "–")),
        "ellipsis": _replace((r"\.\.\.", "…")),
        "no-break space": _replace((r" (?=\w{1,3}\b)", "\u00a0")),
    },
    "compatibility": {
        "ligatures": _replace(("ffi", "ﬃ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("st", "ﬆ")),
        "full width": _full_width,
        "superscripts": _superscript,
    },
    "case": {
        "lower": lambda _, line: line.lower(),
        "upper": lambda _, line: line.upper(),
        "true case": lambda _, line: line[:1].lower() + line[1:],
    },
    "tokenized": {"Moses": _moses, "Penn": _penn, "spaced": _spaced},
    "subwords": {
        "BPE": _subwords("@@ ".join),
        "SentencePiece": _subwords(lambda pieces: "▁" + " ".join(pieces)),
        "WordPiece": _subwords(" ##".join),
        "GPT": _gpt,
        "end of word": _subwords(lambda pieces: " ".join(pieces) + "</w>"),
    },
    "special-tokens": {
        "sentence": _around("<s> ", " </s>"),
        "end": _around("", "</s>"),
        "padding": _around("", " <pad> <pad> <pad>"),
        "BERT": _around("[CLS] ", " [SEP]"),
        "chat": _around("", "<|endoftext|>"),
    },
    "lost-words": {
        "unknown": lambda rng, line: " ".join(
            "<unk>" if rng.random() < 0.15 else word for word in line.split()
        ),
    },
    "chatter": {
        "prefix": _around("Translation: ", ""),
        "sentence": _around("Sure, here is the translation: ", ""),
        "suffix": _around("", " I hope this helps!"),
        "fence": _around("```", "```"),
    },
    "frame": {"quotes": _around('"', '"')},
    "truncated": {"words": _cut(9), "characters": _cut_characters(50)},
    "repetition": {"loop": _loop},
    "empty": {"nothing": _cut_characters(0), "spaces": lambda _, line: " " * len(line)},
    "encoding": {
        "Windows-1252": _mojibake("cp1252"),
        "Latin-1": _mojibake("latin-1"),
        "replacement": _lost_characters,
    },
}
"""By fault and variant, a function that corrupts a line."""

Pair = tuple[list[str], list[str]]
Corpus = Callable[[random.Random, list[str], list[str], list[str] | None, float], Pair | None]


def _misaligned(rng, hypotheses, references, sources, share) -> Pair:
    """Shift a run of lines by one or two: extra lines before it, as many lost after it."""
    size = len(hypotheses)
    count = round(share * size)
    by = rng.choice([1, 1, 2])
    start = rng.randint(0, size - count)
    run = hypotheses[start : start + count - by]
    extra = rng.sample(hypotheses, by)
    return hypotheses[:start] + extra + run + hypotheses[start + count :], references


def _shuffled(rng, hypotheses, references, sources, share) -> Pair:
    """Exchange lines in a cycle, so that each of them moves."""
    moved = rng.sample(range(len(hypotheses)), round(share * len(hypotheses)))
    output = hypotheses.copy()
    for source, target in zip(moved, moved[1:] + moved[:1], strict=True):
        output[target] = hypotheses[source]
    return output, references


def _length_mismatch(rng, hypotheses, references, sources, share) -> Pair:
    """Lose a line, so that a share of the lines comes after it."""
    index = round((1 - share) * (len(hypotheses) - 1))
    return hypotheses[:index] + hypotheses[index + 1 :], references


def _same_output(rng, hypotheses, references, sources, share) -> Pair:
    output = rng.choice(hypotheses)
    chosen = set(rng.sample(range(len(hypotheses)), round(share * len(hypotheses))))
    return [output if i in chosen else line for i, line in enumerate(hypotheses)], references


def _untranslated(rng, hypotheses, references, sources, share) -> Pair | None:
    if sources is None:
        return None
    chosen = set(rng.sample(range(len(hypotheses)), round(share * len(hypotheses))))
    return [sources[i] if i in chosen else line for i, line in enumerate(hypotheses)], references


def _whole(wrap: Callable[[int, str], str], *, both: bool = True) -> Corpus:
    """Return a corruption of all lines, as a file has them in another format."""

    def corrupt(rng, hypotheses, references, sources, share) -> Pair | None:
        if share < 1:
            return None
        wrapped = [
            [wrap(number, line) for number, line in enumerate(lines, 1)]
            for lines in (hypotheses, references)
        ]
        return wrapped[0], wrapped[1] if both else references

    return corrupt


def _identical(rng, hypotheses, references, sources, share) -> Pair | None:
    return (references.copy(), references) if share == 1 else None


def _segment_markup(number: int, line: str) -> str:
    return f'<seg id="{number}"> {html.escape(line, quote=False)} </seg>'


CORPUS_FAULTS: Final[dict[str, dict[str, Corpus]]] = {
    "markup": {
        "segments": _whole(_segment_markup),
        "one side": _whole(_segment_markup, both=False),
    },
    "json": {
        "objects": _whole(lambda n, line: json.dumps({"id": n, "text": line})),
        "one side": _whole(lambda _, line: json.dumps({"mt": line}), both=False),
    },
    "table": {
        "tabs": _whole(lambda n, line: f"{n}\t{line}"),
        "one side": _whole(lambda n, line: f"news-{n}\t{line}\ten", both=False),
    },
    "misaligned": {"shifted": _misaligned},
    "shuffled": {"cycle": _shuffled},
    "length-mismatch": {"lost line": _length_mismatch},
    "other-language": {"source": _untranslated},
    "repetition": {"same output": _same_output},
    "identical": {"reference": _identical},
}
"""By fault and variant, a function that corrupts a corpus, or returns None if it cannot."""


def corrupt_lines(rng: random.Random, lines: list[str], corrupt: Line, share: float) -> list[str]:
    """Return lines of which a share is corrupted: first of all those that the fault changes."""
    corrupted = [corrupt(rng, line) for line in lines]
    order = rng.sample(range(len(lines)), len(lines))
    order.sort(key=lambda index: corrupted[index] == lines[index])
    chosen = set(order[: round(share * len(lines))])
    return [corrupted[i] if i in chosen else line for i, line in enumerate(lines)]
