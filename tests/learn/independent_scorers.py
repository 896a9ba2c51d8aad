"""Wrong scorers written apart from the library: what learners do who misunderstand one thing."""

import math
from fractions import Fraction


class Numbers(dict):
    """A learner's numbers; a missing one is computed when it is needed."""

    def __init__(self, learner, own):
        super().__init__(own)
        self.learner = learner

    def __missing__(self, name):
        return self.learner.value(name, self)


class Scorer:
    """A learner without a misconception, who computes each quantity from the own ones before it.

    `segments` are pairs of a candidate and its references.
    """

    def __init__(self, segments, max_order):
        self.segments = segments
        self.max_order = max_order

    def words(self, text):
        return text.split()

    def grams(self, text, n):
        words = self.words(text)
        return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]

    def credit(self, gram, count, reference_grams):
        return min(count, max(grams.count(gram) for grams in reference_grams))

    def matched(self, n):
        matched = 0
        for candidate, references in self.segments:
            grams = self.grams(candidate, n)
            reference_grams = [self.grams(text, n) for text in references]
            matched += sum(
                self.credit(gram, grams.count(gram), reference_grams) for gram in sorted(set(grams))
            )
        return Fraction(matched)

    def total(self, n):
        return Fraction(sum(len(self.grams(candidate, n)) for candidate, _ in self.segments))

    def closest(self, c, lengths):
        return sorted(lengths, key=lambda r: (abs(r - c), r))[0]

    def c(self):
        return Fraction(sum(len(self.words(candidate)) for candidate, _ in self.segments))

    def r(self):
        return sum(
            Fraction(
                self.closest(len(self.words(candidate)), [len(self.words(text)) for text in texts])
            )
            for candidate, texts in self.segments
        )

    def penalty(self, c, r):
        return Fraction(1) if c >= r else math.exp(1 - r / c)

    def mean(self, precisions):
        return float(math.prod(precisions)) ** (1 / len(precisions))

    def precision(self, n, own):
        total = own[f"total-{n}"]
        return own[f"matched-{n}"] / total if total else Fraction(0)

    def brevity(self, own):
        return self.penalty(own["c"], own["r"])

    def score(self, own):
        return own["gm"] * own["bp"]

    def value(self, name, own):
        """Return a quantity, computed from the learner's own numbers where there are any."""
        kind, _, order = name.partition("-")
        n = int(order or 0)

        earlier_values = Numbers(self, own)
        match kind:
            case "matched":
                return self.matched(n)
            case "total":
                return self.total(n)
            case "p":
                return self.precision(n, earlier_values)
            case "c":
                return self.c()
            case "r":
                return self.r()
            case "bp":
                return self.brevity(earlier_values)
            case "gm":
                return self.mean([earlier_values[f"p-{k}"] for k in range(1, self.max_order + 1)])
            case _:
                return self.score(earlier_values)

    def alone(self):
        """Return a learner like this for each segment."""
        return [type(self)([segment], self.max_order) for segment in self.segments]


WRONG_SCORERS = {}
"""The wrong scorers, by the name that the library has for the misconception."""


def wrong(name):
    def register(scorer):
        WRONG_SCORERS[name] = scorer
        return scorer

    return register


def with_credit(name, credit):
    WRONG_SCORERS[name] = type(name, (Scorer,), {"credit": lambda _, *given: credit(*given)})


def with_penalty(name, penalty):
    WRONG_SCORERS[name] = type(name, (Scorer,), {"penalty": lambda _, c, r: penalty(c, r)})


def with_length(name, choose):
    WRONG_SCORERS[name] = type(name, (Scorer,), {"closest": lambda _, c, rs: choose(c, rs)})


def with_mean(name, mean):
    WRONG_SCORERS[name] = type(name, (Scorer,), {"mean": lambda _, ps: mean(ps)})


with_credit(
    "no-clipping",
    lambda gram, count, references: count if any(gram in grams for grams in references) else 0,
)
with_credit(
    "sum-over-references",
    lambda gram, count, references: min(count, sum(grams.count(gram) for grams in references)),
)
with_credit(
    "first-reference-only",
    lambda gram, count, references: min(count, references[0].count(gram)),
)
with_credit(
    "every-reference",
    lambda gram, count, references: min([count, *(grams.count(gram) for grams in references)]),
)
with_penalty("no-penalty", lambda *_: Fraction(1))
with_penalty("penalty-upside-down", lambda c, r: Fraction(1) if c <= r else math.exp(1 - c / r))
with_penalty("penalty-ratio", lambda c, r: min(Fraction(1), c / r))
with_penalty("penalty-inverse-ratio", lambda c, r: r / c if c < r else Fraction(1))
with_penalty("penalty-difference", lambda c, r: 1 - c / r if c < r else Fraction(1))
with_penalty("penalty-swapped", lambda c, r: math.exp(1 - c / r) if c < r else Fraction(1))
with_penalty("penalty-rewards", lambda c, r: math.exp(1 - r / c))
with_length("longest-reference", lambda _, lengths: max(lengths))
with_length("shortest-reference", lambda _, lengths: min(lengths))
with_length("average-reference", lambda _, lengths: Fraction(sum(lengths), len(lengths)))
with_length("first-reference-length", lambda _, lengths: lengths[0])
with_length("longer-of-two", lambda c, lengths: sorted(lengths, key=lambda r: (abs(r - c), -r))[0])
with_mean("arithmetic-mean", lambda ps: sum(ps) / len(ps))
with_mean("harmonic-mean", lambda ps: 0.0 if 0 in ps else len(ps) / sum(1 / p for p in ps))
with_mean("no-root", math.prod)
with_mean("highest-order-only", lambda ps: ps[-1])


@wrong("zeros-skipped")
class ZerosSkipped(Scorer):
    def mean(self, precisions):
        left = [p for p in precisions if p]
        return super().mean(left) if left else 0.0


@wrong("distinct-only")
class DistinctOnly(Scorer):
    def grams(self, text, n):
        return sorted(set(super().grams(text, n)))


@wrong("recall")
class Recall(Scorer):
    def total(self, n):
        total = 0
        for candidate, references in self.segments:
            size = len(self.grams(candidate, n))
            sizes = [len(self.grams(text, n)) for text in references]
            total += sorted(sizes, key=lambda other: abs(other - size))[0]
        return Fraction(total)


@wrong("c-for-every-order")
class WordsForEveryOrder(Scorer):
    def total(self, _):
        return self.c()


@wrong("c-minus-n")
class Minus(Scorer):
    def total(self, n):
        return Fraction(sum(max(0, len(self.words(text)) - n) for text, _ in self.segments))


@wrong("c-minus-n-from-2")
class MinusFrom2(Scorer):
    def total(self, n):
        return self.c() if n == 1 else Minus(self.segments, 1).total(n)


@wrong("order-ignored")
class OrderIgnored(Scorer):
    def grams(self, text, n):
        return [tuple(sorted(gram)) for gram in super().grams(text, n)]


@wrong("cut-into-pieces")
class CutIntoPieces(Scorer):
    def grams(self, text, n):
        words = self.words(text)
        return [tuple(words[i : i + n]) for i in range(0, len(words) - n + 1, n)]


@wrong("case-folded")
class CaseFolded(Scorer):
    def words(self, text):
        return text.lower().split()


@wrong("punctuation-split")
class PunctuationSplit(Scorer):
    def words(self, text):
        for mark in ".,!?":
            text = text.replace(mark, f" {mark} ")
        return text.split()


@wrong("punctuation-kept")
class PunctuationKept(Scorer):
    """A mistake only where the tokenizer splits punctuation."""


@wrong("punctuation-dropped")
class PunctuationDropped(Scorer):
    def words(self, text):
        return "".join(character for character in text if character not in ".,!?").split()


@wrong("mean-of-scores")
class MeanOfScores(Scorer):
    def score(self, own):
        if len(self.segments) == 1:
            return super().score(own)
        return sum(alone.value("bleu", {}) for alone in self.alone()) / len(self.segments)


@wrong("mean-of-precisions")
class MeanOfPrecisions(Scorer):
    def precision(self, n, own):
        if len(self.segments) == 1:
            return super().precision(n, own)
        return sum(alone.value(f"p-{n}", {}) for alone in self.alone()) / len(self.segments)


@wrong("mean-of-penalties")
class MeanOfPenalties(Scorer):
    def brevity(self, own):
        if len(self.segments) == 1:
            return super().brevity(own)
        return sum(alone.value("bp", {}) for alone in self.alone()) / len(self.segments)


@wrong("ngrams-across-segments")
class AcrossSegments(Scorer):
    def joined(self):
        candidates, references = zip(*self.segments, strict=True)
        count = max(map(len, references))
        texts = [" ".join(rs[min(i, len(rs) - 1)] for rs in references) for i in range(count)]
        return Scorer([(" ".join(candidates), texts)], self.max_order)

    def matched(self, n):
        return self.joined().matched(n)

    def total(self, n):
        return self.joined().total(n)


def answers_of(scorer, exercise, rng=None, slip_percent=0):
    """Return the answers of a learner, as typed, with slips from which later answers follow."""
    segments = list(zip(exercise.hypotheses, exercise.references, strict=True))
    learner = scorer(segments, exercise.max_order)
    own, answers = dict(exercise.given_values), {}
    for field in exercise.fields:
        value = learner.value(field.name, own)
        if rng and rng.random() * 100 < slip_percent:
            is_count = field.name.partition("-")[0] in {"matched", "total", "c", "r"}
            value += rng.choice((1, 2)) if is_count else Fraction(rng.randint(1, 9), 37)
        own[field.name] = value
        answers[field.name] = str(value) if isinstance(value, Fraction) else f"{value:.5f}"
    return answers
