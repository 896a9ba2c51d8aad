"""What a person should know about the files of a corpus, found while they are read."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from bleu.analysis.diagnosis import SPLITS, TOKENIZED
from bleu.core.settings import Settings

TOKENIZED_WARNING_LINES: Final = 100
"""Lines that end in a tokenized period, from which on sacreBLEU warns."""
MIN_LINES: Final = 10
"""Lines from which on a share of them says something."""
SPLITS_CHINESE: Final = {"zh", "zh-corrected"}
KANA_AND_THAI: Final = "\u3040-\u30ff\u0e00-\u0e7f"
UNSPLIT: Final = rf"[{KANA_AND_THAI}\u3400-\u9fff\U00020000-\U000323af]{{4}}"
"""Chinese, Japanese or Thai without a space."""
_REFERENCE: Final = re.compile(r"(?:^|[\W_])(?:refs?|references?|gold)(?:[\W_\d]|$)", re.IGNORECASE)
_SYSTEM: Final = re.compile(
    r"(?:^|[\W_])(?:hyps?|hypothes[ie]s|sys|systems?|output|outputs|pred|preds|predictions?|mt)"
    r"(?:[\W_\d]|$)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class CorpusNotes:
    """Counts what is remarkable in the lines of a corpus, line by line.

    >>> notes = CorpusNotes(Settings(tokenizer="13a"), ["system.txt"], ["reference.txt"])
    >>> for _ in range(100):
    ...     notes.add(["It is so ."])
    >>> notes.messages()[0].split(":")[0]
    '100 of 100 lines look already tokenized, and are tokenized again'
    """

    settings: Settings
    systems: Sequence[str]
    references: Sequence[str]
    lines: int = 0
    periods: int = 0
    tokenized: int = 0
    unsplit: int = 0

    def add(self, hypotheses: Iterable[str]) -> None:
        """Look at the hypotheses of one segment."""
        tokenizer = self.settings.tokenizer
        splits = tokenizer in SPLITS
        unsplit = rf"[{KANA_AND_THAI}]{{4}}" if tokenizer in SPLITS_CHINESE else UNSPLIT
        for line in hypotheses:
            self.lines += 1
            if splits:
                self.periods += line.endswith(" .")
                self.tokenized += bool(re.search(TOKENIZED, line))
            if not line.isascii() and tokenizer != "char":
                self.unsplit += bool(re.search(unsplit, line))

    def messages(
        self,
        plain: str = "--tokenizer none",
        characters: str = "--tokenizer char, or zh for Chinese",
    ) -> list[str]:
        """What there is to say, the gravest first.

        `plain` and `characters` are what to choose for text that is tokenized already, and for
        text without spaces.
        """
        notes = self._swapped(), self._tokenized(plain), self._unsplit(characters)
        return [note for note in notes if note]

    def _swapped(self) -> str:
        for system in self.systems:
            for reference in self.references:
                one, other = PurePath(system).name, PurePath(reference).name
                named = _REFERENCE.search(one) and not _SYSTEM.search(one)
                if named and not _REFERENCE.search(other):
                    return (
                        f"by its name, {one} is a reference, and it is scored against {other}: "
                        "are they swapped?"
                    )
        return ""

    def _tokenized(self, plain: str) -> str:
        many = self.tokenized >= MIN_LINES and 2 * self.tokenized > self.lines
        if self.periods < TOKENIZED_WARNING_LINES and not many:
            return ""
        return (
            f"{self.tokenized:,} of {self.lines:,} lines look already tokenized, and are "
            f"tokenized again: give detokenized text, or choose {plain}"
        )

    def _unsplit(self, characters: str) -> str:
        if 2 * self.unsplit <= self.lines:
            return ""
        chinese = "" if self.settings.tokenizer in SPLITS_CHINESE else "Chinese, "
        return (
            f"{self.unsplit:,} of {self.lines:,} lines have {chinese}Japanese or Thai without "
            f"spaces, which the tokenizer {self.settings.tokenizer} does not split: choose "
            f"{characters}"
        )
