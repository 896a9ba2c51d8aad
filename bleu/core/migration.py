"""Code written for other libraries: the names that it uses, with ours, and Series read as lists."""

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from inspect import signature
from typing import Any, Final, NoReturn, TypeVar

from bleu.core.choices import choices_text
from bleu.core.display import short_repr

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

_TEXTS: Final = ("hypotheses", "hypothesis", "segments")
_HYPOTHESES: Final = (
    *("hypotheses", "hypothesis", "predictions", "prediction", "candidates", "candidate"),
    *("candidate_corpus", "preds", "pred", "input", "sys_stream", "segments"),
)
_REFERENCES: Final = (
    *("reference", "list_of_references", "references_corpus", "targets", "target", "refs"),
    *("ref", "ref_streams"),
)
KEYWORDS: Final[Mapping[str, tuple[str, ...] | str]] = {
    **dict.fromkeys(_HYPOTHESES, _TEXTS),
    **dict.fromkeys(_REFERENCES, ("references",)),
    **dict.fromkeys(("tokenize", "tok"), ("tokenizer",)),
    **dict.fromkeys(("smooth", "smooth_method", "smoothing_method"), ("smoothing",)),
    **dict.fromkeys(("smooth_value", "epsilon", "alpha", "k"), ("smoothing_value",)),
    **dict.fromkeys(
        ("max_ngram_order", "n_gram", "max_n", "ngram_order", "ngrams", "ngram", "n"),
        ("max_order",),
    ),
    "use_effective_order": ("effective_order",),
    "smoothing_function": "use smoothing, or a convention of NLTK: convention='nltk-method1'",
    "auto_reweigh": "use effective_order together with a convention of NLTK",
    "force": "leave it out, because there is no warning to silence",
    "trg_lang": "use tokenizer: 'zh' for Chinese, bleu.load_tokenizer('ja-mecab') for Japanese, "
    "bleu.load_tokenizer('ko-mecab') for Korean, else '13a'",
    "average": "use bleu.corpus_bleu for 'micro', and the mean of bleu.derive_corpus for 'macro'",
    "n_bootstrap": "use bleu.confidence_interval",
}
"""Arguments of other libraries, and our names for them or the remedy.

The first of our names counts that the called function has.
"""
_CORPUS: Final = "bleu.corpus_bleu(hypotheses, references, convention={!r})"
_BLEU_ONLY: Final = "this library computes BLEU alone; use sacrebleu"
ATTRIBUTES: Final[Mapping[str, Mapping[str, str]]] = {
    "module 'bleu'": {
        "BLEU": "use " + _CORPUS.format("sacrebleu"),
        "raw_corpus_bleu": "use " + _CORPUS.format("sacrebleu-floor") + " with tokenizer='none'",
        **dict.fromkeys(("CHRF", "TER", "corpus_chrf", "sentence_chrf"), _BLEU_ONLY),
        **dict.fromkeys(("corpus_ter", "sentence_ter"), _BLEU_ONLY),
        "SmoothingFunction": "use smoothing, or a convention of NLTK: convention='nltk-method1'",
        "modified_precision": "use the precisions of bleu.sentence_bleu(hypothesis, references)",
        "closest_ref_length": "use the reference_length of bleu.sentence_bleu(…)",
        "brevity_penalty": "use the brevity_penalty of bleu.sentence_bleu(…)",
        **dict.fromkeys(("load", "compute"), "use " + _CORPUS.format("huggingface-evaluate")),
        **dict.fromkeys(("BLEUScore", "bleu_score"), "use " + _CORPUS.format("torchmetrics")),
        **dict.fromkeys(
            ("SacreBLEUScore", "sacre_bleu_score"), "use " + _CORPUS.format("sacrebleu")
        ),
    },
    "'Score' object": {
        "score": "use value, in [0, 1], or 100 * score",
        "bleu": "use value, in [0, 1]",
        "bp": "use brevity_penalty",
        "precision": "use precisions, exact and in [0, 1]",
        "counts": "use matched",
        "totals": "use total",
        **dict.fromkeys(("sys_len", "translation_length"), "use hypothesis_length"),
        "ref_len": "use reference_length",
        **dict.fromkeys(("ratio", "length_ratio"), "use hypothesis_length / reference_length"),
        **dict.fromkeys(("format", "prec_str", "verbose"), "use str(score)"),
        "item": "use float(score) or value",
    },
    "'Accumulator' object": {
        **dict.fromkeys(("add", "add_batch", "forward", "append"), "use update"),
        **dict.fromkeys(("score", "corpus_score"), "use compute()"),
    },
}
"""Attributes of other libraries and of their results, and what to use here."""
_NLTK_METHODS: Final = tuple(f"method{number}" for number in range(8))
PLAIN_TYPES: Final = frozenset({str, list, tuple})


def missing_attribute(owner: str, name: str) -> AttributeError:
    """Return the error for an attribute that a module or an object does not have.

    >>> missing_attribute("'Score' object", "bp")
    AttributeError("'Score' object has no attribute 'bp'; use brevity_penalty")
    """
    remedy = ATTRIBUTES.get(owner, {}).get(name, "")
    return AttributeError(f"{owner} has no attribute {name!r}" + (remedy and f"; {remedy}"))


def refuse_attribute(value: object, name: str) -> NoReturn:
    """Raise the error for an attribute that an object does not have, as its `__getattr__`."""
    raise missing_attribute(f"{type(value).__name__!r} object", name)


def unknown_keyword(name: str, owner: str, parameters: Collection[str]) -> TypeError:
    """Return the error for an argument that `owner`, such as a function, does not have.

    >>> unknown_keyword("preds", "corpus_bleu", ["hypotheses", "references"])
    TypeError("'preds' is not an argument of corpus_bleu; use hypotheses")
    """
    remedy = KEYWORDS.get(name, "")
    if isinstance(remedy, tuple):
        remedy = next((f"use {ours}" for ours in remedy if ours in parameters), "")
    remedy = remedy or f"choose from: {choices_text(name, parameters)}"
    return TypeError(f"{short_repr(name, 24)} is not an argument of {owner}; {remedy}")


def familiar_value(setting: str, value: object) -> str:
    """Return the remedy for a value that another library has for a setting, or "".

    >>> familiar_value("smoothing", "method1")
    "choose convention='nltk-method1'"
    """
    name = getattr(value, "__name__", value)  # The methods of NLTK's SmoothingFunction are given.
    if setting == "smoothing" and isinstance(name, str) and name in _NLTK_METHODS:
        return f"choose convention='nltk-{name}'"
    return ""


def adapt_arguments(function: FunctionT, plain_types: Collection[type] = PLAIN_TYPES) -> FunctionT:
    """Wrap a function: refuse unknown arguments with our names, and read Series as lists.

    Values of `plain_types` are no Series and are passed on as they are, which saves time.

    >>> @adapt_arguments
    ... def count(hypotheses: list[str]) -> int:
    ...     return len(hypotheses)
    >>> count(predictions=["a"])
    Traceback (most recent call last):
    TypeError: 'predictions' is not an argument of count; use hypotheses
    """
    names = [name for name in signature(function).parameters if name != "self"]
    name_set, owner = frozenset(names), function.__qualname__.removesuffix(".__init__")

    @wraps(function)
    def adapted(*arguments: Any, **options: Any) -> Any:
        for argument in arguments:
            if type(argument) not in plain_types:
                arguments = tuple(map(_as_list, arguments))
                break
        if not options:
            return function(*arguments)
        if not name_set.issuperset(options):
            unknown = next(name for name in options if name not in name_set)
            raise unknown_keyword(unknown, owner, names)
        return function(*arguments, **{name: _as_list(value) for name, value in options.items()})

    return adapted  # type: ignore[return-value]


def _as_list(value: Any) -> Any:
    """Return a Series of pandas or polars as a list, and any other value unchanged.

    A Series is no sequence, as its index may not start at 0. Arrays and tensors have no `to_list`.
    """
    return value.to_list() if hasattr(type(value), "to_list") else value
