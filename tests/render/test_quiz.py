"""Quizzes: every field is a question, wrong numbers have feedback, and the formats are sound."""

import io
import math
import re
from html import unescape
from xml.etree.ElementTree import fromstring
from zipfile import ZipFile

import pytest

import bleu
from bleu import grade
from bleu.document.quiz import QuizAnswer, QuizQuestion
from bleu.explanation.exercises import quiz_questions
from bleu.learn.kinds import KINDS
from bleu.render.quiz import QTI_NAMESPACE, moodle_xml, qti_item, qti_package

HOSTILE = 'a ~ = # { } : \\ <b> & "quoted" ]]> שלום 猫 \x07'


@pytest.fixture(scope="module")
def exercises():
    """Three exercises of each kind."""
    return [each for kind in KINDS for each in bleu.exercises(kind, count=3, kinds=[kind])]


@pytest.fixture(scope="module")
def questions(exercises):
    """The questions of the exercises."""
    return quiz_questions(exercises)


def test_every_field_is_a_question_with_its_right_answer(exercises, questions):
    fields = [(exercise, field) for exercise in exercises for field in exercise.fields]
    assert len({question.name for question in questions}) == len(questions) == len(fields)
    for (exercise, field), question in zip(fields, questions, strict=True):
        is_part = question.kind == "number" and len(exercise.fields) > 1
        assert question.prompt.startswith("Asked here: ") == is_part
        if question.kind in {"number", "choice"}:
            [right] = question.right_answers
            marked = grade(exercise, {field.name: right.text})
            assert {verdict.status for verdict in marked.verdicts} <= {"right", "missing"}
        for answer in question.answers:
            if not answer.is_right and answer.feedback and question.kind == "number":
                assert not math.isclose(float(answer.text), float(right.text), abs_tol=1e-3)
    kinds = {question.kind for question in questions}
    assert kinds == {"number", "choice", "choices", "ranking", "essay"}


def test_wrong_numbers_name_their_misconceptions(questions):
    numbers = [question for question in questions if question.kind == "number"]
    wrong = [answer for question in numbers for answer in question.answers if not answer.is_right]
    sentences = {known.sentence for known in bleu.MISCONCEPTIONS.values()}
    assert len(wrong) > 20
    assert {answer.feedback.partition(" Or you ")[0] for answer in wrong} <= sentences
    assert any(" Or you " in answer.feedback for answer in wrong)


CLOZE = re.compile(r"\{1:NUMERICAL:((?:\\.|[^}\\])*)\}")
CLOZE_ANSWER = re.compile(
    r"(=|%0%)(-?[\d.]+(?:e[-+]?\d+)?):([\d.]+)(?:#((?:\\.|[^~}\\])*))?(?:~|$)"
)
"""The parts of the Cloze syntax of Moodle that numbers use."""


def test_moodle_xml_has_one_question_for_each_exercise(exercises, questions):
    quiz = fromstring(moodle_xml(questions))
    elements = [each for each in quiz if each.get("type") != "category"]
    assert len(elements) == len(exercises)
    for element, exercise in zip(elements, exercises, strict=True):
        questions = quiz_questions([exercise])
        body = element.findtext("questiontext/text")
        name = questions[0].exercise if questions[1:] else questions[0].name
        assert element.findtext("name/text") == name
        assert element.findtext("generalfeedback/text")
        fractions = [float(answer.get("fraction")) for answer in element.findall("answer")]
        match element.get("type"):
            case "cloze":
                boxes = CLOZE.findall(body)
                assert len(boxes) == len(questions) > 1
                for box, question in zip(boxes, questions, strict=True):
                    answers = CLOZE_ANSWER.findall(box)
                    assert "~".join(CLOZE_ANSWER.sub("", box).split("~")) == ""
                    assert [
                        (sign == "=", text, float(tolerance), unescape(feedback))
                        for sign, text, tolerance, feedback in answers
                    ] == [
                        (answer.is_right, answer.text, answer.tolerance, answer.feedback)
                        for answer in question.answers
                    ]
            case "numerical":
                assert fractions[0] == 100
                assert all(answer.findtext("tolerance") for answer in element.findall("answer"))
            case "multichoice":
                positive = sum(fraction for fraction in fractions if fraction > 0)
                assert positive == pytest.approx(100, abs=1e-3)
            case "matching":
                places = [each.findtext("answer/text") for each in element.findall("subquestion")]
                assert sorted(places) == ["1", "2", "3"]
                assert "1 is the best." in body
                assert "Choose one answer" not in body
            case kind:
                assert kind == "essay"


def test_ranking_says_which_place_is_the_best_in_every_format():
    [question] = quiz_questions(bleu.exercises("r", ("brevity",), 1, kinds=["order"]))
    item = qti_item("item-1", question)
    for content in (moodle_xml([question]), item):
        assert "1 is the best." in content
        assert "Choose one answer" not in content


def test_qti_is_a_package_of_items_that_name_their_answers(questions):
    archive = ZipFile(io.BytesIO(qti_package(questions)))
    manifest = fromstring(archive.read("imsmanifest.xml"))
    listed = [each.get("href") for each in manifest.iter() if each.tag.endswith("}resource")]
    assert ["imsmanifest.xml", *listed] == archive.namelist()
    assert qti_package(questions) == qti_package(questions)
    name = {"q": QTI_NAMESPACE}
    for file, question in zip(listed, questions, strict=True):
        item = fromstring(archive.read(file))
        values = [each.text for each in item.findall(".//q:correctResponse/q:value", name)]
        choices = [each.get("identifier") for each in item.findall(".//q:simpleChoice", name)]
        if question.kind == "number":
            right = float(question.right_answers[0].text)
            assert float(values[0]) == pytest.approx(right, abs=1e-5)
        elif question.kind != "essay":
            assert values
            assert set(values) <= set(choices)
        feedback = [each.get("identifier") for each in item.findall("q:modalFeedback", name)]
        assert len(set(feedback)) == len(feedback)


def test_shares_of_a_mark_are_known_to_moodle():
    """Moodle knows 1/2 to 1/10; a file with 1/11 is refused as a whole."""
    answers = tuple(QuizAnswer(str(i), i < 12) for i in range(24))
    quiz = fromstring(moodle_xml([QuizQuestion("n", "c", (), "p", "choices", answers)]))
    assert [each.get("fraction") for each in quiz.findall("question/answer")] == [
        *["10"] * 10, *["0"] * 2, *["-10"] * 12,
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["number", "choice", "choices", "ranking", "essay"])
def test_hostile_text_stays_text(kind):
    answers = (QuizAnswer(HOSTILE, True, HOSTILE, rank=1),)
    question = QuizQuestion(HOSTILE, "c", (), HOSTILE, kind, answers)
    fromstring(qti_item("item-1", question))
    fromstring(moodle_xml([question]))
    assert "<b>" not in qti_item("item-1", question)
    assert "<b>" not in moodle_xml([question])
