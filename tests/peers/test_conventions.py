"""Conventions against the implementations that they are named after."""

import random
import warnings
from collections.abc import Callable

import pytest
import sacrebleu
from nltk.translate import bleu_score as nltk
from sacrebleu.metrics.bleu import _get_tokenizer

from bleu import corpus_bleu
from bleu.core.tokenizers import TOKENIZERS

pytestmark = [
    pytest.mark.host,
    # references drawn by lot may fit better the other way round
    pytest.mark.filterwarnings("ignore:.*look transposed:UserWarning"),
]

CORPORA = 700
ALPHABETS = (
    "abcXYZ019 .,-'\"!?&;:()<>%$€£ ",
    "“”‘’…–—«»¿¡ ab1. ",
    "你好，。、吗ab12 .",
    "０１２ａ！？「」ー カナ",
    "\u2001\u2028\u3000\xa0\t\n -",
    "אבג ، ؟ ٣٤ ",
    "😀👩‍👩‍👧 e\u0301 ٪½Ⅷ²",
    "&quot;&amp;&lt;&gt;<skipped>-\n",
)


def tokens(draw: random.Random, words: int) -> list[str]:
    """A text of up to 13 tokens from a small vocabulary, often empty or short."""
    return [str(draw.randrange(words)) for _ in range(draw.choice((0, 1, 2, 3, 4, 7, 10, 13)))]


def corpus(draw: random.Random) -> tuple[list[list[str]], list[list[list[str]]], int]:
    """Hypotheses, their references, and a max order."""
    words = draw.choice((2, 3, 8))
    size = draw.choice((1, 1, 2, 3, 5))
    hypotheses = [tokens(draw, words) for _ in range(size)]
    references = [[tokens(draw, words) for _ in range(draw.randint(1, 3))] for _ in range(size)]
    return hypotheses, references, draw.choice((1, 2, 3, 4, 4, 4, 5, 6))


def value_or_none(compute: Callable[[], object], *refusals: type[Exception]) -> float | None:
    """The value, or None where it is refused."""
    try:
        return float(compute())  # type: ignore[arg-type]
    except refusals:
        return None


@pytest.mark.parametrize("method", range(8))
def test_nltk_methods(method):
    draw = random.Random(method)
    function = getattr(nltk.SmoothingFunction(), f"method{method}")
    compared = refused = 0
    for _ in range(CORPORA):
        hypotheses, references, n = corpus(draw)
        weights = (1 / n,) * n
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = value_or_none(
                lambda: nltk.corpus_bleu(references, hypotheses, weights, function),  # noqa: B023
                AssertionError,
                IndexError,
            )
        ours = value_or_none(
            lambda: corpus_bleu(
                hypotheses,  # noqa: B023
                references,  # noqa: B023
                convention=f"nltk-method{method}",
                max_order=n,  # noqa: B023
            ),
            ValueError,
        )
        assert (ours is None) == (theirs is None)
        if ours is None or theirs is None:
            refused += 1
        else:
            compared += 1
            assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-300)
    assert compared > CORPORA // 10
    assert (refused > 0) == (method == 6)


@pytest.mark.parametrize(
    ("method", "name", "value"), [(1, "epsilon", 0.3), (4, "k", 3), (6, "alpha", 2), (7, "k", 9)]
)
def test_nltk_values_can_be_chosen(method, name, value):
    function = getattr(nltk.SmoothingFunction(**{name: value}), f"method{method}")
    hypothesis, reference = ["a", "b", "c", "x", "y", "d"], ["a", "b", "c", "d", "e", "f", "g"]
    ours = corpus_bleu(
        [hypothesis], [[reference]], convention=f"nltk-method{method}", smoothing_value=value
    )
    theirs = nltk.sentence_bleu([reference], hypothesis, smoothing_function=function)
    assert ours.value == pytest.approx(float(theirs), rel=1e-12)


@pytest.mark.parametrize("sentence", [False, True])
@pytest.mark.parametrize("smoothing", ["exp", "none", "floor", "add-k"])
def test_sacrebleu(smoothing, sentence):
    draw = random.Random(f"{smoothing}{sentence}")
    name = "sacrebleu" + "-sentence" * sentence + ("" if smoothing == "exp" else f"-{smoothing}")
    for _ in range(CORPORA):
        hypotheses, references, n = corpus(draw)
        lines = [" ".join(words) for words in hypotheses]
        texts = [[" ".join(words) for words in own] for own in references]
        peer = sacrebleu.BLEU(
            smooth_method=smoothing, max_ngram_order=n, effective_order=sentence, force=True
        )
        most = max(map(len, texts))
        streams = [[(own + [None] * most)[place] for own in texts] for place in range(most)]
        theirs = peer.corpus_score(lines, streams)
        ours = corpus_bleu(lines, texts, convention=name, max_order=n)
        assert ours.value == pytest.approx(theirs.score / 100, rel=1e-9, abs=1e-12)
        assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
        if smoothing != "add-k":
            assert (list(ours.matched), list(ours.total)) == (theirs.counts, theirs.totals)


@pytest.mark.parametrize("name", ["whitespace", "none", "13a", "intl", "char", "zh"])
def test_tokenizers_token_for_token(name):
    draw = random.Random(name)
    theirs = _get_tokenizer("none" if name == "whitespace" else name)()
    for _ in range(4000):
        letters = "".join(draw.sample(ALPHABETS, draw.randint(1, 3)))
        text = "".join(draw.choices(letters, k=draw.randrange(40)))
        text += draw.choice(("", "", "", "1999.", "3,5", "&quot;", "&amp;lt;", "<skipped>", "-\n"))
        assert TOKENIZERS[name](text) == theirs(text).split(), repr(text)
