"""Escaping of text for LaTeX: every engine prints every character, and none is a command."""

import re
import unicodedata
from typing import Final

from bleu.render.latex_math import GREEK

BREAK_INTERVAL: Final = 20
"""The number of characters of a word after which a line may break."""

ESCAPES: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "^": r"\textasciicircum{}", "_": r"\_", "~": r"\textasciitilde{}", "%": r"\%",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}", '"': r"\textquotedbl{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "‘": r"\textquoteleft{}", "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
    "–": r"\textendash{}", "—": r"\textemdash{}", "…": r"\ldots{}",
    "⟨": r"$\langle$", "⟩": r"$\rangle$", "−": "$-$", "·": r"$\cdot$", "×": r"$\times$",
    "∞": r"$\infty$", "√": r"$\surd$", "≈": r"$\approx$",
    **{index: f"$_{digit}$" for digit, index in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{power: f"$^{base}$" for power, base in zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱᵏ", "0123456789nik", strict=True)},
    "⁻": "$^-$", "′": "$'$",
    **{letter: f"${command}$" for letter, command in GREEK.items()},
}  # fmt: skip
"""The LaTeX source of each character that LaTeX would interpret or some engine cannot print."""

PRINTABLE_LATIN: Final = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ¡¿«»£§"
    "ĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"
)
"""The characters outside ASCII that pdflatex, xelatex and lualatex print unescaped."""

_JOINERS: Final = "\u200c\u200d"
_LIGATURE: Final = re.compile(r"([-,])(?=[-,])")
_SPACES: Final = re.compile(r" {2,}")


def escape(text: str) -> str:
    """Escape text so that every character prints and none is a command; long words may break.

    >>> escape("50% of_a"), escape("é 猫 \\x00")
    ('50\\\\% of\\\\_a', 'é \\\\uni{732B} \\\\code{0000}')
    """
    return " ".join(map(_escape_word, _SPACES.sub(" ", text).split(" ")))


def _escape_word(word: str) -> str:
    starts = range(0, len(word), BREAK_INTERVAL)
    pieces = ("".join(map(_escape_character, word[i : i + BREAK_INTERVAL])) for i in starts)
    return "\\allowbreak%\n".join(_LIGATURE.sub(r"\1\\/", piece) for piece in pieces)


def _escape_character(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character in PRINTABLE_LATIN or " " < character <= "~":
        return character
    hidden = unicodedata.category(character)[0] in "CZ" and character not in _JOINERS
    return rf"\{'code' if hidden else 'uni'}{{{ord(character):04X}}}"
