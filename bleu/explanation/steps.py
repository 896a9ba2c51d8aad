"""The steps from tokens to the cross-check, each a few blocks."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from bleu.core.brevity_penalty import COCO_PADDING
from bleu.core.derivation import Derivation
from bleu.core.ngrams import Excerpt, Match, Order
from bleu.core.numerics import decimal
from bleu.core.smoothing import SMOOTHINGS
from bleu.document.blocks import (
    Block,
    Citation,
    Quote,
    Row,
    Score100,
    Span,
    Step,
    Table,
    Term,
    TokenList,
    note,
    paragraph,
)
from bleu.document.expressions import (
    Add,
    Call,
    Div,
    Equation,
    Expr,
    Mul,
    Num,
    Sub,
    evaluate,
    exp,
    log,
    substitute,
)
from bleu.explanation import smoothings
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    ngram_order_name,
    ngram_text,
    reference_names,
    token_text,
)
from bleu.explanation.symbols import Symbols, number

TOKENS_SHOWN = 200
TOKENIZER_DESCRIPTIONS = {
    "whitespace": "at white space",
    "none": "at white space",
    "13a": "at white space, and around most ASCII punctuation (not apostrophes, hyphens in words, "
    "or points and commas between digits), as mteval-v13a does,",
    "intl": "at white space, and at punctuation and symbols of every script, as mteval-v14 does "
    "with --international-tokenization,",
    "char": "at every character",
    "zh": "at every Chinese character, and elsewhere much as mteval-v13a does,",
    "zh-corrected": "at every Chinese character, and elsewhere much as mteval-v13a does,",
    "mteval-v14": "at white space, punctuation and symbols, as mteval-v14 does with "
    "--international-tokenization,",
    "tensor2tensor": "at white space, punctuation and symbols, as tensor2tensor does,",
}
ROWS_SHOWN = 60


def _papineni(section: str) -> Citation:
    address = "https://aclanthology.org/P02-1040/"
    return Citation(f"Papineni et al. 2002, section {section}", address)


POST = Citation("Post 2018", "https://aclanthology.org/W18-6319/")
CHEN = Citation("Chen and Cherry 2014", "https://aclanthology.org/W14-3346/")


def excerpts(derivation: Derivation) -> tuple[Excerpt, ...]:
    """What the steps show of each order."""
    return tuple(
        order.excerpt(ROWS_SHOWN, TOKENS_SHOWN if order.n == 1 else 0)
        for order in derivation.orders
    )


def steps(derivation: Derivation, symbols: Symbols, shown: tuple[Excerpt, ...]) -> tuple[Step, ...]:
    """Every step in order; smoothing only where it changed a precision."""
    orders = derivation.orders
    smoothed = any(map(symbols.smoothed, range(len(orders))))
    return (
        Step("tokens", "Tokens", tuple(_tokens(derivation)), POST),
        *(
            Step(
                f"precision-{order.n}",
                f"Precision of {ngram_order_name(order.n)}",
                tuple(_precision(derivation, order, excerpt, symbols)),
                _papineni("2.1"),
            )
            for order, excerpt in zip(orders, shown, strict=True)
        ),
        *((smoothing_step(symbols),) if smoothed else ()),
        _brevity_penalty(derivation, symbols),
        score_step(symbols),
        cross_check_step(symbols),
    )


def _tokens(derivation: Derivation) -> Iterator[Block]:
    settings = derivation.settings
    how = "lowercased and split" if settings.lowercase else "split"
    yield paragraph(
        f"Each text is {how} ", TOKENIZER_DESCRIPTIONS[settings.tokenizer], " into ", Term("tokens"),
        ". All further steps see only tokens.", *_punctuation(derivation),
    )  # fmt: skip
    if settings.tokenizer == "zh":
        yield note(
            "sacreBLEU’s table of Chinese characters has a fault, which is kept here: it does "
            "not split those of Extension B, and it splits dashes, dots and arrows. The "
            "tokenizer zh-corrected splits as intended."
        )
    names = ("Candidate (hypothesis)", *reference_names(len(derivation.references)))
    texts = (derivation.hypothesis, *derivation.references)
    for name, tokens in zip(names, texts, strict=True):
        title = f"{name}: {count_with_noun(len(tokens), 'token')}"
        shown = tuple(map(token_text, tokens[:TOKENS_SHOWN]))
        yield TokenList(title, shown, len(tokens) - len(shown))


def _punctuation(derivation: Derivation) -> tuple[Span, ...]:
    for token in derivation.hypothesis[:TOKENS_SHOWN]:
        word = str(token).strip(',.;:!?"()“”')
        if word and word != str(token):
            whole, bare = Quote(token_text(token)), Quote(token_text(word))
            return (" A punctuation mark stays with its word, so ", whole, " is not ", bare, ".")
    return ()


def _precision(
    derivation: Derivation, order: Order, excerpt: Excerpt, symbols: Symbols
) -> Iterator[Block]:
    n = order.n
    if n == 1:
        yield paragraph(
            "Each distinct token is credited min(count, maximum) times: the smaller of its "
            "count in the candidate and its largest count in any single reference. That is "
            "its ", Term("clipped count"), ". The sum of the clipped counts, divided by the "
            "number of tokens, is the ", Term("modified precision"), " ",
            symbols.counted(0).left, ".",
        )  # fmt: skip
    elif n == 2:
        yield paragraph(
            "The same for every two neighbouring tokens, the ", Term("2-grams"), ". Longer "
            "n-grams reward words in the right order.",
        )  # fmt: skip
    else:
        yield paragraph(
            f"The same for every {n} neighbouring tokens, the ", Term(f"{n}-grams"), "."
        )
    if not order.total:
        yield _too_short(derivation, n, symbols)
        return
    if n == 1:
        shown = tuple(map(token_text, derivation.hypothesis[:TOKENS_SHOWN]))
        hidden = order.total - len(shown)
        yield TokenList("The candidate, token by token", shown, hidden, excerpt.occurrences)
    yield _ngram_table(derivation, order, excerpt)
    yield from _clipping(order, excerpt.vanilla, len(derivation.references))
    if excerpt.vanilla != order.matched:
        yield symbols.vanilla_precision(n - 1)
    yield paragraph(_credited(order))
    yield symbols.counted(n - 1)


def _too_short(derivation: Derivation, n: int, symbols: Symbols) -> Block:
    if symbols.left_out(n - 1):
        consequence = "This order is left out."
    elif symbols.smoothed(n - 1):
        consequence = "Smoothing gives it a precision below."
    elif derivation.score.precisions[n - 1]:
        consequence = "It counts as 1 here, so it changes nothing."
    else:
        consequence = "With nothing to divide by, its precision counts as 0."
    return note(
        f"The candidate has {count_with_noun(len(derivation.hypothesis), 'token')}, too few for a "
        f"{n}-gram: matched and total are both 0. {consequence}"
    )


def _ngram_table(derivation: Derivation, order: Order, excerpt: Excerpt) -> Table:
    names = reference_names(len(derivation.references), short=True)
    blank: tuple[Span, ...] = ("",) * (len(names) + 1)
    hidden = excerpt.distinct - len(excerpt.matches)
    return Table(
        "ngrams",
        f"{ngram_order_name(order.n).capitalize()} of the candidate",
        (
            f"{order.n}-gram",
            "Count",
            *(f"In {name}" for name in names),
            "Maximum",
            "Credited",
        ),
        tuple(
            _ngram_row(match, f"{order.n}-{place}") for place, match in enumerate(excerpt.matches)
        ),
        Row(("Sum", Num(order.total), *blank, Num(order.matched))),
        hidden,
        f"{order.n}-gram" if hidden == 1 else ngram_order_name(order.n),
    )


def _ngram_row(match: Match, key: str) -> Row:
    if not match.clipped_count:
        kind = "unmatched"
    elif match.clipped_count < match.count:
        kind = "clipped"
    else:
        kind = "credited"
    return Row(
        (
            Quote(ngram_text(match.ngram)),
            Num(match.count),
            *map(Num, match.reference_counts),
            Num(match.max_reference_count),
            Num(match.clipped_count),
        ),
        kind,
        key,
    )


def _clipping(order: Order, vanilla: int, references: int) -> Iterator[Block]:
    lost = vanilla - order.matched
    missing = order.total - order.matched
    if lost:
        yield paragraph(
            "Without clipping, ", Num(vanilla), f" of the {order.total} would be credited, "
            "which is the ", Term("vanilla precision"), ". Clipping takes away ", Num(lost),
            f", because no single reference has {'it' if lost == 1 else 'them'} often enough.",
        )  # fmt: skip
    elif missing and order.matched:
        are = "is" if missing == 1 else "are"
        where = "not in the reference" if references == 1 else "in no reference"
        yield paragraph(
            Num(missing), f" of the {order.total} {are} {where}. Clipping takes nothing away here."
        )


def _credited(order: Order) -> str:
    matched, total = order.matched, order.total
    if total == 1:
        return f"The only one is {'credited' if matched else 'in no reference'}, so:"
    if not matched:
        return f"None of the {total} is in a reference, so:"
    if matched == total:
        return f"All {total} are credited, so:"
    return f"{matched} of the {total} {'is' if matched == 1 else 'are'} credited, so:"


def smoothing_step(symbols: Symbols) -> Step:
    """How the orders that smoothing changed got their precisions."""
    blocks: list[Block] = [smoothings.smoothing_paragraph(symbols)]
    if symbols.settings.too_short == "zero-of-one" and 0 in symbols.score.total:
        blocks.append(
            note("An order that a segment is too short for counts here as 0 of 1, as in NLTK.")
        )
    cites = SMOOTHINGS[symbols.settings.smoothing].cites
    source = CHEN if "Chen and Cherry" in cites else None
    return Step("smoothing", "Smoothing", (*blocks, *smoothings.equations(symbols)), source)


def _brevity_penalty(derivation: Derivation, symbols: Symbols) -> Step:
    blocks: list[Block] = [
        paragraph(
            "Precision alone would reward very short candidates. The ", Term("brevity penalty"),
            " ", symbols.penalty, " lowers the score of a candidate that is shorter than its "
            "reference. A longer one needs no penalty: its extra tokens lower the precisions.",
        ),
        _length_table(derivation),
        paragraph(*_chosen_length(derivation, symbols)),
    ]  # fmt: skip
    if derivation.settings.reference_length == "average":
        lengths = tuple(map(Num, derivation.reference_lengths))
        blocks.append(Equation(symbols.r, Div(Add(lengths), Num(len(lengths)))))
    blocks += penalty_blocks(symbols)
    return Step("brevity-penalty", "Brevity penalty", tuple(blocks), _papineni("2.2.2"))


def penalty_blocks(symbols: Symbols) -> list[Block]:
    """The brevity penalty from c and r, with the sentence that says which case it is."""
    c, r, score = symbols.c, symbols.r, symbols.score
    formula: Expr
    if symbols.settings.length_padding == "coco":
        return _padded_penalty(symbols)
    if score.hypothesis_length > score.reference_length:
        words, formula = paragraph(c, " is greater than ", r, ", so there is no penalty:"), Num(1)
    elif score.hypothesis_length == score.reference_length:
        words, formula = paragraph(c, " equals ", r, ", so there is no penalty:"), Num(1)
    elif not score.hypothesis_length:
        words = paragraph("The candidate is empty, and its penalty is 0, the limit:")
        formula = Num(0)
    else:
        words, formula = paragraph(c, " is less than ", r, ", so:"), exp(Sub(Num(1), Div(r, c)))
    return [words, Equation(symbols.penalty, formula)]


def _padded_penalty(symbols: Symbols) -> list[Block]:
    c, r = (
        Add((length, Num(small)))
        for length, small in zip((symbols.c, symbols.r), COCO_PADDING, strict=True)
    )
    penalty = exp(Sub(Num(1), Div(r, c))) if evaluate(c) < evaluate(r) else Num(1)
    return [
        paragraph("Here a tiny number is added to both lengths, so that nothing is divided by 0:"),
        Equation(symbols.penalty, penalty),
    ]


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


def _chosen_length(derivation: Derivation, symbols: Symbols) -> tuple[Span, ...]:
    c, r = derivation.score.hypothesis_length, derivation.score.reference_length
    lengths = derivation.reference_lengths
    tokens = "token" if c == 1 else "tokens"
    here: tuple[Span, ...] = ("The candidate has ", symbols.c, " = ", Num(c), f" {tokens}. ")
    result: tuple[Span, ...] = (symbols.r, " = ", Num(r), ". ")
    if len(lengths) == 1:
        return (*here, "There is one reference, so ", *result)
    if derivation.settings.reference_length == "shortest":
        return (*here, "The shortest reference counts: ", *result)
    if derivation.settings.reference_length == "average":
        return (*here, "The average of the references’ lengths counts: ", *result)
    if derivation.settings.reference_length == "closest-first":
        return (
            *here, "The length closest to ", symbols.c, " counts, and of two equally close ones "
            "the first listed: ", *result,
        )  # fmt: skip
    distances = {length for length in lengths if abs(length - c) == abs(r - c)}
    if len(distances) > 1:
        shorter, longer = sorted(distances)
        return (
            *here, f"The lengths {shorter} and {longer} are equally close to ", symbols.c,
            ", so the shorter counts: ", *result,
        )  # fmt: skip
    return (*here, "The reference length closest to ", symbols.c, " counts: ", *result)


def score_step(symbols: Symbols) -> Step:
    """The geometric mean by logarithms, and the score."""
    return Step(
        "score", "Geometric mean and score", tuple(_score_blocks(symbols)), _papineni("2.3")
    )


def _score_blocks(symbols: Symbols) -> Iterator[Block]:
    yield paragraph(
        "The precisions are combined by their ", Term("geometric mean"), ", which is the "
        "exponential of the weighted sum of their logarithms. One precision of 0 makes it 0.",
    )  # fmt: skip
    yield from _unusual_values(symbols)
    yield from _refused_smoothing(symbols)
    yield from _unused_orders(symbols)
    yield _log_table(symbols)
    yield paragraph("The contributions are added:")
    yield Equation(symbols.log_mean, symbols.log_series())
    yield paragraph("The exponential of the sum is the geometric mean:")
    yield Equation(symbols.mean, exp(symbols.log_mean))
    yield paragraph("The mean times the brevity penalty is the score:")
    yield Equation(symbols.bleu, Mul((symbols.penalty, symbols.mean)))
    hundred = Score100(symbols.score.value)
    yield paragraph("That is the score on the 0–1 scale; on the 0–100 scale it is ", hundred, ".")


def _unused_orders(symbols: Symbols) -> Iterator[Block]:
    """The orders without a weight, and why they have none."""
    score, settings = symbols.score, symbols.settings
    unused = [n for n, weight in enumerate(score.weights) if not weight]
    left_out = [str(n + 1) for n in unused]
    if settings.zero_precision == "dropped":
        dropped = [str(n + 1) for n in unused if not score.precisions[n]]
        if dropped:
            yield note(
                f"{_orders(dropped).capitalize()} {'has' if len(dropped) == 1 else 'have'} a "
                "precision of 0, and NLTK leaves that out."
            )
        if dropped != left_out and not settings.weights:
            yield note(
                "With NLTK’s auto_reweigh, orders above the number of tokens are left out, and "
                "the weights of the others are scaled up to sum to 1."
            )
    elif left_out and settings.effective_order:
        yield note(
            Term("Effective order"), f": the candidate is too short for {_orders(left_out)}, "
            f"which {'is' if len(left_out) == 1 else 'are'} left out. The other weights are "
            "scaled up to sum to 1.",
        )  # fmt: skip


def _orders(numbers: list[str]) -> str:
    return f"order{'' if len(numbers) == 1 else 's'} {english_list(numbers)}"


def _unusual_values(symbols: Symbols) -> Iterator[Block]:
    """Values that are refused elsewhere, and what becomes of them here."""
    settings = symbols.settings
    if settings.smoothing_value == 0:
        symbol = symbols.smoothing_value.name
        yield note(f"{symbol} is 0, so nothing is smoothed: it is smoothing none.")
    whole = sum(settings.weights or (), start=Fraction(0))
    if settings.weights and abs(whole - 1) > Fraction(1, 10**9):
        yield note(
            f"The weights sum to {decimal(whole)}, not to 1. They are used as they are, as by "
            "the implementation that was chosen; so this is no mean, and such scores compare "
            "with no others."
        )


def _refused_smoothing(symbols: Symbols) -> Iterator[Block]:
    matched, settings = symbols.score.matched, symbols.settings
    refused = settings.unmatched == "zero-if-any-order-empty"
    if refused and any(matched) and not any(symbols.score.precisions):
        yield note(
            "One order has no match, and torchmetrics and torchtext then give 0, whatever its "
            "weight: every precision counts as 0 below."
        )
    elif settings.smoothing == "none" or settings.unmatched == "smoothed" or all(matched):
        return
    elif not any(matched):
        yield note("Nothing at all matches, so there is nothing to smooth: the score stays 0.")
    elif refused:
        yield note("One order has no match, and torchmetrics then gives 0 without smoothing.")


def _log_table(symbols: Symbols) -> Table:
    rows = []
    for n, weight in enumerate(symbols.score.weights):
        p = symbols.precision(n)
        if weight:
            logarithm = number(log(p))
            part = number(Mul((Num(weight), log(p))))
            rows.append(Row((p, substitute(p), logarithm, Num(weight), part)))
        else:
            rows.append(Row((p, "left out", "", Num(0), "")))
    return Table(
        "logarithms",
        "What each order contributes",
        ("Order", "Precision", "Logarithm", "Weight", "Contribution"),
        tuple(rows),
        Row(("Sum", "", "", "", Num(symbols.score.log_geometric_mean))),
    )


def cross_check_step(symbols: Symbols) -> Step:
    """The same score by the product, and the comparison of the two ways."""
    return Step("cross-check", "Cross-check", tuple(_cross_check(symbols)), _papineni("2.3"))


def _cross_check(symbols: Symbols) -> Iterator[Block]:
    yield paragraph(
        "The same score without logarithms: the precisions are multiplied as exact fractions, "
        "and the root of the product is taken.",
    )
    yield Equation(symbols.product_mean, symbols.product())
    yield paragraph("That times the brevity penalty is the score again:")
    yield Equation(symbols.product_bleu, Mul((symbols.penalty, symbols.product_mean)))
    if symbols.score.cross_check.geometric_mean == symbols.score.geometric_mean:
        yield paragraph("Both ways give the same mean to the last digit.")
    else:
        first = replace(symbols.mean, decimal=True)
        second = replace(symbols.product_mean, decimal=True)
        apart = Call("abs", (Sub(first, second),))
        yield paragraph("The two means differ only by rounding:")
        yield Equation(symbols.difference, Div(apart, Call("max", (first, second))))
