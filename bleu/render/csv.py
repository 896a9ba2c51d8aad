"""The n-gram tables of a derivation as CSV, for a spreadsheet or a program."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from bleu.core.derivation import Derivation

FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""How a cell begins that a spreadsheet would take for a formula, or that `cell` has changed."""

_SPLIT: Final = re.compile('[,;\t"\r\n]')
"""What programs split the rows of a CSV file at, and what marks the ends of a cell."""


def render(derivation: Derivation) -> str:
    """The n-grams of every order, one to a row, as CSV after RFC 4180; never cut.

    Cells with a semicolon or a tab are quoted too: where a comma is decimal, programs split there.

    - `order`: n; `ngram`: its tokens, with a space between them, as `cell` writes them.
    - `count`: in the hypothesis; `reference_1` and so on: in each reference.
    - `max_reference_count`: the largest of these; `clipped_count`: what is credited.

    The orders come one after the other, and the n-grams of one in order of first occurrence; an
    order that the hypothesis is too short for has no row.

    >>> from bleu import derive
    >>> print(render(derive("a =b", ["a a"], max_order=1)).replace("\\r", ""), end="")
    order,ngram,count,reference_1,max_reference_count,clipped_count
    1,a,1,2,2,1
    1,'=b,1,0,0,0
    """
    return "".join(map(_line, [_header(derivation), *_rows(derivation)]))


def cell(text: str) -> str:
    """The reader's text as a cell: after an apostrophe where it could be taken for a formula.

    That is where it begins with = + - @, one of their full-width forms, a tab or the end of a
    line. Apostrophes before these get one more, so taking one away gives back every text.

    >>> cell("=1+1"), cell("'=1+1"), cell("'s"), cell("1-1")
    ("'=1+1", "''=1+1", "'s", '1-1')
    """
    return f"'{text}" if FORMULA.match(text) else text


def _line(cells: Iterable[str | int]) -> str:
    return ",".join(_quoted(str(one)) for one in cells) + "\r\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _SPLIT.search(text) else text


def _header(derivation: Derivation) -> list[str | int]:
    references = (f"reference_{number}" for number, _ in enumerate(derivation.references, 1))
    return ["order", "ngram", "count", *references, "max_reference_count", "clipped_count"]


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
