"""Which BLEU a number is, in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bleu.analysis.which import MAX_ORDER, Candidate, WhichResult
from bleu.analysis.zero import ALMOST_ZERO
from bleu.core.conventions import CONVENTIONS, convention_settings
from bleu.document.blocks import Cell, Choice, Row, Score100, Table
from bleu.explanation.phrases import count_with_noun

MAX_EQUIVALENTS: Final = 6
"""Other ways to the same number that are named."""
MAX_ROWS: Final = 20
"""Rows of the table."""
TOKENIZERS_SHORT: Final = {"whitespace": "white space", "none": "white space"}

MISTAKE_WORDS: Final[Mapping[str, str]] = {
    "strings": "NLTK was handed strings where lists of tokens belong, so every character is a "
    "token.",
    "string-hypothesis": "The hypothesis was handed to NLTK as a string, so its tokens are "
    "characters; those of the references are words.",
    "string-references": "The references were handed to NLTK as strings, so their tokens are "
    "characters; those of the hypothesis are words.",
    "not-nested": "A reference was handed to NLTK where a list of references belongs, so every "
    "word is taken for a reference, whose tokens are its letters.",
    "strings-not-nested": "Strings were handed to NLTK, and a reference where a list of "
    "references belongs, so every character is taken for a reference.",
    "swapped": "Hypothesis and reference are swapped.",
    "mean-of-sentences": "The mean of the sentences’ scores stands in the place of the corpus "
    "score.",
    "tokenized-twice": "The texts had been tokenized before, and are tokenized again.",
    "one-segment": "All segments were joined into one.",
    "lines": "Whole lines were taken for tokens.",
    "flat-references": "sacreBLEU was handed one flat list of references, so each is taken for a "
    "stream of references of one character each: segment i is compared with the i-th character "
    "of every reference, and segments beyond the shortest reference are dropped.",
    "transposed": "sacreBLEU was handed a list of references for each segment where a list for "
    "each set of references belongs, so segment i is compared with the i-th references of all "
    "segments, and segments beyond the shortest of these lists are dropped.",
    "one-order": "One order alone has all the weight: it is the precision of its n-grams, times "
    "the brevity penalty.",
    "weights-of-0.33": "The weights 0.33, 0.33 and 0.33 sum to 0.99.",
    "mean-of-orders": f"It is the mean of BLEU-1 to BLEU-{MAX_ORDER}.",
    "no-brevity-penalty": "The brevity penalty was left out.",
    "one-minus": "It is 1 − BLEU.",
}
"""What is wrong in a mistake, by its name in `MISTAKES`."""

MISTAKE_NAMES: Final[Mapping[str, str]] = {
    "strings": "with strings for lists of tokens",
    "string-hypothesis": "with the hypothesis as a string",
    "string-references": "with the references as strings",
    "not-nested": "with a reference for a list of references",
    "strings-not-nested": "with strings, and a reference for a list of references",
    "swapped": "with hypothesis and reference swapped",
    "mean-of-sentences": "as the mean of the sentences’ scores",
    "tokenized-twice": "",
    "one-segment": "with all segments joined",
    "lines": "with lines for tokens",
    "flat-references": "with one flat list of references",
    "transposed": "with lists of references for the wrong axis",
    "one-order": "",
    "weights-of-0.33": "with weights of 0.33",
    "mean-of-orders": f"as the mean of BLEU-1 to BLEU-{MAX_ORDER}",
    "no-brevity-penalty": "without the brevity penalty",
    "one-minus": "as 1 − BLEU",
}
"""The same in a few words, after what `candidate_label` says; nothing where that says it already."""


def candidate_label(candidate: Candidate) -> str:
    """What was used, in a few words.

    >>> from bleu.analysis.reported import parse_reported_score
    >>> from bleu.analysis.which import which
    >>> candidate_label(which(parse_reported_score("100"), ["A b c d"], [["a b c d"]]).found[0])
    'sacreBLEU sentence_bleu, case folded'
    """
    settings, reading = candidate.settings, candidate.preprocessing
    own = convention_settings(candidate.convention)
    parts = [CONVENTIONS[candidate.convention].title]
    if settings.tokenizer != own.tokenizer:
        name = TOKENIZERS_SHORT.get(settings.tokenizer, settings.tokenizer)
        parts.append(f"tokenizer {name}")
    if settings.lowercase != own.lowercase:
        parts.append("case folded" if settings.lowercase else "case kept")
    if "one-order" in candidate.mistakes and settings.weights:
        parts.append(f"order {settings.weights.index(1) + 1} alone")
    elif settings.weights:
        parts.append(f"BLEU-{sum(map(bool, settings.weights))}, the other weights 0")
    elif settings.max_order != own.max_order and "mean-of-orders" not in candidate.mistakes:
        parts.append(f"BLEU-{settings.max_order}")
    if reading.reference:
        parts.append(f"reference {reading.reference} alone")
    if "tokenized-twice" in candidate.mistakes:
        parts.append(f"on tokens of {reading.pretokenizer}")
    return ", ".join(parts)


def candidate_reason(candidate: Candidate) -> str:
    """Why a candidate may be the number: what its tool does, and what went wrong on the way.

    >>> from bleu.analysis.reported import parse_reported_score
    >>> from bleu.analysis.which import which
    >>> candidate_reason(which(parse_reported_score("0.7744"), ["the cat sat on a mat"], [["the cat sits on a mat"]]).found[0])
    'NLTK was handed strings where lists of tokens belong, so every character is a token.'
    """
    sentences = [MISTAKE_WORDS[mistake] for mistake in candidate.mistakes]
    if not sentences:
        sentences.append(CONVENTIONS[candidate.convention].difference)
    if candidate.agreement == "cut":
        sentences.append("Its digits were cut off, not rounded.")
    if candidate.agreement and candidate.scale != CONVENTIONS[candidate.convention].scale:
        sentences.append(f"It is stated on a scale of 0 to {candidate.scale}.")
    return " ".join(sentences)


def equivalents_text(candidate: Candidate) -> str:
    """The other ways to the same value, the likeliest few by name; nothing where there is none."""
    ways = sorted(candidate.equivalents, key=lambda one: one.cost)
    names = [
        " ".join(
            filter(
                None, (candidate_label(one), *(MISTAKE_NAMES[mistake] for mistake in one.mistakes))
            )
        )
        for one in ways[:MAX_EQUIVALENTS]
    ]
    if len(ways) > MAX_EQUIVALENTS:
        names.append(f"and {count_with_noun(len(ways) - MAX_EQUIVALENTS, 'other way')}")
    return f"The same number comes from {'; '.join(names)}." if names else ""


def verdict(answer: WhichResult) -> str:
    """What was found, in one or two sentences."""
    numbers, text = count_with_noun(answer.distinct_count, "number"), answer.reported.text
    tried = f"{answer.tried_count:,} ways to compute BLEU give {numbers} for these texts"
    count = len(answer.found)
    if not count:
        return f"{tried}; none agrees with {text}. The nearest:"
    doubt = ""
    if all(one.mistakes for one in answer.found):
        doubt = " It takes a mistake on the way, so it may be chance; more digits would tell."
    if count == 1:
        return f"{tried}; 1 of these numbers agrees with {text}.{doubt}"
    return f"{tried}; {count:,} of these numbers agree with {text}, the likeliest first.{doubt}"


def ways_table(
    answer: WhichResult, applicable: Callable[[Candidate], bool], command: str = "which-apply"
) -> Table:
    """What agrees, or the nearest, as a table.

    What is `applicable` is a choice, whose name is the command with its number.
    """
    rows = []
    for number, one in enumerate(displayed_candidates(answer)[:MAX_ROWS]):
        name = candidate_label(one)
        cell: Cell = Choice(name, f"{command}:{number}") if applicable(one) else name
        words = " ".join(
            filter(
                None, (candidate_reason(one), equivalents_text(one), f"Signature: {one.signature}")
            )
        )
        distance = () if answer.found else (Score100(one.distance / 100),)
        rows.append(Row((cell, _value(one.value), *distance, words)))
    headers = ("How", "BLEU, 0–100", *(() if answer.found else ("Distance",)), "Why")
    more = max(0, len(displayed_candidates(answer)) - MAX_ROWS)
    return Table(
        "comparison",
        "Ways to this number" if answer.found else "The nearest",
        headers,
        tuple(rows),
        None,
        more,
        "less likely ways",
    )


def _value(value: float) -> Cell:
    """A score for the table; what is only almost 0 as NLTK prints it."""
    if 0 < value < ALMOST_ZERO:
        return f"{value:.4g}".replace("-", "−") + " (0–1)"
    return Score100(value)


def displayed_candidates(answer: WhichResult) -> Sequence[Candidate]:
    """What is shown: what agrees, or else the nearest."""
    return answer.found or answer.nearest
