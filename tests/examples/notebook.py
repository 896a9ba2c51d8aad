"""Generator of the example notebook class.ipynb, which it runs with a Jupyter kernel.

Run `.venv/bin/python -m tests.examples.notebook [PATH]`; the default path is the committed file.
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
    ['two_references = ["the cat is on the mat", "there is a cat on the mat"]',
     'bleu.derive("the the the the the the the", two_references, max_order=1)'],
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
    ['exercise = bleu.exercises("66", ["brevity"], count=1, kinds=["step"])[0]',
     "exercise"],
    ['marked = bleu.grade(exercise, {"c": "6", "r": "8", "bp": "e^(-1/3)"})',
     "for verdict in marked.verdicts:",
     "    print(verdict.name, verdict.status)",
     "print(bleu.MISCONCEPTIONS[marked.misconception].sentence)"],
    "## Your own BLEU\n\n`bleu.assess` calls your function, and names what it gets wrong.",
    ["def my_bleu(candidate, references):",
     "    score = bleu.sentence_bleu(candidate, references)",
     "    return score.geometric_mean",
     "",
     "",
     "print(bleu.assess(my_bleu))"],
]  # fmt: skip


def run_notebook() -> nbformat.NotebookNode:
    """Run the cells in the project's root and return the notebook without anything random."""
    cells = [
        nbformat.v4.new_markdown_cell(content, id=f"cell-{index}")
        if isinstance(content, str)
        else nbformat.v4.new_code_cell("\n".join(content), id=f"cell-{index}")
        for index, content in enumerate(CELLS)
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    root = Path(__file__).parents[2]
    client = NotebookClient(
        notebook,
        timeout=600,
        startup_timeout=600,
        resources={"metadata": {"path": str(root)}},
        coalesce_streams=True,  # the number of chunks of the output depends on timing
    )
    client.record_timing = False
    client.execute()
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return notebook


def main() -> None:
    """Write the notebook."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    text = nbformat.writes(run_notebook())
    target.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
