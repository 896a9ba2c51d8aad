"""The kinds of exercise, one record each: texts, fields, question, grading and hints."""

from collections.abc import Mapping
from typing import Final

from bleu.learn.kinds.bet import BET
from bleu.learn.kinds.calculation import CORPUS, MISTAKE, REFERENCES, STEP, TOTALS, WHOLE
from bleu.learn.kinds.claim import CLAIM
from bleu.learn.kinds.kind import Kind
from bleu.learn.kinds.make import MAKE
from bleu.learn.kinds.mark import MARK
from bleu.learn.kinds.order import ORDER

_ALL: Final = (BET, MARK, STEP, WHOLE, MISTAKE, MAKE, ORDER, CORPUS, TOTALS, REFERENCES, CLAIM)

KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _ALL}
"""All kinds by name."""

_BY_TOPIC: Final = {
    "tokens": (STEP, BET),
    "clipping": (STEP, BET, MARK, MISTAKE, MAKE),
    "precision": (STEP, BET, MISTAKE, MAKE),
    "combination": (STEP, BET, ORDER, MAKE),
    "brevity": (STEP, BET, MISTAKE, MAKE, ORDER),
    "corpus": (CORPUS, BET, TOTALS, REFERENCES),
    "whole": (WHOLE, MISTAKE),
    "trust": (CLAIM,),
}
KINDS_BY_TOPIC: Final = {
    topic: tuple(kind.name for kind in kinds) for topic, kinds in _BY_TOPIC.items()
}
"""The names of the kinds of exercise on each topic."""
