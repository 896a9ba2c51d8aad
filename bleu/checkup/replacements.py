"""Replacements inside lines that make one side like the other, and letters that one side lost."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache, partial
from itertools import chain
from typing import Final, NamedTuple

from bleu.checkup.changes import (
    SIDES,
    Change,
    Proof,
    Proposals,
    ScoredRows,
    other_side,
)
from bleu.checkup.frames import FOREIGN, SENTENCE_MARKS
from bleu.checkup.respelling import respell

MAX_CHARACTERS: Final = 40_000
"""The number of characters of a side from which replacements are learned, because of the time."""
MAX_TOKENS: Final = 400
"""Longer lines are not compared."""
MAX_GAP: Final = 160
"""Longer differing parts of lines, in characters, are not compared."""
MAX_EDIT: Final = 12
"""The largest number of characters of a replaced string, and of its replacement."""
MIN_SHARE: Final = 0.5
"""The smallest share of all occurrences of a sign that are replaced."""
MIN_LETTER_SHARE: Final = 0.9
"""The same for letters; spelling variants, such as -ise, replace fewer."""
MIN_NEIGHBOURS: Final = 3
"""The smallest number of characters before, and after, a replaced character of a script without
case, or several letters; in fewer places, it is a choice of words, as between Chinese messages."""
_LOST: Final = frozenset("?\ufffd")
"""Signs that stand for lost characters, which `respelling` handles, as it does accents."""
_JOINERS: Final = ("-", "_", ".", ":")
"""Signs that join the parts of a name."""
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|\s|.", re.DOTALL)
_LOOK: Final = {"a": r"[^\W\d_]", "0": r"\d"}


class Edit(NamedTuple):
    """A replacement, and the characters before and after it; “^” and “$” are the ends."""

    before: str
    old: str
    new: str
    after: str


@lru_cache(maxsize=2048)
def line_edits(left: str, right: str) -> tuple[Edit, ...]:
    """Return the replacements, character by character, that turn one line into another.

    >>> line_edits("a c@t", "a cat")
    (Edit(before='c', old='@', new='a', after='t'),)
    """
    return tuple(edit for gap in _gaps(left, right) for edit in _split_gap(gap))


@lru_cache(maxsize=512)  # The references are the same for each system.
def _matcher(text: str) -> tuple[list[str], SequenceMatcher[str]]:
    """Return the tokens of a text, and what aligns others with them."""
    tokens = _TOKEN.findall(text)
    # Spaces alone are no match: there are too many of them.
    return tokens, SequenceMatcher(str.isspace, (), tokens, autojunk=False)


def _gaps(left: str, right: str) -> Iterator[Edit]:
    """Yield where two lines differ, in words."""
    a, (b, matcher) = _TOKEN.findall(left), _matcher(right)
    if max(len(a), len(b)) > MAX_TOKENS:
        return
    matcher.set_seq1(a)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            continue
        before, after = (a[i - 1] if i else "^"), (a[j] if j < len(a) else "$")
        count = min(a[i:j].count(" "), b[k:m].count(" "))
        olds, news = ("".join(part).split(" ", count) for part in (a[i:j], b[k:m]))
        for n, (old, new) in enumerate(zip(olds, news, strict=True)):
            if old != new:
                yield Edit(before if n == 0 else " ", old, new, after if n == count else " ")


def _split_gap(gap: Edit) -> Iterator[Edit]:
    """Yield the differences in characters of two differing strings, if they are alike."""
    left, right = gap.old, gap.new
    are_words = left.isalpha() and right.isalpha()
    if max(len(left), len(right)) > MAX_GAP or (are_words and set(left).isdisjoint(right)):
        return  # Other words tell nothing of letters.
    pieces = [("replace", 0, len(left), 0, len(right))]
    if left and right:
        matcher = SequenceMatcher(None, left, right, autojunk=False)
        if min(len(left), len(right)) > 3 and matcher.quick_ratio() < 0.4:
            return
        pieces = [piece for piece in matcher.get_opcodes() if piece[0] != "equal"]
    for _, i, j, k, m in pieces:
        before = left[i - 1] if i else gap.before[-1]
        after = left[j] if j < len(left) else gap.after[0]
        old, new = left[i:j], right[k:m]
        if len(old) == len(new) > 1 and old.isalnum() and new.isalnum():
            for index, (old_letter, new_letter) in enumerate(zip(old, new, strict=True)):
                yield Edit(old[index - 1] if index else before, old_letter, new_letter, after)
        else:
            yield Edit(before, old, new, after)


def is_letter(character: str) -> bool:
    """Return whether a character is a letter or an accent."""
    return character.isalpha() or unicodedata.category(character)[0] == "M"


def edit_name(edit: Edit) -> str:
    """Return the kind of a replacement, or "" if it is a matter of words.

    >>> [edit_name(Edit("a", *pair, "b")) for pair in (("é", "e"), ("«", '"'), ("our", "or"))]
    ['letters', 'punctuation', '']
    """
    old, new = edit.old, edit.new
    text = old + new
    if new and _LOST.issuperset(new):
        return ""  # The other side has lost characters, which `respelling` measures.
    is_old_plain, is_new_plain = (
        all(c == " " or is_letter(c) for c in part) for part in (old, new)
    )
    if old.lower() == new.lower() or (is_old_plain and not is_new_plain):
        return ""  # Case has a detector; and no text is turned into signs, as “ ” into “%20”.
    if all(map(is_letter, text)):
        is_single = len(old) <= 2 and len(new) <= 2
        is_mark = old == "\u0640" or not old[0].isalpha()
        return "letters" if is_single and (new or is_mark) else ""
    if text.isdigit():
        return "letters" if new else ""
    return _sign_name(edit)


def _sign_name(edit: Edit) -> str:
    """Return the kind of a replacement that has signs."""
    old, new = edit.old, edit.new
    letters = sum(map(is_letter, old + new))
    if re.fullmatch(r"\s?['’]?\w*['’]\w*\s?", old):
        return ""  # Contractions are a matter of words.
    if letters:  # Such as “&quot;” or “<b>”, not a word with a hyphen
        bare = old.strip()
        has_signs = bare and not (is_letter(bare[0]) and is_letter(bare[-1]))
        if bare[:1] in _JOINERS and bare[1:].isalpha():
            return ""  # Such as “_NAME” in “FILE_NAME”
        is_code = 2 * sum(map(is_letter, old)) <= len(old) or has_signs
        is_plain = len(new) < 3 and not any(map(is_letter, new))
        return "frame" if is_code and is_plain and not re.search(r"\S\s+\S", old) else ""
    if not new and old.strip() and (edit.before == "^" or edit.after == "$"):
        return "frame"
    if len(old) > 3 and any(map(str.isdigit, old)):
        return "frame"
    is_space = not (old + new).strip()
    if is_space or (" " in old + new and old.replace(" ", "") == new.replace(" ", "")):
        return "spacing"
    return "punctuation"


@dataclass(slots=True)
class _Votes:
    """How often each string, in each context, is replaced by others, in how many lines, and where.

    `neighbours` are the characters before and those after each replaced string.
    """

    news: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lines: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    neighbours: dict[tuple[str, str], tuple[set[str], set[str]]] = field(
        default_factory=lambda: defaultdict(lambda: (set(), set()))
    )

    @classmethod
    def of_lines(cls, lines: Sequence[Sequence[Edit]], minimum: int) -> "_Votes":
        """Count the edits of strings that have a rule at most: named, and in `minimum` lines."""
        votes = cls()
        pairs = Counter(chain.from_iterable({(e.old, e.new) for e in edits} for edits in lines))
        olds = {
            old
            for (old, new), count in pairs.items()
            if count >= minimum and edit_name(Edit("^", old, new, "$"))
        }
        for edits in lines:
            seen = set()
            for before, old, new, after in (edit for edit in edits if edit.old in olds):
                votes.neighbours[old, new][0].add(before)
                votes.neighbours[old, new][1].add(after)
                for context in ("", _class(before) + _class(after)):
                    votes.news[old, context][new] += 1
                    seen.add((old, context, new))
            votes.lines.update(seen)
        return votes


def _class(character: str) -> str:
    return "a" if is_letter(character) else "0" if character.isdigit() else character


def detect_replacements(rows: ScoredRows) -> Proposals:
    """Propose the replacements that nearly always make one side like the other; None is a pause."""
    for side in SIDES:
        yield from _detect_replacements(rows, side)


def _detect_replacements(rows: ScoredRows, side: str) -> Proposals:
    budget, pairs, lines = MAX_CHARACTERS, [], []
    for text, other in rows.side_pairs(side):
        if text != other and budget > 0:
            budget -= len(text)
            pairs.append((text, other))
            edits = line_edits(*((text, other) if side == "hypotheses" else (other, text)))
            if side == "references":  # The differences of a pair are computed once for both sides.
                edits = tuple(Edit(a, new, old, b) for a, old, new, b in edits)
            lines.append(
                [e for e in edits if 0 < len(e.old) <= MAX_EDIT and len(e.new) <= MAX_EDIT]
            )
            yield None
    minimum = rows.min_lines
    votes = _Votes.of_lines(lines, min(3, minimum))
    texts = ["\n".join(column) for column in zip(*pairs, strict=True)] or ["", ""]
    rules: dict[str, dict[str, Edit]] = defaultdict(dict)
    taken: set[str] = set()
    ranked = sorted(votes.news.items(), key=lambda item: (len(item[0][1]), -item[1].total()))
    for position, ((old, context), news) in enumerate(ranked):
        if position % 200 == 0:
            yield None
        new = news.most_common(1)[0][0]
        is_exchange = len(old) == 1 == len(new) and old.isalpha() and new.isalpha()
        least = min(3, minimum) if is_exchange else minimum
        if old in taken or votes.lines[old, context, new] < least:
            continue
        is_cased_letter = len(old) == 1 and old.lower() != old.upper()
        neighbours = min(map(len, votes.neighbours[old, new]))
        if old.isalpha() and not is_cased_letter and neighbours < min(MIN_NEIGHBOURS, len(pairs)):
            continue  # It is a choice of words.
        yield None
        name = _rule_name(Edit(context[:1], old, new, context[1:]), news, texts)
        if name == "punctuation" and _is_in_words(old, new, *votes.neighbours[old, new]):
            name = "subwords"
        if name:
            rules[name][_pattern(old, context)] = Edit(context[:1], old, new, context[1:])
        if not context and name is not None:
            taken.add(old)
    lost = {
        pattern: edit
        for pattern, edit in rules.get("letters", {}).items()
        if _is_loss(edit, side, [text for text, _ in pairs])
    }
    if lost:
        yield _loss_change(list(lost.values()), other_side(side))
    for name, table in rules.items():
        if kept := {key: edit for key, edit in table.items() if key not in lost}:
            yield _replacement_change(name, kept, side)


def _is_in_words(old: str, new: str, before: set[str], after: set[str]) -> bool:
    """Return whether a sign inside words is no mark of sentences, and a space or nothing is right.

    So tokenizers mark pieces of words; at the ends of words, it may be a sign of menus.
    """
    ends = {" ", "^", "$"}
    is_sign = not new.strip() and not SENTENCE_MARKS.issuperset(old.strip())
    return is_sign and ends.isdisjoint(before if new else before | after)


def _is_loss(edit: Edit, side: str, lines: Sequence[str]) -> bool:
    """Return whether the other side has lost the difference between two letters, or their script.

    It has if lines have both letters; and where the references have letters of their script.
    """
    if not edit.new:
        return False
    script = _script(edit.old[0])
    is_same = script == _script(edit.new[0])
    if side == "references":
        scripts: Counter[str] = Counter()
        for character, count in Counter("".join(lines)).items():
            scripts[_script(character)] += count * character.isalpha()
        return is_same or script == max(scripts, key=lambda each: scripts[each], default="")
    with_old = [line for line in lines if edit.old in line]
    return is_same and 2 * sum(edit.new in line for line in with_old) >= len(with_old)


def _script(character: str) -> str:
    return unicodedata.name(character, "").split(" ")[0]


def _loss_change(edits: Sequence[Edit], side: str) -> Change:
    """Return the change that restores lost letters as the other side has them."""

    def fold(word: str) -> str:
        for edit in edits:
            word = word.replace(edit.old, edit.new)
        return word

    phrase = _have_phrase([f"“{edit.new}” for “{edit.old}”" for edit in edits])
    return Change("letters", phrase, side, partial(respell, fold=fold), Proof.MEASURED)


def _have_phrase(items: Iterable[str]) -> str:
    listed = list(dict.fromkeys(items))
    return f"have {', '.join(listed[:4])}{' …' if len(listed) > 4 else ''}"


def _pattern(old: str, context: str) -> str:
    """Return the regular expression of a string in a context of two characters, or anywhere."""
    pattern = re.escape(old)
    if context:
        left, right = context[0], context[1]
        before = "^" if left == "^" else f"(?<={_LOOK.get(left, re.escape(left))})"
        after = "$" if right == "$" else f"(?={_LOOK.get(right, re.escape(right))})"
        pattern = f"{before}{pattern}{after}"
    return pattern


def _rule_name(edit: Edit, news: Counter[str], texts: list[str]) -> str | None:
    """Return the kind of a replacement, "" for none, or None if too few occurrences are replaced.

    What the other side never has counts only where lines are aligned.
    """
    context, name = edit.before + edit.after, edit_name(edit)
    if context and name in {"", "letters"}:
        return ""
    total = count = texts[0].count(edit.old)
    if context:
        total = len(re.findall(_pattern(edit.old, context), texts[0], re.MULTILINE))
    if FOREIGN * texts[1].count(edit.old) <= count:
        total = min(total, news.total())
    share = news[edit.new] / total if total else 0.0
    if share < (MIN_LETTER_SHARE if edit.old.isalpha() else MIN_SHARE):
        return None
    return "" if name == "letters" and share < MIN_LETTER_SHARE else name


def _replacement_change(name: str, table: Mapping[str, Edit], side: str) -> Change:
    ordered = sorted(table.items(), key=lambda item: (-len(item[1].old), -len(item[0])))
    pattern = re.compile("|".join(f"({each})" for each, _ in ordered), re.MULTILINE)
    news = [edit.new for _, edit in ordered]
    phrase = _have_phrase(
        f"“{edit.old}” for “{edit.new}”" if edit.new else f"an extra “{edit.old}”"
        for _, edit in ordered
    )
    is_style = name != "subwords" and not any(
        any(map(str.isalpha, edit.old + edit.new)) or len(edit.old.strip()) > 1
        for edit in table.values()
    )

    def replace(text: str, _: str) -> str:
        return pattern.sub(lambda match: news[(match.lastindex or 1) - 1], text)

    # What the references have in addition, the hypotheses lack: no repair of the references.
    is_code = name in {"subwords", "frame"}
    is_repair = side == "hypotheses" or is_code or any(edit.new for _, edit in ordered)
    proof = Proof.LEARNED if is_repair else Proof.MEASURED
    return Change(name, phrase, side, replace, proof, is_style)
