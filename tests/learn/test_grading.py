from functools import cache

import pytest

from bleu.learn.exercise import Exercise, Field
from bleu.learn.generation import exercises, worksheet_variant
from bleu.learn.grading import answer_key, grade, likely_misconceptions
from bleu.learn.hand_calculation import CORRECT, Task
from bleu.learn.hints import hint_text
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS, misconceptions_about
from bleu.learn.rng import SeededRandom
from tests.learn.sheets import answered

ITEMS = {"brevity": 12}
"""How many exercises are on a sheet, where it is not eight."""


@cache
def of_numbers(seed, topic, count, tokenizer="whitespace"):
    """Exercises whose every field is a number to fill in."""
    return exercises(seed, (topic,), count, kinds=("step", "corpus", "whole"), tokenizer=tokenizer)


def named_rightly(name, seeds):
    """The share of simulated sheets, with a slip in every tenth field, that are named rightly."""
    one, found = MISCONCEPTIONS[name], 0
    tokenizer = "13a" if name == "punctuation-kept" else "whitespace"
    for seed in seeds:
        chance = SeededRandom(f"{name}/{seed}")
        sheet = [
            (exercise, answered(exercise, one.method, chance, slips=10))
            for exercise in of_numbers(str(seed), one.topic, ITEMS.get(one.topic, 8), tokenizer)
        ]
        found += likely_misconceptions(sheet) == (name,)
    return found / len(seeds)


@pytest.mark.parametrize("name", MISCONCEPTIONS)
def test_a_misconception_is_named_in_spite_of_slips(name):
    assert named_rightly(name, range(4)) >= 0.75


@pytest.mark.slow
@pytest.mark.parametrize("name", MISCONCEPTIONS)
def test_it_is_named_in_95_percent_of_sheets(name):
    assert named_rightly(name, range(20)) >= 0.95


@pytest.mark.parametrize("topic", TOPICS)
def test_no_slip_is_punished_twice(topic):
    for seed in range(3):
        for exercise in of_numbers(str(seed), topic, 2):
            for place, _ in enumerate(exercise.fields):
                chance = SeededRandom(f"{seed}/{place}")
                answers = answered(exercise, CORRECT, chance, at=place)
                marked = grade(exercise, answers)
                statuses = [verdict.status for verdict in marked.verdicts]
                assert marked.mistakes == 1, (exercise, answers)
                assert statuses.count("wrong") == 1
                assert statuses[place] == "wrong"


@pytest.mark.parametrize("topic", TOPICS)
def test_right_answers_are_right_and_nothing_is_named(topic):
    for exercise in of_numbers("right", topic, 3):
        marked = grade(exercise, answered(exercise, CORRECT))
        assert marked.right
        assert (marked.misconception, marked.mistakes) == ("", 0)
        assert likely_misconceptions([(exercise, answered(exercise, CORRECT))]) == ()


def test_a_mistake_in_many_fields_counts_once():
    exercise = of_numbers("once", "whole", 1)[0]
    for one in misconceptions_about("precision"):
        answers = answered(exercise, one.method)
        if answers != answered(exercise, CORRECT):
            marked = grade(exercise, answers)
            assert marked.mistakes == 1, one.name


def test_what_follows_is_worked_out_from_rounded_numbers_too():
    exercise = next(
        one
        for one in of_numbers("5", "whole", 20)
        if "/3" in answer_key(one)["p-1"] + answer_key(one)["p-2"]
    )
    answers = answer_key(exercise)
    for name in ("p-1", "p-2"):
        above, _, below = answers[name].partition("/")
        answers[name] = f"{int(above) / int(below or 1):.2f}"
    first, second = (float(answers[name]) for name in ("p-1", "p-2"))
    answers["gm"] = f"{(first * second) ** 0.5:.5f}"
    assert all(verdict.status != "wrong" for verdict in grade(exercise, answers).verdicts)


def test_empty_and_unreadable_fields_are_told_apart():
    exercise = of_numbers("1", "clipping", 1)[0]
    marked = grade(exercise, {"matched-1": "many", "total-1": " "})
    assert [verdict.status for verdict in marked.verdicts][:3] == [
        "unreadable",
        "missing",
        "missing",
    ]
    assert marked.verdicts[0].message == ("This is not a number. Type a whole number, such as 3.")
    assert marked.mistakes == 0
    assert not marked.right


def test_what_to_type_instead_is_said_of_each_kind_of_field():
    exercise = of_numbers("1", "whole", 1)[0]
    for verdict in grade(exercise, dict.fromkeys(exercise.names, "abc")).verdicts:
        count = verdict.name.startswith(("matched", "total")) or verdict.name in {"c", "r"}
        what = "a whole number, such as 3" if count else "a number such as 3/4, 0.75 or 75 %"
        assert verdict.message == f"This is not a number. Type {what}."


@pytest.mark.parametrize("text", ["-1", "999999", "0", "1/7", "100 %", "exp(2)"])
def test_any_number_can_be_marked(text):
    for topic in TOPICS:
        for exercise in of_numbers("any", topic, 2):
            for name in exercise.names:
                grade(exercise, {**answer_key(exercise), name: text})
            grade(exercise, dict.fromkeys(exercise.names, text))


def of_kind(kind, topic, seed="k"):
    return exercises(seed, (topic,), 1, kinds=(kind,))[0]


def test_marked_words_are_right_whichever_occurrence_is_marked():
    exercise = next(
        one for one in exercises("m", ("clipping",), 20, kinds=("mark",))
        if "no-clipping" in one.misconceptions
    )  # fmt: skip
    words = exercise.task.hypotheses[0].split()
    everything = " ".join(str(place) for place, _ in enumerate(words, 1))
    assert grade(exercise, answer_key(exercise)).right
    assert not grade(exercise, {"words": "99"}).right
    marked = grade(exercise, {"words": everything})
    assert not marked.right
    if set(words) <= set(exercise.task.references[0][0].split()):
        assert marked.misconception == "no-clipping"


def test_marks_name_a_mistake_only_if_it_gives_them():
    """Pieces cut from the text would be credited “the cat” alone, but no piece is on the screen."""
    task = Task(("the cat the cat on the mat",), (("the cat is on the mat",),))
    field = Field("words", "mark the credited 2-grams", "precision-2")
    wrong = ("no-clipping", "distinct-only", "order-ignored")
    exercise = Exercise("s", 0, True, "mark", "clipping", task, (field,), (), wrong, 0, "2")
    for marked, named in (
        ("1", ""), ("3", ""), ("2", ""), ("1 5", ""), ("1 2 3 4 5 6", ""),
        ("1 3 5 6", "no-clipping"), ("2 5 6", "order-ignored"),
    ):  # fmt: skip
        assert grade(exercise, {"words": marked}).misconception == named, marked
        assert likely_misconceptions([(exercise, {"words": marked})]) == ((named,) if named else ())


def test_where_the_mean_is_0_the_answer_is_0():
    found = (answer_key(one) for seed in range(20) for one in exercises(str(seed), ("whole",), 3))
    zeros = [one["bleu"] for one in found if one.get("gm") == "0"]
    assert zeros
    assert set(zeros) == {"0"}


def test_an_order_is_read_in_any_spelling_and_a_wrong_one_is_named():
    exercise = of_kind("order", "combination")
    answer = answer_key(exercise)["order"]
    assert grade(exercise, {"order": ", ".join(answer.lower())}).right
    assert not grade(exercise, {"order": answer[::-1]}).right


@pytest.mark.parametrize("topic", ["clipping", "precision", "combination", "brevity"])
def test_a_text_is_right_where_it_reaches_the_goal(topic):
    exercise = of_kind("make", topic)
    assert grade(exercise, answer_key(exercise)).right
    for text in (exercise.task.hypotheses[0], "x", "? ! " * 400):
        assert not grade(exercise, {"text": text}).right


def test_help_comes_in_three_levels():
    for seed in range(12):
        for exercise in exercises(str(seed), count=7):
            for field in exercise.fields:
                texts = [hint_text(exercise, field.name, "7/9", level) for level in (1, 2, 3)]
                assert all(
                    (text and text[0].isupper()) or text[0] in "“(0123456789e√c" for text in texts
                )
                assert len(set(texts)) == 3
    with pytest.raises(ValueError, match="level is 4; choose 1, 2 or 3"):
        hint_text(exercise, field.name, "", 4)
    with pytest.raises(KeyError):
        hint_text(exercise, "nothing", "", 2)


def test_a_neighbour_s_answers_are_mostly_wrong():
    chosen = of_numbers("n", "whole", 6)
    other = worksheet_variant(chosen, "B")
    rights = [grade(one, answer_key(two)).right for one, two in zip(chosen, other, strict=True)]
    assert not all(rights)
