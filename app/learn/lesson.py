"""The lesson: screens, each a prediction and what comes of it, and questions to check.

A screen is data: what is said, and exercises on texts chosen for it. Every number that is shown is
worked out from these texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import permutations
from typing import Final

from app.learn.exercise_view import explanation_link
from bleu.document.blocks import Paragraph, Strong, paragraph
from bleu.explanation.exercises import exercise_document
from bleu.explanation.masking import SYMBOLS
from bleu.explanation.phrases import count_with_noun
from bleu.learn.drafting import rank_letters
from bleu.learn.exercise import Exercise, Field, quantity_label, step_anchor
from bleu.learn.generation import MAX_COUNT, iter_exercises
from bleu.learn.grading import answer_key
from bleu.learn.hand_calculation import (
    CORRECT,
    HandCalculation,
    Task,
    Value,
    calculate_all,
    split_tokens,
)
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number, parse_number
from bleu.render import html

ANSWER_SUFFIX: Final = "-answer"
"""What ends the name of a place where the answer is shown."""
MAX_OWN_TOKENS: Final = 12
"""Tokens that a text of the learner's own may have."""
LABEL_CORNERS: Final = ("after above", "before above", "before above", "after below")
"""Of four places above one another, from the highest: where words beside it lie on no curve."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: what is said first, what is asked, what is said then, and where more stands.

    `tab` is what it is called in the list of the screens, `title` above it.
    `step_anchor` is the step that it is about; `figure` is shown with the answer; `allows_own_texts` says whether the
    learner's own texts can take the place of those chosen.
    """

    name: str
    tab: str
    title: str
    opening: Paragraph
    questions: tuple[Exercise, ...]
    closing: Paragraph | None
    anchor: str
    figure: str = ""
    allows_own_texts: bool = False


def _exercise(
    kind: str,
    topic: str,
    task: Task,
    fields: tuple[Field, ...],
    given: tuple[str, ...],
    wrong: tuple[str, ...],
    detail: str = "",
) -> Exercise:
    return Exercise("lesson", 0, True, kind, topic, task, fields, given, wrong, 0, detail)


def _bet(topic: str, task: Task, name: str, wrong: tuple[str, ...], *given: str) -> Exercise:
    """A quantity to choose among the right number and those that mistakes give."""
    told = {one: HandCalculation(task)[one] for one in given}
    methods = (CORRECT, *(MISCONCEPTIONS[one].method for one in wrong))
    values: dict[Value, str] = {}
    for one in methods:
        working = HandCalculation(task, one, told)
        value = working.calculate(name)
        values[value] = (
            _as_counted(working, name) if name.startswith("p-") else format_number(value)
        )
    where = step_anchor(name, corpus=len(task.hypotheses) > 1)
    options = tuple(values[value] for value in sorted(values))
    asked = Field(name, quantity_label(name), where, options=options)
    return _exercise("bet", topic, task, (asked,), given, wrong)


def _as_counted(working: HandCalculation, name: str) -> str:
    """A precision as it was counted, 6/9 and not 2/3."""
    n = name.removeprefix("p-")
    return f"{working[f'matched-{n}']}/{working[f'total-{n}']}"


def _rank(task: Task) -> Exercise:
    options = tuple(map("".join, permutations("ABC")))
    asked = Field(
        "order", "from the best to the worst", "score", rank_letters(task, CORRECT), options
    )
    return _exercise("order", "whole", task, (asked,), (), ("no-penalty",))


def _mark(task: Task, order: int) -> Exercise:
    asked = Field("words", f"mark the credited {order}-grams", f"precision-{order}")
    wrong = ("no-clipping", "distinct-only", "order-ignored")
    return _exercise("mark", "clipping", task, (asked,), (), wrong, str(order))


def _whole(task: Task) -> Exercise:
    """All of it, line by line; the mistakes are those that show in its numbers."""
    names = task.quantity_names()
    asked = tuple(Field(name, quantity_label(name), step_anchor(name)) for name in names)
    right = calculate_all(task, names)
    wrong = tuple(
        one.name
        for one in MISCONCEPTIONS.values()
        if calculate_all(task, names, one.method) != right
    )  # fmt: skip
    return _exercise("whole", "whole", task, asked, (), wrong or ("no-penalty",))


def _task(hypothesis: str, *references: str) -> Task:
    return Task((hypothesis,), (references,))


_TRAIN = "we did not see the train leave"
_MANY_THE = _task(
    "the the the the the the the", "there is a cat on the mat", "the cat is on the mat"
)

SCREENS: Final = (
    Screen(
        "rank",
        "First look",
        "What BLEU looks at",
        paragraph(
            "BLEU compares a translation, the candidate, with one made by a person, the "
            "reference. Which of these three does it prefer? Guess first, then see."
        ),
        (
            _rank(
                Task(
                    (
                        "we did not watch the train depart",
                        "we did see the train leave",
                        "leave train the see not did we",
                    ),
                    ((_TRAIN,),) * 3,
                )
            ),
        ),
        paragraph(
            "BLEU looks at words and at which words stand next to each other, not at meaning. "
            "B says the opposite of the reference and comes first; A says the same in other "
            "words and loses by it; C has every word, but no two in the right order."
        ),
        "precision-1",
    ),
    Screen(
        "tokens",
        "Tokens",
        "Tokens",
        paragraph(
            "First, each text is split into tokens: here at white space, and nowhere else. "
            "Two tokens match if they are the same to the last character. The precision p₁ is "
            "the share of the candidate’s tokens that the reference has."
        ),
        (
            _bet(
                "tokens",
                _task("The cat sat here, on a mat.", "the cat sat here on a mat"),
                "p-1",
                ("case-folded", "punctuation-split", "punctuation-dropped"),
            ),
        ),
        paragraph(
            "“The” is not “the”, “here,” is not “here”, and “mat.” is not “mat”. Tokenize in "
            "another way, and the score changes: that is why a score is reported with its "
            "tokenizer."
        ),
        "tokens",
    ),
    Screen(
        "clipping",
        "Clipping",
        "Seven times the same word",
        paragraph(
            "Every token of this candidate is in both references, and yet it is no translation. So "
            "BLEU limits what a repeated word can earn. Guess how: the rule comes after."
        ),
        (
            _bet(
                "clipping",
                _MANY_THE,
                "p-1",
                ("no-clipping", "sum-over-references", "first-reference-only"),
            ),
        ),
        paragraph(
            "A word is credited at most as often as one single reference has it. The rest is ",
            Strong("clipped"),
            ". That is what makes the precision “modified”.",
        ),
        "precision-1",
    ),
    Screen(
        "ngrams",
        "2-grams",
        "Words in a row",
        paragraph(
            "An n-gram is n tokens in a row. With 2-grams, BLEU sees whether words stand next "
            "to each other as in the reference. They are clipped, too."
        ),
        (_mark(_task("the cat the cat on the mat", "the cat is on the mat"), 2),),
        paragraph(
            "The precision p₂ is the number of credited 2-grams divided by the number of all "
            "2-grams of the candidate, which is one less than the number of its tokens."
        ),
        "precision-2",
        allows_own_texts=True,
    ),
    Screen(
        "brevity",
        "Brevity",
        "Too short",
        paragraph(
            "Precision asks only whether what is there is right: leaving out everything doubtful "
            "would give a precision of 1. So where a candidate of ",
            SYMBOLS["c"],
            " tokens is shorter than its reference of ",
            SYMBOLS["r"],
            ", its score is multiplied by a ",
            Strong("brevity penalty"),
            " BP. Which of these four curves over ",
            SYMBOLS["c"],
            " does BLEU use? Guess; the formula comes after. (exp(x) is e to the power of x, and e "
            "is about 2.718.)",
        ),
        (
            _bet(
                "brevity",
                _task("the cat is here", "the cat is here on the mat"),
                "bp",
                ("penalty-ratio", "no-penalty", "penalty-swapped"),
                "c",
                "r",
            ),
        ),
        paragraph(
            "BP is exp(1 − r/c), and here it is on its curve. From c = r on it is 1: a long "
            "candidate is not rewarded, and needs no penalty, as its extra tokens lower the "
            "precisions. With several references, r is the length closest to c; of two that are "
            "equally close, the shorter."
        ),
        "brevity-penalty",
        figure="brevity-figure",
    ),
    Screen(
        "mean",
        "Mean",
        "One number from two",
        paragraph(
            "The precisions are combined by their ",
            Strong("geometric mean"),
            " GM: the N-th root of their product. Of two, the square root.",
        ),
        (
            _bet(
                "combination",
                _task("small ship we a saw", "we saw a small ship"),
                "gm",
                ("arithmetic-mean", "no-root"),
                "p-1",
                "p-2",
            ),
            _bet(
                "combination",
                _task("ship small a saw we", "we saw a small ship"),
                "gm",
                ("arithmetic-mean", "zeros-skipped"),
                "p-1",
                "p-2",
            ),
        ),
        paragraph(
            "A product is only as good as its worst factor, and one precision of 0 makes it 0. "
            "That happens to many single sentences, which is what smoothing is for."
        ),
        "score",
    ),
    Screen(
        "whole",
        "By hand",
        "BLEU-2, by hand",
        paragraph(
            "Now all of it, with 1-grams and 2-grams: that is called BLEU-2. Write fractions, "
            "roots and powers as they are: 3/4, √(3/8), exp(−1/5). A slip early on costs nothing "
            "later: what follows is marked by your own numbers."
        ),
        (_whole(_task("the dog saw me", "the dog then found me")),),
        paragraph("That is all there is to it. BLEU-4 does the same with two more precisions."),
        "score",
        allows_own_texts=True,
    ),
    Screen(
        "corpus",
        "Corpus",
        "Two segments",
        paragraph(
            "BLEU was made for a whole test set, a corpus. Of these two segments, the first is "
            "perfect and the second has a score of 0."
        ),
        (
            _bet(
                "corpus",
                Task(
                    ("it rained all day long", "she saw the boat"),
                    (("it rained all day long",), ("the dog she knew",)),
                ),
                "bleu",
                ("mean-of-scores", "mean-of-precisions"),
            ),
        ),
        paragraph(
            "The counts of all segments are added up, and the score is worked out once. The "
            "mean of the scores is another number."
        ),
        "sums",
    ),
)
"""The screens, in order; the questions to check come after them."""

SCREEN_INDEX: Final = {screen.name: place for place, screen in enumerate(SCREENS)}
"""Where each screen stands, by its name."""

SCREEN_BY_TOPIC: Final = {
    "tokens": "tokens",
    "clipping": "clipping",
    "precision": "ngrams",
    "combination": "mean",
    "brevity": "brevity",
    "corpus": "corpus",
}
"""The screen on each topic."""

CHECK_QUESTIONS: Final = (
    ("clipping", "bet"),
    ("brevity", "bet"),
    ("corpus", "bet"),
    ("whole", "whole"),
)
"""The topics and kinds of the questions to check; the last is a fresh BLEU-2 by hand."""


def item_ids() -> list[str]:
    """What is presented one after the other: each question of each screen, then with its answer.

    >>> item_ids()[:3], item_ids()[-1]
    (['rank-1', 'rank-1-answer', 'tokens-1'], 'check-4-answer')
    """
    counts = [(screen.name, len(screen.questions)) for screen in SCREENS] + [
        ("check", len(CHECK_QUESTIONS))
    ]
    asked = [f"{name}-{part + 1}" for name, count in counts for part in range(count)]
    return [f"{one}{more}" for one in asked for more in ("", ANSWER_SUFFIX)]


def parse_item_id(name: str) -> tuple[int, int, bool]:
    """Of one of `item_ids`: the screen, the question there, and whether it is answered.

    >>> parse_item_id("mean-2-answer"), parse_item_id("check-1")
    ((5, 1, True), (8, 0, False))
    """
    screen, _, part = name.removesuffix(ANSWER_SUFFIX).rpartition("-")
    return SCREEN_INDEX.get(screen, len(SCREENS)), int(part) - 1, name.endswith(ANSWER_SUFFIX)


def previous_question(screen_index: int, question_index: int) -> tuple[int, int]:
    """The screen and the question before these: of a screen before, its last question.

    >>> previous_question(5, 1), previous_question(6, 0), previous_question(0, 0), previous_question(9, 0)
    ((5, 0), (5, 1), (0, 0), (8, 3))
    """
    if question_index or not screen_index:
        return screen_index, max(0, question_index - 1)
    counts = [len(screen.questions) for screen in SCREENS] + [len(CHECK_QUESTIONS)]
    return screen_index - 1, counts[screen_index - 1] - 1


def check_screen(seed: str) -> Screen:
    """The last screen: questions that are new for each seed."""
    parts = tuple(
        replace(_check_question(seed, topic, kind), number=0) for topic, kind in CHECK_QUESTIONS
    )
    words = (
        "Questions on other texts, to see what has stayed. In the last, work out BLEU-2 by hand."
    )
    return Screen("check", "Check", "Check", paragraph(words), parts, None, "score")


def _check_question(seed: str, topic: str, kind: str) -> Exercise:
    """The first exercise of a seed; of those on all of BLEU, the first whose score is not 1."""
    found = iter_exercises(seed, (topic,), MAX_COUNT, kinds=(kind,))
    return next(one for one in found if kind != "whole" or answer_key(one)["bleu"] != "1")


def on_own_texts(
    exercise: Exercise, hypothesis: str, references: tuple[str, ...]
) -> Exercise | None:
    """The same on the learner's own texts; None where they do not have 2 to 12 tokens.

    Empty references are left out. Where n-grams are to be marked, there must be one.

    >>> on_own_texts(SCREENS[3].questions[0], "a b", ("a b c", "")).task.references
    (('a b c',),)
    >>> on_own_texts(SCREENS[3].questions[0], "a", ("a b",))
    """
    kept = tuple(text for text in references if text.strip())
    texts = (hypothesis, *kept)
    if not kept or not all(
        2 <= len(split_tokens(text, "whitespace")) <= MAX_OWN_TOKENS for text in texts
    ):
        return None
    task = Task((hypothesis,), (kept,))
    if exercise.kind == "mark":
        own = replace(exercise, task=task)
        return own if answer_key(own)["words"] else None
    return _whole(task)


def own_texts_requirements(exercise: Exercise) -> str:
    """Of which kind own texts must be, to be taken.

    >>> own_texts_requirements(SCREENS[3].questions[0])
    'For this, the view Score must have a candidate and at least one reference, of 2 to 12 tokens \
each, and one of the candidate’s 2-grams must be in a reference.'
    """
    n = exercise.marked_order if exercise.kind == "mark" else 0
    shared = f", and one of the candidate’s {n}-grams must be in a reference" if n else ""
    return (
        "For this, the view Score must have a candidate and at least one reference, of 2 to "
        f"{MAX_OWN_TOKENS} tokens each{shared}."
    )


def opening_html(screen: Screen, screen_index: int, question_index: int) -> str:
    """What a screen says before it asks."""
    count = f"Screen {screen_index + 1} of {len(SCREENS) + 1}"
    more = (
        f", question {question_index + 1} of {len(screen.questions)}"
        if len(screen.questions) > 1
        else ""
    )
    body = (
        html.paragraph(screen.opening) if not question_index or screen_index < len(SCREENS) else ""
    )
    return f'<p class="hint" id="screen-place">{count}{more}</p>{body}'


def bet_html(screen: Screen, exercise: Exercise) -> str:
    """Of the screen with the curve: the places to choose among, each on a curve of its own.

    The curves are those of the right penalty and of the mistakes, over c, and the places are where
    they pass the candidate's length. They are the buttons of the bet, so a click or the arrow keys
    choose one, and what is answered is marked as any bet is. Nothing for another screen.
    """
    if screen.figure != "brevity-figure" or exercise.kind != "bet":
        return ""
    [asked] = exercise.fields
    c, r = (float(exercise.given_values[name]) for name in ("c", "r"))
    end = 1.3 * r
    methods = (CORRECT, *(MISCONCEPTIONS[name].method for name in exercise.misconceptions))

    def at(length: float, penalty: float) -> tuple[float, float]:
        return 30 + 320 * length / end, 190 - 105 * penalty

    def line(x: float, top: float, words: str) -> str:
        return (
            f'<line x1="{x:.1f}" y1="190" x2="{x:.1f}" y2="{top}" class="soft-line" '
            f'stroke-dasharray="2 3"/><text x="{x:.1f}" y="208" text-anchor="middle" '
            f'class="ink-fill">{words}</text>'
        )

    drawn = [line(at(c, 0)[0], 8, f"c = {c:g}"), line(at(r, 0)[0], 85, f"r = {r:g}")]
    for value in (0, 1):
        y = at(0, value)[1]
        drawn.append(
            f'<line x1="30" y1="{y}" x2="350" y2="{y}" class="line-line"/>'
            f'<text x="22" y="{y + 4}" text-anchor="end" class="soft-fill">{value}</text>'
        )
    for method in methods:
        lengths = [end * place / 60 for place in range(1, 61)]
        points = [at(one, float(method.penalty(one, r))) for one in lengths]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points if y > 0)
        drawn.append(f'<polyline points="{joined}" fill="none" class="counts-line"/>')
    name = f"{exercise.number + 1}.{asked.name}"
    heights = {option: float(parse_number(option).value) for option in asked.options}
    ranks = sorted(heights, key=lambda option: -heights[option])
    labels = []
    for option in asked.options:
        x, y = at(c, heights[option])
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="counts-fill"/>')
        corner = LABEL_CORNERS[ranks.index(option)]
        labels.append(
            f'<label class="{corner}" data-left="{x / 3.6:.1f}%" data-top="{y / 2.2:.1f}%">'
            f'<input type="radio" name="{name}" value="{escape(option)}"> {escape(option)}</label>'
        )
    return (
        f'<div class="options places" role="radiogroup" aria-label="{escape(asked.label)}">'
        '<svg viewBox="0 0 360 220" font-family="sans-serif" font-size="13" aria-hidden="true">'
        f"{''.join(drawn)}</svg>{''.join(labels)}</div>"
    )


def closing_html(screen: Screen, exercise: Exercise) -> str:
    """What a screen says once it is answered, with its figure and where more stands."""
    drawn = ""
    if screen.figure:
        figures = exercise_document(exercise).figures
        drawn = "".join(
            html.figure(replace(one, name=f"learn-{one.name}"))
            for one in figures
            if one.name == screen.figure
        )
    body = html.paragraph(screen.closing) if screen.closing else ""
    return f"{body}{drawn}<p>{explanation_link(screen.anchor)}</p>"


def screens_html(screen_index: int) -> str:
    """The list of the screens, to go to any of them."""
    tabs = [*((screen.name, screen.tab) for screen in SCREENS), ("check", "Check")]
    items = "".join(
        f'<li><button type="button" data-command="learn:screen {name}"'
        f"{' aria-current=step' if at == screen_index else ''}>{escape(title)}</button></li>"
        for at, (name, title) in enumerate(tabs)
    )
    return f'<nav class="screens" aria-label="Screens of the lesson"><ol>{items}</ol></nav>'


def end_html(misconceptions_seen: tuple[str, ...], first_tries: Sequence[bool]) -> str:
    """The end of the lesson: what to look at again, by the misconceptions that were named.

    `at_once` says of each question that was answered whether it was right at the first try.
    """
    words = ""
    if first_tries:
        right = f"{sum(first_tries)} of {count_with_noun(len(first_tries), 'question')}"
        words = f"<p>You answered {right} right at the first try.</p>"
    if not misconceptions_seen and all(first_tries):
        words += (
            "<p>None of your answers points to a mistake. You can work out BLEU by hand; "
            "<em>Practice</em> has more, and harder ones.</p>"
        )
    elif not misconceptions_seen:
        words += (
            "<p>Your wrong answers point to no typical mistake. <em>Practice</em> has more of "
            "each kind.</p>"
        )
    else:
        items = "".join(
            f"<li>{html.prose(MISCONCEPTIONS[name].sentence)}<br>"
            f"{explanation_link(MISCONCEPTIONS[name].anchor)} · {_screen_link(name)}</li>"
            for name in misconceptions_seen
        )
        words += f'<p>Look at these again:</p><ul class="choices">{items}</ul>'
    return (
        '<div class="step"><h3 id="exercise-title" tabindex="-1">The end of the lesson</h3>'
        f"{words}</div>"
    )


def _screen_link(name: str) -> str:
    """A button to the screen on the topic of a misconception."""
    screen = SCREENS[SCREEN_INDEX[SCREEN_BY_TOPIC[MISCONCEPTIONS[name].topic]]]
    return (
        f'<button type="button" class="choice" data-command="learn:screen {screen.name}">'
        f"Screen: {escape(screen.title)}</button>"
    )
