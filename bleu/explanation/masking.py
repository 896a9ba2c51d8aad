"""Masking of documents: blanks replace chosen quantities, and revealing blocks are hidden."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from bleu.document.blocks import (
    Blank,
    Block,
    Content,
    Document,
    MarkableTokens,
    Paragraph,
    Row,
    SolutionBlock,
    Step,
    Table,
    TokenList,
    VisibleBlock,
    paragraph,
)
from bleu.document.expressions import Equation, Sym

SYMBOLS = {"c": Sym("c"), "r": Sym("r"), "bp": Sym("BP"), "gm": Sym("GM"), "bleu": Sym("BLEU")}
"""The symbols of the quantities without an n-gram order, by name."""


def mask(document: Document, blanks: Mapping[str, Blank], *, rows: bool = False) -> Document:
    """Return the document with the named quantities blanked and revealing blocks hidden.

    With `rows`, the tables of n-grams stay visible, with a blank for every count. A blank named
    `words` makes the tokens of the hypothesis markable.

    Raises TypeError if the document is masked already.
    """
    return replace(document, steps=tuple(_mask_step(step, blanks, rows) for step in document.steps))


def fill_answers(block: VisibleBlock) -> VisibleBlock:
    """Return the block with the answers in its blanks."""
    match block:
        case MarkableTokens():
            return block.tokens
        case Paragraph(spans):
            filled = (span.content if isinstance(span, Blank) else span for span in spans)
            return replace(block, spans=tuple(filled))
        case Table(rows=rows, foot=foot):
            filled_foot = _fill_row(foot) if foot else None
            return replace(block, rows=tuple(map(_fill_row, rows)), foot=filled_foot)
        case _:
            return block


def _fill_row(row: Row) -> Row:
    cells = (cell.content if isinstance(cell, Blank) else cell for cell in row.cells)
    return replace(row, cells=tuple(cells))


def quantity_symbol(name: str) -> Sym:
    """Return the symbol of a quantity: p-2 is p with index 2."""
    kind, _, n = name.partition("-")
    return SYMBOLS[name] if name in SYMBOLS else Sym(kind, index=n)


def _mask_step(step: Step, blanks: Mapping[str, Blank], rows: bool) -> Step:
    blocks: list[Block] = []
    for i, block in enumerate(step.blocks):
        if isinstance(block, Table) and block.name == "ngrams" and rows:
            n = step.anchor.removeprefix("precision-")
            if f"matched-{n}" in blanks:
                blocks.append(_mask_ngram_table(block, n, blanks))
                continue
        question = _count_question(step, blanks, rows) if i == 0 else ()
        blocks.append(SolutionBlock(_check_unmasked(block), question or _question(block, blanks)))
    return replace(step, blocks=tuple(blocks))


def _check_unmasked(block: Block) -> VisibleBlock:
    if isinstance(block, SolutionBlock):
        raise TypeError("the document has blanks already; mask the original")
    return block


def _question(block: Block, blanks: Mapping[str, Blank]) -> tuple[VisibleBlock, ...]:
    """Return the question that replaces an equation or the tokens to mark, if it has a blank."""
    if isinstance(block, TokenList) and block.kinds and "words" in blanks:
        return (MarkableTokens(blanks["words"].name, blanks["words"].label, block),)
    if isinstance(block, Equation) and not block.left.is_primed:
        for name, blank in blanks.items():
            symbol = quantity_symbol(name)
            if (symbol.name, symbol.index) == (block.left.name, block.left.index):
                return (paragraph(symbol, " = ", blank),)
    return ()


def _count_question(
    step: Step, blanks: Mapping[str, Blank], rows: bool
) -> tuple[VisibleBlock, ...]:
    """Return the question for the counts and lengths of a step, which have no equation."""
    anchor = step.anchor
    orders = [name.removeprefix("total-") for name in blanks if name.startswith("total-")]
    if anchor == "sums" and orders:
        lines = (("credited", "matched"), ("in the candidates", "total"))
        table_rows = tuple(
            Row((label, *(blanks[f"{kind}-{n}"] for n in orders)))
            for label, kind in lines
            if f"{kind}-{orders[0]}" in blanks
        )
        headers = ("All segments together", *(f"{n}-grams" for n in orders))
        return (Table("asked", "Sums over the segments", headers, table_rows),)
    n = anchor.removeprefix("precision-")
    if anchor == f"precision-{n}" and n in orders and not rows:
        return (
            paragraph(
                f"Credited {n}-grams: ", blanks[f"matched-{n}"],
                f"; {n}-grams of the candidate: ", blanks[f"total-{n}"],
            ),
        )  # fmt: skip
    if anchor == "brevity-penalty" and "c" in blanks:
        return (
            paragraph(SYMBOLS["c"], " = ", blanks["c"], ", ", SYMBOLS["r"], " = ", blanks["r"]),
        )
    if anchor == "brevity-penalty" and "r" in blanks:
        return (paragraph(SYMBOLS["r"], " = ", blanks["r"]),)
    return ()


def _mask_ngram_table(table: Table, n: str, blanks: Mapping[str, Blank]) -> Table:
    """Return the table of n-grams with a blank for each of its counts."""
    headers = ("", *map(str, table.headers[1:]))
    prefix = blanks[f"matched-{n}"].name.removesuffix(f"matched-{n}")

    def mask_row(row: Row, row_index: int) -> Row:
        gram = getattr(row.cells[0], "text", "")
        cells = (
            Blank(
                f"{prefix}row-{n}-{row_index}-{column}",
                f"{headers[column]} of “{gram}”",
                cast(Content, cell),
            )
            for column, cell in enumerate(row.cells[1:], 1)
        )
        return replace(row, cells=(row.cells[0], *cells))

    foot = table.foot
    if foot:
        total = replace(blanks[f"total-{n}"], content=cast(Content, foot.cells[1]))
        matched = replace(blanks[f"matched-{n}"], content=cast(Content, foot.cells[-1]))
        foot = replace(foot, cells=(foot.cells[0], total, *foot.cells[2:-1], matched))
    rows = tuple(mask_row(row, index) for index, row in enumerate(table.rows))
    return replace(table, rows=rows, foot=foot)
