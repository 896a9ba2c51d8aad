"""Conventions: the settings, differences and faults of other BLEU implementations.

They follow the sources of nltk 3.10.4, sacrebleu 2.6.0, evaluate, torchmetrics, torchtext,
torcheval 0.0.7, ignite, Moses's scripts, mteval v13a and v14, fairseq, tensor2tensor, coco-caption,
CodeXGLUE's code summarization and the R package sacRebleu 0.2.0. A fault of an implementation is
reproduced and stated as a caveat.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal, cast

from bleu.core.choices import ConventionName, unknown_choice_text
from bleu.core.migration import unknown_keyword
from bleu.core.settings import MAX_ORDER, SETTING_NAMES, Settings
from bleu.core.short_repr import short_repr
from bleu.metric.numerics import decimal

CaveatCondition = Literal[
    "corpus", "empty", "refused", "over one", "score 0", "nothing matches", "an order is empty",
    "too short", "one token", "a tie of lengths", "k not whole",
]  # fmt: skip
"""The conditions of texts or settings under which a caveat applies."""


@dataclass(frozen=True, slots=True)
class Caveat:
    """A fault of an implementation in one sentence, and the condition under which it matters."""

    text: str
    condition: CaveatCondition


@dataclass(frozen=True, slots=True)
class Convention:
    """A published way to compute BLEU.

    - `title`: its name in menus and tables.
    - `settings`: the settings that differ from the defaults.
    - `difference`: one sentence on how it differs from the paper's BLEU.
    - `caveats`: its faults, each with the condition under which it matters.
    - `scale`: 1 or 100, the score that it reports for a perfect match.
    - `largest_order`: the largest N that it accepts.
    - `single_precision`: whether it rounds its result or its weights to single precision.
    """

    title: str
    difference: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    caveats: tuple[Caveat, ...] = ()
    scale: int = 1
    largest_order: int = MAX_ORDER
    single_precision: bool = False

    @property
    def single_reference(self) -> bool:
        """Whether it accepts only one reference."""
        return self.settings.get("several_references") == "refused"

    @property
    def has_effective_order(self) -> bool:
        """Whether it can leave out the orders that a text is too short for."""
        settings = Settings(**self.settings)
        return settings.too_short != "one" and settings.weight_precision != "single"

    def caveats_for(self, conditions: Collection[CaveatCondition]) -> list[str]:
        """Return the texts of the caveats that apply under these conditions."""
        return [caveat.text for caveat in self.caveats if caveat.condition in conditions]

    @property
    def known_issue(self) -> str:
        """The texts of all caveats, or an empty string."""
        return " ".join(caveat.text for caveat in self.caveats)


_NLTK: Final = {
    "too_short": "zero-of-one",
    "zero_precision": "dropped",
    "unusual_values": "computed",
}
_LAST_SEGMENT: Final = Caveat(
    "In a corpus it takes numbers from the last segment alone, so the score depends on the order "
    "of the segments.",
    "corpus",
)
_OVER_ONE: Final = Caveat(
    "It can exceed the full score: a perfect match of four tokens scores 101.06 of 100.", "over one"
)
_FAILS: Final = Caveat("It fails on an empty text.", "empty")
_FAILS_ON_HYPOTHESIS: Final = Caveat(
    "It fails on an empty hypothesis, unless the reference is empty, too.", "empty"
)
_FIRST_LISTED: Final = Caveat(
    "The score depends on the order of the references.", "a tie of lengths"
)
_ABOVE_0: Final = Caveat("A text without any match scores above 0.", "nothing matches")


def _nltk(method: int, difference: str, *caveats: Caveat, **settings: Any) -> Convention:
    return Convention(f"NLTK method {method}", difference, {**_NLTK, **settings}, caveats)


def _sacrebleu(smoothing: str, *, sentence: bool) -> Convention:
    suffixes = {"exp": "", "none": ", no smoothing", "floor": ", floor", "add-k": ", add-k"}
    function = "sentence_bleu" if sentence else "corpus_bleu"
    if smoothing == "add-k":
        too_short = "an order that the text is too short for counts as 1"
    elif sentence:
        too_short = "orders that the text is too short for are left out"
    else:
        too_short = "an order that the text is too short for makes the score 0"
    return Convention(
        f"sacreBLEU {function}{suffixes[smoothing]}",
        f"Tokenizer 13a, smoothing {smoothing}, scale 0–100; {too_short}.",
        {
            "tokenizer": "13a",
            "smoothing": smoothing,
            "effective_order": sentence,
            "too_short": "zero",
            "unusual_values": "computed",
        },
        scale=100,
    )


_HUGGING_FACE: Final = {
    "tokenizer": "13a",
    "reference_length": "shortest",
    "too_short": "zero",
    "empty_side": "huggingface-evaluate",
}
_TORCH: Final = {
    "reference_length": "closest-first",
    "too_short": "zero",
    "unmatched": "zero-if-any-order-empty",
    "unusual_values": "computed",
}
_MTEVAL: Final = {"smoothing": "exp", "too_short": "one", "unmatched": "smoothed"}
_R: Final = {
    "reference_length": "closest-first",
    "too_short": "zero-of-one",
    "unmatched": "smoothed",
    "weight_precision": "single",
    "unusual_values": "computed",
}
_FAIRSEQ: Final = {"empty_text": "end-token", "several_references": "refused"}
_FIRST_WINS: Final = (
    "Of two equally close reference lengths, the first listed counts, not the shorter"
)

CONVENTIONS: Final[Mapping[ConventionName, Convention]] = {
    "default": Convention("This page’s default", "The paper’s BLEU on tokens as they are."),
    "papineni": Convention(
        "Papineni et al. 2002",
        "The paper’s own: case is folded, nothing is smoothed.",
        {"lowercase": True},
    ),
    "nltk-method0": _nltk(
        0,
        "No smoothing, but an order without a match counts 2.2e−308 instead of 0.",
        Caveat(
            "If a token matches and the score is 0, it prints a number such as 1e−231 or "
            "1e−154, with a warning.",
            "score 0",
        ),
        smoothing="nltk-min-float",
    ),
    "nltk-method1": _nltk(1, "An order without a match counts ε = 0.1 matches.", smoothing="floor"),
    "nltk-method2": _nltk(
        2,
        "Adds 1 to matches and total from the second order on.",
        Caveat(
            "An order that the text is too short for counts as 0 of 1, so a perfect short text "
            "does not reach the full score.",
            "too short",
        ),
        smoothing="add-k",
    ),
    "nltk-method3": _nltk(
        3, "Orders without a match count 1/2, 1/4, … matches (NIST).", smoothing="exp"
    ),
    "nltk-method4": _nltk(
        4,
        "As method 3, with less for shorter texts: ln c / (2ᵏ·K) matches.",
        Caveat(
            "For a text of one token the precisions of 0 are dropped, and a match scores the "
            "brevity penalty alone: 1 if the reference is not longer.",
            "one token",
        ),
        smoothing="length-exp",
    ),
    "nltk-method5": _nltk(
        5,
        "Averages each precision with its neighbours.",
        _OVER_ONE,
        _LAST_SEGMENT,
        smoothing="average-last",
    ),
    "nltk-method6": _nltk(
        6,
        "From order 3 on, mixes in a value predicted from the two orders before.",
        Caveat("It fails where no 3-gram matches and for N below 3.", "refused"),
        _LAST_SEGMENT,
        Caveat("It can exceed the full score.", "over one"),
        smoothing="interpolation-last",
    ),
    "nltk-method7": _nltk(
        7, "Method 4, then method 5.", _OVER_ONE, _LAST_SEGMENT, smoothing="length-average-last"
    ),
    "sacrebleu": _sacrebleu("exp", sentence=False),
    "sacrebleu-none": _sacrebleu("none", sentence=False),
    "sacrebleu-floor": _sacrebleu("floor", sentence=False),
    "sacrebleu-add-k": _sacrebleu("add-k", sentence=False),
    "sacrebleu-sentence": _sacrebleu("exp", sentence=True),
    "sacrebleu-sentence-none": _sacrebleu("none", sentence=True),
    "sacrebleu-sentence-floor": _sacrebleu("floor", sentence=True),
    "sacrebleu-sentence-add-k": _sacrebleu("add-k", sentence=True),
    "huggingface-evaluate": Convention(
        "Hugging Face evaluate",
        "Tokenizer 13a; the shortest reference’s length counts.",
        _HUGGING_FACE,
        (_FAILS,),
    ),
    "huggingface-evaluate-smooth": Convention(
        "Hugging Face evaluate, smooth",
        "Adds 1 to matches and total of every order, 1-grams included.",
        {**_HUGGING_FACE, "smoothing": "add-k-all", "unmatched": "smoothed"},
        (_ABOVE_0, _FAILS),
    ),
    "torchmetrics": Convention(
        "torchmetrics BLEUScore",
        f"{_FIRST_WINS}; an order without a match makes the score 0, whatever its weight.",
        _TORCH,
        (_FIRST_LISTED,),
        single_precision=True,
    ),
    "torchmetrics-smooth": Convention(
        "torchmetrics BLEUScore, smooth",
        f"{_FIRST_WINS}; adds 1 from the second order on, but is 0 as soon as one order has no "
        "match.",
        {**_TORCH, "smoothing": "add-k"},
        (
            Caveat("Its smoothing never rescues an order without a match.", "an order is empty"),
            _FIRST_LISTED,
        ),
        single_precision=True,
    ),
    "torchtext": Convention(
        "torchtext",
        f"{_FIRST_WINS}; an order without a match makes the score 0, whatever its weight.",
        _TORCH,
        (_FIRST_LISTED,),
        single_precision=True,
    ),
    "torcheval": Convention(
        "torcheval BLEUScore",
        "The shortest reference’s length counts; N up to 4.",
        {"reference_length": "shortest", "too_short": "zero"},
        (Caveat("It fails where every text is shorter than N tokens.", "too short"),),
        largest_order=4,
        single_precision=True,
    ),
    "ignite": Convention(
        "ignite Bleu",
        "The paper’s BLEU; by default, its score of a corpus is the mean over sentences "
        "(average=“macro”), and this is average=“micro”.",
        {"too_short": "zero"},
    ),
    "mteval-v13a": Convention(
        "mteval-v13a",
        "Tokenizer 13a, A to Z folded, smoothing exp; an order that the text is too short for "
        "counts as 1. With smoothing none it is mteval --no-smoothing, where that order counts 0; "
        "with case kept, mteval -c.",
        {
            "tokenizer": "13a",
            "lowercase": True,
            "case": "ascii",
            "empty_side": "mteval-v13a",
            **_MTEVAL,
        },
        (_ABOVE_0, Caveat("It fails where all hypotheses or all references are empty.", "empty")),
    ),
    "mteval-v14": Convention(
        "mteval-v14, international",
        "With --international-tokenization: as mteval-v13a, but other tokens, and all letters "
        "folded.",
        {"tokenizer": "mteval-v14", "lowercase": True, **_MTEVAL},
        (_ABOVE_0,),
    ),
    "multi-bleu": Convention(
        "multi-bleu.perl",
        "The paper’s BLEU on a 0–100 scale, N always 4; printed with two decimals.",
        {"max_order": 4, "too_short": "zero", "empty_side": "multi-bleu"},
        (_FAILS_ON_HYPOTHESIS,),
        scale=100,
    ),
    "moses-sentence": Convention(
        "Moses sentence-bleu",
        "Adds 1 to matches and total of every order, 1-grams included; N always 4.",
        {"max_order": 4, "smoothing": "add-k-all", "unmatched": "smoothed"},
        (_ABOVE_0,),
        single_precision=True,
    ),
    "fairseq": Convention(
        "fairseq",
        "One reference, N up to 4, scale 0–100; an empty line counts as one token, its end.",
        {"too_short": "zero", **_FAIRSEQ},
        scale=100,
        largest_order=4,
    ),
    "fairseq-sentence": Convention(
        "fairseq, sentence form",
        "One reference, N up to 4, scale 0–100; adds 1 from the second order on; an empty line "
        "counts as one token, its end.",
        {"smoothing": "add-k", **_FAIRSEQ},
        scale=100,
        largest_order=4,
    ),
    "tensor2tensor": Convention(
        "tensor2tensor",
        "One reference, all letters folded, its own international tokenizer, smoothing exp; an "
        "order that the text is too short for counts as 1.",
        {
            "tokenizer": "tensor2tensor",
            "lowercase": True,
            "several_references": "refused",
            **_MTEVAL,
        },
        (_ABOVE_0,),
        single_precision=True,
    ),
    "coco-caption": Convention(
        "coco-caption",
        "Adds 1e−15 to matches and candidate length, and 1e−9 to totals and reference length; "
        "expects texts that the Penn Treebank tokenizer has lowercased and split, without "
        "punctuation.",
        {
            "lowercase": True,
            "smoothing": "coco-epsilon",
            "unmatched": "smoothed",
            "length_padding": "coco",
        },
        (Caveat("A score of 0 comes out as a number such as 4.9e−9.", "score 0"),),
        largest_order=4,
    ),
    "codexglue": Convention(
        "CodeXGLUE, code summarization",
        "Splits off every character that is no letter or digit, case folded; adds 1 from the "
        "second order on, and 1 to both lengths; the mean over sentences is reported.",
        {
            "tokenizer": "codexglue",
            "lowercase": True,
            "max_order": 4,
            "smoothing": "add-k",
            "reference_length": "shortest",
            "length_padding": "one",
        },
        (
            Caveat("A text without any match scores about 1e−77 instead of 0.", "nothing matches"),
            Caveat("An empty candidate scores e to the power of −r instead of 0.", "empty"),
        ),
        scale=100,
        largest_order=4,
    ),
    "sacrebleu-r": Convention(
        "sacRebleu (R)",
        f"Token ids; {_FIRST_WINS[0].lower()}{_FIRST_WINS[1:]}; weights in single precision.",
        _R,
        (_FIRST_LISTED,),
        single_precision=True,
    ),
    "sacrebleu-r-floor": Convention(
        "sacRebleu (R), floor",
        "As sacRebleu; every sentence without a match at an order adds ε = 0.1 matches.",
        {**_R, "smoothing": "segment-floor"},
        (_ABOVE_0, _FIRST_LISTED),
        single_precision=True,
    ),
    "sacrebleu-r-add-k": Convention(
        "sacRebleu (R), add-k",
        "As sacRebleu; adds a whole k to matches and total of every order, 1-grams included.",
        {**_R, "smoothing": "add-k-all"},
        (_ABOVE_0, Caveat("It takes a whole k only.", "k not whole"), _FIRST_LISTED),
        single_precision=True,
    ),
}
"""Conventions by name, in menu order."""


def get_convention(name: str) -> Convention:
    """Return the convention with this name, or raise ValueError."""
    if not isinstance(name, str) or name not in CONVENTIONS:
        raise ValueError(unknown_choice_text("convention", name, CONVENTIONS))
    return CONVENTIONS[cast(ConventionName, name)]


def convention_settings(convention: str = "default", **choices: Any) -> Settings:
    """Return the settings of a convention, with individual settings overridden by keyword.

    Raises ValueError for an unknown convention and for an N that it does not accept, TypeError for
    an unknown setting, and whatever `Settings` raises.

    >>> convention_settings("nltk-method3").smoothing
    'exp'
    >>> convention_settings("sacrebleu", tokenizer="intl").signature(1)
    'nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.6.0'
    """
    published = get_convention(convention)
    for choice in choices:
        if choice not in SETTING_NAMES:
            raise unknown_keyword(choice, "Settings", SETTING_NAMES)
    settings = Settings(**{**published.settings, **choices})
    if settings.max_order > (largest_order := published.largest_order):
        raise ValueError(
            f"max_order is {settings.max_order}, and {convention} takes up to {largest_order}; "
            f"choose {largest_order} or less, or another convention"
        )
    k = settings.smoothing_value
    integer_k = convention == "sacrebleu-r-add-k" and settings.smoothing == "add-k-all"
    if integer_k and k is not None and k.denominator != 1:
        raise ValueError(
            f"smoothing_value is {decimal(k)}, and the R package truncates k; choose a whole "
            f"number, such as {math.floor(k) or 1}"
        )
    return settings


def resolve_settings(choices: Mapping[str, Any], settings: Settings | None = None) -> Settings:
    """Return `settings`, or the settings from keyword arguments, which may include `convention`.

    Raises TypeError if both are given, and whatever `convention_settings` raises.

    >>> resolve_settings({"convention": "nltk-method1", "smoothing_value": 0.5}).smoothing_value
    Fraction(1, 2)
    """
    if settings is None:
        try:
            cached = _cached_settings(**choices)
            # Equal tokenizers may come from different files, and code examples name the file.
            if cached.tokenizer is choices.get("tokenizer", cached.tokenizer):
                return cached
        except TypeError:  # A value is not hashable, or is wrong and fails again below.
            pass
        return convention_settings(**choices)
    if not isinstance(settings, Settings):
        raise TypeError(
            f"settings is {short_repr(settings)}; give a bleu.Settings, or single settings by name"
        )
    if choices:
        raise TypeError(
            f"settings is given together with {', '.join(choices)}; give one or the other "
            "(dataclasses.replace changes single settings of a bleu.Settings)"
        )
    return settings


_cached_settings: Final = lru_cache(maxsize=256, typed=True)(convention_settings)
