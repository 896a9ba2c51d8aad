"""Explanations of derivations, corpora, comparisons and exercises, as documents.

The text that explains a score is written in this package, that on a smoothing beside its rule in
`metric`. It never computes a score, because the numbers come from the other packages, and never
produces an output format.
"""

from collections.abc import Sequence
from dataclasses import replace

from bleu.core.api import Derivation
from bleu.core.ngrams import Order
from bleu.corpus.corpus import Corpus
from bleu.document.blocks import Document
from bleu.explanation.corpus import explain_corpus
from bleu.explanation.figures import figures, score_product
from bleu.explanation.steps import steps
from bleu.explanation.summary import summarize
from bleu.explanation.symbols import Symbols


def explain(derivation: Derivation | Corpus) -> Document:
    """Return a document that explains a derivation: a summary, figures, and the steps to the score.

    For a corpus, as returned by `derive_corpus`, the steps start at the sums over its segments.

    Texts of more than 200 tokens and n-gram tables of more than 60 rows are shortened, and the
    number of hidden tokens or rows is shown; the derivation itself is complete.

    >>> from bleu import derive
    >>> document = explain(derive("the cat is on mat", ["the cat is on the mat"], max_order=2))
    >>> [step.anchor for step in document.steps]
    ['tokens', 'precision-1', 'precision-2', 'brevity-penalty', 'score', 'cross-check']
    """
    if isinstance(derivation, Corpus):
        return explain_corpus(derivation)
    symbols, orders = Symbols(derivation.score), derivation.orders
    all_steps = steps(derivation, symbols, orders)
    return replace(_outline(derivation, symbols, orders), steps=all_steps)


def outline(derivation: Derivation) -> Document:
    """Return the document that explains a derivation without its steps, which take the most time.

    >>> from bleu import derive
    >>> outline(derive("the cat is on mat", ["the cat is on the mat"])).steps
    ()
    """
    return _outline(derivation, Symbols(derivation.score), derivation.orders)


def _outline(derivation: Derivation, symbols: Symbols, orders: Sequence[Order]) -> Document:
    drawings = figures(derivation, symbols, orders)
    product = score_product(symbols, drawings)
    return Document(summarize(derivation, symbols), drawings, (), product)
