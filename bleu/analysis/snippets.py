"""Code that prints the displayed score, for this library and for others that agree with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from shlex import quote
from typing import Final

from bleu.analysis.comparison import agree
from bleu.analysis.zero import ALMOST_ZERO
from bleu.core.conventions import convention_settings
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.derivation import Derivation, token_score
from bleu.core.numerics import decimal
from bleu.core.settings import SACREBLEU_SMOOTHINGS, SACREBLEU_TOKENIZERS, SETTING_NAMES, Settings

NLTK_METHODS: Final = {
    "none": 0, "nltk-min-float": 0, "floor": 1, "add-k": 2, "exp": 3, "length-exp": 4,
    "average-last": 5, "average": 5, "interpolation-last": 6, "interpolation": 6,
    "length-average-last": 7, "length-average": 7,
}  # fmt: skip
"""The number of NLTK's method for each smoothing."""
NLTK_PARAMETERS: Final = {1: "epsilon", 4: "k", 6: "alpha", 7: "k"}
"""The name of the smoothing value in NLTK for each method that has one."""
DIGITS: Final = ".10g"
"""The format of the printed numbers, with fewer digits than those in which the libraries agree."""
SINGLE_PRECISION_DIGITS: Final = ".5g"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A few lines of Python, their output, and the library that they need.

    `install` is the command that installs the library. `remark` is one more sentence for the
    reader, or "".
    """

    library: str
    code: str
    install: str
    output: str
    remark: str = ""


def snippets(
    hypothesis: str, references: Sequence[str], derivation: Derivation, source: str = "."
) -> tuple[Snippet, ...]:
    """Return code that prints the score in [0, 1], for each library that agrees.

    A library is included only if its own computation gives this score. NLTK is also included if it
    prints a number above 0 for a BLEU of 0. `source` is what pip installs this library from: the
    URL of a wheel, or a dot for a folder with a copy of the project.

    >>> from bleu import derive
    >>> texts = ("the cat is on mat", ["the cat is on the mat"])
    >>> [snippet.library for snippet in snippets(*texts, derive(*texts))]
    ['bleu', 'nltk', 'sacrebleu', 'torchmetrics']
    """
    return tuple(
        snippet
        for snippet in (
            _bleu_snippet(hypothesis, references, derivation, source),
            _nltk_snippet(derivation),
            _sacrebleu_snippet(hypothesis, references, derivation),
            _evaluate_snippet(hypothesis, references, derivation),
            _torchmetrics_snippet(hypothesis, references, derivation),
        )
        if snippet
    )


def _bleu_snippet(
    hypothesis: str, references: Sequence[str], derivation: Derivation, source: str
) -> Snippet:
    smoothing = derivation.settings.smoothing
    keywords = {} if smoothing == "none" else {"smoothing": repr(smoothing)}
    keywords |= changed_settings_code(derivation.settings, Settings(smoothing=smoothing))
    arguments = [f"{name}={code}" for name, code in keywords.items()]
    call = ", ".join([repr(hypothesis), repr(list(references)), *arguments])
    code = (
        f'import bleu\n\nscore = bleu.sentence_bleu({call})\nprint(format(score.value, "{DIGITS}"))'
    )
    remark = "The dot stands for a folder with a copy of this project." if source == "." else ""
    tokenizer = derivation.settings.tokenizer
    if isinstance(tokenizer, Tokenizer) and tokenizer.digest:
        remark = f"{remark} The model has the SHA-256 {tokenizer.digest}.".strip()
    return Snippet("bleu", code, f"pip install {quote(source)}", _output(derivation), remark)


def _output(derivation: Derivation, digits: str = DIGITS) -> str:
    return format(derivation.score.value, digits)


def changed_settings_code(
    settings: Settings, defaults: Settings, names: Iterable[str] = SETTING_NAMES
) -> dict[str, str]:
    """Return code for the settings that differ from the defaults, by name."""
    return {
        name: _argument_code(getattr(settings, name))
        for name in names
        if getattr(settings, name) != getattr(defaults, name)
    }


def _argument_code(value: object) -> str:
    """Return code for a setting's value."""
    if isinstance(value, Tokenizer):
        return _tokenizer_code(value)
    if isinstance(value, Fraction):
        return repr(decimal(value))
    if isinstance(value, tuple):
        return repr([decimal(weight) for weight in value])
    return repr(value)


def _tokenizer_code(tokenizer: Tokenizer) -> str:
    if tokenizer.name.startswith("custom-"):
        return f"bleu.tokenizer({tokenizer.name.removeprefix('custom-')!r}, FUNCTION)"
    file = tokenizer.sacrebleu_name or tokenizer.file or f"{tokenizer}.model"
    return f"bleu.load_tokenizer({file!r})"


def _nltk_snippet(derivation: Derivation) -> Snippet | None:
    settings = derivation.settings
    method = NLTK_METHODS.get(settings.smoothing)
    if method is None:
        return None
    value, parameter = settings.smoothing_value, NLTK_PARAMETERS.get(method)
    try:
        nltk_settings = convention_settings(
            f"nltk-method{method}",
            max_order=settings.max_order,
            weights=settings.weights,
            **({"smoothing_value": value} if parameter else {}),
        )
    except ValueError:
        return None
    output, remark = _output(derivation), ""
    if not _agrees(derivation, nltk_settings):
        nltk_value = _nltk_value_for_zero(derivation, nltk_settings)
        if not nltk_value:
            return None
        output = format(nltk_value, DIGITS)
        tiny = "tiny " if nltk_value < ALMOST_ZERO else ""
        remark = f"If BLEU is 0, NLTK prints this {tiny}number."
    smoothing = f"{parameter}={decimal(value)}" if parameter and value is not None else ""
    code = (
        "from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu\n\n"
        f"references = {[list(tokens) for tokens in derivation.references]!r}\n"
        f"hypothesis = {list(derivation.hypothesis)!r}\n"
        f"smooth = SmoothingFunction({smoothing}).method{method}\n"
        f"score = sentence_bleu(references, hypothesis, {nltk_weights_code(settings)}, smooth)\n"
        f'print(format(score, "{DIGITS}"))'
    )
    return Snippet("nltk", code, "pip install nltk", output, remark)


def nltk_weights_code(settings: Settings) -> str:
    """Return code for the weights as NLTK takes them.

    >>> nltk_weights_code(Settings(max_order=2))
    '[0.5, 0.5]'
    """
    return repr(list(map(float, settings.order_weights)))


def _nltk_value_for_zero(derivation: Derivation, nltk_settings: Settings) -> float:
    """Return the number that NLTK prints for a BLEU of 0 without smoothing; 0 in other cases."""
    unsmoothed = Settings(max_order=nltk_settings.max_order, weights=nltk_settings.weights)
    is_smoothed = derivation.settings.smoothing != "none"
    if is_smoothed or derivation.score.value or not _agrees(derivation, unsmoothed):
        return 0.0
    return token_score((derivation.hypothesis, derivation.references), nltk_settings) or 0.0


def _sacrebleu_snippet(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> Snippet | None:
    settings = derivation.settings
    if settings.smoothing not in SACREBLEU_SMOOTHINGS or settings.weights:
        return None
    sacrebleu_settings = convention_settings(
        "sacrebleu",
        max_order=settings.max_order,
        smoothing=settings.smoothing,
        smoothing_value=settings.smoothing_value,
        effective_order=settings.effective_order,
    )
    if not _agrees(derivation, sacrebleu_settings):
        return None
    value = settings.smoothing_value
    smooth_value = "" if value is None else decimal(value)
    if settings.tokenizer in SACREBLEU_TOKENIZERS and settings.case == "all":
        texts = [hypothesis, *references]
        metric = sacrebleu_metric_code(settings, smooth_value)
    else:
        tokenized = (derivation.hypothesis, *derivation.references)
        texts = [" ".join(map(str, tokens)) for tokens in tokenized]
        plain = replace(settings, tokenizer="none", lowercase=False)
        metric = sacrebleu_metric_code(plain, smooth_value)
    code = (
        "import sacrebleu\n\n"
        f"bleu = {metric}\n"
        f"score = bleu.corpus_score([{texts[0]!r}], {[[text] for text in texts[1:]]!r})\n"
        f'print(format(score.score / 100, "{DIGITS}"))'
    )
    return Snippet("sacrebleu", code, "pip install sacrebleu", _output(derivation))


def sacrebleu_metric_code(settings: Settings, smooth_value: str, max_order: str = "") -> str:
    """Return the call that creates sacreBLEU's metric with these settings.

    `smooth_value` is code for the smoothing value, or "". `max_order` is code for the maximum
    order, by default that of the settings.

    >>> sacrebleu_metric_code(Settings(tokenizer="13a", smoothing="exp"), "")
    "sacrebleu.BLEU(tokenize='13a', smooth_method='exp', max_ngram_order=4, \
effective_order=False, force=True)"
    """
    tokenizer: str = "none"
    if isinstance(settings.tokenizer, Tokenizer):
        tokenizer = settings.tokenizer.sacrebleu_name
    elif settings.tokenizer != "whitespace":
        tokenizer = settings.tokenizer
    arguments = [
        f"tokenize={tokenizer!r}",
        f"smooth_method={settings.smoothing!r}",
        *([f"smooth_value={smooth_value}"] if smooth_value else []),
        *(["lowercase=True"] if settings.lowercase else []),
        f"max_ngram_order={max_order or settings.max_order}",
        f"effective_order={settings.effective_order}",
        "force=True",
    ]
    return f"sacrebleu.BLEU({', '.join(arguments)})"


def _evaluate_snippet(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> Snippet | None:
    settings = derivation.settings
    has_empty_text = not derivation.hypothesis or not all(derivation.references)
    if settings.tokenizer != "13a" or settings.lowercase or has_empty_text:
        return None
    smooth = _agreeing_smooth_option("huggingface-evaluate", derivation)
    if smooth is None:
        return None
    code = (
        "import evaluate\n\n"
        'bleu = evaluate.load("bleu")\n'
        f"result = bleu.compute(predictions=[{hypothesis!r}], "
        f"references=[{list(references)!r}], max_order={settings.max_order}, "
        f"smooth={smooth})\n"
        f'print(format(result["bleu"], "{DIGITS}"))'
    )
    remark = "It loads the metric from the network when it first runs."
    return Snippet("evaluate", code, "pip install evaluate", _output(derivation), remark)


def _torchmetrics_snippet(
    hypothesis: str, references: Sequence[str], derivation: Derivation
) -> Snippet | None:
    settings = derivation.settings
    if settings.tokenizer not in {"whitespace", "none"} or settings.lowercase or settings.weights:
        return None
    smooth = _agreeing_smooth_option("torchmetrics", derivation)
    if smooth is None:
        return None
    code = (
        "from torchmetrics.text import BLEUScore\n\n"
        f"bleu = BLEUScore(n_gram={settings.max_order}, smooth={smooth})\n"
        f"score = bleu([{hypothesis!r}], [{list(references)!r}]).item()\n"
        f'print(format(score, "{SINGLE_PRECISION_DIGITS}"))  # in single precision'
    )
    output = _output(derivation, SINGLE_PRECISION_DIGITS)
    return Snippet("torchmetrics", code, "pip install torchmetrics", output)


def _agreeing_smooth_option(convention: str, derivation: Derivation) -> bool | None:
    """Return the `smooth` argument with which the library reproduces this score, or None."""
    for smooth in (False, True):
        name = f"{convention}-smooth" if smooth else convention
        settings = convention_settings(name, max_order=derivation.settings.max_order)
        if _agrees(derivation, settings):
            return smooth
    return None


def _agrees(derivation: Derivation, settings: Settings) -> bool:
    tokens = derivation.hypothesis, derivation.references
    return agree(token_score(tokens, settings), derivation.score.value)
