"""The page and the command line evaluate the same files: their JSON is the same, byte for byte."""

import io
import json
from codecs import BOM_UTF8
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from app.files.reading import TextSource, choose_columns, read_role_texts, read_source
from app.files.result_html import CORPUS_FORMATS
from app.files.scoring import check_and_score
from bleu.__main__ import main
from bleu.analysis.evaluation import RESAMPLING_COST
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from bleu.files.formats import join
from tests.checkup.test_checkup import CORRUPTIONS, REFERENCES, SYSTEM, corrupt
from tests.files.test_formats import BAD, CAPTION_FILES, FORMATS, REFERENCE, kaldi, srt, write

pytestmark = pytest.mark.host

ESCAPED = corrupt(CORRUPTIONS["escapes"], lines=REFERENCES)
SHOUTED = [line.upper() if n % 3 else line for n, line in enumerate(SYSTEM)]
CROSSED = ["a b c d", "a b c x"], ["e f g h", "e f g x"]

FILES = {
    "clean": ([SYSTEM], [REFERENCES]),
    "escapes in the references of two systems": ([SHOUTED, SYSTEM], [ESCAPED]),
    "faults of each system": (
        [corrupt(CORRUPTIONS["special-tokens"]), corrupt(CORRUPTIONS["encoding"]), SYSTEM],
        [REFERENCES],
    ),
    "shifted lines": ([[*SYSTEM[1:], SYSTEM[0]]], [REFERENCES]),
    "one shifted reference": ([SYSTEM], [REFERENCES, [*REFERENCES[1:], "the end"]]),
    "empty lines": ([[*SYSTEM[:40], *[""] * 20], SYSTEM], [REFERENCES]),
    "a byte order mark": ([["\ufeff" + SYSTEM[0], *SYSTEM[1:]]], [REFERENCES]),
    "JSON as text": ([[json.dumps({"mt": line}) for line in SYSTEM]], [REFERENCES]),
    "line ends of old Macs": ([["\r".join(SYSTEM)]], [REFERENCES[:1]]),
    "transposed references": ([["a b c d", "e f g h"]], [*CROSSED]),
    "nothing in common": ([["x y z"] * 3, ["u v w"] * 3], [["a b c d"] * 3]),
}
ONE_SIDED = [name for name in FORMATS if not name.startswith("sample")]
"""Formats without columns for both sides, which the page would show to be chosen."""
NOT_FOUND = {"clean", "transposed references", "nothing in common"}
"""Files in which the check-up finds nothing."""
OPTIONS = {"bootstrap": ["--paired-bootstrap"], "none": []}


@pytest.mark.parametrize("name", FILES)
def test_page_and_command_line_print_the_same_json(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    slots = {}
    for slot, texts in zip(("system", "reference"), FILES[name], strict=True):
        slots[slot] = [f"{slot}{number}" for number in range(len(texts))]
        for file, lines in zip(slots[slot], texts, strict=True):
            Path(file).write_text("\n".join([*lines, ""]), "utf-8", newline="")
    test = "bootstrap" if len(slots["system"]) > 1 else "none"
    files = ["--hypotheses", *slots["system"], "--references", *slots["reference"]]
    options = ["--format", "json", "--quiet", "--as-text", *OPTIONS[test]]
    assert main(["corpus", *files, *options]) == 0
    printed = capsys.readouterr().out

    systems, references = ([opened(file) for file in files] for files in slots.values())
    settings = convention_settings("sacrebleu")
    steps = check_and_score(systems, references, slots["system"], 0, settings, test, "sacrebleu")
    outcome = run_to_end(steps)
    findings = run_to_end(outcome.check())
    outcome = replace(outcome, evaluation=replace(outcome.evaluation, findings=findings))
    assert CORPUS_FORMATS["json"].render(outcome) == printed
    assert bool(json.loads(printed)["findings"]) is (name not in NOT_FOUND)


@pytest.mark.parametrize("content", [*ONE_SIDED, *CAPTION_FILES, "Kaldi", "plain references"])
def test_page_and_command_line_read_the_same_texts(content, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if content in CAPTION_FILES:
        hypotheses, references = ([text] for text in CAPTION_FILES[content])
    else:
        lines = (FORMATS | {"Kaldi": kaldi, "plain references": srt})[content]
        hypotheses, references = lines(BAD), lines(REFERENCE)
        if content in [*list(FORMATS)[-3:], "plain references"]:
            references = REFERENCE
    write(tmp_path, hyp=hypotheses, ref=references)
    files = ["--hypotheses", "hyp", "--references", "ref"]
    assert main(["corpus", *files, "--format", "json"]) == 0
    printed = capsys.readouterr()

    slots = [
        run_to_end(
            read_role_texts(opened(name), role, partial(choose_columns, slot=role, others=()))
        )
        for name, role in (("hyp", "system"), ("ref", "references"))
    ]
    assert all(isinstance(slot, list) for slot in slots)
    systems, references, _, notes = join(*slots)
    settings = convention_settings("sacrebleu")
    steps = check_and_score(systems, references, ["hyp"], 0, settings, "none", "sacrebleu")
    outcome = run_to_end(steps)
    findings = run_to_end(outcome.check())
    outcome = replace(outcome, evaluation=replace(outcome.evaluation, findings=findings))
    assert CORPUS_FORMATS["json"].render(outcome) == printed.out
    assert notes
    assert [line.partition(": note: ")[2] for line in printed.err.splitlines()][
        : len(notes)
    ] == notes


def opened(name):
    """Return a file as the page opens it."""
    content = Path(name).read_bytes()
    source = run_to_end(read_source(name, io.BytesIO(content), len(content)))
    return replace(source, has_bom=content.startswith(BOM_UTF8))


def test_time_left_while_scoring_includes_the_resampling():
    texts = [TextSource(name, ["a b", "c d"]) for name in "rst"]
    settings = convention_settings("sacrebleu")
    steps = {
        test: next(
            check_and_score(texts[1:], texts[:1], ["s", "t"], 0, settings, test, "sacrebleu")
        )
        for test in ("none", "bootstrap")
    }
    assert (steps["none"].later, steps["bootstrap"].later) == (0, 2 * (1 + RESAMPLING_COST / 2))
