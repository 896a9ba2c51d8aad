"""SentencePiece model files: pieces, options and normalization rules, read from protobuf."""

import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bleu.core.progress import ProgressGenerator

FieldValue = int | bytes
"""The value of a protobuf field: a number if it is a varint, and bytes otherwise."""
_UNIGRAM, _BPE = 1, 2
_OTHER_TYPES: Final[Mapping[FieldValue, str]] = {3: "word", 4: "char"}
"""Types of models that are not supported."""
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = range(1, 7)
"""Types of pieces."""
_TEXT_TYPES: Final = (_NORMAL, _USER_DEFINED, _UNUSED)
"""Types of pieces that can stand for text."""
_SIZES: Final = {1: 8, 5: 4}
"""The sizes in bytes of protobuf fields of fixed size, by their wire type."""
_FLOAT: Final = struct.Struct("<f")
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
"""Field numbers of a model."""
_MODEL_TYPE, _SUFFIX, _BYTE_FALLBACK = 3, 24, 35
"""Field numbers of the trainer's options."""
_RULES, _DUMMY_PREFIX, _SQUEEZE, _ESCAPE = 2, 3, 4, 5
"""Field numbers of the normalizer's options."""
PIECES_PER_STEP: Final = 4096
"""The number of pieces between two reports of progress."""


class ModelFileError(ValueError):
    """A file that is not a SentencePiece model, or is a model of another type."""


NOT_A_MODEL: Final = (
    "the file is not a SentencePiece model, or not a complete one; give the .model file that "
    "SentencePiece wrote"
)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The contents of a model file.

    - `is_bpe`: whether it is of type BPE instead of unigram.
    - `scores`: the pieces that can stand for text, with their scores.
    - `user_defined`: the pieces that are never split.
    - `unused`: the pieces that are never output.
    - `min_score`: the smallest score of a normal piece.
    - `rules`: the rules of normalization, a trie.
    - `byte_fallback`: whether unknown characters become byte pieces.
    - `suffix`: whether a space symbol ends a word instead of beginning it.
    - `dummy_prefix`: whether the text gets a space symbol, at its start or its end.
    - `squeeze`: whether extra spaces are removed.
    - `escape`: whether the space symbol is U+2581 instead of the space.
    """

    is_bpe: bool
    scores: Mapping[str, float]
    user_defined: frozenset[str]
    unused: frozenset[str]
    min_score: float
    rules: bytes
    byte_fallback: bool
    suffix: bool
    dummy_prefix: bool
    squeeze: bool
    escape: bool


def iter_model(data: bytes) -> ProgressGenerator[ModelFile]:
    """Return the contents of a model file, and yield the progress in bytes.

    Raises ModelFileError for any other or damaged file, and for models of words or characters.
    """
    try:
        return (yield from _iter_model(data))
    except ModelFileError:
        raise
    except (LookupError, TypeError, ValueError, struct.error):
        raise ModelFileError(NOT_A_MODEL) from None


def _iter_model(data: bytes) -> ProgressGenerator[ModelFile]:
    scores: dict[str, float] = {}
    done = 0
    pieces: dict[FieldValue, list[str]] = {piece_type: [] for piece_type in range(1, 7)}
    min_score = math.inf
    options: dict[int, bytes] = {_TRAINER: b"", _NORMALIZER: b""}
    for number, value in _iter_fields(data):
        if number in options:
            options[number] = _as_bytes(value)
        if number != _PIECES:
            continue
        message = _as_bytes(value)
        piece, score, piece_type = _read_piece(message)
        pieces[piece_type].append(piece)
        done += len(message)
        if len(scores) % PIECES_PER_STEP == 0:
            yield done, len(data)
        if piece_type in _TEXT_TYPES:
            scores[piece] = score
            if piece_type == _NORMAL:
                min_score = min(min_score, score)
    trainer, normalizer = (
        dict(_iter_fields(options[number])) for number in (_TRAINER, _NORMALIZER)
    )
    model_type = trainer.get(_MODEL_TYPE, _UNIGRAM)
    if model_type in _OTHER_TYPES:
        raise ModelFileError(
            f"the SentencePiece model is of type {_OTHER_TYPES[model_type]}; give one of type "
            "unigram or bpe"
        )
    byte_fallback = bool(trainer.get(_BYTE_FALLBACK, False))
    require(
        model_type in {_UNIGRAM, _BPE},
        bool(pieces[_NORMAL]) and "" not in scores,
        len(scores) == sum(len(pieces[text_type]) for text_type in _TEXT_TYPES),
        len(pieces[_BYTE]) == 256 if byte_fallback else len(pieces[_UNKNOWN]) == 1,
    )
    return ModelFile(
        is_bpe=model_type == _BPE,
        scores=scores,
        user_defined=frozenset(pieces[_USER_DEFINED]),
        unused=frozenset(pieces[_UNUSED]),
        min_score=min_score,
        rules=_as_bytes(normalizer.get(_RULES, b"")),
        byte_fallback=byte_fallback,
        suffix=bool(trainer.get(_SUFFIX, False)),
        dummy_prefix=bool(normalizer.get(_DUMMY_PREFIX, True)),
        squeeze=bool(normalizer.get(_SQUEEZE, True)),
        escape=bool(normalizer.get(_ESCAPE, True)),
    )


def require(*conditions: bool) -> None:
    """Raise ModelFileError unless all conditions hold."""
    if not all(conditions):
        raise ModelFileError(NOT_A_MODEL)


def _as_bytes(value: FieldValue) -> bytes:
    if not isinstance(value, bytes):
        raise ModelFileError(NOT_A_MODEL)
    return value


def _read_piece(data: bytes) -> tuple[str, float, FieldValue]:
    """Return a piece, its score and its type."""
    size = data[1]
    if data[0] == 0x0A and size < 128 and len(data) == size + 7 and data[size + 2] == 0x15:
        # SentencePiece writes normal pieces like this; slicing is faster than reading fields.
        fields: dict[int, FieldValue] = {1: data[2 : size + 2], 2: data[size + 3 :]}
    else:
        fields = dict(_iter_fields(data))
    (score,) = _FLOAT.unpack(_as_bytes(fields.get(2, bytes(4))))
    require(math.isfinite(score))
    return _as_bytes(fields[1]).decode(), score, fields.get(3, _NORMAL)


def _iter_fields(data: bytes) -> Iterator[tuple[int, FieldValue]]:
    """Yield the number and the value of each field of a protobuf message."""
    position = 0

    def read_number() -> int:
        nonlocal position
        number = shift = 0
        while True:
            byte = data[position]
            position += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            require(shift < 70)

    while position < len(data):
        key = read_number()
        wire_type = key & 7
        if wire_type == 0:
            yield key >> 3, read_number()
            continue
        size = read_number() if wire_type == 2 else _SIZES[wire_type]
        require(size <= len(data) - position)
        yield key >> 3, data[position : position + size]
        position += size
