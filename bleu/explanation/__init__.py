"""A derivation, a corpus, a comparison or an exercise told as a document.

The words that tell how a score comes about are written here. No formula of BLEU is computed here:
the numbers come from the other rooms. A format never comes in.
"""

from bleu.core.derivation import Derivation
from bleu.corpus.corpus import Corpus
from bleu.document.blocks import Document
from bleu.explanation.corpus import explain_corpus
from bleu.explanation.figures import figures
from bleu.explanation.steps import excerpts, steps
from bleu.explanation.summary import summarize
from bleu.explanation.symbols import Symbols


def explain(derivation: Derivation | Corpus) -> Document:
    """The document of a derivation: its summary, its figures, and the steps that lead to the score.

    Of a corpus, as `derive_corpus` gives it, the steps lead from the sums over its segments.

    Texts of more than 200 tokens and tables of more than 60 rows are cut, and say by how much;
    the facts behind them never are.

    >>> from bleu import derive
    >>> document = explain(derive("the cat is on mat", ["the cat is on the mat"], max_order=2))
    >>> [step.anchor for step in document.steps]
    ['tokens', 'precision-1', 'precision-2', 'brevity-penalty', 'score', 'cross-check']
    """
    if isinstance(derivation, Corpus):
        return explain_corpus(derivation)
    shown = excerpts(derivation)
    vanilla = tuple(excerpt.vanilla for excerpt in shown)
    symbols = Symbols(derivation.score, derivation.settings, vanilla)
    return Document(
        summarize(derivation, symbols),
        figures(derivation, symbols),
        steps(derivation, symbols, shown),
    )
