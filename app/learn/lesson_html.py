"""The HTML of the lesson around each exercise: opening, closing, list of screens, and end."""

from collections.abc import Sequence
from html import escape

from app.learn.exercise_html import explanation_link
from app.learn.lesson_screens import SCREEN_BY_TOPIC, SCREEN_INDEX, SCREENS, Screen
from bleu.explanation.phrases import count_with_noun
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.render import html


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


def closing_html(screen: Screen, feedback: str) -> str:
    """Return the text that ends a screen, and its link, unless the feedback has it."""
    body = html.paragraph(screen.closing) if screen.closing else ""
    link = explanation_link(screen.anchor)
    return body if link in feedback else f"{body}<p>{link}</p>"


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
    body += (
        "<p>Now your own sentence: type it on the first screen, with a reference. A tour explains "
        "its score, one number after the other.</p>"
    )
    return (
        '<div class="step"><h3 id="exercise-title" tabindex="-1">The end of the lesson</h3>'
        f"{body}</div>"
    )
