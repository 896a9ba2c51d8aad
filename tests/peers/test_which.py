"""Numbers made by the real NLTK and sacreBLEU, and by mistakes in calling them, are recognised."""

import contextlib
import io
import random
import warnings
from functools import cache
from itertools import zip_longest

import pytest
import sacrebleu
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

from bleu import CONVENTIONS, TOKENIZERS
from bleu.analysis.reported import parse_reported_score
from bleu.analysis.which import MISTAKES, which
from bleu.analysis.which_code import candidate_code, literal_text_code
from tests.support.case_selection import fast_and_slow

pytestmark = pytest.mark.host

WORDS = ["The", "the", "cat", "dog", "sat", "on", "a", "mat,", "mat.", '"so"', "I", "It's", "in",
         "1,000", "Berlin", "well-known", "house", "(big)", "saw", "of", "and", "to",
         "你好，", "1999."]  # fmt: skip


@cache
def corpus(references=1, size=24):
    """Hypotheses and references: some short, some far from each other, mixed case."""
    rng = random.Random(f"which {references}")
    hypotheses, others = [], []
    for _ in range(size):
        words = rng.choices(WORDS, k=rng.randint(2, 16))
        error = rng.choice((0.05, 0.2, 0.5))
        changed = [
            [rng.choice(WORDS) if rng.random() < error else word for word in words]
            + rng.choices(WORDS, k=rng.randint(0, 3))
            for _ in range(references)
        ]
        hypotheses.append(" ".join(words))
        others.append(tuple(map(" ".join, changed)))
    return tuple(hypotheses), tuple(others)


HYPOTHESES, OWN = corpus()
TWO_HYPOTHESES, TWO = corpus(2)
SINGLE = ("The cat sat on a mat, and I saw it.", ("The cat sits on the mat, and I saw it.",))
SINGLES = (SINGLE[0],), (SINGLE[1],)


def sacre(hypotheses=HYPOTHESES, references=OWN, **settings):
    """sacreBLEU's corpus score."""
    bleu = sacrebleu.BLEU(force=True, **settings)
    return bleu.corpus_score(list(hypotheses), list(zip_longest(*references))).score


def words(references):
    """The tokens of every reference, as NLTK takes them."""
    return [[one.split() for one in own] for own in references]


def split(hypotheses):
    """The tokens of every hypothesis."""
    return [one.split() for one in hypotheses]


def nltk(references, hypotheses, weights=(0.25,) * 4, method=0):
    """NLTK's corpus score, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        smooth = getattr(SmoothingFunction(), f"method{method}")
        return corpus_bleu(references, hypotheses, weights, smooth)


def nltk_mean(references, hypotheses, method=0):
    """The mean of NLTK's sentence scores."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        smooth = getattr(SmoothingFunction(), f"method{method}")
        pairs = list(zip(references, hypotheses, strict=True))
        return sum(sentence_bleu(*pair, (0.25,) * 4, smooth) for pair in pairs) / len(pairs)


def sacre_mean(method="exp"):
    """The mean of sacreBLEU's sentence scores."""
    scores = [
        sacrebleu.sentence_bleu(hypothesis, list(own), smooth_method=method).score
        for hypothesis, own in zip(HYPOTHESES, OWN, strict=True)
    ]
    return sum(scores) / len(scores)


def again(text):
    """A text that 13a has tokenized."""
    return " ".join(TOKENIZERS["intl"](text))


ONE = (HYPOTHESES, OWN)
PAIR = (TWO_HYPOTHESES, TWO)
NLTK0 = "nltk-method0"
CASES = {
    # what makes the number; the texts, the convention, settings, mistakes
    "sacrebleu": (lambda: sacre(), ONE, "sacrebleu", {}, ()),
    "lowercase": (lambda: sacre(lowercase=True), ONE, "sacrebleu", {"lowercase": True}, ()),
    "intl": (lambda: sacre(tokenize="intl"), ONE, "sacrebleu", {"tokenizer": "intl"}, ()),
    "char": (lambda: sacre(tokenize="char"), ONE, "sacrebleu", {"tokenizer": "char"}, ()),
    "zh": (
        lambda: sacre(tokenize="zh", lowercase=True),
        ONE,
        "sacrebleu",
        {"tokenizer": "zh", "lowercase": True},
        (),
    ),
    "none": (lambda: sacre(tokenize="none"), ONE, "sacrebleu", {"tokenizer": "whitespace"}, ()),
    "add-k": (lambda: sacre(smooth_method="add-k"), ONE, "sacrebleu-add-k", {}, ()),
    "two references": (lambda: sacre(*PAIR), PAIR, "sacrebleu", {}, ()),
    "the second alone": (
        lambda: sacre(TWO_HYPOTHESES, [own[1:] for own in TWO]),
        PAIR,
        "sacrebleu",
        {},
        (),
    ),
    "bleu-2": (lambda: sacre(max_ngram_order=2), ONE, "sacrebleu", {"max_order": 2}, ()),
    "a sentence": (
        lambda: sacrebleu.sentence_bleu(SINGLE[0], list(SINGLE[1])).score,
        SINGLES,
        "sacrebleu-sentence",
        {},
        (),
    ),
    "nltk": (lambda: nltk(words(OWN), split(HYPOTHESES)), ONE, NLTK0, {}, ()),
    "nltk 2": (lambda: nltk(words(OWN), split(HYPOTHESES), method=2), ONE, "nltk-method2", {}, ()),
    "nltk 5": (lambda: nltk(words(OWN), split(HYPOTHESES), method=5), ONE, "nltk-method5", {}, ()),
    "nltk bleu-1": (
        lambda: nltk(words(OWN), split(HYPOTHESES), (1,)),
        ONE,
        NLTK0,
        {"max_order": 1},
        (),
    ),
    "nltk zero weights": (
        lambda: nltk(words(OWN), split(HYPOTHESES), (0.5, 0.5, 0, 0), 7),
        ONE,
        "nltk-method7",
        {"max_order": 4},
        (),
    ),
    "nltk one order": (
        lambda: nltk(words(OWN), split(HYPOTHESES), (0, 1, 0, 0)),
        ONE,
        NLTK0,
        {},
        ("one-order",),
    ),
    "nltk 0.33": (
        lambda: nltk(words(OWN), split(HYPOTHESES), (0.33, 0.33, 0.33, 0)),
        ONE,
        NLTK0,
        {},
        ("weights-of-0.33",),
    ),
    "nltk 5 0.33": (
        lambda: nltk(words(OWN), split(HYPOTHESES), (0.33, 0.33, 0.33, 0), 5),
        ONE,
        "nltk-method5",
        {"max_order": 4},
        ("weights-of-0.33",),
    ),
    "nltk 7 three weights": (
        lambda: nltk(words(OWN), split(HYPOTHESES), (0.33, 0.33, 0.33), 7),
        ONE,
        "nltk-method7",
        {"max_order": 3},
        ("weights-of-0.33",),
    ),
    "nltk two references": (lambda: nltk(words(TWO), split(TWO_HYPOTHESES)), PAIR, NLTK0, {}, ()),
    "strings": (
        lambda: nltk([list(own) for own in OWN], list(HYPOTHESES)),
        ONE,
        NLTK0,
        {},
        ("strings",),
    ),
    "strings of a sentence": (
        lambda: sentence_bleu(list(SINGLE[1]), SINGLE[0]),
        SINGLES,
        NLTK0,
        {},
        ("strings",),
    ),
    "string hypothesis": (
        lambda: nltk(words(OWN), list(HYPOTHESES), method=1),
        ONE,
        "nltk-method1",
        {},
        ("string-hypothesis",),
    ),
    "string references": (
        lambda: nltk([list(own) for own in OWN], split(HYPOTHESES), method=1),
        ONE,
        "nltk-method1",
        {},
        ("string-references",),
    ),
    "not nested": (
        lambda: nltk([own[0].split() for own in OWN], split(HYPOTHESES), method=1),
        ONE,
        "nltk-method1",
        {},
        ("not-nested",),
    ),
    "strings, not nested": (
        lambda: nltk([own[0] for own in OWN], list(HYPOTHESES), method=3),
        ONE,
        "nltk-method3",
        {},
        ("strings-not-nested",),
    ),
    "swapped": (
        lambda: sacre([own[0] for own in OWN], [(one,) for one in HYPOTHESES]),
        ONE,
        "sacrebleu",
        {},
        ("swapped",),
    ),
    "nltk swapped": (
        lambda: nltk([[one] for one in split(HYPOTHESES)], [own[0].split() for own in OWN]),
        ONE,
        NLTK0,
        {},
        ("swapped",),
    ),
    "mean": (lambda: sacre_mean(), ONE, "sacrebleu-sentence", {}, ("mean-of-sentences",)),
    "nltk mean": (
        lambda: nltk_mean(words(OWN), split(HYPOTHESES)),
        ONE,
        NLTK0,
        {},
        ("mean-of-sentences",),
    ),
    "nltk mean 4": (
        lambda: nltk_mean(words(OWN), split(HYPOTHESES), 4),
        ONE,
        "nltk-method4",
        {},
        ("mean-of-sentences",),
    ),
    "nltk mean of strings": (
        lambda: nltk_mean([list(own) for own in OWN], list(HYPOTHESES), 1),
        ONE,
        "nltk-method1",
        {},
        ("strings", "mean-of-sentences"),
    ),
    "again": (
        lambda: sacre(map(again, HYPOTHESES), [tuple(map(again, own)) for own in OWN]),
        ONE,
        "sacrebleu",
        {},
        ("tokenized-twice",),
    ),
    "lines": (
        lambda: nltk([[[own[0] for own in OWN]]], [list(HYPOTHESES)], method=1),
        ONE,
        "nltk-method1",
        {},
        ("lines",),
    ),
    "one segment": (
        lambda: nltk([[" ".join(own[0] for own in OWN).split()]], [" ".join(HYPOTHESES).split()]),
        ONE,
        NLTK0,
        {},
        ("one-segment",),
    ),
    "flat": (
        lambda: sacrebleu.corpus_bleu(list(HYPOTHESES), [own[0] for own in OWN]).score,
        ONE,
        "sacrebleu",
        {},
        ("flat-references",),
    ),
    "transposed": (
        lambda: sacrebleu.corpus_bleu(list(TWO_HYPOTHESES), [list(own) for own in TWO]).score,
        PAIR,
        "sacrebleu",
        {},
        ("transposed",),
    ),
    "one minus": (lambda: 100 - sacre(), ONE, "sacrebleu", {}, ("one-minus",)),
    "nltk swapped mean": (
        lambda: nltk_mean([[one] for one in split(HYPOTHESES)], [own[0].split() for own in OWN], 1),
        ONE,
        "nltk-method1",
        {},
        ("swapped", "mean-of-sentences"),
    ),
    "mean of orders": (
        lambda: sum(nltk(words(OWN), split(HYPOTHESES), (1 / n,) * n) for n in range(1, 5)) / 4,
        ONE,
        NLTK0,
        {},
        ("mean-of-orders",),
    ),
    "mean of sacreBLEU's orders": (
        lambda: sum(sacre(max_ngram_order=n) for n in range(1, 5)) / 4,
        ONE,
        "sacrebleu",
        {},
        ("mean-of-orders",),
    ),
}
ROUNDED = {
    "": lambda value, _: f"{value:.10g}",
    "hundredths": lambda value, scale: f"{100 / scale * value:.2f}",
    "comma": lambda value, scale: f"{value / scale:.4f}".replace(".", ","),
}


@cache
def made(name):
    """The number that a library gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CASES[name][0]()


@cache
def answer(name, how=""):
    """What is found for a number."""
    scale = CONVENTIONS[CASES[name][2]].scale
    return which(parse_reported_score(ROUNDED[how](made(name), scale)), *CASES[name][1])


def fitting(found, name):
    """Where the way stands in the list in which the number was made, or None."""
    _, _, convention, settings, mistakes = CASES[name]
    for place, one in enumerate(found):
        for way in (one, *one.equivalents):
            chosen = all(getattr(way.settings, key) == value for key, value in settings.items())
            # beside a way without a mistake, each mistake is named once
            named = way.convention == convention or (mistakes and not one.mistakes)
            if named and way.mistakes == mistakes and chosen:
                return place
    return None


def printed(lines):
    """What a piece of code prints."""
    out = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(out):
        warnings.simplefilter("ignore")
        exec(lines, {})
    return float(out.getvalue())


@pytest.mark.parametrize("name", CASES)
def test_a_number_names_its_settings(name):
    found = answer(name).found
    assert fitting(found, name) == 0, [(one.convention, one.mistakes) for one in found]


@pytest.mark.parametrize("how", fast_and_slow(1, ["hundredths", "comma"]))
@pytest.mark.parametrize("name", CASES)
def test_so_does_a_rounded_one_among_few(name, how):
    found = answer(name, how).found
    place = fitting(found, name)
    assert place is not None
    without = [one for one in found if not one.mistakes]
    assert place <= len(without) + 12, [(one.convention, one.mistakes) for one in found]


@pytest.mark.parametrize("name", CASES)
def test_the_code_prints_the_number(name):
    texts = CASES[name][1]
    [first, *_] = answer(name).found
    for way in (first, *first.equivalents):
        value = printed(candidate_code(way, literal_text_code(*texts)))
        assert value == pytest.approx(way.value * way.scale, rel=1e-9), (
            way,
            candidate_code(way, ""),
        )


def test_the_code_of_the_nearest_prints_their_numbers():
    nearest = which(parse_reported_score("1.2345678"), *ONE).nearest
    assert len(nearest) == 5
    for way in nearest:
        value = printed(candidate_code(way, literal_text_code(*ONE)))
        assert value == pytest.approx(way.value * way.scale, rel=1e-9), (
            way,
            candidate_code(way, ""),
        )


def test_every_mistake_is_made_somewhere():
    tried = {mistake for *_, mistakes in CASES.values() for mistake in mistakes}
    assert set(MISTAKES) - tried == {"no-brevity-penalty"}


def test_one_file_with_two_numbers_has_them_from_its_case():
    """As LIUM's at WMT17, which stands in one place with 26.60 and in another with 27.15."""
    firsts = []
    for lowercase in (False, True):
        number = parse_reported_score(f"{sacre(lowercase=lowercase):.2f}")
        first = which(number, HYPOTHESES, OWN).found[0]
        firsts.append((first.convention, first.settings.lowercase, first.mistakes))
    assert firsts == [("sacrebleu", False, ()), ("sacrebleu", True, ())]
