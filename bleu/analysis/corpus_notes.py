"""Notes on likely faults of a corpus, collected while its lines are read."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from bleu.analysis.diagnosis import TOKENIZED_PATTERN, UNSPACED_UNSPLIT, WHITESPACE_TOKENIZERS
from bleu.core.settings import Settings

TOKENIZED_WARNING_LINES: Final = 100
"""The number of lines ending in a tokenized period from which sacreBLEU warns."""
MIN_LINES: Final = 10
"""The number of lines from which their share in the corpus is meaningful."""
CHINESE_TOKENIZERS: Final = {"zh", "zh-corrected"}
KANA_AND_THAI: Final = "\u3040-\u30ff\u0e00-\u0e7f"
UNSPLIT_PATTERN: Final = rf"[{KANA_AND_THAI}\u3400-\u9fff\U00020000-\U000323af]{{4}}"
"""A pattern for Chinese, Japanese or Thai without spaces."""
_REFERENCE_NAME: Final = re.compile(
    r"(?:^|[\W_])(?:refs?|references?|gold)(?:[\W_\d]|$)", re.IGNORECASE
)
_SYSTEM_NAME: Final = re.compile(
    r"(?:^|[\W_])(?:hyps?|hypothes[ie]s|sys|systems?|output|outputs|pred|preds|predictions?|mt)"
    r"(?:[\W_\d]|$)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class CorpusNotes:
    """Counts of suspicious lines of a corpus, and the notes that follow from them.

    `systems` and `references` are file names.

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
        """Count the hypotheses of one segment."""
        tokenizer = self.settings.tokenizer
        splits = tokenizer not in WHITESPACE_TOKENIZERS
        unsplit = UNSPLIT_PATTERN
        if tokenizer in CHINESE_TOKENIZERS:
            unsplit = rf"[{KANA_AND_THAI}]{{4}}"
        for line in hypotheses:
            self.lines += 1
            if splits:
                self.periods += line.endswith(" .")
                self.tokenized += bool(re.search(TOKENIZED_PATTERN, line))
            if not line.isascii() and tokenizer in UNSPACED_UNSPLIT | CHINESE_TOKENIZERS:
                self.unsplit += bool(re.search(unsplit, line))

    def messages(
        self,
        plain: str = "--tokenizer none",
        characters: str = "--tokenizer char, or zh for Chinese",
    ) -> list[str]:
        """Return the notes, the most serious first.

        `plain` and `characters` are the advice for text that is already tokenized, and for text
        without spaces.
        """
        notes = self._swapped_note(), self._tokenized_note(plain), self._unsplit_note(characters)
        return [note for note in notes if note]

    def _swapped_note(self) -> str:
        for system_path in self.systems:
            for reference_path in self.references:
                system, reference = PurePath(system_path).name, PurePath(reference_path).name
                is_reference = _REFERENCE_NAME.search(system) and not _SYSTEM_NAME.search(system)
                if is_reference and not _REFERENCE_NAME.search(reference):
                    return (
                        f"by its name, {system} is a reference, and it is scored against "
                        f"{reference}: are they swapped?"
                    )
        return ""

    def _tokenized_note(self, plain: str) -> str:
        is_majority = self.tokenized >= MIN_LINES and 2 * self.tokenized > self.lines
        if self.periods < TOKENIZED_WARNING_LINES and not is_majority:
            return ""
        return (
            f"{self.tokenized:,} of {self.lines:,} lines look already tokenized, and are "
            f"tokenized again: give detokenized text, or choose {plain}"
        )

    def _unsplit_note(self, characters: str) -> str:
        if 2 * self.unsplit <= self.lines:
            return ""
        chinese = "" if self.settings.tokenizer in CHINESE_TOKENIZERS else "Chinese, "
        return (
            f"{self.unsplit:,} of {self.lines:,} lines have {chinese}Japanese or Thai without "
            f"spaces, which the tokenizer {self.settings.tokenizer} does not split: choose "
            f"{characters}"
        )
