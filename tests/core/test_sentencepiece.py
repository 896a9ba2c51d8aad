"""SentencePiece on models made by hand; tests/peers compares trained models with the package."""

import pickle
import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core import memoize
from bleu.core.sentencepiece import SentencePiece
from bleu.core.sentencepiece_file import ModelFileError
from tests.support.sentencepiece_models import field, write_model

UNKNOWN = ("<unk>", 0.0, 2)
LETTERS = [(letter, -4.0, 1) for letter in "▁abc"]
PIECES = [UNKNOWN, *LETTERS, ("ab", -2.0, 1), ("▁a", -2.0, 1), ("▁abc", -1.5, 1)]
BPE = field(3, 2)


def encode(text, pieces=PIECES, trainer=b"", normalizer=b""):
    """Return the pieces of a text under a model made by hand."""
    return SentencePiece(write_model(pieces, trainer, normalizer))(text)


def test_a_unigram_model_has_the_best_sum_of_scores():
    assert encode("abc ab aab") == ["▁abc", "▁", "ab", "▁a", "ab"]


def test_of_equal_sums_the_one_found_first_is_taken():
    pieces = [UNKNOWN, *LETTERS, ("ab", -3.0, 1), ("bc", -3.0, 1)]
    assert encode("abc", pieces) == ["▁", "a", "bc"]


def test_bpe_merges_the_pair_with_the_highest_score_first():
    pieces = [UNKNOWN, *LETTERS, ("bc", -1.0, 1), ("ab", -2.0, 1), ("▁a", -3.0, 1)]
    assert encode("abc ab aaab", pieces, BPE) == ["▁a", "bc", "▁", "ab", "▁a", "a", "ab"]


def test_unknown_characters_in_a_row_are_one_piece_unless_they_become_bytes():
    assert encode("xyaéz") == ["▁", "xy", "a", "éz"]
    bytes_ = [(f"<0x{byte:02X}>", 0.0, 6) for byte in range(256)]
    assert encode("xé", [*PIECES, *bytes_], field(35, 1)) == ["▁", "<0x78>", "<0xC3>", "<0xA9>"]


@pytest.mark.parametrize("trainer", [b"", BPE])
def test_user_defined_pieces_are_kept_whole_and_others_are_not_merged_with_them(trainer):
    pieces = [UNKNOWN, ("▁", -4.0, 1), ("a", -4.0, 1), ("▁a", -2.0, 1), ("ab", -0.5, 1)]
    pieces += [("bc", 0.0, 4), ("b", 0.0, 4)]
    assert encode("abcb", pieces, trainer) == ["▁a", "bc", "b"]


def test_spaces_are_squeezed_unless_the_model_keeps_them():
    assert encode("  a  b ▁ ") == ["▁a", "▁", "b"]
    assert encode(" a ", normalizer=field(4, 0)) == ["▁", "▁a", "▁"]
    assert encode("a b", trainer=field(24, 1)) == ["a", "▁", "b", "▁"]
    assert encode("abc", normalizer=field(3, 0)) == ["ab", "c"]


@pytest.mark.parametrize("text", ["", " ", "   ", "▁"])
def test_an_empty_text_has_no_pieces(text):
    assert encode(text) == []
    assert encode(text, trainer=field(24, 1)) == (["▁"] if text == "▁" else [])


def test_lone_surrogates_are_replaced():
    assert encode("a\ud800\udc00") == ["▁a", "\ufffd\ufffd"]


@given(st.text("abc xy▁é\u3000", max_size=200))
def test_no_character_gets_lost(text):
    pieces = "".join(encode(text))
    assert pieces.replace("▁", "") == text.replace(" ", "").replace("▁", "")


def test_words_are_segmented_as_in_the_whole_text():
    rng = random.Random(3)
    parts = {"".join(rng.choices("abc", k=rng.randint(2, 3))) for _ in range(30)}
    scores = [(part, -1.1 * len(part) - rng.randrange(3) / 1e6, 1) for part in sorted(parts)]
    model = SentencePiece(write_model([UNKNOWN, *LETTERS, *scores]))
    for _ in range(200):
        text = "".join(rng.choices("abcabcabc ", k=rng.randint(0, 600)))
        whole = model.segmenter.segment(model.normalize(text)).pieces
        assert model(text) == [piece for piece, _ in whole]


def test_the_cache_of_words_is_bounded(monkeypatch):
    monkeypatch.setattr(memoize, "MAX_WORDS", 10)
    model = SentencePiece(write_model(PIECES))
    for length in range(1, 100):
        model("a" * length)
        assert len(model._words) <= 10
    assert all(len(word) <= memoize.MAX_WORD_CHARACTERS for word in model._words)


def test_models_are_equal_if_their_files_are():
    model, other = SentencePiece(write_model(PIECES)), SentencePiece(write_model(PIECES[:-1]))
    copy = pickle.loads(pickle.dumps(model))
    assert {copy, model} == {model}
    assert copy("abc ab") == model("abc ab")
    assert model not in (other, model.digest)
    assert len(model.digest) == 64


@pytest.mark.parametrize(("number", "name"), [(3, "word"), (4, "char")])
def test_models_of_words_and_characters_are_refused(number, name):
    with pytest.raises(ModelFileError, match=f"type {name}; give one of type unigram or bpe"):
        SentencePiece(write_model(PIECES, field(3, number)))


DAMAGED = {
    "empty": b"",
    "text": b"The cat sat on the mat.\n" * 20,
    "zeros": bytes(1000),
    "a number for a piece": field(1, 5),
    "a number for a text": field(1, field(1, 1 << 62)),
    "an endless number": b"\xff" * 1000,
    "no unknown piece": write_model(LETTERS),
    "two unknown pieces": write_model([UNKNOWN, *PIECES]),
    "a piece twice": write_model([*PIECES, LETTERS[0]]),
    "an empty piece": write_model([*PIECES, ("", -1.0, 1)]),
    "a score that is no number": write_model([*PIECES, ("x", float("nan"), 1)]),
    "an infinite score": write_model([*PIECES, ("x", float("-inf"), 1)]),
    "a type of piece that does not exist": write_model([*PIECES, ("x", -1.0, 7)]),
    "a type of model that does not exist": write_model(PIECES, field(3, 5)),
    "no byte pieces": write_model(PIECES, field(35, 1)),
    "rules that are too short": write_model(PIECES, b"", field(2, b"\x00\x04\x00\x00ab")),
    "rules of no size": write_model(PIECES, b"", field(2, bytes(2000))),
    "rules without an end": write_model(PIECES, b"", field(2, b"\0\4\0\0" + b"a" * 2000)),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_other_files_are_refused(data):
    with pytest.raises(ModelFileError, match="is not a SentencePiece model, or not a complete one"):
        SentencePiece(data)


@given(st.data())
def test_damaged_files_are_refused_or_read_but_never_fail(data):
    model = bytearray(write_model(PIECES, BPE, field(2, b"\0\4\0\0" + bytes(1024) + b"x\0")))
    for _ in range(data.draw(st.integers(1, 5))):
        model[data.draw(st.integers(0, len(model) - 1))] = data.draw(st.integers(0, 255))
    del model[data.draw(st.integers(1, len(model))) :]
    with suppress(ModelFileError):
        SentencePiece(bytes(model))("ab \x01 abc xa\u0301")
