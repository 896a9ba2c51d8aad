"""Files whose texts stand in fields: detected, and never confused with plain text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core.progress import run_to_end
from bleu.files.containers import detect_container, read_container
from bleu.files.data_table import DataTable, guess_role, parse_separated
from bleu.files.formats import table_columns
from bleu.files.text_files import FileError

PROSE = st.text(st.sampled_from("ab ,;.'\"éの🙂<>{}[]:"), max_size=30)


def table(text: str, name: str = "t") -> DataTable:
    """Return the table in a text."""
    return run_to_end(read_container(name, text.splitlines()))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<seg id="1">the cat</seg>\n<seg id="2">a dog</seg>', "markup"),
        ('<srcset setid="x">\n<doc>\nraw\nraw\nraw', "markup"),
        ('<?xml version="1.0"?><tmx><body/></tmx>', "markup"),
        ('{"mt": "a"}\n{"mt": "b"}', "json"),
        ('[\n  {\n    "mt": "a"\n  }\n]', "json"),
        ('{\n  "mt": [\n    "a"\n  ]\n}', "json"),
        ('[{"mt": "a"}, {"mt": "b"}]', "json"),
        ('{"0": {"mt": "a"}' + ', "1": {"mt": "b"}' * 60 + "}", "json"),
        ("src\tmt\tref\na\tb\tc", "table"),
        ("id;mt, raw;ref\n1;a, b;c", "table"),
        ('"mt","ref"\n"a","b"', "table"),
        ("a\tb\n" * 20, "table"),
        ("", ""),
        ("\n \n", ""),
        ("mt,ref", ""),
        ("<s> the cat </s>\n<s> a dog </s>", ""),
        ("< b and > c\n<unk> is a token", ""),
        ("[laughs] { no\n[laughs] } yes", ""),
        ('"No, thanks," she said.\n"Yes, answer," he said.', ""),
        ("The answer, the output\nNo, never", ""),
        ("yes, sir\n" * 30, ""),
        ("我,你\nほら、はい", ""),
    ],
)
def test_container_is_detected(text, kind):
    assert detect_container(text.splitlines()) == kind


@given(st.lists(PROSE, max_size=30))
def test_prose_is_no_container(lines):
    assert detect_container(lines) in ("", "table")
    assert detect_container([f"{line} end" for line in lines]) != "json"


@given(st.lists(st.dictionaries(st.text(min_size=1), st.text(), min_size=1), min_size=2))
def test_json_objects_are_read_however_they_are_laid_out(objects):
    columns = list(dict.fromkeys(key for row in objects for key in row))
    expected = [[row.get(key) for key in columns] for row in objects]
    for text in (
        "\n".join(json.dumps(row) for row in objects),
        json.dumps(objects, ensure_ascii=False, indent=1),
        json.dumps(objects),
        "\n".join(json.dumps(row, indent=2) for row in objects),
    ):
        parsed = run_to_end(read_container("t.json", text.split("\n")))
        assert (list(parsed.columns), list(parsed.rows)) == (columns, expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[{"a": 1}, "b"]', "t, line 1 is not a JSON object: '\"b\"]'"),
        ('[{"a": 1},\n 2, {"a": 3}]', "t, line 2 is not a JSON object: '2, "),
        ('[{"a": 1}', "t, line 1 is not JSON: its brackets do not match"),
        ('[{"a": ' + "[" * 100_000, "t, line 1 is nested more than 100 deep"),
        ('{"a": "b}\n{"a": "c"}', "t, line 1 is not JSON"),
        ('{"a": "b"}\n{"a": "b" 1}', "t is not JSON: .*: line 2 column 11"),
        ('{"mt": ["a", "b"], "ref": ["c"]}', "columns of different lengths: mt has 2, ref has 1"),
        ("[{}, {}]", "t has only empty objects; give"),
    ],
)
def test_invalid_json_raises(text, reason):
    with pytest.raises(FileError, match=reason.replace("[", r"\[")):
        table(text)


def test_lists_of_references_may_have_different_lengths():
    parsed = table('{"r": ["a"]}\n{"r": ["b", "c"]}\n{"r": "d"}')
    columns = run_to_end(table_columns(parsed, 0))
    assert [column.texts for column in columns] == [["a", "b", "d"], [None, "c", None]]
    with pytest.raises(FileError, match="row 2 has 2 texts in column r, and row 1 has 1"):
        run_to_end(table_columns(parsed, 0, "system"))


@pytest.mark.parametrize(
    ("names", "role"),
    [
        (
            "mt hyp hypothesis candidate output actual_output prediction predictions "
            "predicted response answer translation generated gpt-4o Llama-3 nllb-200 OnlineA",
            "system",
        ),
        (
            "ref reference references expected expected_output gold ground_truth label labels "
            "target ideal human ref_1 referenceB human_translation",
            "references",
        ),
        (
            "id source src input inputs prompt system score mt_score reference_id segment_id key",
            "",
        ),
        ("domain lang doc document_id docid target_lang", "groups"),
        ("x text question model_name Unnamed:0 猫 de", None),
    ],
)
def test_role_is_guessed_from_the_name(names, role):
    for name in names.split():
        assert guess_role(name) == role, name


@pytest.mark.parametrize(("literal", "cell"), [(1, "x"), (2, '"x"')])
def test_quotes_are_part_of_the_text_only_in_most_of_their_rows(literal, cell):
    lines = ["mt\tref", '"a ""b"" c"\td']
    lines += ['"x"\ty'] * literal
    assert run_to_end(parse_separated("a.tsv", lines)).rows[-1] == [cell, "y"]
