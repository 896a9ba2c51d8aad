"""The steps of a segment's derivation, from tokens to the cross-check."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from bleu.core.api import Derivation
from bleu.core.choices import TokenizerChoice
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.ngrams import Match, Order
from bleu.core.tokenizers import TOKENIZERS, Tokens
from bleu.document import blocks as doc
from bleu.document.writing import Writing
from bleu.explanation.matches import candidate_kinds
from bleu.explanation.phrases import (
    POST,
    count_with_noun,
    ngram_order_name,
    ngram_text,
    papineni,
    reference_names,
    token_text,
    tokens_writing,
)
from bleu.explanation.score_steps import score_steps
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Add, Div, Equation, Num, Sym, evaluate

MAX_TOKENS: Final = 200
"""The maximum number of tokens shown of a text."""
MAX_ROWS: Final = 60
"""The maximum number of n-grams shown of an order."""


def tokenizer_description(tokenizer: TokenizerChoice) -> str:
    """Return where a tokenizer splits text, as the continuation of “Each text is split”."""
    if isinstance(tokenizer, str):
        return TOKENIZERS[tokenizer].where
    if tokenizer.digest:
        return f"by the SentencePiece model {tokenizer}, whose ▁ stands for a space before a word,"
    if tokenizer.sacrebleu_name:
        return f"by MeCab, as sacreBLEU’s {tokenizer.sacrebleu_name} does,"
    return f"by the function {tokenizer}, which the signature does not describe,"


def steps(
    derivation: Derivation, symbols: Symbols, orders: Sequence[Order]
) -> tuple[doc.Step, ...]:
    """Return all steps in order, with a step for smoothing if it changed a precision.

    `orders` are those of the derivation; they count their n-grams once for all documents.
    """
    return (
        doc.Step("tokens", "Tokens", tuple(_token_blocks(derivation)), POST),
        *(precision_step(order, symbols) for order in orders),
        *score_steps(symbols, _length_blocks(derivation, symbols), papineni("2.2.2")),
    )


def _token_blocks(derivation: Derivation) -> Iterator[doc.Block]:
    settings = derivation.settings
    verb = "lowercased and split" if settings.lowercase else "split"
    where = tokenizer_description(settings.tokenizer)
    yield doc.paragraph(
        f"Each text is {verb} ", where, " into ", doc.Term("tokens"), ".",
    )  # fmt: skip
    yield doc.paragraph("All further steps see only tokens.", *_punctuation_example(derivation))
    if isinstance(settings.tokenizer, str) and (fault := TOKENIZERS[settings.tokenizer].note):
        yield doc.note(fault)
    names = ("Candidate (hypothesis)", *reference_names(len(derivation.references)))
    texts = (derivation.hypothesis, *derivation.references)
    for name, tokens in zip(names, texts, strict=True):
        yield token_list(name, tokens, MAX_TOKENS)


def token_list(
    name: str, tokens: Tokens, max_tokens: int, kinds: tuple[str, ...] = ()
) -> doc.TokenList:
    """Return the first tokens of a text, with its name and its number of tokens as the title."""
    title = f"{name}: {count_with_noun(len(tokens), 'token')}"
    excerpt = tuple(map(token_text, tokens[:max_tokens]))
    return doc.TokenList(title, excerpt, len(tokens) - len(excerpt), kinds, tokens_writing(tokens))


def _punctuation_example(derivation: Derivation) -> tuple[doc.Span, ...]:
    """Return a sentence on the first token with punctuation, if there is one."""
    if isinstance(derivation.settings.tokenizer, Tokenizer):
        return ()
    for token in derivation.hypothesis[:MAX_TOKENS]:
        word = str(token).strip(',.;:!?"()“”')
        if word and word != str(token):
            writing = tokens_writing(derivation.hypothesis)
            full, bare = (doc.Quote(token_text(text), writing) for text in (token, word))
            return (" A punctuation mark stays with its word, so ", full, " is not ", bare, ".")
    return ()


def _length_blocks(derivation: Derivation, symbols: Symbols) -> Iterator[doc.Block]:
    """Yield the purpose of the brevity penalty, and the lengths that decide on it."""
    yield doc.paragraph(
        "The ", doc.Term("brevity penalty"), " ", symbols.penalty,
        " lowers the score of a candidate that is shorter than its reference.",
    )  # fmt: skip
    yield doc.paragraph(
        "Precision alone would reward very short candidates. A longer one needs no penalty: its "
        "extra tokens lower the precisions."
    )
    yield length_table(derivation)
    yield doc.paragraph(*reference_length_spans(derivation, symbols))
    if derivation.settings.reference_length == "average":
        lengths = tuple(map(Num, derivation.reference_lengths))
        yield Equation(symbols.r, Div(Add(lengths), Num(len(lengths))))


def length_table(derivation: Derivation) -> doc.Table:
    """Return the length of each reference, and its distance to that of the candidate."""
    c = derivation.score.hypothesis_length
    names = reference_names(len(derivation.references))
    return doc.Table(
        "lengths",
        "Length of every reference",
        ("Reference", "Length", "Distance to c"),
        tuple(
            doc.Row(
                (name, Num(length), Num(abs(length - c))),
                "chosen" if length == derivation.score.reference_length else "",
            )
            for name, length in zip(names, derivation.reference_lengths, strict=True)
        ),
    )


def reference_length_spans(derivation: Derivation, symbols: Symbols) -> tuple[doc.Span, ...]:
    """Return both lengths, and why that reference length counts."""
    c, r = derivation.score.hypothesis_length, derivation.score.reference_length
    lengths = derivation.reference_lengths
    tokens = "token" if c == 1 else "tokens"
    rule = derivation.settings.reference_length
    equally_close = sorted({length for length in lengths if abs(length - c) == abs(r - c)})
    reason: tuple[doc.Span, ...]
    if len(lengths) == 1:
        reason = ("There is one reference, so ",)
    elif rule == "shortest":
        reason = ("The shortest reference counts: ",)
    elif rule == "average":
        reason = ("The average of the references’ lengths counts: ",)
    elif rule == "closest-first":
        end = " counts, and of two equally close ones the first listed: "
        reason = ("The length closest to ", symbols.c, end)
    elif len(equally_close) > 1:
        start = f"The lengths {' and '.join(map(str, equally_close))} are equally close to "
        reason = (start, symbols.c, ", so the shorter counts: ")
    else:
        reason = ("The reference length closest to ", symbols.c, " counts: ")
    candidate = ("The candidate has ", symbols.c, " = ", Num(c), f" {tokens}. ")
    return (*candidate, *reason, symbols.r, " = ", Num(r), ". ")


def precision_step(order: Order, symbols: Symbols) -> doc.Step:
    """Return the step that counts the n-grams of one order and computes its precision."""
    blocks = tuple(_order_blocks(order, symbols))
    title = f"Precision of {ngram_order_name(order.n)}"
    return doc.Step(f"precision-{order.n}", title, blocks, papineni("2.1"))


def _order_blocks(order: Order, symbols: Symbols) -> Iterator[doc.Block]:
    n = order.n
    if n == 1:
        yield doc.paragraph(
            "A token counts as often as in the candidate, but at most as often as in any one "
            "reference."
        )
        yield doc.paragraph(
            "This smaller number, min(count, maximum), is its ", doc.Term("clipped count"),
            ". The sum of the clipped counts, divided by the number of tokens, is the ",
            doc.Term("modified precision"), " ", symbols.counted_equation(0).left, ".",
        )  # fmt: skip
    else:
        start = f"The same for every {'two' if n == 2 else n} neighbouring tokens, the "
        yield doc.paragraph(start, doc.Term(f"{n}-grams"), ".")
        if n == 2:
            yield doc.paragraph("Longer n-grams reward words in the right order.")
    if not order.total:
        yield too_short_note(order, symbols)
        return
    if n == 1:
        kinds = tuple(islice(candidate_kinds(order), MAX_TOKENS))
        tokens = tuple(map(token_text, order.hypothesis[:MAX_TOKENS]))
        hidden = order.total - len(tokens)
        title, writing = "The candidate, token by token", tokens_writing(order.hypothesis)
        yield doc.TokenList(title, tokens, hidden, kinds, writing)
    yield ngram_table(order)
    yield from _clipping_blocks(order)
    yield doc.paragraph(_credited_text(order))
    yield symbols.counted_equation(n - 1)


def too_short_note(order: Order, symbols: Symbols) -> doc.Paragraph:
    """Return a note on an order without n-grams, and on what becomes of it."""
    n = order.n
    if symbols.is_left_out(n - 1):
        consequence = "This order is left out."
    elif symbols.is_smoothed(n - 1):
        consequence = "Smoothing gives it a precision below."
    elif symbols.score.precisions[n - 1]:
        consequence = "It counts as 1 here, so it changes nothing."
    else:
        consequence = "With nothing to divide by, its precision counts as 0."
    return doc.note(
        f"The candidate has {count_with_noun(len(order.hypothesis), 'token')}, too few for a "
        f"{n}-gram: matched and total are both 0. {consequence}"
    )


def ngram_table(order: Order, max_rows: int = MAX_ROWS) -> doc.Table:
    """Return the n-grams of an order with their counts, at most the first `max_rows`."""
    names = reference_names(len(order.references), short=True)
    empty: tuple[doc.Span, ...] = ("",) * (len(names) + 1)
    hidden = max(0, len(order.counts) - max_rows)
    writing = tokens_writing(order.hypothesis)
    return doc.Table(
        "ngrams",
        f"{ngram_order_name(order.n).capitalize()} of the candidate",
        (f"{order.n}-gram", "Count", *(f"In {name}" for name in names), "Maximum", "Credited"),
        tuple(
            _ngram_row(match, f"{order.n}-{index}", writing)
            for index, match in enumerate(islice(order.matches(), max_rows))
        ),
        doc.Row(("Sum", Num(order.total), *empty, Num(order.matched))),
        hidden,
        f"{order.n}-gram" if hidden == 1 else ngram_order_name(order.n),
    )


def _ngram_row(match: Match, key: str, writing: Writing) -> doc.Row:
    credited = match.clipped_count
    if not credited:
        kind = "unmatched"
    elif credited < match.count:
        kind = "clipped"
    else:
        kind = "credited"
    return doc.Row(
        (
            doc.Quote(ngram_text(match.ngram), writing),
            Num(match.count),
            *map(Num, match.reference_counts),
            Num(match.max_reference_count),
            Num(credited),
        ),
        kind,
        key,
    )


def _clipping_blocks(order: Order) -> Iterator[doc.Block]:
    unclipped = order.vanilla
    lost = unclipped - order.matched
    missing = order.total - order.matched
    if lost:
        yield doc.paragraph(
            "Without clipping, ", Num(unclipped), f" of the {order.total} would be "
            "credited, which is the ", doc.Term("vanilla precision"), ". Clipping takes away ",
            Num(lost), ", because no single reference has ", "it" if lost == 1 else "them",
            " often enough.",
        )  # fmt: skip
        ratio = Div(Num(unclipped), Num(order.total))
        yield Equation(Sym("p", evaluate(ratio), "vanilla"), ratio)
    elif missing and order.matched:
        verb = "has" if missing == 1 else "have"
        text = f" of the {order.total} {verb} no match. Clipping takes nothing away here."
        yield doc.paragraph(Num(missing), text)


def _credited_text(order: Order) -> str:
    matched, total = order.matched, order.total
    if total == 1:
        return f"The only one {'is credited' if matched else 'has no match'}, so:"
    if not matched:
        return f"None of the {total} is in a reference, so:"
    if matched == total:
        return f"All {total} are credited, so:"
    return f"{matched} of the {total} {'is' if matched == 1 else 'are'} credited, so:"
