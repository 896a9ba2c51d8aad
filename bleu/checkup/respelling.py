"""Words that are equal but for case, accents, lost letters or spaces; lost words and marks.

Nothing in the text says how they were written, so the references do: that measures what the
difference costs, and is no repair.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import Final
from zlib import crc32

from bleu.checkup.changes import (
    PROBED_LINES,
    SIDES,
    Change,
    Proof,
    Proposals,
    ScoredRows,
    count_lines_with,
    folded_words,
    pause,
)
from bleu.checkup.finding import has_any
from bleu.checkup.frames import FOREIGN, MAX_TRIED
from bleu.checkup.kinds import FAULTS
from bleu.checkup.line_faults import FINAL_MARKS, find_truncated, strip_ellipsis
from bleu.core.progress import ITEMS_PER_SLICE, map_in_slices

MAX_KEPT: Final = 3
"""A line is respelled if at least this many words are respelled for each one that agrees; with 4,
four of 100 right lines of news are taken for lowercased."""
MIN_RESPELLED: Final = 12
"""The smallest number of different words that are respelled; fewer are a choice of words, in
Norwegian messages, for example."""
SIDE_MARGIN: Final = 4
"""One side must be spoiled in so many times more lines than the other."""
MIN_USUAL: Final = 0.25
"""The share of lines in another case from which a single word of a line is no mere name."""
MIN_SPACE_DIFFERENCE: Final = 0.03
"""The smallest difference in the number of words for which spaces are compared, unless many lines
have half as many words of as many letters."""
MAX_SPACED: Final = 600
"""Longer lines are not compared character by character."""
MIN_MEANINGS: Final = 0.6
"""The smallest number of different counterparts per occurrence of a token for lost words."""
MANY_MEANINGS: Final = 20
"""This many different counterparts suffice, however often the token occurs."""

_MARKS: Final = '.,;:!"()'
"""Signs around words, which do not count when words are compared; “?” may be a lost letter."""

_SIGN: Final = re.compile(r"[^\w\s]")

Fold = Callable[[str], str]


def _strip_accents(word: str) -> str:
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(c for c in decomposed if not unicodedata.combining(c) and c != "\u0640")


def _ascii_with_question_marks(word: str) -> str:
    return word.encode("ascii", "replace").decode()


def _drop_non_ascii(word: str) -> str:
    """Return a word without what is not ASCII, if at least half of it remains."""
    if word.isascii():
        return word
    folded = word.encode("ascii", "ignore").decode()
    has_letter = any(c.isalpha() and "\x7f" < c < "\u0250" for c in word)
    return folded if has_letter and len(folded) > 1 and 2 * len(folded) >= len(word) else word


def _ascii_digits(word: str) -> str:
    if word.isascii():
        return word
    return "".join(str(unicodedata.digit(c, c)) if c.isdigit() else c for c in word)


FOLDS: Final[tuple[tuple[str, str, Fold], ...]] = (
    ("letters", "have lost their accents or vowel signs", _strip_accents),
    ("encoding", "have “?” for characters", _ascii_with_question_marks),
    ("encoding", "have lost all characters that are not ASCII", _drop_non_ascii),
    ("encoding", "have “\ufffd” for characters", partial(re.compile("[^\x00-\x7f]").sub, "\ufffd")),
    ("letters", "have digits of another script", _ascii_digits),
    ("letters", "have 0 for digits", partial(re.compile(r"\d").sub, "0")),
    ("compatibility", "have letters of another form", partial(unicodedata.normalize, "NFKC")),
    ("case", "have small letters where the other side has capitals", str.lower),
    ("case", "have capitals where the other side has small letters", str.upper),
    ("case", "have capitals where the other side has small letters", str.title),
)
"""The kind, the phrase, and the function that makes a word like its spoiled form."""


@dataclass(frozen=True, slots=True)
class _Spelling:
    """The words of a text that its counterpart spells otherwise, and how many words agree."""

    words: list[str]
    changed: dict[int, str]
    kept: int

    @property
    def differs(self) -> bool:
        """Whether nearly all words that could differ do."""
        return bool(self.changed) and self.kept * MAX_KEPT <= len(self.changed)

    @property
    def respelled(self) -> str:
        """The text with the words spelled as in its counterpart."""
        return " ".join(self.changed.get(i, word) for i, word in enumerate(self.words))


def compare_spelling(text: str, other: str, fold: Fold) -> _Spelling:
    """Return which words of a text are spelled otherwise in its counterpart.

    >>> compare_spelling("the cat", "The dog", str.casefold).changed
    {0: 'The'}
    """
    words, kept = text.split(), 0
    forms: dict[str, list[str]] = defaultdict(list)
    for word in other.split():
        bare = word.strip(_MARKS)
        forms[fold(bare)].append(bare)
    changed = {}
    for position, word in enumerate(words):
        bare = word.strip(_MARKS)
        spellings = forms.get(fold(bare)) if bare else None
        if not spellings:
            continue
        if bare in spellings:
            kept += position > 0 and bare != fold(bare)  # A first word may have a capital.
            if len(spellings) > 1:
                spellings.remove(bare)
        else:
            new = spellings.pop(0) if len(spellings) > 1 else spellings[0]
            changed[position] = word.replace(bare, new)
    return _Spelling(words, changed, kept)


def detect_folds(rows: ScoredRows) -> Proposals:
    """Propose to spell words as the other side does, by each of `FOLDS`; None is a pause."""
    settings = rows.settings
    spread = [pair for start in range(4) for pair in rows.pairs[start::4]]
    for name, phrase, fold in FOLDS:
        is_ignored = name == "case" and settings.lowercase and settings.case == "all"
        if is_ignored:
            continue
        votes = dict.fromkeys(("hypotheses", "references"), 0)
        words = set[str]()
        for position, (text, other) in enumerate(spread):
            if position % ITEMS_PER_SLICE == 0:
                yield None
            if position == PROBED_LINES and not any(votes.values()):
                break
            if text != other and _may_differ(text, other, fold):
                for side, pair in zip(votes, ((text, other), (other, text)), strict=True):
                    spelling = compare_spelling(*pair, fold)
                    if _is_spoiled(spelling, fold):
                        votes[side] += 1
                        words.update(spelling.changed.values())
        is_general = name == "case" or len(words) >= min(MIN_RESPELLED, sum(votes.values()))
        side = max(votes, key=lambda each: votes[each])
        more, fewer = votes[side], min(votes.values())
        if is_general and more - fewer >= rows.min_lines and more >= SIDE_MARGIN * fewer:
            is_usual = more >= MIN_USUAL * len(rows.pairs)
            undo = partial(respell, fold=fold, is_usual=is_usual)
            yield Change(name, phrase, side, undo, Proof.MEASURED)


def _is_spoiled(spelling: _Spelling, fold: Fold, *, is_usual: bool = False) -> bool:
    """Return whether a text has the spoiled forms of the words, as it `is_usual` for others."""
    changed = spelling.changed
    is_case = fold in {str.lower, str.upper, str.title} and not is_usual
    is_inside = is_case and len(changed) == 1 and 0 not in changed
    if not spelling.differs or is_inside:  # A single word in another case may be a name.
        return False
    words, forms = [spelling.words[index] for index in changed], changed.values()
    own, others = (sum(fold(word) == word for word in side) for side in (words, forms))
    capitals = sum(word.isupper() and len(word) > 1 for word in (*words, *forms))
    # Against a text in capitals, all others look lowercased.
    is_upper = fold is str.lower and 2 * capitals >= len(words)
    return own > max(others, len(words) / 2) and not is_upper


def _may_differ(text: str, other: str, fold: Fold) -> bool:
    """Return quickly whether a fold makes some of the words equal that differ."""
    words, others = _bare_words(text), _bare_words(other)
    return not set(map(fold, words - others)).isdisjoint(map(fold, others - words))


@lru_cache(maxsize=2048)  # The references are the same for each system.
def _bare_words(text: str) -> frozenset[str]:
    return frozenset(word.strip(_MARKS) for word in text.split())


def respell(text: str, other: str, fold: Fold, *, is_usual: bool = False) -> str:
    """Return a text with the words of its counterpart that a fold makes equal, if it is spoiled."""
    if not _may_differ(text, other, fold):
        return text
    spelling = compare_spelling(text, other, fold)
    return spelling.respelled if _is_spoiled(spelling, fold, is_usual=is_usual) else text


# Spaces


def respace(text: str, other: str) -> str:
    """Return a text with the spaces of another one where both have the same characters.

    >>> respace("thecatsat", "the cat sat"), respace("t h e dog", "the cat")
    ('the cat sat', 'the dog')
    """
    letters, other_letters = "".join(text.split()), "".join(other.split())
    if not letters or not other_letters:
        return text
    cuts, wanted = _word_ends(text), _word_ends(other)
    blocks = [(0, 0, len(letters))]
    if letters != other_letters:
        matcher = SequenceMatcher(None, letters, other_letters, autojunk=len(letters) > 300)
        blocks = [(a, b, n) for a, b, n in matcher.get_matching_blocks() if n > 2]
    for start, other_start, size in blocks:
        for step in range(1, size):
            if other_start + step in wanted:
                cuts.add(start + step)
            else:
                cuts.discard(start + step)
    for (a, b, size), (after, other_after, _) in pairwise(blocks):
        # Between two blocks are other words, which begin and end where those of the other do.
        if a + size < after and b + size < other_after:
            cuts.update({a + size} if b + size in wanted else ())
            cuts.update({after} if other_after in wanted else ())
    ends = sorted(cuts | {len(letters)})
    return " ".join(letters[a:b] for a, b in zip([0, *ends], ends, strict=False))


def _word_ends(text: str) -> set[int]:
    ends, position = set(), 0
    for word in text.split():
        position += len(word)
        ends.add(position)
    return ends


def _words_and_letters(pair: tuple[str, str]) -> tuple[int, int, int, int]:
    """Return the numbers of words, then of characters without spaces, of both sides."""
    words, others = pair[0].split(), pair[1].split()
    return len(words), len(others), len("".join(words)), len("".join(others))


def detect_spacing(rows: ScoredRows) -> Proposals:
    """Propose the spaces of the references, if one side has more than the other."""
    sizes = yield from pause(map_in_slices(_words_and_letters, rows.pairs))
    words, other_words, size, other_size = map(sum, zip(*sizes, strict=True))
    if not words or not other_words:
        return
    spaced = [
        a > b
        for a, b, letters, other_letters in sizes
        if 2 * min(a, b) < max(a, b) and abs(letters - other_letters) < 0.5 * other_letters
    ]
    # A longer translation has more words, but no more for each letter.
    counts = words, words * other_size / size
    is_rare = min(abs(n - other_words) for n in counts) < MIN_SPACE_DIFFERENCE * other_words
    if is_rare and len(spaced) < rows.min_lines:
        return
    has_more = 2 * sum(spaced) > len(spaced) if is_rare else words > other_words

    def undo(text: str, other: str) -> str:
        surplus = len(text.split()) - len(other.split())
        is_concerned = surplus > 0 if has_more else surplus < 0
        return respace(text, other) if is_concerned and len(text) <= MAX_SPACED else text

    phrase = "have more spaces than the references" if has_more else "have lost spaces"
    yield Change("spacing", phrase, "hypotheses", undo, Proof.MEASURED)


# Lost words and marks


def align_words(words: Sequence[str], others: Sequence[str]) -> SequenceMatcher[str]:
    """Return what aligns the words of two texts."""
    return SequenceMatcher(None, words, others, autojunk=False)


def restore_marks(text: str, other: str) -> str:
    """Add the signs of another text to one that has none, where both have the same words.

    >>> restore_marks("so the cat sat", "Well, so: the cat sat.")
    'so: the cat sat.'
    """
    if _SIGN.search(text) or not _SIGN.search(other):
        return text
    words, others = text.split(), other.split()
    bare = [_SIGN.sub("", word) for word in others]
    for start, other_start, size in align_words(words, bare).get_matching_blocks():
        # Beside a word that differs, other signs may be right.
        first, last = (start > 0), size - (start + size < len(words))
        for k in range(first, last):
            words[start + k] = others[other_start + k]
    return " ".join(words)


def restore_end(text: str, other: str) -> str:
    """Return a text that ends in a letter or digit with the final mark of another.

    >>> restore_end("a cat", "the cat."), restore_end("a cat!", "the cat.")
    ('a cat.', 'a cat!')
    """
    is_open = text[-1:].isalnum() and other.endswith(FINAL_MARKS)
    return text + other[-1] if is_open else text


def restore_capital(text: str, other: str) -> str:
    """Return a text that begins with a small letter with a capital, if another one has one.

    >>> restore_capital("a cat", "The cat"), restore_capital("a cat", "the cat")
    ('A cat', 'a cat')
    """
    is_small = text[:1].islower() and other[:1].isupper()
    return text[:1].upper() + text[1:] if is_small else text


@dataclass(frozen=True, slots=True)
class Precision:
    """How often the words of a system are right: after a right word, and after a wrong one."""

    after_right: float = 1.0
    after_wrong: float = 1.0

    @classmethod
    def of_pairs(
        cls, pairs: Sequence[tuple[str, str]], is_lost: Callable[[str], bool]
    ) -> "Precision":
        """Count the words of texts that are neither lost nor beside a lost word."""
        right, total = [1, 1], [1, 1]
        for text, other in pairs:
            words = text.split()
            is_right = [False] * len(words)
            for start, _, size in align_words(words, other.split()).get_matching_blocks():
                is_right[start : start + size] = [True] * size
            for k in range(1, len(words)):
                if not (is_lost(words[k]) or is_lost(words[k - 1])):
                    total[is_right[k - 1]] += 1
                    right[is_right[k - 1]] += is_right[k]
        return cls(right[1] / total[1], right[0] / total[0])

    def thin(self, words: Sequence[str], seed: str, *, was_right: bool = True) -> list[str]:
        """Return words of a reference, with as many wrong ones as the system has."""
        thinned, number = [], crc32(seed.encode())
        for word in words:
            rate = self.after_right if was_right else self.after_wrong
            number = (number * 6364136223846793005 + 1442695040888963407) % 2**64  # Knuth's MMIX
            was_right = number < rate * 2**64
            thinned.append(word if was_right else wrong_word(number >> 32))
        return thinned


def wrong_word(number: int) -> str:
    """Return a word that no text has."""
    return f"w{number:x}"


def restore_words(
    text: str, other: str, is_lost: Callable[[str], bool], precision: Precision = Precision()
) -> str:
    """Return a text with lost words replaced by those of another at their place.

    >>> restore_words("a <unk> sat", "a cat sat", "<unk>".__eq__)
    'a cat sat'
    """
    words, others = text.split(), other.split()
    if not any(map(is_lost, words)):
        return text
    restored: list[str] = []
    for _, i, j, k, m in align_words(words, others).get_opcodes():
        part = words[i:j]
        if any(map(is_lost, part)):
            new = precision.thin(others[k:m], text)
            if all(map(is_lost, part)):
                part = new
            else:
                new += list(map(wrong_word, range(len(part) - len(new))))
                part = [b if is_lost(a) else a for a, b in zip(part, new, strict=False)]
        restored += part
    return " ".join(restored)


def complete(text: str, other: str, precision: Precision) -> str:
    """Return a text that was cut off with the rest of its counterpart, as far as a system is right.

    >>> complete("a cat sat ...", "the cat sat on a mat", Precision())
    'a cat sat on a mat'
    """
    text = strip_ellipsis(text, other)
    gap = " " if " " in other else ""
    words, others = (text.split(), other.split()) if gap else (list(text), list(other))
    rest = precision.thin(others[len(words) :], text)
    return gap.join([*words, *rest])


def measure_cut(rows: ScoredRows) -> Proposals:
    """Propose to complete the hypotheses that end in the middle of a sentence."""
    found = yield from pause(find_truncated(rows.texts))
    if found:
        lines = set(found.hypotheses)
        texts = {rows.rows[index][0] for index in lines}
        pairs = [(strip_ellipsis(text, other), other) for text, other in rows.skip(()).pairs]
        precision = Precision.of_pairs(pairs, lambda _: False)

        def undo(text: str, other: str) -> str:
            return complete(text, other, precision) if text in texts else text

        kind, side = "truncated", "hypotheses"
        yield Change(kind, found.phrase, side, undo, Proof.MEASURED, is_certain=True, lines=lines)


LOST_MARKS: Final = {"lost-words": ("<unk>", "[UNK]"), "encoding": ("\ufffd",)}
"""Placeholders of lost words and characters."""


def measure_lost(rows: ScoredRows) -> Proposals:
    """Propose to restore words in which marks of lost words or characters are."""
    for kind, marks in LOST_MARKS.items():
        if not (yield from pause(rows.have_any(marks))):
            continue
        for side in SIDES:
            is_own = side == "hypotheses"
            texts = [text if is_own else "\n".join(row) for text, row in rows.rows]
            lines = [index for index, text in enumerate(texts) if has_any(marks, text)]
            yield None
            if lines:
                is_lost: Callable[[str], bool] = partial(has_any, marks)
                precision = Precision.of_pairs(rows.side_pairs(side), is_lost)
                undo = partial(restore_words, is_lost=is_lost, precision=precision)
                phrase = f"have {FAULTS[kind]}"
                yield Change(kind, phrase, side, undo, Proof.MEASURED, is_certain=True, lines=lines)


def detect_lost_words(rows: ScoredRows) -> Proposals:
    """Propose to restore words for which a token stands that the references do not have."""
    pairs = rows.pairs
    texts, other_texts = zip(*pairs, strict=True)
    counts = yield from count_lines_with(lambda text: dict.fromkeys(text.split()), texts)
    others = yield from count_lines_with(folded_words, other_texts)
    minimum = max(rows.min_lines, min(8, len(pairs)))
    tokens = [
        token
        for token, count in counts.items()
        if count >= minimum
        and FOREIGN * others[token.casefold()] <= count
        # A word in small letters stands for itself.
        and not (token.isalpha() and token == token.lower())
    ]
    for token in tokens[:MAX_TRIED]:
        found = yield from pause(map_in_slices(partial(_meanings, token=token), pairs))
        meanings = Counter(chain.from_iterable(found))
        least = min(MANY_MEANINGS, MIN_MEANINGS * meanings.total())
        if meanings.total() >= minimum and len(meanings) >= least:
            phrase = f"have “{token}” in place of words"
            precision = Precision.of_pairs(pairs, token.__eq__)
            undo = partial(restore_words, is_lost=token.__eq__, precision=precision)
            yield Change("lost-words", phrase, "hypotheses", undo, Proof.MEASURED)


def _meanings(pair: tuple[str, str], token: str) -> list[str]:
    """Return the word of the counterpart at the place of each occurrence of a token."""
    words, others = map(str.split, pair)
    if token not in words:
        return []
    return [
        others[k + index]
        for tag, i, j, k, m in align_words(words, others).get_opcodes()
        if tag == "replace" and j - i == m - k
        for index, word in enumerate(words[i:j])
        if word == token
    ]


# Text beside the translation

MIN_LONGER: Final = 1.4
"""How many times longer than its counterpart a line must be to be far longer."""


def cut_long(text: str, other: str, step: int, *, is_usual: bool = False) -> str:
    """Return the first (step 1) or last words of a text that is far longer than its counterpart.

    If that `is_usual`, a longer text is cut, too, if a sentence ends near the place.

    >>> cut_long("a cat sat. And then it ran and ran", "the cat sat.", 1)
    'a cat sat.'
    >>> cut_long("a cat sat. Yes.", "the cat sat.", 1, is_usual=True)
    'a cat sat.'
    """
    gap = " " if " " in text else ""
    words, size = (text.split() if gap else list(text)), len(other.split() if gap else other)
    is_far = len(words) >= MIN_LONGER * size + 2
    if not size or not (is_far or (is_usual and len(words) > size)):
        return text
    words = words[::step]
    # A sentence ends nearby, or exactly where the counterpart does.
    ends = (k for k in range(size * 3 // 4, size * 5 // 4 + 2) if k < len(words))
    marks = [k for k in ends if k and words[k - (step > 0)].endswith((".", "!", "?", "。"))]
    end = min(marks, key=lambda k: abs(k - size), default=size if is_far else len(words))
    return gap.join(words[:end][::step])


_MARKS_AND_ENDS: Final = (
    ("punctuation", "have lost their punctuation", restore_marks),
    ("punctuation", "have lost their final mark", restore_end),
    ("case", "begin with a small letter where the other side has a capital", restore_capital),
)
_TOO_LONG: Final = (("go on after the translation", 1), ("have text before the translation", -1))


def detect_ends(rows: ScoredRows) -> Proposals:
    """Propose the marks and first capitals of the other side, and to cut far longer hypotheses."""
    for kind, phrase, undo in _MARKS_AND_ENDS:
        for side in SIDES:
            yield None
            yield Change(kind, phrase, side, undo, Proof.MEASURED, kind == "punctuation")
    for phrase, step in _TOO_LONG:
        yield None
        least = 2 * rows.min_lines  # A few lines of messages are free translations.
        if sum(cut_long(*pair, step) != pair[0] for pair in rows.pairs) >= least:
            cut = partial(cut_long, step=step, is_usual=True)
            yield Change("overlong", phrase, SIDES[0], cut, Proof.MEASURED, min_better=least)
