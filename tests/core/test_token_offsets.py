"""Offsets of tokens: each aligned slice of the raw text is its token."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu.core.token_offsets import token_offsets, utf16_spans
from bleu.core.tokenizers import TOKENIZERS, tokenize
from tests.support.sentencepiece_models import generate_lines, train
from tests.support.strategies import hostile

PLAIN = "ab Zß.,5-&;\n\t\u3000猫🙂İΣסא\u0301"
"""Characters that tokenizers treat in different ways."""
texts = st.text(PLAIN, max_size=30) | hostile
SPLITTING = [name for name in TOKENIZERS if name not in {"13a", "mteval-v14"}]
"""The tokenizers that change nothing but white space in these characters."""


def aligned(text, tokenizer, *, lowercase=False):
    """Return the tokens of a text with their spans."""
    tokens = tokenize(text, tokenizer, lowercase=lowercase)
    return list(zip(tokens, token_offsets(text, tokens, lowercase=lowercase), strict=True))


@given(texts, st.sampled_from([*TOKENIZERS]), st.booleans())
@example("a &amp; b&lt;c <skipped> d-\ne", "13a", False)
@example("Aİb İ", "char", True)
def test_aligned_slices_are_the_tokens_in_order(text, tokenizer, lowercase):
    end = 0
    for token, span in aligned(text, tokenizer, lowercase=lowercase):
        if span:
            part = text[span[0] : span[1]]
            # The last sigma of a word becomes ς.
            assert (part.lower() if lowercase else part).replace("ς", "σ") == (
                token.replace("ς", "σ")
            )
            assert end <= span[0] < span[1]
            end = span[1]


@given(st.text(PLAIN, max_size=30), st.sampled_from(SPLITTING))
def test_tokens_that_are_slices_are_all_aligned(text, tokenizer):
    assert all(span for _, span in aligned(text, tokenizer))


@given(texts, st.sampled_from(SPLITTING))
def test_utf16_spans_count_as_javascript_does(text, tokenizer):
    units = text.encode("utf-16-le", "surrogatepass")
    tokens = tokenize(text, tokenizer)
    for token, span in zip(tokens, utf16_spans(text, token_offsets(text, tokens)), strict=True):
        if span:
            part = units[2 * span[0] : 2 * span[1]]
            assert part.decode("utf-16-le", "surrogatepass") == token


@pytest.mark.parametrize(
    ("text", "tokenizer", "lowercase", "unaligned"),
    [
        ("rock &amp; roll", "13a", False, ["&"]),
        ("a &quot;b&quot; c", "13a", False, ['"', "b", '"']),
        ("one <skipped> two", "13a", False, []),
        ("exam-\nple one", "13a", False, ["example"]),
        ("İz İz", "char", True, ["i", "\u0307", "i", "\u0307"]),
        ("İz İz", "whitespace", True, []),
        ("ΟΔΟΣ", "whitespace", True, []),
        ("我爱 BLEU，真的。", "zh", False, []),
        ("“It’s” 5€, in 1999.", "intl", False, []),
        ("  a \t\u3000 b\n", "whitespace", False, []),
    ],
)
def test_unaligned_tokens(text, tokenizer, lowercase, unaligned):
    pairs = aligned(text, tokenizer, lowercase=lowercase)
    assert [token for token, span in pairs if not span] == unaligned


def test_pieces_are_aligned_unless_the_model_normalizes_the_text():
    from bleu import load_tokenizer

    tokenizer = load_tokenizer(train())
    line = generate_lines(1, seed=3)[0]
    for token, span in aligned(line, tokenizer):
        assert span
        assert line[span[0] : span[1]] == token.removeprefix("▁")
    spans = [span for _, span in aligned(f"{line} ﬁ", tokenizer)]
    assert spans[0]
    assert not spans[-1]


def test_time_is_linear():
    text = "word, " * 200_000
    tokens = tokenize(text, "13a")
    assert len(token_offsets(text, tokens)) == len(tokens) == 400_000
