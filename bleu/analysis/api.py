"""What people ask of a text as they type: what others give for it, and what is odd about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack, get_args

from bleu.analysis.comparison import ConventionResult, agree, convention_results
from bleu.analysis.diagnosis import Finding, findings
from bleu.core.choices import Choices, ConventionName, SettingChoices, append_docstrings
from bleu.core.conventions import resolve_settings
from bleu.core.derivation import Derivation, derive
from bleu.core.display import DisplayMixin
from bleu.core.settings import Settings
from bleu.core.tokenizers import Text


@dataclass(frozen=True, slots=True, repr=False)
class ConventionComparison(DisplayMixin):
    """One segment as other implementations score it.

    - `here`: the derivation under the settings chosen.
    - `outcomes`: what each convention makes of the same texts: its `name`, its `value` in [0, 1]
      (some exceed 1; None where it refuses the texts, and `refusal` says why), its `derivation`.
    """

    here: Derivation
    outcomes: tuple[ConventionResult, ...]

    def __str__(self) -> str:
        """The score, how many conventions agree with it, and how far apart they are."""
        values = [one.value for one in self.outcomes if one.value is not None]
        same = sum(agree(value, self.here.score.value) for value in values)
        name = f"BLEU-{len(self.here.orders)} {100 * self.here.score.value:.2f}"
        if not values:
            return f"{name}; no convention takes these texts"
        low, high = 100 * min(values), 100 * max(values)
        noun = "convention" if len(values) == 1 else "conventions"
        return f"{name}; {same} of {len(values)} {noun} agree, from {low:.2f} to {high:.2f}"


@append_docstrings(Choices, SettingChoices)
def compare(
    hypothesis: Text,
    references: Sequence[Text],
    settings: Settings | None = None,
    *,
    conventions: Sequence[ConventionName] = get_args(ConventionName),
    **choices: Unpack[Choices],
) -> ConventionComparison:
    """One segment under the settings chosen, beside what other implementations give for it.

    `conventions` are names in `CONVENTIONS`, all of them unless chosen. Each has settings of its
    own; N alone is that of the settings, where the convention takes it. Arguments, empties and
    errors are those of `derive`, and ValueError for a convention that is not known.

    >>> names = ["sacrebleu", "sacrebleu-sentence", "fairseq"]
    >>> found = compare("a b", ["a b", "b"], conventions=names)
    >>> [(one.name, one.value) for one in found.outcomes]
    [('sacrebleu', 0.0), ('sacrebleu-sentence', 1.0), ('fairseq', None)]
    >>> found.outcomes[2].refusal
    'It takes one reference only.'
    >>> print(found)
    BLEU-4 0.00; 1 of 2 conventions agree, from 0.00 to 100.00
    """
    chosen = resolve_settings(choices, settings)
    here = derive(hypothesis, references, chosen)
    found = tuple(convention_results(hypothesis, references, chosen.max_order, conventions))
    return ConventionComparison(here, found)


@append_docstrings(Choices, SettingChoices)
def diagnose(
    hypothesis: str,
    references: Sequence[str],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> tuple[Finding, ...]:
    """What is odd about a text and its references, the most telling first; often nothing.

    Such as quotes of two kinds, hidden characters, text that is tokenized already, or a list as
    Python prints it: each a `Finding`, whose `message` says it and whose `action` names what would
    help. Text alone is looked at: raises TypeError for tokens, and else what `derive` raises.

    >>> [finding.message for finding in diagnose("The Cat", ["the cat"], max_order=2)]
    ['Apart from upper and lower case, the candidate is identical to a reference.']
    """
    derivation = derive(hypothesis, references, settings, **choices)
    if not isinstance(hypothesis, str):
        raise TypeError(f"the hypothesis is a {type(hypothesis).__name__}; give text, not tokens")
    return findings(hypothesis, references, derivation)
