"""Systematic differences that no list has, and repairs that do no harm."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleu
from bleu.checkup.changes import SAMPLE_LINES, random_lines
from bleu.checkup.checkup import STYLE_NOTE, iter_check
from bleu.checkup.kinds import KINDS
from bleu.checkup.repairs import REPAIRS
from bleu.checkup.transforms import redecode
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from bleu.files.containers import read_container
from tests.checkup.test_checkup import REFERENCES, SIZE, SYSTEM, changed, check, corrupt, sentences
from tests.support.case_selection import fast_and_slow

SACREBLEU = convention_settings("sacrebleu")
EXAMPLES = {name: kind.example for name, kind in KINDS.items() if kind.example}
CYRILLIC = str.maketrans("abcdefghijklmnoprstuvwy", "абсдефгхижклмнопрстувый")


def with_example(name, *sides):
    """Return the sides, the hypotheses or both with the example of a kind in all lines."""
    kind = KINDS[name]
    spoil = kind.file_example or (lambda lines: list(map(kind.example, lines)))
    return tuple(
        spoil(side) if kind.is_of_both_sides or not index else side
        for index, side in enumerate(sides)
    )


@pytest.mark.parametrize("name", KINDS)
def test_example_of_each_kind_is_found_by_name(name):
    settings = {"tokenizer": "whitespace"} if name == "tokenized" else {}
    first = check(*with_example(name, SYSTEM, REFERENCES), **settings)[0]
    side = "both" if KINDS[name].is_of_both_sides else "hypotheses"
    assert (first.name, first.side) == (name, side)
    assert first.action or first.remark, "nothing says what to do"


@pytest.mark.parametrize("share", fast_and_slow(1, [0.2, 1.0]))
@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("<2en> {}".format, "special-tokens"),
        ("eng_Latn {}".format, "frame"),
        ("{} (Applause)".format, "chatter"),
        ("{} and so on".format, "chatter"),
        ("<think>Let me see.</think>{}".format, "reasoning"),
        (lambda line: line.replace("e", "е"), "letters"),
        (lambda line: line.replace(" ", "%20"), "escapes"),
        (lambda line: line.encode().decode("cp1251", "replace"), "encoding"),
        (lambda line: line.replace(" ", "_"), "subwords"),
        (lambda line: " ".join(line.replace(" ", "  ")), "spacing"),
        (str.title, "case"),
        (lambda line: line.replace(" ", ""), "spacing"),
        (lambda line: re.sub(r"\d", "0", line), "letters"),
        (lambda line: re.sub(r"[^\w\s]", "", line), "punctuation"),
        ("„{}“".format, "frame"),
        ("{0} {0} {0}".format, "repetition"),
        (lambda line: f"({line.translate(CYRILLIC)}) {line}", "frame"),
        ("6f9619ff-8b86-d011-b42d-00cf4fc964ff {}".format, "frame"),
    ],
)
def test_difference_outside_every_list_is_found_with_its_cost(change, name, share):
    assert_found(corrupt(change, share), name)


def assert_found(hypotheses, name):
    rows = [[line] for line in REFERENCES]
    gain = bleu.corpus_bleu(SYSTEM, rows, SACREBLEU).value
    gain -= bleu.corpus_bleu(hypotheses, rows, SACREBLEU).value
    if gain < 0.005:
        return
    first = check(hypotheses)[0]
    assert (first.name, first.side) == (name, "hypotheses")
    assert first.cost == pytest.approx(gain, abs=max(0.005, 0.3 * gain))


@pytest.mark.parametrize("tags", [("<think>", "</think>"), ("[THINK]", "[/THINK]")])
def test_reasoning_without_an_end_costs_what_the_other_answers_show(tags):
    begin, end = tags
    hypotheses = [f"{begin}Is it {line[:20]}?{end} {line}" for line in SYSTEM]
    hypotheses[4] = f"{begin}The first word is not clear, so let me see what the other words say."
    findings = {finding.action: finding for finding in check(hypotheses)}
    assert {finding.name for finding in findings.values()} == {"reasoning"}
    lost = findings[""]
    assert [example.line for example in lost.examples] == [5]
    assert "translate these lines again" in lost.remark
    others = [index for index in range(SIZE) if index != 4]
    rows = [[REFERENCES[index]] for index in others]
    wanted = bleu.corpus_bleu([SYSTEM[index] for index in others], rows, SACREBLEU).value
    assert lost.score_without == pytest.approx(wanted, abs=1e-9)


def test_lists_of_words_are_escapes_in_some_lines_and_a_container_in_all():
    def write(line):
        return repr(line.split())

    assert_found(corrupt(write, 0.2), "escapes")
    hypotheses = corrupt(write)
    [finding] = check(hypotheses)
    assert (finding.name, finding.side) == ("json", "hypotheses")
    # As the finding advises, the lists are opened as a file, which restores the texts.
    assert run_to_end(read_container("", hypotheses)).rows == [[line] for line in SYSTEM]


def test_pairs_of_words_twice_are_found():
    # In a part of the lines, the words of these texts, which repeat by chance, would outweigh them.
    first = check([re.sub(r"(\S+ \S+)( |$)", r"\1 \1\2", line) for line in SYSTEM])[0]
    assert (first.name, first.action) == ("repetition", "repair:repetition")


def test_difference_that_gains_little_in_all_lines_is_not_mentioned():
    references = sentences("many references", 6000)
    hypotheses = changed(references, "many hypotheses")
    sampled = random_lines(len(references), SAMPLE_LINES)
    for index in sampled[:12]:  # 3 % of the sample, 0.2 % of the lines
        hypotheses[index] = hypotheses[index][::-1]
    assert not check(hypotheses, references)
    sample = [hypotheses[k] for k in sampled], [references[k] for k in sampled]
    assert check(*sample)[0].name == "letters"


@pytest.mark.parametrize("page", ["cp1250", "cp1251", "cp1252"])
def test_text_with_bytes_that_a_code_page_lacks_is_decoded(page):
    for text in ("Šárka", "Иван", "‘so’ “it” is", "Łódź"):
        # Programs keep the bytes that a page lacks as control characters.
        wrong = "".join(bytes([byte]).decode(page, "ignore") or chr(byte) for byte in text.encode())
        assert redecode(wrong, page, "utf-8") == text


FRENCH = ["Il aime la liberté\u00a0» et la paix.", "C’est la vérité\u00a0» dit-elle encore hier."]
CZECH = ["Další… a ještě více slov pro test.", "Příští… den bude pršet všude kolem nás."]
TIMES = ["3\u00a0×\u00a04 is what it is for us.", "5\u00a0×\u00a06 is what it was for them."]


@pytest.mark.parametrize("lines", [FRENCH, CZECH, TIMES])
def test_text_that_the_other_side_confirms_is_not_changed(lines):
    others = [line.replace(" et ", " ou ").replace(" is ", " was ") for line in lines]
    for references in (lines, others):
        rows = [[line] for line in references]
        assert "encoding" not in {f.name for f in bleu.check_corpus(lines, rows)}
        for name in REPAIRS:
            if name != "case":
                repaired, _ = bleu.repair_corpus(lines, rows, [name])
                assert [line for line in repaired if "頻" in line] == []
                assert name != "encoding" or repaired == lines
        assert "repair:encoding" not in {
            finding.action for finding in bleu.diagnose(lines[0], rows[0])
        }


@pytest.mark.parametrize(
    "text", ["▁▂▃▅▇ a sparkline here", "join ##linux for help with it", "press Ġ to go on"]
)
def test_signs_that_look_like_subwords_are_kept(text):
    hypotheses, references = [text, *SYSTEM], [[text], *([line] for line in REFERENCES)]
    repaired = bleu.repair_corpus(hypotheses, references, ["subwords", "special-tokens"])
    assert repaired == (hypotheses, references)


def test_end_token_of_deepseek_is_removed_and_not_joined():
    hypotheses = [f"{line}<｜end▁of▁sentence｜>" for line in SYSTEM]
    [finding] = check(hypotheses)
    assert finding.name == "special-tokens"
    rows = [[line] for line in REFERENCES]
    assert bleu.repair_corpus(hypotheses, rows, ["special-tokens"])[0] == SYSTEM
    before = bleu.corpus_bleu(hypotheses, rows, SACREBLEU).value
    repaired = bleu.repair_corpus(hypotheses, rows, ["subwords"])
    assert bleu.corpus_bleu(*repaired, SACREBLEU).value >= before


def test_marks_of_tokenizers_on_both_sides_are_found():
    def pieces(line):
        return re.sub(r"(\w{3})(\w{2,})", r"\1@@ \2", line)

    hypotheses, references = list(map(pieces, SYSTEM)), list(map(pieces, REFERENCES))
    finding = check(hypotheses, references)[0]
    assert (finding.name, finding.side) == ("subwords", "both")
    assert (
        finding.score_without
        == bleu.corpus_bleu(SYSTEM, [[line] for line in REFERENCES], SACREBLEU).value
    )


def test_pieces_of_words_on_both_sides_are_found():
    lines = [f"ال+ ولد كتب ال+ درس في ال+ مدرسة رقم {number}" for number in range(60)]
    rows = [[line.replace("مدرسة", "بيت")] for line in lines]
    first = bleu.check_corpus(lines, rows, SACREBLEU)[0]
    assert (first.name, first.side) == ("subwords", "both")
    assert first.cost < 0


@pytest.mark.parametrize("tokenizer", ["13a", "whitespace"])
def test_chinese_in_short_lines_needs_another_tokenizer(tokenizer):
    lines = ["第3章", "今天 10 点", "好的", "天气", "你好 2", "明天见"] * 4
    findings = bleu.check_corpus(lines, [[line[:-1]] for line in lines], tokenizer=tokenizer)
    assert "script" in {finding.name for finding in findings}


def test_matters_of_words_are_not_mentioned():
    for old, new in (("it's", "it is"), ("minister", "ministre"), ("efficient", "able")):
        names = {finding.name for finding in check([line.replace(old, new) for line in SYSTEM])}
        assert names <= {"punctuation"}


def test_parts_of_names_are_a_matter_of_words():
    lines = [line.replace("minister", "FIRST_MINISTER_ID") for line in SYSTEM]
    others = [line.replace("minister", "FIRST_MINISTER") for line in REFERENCES]
    assert lines != SYSTEM
    assert {finding.name for finding in check(lines, others)} <= {"punctuation"}


@pytest.mark.parametrize(
    ("change", "share", "is_style"),
    [
        (lambda line: line[0].swapcase() + line[1:], 0.15, True),
        (lambda line: line[0].swapcase() + line[1:], 1.0, False),
        (str.upper, 0.1, False),
    ],
    ids=["a choice", "many lines", "whole lines"],
)
def test_difference_in_a_word_of_few_lines_may_be_a_choice(change, share, is_style):
    first = check(corrupt(change, share))[0]
    assert first.name == "case"
    assert (STYLE_NOTE in first.remark) == is_style


def test_repair_of_one_kind_is_one_finding_with_all_costs():
    arabic = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
    halves = [
        re.sub("e", "е", line) if index % 2 else f"{line} {index}".translate(arabic)
        for index, line in enumerate(SYSTEM)
    ]
    numbered = [line if index % 2 else f"{line} {index}" for index, line in enumerate(REFERENCES)]
    findings = [each for each in check(halves, numbered) if each.name == "letters"]
    [repair] = [each for each in findings if each.action]
    assert " or have " in repair.claim
    rows = [[line] for line in numbered]
    repaired = bleu.repair_corpus(halves, rows, ["letters"], SACREBLEU)
    gain = (
        bleu.corpus_bleu(*repaired, SACREBLEU).value
        - bleu.corpus_bleu(halves, rows, SACREBLEU).value
    )
    assert repair.cost == pytest.approx(gain, abs=0.005)


@pytest.mark.parametrize(
    ("right", "wrong", "letters"),
    [("c", "k", {}), ("d", "t", {}), ("о", "o", CYRILLIC), ("и", "е", CYRILLIC)],
)
def test_right_references_are_not_blamed_for_letters_that_hypotheses_lost(right, wrong, letters):
    own, references = ([line.translate(letters) for line in side] for side in (SYSTEM, REFERENCES))
    spoiled = [line.replace(right, wrong) for line in own]
    findings = check(spoiled, references)
    rows = [[line] for line in references]
    lost = bleu.corpus_bleu(own, rows, SACREBLEU).value
    lost -= bleu.corpus_bleu(spoiled, rows, SACREBLEU).value
    assert (findings[0].name, findings[0].side) == ("letters", "hypotheses")
    assert findings[0].cost == pytest.approx(lost, rel=0.2)
    assert "references" not in {each.side for each in findings}
    assert bleu.repair_corpus(spoiled, rows, ["letters"], SACREBLEU)[1] == rows


def test_files_of_different_texts_are_unrelated():
    [finding] = check(SYSTEM, sentences("another"))
    assert (finding.name, finding.cost, finding.action) == ("unrelated", None, "")


@pytest.mark.parametrize(
    "order",
    [[*range(30, 60), *range(30)], list(range(60))[::-1], random.Random(3).sample(range(60), 60)],
    ids=["halves", "reversed", "shuffled"],
)
def test_lines_in_another_order_are_put_in_order_and_none_is_lost(order):
    hypotheses = [SYSTEM[index] for index in order]
    first = check(hypotheses)[0]
    assert (first.name, first.action) == ("shuffled", "repair:shuffled")
    rows = [[line] for line in REFERENCES]
    repaired, _ = bleu.repair_corpus(hypotheses, rows, ["shuffled"])
    assert repaired == SYSTEM
    assert first.score_without == bleu.corpus_bleu(SYSTEM, rows, SACREBLEU).value


def test_each_file_of_references_is_checked_alone():
    shifted = [*REFERENCES[1:], REFERENCES[0]]
    rows = [list(row) for row in zip(REFERENCES, shifted, strict=True)]
    first = bleu.check_corpus(SYSTEM, rows, SACREBLEU)[0]
    assert (first.name, first.side) == ("misaligned", "references")
    assert first.message.startswith("File 2 of the references is in another order")
    unrelated = [list(row) for row in zip(REFERENCES, sentences("more"), strict=True)]
    assert bleu.check_corpus(SYSTEM, unrelated, SACREBLEU)[0].name == "unrelated"


def test_cost_of_case_is_that_of_its_lines():
    hypotheses = corrupt(str.lower, 0.1)
    [finding] = check(hypotheses)
    rows = [[line] for line in REFERENCES]
    lost = bleu.corpus_bleu(SYSTEM, rows, SACREBLEU).value
    lost -= bleu.corpus_bleu(hypotheses, rows, SACREBLEU).value
    assert (finding.name, finding.side) == ("case", "hypotheses")
    assert 5 <= finding.segments <= 6
    assert finding.cost == pytest.approx(lost, abs=0.004)


def test_texts_without_final_marks_are_not_cut_off():
    bare = [line.rstrip(".") for line in SYSTEM]
    assert "truncated" not in {finding.name for finding in check(bare)}


def test_near_copies_are_named():
    [finding] = check([*REFERENCES * 2, SYSTEM[0]], [*REFERENCES * 2, REFERENCES[0]])
    assert finding.claim == "120 of 121 candidates are equal to a reference, apart from spaces."
    assert finding.message == f"{finding.claim} Check that the right files were chosen."
    findings = check([f"{line} " for line in REFERENCES])
    assert findings[0].claim == "All 60 candidates are equal to a reference, apart from spaces."


def test_byte_order_mark_that_changes_no_digit_is_not_mentioned():
    rows = [[line] for line in REFERENCES] * 40
    steps = iter_check(SYSTEM * 40, rows, SACREBLEU, has_bom=(True, False))
    assert "bom" not in {finding.name for finding in run_to_end(steps)}


def test_costs_add_up_to_the_whole_difference():
    hypotheses = [f"eng_Latn {line.upper()}" for line in SYSTEM]
    findings = check(hypotheses)
    ends = [(finding.score, finding.score_without) for finding in findings]
    total = sum(finding.cost for finding in findings)
    assert total == pytest.approx(max(b for _, b in ends) - min(a for a, _ in ends))


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("a <unk> is here", "a cat is here"),
        ("caf\ufffd is open", "café is open"),
        ("it&#39;s a day", "it's a day"),
        ("no and so on and so on and so on and so on", "no cats"),
        ("Правительство сообщило", "The government said"),
        ("今天天气很好", "今天天气不好"),
        ("", "a cat"),
    ],
)
def test_one_segment_has_the_findings_of_a_file_of_one_line(hypothesis, reference):
    by_file = {f.name for f in bleu.check_corpus([hypothesis], [[reference]])}
    by_segment = {f.name for f in bleu.diagnose(hypothesis, [reference])}
    assert by_file - {"empty"} <= by_segment


LINE = st.sampled_from([*SYSTEM[:12], *REFERENCES[:12], "", "Ja. Gut.", *FRENCH, *CZECH])
SPOILT = st.sampled_from([None, *EXAMPLES.values()])


REORDERING = {"shuffled", "misaligned", "length-mismatch", "line-ends"}


@settings(max_examples=40)
@given(st.lists(st.tuples(LINE, SPOILT, st.booleans()), min_size=1, max_size=SIZE), st.data())
def test_no_repair_of_one_side_lowers_the_score_or_changes_other_lines(rows, data):
    hypotheses, references = [], []
    for line, spoil, is_reference in rows:
        pair = [line, line.replace(" and ", " or ")]
        if spoil:
            pair[is_reference] = spoil(pair[is_reference])
        hypotheses.append(pair[0])
        references.append([pair[1]])
    before = bleu.corpus_bleu(hypotheses, references, SACREBLEU).value
    name = data.draw(st.sampled_from(sorted(REPAIRS.keys() - {"case"})))  # Case is a setting.
    repaired = bleu.repair_corpus(hypotheses, references, [name], SACREBLEU)
    if hypotheses == repaired[0] or references == repaired[1]:
        assert bleu.corpus_bleu(*repaired, SACREBLEU).value >= before - 1e-9
    if name not in REORDERING:
        for index, (_, spoil, _) in enumerate(rows):
            assert spoil or repaired[0][index] == hypotheses[index]
            assert spoil or repaired[1][index] == references[index]


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name in REPAIRS])
@pytest.mark.parametrize("share", fast_and_slow(1, [0.2, 1.0]))
def test_repair_of_both_sides_says_the_new_score(name, share):
    hypotheses = corrupt(EXAMPLES[name], share)
    rows = [[line] for line in corrupt(EXAMPLES[name], share, REFERENCES)]
    before = bleu.corpus_bleu(hypotheses, rows, SACREBLEU).value
    for finding in bleu.check_corpus(hypotheses, rows, SACREBLEU):
        action, _, repair = finding.action.partition(":")
        if action == "repair":
            repaired = bleu.repair_corpus(hypotheses, rows, [repair], SACREBLEU)
            after = bleu.corpus_bleu(*repaired, SACREBLEU).value
            assert after >= before or finding.score_without < finding.score
            if finding.score == before:
                assert finding.score_without == pytest.approx(after)


def test_repair_of_ids_on_both_sides_says_the_new_score():
    hypotheses = [f"id-{number} {line}" for number, line in enumerate(SYSTEM)]
    rows = [[f"id-{number} {line}"] for number, line in enumerate(REFERENCES)]
    [finding] = bleu.check_corpus(hypotheses, rows, SACREBLEU)
    assert (finding.action, finding.side) == ("repair:frame", "both")
    assert finding.score == bleu.corpus_bleu(hypotheses, rows, SACREBLEU).value
    repaired = bleu.repair_corpus(hypotheses, rows, ["frame"], SACREBLEU)
    assert repaired == (SYSTEM, [[line] for line in REFERENCES])
    after = bleu.corpus_bleu(*repaired, SACREBLEU).value
    assert finding.score_without == after < finding.score


def test_repair_of_one_end_leaves_the_other():
    """Words before the text and a token after it are of two kinds."""
    system = [f"assistant: {line} <end>" for line in SYSTEM]
    rows = [[line] for line in REFERENCES]
    repaired, _ = bleu.repair_corpus(system, rows, ["chatter"])
    assert repaired == [f"{line} <end>" for line in SYSTEM]
