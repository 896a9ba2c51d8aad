"""Blocks that stand alone, as a LaTeX tabular to put into a paper."""

from collections.abc import Iterable
from typing import Final

from bleu.document.blocks import Block, Cell, Paragraph, Table
from bleu.render import text
from bleu.render.latex_text import WRITTEN

_SPECIAL: Final = str.maketrans({one: WRITTEN[one] for one in "\\{}$&#_~^%<>|[*−⟨⟩₀₁₂₃₄₅₆₇₈₉"})
"""What LaTeX would interpret, at the end of a row too, and signs that it has in formulas alone."""


def blocks(content: Iterable[Block]) -> str:
    r"""Tables as tabular environments, and the paragraphs between them as text.

    Raises TypeError for other kinds of block.

    >>> from bleu.document.blocks import Row
    >>> table = Table("scores", "Scores", ("System", "BLEU"), (Row(("a_1.txt", "36.39")),))
    >>> print(blocks([table]), end="")
    \begin{tabular}{lr}
    \hline
    System & BLEU \\
    \hline
    a\_1.txt & 36.39 \\
    \hline
    \end{tabular}
    """
    return "\n\n".join(map(_block, content)) + "\n"


def escape(words: str) -> str:
    r"""Text in which every character that LaTeX may interpret is escaped.

    >>> print(escape("50% of a_b {c}"))
    50\% of a\_b \{c\}
    """
    return words.translate(_SPECIAL)


def _block(block: Block) -> str:
    match block:
        case Paragraph(spans):
            return "".join(escape(text.span(span)) for span in spans)
        case Table():
            return _table(block)
        case _:
            raise TypeError(f"a tabular has no form for {type(block).__name__}")


def _table(table: Table) -> str:
    columns = "l" + "r" * (len(table.headers) - 1)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"\hline",
            _line(table.headers),
            r"\hline",
            *(_line(row.cells) for row in table.rows),
            r"\hline",
            r"\end{tabular}",
        ]
    )


def _line(cells: Iterable[Cell]) -> str:
    return " & ".join(escape(text.span(cell)) for cell in cells) + r" \\"
