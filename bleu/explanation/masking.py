"""The questions of an exercise: blocks of a derivation with blanks for chosen quantities."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from bleu.document import blocks as doc
from bleu.metric.expressions import Equation, Sym

SYMBOLS = {"c": Sym("c"), "r": Sym("r"), "bp": Sym("BP"), "gm": Sym("GM"), "bleu": Sym("BLEU")}
"""The symbols of the quantities without an n-gram order, by name."""


def masked_blocks(
    document: doc.Document, blanks: Mapping[str, doc.Blank], *, rows: bool = False
) -> Iterator[doc.Block]:
    """Yield questions for the quantities that `blanks` names, made from the blocks of a document.

    With `rows`, the tables of n-grams have a blank for every count.
    """
    for step in document.steps:
        n = step.anchor.removeprefix("precision-")
        has_table = rows and f"matched-{n}" in blanks
        if not has_table:
            yield from _count_questions(step.anchor, n, blanks)
        for block in step.blocks:
            if isinstance(block, doc.Table) and block.name == "ngrams" and has_table:
                yield _mask_ngram_table(block, n, blanks)
            yield from _block_questions(block, blanks)


def fill_answers(block: doc.Block) -> doc.Block:
    """Return the block with the answers in its blanks."""
    match block:
        case doc.MarkableTokens():
            return block.tokens
        case doc.Paragraph(spans):
            filled = (span.content if isinstance(span, doc.Blank) else span for span in spans)
            return replace(block, spans=tuple(filled))
        case doc.Table(rows=rows, foot=foot):
            filled_foot = _fill_row(foot) if foot else None
            return replace(block, rows=tuple(map(_fill_row, rows)), foot=filled_foot)
        case _:
            return block


def _fill_row(row: doc.Row) -> doc.Row:
    cells = (cell.content if isinstance(cell, doc.Blank) else cell for cell in row.cells)
    return replace(row, cells=tuple(cells))


def quantity_symbol(name: str) -> Sym:
    """Return the symbol of a quantity by its name; "p-2" gives p with index 2."""
    kind, _, n = name.partition("-")
    return SYMBOLS[name] if name in SYMBOLS else Sym(kind, index=n)


def _block_questions(block: doc.Block, blanks: Mapping[str, doc.Blank]) -> Iterator[doc.Block]:
    """Yield the question that replaces a block, if it is the equation of a quantity to fill in."""
    if isinstance(block, Equation) and not block.left.is_primed:
        for name, blank in blanks.items():
            symbol = quantity_symbol(name)
            if (symbol.name, symbol.index) == (block.left.name, block.left.index):
                yield doc.paragraph(symbol, " = ", blank)


def _count_questions(anchor: str, n: str, blanks: Mapping[str, doc.Blank]) -> Iterator[doc.Block]:
    """Yield the question for the counts and lengths of a step, which have no equation."""
    orders = [name.removeprefix("total-") for name in blanks if name.startswith("total-")]
    if anchor == "sums" and orders:
        labelled_kinds = (("credited", "matched"), ("in the candidates", "total"))
        table_rows = tuple(
            doc.Row((label, *(blanks[f"{kind}-{order}"] for order in orders)))
            for label, kind in labelled_kinds
            if f"{kind}-{orders[0]}" in blanks
        )
        headers = ("All segments together", *(f"{order}-grams" for order in orders))
        yield doc.Table("asked", "Sums over the segments", headers, table_rows)
    elif n in orders:
        yield doc.paragraph(
            f"Credited {n}-grams: ", blanks[f"matched-{n}"],
            f"; {n}-grams of the candidate: ", blanks[f"total-{n}"],
        )  # fmt: skip
    elif anchor == "brevity-penalty" and "r" in blanks:
        c_spans = (SYMBOLS["c"], " = ", blanks["c"], ", ") if "c" in blanks else ()
        yield doc.paragraph(*c_spans, SYMBOLS["r"], " = ", blanks["r"])


def _mask_ngram_table(table: doc.Table, n: str, blanks: Mapping[str, doc.Blank]) -> doc.Table:
    """Return the table of n-grams with a blank for each of its counts."""
    headers = ("", *map(str, table.headers[1:]))
    prefix = blanks[f"matched-{n}"].name.removesuffix(f"matched-{n}")

    def mask_row(row: doc.Row, row_index: int) -> doc.Row:
        gram = getattr(row.cells[0], "text", "")
        cells = (
            doc.Blank(
                f"{prefix}row-{n}-{row_index}-{column}",
                f"{headers[column]} of “{gram}”",
                cast(doc.Content, cell),
            )
            for column, cell in enumerate(row.cells[1:], 1)
        )
        return replace(row, cells=(row.cells[0], *cells))

    foot = table.foot
    if foot:
        total = replace(blanks[f"total-{n}"], content=cast(doc.Content, foot.cells[1]))
        matched = replace(blanks[f"matched-{n}"], content=cast(doc.Content, foot.cells[-1]))
        foot = replace(foot, cells=(foot.cells[0], total, *foot.cells[2:-1], matched))
    rows = tuple(mask_row(row, index) for index, row in enumerate(table.rows))
    return replace(table, rows=rows, foot=foot)
