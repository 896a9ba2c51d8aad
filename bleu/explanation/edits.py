"""Tables of changes: the differences of two results, and the effect of single words."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bleu.analysis.edits import MAX_CHARACTERS, MAX_REMOVALS, Edit, split_words
from bleu.core.api import Derivation
from bleu.core.segment import END_TOKEN
from bleu.document import blocks as doc
from bleu.explanation.phrases import token_text, tokens_writing
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Num, Sym

MAX_GAINS = 8
"""The largest number of edits in the table of gains."""
VISIBLE_CHANGE = 5e-5
"""The smallest difference of scores in [0, 1] that is visible in the displayed digits."""


def changes_table(before: Derivation, after: Derivation) -> doc.Table:
    """Return a table of the quantities of two results and their differences.

    >>> from bleu import derive
    >>> before, after = derive("a", ["a b"], max_order=1), derive("a b", ["a b"], max_order=1)
    >>> [row.cells[0] for row in changes_table(before, after).rows if row.kind][:2]
    ['BLEU', 'Brevity penalty']
    """
    old, new = before.score, after.score
    scores: tuple[doc.Cell, ...] = (
        "BLEU",
        doc.Score100(old.value),
        doc.Score100(new.value),
        doc.Score100(new.value - old.value, difference=True),
    )
    rows = [
        doc.Row(scores, "moved" if old.value != new.value else ""),
        _change_row("Brevity penalty", old.brevity_penalty, new.brevity_penalty),
        _change_row("Geometric mean", old.geometric_mean, new.geometric_mean),
        _change_row("Length c", old.hypothesis_length, new.hypothesis_length),
        _change_row("Length r", float(old.reference_length), float(new.reference_length)),
    ]
    pairs = zip_longest(_precisions(before), _precisions(after), fillvalue="—")
    rows += [_change_row(Sym("p", None, str(n)), *pair) for n, pair in enumerate(pairs, 1)]
    return doc.Table(
        "changes",
        "Before and after: BLEU on the 0–100 scale, its factors on the 0–1 scale",
        ("Quantity", "Before", "After", "Difference"),
        tuple(rows),
    )


def _precisions(derivation: Derivation) -> list[float | str]:
    symbols = Symbols(derivation.score)
    precisions = enumerate(derivation.score.precisions)
    return ["left out" if symbols.is_left_out(n) else float(p) for n, p in precisions]


def _change_row(name: doc.Span, before: float | str, after: float | str) -> doc.Row:
    kind = "moved" if before != after else ""
    if isinstance(before, str) or isinstance(after, str):
        values = (value if isinstance(value, str) else Num(value) for value in (before, after))
        return doc.Row((name, *values, "—"), kind)
    difference = float(after - before)
    difference_text = _signed(difference) if difference else "="
    return doc.Row((name, Num(before), Num(after), difference_text), kind)


def _signed(number: float) -> str:
    if abs(number) < 5e-5:
        return "≈ 0"
    return f"{number:{'+.0f' if number.is_integer() else '+.4f'}}".replace("-", "−")


def word_value_blocks(
    scored_edits: Sequence[Edit], current: Derivation, text: str
) -> Iterator[doc.Block]:
    """Yield the words whose removal lowers BLEU most, the best edits, and a table of all removals.

    `text` is the candidate, and `current` its derivation. If no removal changes the displayed
    score, a sentence says so and the last table is omitted; if no edit was scored, a note says why.

    >>> from bleu import derive
    >>> from bleu.analysis.edits import scored_edits
    >>> current = derive("a c", ["a b"], max_order=1)
    >>> edits = list(scored_edits("a c", ["a b"], current.settings))
    >>> blocks = word_value_blocks(edits, current, "a c")
    >>> [block.name for block in blocks if isinstance(block, doc.Table)]
    ['gains', 'losses']
    """
    words = split_words(text)[0]
    removals = [edit for edit in scored_edits if not edit.new]
    if not words:
        yield doc.paragraph("There is no word to remove yet.")
    elif len(words) > MAX_REMOVALS:
        yield doc.note(
            f"The candidate has {len(words):,} words. Single words are tried in texts of up to "
            f"{MAX_REMOVALS} words."
        )
    elif not removals:
        yield doc.note(f"Single words are tried in texts of up to {MAX_CHARACTERS:,} characters.")
    else:
        is_visible = any(_is_visible(edit, current) for edit in removals)
        if is_visible:
            yield _most_valuable_words(removals, current)
        else:
            score = doc.Score100(current.score.value)
            yield doc.paragraph("Whichever single word is removed, BLEU stays ", score, ".")
        if len(scored_edits) > len(removals):
            yield _gains_table(scored_edits, current, words)
        else:
            yield doc.note(_no_insertions_reason(current))
        if is_visible:
            yield _losses_table(removals, current, words)


def _no_insertions_reason(current: Derivation) -> str:
    if any(tokens for tokens in current.references if tokens != END_TOKEN):
        return "Other words are tried for shorter texts only."
    return "There is no reference to take words from."


def _is_visible(edit: Edit, current: Derivation) -> bool:
    """Return whether an edit changes the displayed score, or leaves no score."""
    value = edit.value
    return value is None or abs(value - current.score.value) >= VISIBLE_CHANGE


def _most_valuable_words(removals: Sequence[Edit], current: Derivation) -> doc.Paragraph:
    lowest = _lowest_value(removals)
    if lowest is None or lowest >= current.score.value:
        return doc.paragraph("Removing any single word does not lower BLEU.")
    writing = tokens_writing(current.hypothesis)
    costliest_words = [
        doc.Quote(token_text(edit.old), writing) for edit in removals if edit.value == lowest
    ]
    word_spans: list[doc.Span] = [costliest_words[0]]
    others = len(costliest_words) - 1
    if others == 1 and costliest_words[1] != costliest_words[0]:
        word_spans += [" or ", costliest_words[1]]
    elif others:
        word_spans.append(f" (or {'another' if others == 1 else f'any of {others} others'})")
    return doc.paragraph(
        "Removing ", *word_spans, " hurts most: BLEU falls from ",
        doc.Score100(current.score.value), " to ", doc.Score100(lowest), ".",
    )  # fmt: skip


def _gains_table(scored_edits: Sequence[Edit], current: Derivation, words: list[str]) -> doc.Block:
    """Return a table of the best edits with a visible gain, or a sentence if there are none."""
    gains: dict[str, tuple[float, int, Edit]] = {}
    for index, edit in enumerate(scored_edits):
        value = edit.value
        if value is not None and value - current.score.value >= VISIBLE_CHANGE:
            gains.setdefault(edit.text, (value, index, edit))
    best = sorted(gains.values(), key=lambda gain: -gain[0])[:MAX_GAINS]
    if not best:
        return doc.paragraph("No single-word change raises the displayed score.")
    return doc.Table(
        "gains",
        "Single changes that raise the score most",
        ("Change", "BLEU, 0–100", "Difference", "Try it"),
        tuple(
            doc.Row((text := _edit_text(edit, words), *_edit_cells(value, current, index, text)))
            for value, index, edit in best
        ),
    )


def _losses_table(removals: Sequence[Edit], current: Derivation, words: list[str]) -> doc.Table:
    lowest = _lowest_value(removals)
    has_loss = lowest is not None and lowest < current.score.value
    writing = tokens_writing(current.hypothesis)
    rows = []
    for index, edit in enumerate(removals):
        word = doc.Quote(token_text(edit.old), writing)
        kind = "most" if has_loss and edit.value == lowest else ""
        cells = _edit_cells(edit.value, current, index, _edit_text(edit, words))
        rows.append(doc.Row((word, *cells), kind))
    return doc.Table(
        "losses",
        "Each word removed in turn",
        ("Without", "BLEU, 0–100", "Difference", "Try it"),
        tuple(rows),
    )


def _lowest_value(scored_edits: Sequence[Edit]) -> float | None:
    values = (edit.value for edit in scored_edits if edit.value is not None)
    return min(values, default=None)


def _edit_cells(
    value: float | None, current: Derivation, index: int, effect: str
) -> tuple[doc.Cell, ...]:
    choice = doc.Choice("Try", f"edit:{index}", effect=effect)
    if value is None:
        return "no score under these settings", "—", choice
    return doc.Score100(value), doc.Score100(value - current.score.value, difference=True), choice


def _edit_text(edit: Edit, words: list[str]) -> str:
    new = token_text(edit.new)
    if edit.index == len(words):
        return f"add “{new}” at the end"
    word = f"“{token_text(words[edit.index])}”"
    if words.count(words[edit.index]) > 1:
        word += f" (word {edit.index + 1})"
    if not edit.new:
        return f"remove {word}"
    return f"replace {word} with “{new}”" if edit.old else f"add “{new}” before {word}"
