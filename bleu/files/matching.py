"""Which columns hold the texts: those that match each other above chance; names break ties.

The match of two columns is the share of the words of one that the other has in the same row, less
the share that it has in the next row. Numbers, ids and constants match no better than by chance,
and a source in another language hardly does. Equal columns are the same texts twice, not a system
with its reference.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product, starmap
from typing import Any, Final, NamedTuple

from bleu.files.data_table import (
    CERTAIN,
    GROUPS,
    ID,
    REFERENCES,
    SOURCES,
    SYSTEM,
    UNUSED,
    DataTable,
    are_names,
    file_roles,
    guess_roles,
    name_words,
)
from bleu.files.formats import TABBED, text_count

MAX_ROWS: Final = 100
"""The number of rows that are compared."""
MAX_TEXTS: Final = 40
"""The largest number of columns of a file, and of texts in a cell, that are compared."""
MIN_MATCH: Final = 0.08
"""The smallest match of columns that belong together."""
MIN_FURTHER: Final = 0.4
"""The smallest match of a further reference, as a share of the best match."""
_CERTAIN, _OWN, _UNKNOWN, _OTHER, _OPPOSITE = 3.0, 2.0, 1.0, 0.5, 0.25
"""The factors of the match of a column by how its name suits a role.

It is certain of this role, suggests it, is unknown, suggests another, or is certain of the other.
"""
MIN_SAME: Final = 0.9
"""The smallest share of equal rows of columns that may be the same texts twice."""
_SAME: Final = 0.1
"""The factor of their match."""
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_SPAN: Final = re.compile(r"</?v>")

PLAIN: Final = ("line",)
"""The columns of a file of plain lines."""

Bags = Sequence[Sequence[Counter[str]]]
"""The words of each text in each row."""


class Chosen(NamedTuple):
    """The indices of the columns of a file, and whether their match or a person decided.

    `rival` is a clause on another column that matches as well, or "".
    """

    indices: list[int]
    by_match: bool = False
    is_named: bool = False
    rival: str = ""


def plain_table(name: str, lines: Sequence[str]) -> DataTable:
    """Return the table of one column that a file of plain lines is."""
    return DataTable(name, PLAIN, [(line,) for line in lines])


def cell_texts(cell: Any) -> list[str]:
    """Return the texts of a cell, which may be a list."""
    return [text for text in (cell if isinstance(cell, list) else [cell]) if isinstance(text, str)]


def text_columns(table: DataTable) -> list[int]:
    """Return the columns that hold texts: most cells have letters, and not all are the same.

    Ids are no texts.

    >>> rows = [["a1", "de", "Ein Satz."], ["a2", "de", "Noch einer."], ["a3", "de", "Ja."]]
    >>> text_columns(DataTable("a", ("id", "lang", "text"), rows))
    [2]
    """
    indices = []
    for index, _ in enumerate(table.columns):
        texts = [" ".join(cell_texts(row[index])) for row in table.rows[:MAX_ROWS]]
        lettered = sum(bool(_LETTERS.search(t)) and not ID.fullmatch(t) for t in texts)
        has_variety = len(set(texts)) > 1 or len(texts) < 3
        if lettered and 2 * lettered >= len(list(filter(None, texts))) and has_variety:
            indices.append(index)
    return indices


def source_columns(table: DataTable) -> list[int]:
    """Return the first column with texts whose name says that it is the source, or else the first.

    It is in a list, which is empty if no column has texts.
    """
    indices = text_columns(table)
    named = [index for index in indices if SOURCES in file_roles(table.columns[index])]
    return (named or indices)[:1]


def fit_tables(systems: DataTable, references: DataTable) -> tuple[DataTable, DataTable]:
    """Return two tables, with a first row as names or as data if the other table tells.

    It names the columns if both begin with the same names, or if only so both have as many rows.
    So are all but the first rows of a segment left out. Empty lines at the end do not count.
    Lists of references lose their first texts if these are a context, which matches nothing.

    >>> one = DataTable("a", ("column 1",), [("text",), ("A cat.",)], ("text",))
    >>> [table.rows for table in fit_tables(one, plain_table("b", ["The cat."]))]
    [[('A cat.',)], [('The cat.',)]]
    """
    references = _without_context(systems, references)
    has_names = systems.header == references.header and are_names(systems.header, is_known=True)
    if has_names:
        systems, references = (t.with_header(is_header=True) for t in (systems, references))
    tables = systems, references
    if len(systems.rows) == len(references.rows) and not any(map(_has_spans, tables)):
        return tables
    forms = (_forms(table, has_names=has_names) for table in tables)
    pairs = sorted(product(*forms), key=lambda pair: pair[0][0] + pair[1][0])
    fitting = ((a, b) for (_, a), (_, b) in pairs if _size(a) == _size(b) > 0)
    return next(fitting, tables)


def _forms(table: DataTable, *, has_names: bool) -> list[tuple[int, DataTable]]:
    """Return the forms that a table may have, each with a number that is higher if it is unlikely.

    `has_names` says that its first row certainly has names.
    """
    forms = [(1, table), (0 if _has_spans(table) else 2, _by_segment(table))]
    may_have_names = table.has_header or are_names(table.header, is_known=True)
    if table.columns != PLAIN and may_have_names and not has_names:
        is_header = not table.has_header
        forms.append((2 if is_header else 4, table.with_header(is_header=is_header)))
    return forms


def _size(table: DataTable) -> int:
    """Return the number of rows, without empty lines at the end."""
    is_plain = table.columns == PLAIN
    return text_count([row[0] for row in table.rows]) if is_plain else len(table.rows)


def _has_spans(table: DataTable) -> bool:
    """Return whether texts have MQM's marks of errors."""
    return any(_SPAN.search(str(cell)) for row in table.rows[:MAX_ROWS] for cell in row)


def _by_segment(table: DataTable) -> DataTable:
    """Return the first row of each segment without MQM's marks of errors.

    Files of MQM have a row for each rater and error. A segment is what its columns of ids, groups
    and sources say.

    >>> rows = [("1", "A", "a <v>b</v>"), ("1", "B", "a b"), ("2", "B", "c")]
    >>> _by_segment(DataTable("a.tsv", ("seg_id", "rater", "target"), rows)).rows
    [['1', 'A', 'a b'], ['2', 'B', 'c']]
    """
    keys = [n for n, role in enumerate(guess_roles(table)) if role in (UNUSED, GROUPS)]
    segments: dict[tuple[Any, ...], Sequence[Any]] = {}
    for row in table.rows if keys else ():
        bare = [_SPAN.sub("", cell) if isinstance(cell, str) else cell for cell in row]
        segments.setdefault(tuple(str(bare[n]) for n in keys), bare)
    if not segments or (len(segments) == len(table.rows) and not _has_spans(table)):
        return table
    content = f"segment in {len(table.rows):,} rows, of which the first of each is read"
    is_same = len(segments) == len(table.rows)
    return replace(table, rows=[*segments.values()], content=table.content if is_same else content)


def _without_context(systems: DataTable, references: DataTable) -> DataTable:
    """Return references between tabs without the first of each row, if only the others match."""
    if not references.content.endswith(TABBED) or len(systems.columns) > 1:
        return references
    lists = [row[-1] for row in references.rows]
    if min(map(len, lists)) < 2:
        return references
    pairs = aligned_rows(systems, references)
    bags = _bags(systems, 0, [a for a, _ in pairs])
    first, others = (
        [_bag(lists[b][part]) for _, b in pairs] for part in (slice(1), slice(1, None))
    )
    if match(bags, first) >= MIN_MATCH or match(bags, others) < MIN_MATCH:
        return references
    rows = [[*row[:-1], row[-1][1:]] for row in references.rows]
    content = f"{references.content}, after a first text that matches nothing"
    return replace(references, rows=rows, content=content)


def choose_pair(
    systems: DataTable,
    references: DataTable,
    own_columns: Collection[int] = (),
    other_columns: Collection[int] = (),
) -> tuple[Chosen, Chosen]:
    """Return the columns of a file of hypotheses and of a file of references that match best.

    Further references are columns of the same file that match nearly as well and are no sources. If
    nothing matches, names decide; a list is empty if they do not. Given columns are not changed.
    """
    own = dict.fromkeys(own_columns, 1.0) or _candidates(systems, SYSTEM)
    others = dict.fromkeys(other_columns, 1.0) or _candidates(references, REFERENCES)
    if systems is references:  # A text to correct is no reference, nor is it beside an output.
        roles = guess_roles(references)
        has_output = any(factor >= _OWN for factor in own.values())
        if not other_columns:
            others = {index: factor for index, factor in others.items() if roles[index] != UNUSED}
        if not own_columns and has_output:
            own = {index: factor for index, factor in own.items() if roles[index] != UNUSED}
    pairs = aligned_rows(systems, references)
    bags = {index: _bags(systems, index, [a for a, _ in pairs]) for index in own}
    other_bags = {index: _bags(references, index, [b for _, b in pairs]) for index in others}
    is_plain = len(own) == 1 and systems is not references
    matches = {
        (i, j): match(bags[i], other_bags[j])
        for i, j in product(own, others)
        if bags[i] != other_bags[j] or (is_plain and others[j] >= _UNKNOWN)
    }
    weighted = {
        (i, j): own[i] * others[j] * value * (_SAME if _are_same(bags[i], other_bags[j]) else 1)
        for (i, j), value in matches.items()
        if value >= MIN_MATCH
    }
    if not weighted:
        named = [*own_columns] or _by_name(own)
        if systems is references:
            others = {index: factor for index, factor in others.items() if index not in named}
        return Chosen(named), Chosen([*other_columns] or _by_name(others))
    best, reference = max(weighted, key=weighted.__getitem__)
    found = [
        index
        for index in others
        if index == reference
        or (
            others[index] == others[reference]
            and (others[index] >= _OWN or _are_alike(references, index, reference))
            and matches.get((best, index), 0) >= MIN_FURTHER * matches[best, reference]
            and other_bags[index] != other_bags[reference]
            and systems is not references
        )
    ]
    swapped = [(b, a) for a, b in pairs]
    rivals = (
        "" if own_columns else _rival(SYSTEM, systems, [best], references, found, pairs),
        "" if other_columns else _rival(REFERENCES, references, found, systems, [best], swapped),
    )
    return (
        Chosen([best], len(own) > 1, rival=rivals[0]),
        Chosen([*other_columns] or found, not other_columns and len(others) > 1, rival=rivals[1]),
    )


def _rival(
    role: str,
    table: DataTable,
    chosen: Sequence[int],
    other: DataTable,
    other_chosen: Sequence[int],
    pairs: Sequence[tuple[int, int]],
) -> str:
    """Return a clause on a column that matches the other side as well as the chosen one, or "".

    It matches better, as a text to correct or to shorten may, but its name suggests something else;
    or its name says as little as that of the chosen column. `pairs` are rows of both tables.
    """
    factors = _candidates(table, role)
    other_bags = _bags(other, other_chosen[0], [b for _, b in pairs])
    bags = {n: _bags(table, n, [a for a, _ in pairs]) for n in (*factors, chosen[0])}
    own_match, own_factor = match(bags[chosen[0]], other_bags), factors.get(chosen[0], 0.0)
    taken = [bags[n] for n in chosen if n in bags]
    matches = {
        n: match(bags[n], other_bags)
        for n in factors
        if bags[n] not in (*taken, other_bags) and not (table is other and n in other_chosen)
    }
    best = max(matches, key=matches.__getitem__, default=chosen[0])
    if matches.get(best, 0.0) > own_match and factors[best] < own_factor:
        return f"“{table.columns[best]}” matches better, but names decide"
    is_near = matches.get(best, 0.0) >= MIN_FURTHER * own_match > 0
    is_alike = is_near and factors[best] == own_factor
    return f"“{table.columns[best]}” matches, too" if is_alike else ""


def choose_both(
    table: DataTable, systems: Sequence[int] = (), references: Sequence[int] = ()
) -> tuple[Chosen, Chosen]:
    """Return the columns of the systems and of the references of one table.

    Names decide if they suggest both; else the columns that match best, of which the first holds
    the hypotheses. Of systems with the same texts, the first is taken.
    """
    roles, texts = guess_roles(table), text_columns(table) or range(len(table.columns))
    # Columns without texts or numbers have a role only if no text column has it.
    head, taken = table.rows[:MAX_ROWS], {*systems, *references}
    others = [n for n, _ in enumerate(roles) if not any(ID.fullmatch(str(row[n])) for row in head)]
    named = {
        role: [n for n in texts if roles[n] == role and n not in taken]
        or [n for n in others if roles[n] == role and n not in taken]
        for role in (SYSTEM, REFERENCES)
    }
    named_systems = systems
    systems = systems or _distinct(table, named[SYSTEM])
    references = references or named[REFERENCES]
    if systems and references:
        pairs = aligned_rows(table, table)
        rival = "" if named_systems else _rival(SYSTEM, table, systems, table, references, pairs)
        return Chosen([*systems], rival=rival), Chosen([*references])
    choice, other_choice = choose_pair(table, table, named_systems, references)
    candidates = _candidates(table, SYSTEM)
    if len(choice.indices) == 1 and not systems and candidates.get(choice.indices[0], 0) >= _OWN:
        factor = candidates[choice.indices[0]]
        alike = [
            n for n, own in candidates.items() if own == factor and n not in other_choice.indices
        ]
        choice = choice._replace(indices=_distinct(table, alike))
    return choice, other_choice


def _are_alike(table: DataTable, index: int, other: int) -> bool:
    """Return whether the names of two columns have the same words, as `ref A` and `ref B` do."""
    words, others = (
        [word for word in name_words(table.columns[n]) if len(word) > 1] for n in (index, other)
    )
    return words == others


def _distinct(table: DataTable, indices: Collection[int]) -> list[int]:
    columns = {str([row[index] for row in table.rows]): index for index in reversed([*indices])}
    return sorted(columns.values())


def _candidates(table: DataTable, role: str) -> dict[int, float]:
    """Return the columns of texts with the factor of each for a role."""
    roles = guess_roles(table)
    weights = {n: _factor(table.columns[n], roles[n], role) for n in text_columns(table)}
    best = sorted(weights, key=lambda index: -weights[index])[:MAX_TEXTS]
    return {index: weights[index] for index in sorted(best)}


def _factor(name: str, guess: str | None, role: str) -> float:
    """Return the factor of the match of a column for a role."""
    is_certain = guess == REFERENCES or not CERTAIN.isdisjoint(name_words(name))
    if guess == role:
        return _CERTAIN if is_certain else _OWN
    if guess is None:
        return _UNKNOWN
    return _OPPOSITE if guess in (SYSTEM, REFERENCES) and is_certain else _OTHER


def _by_name(candidates: dict[int, float]) -> list[int]:
    """Return the columns whose names suggest the role, or the only one whose role is unknown.

    The only column of texts is taken whatever its name.
    """
    for factor in (_CERTAIN, _OWN, _UNKNOWN, _OTHER, _OPPOSITE):
        if found := [index for index, weight in candidates.items() if weight == factor]:
            is_only = len(found) == 1 and (factor == _UNKNOWN or len(candidates) == 1)
            return found if factor >= _OWN or is_only else []
    return []


def aligned_rows(systems: DataTable, references: DataTable) -> list[tuple[int, int]]:
    """Return indices of rows that belong together, by key or else in order."""
    size = min(len(systems.rows), len(references.rows), MAX_ROWS)
    in_order = [(index, index) for index in range(size)]
    if systems is references:
        return in_order
    keys, other_keys = systems.keys[1], references.keys[1]
    if keys == other_keys:
        return in_order
    positions = {key: index for index, key in enumerate(other_keys)}
    pairs = [(n, positions[key]) for n, key in enumerate(keys) if key in positions]
    if 2 * len(pairs) > len(other_keys) > 0:
        return pairs[:MAX_ROWS]
    return in_order


def _are_same(bags: Bags, others: Bags) -> bool:
    """Return whether nearly all rows of two columns are equal, as the sources of two files are."""
    equal = [a == b for a, b in zip(bags, others, strict=True)]
    return equal.count(True) >= MIN_SAME * len(equal)


def _bags(table: DataTable, index: int, rows: Sequence[int]) -> Bags:
    return [_bag(table.rows[row][index]) for row in rows]


def _bag(cell: Any) -> list[Counter[str]]:
    return [Counter(tokens(text)) for text in cell_texts(cell)[:MAX_TEXTS]]


def tokens(text: str) -> list[str]:
    """Return words and signs, or in scripts without spaces, characters.

    >>> tokens("It's 12."), tokens("我们走吧。")
    (['it', "'", 's', '12', '.'], ['我', '们', '走', '吧', '。'])
    """
    found = _TOKEN.findall(text.casefold())
    return (
        list(text)
        if text.count(" ") * 12 < len(text)
        and max(map(len, found), default=0) > 3
        and not text.isascii()
        else found
    )


def match(bags: Bags, others: Bags) -> float:
    """Return the share of words that the other column has in the same row, less by chance.

    Of several texts in a row, those count that share most.
    """
    pairs = [(a, b) for a, b in zip(bags, others, strict=True) if a and b]
    if not pairs:
        return 0.0
    own, other = zip(*pairs, strict=True)
    chance = [_share(own, (*other[step:], *other[:step])) for step in (1, -1)]
    return _share(own, other) - (sum(chance) / 2 if len(pairs) > 1 else 0.0)


def _share(bags: Bags, others: Bags) -> float:
    """Return the share of words that the texts of each row that share most have in common."""
    best = [max(starmap(_overlap, product(*row))) for row in zip(bags, others, strict=True)]
    total = sum(size for _, _, size in best)
    return sum(shared for _, shared, _ in best) / total if total else 0.0


def _overlap(words: Counter[str], others: Counter[str]) -> tuple[float, int, int]:
    """Return the share of words of two texts, their number, and the words of the longer text."""
    shared, size = (words & others).total(), max(words.total(), others.total())
    return shared / size if size else 0.0, shared, size
