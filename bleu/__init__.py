"""BLEU, exact and explained: what was counted, what became of it, and why.

>>> import bleu
>>> derivation = bleu.derive("the cat is on mat", ["the cat is on the mat"])
>>> derivation.score.value, derivation.score.brevity_penalty
(0.5789300674674098, 0.8187307530779818)
>>> bleu.corpus_bleu(["a b c d e"], [["a b c d e"]]).value
1.0
"""

from bleu.brevity import REFERENCE_LENGTHS
from bleu.conventions import CONVENTIONS
from bleu.derivation import Derivation, derive
from bleu.examples import EXAMPLES, self_check
from bleu.explain import explain
from bleu.score import Score
from bleu.scoring import corpus_bleu, score_statistics, segment_statistics, sentence_bleu
from bleu.settings import Settings
from bleu.significance import approximate_randomization, confidence_interval, paired_bootstrap
from bleu.smoothing import SMOOTHINGS
from bleu.statistics import Statistics
from bleu.tokenizers import TOKENIZERS
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
