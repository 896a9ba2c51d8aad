"""Findings on the input: faults that matter, and actions that correct them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.state.form import form_derivation
from app.state.inputs import Inputs, apply_action
from bleu import derive
from bleu.analysis.diagnosis import findings, python_lists


def actions(hypothesis, *references, **settings):
    """Return the actions of the findings."""
    derivation = derive(hypothesis, references, **settings)
    return [finding.action for finding in findings(hypothesis, references, derivation)]


def messages(hypothesis, *references):
    """Return the messages of the findings."""
    derivation = derive(hypothesis, references)
    return [finding.message for finding in findings(hypothesis, references, derivation)]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "action"),
    [
        ("The cat sat down", "the cat sat down", "lowercase"),
        ("it’s a good day", "it's a good day", "repair:punctuation"),
        ("“good” is a day", '"good" is a day', "repair:punctuation"),
        ("cafe\u0301 is a word", "caf\u00e9 is a word", "repair:normalization"),
        ("the cat\u200b is here", "the cat is here", "repair:invisible"),
        ("the soft\u00adhyphen is here", "the softhyphen is here", "repair:invisible"),
        ("the cat is on mat.", "the cat is on mat", "tokenizer:13a"),
        ("Hello, World!", "hello world", "words"),
        ("我爱你", "我爱她", "tokenizer:zh"),
        ("私は猫です", "私は犬です", "tokenizer:char"),
        ("ฉันรักคุณ", "ฉันรักแมว", "tokenizer:char"),
        ("reference: a b c d", "hypothesis: a b c e", "swap"),
    ],
)
def test_fault_has_an_action(hypothesis, reference, action):
    assert action in actions(hypothesis, reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [("A quick dog ran.", "A fast dog ran."), ("a , b", "a ; b"), ("x.", "y.")],
)
def test_other_words_do_not_differ_in_case_and_punctuation(hypothesis, reference):
    assert "words" not in actions(hypothesis, reference)


def test_tokenized_text_is_found_only_if_tokenized_again():
    assert "tokenizer:whitespace" in actions("do n't go .", "do n't go .", tokenizer="13a")
    assert "repair:subwords" in actions("un@@ seen", "un@@ seen", tokenizer="13a")
    assert "tokenizer:whitespace" not in actions("do n't go .", "do n't go .")


def test_text_that_differs_in_case_only_is_called_identical_apart_from_case():
    message = "Apart from upper and lower case, the candidate is identical to a reference."
    assert message in messages("The Cat", "the cat")


def test_spaces_and_lines_are_found():
    assert any("Apart from spaces" in message for message in
               messages("the  cat\u00a0is here ", "the cat is here"))  # fmt: skip
    assert any("2 lines" in message for message in
               messages("one two\n \nthree four", "one two three four"))  # fmt: skip


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("the cat is on the mat", "the cat is on the mat"),
        ("the cat is on mat", "the cat is on the mat"),
        ("it’s “good” here today", "it’s “good” here today"),
        ("Ünïcödé is fine here", "Ünïcödé is fine here"),
        ("", ""),
    ],
)
def test_text_without_faults_has_no_findings(hypothesis, reference):
    assert actions(hypothesis, reference) == []


def test_marks_of_the_same_form_on_both_sides_are_no_fault():
    text = "it’s “good” here – today…"
    assert actions(text, text, tokenizer="13a") == []
    assert actions(f"{text} now", text, tokenizer="13a") == []


@pytest.mark.parametrize(
    ("hypothesis", "reference", "action"),
    [
        ("it&#39;s a day", "it's a day", "repair:escapes"),
        ("\u200fgood day\u200f", "good day", "repair:invisible"),
        ("a ❤\ufe0f day", "a ❤ day", "repair:invisible"),
        ("a ﬁne day", "a fine day", "repair:compatibility"),
        ("room １２", "room 12", "repair:compatibility"),
        ("so wait…", "so wait...", "repair:punctuation"),
        ("a–b is here", "a-b is here", "repair:punctuation"),
        ("ALL IN CAPITALS", "all in capitals", "lowercase"),
        ("ສະບາຍດີຕອນເຊົ້າ", "ສະບາຍດີຕອນເຊົ້າ", "tokenizer:char"),
        ("Translation: a day", "a day", "repair:chatter"),
        ("<s> a day </s>", "a day", "repair:special-tokens"),
        ("cafÃ© is open", "café is open", "repair:encoding"),
    ],
)
def test_fault_of_a_corpus_is_found_in_a_segment(hypothesis, reference, action):
    for tokenizer in ("whitespace", "13a"):
        assert action in actions(hypothesis, reference, tokenizer=tokenizer)


def test_pasted_markup_and_json_are_named():
    markup = "\n".join(f'<seg id="{n}">a b</seg>' for n in range(3))
    assert any("SGML or XML" in message for message in messages(markup, "a b"))
    assert any("JSON" in message for message in messages('{"mt": "a b"}', "a b"))


def test_differences_without_effect_are_not_found():
    assert set(actions("你好", "hello")) <= {"tokenizer:zh"}
    assert "lowercase" not in actions("\u00c9 a", "\u00e9 a", lowercase=True, case="ascii")


def test_long_texts_are_not_searched():
    assert actions("The cat", "the cat", "x" * 50_000) == []


@given(st.text(max_size=30), st.text(max_size=30))
def test_action_removes_its_finding(hypothesis, reference):
    inputs = Inputs(hypothesis, (reference,))
    for finding in findings(hypothesis, [reference], form_derivation(inputs)):
        if finding.action and finding.action != "swap":
            corrected = apply_action(inputs, finding.action)
            derivation = form_derivation(corrected)
            remaining = findings(corrected.hypothesis, corrected.references, derivation)
            assert finding.action not in [other.action for other in remaining]


def test_pasted_python_list_is_read_as_tokens_by_its_action():
    tokens, reference_tokens = ["the", "cat's", '"x"'], [["the", "cat"], ["a", "cat"]]
    inputs = Inputs(repr(tokens), (repr(reference_tokens),), tokenizer="13a")
    assert "tokens" in actions(inputs.hypothesis, *inputs.references)
    corrected = apply_action(inputs, "tokens")
    assert (corrected.hypothesis, corrected.references) == ('the cat\'s "x"', ("the cat", "a cat"))
    assert form_derivation(corrected).hypothesis == tuple(tokens)
    assert "tokens" not in actions(corrected.hypothesis, *corrected.references)
    assert "tokens" in actions("the cat", repr(["the", "cat"]))


@given(st.lists(st.text(max_size=5), min_size=1, max_size=5))
def test_printed_lists_and_tuples_are_parsed(tokens):
    assert python_lists(repr(tokens)) == [tokens]
    assert python_lists(f"  {tuple(tokens)!r}\n") == [tokens]
    assert python_lists(repr([tokens, tokens])) == [tokens, tokens]


def test_attached_punctuation_is_shown_by_an_example_with_a_word():
    (message,) = messages("; it,", ": it")
    assert "“it,” does not match “it”" in message


def test_escape_beyond_unicode_is_kept_as_text():
    assert python_lists(r"['\U00110000']") == [[r"\U00110000"]]


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "()", "[1]", "[1, 2]", "['a'", "['a' 'b']", "['a'],", "[['a'], 'b']", "[a]",
     "[['a', ['b']]]", "['a'] said he", "['a\\']", "[" + " " * 49_000 + "x]", "(,)",
     "[" * 9999 + "]" * 9999],
)  # fmt: skip
def test_other_text_is_no_python_list(text):
    assert python_lists(text) is None
    assert "tokens" not in actions(text or "a", "a")
