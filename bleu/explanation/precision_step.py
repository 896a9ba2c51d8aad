"""The step of one n-gram order: n-gram counts, clipping, and the modified precision."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from bleu.core.ngrams import Match, Order
from bleu.document.blocks import (
    Block,
    Quote,
    Row,
    Span,
    Step,
    Table,
    Term,
    TokenList,
    note,
    paragraph,
)
from bleu.document.writing import Writing
from bleu.explanation.matches import candidate_kinds
from bleu.explanation.phrases import (
    count_with_noun,
    ngram_order_name,
    ngram_text,
    papineni,
    reference_names,
    token_text,
    tokens_writing,
)
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Div, Equation, Num, Sym, evaluate

MAX_TOKENS: Final = 200
"""The maximum number of tokens shown of a text."""
MAX_ROWS: Final = 60
"""The maximum number of n-grams shown of an order."""


def precision_step(order: Order, unclipped_matches: int, symbols: Symbols) -> Step:
    """Return the step that counts the n-grams of one order and computes its precision."""
    blocks = tuple(_blocks(order, unclipped_matches, symbols))
    title = f"Precision of {ngram_order_name(order.n)}"
    return Step(f"precision-{order.n}", title, blocks, papineni("2.1"))


def _blocks(order: Order, unclipped_matches: int, symbols: Symbols) -> Iterator[Block]:
    n = order.n
    if n == 1:
        yield paragraph(
            "A token counts as often as in the candidate, but at most as often as in any one "
            "reference."
        )
        yield paragraph(
            "This smaller number, min(count, maximum), is its ", Term("clipped count"),
            ". The sum of the clipped counts, divided by the number of tokens, is the ",
            Term("modified precision"), " ", symbols.counted_equation(0).left, ".",
        )  # fmt: skip
    else:
        start = f"The same for every {'two' if n == 2 else n} neighbouring tokens, the "
        yield paragraph(start, Term(f"{n}-grams"), ".")
        if n == 2:
            yield paragraph("Longer n-grams reward words in the right order.")
    if not order.total:
        yield _too_short_note(order, symbols)
        return
    if n == 1:
        kinds = tuple(islice(candidate_kinds(order), MAX_TOKENS))
        tokens = tuple(map(token_text, order.hypothesis[:MAX_TOKENS]))
        hidden = order.total - len(tokens)
        title, writing = "The candidate, token by token", tokens_writing(order.hypothesis)
        yield TokenList(title, tokens, hidden, kinds, writing)
    yield _ngram_table(order)
    yield from _clipping_blocks(order, unclipped_matches)
    yield paragraph(_credited_text(order))
    yield symbols.counted_equation(n - 1)


def _too_short_note(order: Order, symbols: Symbols) -> Block:
    n = order.n
    if symbols.is_left_out(n - 1):
        consequence = "This order is left out."
    elif symbols.is_smoothed(n - 1):
        consequence = "Smoothing gives it a precision below."
    elif symbols.score.precisions[n - 1]:
        consequence = "It counts as 1 here, so it changes nothing."
    else:
        consequence = "With nothing to divide by, its precision counts as 0."
    return note(
        f"The candidate has {count_with_noun(len(order.hypothesis), 'token')}, too few for a "
        f"{n}-gram: matched and total are both 0. {consequence}"
    )


def _ngram_table(order: Order) -> Table:
    names = reference_names(len(order.references), short=True)
    empty: tuple[Span, ...] = ("",) * (len(names) + 1)
    hidden = max(0, len(order.counts) - MAX_ROWS)
    writing = tokens_writing(order.hypothesis)
    return Table(
        "ngrams",
        f"{ngram_order_name(order.n).capitalize()} of the candidate",
        (f"{order.n}-gram", "Count", *(f"In {name}" for name in names), "Maximum", "Credited"),
        tuple(
            _ngram_row(match, f"{order.n}-{index}", writing)
            for index, match in enumerate(islice(order.matches(), MAX_ROWS))
        ),
        Row(("Sum", Num(order.total), *empty, Num(order.matched))),
        hidden,
        f"{order.n}-gram" if hidden == 1 else ngram_order_name(order.n),
    )


def _ngram_row(match: Match, key: str, writing: Writing) -> Row:
    if not match.clipped_count:
        kind = "unmatched"
    elif match.clipped_count < match.count:
        kind = "clipped"
    else:
        kind = "credited"
    return Row(
        (
            Quote(ngram_text(match.ngram), writing),
            Num(match.count),
            *map(Num, match.reference_counts),
            Num(match.max_reference_count),
            Num(match.clipped_count),
        ),
        kind,
        key,
    )


def _clipping_blocks(order: Order, unclipped_matches: int) -> Iterator[Block]:
    lost = unclipped_matches - order.matched
    missing = order.total - order.matched
    if lost:
        yield paragraph(
            "Without clipping, ", Num(unclipped_matches), f" of the {order.total} would be "
            "credited, which is the ", Term("vanilla precision"), ". Clipping takes away ",
            Num(lost), ", because no single reference has ", "it" if lost == 1 else "them",
            " often enough.",
        )  # fmt: skip
        ratio = Div(Num(unclipped_matches), Num(order.total))
        yield Equation(Sym("p", evaluate(ratio), "vanilla"), ratio)
    elif missing and order.matched:
        verb = "is" if missing == 1 else "are"
        where = "not in the reference" if len(order.references) == 1 else "in no reference"
        yield paragraph(
            Num(missing), f" of the {order.total} {verb} {where}. Clipping takes nothing away here."
        )


def _credited_text(order: Order) -> str:
    matched, total = order.matched, order.total
    if total == 1:
        return f"The only one is {'credited' if matched else 'in no reference'}, so:"
    if not matched:
        return f"None of the {total} is in a reference, so:"
    if matched == total:
        return f"All {total} are credited, so:"
    return f"{matched} of the {total} {'is' if matched == 1 else 'are'} credited, so:"
