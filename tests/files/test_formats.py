"""Files whose texts have a grammar: the texts alone are scored, joined by id, time or order."""

import json
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu
from bleu.__main__ import main
from bleu.checkup.frames import strip_frames
from bleu.core.progress import run_to_end
from bleu.files.containers import detect_container, read_container
from bleu.files.data_table import REFERENCES, SYSTEM, guess_roles
from bleu.files.formats import FORMATS as LINE_FORMATS
from bleu.files.formats import KALDI, TextColumn, join, table_columns
from bleu.files.text_files import FileError
from tests.support.case_selection import fast_and_slow

REFERENCE = [
    "The train to the coast leaves at ten past eight.",
    "My sister sold her old bicycle last week.",
    "Two cooks were peeling onions behind the kitchen.",
    "The museum opens late on the first Thursday.",
    "Nobody had watered the plants in the hall.",
    "We crossed the river on a narrow wooden bridge.",
]
BAD = [
    "A bus goes.",
    "The bike works again.",
    "They like food.",
    "You can buy tickets there.",
    "It rained.",
    "Her bag was lost.",
]
CAPTIONS = [
    ["A dog runs on the beach.", "A brown dog is running along the beach.", "The dog runs."],
    ["Two men play chess in a park.", "Men are playing chess outdoors."],
    ["A red bus stops at a corner.", "The bus is stopping at the corner.", "A bus stops."],
]
CAPTION = ["a brown dog runs on the beach", "two men are playing chess in a park", "a bus stops"]
IMAGES = (404, 381, 565)


def test_empty_lines_at_the_end_of_plain_columns_are_left_out():
    bad, expected = TextColumn("hyp", BAD), TextColumn("ref", [*REFERENCE, "", " "])
    [system], [reference], [source], notes = join([bad], [expected], [TextColumn("src", [""] * 8)])
    assert (system, reference.lines, len(source.lines)) == (bad, REFERENCE, 6)
    assert notes == [f"{name} ends with empty lines, which are left out" for name in ("ref", "src")]
    empty = (
        TextColumn("ref", ["", *REFERENCE[1:5], ""]),
        TextColumn("ref", ["", *REFERENCE[1:], "x"]),
    )
    assert join([bad], empty)[1] == [*empty]


def clock(number, mark="."):
    """Return the time of the start of a block, two seconds after the last one's."""
    return f"00:01:{2 * number:02}{mark}250"


def srt(texts):
    """Return the lines of an SRT file, with styles and a text in two lines."""
    lines = []
    for number, text in enumerate(texts, 1):
        times = f"{clock(number, ',')} --> {clock(number + 1, ',')}"
        head, _, rest = text.partition(" ")
        lines += [str(number), times, f"<i>{head}</i>", f"{{\\an8}}{rest}", ""]
    return lines


def vtt(texts):
    """Return the lines of a VTT file with a note, a style, names of blocks, voices and settings."""
    lines = ["WEBVTT - a talk", "", "NOTE", "not a text", "", "STYLE", "::cue { color: red }", ""]
    for number, text in enumerate(texts, 1):
        times = f"{clock(number)[3:]} --> {clock(number + 1)[3:]} align:start line:0%"
        lines += [f"part {number}", times, f"<v Ann>{text.replace('The', 'T<00:01.500>he')}", ""]
    return lines


def ass(texts):
    """Return the lines of an ASS file whose texts have commas, overrides and line ends."""
    lines = ["[Script Info]", "Title: x", "", "[V4+ Styles]", "Format: Name, Fontname", ""]
    lines += ["[Events]", "Format: Layer, Start, End, Style, Name, Effect, Text"]
    for number, text in enumerate(texts):
        rest = text.replace(" ", "\\N", 1)
        lines.append(f"Dialogue: 0,{clock(number)[1:]},{clock(number + 1)[1:]},D,,,{{\\b1}}{rest}")
    return lines


def log(texts):
    """Return whisper's log."""
    return [f"[{clock(n)} --> {clock(n + 1)}]  {text}" for n, text in enumerate(texts)]


def po(texts):
    """Return a PO file with a header, comments, a context, a plural and a text in two lines."""
    lines = ['msgid ""', 'msgstr ""', '"Language: en\\n"', ""]
    for number, text in enumerate(texts[:-1]):
        lines += ["#: a.c:1", f'msgctxt "{number % 2}"', f'msgid "Satz {number // 2}"']
        head, _, rest = text.partition(" ")
        lines += ['msgstr ""', f'"{head} "', f'"{rest}"', ""]
    lines[-3] = lines[-3].replace(" ", "\\n")
    return [*lines, 'msgid "%d Satz"', 'msgid_plural "%d Sätze"', f'msgstr[0] "{texts[-1]}"']


def properties(texts):
    """Return a .properties file with a comment and an escape."""
    lines = [f"app.text{n} = {text}".replace("a", "\\u0061") for n, text in enumerate(texts)]
    return ["# texts", *(line.replace("\\u0061pp", "app") for line in lines)]


def trn(texts):
    """Return a TRN file."""
    return [f"{text} (talk_a-{n:03})" for n, text in enumerate(texts)]


def kaldi(texts):
    """Return a file of Kaldi."""
    return [f"talk-{n:03} {text}" for n, text in enumerate(texts)]


def nbest(texts):
    """Return lists of the three best, as Moses and Marian write them."""
    return [
        f"{n} ||| {text if rank == 0 else 'worse'} ||| F0= {rank} ||| -{rank}"
        for n, text in enumerate(texts)
        for rank in range(3)
    ]


def batch(texts):
    """Return OpenAI's batch output."""
    bodies = ({"choices": [{"message": {"role": "assistant", "content": text}}]} for text in texts)
    return [
        json.dumps(
            {"id": f"b{n}", "custom_id": f"r-{n}", "response": {"body": body}, "error": None}
        )
        for n, body in enumerate(bodies)
    ]


def chat(texts):
    """Return chats whose answers have two parts."""
    return [
        json.dumps(
            {
                "messages": [
                    {"role": "user", "content": "Translate."},
                    {
                        "role": "assistant",
                        "content": [{"type": "text", "text": text[:4]}, {"text": text[4:]}],
                    },
                ]
            }
        )
        for text in texts
    ]


FORMATS = {
    "block of an SRT file": srt,
    "block of a VTT file": vtt,
    "line of dialogue of an ASS file": ass,
    "segment of whisper’s log": log,
    "message of a PO file": po,
    "value of a .properties file": properties,
    "utterance of a TRN file": trn,
    "list of the n best, of which the first is read": nbest,
}
KEYED = {name: FORMATS[name] for name in list(FORMATS)[4:7]} | {"Kaldi": kaldi}
"""Formats with a key other than a time."""


def table(lines, role=SYSTEM):
    """Return the table that lines hold."""
    return run_to_end(read_container("t", lines, role))


def column(lines, role=SYSTEM, name="t"):
    """Return the only column of texts for a role, or the plain lines."""
    if not detect_container(lines, role):
        return TextColumn(name, lines)
    content = run_to_end(read_container(name, lines, role))
    roles = guess_roles(content)
    index = roles.index(role if role in roles else None)
    [texts] = run_to_end(table_columns(content, index, role))
    return texts


def score(hypotheses, references):
    """Return sacreBLEU's score of texts."""
    return bleu.corpus_bleu(hypotheses, references, convention="sacrebleu").value


def write(folder, **files):
    """Write lines to files of a folder, whose names have an underscore for a full stop."""
    for name, lines in files.items():
        (folder / name.replace("_", ".")).write_text("\n".join([*lines, ""]), "utf-8")


def run(capsys, *arguments, code=0):
    """Return what a command prints on standard output, and its notes or its error."""
    assert main(list(arguments)) == code
    printed = capsys.readouterr()
    return printed.out, printed.err


@pytest.mark.parametrize("content", FORMATS)
def test_texts_of_a_format_are_read(content):
    lines = FORMATS[content](REFERENCE)
    assert detect_container(lines)
    texts = column(lines)
    assert [text.strip() for text in texts.lines] == REFERENCE
    assert (texts.content, len(texts.lines)) == (content, 6)
    assert texts.name == "t" or "json" in detect_container(lines)
    assert [
        text.strip() for text in column([f"{line}\r"[:-1] for line in lines]).lines
    ] == REFERENCE


@pytest.mark.host
@pytest.mark.parametrize("content", [*FORMATS, "Kaldi"])
def test_scaffolding_is_not_scored(content, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = ({"Kaldi": kaldi} | FORMATS)[content]
    write(tmp_path, hyp=lines(BAD), ref=lines(REFERENCE))
    wanted = score(BAD, [[text] for text in REFERENCE])
    files = ["--hypotheses", "hyp", "--references", "ref"]
    printed, notes = run(capsys, "corpus", *files, "--format", "json")
    assert json.loads(printed)["systems"][0]["score"] == wanted
    notes += run(capsys, "corpus", *files)[1]
    noun, _, rest = (content if content != "Kaldi" else KALDI.content).partition(" ")
    assert f"hyp: 6 {noun}s {rest}".strip() in notes
    assert "joined by" in notes
    raw, _ = run(capsys, "corpus", *files, "--format", "json", "--as-text", "--quiet")
    assert json.loads(raw)["systems"][0]["score"] != wanted
    findings = json.loads(run(capsys, "check", *files, "--format", "json")[0])["findings"]
    assert not {finding["name"] for finding in findings} & {"format", "frame", "json"}
    which, _ = run(capsys, "which", "--number", f"{100 * wanted:.2f}", *files)
    assert "sacrebleu" in which.lower()


@pytest.mark.host
def test_command_of_sacrebleu_scores_raw_lines(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, hyp=srt(BAD), ref=srt(REFERENCE))
    printed, _ = run(capsys, "sacrebleu", "ref", "-i", "hyp", "--score-only", "-w", "2", "--quiet")
    raw = score(srt(BAD), [[line] for line in srt(REFERENCE)])
    assert printed == f"{100 * raw:.2f}\n"


@pytest.mark.parametrize("name", KEYED)
def test_another_order_of_the_same_ids_is_joined_and_said(name):
    lines = KEYED[name](BAD)
    order = [lines.index(line) for line in lines if "#" not in line]
    blocks = [lines[index] for index in reversed(order)]
    if name.startswith("message"):
        parts = "\n".join(lines).split("\n\n")
        blocks = "\n\n".join([parts[0], *reversed(parts[1:])]).split("\n")
    shuffled, expected = column(blocks, name="hyp"), column(KEYED[name](REFERENCE), name="ref")
    source = column(KEYED[name](["Satz"] * 6)[::-1] if name == "Kaldi" else lines, name="src")
    [system], [reference], [source], notes = join([shuffled], [expected], [source])
    assert list(system.lines) == BAD
    assert list(reference.lines) == REFERENCE
    assert source.lines == (["Satz"] * 6 if name == "Kaldi" else BAD)
    assert "6 " in notes[0]
    assert "as its order differs" in notes[0]
    assert notes[0].startswith("hyp: ")


def test_ids_of_tables_are_joined_only_if_they_are_the_same():
    def rows(ids, texts):
        pairs = zip(ids, texts, strict=True)
        return [json.dumps({"id": number, "text": text}) for number, text in pairs]

    reference = column(rows(range(6), REFERENCE), name="ref")
    [system], *_, notes = join([column(rows(range(5, -1, -1), BAD), name="hyp")], [reference])
    assert system.lines == BAD[::-1]
    assert notes == ["hyp: 6 lines, joined by id, as its order differs"]
    for ids in (range(1, 7), range(10, 16), [1] * 6):
        [system], *_, notes = join([column(rows(ids, BAD))], [reference])
        assert (list(system.lines), notes) == (BAD, [])


def test_files_of_one_name_are_joined_as_others_are():
    """Two folders may hold files of one name, and a browser tells no folder."""
    sides = [column(trn(BAD)[::-1])], [column(trn(REFERENCE)), column(trn(BAD)[::-1])]
    [system], [first, second], _, notes = join(*sides)
    assert (system.lines, first.lines, second.lines) == (BAD, REFERENCE, BAD)
    assert len(notes) == 2
    with pytest.raises(FileError, match="t has 5 blocks of an SRT file, and t has 6"):
        join([column(srt(BAD[:5]))], [column(srt(REFERENCE))])


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (
            srt(BAD[:5]),
            srt(REFERENCE),
            "h has 5 blocks of an SRT file, and r has 6 blocks of an SRT file; time '0:01:12.250' "
            "is in only one of them; give files with the same segments",
        ),
        (log(BAD[:5]), REFERENCE, "h has 5 segments of whisper’s log, and r has 6 lines; give"),
        (trn(BAD), trn(REFERENCE)[:-1], "id 'talk_a-005' is in only one"),
        ([*trn(BAD)[:-1], "It is. (talk_b-1)"], trn(REFERENCE), "id 'talk_a-005' is in only one"),
        (po(BAD)[:-3], po(REFERENCE), "msgid '%d Satz' is in only one of them"),
    ],
)
def test_unequal_numbers_are_named(hypotheses, references, message):
    sides = [column(hypotheses, name="h")], [column(references, REFERENCES, name="r")]
    with pytest.raises(FileError) as error:
        join(*sides)
    assert message in str(error.value)
    assert len(str(error.value)) <= 300
    assert "make them equal" not in str(error.value)


def test_times_join_files_of_different_formats():
    for other in (srt, vtt):
        [system], [reference], _, notes = join(
            [column(srt(BAD))], [column(other(REFERENCE), name="r")]
        )
        assert (system.way, reference.way, list(system.lines)) == ("by time", "", BAD)
        assert len(notes) == 2
    [system], *_ = join([column(log(BAD))], [column(srt(REFERENCE), name="r")])
    assert (system.way, list(system.lines)) == ("in order", BAD)


CAPTION_FILES = {
    "annotations": (
        json.dumps([{"image_id": i, "caption": c} for i, c in zip(IMAGES, CAPTION, strict=True)]),
        json.dumps(
            {
                "images": [{"id": 381, "file_name": "a.jpg"}],
                "annotations": [
                    {"image_id": image, "id": 10 * image + number, "caption": text}
                    for number in range(3)
                    for image, texts in sorted(zip(IMAGES, CAPTIONS, strict=True))
                    for text in texts[number : number + 1]
                ],
            }
        ),
    ),
    "dictionaries": (
        json.dumps({str(i): [c] for i, c in zip(IMAGES, CAPTION, strict=True)}),
        json.dumps(
            dict(zip(map(str, sorted(IMAGES)), [CAPTIONS[k] for k in (1, 0, 2)], strict=True))
        ),
    ),
    "dictionaries of objects": (
        json.dumps({str(i): [{"caption": c}] for i, c in zip(IMAGES, CAPTION, strict=True)}),
        json.dumps(
            {
                str(i): [{"caption": c} for c in texts]
                for i, texts in zip(IMAGES, CAPTIONS, strict=True)
            }
        ),
    ),
    "groups between blank lines": (
        "\n".join(CAPTION),
        "\n\n".join("\n".join(texts) for texts in CAPTIONS),
    ),
    "more blank lines": (
        "\n".join(CAPTION),
        "\n" + "\n \n\n".join("\n".join(texts) for texts in CAPTIONS) + "\n\n",
    ),
    "tabs": ("\n".join(CAPTION), "\n".join("\t".join(texts) for texts in CAPTIONS)),
    "tabs at the end": (
        "\n".join(CAPTION),
        "\n".join("\t".join(texts) + "\t" for texts in CAPTIONS),
    ),
}


@pytest.mark.host
@pytest.mark.parametrize("name", CAPTION_FILES)
def test_several_references_are_joined(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    hypotheses, references = CAPTION_FILES[name]
    write(tmp_path, hyp=[hypotheses], ref=[references])
    files = ["--hypotheses", "hyp", "--references", "ref"]
    printed, notes = run(capsys, "corpus", *files, "--format", "json")
    report = json.loads(printed)
    assert report["systems"][0]["score"] == score(CAPTION, CAPTIONS) > 0.4
    assert "nrefs:var" in report["signature"]
    assert "ref: 3 " in notes
    which, _ = run(capsys, "which", "--number", f"{100 * score(CAPTION, CAPTIONS):.2f}", *files)
    assert "sacrebleu" in which.lower()


@pytest.mark.host
def test_only_images_with_a_hypothesis_are_scored(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    hypotheses, references = map(json.loads, CAPTION_FILES["annotations"])
    write(tmp_path, hyp=[json.dumps(hypotheses[1:])], ref=[json.dumps(references)])
    files = ["--hypotheses", "hyp", "--references", "ref"]
    printed, notes = run(capsys, "corpus", *files, "--format", "json")
    assert json.loads(printed)["systems"][0]["score"] == score(CAPTION[1:], CAPTIONS[1:])
    assert "ref: left out without a hypothesis: 1 of 3 images" in notes
    write(tmp_path, hyp=[json.dumps([*hypotheses, {"image_id": 7, "caption": "x"}])])
    _, error = run(capsys, "corpus", *files, code=1)
    assert "image_id '7' is in only one of them" in error


@pytest.mark.parametrize("size", [6, 24])
@pytest.mark.parametrize("is_ragged", [True, False])
def test_references_between_tabs_are_no_table(size, is_ragged):
    rows = [[f"Reference {n} of the first.", f"The second reference {n}."] for n in range(size)]
    for row in rows[:: 2 if is_ragged else size + 1]:
        row.append("A third one.")
    lines = ["\t".join(row) for row in rows]
    content = table(lines, REFERENCES)
    assert [row[1] for row in content.rows] == rows
    assert content.content == "row of references between tabs"
    assert len(content.rows) == size


@pytest.mark.parametrize(
    "lines",
    [
        ["id\tref", "1\tA cat.", "2\tA dog."],
        ["1\tA cat.", "2\tA dog.", "3\tA cow."],
        ["utt-1\tA cat.", "utt-2\tA dog.", "utt-3\tA cow."],
        ["A cat.", "A dog\tand a cow.", "A cow."],
    ],
)
def test_columns_with_names_or_ids_are_no_references_between_tabs(lines):
    assert "tabs" not in detect_container(lines, REFERENCES)


def test_lists_by_key_are_captions_and_columns_are_columns():
    assert table(['{"mt": ["a", "b"], "ref": ["c", "d"]}']).columns == ("mt", "ref")
    assert table(['{"x": ["a", "b"], "y": ["c", "d"]}']).columns == ("x", "y")
    assert table(['{"x": ["a"], "y": ["c"], "z": ["d"]}']).columns == ("key", "caption")
    assert table(['{"7": ["a", "b"], "9": ["c", "d"]}']).columns == ("key", "references")


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        ({"choices": [{"message": {"content": "a b"}}]}, "a b"),
        (
            {
                "response": {
                    "body": {
                        "output": [
                            {"type": "reasoning", "summary": []},
                            {
                                "role": "assistant",
                                "content": [{"type": "output_text", "text": "a"}],
                            },
                        ]
                    }
                }
            },
            "a",
        ),
        ({"conversations": [{"from": "human", "value": "x"}, {"from": "gpt", "value": "a"}]}, "a"),
        ({"messages": [{"role": "user", "content": "x"}]}, None),
        ({"response": ["a", "b"]}, ["a", "b"]),
        ({"messages": "a"}, "a"),
    ],
)
def test_answer_is_found_in_the_json_of_a_model(row, answer):
    content = table([json.dumps(row)] * 2)
    assert [list(cells) for cells in content.rows] == [[answer]] * 2


def test_failed_answer_is_named():
    lines = [*batch(BAD[:2]), '{"custom_id": "r-9", "response": null, "error": {"code": 500}}']
    with pytest.raises(FileError, match="t, row 3 has no text in column response"):
        column(lines)


def test_blocks_without_text_and_numbers_as_text_stay():
    lines = srt(["one two", "x 3", "4 x"])
    lines[7:9] = ["1984", "42"]
    lines[12:14] = [""]
    texts = column(lines)
    assert texts.lines == ["one two", "1984 42", ""]
    compact = [line for line in srt(REFERENCE) if line]
    assert column(compact).lines == REFERENCE
    unnumbered = [line for line in srt(REFERENCE) if not line.isdecimal()]
    assert column(unnumbered).lines == REFERENCE


def test_texts_of_a_catalogue_have_plurals_and_no_obsolete_ones():
    lines = [*po(REFERENCE), 'msgstr[1] "more of \\"them\\""', "", '#~ msgid "x"', '#~ msgstr "y"']
    texts = column(lines)
    assert texts.lines == [*REFERENCE, 'more of "them"']
    assert texts.keys[-2:] == ("%d Satz", "%d Satz[1]")


WORDS = re.findall(
    r"\S+",
    "the cat sat on a mat . , it's 12 7. 00:01 00:00:01,000 --> ||| ( ) (b-7) (laughs) = a=b key = "
    '[0:01] <i> msgid msgstr " { } [ # WEBVTT: talk-7 utt1 1984 Dialogue: Format: & \\N ・ 猫',
)
plain_line = st.lists(st.sampled_from(WORDS), min_size=4, max_size=9).map(" ".join)


@given(st.lists(st.tuples(plain_line, plain_line), min_size=1, max_size=12))
def test_plain_lines_are_read_as_they_are(rows):
    hypotheses, references = (list(side) for side in zip(*rows, strict=True))
    assert not detect_container(hypotheses)
    assert not detect_container(references, REFERENCES)
    [system], [reference], _, notes = join(
        [TextColumn("h", hypotheses)], [TextColumn("r", references)]
    )
    assert (system.lines, reference.lines, notes) == (hypotheses, references, [])


@pytest.mark.parametrize(
    "lines",
    [
        ["1", "He wrote 00:00:01,000 --> 00:00:02,000 on it.", "", "2"],
        ["A --> B means an arrow.", "x ||| y is a bar.", "z"],
        ["He said so (laughs)", "She did not (laughs)", "Nor I (laughs)"],
        ["See the note (1)", "See the note (2)", "See the note (3)"],
        ["x = 3", "y = 4", "z = 5"],
        ["WEB pages", "", "are written."],
        ["1984 was a year.", "1985 was a year.", "1986 was a year."],
        ["<p>Lines of HTML</p>", "<p>have no segments.</p>"],
        ["msgid is a word.", "msgstr is one, too.", '"Both," he said.'],
    ],
)
def test_clean_text_is_no_format(lines):
    assert not detect_container(lines)
    assert not detect_container(lines, REFERENCES)
    texts = TextColumn("t", lines)
    assert join([texts], [texts])[:2] == ([texts], [texts])


HOSTILE = [
    "(" * 500_000,
    "(a" * 500_000,
    "{\\" * 500_000,
    "<i " * 200_000,
    "\\" * 500_000,
    '"' * 500_000,
    " " * 500_000,
    '" ' * 500_000,
    "00:00:01,000 --> " + " " * 500_000 + "x",
    "00:00:01,000 --> 00:00:02,000" + " a:b" * 250_000 + " !",
    "0 |||" + " " * 500_000,
    "a1" * 500_000,
    "=" * 500_000,
    "a." * 500_000,
    "msgid " * 150_000,
    ")" * 500_000 + " " * 1000,
]


@pytest.mark.host  # The amount of work is the same in Pyodide, where it takes three times as long.
@pytest.mark.parametrize("line", fast_and_slow(5, HOSTILE), ids=range(len(HOSTILE)))
def test_work_on_hostile_lines_is_linear(line):
    """Quadratic work on half a million characters would not end while anybody waits for it."""
    head = {
        "ASS": ["Format: Start, Text", "Dialogue: " + line],
        "PO": ['msgid "a"', f'msgstr "{line}"'],
        "properties": [f"a.b = {line}", line, line],
        "SRT": ["1", "00:00:01,000 --> 00:00:02,000", line],
        "VTT": ["WEBVTT", "00:01.000 --> 00:02.000", line],
    }
    detect_container([line, line], REFERENCES)
    detect_container(["1", line, line], SYSTEM)
    KALDI.is_format([line] * 3)
    for name, kind in LINE_FORMATS.items():
        lines = [*head.get(name, []), line]
        texts = [text for _, text in kind.read(lines)]
        assert len(texts) <= len(lines)
    assert run_to_end(strip_frames([line] * 4, [[f"{line} x"]] * 4))[0] == [line] * 4


def test_deep_and_odd_json_is_refused_or_read():
    deep = '{"response": ' * 90 + '"a"' + "}" * 90
    for text in (
        f"{deep}\n{deep}",
        '{"response": {"body": [1]}}\n' * 2,
        '{"segments": [{"start": NaN, "text": "a"}, {"start": 1e400, "text": null}]}',
        '{"annotations": [{"image_id": [1], "caption": {"a": 1}}]}',
        '{"messages": [{"role": ["x"], "content": 3}]}\n' * 2,
        '{"1": [null], "2": [[3]]}',
        '{"filtered_resps": [["-1.0", "False"]], "target": 3}\n' * 2,
        '{"annotations": 7}',
    ):
        with suppress(FileError):
            content = table(text.splitlines())
            for index in range(len(content.columns)):
                run_to_end(table_columns(content, index))
    with pytest.raises(FileError, match="nested more than 100 deep"):
        table(['{"response": ' * 10_000])


@pytest.mark.host
@pytest.mark.parametrize("command", ["corpus", "check"])
def test_frame_is_found_with_the_score_without_it(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    wanted = score(BAD, [[text] for text in REFERENCE])
    for make in (
        lambda n, text: f"[{n:02}:07] {text}",
        lambda n, text: f"{n}. {text}",
        lambda n, text: f"{text} #{n}",
        lambda n, text: f"12:0{n} - 12:0{n + 1} {text}",
        lambda n, text: f"{'abcdefg'[n]}x={text}",
    ):
        for name, texts in (("hyp", BAD), ("ref", REFERENCE)):
            write(tmp_path, **{name: [make(n, text) for n, text in enumerate(texts, 1)]})
        files = ["--hypotheses", "hyp", "--references", "ref"]
        findings = json.loads(run(capsys, command, *files, "--format", "json")[0])["findings"]
        [frame] = [finding for finding in findings if finding["name"] == "frame"]
        assert frame["score_without"] == wanted != frame["score"]
        assert (frame["side"], frame["segments"]) == ("both", 6)
        options = "--repair", "frame", "--format", "json", "--quiet"
        report = json.loads(run(capsys, "corpus", *files, *options)[0])
        assert report["systems"][0]["score"] == wanted


def test_texts_that_begin_alike_have_no_frame():
    for hypotheses, references in (
        (REFERENCE, REFERENCE),
        (
            [f"In {1990 + n} we met." for n in range(9)],
            [f"In {1990 + n} I met him." for n in range(9)],
        ),
        ([f"{n}" for n in range(9)], [f"{n}" for n in range(9)]),
        (
            [f"It is {n} m long now, {n}." for n in range(9)],
            [f"It has {n} metres, {n}." for n in range(9)],
        ),
    ):
        found = bleu.check_corpus(hypotheses, [[text] for text in references])
        assert "frame" not in {finding.name for finding in found}


def test_format_is_a_finding_on_texts_in_memory():
    [finding] = bleu.check_corpus(srt(BAD), [[line] for line in srt(REFERENCE)])
    assert (finding.name, finding.side) == ("format", "both")
    assert "The candidates and the references are SRT read as text" in finding.message
    assert "to score their texts" in finding.message
