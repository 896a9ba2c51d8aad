"""The kinds of faults: the name of each, what it is, its remedy, and an example as its test."""

import html
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault.

    - `description`: what it is, in a noun phrase.
    - `remedy`: the label of its repair, or "" if no repair undoes it.
    - `advice`: a sentence on what to do without a repair, or "".
    - `strings`: a regular expression; discovered strings around lines are of the first kind that
      it matches.
    - `example`: a function that puts the fault into a line, if lines can have it one by one;
      `file_example`: into all lines of a file. The check-up must find it by name in such lines.
    - `is_of_both_sides`: whether both sides must have the example.
    - `is_spelling`: whether varieties of a language differ so, too.
    """

    description: str
    remedy: str = ""
    strings: str = ""
    example: Callable[[str], str] | None = None
    file_example: Callable[[list[str]], list[str]] | None = None
    is_of_both_sides: bool = False
    is_spelling: bool = False
    advice: str = ""


def _shift_letters(line: str) -> str:
    """Write Cyrillic letters that look like Latin ones."""
    return line.translate(str.maketrans("aeocpxAEOCP", "аеосрхАЕОСР"))


def _misread(line: str) -> str:
    """Read UTF-8 as Windows-1252."""
    return line.encode().decode("cp1252", "replace").replace("\ufffd", "\x9d")


def _mix_words(lines: list[str]) -> list[str]:
    """Write texts of the same words, none of which belongs to a line."""
    words = " ".join(lines).split()
    return [" ".join(words[index :: len(lines)]) for index in range(len(lines))]


def _subtitles(lines: list[str]) -> list[str]:
    times = (f"00:{index // 60:02}:{index % 60:02},000" for index in range(len(lines)))
    blocks = ([str(k), f"{time} --> {time}", lines[k - 1], ""] for k, time in enumerate(times, 1))
    return [line for block in blocks for line in block]


def _widen_digits(line: str) -> str:
    return line.translate({code: chr(code + 0xFEE0) for code in range(ord("0"), ord("9") + 1)})


_OPEN: Final = "Open them as a file, or paste them into an empty box, to score their texts."

KINDS: Final[Mapping[str, Kind]] = {
    "markup": Kind(
        "SGML or XML read as text",
        file_example=lambda lines: [f'<seg id="{k}">{line}</seg>' for k, line in enumerate(lines)],
        advice=_OPEN,
    ),
    "json": Kind(
        "JSON read as text",
        file_example=lambda lines: [json.dumps({"mt": line}) for line in lines],
        advice=_OPEN,
    ),
    "table": Kind(
        "delimited columns read as text",
        file_example=lambda lines: [f"{k}\t{line}" for k, line in enumerate(lines)],
        advice=_OPEN,
    ),
    "format": Kind("another format read as text", file_example=_subtitles, advice=_OPEN),
    "line-ends": Kind(
        "line ends of old Macs",
        "Split the lines",
        file_example=lambda lines: ["\r".join(lines)],
    ),
    "unrelated": Kind(
        "lines that match those of the other side only by chance",
        file_example=_mix_words,
        advice="Check that both files are of the same texts, in the same order.",
    ),
    "length-mismatch": Kind(
        "different numbers of lines", "Align the lines", file_example=lambda lines: lines[1:]
    ),
    "misaligned": Kind(
        "lines shifted against the other side",
        "Align the lines",
        file_example=lambda lines: ["An extra line.", *lines[:-1]],
    ),
    "shuffled": Kind(
        "lines in another order than the other side",
        "Put the lines in order",
        file_example=lambda lines: lines[::-1],
    ),
    "special-tokens": Kind(
        "special tokens of a model",
        "Remove the special tokens",
        r"(?i)</?s>|<[|｜].*[|｜]>|<(?:pad|bos|eos|mask|sep|cls|end|unk)>|\[/?(?:CLS|SEP|PAD|INST)\]"
        r"|<\w+_of_turn>|<extra_id_",
        "<s> {} </s>".format,
    ),
    "escapes": Kind(
        "escapes of HTML, XML or Moses",
        "Resolve the escapes",
        example=lambda line: html.escape(line.replace("e", "&", 1)),
    ),
    "normalization": Kind(
        "composed and decomposed accents",
        "Compose the accents",
        example=lambda line: unicodedata.normalize("NFD", line),
    ),
    "bom": Kind("a byte order mark", "Remove the byte order mark", example="\ufeff{}".format),
    "invisible": Kind(
        "characters without width",
        "Remove the hidden characters",
        example=lambda line: line.replace(" ", "\u200b "),
    ),
    "compatibility": Kind(
        "ligatures, full-width forms and the like",
        "Replace the special forms",
        example=_widen_digits,
    ),
    "subwords": Kind(
        "marks of subwords",
        "Join the subwords",
        example=lambda line: " ".join(f"▁{word}" for word in line.split()),
    ),
    "encoding": Kind(
        "characters that were decoded wrongly",
        "Decode them again",
        example=_misread,
        advice="Lost characters cannot be restored here: write the file again, as UTF-8.",
    ),
    "frame": Kind(
        "ids, labels, quotes or other texts beside the text",
        "Remove what is beside the text",
        example="eng_Latn {}".format,
    ),
    "reasoning": Kind(
        "the reasoning of a model",
        "Remove the reasoning",
        r"(?i)think|thought|reason|channel",
        "<think>Let us see what this says.</think> {}".format,
        advice="Allow a longer output, and translate these lines again.",
    ),
    "chatter": Kind(
        "words around the translation",
        "Remove these words",
        r"^(?=.*(?:[^\W\d_]{2}|`))[^\d_<>\[\]{}|#=/\\]*$",
        "Sure, here is the translation: {}".format,
    ),
    "tokenized": Kind(
        "tokenization",
        "Undo the tokenization",
        example=lambda line: re.sub(r"(\w)([.,])(?= |$)", r"\1 \2", line),
    ),
    "spacing": Kind(
        "spaces",
        "Restore the spaces",
        example=lambda line: " ".join(line.replace(" ", "  ")),
        is_spelling=True,
    ),
    "letters": Kind(
        "other letters, accents or digits",
        "Replace the letters",
        example=_shift_letters,
        is_spelling=True,
    ),
    "punctuation": Kind(
        "forms of quotes, dashes and ellipses",
        "Straighten quotes and dashes",
        example=lambda line: line.replace("'", "’"),
        is_spelling=True,
    ),
    "case": Kind("upper and lower case", example=str.upper, is_spelling=True),
    "overlong": Kind(
        "much text before or after the translation",
        example=lambda line: " ".join([line, *sorted(line.split()), *line.split()[::-1]]),
        advice="End the output where the translation ends.",
    ),
    "lost-words": Kind(
        "words that a placeholder stands for",
        example=lambda line: " ".join(
            "UNK" if index % 4 == 2 else word for index, word in enumerate(line.split())
        ),
        advice="Lost words cannot be restored here.",
    ),
    "script": Kind(
        "a script without spaces",
        example=lambda line: "今天天气很好" + "好" * (len(line) % 9),
        is_of_both_sides=True,
    ),
    "other-language": Kind(
        "another script than the reference, or the source itself",
        example=lambda _: "Правительство сообщило в понедельник о новом законе.",
        advice="Check that the right file was chosen, and the languages of the system.",
    ),
    "truncated": Kind(
        "texts cut off",
        example=lambda line: " ".join(line.split()[:7]).rstrip(".,"),
        advice="Allow a longer output, and translate these lines again.",
    ),
    "repetition": Kind(
        "loops, or the same output again and again",
        "Remove the repetition",
        example=lambda line: line + " and so on" * 6,
        advice="Translate these lines again.",
    ),
    "empty": Kind(
        "empty lines",
        example=lambda _: "",
        advice="Fill these lines, or remove them from both files.",
    ),
    "identical": Kind(
        "the same text twice",
        file_example=lambda lines: [f"This is line {k}." for k in range(len(lines))],
        is_of_both_sides=True,
        advice="Check that the right files were chosen.",
    ),
}
"""The kinds of faults by name, in the order in which `repair_corpus` undoes what is exact."""

FAULTS: Final[Mapping[str, str]] = {name: kind.description for name, kind in KINDS.items()}
"""Descriptions of the faults by name."""

REMEDIES: Final[Mapping[str, str]] = {
    **{f"repair:{name}": kind.remedy for name, kind in KINDS.items() if kind.remedy},
    "tokenizer:whitespace": "Split at white space only",
    "lowercase": "Lowercase the texts",
    "words": "Lowercase the texts, and use tokenizer 13a",
    "swap": "Swap them",
    "tokens": "Read the list as tokens",
}
"""Labels of actions; `tokenizer:NAME` has the label “Use tokenizer NAME” by default."""


def frame_name(string: str) -> str:
    """Return the kind of a string that lines of one side begin or end with.

    >>> list(map(frame_name, ("</s>", "<think> </think>", "The answer:", "eng_Latn", "12.")))
    ['special-tokens', 'reasoning', 'chatter', 'frame', 'frame']
    """
    kinds = ((name, kind.strings) for name, kind in KINDS.items() if kind.strings)
    return next((name for name, pattern in kinds if re.search(pattern, string)), "frame")
