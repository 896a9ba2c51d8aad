import random
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
    Task(("the cat.",), (("the cat .",),), 2, "13a"),
]  # fmt: skip


def results(method):
    return [calculate_all(task, task.quantity_names(), method) for task in TASKS]


def test_a_misconception_has_a_name_a_sentence_and_a_step():
    for name, one in MISCONCEPTIONS.items():
        assert one.name == name
        assert one.topic in TOPICS
        assert one.sentence.startswith(("You ", "Two "))
        assert one.sentence.endswith(".")
        assert one.anchor in {
            *("tokens", "precision-1", "precision-2", "score", "brevity-penalty"),
            *("sums", "precisions"),
        }


def test_each_is_wrong_somewhere_and_no_two_are_the_same():
    found = {name: results(one.method) for name, one in MISCONCEPTIONS.items()}
    for one, other in combinations(found, 2):
        assert found[one] != found[other], (one, other)
    assert results(CORRECT) not in found.values()


def test_most_pairs_are_told_apart_by_more_than_one_text():
    found = {name: results(one.method) for name, one in MISCONCEPTIONS.items()}
    pairs = list(combinations(found, 2))
    twice = [
        (one, other)
        for one, other in pairs
        if sum(a != b for a, b in zip(found[one], found[other], strict=True)) > 1
    ]
    assert len(twice) > 0.9 * len(pairs)


def test_the_whole_has_all_topics():
    assert (
        len(misconceptions_about("whole"))
        == len(MISCONCEPTIONS)
        == sum(len(misconceptions_about(t)) for t in TOPICS[:-1])
    )


def test_two_mistakes_about_the_penalty_need_two_texts():
    left_out, upside_down = (
        MISCONCEPTIONS[name].method for name in ("no-penalty", "penalty-upside-down")
    )
    short, long = (Task(("a b",), (("a b c",),)), Task(("a b c",), (("a b",),)))
    assert HandCalculation(short, left_out)["bp"] == HandCalculation(short, upside_down)["bp"] == 1
    assert HandCalculation(long, left_out)["bp"] == 1 > HandCalculation(long, upside_down)["bp"]


def random_task(seed):
    rng = random.Random(seed)
    segments = rng.randint(1, 3)
    texts = [
        [" ".join(rng.choices("abc", k=rng.randint(0, 9))) for _ in range(rng.randint(2, 4))]
        for _ in range(segments)
    ]
    return Task(
        tuple(own[0] for own in texts), tuple(tuple(own[1:]) for own in texts), rng.randint(1, 4)
    )


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.filterwarnings("ignore:the references of the")
def test_the_right_way_is_that_of_the_core(seed):
    task = random_task(seed)
    score = bleu.corpus_bleu(task.hypotheses, task.references, max_order=task.max_order)
    right = HandCalculation(task)
    orders = range(1, task.max_order + 1)
    assert tuple(right[f"matched-{n}"] for n in orders) == score.matched
    assert tuple(right[f"total-{n}"] for n in orders) == score.total
    assert tuple(right[f"p-{n}"] for n in orders) == score.precisions
    assert (right["c"], right["r"]) == (score.hypothesis_length, score.reference_length)
    assert float(right["bp"]) == pytest.approx(score.brevity_penalty, rel=1e-12)
    assert float(right["gm"]) == pytest.approx(score.geometric_mean, rel=1e-12)
    assert float(right["bleu"]) == pytest.approx(score.value, rel=1e-12)
