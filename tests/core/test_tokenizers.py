"""Tokenizers: where text is split, and what else may be a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core.tokenizers import TOKENIZERS, is_text_or_tokens, tokenize, whitespace
from tests.support.strategies import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n ", []),
        ("the cat", ["the", "cat"]),
        ("  the\tcat\r\nsat ", ["the", "cat", "sat"]),
        ("the\u00a0cat", ["the", "cat"]),  # no-break space
        ("我\u3000爱 你", ["我", "爱", "你"]),  # ideographic space
        ("the\u2028cat\u0085sat\fmat", ["the", "cat", "sat", "mat"]),  # line ends of Unicode
        ("the\u200bcat\ufeff", ["the\u200bcat\ufeff"]),  # zero width is no white space
        ("the cat, it's 3.14.", ["the", "cat,", "it's", "3.14."]),  # punctuation stays
        ("שלום עולם", ["שלום", "עולם"]),
        ("👩‍👩‍👧 🙂", ["👩‍👩‍👧", "🙂"]),
    ],
)
def test_whitespace_splits_at_unicode_white_space_and_nowhere_else(text, expected):
    assert whitespace(text) == expected
    assert tokenize(text) == tuple(expected)


@given(st.text())
def test_tokens_are_the_text_without_its_white_space(text):
    found = whitespace(text)
    assert "".join(found) == "".join(c for c in text if not c.isspace())
    assert all(found)


@given(tokens)
def test_joined_tokens_are_split_again(some):
    assert tokenize(" ".join(some)) == tuple(some)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_every_tokenizer_gives_no_tokens_for_no_text(name):
    assert tokenize("", name) == ()


def test_lowercase_is_unicodes():
    assert tokenize("The ÉCOLE ΣΑΣ", lowercase=True) == ("the", "école", "σας")
    assert tokenize("The ÉCOLE") == ("The", "ÉCOLE")


def test_lowercase_touches_only_the_strings_among_tokens():
    assert tokenize(["The", 7, ("A",)], lowercase=True) == ("the", 7, ("A",))


def test_tokens_are_not_split_again():
    assert tokenize(["New York", "", " "]) == ("New York", "", " ")


@pytest.mark.parametrize("text", [["a", "b"], ("a", "b"), range(3), [1.5, None, frozenset()], []])
def test_a_sequence_of_hashable_tokens_is_taken_as_it_is(text):
    assert is_text_or_tokens(text)
    assert tokenize(text) == tuple(text)


@pytest.mark.parametrize(
    "value", [None, 7, b"a b", bytearray(b"a"), {"a": 1}, {"a"}, iter(["a"]), (c for c in "ab")]
)
def test_what_is_no_text_is_refused_with_its_type_and_value(value):
    assert not is_text_or_tokens(value)
    with pytest.raises(TypeError) as caught:
        tokenize(value)
    assert type(value).__name__ in str(caught.value)
    assert repr(value) in str(caught.value)


def test_an_unhashable_token_is_refused_with_its_place():
    with pytest.raises(TypeError, match=r"token 2 is \['b'\], which is not hashable"):
        tokenize(["a", ["b"]])


def test_a_token_that_holds_something_unhashable_is_refused_with_its_place():
    with pytest.raises(TypeError, match=r"token 2 is .*, which is not hashable"):
        tokenize(["a", ("b", [])])
