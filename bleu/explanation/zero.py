"""Paragraphs on a score of 0 or almost 0: the order that failed, the cause, and remedies."""

from bleu.analysis.zero import Remedy, ZeroDiagnosis
from bleu.core.api import Derivation
from bleu.document.blocks import Paragraph, Score100, Span, Strong, note
from bleu.explanation.phrases import count_with_noun, english_list, subscript
from bleu.explanation.reading import token_noun
from bleu.explanation.score_steps import smoothing_name
from bleu.metric.smoothings import SMOOTHINGS


def zero_paragraph(diagnosis: ZeroDiagnosis, derivation: Derivation) -> Paragraph:
    """Return a paragraph on the cause, and on the number that NLTK prints.

    The first span is the question, the second the cause.

    >>> from bleu import derive
    >>> from bleu.analysis.zero import diagnose_zero
    >>> derivation = derive("a b c", ["a b c"], convention="nltk-method0")
    >>> zero_paragraph(diagnose_zero(derivation), derivation).spans[0]
    Strong(text='Why almost 0?')
    """
    question = "Why almost 0?" if diagnosis.value else "Why 0?"
    details = _higher_orders_text(diagnosis, derivation)
    printed = _number_text(diagnosis.nltk_value)
    if diagnosis.value:
        min_float = _number_text(float(derivation.settings.smoothing_value or 0))
        details.append(f"NLTK puts {min_float} in the place of 0, so it prints {printed}.")
    elif diagnosis.nltk_value:
        details.append(f"Without smoothing, NLTK prints {printed} instead.")
    spans: list[Span] = [Strong(question), f" {_cause_text(diagnosis, derivation)}"]
    return note(*spans, *(f" {sentence}" for sentence in details))


def _number_text(number: float) -> str:
    return f"{number:.2g}".replace("-", "−")  # A line may break after a hyphen.


def _cause_text(diagnosis: ZeroDiagnosis, derivation: Derivation) -> str:
    """Return the cause as a sentence in plain words."""
    n, noun = diagnosis.order, token_noun(derivation)
    where = "the reference" if len(derivation.references) == 1 else "a reference"
    if diagnosis.cause == "empty":
        return "The candidate is empty."
    if diagnosis.cause == "nothing matches":
        p1 = f"p₁ = 0/{derivation.score.total[0]}"
        return f"No {noun} of the candidate is in {where}, so {p1}. Almost every tool gives 0 here."
    p, total = f"p{subscript(n)}", derivation.score.total[n - 1]
    row = f"{n} {noun}s in a row" if n > 1 else noun
    if diagnosis.cause == "too short":
        length = count_with_noun(len(derivation.hypothesis), noun)
        cause = f"The candidate has only {length}, so it has no {row} and {p} = 0"
    else:
        verb = "are" if n > 1 else "is"
        cause = f"No {row} of the candidate {verb} in {where}, so {p} = 0/{total}"
    return f"{cause}, and a product with a factor of 0 {'would be' if diagnosis.value else 'is'} 0."


def _higher_orders_text(diagnosis: ZeroDiagnosis, derivation: Derivation) -> list[str]:
    """Return a sentence on the higher orders that fail as well, if there are any."""
    score = derivation.score
    if diagnosis.cause not in {"too short", "no match"}:
        return []
    counts = score.matched if diagnosis.value else score.precisions
    failing = [
        f"p{subscript(n)}"
        for n, count in enumerate(counts, 1)
        if n > diagnosis.order and score.weights[n - 1] and not count
    ]
    if len(failing) > 2:
        return [f"{failing[0]} to {failing[-1]} are 0, too."]
    verb = "is" if len(failing) == 1 else "are"
    return [f"{english_list(failing)} {verb} 0, too."] if failing else []


def remedies_paragraph(diagnosis: ZeroDiagnosis) -> Paragraph | None:
    """Return a paragraph on the scores under other settings, or None without remedies."""
    if not diagnosis.remedies:
        return None
    spans: list[Span] = ["On the 0–100 scale, the score would be "]
    for index, remedy in enumerate(diagnosis.remedies):
        name = remedy_name(remedy, nltk=bool(diagnosis.value))
        spans += ["; " if index else "", Score100(remedy.value), f" with {name}"]
    return note(*spans, ".")


def remedy_name(remedy: Remedy, *, nltk: bool = False) -> str:
    """Return the name of the changed setting; `nltk` adds NLTK's name for it.

    >>> from bleu import derive
    >>> from bleu.analysis.zero import diagnose_zero
    >>> remedies = diagnose_zero(derive("a b c", ["a b c"])).remedies
    >>> [remedy_name(remedy) for remedy in remedies][-2:]
    ['effective order, which sacreBLEU’s sentence_bleu has', 'N = 3']
    """
    settings = remedy.settings
    if remedy.setting == "sentence":
        return "smoothing exp and effective order, as in sacreBLEU’s sentence_bleu"
    if remedy.setting == "effective_order":
        library = "NLTK’s auto_reweigh" if nltk else "which sacreBLEU’s sentence_bleu has"
        return f"effective order, {library}"
    if remedy.setting == "max_order":
        return f"N = {settings.max_order}"
    nltk_name = f"NLTK’s method{SMOOTHINGS[settings.smoothing].nltk_method}"
    return smoothing_name(settings, *([nltk_name] if nltk else []))
