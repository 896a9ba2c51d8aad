"""The ways from texts to tokens: tokenizers, case, choice of references, and mistakes.

These mistakes change only which tokens are compared; BLEU is computed from their counts as usual.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bleu.analysis.calls import MISTAKES, PUNCTUATION, TRIED_TOKENIZERS, ParallelTexts
from bleu.core.choices import CaseName, TokenizerChoice, TokenizerName
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.segment import TokenizedSegment
from bleu.core.tokenizers import PRIVATE_TOKENIZERS, Tokens, tokenize


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
