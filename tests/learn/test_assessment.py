"""Learners' functions: right ones pass however they are called, and wrong ones are named."""

import math
from collections import Counter

import pytest

import bleu
from bleu import MISCONCEPTIONS, assess
from bleu.learn.cases import tasks
from bleu.learn.hand_calculation import HandCalculation, Task
from tests.learn.independent_scorers import WRONG_SCORERS, Scorer
from tests.support.case_selection import fast_and_slow

CORPUS_ONLY = {name for name, known in MISCONCEPTIONS.items() if known.topic == "corpus"}
RIGHT_HERE = {"punctuation-kept"}  # Texts are split at white space.


def sentence_function(scorer):
    """Return a function of a candidate's tokens and those of its references."""

    def function(candidate, references):
        texts = [" ".join(tokens) for tokens in references]
        return scorer([(" ".join(candidate), texts)], 4).value("bleu", {}) if candidate else 0.0

    return function


def corpus_function(scorer):
    """Return a function of lists of references and of candidates, both text, from 0 to 100."""

    def function(references, candidates):
        print("this is dropped")
        segments = list(zip(candidates, references, strict=True))
        if candidates == [""]:
            return 0
        return 100 * scorer(segments, 4).value("bleu", {})

    return function


@pytest.mark.parametrize("make", [sentence_function, corpus_function])
def test_right_function_passes(make, capsys):
    assessment = assess(make(Scorer))
    assert assessment.passed
    assert not assessment.misconceptions
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", fast_and_slow(12, sorted(set(WRONG_SCORERS) - RIGHT_HERE)))
def test_wrong_scorers_are_named(name):
    is_corpus = name in CORPUS_ONLY or len(name) % 2
    make = corpus_function if is_corpus else sentence_function
    assessment = assess(make(WRONG_SCORERS[name]))
    assert assessment.misconceptions == (name,)
    assert MISCONCEPTIONS[name].sentence in str(assessment)
    assert not assessment.passed


def test_one_decimal_passes_on_the_scale_of_100_alone():
    right = corpus_function(Scorer)
    assert assess(lambda references, candidates: round(right(references, candidates), 1)).passed
    rounded = assess(lambda refs, candidates: round(right(refs, candidates) / 100, 1))
    assert not rounded.passed


def test_calls_of_other_libraries_are_found_out():
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    sacrebleu = pytest.importorskip("sacrebleu")
    assessment = assess(nltk.sentence_bleu)  # NLTK warns of counts of 0, which is not shown.
    assert assessment.passed
    assert str(assessment.style).startswith("f(references, candidate) of tokens")
    assessment = assess(
        lambda text, texts: sacrebleu.sentence_bleu(text, texts).score,
        convention="sacrebleu-sentence",
    )
    assert assessment.passed
    assert str(assessment.style) == "f(candidate, references) of text, on the 0–100 scale"


def grams(tokens, n):
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def as_in_submissions(*, clip=True, root=True, shortest=False, penalty=True, smooth=0, orders=4):
    """Return BLEU as a student writes it, with some of it wrong."""

    def my_bleu(candidate, references):
        product = 1.0
        for n in range(1, orders + 1):
            counts = Counter(grams(candidate, n))
            matches = 0
            for gram, count in counts.items():
                most = max(grams(reference, n).count(gram) for reference in references)
                matches += min(count, most) if clip else count * (most > 0)
            if not matches and (n == 1 or not smooth):
                return 0.0
            product *= (matches or smooth) / max(1, sum(counts.values()))
        closest = min((abs(len(text) - len(candidate)), len(text)) for text in references)[1]
        if shortest:
            closest = min(map(len, references))
        factor = math.exp(min(0, 1 - closest / len(candidate))) if penalty else 1
        return factor * (product ** (1 / orders) if root else product)

    return my_bleu


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"clip": False}, ("no-clipping",)),
        ({"root": False}, ("no-root",)),
        ({"shortest": True}, ("shortest-reference",)),
        ({"penalty": False}, ("no-penalty",)),
        ({"clip": False, "penalty": False}, ("no-clipping", "no-penalty")),
        ({"root": False, "shortest": True}, ("no-root", "shortest-reference")),
        ({}, ()),
    ],
)
def test_submissions_with_up_to_two_mistakes_are_named(wrong, names):
    assessment = assess(as_in_submissions(**wrong))
    assert assessment.misconceptions == names
    assert assessment.passed == (not wrong)


def test_smoothing_and_exceptions_are_told_from_mistakes():
    smoothed = assess(as_in_submissions(smooth=0.1))
    assert not smoothed.misconceptions
    assert "with smoothing floor" in smoothed.explanation
    assert assess(as_in_submissions(smooth=0.1), smoothing="floor").cases[-1].agrees
    other_order = assess(as_in_submissions(orders=2), max_order=2)
    assert other_order.passed

    def fails_on_empty(candidate, references):
        return as_in_submissions()(candidate, references) / (1 if candidate else 0)

    assessment = assess(fails_on_empty)
    failing = [case for case in assessment.cases if not case.agrees]
    assert [case.hypotheses for case in failing] == [("",)]
    assert assessment.passed
    assert assessment.remark == "It fails on an empty candidate; return 0 there."
    assert not assessment.explanation
    assert "fails: ZeroDivisionError" in str(assessment)


def test_functions_without_numbers_are_refused():
    functions = {"it stops with ValueError": lambda *_: "x", "it returned nan": lambda *_: math.nan}
    functions["it stops with ZeroDivisionError: division by zero"] = lambda *_: 1 / 0
    functions["it returned None, so its last line needs a return"] = lambda *_: None
    for error, function in functions.items():
        with pytest.raises(ValueError, match=f"gives no number, because {error}.*; give a"):
            assess(function)
    with pytest.raises(TypeError, match="function has type float"):
        assess(0.5)
    assert not assess(lambda *_: 0.5).passed


def test_every_two_misconceptions_are_told_apart():
    """Each misconception has another score than any other, and than the right one, in a case."""
    cases = tasks(bleu.Settings())
    seen = {}
    for name, known in MISCONCEPTIONS.items():
        if known.topic == "trust":
            continue
        task_scores = tuple(round(float(_value(case, known.change)), 9) for case in cases)
        assert task_scores not in seen, (name, seen.get(task_scores))
        seen[task_scores] = name


def _value(case, method):
    return HandCalculation(Task(case.hypotheses, case.references, 4), method)["bleu"]
