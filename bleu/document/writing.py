"""The writing of a text: its direction, and its language if the script reveals it."""

import unicodedata
from collections import Counter
from dataclasses import dataclass
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
