"""Frames on both sides: what every line shares at an end, and what only looks so."""

import json
import random

import pytest

import bleu

HYPOTHESES = [
    "The ferry leaves at noon from the old harbour.",
    "My aunt has painted the whole kitchen green.",
    "Please return the two books before Friday",
    "Nobody knew why the bridge was closed!",
    "In winter, they heat the house with wood.",
    "Three children were playing behind the barn.",
    "Is the museum open on public holidays?",
    "She has bought a ticket for the late train.",
]
REFERENCES = [
    "The ferry departs at noon from the old port.",
    "My aunt painted the whole kitchen in green.",
    "Please bring back the two books before Friday.",
    "Nobody knew why the bridge had been closed.",
    "In winter they heat their house with wood.",
    "Three children played behind the barn.",
    "Does the museum open on public holidays?",
    "She bought a ticket for the last train.",
]
FRAMES = {
    "labels": "Target: {text}",
    "names": "eng_Latn {text}",
    "words": "startseq {text} endseq",
    "bytes": "b'{text}'",
    "quotes": '"{text}"',
    "tags": "<li>{text}</li>",
    "escapes": "{text}\\n",
    "prompt": "Translate German to English. German: Zeile {n} English: {text}",
    "tokens": "[CLS] {text} [SEP]",
}


def frames(hypotheses, references):
    """Return the findings on frames."""
    findings = bleu.check_corpus(hypotheses, [[text] for text in references])
    return [finding for finding in findings if finding.name == "frame"]


@pytest.mark.parametrize("kind", FRAMES)
def test_frame_of_both_sides_is_found_with_the_score_without_it(kind):
    def framed(texts):
        return [FRAMES[kind].format(n=n, text=text) for n, text in enumerate(texts)]

    hypotheses, references = framed(HYPOTHESES), framed(REFERENCES)
    [finding] = frames(hypotheses, references)
    plain, framed_score = (
        bleu.corpus_bleu(texts, [[text] for text in others]).value
        for texts, others in ((HYPOTHESES, REFERENCES), (hypotheses, references))
    )
    assert (finding.side, finding.segments) == ("both", len(HYPOTHESES))
    assert (finding.score_without, finding.score) == (plain, framed_score)


def lines_of(consonants, sign, rest):
    """Return lines whose first words share a sign, and whose other words are of one side."""
    return [f"{letter}{sign}{letter} {rest} {letter}" for letter in consonants]


@pytest.mark.parametrize(
    ("consonants", "sign"),
    [
        ("कखगघचछजझ", "ि"),
        ("কখগঘচছজঝ", "া"),
        ("กขคงจฉชซ", "ิ"),
        ("ཀཁགངཅཆཇཉ", "་"),
        ("بتثجحخدذ", "،"),
        ("דהוזחטיכ", "ּ"),
        ("abcdefgh", "é"),
        ("ABCDEFGH", "’"),
        ("stuvwxyz", "@@ "),
        ("stuvwxyz", " %s "),
        ("stuvwxyz", "&amp;"),
    ],
)
def test_marks_and_signs_inside_words_are_no_frame(consonants, sign):
    hypotheses = lines_of(consonants, sign, consonants[0] * 3)
    references = lines_of(consonants, sign, consonants[1] * 4)
    assert not frames(hypotheses, references)


def test_equal_beginnings_of_sentences_are_no_frame():
    assert not frames(HYPOTHESES, REFERENCES)
    names = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"]
    hypotheses = [f"{name}, who was late, ran to the gate." for name in names]
    references = [f"{name}, who came late, ran towards the gate." for name in names]
    assert not frames(hypotheses, references)


def test_escapes_of_a_script_are_searched_in_linear_time():
    # In “\\u0e01\\u0e15”, each number could also begin with the letter before its last digits.
    rng = random.Random(1)
    letters = [chr(0xE00 + code) for code in (0x01, 0x04, 0x07, 0x13, 0x14, 0x22, 0x25, 0x27)]
    thai = ["".join(rng.choices(letters, k=rng.randrange(20, 60))) for _ in range(60)]
    escaped = [json.dumps(line) if k % 5 == 0 else line for k, line in enumerate(thai)]
    first = bleu.check_corpus(escaped, [[line] for line in thai], tokenizer="char")[0]
    assert (first.name, first.segments) == ("escapes", 12)


def test_number_that_differs_from_line_to_line_is_named_in_the_sentence():
    hypotheses = [f"({n}) {text}" for n, text in enumerate(HYPOTHESES, 1)]
    [finding] = frames(hypotheses, REFERENCES)
    assert "begin with “(⟨number⟩)”, which the references do not have: “(1) " in finding.message
