"""A sample program that uses the library; it must run and pass type checkers."""

from fractions import Fraction

import bleu

BIGRAM = bleu.Settings(max_order=2, smoothing="exp", weights=[0.5, 0.5])
LOWERCASED = bleu.Settings(tokenizer="13a", lowercase=True, smoothing="floor", smoothing_value=0.5)
FOUR_WEIGHTS = bleu.Settings(weights=("1/4", 0.25, Fraction(1, 4), 0.25))
PAIR = "the cat is on mat", ["the cat is on the mat"]

hypotheses = ["the cat is on mat", "a dog"]
references = [["the cat is on the mat"], ["a dog", "the dog"]]
scores: list[bleu.Score] = [
    bleu.sentence_bleu(*PAIR),
    bleu.sentence_bleu(*PAIR, BIGRAM),
    bleu.sentence_bleu(*PAIR, settings=LOWERCASED),
    bleu.sentence_bleu([7, 8], [[7, 8]], max_order=2, weights=[0.5, 0.5]),
    bleu.corpus_bleu(hypotheses, references, convention="sacrebleu", tokenizer="intl"),
    bleu.derive(*PAIR, smoothing="add-k", smoothing_value=Fraction(1, 2)).score,
]
first, second = (
    [
        bleu.segment_statistics(text, text_references, max_order=2)
        for text, text_references in zip(texts, references, strict=True)
    ]
    for texts in (hypotheses, ["the cat", "dog"])
)
for convention in bleu.CONVENTIONS:
    if not bleu.CONVENTIONS[convention].single_reference:
        scores.append(bleu.sentence_bleu("a b c d e", ["a b c d f"], convention=convention))
for tokenizer in bleu.TOKENIZERS:
    for smoothing in bleu.SMOOTHINGS:
        for rule in bleu.REFERENCE_LENGTHS:
            scores.append(
                bleu.sentence_bleu(
                    *PAIR, tokenizer=tokenizer, smoothing=smoothing, reference_length=rule
                )
            )
outcomes = bleu.compare(*PAIR, conventions=list(bleu.CONVENTIONS)).outcomes


def percent(score: bleu.Score) -> float:
    return 100 * score


def difference(score: bleu.Score, other: bleu.Score) -> float:
    return score - other


def share(score: bleu.Score) -> float:
    return (1 + score) / 2 - score * Fraction(1, 2) + sum([score, score]) / score


def is_better(score: bleu.Score, other: bleu.Score) -> bool:
    return score > 0.3 and (score >= other or score < 1 or score == 0) and score >= 0.1


best: bleu.Score = max(scores)
ranking: list[bleu.Score] = sorted(scores)
rounded: float = round(100 * best, 2)
signature: str = best.signature
scores.append(bleu.score_statistics(bleu.Statistics.sum(first, max_order=2), max_order=2))
interval = bleu.confidence_interval(first, BIGRAM, resamples=10)
test = bleu.paired_bootstrap(first, second, max_order=2, resamples=10)
randomization = bleu.approximate_randomization(first, second, settings=BIGRAM, trials=10)
comparison = bleu.compare(*PAIR, BIGRAM, conventions=["sacrebleu", "nltk-method1"])
values: list[float | None] = [outcome.value for outcome in comparison.outcomes]
messages: list[str] = [
    finding.message for finding in bleu.diagnose("The Cat", ["the cat"], max_order=2)
]
corpus = bleu.derive_corpus(hypotheses, references, BIGRAM)
titles: list[str] = [step.title for step in bleu.explain(corpus).steps]
exercise = bleu.exercises("7k2q", ["brevity"], count=1, kinds=["step"])[0]
mistakes: int = bleu.grade(exercise, {"c": "7", "r": "9", "bp": "1"}).mistakes
print(
    scores[0],
    f"{scores[0]:.2f}",
    scores[0] < scores[1],
    max(scores),
    interval.low,
    test.p_value,
    randomization.p_value,
)
