"""The ways from texts to tokens: tokenizers, case, choice of references, and mistakes.

These mistakes change only which tokens are compared; BLEU is computed from their counts as usual.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from bleu.core.choices import CaseName, TokenizerChoice, TokenizerName
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.segment import TokenizedSegment
from bleu.core.tokenizers import PRIVATE_TOKENIZERS, TOKENIZERS, Tokens, tokenize

NLTK_CALL_MISTAKES: Final = (
    "strings", "string-hypothesis", "string-references", "not-nested", "strings-not-nested",
)  # fmt: skip
"""Mistakes in the arguments of NLTK: strings instead of tokens, or references not in a list."""
NESTING_MISTAKES: Final = ("flat-references", "transposed")
"""Mistakes in the nesting of references for sacreBLEU."""
_PUNCTUATION: Final = re.compile(r"[^\w\s]")
ONE_SEGMENT_MISTAKES: Final = ("one-segment", "lines")
"""Mistakes that turn a corpus into one segment."""

TRIED_TOKENIZERS: Final = sorted(
    (name for name, record in TOKENIZERS.items() if record.rank),
    key=lambda name: TOKENIZERS[name].rank,
)
"""The tokenizers tried with every convention."""


@dataclass(frozen=True, slots=True)
class ParallelTexts:
    """The segments of a corpus: hypotheses, and one or more references of each."""

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.hypotheses)

    @property
    def min_reference_count(self) -> int:
        """The smallest number of references of any segment."""
        return min(map(len, self.references))

    @property
    def max_reference_count(self) -> int:
        """The largest number of references of any segment."""
        return max(map(len, self.references))


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """One way from texts to the tokens that are compared.

    - `tokenizer`, `lowercase`, `case`: as in `Settings`.
    - `reference`: the number of the only reference used, from 1; 0 for all of them.
    - `mistake`: the name of a mistake, described in `bleu.explanation.which`, or "".
    - `pretokenizer`: for the mistake `tokenized-twice`, the tokenizer that split the texts first.
    """

    tokenizer: TokenizerChoice
    lowercase: bool = False
    case: CaseName = "all"
    reference: int = 0
    mistake: str = ""
    pretokenizer: TokenizerName = "none"

    def tokens(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        if self.mistake == "tokenized-twice":
            text = " ".join(map(str, tokenize(text, self.pretokenizer)))
        elif self.mistake == "no-punctuation":
            text = _PUNCTUATION.sub("", text)
        return tokenize(text, self.tokenizer, lowercase=self.lowercase, case=self.case)

    def characters(self, text: str) -> Tokens:
        """Return the characters of a text, white space included."""
        return tuple(text.lower() if self.lowercase else text)

    def _line_token(self, text: str) -> Tokens:
        return (text.lower() if self.lowercase else text,)

    def segments(self, texts: ParallelTexts) -> Iterator[TokenizedSegment]:
        """Yield the tokens that are compared, segment by segment."""
        match self.mistake:
            case "one-segment" | "lines":
                yield self._one_segment(texts)
            case "flat-references" | "transposed":
                yield from self._misnested_segments(texts)
            case _:
                for hypothesis, references in zip(texts.hypotheses, texts.references, strict=True):
                    yield self._segment(hypothesis, self._select_references(references))

    def _select_references(self, references: tuple[str, ...]) -> tuple[str, ...]:
        return (references[self.reference - 1],) if self.reference else references

    def _reference_columns(self, texts: ParallelTexts) -> Iterator[tuple[str, ...]]:
        """Yield the first references of all segments, then the second ones, and so on."""
        return zip(*map(self._select_references, texts.references), strict=True)

    def _segment(self, hypothesis: str, references: tuple[str, ...]) -> TokenizedSegment:
        tokens, characters = self.tokens, self.characters
        match self.mistake:
            case "swapped":
                return tokens(references[0]), (tokens(hypothesis),)
            case "strings":
                return characters(hypothesis), tuple(map(characters, references))
            case "string-hypothesis":
                return characters(hypothesis), tuple(map(tokens, references))
            case "string-references":
                return tokens(hypothesis), tuple(map(characters, references))
            case "not-nested":  # NLTK takes each word of the reference for a reference
                return tokens(hypothesis), _deduplicate(map(tuple, map(str, tokens(references[0]))))
            case "strings-not-nested":  # NLTK takes each character for a reference
                return characters(hypothesis), _deduplicate((c,) for c in characters(references[0]))
        return tokens(hypothesis), tuple(map(tokens, references))

    def _one_segment(self, texts: ParallelTexts) -> TokenizedSegment:
        split = self._line_token if self.mistake == "lines" else self.tokens
        hypothesis, *references = (
            tuple(token for line in lines for token in split(line))
            for lines in (texts.hypotheses, *self._reference_columns(texts))
        )
        return hypothesis, tuple(references)

    def _misnested_segments(self, texts: ParallelTexts) -> Iterator[TokenizedSegment]:
        """Yield the segments that sacreBLEU's `zip` makes of wrongly nested references.

        In a flat list, it takes each reference for a stream with one character per segment. In a
        list per segment, it takes each list for a stream, so only the first segments are compared.
        """
        streams: Sequence[Sequence[str]] = [
            self._select_references(references) for references in texts.references
        ]
        if self.mistake == "flat-references":
            streams = [references[0] for references in streams]
        for hypothesis, *references in zip(texts.hypotheses, *streams, strict=False):
            yield self.tokens(hypothesis), _deduplicate(map(self.tokens, references))


def _deduplicate(references: Iterable[Tokens]) -> tuple[Tokens, ...]:
    """Drop repeated references, which change neither counts nor lengths."""
    return tuple(dict.fromkeys(references))


def preprocessings(
    texts: ParallelTexts, tokenizers: Sequence[Tokenizer] = ()
) -> list[Preprocessing]:
    """Return all preprocessings that are tried for these texts, the likeliest first.

    `tokenizers` are tried in addition to the library's.

    >>> tried = preprocessings(ParallelTexts(("a b",), (("a c", "a d"),)))
    >>> tried[0].tokenizer, tried[0].mistake
    ('13a', '')
    >>> sorted({preprocessing.reference for preprocessing in tried})
    [0, 1, 2]
    """
    reference_numbers: Sequence[int] = (0,)
    if texts.max_reference_count > 1:
        reference_numbers = range(1, texts.min_reference_count + 1)
    correct = _faultless_preprocessings(texts, tokenizers)
    tried = [
        replace(base, reference=number)
        for number in dict.fromkeys((0, *reference_numbers))
        for base in correct
    ]
    if any(map(_PUNCTUATION.search, chain(texts.hypotheses, *texts.references))):
        tried.append(Preprocessing("whitespace", True, mistake="no-punctuation"))
    for base in correct[: 2 * len(TRIED_TOKENIZERS)]:
        for mistake, is_single in _mistakes(base.tokenizer, texts):
            pretokenizers: Sequence[TokenizerName] = ("none",)
            if mistake == "tokenized-twice":
                pretokenizers = ("13a", "intl")
            tried += [
                replace(base, reference=number, mistake=mistake, pretokenizer=pretokenizer)
                for number in (reference_numbers if is_single else (0,))
                for pretokenizer in pretokenizers
            ]
    return list(dict.fromkeys(tried))


def _faultless_preprocessings(
    texts: ParallelTexts, tokenizers: Sequence[Tokenizer]
) -> list[Preprocessing]:
    """Return the preprocessings without a mistake; those of `TRIED_TOKENIZERS` come first."""
    correct = [
        *(
            Preprocessing(tokenizer, lowercase)
            for lowercase in (False, True)
            for tokenizer in TRIED_TOKENIZERS
        ),
        Preprocessing("13a", True, "ascii"),
        *(
            Preprocessing(tokenizer, lowercase)
            for tokenizer in PRIVATE_TOKENIZERS
            for lowercase in (True, False)
        ),
    ]
    if not all(text.isascii() for text in texts.hypotheses):
        correct.append(Preprocessing("zh-corrected"))
    for lowercase in (False, True):
        correct += (Preprocessing(tokenizer, lowercase) for tokenizer in tokenizers)
    return correct


def _mistakes(tokenizer: TokenizerChoice, texts: ParallelTexts) -> Iterator[tuple[str, bool]]:
    """Yield each mistake tried with a tokenizer, and whether it involves only one reference."""
    yield "swapped", True
    if tokenizer == "whitespace":
        yield from (("not-nested", True), ("strings-not-nested", True))
        yield from (("strings", False), ("string-hypothesis", False), ("string-references", False))
    elif tokenizer == "13a":
        yield "tokenized-twice", False
    else:
        return
    if texts.size > 1 or texts.min_reference_count > 1:
        yield "flat-references", True
    if texts.size > 1:
        yield "transposed", False
        if texts.min_reference_count == texts.max_reference_count:
            yield "one-segment", False
            if tokenizer == "whitespace":
                yield "lines", False
