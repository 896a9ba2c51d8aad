import ast
import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import bleu
from bleu.document.blocks import MarkableTokens
from bleu.explanation.exercises import exercise_step
from bleu.learn.exercise import MAX_EFFORT, Exercise, Field
from bleu.learn.generation import (
    exercise_for_misconception,
    exercise_on_texts,
    exercises,
    iter_exercises,
    one_like_this,
    worksheet_variant,
)
from bleu.learn.grading import answer_key, as_json, grade, worked_example
from bleu.learn.hand_calculation import HandCalculation, Task, calculate_all
from bleu.learn.kinds import KINDS, KINDS_BY_TOPIC
from bleu.learn.kinds.bet import BET
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS
from bleu.learn.number_input import format_number, is_decimal, parse_number
from bleu.learn.sentences import (
    LEADING_WORDS,
    PATTERNS,
    SeededRandom,
    random_edits,
    random_sentence,
)
from tests.support.case_selection import fast_and_slow

SEEDS = [
    *(pytest.param(range(start, start + 50), id=f"{start}") for start in range(0, 200, 50)),
    *(
        pytest.param(range(start, start + 200), id=f"{start}", marks=pytest.mark.slow)
        for start in range(200, 800, 200)
    ),
]
"""The ranges of 800 seeds: 200 of them in the fast tests."""

DIGESTS = {
    "7k2q": "1d6285741052c1f3",
    "1": "e0b79596a497813f",
    "größer": "73a66b1de0dcd25f",
}
"""By seed: the digest of its exercises. If one must change, raise VERSION."""


def content(exercise):
    """Return what defines an exercise, without any wording."""
    data = as_json(exercise)
    keys = ("kind", "topic", "hypotheses", "references", "max_order", "misconceptions", "detail")
    return [*(data[key] for key in keys), [field["answer"] for field in data["fields"]]]


@cache
def exercise_of(seed):
    """Return an exercise of a seed; topics, orders, tokenizers and calculators take turns."""
    topic = TOPICS[seed % len(TOPICS)]
    return exercises(
        str(seed), (topic,), 1, max_order=2 + seed % 3, by_hand=bool(seed % 2),
        tokenizer="13a" if seed % 5 == 0 else "whitespace",
    )[0]  # fmt: skip


def test_exercise_on_its_own_texts_is_unchanged():
    for seed in range(60):
        exercise = exercise_of(seed)
        same = exercise_on_texts(exercise, exercise.hypotheses, exercise.references)
        assert (same.task, same.names) == (exercise.task, exercise.names)
        assert same.misconceptions[0] == exercise.misconceptions[0]


def test_exercise_on_other_texts_has_a_right_key_and_bounded_effort():
    accepted = 0
    for seed in range(60):
        exercise = exercise_of(seed)
        task = one_like_this(exercise).task
        try:
            changed = exercise_on_texts(exercise, task.hypotheses, task.references)
        except ValueError:
            continue
        accepted += 1
        assert changed.task == task
        assert changed.effort <= MAX_EFFORT[changed.by_hand]
        assert grade(changed, answer_key(changed)).right
        assert exercise_step(changed)
    assert accepted > 50


def test_ranked_translations_need_the_same_references():
    ranking = exercises("1", ("combination",), 1, kinds=("order",))[0]
    with pytest.raises(ValueError, match="give all the same"):
        exercise_on_texts(ranking, ["a b", "a c", "b c"], [["a b"], ["a b"], ["b a"]])


def test_own_texts_with_too_much_effort_are_rejected():
    text = " ".join("abcdefghijkl")
    whole = exercises("1", ("whole",), 1, kinds=("whole",), max_order=4)[0]
    with pytest.raises(ValueError, match="comparisons and sums, but at most 90 are allowed"):
        exercise_on_texts(whole, [text.replace("l", "k")], [[text, text, f"{text[:21]} x"]])


@pytest.mark.host
@pytest.mark.parametrize("seeds", SEEDS)
def test_answers_agree_with_the_core_and_nltk(seeds):
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    compared = 0
    for seed in seeds:
        exercise = exercise_of(seed)
        assert exercise.effort <= MAX_EFFORT[exercise.by_hand]
        assert all(name in MISCONCEPTIONS for name in exercise.misconceptions)
        answer = as_json(exercise)["answer"]
        if "bleu" not in answer:
            continue
        n, tokenizer = exercise.max_order, exercise.task.tokenizer
        hypotheses, references = exercise.hypotheses, exercise.references
        score = bleu.corpus_bleu(hypotheses, references, max_order=n, tokenizer=tokenizer)
        calculation = HandCalculation(exercise.task)
        assert answer["bleu"] == score.value
        assert float(calculation["bleu"]) == pytest.approx(score.value, rel=1e-12)
        assert answer["matched"] == list(score.matched)
        assert answer["brevity_penalty"] == pytest.approx(float(calculation["bp"]))
        # NLTK counts an order without n-grams as 0 of 1
        is_long_enough = all(len(text.split()) >= n for text in hypotheses)
        if score.value and tokenizer == "whitespace" and is_long_enough:
            nltk_score = bleu_score.corpus_bleu(
                [[text.split() for text in texts] for texts in references],
                [text.split() for text in hypotheses],
                weights=(1 / n,) * n,
            )
            assert score.value == pytest.approx(nltk_score, rel=1e-12)
            compared += 1
    assert compared > len(seeds) / 4


@pytest.mark.parametrize("seed", range(40))
def test_key_is_right_and_the_target_is_diagnosed(seed):
    exercise = exercise_of(seed)
    assert grade(exercise, answer_key(exercise)).right
    target = MISCONCEPTIONS[exercise.misconceptions[0]]
    if exercise.fields[0].is_quantity:
        wrong = calculate_all(exercise.task, exercise.names, target.change, exercise.given_values)
        graded = grade(exercise, {name: format_number(value) for name, value in wrong.items()})
        assert graded.misconception == target.name
        assert graded.mistakes == 1
        options = exercise.fields[0].options
        if options:
            assert len(set(options)) == len(options) >= 3
            assert any(parse_number(option).is_near(wrong[exercise.names[0]]) for option in options)


@pytest.mark.parametrize("seed", DIGESTS)
def test_exercises_of_a_seed_never_change(seed):
    data = json.dumps([content(exercise) for exercise in exercises(seed, count=14)])
    assert hashlib.sha256(data.encode()).hexdigest()[:16] == DIGESTS[seed]


def test_two_exercises_of_a_seed():
    first = exercises("7k2q", ("clipping", "brevity"), 2)
    assert [content(exercise) for exercise in first] == [
        [
            "mistake",
            "clipping",
            ["the friend wrote the answer on the wall"],
            [
                [
                    "the friend wrote the answer on the wall",
                    "the friend wrote the answer on the board",
                ]
            ],
            2,
            ["every-reference"],
            "",
            ["credited 1-grams"],
        ],
        [
            "bet",
            "brevity",
            ["sister buys the new book"],
            [["my sister reads the long book", "my sister buys the new book"]],
            2,
            [
                *("penalty-swapped", "penalty-ratio", "penalty-inverse-ratio"),
                *("penalty-difference", "no-penalty", "penalty-upside-down"),
            ],
            "",
            ["exp(−1/5)"],
        ],
    ]


def test_exercise_does_not_depend_on_the_count():
    assert exercises("a", count=9)[:4] == exercises("a", count=4)
    assert exercises("a") != exercises("b")


@pytest.mark.parametrize(
    ("topic", "kind"), [(topic, kind) for topic, kinds in KINDS_BY_TOPIC.items() for kind in kinds]
)
def test_every_kind_can_be_generated(topic, kind):
    generated = exercises("kinds", (topic,), 4, kinds=(kind,))
    assert {(exercise.topic, exercise.kind) for exercise in generated} == {(topic, kind)}


def test_names_of_kinds_stand_in_few_modules():
    """Ordinary words, such as step and corpus, are left out."""
    names = set(KINDS) & {"bet", "totals", "claim"}
    root = Path(bleu.__file__).parents[1]
    modules = [
        path
        for path in (*root.glob("bleu/**/*.py"), *root.glob("app/**/*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    ]
    assert len(set(modules)) <= 8


def test_every_kind_has_a_topic():
    assert {kind for kinds in KINDS_BY_TOPIC.values() for kind in kinds} == set(KINDS)


def test_variants_have_other_texts_but_the_same_kinds_topics_and_targets():
    def plan(exercise):
        return exercise.kind, exercise.topic, exercise.misconceptions[0]

    sheet = exercises("n", count=7)
    for letter in "BCD":
        variant = worksheet_variant(sheet, letter)
        assert list(map(plan, variant)) == list(map(plan, sheet))
        assert all(a.task != b.task for a, b in zip(sheet, variant, strict=True))
    assert worksheet_variant(sheet, "A") == sheet


def test_similar_exercise_is_deterministic():
    exercise = exercise_of(1)
    assert one_like_this(exercise) == one_like_this(exercise) != exercise


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": ""}, "the seed is ''"),
        ({"seed": "x" * 41}, "1 to 40"),
        ({"seed": "a\nb"}, "printable"),
        ({"topics": ("clip",)}, "there is no topic 'clip'; choose from tokens, clipping"),
        ({"topics": "clipping"}, "topics is 'clipping'; give a list of names"),
        ({"kinds": ("quiz",)}, "there is no kind 'quiz'; choose from bet, mark"),
        ({"count": 0}, "count is 0; choose 1 to 100"),
        ({"count": 101}, "count is 101"),
        ({"max_order": 1}, "max_order is 1; choose from 2, 3, 4"),
        ({"tokenizer": "zh"}, "tokenizer is 'zh'; choose whitespace or 13a"),
        ({"topics": ("tokens",), "kinds": ("order",)}, "no exercise of kind order on tokens"),
    ],
)
def test_invalid_argument_is_an_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        exercises(**{"seed": "1", **arguments})


@pytest.mark.host
def test_import_of_bleu_does_not_import_exercises():
    code = "import bleu, sys; print([name for name in sys.modules if 'learn' in name])"
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output == "[]\n"


def test_public_names_are_imported_on_access():
    assert bleu.exercises is exercises
    assert bleu.grade is grade
    assert bleu.MISCONCEPTIONS is MISCONCEPTIONS
    assert bleu.one_like_this is one_like_this
    with pytest.raises(AttributeError, match="no attribute 'exercise'"):
        bleu.exercise  # noqa: B018


@pytest.mark.parametrize(
    "name", fast_and_slow(15, sorted(set(MISCONCEPTIONS) - {"punctuation-kept"}))
)
def test_exercise_can_target_every_misconception(name):
    exercise = exercise_for_misconception(name, "aim")
    assert exercise.misconceptions[0] == name
    assert exercise.topic == MISCONCEPTIONS[name].topic
    assert exercise == exercise_for_misconception(name, "aim")
    assert grade(exercise, answer_key(exercise)).right


def test_exercise_can_target_kept_punctuation_if_marks_are_tokens():
    on_tokens = exercises("a", ("tokens",), 20, tokenizer="13a")
    assert "punctuation-kept" in [exercise.misconceptions[0] for exercise in on_tokens]


def test_impossible_target_is_an_error():
    with pytest.raises(ValueError, match="the misconception is 'luck'; choose from"):
        exercise_for_misconception("luck", "1")
    with pytest.raises(ValueError, match="no exercise can target punctuation-kept"):
        exercise_for_misconception("punctuation-kept", "1")
    with pytest.raises(ValueError, match="the seed is ''"):
        exercise_for_misconception("recall", "")


def test_iterator_yields_the_same_exercises():
    options = {"max_order": 3, "by_hand": False}
    iterator = iter_exercises("one", ("clipping",), 3, **options)
    assert tuple(iterator) == exercises("one", ("clipping",), 3, **options)


def test_ngrams_of_any_order_can_be_marked():
    task = Task(("the cat the cat on the mat",), (("the cat is on the mat",),), 2)
    for n, answer in ((1, "1 2 3 5 7"), (2, "1 5 6"), (3, "5")):
        field = Field("words", f"mark the credited {n}-grams", f"precision-{n}")
        exercise = Exercise(
            "s", 0, True, "mark", "clipping", task, (field,), (), ("no-clipping",), 0, str(n)
        )
        assert answer_key(exercise) == {"words": answer}
        assert grade(exercise, {"words": answer}).right
        assert not grade(exercise, {"words": f"{answer} 4"}).right
        blocks = exercise_step(exercise).blocks
        assert f"{n}-gram" in "".join(map(str, blocks))
        [markable] = (block for block in blocks if isinstance(block, MarkableTokens))
        kinds = enumerate(markable.tokens.kinds, 1)
        assert " ".join(str(i) for i, kind in kinds if kind == "credited") == answer
        assert "“" in worked_example(exercise, "words")


def test_bet_by_hand_has_no_decimals_and_offers_the_value_of_its_target():
    texts = ("it rained all day long", "she saw the dog")
    task = Task(texts, (("it rained all day long",), ("she saw the boat",)))
    target = MISCONCEPTIONS["mean-of-scores"]
    by_hand = Exercise("1", 0, True, "bet", "corpus", task, misconceptions=(target.name,))
    # the mean of 1 and √(1/2) is no fraction, root or power of e
    assert BET.draft(SeededRandom("1"), by_hand) is None
    draft = BET.draft(SeededRandom("1"), replace(by_hand, by_hand=False))
    assert format_number(HandCalculation(task, target.change)["bleu"]) in draft.fields[0].options
    easy = BET.draft(SeededRandom("1"), replace(by_hand, misconceptions=("mean-of-precisions",)))
    assert not any(is_decimal(parse_number(option).value) for option in easy.fields[0].options)


@pytest.mark.parametrize("seeds", fast_and_slow(1, [range(12), range(12, 60)]))
def test_whole_exercises_need_all_of_bleu_and_references_differ(seeds):
    sheets = [exercises(str(seed), ("whole",), 2, kinds=("whole",)) for seed in seeds]
    sheets += [
        exercises(str(seed), max_order=2 + seed % 3, by_hand=bool(seed % 2)) for seed in seeds
    ]
    for exercise in (exercise for sheet in sheets for exercise in sheet):
        assert all(len(set(texts)) == len(texts) for texts in exercise.references)
        if exercise.kind == "whole":
            calculation = HandCalculation(exercise.task)
            assert all(0 < calculation[f"p-{n}"] < 1 for n in (1, 2))
            assert 0 < calculation["bp"] < 1


def test_corpora_have_two_or_three_segments_of_any_length():
    corpora = [
        exercise
        for seed in range(12)
        for exercise in exercises(str(seed), ("corpus",), 4, max_order=3)
    ]
    assert {len(exercise.hypotheses) for exercise in corpora} == {2, 3}
    lengths = {len(text.split()) for exercise in corpora for text in exercise.hypotheses}
    assert min(lengths) < 3 <= max(lengths)
    names = {exercise.names[0] for exercise in corpora if exercise.kind == "bet"}
    assert "total-3" in names


@pytest.mark.parametrize("max_order", [2, 3, 4])
def test_exercises_of_charles_university_are_available(max_order):
    """The denominators of p₁ to p₃, and BLEU of two segments with two references each."""
    counts, several = (
        exercises("praha", ("corpus",), 3, kinds=(kind,), max_order=max_order)
        for kind in ("totals", "references")
    )
    for exercise in counts:
        assert sorted(len(text.split()) for text in exercise.hypotheses) == [3, 4, 5]
        answers = answer_key(exercise)
        assert (answers["total-1"], answers["total-2"], answers["total-3"]) == ("12", "9", "6")
    for exercise in several:
        assert [len(texts) for texts in exercise.references] == [2, 2]
        assert {"bp", "bleu"} < set(exercise.names)
        assert 0 < HandCalculation(exercise.task)["bp"] < 1
    kinds = {exercise.kind for exercise in exercises("praha", ("corpus",), 4, max_order=max_order)}
    assert kinds == set(KINDS_BY_TOPIC["corpus"])


def test_candidates_keep_leading_words_before_what_they_lead_to():
    edited = [
        random_edits(
            SeededRandom(f"{seed}"), pattern, random_sentence(SeededRandom("1"), pattern), 3
        )
        for pattern in PATTERNS
        for seed in range(30)
    ]
    assert not any(words[-1] in LEADING_WORDS for words in edited)


# What a learner or teacher meets on a worksheet


@cache
def of_kind(topic, kind, **options):
    """Return 24 exercises of a kind on a topic, from 6 seeds."""
    sheets = (exercises(f"read {n}", (topic,), 4, kinds=(kind,), **options) for n in range(6))
    return [exercise for sheet in sheets for exercise in sheet]


def test_some_word_to_mark_is_not_credited():
    for exercise in of_kind("clipping", "mark"):
        every_word = " ".join(map(str, range(1, len(exercise.marked_grams) + 1)))
        assert not grade(exercise, {"words": every_word}).right


@pytest.mark.parametrize("topic", ["tokens", "clipping", "precision", "corpus"])
def test_no_option_for_a_precision_is_above_1(topic):
    for exercise in of_kind(topic, "bet"):
        if exercise.names[0].startswith("p-"):
            values = [parse_number(option).value for option in exercise.fields[0].options]
            assert max(values) <= 1
            assert len(values) >= 3


def test_claims_are_drawn_without_replacement():
    for seed in range(20):
        claims = exercises(f"{seed}", ("trust",), 6)
        assert len({exercise.detail for exercise in claims}) == 6
    sheet = exercises("long", ("trust", "tokens"), 20)
    claims = [exercise.detail for exercise in sheet if exercise.topic == "trust"]
    assert len(set(claims)) == len(claims) == 6
    assert len(sheet) == 20
    with pytest.raises(ValueError, match="there are 6 exercises on trust, not 7; ask for fewer"):
        exercises("1", ("trust",), 7)
    with pytest.raises(ValueError, match="there are 6 exercises on trust, not 12"):
        exercises("1", (), 12, kinds=("claim",))
