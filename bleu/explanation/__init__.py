"""A derivation, a corpus, a comparison or an exercise told as a document.

How BLEU comes about is put into words here and nowhere else. No formula of it is computed here:
the numbers come from the other rooms. A format never comes in.
"""

from bleu.core.derivation import Derivation
from bleu.document.blocks import Document
from bleu.explanation.figures import figures
from bleu.explanation.steps import excerpts, steps
from bleu.explanation.summary import summarize
from bleu.explanation.symbols import Symbols


def explain(derivation: Derivation) -> Document:
    """The document of a derivation: its summary, its figures, and the steps that lead to the score.

    Texts of more than 200 tokens and tables of more than 60 rows are cut, and say by how much;
    the facts behind them never are.

    >>> from bleu import derive
    >>> document = explain(derive("the cat is on mat", ["the cat is on the mat"], max_order=2))
    >>> [step.anchor for step in document.steps]
    ['tokens', 'precision-1', 'precision-2', 'brevity-penalty', 'score', 'cross-check']
    """
    shown = excerpts(derivation)
    vanilla = tuple(excerpt.vanilla for excerpt in shown)
    symbols = Symbols(derivation.score, derivation.settings, vanilla)
    return Document(
        summarize(derivation, symbols),
        figures(derivation, symbols),
        steps(derivation, symbols, shown),
    )
