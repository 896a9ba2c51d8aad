"""Agreement of the conventions with the implementations that they are named after."""

import random
import warnings
from collections.abc import Callable
from itertools import zip_longest

import pytest
import sacrebleu
from nltk.translate import bleu_score as nltk
from sacrebleu.metrics.bleu import _get_tokenizer

from bleu import CONVENTIONS, SMOOTHINGS, corpus_bleu
from bleu.core.tokenizers import TOKENIZERS

pytestmark = [
    pytest.mark.host,
    # Random references may score higher when transposed.
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


def random_tokens(rng: random.Random, words: int) -> list[str]:
    """Return up to 13 tokens from a small vocabulary, often few or none."""
    return [str(rng.randrange(words)) for _ in range(rng.choice((0, 1, 2, 3, 4, 7, 10, 13)))]


def random_corpus(rng: random.Random) -> tuple[list[list[str]], list[list[list[str]]], int]:
    """Return hypotheses, their references, and a max order."""
    words = rng.choice((2, 3, 8))
    size = rng.choice((1, 1, 2, 3, 5))
    hypotheses = [random_tokens(rng, words) for _ in range(size)]
    references = [
        [random_tokens(rng, words) for _ in range(rng.randint(1, 3))] for _ in range(size)
    ]
    return hypotheses, references, rng.choice((1, 2, 3, 4, 4, 4, 5, 6))


def of_library(library: str) -> list[str]:
    """Return the names of the conventions of a library."""
    return [name for name, convention in CONVENTIONS.items() if convention.library == library]


def score_or_none(compute: Callable[[], object], *exceptions: type[Exception]) -> float | None:
    """Return the score, or None if it raises one of the exceptions."""
    try:
        return float(compute())  # type: ignore[arg-type]
    except exceptions:
        return None


@pytest.mark.parametrize("name", of_library("nltk"))
def test_nltk_conventions_agree_with_nltk(name):
    method = SMOOTHINGS[CONVENTIONS[name].settings["smoothing"]].nltk_method
    rng = random.Random(name)
    function = getattr(nltk.SmoothingFunction(), f"method{method}")
    compared = refused = 0
    for _ in range(CORPORA):
        hypotheses, references, n = random_corpus(rng)
        weights = (1 / n,) * n
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nltk_score = score_or_none(
                lambda: nltk.corpus_bleu(references, hypotheses, weights, function),  # noqa: B023
                AssertionError,
                IndexError,
            )
        bleu_score = score_or_none(
            lambda: corpus_bleu(
                hypotheses,  # noqa: B023
                references,  # noqa: B023
                convention=name,
                max_order=n,  # noqa: B023
            ),
            ValueError,
        )
        assert (bleu_score is None) == (nltk_score is None)
        if bleu_score is None or nltk_score is None:
            refused += 1
        else:
            compared += 1
            assert bleu_score == pytest.approx(nltk_score, rel=1e-14, abs=0)
    assert compared > CORPORA // 10
    assert (refused > 0) == (method == 6)


@pytest.mark.parametrize(
    ("method", "name", "value"), [(1, "epsilon", 0.3), (4, "k", 3), (6, "alpha", 2), (7, "k", 9)]
)
def test_nltk_conventions_accept_nltks_smoothing_values(method, name, value):
    function = getattr(nltk.SmoothingFunction(**{name: value}), f"method{method}")
    hypothesis, reference = ["a", "b", "c", "x", "y", "d"], ["a", "b", "c", "d", "e", "f", "g"]
    bleu_score = corpus_bleu(
        [hypothesis], [[reference]], convention=f"nltk-method{method}", smoothing_value=value
    )
    nltk_score = nltk.sentence_bleu([reference], hypothesis, smoothing_function=function)
    assert bleu_score.value == pytest.approx(float(nltk_score), rel=1e-12)


@pytest.mark.parametrize("name", of_library("sacrebleu"))
def test_sacrebleu_conventions_agree_with_sacrebleu(name):
    settings = CONVENTIONS[name].settings
    smoothing, sentence = settings["smoothing"], settings["effective_order"]
    rng = random.Random(name)
    for _ in range(CORPORA):
        hypotheses, references, n = random_corpus(rng)
        lines = list(map(" ".join, hypotheses))
        texts = [list(map(" ".join, segment_references)) for segment_references in references]
        metric = sacrebleu.BLEU(
            smooth_method=smoothing, max_ngram_order=n, effective_order=sentence, force=True
        )
        peer = metric.corpus_score(lines, list(zip_longest(*texts)))
        score = corpus_bleu(lines, texts, convention=name, max_order=n)
        assert score.value == pytest.approx(peer.score / 100, rel=1e-14, abs=0)
        assert (score.hypothesis_length, score.reference_length) == (peer.sys_len, peer.ref_len)
        if smoothing != "add-k":
            assert (list(score.matched), list(score.total)) == (peer.counts, peer.totals)


@pytest.mark.parametrize("name", [name for name in TOKENIZERS if TOKENIZERS[name].sacrebleu_name])
def test_tokens_equal_those_of_sacrebleu(name):
    rng = random.Random(name)
    tokenizer = _get_tokenizer(TOKENIZERS[name].sacrebleu_name)()
    for _ in range(4000):
        letters = "".join(rng.sample(ALPHABETS, rng.randint(1, 3)))
        text = "".join(rng.choices(letters, k=rng.randrange(40)))
        text += rng.choice(("", "", "", "1999.", "3,5", "&quot;", "&amp;lt;", "<skipped>", "-\n"))
        assert TOKENIZERS[name](text) == tokenizer(text).split(), repr(text)
