"""Public functions: comparison with other implementations, diagnosis and check-up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack, get_args

from bleu.analysis.comparison import ConventionResult, agree, convention_results
from bleu.analysis.diagnosis import findings
from bleu.checkup.checkup import iter_check
from bleu.checkup.finding import Finding
from bleu.checkup.repairs import copy_texts
from bleu.core.api import Derivation, derive
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin
from bleu.core.progress import run_to_end
from bleu.core.settings import Settings, document_choices
from bleu.core.tokenizers import Text
from bleu.metric.conventions import ConventionName


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
