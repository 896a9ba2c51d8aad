"""The ways in which texts reach a BLEU: tokens, case, references, and mistakes on the way.

A mistake of this kind changes which tokens are compared with which; every BLEU is then computed
from the counts as ever. Of every reading, the segments are counted once for all conventions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from bleu.core.brevity_penalty import REFERENCE_LENGTHS, Length
from bleu.core.choices import CaseName, TokenizerName
from bleu.core.clipping import clipped_matches, ngram_totals, ngrams
from bleu.core.segment import TokenizedSegment
from bleu.core.settings import Settings
from bleu.core.statistics import SmoothingDetails, Statistics
from bleu.core.tokenizers import Tokens, tokenize

COUNTED_ORDERS: Final = 5
"""Orders that are counted: NLTK's methods 5 and 7 ask for one more than N."""
MANY_REFERENCES: Final = 40
"""References of one segment from which on only what the hypothesis has is looked for in them."""

NLTK_CALL_MISTAKES: Final = ("strings", "string-hypothesis", "string-references", "not-nested",
                  "strings-not-nested")  # fmt: skip
"""Mistakes in what NLTK is handed: strings, or references one list too shallow."""
NESTING_MISTAKES: Final = ("flat-references", "transposed")
"""Mistakes in how references are nested for sacreBLEU."""
ONE_SEGMENT_MISTAKES: Final = ("one-segment", "lines")
"""Mistakes that make one segment of a corpus."""


@dataclass(frozen=True, slots=True)
class ParallelTexts:
    """The segments of a corpus: hypotheses, and of each its references, one or more."""

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.hypotheses)

    @property
    def min_reference_count(self) -> int:
        """The number of references that every segment has at least."""
        return min(map(len, self.references))


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """How texts become tokens, and which are compared.

    - `tokenizer`, `lowercase`, `case`: as in `Settings`.
    - `reference`: the only reference used, counted from 1; 0 is all of them.
    - `mistake`: what went wrong on the way, or nothing.
    - `pretokenizer`: the tokenizer that had split the texts before, for `tokenized-twice`.
    """

    tokenizer: TokenizerName
    lowercase: bool = False
    case: CaseName = "all"
    reference: int = 0
    mistake: str = ""
    pretokenizer: TokenizerName = "none"

    def tokens(self, text: str) -> Tokens:
        """The tokens of one text."""
        if self.mistake == "tokenized-twice":
            text = " ".join(map(str, tokenize(text, self.pretokenizer)))
        return tokenize(text, self.tokenizer, lowercase=self.lowercase, case=self.case)

    def characters(self, text: str) -> Tokens:
        """Every character of one text, white space too."""
        return tuple(text.lower() if self.lowercase else text)

    def segments(self, texts: ParallelTexts) -> Iterator[TokenizedSegment]:
        """The tokens that are compared, segment by segment."""
        pairs = zip(texts.hypotheses, map(self._select_references, texts.references), strict=True)
        match self.mistake:
            case "one-segment":
                yield self._one_segment(texts)
            case "lines":
                columns = zip(*map(self._select_references, texts.references), strict=True)
                yield texts.hypotheses, tuple(columns)
            case "flat-references" | "transposed":
                yield from self._misnested_segments(texts)
            case _:
                for hypothesis, references in pairs:
                    yield self._segment(hypothesis, references)

    def _select_references(self, references: tuple[str, ...]) -> tuple[str, ...]:
        return (references[self.reference - 1],) if self.reference else references

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
            case "not-nested":  # every word of the reference is taken for a reference
                return tokens(hypothesis), _deduplicate(map(tuple, map(str, tokens(references[0]))))
            case "strings-not-nested":  # every character is
                return characters(hypothesis), _deduplicate((c,) for c in characters(references[0]))
        return tokens(hypothesis), tuple(map(tokens, references))

    def _one_segment(self, texts: ParallelTexts) -> TokenizedSegment:
        columns = zip(*map(self._select_references, texts.references), strict=True)
        whole, *others = (
            tuple(token for line in lines for token in self.tokens(line))
            for lines in (texts.hypotheses, *columns)
        )
        return whole, tuple(others)

    def _misnested_segments(self, texts: ParallelTexts) -> Iterator[TokenizedSegment]:
        """What sacreBLEU's zip makes of references that are nested in another way.

        One flat list: each reference is taken for a stream of references, a character a segment.
        A list for each segment: each is taken for a stream; of all, the first few are compared.
        """
        streams: Sequence[Sequence[str]] = [
            self._select_references(own) for own in texts.references
        ]
        if self.mistake == "flat-references":
            streams = [own[0] for own in streams]
        for hypothesis, *columns in zip(texts.hypotheses, *streams, strict=False):
            yield self.tokens(hypothesis), _deduplicate(map(self.tokens, columns))


def _deduplicate(references: Iterator[Tokens]) -> tuple[Tokens, ...]:
    """References without their repetitions, which change neither counts nor lengths."""
    return tuple(dict.fromkeys(references))


@dataclass(frozen=True, slots=True)
class SegmentCounts:
    """What is counted of a segment or a corpus for all settings at once; it adds up.

    Orders 1 to `COUNTED_ORDERS`; the reference length by every rule; what NLTK takes from the last
    segment; and the segments with an empty hypothesis, with an empty first reference, and with
    both, in which fairseq counts a token for the end.
    """

    matched: tuple[int, ...]
    total: tuple[int, ...]
    length: int
    reference_lengths: tuple[Length, ...]
    too_short: tuple[int, ...]
    no_match: tuple[int, ...]
    last_matched: tuple[int, ...]
    last_total: tuple[int, ...]
    empty: tuple[int, ...]

    @classmethod
    def from_tokens(cls, texts: TokenizedSegment) -> Self:
        """The counts of one segment.

        >>> tally = SegmentCounts.from_tokens((("a", "b", "c"), (("a", "b"), ("a", "b", "x", "y"))))
        >>> tally.matched[:2], dict(zip(REFERENCE_LENGTHS, tally.reference_lengths))["closest"]
        ((2, 1), 2)
        """
        hypothesis, references = texts
        matched = tuple(_clipped_matches(hypothesis, references))
        total = ngram_totals(len(hypothesis), COUNTED_ORDERS)
        lengths = list(map(len, references))
        by_rule = tuple(rule(len(hypothesis), lengths) for rule in REFERENCE_LENGTHS.values())
        too_short = tuple(int(not one) for one in total)
        no_match = tuple(int(not one) for one in matched)
        own, first = int(not hypothesis), int(not references[0])
        empty = own, first, own & first
        return cls(
            matched, total, len(hypothesis), by_rule, too_short, no_match, matched, total, empty
        )

    @classmethod
    def sum(cls, parts: Sequence["SegmentCounts"]) -> Self:
        """The sums over one segment or more, and of the last what it says itself.

        >>> tally = SegmentCounts.from_tokens((("a", "b"), (("a",),)))
        >>> SegmentCounts.sum([tally, tally]).total
        (4, 2, 0, 0, 0)
        """
        last = parts[-1]
        return cls(
            _sums(part.matched for part in parts),
            _sums(part.total for part in parts),
            sum(part.length for part in parts),
            tuple(map(sum, zip(*(part.reference_lengths for part in parts), strict=True))),
            _sums(part.too_short for part in parts),
            _sums(part.no_match for part in parts),
            last.last_matched,
            last.last_total,
            _sums(part.empty for part in parts),
        )

    def statistics(self, settings: Settings) -> Statistics:
        """The statistics that these settings ask for, of at most `COUNTED_ORDERS` - 1 orders.

        >>> from bleu import segment_statistics
        >>> settings = Settings(max_order=2, too_short="zero-of-one")
        >>> tally = SegmentCounts.from_tokens((("a", "b"), (("a", "b"),)))
        >>> tally.statistics(settings) == segment_statistics("a b", ["a b"], settings)
        True
        """
        n = settings.max_order
        rule = list(REFERENCE_LENGTHS).index(settings.reference_length)
        details = None
        if settings.detailed:
            details = SmoothingDetails(
                self.too_short[:n],
                self.no_match[:n],
                (self.matched[4], self.total[4]),
                (self.last_matched[4], self.last_total[4]),
                self.last_total[:n],
            )
        own, first, both = self.empty if settings.empty_text == "end-token" else (0, 0, 0)
        return Statistics(
            (self.matched[0] + both, *self.matched[1:n]),
            (self.total[0] + own, *self.total[1:n]),
            self.length + own,
            self.reference_lengths[rule] + first,
            details,
        )


def _sums(rows: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def _clipped_matches(hypothesis: Tokens, references: tuple[Tokens, ...]) -> list[int]:
    """`clipped_matches`, in a time that grows with the references, not with their square."""
    if len(references) < MANY_REFERENCES:
        return clipped_matches(hypothesis, references, COUNTED_ORDERS)
    found = []
    for n in range(1, COUNTED_ORDERS + 1):
        own = Counter(ngrams(hypothesis, n))
        most: dict[Tokens, int] = {}
        for reference in references:
            for ngram, times in Counter(ngrams(reference, n)).items():
                if times > most.get(ngram, 0) and ngram in own:
                    most[ngram] = times
        found.append(sum(min(own[ngram], times) for ngram, times in most.items()))
    return found
