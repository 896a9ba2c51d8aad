"""The marks of the texts as data: for static/lanes.mjs, and for single words."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import Any, Final

from app.state.form import form_derivation
from app.state.inputs import Inputs
from bleu.analysis.edits import Edit, slice_removal
from bleu.core.api import Derivation
from bleu.core.tokenizers import token_offsets
from bleu.document.blocks import Paragraph, Quote, Score100, paragraph
from bleu.explanation.matches import (
    MAX_LANES,
    MAX_TOKENS,
    ngram_at,
    ngram_sentence,
    ngram_starts,
    text_descriptions,
    text_lanes,
    word_sentence,
)
from bleu.explanation.phrases import english_list, token_text, tokens_writing
from bleu.explanation.summary import order_name, token_noun
from bleu.render.html import prose

Span = tuple[int, int]
"""The start and the end of a slice, in characters."""
MAX_MARKED_CHARACTERS: Final = 200_000
"""The length of a text above which static/lanes.mjs draws no marks."""


def lanes_json(inputs: Inputs, derivation: Derivation, marked_order: int) -> str:
    """Return the marks of each text box as JSON, null for an empty box.

    - `text`: the text that was scored, as the box may already have another one; "" if it is long.
    - `spans`: start and end of each token, in UTF-16 code units.
    - `line`: the text in which they stand, or "" for the text of the box: the tokens, if some are
      no slices of the text.
    - `lanes`: as in `text_lanes`; `struck`: whether clipped words are struck through.
    - `description`: the sentence that a screen reader says of the box.

    >>> from bleu import derive
    >>> inputs = Inputs("a b", ("", "a c"))
    >>> json.loads(lanes_json(inputs, derive("a b", ["a c"], max_order=1), 0))[2]["spans"]
    [0, 1, 2, 3]
    """
    lanes, descriptions = text_lanes(derivation, marked_order), text_descriptions(derivation)
    boxes: list[dict[str, Any] | None] = []
    texts = (inputs.hypothesis, *inputs.references)
    for text, index in zip(texts, text_indices(inputs), strict=True):
        if index is None:
            boxes.append(None)
            continue
        line, spans = "", text_spans(text, index, derivation)
        if spans is None:
            words = [token_text(token) for token in _tokens(derivation, index)[:MAX_TOKENS]]
            ends = accumulate(len(word) + 1 for word in words)
            spans = [(end - len(word) - 1, end - 1) for word, end in zip(words, ends, strict=True)]
            line = " ".join(words)
        boxes.append(
            {
                "text": text if len(text) <= MAX_MARKED_CHARACTERS else "",
                "line": line,
                "spans": list(chain(*utf16_spans(line or text, spans))),
                "lanes": lanes[index],
                "struck": marked_order < 2,
                "description": prose(descriptions[index]),
            }
        )
    return json.dumps(boxes)


def lanes_key(derivation: Derivation, marked_order: int) -> str:
    """Return what the lanes under a line stand for, as HTML: n-grams of each order, or of one.

    >>> from bleu import derive
    >>> plain_text_of = lambda markup: markup.replace("<i></i>", "").replace("</span>", "")
    >>> plain_text_of(lanes_key(derive("a b", ["a b"], max_order=2), 0)).split("<span>")[1:]
    ['1 word ', '2 words in a row']
    """
    if marked_order:
        return f"<span>Marked: the {order_name(marked_order)}</span>"
    lanes = min(len(derivation.orders), MAX_LANES)
    labels = [f"{n}" for n in range(1, lanes + 1)]
    noun = token_noun(derivation)
    labels[0] += f" {noun}"
    if lanes > 1:
        labels[-1] += f" {noun}s in a row"
    return " ".join(f"<span><i></i>{label}</span>" for label in labels)


def text_indices(inputs: Inputs) -> list[int | None]:
    """Return the index in the derivation of the text in each box, or None for an empty box.

    >>> text_indices(Inputs("a", ("", "b")))
    [0, None, 1]
    """
    indices: list[int | None] = [0]
    for text in inputs.references:
        indices.append(sum(index is not None for index in indices) if text.strip() else None)
    return indices


def text_spans(text: str, index: int, derivation: Derivation) -> list[Span] | None:
    """Return the spans of the first tokens of a text of the derivation, or None without spans."""
    tokens, settings = _tokens(derivation, index), derivation.settings
    return token_offsets(text, tokens, MAX_TOKENS, lowercase=settings.lowercase, case=settings.case)


def _tokens(derivation: Derivation, index: int) -> list[str]:
    return list(map(str, (derivation.hypothesis, *derivation.references)[index]))


def word_light(
    inputs: Inputs, derivation: Derivation, box: int, position: int, marked_order: int
) -> tuple[str, Paragraph, int]:
    """Return where the longest n-gram around a word is, as JSON, a sentence about it, its order.

    The JSON has, for each box, the ranges of tokens to light up. The order is 0 if the candidate
    lacks the word.

    >>> from bleu import derive
    >>> inputs = Inputs("a b", ("a b c",))
    >>> word_light(inputs, derive("a b", ["a b c"], max_order=2), 1, 0, 0)[0]
    '[[[0, 2]], [[0, 2]]]'
    """
    indices = text_indices(inputs)
    key, starts = ngram_at(derivation, indices[box] or 0, position, marked_order)
    n = int(key.partition("-")[0] or 1)
    ranges = _ranges(indices, starts, n)
    if key:
        return ranges, ngram_sentence(derivation, key), n
    tokens = _tokens(derivation, indices[box] or 0)
    word = Quote(token_text(tokens[position]), tokens_writing(tuple(tokens)))
    return ranges, paragraph(word, ": not in the candidate."), 0


def ngram_light(inputs: Inputs, derivation: Derivation, key: str) -> str:
    """Return where an n-gram is in each box, as JSON, by the key that `ngram_sentence` takes.

    >>> from bleu import derive
    >>> ngram_light(Inputs("a b", ("b",)), derive("a b", ["b"], max_order=1), "1-1")
    '[[[1, 2]], [[0, 1]]]'
    """
    return _ranges(text_indices(inputs), ngram_starts(derivation, key), int(key.partition("-")[0]))


def _ranges(indices: Sequence[int | None], starts: Sequence[Sequence[int]], n: int) -> str:
    ranges = [[] if i is None else [[start, start + n] for start in starts[i]] for i in indices]
    return json.dumps(ranges)


def word_removal(inputs: Inputs, derivation: Derivation, position: int) -> Edit | None:
    """Return the removal of a word of the candidate, or None if it is no slice of the text.

    >>> from bleu import derive
    >>> word_removal(Inputs("a b", ("a",)), derive("a b", ["a"], max_order=1), 1).text
    'a'
    """
    spans = text_spans(inputs.hypothesis, 0, derivation)
    if spans is None:
        return None
    references, settings = derivation.references, derivation.settings
    return slice_removal(inputs.hypothesis, *spans[position], references, settings)


def removal_sentence(
    inputs: Inputs, derivation: Derivation, edit: Edit, position: int
) -> Paragraph:
    """Return a sentence on a word of the candidate, and on the score without it.

    If the score stays the same, the sentence says which counts change.

    >>> from bleu import derive
    >>> from bleu.render.text import spans
    >>> inputs = Inputs("a b b", ("a b",), max_order="2")
    >>> derivation = derive("a b b", ["a b"], max_order=2)
    >>> edit = word_removal(inputs, derivation, 2)
    >>> spans(removal_sentence(inputs, derivation, edit, 2).spans)
    '“b”, second of 2: cut off, because the reference has only 1. Without it: 100.00 (+42.26)'
    """
    sentence = word_sentence(derivation, position).spans
    if edit.value is None:
        return paragraph(*sentence, " Without it there is no score.")
    difference = edit.value - derivation.score.value
    if difference:
        signed = Score100(difference, difference=True)
        return paragraph(*sentence, " Without it: ", Score100(edit.value), " (", signed, ")")
    score = form_derivation(replace(inputs, hypothesis=edit.text)).score
    counts = zip(score.matched, score.total, derivation.score.pairs, strict=True)
    changes = [
        f"{order_name(n)} {matched} of {total}"
        for n, (matched, total, old) in enumerate(counts, 1)
        if (matched, total) != old
    ]
    changed = f", with {english_list(changes[:2])}" if changes else ""
    return paragraph(*sentence, " Without it still ", Score100(edit.value), f"{changed}.")


def utf16_spans(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return the spans in UTF-16 code units, in which JavaScript counts.

    >>> utf16_spans("🙂 a", [(0, 1), (2, 3)])
    [(0, 2), (3, 4)]
    """
    if text.isascii() or max(text) < "\U00010000":
        return list(spans)
    units = [*accumulate((1 + (character > "\uffff") for character in text), initial=0)]
    return [(units[start], units[end]) for start, end in spans]
