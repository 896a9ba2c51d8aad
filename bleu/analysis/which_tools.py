"""How the tools are used: the facts and priors behind the search for a number."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Tool:
    """How a convention's tool is used.

    - `rank`: its popularity; lower is more popular, and gaps are allowed.
    - `rarity_cost`: the cost of a program that is rarely used, or of a definition without one.
    - `library`: the Python or R package that it belongs to, or "".
    - `scope`: whether it is meant for sentences or for corpora; `one sentence` means that it
      cannot score a corpus.
    - `is_default`: whether the tool follows the convention without any option.
    - `fixed_tokenizer`: whether it always splits the texts itself.
    - `uses_zero_weights`: whether an order of weight 0 changes its score.
    - `averaged`: the largest number of departures from its defaults with which its mean over
      sentences is tried: 0 for scores that take long to compute, and -1 if no mean is tried. A
      choice of weights may be one departure more.
    """

    rank: int
    rarity_cost: float = 0.0
    library: Literal["", "nltk", "sacrebleu", "R"] = ""
    scope: Literal["any", "sentences", "one sentence", "corpora"] = "any"
    is_default: bool = True
    fixed_tokenizer: bool = False
    uses_zero_weights: bool = False
    averaged: int = -1


_nltk: Final = partial(Tool, library="nltk", is_default=False, averaged=1)
_nltk_mixing_orders: Final = partial(_nltk, uses_zero_weights=True, averaged=0)
_sacrebleu: Final = partial(Tool, library="sacrebleu", scope="corpora", is_default=False)
_sacrebleu_sentence: Final = partial(_sacrebleu, scope="sentences", averaged=1)
_mteval: Final = partial(Tool, rarity_cost=0.6, scope="corpora", fixed_tokenizer=True)

TOOLS: Final[Mapping[str, Tool]] = {
    "default": Tool(20, rarity_cost=1.2),
    "papineni": Tool(19, rarity_cost=1.2),
    "nltk-method0": _nltk(1, is_default=True),
    "nltk-method1": _nltk(5),
    "nltk-method2": _nltk(11),
    "nltk-method3": _nltk(10),
    "nltk-method4": _nltk(9),
    "nltk-method5": _nltk_mixing_orders(13),
    "nltk-method6": _nltk_mixing_orders(28),
    "nltk-method7": _nltk_mixing_orders(12),
    "sacrebleu": _sacrebleu(0, averaged=0, is_default=True),
    "sacrebleu-none": _sacrebleu(31),
    "sacrebleu-floor": _sacrebleu(32),
    "sacrebleu-add-k": _sacrebleu(33),
    "sacrebleu-sentence": _sacrebleu_sentence(4, is_default=True),
    "sacrebleu-sentence-none": _sacrebleu_sentence(35),
    "sacrebleu-sentence-floor": _sacrebleu_sentence(36),
    "sacrebleu-sentence-add-k": _sacrebleu_sentence(37),
    "huggingface-evaluate": Tool(6, averaged=0),
    "huggingface-evaluate-smooth": Tool(39, is_default=False, averaged=0),
    "torchmetrics": Tool(7, averaged=0),
    "torchmetrics-smooth": Tool(41, is_default=False, averaged=0),
    "torchtext": Tool(16, rarity_cost=0.6),
    "torcheval": Tool(54, rarity_cost=0.3),
    "ignite": Tool(55, rarity_cost=0.3, averaged=0),
    "mteval-v13a": _mteval(3),
    "mteval-v14": _mteval(17),
    "multi-bleu": Tool(2, scope="corpora"),
    "moses-sentence": Tool(18, rarity_cost=0.6, scope="one sentence", averaged=0),
    "fairseq": Tool(8, scope="corpora"),
    "fairseq-sentence": Tool(48, scope="one sentence", averaged=0),
    "tensor2tensor": _mteval(15),
    "coco-caption": Tool(14, rarity_cost=0.6, averaged=0),
    "codexglue": Tool(56, rarity_cost=0.6, scope="one sentence", fixed_tokenizer=True, averaged=0),
    "sacrebleu-r": Tool(51, library="R", scope="corpora"),
    "sacrebleu-r-floor": Tool(52, library="R", scope="corpora", is_default=False),
    "sacrebleu-r-add-k": Tool(53, library="R", scope="corpora", is_default=False),
}
"""The tools by the names of their conventions, in menu order."""
