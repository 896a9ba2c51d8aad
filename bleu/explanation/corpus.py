"""A corpus told as a document: the sums over its segments, and the score they give."""

from fractions import Fraction

from bleu.analysis.zero import failed_order, is_penalty_zero
from bleu.corpus.corpus import Corpus
from bleu.document.blocks import (
    Block,
    Document,
    Paragraph,
    Row,
    Step,
    Strong,
    Summary,
    Table,
    Term,
    note,
    paragraph,
)
from bleu.document.expressions import Num, Sym
from bleu.explanation.figures import contributions
from bleu.explanation.phrases import count_with_noun, ngram_order_name, subscript
from bleu.explanation.score_steps import (
    cross_check_step,
    penalty_blocks,
    score_step,
    smoothing_step,
)
from bleu.explanation.summary import facts, interpretation, precisions
from bleu.explanation.symbols import Symbols

SEGMENTS_SHOWN = 8


def explain_corpus(corpus: Corpus) -> Document:
    """The document of a corpus: its summary, where the score is lost, and the steps from the sums.

    >>> from bleu import Settings, segment_statistics
    >>> from bleu.corpus.corpus import corpus_from_segments
    >>> parts = [segment_statistics("a b", ["a c"], max_order=1)]
    >>> [step.anchor for step in explain_corpus(corpus_from_segments(parts, Settings(max_order=1))).steps]
    ['sums', 'precisions', 'brevity-penalty', 'score', 'cross-check']
    """
    symbols = Symbols(corpus.score, corpus.settings, corpus.score.matched)
    smoothed = any(map(symbols.smoothed, range(corpus.settings.max_order)))
    return Document(
        _summary(corpus, symbols),
        (contributions(corpus.score),),
        (
            _sums(corpus),
            _precisions(symbols),
            *((smoothing_step(symbols),) if smoothed else ()),
            _brevity_penalty(symbols),
            score_step(symbols),
            cross_check_step(symbols),
        ),
    )


def mean_and_bleu(corpus: Corpus, name: str) -> Paragraph:
    """The mean of the scores of a system's segments beside its BLEU, and why they differ."""
    if corpus.mean is None:
        without = [number for number, score in enumerate(corpus.scores) if score is None]
        return paragraph(
            f"The scores of the segments of {name} have no mean: ",
            Strong(count_with_noun(len(without), "segment")),
            f" {'has' if len(without) == 1 else 'have'} no score alone, such as "
            f"{without[0] + 1:,}: {corpus.missing_score_reason(without[0])}. BLEU adds the counts of all "
            "segments first.",
        )  # fmt: skip
    zero = sum(not score for score in corpus.scores)
    has, their = ("has", "its") if zero == 1 else ("have", "their")
    because = (
        f"{count_with_noun(zero, 'segment')} {has} a score of 0, but {their} tokens count here all the "
        "same."
        if zero
        else "So a long segment weighs more than a short one."
    )
    order = corpus.settings.max_order
    short = sum(
        not score and corpus.segments[number].hypothesis_length < order
        for number, score in enumerate(corpus.scores)
    )
    if short and order > 1 and not corpus.settings.effective_order:
        which = f"Of these, {short:,}" if short < zero else "It" if short == 1 else f"All {short:,}"
        has = "has" if short == 1 else "have"
        because += f" {which} {has} fewer than {order} tokens, and so no {order}-gram."
    return paragraph(
        f"The mean of the scores of the segments of {name}, ", Strong(f"{corpus.mean * 100:.2f}"),
        f", is not BLEU: BLEU adds the counts of all segments first. {because}",
    )  # fmt: skip


def _why_zero(corpus: Corpus) -> str:
    score = corpus.score
    if not score.hypothesis_length:
        return "Every candidate is empty."
    if is_penalty_zero(score):
        return (
            "The candidates are so much shorter than their references that the brevity penalty is "
            "0 to the last digit."
        )
    n = failed_order(score, corpus.settings)
    if score.total[n - 1]:
        why = f"No {n}-gram matches in the whole corpus"
    else:
        why = f"No candidate is long enough for a {n}-gram"
    return f"{why}, so p{subscript(n)} is 0, and one precision of 0 makes the whole score 0."


def _summary(corpus: Corpus, symbols: Symbols) -> Summary:
    score = corpus.score
    remarks: list[Paragraph] = []
    if not corpus.segments:
        remarks.append(note("There is no segment, so there is nothing to score."))
    elif not score.value:
        remarks.append(note(Strong("Why 0?"), f" {_why_zero(corpus)}"))
    return Summary(
        f"Corpus BLEU-{corpus.settings.max_order}",
        score.value,
        "Cross-checked: logarithms and product give the same score.",
        facts(score),
        precisions(symbols),
        corpus.signature,
        tuple(remarks),
        interpretation(score.value),
    )


def _sums(corpus: Corpus) -> Step:
    orders = range(1, corpus.settings.max_order + 1)
    shown = corpus.segments[:SEGMENTS_SHOWN]
    rows = [
        Row(
            (
                str(place),
                *(f"{m}/{t}" for m, t in zip(own.matched, own.total, strict=True)),
                Num(own.hypothesis_length),
                Num(own.reference_length),
            )
        )
        for place, own in enumerate(shown, 1)
    ]
    score = corpus.score
    whole = Row(
        (
            "Sum",
            *(f"{m}/{t}" for m, t in zip(score.matched, score.total, strict=True)),
            Num(score.hypothesis_length),
            Num(score.reference_length),
        )
    )
    table = Table(
        "sums",
        "Matched and total of each order, and the lengths",
        ("Segment", *(f"{n}-grams" for n in orders), "c", "r"),
        tuple(rows),
        whole,
        len(corpus.segments) - len(shown),
        "segments",
    )
    words = paragraph(
        "Every segment is counted by itself, with its own references. Then the ",
        Term("statistics"), " are added, order by order; the score is computed once, from the "
        f"sums over {count_with_noun(len(corpus.segments), 'segment')}.",
    )  # fmt: skip
    return Step("sums", "Sums over the segments", (words, table))


def _precisions(symbols: Symbols) -> Step:
    blocks: list[Block] = [
        paragraph(
            "Each modified precision is the sum of the matches divided by the sum of the totals."
        )
    ]
    for order, total in enumerate(symbols.score.total):
        if total:
            blocks.append(symbols.counted(order))
        else:
            blocks.append(note(f"No segment is long enough for {ngram_order_name(order + 1)}."))
    return Step("precisions", "Modified precisions", tuple(blocks))


def _brevity_penalty(symbols: Symbols) -> Step:
    score = symbols.score
    words = paragraph(
        "The lengths are added, too: ", symbols.c, " = ", Num(score.hypothesis_length),
        " tokens in all candidates, and ", Sym("r", Fraction(score.reference_length)), " = ",
        Num(score.reference_length), " in the references that count.",
    )  # fmt: skip
    return Step("brevity-penalty", "Brevity penalty", (words, *penalty_blocks(symbols)))
