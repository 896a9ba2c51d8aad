"""Offsets of tokens: each aligned slice of the raw text is its token."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.score.lanes import utf16_spans
from bleu.core.tokenizers import TOKENIZERS, token_offsets, tokenize
from tests.support.sentencepiece_models import generate_lines, train
from tests.support.strategies import hostile

PLAIN = "ab Zß.,5-&;\n\t\u3000猫🙂İΣסא\u0301"
"""Characters that tokenizers treat in different ways."""
texts = st.text(PLAIN, max_size=30) | hostile
SPLITTING = [name for name in TOKENIZERS if name not in {"13a", "mteval-v14"}]
"""The tokenizers that change nothing but white space in these characters."""


def aligned(text, tokenizer, *, lowercase=False):
    """Return the tokens of a text with their spans, or None if some have none."""
    tokens = tokenize(text, tokenizer, lowercase=lowercase)
    spans = token_offsets(text, tokens, len(tokens), lowercase=lowercase)
    return None if spans is None else list(zip(tokens, spans, strict=True))


@given(texts, st.sampled_from([*TOKENIZERS]), st.booleans())
@example("a &amp; b&lt;c <skipped> d-\ne", "13a", False)
@example("Aİb İ", "char", True)
def test_aligned_slices_are_the_tokens_in_order(text, tokenizer, lowercase):
    end = 0
    for token, (start, next_end) in aligned(text, tokenizer, lowercase=lowercase) or ():
        part = text[start:next_end]
        # The last sigma of a word becomes ς.
        assert (part.lower() if lowercase else part).replace("ς", "σ") == token.replace("ς", "σ")
        assert end <= start < next_end
        assert not text[end:start].strip()
        end = next_end


@given(st.text(PLAIN, max_size=30), st.sampled_from(SPLITTING))
def test_tokens_that_are_slices_are_all_aligned(text, tokenizer):
    assert aligned(text, tokenizer) is not None


@given(texts, st.sampled_from(SPLITTING))
def test_utf16_spans_count_as_javascript_does(text, tokenizer):
    units = text.encode("utf-16-le", "surrogatepass")
    tokens = tokenize(text, tokenizer)
    spans = token_offsets(text, tokens, len(tokens)) or ()
    for token, (start, end) in zip(tokens, utf16_spans(text, spans), strict=False):
        assert units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass") == token


@pytest.mark.parametrize(
    ("text", "tokenizer", "lowercase", "is_aligned"),
    [
        ("rock &amp; roll", "13a", False, False),
        ("rock &amp;", "13a", False, False),
        ("rock & roll", "13a", False, True),
        ("one <skipped> two", "13a", False, False),
        ("exam-\nple one", "13a", False, False),
        ("İz", "whitespace", True, False),
        ("İz", "whitespace", False, True),
        ("ΟΔΟΣ", "whitespace", True, True),
        ("我爱 BLEU，真的。", "zh", False, True),
        ("“It’s” 5€, in 1999.", "intl", False, True),
        ("  a \t\u3000 b\n", "whitespace", False, True),
    ],
)
def test_texts_whose_tokens_are_slices(text, tokenizer, lowercase, is_aligned):
    assert (aligned(text, tokenizer, lowercase=lowercase) is not None) == is_aligned


@pytest.mark.host
def test_pieces_are_aligned_unless_the_model_normalizes_the_text():
    from bleu import load_tokenizer

    tokenizer = load_tokenizer(train())
    line = generate_lines(1, seed=3)[0]
    for token, (start, end) in aligned(line, tokenizer):
        assert line[start:end] == token.removeprefix("▁")
    assert aligned(f"{line} ﬁ", tokenizer) is None


def test_first_tokens_are_aligned_whatever_follows():
    assert token_offsets("a b &amp;", ["a", "b", "&"], 2) == [(0, 1), (2, 3)]
    assert token_offsets("a b &amp;", ["a", "b", "&"], 3) is None


def test_time_is_linear():
    text = "word, " * 200_000
    tokens = tokenize(text, "13a")
    assert len(token_offsets(text, tokens, len(tokens))) == len(tokens) == 400_000
