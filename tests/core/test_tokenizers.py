"""Tokenizers: where text is split, and which sequences are tokens."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core.tokenizers import (
    TOKENIZERS,
    international,
    is_text_or_tokens,
    split_international,
    tokenize,
)
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
        ("the\u2028cat\u0085sat\fmat", ["the", "cat", "sat", "mat"]),  # Unicode line ends
        ("the\u200bcat\ufeff", ["the\u200bcat\ufeff"]),  # zero width is not white space
        ("the cat, it's 3.14.", ["the", "cat,", "it's", "3.14."]),  # punctuation stays
        ("שלום עולם", ["שלום", "עולם"]),
        ("👩‍👩‍👧 🙂", ["👩‍👩‍👧", "🙂"]),
    ],
)
def test_whitespace_splits_only_at_unicode_white_space(text, expected):
    assert TOKENIZERS["whitespace"](text) == expected
    assert tokenize(text) == tuple(expected)


@given(st.text())
def test_whitespace_tokens_are_nonempty_and_keep_all_other_characters(text):
    tokens = TOKENIZERS["whitespace"](text)
    assert "".join(tokens) == "".join(c for c in text if not c.isspace())
    assert all(tokens)


@given(tokens)
def test_tokenize_splits_joined_tokens(tokens):
    assert tokenize(" ".join(tokens)) == tuple(tokens)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_tokenizer_splits_its_example_and_empty_texts(name):
    text, tokens = TOKENIZERS[name].example
    assert TOKENIZERS[name](text) == tokens.split("|")
    assert tokenize("", name) == ()


@given(
    st.text("a1½٣.,-'\\$€“”_ \t\u3000\u0301，😀𝟙\U00010100", max_size=20) | st.text(max_size=20),
    st.booleans(),
)
def test_words_have_the_tokens_of_the_international_rules(text, decimal):
    assert international(text, decimal=decimal) == split_international(text, decimal)


@pytest.mark.parametrize("name", [name for name in TOKENIZERS if TOKENIZERS[name].plain])
@given(st.text("a1.,€½-&quot;<skiped>'\t ", max_size=20))
def test_plain_code_of_a_tokenizer_splits_as_it_does(name, text):
    names = {"re": re, "text": text}
    exec(f"def split(text):\n    {TOKENIZERS[name].plain.format(text='text')}", names)
    assert names["split"](text) == TOKENIZERS[name](text)


def test_lowercase_follows_unicode():
    assert tokenize("The ÉCOLE ΣΑΣ", lowercase=True) == ("the", "école", "σας")
    assert tokenize("The ÉCOLE") == ("The", "ÉCOLE")


def test_lowercase_changes_only_tokens_that_are_strings():
    assert tokenize(["The", 7, ("A",)], lowercase=True) == ("the", 7, ("A",))


def test_tokens_are_not_split_again():
    assert tokenize(["New York", "", " "]) == ("New York", "", " ")


@pytest.mark.parametrize("text", [["a", "b"], ("a", "b"), range(3), [1.5, None, frozenset()], []])
def test_sequence_of_hashable_tokens_is_unchanged(text):
    assert is_text_or_tokens(text)
    assert tokenize(text) == tuple(text)


@pytest.mark.parametrize(
    "value", [None, 7, b"a b", bytearray(b"a"), {"a": 1}, {"a"}, iter(["a"]), (c for c in "ab")]
)
def test_other_values_are_refused_with_type_and_value(value):
    assert not is_text_or_tokens(value)
    with pytest.raises(TypeError) as error:
        tokenize(value)
    assert type(value).__name__ in str(error.value)
    assert repr(value) in str(error.value)


def test_unhashable_token_is_refused_with_its_position():
    with pytest.raises(TypeError, match=r"token 2 is \['b'\], which is not hashable"):
        tokenize(["a", ["b"]])


def test_token_with_an_unhashable_element_is_refused_with_its_position():
    with pytest.raises(TypeError, match=r"token 2 is .*, which is not hashable"):
        tokenize(["a", ("b", [])])


@given(st.text("a1.,&;- \u2028", max_size=12))
def test_mteval_v14_splits_at_line_separators_as_at_spaces(text):
    assert tokenize(text, "mteval-v14") == tokenize(text.replace("\u2028", " "), "mteval-v14")


@given(st.text("a1.,€$½-\\“٣ \u2028", max_size=12) | st.text(max_size=12), st.booleans())
def test_international_rules_are_those_of_all_planes_for_characters_of_the_first(text, decimal):
    text = "".join(character for character in text if character <= "\uffff")
    tokens, beyond = (international(f"{text} {word}", decimal=decimal) for word in ("a", "𐐀"))
    assert beyond == [*tokens[:-1], "𐐀"]
