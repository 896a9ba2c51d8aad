"""The steps of a segment's derivation, from tokens to the cross-check."""

from collections.abc import Iterator, Sequence

from bleu.core.api import Derivation
from bleu.core.choices import TokenizerChoice
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.tokenizers import TOKENIZERS, Tokens
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
from bleu.explanation.phrases import (
    POST,
    count_with_noun,
    papineni,
    reference_names,
    token_text,
    tokens_writing,
)
from bleu.explanation.precision_step import MAX_TOKENS, precision_step
from bleu.explanation.score_steps import score_steps
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Add, Div, Equation, Num


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
    derivation: Derivation, symbols: Symbols, unclipped_matches: Sequence[int]
) -> tuple[Step, ...]:
    """Return all steps in order, with a step for smoothing if it changed a precision."""
    orders = zip(derivation.orders, unclipped_matches, strict=True)
    return (
        Step("tokens", "Tokens", tuple(_token_blocks(derivation)), POST),
        *(precision_step(order, unclipped, symbols) for order, unclipped in orders),
        *score_steps(symbols, _length_blocks(derivation, symbols), papineni("2.2.2")),
    )


def _token_blocks(derivation: Derivation) -> Iterator[Block]:
    settings = derivation.settings
    verb = "lowercased and split" if settings.lowercase else "split"
    where = tokenizer_description(settings.tokenizer)
    yield paragraph(
        f"Each text is {verb} ", where, " into ", Term("tokens"), ".",
    )  # fmt: skip
    yield paragraph("All further steps see only tokens.", *_punctuation_example(derivation))
    if isinstance(settings.tokenizer, str) and (fault := TOKENIZERS[settings.tokenizer].note):
        yield note(fault)
    names = ("Candidate (hypothesis)", *reference_names(len(derivation.references)))
    texts = (derivation.hypothesis, *derivation.references)
    for name, tokens in zip(names, texts, strict=True):
        yield token_list(name, tokens, MAX_TOKENS)


def token_list(
    name: str, tokens: Tokens, max_tokens: int, kinds: tuple[str, ...] = ()
) -> TokenList:
    """Return the first tokens of a text, with its name and its number of tokens as the title."""
    title = f"{name}: {count_with_noun(len(tokens), 'token')}"
    excerpt = tuple(map(token_text, tokens[:max_tokens]))
    return TokenList(title, excerpt, len(tokens) - len(excerpt), kinds, tokens_writing(tokens))


def _punctuation_example(derivation: Derivation) -> tuple[Span, ...]:
    """Return a sentence on the first token with punctuation, if there is one."""
    if isinstance(derivation.settings.tokenizer, Tokenizer):
        return ()
    for token in derivation.hypothesis[:MAX_TOKENS]:
        word = str(token).strip(',.;:!?"()“”')
        if word and word != str(token):
            writing = tokens_writing(derivation.hypothesis)
            full, bare = (Quote(token_text(text), writing) for text in (token, word))
            return (" A punctuation mark stays with its word, so ", full, " is not ", bare, ".")
    return ()


def _length_blocks(derivation: Derivation, symbols: Symbols) -> Iterator[Block]:
    """Yield the purpose of the brevity penalty, and the lengths that decide on it."""
    yield paragraph(
        "The ", Term("brevity penalty"), " ", symbols.penalty,
        " lowers the score of a candidate that is shorter than its reference.",
    )  # fmt: skip
    yield paragraph(
        "Precision alone would reward very short candidates. A longer one needs no penalty: its "
        "extra tokens lower the precisions."
    )
    yield _length_table(derivation)
    yield paragraph(*_reference_length_spans(derivation, symbols))
    if derivation.settings.reference_length == "average":
        lengths = tuple(map(Num, derivation.reference_lengths))
        yield Equation(symbols.r, Div(Add(lengths), Num(len(lengths))))


def _length_table(derivation: Derivation) -> Table:
    c = derivation.score.hypothesis_length
    names = reference_names(len(derivation.references))
    return Table(
        "lengths",
        "Length of every reference",
        ("Reference", "Length", "Distance to c"),
        tuple(
            Row(
                (name, Num(length), Num(abs(length - c))),
                "chosen" if length == derivation.score.reference_length else "",
            )
            for name, length in zip(names, derivation.reference_lengths, strict=True)
        ),
    )


def _reference_length_spans(derivation: Derivation, symbols: Symbols) -> tuple[Span, ...]:
    c, r = derivation.score.hypothesis_length, derivation.score.reference_length
    lengths = derivation.reference_lengths
    tokens = "token" if c == 1 else "tokens"
    rule = derivation.settings.reference_length
    equally_close = sorted({length for length in lengths if abs(length - c) == abs(r - c)})
    reason: tuple[Span, ...]
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
