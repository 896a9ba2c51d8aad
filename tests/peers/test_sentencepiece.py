"""Agreement with the package `sentencepiece`, on models trained here and on models made by hand."""

import random
from functools import cache

import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers import tokenizer_spm

from bleu import corpus_bleu, load_tokenizer, segment_statistics
from bleu.core.conventions import convention_settings
from bleu.core.custom_tokenizers import SACREBLEU_MODELS
from bleu.core.sentencepiece import SentencePiece
from tests.support.case_selection import fast_and_slow
from tests.support.sentencepiece_models import field, generate_lines, train, write_model

sentencepiece = pytest.importorskip("sentencepiece")

pytestmark = pytest.mark.host

USER_DEFINED = ("<a>", "ab", "abc", "a", "▁x", "b c", "世界")
OPTIONS = {
    "unigram": {},
    "bpe": {"model_type": "bpe"},
    "unigram with byte fallback": {"byte_fallback": True, "normalization_rule_name": "nfkc"},
    "bpe with user-defined pieces": {"model_type": "bpe", "user_defined_symbols": USER_DEFINED},
    "unigram with user-defined pieces": {"user_defined_symbols": USER_DEFINED},
    "unigram with suffixes": {"treat_whitespace_as_suffix": True},
    "bpe without words": {"model_type": "bpe", "split_by_whitespace": False},
    "unigram without words": {"split_by_whitespace": False},
    "bpe with suffixes and all spaces": {
        "model_type": "bpe",
        "treat_whitespace_as_suffix": True,
        "remove_extra_whitespaces": False,
        "split_by_whitespace": False,
    },
    "bpe with byte fallback": {"model_type": "bpe", "byte_fallback": True},
    "unigram without a dummy prefix": {"add_dummy_prefix": False},
    "bpe without a dummy prefix": {"model_type": "bpe", "add_dummy_prefix": False},
    "unigram with all spaces": {"remove_extra_whitespaces": False},
    "unigram with pieces of spaces": {
        "allow_whitespace_only_pieces": True,
        "remove_extra_whitespaces": False,
    },
    "unigram, suffixes and all spaces": {
        "treat_whitespace_as_suffix": True,
        "remove_extra_whitespaces": False,
        "split_by_whitespace": False,
    },
    "unigram that knows few characters": {"character_coverage": 0.98},
    **{
        f"{model_type} with {name}": {"model_type": model_type, "normalization_rule_name": name}
        for model_type in ("unigram", "bpe")
        for name in ("identity", "nmt_nfkc_cf", "nfkc", "nfkc_cf")
    },
}
ODD = (
    *(" ", "  ", "▁", "\u3000", "\u00a0", "\t", "\n", "\x00", "\x01", "\x85", "\u2028", "\u200b"),
    *(
        "\ufeff",
        "\ufffd",
        "é",
        "e\u0301",
        "\u0301",
        "ẛ̣",
        "İ",
        "ß",
        "ſ",
        "½",
        "①",
        "ﬁ",
        "…",
        "¨",
        "ﷺ",
    ),
    *("ﷺ", "ア", "ｱ", "ｶﾞ", "ﾞ", "Ａ", "각", "ᄀ", "ᅡ", "𠀀", "世界", "😀", "👨‍👩‍👧", "שָׁלוֹם"),
    *("<unk>", "<s>", "</s>", "<0x41>", "<a>", "a", "aa", "ab", "abc", "b c"),
)


@cache
def odd_texts(count):
    """Return texts with rare characters, spaces and repetitions, half of them otherwise usual."""
    rng = random.Random(44)
    lines = generate_lines(1000, seed=2)
    return ["", *(_odd_text(rng, lines) for _ in range(count))]


def _odd_text(rng, lines):
    kind = rng.randrange(6)
    if kind == 0:
        return "".join(rng.choices(ODD, k=rng.randint(0, 12)))
    if kind == 1:
        return "".join(map(_any_character, [rng] * rng.randint(0, 20)))
    if kind == 2:
        return "".join(rng.choices("abcde ▁", k=rng.randint(0, 60)))
    if kind == 3:
        return (rng.choice(lines).split(" ")[0] + rng.choice(("", " "))) * rng.randint(1, 40)
    characters = list(rng.choice(lines))
    for _ in range(rng.randint(0, 8)):
        characters.insert(rng.randint(0, len(characters)), rng.choice(ODD))
    return "".join(characters)


def _any_character(rng):
    ranges = (0, 0x300), (0x300, 0xD800), (0xE000, 0x110000)
    return chr(rng.randrange(*rng.choice(ranges)))


def check(data, texts):
    """Check that both split these texts in the same way, and return how."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=data)
    model = SentencePiece(data)
    pieces = [model(text) for text in texts]
    assert pieces == processor.encode(texts, out_type=str)
    return pieces


@pytest.mark.parametrize("name", fast_and_slow(5, OPTIONS))
def test_pieces_are_those_of_sentencepiece(name):
    pieces = check(train(**OPTIONS[name]), odd_texts(800))
    assert len({piece for text in pieces for piece in text}) > 300


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIONS)
def test_thousands_of_odd_texts(name):
    check(train(**OPTIONS[name]), odd_texts(5_000))


@pytest.mark.parametrize("name", fast_and_slow(1, SACREBLEU_MODELS))
def test_scores_and_signatures_are_those_of_sacrebleu(name, tmp_path, monkeypatch):
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / SACREBLEU_MODELS[name]).write_bytes(train())
    references = [text.replace("\n", " ") for text in odd_texts(800)]
    rng = random.Random(4)
    hypotheses = [_drop_words(rng, text) for text in references]
    metric = BLEU(tokenize=name)
    expected = metric.corpus_score(hypotheses, [references])
    settings = convention_settings("sacrebleu", tokenizer=load_tokenizer(name))
    score = corpus_bleu(hypotheses, [[text] for text in references], settings)
    assert list(score.matched) == expected.counts
    assert list(score.total) == expected.totals
    assert 100 * score.value == pytest.approx(expected.score, rel=1e-12)
    assert settings.signature(1) == str(metric.get_signature())
    sentence = BLEU(tokenize=name, effective_order=True)
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        statistics = segment_statistics(hypothesis, [reference], settings)
        theirs = sentence.sentence_score(hypothesis, [reference])
        assert list(statistics.matched) == theirs.counts


def _drop_words(rng, text):
    return " ".join(word for word in text.split(" ") if rng.random() < 0.9)


UNKNOWN = ("<unk>", 0.0, 2)
LETTERS = [(letter, -3.0, 1) for letter in "▁abcd"]


def test_ties_are_decided_by_sums_in_single_precision():
    rng = random.Random(1)
    pieces = {"".join(rng.choices("abcd", k=rng.randint(2, 3))) for _ in range(60)}
    scores = [(piece, -1.1 * len(piece) - rng.randrange(4) / 1e6, 1) for piece in sorted(pieces)]
    data = write_model([UNKNOWN, *LETTERS, *scores])
    words = ["".join(rng.choices("abcd", k=rng.randint(1, 9))) for _ in range(300)]
    texts = [" ".join(rng.choices(words, k=rng.randint(1, 60))) for _ in range(500)]
    check(data, texts)
    model = SentencePiece(data)
    by_word = [[p for word in text.split() for p in model(word)] for text in texts]
    assert by_word != [model(text) for text in texts]


def test_sums_of_long_texts_start_again_at_0():
    rng = random.Random(2)
    scores = [(a + b, -28 - rng.uniform(-0.01, 0.01), 1) for a in "abcd" for b in "abcd"]
    data = write_model([UNKNOWN, ("▁", -9.0, 1), *[(c, -14.0, 1) for c in "abcd"], *scores])
    texts = ["".join(rng.choices("abcd ", k=30_000)) for _ in range(3)]
    check(data, texts)


def test_an_unknown_character_scores_10_less_than_the_lowest_piece():
    pieces = [("▁", -1.0, 1), ("ab", -8.0, 1), ("cd", -8.0, 1), ("abc", -2.0, 1)]
    assert check(write_model([UNKNOWN, *pieces]), ["abcd"]) == [["▁", "ab", "cd"]]
    cheaper = [*pieces[:-1], ("abc", 1.5, 1)]
    check(write_model([UNKNOWN, *cheaper]), ["abcd", "abcabcd", "dcba"])


def test_a_user_defined_piece_scores_a_tenth_for_each_byte_after_the_first():
    pieces = [("▁", -1.0, 1), ("x", -0.7, 1), ("世界x", -0.3, 1), ("世界", 0.0, 4)]
    assert check(write_model([UNKNOWN, *pieces]), ["世界x"]) == [["▁", "世界", "x"]]
    pieces[1] = ("x", -0.9, 1)
    assert check(write_model([UNKNOWN, *pieces]), ["世界x"]) == [["▁", "世界x"]]


@pytest.mark.parametrize("model_type", [1, 2])
def test_unused_pieces_are_split(model_type):
    pieces = [
        ("ab", -1.0, 5),
        ("abc", -1.5, 5),
        ("cd", -2.0, 1),
        ("abcd", -2.5, 5),
        ("▁a", -4.0, 5),
    ]
    data = write_model([UNKNOWN, *LETTERS, *pieces], field(3, model_type))
    check(data, [*odd_texts(200), "abcd", "abcabcd ab", "xabcdx", "abab cdab"])


@pytest.mark.parametrize("model_type", [1, 2])
def test_spaces_that_are_not_escaped(model_type):
    pieces = [(" a", -1.0, 1), (" ab", -1.5, 1), ("▁a", -1.5, 1), ("b ", -1.0, 1), ("d a", -1.0, 1)]
    data = write_model([UNKNOWN, *LETTERS, *pieces], field(3, model_type), field(5, 0))
    check(data, [*odd_texts(200), "abcd ab", "a  b ▁a", " a d a", "▁a ▁ ", " "])
