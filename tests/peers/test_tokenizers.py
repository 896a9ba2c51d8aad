"""Agreement of the tokenizers 13a and intl with sacreBLEU, intl under any Unicode version."""

import random
import re
import sys
import unicodedata

import pytest
import regex
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

from bleu.core.tokenizers import international, mteval_13a
from bleu.core.unicode_categories import CATEGORIES

pytestmark = pytest.mark.host

ALL = "".join(chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000)
NAMES = {"D": "Nd", "N": "N", "P": "P", "S": "S"}


@pytest.mark.parametrize("category", CATEGORIES)
def test_categories_are_those_of_regex(category):
    ours = re.findall(f"[{CATEGORIES[category]}]", ALL)
    assert ours == regex.findall(rf"\p{{{NAMES[category]}}}", ALL)


@pytest.mark.parametrize("category", CATEGORIES)
def test_characters_that_python_knows_have_their_category(category):
    name = NAMES[category]
    known = {c for c in ALL if unicodedata.category(c) != "Cn"}
    ours = set(re.findall(f"[{CATEGORIES[category]}]", ALL)) & known
    assert ours == {c for c in known if unicodedata.category(c).startswith(name)}


def test_tokens_are_those_of_sacrebleu():
    rng = random.Random(5)
    special = re.findall(f"[{CATEGORIES['N']}{CATEGORIES['P']}{CATEGORIES['S']}]", ALL)
    tokenizer = TokenizerV14International()
    for _ in range(1000):
        characters = (
            rng.choice(special) if rng.random() < 0.3 else rng.choice("ab 12.,-\\")
            for _ in range(60)
        )
        text = "".join(characters)
        assert international(text) == tokenizer(text).split()


@pytest.mark.parametrize("word", ["cats", "1999", "é٣", "a-b", "3.5", ""])
def test_marks_around_a_word_are_split_off_as_by_sacrebleu(word):
    tokenizer = Tokenizer13a()
    for character in map(chr, range(0x100)):
        for text in (word + character, character + word, f"x {word}{character}{character} 7"):
            assert mteval_13a(text) == tokenizer(text).split()


def test_new_emoji_are_symbols_in_every_python():
    assert international("I am so happy🫨") == ["I", "am", "so", "happy", "🫨"]
