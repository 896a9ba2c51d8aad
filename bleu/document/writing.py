"""The writing of a text: its direction, and its language if the script reveals it."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_DIRECTIONS: Final = {"L": "ltr", "R": "rtl", "AL": "rtl"}
"""The direction of each strong bidirectional class of Unicode."""
_LANGUAGES: Final = {
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "LAO": "lo",
    "THAI": "th",
}
"""The language of a script, by the script's Unicode name, if no other common language uses it."""
MAX_CHARACTERS: Final = 200
"""The number of characters, from the start of a text, whose scripts are counted."""


@dataclass(frozen=True, slots=True)
class Writing:
    """The direction of a text, "ltr" or "rtl", and the code of its language, or ""."""

    direction: str = "ltr"
    language: str = ""


LEFT_TO_RIGHT: Final = Writing()
"""The default writing: from left to right, in an unknown language."""
ISOLATE_START, ISOLATE_END = "\u2068", "\u2069"
"""Unicode's first strong isolate and the character that ends it."""


def isolate(text: str) -> str:
    """Mark a name or text of the user within a sentence, for HTML; other formats drop the marks."""
    return f"{ISOLATE_START}{text}{ISOLATE_END}"


def without_isolates(text: str) -> str:
    """Return a text without the marks of `isolate`.

    >>> without_isolates(f"BLEU of {isolate('news-a')}")
    'BLEU of news-a'
    """
    return text.replace(ISOLATE_START, "").replace(ISOLATE_END, "")


def writing_of(text: str) -> Writing:
    """Return the direction and the language of a text.

    The first strong character decides the direction, as in `dir="auto"`; a text without one runs
    from left to right. A language is found if at least a third of the first letters, except Chinese
    characters, are of its script.

    >>> writing_of("3 חתולים ישבו"), writing_of("to mean שלום")
    (Writing(direction='rtl', language='he'), Writing(direction='ltr', language='he'))
    """
    if text.isascii():
        return LEFT_TO_RIGHT
    classes = map(unicodedata.bidirectional, text)
    direction = next((_DIRECTIONS[name] for name in classes if name in _DIRECTIONS), "ltr")
    letters = filter(str.isalpha, text[:MAX_CHARACTERS])
    scripts = (unicodedata.name(letter, "").partition(" ")[0] for letter in letters)
    # Chinese characters do not count, because Japanese has them, too.
    languages = Counter(_LANGUAGES.get(script, "") for script in scripts if script != "CJK")
    total = languages.total()
    del languages[""]
    [(language, count)] = languages.most_common(1) or [("", 0)]
    return Writing(direction, language if 3 * count >= total else "")


def word_directions(words: Sequence[str], direction: str) -> tuple[str, ...] | None:
    """Return the direction in which each word stands among its neighbours, "ltr" or "rtl".

    Browsers find it for the words of a text of this direction with spaces between. A number has the
    direction of the letter before it, and a sign that of its neighbours, if they have the same.
    Returns None if a word stands partly among neighbours of the other direction.

    >>> word_directions(["על", "5", "Windows", "—", "2019", "!", "יש"], "rtl")
    ('rtl', 'rtl', 'ltr', 'ltr', 'ltr', 'rtl', 'rtl')
    >>> word_directions(["ב-Windows", "Server"], "rtl")
    """
    if direction == "ltr" and all(map(str.isascii, words)):
        return (direction,) * len(words)
    last_letter = direction
    ends: list[tuple[str, str]] = []
    for word in words:
        classes = [unicodedata.bidirectional(character) for character in word]
        letters = [_DIRECTIONS[name] for name in classes if name in _DIRECTIONS]
        if letters:
            last_letter = letters[-1]
            ends.append((letters[0], last_letter))
        elif "AN" in classes:
            ends.append(("rtl", "rtl"))
        else:
            ends.append((last_letter, last_letter) if "EN" in classes else ("", ""))
    for index, (first, _) in enumerate(ends):
        if not first:
            before = ends[index - 1][1] if index else direction
            after = next((first for first, _ in ends[index:] if first), direction)
            ends[index] = (before, before) if before == after else (direction, direction)
    for (start, end), (next_start, next_end) in pairwise(ends):
        is_mixed = start != end or next_start != next_end
        if is_mixed and end == next_start != direction:
            return None
    return tuple(first if first == last else direction for first, last in ends)
