"""Code that prints the displayed score, for this library and for others that agree with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from shlex import quote
from textwrap import indent

from bleu.analysis.comparison import agree
from bleu.analysis.libraries import LIBRARIES, PLAIN
from bleu.analysis.zero import ALMOST_ZERO
from bleu.core.api import Derivation, token_score
from bleu.core.conventions import convention_settings
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.segment import tokenize_segment
from bleu.core.settings import SETTING_NAMES, Settings
from bleu.core.tokenizers import TOKENIZERS, sacrebleu_name, token_unit, usual_tokenizer
from bleu.metric.numerics import decimal
from bleu.metric.smoothings import SMOOTHINGS


@dataclass(frozen=True, slots=True)
class Snippet:
    """A few lines of Python, their output, and the library that they need.

    `install` is the command that installs the library, or "". `remark` is one more sentence for the
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
    prints a number above 0 for a BLEU of 0. The last snippet needs no library; if it cannot print
    the score, it has no code, and its remark says why. `source` is what pip installs this library
    from: the URL of a wheel, or a dot for a folder with a copy of the project.

    >>> from bleu import derive
    >>> texts = ("the cat is on mat", ["the cat is on the mat"])
    >>> [snippet.library for snippet in snippets(*texts, derive(*texts))]
    ['bleu', 'nltk', 'sacrebleu', 'torchmetrics', 'BLEU in plain Python']
    """
    return tuple(
        snippet
        for snippet in (
            _bleu_snippet(hypothesis, references, derivation, source),
            _nltk_snippet(derivation),
            _sacrebleu_snippet(hypothesis, references, derivation),
            *(
                _smooth_option_snippet(library, hypothesis, references, derivation)
                for library in LIBRARIES
                if LIBRARIES[library].convention
            ),
            _plain_snippet(hypothesis, references, derivation),
        )
        if snippet
    )


def _bleu_snippet(
    hypothesis: str, references: Sequence[str], derivation: Derivation, source: str
) -> Snippet:
    smoothing = derivation.settings.smoothing
    keywords = {} if smoothing == "none" else {"smoothing": repr(smoothing)}
    keywords |= changed_settings_code(derivation.settings, Settings(smoothing=smoothing))
    texts = repr(hypothesis), repr(list(references))
    arguments = [*texts, *(f"{name}={code}" for name, code in keywords.items())]
    remark = "The dot stands for a folder with a copy of this project." if source == "." else ""
    tokenizer = derivation.settings.tokenizer
    if isinstance(tokenizer, Tokenizer) and tokenizer.digest:
        remark = f"{remark} The model has the SHA-256 {tokenizer.digest}.".strip()
    snippet = _snippet("bleu", derivation.score.value, remark, arguments=", ".join(arguments))
    return replace(snippet, install=f"pip install {quote(source)}")


def _snippet(library: str, value: float, remark: str = "", **fields: object) -> Snippet:
    """Return code that prints the value as a library computes it; `fields` fill in its template."""
    digits = LIBRARIES[library].digits
    code = LIBRARIES[library].code.format(digits=digits, **fields)
    return Snippet(library, code, f"pip install {library}", format(value, digits), remark)


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
    smoothing_record = SMOOTHINGS[settings.smoothing]
    method, parameter = smoothing_record.nltk_method, smoothing_record.nltk_parameter
    if method is None:
        return None
    parameter_value = settings.smoothing_value
    try:
        nltk_settings = convention_settings(
            f"nltk-method{method}",
            max_order=settings.max_order,
            weights=settings.weights,
            **({"smoothing_value": parameter_value} if parameter else {}),
        )
    except ValueError:
        return None
    value, remark = derivation.score.value, ""
    if not _agrees(derivation, nltk_settings):
        value = _nltk_value_for_zero(derivation, nltk_settings)
        if not value:
            return None
        tiny = "tiny " if value < ALMOST_ZERO else ""
        remark = f"If BLEU is 0, NLTK prints this {tiny}number."
    smoothing = ""
    if parameter and parameter_value is not None:
        smoothing = f"{parameter}={decimal(parameter_value)}"
    return _snippet(
        "nltk",
        value,
        remark,
        references=list(map(list, derivation.references)),
        hypothesis=list(derivation.hypothesis),
        smoothing=smoothing,
        method=method,
        weights=nltk_weights_code(settings),
    )


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
    if not SMOOTHINGS[settings.smoothing].sacrebleu or settings.weights:
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
    is_named = isinstance(settings.tokenizer, str) and sacrebleu_name(settings.tokenizer)
    if is_named and settings.case == "all":
        texts = [hypothesis, *references]
    else:
        tokenized = (derivation.hypothesis, *derivation.references)
        texts = [" ".join(map(str, tokens)) for tokens in tokenized]
        settings = replace(settings, tokenizer="none", lowercase=False)
    return _snippet(
        "sacrebleu",
        derivation.score.value,
        metric=sacrebleu_metric_code(settings, smooth_value),
        hypothesis=texts[0],
        references=[[text] for text in texts[1:]],
    )


def sacrebleu_metric_code(settings: Settings, smooth_value: str, max_order: str = "") -> str:
    """Return the call that creates sacreBLEU's metric with these settings.

    `smooth_value` is code for the smoothing value, or "". `max_order` is code for the maximum
    order, by default that of the settings.

    >>> sacrebleu_metric_code(Settings(tokenizer="13a", smoothing="exp"), "")
    "sacrebleu.BLEU(tokenize='13a', smooth_method='exp', max_ngram_order=4, \
effective_order=False, force=True)"
    """
    arguments = [
        f"tokenize={sacrebleu_name(settings.tokenizer) or 'none'!r}",
        f"smooth_method={settings.smoothing!r}",
        *([f"smooth_value={smooth_value}"] if smooth_value else []),
        *(["lowercase=True"] if settings.lowercase else []),
        f"max_ngram_order={max_order or settings.max_order}",
        f"effective_order={settings.effective_order}",
        "force=True",
    ]
    return f"sacrebleu.BLEU({', '.join(arguments)})"


def _smooth_option_snippet(
    library: str, hypothesis: str, references: Sequence[str], derivation: Derivation
) -> Snippet | None:
    """Return code for a library whose only option is `smooth`, or None if it does not agree."""
    settings, record = derivation.settings, LIBRARIES[library]
    tokenizers = {settings.tokenizer, convention_settings(record.convention).tokenizer}
    has_same_tokens = len(tokenizers) == 1 or {*map(token_unit, tokenizers)} == {"spaces"}
    if settings.lowercase or not has_same_tokens or not record.suits(derivation):
        return None
    for smooth in (False, True):
        name = record.convention + "-smooth" * smooth
        if _agrees(derivation, convention_settings(name, max_order=settings.max_order)):
            return _snippet(
                library,
                derivation.score.value,
                record.remark,
                hypothesis=hypothesis,
                references=list(references),
                max_order=settings.max_order,
                smooth=smooth,
            )
    return None


def _agrees(derivation: Derivation, settings: Settings) -> bool:
    tokens = derivation.hypothesis, derivation.references
    return agree(token_score(tokens, settings), derivation.score.value)


def _plain_snippet(hypothesis: str, references: Sequence[str], derivation: Derivation) -> Snippet:
    """Return code that needs no library, or a snippet without code whose remark says why."""
    settings, remark = derivation.settings, ""
    tokenizer = usual_tokenizer("spaces")
    if isinstance(settings.tokenizer, str) and TOKENIZERS[settings.tokenizer].plain:
        tokenizer = settings.tokenizer
    split = TOKENIZERS[tokenizer].plain
    kept = "lowercase", "max_order", "weights", "smoothing", "smoothing_value", "unusual_values"
    plain_settings = Settings(
        tokenizer=tokenizer, **{name: getattr(settings, name) for name in kept}
    )
    if omitted := changed_settings_code(settings, plain_settings):
        choices = ", ".join(f"{name}={code}" for name, code in omitted.items())
        tokens = tokenize_segment(hypothesis, references, plain_settings)
        if not agree(token_score(tokens, plain_settings), derivation.score.value):
            return Snippet(PLAIN, "", "", "", f"It cannot print this score: it has no {choices}.")
        remark = f"It has no {choices}, which changes nothing for these texts."
    smoothing, value = SMOOTHINGS[settings.smoothing], settings.smoothing_value
    lines = (f"{smoothing.symbol} = {decimal(value)}\n" if value else "") + smoothing.plain
    block = f"if any(matched):  # smoothing {settings.smoothing}\n{indent(lines, ' ' * 4)}\n"
    snippet = _snippet(
        PLAIN,
        derivation.score.value,
        remark,
        hypothesis=hypothesis,
        references=list(references),
        weights=f"[{', '.join(map(decimal, settings.order_weights))}]",
        more_imports="\nimport re" if "re." in split else "",
        split=split.format(text="text" + ".lower()" * settings.lowercase),
        smoothing="" if not smoothing.plain or value == 0 else indent(block, " " * 4),
    )
    return replace(snippet, install="")
