"""The types of the settings: the names of all choices and the keyword arguments."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from inspect import cleandoc
from typing import Any, Final, Literal, TypedDict, TypeVar

from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.display import short_repr
from bleu.metric.conventions import ConventionName
from bleu.metric.rules import ReferenceLengthName, SettingError
from bleu.metric.smoothings import SmoothingName

MAX_LISTED_CHARACTERS: Final = 250
"""The length of a list of choices above which an error lists only similar ones."""

T = TypeVar("T", bound=Callable[..., Any])

Real = int | float | Fraction
Number = Real | str
"""A number, or its notation, such as "1/3"."""

TokenizerName = Literal[
    "whitespace", "13a", "intl", "char", "zh", "zh-corrected", "ja-char", "none",
    "mteval-v14", "tensor2tensor", "codexglue",
]  # fmt: skip
TokenizerChoice = TokenizerName | Tokenizer
CaseName = Literal["all", "ascii"]
TooShortName = Literal["smoothed", "zero", "one", "zero-of-one"]
UnmatchedName = Literal["zero", "smoothed", "zero-if-any-order-empty"]
ZeroPrecisionName = Literal["zero", "dropped"]
LengthPaddingName = Literal["none", "coco", "one"]
WeightPrecisionName = Literal["exact", "single"]
EmptyTextName = Literal["no-token", "end-token"]
SeveralReferencesName = Literal["taken", "refused"]
EmptySideName = Literal["scored", "mteval-v13a", "huggingface-evaluate", "multi-bleu"]
UnusualValuesName = Literal["refused", "computed"]


class SettingChoices(TypedDict, total=False):
    """The settings.

    - `tokenizer`: a name in `TOKENIZERS`, or a tokenizer made by `load_tokenizer` or `tokenizer`;
      used for text, not for sequences of tokens; default `whitespace`.
    - `lowercase`: True lowercases text before it is split; default False.
    - `max_order`: N, 1 to 9; default 4.
    - `weights`: w_1 to w_N, each >= 0, summing to 1 within 1e-9; default None, 1/N each.
      Kept as exact fractions: 0.1 is read as 1/10.
    - `smoothing`: a name in `SMOOTHINGS`:
      `none`, the default: an order without a match has p_n = 0, so the score is 0;
      `floor`: such an order counts ε matches, p_n = ε/total, or ε if the text is too short for the
      order (NLTK's method 1);
      `add-k`: k is added to matched and total of every order from the second on;
      `exp`: the k-th order without a match counts 1/2^k matches; an order that the text is too
      short for stays at 0 (sacreBLEU's default).
      If not even a single token matches, the score is 0 under each of these.
    - `smoothing_value`: ε in (0, 1], default 0.1; k > 0, default 1; `none` and `exp` have none.
    - `effective_order`: True leaves out the orders that the text is too short for and scales the
      other weights to sum to 1; under add-k no order is too short (as in sacreBLEU). Under NLTK's
      conventions it is NLTK's `auto_reweigh`, which acts only if N is 4 and the weights are equal;
      the conventions of mteval, tensor2tensor and R refuse it; default False.
    - `reference_length`: a name in `REFERENCE_LENGTHS`; default `closest`, the shorter on a tie.

    The other settings reproduce other implementations, and conventions set them. The first choice
    of each is the default:

    - `case`: the letters that `lowercase` folds, `all` or `ascii`.
    - `too_short`: p_n of an order that the whole text is too short for is as `smoothed` (0 if the
      smoothing gives none), `zero` whatever the smoothing, or `one` (mteval; but `zero` if nothing
      is smoothed or the text is empty); with `zero-of-one`, every segment that is too short counts
      0 of 1 (NLTK).
    - `unmatched`: a text without any match scores `zero`, or as `smoothed`; with
      `zero-if-any-order-empty`, a text scores 0 as soon as one order has no match, whatever its
      weight and the smoothing (torchmetrics, torchtext).
    - `zero_precision`: a p_n that is 0 after smoothing makes the score `zero`, or is `dropped`
      (NLTK).
    - `length_padding`: `none`; with `coco`, BP is exp(1 - (r + 1e-9)/(c + 1e-15)); with `one`
      (CodeXGLUE), exp(1 - (r + 1)/(c + 1)).
    - `weight_precision`: `exact`; `single` rounds the weights to single precision, as in R. If R
      gives NaN, as for an unmatched order of weight 0, scoring raises ValueError.
    - `empty_text`: an empty text has `no-token`, or a single one, its `end-token` (fairseq).
    - `empty_side`: a corpus whose hypotheses or references have no tokens is `scored`, or refused
      as by `mteval-v13a`, `huggingface-evaluate`, or `multi-bleu` (if only hypotheses have none).
    - `several_references`: more than one reference is `taken`, or `refused` (fairseq).
    - `unusual_values`: an ε or k of 0, and weights that do not sum to 1, are `refused`, or
      `computed`, as in sacreBLEU, NLTK, torchtext and R.
    """

    tokenizer: TokenizerChoice
    lowercase: bool
    max_order: int
    weights: Iterable[Number] | None
    smoothing: SmoothingName
    smoothing_value: Number | None
    effective_order: bool
    reference_length: ReferenceLengthName
    case: CaseName
    too_short: TooShortName
    unmatched: UnmatchedName
    zero_precision: ZeroPrecisionName
    length_padding: LengthPaddingName
    weight_precision: WeightPrecisionName
    empty_text: EmptyTextName
    empty_side: EmptySideName
    several_references: SeveralReferencesName
    unusual_values: UnusualValuesName


class Choices(SettingChoices, total=False):
    """Keyword arguments.

    - `settings`: all the settings, as one `Settings`; no other keyword may be combined with it.
    - `convention`: a name in `CONVENTIONS`, such as `sacrebleu`: the settings with which another
      implementation computes BLEU. Further keywords change single settings of it.
    """

    convention: ConventionName


def append_docstrings(*sources: type) -> Callable[[T], T]:
    """Append the docstrings of `sources` to the decorated object's docstring."""

    def decorate(target: T) -> T:
        docs = [source.__doc__ for source in (target, *sources)]
        target.__doc__ = "\n\n".join(cleandoc(doc) for doc in docs if doc) or None
        return target

    return decorate


def unknown_choice(setting: str, value: object, names: Iterable[str]) -> SettingError:
    """Return the error for a choice that a setting does not have.

    >>> str(unknown_choice("case", "none", ["all", "ascii"]))
    "case is 'none'; choose one of: all, ascii"
    """
    remedy = f"choose one of: {choices_text(value, names)}"
    return SettingError(setting, f"{setting} is {short_repr(value)}", remedy)


def choices_text(value: object, names: Iterable[str]) -> str:
    """Join names for an error message; of a long list, at most five, preferably similar to `value`.

    >>> choices_text("b", ["a", "b"]), choices_text("7", map(str, range(99)))
    ('a, b', '7, 17, 27, 37, 47, …')
    """
    names = list(names)
    text = ", ".join(names)
    if len(text) <= MAX_LISTED_CHARACTERS:
        return text
    lowercased = value.lower() if isinstance(value, str) and value else "\0"
    similar = [name for name in names if lowercased in name or name in lowercased] or names
    return ", ".join(similar[:5]) + ", …"
