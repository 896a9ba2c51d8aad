"""Submissions that try to pass without BLEU, to flood the teacher's process, or never to end."""

import json
import os
import zipfile

import pytest

from bleu.__main__ import main
from bleu.core.settings import Settings
from bleu.learn.assessment import verdict
from bleu.learn.cases import assessed_texts, tasks
from bleu.learn.submission import (
    MAX_OUTPUT_CHARACTERS,
    MAX_STEPS,
    Submission,
    iter_results,
    result_of,
)

PASSED = '{"passed": true, "agreeing": 44, "total": 44, "call": "", "cases": [], "report": "ok"}'
CONSTANT = "def bleu(candidate, references):\n    return 0.5\n"
HOSTILE = {
    "prints a verdict": f"import os\nos.write(1, {PASSED.encode()!r})\nos._exit(0)\n",
    "writes a verdict": (
        f"import os, sys\nopen(sys.argv[2], 'w').write({PASSED!r})\nos._exit(0)\n"
    ),
    "writes few numbers": (
        "import os, sys, json\n"
        "found = [['f', [False, False, True, 'list'], [[1.0]]]]\n"
        "json.dump({'found': found, 'libraries': [], 'errors': []}, open(sys.argv[2], 'w'))\n"
        "os._exit(0)\n"
    ),
    "writes too much": (
        "import os, sys\nopen(sys.argv[2], 'w').write('[' * 3_000_000)\nos._exit(0)\n"
    ),
    "reads the caller": (
        "import sys\ndef bleu(candidate, references):\n    frame = sys._getframe()\n"
        "    while frame:\n        for name in ('expected', 'value', 'right'):\n"
        "            if name in frame.f_locals:\n                return frame.f_locals[name]\n"
        "        frame = frame.f_back\n    return 0.5\n"
    ),
    "patches the judge": (
        "import sys\nfor module in list(sys.modules.values()):\n"
        "    for name in ('corpus_bleu', 'judge', 'right_score', 'isfinite'):\n"
        "        if hasattr(module, name):\n            setattr(module, name, lambda *_: 0.5)\n"
        + CONSTANT
    ),
    "equals all": (
        "class Any(float):\n    def __eq__(self, other): return True\n"
        "    def __sub__(self, other): return 0\n    __rsub__ = __sub__\n"
        "def bleu(candidate, references):\n    return Any(0.5)\n"
    ),
    "floods": (
        "import os\nfor _ in range(50):\n    os.write(1, b'y' * 1_000_000)\n"
        "    print('z' * 1_000_000)\n" + CONSTANT
    ),
    "control codes": (
        "def bleu(candidate, references):\n    raise ValueError('\\x1b[2J\\rpassed 44/44')\n"
    ),
    "leaves at once": "import os\nos.abort()\n",
    "starts a child": "import os, time\nif not os.fork():\n    time.sleep(600)\n" + CONSTANT,
    "much memory": "def bleu(candidate, references):\n    return len(' ' * (1 << 40))\n",
    "nested": "def bleu(candidate, references):\n    x = []\n"
    "    for _ in range(50_000): x = [x]\n    return x\n",
}


@pytest.mark.host
@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX only")
def test_no_hostile_submission_passes(tmp_path, capsys):
    for name, code in HOSTILE.items():
        (tmp_path / f"{name}.py").write_text(code)
    assert main(["assess", str(tmp_path), "--timeout", "60", "--format", "json"]) == 1
    output = capsys.readouterr().out
    results = json.loads(output)
    assert len(results) == len(HOSTILE)
    assert not [result["file"] for result in results if result["passed"]]
    assert "\\u001b" not in output
    assert len(output) < 1_000_000


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"found": 3},
        {"found": [["f", [0, 0, 0, 0], [[1.0]]]], "libraries": []},
        {"found": [["f", [False, False, True, "list"], [[10**400]] * 44]], "libraries": []},
        {"found": [["f", [False, False, True, "list"], [[1e300]] * 44]], "libraries": []},
        {"found": [["f", [False, False, True, "list"], [[float("nan")]] * 44]], "libraries": []},
        {"found": [["f", [False, False, True, "list"], [["x"]] * 44]], "libraries": []},
        {"found": [], "libraries": [], "errors": [["\x1b"]]},
        {"error": "\x1b[2J"},
    ],
)
def test_malformed_result_is_a_verdict(result):
    found = verdict(result, Settings())
    assert not found["passed"]
    assert found["report"]
    assert found["report"].replace("\n", "").isprintable()


def test_missing_numbers_are_wrong():
    right = [[_right(task)] for task in tasks(Settings())]
    styles = [False, False, True, "list"]
    for outcomes in (right[:3], ["", *right[1:]]):
        found = {"found": [["f", styles, outcomes]], "libraries": []}
        assert not verdict(found, Settings())["passed"]
    assert verdict({"found": [["f", styles, right]], "libraries": []}, Settings())["passed"]


def _right(task):
    import bleu

    return bleu.corpus_bleu(task.hypotheses, task.references).value


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "for _ in iter(int, 1): pass",
        "while True:\n        try:\n            while 1: pass\n        except BaseException: pass",
        "while True:\n        try: return 1\n        finally: continue",
        "return bleu(candidate, references)",
        "return [0 for _ in iter(int, 1)]",
        "f = lambda: f()\n    return f()",
        "return sum(x for x in iter(int, 1))",
        "try: bleu(candidate, references)\n    except BaseException: bleu(candidate, references)",
    ],
)
def test_code_without_an_end_is_stopped_by_its_steps(body):
    code = f"def bleu(candidate, references):\n    {body}\n"
    result = result_of(iter_results([code], "", assessed_texts(Settings()), 4))
    found = verdict(result, Settings())
    assert not found["passed"]
    assert "steps" in found["report"] or "RecursionError" in found["report"]


def test_steps_of_honest_code_are_counted_alike_everywhere():
    submission = Submission(
        [
            "total = 0\nfor i in range(10):\n    total += i\n",
            'def f(a):\n    """Doc."""\n    return [x for x in a if x] + [(lambda y: y)(1)]\n',
        ]
    )
    assert submission.names["total"] == 45
    assert submission.names["f"].__doc__ == "Doc."
    submission.steps.taken = 0
    submission.names["f"]([1, 0, 2])
    assert submission.steps.taken == 5  # a function, three passes, a lambda
    assert not submission.errors
    endless = Submission(["while True: pass", "x = 1"])
    assert endless.names["x"] == 1
    assert f"{MAX_STEPS:,} steps" in str(endless.errors[0])


def test_printed_text_is_kept_up_to_a_limit():
    code = (
        "print('hello')\ndef bleu(candidate, references):\n    print('x' * 999)\n    return 0.5\n"
    )
    result = result_of(iter_results([code], "", assessed_texts(Settings()), 4))
    assert result["output"].startswith("hello\nxxx")
    assert len(result["output"]) == MAX_OUTPUT_CHARACTERS


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        (["x = 1\ndef bleu(a, b):\n    return 1 / 0\n"], "division by zero (line 3)"),
        (["x = 1", "def bleu(a, b):\n\n    return y\n"], "(line 3 of cell 2)"),
        (["x = 1\ndef bleu(a, b)\n"], "(line 2)"),
    ],
)
def test_errors_name_their_line(cells, place):
    result = result_of(iter_results(cells, "", assessed_texts(Settings()), 4))
    assert place in verdict(result, Settings())["report"]


def test_a_function_that_keeps_something_between_calls_is_told_so():
    code = "seen = []\ndef bleu(a, b):\n    seen.append(a)\n    return len(seen) / 100\n"
    result = result_of(iter_results([code], "", assessed_texts(Settings()), 4))
    assert "between calls" in verdict(result, Settings())["report"]


def test_archives_and_folders_of_learners_are_read(tmp_path, capsys):
    """Moodle gives a ZIP with a folder for each learner; its metadata is not code."""
    with zipfile.ZipFile(tmp_path / "homework.zip", "w") as archive:
        archive.writestr("Ann Lee_1_file_/bleu.py", CONSTANT)
        archive.writestr("Bo Li_2_file_/bleu.ipynb", json.dumps({"cells": []}))
        archive.writestr("__MACOSX/Ann Lee_1_file_/._bleu.py", "x")
        archive.writestr("Bo Li_2_file_/report.pdf", "x")
        archive.writestr("big.py", "#" * 3_000_000)
    folder = tmp_path / "all" / "Ann Lee_1_file_"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "bleu.py").write_text(CONSTANT)
    (folder / "__pycache__" / "bleu.py").write_text(CONSTANT)
    for path, expected in (
        (tmp_path / "homework.zip", ["Ann Lee_1_file_/bleu.py", "Bo Li_2_file_/bleu.ipynb"]),
        (tmp_path / "all", [str(folder / "bleu.py")]),
    ):
        main(["assess", str(path), "--format", "json"])
        assert [each["file"] for each in json.loads(capsys.readouterr().out)] == expected
    (tmp_path / "broken.zip").write_bytes(b"PK")
    with pytest.raises(SystemExit):
        main(["assess", str(tmp_path / "broken.zip")])
    assert "this ZIP file is broken" in capsys.readouterr().err
