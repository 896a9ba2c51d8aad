import hashlib
import json
import subprocess
import sys
from dataclasses import replace

import pytest

import bleu
from bleu.document.blocks import MarkableTokens
from bleu.explanation.exercises import exercise_step
from bleu.learn.drafting import ExercisePlan, draft_on_texts
from bleu.learn.exercise import KINDS, MAX_EFFORT, Exercise, Field
from bleu.learn.generation import (
    KINDS_BY_TOPIC,
    exercise_for_misconception,
    exercise_on_texts,
    exercises,
    iter_exercises,
    one_like_this,
    worksheet_variant,
)
from bleu.learn.grading import answer_key, grade
from bleu.learn.hand_calculation import HandCalculation, Task, calculate_all
from bleu.learn.hints import hint_text
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS
from bleu.learn.number_input import format_number, is_decimal, parse_number
from bleu.learn.records import as_json
from bleu.learn.rng import SeededRandom

SEEDS = [
    *(pytest.param(range(start, start + 50), id=f"{start}") for start in range(0, 200, 50)),
    *(
        pytest.param(range(start, start + 600), id=f"{start}", marks=pytest.mark.slow)
        for start in range(200, 2_000, 600)
    ),
]
"""The ranges of 2,000 seeds: 200 of them in the fast tests."""

FROZEN = {
    "7k2q": "d791f1fae71a3382",
    "1": "103224aa0e0edfc1",
    "größer": "b470acd540e99996",
}
"""What the exercises of a seed are, as a digest: with a change of these, VERSION is raised."""


def plain(exercise):
    """An exercise as a value to compare, without what may be said in other words."""
    told = as_json(exercise)
    kept = ("kind", "topic", "hypotheses", "references", "max_order", "misconceptions", "detail")
    return [told[name] for name in kept] + [[one["answer"] for one in told["fields"]]]


def one_of(seed):
    """One exercise of a seed: every topic and kind has its turn, by hand or not."""
    topic = TOPICS[seed % len(TOPICS)]
    return exercises(
        str(seed), (topic,), 1, max_order=2 + seed % 3, by_hand=bool(seed % 2),
        tokenizer="13a" if seed % 5 == 0 else "whitespace",
    )[0]  # fmt: skip


def test_on_its_own_texts_an_exercise_stays_and_on_others_its_key_is_right():
    made = 0
    for seed in range(60):
        exercise = one_of(seed)
        same = exercise_on_texts(exercise, exercise.hypotheses, exercise.references)
        assert (same.task, same.names) == (exercise.task, exercise.names)
        assert same.misconceptions[0] == exercise.misconceptions[0]
        other = one_like_this(exercise).task
        try:
            new = exercise_on_texts(exercise, other.hypotheses, other.references)
        except ValueError:
            continue
        made += 1
        assert new.task == other
        assert new.effort <= MAX_EFFORT[new.by_hand]
        assert grade(new, answer_key(new)).right
        assert exercise_step(new)
    assert made > 50


def test_translations_to_be_ranked_have_one_reference_and_effort_has_its_bound():
    ranked = exercises("1", ("combination",), 1, kinds=("order",))[0]
    with pytest.raises(ValueError, match="need the same reference"):
        exercise_on_texts(ranked, ["a b", "a c", "b c"], [["a b"], ["a b"], ["b a"]])
    long = " ".join("abcdefghijkl")
    whole = exercises("1", ("whole",), 1, kinds=("whole",), max_order=4)[0]
    with pytest.raises(ValueError, match="comparisons and sums, and an exercise has at most 90"):
        exercise_on_texts(whole, [long.replace("l", "k")], [[long, long, f"{long[:21]} x"]])


@pytest.mark.host
@pytest.mark.parametrize("seeds", SEEDS)
def test_the_key_is_that_of_the_core_and_of_nltk(seeds):
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    compared = 0
    for seed in seeds:
        exercise = one_of(seed)
        assert exercise.effort <= MAX_EFFORT[exercise.by_hand]
        assert all(name in MISCONCEPTIONS for name in exercise.misconceptions)
        told = as_json(exercise)
        texts = (told["hypotheses"], told["references"])
        if "bleu" not in told["answer"]:
            continue
        settings = {"max_order": told["max_order"], "tokenizer": told["tokenizer"]}
        score = bleu.corpus_bleu(*texts, **settings)
        right = HandCalculation(exercise.task)
        assert told["answer"]["bleu"] == score.value
        assert float(right["bleu"]) == pytest.approx(score.value, rel=1e-12)
        assert told["answer"]["matched"] == list(score.matched)
        assert told["answer"]["brevity_penalty"] == pytest.approx(float(right["bp"]))
        if score.value and told["tokenizer"] == "whitespace":
            n = told["max_order"]
            theirs = bleu_score.corpus_bleu(
                [[other.split() for other in own] for own in texts[1]],
                [own.split() for own in texts[0]],
                weights=(1 / n,) * n,
            )
            assert score.value == pytest.approx(theirs, rel=1e-12)
            compared += 1
    assert compared > len(seeds) / 4


@pytest.mark.parametrize("seed", range(40))
def test_the_key_is_right_and_the_target_wrong(seed):
    exercise = one_of(seed)
    assert grade(exercise, answer_key(exercise)).right
    target = MISCONCEPTIONS[exercise.misconceptions[0]]
    if exercise.kind in {"step", "whole", "corpus", "bet"}:
        wrong = calculate_all(exercise.task, exercise.names, target.method, exercise.given_values)
        marked = grade(exercise, {name: format_number(value) for name, value in wrong.items()})
        assert marked.misconception == target.name
        assert marked.mistakes == 1
        options = exercise.fields[0].options
        if options:
            assert len(set(options)) == len(options) >= 3
            assert any(parse_number(option).is_near(wrong[exercise.names[0]]) for option in options)


@pytest.mark.parametrize("seed", FROZEN)
def test_a_seed_gives_the_same_exercises_for_ever(seed):
    found = json.dumps([plain(one) for one in exercises(seed, count=14)])
    assert hashlib.sha256(found.encode()).hexdigest()[:16] == FROZEN[seed]


def test_one_seed_in_full():
    first = exercises("7k2q", ("clipping", "brevity"), 2)
    assert [plain(one) for one in first] == [
        [
            "step",
            "clipping",
            ["he put the cup shelf the"],
            [["he put the cup beside the shelf"]],
            2,
            ["distinct-only", "recall", "c-for-every-order", "order-ignored", "cut-into-pieces"],
            "",
            ["6", "6", "1", "3", "5", "3/5"],
        ],
        [
            "setting",
            "brevity",
            ["we lake the over over the lake"],
            [["we saw the moon over the lake", "we saw the sun over the lake now"]],
            2,
            ["longest-reference"],
            "BP = exp(−1/7)",
            ["the longest reference"],
        ],
    ]


def test_an_exercise_does_not_depend_on_how_many_there_are():
    assert exercises("a", count=9)[:4] == exercises("a", count=4)
    assert exercises("a") != exercises("b")


@pytest.mark.parametrize(
    ("topic", "kind"), [(t, k) for t, kinds in KINDS_BY_TOPIC.items() for k in kinds]
)
def test_there_are_exercises_of_every_kind(topic, kind):
    found = exercises("kinds", (topic,), 4, kinds=(kind,))
    assert {(one.topic, one.kind) for one in found} == {(topic, kind)}
    assert {kind for kinds in KINDS_BY_TOPIC.values() for kind in kinds} == set(KINDS)


def test_another_like_it_and_a_neighbour_s_sheet():
    chosen = exercises("n", count=7)
    for letter in "BCD":
        other = worksheet_variant(chosen, letter)
        for one, two in zip(chosen, other, strict=True):
            assert (one.kind, one.topic, one.misconceptions[0]) == (
                two.kind,
                two.topic,
                two.misconceptions[0],
            )
            assert one.task != two.task
    assert worksheet_variant(chosen, "A") == chosen
    assert one_like_this(chosen[0]) == one_like_this(chosen[0]) != chosen[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": ""}, "the seed is ''"),
        ({"seed": "x" * 41}, "1 to 40"),
        ({"seed": "a\nb"}, "printable"),
        ({"topics": ("clip",)}, "there is no topic 'clip'; choose from tokens, clipping"),
        ({"topics": "clipping"}, "there is no topic 'clipping'; choose"),
        ({"kinds": ("quiz",)}, "there is no kind 'quiz'; choose from bet, mark"),
        ({"count": 0}, "count is 0; choose 1 to 100"),
        ({"count": 101}, "count is 101"),
        ({"max_order": 1}, "max_order is 1; choose from 2, 3, 4"),
        ({"tokenizer": "zh"}, "no tokenizer 'zh' here"),
        ({"topics": ("tokens",), "kinds": ("order",)}, "no exercise of kind order on tokens"),
    ],
)
def test_what_there_is_not_is_refused_with_the_choices(arguments, message):
    with pytest.raises(ValueError, match=message):
        exercises(**{"seed": "1", **arguments})


@pytest.mark.host
def test_who_asks_for_no_exercise_does_not_wait_for_them():
    code = "import bleu, sys; print([name for name in sys.modules if 'learn' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_public_names_come_when_asked_for():
    assert bleu.exercises is exercises
    assert bleu.grade is grade
    assert bleu.MISCONCEPTIONS is MISCONCEPTIONS
    assert bleu.one_like_this is one_like_this
    with pytest.raises(AttributeError, match="no attribute 'exercise'"):
        bleu.exercise  # noqa: B018


@pytest.mark.parametrize("name", MISCONCEPTIONS)
def test_an_exercise_can_be_aimed_at_every_mistake(name):
    tokenizer = "13a" if name == "punctuation-kept" else "whitespace"
    exercise = exercise_for_misconception(name, "aim", 3, tokenizer=tokenizer)
    assert exercise.misconceptions[0] == name
    assert exercise.topic == MISCONCEPTIONS[name].topic
    assert exercise == exercise_for_misconception(name, "aim", 3, tokenizer=tokenizer)
    assert grade(exercise, answer_key(exercise)).right


def test_what_no_exercise_can_be_aimed_at_is_named():
    with pytest.raises(ValueError, match="the misconception is 'luck'; choose from"):
        exercise_for_misconception("luck", "1")
    with pytest.raises(ValueError, match="no exercise can target punctuation-kept"):
        exercise_for_misconception("punctuation-kept", "1")
    with pytest.raises(ValueError, match="the seed is ''"):
        exercise_for_misconception("recall", "")


def test_exercises_come_one_by_one_and_are_the_same():
    options = {"max_order": 3, "by_hand": False}
    found = iter_exercises("one", ("clipping",), 3, **options)
    assert tuple(found) == exercises("one", ("clipping",), 3, **options)


def test_n_grams_of_any_order_can_be_marked():
    task = Task(("the cat the cat on the mat",), (("the cat is on the mat",),), 2)
    for n, right in ((1, "1 2 3 5 7"), (2, "1 5 6"), (3, "5")):
        field = Field("words", f"mark the credited {n}-grams", f"precision-{n}")
        exercise = Exercise(
            "s", 0, True, "mark", "clipping", task, (field,), (), ("no-clipping",), 0, str(n)
        )
        assert answer_key(exercise) == {"words": right}
        assert grade(exercise, {"words": right}).right
        assert not grade(exercise, {"words": f"{right} 4"}).right
        assert f"{n}-gram" in "".join(map(str, exercise_step(exercise).blocks))
        [marking] = (
            one for one in exercise_step(exercise).blocks if isinstance(one, MarkableTokens)
        )
        kinds = enumerate(marking.tokens.kinds, 1)
        assert " ".join(str(at) for at, kind in kinds if kind == "credited") == right
        assert "“" in hint_text(exercise, "words", "4", 3)


def test_a_bet_by_hand_has_the_number_of_its_mistake_or_is_none():
    texts = ("it rained all day long", "she saw the dog")
    task = Task(texts, (("it rained all day long",), ("she saw the boat",)))
    target = MISCONCEPTIONS["mean-of-scores"]
    by_hand = ExercisePlan("bet", "corpus", target, 2, True, "whitespace")
    assert (
        draft_on_texts(SeededRandom("1"), by_hand, task) is None
    )  # half of 1 + √(1/2) has no easy form
    found = draft_on_texts(SeededRandom("1"), replace(by_hand, by_hand=False), task)
    assert format_number(HandCalculation(task, target.method)["bleu"]) in found.fields[0].options
    easy = draft_on_texts(
        SeededRandom("1"), replace(by_hand, target=MISCONCEPTIONS["mean-of-precisions"]), task
    )
    assert not any(is_decimal(parse_number(option).value) for option in easy.fields[0].options)
