"""Explanations of derivations, corpora, comparisons and exercises, as documents.

The text that explains a score is written in this package, that on a smoothing beside its rule in
`metric`. It never computes a score, because the numbers come from the other packages, and never
produces an output format.
"""

from dataclasses import replace

from bleu.core.api import Derivation
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
    return with_steps(outline(derivation), derivation)


def outline(derivation: Derivation) -> Document:
    """Return the document that explains a derivation without its steps, which take the most time.

    >>> from bleu import derive
    >>> outline(derive("the cat is on mat", ["the cat is on the mat"])).steps
    ()
    """
    symbols = Symbols(derivation.score)
    drawings = figures(derivation, symbols, derivation.orders)
    product = score_product(symbols, drawings)
    return Document(summarize(derivation, symbols), drawings, (), product)


def with_steps(document: Document, derivation: Derivation) -> Document:
    """Return the outline of a derivation with its steps."""
    symbols = Symbols(derivation.score)
    return replace(document, steps=steps(derivation, symbols, derivation.orders))
