"""Numbers to play with: the length on the curve of the penalty, and the parts of a score."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final

from app.components import button
from bleu.core.api import sentence_bleu
from bleu.core.score import Score
from bleu.explanation.phrases import english_list
from bleu.learn.hand_calculation import Value, geometric_mean
from bleu.learn.number_input import ParsedNumber, format_number, parse_number
from bleu.metric.method import brevity_penalty
from bleu.render import html

MAX_LENGTH: Final = 12
"""The largest length of the candidate that can be chosen on the curve."""
NAMES: Final = ("BP", *(f"p{index}" for index in "₁₂₃₄₅₆₇₈₉"))
"""The symbols of the parts of a score: the brevity penalty, and the precisions."""
FIRST_PARTS: Final = ("exp(−1/7)", "6/7", "4/6", "2/5", "1/4")
"""The parts to begin with, of a candidate of 7 words and a reference of 8."""


def length_html(reference: str, c: int) -> str:
    """Return a candidate of `c` words, the place of its length on the curve, and its score.

    The candidate is the beginning of the reference, and longer than it only by other words.
    """
    words = reference.split()
    r = len(words)
    candidate = " ".join([*words, *["and"] * (c - r)][:c])
    score = sentence_bleu(candidate, [reference], max_order=2)

    def pixels(length: float) -> tuple[float, float]:
        penalty = float(brevity_penalty(Fraction(length), Fraction(r)))
        return 30 + 320 * (length - 1) / (MAX_LENGTH - 1), 150 - 130 * penalty

    curve = (pixels(1 + i / 5) for i in range(5 * (MAX_LENGTH - 1) + 1))
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in curve)
    x, y = pixels(c)
    place = pixels(r)[0]
    return (
        '<svg viewBox="0 0 360 172" font-family="sans-serif" font-size="13" aria-hidden="true">'
        '<path d="M30 20H350M30 150H350" class="line-line"/>'
        '<g text-anchor="end" class="soft-fill"><text x="24" y="24">1</text>'
        '<text x="24" y="154">0</text></g>'
        f'<path d="M{place:.1f} 150V20M{x:.1f} 150V{y:.1f}" class="soft-line" '
        f'stroke-dasharray="2 3"/><polyline points="{points}" fill="none" class="counts-line"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" class="counts-fill"/>'
        f'<text x="{place:.1f}" y="168" text-anchor="middle" class="soft-fill">r = {r}</text></svg>'
        f"<p>{html.prose(f'“{candidate}”')}: c = {c}, BP = "
        f"{format_number(score.brevity_penalty)}"
        f"{f' ≈ {score.brevity_penalty:.4f}' if c < r else ''}, p₁ = {score.matched[0]}/"
        f"{score.total[0]}, p₂ = {score.matched[1]}/{score.total[1]}, "
        f"<b>BLEU-2 = {score.value:.4f}</b></p>"
    )


def length_control_html(c: int) -> str:
    """Return the control that moves the length along the curve, with what it shows in a box."""
    buttons = "".join(
        button(f"learn:length {step}", sign, f' aria-label="{label}"')
        for step, sign, label in ((-1, "−", "One word less"), (1, "+", "One word more"))
    )
    return (
        '<h4>Drag the length</h4><div class="curve"><div id="curve-box" role="status"></div>'
        f'<input type="range" id="curve-c" min="1" max="{MAX_LENGTH}" value="{c}" '
        f'aria-label="Length c of the candidate"></div><p class="buttons">{buttons}</p>'
    )


@dataclass(frozen=True, slots=True)
class PrintedScore:
    """A score as a tool prints it: the score, BP and the precisions in [0, 1], and the lengths."""

    score: ParsedNumber
    parts: tuple[ParsedNumber, ...]
    lengths: tuple[int, int] | None = None


_NUMBER: Final = r"(-?\d+(?:[.,]\d+)?)"
_LINE: Final = re.compile(
    rf"=\s*{_NUMBER},?\s+{_NUMBER}/{_NUMBER}(?:/{_NUMBER})?(?:/{_NUMBER})?\s*\(BP\s*=\s*{_NUMBER}"
)
"""The line of sacreBLEU and multi-bleu: the score, two to four precisions, and BP."""
_LENGTHS: Final = re.compile(r"hyp(?:othesis)?_len\s*=\s*(\d+),?\s+ref(?:erence)?_len\s*=\s*(\d+)")
_MTEVAL: Final = re.compile(
    rf"penalty \(log\):\s*{_NUMBER}.*?BLEU score\s*=\s*{_NUMBER}.*?BLEU:"
    rf"\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}",
    re.DOTALL,
)
"""The report of mteval: the logarithm of BP, the score, and the precisions by themselves."""


def parse_printed(text: str) -> PrintedScore:
    """Return the score that a tool has printed, with its parts.

    Raises ValueError if the text is not of sacreBLEU, multi-bleu or mteval.

    >>> printed = parse_printed("BLEU = 26.60, 60.2/33.1/20.4/13.1 (BP=0.982, ratio=0.982)")
    >>> [round(float(part.value), 3) for part in printed.parts]
    [0.982, 0.602, 0.331, 0.204, 0.131]
    """

    def scaled(number: str, scale: int = 1) -> ParsedNumber:
        parsed = parse_number(number)
        tolerance = parsed.tolerance or 0.5
        return ParsedNumber(parsed.value / scale, tolerance / scale)

    if found := _LINE.search(text):
        score, *precisions, penalty = [number for number in found.groups() if number]
        lengths = _LENGTHS.search(text)
        parts = (scaled(penalty), *(scaled(number, 100) for number in precisions))
        both = (int(lengths[1]), int(lengths[2])) if lengths else None
        return PrintedScore(scaled(score, 100), parts, both)
    if found := _MTEVAL.search(text):
        log, score, *precisions = found.groups()
        rounded = scaled(log.removeprefix("-"))
        value = math.exp(-float(rounded.value))
        penalty_part = ParsedNumber(value, value * rounded.tolerance)
        return PrintedScore(scaled(score), (penalty_part, *map(scaled, precisions)))
    raise ValueError(
        "this is no line of sacreBLEU, multi-bleu or mteval; it looks like “BLEU = 26.60, "
        "60.2/33.1/20.4/13.1 (BP=0.982, ratio=0.982, hyp_len=982, ref_len=1000)”"
    )


def bleu_of(parts: Sequence[Value]) -> float:
    """Return BP times the geometric mean of the precisions."""
    penalty, *precisions = parts
    return float(penalty) * float(geometric_mean(precisions))


def check_printed(printed: PrintedScore) -> str:
    """Return whether the parts of a printed score give it within rounding, and what does not fit.

    >>> check_printed(parse_printed("BLEU = 26.60, 60.2/33.1/20.4/13.1 (BP=0.982, ratio=0.982)"))
    'These parts give 26.46 to 26.60, and the score is 26.60: they fit within rounding.'
    """
    low, high = (
        bleu_of(
            [min(1, max(0, float(part.value) + sign * part.tolerance)) for part in printed.parts]
        )
        for sign in (-1, 1)
    )
    score, slack = float(printed.score.value), printed.score.tolerance
    given = f"These parts give {100 * low:.2f} to {100 * high:.2f}"
    problem = _length_problem(printed)
    if low - slack <= score <= high + slack:
        fits = f"{given}, and the score is {100 * score:.2f}: they fit within rounding."
        return f"{fits} {problem}".strip()
    text = f"{given}, but the score is {100 * score:.2f}."
    if problem:
        return f"{text} {problem}"
    values = [float(part.value) for part in printed.parts]
    center = bleu_of(values)
    fitting = [f"the score {100 * center:.2f}"]
    for index, value in enumerate(values if center else ()):
        needed = value * (score / center) ** (len(values) - 1 if index else 1)
        # Longer n-grams match more rarely, and lengths have already confirmed BP.
        lower, upper = [*values[1:], 0, 0][index] if index else 0, [1, 1, *values[1:]][index]
        if lower <= needed <= upper and (index or not printed.lengths):
            shown = f"{100 * needed:.1f}" if index else f"{needed:.3f}"
            fitting.append(f"{NAMES[index]} = {shown}")
    return f"{text} If one alone is wrong, right would be: {' or '.join(fitting)}."


def _length_problem(printed: PrintedScore) -> str:
    """Return that BP does not follow from the lengths, or "" if it does or they are not given."""
    if not printed.lengths:
        return ""
    c, r = printed.lengths
    expected = float(brevity_penalty(Fraction(c), Fraction(r)))
    if abs(expected - float(printed.parts[0].value)) <= printed.parts[0].tolerance + 1e-9:
        return ""
    return f"BP does not fit: lengths of {c:,} and {r:,} give {expected:.3f}."


def score_parts(score: Score) -> list[str]:
    """Return the brevity penalty and the precisions of a score as texts to type.

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
        f'{"".join(rows)}<div id="play-score" role="status"></div>'
        '<details id="printed"><summary>Check a printed line</summary><div>'
        '<label for="printed-line">A line of sacreBLEU, multi-bleu or mteval</label>'
        '<textarea id="printed-line" rows="3" spellcheck="false" autocomplete="off" dir="ltr" '
        'translate="no"></textarea>'
        f'<p class="buttons">{button("learn:printed", "Check")}</p>'
        '<p id="printed-result" role="status"></p></div></details></form>'
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
