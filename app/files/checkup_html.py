"""The check-up as HTML: a row for each finding, with its cost, its lines and its remedy."""

from collections.abc import Sequence
from html import escape
from itertools import chain, pairwise
from typing import Final

from app.components import button
from app.files.scoring import CONTAINERS, CheckUp
from bleu.analysis.evaluation import MAX_CHECKED_SEGMENTS, SystemFinding
from bleu.checkup.finding import FaultyLine, Finding
from bleu.checkup.kinds import FAULTS
from bleu.document.writing import writing_of
from bleu.explanation.phrases import count_with_noun, english_list, escape_invisible, name_text
from bleu.render import html

MIN_SHOWN: Final = 0.005
"""The cost in [0, 1] from which a finding is shown without a click; below, it is small."""
URGENT: Final = {"misaligned", "shuffled", "length-mismatch", "unrelated", *CONTAINERS}
"""The faults that are shown at once even without a cost: the score says nothing before them."""
MIN_BAR: Final = 3
"""The length of the shortest bar; the bar of the largest cost has length 100."""


def status_text(check_up: CheckUp, segments: int) -> str:
    """Return the outcome of a check-up in one line.

    >>> status_text((), 3003)
    'No faults found in 3,003 segments.'
    >>> small = Finding("2 lines have escapes.", score=0.364, score_without=0.3646)
    >>> status_text([SystemFinding(small, (0,))], 3003)
    '1 small fault, of 0.06 points.'
    """
    if not check_up:
        extent = count_with_noun(segments, "segment")
        if segments > MAX_CHECKED_SEGMENTS:
            extent = f"the first {MAX_CHECKED_SEGMENTS:,} of {extent}"
        return f"No faults found in {extent}."
    largest = max(item.cost for item in check_up)
    if all(item.finding.cost is not None and abs(item.cost) < MIN_SHOWN for item in check_up):
        size = points_text(max(abs(item.cost) for item in check_up))
        of = "of" if len(check_up) == 1 else "at most"
        return f"{count_with_noun(len(check_up), 'small fault')}, {of} {size} points."
    which = "it" if len(check_up) == 1 else "the largest"
    cost = f"; {which} costs {points_text(largest)} points" if largest > 0 else ""
    return f"{count_with_noun(len(check_up), 'fault')} found{cost}."


def needs_attention(check_up: CheckUp) -> bool:
    """Return whether the findings are shown at once: if one costs much or hides what belongs where.

    >>> needs_attention([SystemFinding(Finding("shifted", name="misaligned"), (0,))])
    True
    """
    names = {item.finding.name for item in check_up}
    return any(item.cost >= MIN_SHOWN for item in check_up) or bool(names & URGENT)


def points_text(cost: float) -> str:
    """Return a cost in [0, 1] on the 0–100 scale, with one decimal, or two below one point.

    >>> points_text(0.1234), points_text(0.0026), points_text(0.0)
    ('12.3', '0.26', '0.00')
    """
    return f"{100 * cost:.{1 if cost >= 0.00995 else 2}f}"


def finding_text(finding: Finding) -> str:
    """Return a finding with its cost as plain text.

    >>> finding_text(Finding("2 lines have escapes.", score=0.364, score_without=0.487))
    'Costs 12.3 points: 2 lines have escapes.'
    """
    message = escape_invisible(finding.message)
    if finding.cost is None:
        return message
    cost = " ".join(cost_parts(finding))
    return f"{cost[0].upper()}{cost[1:]} points: {message}"


def cost_parts(finding: Finding) -> tuple[str, str]:
    """Return what a finding does to the score, and by how many points, with “≈” if sampled.

    >>> cost_parts(Finding("2 lines are doubled.", score=0.364, score_without=0.3639))
    ('flatters by', '0.01')
    """
    cost = finding.cost or 0.0
    points = points_text(abs(cost))
    effect = "flatters by" if cost < 0 and points != "0.00" else "costs"
    return effect, f"{'≈ ' if finding.is_sampled else ''}{points}"


def check_up_html(check_up: CheckUp, names: Sequence[str]) -> str:
    """Return a row for each finding; `names` are the names of the systems."""
    if not check_up:
        return ""
    hint = ""
    if any(item.finding.cost is not None for item in check_up):
        hint = (
            '<p class="hint">The points, on the 0–100 scale, that each fault costs: what the score '
            "gains when the faults are undone one after another. So the costs add up. A repair "
            "leaves your files as they are. It looks at the references, so its text is for "
            "measuring, not for publishing.</p>"
        )
    if any(item.finding.is_sampled for item in check_up):
        hint += f'<p class="hint">Only the first {MAX_CHECKED_SEGMENTS:,} segments are checked.</p>'
    largest_cost = max(abs(item.cost) for item in check_up)
    rows = "".join(_row(item, names, largest_cost) for item in check_up)
    return f'<ol class="faults">{rows}</ol>{hint}'


def _row(item: SystemFinding, names: Sequence[str], largest_cost: float) -> str:
    finding = item.finding
    names_html = ""
    if len(names) > 1:
        listed = english_list([name_text(names[index]) for index in item.systems])
        names_html = f'<p class="of">{html.prose(listed)}</p>'
    claim, remark = (
        html.prose(escape_invisible(text))
        for text in (finding.claim or finding.message, finding.remark)
    )
    detail = f'<p class="detail">{remark}</p>' if remark else ""
    return (
        f'<li><div class="cost">{_cost(finding, largest_cost)}</div><div class="fault">'
        f"{names_html}<p><strong>{claim}</strong></p>{detail}{_examples(finding)}</div>"
        f"{_buttons(finding)}</li>"
    )


def _cost(finding: Finding, largest_cost: float) -> str:
    """Return the cost in points and as a bar scaled to `largest_cost`, or “!” if it is unknown."""
    if finding.cost is None or finding.score is None or finding.score_without is None:
        without = finding.score_without
        repaired_score = "" if without is None else f"<span>→ {100 * without:.1f} repaired</span>"
        mark = '<b class="unknown" aria-hidden="true">!</b><span class="spoken">Fault: </span>'
        return f"{mark}{repaired_score}"
    length = max(MIN_BAR, 100 * abs(finding.cost) / (largest_cost or 1))
    scores = 100 * finding.score, 100 * finding.score_without
    differing = (n for n in (2, 3, 4) if round(scores[0], n) != round(scores[1], n))
    decimals = next(differing, 2)
    css_class = "missing" if finding.cost >= 0 else "surplus"
    effect, points = cost_parts(finding)
    return (
        f"<span>{effect}</span> <b>{points}</b>"
        '<svg class="score-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="{css_class}" width="{length:.1f}" height="6"/></svg>'
        f"<span><bdi>{scores[0]:.{decimals}f} → {scores[1]:.{decimals}f}</bdi></span>"
        '<span class="spoken"> points: </span>'
    )


def _examples(finding: Finding) -> str:
    """Return the lines that a finding quotes; of empty lines, return the line numbers."""
    examples = finding.examples
    if finding.name == "empty":
        numbers = english_list([f"{example.line:,}" for example in examples])
        return f'<p class="detail">Lines {numbers}</p>' if len(examples) > 1 else ""
    line = "Reference line" if finding.side == "references" else "Line"
    items = (
        f"<li><span>{line} {example.line:,}</span> <bdi{html.dir_lang(writing_of(example.text))}>"
        f"{_marked_text(example)}</bdi></li>"
        for example in examples
    )
    return f'<ul class="quoted">{"".join(items)}</ul>' if examples else ""


def _marked_text(example: FaultyLine) -> str:
    """Return the text of an example; the characters that its repair changes are marked."""
    ends = [0, *chain.from_iterable(example.marks), len(example.text)]
    parts = [escape(escape_invisible(example.text[start:end])) for start, end in pairwise(ends)]
    return "".join(
        f"<mark>{part}</mark>" if index % 2 else part for index, part in enumerate(parts)
    )


def _buttons(finding: Finding) -> str:
    fault = html.prose(escape_invisible(FAULTS.get(finding.name, finding.message)))
    remedies = [(finding.action, finding.label)] if finding.action else []
    if finding.name in CONTAINERS:
        remedies.append(("as-text", "Score as text anyway"))
    buttons = "".join(
        button(f"remedy:{escape(action)}", f'{escape(label)}<span class="spoken">: {fault}</span>')
        for action, label in remedies
    )
    return f'<div class="buttons">{buttons}</div>' if buttons else ""
