"""Names and descriptions of the smoothings."""

from bleu.core.settings import Settings
from bleu.document.blocks import Paragraph, Span, Term, paragraph
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Num
from bleu.metric.smoothings import SMOOTHINGS


def smoothing_name(settings: Settings, *details: str) -> str:
    """Return the name of the smoothing, with its value and `details` in parentheses.

    >>> smoothing_name(Settings(smoothing="floor")), smoothing_name(Settings(), "as in mteval")
    ('smoothing floor (ε = 0.1)', 'smoothing none (as in mteval)')
    """
    value, symbol = settings.smoothing_value, SMOOTHINGS[settings.smoothing].symbol
    notes = [*([f"{symbol} = {float(value):g}"] if value is not None else []), *details]
    return f"smoothing {settings.smoothing}" + (f" ({', '.join(notes)})" if notes else "")


def smoothing_paragraph(symbols: Symbols) -> Paragraph:
    """Return the description of the smoothing, with its value and its sources."""
    smoothing, value = SMOOTHINGS[symbols.settings.smoothing], symbols.smoothing_value
    texts = enumerate(smoothing.text.split("*"))
    spans: list[Span] = [Term(text) if index % 2 else text for index, text in texts if text]
    if value.name:
        spans += [" Here ", value, " = ", Num(value.value or 0, decimal=True), "."]
    if smoothing.by_last_segment:
        spans.append(" In a corpus, a part of it depends on the last segment alone.")
    spans.append(f" ({smoothing.cites}.)" if smoothing.cites else "")
    return paragraph(*spans)
