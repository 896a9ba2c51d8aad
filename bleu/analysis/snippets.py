"""Code that gives the number on the screen, to run where the other libraries are installed."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from shlex import quote
from typing import Final

from bleu.analysis.comparison import agree
from bleu.analysis.zero import ALMOST_ZERO
from bleu.core.conventions import convention_settings
from bleu.core.derivation import Derivation
from bleu.core.numerics import decimal
from bleu.core.score import compute
from bleu.core.segment import count_tokens
from bleu.core.settings import (
    SACREBLEU_SMOOTHINGS,
    SACREBLEU_TOKENIZERS,
    SETTING_NAMES,
    Settings,
)

NLTK_METHODS: Final = {"none": 0, "nltk-min-float": 0, "floor": 1, "add-k": 2, "exp": 3, "length-exp": 4,
               "average-last": 5, "average": 5, "interpolation-last": 6, "interpolation": 6,
               "length-average-last": 7, "length-average": 7}  # fmt: skip
NLTK_PARAMETERS: Final = {1: "epsilon", 4: "k", 6: "alpha", 7: "k"}
DIGITS: Final = ".10g"
SINGLE_PRECISION_DIGITS: Final = ".5g"
"""How numbers are printed: in fewer digits than the libraries agree in."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A few lines of Python and what they print, the library that they need and its installation.

    `remark` is a sentence on what else is to be known, or nothing.
    """

    library: str
    code: str
    install: str
    output: str
    remark: str = ""


def snippets(
    hypothesis: str, references: Sequence[str], derivation: Derivation, source: str = "."
) -> tuple[Snippet, ...]:
    """Snippets that print the score in [0, 1]: ours, and those of the libraries that agree.

    A library is offered only where its own way gives this very score, and NLTK also where it prints
    a number above 0 for a BLEU of 0. `source` is what pip installs this one from: the address of a
    wheel, or a dot for a folder with a copy of the project.

    >>> from bleu import derive
    >>> texts = ("the cat is on mat", ["the cat is on the mat"])
    >>> [snippet.library for snippet in snippets(*texts, derive(*texts))]
    ['bleu', 'nltk', 'sacrebleu', 'torchmetrics']
    """
    found: list[Snippet] = [_bleu_snippet(hypothesis, references, derivation, source)]
    found += _nltk_snippets(derivation)
    found += _sacrebleu_snippets(hypothesis, references, derivation)
    found += _evaluate_snippets(hypothesis, references, derivation)
    found += _torchmetrics_snippets(hypothesis, references, derivation)
    return tuple(found)


def _bleu_snippet(
    hypothesis: str, references: Sequence[str], derivation: Derivation, source: str
) -> Snippet:
    default = Settings(smoothing=derivation.settings.smoothing)
    smoothing = derivation.settings.smoothing
    arguments = "".join(
        f", {name}={_argument_code(getattr(derivation.settings, name))}"
        for name in SETTING_NAMES
        if getattr(derivation.settings, name) != getattr(default, name)
    )
    if smoothing != "none":
        arguments = f", smoothing={smoothing!r}{arguments}"
    code = (
        "import bleu\n\n"
        f"score = bleu.sentence_bleu({hypothesis!r}, {list(references)!r}{arguments})\n"
        f'print(format(score.value, "{DIGITS}"))'
    )
    mind = "The dot stands for a folder with a copy of this project." if source == "." else ""
    return Snippet("bleu", code, f"pip install {quote(source)}", _expected_output(derivation), mind)


def _expected_output(derivation: Derivation, digits: str = DIGITS) -> str:
    return format(derivation.score.value, digits)


def _argument_code(value: object) -> str:
    if isinstance(value, Fraction):
        return repr(decimal(value))
    if isinstance(value, tuple):
        return repr([decimal(weight) for weight in value])
    return repr(value)


def _nltk_snippets(derivation: Derivation) -> list[Snippet]:
    settings = derivation.settings
    method = NLTK_METHODS.get(settings.smoothing)
    if method is None:
        return []
    value = settings.smoothing_value
    try:
        theirs = convention_settings(
            f"nltk-method{method}",
            max_order=settings.max_order,
            weights=settings.weights,
            **({"smoothing_value": value} if method in NLTK_PARAMETERS else {}),
        )
    except ValueError:
        return []
    printed, mind = _expected_output(derivation), ""
    if not _agrees(derivation, theirs):
        instead = _nltk_value_for_zero(derivation, theirs)
        if not instead:
            return []
        printed = format(instead, DIGITS)
        tiny = "tiny " if instead < ALMOST_ZERO else ""
        mind = f"Where BLEU is 0, NLTK prints this {tiny}number."
    name = NLTK_PARAMETERS.get(method)
    chosen = f"{name}={decimal(value)}" if name and value is not None else ""
    weights = ", ".join(str(float(weight)) for weight in settings.order_weights)
    code = (
        "from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu\n\n"
        f"references = {[list(tokens) for tokens in derivation.references]!r}\n"
        f"hypothesis = {list(derivation.hypothesis)!r}\n"
        f"smooth = SmoothingFunction({chosen}).method{method}\n"
        f"score = sentence_bleu(references, hypothesis, [{weights}], smooth)\n"
        f'print(format(score, "{DIGITS}"))'
    )
    return [Snippet("nltk", code, "pip install nltk", printed, mind)]


def _nltk_value_for_zero(derivation: Derivation, theirs: Settings) -> float:
    """What NLTK gives where BLEU, as in the paper, is 0, and the score here is; else 0."""
    plain = Settings(max_order=theirs.max_order, weights=theirs.weights)
    unsmoothed = derivation.settings.smoothing == "none"
    if not unsmoothed or derivation.score.value or not _agrees(derivation, plain):
        return 0.0
    return _score(derivation, theirs) or 0.0


def _sacrebleu_snippets(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> list[Snippet]:
    settings = derivation.settings
    if settings.smoothing not in SACREBLEU_SMOOTHINGS or settings.weights:
        return []
    known = settings.tokenizer in SACREBLEU_TOKENIZERS and settings.case == "all"
    theirs = convention_settings(
        "sacrebleu",
        max_order=settings.max_order,
        smoothing=settings.smoothing,
        smoothing_value=settings.smoothing_value,
        effective_order=settings.effective_order,
    )
    if not _agrees(derivation, theirs):
        return []
    tokenizer = settings.tokenizer if known and settings.tokenizer != "whitespace" else "none"
    texts = [hypothesis, *references]
    if not known:
        texts = [" ".join(map(str, t)) for t in (derivation.hypothesis, *derivation.references)]
    value = settings.smoothing_value
    chosen = "" if value is None else f", smooth_value={decimal(value)}"
    lower = ", lowercase=True" if known and settings.lowercase else ""
    code = (
        "import sacrebleu\n\n"
        f"bleu = sacrebleu.BLEU(tokenize={tokenizer!r}, smooth_method={settings.smoothing!r}"
        f"{chosen}{lower}, max_ngram_order={settings.max_order}, "
        f"effective_order={settings.effective_order}, force=True)\n"
        f"score = bleu.corpus_score([{texts[0]!r}], {[[text] for text in texts[1:]]!r})\n"
        f'print(format(score.score / 100, "{DIGITS}"))'
    )
    return [Snippet("sacrebleu", code, "pip install sacrebleu", _expected_output(derivation))]


def _evaluate_snippets(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> list[Snippet]:
    settings = derivation.settings
    if settings.tokenizer != "13a" or settings.lowercase or not derivation.hypothesis:
        return []
    for smooth in (False, True):
        name = "huggingface-evaluate" + "-smooth" * smooth
        if all(derivation.references) and _agrees(derivation, _plain(name, settings)):
            code = (
                "import evaluate\n\n"
                'bleu = evaluate.load("bleu")\n'
                f"result = bleu.compute(predictions=[{hypothesis!r}], "
                f"references=[{list(references)!r}], max_order={settings.max_order}, "
                f"smooth={smooth})\n"
                f'print(format(result["bleu"], "{DIGITS}"))'
            )
            mind = "It loads the metric from the network when it first runs."
            install = "pip install evaluate"
            return [Snippet("evaluate", code, install, _expected_output(derivation), mind)]
    return []


def _torchmetrics_snippets(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> list[Snippet]:
    settings = derivation.settings
    if settings.tokenizer not in {"whitespace", "none"} or settings.lowercase:
        return []
    for smooth in (False, True):
        name = "torchmetrics" + "-smooth" * smooth
        if not settings.weights and _agrees(derivation, _plain(name, settings)):
            code = (
                "from torchmetrics.text import BLEUScore\n\n"
                f"bleu = BLEUScore(n_gram={settings.max_order}, smooth={smooth})\n"
                f"score = bleu([{hypothesis!r}], [{list(references)!r}]).item()\n"
                f'print(format(score, "{SINGLE_PRECISION_DIGITS}"))  # in single precision'
            )
            install = "pip install torchmetrics"
            return [
                Snippet(
                    "torchmetrics",
                    code,
                    install,
                    _expected_output(derivation, SINGLE_PRECISION_DIGITS),
                )
            ]
    return []


def _plain(convention: str, settings: Settings) -> Settings:
    return convention_settings(convention, max_order=settings.max_order)


def _agrees(derivation: Derivation, settings: Settings) -> bool:
    return agree(_score(derivation, settings), derivation.score.value)


def _score(derivation: Derivation, settings: Settings) -> float | None:
    """The score of the same tokens under other settings; None where there is none."""
    texts = derivation.hypothesis, derivation.references
    try:
        return compute(count_tokens(texts, settings), settings).value
    except ValueError:
        return None
