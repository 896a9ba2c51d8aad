"""SentencePiece models for tests: trained on seeded text of several scripts, or written by hand."""

import io
import random
import struct
from collections.abc import Iterable
from functools import cache
from typing import Any

ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "абвгдежзийклмнопрстуфхцчшщ",
    "你好世界我爱北京天安门人大中",
    "あいうえおかきくけこカキクケコ",
    "가나다라마바사아",
    "אבגדהוזח",
    "ابتثجح",
    "०१२अआइई",
)
ENDS = (".", "!", "", "?", " 12.5 %", "é")


def generate_lines(count: int, seed: int = 1) -> list[str]:
    """Return lines of words in several scripts; their frequencies follow Zipf's law."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(rng.choice(ALPHABETS), k=rng.randint(1, 9))) for _ in range(2000)]
    weights = [1 / rank for rank in range(1, 2001)]
    return [
        " ".join(rng.choices(words, weights, k=rng.randint(3, 25))) + rng.choice(ENDS)
        for _ in range(count)
    ]


@cache
def train(**options: Any) -> bytes:
    """Return a model of up to 500 pieces, trained by the package `sentencepiece`."""
    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(generate_lines(1500)),
        model_writer=model,
        minloglevel=2,
        num_threads=1,
        **{"vocab_size": 500, "hard_vocab_limit": False, **options},
    )
    return model.getvalue()


def encode_varint(number: int) -> bytes:
    """Return a number as protobuf writes it."""
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes((*data, number))


def field(number: int, value: int | float | bytes) -> bytes:
    """Return a field of a protobuf message."""
    if isinstance(value, float):
        return encode_varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return encode_varint(number << 3) + encode_varint(value)
    return encode_varint(number << 3 | 2) + encode_varint(len(value)) + value


def write_model(
    pieces: Iterable[tuple[str, float, int]], trainer: bytes = b"", normalizer: bytes = b""
) -> bytes:
    """Return a model file with these pieces, scores and types, and the fields of its options."""
    messages = (
        field(1, piece.encode()) + field(2, score) + (field(3, kind) if kind > 1 else b"")
        for piece, score, kind in pieces
    )
    return (
        b"".join(field(1, message) for message in messages)
        + field(2, trainer)
        + field(3, normalizer)
    )
