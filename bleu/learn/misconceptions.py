"""Common misconceptions about BLEU, each as a method of computing it with one stage replaced."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bleu.analysis.agreement import human_agreement
from bleu.learn.hand_calculation import (
    CORRECT,
    Gram,
    GramCounts,
    Method,
    Value,
    Words,
    consecutive_grams,
    geometric_mean,
    penalty,
    split_tokens,
)

TOPICS: Final = (
    *("tokens", "clipping", "precision", "combination", "brevity", "corpus", "whole", "trust"),
)
"""The topics of exercises, in teaching order; `trust` is about what BLEU can say."""


@dataclass(frozen=True, slots=True)
class Misconception:
    """A named misconception: its topic, the message to the learner, and the wrong method.

    `anchor` is the step of the derivation that explains it.
    """

    name: str
    topic: str
    anchor: str
    sentence: str
    method: Method

    @property
    def third_person_sentence(self) -> str:
        """The sentence with “they” instead of “you”.

        >>> MISCONCEPTIONS["longer-of-two"].third_person_sentence.partition(" and ")[2]
        'they took the longer; the shorter counts.'
        """
        return self.sentence.replace("You ", "They ").replace("you ", "they ")


def _punctuation_split(text: str, tokenizer: str) -> Words:
    return split_tokens(text, "13a" if tokenizer == "whitespace" else tokenizer)


def _punctuation_dropped(text: str, tokenizer: str) -> Words:
    stripped = (word.strip(".,!?;:") for word in split_tokens(text, tokenizer))
    return tuple(word for word in stripped if word)


def _unordered(words: Words, n: int) -> tuple[Gram, ...]:
    return tuple(tuple(sorted(gram)) for gram in consecutive_grams(words, n))


def _reference_gram_count(
    hypothesis_counts: GramCounts, reference_counts: Sequence[GramCounts], _: int
) -> int:
    totals = (counts.total() for counts in reference_counts)
    return min(totals, key=lambda total: abs(total - hypothesis_counts.total()))


def _too_few_from_2(hypothesis_counts: GramCounts, _: Sequence[GramCounts], length: int) -> int:
    total = hypothesis_counts.total()
    return total if total == length else max(0, total - 1)


def _harmonic_mean(precisions: Sequence[Value]) -> Value:
    if not all(precisions):
        return Fraction(0)
    return len(precisions) / sum((1 / p for p in precisions), start=Fraction(0))


def _mean_without_zeros(precisions: Sequence[Value]) -> Value:
    nonzero = [p for p in precisions if p]
    return geometric_mean(nonzero) if nonzero else Fraction(0)


def _longer_of_two(length: int, lengths: Sequence[int]) -> Value:
    return Fraction(min(lengths, key=lambda r: (abs(r - length), -r)))


_ALL = (
    Misconception("punctuation-split", "tokens", "tokens",
        "You split the punctuation off; here tokens are split at white space only, so a mark stays "
        "with its word.",
        Method(tokens=_punctuation_split)),
    Misconception("punctuation-kept", "tokens", "tokens",
        "You left the punctuation on its word; this tokenizer makes each mark a token of its own.",
        Method(tokens=lambda text, _: split_tokens(text, "whitespace"))),
    Misconception("punctuation-dropped", "tokens", "tokens",
        "You left the punctuation out; nothing of a text is left out, and a word with a "
        "punctuation mark is a different token from the word alone.",
        Method(tokens=_punctuation_dropped)),
    Misconception("case-folded", "tokens", "tokens",
        "You treated capital and small letters as the same; here they make different tokens.",
        Method(tokens=lambda text, tokenizer: split_tokens(text.lower(), tokenizer))),
    Misconception("no-clipping", "clipping", "precision-1",
        "You credited every occurrence; repetitions are credited at most as often as one reference "
        "has them.",
        Method(credit=lambda count, reference_counts: count if any(reference_counts) else 0)),
    Misconception("sum-over-references", "clipping", "precision-1",
        "You added the matches of the references; BLEU takes the largest count in any one of them.",
        Method(credit=lambda count, reference_counts: min(count, sum(reference_counts)))),
    Misconception("first-reference-only", "clipping", "precision-1",
        "You looked at the first reference only; a match in any reference is credited.",
        Method(credit=lambda count, reference_counts: min(count, reference_counts[0]))),
    Misconception("every-reference", "clipping", "precision-1",
        "You credited only what every reference has; an n-gram is credited if any one of them has "
        "it.",
        Method(credit=lambda count, reference_counts: min(count, *reference_counts))),
    Misconception("distinct-only", "clipping", "precision-1",
        "You counted each different n-gram once; each occurrence counts, in the numerator and the "
        "denominator.",
        Method(
            credit=lambda _, reference_counts: int(any(reference_counts)),
            divisor=lambda hypothesis_counts, _, __: len(hypothesis_counts),
        )),
    Misconception("recall", "precision", "precision-1",
        "You divided by the n-grams of the reference, which is recall; precision divides by those "
        "of the candidate.",
        Method(divisor=_reference_gram_count)),
    Misconception("c-for-every-order", "precision", "precision-2",
        "You divided by the number of words; but four words have only three 2-grams.",
        Method(divisor=lambda _, __, length: length)),
    Misconception("c-minus-n", "precision", "precision-2",
        "You took c − n for the number of n-grams; c words have c − n + 1, so four words have "
        "three 2-grams.",
        Method(divisor=lambda hypothesis_counts, *_: max(0, hypothesis_counts.total() - 1))),
    Misconception("c-minus-n-from-2", "precision", "precision-2",
        "You took c − n for the number of longer n-grams; c words have c − n + 1, so four words "
        "have three 2-grams.",
        Method(divisor=_too_few_from_2)),
    Misconception("order-ignored", "precision", "precision-2",
        "You credited 2-grams whose words stand the other way round; the order within an n-gram "
        "counts.",
        Method(ngrams=_unordered)),
    Misconception("cut-into-pieces", "precision", "precision-2",
        "You cut the text into pieces; n-grams overlap, and one begins at every word that has "
        "enough words after it.",
        Method(ngrams=lambda words, n: consecutive_grams(words, n)[::n])),
    Misconception("arithmetic-mean", "combination", "score",
        "You took the arithmetic mean; BLEU takes the geometric mean, the root of the product.",
        Method(mean=lambda ps: sum(ps, start=Fraction(0)) / len(ps))),
    Misconception("harmonic-mean", "combination", "score",
        "You took the harmonic mean; BLEU takes the geometric mean, the root of the product.",
        Method(mean=_harmonic_mean)),
    Misconception("no-root", "combination", "score",
        "You multiplied the precisions but took no root; the mean of N precisions is the N-th root "
        "of their product.",
        Method(mean=lambda ps: math.prod(ps, start=Fraction(1)))),
    Misconception("zeros-skipped", "combination", "score",
        "You left out a precision of 0; without smoothing it makes the whole mean 0.",
        Method(mean=_mean_without_zeros)),
    Misconception("highest-order-only", "combination", "score",
        "You took the precision of the longest n-grams alone; BLEU-N combines all orders from 1 to "
        "N.",
        Method(mean=lambda ps: ps[-1])),
    Misconception("no-penalty", "brevity", "brevity-penalty",
        "You left out the brevity penalty; the score of a shorter candidate is multiplied by "
        "exp(1 − r/c).",
        Method(penalty=lambda *_: Fraction(1))),
    Misconception("penalty-upside-down", "brevity", "brevity-penalty",
        "You had the penalty the wrong way round; it falls on candidates that are too short, never "
        "on long ones.",
        Method(penalty=lambda c, r: penalty(r, c))),
    Misconception("penalty-ratio", "brevity", "brevity-penalty",
        "You took c/r for the penalty; it is exp(1 − r/c).",
        Method(penalty=lambda c, r: Fraction(1) if c >= r else c / r)),
    Misconception("penalty-inverse-ratio", "brevity", "brevity-penalty",
        "You took r/c for the penalty; it is exp(1 − r/c), which is never above 1.",
        Method(penalty=lambda c, r: r / c if 0 < c < r else Fraction(c >= r))),
    Misconception("penalty-difference", "brevity", "brevity-penalty",
        "You took 1 − c/r for the penalty; it is exp(1 − r/c).",
        Method(penalty=lambda c, r: Fraction(1) if c >= r else 1 - c / r)),
    Misconception("penalty-swapped", "brevity", "brevity-penalty",
        "You had c and r the wrong way round in the exponent; it is 1 − r/c, which is negative for "
        "a short candidate.",
        Method(penalty=lambda c, r: Fraction(1) if c >= r else math.exp(1 - c / r))),
    Misconception("penalty-rewards", "brevity", "brevity-penalty",
        "You rewarded a long candidate; the penalty is never above 1.",
        Method(penalty=lambda c, r: math.exp(1 - r / c) if c > 0 else Fraction(0))),
    Misconception("longest-reference", "brevity", "brevity-penalty",
        "You took the longest reference; r is the length closest to the candidate’s.",
        Method(length=lambda _, lengths: Fraction(max(lengths)))),
    Misconception("shortest-reference", "brevity", "brevity-penalty",
        "You took the shortest reference; r is the length closest to the candidate’s.",
        Method(length=lambda _, lengths: Fraction(min(lengths)))),
    Misconception("average-reference", "brevity", "brevity-penalty",
        "You averaged the lengths of the references; r is the one length closest to the "
        "candidate’s.",
        Method(length=lambda _, lengths: Fraction(sum(lengths), len(lengths)))),
    Misconception("first-reference-length", "brevity", "brevity-penalty",
        "You took the length of the first reference; r is the length closest to the candidate’s.",
        Method(length=lambda _, lengths: Fraction(lengths[0]))),
    Misconception("longer-of-two", "brevity", "brevity-penalty",
        "Two references are equally close in length, and you took the longer; the shorter counts.",
        Method(length=_longer_of_two)),
    Misconception("mean-of-scores", "corpus", "sums",
        "You averaged the scores of the segments; a corpus is scored once, from the sums of the "
        "counts.",
        Method(averaged="bleu")),
    Misconception("mean-of-precisions", "corpus", "precisions",
        "You averaged the precisions of the segments; add the matches and add the totals, then "
        "divide.",
        Method(averaged="p")),
    Misconception("mean-of-penalties", "corpus", "brevity-penalty",
        "You averaged the brevity penalties; there is one penalty, from the sums of the lengths.",
        Method(averaged="bp")),
    Misconception("ngrams-across-segments", "corpus", "sums",
        "You counted n-grams that begin in one segment and end in the next; the n-grams of each "
        "segment are counted by themselves.",
        Method(is_joined=True)),
    Misconception("source-needed", "trust", "score",
        "You took the source for a part of BLEU; it compares the candidate with the references "
        "only.",
        CORRECT),
    Misconception("reference-harmless", "trust", "brevity-penalty",
        "You saw one effect of a reference only; it can match more n-grams, which raises "
        "precisions, and its length can be closest to c, which changes the brevity penalty.",
        CORRECT),
    Misconception("scores-comparable", "trust", "tokens",
        "You compared scores of different texts; the test set, the references, the tokens and the "
        "settings each move BLEU by several points.",
        CORRECT),
    Misconception("equal-scores", "trust", "precision-1",
        "You took the score for a fingerprint; translations with as many matches and the same "
        "length have the same BLEU.",
        CORRECT),
    Misconception("meaning-measured", "trust", "precision-1",
        "You took BLEU for a measure of meaning; it compares words, so a paraphrase can score low "
        "and the opposite high.",
        CORRECT),
    Misconception("differences-certain", "trust", "score",
        "You took a small difference for a sure one; among pairs of systems 1 BLEU apart, people "
        f"prefer the one with the higher score in about {100 * human_agreement(0.01):.0f} of 100.",
        CORRECT),
)  # fmt: skip

MISCONCEPTIONS: Final[Mapping[str, Misconception]] = {
    misconception.name: misconception for misconception in _ALL
}
"""All misconceptions by name, in the order of the topics."""


def misconceptions_about(topic: str) -> tuple[Misconception, ...]:
    """Return the misconceptions of a topic; `whole` means all topics.

    >>> [misconception.name for misconception in misconceptions_about("corpus")]
    ['mean-of-scores', 'mean-of-precisions', 'mean-of-penalties', 'ngrams-across-segments']
    """
    return tuple(misconception for misconception in _ALL if topic in (misconception.topic, "whole"))
