"""Public functions: comparison with other implementations, diagnosis, check-up and Self-BLEU."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Unpack, get_args

from bleu.analysis.comparison import ConventionResult, agree, convention_results
from bleu.analysis.diagnosis import findings
from bleu.checkup.checkup import iter_check
from bleu.checkup.finding import Finding
from bleu.checkup.repairs import copy_texts
from bleu.core.api import Derivation, derive
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin
from bleu.core.ngrams import Ngram, count_ngrams
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.score import compute
from bleu.core.segment import check_references, count_tokens, tokenize_segment
from bleu.core.settings import Settings, document_choices
from bleu.core.tokenizers import Text, Tokens
from bleu.metric.conventions import ConventionName

CONVENTION: Final = "nltk-method1"
"""The convention that Texygen scores with."""


@dataclass(frozen=True, slots=True, repr=False)
class ConventionComparison(DisplayMixin):
    """One segment as other implementations score it.

    - `here`: the derivation under the chosen settings.
    - `outcomes`: for each convention, its `name`, its `settings`, and its score for the same texts
      as `value`, in [0, 1], or above 1 for a few conventions; if it refuses the texts, `value` is
      None and `refusal` says why.
    """

    here: Derivation
    outcomes: tuple[ConventionResult, ...]

    def __str__(self) -> str:
        """Return the score, the number of conventions that agree, and the range of scores."""
        values = [outcome.value for outcome in self.outcomes if outcome.value is not None]
        agreeing = sum(agree(value, self.here.score.value) for value in values)
        name = f"BLEU-{len(self.here.orders)} {100 * self.here.score.value:.2f}"
        if not values:
            return f"{name}; no convention takes these texts"
        low, high = 100 * min(values), 100 * max(values)
        noun = "convention" if len(values) == 1 else "conventions"
        return f"{name}; {agreeing} of {len(values)} {noun} agree, from {low:.2f} to {high:.2f}"


@document_choices
def compare(
    hypothesis: Text,
    references: Sequence[Text],
    settings: Settings | None = None,
    *,
    conventions: Sequence[ConventionName] = get_args(ConventionName),
    **choices: Unpack[Choices],
) -> ConventionComparison:
    """Score one segment under the chosen settings and under those of other implementations.

    `conventions` are names in `CONVENTIONS`, by default all of them. Each has its own settings;
    only the maximum n-gram order comes from the chosen settings, if the convention allows it.
    Arguments, empty texts and errors are as in `derive`. Raises ValueError for an unknown
    convention.

    >>> names = ["sacrebleu", "sacrebleu-sentence", "fairseq"]
    >>> comparison = compare("a b", ["a b", "b"], conventions=names)
    >>> [(outcome.name, outcome.value) for outcome in comparison.outcomes]
    [('sacrebleu', 0.0), ('sacrebleu-sentence', 1.0), ('fairseq', None)]
    >>> comparison.outcomes[2].refusal
    'It takes one reference only.'
    >>> print(comparison)
    BLEU-4 0.00; 1 of 2 conventions agree, from 0.00 to 100.00
    """
    current_settings = resolve_settings(choices, settings)
    outcomes = convention_results(hypothesis, references, current_settings, conventions)
    return ConventionComparison(derive(hypothesis, references, current_settings), tuple(outcomes))


@document_choices
def diagnose(
    hypothesis: str,
    references: Sequence[str],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> tuple[Finding, ...]:
    """Find likely faults of a text and its references, the most important first.

    Examples are mixed kinds of quotes, hidden characters, text that is already tokenized, or a
    printed Python list. The `message` of a `Finding` states the fault, and its `action` names a
    remedy. The result is empty without faults, for an empty hypothesis, and for more than 50,000
    characters in all. Raises TypeError for tokens instead of text, and the exceptions of `derive`.

    >>> [finding.message for finding in diagnose("The Cat", ["the cat"], max_order=2)]
    ['Apart from upper and lower case, the candidate is identical to a reference.']
    """
    derivation = derive(hypothesis, references, settings, **choices)
    if not isinstance(hypothesis, str):
        raise TypeError(f"hypothesis has type {type(hypothesis).__name__}; give text, not tokens")
    return findings(hypothesis, references, derivation)


@document_choices
def check_corpus(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings | None = None,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
    **choices: Unpack[Choices],
) -> tuple[Finding, ...]:
    """Find likely faults of a corpus: those without a cost, then the others, the costliest first.

    `references[i]` are the references of `hypotheses[i]`; the two may have different lengths.
    `sources` are the source texts, `other_systems` the outputs of other systems. `repair_corpus`
    undoes the faults whose `action` begins with `repair:`.

    Raises TypeError unless both sides are lists of texts, ValueError for a segment without
    references or another number of sources than of either side, and the exceptions of `Settings`.

    >>> findings = check_corpus(["it&#39;s a cat", "a dog"], [["it's a cat"], ["a dog"]])
    >>> [(finding.name, finding.segments, finding.action) for finding in findings]
    [('escapes', 1, 'repair:escapes')]
    """
    settings = resolve_settings(choices, settings)
    texts = copy_texts(hypotheses, references)
    if sources and len(sources) not in {len(hypotheses), len(references)}:
        raise ValueError(
            f"there are {len(sources)} sources for {len(references)} segments; give one for each"
        )
    return run_to_end(iter_check(*texts, settings, sources=sources, other_systems=other_systems))


@dataclass(frozen=True, slots=True)
class SelfBleu:
    """The mean of the scores of texts, each against all others as its references.

    - `value`: the mean, in [0, 1]; 1 if all texts are the same.
    - `scores`: the score of each text, in order.
    """

    value: float
    scores: tuple[float, ...]

    def __str__(self) -> str:
        """Return the mean on the 0–100 scale, and the number of texts."""
        return f"Self-BLEU {100 * self.value:.2f} of {len(self.scores):,} texts"


@document_choices
def self_bleu(
    texts: Iterable[Text], settings: Settings | None = None, **choices: Unpack[Choices]
) -> SelfBleu:
    """Return the Self-BLEU of texts (Zhu et al. 2018): the lower, the more diverse they are.

    Each text is scored against all others, and the scores are averaged. Without settings and
    convention, NLTK's method 1 is used, as in Texygen's parallel computation, but with N = 4 and
    all texts; Texygen's defaults are N = 3 and the first 500 texts.

    Raises ValueError for fewer than two texts, and the exceptions of `sentence_bleu`.

    >>> print(self_bleu(["a b c d", "a b c e", "a x"], max_order=2))
    Self-BLEU 49.88 of 3 texts
    """
    if settings is None:
        choices.setdefault("convention", CONVENTION)
    texts = texts if isinstance(texts, str) else list(texts)
    return run_to_end(iter_self_bleu(texts, resolve_settings(choices, settings)))


def iter_self_bleu(texts: Sequence[Text], settings: Settings) -> ProgressGenerator[SelfBleu]:
    """Return the result of `self_bleu`, yielding (done, total) after each text."""
    count = 1 if isinstance(texts, str) else len(texts)
    if count < 2:
        raise ValueError(f"the number of texts is {count}; give a list of two or more")
    check_references(texts[0], texts[1:], "texts")
    tokens = tokenize_segment(texts[0], texts[1:], settings)
    all_tokens = (tokens[0], *tokens[1])
    scores = []
    for number, matched in enumerate(_iter_matches(all_tokens, settings.orders)):
        others = (*all_tokens[:number], *all_tokens[number + 1 :])
        statistics = count_tokens((all_tokens[number], others), settings, matched)
        scores.append(compute(statistics, settings).value)
        yield len(scores), len(texts)
    return SelfBleu(sum(scores) / len(scores), tuple(scores))


def _iter_matches(texts: Sequence[Tokens], max_order: int) -> Iterator[list[int]]:
    """Yield the clipped matches of each text against all others, for orders 1 to `max_order`.

    The two largest counts of each n-gram suffice: the maximum in the other texts is the largest
    count, or the second largest for the text that has the largest. So the time grows with the
    number of texts instead of its square.
    """
    # By n-gram: the largest count, the text that has it, and the second largest count.
    largest_counts: dict[Ngram, tuple[int, int, int]] = {}
    for index, tokens in enumerate(texts):
        for order in range(1, max_order + 1):
            for ngram, count in count_ngrams(tokens, order).items():
                largest, owner, second = largest_counts.get(ngram, (0, -1, 0))
                if count > largest:
                    largest_counts[ngram] = count, index, largest
                elif count > second:
                    largest_counts[ngram] = largest, owner, count
    for index, tokens in enumerate(texts):
        matched = []
        for order in range(1, max_order + 1):
            total = 0
            for ngram, count in count_ngrams(tokens, order).items():
                largest, owner, second = largest_counts[ngram]
                total += min(count, second if owner == index else largest)
            matched.append(total)
        yield matched
