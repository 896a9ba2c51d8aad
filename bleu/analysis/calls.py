"""Mistakes on the way from texts to a reported number, and the ways to tokens that are tried.

A mistake of a `Preprocessing` changes only which tokens are compared; BLEU is computed from their
counts as usual.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from bleu.core.choices import CaseName, TokenizerChoice, TokenizerName
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.segment import TokenizedSegment
from bleu.core.settings import Settings
from bleu.core.tokenizers import PRIVATE_TOKENIZERS, TOKENIZERS, Tokens, tokenize
from bleu.files.parallel import ParallelTexts
from bleu.metric.smoothings import SMOOTHINGS

OLD_NLTK: Final = "nltk-3.2"
"""The name of NLTK 3.2 to 3.2.5 among the mistakes."""
TRIED_TOKENIZERS: Final = tuple(
    sorted(
        (name for name, tokenizer in TOKENIZERS.items() if tokenizer.rank),
        key=lambda name: TOKENIZERS[name].rank,
    )
)
"""The tokenizers tried with every convention."""
PUNCTUATION: Final = re.compile(r"[^\w\s]")

Split = Callable[[str], Tokens]
Rows = Sequence[Sequence[str]]
"""The references of each segment."""
_TOKENS: Final = "[{h_tokens} for h in hypotheses]"
_STRINGS: Final = "[{h} for h in hypotheses]"
_REFERENCE_TOKENS: Final = "[[{r_tokens} for r in refs] for refs in references]"
_REFERENCE_STRINGS: Final = "[[{r} for r in refs] for refs in references]"
COUNT_SETTINGS: Final = Settings(
    smoothing=next(name for name, smoothing in SMOOTHINGS.items() if smoothing.by_last_segment)
)
"""Settings that count orders 1 to 4, and the 5-grams that NLTK's methods 5 and 7 need."""
MAX_ORDER: Final = COUNT_SETTINGS.max_order


def _can_be_joined(texts: ParallelTexts) -> bool:
    return texts.size > 1 and texts.min_reference_count == texts.max_reference_count


def _misnested(
    tokens: Split, _: Split, hypotheses: Sequence[str], streams: Rows
) -> Iterator[TokenizedSegment]:
    """Yield what sacreBLEU's `zip` makes of streams; it drops segments beyond the shortest."""
    for hypothesis, *references in zip(hypotheses, *streams, strict=False):
        yield tokens(hypothesis), _distinct(map(tokens, references))


def _flat(
    tokens: Split, _: Split, hypotheses: Sequence[str], rows: Rows
) -> Iterator[TokenizedSegment]:
    """Take each reference for a stream with one character for each segment, as sacreBLEU does."""
    return _misnested(tokens, _, hypotheses, [references[0] for references in rows])


def _one_segment(
    tokens: Split, _: Split, hypotheses: Sequence[str], rows: Rows
) -> Iterator[TokenizedSegment]:
    hypothesis, *references = (
        tuple(chain.from_iterable(map(tokens, lines)))
        for lines in (hypotheses, *zip(*rows, strict=True))
    )
    yield hypothesis, tuple(references)


def _lines(
    _: Split, characters: Split, hypotheses: Sequence[str], rows: Rows
) -> Iterator[TokenizedSegment]:
    return _one_segment(lambda line: ("".join(map(str, characters(line))),), _, hypotheses, rows)


def _distinct(references: Iterable[Tokens]) -> tuple[Tokens, ...]:
    """Drop repeated references, which change neither counts nor lengths."""
    return tuple(dict.fromkeys(references))


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMistake:
    """A mistake on the way from texts to a number.

    - `sentence`: what happened; `label`: a phrase after the name of a way, or "" if that says it.
    - `library`: the library in whose calls it happens, or "".
    - `edit`: the change of a text before it is split; it gets the tokenizer that split it first.
    - `segment`: what is compared for a segment; it gets the two ways to split a text, into tokens
      and into characters, and the texts.
    - `read`: the same for all segments at once, from the references of each, or None.
    - `tokenizers`: those that it is tried with; `pretokenizers`: those that split the texts first.
    - `suits`: whether it can happen with these texts.
    - `single_reference`: whether it involves one reference alone; `one_segment`: whether it makes
      one segment of a corpus; `averaged`: whether the mean of sentence scores is tried with it.
    - `code`: lines that make it in the texts, before any library gets them; `nltk`: expressions for
      the hypotheses and references that NLTK gets; `streams`: one for those that sacreBLEU gets.
    """

    sentence: str
    label: str
    library: str = ""
    edit: Callable[[str, TokenizerName], str] = lambda text, _: text
    segment: Callable[[Split, Split, str, Sequence[str]], TokenizedSegment] = (
        lambda tokens, _, hypothesis, refs: (tokens(hypothesis), tuple(map(tokens, refs)))
    )
    read: Callable[[Split, Split, Sequence[str], Rows], Iterator[TokenizedSegment]] | None = None
    tokenizers: tuple[TokenizerName, ...] = ()
    pretokenizers: tuple[TokenizerName, ...] = ("none",)
    suits: Callable[[ParallelTexts], bool] = lambda _: True
    single_reference: bool = False
    one_segment: bool = False
    averaged: bool = False
    code: tuple[str, ...] = ()
    nltk: tuple[str, str] = (_TOKENS, _REFERENCE_TOKENS)
    streams: str = "list(zip_longest(*references))"


MISTAKES: Final[Mapping[str, CallMistake]] = {
    "": CallMistake(sentence="", label="", averaged=True),
    "swapped": CallMistake(
        sentence="Candidate and reference are swapped.",
        label="with candidate and reference swapped",
        segment=lambda tokens, _, hypothesis, refs: (tokens(refs[0]), (tokens(hypothesis),)),
        tokenizers=TRIED_TOKENIZERS, single_reference=True, averaged=True,
        code=("hypotheses, references = [refs[0] for refs in references], "
              "[[h] for h in hypotheses]",)),
    "not-nested": CallMistake(
        sentence="NLTK was given one reference instead of a list of references, so every word "
        "counts as a reference, with its letters as tokens.",
        label="with one reference instead of a list",
        segment=lambda tokens, _, hypothesis, refs: (
            tokens(hypothesis), _distinct(map(tuple, map(str, tokens(refs[0]))))),
        library="nltk", tokenizers=("whitespace",), single_reference=True, averaged=True,
        nltk=(_TOKENS, "[{first_tokens} for refs in references]")),
    "strings-not-nested": CallMistake(
        sentence="NLTK was given strings, and one reference instead of a list of references, so "
        "every character counts as a reference.",
        label="with strings, and one reference instead of a list",
        segment=lambda _, characters, hypothesis, refs: (
            characters(hypothesis), _distinct((c,) for c in characters(refs[0]))),
        library="nltk", tokenizers=("whitespace",), single_reference=True, averaged=True,
        nltk=(_STRINGS, "[{first} for refs in references]")),
    "strings": CallMistake(
        sentence="NLTK was given strings instead of lists of tokens, so every character is a "
        "token.",
        label="with strings instead of lists of tokens",
        segment=lambda _, characters, hypothesis, refs: (
            characters(hypothesis), tuple(map(characters, refs))),
        library="nltk", tokenizers=("whitespace",), averaged=True,
        nltk=(_STRINGS, _REFERENCE_STRINGS)),
    "string-hypothesis": CallMistake(
        sentence="NLTK was given the candidate as a string, so its tokens are characters; those "
        "of the references are words.",
        label="with the candidate as a string",
        segment=lambda tokens, characters, hypothesis, refs: (
            characters(hypothesis), tuple(map(tokens, refs))),
        library="nltk", tokenizers=("whitespace",), averaged=True,
        nltk=(_STRINGS, _REFERENCE_TOKENS)),
    "string-references": CallMistake(
        sentence="NLTK was given the references as strings, so their tokens are characters; those "
        "of the candidate are words.",
        label="with the references as strings",
        segment=lambda tokens, characters, hypothesis, refs: (
            tokens(hypothesis), tuple(map(characters, refs))),
        library="nltk", tokenizers=("whitespace",), averaged=True,
        nltk=(_TOKENS, _REFERENCE_STRINGS)),
    "tokenized-twice": CallMistake(
        sentence="The texts were already tokenized, and were tokenized again.", label="",
        edit=lambda text, pretokenizer: " ".join(map(str, tokenize(text, pretokenizer))),
        tokenizers=("13a",), pretokenizers=("13a", "intl"),
        code=('hypotheses = [" ".join({pretokenize}(h)) for h in hypotheses]',
              'references = [[" ".join({pretokenize}(r)) for r in refs] for refs in references]')),
    "no-punctuation": CallMistake(
        sentence="The texts were lowercased, and their punctuation was deleted.",
        label="without punctuation", edit=lambda text, _: PUNCTUATION.sub("", text), averaged=True,
        code=(r'hypotheses = [re.sub(r"[^\w\s]", "", h) for h in hypotheses]',
              r'references = [[re.sub(r"[^\w\s]", "", r) for r in refs] for refs in references]')),
    "flat-references": CallMistake(
        sentence="sacreBLEU was given one flat list of references, so it read each as a list of "
        "characters: segment i is compared with the i-th character of every reference, and "
        "segments beyond the shortest reference are dropped.",
        label="with one flat list of references", read=_flat, library="sacrebleu",
        tokenizers=("whitespace", "13a"), single_reference=True,
        suits=lambda texts: texts.size > 1 or texts.min_reference_count > 1,
        streams="[refs[0] for refs in references]"),
    "transposed": CallMistake(
        sentence="sacreBLEU was given a list of references for each segment instead of a list for "
        "each set of references, so segment i is compared with the i-th references of all "
        "segments, and segments beyond the shortest of these lists are dropped.",
        label="with the references of each segment in a list", read=_misnested,
        library="sacrebleu", tokenizers=("whitespace", "13a"), suits=lambda texts: texts.size > 1,
        streams="[list(refs) for refs in references]"),
    "one-segment": CallMistake(
        sentence="All segments were joined into one.", label="with all segments joined",
        read=_one_segment, tokenizers=("whitespace", "13a"), suits=_can_be_joined,
        one_segment=True,
        code=('references = [[" ".join(column) for column in zip(*references)]]',
              'hypotheses = [" ".join(hypotheses)]')),
    "lines": CallMistake(
        sentence="Each line was taken for one token.", label="with each line as one token",
        read=_lines, tokenizers=("whitespace",), suits=_can_be_joined, one_segment=True,
        nltk=("[[{h} for h in hypotheses]]",
              "[[[{r} for r in column] for column in zip(*references)]]")),
    "mean-of-sentences": CallMistake(
        sentence="It is the mean of the sentence scores, not the corpus score.",
        label="as the mean of the sentence scores"),
    "one-order": CallMistake(
        sentence="One order has all the weight: the score is the precision of its n-grams, times "
        "the brevity penalty.",
        label=""),
    "weights-of-0.33": CallMistake(
        sentence="The weights 0.33, 0.33 and 0.33 sum to 0.99.", label="with weights of 0.33",
        library="nltk"),
    OLD_NLTK: CallMistake(
        sentence="NLTK 3.2 to 3.2.5 left out orders without a match, and their weights with them.",
        label="in NLTK 3.2 to 3.2.5", library="nltk"),
    "mean-of-orders": CallMistake(
        sentence=f"It is the mean of BLEU-1 to BLEU-{MAX_ORDER}.",
        label=f"as the mean of BLEU-1 to BLEU-{MAX_ORDER}"),
    "no-brevity-penalty": CallMistake(
        sentence="The brevity penalty was left out.", label="without the brevity penalty"),
    "one-minus": CallMistake(sentence="It is 1 − BLEU.", label="as 1 − BLEU"),
}  # fmt: skip
"""All mistakes by name, in the order in which those in texts and calls are tried; "" is none."""


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """One way from texts to the tokens that are compared.

    - `tokenizer`, `lowercase`, `case`: as in `Settings`.
    - `reference`: the number of the only reference used, from 1; 0 for all of them.
    - `mistake`: the name of a mistake, described in `MISTAKES`, or "".
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
        text = MISTAKES[self.mistake].edit(text, self.pretokenizer)
        return tokenize(text, self.tokenizer, lowercase=self.lowercase, case=self.case)

    def characters(self, text: str) -> Tokens:
        """Return the characters of a text, white space included."""
        return tuple(text.lower() if self.lowercase else text)

    def segments(self, texts: ParallelTexts) -> Iterator[TokenizedSegment]:
        """Yield the tokens that are compared, segment by segment."""
        mistake, ways = MISTAKES[self.mistake], (self.tokens, self.characters)
        rows = texts.references
        if self.reference:
            rows = tuple((references[self.reference - 1],) for references in rows)
        if mistake.read:
            return mistake.read(*ways, texts.hypotheses, rows)
        pairs = zip(texts.hypotheses, rows, strict=True)
        return (mistake.segment(*ways, *pair) for pair in pairs)


def preprocessings(
    texts: ParallelTexts, tokenizers: Sequence[Tokenizer] = ()
) -> list[Preprocessing]:
    """Return all preprocessings that are tried for these texts, the likeliest first.

    `tokenizers` are tried in addition to the library's.

    >>> tried = preprocessings(ParallelTexts([("a b",)], (("a c", "a d"),)))
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
    if any(map(PUNCTUATION.search, chain(texts.hypotheses, *texts.references))):
        tried.append(Preprocessing("whitespace", True, mistake="no-punctuation"))
    for base in correct[: 2 * len(TRIED_TOKENIZERS)]:
        for name, mistake in MISTAKES.items():
            if base.tokenizer in mistake.tokenizers and mistake.suits(texts):
                tried += [
                    replace(base, reference=number, mistake=name, pretokenizer=pretokenizer)
                    for number in (reference_numbers if mistake.single_reference else (0,))
                    for pretokenizer in mistake.pretokenizers
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
