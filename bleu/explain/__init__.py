"""A derivation told as a document: the only place where BLEU is put into words."""

from bleu.derivation import Derivation
from bleu.document import Document
from bleu.explain.figures import figures
from bleu.explain.steps import steps
from bleu.explain.summary import summarize
from bleu.explain.symbols import Symbols


def explain(derivation: Derivation) -> Document:
    """The document of a derivation: its summary, its figures, and the steps that lead to the score.

    Texts of more than 200 tokens and tables of more than 60 rows are cut, and say by how much;
    the facts behind them never are.

    >>> from bleu import derive
    >>> document = explain(derive("the cat is on mat", ["the cat is on the mat"], max_order=2))
    >>> [step.anchor for step in document.steps]
    ['tokens', 'precision-1', 'precision-2', 'brevity-penalty', 'score', 'cross-check']
    """
    vanilla = tuple(order.vanilla for order in derivation.orders)
    symbols = Symbols(derivation.score, derivation.settings, vanilla)
    return Document(
        summarize(derivation, symbols), figures(derivation, symbols), steps(derivation, symbols)
    )
