"""Masks: a document with blanks in the place of chosen numbers, and the same filled in again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bleu.document.blocks import (
    Blank,
    Block,
    Cell,
    Content,
    Document,
    MarkableTokens,
    Paragraph,
    Row,
    SolutionBlock,
    Span,
    Step,
    Table,
    TokenList,
    VisibleBlock,
    paragraph,
    visible_blocks,
)
from bleu.document.expressions import Equation, Sym

SYMBOLS = {"c": Sym("c"), "r": Sym("r"), "bp": Sym("BP"), "gm": Sym("GM"), "bleu": Sym("BLEU")}
"""The symbols of the quantities that have no order."""


def mask(document: Document, blanks: Mapping[str, Blank], *, rows: bool = False) -> Document:
    """The document with blanks for some quantities, by name; all else that would tell is held back.

    With `rows`, the tables of n-grams stay, with a blank for every count; a blank called `words`
    makes the tokens of the candidate a text to mark.
    """
    return replace(document, steps=tuple(_mask_step(step, blanks, rows) for step in document.steps))


def unmask(document: Document, key: Mapping[str, Content]) -> Document:
    """The document with its blanks filled in, and what was held back told: `mask` undone.

    Raises KeyError for a blank that the key does not have.
    """
    return replace(
        document,
        steps=tuple(
            replace(step, blocks=tuple(_unmask_block(block, key) for block in step.blocks))
            for step in document.steps
        ),
    )


def iter_blanks(document: Document) -> Iterator[Blank]:
    """Every blank, in the order in which they are shown."""
    for step in document.steps:
        for block in visible_blocks(step.blocks):
            yield from _block_blanks(block)


def fill_answers(block: VisibleBlock) -> VisibleBlock:
    """A question with its blanks filled in by what belongs there, and nothing else told."""
    key = {blank.name: blank.content for blank in _block_blanks(block)}
    return block.tokens if isinstance(block, MarkableTokens) else _fill_block(block, key)


def quantity_symbol(name: str) -> Sym:
    """The symbol of a quantity: p-2 is p with index 2."""
    kind, _, n = name.partition("-")
    return SYMBOLS[name] if name in SYMBOLS else Sym(kind, index=n)


def _mask_step(step: Step, blanks: Mapping[str, Blank], rows: bool) -> Step:
    blocks: list[Block] = []
    for place, block in enumerate(step.blocks):
        if isinstance(block, Table) and block.name == "ngrams" and rows:
            n = step.anchor.removeprefix("precision-")
            if f"matched-{n}" in blanks:
                blocks.append(_mask_ngram_table(block, n, blanks))
                continue
        question = () if place else _count_question(step, blanks, rows)
        blocks.append(SolutionBlock(_check_unmasked(block), question or _question(block, blanks)))
    return replace(step, blocks=tuple(blocks))


def _check_unmasked(block: Block) -> VisibleBlock:
    if isinstance(block, SolutionBlock):
        raise TypeError("the document has blanks already")
    return block


def _question(block: Block, blanks: Mapping[str, Blank]) -> tuple[VisibleBlock, ...]:
    """What asks for an equation, or for the tokens to mark; nothing for all else."""
    if isinstance(block, TokenList) and block.kinds and "words" in blanks:
        return (MarkableTokens(blanks["words"].name, blanks["words"].label, block),)
    if isinstance(block, Equation) and not block.left.prime:
        for name, blank in blanks.items():
            sign = quantity_symbol(name)
            if (sign.name, sign.index) == (block.left.name, block.left.index):
                return (paragraph(sign, " = ", blank),)
    return ()


def _count_question(
    step: Step, blanks: Mapping[str, Blank], rows: bool
) -> tuple[VisibleBlock, ...]:
    """What asks for the counts and lengths of a step, which have no equation of their own."""
    anchor = step.anchor
    orders = [name.removeprefix("total-") for name in blanks if name.startswith("total-")]
    if anchor == "sums" and orders:
        lines = (("credited", "matched"), ("in the candidates", "total"))
        table = tuple(
            Row((words, *(blanks[f"{kind}-{n}"] for n in orders))) for words, kind in lines
        )
        headers = ("Both segments together", *(f"{n}-grams" for n in orders))
        return (Table("asked", "Sums over the segments", headers, table),)
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
    """The table of n-grams with a blank for every count."""
    headers = ("", *map(str, table.headers[1:]))
    prefix = blanks[f"matched-{n}"].name.removesuffix(f"matched-{n}")

    def row(one: Row, place: int) -> Row:
        words = "".join(getattr(one.cells[0], "text", ""))
        cells = (
            Blank(
                f"{prefix}row-{n}-{place}-{at}", f"{headers[at]} of “{words}”", _blank_content(cell)
            )
            for at, cell in enumerate(one.cells[1:], 1)
        )
        return replace(one, cells=(one.cells[0], *cells))

    foot = table.foot
    if foot:
        first, last = foot.cells[1], foot.cells[-1]
        total = replace(blanks[f"total-{n}"], content=_blank_content(first))
        matched = replace(blanks[f"matched-{n}"], content=_blank_content(last))
        foot = replace(foot, cells=(foot.cells[0], total, *foot.cells[2:-1], matched))
    rows = tuple(row(one, place) for place, one in enumerate(table.rows))
    return replace(table, rows=rows, foot=foot)


def _blank_content(cell: Cell) -> Content:
    """A cell as what a blank may stand for."""
    return cell  # type: ignore[return-value]  # the tables of n-grams have no bars, and no choices


def _unmask_block(block: Block, key: Mapping[str, Content]) -> Block:
    if isinstance(block, SolutionBlock):
        for question in block.question:
            _fill_block(question, key)
        return block.block
    return _fill_block(block, key)


def _fill_block(block: VisibleBlock, key: Mapping[str, Content]) -> VisibleBlock:
    match block:
        case Paragraph(spans):
            return replace(block, spans=tuple(_fill_span(span, key) for span in spans))
        case Table(rows=rows, foot=foot):
            return replace(
                block,
                rows=tuple(_fill_row(row, key) for row in rows),
                foot=_fill_row(foot, key) if foot else None,
            )
        case _:
            return block


def _fill_row(row: Row, key: Mapping[str, Content]) -> Row:
    cells = (key[cell.name] if isinstance(cell, Blank) else cell for cell in row.cells)
    return replace(row, cells=tuple(cells))


def _fill_span(span: Span, key: Mapping[str, Content]) -> Span:
    return key[span.name] if isinstance(span, Blank) else span


def _block_blanks(block: VisibleBlock) -> Iterator[Blank]:
    match block:
        case Paragraph(spans):
            yield from (span for span in spans if isinstance(span, Blank))
        case Table(rows=rows, foot=foot):
            for row in (*rows, *((foot,) if foot else ())):
                yield from (cell for cell in row.cells if isinstance(cell, Blank))
        case _:
            return
