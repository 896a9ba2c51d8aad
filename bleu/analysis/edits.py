"""What one word is worth: the score without it, with another in its place, or with one more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bleu.core.score import Score, compute
from bleu.core.segment import check_references, count_tokens, tokenize_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics

MAX_REMOVALS: Final = 200
"""Words of a candidate above which nothing is tried."""
MAX_EDITS: Final = 4000
"""Edits above which only removals are tried."""
MAX_CHARACTERS: Final = 100_000
"""Characters of all texts together above which nothing is tried."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a text: at a place among its words, counted from 0, `old` becomes `new`.

    Without `old`, `new` is added before that place; without `new`, `old` is removed.
    """

    index: int
    old: str
    new: str
    text: str


@dataclass(frozen=True, slots=True)
class ScoredEdit:
    """An edit and the score of the text after it; None where its settings give that text none."""

    edit: Edit
    score: Score | None


def split_words(text: str) -> tuple[list[str], str]:
    """The words of a text, and what joins them: its characters where it has no white space.

    >>> split_words("the  cat"), split_words("猫在")
    ((['the', 'cat'], ' '), (['猫', '在'], ''))
    """
    parts = text.split()
    if len(parts) == 1 and not parts[0].isascii():
        return list(parts[0]), ""
    return parts, " "


def removals(text: str) -> Iterator[Edit]:
    """The text without each of its words in turn; nothing for one longer than 200 words.

    >>> [edit.text for edit in removals("a b c")]
    ['b c', 'a c', 'a b']
    """
    parts, joint = split_words(text)
    if len(parts) <= MAX_REMOVALS:
        for place, old in enumerate(parts):
            yield Edit(place, old, "", joint.join([*parts[:place], *parts[place + 1 :]]))


def insertions(text: str, references: Sequence[str]) -> Iterator[Edit]:
    """The text with a word of a reference added or put in place of another.

    Every place and every distinct word; nothing where that would be more than 4,000 texts.

    >>> [edit.text for edit in insertions("a", ["a b"])]
    ['a a', 'b a', 'b', 'a a', 'a b']
    """
    parts, joint = split_words(text)
    offered = list(
        dict.fromkeys(word for reference in references for word in split_words(reference)[0])
    )
    if len(offered) * (2 * len(parts) + 1) > MAX_EDITS:
        return
    for place in range(len(parts) + 1):
        for new in offered:
            before, after = parts[:place], parts[place:]
            yield Edit(place, "", new, joint.join([*before, new, *after]))
            if after and new != after[0]:
                yield Edit(place, after[0], new, joint.join([*before, new, *after[1:]]))


def scored_edits(text: str, references: Sequence[str], settings: Settings) -> Iterator[ScoredEdit]:
    """The score after every edit: first the removals, then the words added or put in.

    Nothing for texts of more than 100,000 characters in all.

    Raises what `derive` raises.

    >>> [(one.edit.text, one.score.value) for one in scored_edits("a", ["a b"], Settings(max_order=1))]
    [('', 0.0), ('a a', 0.5), ('b a', 1.0), ('b', 0.36787944117144233), ('a a', 0.5), ('a b', 1.0)]
    """
    check_references(text, references)
    if not isinstance(text, str):
        raise TypeError(f"the text is {text!r}; give it as text, of which a word can be changed")
    if sum(map(len, (text, *references))) > MAX_CHARACTERS:
        return
    _, others = tokenize_segment(text, references, settings)
    for edit in (*removals(text), *insertions(text, references)):
        tokens, _ = tokenize_segment(edit.text, (), settings)
        yield ScoredEdit(edit, _score_or_none(count_tokens((tokens, others), settings), settings))


def _score_or_none(statistics: Statistics, settings: Settings) -> Score | None:
    try:
        return compute(statistics, settings)
    except ValueError:  # interpolation needs a matching 3-gram
        return None
