"""The parts of a score as bars to play with."""

from collections.abc import Sequence
from html import escape
from typing import Final

from app.components import button
from bleu.core.score import Score
from bleu.explanation.phrases import english_list
from bleu.learn.hand_calculation import Value, geometric_mean
from bleu.learn.number_input import format_number, parse_number

NAMES: Final = ("BP", *(f"p{index}" for index in "₁₂₃₄₅₆₇₈₉"))
"""The symbols of the parts of a score: the brevity penalty, and the precisions."""
FIRST_PARTS: Final = ("exp(−1/7)", "6/7", "4/6", "2/5", "1/4")
"""The parts to begin with, of a candidate of 7 words and a reference of 8."""


def bleu_of(parts: Sequence[Value]) -> float:
    """Return BP times the geometric mean of the precisions."""
    penalty, *precisions = parts
    return float(penalty) * float(geometric_mean(precisions))


def score_parts(score: Score) -> list[str]:
    """Return the brevity penalty and the precisions of a score as texts to type.

    >>> from bleu import sentence_bleu
    >>> score_parts(sentence_bleu("a b c d", ["a b d c e"], max_order=2))
    ['exp(−1/4)', '4/4', '1/3']
    """
    precisions = (
        f"{matched}/{total}" if total and total * p == matched else format_number(p)
        for matched, total, p in zip(score.matched, score.total, score.precisions, strict=True)
    )
    return [format_number(score.brevity_penalty), *precisions][: len(NAMES)]


def play_html(parts: Sequence[str]) -> str:
    """Return the bars of a score's parts, each with buttons and a box to type in."""
    rows = []
    for name, part in zip(NAMES, parts, strict=False):
        buttons = [
            button(f"learn:bar {name} {step}", sign, f' aria-label="{name} {label}"')
            for step, sign, label in ((-5, "−", "lower"), (5, "+", "higher"))
        ]
        rows.append(
            f'<div class="play-bar"><label for="text-{name}">{name}</label>{buttons[0]}'
            f'<input type="range" id="bar-{name}" max="100" aria-label="{name}, in percent">'
            f'{buttons[1]}<input class="blank" id="text-{name}" value="{escape(part)}" size="10" '
            'autocomplete="off" spellcheck="false" dir="ltr"></div>'
        )
    return (
        '<form id="exercise" class="step" autocomplete="off" aria-labelledby="exercise-title">'
        '<h3 id="exercise-title" tabindex="-1">Play with the mean</h3>'
        "<p>BLEU is the brevity penalty times the geometric mean of the precisions. Drag a bar, or "
        "type a number such as 3/4, 0.75 or exp(−1/5). Which bar moves the score most?</p>"
        f'{"".join(rows)}<div id="play-score" role="status"></div></form>'
    )


def part_value(name: str, text: str) -> Value:
    """Return the value of a part in [0, 1].

    Raises ValueError if the text is no such number.
    """
    try:
        value = parse_number(text).value
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is “{text[:20]}”; type a number from 0 to 1, such as 3/4")
    return value


def play_score_html(values: Sequence[Value]) -> str:
    """Return the formula with numbers, the score, and what a part of 0 does."""
    n = len(values) - 1
    penalty, *precisions = (f"{float(value):.4g}" for value in values)
    symbols, score = " · ".join(NAMES[1 : n + 1]), bleu_of(values)
    zeros = [name for name, value in zip(NAMES, values, strict=False) if not value]
    end = f" {english_list(zeros)} of 0 takes the whole score with it." if zeros else ""
    return (
        f"<p>BLEU = BP · ({symbols})<sup>1/{n}</sup> = {penalty} · ({' · '.join(precisions)})"
        f"<sup>1/{n}</sup> = <b>{score:.4f}</b>.{end}</p>"
        f'<meter max="1" value="{score:.4f}" aria-hidden="true"></meter>'
    )
