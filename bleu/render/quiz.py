"""Quiz questions for learning platforms: Moodle XML, and QTI 2.1 as a package.

Sources: docs.moodle.org on Moodle XML; IMS Question and Test Interoperability 2.1.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final
from zipfile import ZipFile, ZipInfo

from bleu.document.blocks import Block, Table
from bleu.document.quiz import QuizAnswer, QuizQuestion
from bleu.render import text

QTI_NAMESPACE: Final = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE_NAMESPACE: Final = "http://www.imsglobal.org/xsd/imscp_v1p1"
_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MOODLE_TYPES: Final = {
    "number": "numerical",
    "choice": "multichoice",
    "choices": "multichoice",
    "ranking": "matching",
    "essay": "essay",
}
_MAX_SHARES: Final = 10
"""The maximum number n of answers that share a mark: Moodle accepts 1/n up to n = 10."""
_CLOZE_SPECIAL: Final = re.compile(r"([~#}\\])")
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that XML 1.0 does not allow."""


def _escape(content: str) -> str:
    return escape(_NOT_XML.sub("�", content))


def _tag(name: str, *content: str, **attributes: str) -> str:
    """Return an element of XML; the content is markup, the attributes are text."""
    start = "".join([name, *(f' {key}="{_escape(value)}"' for key, value in attributes.items())])
    return f"<{start}>{''.join(content)}</{name}>" if content else f"<{start}/>"


def _body(question: QuizQuestion) -> str:
    """Return the body and the prompt as plain HTML, which is also XHTML."""
    return "".join([*map(_block, question.body), _tag("p", _escape(question.prompt))])


def _block(block: Block) -> str:
    if isinstance(block, Table):
        rows = [block.headers, *(row.cells for row in block.rows)]
        cell_rows = ([_tag("td", _escape(text.span(cell))) for cell in row] for row in rows)
        return _tag("table", _tag("tbody", *(_tag("tr", *row) for row in cell_rows)))
    return _tag("p", _escape(text.blocks([block]).strip()))


def _share(question: QuizQuestion, answer: QuizAnswer) -> float:
    """Return the percentage of the mark for an answer; a wrong one of `choices` loses marks."""
    if question.kind != "choices":
        return 100.0 * answer.is_right
    right = question.right_answers[:_MAX_SHARES]
    wrong_count = len(question.answers) - len(question.right_answers)
    if answer.is_right:
        return round(100 / len(right), 5) if answer in right else 0.0
    return round(-100 / min(wrong_count, _MAX_SHARES), 5)


# Moodle XML


def moodle_xml(questions: Sequence[QuizQuestion]) -> str:
    """Render questions as Moodle XML, in a category for each topic.

    The questions of an exercise are one question, of the type Cloze.
    """
    parts = [f"{_XML}<quiz>"]
    for topic, group in groupby(questions, lambda question: question.category):
        category = _moodle_text("category", f"$course$/top/BLEU/{topic}")
        parts += (_tag("question", category, type="category"), *_moodle_questions(group))
    return "\n".join([*parts, "</quiz>\n"])


def _moodle_text(name: str, content: str, *more: str, **attributes: str) -> str:
    return _tag(name, _tag("text", _escape(content)), *more, **attributes)


def _moodle_questions(questions: Iterable[QuizQuestion]) -> Iterator[str]:
    for _, group in groupby(questions, lambda question: question.exercise or question.name):
        first, *others = group
        yield _moodle_cloze([first, *others]) if others else _moodle_question(first)


def _moodle_solution(question: QuizQuestion) -> str:
    solution = "".join(map(_block, question.solution))
    return _moodle_text("generalfeedback", solution, format="html")


def _moodle_cloze(questions: Sequence[QuizQuestion]) -> str:
    """Render the numbers of an exercise as one question, with a box for each."""
    first = questions[0]
    lines = [
        _tag("p", f"{_escape(question.label)}: {{1:NUMERICAL:{_cloze_answers(question)}}}")
        for question in questions
    ]
    hint = _tag("p", "Whole numbers, or decimals with three digits after the point.")
    body = "".join([*map(_block, first.body), hint, *lines])
    parts = (
        _moodle_text("name", first.exercise),
        _moodle_text("questiontext", body, format="html"),
        _moodle_solution(first),
    )
    return _tag("question", *parts, type="cloze")


def _cloze_answers(question: QuizQuestion) -> str:
    answers = []
    for answer in question.answers:
        text_of_feedback = _CLOZE_SPECIAL.sub(r"\\\1", _escape(answer.feedback))
        feedback = f"#{text_of_feedback}" if text_of_feedback else ""
        share = "=" if answer.is_right else "%0%"
        answers.append(f"{share}{answer.text}:{answer.tolerance:g}{feedback}")
    return "~".join(answers)


def _moodle_question(question: QuizQuestion) -> str:
    parts = [
        _moodle_text("name", question.name),
        _moodle_text("questiontext", _body(question), format="html"),
        _moodle_solution(question),
        _tag("defaultgrade", "1"),
    ]
    if question.kind in {"choice", "choices"}:
        parts.append(_tag("single", str(question.kind == "choice").lower()))
        parts += [_tag("shuffleanswers", "false"), _tag("answernumbering", "none")]
    parts += (_moodle_answer(question, answer) for answer in question.answers)
    return _tag("question", *parts, type=_MOODLE_TYPES[question.kind])


def _moodle_answer(question: QuizQuestion, answer: QuizAnswer) -> str:
    if question.kind == "essay":
        return _moodle_text("graderinfo", f"For example: {answer.text}", format="plain_text")
    if question.kind == "ranking":
        rank = _moodle_text("answer", str(answer.rank))
        return _moodle_text("subquestion", answer.text, rank, format="plain_text")
    parts = [_moodle_text("feedback", answer.feedback, format="plain_text")]
    if question.kind == "number":
        parts.append(_tag("tolerance", f"{answer.tolerance:g}"))
    fraction = f"{_share(question, answer):g}"
    return _moodle_text("answer", answer.text, *parts, fraction=fraction, format="plain_text")


# QTI


def qti_package(questions: Sequence[QuizQuestion]) -> bytes:
    """Render questions as a QTI 2.1 content package: a ZIP file of items with a manifest.

    The same questions give the same bytes.
    """
    files = {
        f"item-{number}.xml": qti_item(f"item-{number}", question)
        for number, question in enumerate(questions, 1)
    }
    resources = "".join(
        f'<resource identifier="{name.removesuffix(".xml")}" type="imsqti_item_xmlv2p1" '
        f'href="{name}"><file href="{name}"/></resource>'
        for name in files
    )
    manifest = (
        f'{_XML}<manifest xmlns="{PACKAGE_NAMESPACE}" identifier="bleu"><metadata>'
        "<schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>"
        f"<organizations/><resources>{resources}</resources></manifest>\n"
    )
    output = io.BytesIO()
    with ZipFile(output, "w") as archive:
        for name, content in {"imsmanifest.xml": manifest, **files}.items():
            archive.writestr(ZipInfo(name), content.encode())
    return output.getvalue()


def qti_item(name: str, question: QuizQuestion) -> str:
    """Render one question as an assessment item of QTI 2.1."""
    answers = {f"A{number}": answer for number, answer in enumerate(question.answers, 1)}
    feedback = "".join(
        f'<modalFeedback outcomeIdentifier="FEEDBACK" identifier="{answer_id}" showHide="show">'
        f"{_escape(answer.feedback)}</modalFeedback>"
        for answer_id, answer in answers.items()
        if answer.feedback
    )
    return (
        f'{_XML}<assessmentItem xmlns="{QTI_NAMESPACE}" identifier="{name}" '
        f'title="{_escape(question.name)}" adaptive="false" timeDependent="false">'
        f"{_response(question, answers)}"
        '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>'
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>'
        f"<itemBody><div>{_body(question)}</div>{_interaction(question, answers)}</itemBody>"
        f"{_processing(question, answers)}{feedback}</assessmentItem>\n"
    )


def _response(question: QuizQuestion, answers: dict[str, QuizAnswer]) -> str:
    """Return the declaration of the response, with the correct response."""
    base_type = {"number": "float", "essay": "string"}.get(question.kind, "identifier")
    cardinality = {"choices": "multiple", "ranking": "ordered"}.get(question.kind, "single")
    right = [answer_id for answer_id, answer in answers.items() if answer.is_right]
    if question.kind == "ranking":
        right.sort(key=lambda answer_id: answers[answer_id].rank)
    elif question.kind == "number":
        right = [_escape(answer.text) for answer in question.right_answers]
    values = "".join(_tag("value", value) for value in right)
    correct = "" if question.kind == "essay" else _tag("correctResponse", values)
    return (
        f'<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" '
        f'baseType="{base_type}">{correct}</responseDeclaration>'
    )


def _interaction(question: QuizQuestion, answers: dict[str, QuizAnswer]) -> str:
    response = {"responseIdentifier": "RESPONSE"}
    if question.kind == "number":
        return _tag("p", _tag("textEntryInteraction", **response, expectedLength="12"))
    if question.kind == "essay":
        return _tag("extendedTextInteraction", **response, expectedLength="200")
    choices = [
        _tag("simpleChoice", _escape(answer.text), identifier=answer_id)
        for answer_id, answer in answers.items()
    ]
    if question.kind == "ranking":
        return _tag("orderInteraction", *choices, **response, shuffle="false")
    max_choices = "1" if question.kind == "choice" else "0"  # 0 means any number.
    return _tag("choiceInteraction", *choices, **response, shuffle="false", maxChoices=max_choices)


def _processing(question: QuizQuestion, answers: dict[str, QuizAnswer]) -> str:
    """Return the rules that give the mark and choose the feedback, or "" for an essay."""
    if question.kind == "essay":
        return ""
    response = _tag("variable", identifier="RESPONSE")

    def match_condition(answer_id: str) -> str:
        answer = answers[answer_id]
        if question.kind != "number":
            return _tag("match", response, _tag("baseValue", answer_id, baseType="identifier"))
        value = _tag("baseValue", _escape(answer.text), baseType="float")
        tolerance = f"{answer.tolerance:g} {answer.tolerance:g}"
        return _tag("equal", response, value, toleranceMode="absolute", tolerance=tolerance)

    def set_value(name: str, value: str, base_type: str) -> str:
        base = _tag("baseValue", value, baseType=base_type)
        return _tag("setOutcomeValue", base, identifier=name)

    is_right = _tag("match", response, _tag("correct", identifier="RESPONSE"))
    if question.kind == "number":
        is_right = match_condition(next(key for key, answer in answers.items() if answer.is_right))
    rules = [_tag("responseIf", is_right, set_value("SCORE", "1", "float"))]
    rules += (
        _tag("responseElseIf", match_condition(name), set_value("FEEDBACK", name, "identifier"))
        for name, answer in answers.items()
        if answer.feedback and question.kind in {"number", "choice"}
    )
    return _tag("responseProcessing", _tag("responseCondition", *rules))
