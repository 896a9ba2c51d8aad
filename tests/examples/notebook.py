"""Makes the notebook of a class, class.ipynb beside this file, and runs it with a real kernel.

`.venv/bin/python -m tests.examples.notebook` writes it anew; with a path, there.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FILE = Path(__file__).with_name("class.ipynb")
CELLS = [
    "# BLEU in a class\n\nThe library `bleu` computes BLEU and shows how it comes about. "
    "Run the cells one after the other, and change them.",
    ["import bleu"],
    "## A sentence\n\nThe score, and under *Step by step* each formula with its numbers.",
    ['bleu.derive("the cat is on mat", ["the cat is on the mat"])'],
    "Before you run the next cell: what happens to the score if *the* is added before *mat*?",
    ['print(bleu.sentence_bleu("the cat is on the mat", ["the cat is on the mat"]))'],
    "## Clipping\n\nEvery word of this candidate is in a reference. Is it a perfect translation?",
    ['references = ["the cat is on the mat", "there is a cat on the mat"]',
     'bleu.derive("the the the the the the the", references, max_order=1)'],
    "## Zero\n\nOne order without a match makes the whole score 0. Smoothing changes that, and "
    "implementations smooth in different ways.",
    ['bleu.compare("a cat sat here", ["the cat sat there"])'],
    "## A corpus is not the mean of its sentences\n\nBLEU adds the counts of all segments, and "
    "computes one score from the sums.",
    ['hypotheses = ["the cat is on the mat", "it rains", "there is a dog in garden"]',
     'right = ["the cat is on the mat", "it is raining", "there is a dog in the garden"]',
     "references = [[text] for text in right]",
     "corpus = bleu.derive_corpus(hypotheses, references)",
     'print(f"BLEU {corpus.score:.4f}, mean of the sentences {corpus.mean:.4f}")',
     "corpus"],
    "## Two systems\n\nHow sure is a difference? The p below is small, and yet says little: "
    "three segments can be drawn in only ten ways, and other texts may differ from all of them.",
    ['others = ["the cat is on mat", "it is raining", "a dog is in the garden"]',
     "other = bleu.derive_corpus(others, references)",
     "bleu.paired_bootstrap(corpus.segments, other.segments)"],
    "## An exercise\n\nThe same seed gives the same exercises.",
    ['exercise = bleu.exercises("7k2q", ["brevity"], count=1, kinds=["step"])[0]',
     "exercise"],
    ['marked = bleu.grade(exercise, {"c": "7", "r": "9", "bp": "e^(-2/7)"})',
     "for verdict in marked.verdicts:",
     "    print(verdict.name, verdict.status)",
     "print(bleu.MISCONCEPTIONS[marked.misconception].sentence)"],
]  # fmt: skip


def made() -> nbformat.NotebookNode:
    """The notebook, run in the folder of the project: the same each time."""
    cells = [
        nbformat.v4.new_markdown_cell(content, id=f"cell-{place}")
        if isinstance(content, str)
        else nbformat.v4.new_code_cell("\n".join(content), id=f"cell-{place}")
        for place, content in enumerate(CELLS)
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    root = Path(__file__).parents[2]
    client = NotebookClient(
        notebook,
        timeout=600,
        resources={"metadata": {"path": str(root)}},
        coalesce_streams=True,  # what is printed comes in one piece or several, as time has it
    )
    client.record_timing = False
    client.execute()
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return notebook


def main() -> None:
    """Write it."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    text = nbformat.writes(made())
    target.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
