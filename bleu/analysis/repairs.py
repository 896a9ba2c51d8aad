"""The repairs of a corpus: the functions that undo faults, by name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, zip_longest
from typing import Final

from bleu.analysis.alignment import align
from bleu.analysis.chatter import strip_chatter
from bleu.analysis.faults import TEXT_FAULTS
from bleu.analysis.finding import FAULTS
from bleu.analysis.frames import strip_frames
from bleu.analysis.tokenized import detokenize
from bleu.core.api import check_corpus_arguments
from bleu.core.display import short_repr
from bleu.core.migration import adapt_arguments
from bleu.core.progress import run_to_end
from bleu.core.segment import check_references

Texts = tuple[list[str], list[list[str]]]
"""The hypotheses, and the references of each."""


@adapt_arguments
def repair_corpus(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], names: Iterable[str]
) -> Texts:
    """Return the texts with the faults of these names undone, in the order of `FAULTS`.

    Raises ValueError for a name that is no fault or cannot be undone, for a segment without
    references, and for `chatter` unless there are as many hypotheses as lists of references;
    TypeError unless both sides are lists of texts.

    >>> repair_corpus(["it&#39;s"], [["it’s"]], ["punctuation", "escapes"])
    (["it's"], [["it's"]])
    """
    selected = set(names)
    if unknown := sorted(selected - REPAIRS.keys()):
        raise ValueError(
            f"there is no repair {short_repr(unknown[0])}; choose one of: {', '.join(REPAIRS)}"
        )
    texts = copy_texts(hypotheses, references)
    for name in FAULTS:
        if name in selected:
            texts = REPAIRS[name](*texts)
    return texts


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


def _repair_each(
    repair: Callable[[str], str], hypotheses: list[str], references: list[list[str]]
) -> Texts:
    return list(map(repair, hypotheses)), [list(map(repair, row)) for row in references]


def _realign(hypotheses: list[str], references: list[list[str]]) -> Texts:
    return run_to_end(align(hypotheses, references)).realign(hypotheses), references


def _strip_chatter(hypotheses: list[str], references: list[list[str]]) -> Texts:
    check_corpus_arguments(hypotheses, references)
    return strip_chatter(hypotheses, references), references


def _split_lines(hypotheses: list[str], references: list[list[str]]) -> Texts:
    if len(hypotheses) == 1:
        hypotheses = hypotheses[0].split("\r")
    if len(references) == 1:
        columns = (text.split("\r") for text in references[0])
        references = list(map(list, zip_longest(*columns, fillvalue="")))
    return hypotheses, references


REPAIRS: Final[Mapping[str, Callable[[list[str], list[list[str]]], Texts]]] = {
    **{name: partial(_repair_each, fault.repair) for name, fault in TEXT_FAULTS.items()},
    "frame": strip_frames,
    "misaligned": _realign,
    "length-mismatch": _realign,
    "case": partial(_repair_each, str.lower),
    "tokenized": partial(_repair_each, detokenize),
    "chatter": _strip_chatter,
    "line-ends": _split_lines,
}
"""The functions that undo faults, by the name of the fault."""
RESIZING: Final = frozenset({"length-mismatch", "line-ends"})
"""Repairs that change the number of hypotheses."""
