"""N-gram counts of a derivation as CSV, for spreadsheets and programs."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from bleu.core.api import Derivation

FORMULA_START: Final = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""The start of a cell that spreadsheets would read as a formula, or that `cell` has escaped."""

_NEEDS_QUOTES: Final = re.compile('[,;\t"\r\n]')
"""Characters that require quotes: separators of common programs, quotes and line ends."""


def render(derivation: Derivation) -> str:
    """Render all n-grams as CSV (RFC 4180), one per row.

    Cells with a semicolon or a tab are quoted too, because programs split rows there if the decimal
    separator is a comma.

    - `order`: n; `ngram`: its tokens, separated by spaces and escaped by `cell`.
    - `count`: the count in the hypothesis; `reference_1` and so on: the count in each reference.
    - `max_reference_count`: the largest reference count; `clipped_count`: the credited count.

    Rows are sorted by order, then by first occurrence. An order that the hypothesis is too short
    for has no rows.

    >>> from bleu import derive
    >>> print(render(derive("a =b", ["a a"], max_order=1)).replace("\\r", ""), end="")
    order,ngram,count,reference_1,max_reference_count,clipped_count
    1,a,1,2,2,1
    1,'=b,1,0,0,0
    """
    references = (f"reference_{number}" for number, _ in enumerate(derivation.references, 1))
    header = ["order", "ngram", "count", *references, "max_reference_count", "clipped_count"]
    return row(header) + "".join(map(row, _rows(derivation)))


def cell(text: str) -> str:
    """Escape text for a cell: add an apostrophe if spreadsheets could read it as a formula.

    A formula starts with = + - @, one of their full-width forms, a tab or a line end, possibly
    after apostrophes; so removing one apostrophe from an escaped cell restores its text.

    >>> cell("=1+1"), cell("'=1+1"), cell("'s"), cell("1-1")
    ("'=1+1", "''=1+1", "'s", '1-1')
    """
    return f"'{text}" if FORMULA_START.match(text) else text


def table(rows: Iterable[Iterable[str]]) -> str:
    """Return rows of text, each cell escaped by `cell`."""
    return "".join(row(map(cell, values)) for values in rows)


def row(values: Iterable[str | int]) -> str:
    """Return a row of cells, quoted if necessary, with its line end."""
    return ",".join(_quoted(str(value)) for value in values) + "\r\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def _rows(derivation: Derivation) -> Iterator[list[str | int]]:
    for order in derivation.orders:
        for match in order.matches():
            yield [
                order.n,
                cell(" ".join(map(str, match.ngram))),
                match.count,
                *match.reference_counts,
                match.max_reference_count,
                match.clipped_count,
            ]
