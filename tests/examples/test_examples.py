"""The examples: the notebook runs and is as it is committed; the switch gives the same numbers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import bleu
from tests.examples import switching

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("class.ipynb")
HYPOTHESES = ["the cat is on mat", "there is a dog in the garden"]
REFERENCES = [["the cat is on the mat", "a cat is on the mat"], ["there is a dog in the garden"]]


@pytest.mark.slow
def test_the_notebook_runs_and_is_as_it_is_committed(tmp_path):
    new = tmp_path / "new.ipynb"
    command = [sys.executable, "-m", "tests.examples.notebook", new]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(new.read_text("utf-8")) == json.loads(FILE.read_text("utf-8"))


def test_the_notebook_shows_every_kind_of_result_and_no_error():
    cells = json.loads(FILE.read_text("utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    assert {output["output_type"] for output in outputs} <= {"execute_result", "stream"}
    shown = [output["data"] for output in outputs if "data" in output]
    kinds = {"".join(data["text/plain"]).partition(":")[0] for data in shown}
    assert kinds == {
        "<Derivation", "<ConventionComparison", "<Corpus", "<PairedTest", "<Exercise"
    }  # fmt: skip
    for data in shown:
        assert {"text/html", "text/markdown", "text/latex", "text/plain"} == set(data)


def test_from_nltk_in_three_lines():
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    tokens = [text.split() for text in HYPOTHESES]
    references = [[text.split() for text in own] for own in REFERENCES]
    assert switching.nltk_sentence(references[0], tokens[0]) == pytest.approx(
        nltk.sentence_bleu(references[0], tokens[0])
    )
    assert switching.nltk_corpus(references, tokens) == pytest.approx(
        nltk.corpus_bleu(references, tokens)
    )


def test_from_evaluate_in_three_lines():
    found = switching.evaluate_bleu(predictions=HYPOTHESES, references=REFERENCES)
    score = bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention="huggingface-evaluate")
    assert set(found) == {
        *("bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length"),
        "reference_length",
    }
    assert found["bleu"] == score.value == pytest.approx(0.8281, abs=1e-4)
    assert (found["translation_length"], found["reference_length"]) == (12, 13)
