"""Findings: faults of the input by name, with their lines, their cost and their remedy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

FAULTS: Final[Mapping[str, str]] = {
    "markup": "SGML or XML read as text",
    "json": "JSON read as text",
    "table": "delimited columns read as text",
    "misaligned": "lines shifted against the other side",
    "shuffled": "lines in an order unrelated to the other side",
    "length-mismatch": "different numbers of lines",
    "escapes": "escapes of HTML, XML or Moses",
    "normalization": "composed and decomposed accents",
    "bom": "a byte order mark",
    "invisible": "characters without width",
    "punctuation": "forms of quotes, dashes and ellipses",
    "compatibility": "ligatures, full-width forms and the like",
    "case": "upper and lower case",
    "tokenized": "text that is already tokenized",
    "subwords": "marks of subwords",
    "special-tokens": "special tokens of models",
    "script": "a script without spaces",
    "other-language": "another script than the reference, or the source itself",
    "chatter": "words around the translation",
    "truncated": "texts cut off",
    "repetition": "loops, or the same output again and again",
    "empty": "empty lines",
    "identical": "the same text twice",
    "encoding": "text decoded wrongly",
    "line-ends": "line ends of old Macs",
}
"""The names of faults with a description, in the order in which they claim characters."""


@dataclass(frozen=True, slots=True)
class Example:
    """A line with a fault: its number, from 1, and its text with the differing parts visible."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A likely fault of the input in one sentence, and the action that corrects it.

    - `action`: `repair:NAME`, `tokenizer:NAME`, `lowercase`, `swap`, `tokens`, `words`, or ""
      without a remedy; `label` names the action for users.
    - `name`: the fault in `FAULTS`, or "" if it concerns one segment only.
    - `side`: `hypotheses`, `references`, `both`, or "".
    - `segments`: the number of lines with the fault; `examples`: up to three of them.
    - `score`, `score_without`: the score in [0, 1] as it is, and with this fault alone undone; None
      if it has no score or cannot be undone. If `is_sampled`, both are those of a sample of lines.
    """

    message: str
    action: str = ""
    label: str = ""
    name: str = ""
    side: str = ""
    segments: int = 0
    examples: tuple[Example, ...] = ()
    score: float | None = None
    score_without: float | None = None
    is_sampled: bool = False

    def __str__(self) -> str:
        """Return the message."""
        return self.message

    @property
    def cost(self) -> float | None:
        """The score in [0, 1] that the fault costs, or None if it cannot be undone."""
        if self.score is None or self.score_without is None:
            return None
        return self.score_without - self.score
