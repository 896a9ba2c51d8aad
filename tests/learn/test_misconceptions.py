import random
from functools import cache
from itertools import combinations

import pytest

import bleu
from bleu.learn.hand_calculation import CORRECT, HandCalculation, Task, calculate_all
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS, misconceptions_about

TASKS = [
    Task(("the the the cat",), (("the cat the", "a cat the the"),)),
    Task(("the cat sat on a",), (("a cat sat on the mat",),)),
    Task(("a b c d e f",), (("a b c d e", "a b c d x e f g h"),)),
    Task(("x b a y",), (("a b c d",),)),
    Task(("a a c b",), (("a b d", "b e d"),)),
    Task(("The cat, the mat.",), (("the cat the mat.", "the cat , the mat"),)),
    Task(("cat the mat the",), (("the cat", "the mat on cat the", "cat the mat the rug on"),)),
    Task(("a b c d e",), (("a b c d", "a b c d e f", "a b c d e f g h"),)),
    Task(("a b x", "c d e f"), (("a b c",), ("c d e f g h",))),
    Task(("a b a b", "c"), (("a b c b a",), ("c d",))),
    Task(("a b c d",), (("a b c d e f", "a b c", "a b c d e f g h"),)),
    Task(("the cat.",), (("the cat .",),), 2, "13a"),
]  # fmt: skip


COMPUTATIONS = {name: wrong for name, wrong in MISCONCEPTIONS.items() if wrong.topic != "trust"}
"""The misconceptions that give other numbers."""


@cache
def results(method):
    return [calculate_all(task, task.quantity_names(), method) for task in TASKS]


def test_misconception_has_a_topic_a_sentence_and_a_step():
    for name, misconception in MISCONCEPTIONS.items():
        assert misconception.name == name
        assert misconception.topic in TOPICS
        for part in (misconception.mistake, misconception.rule):
            assert not {"you", "your"} & {*part.split()}
            assert part.rstrip(".;") == part.strip()
        assert misconception.anchor in {
            *("tokens", "precision-1", "precision-2", "score", "brevity-penalty"),
            *("sums", "precisions"),
        }


def test_sentence_on_dropped_punctuation():
    assert MISCONCEPTIONS["punctuation-dropped"].sentence.endswith(
        "a word with a punctuation mark is a different token from the word alone."
    )


def test_methods_differ_from_the_correct_one_and_from_each_other():
    by_name = {name: results(wrong.change) for name, wrong in COMPUTATIONS.items()}
    for first, second in combinations(by_name, 2):
        assert by_name[first] != by_name[second], (first, second)
    assert results(CORRECT) not in by_name.values()


def test_most_pairs_of_misconceptions_differ_on_several_texts():
    pairs = list(combinations(COMPUTATIONS.values(), 2))
    differ_often = [
        sum(a != b for a, b in zip(results(first.change), results(second.change), strict=True)) > 1
        for first, second in pairs
    ]
    assert sum(differ_often) > 0.9 * len(pairs)


def test_topic_whole_has_all_misconceptions():
    assert misconceptions_about("whole") == tuple(MISCONCEPTIONS.values())
    assert len(MISCONCEPTIONS) == sum(
        len(misconceptions_about(topic)) for topic in TOPICS if topic != "whole"
    )


def test_two_misconceptions_about_the_penalty_differ_only_on_long_candidates():
    no_penalty, upside_down = (
        MISCONCEPTIONS[name].change for name in ("no-penalty", "penalty-upside-down")
    )
    short, long = (Task(("a b",), (("a b c",),)), Task(("a b c",), (("a b",),)))
    assert HandCalculation(short, no_penalty)["bp"] == HandCalculation(short, upside_down)["bp"]
    assert HandCalculation(long, no_penalty)["bp"] == 1 > HandCalculation(long, upside_down)["bp"]


def random_task(seed):
    rng = random.Random(seed)
    segment_count = rng.randint(1, 3)
    segments = [
        [" ".join(rng.choices("abc", k=rng.randint(0, 9))) for _ in range(rng.randint(2, 4))]
        for _ in range(segment_count)
    ]
    return Task(
        tuple(texts[0] for texts in segments),
        tuple(tuple(texts[1:]) for texts in segments),
        rng.randint(1, 4),
    )


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.filterwarnings("ignore:the references of the")
def test_correct_method_agrees_with_the_core(seed):
    task = random_task(seed)
    score = bleu.corpus_bleu(task.hypotheses, task.references, max_order=task.max_order)
    calculation = HandCalculation(task)
    orders = range(1, task.max_order + 1)
    assert tuple(calculation[f"matched-{n}"] for n in orders) == score.matched
    assert tuple(calculation[f"total-{n}"] for n in orders) == score.total
    assert tuple(calculation[f"p-{n}"] for n in orders) == score.precisions
    assert (calculation["c"], calculation["r"]) == (score.hypothesis_length, score.reference_length)
    assert float(calculation["bp"]) == pytest.approx(score.brevity_penalty, rel=1e-12)
    assert float(calculation["gm"]) == pytest.approx(score.geometric_mean, rel=1e-12)
    assert float(calculation["bleu"]) == pytest.approx(score.value, rel=1e-12)
