"""Tests of the cost of words that are lost, cut off or too many, by a system's own precision."""

import random

import pytest

import bleu
from bleu.checkup.changes import Change, Proof, ScoredRows
from bleu.checkup.respelling import (
    Precision,
    complete,
    cut_long,
    detect_spacing,
    restore_words,
)
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from tests.checkup.test_checkup import REFERENCES, SYSTEM, check

SACREBLEU = convention_settings("sacrebleu")
ROWS = [[line] for line in REFERENCES]
SCORE = bleu.corpus_bleu(SYSTEM, ROWS, SACREBLEU).value


def spoil(change, seed=1):
    """Return the lines of the system, changed by a function of a generator and a line."""
    rng = random.Random(seed)
    return [change(rng, line) for line in SYSTEM]


def add_sentence(rng, line):
    words = rng.choice(SYSTEM).split()
    return " ".join([line, *words[-rng.choice([3, 8, 14]) :]])


def lose_words(rng, line):
    return " ".join("UNK" if rng.random() < 0.15 else word for word in line.split())


@pytest.mark.parametrize(
    ("change", "name", "margin"),
    [
        (lose_words, "lost-words", 0.25),
        (lambda _, line: " ".join(line.split()[:7]).rstrip(".,"), "truncated", 0.3),
        (lambda rng, line: " ".join([line, *rng.sample(SYSTEM, 2)]), "overlong", 0.3),
        (add_sentence, "overlong", 0.1),
        (lambda _, line: " ".join(f"{word} {word}" for word in line.split()), "repetition", 0.1),
    ],
    ids=["lost words", "cut", "long", "one more sentence", "doubled"],
)
def test_cost_is_what_the_system_would_have_scored(change, name, margin):
    hypotheses = spoil(change)
    found = next(each for each in check(hypotheses) if each.name == name)
    cost = SCORE - bleu.corpus_bleu(hypotheses, ROWS, SACREBLEU).value
    assert found.cost == pytest.approx(cost, rel=margin)


def test_precision_counts_words_after_right_and_after_wrong_ones():
    pairs = [("a b c d", "a b x d"), ("a b c", "a b c")]
    precision = Precision.of_pairs(pairs, lambda _: False)
    # After a right word: b, c wrong, b, c; after a wrong word: d; and one right of one each before.
    assert precision == Precision((1 + 3) / (1 + 4), (1 + 1) / (1 + 1))


def test_restored_words_are_as_often_wrong_as_those_of_the_system():
    words = [f"word{k}" for k in range(2000)]
    thinned = Precision(0.9, 0.5).thin(words, "seed")
    right = sum(map(str.__eq__, words, thinned)) / len(words)
    assert right == pytest.approx(0.5 / 0.6, abs=0.03)  # The stationary share of the chain
    assert restore_words("a <unk> sat", "a cat sat", "<unk>".__eq__, Precision(0, 0)) != "a cat sat"
    assert complete("a cat", "the cat sat on", Precision()) == "a cat sat on"
    assert cut_long("a cat sat", "the cat sat", 1) == "a cat sat"


def test_longer_translation_has_no_more_spaces():
    hypotheses = [f"{line} {line.split()[3]} indeed" for line in SYSTEM]
    for texts, count in ((hypotheses, 0), ([line.replace("a", " ") for line in SYSTEM], 1)):
        rows = run_to_end(ScoredRows.count(list(zip(texts, ROWS, strict=True)), SACREBLEU))
        assert sum(change is not None for change in detect_spacing(rows)) == count


def test_wrong_words_in_place_of_lost_ones_count_in_all_lines():
    """Without the lines that they make worse, what is lost would cost too little."""
    rows = [(text, ["a cat sat on a mat"]) for text in ("a cat", "a cat sat")]
    lines = {0, 1}

    def undo(text, _):
        return "a cat sat w1 w2 w3"

    change = Change("truncated", "", "hypotheses", undo, Proof.MEASURED, lines=lines)
    trial = run_to_end(run_to_end(ScoredRows.count(rows, SACREBLEU)).undo(change))
    assert set(trial.rows) == lines
    assert trial.worse


def test_few_complete_lines_do_not_tell_how_lines_end():
    """If nearly all lines are cut, those that are long enough are short ones without a mark."""
    cut = [" ".join(line.split()[: len(line.split()) // 2]).rstrip(".,") for line in REFERENCES]
    cut[:3] = (line.rstrip(".") for line in REFERENCES[:3])
    assert check(cut)[0].claim.endswith(
        "end in the middle of a sentence, far shorter than expected."
    )
