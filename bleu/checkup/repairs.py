"""The repairs of a corpus: what the check-up found, undone by the name of the fault."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Final

from bleu.checkup.changes import SAMPLE_LINES
from bleu.checkup.checkup import CheckUp
from bleu.checkup.faults import TEXT_FAULTS, unspaced_tokenizer
from bleu.checkup.finding import ParallelLines
from bleu.checkup.joining import pair_up
from bleu.checkup.kinds import KINDS
from bleu.core.api import check_corpus_arguments
from bleu.core.display import short_repr
from bleu.core.migration import adapt_arguments
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.segment import check_references
from bleu.core.settings import Settings
from bleu.files.parallel import ParallelTexts

Texts = tuple[list[str], list[list[str]]]
"""The hypotheses, and the references of each."""


@adapt_arguments
def repair_corpus(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    names: Iterable[str],
    settings: Settings | None = None,
) -> Texts:
    """Return the texts with the faults of these names undone, as the check-up undoes them.

    The references decide what is undone: lines that would match worse under the settings keep
    their text. So repaired texts are for measuring, not for publishing. By default the settings are
    those of sacreBLEU, or single characters for scripts without spaces.

    Raises ValueError for a name that is no fault or cannot be undone, for a segment without
    references, and unless there are as many hypotheses as lists of references for faults that show
    line by line; TypeError unless both sides are lists of texts.

    >>> repair_corpus(["it&#39;s"], [["it’s"]], ["punctuation", "escapes"])
    (["it's"], [["it's"]])
    """
    selected = set(names)
    if unknown := sorted(selected - REPAIRS.keys()):
        raise ValueError(
            f"the repair is {short_repr(unknown[0], 40)}; choose one of: {', '.join(REPAIRS)}"
        )
    return run_to_end(iter_repair(*copy_texts(hypotheses, references), selected, settings))


def repair_texts(
    texts: ParallelTexts, names: Iterable[str], settings: Settings | None = None
) -> ParallelTexts:
    """Return the texts of all systems after `repair_corpus`, or the same object if none changes."""
    names = list(names)
    repaired = [
        repair_corpus(system, texts.references, names, settings) for system in texts.systems
    ]
    references = list(map(list, texts.references))
    if all(
        pair == (list(old), references) for pair, old in zip(repaired, texts.systems, strict=True)
    ):
        return texts
    return replace(texts, systems=[system for system, _ in repaired], references=repaired[0][1])


def iter_repair(
    hypotheses: list[str],
    references: list[list[str]],
    names: AbstractSet[str],
    settings: Settings | None = None,
) -> ProgressGenerator[Texts]:
    """Run `repair_corpus` as a generator that yields (steps done, total)."""
    if "line-ends" in names:
        hypotheses, references = _split_lines(hypotheses, references)
    if "length-mismatch" in names:
        chosen = settings or usual_settings(hypotheses)
        alignment, pairing = yield from pair_up(hypotheses, references, chosen)
        hypotheses = pairing.texts or alignment.realign(hypotheses)
    if len(hypotheses) != len(references):
        if names & LINEWISE:
            check_corpus_arguments(hypotheses, references)
        return _repair_texts(hypotheses, references, names)
    if names - {*RESIZING, "case"} and hypotheses:
        settings = settings or usual_settings(hypotheses)
        texts = ParallelLines(ParallelTexts([hypotheses], references), settings)
        hypotheses, references = yield from CheckUp(texts, names).repair()
    if "case" in names:
        hypotheses = list(map(str.lower, hypotheses))
        references = [list(map(str.lower, row)) for row in references]
    return hypotheses, references


def usual_settings(hypotheses: Sequence[str]) -> Settings:
    """Return sacreBLEU's settings, with a tokenizer for the script of the texts."""
    sample = "".join(hypotheses[:SAMPLE_LINES])
    is_unspaced = 10 * sample.count(" ") < len(sample) and unspaced_tokenizer(sample)
    return Settings(tokenizer="char" if is_unspaced else "13a")


def _repair_texts(
    hypotheses: list[str], references: list[list[str]], names: Collection[str]
) -> Texts:
    """Undo faults of single texts, if nothing tells which lines belong together."""
    for name, fault in TEXT_FAULTS.items():
        if name in names:
            hypotheses = list(map(fault.repair, hypotheses))
            references = [list(map(fault.repair, row)) for row in references]
    return hypotheses, references


def copy_texts(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Texts:
    """Return copies of the texts as lists.

    Raises TypeError unless both are lists of texts, ValueError for a segment without references.
    """
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(texts, str):
            raise TypeError(f"{name} is a str; give a list with one entry for each segment")
    for index, row in enumerate(references):
        check_references("", row, f"references[{index}]")
    for text in chain(hypotheses, chain.from_iterable(references)):
        if not isinstance(text, str):
            raise TypeError(f"a hypothesis is {short_repr(text)}; give text, not tokens")
    return list(hypotheses), list(map(list, references))


def _split_lines(hypotheses: list[str], references: list[list[str]]) -> Texts:
    if len(hypotheses) == 1:
        hypotheses = hypotheses[0].split("\r")
    if len(references) == 1:
        columns = (text.split("\r") for text in references[0])
        references = list(map(list, zip_longest(*columns, fillvalue="")))
    return hypotheses, references


REPAIRS: Final[Mapping[str, str]] = {
    **{name: kind.remedy for name, kind in KINDS.items() if kind.remedy},
    "case": "Lowercase the texts",
}
"""The labels of the repairs, by the name of the fault."""
RESIZING: Final = frozenset({"length-mismatch", "line-ends"})
"""Repairs that change the number of hypotheses."""
LINEWISE: Final = REPAIRS.keys() - RESIZING - TEXT_FAULTS.keys() - {"case"}
"""Repairs of faults that show only if lines are beside their references."""
