"""Strings around the lines: ids and times of both sides, and labels, tags or words of one side."""

import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Final

from bleu.checkup.changes import (
    PROBED_LINES,
    SAMPLE_LINES,
    SIDES,
    Change,
    Proof,
    Proposals,
    ScoredRows,
    Trial,
    count_lines_with,
    folded_words,
    other_side,
    pause,
)
from bleu.checkup.finding import EXCERPT_CHARACTERS, common_prefix_length
from bleu.checkup.kinds import frame_name
from bleu.core.progress import ITEMS_PER_SLICE, ProgressGenerator, map_in_slices

MIN_FRAMED: Final = 0.95
"""The smallest share of lines with the same words at one end of both sides, or equal there up to a
sign, a label or a name; in clean texts 0.14."""
MAX_SHARED_FRAMES: Final = 4
"""The largest number of such frames that are cut one after the other at an end."""
_PIECE: Final = re.compile(r"\w+(?:\s?:)?|[^\w\s]|\t")
"""A word, perhaps a label with its colon; or a sign."""
_FRAME_NAME: Final = re.compile(r"[A-Za-z]{1,6}seq|[bes]os|\w*[^\W_]_[^\W_]\w*", re.IGNORECASE)
_PIECE_SIGNS: Final = frozenset("%@#&+")
"""Signs inside texts: of placeholders such as %s, of escapes, and of pieces of words."""
_END_QUOTES: Final = "\"'“”«»,"
"""Quotes and commas, which a list puts around each of its texts."""
_WORD: Final = r"(?:[^\s=]++=?|=)"


def strip_frames(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> ProgressGenerator[tuple[Sequence[str], Sequence[Sequence[str]]]]:
    """Return the texts without what `shared_frame` finds, in the lines of which both have it."""
    if len(hypotheses) != len(references):
        return hypotheses, references
    for step in (1, -1):
        for _ in range(MAX_SHARED_FRAMES):
            if not (pattern := (yield from shared_frame(hypotheses, references, step))):
                break
            hypotheses, references = yield from _strip(hypotheses, references, pattern, step)
    return hypotheses, references


def _strip(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], pattern: str, step: int
) -> ProgressGenerator[tuple[list[str], list[list[str]]]]:
    """Return the texts without what a pattern of the text, or of the reversed text, matches."""
    frame = re.compile(pattern)

    def strip(row: list[str]) -> list[str]:
        found = [frame.match(text[::step]) for text in row]
        if len({match and match[1].rstrip() for match in found}) > 1:
            return row
        return [m.string[m.end() :][::step].strip() for m in found if m] or row

    rows = [[text, *row] for text, row in zip(hypotheses, references, strict=True)]
    stripped = yield from map_in_slices(strip, rows)
    return [row[0] for row in stripped], [row[1:] for row in stripped]


def shared_frame(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], step: int
) -> ProgressGenerator[str]:
    """Return a pattern of what both sides of nearly all lines begin (step 1) or end with, or "".

    That is an id or a time, as in `_id_pattern`; or it goes to a sign, a label with a colon, or a
    name such as `eng_Latn` or `startseq`, up to which the sides are equal. Marks of sentences are
    none, but quotes at the very end are. The pattern of an end is that of the reversed text.

    >>> from bleu.core.progress import run_to_end
    >>> hypotheses = ["<li>a b", "<li>c", "<li>d e"]
    >>> run_to_end(shared_frame(hypotheses, [["<li>b"], ["<li>c c"], ["<li>e"]], 1))
    '(.*?>)\\\\s*'
    >>> run_to_end(shared_frame(["A man.", "A dog.", "A car."], [["A boy."], ["A"], ["A c."]], 1))
    ''
    """
    pairs = zip(hypotheses, references, strict=False)
    filled = ((a, row[0]) for a, row in pairs if row and a.strip() and row[0].strip())
    lines = list(islice(filled, SAMPLE_LINES))
    if len({text for text, _ in lines}) < 3:
        return ""  # The same line, as often as it may be, has no frame.
    for find in (_id_pattern, _best_anchor):
        pattern = yield from find(lines[:PROBED_LINES], step)
        if pattern and (pattern := (yield from find(lines, step))):
            return pattern
    return ""


def _best_anchor(lines: Sequence[tuple[str, str]], step: int) -> ProgressGenerator[str]:
    """Return the pattern of the longest text that both sides of these lines begin (end) with."""
    minimum = max(3, MIN_FRAMED * len(lines))
    rows = yield from map_in_slices(partial(_pieces, step=step), lines)
    common = Counter(token for a, b in rows for token in {*a} & {*b})
    best, size = "", 0
    for token in (token for token, count in common.items() if count >= minimum):
        heads = list(filter(None, (_shared_head(token, a, b) for a, b in rows)))
        is_end = _ends_frame(token, step) or sum(map(_is_quote, heads)) >= minimum
        length = sum(map(len, heads))
        if len(heads) >= minimum and is_end and length > size:
            best, size = _anchor_pattern(token[::step]), length
    return best


def _pieces(pair: tuple[str, str], step: int) -> tuple[list[str], list[str]]:
    return _PIECE.findall(pair[0])[::step], _PIECE.findall(pair[1])[::step]


def _shared_head(anchor: str, pieces: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """Return a line up to its first anchor if another line is equal up to it, or ()."""
    end = pieces.index(anchor) + 1 if anchor in pieces else 0
    return pieces[:end] if pieces[:end] == others[:end] else ()


def _ends_frame(token: str, step: int) -> bool:
    """Return whether a token is no part of a sentence: a sign of programs, a name, or a label."""
    if len(token) > 1 and token.endswith(":"):
        return step > 0
    is_sign = not token.isalnum() and token.isascii() and "_" not in token
    is_sign = is_sign and (token.isprintable() or token == "\t")  # NUL is no id.
    return (is_sign and not {token} & (SENTENCE_MARKS | _PIECE_SIGNS)) or bool(
        _FRAME_NAME.fullmatch(token)
    )


def _is_quote(head: Sequence[str]) -> bool:
    """Return whether a line begins with a quote, perhaps after the b of Python or a comma."""
    *before, quote = head
    return quote in _END_QUOTES and before in ([], ["b"], ["u"], [","])


def _anchor_pattern(anchor: str) -> str:
    """Return the pattern of a text up to a token of the text or its reverse."""
    left, right = (r"\b" if character.isalnum() else "" for character in (anchor[0], anchor[-1]))
    return rf"(.*?{left}{re.escape(anchor)}{right})\s*"


def _id_pattern(lines: Sequence[tuple[str, str]], step: int) -> ProgressGenerator[str]:
    """Return the pattern of the first (last) words that are an id or a time of both sides, or "".

    They are equal, no mere letters, and either distinct or of one shape with digits; unless they
    are both, the words after them differ.

    >>> from bleu.core.progress import run_to_end
    >>> run_to_end(_id_pattern([("1. a b", "1. f"), ("2. c", "2. g h"), ("3. d e", "3. i")], 1))
    '\\\\s*+((?:(?:[^\\\\s=]++=?|=)\\\\s*+){1})'
    """
    min_count = max(3, MIN_FRAMED * len(lines))
    sample = yield from map_in_slices(partial(_pair_words, step=step), lines)
    words, size = [(a[0], b[0]) for a, b in sample], 0
    while sum(a == b and not a.isalpha() for a, b in words) >= min_count:
        size += 1
        words = [(a[size], b[size]) for a, b in sample if min(len(a), len(b)) > size]
    if not size or 2 * len(words) < len(sample):
        return ""
    heads = [" ".join(a[:size])[::step] for a, _ in sample]
    # A sentence may end with a number and its final mark.
    has_mark = re.compile(r"[\d_=|]" if step > 0 else r"[\d_=|](?:.*[^.!?])?$").search
    shapes = Counter(re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", head)) for head in heads)
    shape, count = shapes.most_common(1)[0]
    distinct, marked = len(set(heads)), sum(map(bool, map(has_mark, heads)))
    has_one_shape, is_distinct = count >= min_count and has_mark(shape), distinct >= min_count
    is_likely = marked >= min_count if is_distinct else has_one_shape and distinct > 1
    return rf"\s*+((?:{_WORD}\s*+){{{size}}})" if is_likely else ""


def _pair_words(pair: tuple[str, str], step: int) -> tuple[list[str], list[str]]:
    return re.findall(_WORD, pair[0][::step]), re.findall(_WORD, pair[1][::step])


MIN_CHATTER: Final = 0.25
"""The smallest share of references with words around them, which people hardly ever write; with
less, the first words of Catalan and Romanian messages are taken for it."""
MAX_FRAME: Final = 240
"""The largest number of characters of a string around the lines."""
MAX_TRIED: Final = 40
"""The largest number of strings, or of foreign tokens, that are tried, because of the time."""
FOREIGN: Final = 20
"""A word is foreign to a side that has it 20 times more rarely than the other."""
MIN_FITTING: Final = 0.15
"""The smallest share of cut lines that begin (end) as their counterparts: in news 45 %, after a
wrong cut 0 to 5 %."""
FITTING_FACTOR: Final = 3.0
"""How many times more lines must fit after the cut than before; after a natural word, few do."""
LONG_FITTING_FACTOR: Final = 1.3
"""The same for strings of three words or more, which are no coincidence."""
SENTENCE_MARKS: Final = frozenset(".,;:!?'\"()-–—…“”‘’«»„‚‹›。，、！？：；「」『』¿¡·・")
"""Signs of sentences, which do not mark pieces of words, and may be missing by style."""
_UUID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_DIGITS: Final = re.compile(
    rf"{_UUID}|https?://\S+|(?<![^\W_])(?=[a-f]*\d)[0-9a-f]{{4,}}(?![^\W_])|\d+"
)
_NUMBER: Final = f"(?>{_DIGITS.pattern})"
"""A whole number; to try its parts, too, would take exponential time."""
_EDGES: Final = re.compile(r"\s+|[^\w\s]+|_+|(?<=\d)(?=\D)")
_QUOTES: Final = "\"'“”‘’«»()[].,!?;:*_"
_TAG_LIKE: Final = re.compile(r"([<\[◁]/?\w[^][<>◁▷\s]{0,30}[>\]▷])")


@dataclass(frozen=True, slots=True)
class _Rule:
    """A string to cut: at the beginning (step 1) or at the end (step −1).

    With `is_anchor`, whatever is before (after) the string is cut, too.
    """

    pattern: re.Pattern[str]
    step: int
    words: str
    is_anchor: bool

    @property
    def phrase(self) -> str:
        """What the lines do, such as “begin with “Output ⟨number⟩:””."""
        where = "begin with" if self.step > 0 else "end with"
        if self.is_anchor:
            where += " text up to" if self.step > 0 else " text from"
        words = self.words[:EXCERPT_CHARACTERS] + "…" * (len(self.words) > EXCERPT_CHARACTERS)
        return f"{where} “{words.replace('0', '⟨number⟩')}”"

    def cut(self, text: str, other: str) -> str:
        """Return a text without the string, unless the counterpart has it."""
        if not self.pattern.search(text) or self.pattern.search(other):
            return text
        return self.pattern.sub("", text, count=1)


@lru_cache(maxsize=2048)  # The references are the same for each system.
def shape(text: str) -> str:
    """Return a text with 0 for each number.

    >>> shape("line 12:")
    'line 0:'
    """
    return _DIGITS.sub("0", text)


def foreign_items(counts: Counter[str], other_counts: Counter[str], minimum: int) -> list[str]:
    """Return the items that one side has at least `minimum` times, and the other hardly ever."""
    frequent = {item: count for item, count in counts.items() if count >= minimum}
    foreign = [item for item, count in frequent.items() if FOREIGN * other_counts[item] <= count]
    return sorted(foreign, key=lambda item: -frequent[item])


def detect_frames(rows: ScoredRows) -> Proposals:
    """Propose to cut what lines of one side begin and end with; None is a pause."""
    for side in SIDES:
        yield from _detect_frames(rows, side)


def _detect_frames(rows: ScoredRows, side: str) -> Proposals:
    pairs = [pair for pair in rows.side_pairs(side) if all(map(str.strip, pair))]
    if len(pairs) < 3:
        return
    lines, others = zip(*pairs, strict=True)
    counts = yield from count_lines_with(_tokens, lines)
    other_counts = yield from count_lines_with(_tokens, others)
    words = yield from count_lines_with(folded_words, others)
    foreign = [
        token
        for token in foreign_items(counts, other_counts, rows.min_lines)
        if not _is_used(token, words, counts[token])
    ][:MAX_TRIED]
    best: dict[int, Trial] = {}
    rules: dict[int, _Rule] = {}
    for step in (1, -1):
        for rule in _rules(pairs, step, rows.min_lines, words, foreign):
            if rule is None:
                yield None
                continue
            change = Change("frame", "", side, rule.cut, Proof.EDGE)
            verdict = yield from pause(rows.undo(change, is_sampled=True))
            least = best[step].gain if step in best else 0.0
            if verdict.is_accepted(rows.min_lines) and verdict.gain > least:
                best[step], rules[step] = verdict, rule
    parts = [list(rules.values())] if rules else []
    if len(rules) > 1:  # A repair of one kind needs the string at one end alone.
        parts += [[rule] for rule in rules.values()]
    for part in parts:
        change = _frame_change(part, side)
        if change.is_style and len(rules) > 1:
            continue
        is_rare = change.kind == "chatter" and side == "references"
        yield replace(change, min_better=round(MIN_CHATTER * len(pairs) * is_rare))


def _frame_change(rules: Sequence[_Rule], side: str) -> Change:
    def cut(text: str, other: str) -> str:
        for rule in rules:
            text = rule.cut(text, other)
        return text

    ends = " and ".join(rule.phrase for rule in rules)
    words = " ".join(rule.words for rule in rules)
    is_style = len(rules) == 1 and SENTENCE_MARKS.issuperset(words)
    name = "punctuation" if is_style else frame_name(words)
    phrase = f"{ends}, which the {other_side(side)} do not have"
    return Change(name, phrase, side, cut, Proof.EDGE, is_style)


def _end_word(text: str, step: int) -> str:
    """Return the first (step 1) or last word, without quotes and marks around it."""
    words = text.split()[::step]
    word = next((w for w in words[:3] if any(map(str.isalnum, w))), words[0] if words else "")
    return word.strip(_QUOTES).casefold() or word


def _fits(pair: tuple[str, str], step: int) -> bool:
    """Return whether a text begins (ends) as its counterpart."""
    cut, other = pair
    if _end_word(cut, step) == _end_word(other, step) != "":
        return True
    return " " not in other and cut[::step][:1] == other[::step][:1] != ""


def _rules(
    pairs: Sequence[tuple[str, str]],
    step: int,
    minimum: int,
    other_words: Counter[str],
    foreign: Sequence[str],
) -> Iterator[_Rule | None]:
    """Yield rules for strings that many lines begin (end) with; None is a pause.

    Further rules cut lines up to (from) a foreign token, whatever is before (after) it.
    """
    lines, others = [text for text, _ in pairs], [other for _, other in pairs]
    affixes = yield from _affixes(lines, minimum, step)
    for index, string in enumerate((*affixes, *foreign)):
        yield None
        is_anchor = index >= len(affixes)
        body, rest = re.escape(string).replace("0", _NUMBER), r"\s*"
        if is_anchor:
            left, right = r"(?<!\w)" * string[0].isalnum(), r"(?!\w)" * string[-1].isalnum()
            body, rest = f"{left}{body}{right}", ".*"
        pattern = re.compile(
            rf"(?s)^{rest}{body}\s*" if step > 0 else rf"(?s)(?<!\s)\s*{body}{rest}$"
        )
        words = string.split()
        # First what refuses most strings at once, without a search in all lines.
        if len(words) == 1 and _is_used(words[0], other_words, len(lines)):
            continue
        most = len(lines) // 10
        part = "" if "0" in string else string
        search = pattern.match if step > 0 else pattern.search
        possible = [] if is_anchor else [text for text in others if part in text]
        others_too = sum(1 for _ in islice(filter(search, possible), most + 1))
        if others_too > most:
            continue
        hits = [k for k, text in enumerate(lines) if part in text and search(text)]
        if len(hits) < minimum or 10 * others_too > len(hits):
            continue
        if len(words) == 1 and _is_used(string.strip(), other_words, len(hits)):
            continue
        cuts = {k: pattern.sub("", lines[k]) for k in hits}
        if is_anchor:
            cuts = {k: cut for k, cut in cuts.items() if len(cut) > 0.4 * len(others[k])}
        fitting = sum(_fits((cut, others[k]), step) for k, cut in cuts.items())
        before = sum(_fits(pairs[k], step) for k in hits)
        if not is_anchor and not any(map(str.isalnum, string)):
            ends = [(lines[k].split()[::step], others[k].split()[::step]) for k in hits]
            before = sum(text[0] == other[0] for text, other in ends)
        factor = LONG_FITTING_FACTOR if len(words) > 2 else FITTING_FACTOR
        long = sum(len(lines[k]) > 1.5 * len(others[k]) for k in hits) if is_anchor else 0
        is_better = fitting >= factor * before or long > 0.6 * len(hits)
        if fitting >= max(min(2, len(hits)), MIN_FITTING * len(hits)) and is_better:
            yield _Rule(pattern, step, string.strip(), is_anchor)


def _is_used(word: str, vocabulary: Counter[str], count: int) -> bool:
    """Return whether the other side uses a word, too, so that it is a matter of style."""
    return word.isalpha() and vocabulary[word.casefold()] * FOREIGN > count


def _affixes(lines: Sequence[str], minimum: int, step: int) -> Generator[None, None, list[str]]:
    """Return strings, with digits as 0, that at least `minimum` lines begin (end) with.

    They are what sorted lines at that distance have in common.
    """
    shaped = yield from pause(map_in_slices(shape, lines))
    shapes = sorted({line[::step][:MAX_FRAME] for line in shaped})
    found: Counter[str] = Counter()
    for index, (low, high) in enumerate(zip(shapes, shapes[minimum - 1 :], strict=False)):
        if index % ITEMS_PER_SLICE == 0:
            yield None
        size = common_prefix_length(low, high)
        prefix = low[:size]
        ends = {match.end() for match in _EDGES.finditer(prefix)}
        if size and high[size : size + 1] in {"", " "}:
            ends.add(size)
        for end in ends:
            found[prefix[:end]] += 1

    def weight(prefix: str) -> int:
        return len(prefix) * min(found[prefix] + minimum, 4 * minimum)

    kept = sorted(found, key=lambda prefix: (-weight(prefix), prefix))[:MAX_TRIED]
    return [prefix[::step] for prefix in kept]


@lru_cache(maxsize=2048)  # The references are the same for each system.
def _tokens(line: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(shape(_TAG_LIKE.sub(r" \1 ", line)).split()))
