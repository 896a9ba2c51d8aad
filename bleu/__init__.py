"""BLEU, exact and explained: what was counted, what became of it, and why.

>>> import bleu
>>> derivation = bleu.derive("the cat is on mat", ["the cat is on the mat"])
>>> derivation.score.value, derivation.score.brevity_penalty
(0.5789300674674098, 0.8187307530779818)
>>> bleu.corpus_bleu(["a b c d e"], [["a b c d e"]]).value
1.0
"""

from bleu.analysis.examples import EXAMPLES, self_check
from bleu.core.api import corpus_bleu, score_statistics, segment_statistics, sentence_bleu
from bleu.core.brevity_penalty import REFERENCE_LENGTHS
from bleu.core.conventions import CONVENTIONS
from bleu.core.derivation import Derivation, derive
from bleu.core.score import Score
from bleu.core.settings import Settings
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import TOKENIZERS
from bleu.corpus.significance import (
    approximate_randomization,
    confidence_interval,
    paired_bootstrap,
)
from bleu.explanation import explain
from bleu.version import __version__

__all__ = [
    "CONVENTIONS",
    "EXAMPLES",
    "REFERENCE_LENGTHS",
    "SMOOTHINGS",
    "TOKENIZERS",
    "Derivation",
    "Score",
    "Settings",
    "Statistics",
    "__version__",
    "approximate_randomization",
    "confidence_interval",
    "corpus_bleu",
    "derive",
    "explain",
    "paired_bootstrap",
    "score_statistics",
    "segment_statistics",
    "self_check",
    "sentence_bleu",
]
