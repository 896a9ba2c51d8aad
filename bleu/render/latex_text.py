"""Text for LaTeX: every character prints, in every engine, and none is a command."""

import re
import unicodedata
from typing import Final

from bleu.render.latex_math import GREEK

PIECE: Final = 20
"""Characters of a word after which a line may break."""

WRITTEN: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "^": r"\textasciicircum{}", "_": r"\_", "~": r"\textasciitilde{}", "%": r"\%",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}", '"': r"\textquotedbl{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "‘": r"\textquoteleft{}", "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
    "–": r"\textendash{}", "—": r"\textemdash{}", "…": r"\ldots{}",
    "⟨": r"$\langle$", "⟩": r"$\rangle$", "−": "$-$", "·": r"$\cdot$", "×": r"$\times$",
    "∞": r"$\infty$", "√": r"$\surd$", "≈": r"$\approx$",
    **{index: f"$_{place}$" for place, index in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{letter: f"${command}$" for letter, command in GREEK.items()},
}  # fmt: skip
"""How a character is written that LaTeX would interpret, or that not every engine prints."""

LATIN: Final = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ¡¿«»£§"
    "ĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"
)
"""The characters outside ASCII that all three engines print as they are."""

_JOINERS = "\u200c\u200d"
_LIGATURE = re.compile(r"([-,])(?=[-,])")
_SPACES = re.compile(r" {2,}")


def escape(words: str) -> str:
    """Text in which every character prints, and none is a command; long words may be broken.

    >>> escape("50% of_a"), escape("é 猫 \\x00")
    ('50\\\\% of\\\\_a', 'é \\\\uni{732B} \\\\code{0000}')
    """
    return " ".join(map(_word, _SPACES.sub(" ", words).split(" ")))


def _word(word: str) -> str:
    pieces = (word[start : start + PIECE] for start in range(0, len(word), PIECE))
    written = ("".join(map(_character, piece)) for piece in pieces)
    return "\\allowbreak%\n".join(_LIGATURE.sub(r"\1\\/", piece) for piece in written)


def _character(character: str) -> str:
    if character in WRITTEN:
        return WRITTEN[character]
    if character in LATIN or " " < character <= "~":
        return character
    hidden = unicodedata.category(character)[0] in "CZ" and character not in _JOINERS
    return rf"\{'code' if hidden else 'uni'}{{{ord(character):04X}}}"
