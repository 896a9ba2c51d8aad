"""The ways to compute a reported number: labels, reasons, and a table."""

from collections.abc import Callable, Sequence
from typing import Final

from bleu.analysis.calls import MISTAKES
from bleu.analysis.which import Candidate, WhichResult
from bleu.analysis.zero import ALMOST_ZERO
from bleu.checkup.kinds import KINDS
from bleu.core.conventions import convention_settings, get_convention
from bleu.core.tokenizers import token_unit
from bleu.document.blocks import Cell, Choice, Row, Score100, Table
from bleu.explanation.comparison import difference_text
from bleu.explanation.phrases import count_with_noun, english_list

MAX_EQUIVALENTS: Final = 6
"""The maximum number of other ways to the same value that are named."""
MAX_ROWS: Final = 20
"""The maximum number of rows in the table."""


def candidate_label(candidate: Candidate) -> str:
    """Return the tool and the settings that differ from its defaults, as a short phrase.

    >>> from bleu.analysis.which import parse_reported_score
    >>> from bleu.analysis.which import which
    >>> candidate_label(which(parse_reported_score("100"), ["A b c d"], [["a b c d"]]).found[0])
    'sacreBLEU sentence_bleu, case folded'
    """
    settings, preprocessing = candidate.settings, candidate.preprocessing
    defaults = convention_settings(candidate.convention)
    parts = [get_convention(candidate.convention).title]
    if settings.tokenizer != defaults.tokenizer:
        is_plain = token_unit(settings.tokenizer) == "spaces"
        parts.append(f"tokenizer {'white space' if is_plain else settings.tokenizer}")
    if settings.lowercase != defaults.lowercase:
        parts.append("case folded" if settings.lowercase else "case kept")
    if "one-order" in candidate.mistakes and settings.weights:
        parts.append(f"order {settings.weights.index(1) + 1} alone")
    elif settings.weights:
        parts.append(f"BLEU-{sum(map(bool, settings.weights))}, the other weights 0")
    elif settings.max_order != defaults.max_order and "mean-of-orders" not in candidate.mistakes:
        parts.append(f"BLEU-{settings.max_order}")
    if preprocessing.reference:
        parts.append(f"reference {preprocessing.reference} alone")
    if "tokenized-twice" in candidate.mistakes:
        parts.append(f"on tokens of {preprocessing.pretokenizer}")
    return ", ".join(parts)


def candidate_reason(candidate: Candidate) -> str:
    """Return sentences on the candidate's mistakes or, if it has none, on its tool.

    Further sentences say if the number was cut off, not rounded, or is on an unusual scale.

    >>> from bleu.analysis.which import parse_reported_score
    >>> from bleu.analysis.which import which
    >>> texts = ["the cat sat on a mat"], [["the cat sits on a mat"]]
    >>> candidate_reason(which(parse_reported_score("0.7744"), *texts).found[0])
    'NLTK was given strings instead of lists of tokens, so every character is a token.'
    """
    sentences = [MISTAKES[mistake].sentence for mistake in candidate.mistakes]
    if not sentences:
        sentences.append(difference_text(candidate.convention, candidate.settings))
    if candidate.agreement == "cut":
        sentences.append("Its digits were cut off, not rounded.")
    if candidate.agreement and candidate.scale != get_convention(candidate.convention).scale:
        sentences.append(f"It was reported on a scale of 0 to {candidate.scale}.")
    return " ".join(sentences)


def equivalents_text(candidate: Candidate) -> str:
    """Return a sentence on other ways to the same value, the likeliest by name, or ""."""
    equivalents = sorted(candidate.equivalents, key=lambda equivalent: equivalent.cost)
    phrases = []
    for equivalent in equivalents[:MAX_EQUIVALENTS]:
        labels = [MISTAKES[mistake].label for mistake in equivalent.mistakes]
        phrases.append(" ".join(filter(None, (candidate_label(equivalent), *labels))))
    if len(equivalents) > MAX_EQUIVALENTS:
        unnamed = len(equivalents) - MAX_EQUIVALENTS
        phrases.append(f"and {count_with_noun(unnamed, 'other way')}")
    return f"The same number comes from {'; '.join(phrases)}." if phrases else ""


def verdict(result: WhichResult) -> str:
    """Return the outcome of the search in one to three sentences."""
    numbers, reported = count_with_noun(result.distinct_count, "number"), result.reported.text
    search_text = f"{result.tried_count:,} ways to compute BLEU give {numbers} for these texts"
    count, warning, doubt = len(result.found), "", ""
    if result.repairs:
        faults = english_list([KINDS[name].description for name in result.repairs])
        warning = (
            f"No usual way gives {reported} for the texts as they are. Without the faults that the "
            f"check-up found ({faults}), it is different: "
        )
    elif all(candidate.mistakes for candidate in result.found):
        warning = (
            f"No usual way to compute BLEU gives {reported}; first check that it belongs to these "
            "texts: the same output, references and preprocessing. "
        )
        doubt = " Each needs a mistake on the way, so it may be chance; more digits would tell."
    if not count:
        return f"{warning}{search_text}; none agrees with {reported}. The nearest:"
    if count == 1:
        return f"{warning}{search_text}; 1 of these numbers agrees with {reported}.{doubt}"
    agreeing = f"{count:,} of these numbers agree with {reported}"
    return f"{warning}{search_text}; {agreeing}, the likeliest first.{doubt}"


def ways_table(
    result: WhichResult, is_applicable: Callable[[Candidate], bool], command: str = "which-apply"
) -> Table:
    """Return the displayed candidates as a table.

    Candidates that `is_applicable` accepts are choices named `COMMAND:INDEX`.
    """
    candidates = displayed_candidates(result)
    rows = []
    for index, candidate in enumerate(candidates[:MAX_ROWS]):
        label = candidate_label(candidate)
        cell: Cell = Choice(label, f"{command}:{index}") if is_applicable(candidate) else label
        signature = f"Signature: {candidate.signature}"
        sentences = candidate_reason(candidate), equivalents_text(candidate), signature
        distance = () if result.found else (score_cell(candidate.distance / 100),)
        text = " ".join(filter(None, sentences))
        rows.append(Row((cell, score_cell(candidate.value), *distance, text)))
    return Table(
        "comparison",
        "Ways to this number" if result.found else "The nearest",
        ("How", "BLEU, 0–100", *(() if result.found else ("Distance",)), "Why"),
        tuple(rows),
        None,
        max(0, len(candidates) - MAX_ROWS),
        "less likely ways",
    )


def score_cell(value: float) -> Score100 | str:
    """Return a score in [0, 1], or a distance, as a cell; if it is almost 0, as NLTK prints it.

    >>> score_cell(0.5), score_cell(1.384292958842266e-231)
    (Score100(value=0.5, difference=False), '1.384e−231 (0–1)')
    """
    if 0 < value < ALMOST_ZERO:  # `Score100` would show “≈ 0”.
        return f"{value:.4g}".replace("-", "−") + " (0–1)"
    return Score100(value)


def displayed_candidates(result: WhichResult) -> Sequence[Candidate]:
    """Return the candidates that agree with the reported number or, if none does, the nearest."""
    return result.found or result.nearest
