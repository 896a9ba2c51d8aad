"""Worksheets of the view Learn, and the tally of a class."""

import json
import re
from dataclasses import replace
from functools import cache
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.learn.class_tally import (
    ClassTally,
    Learner,
    class_tally_csv,
    class_tally_html,
    tally_class,
)
from app.learn.worksheet_answers import (
    WorksheetInput,
    answers_line,
    grade_sheet,
    worksheet_feedback,
    worksheet_html,
)
from app.learn.worksheet_spec import (
    MAX_REPLACEMENTS,
    WorksheetSpec,
    apply_own_texts,
    exercise_from_lines,
    from_fragment,
    iter_worksheet,
    texts_as_lines,
    to_fragment,
)
from bleu.core.progress import run_to_end
from bleu.formats import EXERCISE_FORMATS, ExerciseSheet
from bleu.learn.generation import exercises as generate
from bleu.learn.grading import answer_key
from bleu.learn.hand_calculation import calculate_all
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS
from tests.support.case_selection import fast_and_slow
from tests.support.plain_markup import plain

SPECS = st.builds(
    WorksheetSpec,
    seed=st.text(st.characters(categories=("L", "N")), min_size=1, max_size=40).filter(
        str.isprintable
    ),
    topics=st.lists(st.sampled_from(TOPICS), unique=True).map(tuple),
    count=st.integers(1, 100),
    max_order=st.sampled_from((2, 3, 4)),
    by_hand=st.booleans(),
    variant=st.sampled_from("ABCD"),
    kinds=st.lists(st.sampled_from([*KINDS]), unique=True).map(tuple),
)


@cache
def worksheet_of(spec):
    return tuple(iter_worksheet(spec))


def right_answers(exercises):
    """Return the answers to all exercises, by the name of the blank."""
    return {
        f"{number}.{name}": answer
        for number, exercise in enumerate(exercises, 1)
        for name, answer in answer_key(exercise).items()
    }


# Specification and link


@given(SPECS, st.integers(0, 5))
def test_link_gives_the_same_worksheet(spec, index):
    spec = spec.with_another_exercise(min(index, spec.count - 1)).with_own_texts(
        0, "a b\n<i>&=%\n\nالقط"
    )
    assert from_fragment(f"#{to_fragment(spec)}") == (spec, "")


@given(st.text())
def test_damaged_link_falls_back_to_defaults(text):
    for fragment in (text, f"#exercises={text}", f"exercises=1&count={text}&again={text}"):
        parsed = from_fragment(fragment)
        if parsed:
            spec, notice = parsed
            assert 1 <= spec.count <= 100
            assert not notice or notice.startswith(("The link asks for", "This link was made by"))


@pytest.mark.parametrize(
    "fragment",
    ["exercises=a&count=1e9", "exercises=a&count=-1", "exercises=a&order=9",
     "exercises=a&topics=cats", "exercises=a&variant=E", "exercises=a&again=1.x",
     "exercises=a&count=²", "exercises=" + "a" * 41, "exercises=a&count=" + "9" * 5000],
)  # fmt: skip
def test_notice_on_an_invalid_value_of_a_link(fragment):
    spec, notice = from_fragment(fragment)
    assert notice
    assert spec.count == 6


def test_link_of_another_version_has_one_sentence():
    notice = "This link was made by another version of this page, which had other exercises under "
    for fragment in ("exercises=a&count=2&order=2", "exercises=a&version=1", "exercises=a"):
        assert from_fragment(fragment)[1] == f"{notice}the same number."
    assert from_fragment("exercises=a&version=4")[1] == ""


def test_link_without_a_seed_is_no_worksheet():
    assert from_fragment("#exercises=") is None


def test_own_texts_replace_the_generated_ones():
    spec = WorksheetSpec("q", ("clipping", "corpus"), 2)
    generated = worksheet_of(spec)
    for exercise in generated:
        assert exercise_from_lines(exercise, texts_as_lines(exercise)).task == exercise.task
    lines = "the the the cat \r\n the cat sat\r\n\r\n\r\n"
    first, second = apply_own_texts(spec.with_own_texts(0, lines), generated)[0]
    assert (first.hypotheses, first.references) == (("the the the cat",), (("the cat sat",),))
    assert second == generated[1]


def test_own_texts_are_dropped_with_their_exercise():
    spec = WorksheetSpec("s", ("clipping", "corpus"), 2)
    assert spec.with_own_texts(0, "a b\na c").with_another_exercise(0).texts == ()
    assert spec.with_own_texts(0, "a b\na c").with_own_texts(0, "").texts == ()
    shorter = replace(spec.with_own_texts(1, "a b\na c"), count=1)
    generated = worksheet_of(spec)[:1]
    assert apply_own_texts(shorter, generated) == (generated, "")
    assert "text-2" not in to_fragment(shorter)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("a b", "a candidate has 0 references; give it 1 to 3"),
        ("a b\n\nc d\nc d", "this exercise takes 1 candidate with its references, not 2"),
        ("a\na b", "the candidate 'a' has length 1; give it 2 to 12 tokens"),
        ("a b\n" + "c " * 13, "has length 13; give it 1 to 12 tokens"),
        ("x " * 2_000, "the texts have 4,000 characters; give at most 2,000"),
        ("a b c\na b c", "with these texts, the usual mistakes about clipping"),
        ("\n\n", "this exercise takes 1 candidate with its references, not 0"),
    ],
)
def test_unsuitable_own_texts_are_left_out_with_a_notice(lines, message):
    spec = WorksheetSpec("7k2q", ("clipping",), 1)
    generated = generate("7k2q", ("clipping",), 1, kinds=("step",))
    exercises, notice = apply_own_texts(spec.with_own_texts(0, lines), generated)
    assert exercises == generated
    assert message in notice


def test_replacements_start_again_after_the_last():
    last = WorksheetSpec(replacements=(MAX_REPLACEMENTS,))
    assert last.with_another_exercise(0).replacements == (1,)


def test_one_exercise_can_be_replaced():
    spec = WorksheetSpec("s", ("clipping",), 3)
    before, after = worksheet_of(spec), worksheet_of(spec.with_another_exercise(1))
    unchanged = [a.task == b.task for a, b in zip(before, after, strict=True)]
    assert unchanged == [True, False, True]


def test_variants_have_other_texts_of_the_same_kinds():
    spec = WorksheetSpec("s", ("clipping",), 3)
    first, second = worksheet_of(spec), worksheet_of(replace(spec, variant="B"))
    assert all(a.task != b.task for a, b in zip(first, second, strict=True))
    assert [exercise.kind for exercise in first] == [exercise.kind for exercise in second]
    with pytest.raises(ValueError, match="variant 'E'"):
        list(iter_worksheet(replace(spec, variant="E")))


# Answers


def test_input_is_kept_for_unchanged_exercises():
    old = worksheet_of(WorksheetSpec("7k2q", count=3))
    other = worksheet_of(WorksheetSpec("8", count=3))[1]
    inputs = WorksheetInput(
        {"1.a": "1", "2.a": "2", "3.a": "3"}, {"1.a": "1"}, {}, {1: "a b", 2: "c"}
    )
    assert inputs.carry_over(old, old) == inputs
    second_replaced = inputs.carry_over(old, (old[0], other, old[2]))
    assert second_replaced == WorksheetInput({"1.a": "1", "3.a": "3"}, {"1.a": "1"}, {}, {2: "c"})
    only_second_kept = inputs.carry_over(old, (other, old[1]))
    assert only_second_kept == WorksheetInput({"2.a": "2"}, {}, {}, {1: "a b"})


def test_feedback_counts_right_exercises():
    exercises = worksheet_of(WorksheetSpec("7k2q", ("clipping", "brevity"), 2))
    answers = right_answers(exercises)
    assert worksheet_feedback(exercises, answers) == "<p>2 of 2 are right.</p>"
    feedback = worksheet_feedback(exercises, dict.fromkeys(answers, "x"))
    assert "0 of 2 are right" in feedback
    assert "<li>" in feedback
    assert "There is no answer yet." in worksheet_feedback(exercises, {})


# The tally of a class


@cache
def class_worksheet():
    """Return a specification whose second exercise is a step, and its exercises."""
    specs = (WorksheetSpec(f"class {n}", ("clipping", "brevity"), 2) for n in range(50))
    return next(
        (spec, exercises)
        for spec in specs
        for exercises in [worksheet_of(spec)]
        if exercises[1].kind == "step"
    )


def test_class_of_thirty_is_tallied_by_mistake():
    spec, exercises = class_worksheet()
    right = right_answers(exercises)
    assert all(graded.right for graded in grade_sheet(exercises, right))
    step = exercises[1]
    name = step.misconceptions[0]
    method = MISCONCEPTIONS[name].change
    wrong_values = calculate_all(step.task, step.names, method, step.given_values)
    wrong = right | {f"2.{field}": f"{float(value):.4f}" for field, value in wrong_values.items()}
    lines = [answers_line(spec, f"Ann & {n}", right) for n in range(18)]
    lines += [answers_line(spec, "Bo\nb", wrong) for _ in range(12)]
    assert all("\n" not in line for line in lines)
    tally = run_to_end(tally_class("\n".join(["some nonsense", *lines, "", "exercises=1&count=x"])))
    assert len(tally.learners) == 19
    assert tally.repeated_count == 11
    assert len(tally.unreadable) == 2
    assert tally.learners[0] == Learner("Ann & 0", ("right", "right"))
    assert tally.learners[-1].results == ("right", "wrong")
    assert "\n" not in tally.learners[-1].name
    assert tally.mistakes == ((name, 1, 1),)
    markup = class_tally_html(tally)
    assert "11 lines with the same name and answers counted once." in markup
    assert "Ann &amp; 0" in markup


def test_first_attempts_are_told_from_corrected_ones():
    spec, exercises = class_worksheet()
    right = right_answers(exercises)
    wrong = right | {f"2.{exercises[1].names[0]}": "99"}
    inputs = WorksheetInput().with_graded(wrong).with_graded(right)
    line = answers_line(spec, "Ann", right, inputs.first_answers)
    tally = run_to_end(tally_class(line))
    assert tally.learners[0].results == ("right", "corrected")
    assert "Right in the end" in class_tally_html(tally)
    csv = class_tally_csv(tally)
    assert csv.splitlines()[:2] == [
        "learner,exercise 1,exercise 2,first mistakes,mistakes",
        "Ann,right,corrected,,",
    ]
    assert "'=1" in class_tally_csv(ClassTally((Learner("=1", ()),)))


def test_spoilt_lines_of_a_class_are_read_or_named_with_the_reason(monkeypatch):
    spec, exercises = class_worksheet()
    right = right_answers(exercises)

    def line(name):
        return answers_line(spec, name, right)

    with monkeypatch.context() as patch:
        patch.setattr("app.learn.worksheet_spec.VERSION", 1)
        old_line = line("Old")
    wrapped = line("Wrapped")
    lines = [
        *(line(f"Ann {n}") for n in range(17)),
        f"> {line('Quoted')}",
        f"“{line('In quotes')}”",
        line("Entity").replace("&", "&amp;"),
        f"https://example.org/bleu/#{line('Linked')}",
        f"> {wrapped[:70]}",
        f"> {wrapped[70:140]}",
        f"> {wrapped[140:]}",
        line("Cut off")[:-25],
        line("Ann 3"),
        "Dear teacher, here are my answers",
        old_line,
    ]
    tally = run_to_end(tally_class("\n".join(lines)))
    names = {learner.name for learner in tally.learners}
    assert names == {
        *(f"Ann {n}" for n in range(17)),
        *("Quoted", "In quotes", "Entity", "Linked", "Wrapped"),
    }
    assert all(learner.results == ("right", "right") for learner in tally.learners)
    assert tally.repeated_count == 1
    cut_off, greeting, old = [plain(text) for text in tally.unreadable]
    assert cut_off == "Line 25 of Cut off is cut off; ask for the whole line."
    assert greeting == "Line 27 has no answers; they begin with “exercises=”."
    assert old.startswith("Line 28 of Old names another worksheet: This link was made by another")
    assert "3 lines could not be read" in class_tally_html(tally)


def wrapped(line, width, prefix="", suffix=""):
    return "\n".join(
        f"{prefix}{line[i : i + width]}{suffix if i + width < len(line) else ''}"
        for i in range(0, len(line), width)
    )


READ_DAMAGES = {
    "none": lambda line: line,
    "quoted": lambda line: f"> {line}",
    "quoted twice": lambda line: f">> {line}",
    "typographic quotes": lambda line: f"“{line}”",
    "straight quotes": lambda line: f'"{line}"',
    "back quotes": lambda line: f"`{line}`",
    "angle brackets": lambda line: f"<{line}>",
    "brackets": lambda line: f"({line})",
    "bullet": lambda line: f"- {line}",
    "number": lambda line: f"3. {line}",
    "salutation": lambda line: f"Here it is: {line}",
    "text behind": lambda line: f"{line} Best, Ann",
    "link": lambda line: f"https://example.org/bleu/#{line}",
    "full stop": lambda line: f"{line}.",
    "comma": lambda line: f"{line},",
    "tab and spaces": lambda line: f"\t  {line}  ",
    "carriage return": lambda line: f"{line}\r\n",
    "byte order mark": lambda line: f"\ufeff{line}",
    "capital": lambda line: f"E{line[1:]}",
    "entity": lambda line: line.replace("&", "&amp;"),
    "entity twice": lambda line: line.replace("&", "&amp;amp;"),
    "number entity": lambda line: line.replace("&", "&#38;"),
    "small escapes": lambda line: line.replace("%2F", "%2f"),
    "encoded twice": lambda line: line.replace("%", "%25"),
    "encoded as a whole": lambda line: quote(line, safe=""),
    "decoded": lambda line: line.replace("%2F", "/").replace("%28", "(").replace("%29", ")"),
    "quoted-printable": lambda line: wrapped(line.replace("=", "=3D"), 70, suffix="="),
    "wrapped": lambda line: wrapped(line, 60),
    "wrapped and quoted": lambda line: wrapped(line, 60, "> "),
    "non-breaking hyphen": lambda line: line.replace("-", "\u2011"),
    "en dash": lambda line: line.replace("-", "–"),
    "minus sign": lambda line: line.replace("-", "−"),
    "zero-width spaces": lambda line: line.replace("&", "\u200b&"),
    "soft hyphens": lambda line: line.replace("-", "-\u00ad"),
    "word joiner": lambda line: line.replace("=", "\u2060="),
    "full-width signs": lambda line: line.replace("=", "＝").replace("&", "＆"),
    "escaped for Markdown": lambda line: line.replace("-", "\\-").replace(".", "\\."),
    "on one line with another": lambda line: f"{line} {line.replace('=Ann&', '=Bo&')}",
}
REFUSED_DAMAGES = {
    "cut off": lambda line: line[:-20],
    "end cut off": lambda line: line[:-2],
    "answer changed": lambda line: line.replace("2.c=", "2.c=1"),
    "answer lost": lambda line: re.sub("&2.c=[^&]*", "", line),
    "field renamed": lambda line: line.replace("2.bp", "2.pb"),
    "other number": lambda line: re.sub("exercises=[^&]*", "exercises=other", line),
    "other order": lambda line: line.replace("order=2", "order=3"),
    "answers exchanged": lambda line: line.replace("2.c=", "2.x=").replace("2.r=", "2.c="),
}


@pytest.mark.parametrize("damage", fast_and_slow(12, READ_DAMAGES))
def test_damaged_line_is_read_rightly(damage):
    spec, exercises = class_worksheet()
    answers = right_answers(exercises) | {"2.bp": "exp(−(1)/5)"}
    expected = run_to_end(tally_class(answers_line(spec, "Ann", answers))).learners[0].results
    tally = run_to_end(tally_class(READ_DAMAGES[damage](answers_line(spec, "Ann", answers))))
    assert tally.unreadable == ()
    names = ["Ann", "Bo"] if damage == "on one line with another" else ["Ann"]
    assert [learner.name for learner in tally.learners] == names
    assert {learner.results for learner in tally.learners} == {expected}


@pytest.mark.parametrize("damage", REFUSED_DAMAGES)
def test_changed_line_is_refused_with_the_reason(damage):
    spec, exercises = class_worksheet()
    line = answers_line(spec, "Ann", right_answers(exercises))
    damaged = REFUSED_DAMAGES[damage](line)
    assert damaged != line
    tally = run_to_end(tally_class(damaged))
    assert tally.learners == ()
    reasons = {"cut off": "is cut off; ask for the whole line"}
    reason = reasons.get(damage, "was changed on the way; ask for it once more")
    assert [plain(text) for text in tally.unreadable] == [f"Line 1 of Ann {reason}."]


def test_line_with_an_answer_that_nobody_asked_is_refused():
    spec, exercises = class_worksheet()
    line = answers_line(spec, "Ann", right_answers(exercises) | {"2.b_p": "1"})
    tally = run_to_end(tally_class(line))
    assert tally.learners == ()
    assert "answers “2.b_p”, which the worksheet does not ask" in plain(tally.unreadable[0])


def test_learners_of_one_name_are_both_kept_and_named():
    spec, exercises = class_worksheet()
    right = right_answers(exercises)
    other = replace(spec, count=1)
    lines = [
        answers_line(spec, "Ann", right),
        answers_line(spec, "Ann", right | {"2.c": "99"}),
        answers_line(spec, "Ann", right),
        answers_line(other, "Ann", right_answers(worksheet_of(other))),
    ]
    tally = run_to_end(tally_class("\n".join(lines)))
    assert [(learner.name, learner.results) for learner in tally.learners] == [
        ("Ann", ("right", "right")),
        ("Ann (line 2)", ("right", "wrong")),
        ("Ann", ("right",)),
    ]
    assert (tally.repeated_count, tally.same_names) == (1, ("Ann (line 2)",))
    markup = plain(class_tally_html(tally))
    assert "Of the same name, with other answers, and counted as well: Ann (line 2)." in markup


def test_line_without_name_and_answers_is_a_blank_learner():
    tally = run_to_end(tally_class(answers_line(class_worksheet()[0], "", {})))
    assert tally.learners == (Learner("line 1", ("blank", "blank")),)


# HTML and exports


@pytest.mark.parametrize("name", EXERCISE_FORMATS)
@pytest.mark.parametrize("solved", [False, True])
def test_every_format_has_every_exercise(name, solved):
    spec = WorksheetSpec("7k2q", ("clipping", "brevity"), 4)
    exercises = worksheet_of(spec)
    content = EXERCISE_FORMATS[name].render(ExerciseSheet(exercises, "worksheet", solved))
    if name == "json":
        data = json.loads(content)
        assert [item["kind"] for item in data] == [exercise.kind for exercise in exercises]
        keys = {"hypotheses", "references", "max_order", "misconceptions", "answer"}
        assert keys <= data[0].keys()
        return
    if name == "qti":
        assert content[:2] == b"PK"
        return
    assert content.count("Candidate") >= 3
    if name != "moodle":  # This always has the answers.
        assert ("solutions" in content) == solved


@pytest.mark.parametrize("teaching", [False, True])
@pytest.mark.parametrize("solved", [False, True])
def test_only_an_unsolved_worksheet_has_blanks(teaching, solved):
    spec = WorksheetSpec("<b>", ("clipping", "whole"), 2)
    markup = worksheet_html(spec, worksheet_of(spec), solved=solved, teaching=teaching)
    assert "<b>" not in re.sub(r"<b\b[^>]*class", "", markup)
    assert bool(re.search(r'<input[^>]* name="\d+\.', markup)) != solved
    assert markup.count("learn:another") == (2 if teaching else 0)


def test_only_an_exercise_with_own_texts_can_have_its_generated_texts_back():
    spec = WorksheetSpec("7k2q", ("clipping",), 2).with_own_texts(1, "the the cat\nthe cat sat")
    exercises, _ = apply_own_texts(spec, worksheet_of(spec))
    markup = worksheet_html(spec, exercises, solved=False, teaching=True)
    assert re.findall(r"learn:as-found (\d)", markup) == ["1"]


@pytest.mark.parametrize("solved", [False, True])
def test_worksheet_has_no_ngram_keys(solved):
    exercises = worksheet_of(WorksheetSpec("7k2q", ("clipping",), 3))
    markup = worksheet_html(WorksheetSpec(), exercises, solved=solved, teaching=True)
    assert "data-ngram" not in markup


def test_mistakes_are_listed_by_first_attempts_then_by_last_ones():
    names = [*MISCONCEPTIONS][:4]
    learners = (
        Learner("Ann", (), frozenset(names[1:]), frozenset(names[3:])),
        Learner("Bo", (), frozenset(names[2:]), frozenset({names[0], names[2]})),
        Learner("Cy", (), frozenset(names[3:]), frozenset({names[0], names[2]})),
    )
    assert ClassTally(learners).mistakes == (
        (names[3], 3, 1),
        (names[2], 2, 2),
        (names[1], 1, 0),
        (names[0], 0, 2),
    )
    tied = ClassTally((Learner("Ann", (), frozenset(names[:2]), frozenset(names[1:2])),))
    assert tied.mistakes == ((names[1], 1, 1), (names[0], 1, 0))
