"""The lesson of the view Learn."""

import re

import pytest

from app.learn.attempt import Attempt, parse_item_id, submit
from app.learn.exercise_html import EXPLANATIONS, exercise_html, feedback_html
from app.learn.lesson_html import end_html
from app.learn.lesson_screens import (
    CHECK_QUESTIONS,
    SCREEN_BY_TOPIC,
    SCREEN_INDEX,
    SCREENS,
    check_screen,
    lesson_item_ids,
)
from app.learn.live_texts import bars_html, live_score_text, marked_texts_html
from bleu import sentence_bleu
from bleu.explanation.exercises import exercise_step, ranking_table
from bleu.learn.grading import answer_key, grade, worked_example
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import parse_number
from bleu.render import html
from tests.app.exercise_samples import lesson_exercise
from tests.browser.servers import ROOT
from tests.support.plain_markup import plain

pytestmark = pytest.mark.host


def test_options_of_the_lesson():
    def options(screen, question=0):
        return lesson_exercise(screen, question).fields[0].options

    assert options("clipping") == ("1/7", "2/7", "3/7", "7/7")
    assert options("mean") == ("1/4", "1/2", "5/8")
    assert options("mean", 1) == ("0", "1/2", "1")
    assert options("corpus") == ("1/2", "√(3/8)", "2/3")
    assert answer_key(lesson_exercise("corpus"))["bleu"] == "2/3"
    assert len(set(options("tokens"))) == len(set(options("brevity"))) == 4


@pytest.mark.parametrize(
    ("screen", "question"),
    [(screen.name, index) for screen in SCREENS for index in range(len(screen.questions))],
)
def test_key_of_every_question_is_right_and_explained(screen, question):
    exercise = lesson_exercise(screen, question)
    attempt = submit(Attempt(exercise), answer_key(exercise))
    assert attempt.right
    feedback = re.sub("<[^>]*>", "", plain(feedback_html(attempt))).removeprefix("Right.")
    is_single_quantity = len(exercise.fields) == 1 and exercise.fields[0].is_quantity
    assert bool(feedback) == (is_single_quantity or exercise.names[0] in {"words", "claim"})
    if is_single_quantity:  # The last equation of the explanation ends with the value.
        value = parse_number(re.split("[=≈]", feedback.rstrip("."))[-1].strip())
        expected = parse_number(answer_key(exercise)[exercise.names[0]]).value
        assert value.is_near(expected)


def test_page_names_the_number_of_questions_before_python_is_ready():
    count = sum(len(screen.questions) for screen in SCREENS) + len(CHECK_QUESTIONS)
    assert f" words and {count} questions, " in (ROOT / "index.html").read_text("utf-8")


def test_guesses_come_before_the_rule():
    for screen in SCREENS:
        opening = "".join(map(str, screen.opening.spans))
        assert bool(screen.guess_count) == bool(re.search("Guess|guess", opening)), screen.name
        assert screen.guess_count in {0, 1, len(screen.questions)}


def test_what_bleu_does_not_see_is_guessed_of_three_pairs():
    screen = SCREENS[SCREEN_INDEX["blind"]]
    assert screen.guess_count == len(screen.questions) == 3
    for exercise, wrong in zip(screen.questions, "BAA", strict=True):  # BLEU prefers what is wrong.
        assert len(exercise.hypotheses) == 2
        assert exercise.fields[0].options == ("AB", "BA")
        assert answer_key(exercise)["order"][0] == wrong
        assert ranking_table(exercise).rows[0].cells[0][0] == wrong


def test_first_screen_defines_the_score_that_its_question_names():
    opening = "".join(map(str, SCREENS[0].opening.spans))
    assert "BLEU-2 looks at single words and at pairs of words" in opening
    assert "BLEU-2" in "".join(map(str, exercise_step(lesson_exercise("rank")).blocks[0].spans))


def test_screens_to_write_a_text_follow_the_live_line():
    for screen, spoilt in (("clip", "a dog sleeps the the"), ("shorten", "the cat is a mat")):
        exercise = lesson_exercise(screen)
        assert "not reached yet" in live_score_text(exercise, exercise.hypotheses[0])
        assert "not reached yet" in live_score_text(exercise, spoilt)
        assert "is reached" in live_score_text(exercise, answer_key(exercise)["text"])


def test_clipping_is_found_by_typing_before_it_is_named():
    names = [screen.name for screen in SCREENS]
    assert names.index("clip") + 1 == names.index("clipping")
    exercise, text = lesson_exercise("clip"), "a dog sleeps"
    for counts in ("0/3 0/3", "1/4 1/4", "2/5 2/5", "2/6 3/6"):
        with_limit, without = counts.split()
        live, bars = live_score_text(exercise, text), bars_html(exercise, text)
        assert live.startswith(f"p₁ is {with_limit}. Without a limit, it would be {without}.")
        assert ("not reached yet" in live) == (with_limit == without)
        assert re.findall(r"<span>(\d)</span><span>(\d)</span>", bars) == [
            tuple(count.split("/")) for count in (with_limit, without)
        ]
        assert ('class="clipped"' in marked_texts_html(exercise, text)) == (with_limit != without)
        text += " the"
    assert "no-clipping" not in live + bars


@pytest.mark.parametrize(
    ("screen", "question"),
    [(screen.name, index) for screen in SCREENS for index in range(len(screen.questions))],
)
def test_texts_have_their_marks_after_the_answer_alone(screen, question):
    exercise = lesson_exercise(screen, question)
    shown = exercise_html(Attempt(exercise))
    assert 'class="running"' not in shown
    marked = marked_texts_html(exercise)
    assert bool(marked) == ('id="exercise-texts"' in shown)
    if not marked:
        return
    texts = [*exercise.hypotheses]
    texts += exercise.references[0] if screen != "corpus" else sum(exercise.references, ())
    words = re.findall(r'<span class="token">(.*?)</span>', marked)
    assert sorted(words) == sorted(" ".join(texts).split())
    keys = re.findall('data-ngram="(.*?)"', marked)
    assert keys
    assert all(re.fullmatch(r"learn-\d-[12]-\d+", key) for key in keys)


def test_brevity_penalty_is_watched_before_its_formula_and_exp():
    names = [screen.name for screen in SCREENS]
    assert names.index("shorten") + 1 == names.index("brevity")
    assert names.index("clip") < names.index("shorten")
    exercise = lesson_exercise("shorten")
    words, penalties = exercise.hypotheses[0].split(), []
    for count in range(len(words), 1, -1):
        live = live_score_text(exercise, " ".join(words[:count]))
        assert "exp" not in live
        assert f"{count}/{count}, precision p₂ {count - 1}/{count - 1}; BP " in live
        penalties.append(float(re.search(r"BP ([\d.]+)\. ", live)[1]))
    assert penalties[0] == 1
    assert penalties == sorted(set(penalties), reverse=True)
    shown = "".join(map(str, SCREENS[SCREEN_INDEX["shorten"]].opening.spans))
    assert "exp" not in shown


def test_wrong_fields_are_summed_up_once():
    exercise = lesson_exercise("whole", 1)
    names = {"matched-1": "4", "total-1": "3", "matched-2": "2", "c": "9", "r": "2", "bp": "1/9"}
    feedback = feedback_html(submit(Attempt(exercise), names))
    assert feedback.count("Not quite.") == 1
    assert re.search(r"\d things to look at", feedback)


def test_first_screen_ranks_by_score_and_names_no_misconception():
    exercise = lesson_exercise("rank")
    assert answer_key(exercise)["order"] == "BAC"
    for guess in ("ABC", "ACB", "CBA"):
        attempt = submit(Attempt(exercise), {"order": guess})
        assert not attempt.misconceptions_seen
        assert "Not quite.</b> BLEU ranks them B, A, C." in feedback_html(attempt)
    table = ranking_table(exercise)
    scores = [
        sentence_bleu(hypothesis, references, exercise.settings).value
        for hypothesis, references in zip(exercise.hypotheses, exercise.references, strict=True)
    ]
    assert [row.cells[0][0] for row in table.rows] == list("BAC")
    assert table.rows[0].cells[1].value == max(scores)
    assert scores[2] == 0


def test_credited_2_grams_are_right_in_any_occurrence():
    exercise = lesson_exercise("ngrams")
    grams = [" ".join(gram) for gram in exercise.marked_grams]
    assert grams[:3] == ["the cat", "cat the", "the cat"]
    assert answer_key(exercise) == {"words": "1 5 6"}
    assert grade(exercise, {"words": "3 5 6"}).right
    assert grade(exercise, {"words": "1 3 5 6"}).misconception == "no-clipping"


def test_check_depends_on_the_seed_and_ends_with_the_whole_computation():
    first, second = check_screen("1"), check_screen("2")
    assert [exercise.kind for exercise in first.questions] == [kind for _, kind in CHECK_QUESTIONS]
    assert first.questions[-1].kind == "whole"
    assert first != second
    assert first == check_screen("1")


@pytest.mark.parametrize("seed", [f"{number:x}" for number in range(20)])
def test_last_question_of_the_check_needs_all_of_bleu(seed):
    last = check_screen(seed).questions[-1]
    assert last.kind == "whole"
    key = {name: float(parse_number(text).value) for name, text in answer_key(last).items()}
    assert 0 < key["p-1"] < 1
    assert 0 < key["p-2"] < 1
    assert 0 < key["bp"] < 1
    assert 0 < key["bleu"] < 1


def test_links_between_page_and_lesson_have_targets():
    template = (ROOT / "index.html").read_text("utf-8")
    for section, _ in EXPLANATIONS.values():
        assert f'id="{section}"' in template
    linked_screens = re.findall(r'data-command="learn:screen (\w+)"', template)
    assert set(linked_screens) <= set(SCREEN_INDEX)
    assert len(linked_screens) >= 5
    anchors = {item.anchor for item in (*MISCONCEPTIONS.values(), *SCREENS)}
    for anchor in anchors:
        assert anchor in EXPLANATIONS or anchor.rpartition("-")[0] in EXPLANATIONS


def test_computation_by_hand_has_an_item_for_each_row():
    ids = lesson_item_ids()
    whole = [item_id for item_id in ids if item_id.startswith("whole")]
    rows = [f"whole-2-row-{row}" for row in range(1, 11)]
    assert whole == ["whole-1", "whole-1-answer", "whole-2", *rows, "whole-2-answer"]
    assert len(ids) == len(set(ids))
    assert {parse_item_id(item_id)[:2] for item_id in whole[2:]} == {("whole", 1)}
    assert [parse_item_id(item_id)[2] for item_id in whole[2:]] == [*range(11), 0]


def test_lesson_ends_with_when_not_to_trust_bleu():
    ranking = lesson_exercise("trust")
    assert answer_key(ranking) == {"order": "CBA"}
    claim = lesson_exercise("difference")
    assert grade(claim, {"claim": claim.fields[0].answer}).right
    closing = SCREENS[SCREEN_INDEX["difference"]].closing
    assert "64, 77 and 88 of 100" in "".join(map(str, closing.spans))


def test_end_of_the_lesson_without_misconceptions():
    assert "None of your answers" in end_html((), ())
    assert "Now your own sentence" in end_html((), ())
    assert "right at the first try" not in end_html((), ())
    some_wrong = end_html((), (True, False, True))
    assert "2 of 3 questions right" in some_wrong
    assert "no typical mistake" in some_wrong
    assert "by hand" not in some_wrong


@pytest.mark.parametrize("misconception", MISCONCEPTIONS.values(), ids=list(MISCONCEPTIONS))
def test_end_of_the_lesson_links_to_the_screen_of_a_misconception(misconception):
    end = end_html((misconception.name,), (False,))
    assert html.prose(misconception.sentence) in end
    assert f'learn:screen {SCREEN_BY_TOPIC[misconception.topic]}"' in end


def test_prompt_and_hint_of_marking_2_grams():
    exercise = lesson_exercise("ngrams")
    assert "".join(exercise_step(exercise).blocks[0].spans).endswith(
        "Mark them. If a 2-gram is credited fewer times than it occurs, mark its first occurrences."
    )
    assert worked_example(exercise, "words").endswith(" The sum over all 2-grams is 3.")


def test_choice_of_a_precision_of_words_names_no_mistake_about_longer_ngrams():
    [question] = SCREENS[SCREEN_INDEX["tokens"]].questions
    [verdict] = grade(question, {"p-1": "6/9"}).verdicts
    assert verdict.misconceptions == ("punctuation-split",)
