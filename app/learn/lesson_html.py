"""The HTML of the lesson around each exercise: opening, closing, list of screens, and end."""

from collections.abc import Sequence
from html import escape
from typing import Final

from app.learn.exercise_html import explanation_link
from app.learn.lesson_screens import SCREEN_BY_TOPIC, SCREEN_INDEX, SCREENS, Screen
from bleu.explanation.phrases import count_with_noun
from bleu.learn.exercise import Exercise
from bleu.learn.hand_calculation import CORRECT, WORDS, method_by_hand
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import parse_number
from bleu.render import html

LABEL_CORNERS: Final = ("after above", "before above", "before above", "after below")
"""The CSS classes of the labels of the four points, highest first, to keep them off the curves."""


def opening_html(screen: Screen, screen_index: int, question_index: int) -> str:
    """Return the position in the lesson and the opening text.

    The check, which follows `SCREENS`, shows its text with the first question only.
    """
    position = f"Screen {screen_index + 1} of {len(SCREENS) + 1}"
    if len(screen.questions) > 1:
        position += f", question {question_index + 1} of {len(screen.questions)}"
    if not screen_index:
        position += ", about half an hour in all"
    has_text = not question_index or screen_index < len(SCREENS)
    opening = screen.rule if question_index and screen.rule else screen.opening
    body = html.paragraph(opening) if has_text else ""
    return f'<p class="hint" id="screen-place">{position}</p>{body}'


def bet_html(screen: Screen, exercise: Exercise) -> str:
    """Return the options of the question on the brevity penalty as points on curves.

    Each curve is the penalty as a function of c, correct or with a mistake; its point is at the
    candidate's length. The points are radio buttons, like the options of other questions. For
    other questions, the result is "".
    """
    if screen.name != "brevity":
        return ""
    [field] = exercise.fields
    c, r = (float(exercise.given_values[name]) for name in ("c", "r"))
    max_length = 1.3 * r
    changes = (CORRECT, *(MISCONCEPTIONS[name].change for name in exercise.misconceptions))

    def to_pixels(length: float, penalty: float) -> tuple[float, float]:
        return 30 + 320 * length / max_length, 190 - 105 * penalty

    def vertical_line(length: float, top: float, label: str) -> str:
        x = to_pixels(length, 0)[0]
        return (
            f'<line x1="{x:.1f}" y1="190" x2="{x:.1f}" y2="{top}" class="soft-line" '
            f'stroke-dasharray="2 3"/><text x="{x:.1f}" y="208" text-anchor="middle" '
            f'class="ink-fill">{label}</text>'
        )

    shapes = [vertical_line(c, 8, f"c = {c:g}"), vertical_line(r, 85, f"r = {r:g}")]
    for value in (0, 1):
        y = to_pixels(0, value)[1]
        shapes.append(
            f'<line x1="30" y1="{y}" x2="350" y2="{y}" class="line-line"/>'
            f'<text x="22" y="{y + 4}" text-anchor="end" class="soft-fill">{value}</text>'
        )
    lengths = [max_length * i / 60 for i in range(1, 61)]
    for change in changes:
        penalty = method_by_hand(WORDS, change).penalty
        points = [to_pixels(length, float(penalty(length, r))) for length in lengths]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points if y > 0)
        shapes.append(f'<polyline points="{joined}" fill="none" class="counts-line"/>')
    name = f"{exercise.number + 1}.{field.name}"
    penalties = {option: float(parse_number(option).value) for option in field.options}
    options_by_penalty = sorted(penalties, key=lambda option: -penalties[option])
    labels = []
    for option in field.options:
        x, y = to_pixels(c, penalties[option])
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="counts-fill"/>')
        corner = LABEL_CORNERS[options_by_penalty.index(option)]
        labels.append(
            f'<label class="{corner}" data-left="{x / 3.6:.1f}%" data-top="{y / 2.2:.1f}%">'
            f'<input type="radio" name="{name}" value="{escape(option)}"> {escape(option)}</label>'
        )
    return (
        '<div class="options places" dir="ltr" role="radiogroup" '
        f'aria-label="{escape(field.label)}"><div translate="no">'
        '<svg viewBox="0 0 360 220" font-family="sans-serif" font-size="13" aria-hidden="true">'
        f"{''.join(shapes)}</svg></div>{''.join(labels)}</div>"
    )


def closing_html(screen: Screen) -> str:
    """Return the text and link that end a screen."""
    body = html.paragraph(screen.closing) if screen.closing else ""
    return f"{body}<p>{explanation_link(screen.anchor)}</p>"


def screens_html(screen_index: int) -> str:
    """Return the list of all screens, with the current one marked."""
    tabs = [*((screen.name, screen.tab) for screen in SCREENS), ("check", "Check")]
    items = "".join(
        f'<li><button type="button" data-command="learn:screen {name}"'
        f"{' aria-current=step' if index == screen_index else ''}>{escape(title)}</button></li>"
        for index, (name, title) in enumerate(tabs)
    )
    return f'<nav class="screens" aria-label="Screens of the lesson"><ol>{items}</ol></nav>'


def end_html(misconceptions_seen: tuple[str, ...], right_on_first_try: Sequence[bool]) -> str:
    """Return the end of the lesson: the result, and the misconceptions to review.

    `right_on_first_try` holds, for each answered question, whether the first try was right.
    """
    body = ""
    if right_on_first_try:
        count = sum(right_on_first_try)
        questions = count_with_noun(len(right_on_first_try), "question")
        body = f"<p>You answered {count} of {questions} right at the first try.</p>"
    if misconceptions_seen:
        items = ""
        for misconception in map(MISCONCEPTIONS.__getitem__, misconceptions_seen):
            screen = SCREENS[SCREEN_INDEX[SCREEN_BY_TOPIC[misconception.topic]]]
            items += (
                f"<li>{html.prose(misconception.sentence)}<br>"
                f"{explanation_link(misconception.anchor)} · "
                f'<button type="button" class="choice" data-command="learn:screen {screen.name}">'
                f"Screen: {escape(screen.title)}</button></li>"
            )
        body += f'<p>Look at these again:</p><ul class="choices">{items}</ul>'
    elif all(right_on_first_try):
        body += (
            "<p>None of your answers points to a mistake. You can work out BLEU by hand; "
            "<em>Practice</em> has more, and harder ones.</p>"
        )
    else:
        body += (
            "<p>Your wrong answers point to no typical mistake. <em>Practice</em> has more of "
            "each kind.</p>"
        )
    return (
        '<div class="step"><h3 id="exercise-title" tabindex="-1">The end of the lesson</h3>'
        f"{body}</div>"
    )
