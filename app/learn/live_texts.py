"""The texts of an exercise with the marks of the first screen, and the bars of a typed text."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.components import factor_html, product_html
from bleu.core.api import Derivation, derive
from bleu.document.blocks import MarkedText
from bleu.explanation import explain
from bleu.explanation.exercises import exercise_texts
from bleu.explanation.matches import candidate_kinds, marked_texts
from bleu.learn.exercise import Exercise, quantity_label
from bleu.learn.kinds.make import failed_condition
from bleu.render import html
from bleu.render.numbers import number_text

PREFIX: Final = "learn-"
"""The start of the keys of n-grams and of ids, which the Score view also has."""


def marked_texts_html(exercise: Exercise, text: str = "") -> str:
    """Return the texts of an exercise with their marks, or "" if it shows none.

    `text` replaces the candidate. Of translations to rank, the common reference has no marks.
    """
    if not exercise_texts(exercise):
        return ""
    order = _marked_order(exercise)
    is_ranking, count = "order" in exercise.names, len(exercise.hypotheses)
    body = ""
    for i, (hypothesis, references) in enumerate(
        zip(exercise.hypotheses, exercise.references, strict=True)
    ):
        derivation = derive(text or hypothesis, references, exercise.settings)
        candidate, *others = marked_texts(derivation, order)
        if is_ranking:
            candidate = replace(candidate, title=f"Translation {'ABC'[i]}")
            others = [_unmarked(other) for other in others if i == count - 1]
        segment = f"Segment {i + 1}. " if count > 1 and not is_ranking else ""
        body += "".join(
            html.marked_text(replace(shown, title=segment + shown.title), f"{PREFIX}{i}-")
            for shown in (candidate, *others)
        )
    return f'<div data-order="{order}">{body}</div>'


def _marked_order(exercise: Exercise) -> int:
    """Return the order that all fields are about, or 0 for a lane of each order."""
    if exercise.max_order == 1:
        return 1
    anchors = {field.anchor for field in exercise.fields}
    order = anchors.pop().removeprefix("precision-") if len(anchors) == 1 else ""
    return int(order) if order.isdecimal() else 0


def _unmarked(content: MarkedText) -> MarkedText:
    return MarkedText(content.title, content.tokens, writing=content.writing)


def bars_html(exercise: Exercise, text: str) -> str:
    """Return the formula with the bars of a typed text.

    If a word is to be repeated, it is the precision of words, with and without clipping.
    """
    derivation = derive(text, exercise.references[0], exercise.settings)
    product = explain(derivation).product
    if product is None:
        return ""
    if exercise.detail != "repeat":
        return product_html(product, PREFIX)
    [factor] = product.precisions
    count, total = _repeated_count(derivation), derivation.score.total[0]
    value, ratio = Fraction(count, total or 1), (str(count), str(total)) if total else ()
    column = replace(factor.column, note="without a limit", value=value, lost=Fraction(0))
    unlimited = replace(factor, value=value, ratio=ratio, column=column, remark="")
    return factor_html(factor, PREFIX) + factor_html(unlimited, PREFIX)


def _repeated_count(derivation: Derivation) -> int:
    """Return how many words of the candidate the reference has, however often."""
    return sum(kind in {"credited", "clipped"} for kind in candidate_kinds(derivation.orders[0]))


def live_score_text(exercise: Exercise, text: str) -> str:
    """Return the score of a text being edited, and whether the goal is reached.

    If a word is to be repeated, it is the precision of words, with and without clipping.
    """
    [references] = exercise.references
    derivation = derive(text, references, exercise.settings)
    score = derivation.score
    ratios = [f"{m}/{total}" for m, total in zip(score.matched, score.total, strict=True)]
    if exercise.detail == "repeat":
        count = _repeated_count(derivation)
        numbers = f"p₁ is {ratios[0]}. Without a limit, it would be {count}/{score.total[0]}"
    else:
        original = derive(exercise.hypotheses[0], references, exercise.settings).score
        precisions = ", ".join(
            f"{quantity_label(f'p-{n}')} {ratio}" for n, ratio in enumerate(ratios, 1)
        )
        numbers = (
            f"BLEU-{exercise.max_order} is {number_text(score.value)} (it was "
            f"{number_text(original.value)}); {precisions}; BP {number_text(score.brevity_penalty)}"
        )
    failed = failed_condition(exercise.detail, exercise.task, text)
    end = f"The goal is not reached yet: {failed}." if failed else "The goal is reached."
    return f"{numbers}. {end}"
