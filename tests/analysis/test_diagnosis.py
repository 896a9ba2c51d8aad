"""The diagnosis: what is said, only when it matters, and what can be done."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.state.form import Inputs, apply_action, form_derivation
from bleu import derive
from bleu.analysis.diagnosis import findings, python_lists


def actions(hypothesis, *references, **settings):
    """The actions that the diagnosis offers."""
    found = findings(hypothesis, references, derive(hypothesis, references, **settings))
    return [finding.action for finding in found]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "action"),
    [
        ("The cat sat down", "the cat sat down", "lowercase"),
        ("it’s a good day", "it's a good day", "quotes"),
        ("“good” is a day", '"good" is a day', "quotes"),
        ("cafe\u0301 is a word", "caf\u00e9 is a word", "compose"),
        ("the cat\u200b is here", "the cat is here", "hidden"),
        ("the soft\u00adhyphen is here", "the softhyphen is here", "hidden"),
        ("the cat is on mat.", "the cat is on mat", "tokenizer:13a"),
        ("Hello, World!", "hello world", "words"),
        ("我爱你", "我爱她", "tokenizer:zh-corrected"),
        ("私は猫です", "私は犬です", "tokenizer:char"),
        ("ฉันรักคุณ", "ฉันรักแมว", "tokenizer:char"),
        ("reference: a b c d", "hypothesis: a b c e", "swap"),
    ],
)
def test_what_is_found_and_what_it_offers(hypothesis, reference, action):
    assert action in actions(hypothesis, reference)


def test_text_that_is_tokenized_already_is_named_where_it_is_tokenized_again():
    assert "tokenizer:whitespace" in actions("do n't go .", "do n't go .", tokenizer="13a")
    assert "tokenizer:whitespace" in actions("un@@ seen", "un@@ seen", tokenizer="13a")
    assert "tokenizer:whitespace" not in actions("do n't go .", "do n't go .")


def test_identity_but_for_one_thing_is_said():
    (finding,) = (
        finding
        for finding in findings("The Cat", ["the cat"], derive("The Cat", ["the cat"]))
        if finding.action == "lowercase"
    )
    assert finding.message == (
        "Apart from upper and lower case, the candidate is identical to a reference."
    )


def test_spaces_and_lines():
    texts = ("the  cat\u00a0is here ", ["the cat is here"])
    assert any("Apart from spaces" in f.message for f in findings(*texts, derive(*texts)))
    lines = ("one two\n \nthree four", ["one two three four"])
    assert any("2 lines" in f.message for f in findings(*lines, derive(*lines)))


def test_nothing_is_said_where_nothing_matters():
    for hypothesis, reference in [
        ("the cat is on the mat", "the cat is on the mat"),
        ("the cat is on mat", "the cat is on the mat"),
        ("it’s “good” here today", "it’s “good” here today"),
        ("Ünïcödé is fine here", "Ünïcödé is fine here"),
        ("你好", "hello"),
    ]:
        assert set(actions(hypothesis, reference)) <= {"tokenizer:zh-corrected"}
    assert actions("the cat is on mat", "the cat is on the mat") == []
    assert actions("", "") == []
    assert actions("The cat", "the cat", "x" * 50_000) == []
    assert "lowercase" not in actions("\u00c9 a", "\u00e9 a", lowercase=True, case="ascii")


@given(st.text(max_size=30), st.text(max_size=30))
def test_every_action_can_be_taken_and_then_is_not_offered_again(hypothesis, reference):
    inputs = Inputs(hypothesis, (reference,))
    for finding in findings(hypothesis, [reference], form_derivation(inputs)):
        if finding.action and finding.action != "swap":
            after = apply_action(inputs, finding.action)
            again = findings(after.hypothesis, after.references, form_derivation(after))
            assert finding.action not in [one.action for one in again]


def test_a_pasted_python_list_is_read_as_tokens_by_one_click():
    tokens, others = ["the", "cat's", ["mat", '"x"'][1]], [["the", "cat"], ["a", "cat"]]
    inputs = Inputs(repr(tokens), (repr(others),), tokenizer="13a")
    assert "tokens" in actions(inputs.hypothesis, *inputs.references)
    read = apply_action(inputs, "tokens")
    assert (read.hypothesis, read.references) == ('the cat\'s "x"', ("the cat", "a cat"))
    assert form_derivation(read).hypothesis == tuple(tokens)
    assert "tokens" not in actions(read.hypothesis, *read.references)
    assert "tokens" in actions("the cat", repr(["the", "cat"]))


@given(st.lists(st.text(max_size=5), min_size=1, max_size=5))
def test_what_python_prints_of_a_list_or_a_tuple_is_read_back(tokens):
    assert python_lists(repr(tokens)) == [tokens]
    assert python_lists(f"  {tuple(tokens)!r}\n") == [tokens]
    assert python_lists(repr([tokens, tokens])) == [tokens, tokens]


def test_attached_punctuation_is_shown_by_words_and_not_by_marks():
    texts = ("; it,", [": it"])
    (finding,) = findings(*texts, derive(*texts))
    assert "“it,” does not match “it”" in finding.message


def test_a_number_that_no_character_has_is_text():
    assert python_lists(r"['\U00110000']") == [[r"\U00110000"]]


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "()", "[1]", "[1, 2]", "['a'", "['a' 'b']", "['a'],", "[['a'], 'b']", "[a]",
     "[['a', ['b']]]", "['a'] said he", "['a\\']", "[" + " " * 49_000 + "x]", "(,)",
     "[" * 9999 + "]" * 9999],
)  # fmt: skip
def test_what_is_no_list_is_text(text):
    assert python_lists(text) is None
    assert "tokens" not in actions(text or "a", "a")
