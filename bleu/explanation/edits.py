"""Changes in words: what moved between two results, and what single words are worth."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bleu.analysis.edits import MAX_CHARACTERS, MAX_REMOVALS, Edit, ScoredEdit, split_words
from bleu.core.derivation import Derivation
from bleu.core.segment import END_TOKEN
from bleu.document.blocks import (
    Block,
    Cell,
    Choice,
    Paragraph,
    Quote,
    Row,
    Score100,
    Span,
    Table,
    note,
    paragraph,
)
from bleu.document.expressions import Num, Sym
from bleu.explanation.phrases import token_text
from bleu.explanation.symbols import Symbols

BEST_SHOWN = 8
VISIBLE_CHANGE = 5e-5
"""The least difference that is seen in the digits shown."""


def changes_table(before: Derivation, after: Derivation) -> Table:
    """The quantities of two results side by side, with what changed.

    >>> from bleu import derive
    >>> table = changes_table(derive("a", ["a b"], max_order=1), derive("a b", ["a b"], max_order=1))
    >>> [row.cells[0] for row in table.rows if row.kind][:2]
    ['BLEU', 'Brevity penalty']
    """
    one, two = before.score, after.score
    rows = [
        Row(
            (
                "BLEU",
                Score100(one.value),
                Score100(two.value),
                Score100(two.value - one.value, difference=True),
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


def word_value_blocks(
    scored_edits: Sequence[ScoredEdit], current: Derivation, text: str
) -> Iterator[Block]:
    """The words whose loss or gain would matter most, then each word's worth, in order.

    Where no loss can be seen in the digits shown, a sentence says so, and there is no list of them.

    >>> from bleu import derive
    >>> from bleu.analysis.edits import scored_edits
    >>> here = derive("a c", ["a b"], max_order=1)
    >>> blocks = word_value_blocks(list(scored_edits("a c", ["a b"], here.settings)), here, "a c")
    >>> [block.name for block in blocks if isinstance(block, Table)]
    ['gains', 'losses']
    """
    parts = split_words(text)[0]
    lost = [one for one in scored_edits if not one.edit.new]
    if not parts:
        yield paragraph("There is no word to remove yet.")
    elif len(parts) > MAX_REMOVALS:
        yield note(
            f"The candidate has {len(parts):,} words. Single words are tried in texts of up to "
            f"{MAX_REMOVALS} words."
        )
    elif not lost:
        yield note(f"Single words are tried in texts of up to {MAX_CHARACTERS:,} characters.")
    else:
        seen = any(_is_visible(one, current) for one in lost)
        yield _most_valuable_words(lost, current) if seen else _no_change_paragraph(current)
        if len(scored_edits) > len(lost):
            yield _gains_table(scored_edits, current, parts)
        else:
            yield note(_no_insertions_reason(current))
        if seen:
            yield _losses_table(lost, scored_edits, current)


def _no_insertions_reason(current: Derivation) -> str:
    """Why no word of a reference was tried."""
    if any(words for words in current.references if words != END_TOKEN):
        return "Other words are tried for shorter texts only."
    return "There is no reference to take words from."


def _is_visible(one: ScoredEdit, current: Derivation) -> bool:
    """Whether a change moves the score in the digits shown, or leaves none."""
    value = _value(one)
    return value is None or abs(value - current.score.value) >= VISIBLE_CHANGE


def _no_change_paragraph(current: Derivation) -> Paragraph:
    return paragraph(
        "Whichever single word is removed, BLEU stays ", Score100(current.score.value), "."
    )


def _most_valuable_words(lost: Sequence[ScoredEdit], current: Derivation) -> Paragraph:
    least = _lowest_value(lost)
    if least is None or least >= current.score.value:
        return paragraph("Removing any single word does not lower BLEU.")
    most = [Quote(token_text(one.edit.old)) for one in lost if _value(one) == least]
    words: list[Span] = [most[0]]
    more = len(most) - 1
    if more == 1 and most[1] != most[0]:
        words += [" or ", most[1]]
    elif more:
        words.append(f" (or {'another' if more == 1 else f'any of {more} others'})")
    return paragraph(
        "Removing ", *words, " hurts most: BLEU falls from ", Score100(current.score.value),
        " to ", Score100(least), ".",
    )  # fmt: skip


def _gains_table(
    scored_edits: Sequence[ScoredEdit], current: Derivation, parts: list[str]
) -> Block:
    better: dict[str, tuple[float, int, Edit]] = {}
    for place, one in enumerate(scored_edits):
        value = _value(one)
        if value is not None and value - current.score.value >= VISIBLE_CHANGE:
            better.setdefault(one.edit.text, (value, place, one.edit))
    best = sorted(better.values(), key=lambda found: -found[0])
    if not best:
        return paragraph("No single-word change raises the displayed score.")
    return Table(
        "gains",
        "Single changes that raise the score most",
        ("Change", "BLEU, 0–100", "Difference", "Try it"),
        tuple(
            Row((_edit_text(edit, parts), *_numbers(value, current), _try_choice(place)))
            for value, place, edit in best[:BEST_SHOWN]
        ),
    )


def _losses_table(
    lost: Sequence[ScoredEdit], scored_edits: Sequence[ScoredEdit], current: Derivation
) -> Table:
    least = _lowest_value(lost)
    return Table(
        "losses",
        "Each word removed in turn",
        ("Without", "BLEU, 0–100", "Difference", "Try it"),
        tuple(
            Row(
                (
                    Quote(token_text(one.edit.old)),
                    *_numbers(_value(one), current),
                    _try_choice(place),
                ),
                "most" if least is not None and _value(one) == least < current.score.value else "",
            )
            for place, one in enumerate(scored_edits[: len(lost)])
        ),
    )


def _value(one: ScoredEdit) -> float | None:
    return one.score.value if one.score else None


def _lowest_value(scored_edits: Sequence[ScoredEdit]) -> float | None:
    return min((one.score.value for one in scored_edits if one.score), default=None)


def _numbers(value: float | None, current: Derivation) -> tuple[Cell, Cell]:
    if value is None:
        return "no score under these settings", "—"
    return Score100(value), Score100(value - current.score.value, difference=True)


def _try_choice(place: int) -> Choice:
    return Choice("Try", f"edit:{place}")


def _edit_text(edit: Edit, parts: list[str]) -> str:
    new, old = token_text(edit.new), token_text(edit.old)
    if not edit.new:
        return f"remove “{old}”"
    if edit.old:
        return f"replace “{old}” by “{new}”"
    if edit.index == len(parts):
        return f"add “{new}” at the end"
    return f"add “{new}” before “{token_text(parts[edit.index])}”"
