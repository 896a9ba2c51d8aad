"""The document of a corpus: the sums over its segments, their score, and why it is 0."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bleu.analysis.zero import failed_order, is_penalty_zero
from bleu.core.statistics import Statistics
from bleu.corpus.corpus import Corpus
from bleu.document import blocks as doc
from bleu.explanation.figures import contributions_figure
from bleu.explanation.phrases import count_with_noun, ngram_order_name, subscript
from bleu.explanation.score_steps import score_steps
from bleu.explanation.summary import facts, interpretation, precisions_table
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Num, Sym

MAX_SEGMENTS: Final = 8
"""The maximum number of segments in the table of sums."""
MAX_TERMS: Final = 4
"""The maximum number of segments over which a sum is written out, as in (5 + 2)/(5 + 4)."""


def explain_corpus(corpus: Corpus) -> doc.Document:
    """Return a document that explains a corpus: a summary, a figure, and the steps to the score.

    >>> from bleu import derive_corpus
    >>> corpus = derive_corpus(["a b"], [["a c"]], max_order=1)
    >>> [step.anchor for step in explain_corpus(corpus).steps]
    ['sums', 'precisions', 'brevity-penalty', 'score', 'cross-check']
    """
    symbols = Symbols(corpus.score)
    lengths = _lengths_paragraph(corpus, symbols)
    return doc.Document(
        _summary(corpus, symbols),
        (contributions_figure(corpus.score),),
        (_sums_step(corpus), _precisions_step(corpus, symbols), *score_steps(symbols, [lengths])),
    )


def mean_paragraph(corpus: Corpus, name: str) -> doc.Paragraph:
    """Return a paragraph on the mean score of a system's segments, and why it is not BLEU."""
    if corpus.mean is None:
        missing = [index for index, score in enumerate(corpus.scores) if score is None]
        reason = corpus.missing_score_reason(missing[0])
        return doc.paragraph(
            f"The segment scores of {name} have no mean: ",
            doc.Strong(count_with_noun(len(missing), "segment")),
            f" {'has' if len(missing) == 1 else 'have'} no score alone, such as "
            f"{missing[0] + 1:,}: {reason}. BLEU adds the counts of all segments first.",
        )  # fmt: skip
    reason = "So a long segment counts more than a short one."
    if zeros := sum(not score for score in corpus.scores):
        verb, pronoun = ("has", "its") if zeros == 1 else ("have", "their")
        reason = (
            f"{count_with_noun(zeros, 'segment')} {verb} a score of 0, but {pronoun} tokens count "
            "here all the same."
        )
    order = corpus.settings.max_order
    short_count = sum(
        not score and segment.hypothesis_length < order
        for score, segment in zip(corpus.scores, corpus.segments, strict=True)
    )
    if short_count and order > 1 and not corpus.settings.effective_order:
        if short_count < zeros:
            subject = f"Of these, {short_count:,}"
        else:
            subject = "It" if short_count == 1 else f"All {short_count:,}"
        verb = "has" if short_count == 1 else "have"
        reason += f" {subject} {verb} fewer than {order} tokens, and so no {order}-gram."
    return doc.paragraph(
        f"The mean of the segment scores of {name}, ", doc.Strong(f"{corpus.mean * 100:.2f}"),
        f", is not BLEU: BLEU adds the counts of all segments first. {reason}",
    )  # fmt: skip


def _zero_reason(corpus: Corpus) -> str:
    score = corpus.score
    if not score.hypothesis_length:
        return "Every candidate is empty."
    if is_penalty_zero(score):
        return (
            "The candidates are so much shorter than their references that the brevity penalty is "
            "below the smallest number that a computer holds, and counts as 0."
        )
    n = failed_order(score, corpus.settings)
    if score.total[n - 1]:
        cause = f"No {n}-gram matches in the whole corpus"
    else:
        cause = f"No candidate is long enough for a {n}-gram"
    return f"{cause}, so p{subscript(n)} is 0, and one precision of 0 makes the whole score 0."


def _summary(corpus: Corpus, symbols: Symbols) -> doc.Summary:
    score = corpus.score
    remarks: list[doc.Paragraph] = []
    if not corpus.segments:
        remarks.append(doc.note("There is no segment, so there is nothing to score."))
    elif not score.value:
        remarks.append(doc.note(doc.Strong("Why 0?"), f" {_zero_reason(corpus)}"))
    return doc.Summary(
        f"Corpus BLEU-{corpus.settings.max_order}",
        score.value,
        "Cross-checked: logarithms and product give the same score.",
        facts(score),
        precisions_table(symbols, scale_100=True),
        corpus.signature,
        tuple(remarks),
        interpretation(score.value),
    )


def _sums_step(corpus: Corpus) -> doc.Step:
    orders = range(1, corpus.settings.max_order + 1)
    displayed = corpus.segments[:MAX_SEGMENTS]
    table = doc.Table(
        "sums",
        "Matched and total of each order, and the lengths",
        ("Segment", *(f"{n}-grams" for n in orders), "c", "r"),
        tuple(_counts_row(str(number), segment) for number, segment in enumerate(displayed, 1)),
        _counts_row("Sum", corpus.score.statistics),
        len(corpus.segments) - len(displayed),
        "segments",
    )
    text = doc.paragraph(
        "Every segment is counted by itself, with its own references. Then the ",
        doc.Term("statistics"), " are added, order by order; the score is computed once, from the "
        f"sums over {count_with_noun(len(corpus.segments), 'segment')}.",
    )  # fmt: skip
    return doc.Step("sums", "Sums over the segments", (text, table))


def _counts_row(label: str, counts: Statistics) -> doc.Row:
    matches = (f"{m}/{t}" for m, t in zip(counts.matched, counts.total, strict=True))
    return doc.Row((label, *matches, Num(counts.hypothesis_length), Num(counts.reference_length)))


def _precisions_step(corpus: Corpus, symbols: Symbols) -> doc.Step:
    blocks: list[doc.Block] = [
        doc.paragraph(
            "Each modified precision is the sum of the matches divided by the sum of the totals."
        )
    ]
    for order, total in enumerate(symbols.score.total):
        if total:
            matched = _sum_text([segment.matched[order] for segment in corpus.segments])
            totals = _sum_text([segment.total[order] for segment in corpus.segments])
            equation = symbols.counted_equation(order)
            if matched:
                blocks.append(doc.paragraph(equation.left, f" = ({matched})/({totals}):"))
            blocks.append(equation)
        else:
            blocks.append(doc.note(f"No segment is long enough for {ngram_order_name(order + 1)}."))
    return doc.Step("precisions", "Modified precisions", tuple(blocks))


def _lengths_paragraph(corpus: Corpus, symbols: Symbols) -> doc.Paragraph:
    score = symbols.score
    c_terms = _sum_text([segment.hypothesis_length for segment in corpus.segments])
    r_terms = _sum_text([segment.reference_length for segment in corpus.segments])
    return doc.paragraph(
        "The lengths are added, too: ", symbols.c, " = ",
        f"{c_terms} = " if c_terms else "", Num(score.hypothesis_length),
        " tokens in all candidates, and ", Sym("r", Fraction(score.reference_length)), " = ",
        f"{r_terms} = " if r_terms else "", Num(score.reference_length),
        " in the references that count.",
    )  # fmt: skip


def _sum_text(numbers: Sequence[Fraction | int]) -> str:
    """Return a sum written out, or "" if it has fewer than 2 or more than `MAX_TERMS` terms."""
    return " + ".join(map(str, numbers)) if 1 < len(numbers) <= MAX_TERMS else ""
