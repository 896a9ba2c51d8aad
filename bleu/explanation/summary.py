"""The result at a glance: score, facts, precisions, and one remark where it matters."""

from bleu.analysis.zero import diagnose_zero, uses_min_float
from bleu.core.derivation import Derivation
from bleu.core.score import Score
from bleu.document.blocks import Fact, Meter, Paragraph, Row, Summary, Table, paragraph
from bleu.document.expressions import Num
from bleu.explanation.symbols import Symbols
from bleu.explanation.zero import remedies_paragraph, zero_paragraph

BANDS = (
    (10, "below 10", "almost useless"),
    (20, "of 10–19", "hard to get the gist"),
    (30, "of 20–29", "the gist is clear, with significant errors of grammar"),
    (40, "of 30–40", "understandable to good translations"),
    (50, "of 40–50", "high quality translations"),
    (60, "of 50–60", "very high quality, adequate and fluent translations"),
    (101, "above 60", "quality often better than human"),
)
"""Upper end × 100, label and meaning of the bands that Google Cloud publishes."""


_EMPTY_TEXT_NOTE = paragraph("There is nothing to compare yet: a text is empty.")


def summarize(derivation: Derivation, symbols: Symbols) -> Summary:
    """The summary of a derivation."""
    score = derivation.score
    return Summary(
        f"BLEU-{derivation.settings.max_order}",
        score.value,
        "Cross-checked: logarithms and product give the same score.",
        facts(score),
        precisions(symbols),
        derivation.signature,
        tuple(_remarks(derivation)),
        _above_one_note(score.value) if _has_texts(derivation) else _EMPTY_TEXT_NOTE,
    )


def facts(score: Score) -> tuple[Fact, ...]:
    """The two factors of the score, and the two lengths."""
    return (
        Fact("Brevity penalty", Num(score.brevity_penalty), "brevity-penalty"),
        Fact("Geometric mean", Num(score.geometric_mean), "score"),
        Fact("Candidate length c", Num(score.hypothesis_length), "brevity-penalty"),
        Fact("Reference length r", Num(score.reference_length), "brevity-penalty"),
    )


def precisions(symbols: Symbols) -> Table:
    """Every order with matched/total as counted, and the precision as used."""
    score = symbols.score
    smallest = uses_min_float(symbols.settings)
    rows = tuple(
        Row(
            (
                symbols.precision(order),
                f"{matched}/{total}",
                "left out" if symbols.left_out(order) else Meter(score.precisions[order]),
            ),
            "smoothed" if symbols.smoothed(order) and not smallest else "",
        )
        for order, (matched, total) in enumerate(zip(score.matched, score.total, strict=True))
    )
    return Table(
        "precisions", "Modified precisions", ("Order", "Matched / total", "Precision, 0–1"), rows
    )


def _has_texts(derivation: Derivation) -> bool:
    return bool(derivation.hypothesis) and any(derivation.references)


def _remarks(derivation: Derivation) -> list[Paragraph]:
    found = diagnose_zero(derivation)
    if found is None:
        return []
    helping = remedies_paragraph(found)
    return [zero_paragraph(found, derivation), *((helping,) if helping else ())]


def interpretation(value: float) -> Paragraph:
    """How a published guide reads such a score of a corpus, and what to think of that."""
    if beyond := _above_one_note(value):
        return beyond
    _, label, meaning = next((band for band in BANDS if value * 100 < band[0]), BANDS[-1])
    return paragraph(
        f"Google Cloud’s guide describes a score {label} as: {meaning}. Such bands are meant for "
        "whole corpora."
    )


def _above_one_note(value: float) -> Paragraph | None:
    """What to think of a score above 1; no band is for it, and none for a single segment."""
    if value <= 1:
        return None
    return paragraph(
        "A score above 100 is off the scale of BLEU, which this smoothing can exceed; no published "
        "band is meant for it."
    )
