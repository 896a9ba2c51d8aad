"""Tables as LaTeX tabular environments with the rules of the package booktabs, for a paper."""

from collections.abc import Iterable
from typing import Final

from bleu.document.blocks import Block, Cell, Paragraph, Table
from bleu.render import text
from bleu.render.latex import ESCAPES

_SPECIAL: Final = str.maketrans({char: ESCAPES[char] for char in "\\{}$&#_~^%<>|[*−⟨⟩₀₁₂₃₄₅₆₇₈₉"})
"""Escapes of characters that LaTeX interprets ([ and * only after a row) or needs math mode for."""


def blocks(content: Iterable[Block]) -> str:
    r"""Render tables as tabular environments, and the paragraphs between them as text.

    Raises TypeError for any other kind of block.

    >>> from bleu.document.blocks import Row
    >>> table = Table("scores", "Scores", ("System", "BLEU"), (Row(("a_1.txt", "36.39")),))
    >>> print(blocks([table]), end="")
    \begin{tabular}{lr}
    \toprule
    System & BLEU \\
    \midrule
    a\_1.txt & 36.39 \\
    \bottomrule
    \end{tabular}
    """
    return "\n\n".join(map(_block, content)) + "\n"


def rows(table: Table, comment: str) -> str:
    r"""Render the rows of a table below a comment, for pasting into a table with these columns.

    >>> from bleu.document.blocks import Row
    >>> table = Table("scores", "Scores", ("System", "BLEU"), (Row(("a", "36.39")),))
    >>> print(rows(table, "nrefs:1"), end="")
    % nrefs:1
    a & 36.39 \\
    """
    return "".join([f"% {comment}\n", *(f"{_line(row.cells)}\n" for row in table.rows)])


def escape(text: str) -> str:
    r"""Escape every character that LaTeX may interpret.

    >>> print(escape("50% of a_b {c}"))
    50\% of a\_b \{c\}
    """
    return text.translate(_SPECIAL)


def _block(block: Block) -> str:
    match block:
        case Paragraph(spans):
            return escape(text.spans(spans))
        case Table():
            return _table(block)
        case _:
            raise TypeError(f"a block has type {type(block).__name__}; give paragraphs and tables")


def _table(table: Table) -> str:
    columns = "l" + "r" * (len(table.headers) - 1)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            _line(table.headers),
            r"\midrule",
            *(_line(row.cells) for row in table.rows),
            *([r"\midrule", _line(table.foot.cells)] if table.foot else []),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _line(cells: Iterable[Cell]) -> str:
    return " & ".join(escape(text.span(cell)) for cell in cells) + r" \\"
