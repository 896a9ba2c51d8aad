"""The data of the marks: spans in the texts of the boxes, for any text."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.score.lanes import lanes_json, word_light, word_removal
from app.state.form import form_derivation
from app.state.inputs import Inputs, todo_text
from bleu.explanation.matches import MAX_TOKENS
from bleu.render.text import spans
from tests.support.strategies import hostile

texts = hostile | st.lists(st.sampled_from(["the", "cat", "🙂", "שלום", "&amp;"]), max_size=9).map(
    " ".join
)
TOKENIZERS = ("whitespace", "13a", "char", "zh", "intl")


@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(TOKENIZERS), st.booleans())
def test_spans_lie_in_the_text_or_in_the_line_below(hypothesis, references, tokenizer, lowercase):
    inputs = Inputs(hypothesis, tuple(references), tokenizer=tokenizer, lowercase=lowercase)
    if todo_text(inputs):
        return
    derivation = form_derivation(inputs)
    boxes = json.loads(lanes_json(inputs, derivation, 0))
    tokens = iter((derivation.hypothesis, *derivation.references))
    for text, box in zip((hypothesis, *references), boxes, strict=True):
        if box is None:
            assert not text.strip()
            continue
        units = (box["line"] or text).encode("utf-16-le", "surrogatepass")
        starts, ends = box["spans"][::2], box["spans"][1::2]
        words = next(tokens)
        assert len(starts) == len(ends) == len(words[:MAX_TOKENS])
        for start, end, word in zip(starts, ends, words, strict=False):
            part = units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")
            assert box["line"] or (part.lower() if lowercase else part) == word
        assert box["spans"] == sorted(box["spans"])
        for lane_tokens, lane_gaps in box["lanes"]:
            assert len(lane_tokens) == len(lane_gaps) == len(starts)


def test_word_in_a_box_after_an_empty_one():
    inputs = Inputs("the cat sat", ("", "a cat sat down"))
    ranges, sentence, order = word_light(inputs, form_derivation(inputs), 2, 1, 0)
    assert order
    assert json.loads(ranges) == [[[1, 3]], [], [[1, 3]]]
    assert spans(sentence.spans) == "“cat sat”: once in the candidate, once in the reference."
    ranges, sentence, order = word_light(inputs, form_derivation(inputs), 2, 3, 0)
    assert not order
    assert json.loads(ranges) == [[], [], [[3, 4]]]
    assert spans(sentence.spans) == "“down”: not in the candidate."


def test_removal_leaves_no_double_space_and_needs_slices():
    inputs = Inputs("Tom & Jerry  ran.", ("Tom and Jerry ran.",), tokenizer="13a")
    derivation = form_derivation(inputs)
    for position, text in ((0, "& Jerry  ran."), (2, "Tom & ran."), (4, "Tom & Jerry  ran")):
        assert word_removal(inputs, derivation, position).text == text
    inputs = replace(inputs, hypothesis="Tom &amp; Jerry  ran.")
    assert word_removal(inputs, form_derivation(inputs), 2) is None
