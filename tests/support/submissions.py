"""Submissions run in this process, as the page runs them."""

from pathlib import Path

from bleu.learn.assessment import verdict
from bleu.learn.cases import assessed_texts
from bleu.learn.submission import iter_results, read_cells, result_of


def run_submission(file, name, settings):
    """Return the verdict on a file."""
    path = Path(file)
    cells = read_cells(path.read_bytes(), is_notebook=path.suffix == ".ipynb")
    texts = assessed_texts(settings)
    return verdict(result_of(iter_results(cells, name, texts, settings.max_order)), settings)
