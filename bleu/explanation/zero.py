"""A score of 0, or almost 0, in words: which order failed and why, and what would help."""

from bleu.analysis.snippets import NLTK as METHODS
from bleu.analysis.zero import Remedy, ZeroDiagnosis
from bleu.core.derivation import Derivation
from bleu.document.blocks import Paragraph, Score100, Span, Strong, note
from bleu.explanation.phrases import count_with_noun, english_list, subscript
from bleu.explanation.smoothings import smoothing_name


def zero_paragraph(found: ZeroDiagnosis, derivation: Derivation) -> Paragraph:
    """Which order failed and why, and what NLTK prints for it.

    >>> from bleu import derive
    >>> from bleu.analysis.zero import diagnose_zero
    >>> theirs = derive("a b c", ["a b c"], convention="nltk-method0")
    >>> zero_paragraph(diagnose_zero(theirs), theirs).spans[0]
    Strong(text='Why almost 0?')
    """
    asked = "Why almost 0?" if found.value else "Why 0?"
    sentences = [_cause_text(found, derivation)]
    if found.cause in ("too short", "no match"):
        makes = "would make" if found.value else "makes"
        sentences.append(f"One precision of 0 {makes} the whole score 0.")
    if found.value:
        least = float(derivation.settings.smoothing_value or 0)
        sentences.append(
            f"NLTK puts {_number_text(least)} in its place, so it prints {_number_text(found.nltk)}."
        )
    elif found.nltk:
        sentences.append(f"NLTK, without smoothing, prints {_number_text(found.nltk)} for it.")
    spans: list[Span] = [Strong(asked), f" {' '.join(sentences)}"]
    return note(*spans)


def _number_text(number: float) -> str:
    return f"{number:.2g}".replace("-", "−")  # at a hyphen, a line may end


def _cause_text(found: ZeroDiagnosis, derivation: Derivation) -> str:
    n, p = found.order, f"p{subscript(found.order)}"
    if found.cause == "empty":
        return "The candidate is empty."
    totals = derivation.score.total
    if found.cause == "nothing matches":
        return (
            f"No token of the candidate is in a reference, so p₁ = 0/{totals[0]}, and no "
            "2-gram or longer n-gram can match. NLTK prints 0, too. Smoothing changes that in a "
            "few implementations only, such as Moses’ sentence-bleu."
        )
    if found.cause == "too short":
        length = count_with_noun(len(derivation.hypothesis), "token")
        first = f"The candidate has only {length}, so it has no {n}-gram and {p} = 0."
    else:
        first = f"No {n}-gram of the candidate is in a reference, so {p} = 0/{totals[n - 1]}."
    return " ".join([first, *_other_orders_text(found, derivation)])


def _other_orders_text(found: ZeroDiagnosis, derivation: Derivation) -> list[str]:
    """The higher orders that fail as well."""
    score = derivation.score
    failing = [
        f"p{subscript(n)}"
        for n, (matched, precision) in enumerate(
            zip(score.matched, score.precisions, strict=True), 1
        )
        if n > found.order and score.weights[n - 1] and not (matched if found.value else precision)
    ]
    if len(failing) > 2:
        return [f"{failing[0]} to {failing[-1]} are 0, too."]
    verb = "is" if len(failing) == 1 else "are"
    return [f"{english_list(failing)} {verb} 0, too."] if failing else []


def remedies_paragraph(found: ZeroDiagnosis) -> Paragraph | None:
    """What would give a score that is more than almost 0; None where nothing would."""
    if not found.remedies:
        return None
    spans: list[Span] = ["On the 0–100 scale, the score would be "]
    for place, remedy in enumerate(found.remedies):
        name = remedy_name(remedy, nltk=bool(found.value))
        spans += ["; " if place else "", Score100(remedy.value), f" with {name}"]
    return note(*spans, ".")


def remedy_name(remedy: Remedy, *, nltk: bool = False) -> str:
    """What is changed; for users of NLTK, under the name that it has there, too.

    >>> from bleu import derive
    >>> from bleu.analysis.zero import diagnose_zero
    >>> [remedy_name(one) for one in diagnose_zero(derive("a b c", ["a b c"])).remedies][1:]
    ['smoothing add-k (k = 1)', 'effective order, which sacreBLEU’s sentence_bleu has', 'N = 3']
    """
    settings = remedy.settings
    if remedy.setting == "effective_order":
        theirs = "NLTK’s auto_reweigh" if nltk else "which sacreBLEU’s sentence_bleu has"
        return f"effective order, {theirs}"
    if remedy.setting == "max_order":
        return f"N = {settings.max_order}"
    return smoothing_name(
        settings, *([f"NLTK’s method{METHODS[settings.smoothing]}"] if nltk else [])
    )
