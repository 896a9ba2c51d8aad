from functools import cache

import pytest

import bleu
from bleu.explanation.exercises import quiz_questions
from bleu.learn.exercise import Exercise, Field
from bleu.learn.generation import (
    exercise_for_misconception,
    exercises,
    one_like_this,
    worksheet_variant,
)
from bleu.learn.grading import (
    ONE_MORE_DIGIT,
    answer_key,
    grade,
    where_to_look,
    worked_example,
)
from bleu.learn.hand_calculation import CORRECT, Task
from bleu.learn.kinds.claim import CLAIMS
from bleu.learn.kinds.make import failed_condition
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS, feedback, misconceptions_about
from bleu.learn.sentences import SeededRandom
from tests.learn.simulated_learners import answer_with, likeliest_methods
from tests.support.case_selection import fast_and_slow


@cache
def number_exercises(seed, topic, count, tokenizer="whitespace"):
    """Return exercises whose fields are all numbers."""
    return exercises(seed, (topic,), count, kinds=("step", "corpus", "whole"), tokenizer=tokenizer)


def exercise_of(kind, topic, seed="k"):
    return exercises(seed, (topic,), 1, kinds=(kind,))[0]


def likely_misconceptions(sheet):
    """Return the misconceptions that explain the answers best; none if slips do as well."""
    best = likeliest_methods(sheet)
    return () if "" in best else tuple(best)


def statuses(graded):
    return [verdict.status for verdict in graded.verdicts]


@pytest.mark.parametrize("topic", TOPICS[:-1])
def test_one_slip_is_one_mistake(topic):
    for seed in range(3):
        for exercise in number_exercises(str(seed), topic, 2):
            for index, _ in enumerate(exercise.fields):
                rng = SeededRandom(f"{seed}/{index}")
                answers = answer_with(exercise, CORRECT, rng, slip_index=index)
                graded = grade(exercise, answers)
                assert graded.mistakes == 1, (exercise, answers)
                assert statuses(graded)[index] == "wrong"
                others = (*graded.verdicts[:index], *graded.verdicts[index + 1 :])
                assert not any(
                    verdict.status == "wrong" and "cannot exceed 1" not in verdict.message
                    for verdict in others
                )


@pytest.mark.parametrize("topic", TOPICS[:-1])
def test_right_answers_have_no_mistakes_and_no_misconception(topic):
    for exercise in number_exercises("right", topic, 3):
        answers = answer_with(exercise, CORRECT)
        graded = grade(exercise, answers)
        assert graded.right
        assert (graded.misconception, graded.mistakes) == ("", 0)
        assert likely_misconceptions([(exercise, answers)]) == ()


def test_misconception_in_many_fields_is_one_mistake():
    exercise = number_exercises("once", "whole", 1)[0]
    for misconception in misconceptions_about("precision"):
        answers = answer_with(exercise, misconception.change)
        if answers != answer_with(exercise, CORRECT):
            assert grade(exercise, answers).mistakes == 1, misconception.name


def test_answers_may_follow_from_rounded_numbers():
    exercise = next(
        exercise
        for exercise in number_exercises("5", "whole", 20)
        if "/3" in answer_key(exercise)["p-1"] + answer_key(exercise)["p-2"]
    )
    answers = answer_key(exercise)
    for name in ("p-1", "p-2"):
        numerator, _, denominator = answers[name].partition("/")
        answers[name] = f"{int(numerator) / int(denominator or 1):.2f}"
    first, second = (float(answers[name]) for name in ("p-1", "p-2"))
    answers["gm"] = f"{(first * second) ** 0.5:.5f}"
    assert "wrong" not in statuses(grade(exercise, answers))


def test_unreadable_and_missing_answers_are_no_mistakes():
    exercise = number_exercises("1", "clipping", 1)[0]
    graded = grade(exercise, {"matched-1": "many", "total-1": " "})
    assert statuses(graded)[:3] == ["unreadable", "missing", "missing"]
    assert graded.mistakes == 0
    assert not graded.right


def test_message_on_unreadable_answer_says_what_to_type():
    exercise = number_exercises("1", "whole", 1)[0]
    for verdict in grade(exercise, dict.fromkeys(exercise.names, "abc")).verdicts:
        is_count = verdict.name.startswith(("matched", "total")) or verdict.name in {"c", "r"}
        what = "a whole number, such as 3" if is_count else "3/4, 0.75, 75 %, √(3/8) or exp(−1/4)"
        assert verdict.message == f"This is not a number. Type {what}."


def brevity_exercise():
    """Return an exercise with c = 4, r = 5 and so BP = exp(−1/4) ≈ 0.7788; c/r is 0.8."""
    task = Task(("a b c d",), (("a b c d e",),), 2)
    fields = tuple(Field(name, name, "brevity-penalty") for name in ("c", "r", "bp"))
    return Exercise("k", 0, True, "step", "brevity", task, fields, (), ("no-penalty",))


@pytest.mark.parametrize(
    ("typed", "status"),
    [("0.8", "unreadable"), ("0.78", "right"), ("0.779", "right"), ("exp(-1/4)", "right"),
     ("0.80", "wrong"), ("4/5", "wrong"), ("c", "unreadable")],
)  # fmt: skip
def test_number_that_a_mistake_also_rounds_to_needs_one_more_digit(typed, status):
    verdict = grade(brevity_exercise(), {"c": "4", "r": "5", "bp": typed}).verdicts[-1]
    assert verdict.status == status
    assert (verdict.message == ONE_MORE_DIGIT) == (typed == "0.8")


def test_exact_number_needs_no_further_digit():
    task = Task(("a b c d",), (("a b c x",),), 2)
    field = Field("p-1", "p₁", "precision-1")
    exercise = Exercise("k", 0, True, "step", "precision", task, (field,), (), ("recall",))
    for typed in ("0.75", "75 %", "3/4"):
        assert grade(exercise, {"p-1": typed}).right


def test_number_with_two_causes_names_both():
    message = grade(brevity_exercise(), {"bp": "1"}).verdicts[-1].message
    assert message == feedback(["no-penalty", "penalty-upside-down"])
    assert message.count(" Or you ") == 1


def test_penalty_of_1_is_listed_as_a_mistake():
    """A short candidate without a penalty is the commonest slip, so a teacher's list has it."""
    seen = 0
    for exercise in exercises("k", ("brevity", "whole"), 24, kinds=("step", "whole")):
        if answer_key(exercise).get("bp", "1") != "1":
            seen += 1
            assert {"no-penalty", "penalty-upside-down"} <= set(exercise.misconceptions)
            [question] = [q for q in quiz_questions([exercise]) if q.name.endswith(" bp")]
            [penalty] = [answer for answer in question.answers if answer.text == "1"]
            assert MISCONCEPTIONS["no-penalty"].sentence in penalty.feedback
    assert seen > 5


def test_impossible_number_is_never_right_and_counts_once():
    exercise = number_exercises("1", "whole", 1)[0]
    key = answer_key(exercise)
    total = int(key["total-1"])
    graded = grade(exercise, {"matched-1": f"{total + 1}", "p-1": f"{total + 1}/{total}"})
    by_name = {verdict.name: verdict for verdict in graded.verdicts}
    assert by_name["p-1"].status == "wrong"
    assert by_name["p-1"].message == "A precision cannot exceed 1: look one line up."
    assert graded.mistakes == 1
    for name, message in (
        ("p-2", "A precision cannot exceed 1: look one line up."),
        ("bp", "A brevity penalty cannot exceed 1: look one line up."),
        ("bleu", "BLEU cannot exceed 1: look one line up."),
    ):
        [verdict] = [v for v in grade(exercise, {name: "1.37"}).verdicts if v.name == name]
        assert (verdict.status, verdict.message) == ("wrong", message)
    [verdict] = [v for v in grade(exercise, {"p-2": "√3/8"}).verdicts if v.name == "p-2"]
    assert verdict.status == "unreadable"
    assert "two ways" in verdict.message


@pytest.mark.parametrize("text", ["-1", "999999", "0", "1/7", "100 %", "exp(2)"])
def test_any_number_can_be_graded(text):
    for topic in TOPICS[:-1]:
        for exercise in number_exercises("any", topic, 2):
            for name in exercise.names:
                grade(exercise, {**answer_key(exercise), name: text})
            grade(exercise, dict.fromkeys(exercise.names, text))


def test_marking_every_word_is_diagnosed_as_no_clipping():
    exercise = next(
        exercise
        for exercise in exercises("m", ("clipping",), 20, kinds=("mark",))
        if "no-clipping" in exercise.misconceptions
    )
    words = exercise.hypotheses[0].split()
    all_positions = " ".join(str(position) for position, _ in enumerate(words, 1))
    assert grade(exercise, answer_key(exercise)).right
    assert not grade(exercise, {"words": "99"}).right
    graded = grade(exercise, {"words": all_positions})
    assert not graded.right
    if set(words) <= set(exercise.references[0][0].split()):
        assert graded.misconception == "no-clipping"


def test_marks_name_a_misconception_only_if_it_gives_them():
    # cut into pieces, the text would give “the cat” alone, but the learner sees all 2-grams
    task = Task(("the cat the cat on the mat",), (("the cat is on the mat",),))
    field = Field("words", "mark the credited 2-grams", "precision-2")
    misconceptions = ("no-clipping", "distinct-only", "order-ignored")
    exercise = Exercise(
        "s", 0, True, "mark", "clipping", task, (field,), (), misconceptions, 0, "2"
    )
    for words, name in (
        ("1", ""), ("3", ""), ("2", ""), ("1 5", ""), ("1 2 3 4 5 6", ""),
        ("1 3 5 6", "no-clipping"), ("2 5 6", "order-ignored"),
    ):  # fmt: skip
        assert grade(exercise, {"words": words}).misconception == name, words


@pytest.mark.parametrize("seeds", fast_and_slow(1, [range(8), range(8, 20)]))
def test_score_is_0_if_the_mean_is_0(seeds):
    keys = [
        answer_key(exercise)
        for seed in seeds
        for exercise in exercises(str(seed), ("combination",), 5)
    ]
    assert {key["bleu"] for key in keys if "bleu" in key and key.get("gm") == "0"} == {"0"}


def test_order_is_read_in_any_spelling():
    exercise = exercise_of("order", "combination")
    answer = answer_key(exercise)["order"]
    assert grade(exercise, {"order": ", ".join(answer.lower())}).right
    assert not grade(exercise, {"order": answer[::-1]}).right


@pytest.mark.parametrize("topic", ["clipping", "precision", "combination", "brevity"])
def test_text_is_right_if_it_reaches_the_goal(topic):
    exercise = exercise_of("make", topic)
    assert grade(exercise, answer_key(exercise)).right
    for text in (exercise.hypotheses[0], "x", "? ! " * 400):
        assert not grade(exercise, {"text": text}).right


def test_hints_of_the_three_levels_differ():
    for seed in range(12):
        for exercise in exercises(str(seed), count=7):
            for name in exercise.names:
                verdicts = {v.name: v for v in grade(exercise, {name: "7/9"}).verdicts}
                hints = [where_to_look(exercise, name), worked_example(exercise, name)]
                hints.append(verdicts[name].message)
                assert all(hint[0].isupper() or hint[0] in "“(0123456789e√c" for hint in hints)
                assert len(set(hints)) == 3


@pytest.mark.parametrize(
    ("hypothesis", "gram"),
    [("cat the the dog", "the"), ("cat dog the", "dog"), ("cat the", "cat")],
    ids=["clipped", "unmatched", "credited"],
)
def test_hint_explains_a_clipped_ngram_else_an_unmatched_one(hypothesis, gram):
    task = Task((hypothesis,), (("the cat",),), 1)
    field = Field("matched-1", "credited 1-grams", "precision-1")
    exercise = Exercise("s", 0, True, "step", "clipping", task, (field,), (), ("recall",), 0)
    assert f"How often is “{gram}” in the candidate" in where_to_look(exercise, "matched-1")
    assert worked_example(exercise, "matched-1").startswith(f"“{gram}”: ")


def test_answers_of_a_neighbour_are_not_all_right():
    sheet = number_exercises("n", "whole", 6)
    variant = worksheet_variant(sheet, "B")
    assert not all(
        grade(exercise, answer_key(other)).right
        for exercise, other in zip(sheet, variant, strict=True)
    )


@pytest.mark.parametrize("name", CLAIMS)
def test_wrong_answer_to_a_claim_names_its_misconception(name):
    exercise = exercise_for_misconception(name, "c")
    claim = CLAIMS[name]
    assert set(exercise.fields[0].options) == {claim.answer, *claim.wrong_answers}
    assert grade(exercise, {"claim": claim.answer}).right
    for answer in claim.wrong_answers:
        assert grade(exercise, {"claim": answer}).misconception == name
    others = {one_like_this(exercise, number).detail for number in range(1, len(CLAIMS))}
    assert others == set(CLAIMS) - {name}


def test_new_reference_of_the_example_lowers_the_score():
    [hypothesis], [references] = (
        CLAIMS["reference-harmless"].example.hypotheses,
        CLAIMS["reference-harmless"].example.references,
    )
    before, after = (
        bleu.sentence_bleu(hypothesis, texts, max_order=2).value
        for texts in (references[:1], references)
    )
    assert 0 < after < before


def test_text_that_misses_its_goal_is_told_which_condition_fails():
    short = Task(("a b c",), (("a b c",),))
    clip = Task(("the cat on the mat",), (("the cat on the mat",),))
    for goal, task, text, condition in (
        ("short", short, "b a", "the precision of 2-grams is not 1"),
        ("short", short, "a b c", "BLEU is not less than 1"),
        ("clip", clip, "the the the the mat", "exactly one word must be replaced"),
        ("clip", clip, "the cat on the dog", "a word of the candidate is not in the reference"),
        ("repeat", clip, "the cat on the the mat", ""),
        ("repeat", short, "a b c d d", "each word of the reference still counts"),
        ("zero", short, "a b", "the words must stay the same"),
        ("zero", short, "c a b", "BLEU is not 0"),
    ):
        assert condition in failed_condition(goal, task, text)
    exercise = exercise_of("make", "brevity")
    [verdict] = grade(exercise, {"text": exercise.hypotheses[0]}).verdicts
    assert verdict.message.startswith("The goal is not reached: ")
