"""The check-up of a corpus: faults with the right name, exact costs, and no false alarms."""

import html
import json
import random
import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu
from bleu.checkup.checkup import iter_check
from bleu.checkup.faults import MAX_ROUNDS, resolve_escapes
from bleu.checkup.finding import FaultyLine, Lines
from bleu.checkup.kinds import FAULTS, REMEDIES
from bleu.checkup.line_faults import _is_cut
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from tests.support.case_selection import fast_and_slow

WORDS = re.findall(
    r"\S+",
    "the a café naïve office flat 12 report minister said that it's “open” winter résumé and of "
    "to government Köln house river near first found new law seven people efficient while",
)
SIZE = 60


def sentences(seed, size=SIZE):
    """Return sentences that begin with a capital letter and end with a period."""
    rng = random.Random(seed)
    lines = []
    for _ in range(size):
        words = [rng.choice(WORDS) + rng.choice(["", "", "", ",", "s"]) for _ in range(14)]
        lines.append(" ".join(["The", *words, f"{rng.randrange(10**6)}."]))
    return lines


def changed(lines, seed, share=0.15):
    """Return lines with a share of their words replaced, as a translation differs."""
    rng = random.Random(seed)
    return [
        " ".join(
            rng.choice(WORDS) if 0 < index < 14 and rng.random() < share else word
            for index, word in enumerate(line.split())
        )
        for line in lines
    ]


REFERENCES = sentences("references")
SYSTEM = changed(REFERENCES, "system")


def check(hypotheses, references=REFERENCES, **choices):
    """Return the findings under sacreBLEU's settings, or others."""
    rows = [[line] for line in references]
    return bleu.check_corpus(hypotheses, rows, **({"convention": "sacrebleu"} | choices))


def corrupt(change, share=1.0, lines=SYSTEM):
    """Return lines, a share of which is changed."""
    return [
        change(line) if index < share * len(lines) else line for index, line in enumerate(lines)
    ]


def moses(line):
    """Return a line as Moses tokenizes it, without its escapes."""
    for mark in ",.":
        line = line.replace(f"{mark} ", f" {mark} ")
    return line.replace("'s", " 's").removesuffix(".") + " ."


CORRUPTIONS = {
    "escapes": lambda line: html.escape(line).replace("e", "&#101;", 2),
    "normalization": lambda line: unicodedata.normalize("NFD", line),
    "bom": lambda line: f"\ufeff{line}",
    "invisible": lambda line: "\u200f" + line.replace(" ", "\u200b ") + "\u200f",
    "punctuation": lambda line: line.replace("'", "’"),
    "compatibility": lambda line: line.replace("ffi", "ﬃ").replace("fl", "ﬂ").replace("1", "１"),
    "case": str.upper,
    "tokenized": moses,
    "subwords": lambda line: " ".join(f"▁{word}" for word in line.split()),
    "special-tokens": lambda line: f"<s> {line} </s>",
    "other-language": lambda _: "Правительство сообщило в понедельник о новом законе.",
    "chatter": lambda line: f"Sure, here is the translation: {line}",
    "truncated": lambda line: " ".join(line.split()[:7]).rstrip(".,"),
    "repetition": lambda line: f"{line} and so on and so on and so on and so on and so on",
    "empty": lambda _: "",
    "encoding": lambda line: line.encode().decode("cp1252", "replace").replace("\ufffd", "\x9d"),
}


@pytest.mark.parametrize("share", fast_and_slow(1, [0.3, 0.1, 1.0]))
@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corruption_is_the_first_finding(name, share):
    hypotheses = corrupt(CORRUPTIONS[name], share)
    settings = {"tokenizer": "whitespace"} if name == "tokenized" else {}
    first = check(hypotheses, **settings)[0]
    assert (first.name, first.side) == (name, "hypotheses")
    corrupted = sum(map(str.__ne__, hypotheses, SYSTEM))
    assert 0.75 * corrupted <= first.segments <= corrupted
    assert len(first.examples) <= 3


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corruption_of_the_references_is_found(name):
    if name in {"chatter", "truncated", "repetition", "other-language"}:
        return  # These are faults of systems.
    settings = {"tokenizer": "whitespace"} if name == "tokenized" else {}
    findings = check(SYSTEM, corrupt(CORRUPTIONS[name], lines=REFERENCES), **settings)
    assert (findings[0].name, findings[0].side) == (name, "references")


@pytest.mark.parametrize("name", fast_and_slow(6, CORRUPTIONS))
def test_cost_is_the_exact_score_of_the_repaired_corpus(name):
    for share in (0.2, 1.0):
        hypotheses = corrupt(CORRUPTIONS[name], share)
        rows = [[line] for line in REFERENCES]
        score = bleu.corpus_bleu(hypotheses, rows, convention="sacrebleu").value
        repairs = []
        for finding in check(hypotheses):
            assert finding.score == score
            if not finding.action.startswith("repair:"):
                break
            repairs.append(finding.name)
            repaired = bleu.repair_corpus(hypotheses, rows, repairs)
            score = bleu.corpus_bleu(*repaired, convention="sacrebleu").value
            assert finding.score_without == score


@pytest.mark.parametrize("name", fast_and_slow(8, CORRUPTIONS))
def test_finding_is_gone_after_its_repair(name):
    hypotheses = corrupt(CORRUPTIONS[name])
    if check(hypotheses)[0].action == f"repair:{name}":
        repaired, rows = bleu.repair_corpus(hypotheses, [[line] for line in REFERENCES], [name])
        findings = bleu.check_corpus(repaired, rows, convention="sacrebleu")
        assert name not in [finding.name for finding in findings]


@pytest.mark.parametrize("seed", range(8))
def test_clean_texts_have_no_finding(seed):
    references = sentences(seed)
    assert check(changed(references, seed + 0.5), references) == ()
    assert check(changed(references, seed + 0.5, 0.5), references) == ()
    assert check([], []) == ()


def test_shifted_shuffled_and_missing_lines_are_found():
    extra = ["An extra line is here.", *SYSTEM[:-1]]
    finding = check(extra)[0]
    assert (finding.name, finding.segments) == ("misaligned", SIZE)
    assert "From line 1 on, the candidates are shifted by 1 line: line n belongs" in finding.message
    assert finding.score_without > 0.4 > finding.score
    middle = check([*SYSTEM[:30], "An extra line is here.", *SYSTEM[30:-1]])[0]
    assert middle.message.startswith("From line 31 on, the candidates are shifted by 1 line")
    assert middle.segments == 30
    [missing] = check([*SYSTEM[:20], *SYSTEM[21:]])
    assert missing.name == "length-mismatch"
    assert missing.message == (
        "There are 59 candidates and 60 references, and they drift apart at line 21."
    )
    assert missing.score is None
    assert missing.score_without > 0.5
    shuffled = random.Random(1).sample(SYSTEM, SIZE)
    assert check(shuffled)[0].name == "shuffled"


@pytest.mark.parametrize("size", [1, 5])
def test_container_is_found_without_references(size):
    [finding] = bleu.check_corpus(['{"mt": "a"}'] * size, [])
    assert (finding.name, finding.examples) == ("json", ())


def test_container_is_quoted_from_the_file_that_is_one():
    rows = [[line, json.dumps({"mt": line})] for line in REFERENCES]
    finding = bleu.check_corpus(SYSTEM, rows)[0]
    assert (finding.name, finding.side) == ("json", "references")
    assert finding.examples[0].text.startswith("{")
    rows = [[json.dumps({"mt": line})] * 2 for line in REFERENCES]
    assert bleu.check_corpus(SYSTEM, rows)[0].message.startswith("The references are")


def test_containers_are_found_and_nothing_else():
    lines = {
        "json": [json.dumps({"mt": line}) for line in SYSTEM],
        "markup": [f'<seg id="{n}">{line}</seg>' for n, line in enumerate(SYSTEM)],
        "table": [f"{n}\t{line}" for n, line in enumerate(SYSTEM)],
    }
    for name, hypotheses in lines.items():
        assert [finding.name for finding in check(hypotheses)] == [name]
        assert check(SYSTEM, hypotheses)[0].side == "references"


@pytest.mark.parametrize(
    "text",
    ["ສະບາຍດີຕອນເຊົ້າທຸກຄົນ", "សួស្តីពេលព្រឹកអ្នកទាំងអស់គ្នា", "မင်္ဂလာနံနက်ခင်းပါအားလုံး",
     "བཀྲ་ཤིས་བདེ་ལེགས་ཞོགས་པ", "สวัสดีตอนเช้าทุกคน", "今天天气很好", "こんにちは世界"],
)  # fmt: skip
def test_script_without_spaces_needs_another_tokenizer(text):
    findings = check([text] * 4, [text] * 4)
    finding = next(finding for finding in findings if finding.name == "script")
    assert finding.action.startswith("tokenizer:")
    assert finding.score_without == 1
    assert "script" not in [each.name for each in check([text], [text], tokenizer="char")]


def test_line_ends_of_old_macs_are_found():
    one_line = "\r".join(SYSTEM)
    [finding] = check([one_line])
    assert (finding.name, finding.side, finding.segments) == ("line-ends", "hypotheses", 1)
    assert "⟨U+000D⟩" in finding.examples[0].text or finding.examples[0].text.endswith("…")
    assert check(SYSTEM, [one_line])[0].side == "references"


def test_identical_systems_are_found():
    assert check(REFERENCES)[0].name == "identical"
    assert check(SYSTEM, other_systems=[list(SYSTEM)])[0].name == "identical"


def test_copies_of_the_source_and_the_same_output_are_found():
    sources = sentences("sources")
    assert check(corrupt(lambda _: "", 0, sources), sources=sources)[0].name == "other-language"
    repeated = ["I do not know what this means."] * SIZE
    assert check(repeated)[0].name == "repetition"
    expected = repeated[:4] + REFERENCES[4:]
    assert check(repeated[:9] + SYSTEM[9:], expected) == ()


def test_texts_cut_at_one_length_are_found():
    limit = sorted(map(len, SYSTEM))[-9]
    [finding] = check([line[:limit] for line in SYSTEM])
    assert (finding.name, finding.segments) == (
        "truncated",
        6,
    )  # The references of two are shorter.
    assert f"end after {limit} characters, in the middle of a sentence" in finding.message


def test_equal_titles_are_not_cut_at_one_length():
    title, reference = f"The {'long ' * 8}title of a report", f"The {'long ' * 9}title of a report"
    assert check([title] * 6 + SYSTEM, [reference] * 6 + REFERENCES) == ()
    titles = [f"The {'long ' * 8}title {'x' * (number % 3)}{number:02}" for number in range(12)]
    references = [f"{title} and more" for title in titles]
    names = [finding.name for finding in check(titles + SYSTEM, references + REFERENCES)]
    assert "truncated" not in names


def test_whole_width_marks_count_if_the_other_side_has_others():
    chinese = [f"第{number}句话，{'说，' * (number % 3)}说的是天气。" for number in range(SIZE)]
    others = check(chinese, [line[:-2] + "热。" for line in chinese], tokenizer="zh")
    assert "punctuation" not in [finding.name for finding in others]
    first = check([line.replace("，", ",") for line in chinese], chinese, tokenizer="zh")[0]
    assert (first.name, first.side) == ("punctuation", "references")


def test_marks_of_other_scripts_are_shown_as_they_are():
    assert FaultyLine.of_text(1, "สวัสดี क्या").text == "สวัสดี क्या"


def test_text_tokenized_on_both_sides_is_tokenized_again():
    both = corrupt(moses), corrupt(moses, lines=REFERENCES)
    finding = check(*both)[0]
    assert (finding.name, finding.side) == ("tokenized", "both")
    assert finding.action == "tokenizer:whitespace"
    assert "lines of the candidates and references look already" in finding.message
    assert all(example.marks for example in finding.examples)
    assert check(*both, tokenizer="whitespace") == ()


@pytest.mark.parametrize(
    ("hypotheses", "references", "subject"),
    [
        ([0, 1], [], "2 of 9 lines of the candidates differ"),
        ([], [3, 4], "2 of 9 lines of the references differ"),
        ([0], [1], "2 of 9 lines of the candidates or references differ"),
        ([2, 5], [2, 5], "2 of 9 lines of the candidates and references differ"),
        ([2], [2], "Line 3 of the candidates and references differs"),
    ],
)
def test_sentence_names_the_side_of_the_lines(hypotheses, references, subject):
    lines = Lines(hypotheses, references, "differ in quotes")
    examples = [FaultyLine.of_text(lines.indices[0] + 1, "a", "b")]
    assert lines.claim(9, examples) == f"{subject} in quotes"
    assert lines.quote(examples).startswith(": “")


def test_single_line_is_named_and_each_remedy_has_a_label():
    sentences = {
        "escapes": "Line 1 of the candidates has escapes of HTML, XML or Moses: “",
        "invisible": "Line 1 of the candidates differs in characters without width: “",
    }
    for name, sentence in sentences.items():
        assert check(corrupt(CORRUPTIONS[name], 1 / SIZE))[0].message.startswith(sentence)
    assert check(["今天天气很好"], ["今天天气很好"])[-1].label == "Use tokenizer zh"
    assert all(REMEDIES.values())
    assert bleu.Finding("It is wrong.").label == ""


def test_examples_show_what_is_hidden():
    finding = check(corrupt(CORRUPTIONS["invisible"]))[0]
    assert finding.examples[0].text.startswith("⟨U+200F⟩The⟨U+200B⟩ ")
    assert FaultyLine.of_text(1, "a\u0301").text == "a⟨U+0301⟩"
    assert FaultyLine.of_text(1, "\u200b" * 40).text == "⟨U+200B⟩" * 10 + "…"


def test_costs_order_the_findings():
    hypotheses = corrupt(str.lower, 1, corrupt(CORRUPTIONS["normalization"], 0.2))
    hypotheses[3] = ""
    findings = check(hypotheses)
    costs = [finding.cost for finding in findings]
    assert costs == sorted(costs, reverse=True)
    equal = ["", *REFERENCES[1:]]
    assert [finding.name for finding in check(equal, equal)] == ["empty", "identical"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("abc", [["a"]]), TypeError, "hypotheses is a str; give a list"),
        ((["a"], "abc"), TypeError, "references is a str; give a list"),
        ((["a"], ["a"]), TypeError, "references"),
        ((["a"], [[]]), ValueError, "references"),
        (([["a"]], [["a"]]), TypeError, r"a hypothesis is \['a'\]; give text, not tokens"),
    ],
)
def test_wrong_input_raises(arguments, error, message):
    with pytest.raises(error, match=message):
        bleu.check_corpus(*arguments)


def test_sources_of_another_number_are_refused():
    with pytest.raises(ValueError, match="there are 1 sources for 2 segments; give one for each"):
        bleu.check_corpus(["a", "b"], [["a"], ["b"]], sources=["x"])
    assert bleu.check_corpus(["a", "b"], [["a"], ["c"]], sources=[]) == ()


@pytest.mark.parametrize(
    "text",
    ["<" + " " * 40_000 + "x", "```a" + " " * 40_000 + "b", "aĠ ĠA" * 8_000, "&amp;" * 8_000,
     '"' * 40_000, " ." * 20_000, "ab" * 20_000, "@@ " * 14_000, "Ã" * 40_000, "<|" * 20_000],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_hostile_texts_take_linear_time(text):
    start = time.process_time()
    bleu.check_corpus([text], [["a b"]])
    assert time.process_time() - start < 8  # Quadratic time takes ten seconds or more.


def test_marks_of_half_width_letters_are_composed():
    assert bleu.repair_corpus(["ｶﾞ"], [["ガ e\u0301"]], ["compatibility"])[0] == ["ガ"]
    repaired = bleu.repair_corpus(["e\u0301 ﬁ"], [["e\u0301 fi"]], ["compatibility"])
    assert repaired[0] == ["e\u0301 fi"]


def test_unknown_fault_cannot_be_repaired():
    with pytest.raises(ValueError, match="the repair is 'empty'; choose one of: line-ends"):
        bleu.repair_corpus(["a"], [["a"]], ["empty"])
    with pytest.raises(ValueError, match="there are 2 hypotheses and 1 lists of references"):
        bleu.repair_corpus(["a", "b"], [["a"]], ["chatter"])


TEXTS = st.text(
    st.sampled_from(
        "aé\u0301ﬁ“’…\u200b\u200f\ufeff&#39;amp<s>/|▁@#ĠÃ©\ufffd, .!?:`ไทย漢字１²😀\ufe0f\r\n"
    )
)


@pytest.mark.filterwarnings("ignore:the references of the . segments look transposed")
@given(st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=2)), max_size=6))
def test_any_text_can_be_checked_and_repaired(rows):
    hypotheses, references = [row[0] for row in rows], [row[1] for row in rows]
    findings = run_to_end(iter_check(hypotheses, references, convention_settings("sacrebleu")))
    assert {finding.name for finding in findings} <= set(FAULTS)
    for finding in findings:
        assert finding.segments >= 1
        if finding.action.startswith("repair:") and finding.name != "line-ends":
            settings = convention_settings("sacrebleu")
            repaired = bleu.repair_corpus(hypotheses, references, [finding.name], settings)
            assert list(map(len, repaired[1])) == list(map(len, references))
            if finding.side != "both":
                before, after = (
                    bleu.corpus_bleu(*texts, settings).value
                    for texts in ((hypotheses, references), repaired)
                )
                assert after >= before - 1e-9


@pytest.mark.parametrize(
    ("complete", "length"),
    [(99 * "a" + ".", 85), (41 * "a", 25), (100 * "a", 60)],
    ids=["sentence", "shortest", "without a mark"],
)
def test_text_is_cut_below_a_share_of_the_complete_length(complete, length):
    assert _is_cut("b" * (length - 1), complete)
    assert not _is_cut("b" * length, complete)
    assert not _is_cut("b" * (length - 2) + ".", complete)
    assert not _is_cut("b", 40 * "a")
    assert _is_cut("b" * 24, 41 * "a")


def test_escapes_are_resolved_a_limited_number_of_times():
    assert resolve_escapes("&" + MAX_ROUNDS * "amp;") == "&"
    assert resolve_escapes("&" + (MAX_ROUNDS + 1) * "amp;") == "&amp;"
    assert MAX_ROUNDS == 8


def names_and_messages(hypotheses, *references):
    """Return the names and messages of the findings on references of several files."""
    found = bleu.check_corpus(hypotheses, list(zip(*references, strict=True)))
    return [finding.name for finding in found], " ".join(map(str, found))


def test_missing_alternatives_of_references_are_no_fault():
    """As in WebNLG and E2E, whose files have an empty line for each further reference lacking."""
    first, hypotheses = REFERENCES, SYSTEM
    second = changed(REFERENCES, "alternatives")
    some = [line if k % 3 else "" for k, line in enumerate(second)]
    few = [line if k == 5 else "" for k, line in enumerate(second)]
    assert names_and_messages(hypotheses, first, some, few) == ([], "")
    names, message = names_and_messages(hypotheses, first, some, [""] * SIZE)
    assert names == ["empty"]
    assert "File 3 of the references has only empty lines." in message
    names, _ = names_and_messages(hypotheses, some, second)
    assert "empty" in names  # The first reference of a segment is not missing.


def test_references_of_one_text_are_a_finding():
    names, message = names_and_messages(SYSTEM[:6], ["9."] * 6)
    assert "identical" in names
    assert "6 of 6 lines of the references have the same text for different candidates" in message


@pytest.mark.parametrize("control", ["\0", "\x02"])
def test_control_characters_are_invisible_and_no_id(control):
    """They are ASCII, as ids are, and NUL stands before each line on one side or both."""
    plain, references = (
        [line.encode("ascii", "ignore").decode() for line in side] for side in (SYSTEM, REFERENCES)
    )
    system = [control + line.replace(" ", f"{control} ") for line in plain]
    assert check(system, references)[0].name == "invisible"
    both = check(system, [control + line for line in references])
    assert {finding.name for finding in both} <= {"invisible", "punctuation"}


@pytest.mark.parametrize("end", ["", " ..."])
def test_ends_cut_off_in_all_lines_cost_what_they_gain(end):
    system = changed(REFERENCES, "a worse system", 0.5)
    cut = [" ".join(line.split()[:8]) + end for line in system]
    finding = check(cut)[0]
    rows = [[line] for line in REFERENCES]
    true_cost = bleu.corpus_bleu(system, rows).value - bleu.corpus_bleu(cut, rows).value
    assert finding.name == "truncated"
    assert finding.cost == pytest.approx(true_cost, rel=0.2)


def test_marks_and_letters_of_a_script_are_no_special_forms():
    """NFKC would replace them: a dot and a letter of Armenian, and the Thai vowel am."""
    system = [f"{line} եւ\u2024 և\u2024 นำ" for line in SYSTEM]
    references = [f"{line} և\u2024 และ\u2024 คำ" for line in REFERENCES]
    assert "compatibility" not in {finding.name for finding in check(system, references)}


def test_marks_of_further_sentences_do_not_change_the_reference():
    references = [line.replace("'", "’") for line in REFERENCES]
    system = [f"{line} {' '.join(SYSTEM[:3])}".replace("’", "'") for line in references]
    assert bleu.repair_corpus(system, [[line] for line in references], ["punctuation"]) == (
        system,
        [[line] for line in references],
    )
