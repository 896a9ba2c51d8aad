"""The command `sacrebleu` against the command of sacreBLEU 2.6.0: standard output and exit code.

Most command lines are those by which people call it. `DIFFERENCES` has those that differ, each with
the reason.
"""

import gzip
import json
import re
import shlex
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

import bleu
from bleu.cli.sacrebleu import _system_cell
from bleu.corpus.report import Comparison, System
from tests.cli.test_corpus_as_sacrebleu import texts

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]

SAME = """
sacrebleu ref.txt < A.txt
sacrebleu ref.txt -i A.txt
sacrebleu ref.txt -i A.txt -b
sacrebleu mac.txt -s floor -w 3 < two.txt
sacrebleu ref.txt -i A.txt -m bleu -b -w 4
sacrebleu ref.txt -i A.txt -m bleu -w 4 -b --tokenize 13a
sacrebleu ref.txt --input A.txt --score-only --width 2
sacrebleu ref.txt --score-only < A.txt
sacrebleu ref.txt -i A.txt -f json
sacrebleu ref.txt -i A.txt -f text
sacrebleu ref.txt -i A.txt -f latex
sacrebleu ref.txt -tok none -s none < A.txt
sacrebleu -tok none -w 2 ref.txt < A.txt
sacrebleu -tok intl -b -i A.txt -- ref.txt
sacrebleu --tok intl ref.txt < A.txt
sacrebleu ref.txt --tokenize zh < A.txt
sacrebleu ref.txt -i A.txt -tok char -w 2
sacrebleu ref.txt -lc < A.txt
sacrebleu --force -lc -l en-en ref.txt < A.txt
sacrebleu ref.txt -i A.txt -l ru-en -b
sacrebleu ref.txt -i A.txt -l en-zh
sacrebleu ref.txt -i A.txt -l en-zh -tok 13a
sacrebleu ref.txt -i A.txt -s floor -sv 0.1
sacrebleu ref.txt -i A.txt -s floor -sh -f text
sacrebleu ref.txt -i A.txt -s exp -sv 2.5 -sh
sacrebleu ref.txt -i A.txt --smooth-method add-k --smooth-value 1
sacrebleu ref.txt -i A.txt --sentence-level -w 2
sacrebleu ref.txt -i A.txt -sl -b
sacrebleu ref.txt -i A.txt -sl -sh -w 3
sacrebleu fewref.txt -i few.txt -sl -w 3
sacrebleu fewref.txt -i few.txt -sl -s floor -w 3
sacrebleu fewref.txt -i few.txt -sl -s none
sacrebleu fewref.txt -i few.txt -sl -s add-k -sv 2
sacrebleu fewref.txt -i few.txt -s add-k -f text
sacrebleu ref.txt -i A.txt B.txt -m bleu
sacrebleu ref.txt -i A.txt B.txt ref.txt -f text
sacrebleu ref.txt -i A.txt B.txt ref.txt -f latex -w 3
sacrebleu ref.txt -i A.txt B.txt -w 0 -f text
sacrebleu ref.txt -i A.txt 日本_A%.txt -f text
sacrebleu ref.txt -i A.txt 日本_A%.txt -f latex
sacrebleu ref.txt -i A.txt 日本_A%.txt
sacrebleu ref.txt -i A.txt B.txt A.txt
sacrebleu ref.txt -i A.txt --confidence -cin 99
sacrebleu ref.txt -i A.txt --confidence --confidence-n 50 -f json -w 3
sacrebleu ref.txt -i A.txt -ci -cin 30 -f text
sacrebleu ref.txt -i A.txt -ci -cin 30 -b -w 3
sacrebleu ref.txt -i A.txt -ci -cin 1
sacrebleu ref.txt B.txt -i A.txt -b
sacrebleu --num-refs 2 multi.tsv < A.txt
sacrebleu -nr 2 multi.tsv -i A.txt -f text
sacrebleu -nr 2 multi.tsv B.txt -i A.txt
sacrebleu -nr 3 multi.tsv -i A.txt
sacrebleu ref.txt < two.tsv
sacrebleu ref.txt -f text < two.tsv
sacrebleu ref.txt < bad.tsv
sacrebleu -nr 2 bad.tsv < A.txt
sacrebleu -nr 2 last.tsv -i two.txt
sacrebleu two.txt < last.tsv
sacrebleu ref.txt -i A.txt --short
sacrebleu ref.txt -i A.txt -q -b
sacrebleu ref.txt -i A.txt -e utf-8
sacrebleu latin.txt -i latin.txt -e latin-1 -f text
sacrebleu latin.txt -i latin.txt
sacrebleu bom.txt -i nobom.txt -f text
SACREBLEU_FORMAT=text sacrebleu -tok 13a -w 2 ref.txt < A.txt
SACREBLEU_FORMAT=nonsense sacrebleu ref.txt -i A.txt
SACREBLEU_SEED=7 sacrebleu ref.txt -i A.txt -ci -cin 30 -f text
sacrebleu short.txt -i A.txt
sacrebleu nofile.txt -i A.txt
sacrebleu ref.crlf.txt -i A.txt -b
sacrebleu ref.txt.gz -i A.txt -b
sacrebleu three.txt < mac.txt
sacrebleu three.txt -i mac.txt
sacrebleu one.txt -i one.txt
sacrebleu one.txt -i nobom.txt -f text
sacrebleu nobom.txt -i one.txt -f text
sacrebleu empty.txt -i empty.txt
sacrebleu -i A.txt
sacrebleu
sacrebleu ref.txt -i A.txt --paired-bs
sacrebleu ref.txt -i A.txt --paired
sacrebleu ref.txt -i A.txt B.txt --confidence
sacrebleu ref.txt -i A.txt B.txt -sl
sacrebleu ref.txt -i A.txt -sl --confidence
sacrebleu ref.txt -i A.txt B.txt --paired-bs --paired-ar
sacrebleu ref.txt -i A.txt --chrf-beta 3 --chrf-lowercase --ter-normalized -cc 3 -cw 2 -b
sacrebleu ref.txt -i A.txt --detail
sacrebleu ref.txt -i A.txt -d -f json -sh
sacrebleu ref.txt -i A.txt -d -b
sacrebleu ref.txt -i A.txt -d -sl
sacrebleu ref.txt -i A.txt -d -sl -f json
sacrebleu ref.txt -i A.txt B.txt -d
sacrebleu ref.txt -i A.txt B.txt -d -f latex
sacrebleu ref.txt -d < A.txt
sacrebleu ref.txt -i A.txt -nc --quiet --force -b
sacrebleu ref.txt -i A.txt --sm none -b
sacrebleu ref.txt -i A.txt --zzz
sacrebleu ref.txt -i A.txt -f pdf
sacrebleu ref.txt -i A.txt -tok xyz
sacrebleu ref.txt -i A.txt -w x
"""
PAIRED = """
sacrebleu ref.txt -i A.txt B.txt --paired-bs -m bleu
sacrebleu ref.txt -i A.txt B.txt --paired-ar -m bleu --paired-ar-n 200
sacrebleu ref.txt -i A.txt B.txt A.txt --paired-bs -pbsn 20 -f latex -q
sacrebleu ref.txt -i A.txt B.txt ref.txt -par -parn 30 -cin 7 -f text -j 2 -w 2
sacrebleu ref.txt -i A.txt B.txt ref.txt -pbs -pbsn 30 -f text -sh
sacrebleu ref.txt -i A.txt B.txt --paired-bs -cin 7 -f text
sacrebleu ref.txt -i A.txt B.txt ref.txt -pbs -pbsn 30
sacrebleu ref.txt --paired-bs -pbsn 20 -f text < two.tsv
"""
"""Paired tests: the words on what p means are other ones, and JSON agrees to 6 digits.

SacreBLEU adds and divides the counts of resamples in single precision.
"""
OTHER_METRICS = "chrF and TER are not BLEU; the error says what computes them"
TEST_SETS = "nothing is downloaded; the error says how to save the references"
FAILS = "sacreBLEU stops with a traceback, and this with the value and what to give"
DIFFERENCES = {
    "sacrebleu ref.txt -i A.txt -m bleu chrf": (2, OTHER_METRICS),
    "sacrebleu ref.txt -i A.txt -m bleu chrf ter": (2, OTHER_METRICS),
    "sacrebleu ref.txt -i A.txt -m chrf --chrf-word-order 2": (2, OTHER_METRICS),
    "sacrebleu -t wmt17 -l en-de": (2, TEST_SETS),
    "sacrebleu -t wmt17 -l en-de --echo src": (2, TEST_SETS),
    "sacrebleu --list": (2, TEST_SETS),
    "sacrebleu --citation": (2, TEST_SETS),
    "sacrebleu ref.txt -i A.txt -ol de": (2, TEST_SETS),
    "sacrebleu ref.txt -i A.txt --subset x": (2, TEST_SETS),
    "sacrebleu -t wmt17 -l en-de -i A.txt -d": (2, TEST_SETS),
    "sacrebleu --download wmt17": (2, TEST_SETS),
    "sacrebleu ref.txt -i A.txt -w -1": (2, FAILS),
    "sacrebleu ref.txt -i A.txt -l ende": (2, FAILS),
    "sacrebleu latin.txt -i latin.txt -e nonsense": (2, FAILS),
    "sacrebleu -nr 0 multi.tsv -i A.txt": (1, "no number of references fits 0"),
    "sacrebleu ref.txt -i": (1, "sacreBLEU prints an empty list of systems"),
    "sacrebleu one.txt < empty.txt": (1, "sacreBLEU scores no line as an empty line"),
    "SACREBLEU_SEED=none sacrebleu ref.txt -i A.txt -ci -cin 9 -b": (2, "nobody can repeat it"),
    "sacrebleu -V": (0, "the version is that of this library"),
    "sacrebleu --help": (0, "the help is of this library"),
}
DRIVER = """
import json, os, sys, tempfile, traceback
from sacrebleu.sacrebleu import main as peer
from bleu.__main__ import main
import bleu.cli.sacrebleu, numpy, sacrebleu.significance

def run(work, arguments, stdin, variables):
    files = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    if not (child := os.fork()):
        os.environ.update(variables)
        sys.argv = ["sacrebleu", *arguments]
        os.dup2(os.open(stdin or os.devnull, os.O_RDONLY), 0)
        for stream, file in enumerate(files, 1):
            os.dup2(file.fileno(), stream)
        try:
            code = work() or 0
        except SystemExit as error:
            code = error.code or 0
        except BaseException:
            traceback.print_exc()
            code = 1
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    texts = []
    for file in files:
        file.seek(0)
        texts.append(file.read().decode())
    return code, *texts

results = []
for arguments, stdin, variables in json.load(sys.stdin):
    ours = lambda: main(["sacrebleu", *arguments])
    results.append([run(work, arguments, stdin, variables) for work in (peer, ours)])
print(json.dumps(results))
"""
"""A program that runs both commands on command lines, each in a process that has the imports."""


def lines_of(text):
    """Return the command lines in a text."""
    return text.strip().splitlines()


def parsed(line):
    """Return the arguments, the file on standard input, and the environment variables."""
    before, _, after = line.partition("sacrebleu")
    arguments, _, stdin = after.partition(" < ")
    return shlex.split(arguments), stdin, dict(pair.split("=") for pair in before.split())


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return what sacreBLEU's command and ours give, by command line."""
    folder = tmp_path_factory.mktemp("sacrebleu")
    reference, system, other = texts(0, 0), texts(1, 0.2), texts(2, 0.3)
    files = {
        "ref.txt": reference,
        "A.txt": system,
        "B.txt": other,
        "日本_A%.txt": system,
        "short.txt": reference[:-1],
        "multi.tsv": map("\t".join, zip(reference, other, strict=True)),
        "two.tsv": map("\t".join, zip(system, other, strict=True)),
        "bad.tsv": ["a\tb", *reference[1:]],
        "few.txt": ["a b c d", "x y", "", "w"],
        "fewref.txt": ["a b c d e", "x y", "q", "v"],
        "nobom.txt": ["the cat sat on"],
        "three.txt": ["the cat", "b c", "d e"],
        "two.txt": ["the cat", "b c d"],
        "one.txt": [""],
        "last.tsv": ["the cat\ta cat", "b c d\t"],
        "empty.txt": [],
    }
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    crlf = "".join(f"{line}\r\n" for line in reference).encode()
    for name, content in {
        "ref.crlf.txt": crlf,
        "ref.txt.gz": gzip.compress(crlf),
        "mac.txt": b"the cat\r\nb c\rd e\n",
        "latin.txt": b"caf\xe9 au lait now\n",
        "bom.txt": b"\xef\xbb\xbfthe cat sat on\n",
    }.items():
        (folder / name).write_bytes(content)
    lines = [*lines_of(SAME), *lines_of(PAIRED), *DIFFERENCES]
    process = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps([*map(parsed, lines)]).encode(),
        capture_output=True,
        check=True,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONUTF8": "1"},
    )
    return dict(zip(lines, json.loads(process.stdout), strict=True))


@pytest.mark.parametrize("line", lines_of(SAME))
def test_output_and_exit_code_are_those_of_sacrebleu(line, results):
    (code, out, _), (our_code, our_out, err) = results[line]
    assert (our_code, our_out) == (code, out)
    assert (err.count("\n") == 1 and len(err) <= 300) if code else ("error" not in err)


def numbers_of(text):
    """Return the text without numbers, and these numbers."""
    return re.sub(r"\d+\.\d+", "#", text), [*map(float, re.findall(r"\d+\.\d+", text))]


@pytest.mark.parametrize("line", lines_of(PAIRED))
def test_paired_tests_differ_in_words_and_digits_only(line, results):
    (code, out, _), (our_code, our_out, _) = results[line]
    assert our_code == code == 0
    if "-f" in line:
        title, signatures = re.compile(r"-{20,}\nPaired .*\n-{20,}\n"), "-" * 17 + "\nMetric"
        for start, end in [(0, title.search(out).end()), (out.index(signatures), None)]:
            ours = our_out[our_out.index(signatures) :] if start else our_out[:end]
            assert ours == out[start:end]
        return
    (text, numbers), (our_text, our_numbers) = numbers_of(out), numbers_of(our_out)
    assert our_text == text
    assert our_numbers == pytest.approx(numbers, rel=1e-6)


@pytest.mark.parametrize("line", DIFFERENCES)
def test_differences_are_answered_in_one_sentence(line, results):
    peer, (code, out, err) = results[line]
    expected_code, reason = DIFFERENCES[line]
    assert reason
    assert [code, out] != peer[:2]
    assert code == expected_code
    if code:
        assert (out, err.count("\n")) == ("", 1)
        assert len(err) <= 300


def test_findings_are_printed_to_standard_error_unless_quiet(results):
    notes = results["sacrebleu nobom.txt -i one.txt -f text"][1][2]
    assert re.findall(r"(\w+): note: ", notes) == ["sacrebleu"]
    assert results["sacrebleu ref.txt -i A.txt -q -b"][1][2] == ""


def test_star_marks_p_values_up_to_5_percent():
    for p_value, mark in ((0.05, "*"), (0.0501, "")):
        comparison = Comparison(0.01, p_value=p_value)
        system = System("a", bleu.sentence_bleu("a", ["a"]), comparison=comparison)
        assert _system_cell(system, Namespace(width=1))[1] == f"(p = {p_value:.4f}){mark}"
