"""Common misconceptions about BLEU, each as a change of the method that computes it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from bleu.analysis.agreement import human_agreement
from bleu.learn.hand_calculation import (
    CORRECT,
    MARKS,
    WORDS,
    Change,
    Value,
    around,
    changed,
    geometric_mean,
    split_tokens,
)
from bleu.metric.method import brevity_penalty

TOPICS: Final = (
    *("tokens", "clipping", "precision", "combination", "brevity", "corpus", "whole", "trust"),
)
"""The topics of exercises, in teaching order; `trust` is about what BLEU can say."""


MAX_CAUSES: Final = 2
"""The misconceptions that one message names."""


@dataclass(frozen=True, slots=True)
class Misconception:
    """A named misconception: its topic, what was done, what holds instead, and what it changes.

    `mistake` and `rule` are parts of sentences; `anchor` is the step that explains it.
    """

    name: str
    topic: str
    anchor: str
    mistake: str
    rule: str
    change: Change

    @property
    def sentence(self) -> str:
        """The message to the learner."""
        return f"You {self.mistake}; {self.rule}."

    @property
    def third_person_sentence(self) -> str:
        """The message about a learner.

        >>> MISCONCEPTIONS["no-penalty"].third_person_sentence.partition(";")[0]
        'They left out the brevity penalty'
        """
        return f"They {self.mistake}; {self.rule}."


def _punctuation_split(split: Any) -> Any:
    """Split at punctuation, too, if the tokens are split at white space."""

    def split_punctuation(text: str) -> Any:
        tokens = split(text)
        return split_tokens(text, MARKS) if tokens == tuple(text.split()) else tokens

    return split_punctuation


def _punctuation_dropped(split: Any) -> Any:
    def split_and_strip(text: str) -> Any:
        stripped = (word.strip(".,!?;:") for word in split(text))
        return tuple(word for word in stripped if word)

    return split_and_strip


def _joined(segments: Any) -> Any:
    """Join all segments into one; a segment with fewer references repeats its last."""
    count = max(len(references) for _, references in segments)
    padded = [[h, *texts, *texts[-1:] * (count - len(texts))] for h, texts in segments]
    hypothesis, *references = (tuple(chain(*texts)) for texts in zip(*padded, strict=True))
    return [(hypothesis, references)]


def _reference_gram_count(grams: Any, reference_grams: Any, _: int) -> Any:
    totals = (other.total() for other in reference_grams)
    return min(totals, key=lambda total: abs(total - grams.total()))


def _too_few_from_2(grams: Any, _: Any, c: int) -> int:
    total = int(grams.total())
    return total if total == c else max(0, total - 1)


def _mean(function: Callable[[Sequence[Value]], Value]) -> Change:
    """Return the change that combines the precisions by a function."""
    return changed(mean=lambda precisions, *_: function(precisions))


def _arithmetic_mean(precisions: Sequence[Value]) -> Value:
    return sum(precisions, start=Fraction(0)) / len(precisions)


def _harmonic_mean(precisions: Sequence[Value]) -> Value:
    if not all(precisions):
        return Fraction(0)
    return len(precisions) / sum((1 / p for p in precisions), start=Fraction(0))


def _mean_without_zeros(precisions: Sequence[Value]) -> Value:
    nonzero = [p for p in precisions if p]
    return geometric_mean(nonzero) if nonzero else Fraction(0)


_ALL = (
    Misconception("punctuation-split", "tokens", "tokens",
        "split the punctuation off",
        "here tokens are split at white space only, so a mark stays with its word",
        around("split", _punctuation_split)),
    Misconception("punctuation-kept", "tokens", "tokens",
        "left the punctuation on its word",
        "this tokenizer makes each mark a token of its own",
        changed(split=lambda text: split_tokens(text, WORDS))),
    Misconception("punctuation-dropped", "tokens", "tokens",
        "left the punctuation out",
        "nothing of a text is left out, and a word with a punctuation mark is a different token "
        "from the word alone",
        around("split", _punctuation_dropped)),
    Misconception("case-folded", "tokens", "tokens",
        "treated capital and small letters as the same",
        "here they make different tokens",
        around("split", lambda split: lambda text: split(text.lower()))),
    Misconception("no-clipping", "clipping", "precision-1",
        "credited every occurrence",
        "repetitions are credited at most as often as one reference has them",
        changed(credit=lambda count, reference_counts: count if any(reference_counts) else 0)),
    Misconception("sum-over-references", "clipping", "precision-1",
        "added the matches of the references",
        "BLEU takes the largest count in any one of them",
        changed(credit=lambda count, reference_counts: min(count, sum(reference_counts)))),
    Misconception("first-reference-only", "clipping", "precision-1",
        "looked at the first reference only",
        "a match in any reference is credited",
        changed(credit=lambda count, reference_counts: min(count, reference_counts[0]))),
    Misconception("every-reference", "clipping", "precision-1",
        "credited only what every reference has",
        "an n-gram is credited if any one of them has it",
        changed(credit=lambda count, reference_counts: min(count, *reference_counts))),
    Misconception("distinct-only", "clipping", "precision-1",
        "counted each different n-gram once",
        "each occurrence counts, in the numerator and the denominator",
        changed(
            credit=lambda _, reference_counts: int(any(reference_counts)),
            total=lambda grams, _, __: len(grams),
        )),
    Misconception("recall", "precision", "precision-1",
        "divided by the n-grams of the reference, which is recall",
        "precision divides by those of the candidate",
        changed(total=_reference_gram_count)),
    Misconception("c-for-every-order", "precision", "precision-2",
        "divided by the number of words",
        "but four words have only three 2-grams",
        changed(total=lambda _, __, c: c)),
    Misconception("c-minus-n", "precision", "precision-2",
        "took c − n for the number of n-grams",
        "c words have c − n + 1, so four words have three 2-grams",
        changed(total=lambda grams, *_: max(0, grams.total() - 1))),
    Misconception("c-minus-n-from-2", "precision", "precision-2",
        "took c − n for the number of longer n-grams",
        "c words have c − n + 1, so four words have three 2-grams",
        changed(total=_too_few_from_2)),
    Misconception("order-ignored", "precision", "precision-2",
        "credited 2-grams whose words stand the other way round",
        "the order within an n-gram counts",
        around("ngrams", lambda ngrams: lambda *text: [tuple(sorted(g)) for g in ngrams(*text)])),
    Misconception("cut-into-pieces", "precision", "precision-2",
        "cut the text into pieces",
        "n-grams overlap, and one begins at every word that has enough words after it",
        around("ngrams", lambda ngrams: lambda tokens, n: ngrams(tokens, n)[::n])),
    Misconception("arithmetic-mean", "combination", "score",
        "took the arithmetic mean",
        "BLEU takes the geometric mean, the root of the product",
        _mean(_arithmetic_mean)),
    Misconception("harmonic-mean", "combination", "score",
        "took the harmonic mean",
        "BLEU takes the geometric mean, the root of the product",
        _mean(_harmonic_mean)),
    Misconception("no-root", "combination", "score",
        "multiplied the precisions but took no root",
        "the mean of N precisions is the N-th root of their product",
        _mean(lambda precisions: math.prod(precisions, start=Fraction(1)))),
    Misconception("zeros-skipped", "combination", "score",
        "left out a precision of 0",
        "without smoothing it makes the whole mean 0",
        _mean(_mean_without_zeros)),
    Misconception("highest-order-only", "combination", "score",
        "took the precision of the longest n-grams alone",
        "BLEU-N combines all orders from 1 to N",
        _mean(lambda precisions: precisions[-1])),
    Misconception("no-penalty", "brevity", "brevity-penalty",
        "left out the brevity penalty",
        "the score of a shorter candidate is multiplied by exp(1 − r/c)",
        changed(penalty=lambda *_: Fraction(1))),
    Misconception("penalty-upside-down", "brevity", "brevity-penalty",
        "had the penalty the wrong way round",
        "it falls on candidates that are too short, never on long ones",
        changed(penalty=lambda c, r: brevity_penalty(r, c))),
    Misconception("penalty-ratio", "brevity", "brevity-penalty",
        "took c/r for the penalty",
        "it is exp(1 − r/c)",
        changed(penalty=lambda c, r: Fraction(1) if c >= r else c / r)),
    Misconception("penalty-inverse-ratio", "brevity", "brevity-penalty",
        "took r/c for the penalty",
        "it is exp(1 − r/c), which is never above 1",
        changed(penalty=lambda c, r: r / c if 0 < c < r else Fraction(c >= r))),
    Misconception("penalty-difference", "brevity", "brevity-penalty",
        "took 1 − c/r for the penalty",
        "it is exp(1 − r/c)",
        changed(penalty=lambda c, r: Fraction(1) if c >= r else 1 - c / r)),
    Misconception("penalty-swapped", "brevity", "brevity-penalty",
        "had c and r the wrong way round in the exponent",
        "it is 1 − r/c, which is negative for a short candidate",
        changed(penalty=lambda c, r: Fraction(1) if c >= r else math.exp(1 - c / r))),
    Misconception("penalty-rewards", "brevity", "brevity-penalty",
        "rewarded a long candidate",
        "the penalty is never above 1",
        changed(penalty=lambda c, r: math.exp(1 - r / c) if c > 0 else Fraction(0))),
    Misconception("longest-reference", "brevity", "brevity-penalty",
        "took the longest reference",
        "r is the length closest to the candidate’s",
        changed(length=lambda _, lengths: Fraction(max(lengths)))),
    Misconception("shortest-reference", "brevity", "brevity-penalty",
        "took the shortest reference",
        "r is the length closest to the candidate’s",
        changed(length=lambda _, lengths: Fraction(min(lengths)))),
    Misconception("average-reference", "brevity", "brevity-penalty",
        "averaged the lengths of the references",
        "r is the one length closest to the candidate’s",
        changed(length=lambda _, lengths: Fraction(sum(lengths), len(lengths)))),
    Misconception("first-reference-length", "brevity", "brevity-penalty",
        "took the length of the first reference",
        "r is the length closest to the candidate’s",
        changed(length=lambda _, lengths: Fraction(lengths[0]))),
    Misconception("longer-of-two", "brevity", "brevity-penalty",
        "took the longer of two references that are equally close in length",
        "the shorter counts",
        changed(length=lambda c, lengths: min(lengths, key=lambda r: (abs(r - c), -r)))),
    Misconception("mean-of-scores", "corpus", "sums",
        "averaged the scores of the segments",
        "a corpus is scored once, from the sums of the counts",
        changed(averaged="BLEU")),
    Misconception("mean-of-precisions", "corpus", "precisions",
        "averaged the precisions of the segments",
        "add the matches and add the totals, then divide",
        changed(averaged="p")),
    Misconception("mean-of-penalties", "corpus", "brevity-penalty",
        "averaged the brevity penalties",
        "there is one penalty, from the sums of the lengths",
        changed(averaged="BP")),
    Misconception("ngrams-across-segments", "corpus", "sums",
        "counted n-grams that begin in one segment and end in the next",
        "the n-grams of each segment are counted by themselves",
        changed(joined=_joined)),
    Misconception("source-needed", "trust", "score",
        "took the source for a part of BLEU",
        "it compares the candidate with the references only",
        CORRECT),
    Misconception("reference-harmless", "trust", "brevity-penalty",
        "saw one effect of a reference only",
        "it can match more n-grams, which raises precisions, and its length can be closest to c, "
        "which changes the brevity penalty",
        CORRECT),
    Misconception("scores-comparable", "trust", "tokens",
        "compared scores of different texts",
        "the test set, the references, the tokens and the settings each move BLEU by several "
        "points",
        CORRECT),
    Misconception("equal-scores", "trust", "precision-1",
        "took the score for a fingerprint",
        "translations with as many matches and the same length have the same BLEU",
        CORRECT),
    Misconception("meaning-measured", "trust", "precision-1",
        "took BLEU for a measure of meaning",
        "it compares words, so a paraphrase can score low and the opposite high",
        CORRECT),
    Misconception("differences-certain", "trust", "score",
        "took a small difference for a sure one",
        "among pairs of systems 1 BLEU apart, people prefer the one with the higher score in about "
        f"{100 * human_agreement(0.01):.0f} of 100",
        CORRECT),
)  # fmt: skip

_IN_CODE = (
    Misconception("set-overlap", "clipping", "precision-1",
        "counted the different n-grams in common, but divided by all n-grams of the candidate",
        "each occurrence counts, up to its number in one reference",
        changed(credit=lambda _, reference_counts: int(any(reference_counts)))),
    Misconception("last-ngram-missed", "precision", "precision-2",
        "left out the last n-gram of each text",
        "c words have c − n + 1 n-grams, so the range ends there",
        around("ngrams", lambda ngrams: lambda tokens, n: ngrams(tokens, n)[:-1])),
    Misconception("arithmetic-mean", "combination", "score",
        "took the arithmetic mean",
        "BLEU takes the geometric mean, the root of the product",
        _mean(lambda precisions: _arithmetic_mean(precisions) if all(precisions) else Fraction(0))),
    Misconception("first-of-two", "brevity", "brevity-penalty",
        "took the first of two references that are equally close in length",
        "the shorter counts",
        changed(length=lambda c, lengths: min(lengths, key=lambda r: abs(r - c)))),
)  # fmt: skip

MISCONCEPTIONS: Final[Mapping[str, Misconception]] = {
    misconception.name: misconception for misconception in _ALL
}
"""All misconceptions by name, in the order of the topics."""

CODE_MISTAKES: Final = (
    *(misconception for misconception in _ALL if misconception.topic != "trust"),
    *_IN_CODE,
)
"""The misconceptions that change a score, and mistakes that people make in code only."""


def feedback(names: Sequence[str]) -> str:
    """Return the message on a wrong answer that any one of several misconceptions gives.

    >>> feedback(["penalty-ratio"])
    'You took c/r for the penalty; it is exp(1 − r/c).'
    >>> feedback(["penalty-ratio", "no-penalty"]).partition(". ")[2]
    'Or you left out the brevity penalty; the score of a shorter candidate is multiplied by \
exp(1 − r/c).'
    """
    first, *others = (MISCONCEPTIONS[name].sentence for name in names[:MAX_CAUSES])
    return " ".join([first, *(f"Or you{other.removeprefix('You')}" for other in others)])


def chosen_misconceptions(quantity: str) -> tuple[Misconception, ...]:
    """Return the misconceptions that a choice of a value of a quantity can show.

    >>> "c-minus-n" in [wrong.name for wrong in chosen_misconceptions("p-1")]
    False
    """
    # Nobody takes c − 1 for the number of words.
    excluded = "c-minus-n" if quantity.endswith("-1") else ""
    return tuple(wrong for wrong in MISCONCEPTIONS.values() if wrong.name != excluded)


def misconceptions_about(topic: str) -> tuple[Misconception, ...]:
    """Return the misconceptions of a topic; `whole` means all topics.

    >>> [misconception.name for misconception in misconceptions_about("corpus")]
    ['mean-of-scores', 'mean-of-precisions', 'mean-of-penalties', 'ngrams-across-segments']
    """
    return tuple(misconception for misconception in _ALL if topic in (misconception.topic, "whole"))
