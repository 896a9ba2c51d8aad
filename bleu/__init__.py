"""BLEU, exact and explained, for sentences and corpora.

>>> import bleu
>>> derivation = bleu.derive("the cat is on mat", ["the cat is on the mat"])
>>> derivation.score.value, derivation.score.brevity_penalty
(0.5789300674674098, 0.8187307530779818)
>>> bleu.corpus_bleu(["a b c d e"], [["a b c d e"]]).value
1.0
"""

from typing import TYPE_CHECKING

from bleu.core.display import DisplayFormat, DisplayMixin
from bleu.version import __version__

if TYPE_CHECKING:
    from bleu.analysis.agreement import human_agreement
    from bleu.analysis.api import check_corpus, compare, diagnose
    from bleu.analysis.examples import EXAMPLES, self_check
    from bleu.analysis.which import which
    from bleu.checkup.finding import Finding
    from bleu.checkup.repairs import repair_corpus
    from bleu.core.api import (
        Derivation,
        corpus_bleu,
        derive,
        score_statistics,
        segment_statistics,
        sentence_bleu,
    )
    from bleu.core.custom_tokenizers import Tokenizer, load_tokenizer, tokenizer
    from bleu.core.score import Score
    from bleu.core.settings import Settings
    from bleu.core.statistics import Statistics
    from bleu.core.tokenizers import TOKENIZERS
    from bleu.corpus.corpus import Accumulator, derive_corpus
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
    from bleu.metric.conventions import CONVENTIONS
    from bleu.metric.rules import REFERENCE_LENGTHS, SettingError
    from bleu.metric.smoothings import SMOOTHINGS

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
    "SettingError",
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
    "human_agreement",
    "load_tokenizer",
    "one_like_this",
    "paired_bootstrap",
    "repair_corpus",
    "score_statistics",
    "segment_statistics",
    "self_check",
    "sentence_bleu",
    "tokenizer",
    "which",
]

_NAMES_BY_MODULE = {
    "analysis.agreement": ("human_agreement",),
    "analysis.api": ("check_corpus", "compare", "diagnose"),
    "analysis.examples": ("EXAMPLES", "self_check"),
    "checkup.finding": ("Finding",),
    "checkup.repairs": ("repair_corpus",),
    "analysis.which": ("which",),
    "core.api": (
        "Derivation",
        "derive",
        "corpus_bleu",
        "score_statistics",
        "segment_statistics",
        "sentence_bleu",
    ),
    "metric.rules": ("REFERENCE_LENGTHS", "SettingError"),
    "metric.conventions": ("CONVENTIONS",),
    "core.custom_tokenizers": ("Tokenizer", "load_tokenizer", "tokenizer"),
    "core.score": ("Score",),
    "core.settings": ("Settings",),
    "metric.smoothings": ("SMOOTHINGS",),
    "core.statistics": ("Statistics",),
    "core.tokenizers": ("TOKENIZERS",),
    "corpus.corpus": ("Accumulator", "derive_corpus"),
    "corpus.significance": ("approximate_randomization", "confidence_interval", "paired_bootstrap"),
    "explanation": ("explain",),
    "learn.assessment": ("assess",),
    "learn.generation": ("exercises", "one_like_this"),
    "learn.grading": ("grade",),
    "learn.misconceptions": ("MISCONCEPTIONS",),
}
"""The modules that are imported on first use, with their public names."""
_MODULE_BY_NAME = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}


def _import_name(name: str) -> object:
    """Import the module of a public name on its first use."""
    if name not in _MODULE_BY_NAME:
        from bleu.core.migration import missing_attribute

        raise missing_attribute("module 'bleu'", name)
    from importlib import import_module

    value = getattr(import_module(f"bleu.{_MODULE_BY_NAME[name]}"), name)
    globals()[name] = value  # Later accesses do not call this function.
    return value


if not TYPE_CHECKING:  # A type checker would accept every name.
    __getattr__ = _import_name


def __dir__() -> list[str]:
    """Return the public names, including those imported on first use."""
    return sorted({*globals(), *__all__})


def _display(value: object, display_format: DisplayFormat) -> str:
    from bleu.notebook import display

    return display(value, display_format)


DisplayMixin._display = staticmethod(_display)
