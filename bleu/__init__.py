"""BLEU, exact and explained, for sentences and corpora.

>>> import bleu
>>> derivation = bleu.derive("the cat is on mat", ["the cat is on the mat"])
>>> derivation.score.value, derivation.score.brevity_penalty
(0.5789300674674098, 0.8187307530779818)
>>> bleu.corpus_bleu(["a b c d e"], [["a b c d e"]]).value
1.0
"""

from typing import TYPE_CHECKING

from bleu.core.display import DisplayFormat, set_display_hook
from bleu.version import __version__

if TYPE_CHECKING:
    from bleu.analysis.agreement import human_agreement
    from bleu.analysis.api import check_corpus, compare, diagnose
    from bleu.analysis.examples import EXAMPLES, self_check
    from bleu.analysis.finding import Finding
    from bleu.analysis.repairs import repair_corpus
    from bleu.analysis.which import which
    from bleu.core.api import corpus_bleu, score_statistics, segment_statistics, sentence_bleu
    from bleu.core.brevity_penalty import REFERENCE_LENGTHS
    from bleu.core.conventions import CONVENTIONS
    from bleu.core.custom_tokenizers import Tokenizer, load_tokenizer, tokenizer
    from bleu.core.derivation import Derivation, derive
    from bleu.core.score import Score
    from bleu.core.settings import Settings
    from bleu.core.smoothing import SMOOTHINGS
    from bleu.core.statistics import Statistics
    from bleu.core.tokenizers import TOKENIZERS
    from bleu.corpus.accumulator import Accumulator
    from bleu.corpus.corpus import derive_corpus
    from bleu.corpus.groups import group_bleu
    from bleu.corpus.self_bleu import self_bleu
    from bleu.corpus.significance import (
        approximate_randomization,
        confidence_interval,
        paired_bootstrap,
    )
    from bleu.explanation import explain
    from bleu.learn.assessment import assess
    from bleu.learn.generation import exercises, one_like_this
    from bleu.learn.grading import grade
    from bleu.learn.misconceptions import MISCONCEPTIONS

__all__ = [
    "CONVENTIONS",
    "EXAMPLES",
    "MISCONCEPTIONS",
    "REFERENCE_LENGTHS",
    "SMOOTHINGS",
    "TOKENIZERS",
    "Accumulator",
    "Derivation",
    "Finding",
    "Score",
    "Settings",
    "Statistics",
    "Tokenizer",
    "__version__",
    "approximate_randomization",
    "assess",
    "check_corpus",
    "compare",
    "confidence_interval",
    "corpus_bleu",
    "derive",
    "derive_corpus",
    "diagnose",
    "exercises",
    "explain",
    "grade",
    "group_bleu",
    "human_agreement",
    "load_tokenizer",
    "one_like_this",
    "paired_bootstrap",
    "repair_corpus",
    "score_statistics",
    "segment_statistics",
    "self_bleu",
    "self_check",
    "sentence_bleu",
    "tokenizer",
    "which",
]

_LAZY_MODULES = {
    "CONVENTIONS": "core.conventions",
    "EXAMPLES": "analysis.examples",
    "MISCONCEPTIONS": "learn.misconceptions",
    "REFERENCE_LENGTHS": "core.brevity_penalty",
    "SMOOTHINGS": "core.smoothing",
    "TOKENIZERS": "core.tokenizers",
    "Accumulator": "corpus.accumulator",
    "Derivation": "core.derivation",
    "Finding": "analysis.finding",
    "Score": "core.score",
    "Settings": "core.settings",
    "Statistics": "core.statistics",
    "Tokenizer": "core.custom_tokenizers",
    "approximate_randomization": "corpus.significance",
    "assess": "learn.assessment",
    "check_corpus": "analysis.api",
    "compare": "analysis.api",
    "confidence_interval": "corpus.significance",
    "corpus_bleu": "core.api",
    "derive": "core.derivation",
    "derive_corpus": "corpus.corpus",
    "diagnose": "analysis.api",
    "exercises": "learn.generation",
    "explain": "explanation",
    "grade": "learn.grading",
    "group_bleu": "corpus.groups",
    "human_agreement": "analysis.agreement",
    "load_tokenizer": "core.custom_tokenizers",
    "one_like_this": "learn.generation",
    "paired_bootstrap": "corpus.significance",
    "repair_corpus": "analysis.repairs",
    "score_statistics": "core.api",
    "segment_statistics": "core.api",
    "self_bleu": "corpus.self_bleu",
    "self_check": "analysis.examples",
    "sentence_bleu": "core.api",
    "tokenizer": "core.custom_tokenizers",
    "which": "analysis.which",
}
"""Public names with their modules, which are imported on first use."""


def __getattr__(name: str) -> object:
    """Import the module of a public name on its first use."""
    if name not in _LAZY_MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"bleu.{_LAZY_MODULES[name]}"), name)
    globals()[name] = value  # The next access is as quick as that of any name.
    return value


def __dir__() -> list[str]:
    """Return the public names, including those imported on first use."""
    return sorted({*globals(), *__all__})


def _display(value: object, display_format: DisplayFormat) -> str:
    from bleu.notebook.display import display

    return display(value, display_format)


set_display_hook(_display)
