"""A score as a card to share: an SVG picture of the texts with their marks, and of the number."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from bleu.document.blocks import Factor, Product
from bleu.document.writing import Writing, word_directions
from bleu.render.numbers import number_text
from bleu.render.svg import COLOURS

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size of the card, as sites show previews of links."""
LEFT: Final = 56
"""The x coordinate of the texts."""
TEXT_WIDTH: Final = 640
RIGHT: Final = 752
"""The x coordinate of the number."""
SIDE_WIDTH: Final = 392
TEXTS_HEIGHT: Final = 490
MAX_TEXTS: Final = 4
MIN_SIZE: Final = 18
MAX_SIZE: Final = 44
"""The smallest and the largest size of the letters of the texts."""
TITLE_HEIGHT: Final = 30
ELLIPSIS: Final = "…"
ALERT: Final = "#b3122d"
"""The colour of a factor of 0."""
FAMILIES: Final = {
    "sans": "system-ui, sans-serif",
    "serif": "Charter, Cambria, 'Noto Serif', Georgia, serif",
    "mono": "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
}
"""The font families, by name."""
STROKES: Final = {"c": "", "p": ' stroke-dasharray="3 3"', "u": ' stroke-dasharray="2 3"'}
"""The dashes of marks, by the letter of their kind; clipped tokens are hatched."""

Measure = Callable[[str, str], float]
"""Returns the width of a text in letters of size 1 of a family."""


@dataclass(frozen=True, slots=True)
class CardToken:
    """A token as it stands in its text, and the letters of its marks, lane by lane.

    `gap` says whether white space follows, and `gap_marks` are the letters of the marks below it.
    """

    text: str
    gap: bool
    marks: tuple[str, ...]
    gap_marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardText:
    """A text with its title."""

    title: str
    tokens: tuple[CardToken, ...]
    writing: Writing


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a card."""

    name: str
    value: str
    sentence: str
    signature: str
    texts: tuple[CardText, ...]
    product: Product


Word = tuple[CardToken, ...]
"""Tokens between which a line does not break."""


def estimated_width(text: str, _family: str) -> float:
    """Return about how wide a text is in letters of size 1.

    >>> estimated_width("a猫", "sans")
    1.55
    """
    return sum(1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.55 for letter in text)


def render(card: Card, measure: Measure = estimated_width) -> str:
    """Render a card; texts that are too long for it end with an ellipsis."""
    label = escape(f"{card.name} {card.value}. {card.sentence}")
    parts = "".join([*_texts(card.texts, measure), *_result(card, measure), *_foot(card, measure)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}"><defs>'
        '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="2.4" height="6" fill="{COLOURS["clipped"]}"/>'
        f'</pattern></defs><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{parts}</svg>'
    )


def _texts(texts: Sequence[CardText], measure: Measure) -> Iterator[str]:
    shown = texts[:MAX_TEXTS]
    room = TEXTS_HEIGHT - 24 * (len(texts) > len(shown))
    for size in range(MAX_SIZE, MIN_SIZE - 1, -1):
        broken = [_lines(text.tokens, TEXT_WIDTH / size, measure) for text in shown]
        lanes = max((len(token.marks) for text in shown for token in text.tokens), default=1)
        pitch = max(3, round(0.16 * size))
        line_height = round(1.3 * size) + lanes * pitch
        if len(shown) * TITLE_HEIGHT + sum(map(len, broken)) * line_height <= room:
            break
    max_lines = (room - len(shown) * TITLE_HEIGHT) // line_height
    while sum(map(len, broken)) > max_lines:
        longest = max(broken, key=len)
        longest.pop()
        if longest[-1][-1][-1].text != ELLIPSIS:
            longest[-1].append((CardToken(ELLIPSIS, False, (), ()),))
    y = 40 + max(0, room - len(shown) * TITLE_HEIGHT - sum(map(len, broken)) * line_height) // 3
    for text, lines in zip(shown, broken, strict=True):
        yield _text(LEFT, y + 18, text.title, 17, "soft", weight=600)
        y += TITLE_HEIGHT
        for line in lines:
            yield from _line(line, text.writing, y + size, size, pitch, measure)
            y += line_height
    if len(texts) > len(shown):
        yield _text(LEFT, y + 18, f"and {len(texts) - len(shown)} more references", 17, "soft")


def _words(tokens: Sequence[CardToken]) -> Iterator[Word]:
    """Yield the tokens between which a line does not break."""
    word: list[CardToken] = []
    for token in tokens:
        if word and (word[-1].gap or _is_break(word[-1].text, token.text)):
            yield tuple(word)
            word = []
        word.append(token)
    if word:
        yield tuple(word)


def _is_break(before: str, after: str) -> bool:
    """Return whether a line may break between two tokens without white space between them."""
    ends = before[-1:], after[:1]
    is_wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in ends if letter)
    return is_wide and unicodedata.category(after[:1] or " ") not in {"Pe", "Pf", "Po"}


def _lines(tokens: Sequence[CardToken], width: float, measure: Measure) -> list[list[Word]]:
    """Break a text into lines; a word that is wider than a line is cut."""
    lines: list[list[Word]] = [[]]
    end = 0.0
    for whole_word in _words(tokens):
        word, size = whole_word, _width(whole_word, measure)
        if size > width:
            word = (_cut(whole_word, width, measure),)
            size = _width(word, measure)
        if end and end + size > width:
            lines.append([])
            end = 0.0
        lines[-1].append(word)
        end += size + (measure(" ", "sans") if word[-1].gap else 0)
    return lines


def _width(word: Word, measure: Measure) -> float:
    return measure("".join(token.text for token in word), "sans")


def _cut(word: Word, width: float, measure: Measure) -> CardToken:
    """Return a word as one token whose text ends with an ellipsis and is as wide as a line."""
    text = "".join(token.text for token in word)
    length = min(len(text), int(len(text) * width / measure(text, "sans")))
    while length > 1 and measure(text[:length] + ELLIPSIS, "sans") > width:
        length -= max(1, length // 20)
    return CardToken(text[:length] + ELLIPSIS, word[-1].gap, word[0].marks, word[-1].gap_marks)


def _line(
    line: list[Word], writing: Writing, y: float, size: int, pitch: int, measure: Measure
) -> Iterator[str]:
    """Render one line; words of the other direction stand in their own order."""
    words = [part for word in line for part in _one_way_parts(word)]
    texts = ["".join(token.text for token in word) for word in words]
    base = writing.direction
    directions = word_directions(texts, base) or (base,) * len(words)
    order: list[int] = []
    start = 0
    for index, direction in enumerate(directions):
        if index and direction == directions[index - 1] != base:
            order.insert(start, index)
        else:
            start = len(order)
            order.append(index)
    space, widths = measure(" ", "sans") * size, [_width(word, measure) * size for word in words]
    gaps = [space if words[index][-1].gap else 0.0 for index in order]
    edge = 0.0  # the distance from the side at which the text begins
    for index, gap in zip(order, gaps, strict=True):
        width, direction = widths[index], directions[index]
        x = LEFT + edge if base == "ltr" else LEFT + TEXT_WIDTH - edge - width
        yield _text(x + width / 2, y, texts[index], size, "ink", anchor="middle", way=direction)
        done = 0.0
        for number, token in enumerate(words[index]):
            before = done
            prefix = "".join(each.text for each in words[index][: number + 1])
            done = measure(prefix, "sans") * size
            start_x = x + before if direction == "ltr" else x + width - done
            yield from _marks(token.marks, start_x, done - before, y, size, pitch)
        if index + 1 < len(words) and directions[index + 1] == direction:
            after = x + width if direction == "ltr" else x - gap
            yield from _marks(words[index][-1].gap_marks, after, gap, y, size, pitch)
        edge += width + gap


def _one_way_parts(word: Word) -> Iterator[Word]:
    """Split a word, also within a token, where letters of the other direction begin.

    >>> [part[0].text for part in _one_way_parts((CardToken("ב-iPhone", True, (), ()),))]
    ['ב-', 'iPhone']
    """
    part: list[CardToken] = []
    last = ""
    for token in word:
        start = 0
        for index, letter in enumerate(token.text):
            way = {"L": "ltr", "R": "rtl", "AL": "rtl"}.get(unicodedata.bidirectional(letter), "")
            if way and last and way != last:
                if text := token.text[start:index]:
                    part.append(replace(token, text=text, gap=False, gap_marks=()))
                yield tuple(part)
                part, start = [], index
            last = way or last
        part.append(replace(token, text=token.text[start:]))
    yield tuple(part)


def _marks(
    letters: Sequence[str], x: float, width: float, y: float, size: int, pitch: int
) -> Iterator[str]:
    thickness = max(1.5, 0.55 * pitch)
    for lane, letter in enumerate(letters):
        top = y + 0.3 * size + lane * pitch
        if letter == "x":
            yield f'<rect {_box(x, top - 1, width, thickness + 2)} fill="url(#hatch)"/>'
            if not lane:
                yield _stroke(x, y - 0.3 * size, width, "clipped", 2, "")
        elif letter in STROKES and width:
            colour = "soft" if letter == "u" else "counts"
            start, length = x - 0.25, width + 0.5  # overlapping, so that no seam shows
            yield _stroke(start, top + thickness / 2, length, colour, thickness, STROKES[letter])


def _result(card: Card, measure: Measure) -> Iterator[str]:
    yield _text(RIGHT, 96, card.name, 19, "ink", weight=600)
    yield _text(RIGHT - 4, 196, card.value, 108, "counts", family="serif")
    lines = _sentence_lines(card.sentence, SIDE_WIDTH / 21, measure)
    for index, line in enumerate(lines):
        yield _text(RIGHT, 240 + 28 * index, line, 21, "ink", family="serif")
    factors = [card.product.penalty, *(each for each in card.product.precisions if each.is_used)]
    height = min(150, 466 - 240 - 28 * len(lines))
    step = min(82.0, (SIDE_WIDTH + 8) / len(factors))
    for index, factor in enumerate(factors):
        yield from _column(factor, RIGHT + index * step, step, height, len(factors))


def _sentence_lines(sentence: str, width: float, measure: Measure) -> list[str]:
    lines = [""]
    for word in sentence.split():
        if lines[-1] and measure(f"{lines[-1]} {word}", "serif") > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines if len(lines) <= 4 else [*lines[:3], f"{lines[3]}{ELLIPSIS}"]


def _column(factor: Factor, x: float, step: float, height: float, count: int) -> Iterator[str]:
    """Render the bar of a factor, and below it the number and its name."""
    column, width, base = factor.column, step - 8, 486.0
    yield f'<rect {_box(x, base - height, width, height)} fill="#f3f4f6"/>'
    counted, lost, added = (
        height * min(1.0, float(part)) for part in (column.value, column.lost, column.added)
    )
    yield f'<rect {_box(x, base - counted, width, counted)} fill="{COLOURS["counts"]}"/>'
    top = base - counted
    if lost:
        edge = f'stroke="{COLOURS["clipped"]}" stroke-width="1.5"'
        yield f'<rect {_box(x, top - lost, width, lost)} fill="url(#hatch)" {edge}/>'
    if added:
        edge = f'stroke="{COLOURS["counts"]}" stroke-width="1.5"'
        yield f'<rect {_box(x, top - added, width, added)} fill="#e6ecfb" {edge}/>'
    number = "/".join(factor.ratio) or number_text(factor.value)
    middle, size = x + width / 2, 12 if count > 5 else 13 if len(number) > 6 else 17
    if not factor.value:
        yield f'<rect {_box(x, base - 3, width, 3)} fill="{ALERT}"/>'
    yield _text(middle, base + 22, number, size, "ink", anchor="middle", family="serif")
    label = column.label if count <= 5 or not factor.order else column.note
    yield _text(middle, base + 43, label, min(15, size), "soft", anchor="middle")


def _foot(card: Card, measure: Measure) -> Iterator[str]:
    yield _stroke(0, 560, WIDTH, "line", 1, "")
    yield _text(LEFT, 601, "BLEU calculator", 21, "ink", family="serif", weight=700)
    size = min(16, int(860 / max(1.0, measure(card.signature, "mono"))))
    end = WIDTH - LEFT
    yield _text(end, 600, card.signature, size, "soft", anchor="end", family="mono")


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'


def _stroke(x: float, y: float, width: float, colour: str, size: float, dashes: str) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{x + width:.1f}" y2="{y:.1f}"'
    return f'<line {ends} stroke="{COLOURS[colour]}" stroke-width="{size:.1f}"{dashes}/>'


def _text(
    x: float,
    y: float,
    content: str,
    size: int,
    colour: str,
    *,
    family: str = "sans",
    anchor: str = "start",
    weight: int = 400,
    way: str = "ltr",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="{FAMILIES[family]}" '
        f'font-weight="{weight}" fill="{COLOURS[colour]}" text-anchor="{anchor}" '
        f'direction="{way}">{escape(content)}</text>'
    )
