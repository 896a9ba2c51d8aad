"""The marks in the text boxes as data for static/lanes.mjs, and sentences about single words."""

import json
from typing import Any

from app.state.inputs import Inputs
from bleu.analysis.edits import Edit, slice_removal
from bleu.core.derivation import Derivation
from bleu.core.token_offsets import Span, token_offsets, utf16_spans
from bleu.document.blocks import Paragraph, Quote, Score100, paragraph
from bleu.explanation.matches import (
    MAX_TOKENS,
    ngram_at,
    ngram_positions,
    ngram_sentence,
    text_descriptions,
    text_lanes,
)
from bleu.explanation.phrases import token_text, tokens_writing
from bleu.render.html import prose


def lanes_json(inputs: Inputs, derivation: Derivation, marked_order: int) -> str:
    """Return the marks of each text box as JSON, null for an empty box.

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
    for text, index in zip(
        (inputs.hypothesis, *inputs.references), text_indices(inputs), strict=True
    ):
        if index is None:
            boxes.append(None)
            continue
        line, spans = "", text_spans(text, index, derivation)
        if not all(spans):
            words = [token_text(token) for token in _tokens(derivation, index)]
            line, spans = " ".join(words), []
            for word in words:
                start = spans[-1][1] + 1 if spans and spans[-1] else 0
                spans.append((start, start + len(word)))
        boxes.append({
            "line": line,
            "spans": [end for span in utf16_spans(line or text, spans) for end in span or ()],
            "lanes": lanes[index],
            "struck": marked_order < 2,
            "description": prose(descriptions[index]),
        })  # fmt: skip
    return json.dumps(boxes)


def text_indices(inputs: Inputs) -> list[int | None]:
    """Return the index in the derivation of the text in each box, or None for an empty box.

    >>> text_indices(Inputs("a", ("", "b")))
    [0, None, 1]
    """
    indices: list[int | None] = [0]
    for text in inputs.references:
        indices.append(sum(index is not None for index in indices) if text.strip() else None)
    return indices


def text_spans(text: str, index: int, derivation: Derivation) -> list[Span | None]:
    """Return the spans of the first tokens of a text of the derivation."""
    settings = derivation.settings
    return token_offsets(
        text,
        [str(token) for token in (derivation.hypothesis, *derivation.references)[index]],
        lowercase=settings.lowercase,
        case=settings.case,
    )[:MAX_TOKENS]


def _tokens(derivation: Derivation, index: int) -> tuple[Any, ...]:
    return (derivation.hypothesis, *derivation.references)[index][:MAX_TOKENS]


def word_light(
    inputs: Inputs, derivation: Derivation, box: int, position: int, marked_order: int
) -> tuple[str, Paragraph]:
    """Return where the longest n-gram around a word is, as JSON, and a sentence about it.

    The JSON has, for each box, the ranges of tokens to light up.

    >>> from bleu import derive
    >>> inputs = Inputs("a b", ("a b c",))
    >>> word_light(inputs, derive("a b", ["a b c"], max_order=2), 1, 0, 0)[0]
    '[[[0, 2]], [[0, 2]]]'
    """
    indices = text_indices(inputs)
    index = indices[box] or 0
    key = ngram_at(derivation, index, position, marked_order)
    if not key:
        tokens = _tokens(derivation, index)
        word = Quote(token_text(tokens[position]), tokens_writing(tokens))
        ranges = [[[position, position + 1]] if i == box else [] for i in range(len(indices))]
        return json.dumps(ranges), paragraph(word, ": not in the candidate.")
    starts, n = ngram_positions(derivation, key), int(key.partition("-")[0])
    ranges = [[] if i is None else [[s, s + n] for s in starts[i]] for i in indices]
    return json.dumps(ranges), ngram_sentence(derivation, key)


def word_removal(inputs: Inputs, derivation: Derivation, position: int) -> Edit | None:
    """Return the removal of a word of the candidate, or None if it is no slice of the text.

    >>> from bleu import derive
    >>> word_removal(Inputs("a b", ("a",)), derive("a b", ["a"], max_order=1), 1).text
    'a'
    """
    span = text_spans(inputs.hypothesis, 0, derivation)[position]
    if not span:
        return None
    return slice_removal(inputs.hypothesis, *span, derivation.references, derivation.settings)


def removal_sentence(edit: Edit, derivation: Derivation) -> Paragraph:
    """Return a sentence on the score without a word.

    >>> from bleu import derive
    >>> from bleu.render.text import spans
    >>> derivation = derive("a b", ["a"], max_order=1)
    >>> edit = word_removal(Inputs("a b", ("a",)), derivation, 1)
    >>> spans(removal_sentence(edit, derivation).spans)
    'Without “b”: 100.00 (+50.00)'
    """
    word = Quote(token_text(edit.old), tokens_writing(derivation.hypothesis))
    if edit.value is None:
        return paragraph("Without ", word, " there is no score.")
    difference = Score100(edit.value - derivation.score.value, difference=True)
    return paragraph("Without ", word, ": ", Score100(edit.value), " (", difference, ")")
