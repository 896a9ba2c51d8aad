"""Conventions: for each implementation of BLEU, its settings, faults, and all that is said of it.

They follow the sources of nltk 3.10.4, sacrebleu 2.6.0, evaluate, torchmetrics, torchtext,
torcheval 0.0.7, ignite, Moses's scripts, mteval v13a and v14, fairseq, tensor2tensor, coco-caption,
CodeXGLUE's code summarization and the R package sacRebleu 0.2.0. A fault of an implementation is
reproduced and stated as a caveat.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

from bleu.metric.smoothings import SMOOTHINGS, SmoothingName

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """A published way to compute BLEU.

    - `title`: its name in menus and tables; `menu_title`: another one in menus, or "".
    - `help`: what it does, in at most 50 ASCII characters, for the help of the command line.
    - `difference`: one sentence on how it differs from the paper's BLEU.
    - `group`: its group in menus.
    - `example`: the scores that it prints for “The cat is a dog.” with the reference “The cat is
      not a dog, too.”, and for “the cat is on mat” with “the cat is on the mat”, which tests
      compare.
    - `rank`: its popularity, a number of its own; lower is more popular, and gaps are allowed.
    - `settings`: the settings that differ from the defaults.
    - `caveats`: its faults, each with the condition under which it matters.
    - `scale`: 1 or 100, the score that it reports for a perfect match.
    - `largest_order`: the largest N that it accepts.
    - `single_precision`: whether it rounds its result or its weights to single precision.
    - `whole_k`: whether it takes no fraction as the smoothing value.

    How it is used, for the search for a number:

    - `rarity_cost`: the cost of a program that is rarely used, or of a definition without one.
    - `library`: the Python or R package that it belongs to, or "".
    - `scope`: whether it is meant for sentences or for corpora; `one sentence` means that it
      cannot score a corpus.
    - `is_default`: whether the tool follows the convention without any option.
    - `is_common`: whether it stands in the first level of menus.
    - `for_sentence`: whether it is the usual choice of its library for one sentence.
    - `fixed_tokenizer`: whether it always splits the texts itself.
    - `uses_zero_weights`: whether an order of weight 0 changes its score.
    - `averaged`: the largest number of departures from its defaults with which its mean over
      sentences is tried: 0 for scores that take long to compute, and -1 if no mean is tried. A
      choice of weights may be one departure more.
    """

    title: str
    help: str
    difference: str
    example: tuple[float, float]
    rank: int
    group: str = "Others"
    menu_title: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    caveats: tuple[Caveat, ...] = ()
    scale: int = 1
    largest_order: int = 9
    single_precision: bool = False
    whole_k: bool = False
    rarity_cost: float = 0.0
    library: Literal["", "nltk", "sacrebleu", "R"] = ""
    scope: Literal["any", "sentences", "one sentence", "corpora"] = "any"
    is_default: bool = True
    is_common: bool = False
    for_sentence: bool = False
    fixed_tokenizer: bool = False
    uses_zero_weights: bool = False
    averaged: int = -1

    @property
    def label(self) -> str:
        """The name in menus."""
        return self.menu_title or self.title

    @property
    def single_reference(self) -> bool:
        """Whether it accepts only one reference."""
        return self.settings.get("several_references") == "refused"

    def caveats_for(self, conditions: Collection[CaveatCondition]) -> list[str]:
        """Return the texts of the caveats that apply under these conditions."""
        return [caveat.text for caveat in self.caveats if caveat.condition in conditions]

    @property
    def known_issue(self) -> str:
        """The texts of all caveats, or an empty string."""
        return " ".join(caveat.text for caveat in self.caveats)


_LAST_SEGMENT: Final = Caveat(
    "In a corpus it takes numbers from the last segment alone, so the score depends on the order "
    "of the segments.",
    "corpus",
)
_OVER_ONE: Final = Caveat(
    "It can exceed the full score: a perfect match of four tokens scores 101.06 of 100.", "over one"
)
_FAILS: Final = Caveat("It fails on an empty text.", "empty")
_FIRST_LISTED: Final = Caveat(
    "The score depends on the order of the references.", "a tie of lengths"
)
_ABOVE_0: Final = Caveat("A text without any match scores above 0.", "nothing matches")

_published: Final = partial(Convention, group="BLEU as published", rarity_cost=1.2)


def _nltk(method: int, smoothing: SmoothingName, *caveats: Caveat, **words: Any) -> Convention:
    by_last_segment = SMOOTHINGS[smoothing].by_last_segment
    settings = {
        "too_short": "zero-of-one",
        "zero_precision": "dropped",
        "unusual_values": "computed",
        "smoothing": smoothing,
    }
    return Convention(
        title=f"NLTK method {method}",
        group="NLTK",
        settings=settings,
        caveats=caveats,
        library="nltk",
        is_default=not method,
        uses_zero_weights=by_last_segment,
        averaged=0 if by_last_segment else 1,
        **words,
    )


def _sacrebleu(smoothing: SmoothingName, *, sentence: bool, **words: Any) -> Convention:
    is_default = smoothing == "exp"
    suffix = "" if is_default else ", no smoothing" if smoothing == "none" else f", {smoothing}"
    if smoothing == "add-k":
        too_short = "an order that the text is too short for counts as 1"
    elif sentence:
        too_short = "orders that the text is too short for are left out"
    else:
        too_short = "an order that the text is too short for makes the score 0"
    settings = {
        "tokenizer": "13a",
        "smoothing": smoothing,
        "effective_order": sentence,
        "too_short": "zero",
        "unusual_values": "computed",
    }
    return Convention(
        title=f"sacreBLEU {'sentence' if sentence else 'corpus'}_bleu{suffix}",
        difference=f"Tokenizer 13a, smoothing {smoothing}, scale 0–100; {too_short}.",
        group="sacreBLEU",
        settings=settings,
        scale=100,
        library="sacrebleu",
        scope="sentences" if sentence else "corpora",
        is_default=is_default,
        **words,
    )


_corpus: Final = partial(_sacrebleu, sentence=False)
_sentence: Final = partial(_sacrebleu, sentence=True, averaged=1)
_pytorch: Final = partial(Convention, group="Hugging Face and PyTorch")
_HUGGING_FACE: Final = {
    "tokenizer": "13a",
    "reference_length": "shortest",
    "too_short": "zero",
    "empty_side": "huggingface-evaluate",
}
_torch: Final = partial(_pytorch, single_precision=True)
_TORCH: Final = {
    "reference_length": "closest-first",
    "too_short": "zero",
    "unmatched": "zero-if-any-order-empty",
    "unusual_values": "computed",
}
_mteval: Final = partial(Convention, rarity_cost=0.6, scope="corpora", fixed_tokenizer=True)
_MTEVAL: Final = {"smoothing": "exp", "too_short": "one", "unmatched": "smoothed"}
_fairseq: Final = partial(Convention, scale=100, largest_order=4)
_FAIRSEQ: Final = {"empty_text": "end-token", "several_references": "refused"}
_r: Final = partial(
    Convention, group="sacRebleu (R)", single_precision=True, library="R", scope="corpora"
)
_R: Final = {
    "reference_length": "closest-first",
    "too_short": "zero-of-one",
    "unmatched": "smoothed",
    "weight_precision": "single",
    "unusual_values": "computed",
}
_FIRST_WINS: Final = (
    "f two equally close reference lengths, the first listed counts, not the shorter"
)

ConventionName = Literal[
    "default", "papineni",
    "nltk-method0", "nltk-method1", "nltk-method2", "nltk-method3", "nltk-method4",
    "nltk-method5", "nltk-method6", "nltk-method7",
    "sacrebleu", "sacrebleu-none", "sacrebleu-floor", "sacrebleu-add-k",
    "sacrebleu-sentence", "sacrebleu-sentence-none", "sacrebleu-sentence-floor",
    "sacrebleu-sentence-add-k",
    "huggingface-evaluate", "huggingface-evaluate-smooth",
    "torchmetrics", "torchmetrics-smooth", "torchtext", "torcheval", "ignite",
    "mteval-v13a", "mteval-v14", "multi-bleu", "moses-sentence",
    "fairseq", "fairseq-sentence", "tensor2tensor",
    "coco-caption", "codexglue", "sacrebleu-r", "sacrebleu-r-floor", "sacrebleu-r-add-k",
]  # fmt: skip
CONVENTIONS: Final[Mapping[ConventionName, Convention]] = {
    "default": _published(
        title="This page’s default", help="the paper's BLEU, tokens split at white space",
        difference="The paper’s BLEU on tokens as they are.", example=(0, 0.57893),
        rank=20, is_common=True),
    "papineni": _published(
        title="Papineni et al. 2002", help="the same, case folded, as Papineni et al. 2002",
        difference="The paper’s own: case is folded, nothing is smoothed.",
        example=(0, 0.57893), rank=19,
        settings={"lowercase": True}),
    "nltk-method0": _nltk(
        0, "nltk-min-float",
        Caveat("If a token matches and the score is 0, it prints a number such as 1e−231 or "
               "1e−154, with a warning.", "score 0"),
        menu_title="NLTK default (method 0)",
        help="NLTK unsmoothed; no match in an order: 2.2e-308",
        difference="No smoothing, but an order without a match counts 2.2e−308 instead of 0.",
        example=(4.94713e-78, 0.57893), rank=1, is_common=True),
    "nltk-method1": _nltk(
        1, "floor", help="an order without matches counts 0.1",
        difference="An order without a match counts ε = 0.1 matches.",
        example=(0.19154, 0.57893), rank=5, is_common=True, for_sentence=True),
    "nltk-method2": _nltk(
        2, "add-k",
        Caveat("An order that the text is too short for counts as 0 of 1, so a perfect short text "
               "does not reach the full score.", "too short"),
        help="1 added to every order from the second on",
        difference="Adds 1 to matches and total from the second order on.",
        example=(0.356496, 0.651113), rank=11, is_common=True),
    "nltk-method3": _nltk(
        3, "exp", help="orders without matches count 1/2, 1/4, ...",
        difference="Orders without a match count 1/2, 1/4, … matches (NIST).",
        example=(0.286419, 0.57893), rank=10),
    "nltk-method4": _nltk(
        4, "length-exp",
        Caveat("For a text of one token the precisions of 0 are dropped, and a match scores the "
               "brevity penalty alone: 1 if the reference is not longer.", "one token"),
        help="as 3, with less for shorter texts",
        difference="As method 3, with less for shorter texts: ln c / (2ᵏ·K) matches.",
        example=(0.215739, 0.57893), rank=9),
    "nltk-method5": _nltk(
        5, "average-last", _OVER_ONE, _LAST_SEGMENT,
        help="each precision averaged with its neighbours",
        difference="Averages each precision with its neighbours.",
        example=(0.257404, 0.606316), rank=13),
    "nltk-method6": _nltk(
        6, "interpolation-last",
        Caveat("It fails where no 3-gram matches and for N below 3.", "refused"), _LAST_SEGMENT,
        Caveat("It can exceed the full score.", "over one"),
        help="mixes in a value from the two orders before",
        difference="From order 3 on, mixes in a value predicted from the two orders before.",
        example=(0.248144, 0.560687), rank=28),
    "nltk-method7": _nltk(
        7, "length-average-last", _OVER_ONE, _LAST_SEGMENT, help="method 4, then method 5",
        difference="Method 4, then method 5.", example=(0.282433, 0.606316), rank=12),
    "sacrebleu": _corpus(
        "exp", help="corpus_bleu: tokenizer 13a, smoothing exp",
        example=(24.1178, 57.893), rank=0, averaged=0, is_common=True),
    "sacrebleu-none": _corpus(
        "none", help="the same without smoothing", example=(0, 57.893), rank=31),
    "sacrebleu-floor": _corpus(
        "floor", help="the same with smoothing floor, 0.1", example=(16.1285, 57.893), rank=32),
    "sacrebleu-add-k": _corpus(
        "add-k", help="the same with smoothing add-k, 1", example=(30.8198, 65.1113), rank=33),
    "sacrebleu-sentence": _sentence(
        "exp", help="sentence_bleu: the same with effective order",
        example=(24.1178, 57.893), rank=4, is_common=True, for_sentence=True),
    "sacrebleu-sentence-none": _sentence(
        "none", help="the same without smoothing", example=(0, 57.893), rank=35),
    "sacrebleu-sentence-floor": _sentence(
        "floor", help="the same with smoothing floor, 0.1", example=(16.1285, 57.893), rank=36),
    "sacrebleu-sentence-add-k": _sentence(
        "add-k", help="the same with smoothing add-k, 1", example=(30.8198, 65.1113), rank=37),
    "huggingface-evaluate": _pytorch(
        title="Hugging Face evaluate", help="evaluate's bleu: 13a, shortest reference",
        difference="Tokenizer 13a; the shortest reference’s length counts.",
        example=(0, 0.57893), rank=6,
        settings=_HUGGING_FACE, caveats=(_FAILS,), averaged=0),
    "huggingface-evaluate-smooth": _pytorch(
        title="Hugging Face evaluate, smooth", help="the same, 1 added to every order",
        difference="Adds 1 to matches and total of every order, 1-grams included.",
        example=(0.308198, 0.651113), rank=39,
        settings={**_HUGGING_FACE, "smoothing": "add-k-all", "unmatched": "smoothed"},
        caveats=(_ABOVE_0, _FAILS), is_default=False, averaged=0),
    "torchmetrics": _torch(
        title="torchmetrics BLEUScore", help="BLEUScore: of equally close lengths the first",
        difference=f"O{_FIRST_WINS}; an order without a match makes the score 0, whatever its "
        "weight.",
        example=(0, 0.57893), rank=7, settings=_TORCH, caveats=(_FIRST_LISTED,), averaged=0),
    "torchmetrics-smooth": _torch(
        title="torchmetrics BLEUScore, smooth", help="the same, 1 added from the second order on",
        difference=f"O{_FIRST_WINS}; adds 1 from the second order on, but is 0 as soon as one "
        "order has no match.",
        example=(0, 0.651113), rank=41, settings={**_TORCH, "smoothing": "add-k"},
        caveats=(
            Caveat("Its smoothing never rescues an order without a match.", "an order is empty"),
            _FIRST_LISTED,
        ),
        is_default=False, averaged=0),
    "torchtext": _torch(
        title="torchtext", help="bleu_score, as torchmetrics",
        difference=f"O{_FIRST_WINS}; an order without a match makes the score 0, whatever its "
        "weight.",
        example=(0, 0.57893), rank=16, settings=_TORCH, caveats=(_FIRST_LISTED,), rarity_cost=0.6),
    "torcheval": _torch(
        title="torcheval BLEUScore", help="BLEUScore: the length of the shortest reference",
        difference="The shortest reference’s length counts; N up to 4.",
        example=(0, 0.57893), rank=54,
        settings={"reference_length": "shortest", "too_short": "zero"},
        caveats=(Caveat("It fails where every text is shorter than N tokens.", "too short"),),
        largest_order=4, rarity_cost=0.3),
    "ignite": Convention(
        title="ignite Bleu", help="Bleu, average=micro",
        difference="The paper’s BLEU; by default, its score of a corpus is the mean over sentences "
        "(average=“macro”), and this is average=“micro”.",
        example=(0, 0.57893), rank=55, settings={"too_short": "zero"}, rarity_cost=0.3, averaged=0),
    "mteval-v13a": _mteval(
        title="mteval-v13a", help="NIST's script: 13a, A to Z folded, exp",
        difference="Tokenizer 13a, A to Z folded, smoothing exp; an order that the text is too "
        "short for counts as 1. With smoothing none it is mteval --no-smoothing, where that order "
        "counts 0; with case kept, mteval -c.",
        example=(0.241178, 0.57893), rank=3,
        settings={"tokenizer": "13a", "lowercase": True, "case": "ascii",
                  "empty_side": "mteval-v13a", **_MTEVAL},
        caveats=(
            _ABOVE_0,
            Caveat("It fails where all hypotheses or all references are empty.", "empty"),
        )),
    "mteval-v14": _mteval(
        title="mteval-v14, international", help="the same, international tokens, all folded",
        difference="With --international-tokenization: as mteval-v13a, but other tokens, and all "
        "letters folded.",
        example=(0.241178, 0.57893),
        rank=17, settings={"tokenizer": "mteval-v14", "lowercase": True, **_MTEVAL},
        caveats=(_ABOVE_0,)),
    "multi-bleu": Convention(
        title="multi-bleu.perl", help="Moses' script: case kept, N always 4",
        difference="The paper’s BLEU on a 0–100 scale, N always 4; printed with two decimals.",
        example=(0, 57.893),
        rank=2, settings={"max_order": 4, "too_short": "zero", "empty_side": "multi-bleu"},
        caveats=(Caveat("It fails on an empty hypothesis, unless the reference is empty, too.",
                        "empty"),),
        scale=100, scope="corpora"),
    "moses-sentence": Convention(
        title="Moses sentence-bleu", help="sentence-bleu: 1 added to every order",
        difference="Adds 1 to matches and total of every order, 1-grams included; N always 4.",
        example=(0.360153, 0.651113),
        rank=18, settings={"max_order": 4, "smoothing": "add-k-all", "unmatched": "smoothed"},
        caveats=(_ABOVE_0,), single_precision=True, rarity_cost=0.6, scope="one sentence",
        averaged=0),
    "fairseq": _fairseq(
        title="fairseq", help="one reference, unsmoothed",
        difference="One reference, N up to 4, scale 0–100; an empty line counts as one token, its "
        "end.",
        example=(0, 57.893), rank=8, settings={"too_short": "zero", **_FAIRSEQ}, scope="corpora"),
    "fairseq-sentence": _fairseq(
        title="fairseq, sentence form", help="one reference, 1 added from the second order",
        difference="One reference, N up to 4, scale 0–100; adds 1 from the second order on; an "
        "empty line counts as one token, its end.",
        example=(35.6496, 65.1113),
        rank=48, settings={"smoothing": "add-k", **_FAIRSEQ}, scope="one sentence", averaged=0),
    "tensor2tensor": _mteval(
        title="tensor2tensor", help="one reference, its own tokens, folded, exp",
        difference="One reference, all letters folded, its own international tokenizer, smoothing "
        "exp; an order that the text is too short for counts as 1.",
        example=(0.241178, 0.57893), rank=15,
        settings={"tokenizer": "tensor2tensor", "lowercase": True, "several_references": "refused",
                  **_MTEVAL},
        caveats=(_ABOVE_0,), single_precision=True),
    "coco-caption": Convention(
        title="coco-caption", help="folded; tiny numbers added to counts and lengths",
        difference="Adds 1e−15 to matches and candidate length, and 1e−9 to totals and reference "
        "length; expects texts that the Penn Treebank tokenizer has lowercased and split, without "
        "punctuation.",
        example=(6.05703e-05, 0.57893), rank=14,
        settings={"lowercase": True, "smoothing": "coco-epsilon", "unmatched": "smoothed",
                  "length_padding": "coco"},
        caveats=(Caveat("A score of 0 comes out as a number such as 4.9e−9.", "score 0"),),
        largest_order=4, rarity_cost=0.6, averaged=0),
    "codexglue": Convention(
        title="CodeXGLUE, code summarization", help="code summarization: 1 added from order 2 on",
        difference="Splits off every character that is no letter or digit, case folded; adds 1 "
        "from the second order on, and 1 to both lengths; the mean over sentences is reported.",
        example=(33.1018, 67.3182), rank=56,
        settings={"tokenizer": "codexglue", "lowercase": True, "max_order": 4,
                  "smoothing": "add-k", "reference_length": "shortest", "length_padding": "one"},
        caveats=(
            Caveat("A text without any match scores about 1e−77 instead of 0.", "nothing matches"),
            Caveat("An empty candidate scores e to the power of −r instead of 0.", "empty"),
        ),
        scale=100, largest_order=4, rarity_cost=0.6, scope="one sentence", fixed_tokenizer=True,
        averaged=0),
    "sacrebleu-r": _r(
        title="sacRebleu (R)", help="R's sacRebleu: single-precision weights",
        difference=f"Token ids; o{_FIRST_WINS}; weights in single precision.",
        example=(0, 0.57893), rank=51,
        settings=_R, caveats=(_FIRST_LISTED,)),
    "sacrebleu-r-floor": _r(
        title="sacRebleu (R), floor", help="the same, 0.1 for each segment without a match",
        difference="As sacRebleu; every sentence without a match at an order adds ε = 0.1 matches.",
        example=(0.19154, 0.57893),
        rank=52, settings={**_R, "smoothing": "segment-floor"}, caveats=(_ABOVE_0, _FIRST_LISTED),
        is_default=False),
    "sacrebleu-r-add-k": _r(
        title="sacRebleu (R), add-k", help="the same, a whole k added to every order",
        difference="As sacRebleu; adds a whole k to matches and total of every order, 1-grams "
        "included.",
        example=(0.360153, 0.651113), rank=53, settings={**_R, "smoothing": "add-k-all"},
        caveats=(_ABOVE_0, Caveat("It takes a whole k only.", "k not whole"), _FIRST_LISTED),
        is_default=False, whole_k=True),
}  # fmt: skip
"""Conventions by name, in menu order."""
