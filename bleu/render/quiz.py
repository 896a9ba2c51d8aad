"""Quiz questions for learning platforms: Moodle XML, GIFT, and QTI 2.1 as a package.

Sources: docs.moodle.org on Moodle XML and GIFT; IMS Question and Test Interoperability 2.1.
"""

import io
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final
from zipfile import ZipFile, ZipInfo

from bleu.document.blocks import Table, VisibleBlock
from bleu.document.quiz import QuizAnswer, QuizQuestion
from bleu.render import text

QTI: Final = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE: Final = "http://www.imsglobal.org/xsd/imscp_v1p1"
_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MOODLE_TYPES: Final = {
    "number": "numerical",
    "choice": "multichoice",
    "choices": "multichoice",
    "ranking": "matching",
    "essay": "essay",
}
_GIFT_SPECIAL: Final = re.compile(r"([~=#{}:\\])")


def _body(question: QuizQuestion) -> str:
    """Return the body and the prompt as plain HTML, which is also XHTML."""
    return "".join(map(_block, question.body)) + f"<p>{escape(question.prompt)}</p>"


def _block(block: VisibleBlock) -> str:
    if isinstance(block, Table):
        rows = [block.headers, *(row.cells for row in block.rows)]
        lines = ("".join(f"<td>{escape(text.span(cell))}</td>" for cell in row) for row in rows)
        return f"<table><tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody></table>"
    return f"<p>{escape(text.blocks([block]).strip())}</p>"


def _share(question: QuizQuestion, answer: QuizAnswer) -> float:
    """Return the percentage of the mark that an answer earns; wrong marks of several cost some."""
    right = len(question.right)
    if question.kind == "choices":
        wrong = len(question.answers) - right
        return round(100 / right if answer.is_right else -100 / max(1, wrong), 5)
    return 100.0 if answer.is_right else 0.0


# Moodle XML


def moodle_xml(questions: Sequence[QuizQuestion]) -> str:
    """Render questions as Moodle XML, in a category for each topic."""
    parts = []
    category = ""
    for question in questions:
        if question.category != category:
            category = question.category
            path = _moodle_text("category", f"$course$/top/BLEU/{category}")
            parts.append(f'<question type="category">{path}</question>')
        parts.append(_moodle_question(question))
    lines = "".join(f"{part}\n" for part in parts)
    return f"{_XML}<quiz>\n{lines}</quiz>\n"


def _moodle_text(tag: str, content: str, attributes: str = "") -> str:
    return f"<{tag}{attributes}><text>{escape(content)}</text></{tag}>"


def _moodle_question(question: QuizQuestion) -> str:
    parts = [
        _moodle_text("name", question.name),
        _moodle_text("questiontext", _body(question), ' format="html"'),
        "<defaultgrade>1</defaultgrade>",
    ]
    if question.kind in {"choice", "choices"}:
        parts.append(f"<single>{str(question.kind == 'choice').lower()}</single>")
        parts.append(
            "<shuffleanswers>false</shuffleanswers><answernumbering>none</answernumbering>"
        )
    if question.kind == "essay":
        example = "".join(answer.text for answer in question.answers)
        parts.append(_moodle_text("graderinfo", f"For example: {example}", ' format="plain_text"'))
    for answer in question.answers if question.kind != "essay" else ():
        if question.kind == "ranking":
            content = (
                f"<text>{escape(answer.text)}</text>{_moodle_text('answer', str(answer.rank))}"
            )
            parts.append(f'<subquestion format="plain_text">{content}</subquestion>')
            continue
        feedback = _moodle_text("feedback", answer.feedback, ' format="plain_text"')
        tolerance = f"<tolerance>{answer.tolerance:g}</tolerance>" * (question.kind == "number")
        parts.append(
            f'<answer fraction="{_share(question, answer):g}" format="plain_text">'
            f"<text>{escape(answer.text)}</text>{feedback}{tolerance}</answer>"
        )
    kind = _MOODLE_TYPES[question.kind]
    return f'<question type="{kind}">{"".join(parts)}</question>'


# GIFT


def gift(questions: Iterable[QuizQuestion]) -> str:
    """Render questions in GIFT, Moodle's text format, which other platforms read, too."""
    return "\n\n".join(map(_gift_question, questions)) + "\n"


def _gift_question(question: QuizQuestion) -> str:
    answers = "".join(f"\n{_gift_answer(question, answer)}" for answer in question.answers)
    if question.kind == "essay":
        answers = ""
    sign = "#" if question.kind == "number" else ""
    return (
        f"// {_single_line(question.category)}\n::{_gift_text(question.name)}::"
        f"[html]{_gift_text(_body(question))} {{{sign}{answers}\n}}"
    )


def _gift_answer(question: QuizQuestion, answer: QuizAnswer) -> str:
    feedback = f"#{_gift_text(answer.feedback)}" if answer.feedback else ""
    if question.kind == "number":
        share = "" if answer.is_right else "%0%"
        return f"={share}{answer.text}:{answer.tolerance:g}{feedback}"
    if question.kind == "ranking":
        return f"={_gift_text(answer.text)} -> {answer.rank}"
    if question.kind == "choices":
        return f"~%{_share(question, answer):g}%{_gift_text(answer.text)}{feedback}"
    return f"{'=' if answer.is_right else '~'}{_gift_text(answer.text)}{feedback}"


def _gift_text(content: str) -> str:
    return _GIFT_SPECIAL.sub(r"\\\1", _single_line(content))


def _single_line(content: str) -> str:
    return " ".join(content.split())


# QTI


def qti_package(questions: Sequence[QuizQuestion]) -> bytes:
    """Render questions as a QTI 2.1 content package: a ZIP file of items with a manifest.

    The same questions give the same bytes.
    """
    names = [f"item-{number}" for number, _ in enumerate(questions, 1)]
    resources = "".join(
        f'<resource identifier="{name}" type="imsqti_item_xmlv2p1" href="{name}.xml">'
        f'<file href="{name}.xml"/></resource>'
        for name in names
    )
    manifest = (
        f'{_XML}<manifest xmlns="{PACKAGE}" identifier="bleu"><metadata><schema>QTIv2.1 Package'
        "</schema><schemaversion>1.0.0</schemaversion></metadata><organizations/>"
        f"<resources>{resources}</resources></manifest>\n"
    )
    files = {"imsmanifest.xml": manifest}
    for name, question in zip(names, questions, strict=True):
        files[f"{name}.xml"] = qti_item(name, question)
    output = io.BytesIO()
    with ZipFile(output, "w") as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name), content.encode("utf-8", "replace"))
    return output.getvalue()


def qti_item(name: str, question: QuizQuestion) -> str:
    """Render one question as an assessment item of QTI 2.1."""
    ids = [f"A{number}" for number, _ in enumerate(question.answers, 1)]
    pairs = list(zip(ids, question.answers, strict=True))
    base_type = {"number": "float", "essay": "string"}.get(question.kind, "identifier")
    cardinality = {"choices": "multiple", "ranking": "ordered"}.get(question.kind, "single")
    if question.kind == "ranking":
        right = [each for each, _ in sorted(pairs, key=lambda pair: pair[1].rank)]
    elif question.kind == "number":
        right = [escape(answer.text) for answer in question.right]
    else:
        right = [each for each, answer in pairs if answer.is_right]
    values = "".join(f"<value>{value}</value>" for value in right)
    correct = f"<correctResponse>{values}</correctResponse>" * (question.kind != "essay")
    return (
        f'{_XML}<assessmentItem xmlns="{QTI}" identifier="{name}" '
        f'title="{escape(question.name)}" adaptive="false" timeDependent="false">'
        f'<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" '
        f'baseType="{base_type}">{correct}</responseDeclaration>'
        '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>'
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>'
        f"<itemBody><div>{_body(question)}</div>{_interaction(question, pairs)}</itemBody>"
        f"{_processing(question, pairs)}{''.join(_modal_feedback(pairs))}</assessmentItem>\n"
    )


def _interaction(question: QuizQuestion, pairs: Sequence[tuple[str, QuizAnswer]]) -> str:
    response = 'responseIdentifier="RESPONSE"'
    if question.kind == "number":
        return f'<p><textEntryInteraction {response} expectedLength="12"/></p>'
    if question.kind == "essay":
        return f'<extendedTextInteraction {response} expectedLength="200"/>'
    choices = "".join(
        f'<simpleChoice identifier="{each}">{escape(answer.text)}</simpleChoice>'
        for each, answer in pairs
    )
    if question.kind == "ranking":
        return f'<orderInteraction {response} shuffle="false">{choices}</orderInteraction>'
    most = 1 if question.kind == "choice" else 0
    return (
        f'<choiceInteraction {response} shuffle="false" maxChoices="{most}">{choices}'
        "</choiceInteraction>"
    )


def _processing(question: QuizQuestion, pairs: Sequence[tuple[str, QuizAnswer]]) -> str:
    """Return the rules that give the mark and choose the feedback."""
    if question.kind == "essay":
        return ""
    variable = '<variable identifier="RESPONSE"/>'
    test = f'<match>{variable}<correct identifier="RESPONSE"/></match>'
    if question.kind == "number":
        test = _equal(question.right[0])
    mark = _set("SCORE", "float", "1")
    rules = [f"<responseIf>{test}{mark}</responseIf>"]
    for each, answer in pairs:
        if answer.feedback and question.kind in {"number", "choice"}:
            value = f'<baseValue baseType="identifier">{each}</baseValue>'
            given = f"<match>{variable}{value}</match>"
            given = _equal(answer) if question.kind == "number" else given
            outcome = _set("FEEDBACK", "identifier", each)
            rules.append(f"<responseElseIf>{given}{outcome}</responseElseIf>")
    condition = f"<responseCondition>{''.join(rules)}</responseCondition>"
    return f"<responseProcessing>{condition}</responseProcessing>"


def _equal(answer: QuizAnswer) -> str:
    tolerance = f"{answer.tolerance:g}"
    return (
        f'<equal toleranceMode="absolute" tolerance="{tolerance} {tolerance}">'
        '<variable identifier="RESPONSE"/>'
        f'<baseValue baseType="float">{escape(answer.text)}</baseValue></equal>'
    )


def _set(identifier: str, base_type: str, value: str) -> str:
    return (
        f'<setOutcomeValue identifier="{identifier}"><baseValue baseType="{base_type}">{value}'
        "</baseValue></setOutcomeValue>"
    )


def _modal_feedback(pairs: Iterable[tuple[str, QuizAnswer]]) -> Iterable[str]:
    for each, answer in pairs:
        if answer.feedback:
            yield (
                f'<modalFeedback outcomeIdentifier="FEEDBACK" identifier="{each}" '
                f'showHide="show">{escape(answer.feedback)}</modalFeedback>'
            )
