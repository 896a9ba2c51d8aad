"""How often people prefer the system with the higher score, as text and as a curve."""

import math
from typing import Final

from bleu.analysis.agreement import CHANCE, human_agreement
from bleu.document.blocks import AxisTick, Curve, Figure, paragraph

MIN_CURVE_END: Final = 5.0
"""The smallest end of the x axis, which is in points on the 0–100 scale."""
CURVE_INTERVALS: Final = 80
"""The number of equal intervals between the computed points of the curve."""
METRIC_NAMES: Final = {"bleu": "BLEU", "spbleu": "spBLEU"}
STUDY: Final = "Kocmi, Zouhar, Federmann and Post 2024"
LIMITATIONS: Final = (
    "The study says less about unrelated systems, and nothing about a single sentence"
)


def agreement_text(difference: float, metric: str) -> str:
    """Return how often people prefer the higher of two scores with this difference, as text.

    `difference` is on the 0–1 scale, and its sign is ignored; `metric` is "bleu" or "spbleu".

    >>> agreement_text(-0.017, "bleu").partition(" (")[0]
    'Noticeable? Of pairs of systems 1.7 BLEU apart, people preferred the higher score in 74 %'
    """
    agreement, name = human_agreement(difference, metric), METRIC_NAMES[metric]
    systems = f"systems {abs(100 * difference):.2g} {name} apart"
    finding = f"Of pairs of {systems}, people preferred the higher score in {100 * agreement:.0f} %"
    if agreement == CHANCE:
        finding = f"For {systems}, the higher score agrees with people no better than chance"
    return f"Noticeable? {finding} ({STUDY}, on the human judgements of WMT). {LIMITATIONS}."


def agreement_figure(difference: float, metric: str) -> Figure:
    """Return the curve of how often people prefer the higher score, with `difference` marked."""
    size, name = abs(100 * difference), METRIC_NAMES[metric]
    end = min(100.0, max(MIN_CURVE_END, 5.0 * math.ceil(size / 4)))
    samples = [end * (index / CURVE_INTERVALS) for index in range(CURVE_INTERVALS + 1)]
    points = tuple((x, human_agreement(x / 100, metric)) for x in samples)
    agreement = human_agreement(difference, metric)
    return Figure(
        "agreement-figure",
        f"Share of pairs in which people prefer the system with the higher {name}, in %",
        Curve(
            points,
            (size, agreement),
            ("Δ", "share"),
            tuple(AxisTick(f"{end * part / 5:g}", end * part / 5) for part in range(1, 6)),
            end,
            in_percent=True,
        ),
        paragraph(
            f"A curve that rises from 50 % for a difference of 0 to {100 * points[-1][1]:.0f} % "
            f"for {end:.3g} points. The systems are {size:.2f} points apart, so it is "
            f"{100 * agreement:.0f} %."
        ),
    )
