"""Changes in words: what moved between two results, and what single words are worth."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bleu.analysis.edits import CHARACTERS_AT_MOST, REMOVALS_AT_MOST, Edit, Trial, words
from bleu.core.derivation import Derivation
from bleu.core.segment import END
from bleu.document.blocks import (
    Block,
    Cell,
    Choice,
    Hundred,
    Paragraph,
    Quote,
    Row,
    Span,
    Table,
    note,
    paragraph,
)
from bleu.document.expressions import Num, Sym
from bleu.explanation.symbols import Symbols
from bleu.explanation.words import token_text

BEST_SHOWN = 8
VISIBLE = 5e-5
"""The least difference that is seen in the digits shown."""


def changes(before: Derivation, after: Derivation) -> Table:
    """The quantities of two results side by side, with what changed.

    >>> from bleu import derive
    >>> table = changes(derive("a", ["a b"], max_order=1), derive("a b", ["a b"], max_order=1))
    >>> [row.cells[0] for row in table.rows if row.kind][:2]
    ['BLEU', 'Brevity penalty']
    """
    one, two = before.score, after.score
    rows = [
        Row(
            (
                "BLEU",
                Hundred(one.value),
                Hundred(two.value),
                Hundred(two.value - one.value, difference=True),
            ),
            "moved" if one.value != two.value else "",
        ),
        _change("Brevity penalty", one.brevity_penalty, two.brevity_penalty),
        _change("Geometric mean", one.geometric_mean, two.geometric_mean),
        _change("Length c", one.hypothesis_length, two.hypothesis_length),
        _change("Length r", float(one.reference_length), float(two.reference_length)),
    ]
    pairs = zip_longest(_precisions(before), _precisions(after), fillvalue="—")
    for n, (first, second) in enumerate(pairs, 1):
        rows.append(_change(Sym("p", None, str(n)), first, second))
    return Table(
        "changes",
        "Before and after: BLEU on the 0–100 scale, its factors on the 0–1 scale",
        ("Quantity", "Before", "After", "Difference"),
        tuple(rows),
    )


def _precisions(derivation: Derivation) -> list[float | str]:
    symbols = Symbols(derivation.score, derivation.settings, derivation.score.matched)
    precisions = enumerate(derivation.score.precisions)
    return ["left out" if symbols.left_out(n) else float(p) for n, p in precisions]


def _change(name: Span, before: float | str, after: float | str) -> Row:
    if isinstance(before, str) or isinstance(after, str):
        shown = tuple(one if isinstance(one, str) else Num(one) for one in (before, after))
        return Row((name, *shown, "—"), "moved" if before != after else "")
    moved = float(after - before)
    return Row(
        (name, Num(before), Num(after), _signed(moved) if moved else "="),
        "moved" if moved else "",
    )


def _signed(number: float) -> str:
    if abs(number) < 5e-5:
        return "≈ 0"
    return f"{number:{'+.0f' if number.is_integer() else '+.4f'}}".replace("-", "−")


def worth(tried: Sequence[Trial], here: Derivation, text: str) -> Iterator[Block]:
    """The words whose loss or gain would matter most, then each word's worth, in order.

    Where no loss can be seen in the digits shown, a sentence says so, and there is no list of them.

    >>> from bleu import derive
    >>> from bleu.analysis.edits import trials
    >>> here = derive("a c", ["a b"], max_order=1)
    >>> blocks = worth(list(trials("a c", ["a b"], here.settings)), here, "a c")
    >>> [block.name for block in blocks if isinstance(block, Table)]
    ['gains', 'losses']
    """
    parts = words(text)[0]
    lost = [one for one in tried if not one.edit.new]
    if not parts:
        yield paragraph("There is no word to remove yet.")
    elif len(parts) > REMOVALS_AT_MOST:
        yield note(
            f"The candidate has {len(parts):,} words. Single words are tried in texts of up to "
            f"{REMOVALS_AT_MOST} words."
        )
    elif not lost:
        yield note(f"Single words are tried in texts of up to {CHARACTERS_AT_MOST:,} characters.")
    else:
        seen = any(_seen(one, here) for one in lost)
        yield _most(lost, here) if seen else _unmoved(here)
        if len(tried) > len(lost):
            yield _gains(tried, here, parts)
        else:
            yield note(_no_other(here))
        if seen:
            yield _losses(lost, tried, here)


def _no_other(here: Derivation) -> str:
    """Why no word of a reference was tried."""
    if any(words for words in here.references if words != END):
        return "Other words are tried for shorter texts only."
    return "There is no reference to take words from."


def _seen(one: Trial, here: Derivation) -> bool:
    """Whether a change moves the score in the digits shown, or leaves none."""
    value = _value(one)
    return value is None or abs(value - here.score.value) >= VISIBLE


def _unmoved(here: Derivation) -> Paragraph:
    return paragraph(
        "Whichever single word is removed, BLEU stays ", Hundred(here.score.value), "."
    )


def _most(lost: Sequence[Trial], here: Derivation) -> Paragraph:
    least = _least(lost)
    if least is None or least >= here.score.value:
        return paragraph("Removing any single word does not lower BLEU.")
    most = [Quote(token_text(one.edit.old)) for one in lost if _value(one) == least]
    words: list[Span] = [most[0]]
    more = len(most) - 1
    if more == 1 and most[1] != most[0]:
        words += [" or ", most[1]]
    elif more:
        words.append(f" (or {'another' if more == 1 else f'any of {more} others'})")
    return paragraph(
        "Removing ", *words, " hurts most: BLEU falls from ", Hundred(here.score.value),
        " to ", Hundred(least), ".",
    )  # fmt: skip


def _gains(tried: Sequence[Trial], here: Derivation, parts: list[str]) -> Block:
    better: dict[str, tuple[float, int, Edit]] = {}
    for place, one in enumerate(tried):
        value = _value(one)
        if value is not None and value - here.score.value >= VISIBLE:
            better.setdefault(one.edit.text, (value, place, one.edit))
    best = sorted(better.values(), key=lambda found: -found[0])
    if not best:
        return paragraph("No single-word change raises the displayed score.")
    return Table(
        "gains",
        "Single changes that raise the score most",
        ("Change", "BLEU, 0–100", "Difference", "Try it"),
        tuple(
            Row((_told(edit, parts), *_numbers(value, here), _try(place)))
            for value, place, edit in best[:BEST_SHOWN]
        ),
    )


def _losses(lost: Sequence[Trial], tried: Sequence[Trial], here: Derivation) -> Table:
    least = _least(lost)
    return Table(
        "losses",
        "Each word removed in turn",
        ("Without", "BLEU, 0–100", "Difference", "Try it"),
        tuple(
            Row(
                (Quote(token_text(one.edit.old)), *_numbers(_value(one), here), _try(place)),
                "most" if least is not None and _value(one) == least < here.score.value else "",
            )
            for place, one in enumerate(tried[: len(lost)])
        ),
    )


def _value(one: Trial) -> float | None:
    return one.score.value if one.score else None


def _least(tried: Sequence[Trial]) -> float | None:
    return min((one.score.value for one in tried if one.score), default=None)


def _numbers(value: float | None, here: Derivation) -> tuple[Cell, Cell]:
    if value is None:
        return "no score under these settings", "—"
    return Hundred(value), Hundred(value - here.score.value, difference=True)


def _try(place: int) -> Choice:
    return Choice("Try", f"edit:{place}")


def _told(edit: Edit, parts: list[str]) -> str:
    new, old = token_text(edit.new), token_text(edit.old)
    if not edit.new:
        return f"remove “{old}”"
    if edit.old:
        return f"replace “{old}” by “{new}”"
    if edit.place == len(parts):
        return f"add “{new}” at the end"
    return f"add “{new}” before “{token_text(parts[edit.place])}”"
