"""The summary of a result: score, factors, lengths, precisions and remarks."""

from typing import Final

from bleu.analysis.zero import diagnose_zero, uses_min_float
from bleu.core.api import Derivation
from bleu.core.score import Score
from bleu.document.blocks import Fact, Meter, Paragraph, Row, Summary, Table, paragraph
from bleu.explanation.symbols import Symbols
from bleu.explanation.zero import remedies_paragraph, zero_paragraph
from bleu.metric.expressions import Num

INTERPRETATION_BANDS: Final = (
    (10, "below 10", "almost useless"),
    (20, "of 10–19", "hard to get the gist"),
    (30, "of 20–29", "the gist is clear, with significant errors of grammar"),
    (40, "of 30–40", "understandable to good translations"),
    (50, "of 40–50", "high quality translations"),
    (60, "of 50–60", "very high quality, adequate and fluent translations"),
    (101, "above 60", "quality often better than human"),
)
"""Upper limit on the 0–100 scale, label and meaning of the bands published by Google Cloud."""

_EMPTY_TEXT_NOTE: Final = paragraph("There is nothing to compare yet: a text is empty.")


def summarize(derivation: Derivation, symbols: Symbols) -> Summary:
    """Return the summary of a derivation."""
    score = derivation.score
    has_texts = derivation.hypothesis and any(derivation.references)
    return Summary(
        f"BLEU-{derivation.settings.max_order}",
        score.value,
        "Cross-checked: logarithms and product give the same score.",
        facts(score),
        precisions_table(symbols),
        derivation.signature,
        _remarks(derivation),
        _above_one_note(score.value) if has_texts else _EMPTY_TEXT_NOTE,
    )


def facts(score: Score) -> tuple[Fact, ...]:
    """Return the two factors of the score and the two lengths."""
    return (
        Fact("Brevity penalty", Num(score.brevity_penalty), "brevity-penalty"),
        Fact("Geometric mean", Num(score.geometric_mean), "score"),
        Fact("Candidate length c", Num(score.hypothesis_length), "brevity-penalty"),
        Fact("Reference length r", Num(score.reference_length), "brevity-penalty"),
    )


def precisions_table(symbols: Symbols, *, scale_100: bool = False) -> Table:
    """Return the table of the orders: matched/total before smoothing, and precision after it.

    `scale_100` shows the precisions on the 0–100 scale.
    """
    score, precisions = symbols.score, symbols.score.precisions
    min_float = uses_min_float(symbols.settings)
    rows = tuple(
        Row(
            (
                symbols.precision(order),
                f"{matched}/{total}",
                "left out" if symbols.is_left_out(order) else Meter(precisions[order], scale_100),
            ),
            "smoothed" if symbols.is_smoothed(order) and not min_float else "",
            anchor=f"precision-{order + 1}",
        )
        for order, (matched, total) in enumerate(zip(score.matched, score.total, strict=True))
    )
    scale = "Precision, 0–100" if scale_100 else "Precision, 0–1"
    return Table("precisions", "Modified precisions", ("Order", "Matched / total", scale), rows)


def _remarks(derivation: Derivation) -> tuple[Paragraph, ...]:
    diagnosis = diagnose_zero(derivation)
    if diagnosis is None:
        return ()
    remedies = remedies_paragraph(diagnosis)
    return (zero_paragraph(diagnosis, derivation), *((remedies,) if remedies else ()))


def interpretation(value: float) -> Paragraph:
    """Return how a published guide interprets a corpus score, or a note if the score exceeds 1."""
    if warning := _above_one_note(value):
        return warning
    bands = (band for band in INTERPRETATION_BANDS if value * 100 < band[0])
    _, label, meaning = next(bands, INTERPRETATION_BANDS[-1])
    return paragraph(
        f"Google Cloud’s guide describes a score {label} as: {meaning}. Such bands are meant for "
        "whole corpora."
    )


def _above_one_note(value: float) -> Paragraph | None:
    """Return a note if the score exceeds 1, which no published band covers, else None."""
    if value <= 1:
        return None
    return paragraph(
        "A score above 100 is off the scale of BLEU, which this smoothing can exceed; no published "
        "band is meant for it."
    )
