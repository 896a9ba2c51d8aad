"""The table of segments: sorted, filtered, in pages, and as HTML."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from app.components import button
from app.files.scoring import CorpusResult
from app.files.segment_html import texts_html
from bleu.core.ngrams import Ngram
from bleu.corpus.corpus import Corpus
from bleu.document.blocks import Quote
from bleu.document.writing import without_isolates, writing_of
from bleu.explanation.phrases import name_text, ngram_text, signed_score_text, token_text
from bleu.metric.expressions import Num
from bleu.render import html
from bleu.render.numbers import score_text

PAGE_SIZE: Final = 50
"""Segments on a page of the table."""
MAX_CHARACTERS: Final = 160
"""Characters shown of a text in the table."""
MATCH_CONTEXT: Final = 40
"""Characters shown before a match if the beginning of the text is cut off."""
MAX_WORD_CHARACTERS: Final = 20
"""A word that is cut off at the end of an excerpt is left out if it is no longer than this."""
PAIR_SORT_KEYS: Final = {"baseline", "difference"}
"""The columns that need two systems."""


@dataclass(frozen=True, slots=True)
class SegmentListing:
    """The sorting, filter and page of the table of segments.

    `sort` is a column, and `page` counts from 0. `system_index` is the system compared with the
    baseline, 0 for a single system. If there is an n-gram, it is highlighted, and only the segments
    of `ngram_indices` are listed.
    """

    sort: str = "segment"
    descending: bool = False
    query: str = ""
    page: int = 0
    system_index: int = 0
    ngram: Ngram = ()
    ngram_indices: tuple[int, ...] = ()


def sort_segments(outcome: CorpusResult, listing: SegmentListing) -> list[int]:
    """Return the indices of the listed segments in order; ties keep the order of the files.

    A missing score counts as lower than all others.

    Raises ValueError if the column is unknown.
    """
    texts, corpus = outcome.texts, outcome.corpora[listing.system_index]
    segments = corpus.segments
    sort_keys: dict[str, Callable[[int], float | None]] = {
        "segment": lambda index: index,
        "score": lambda index: corpus.scores[index],
        "baseline": lambda index: outcome.corpora[0].scores[index],
        "difference": lambda index: outcome.difference(index, listing.system_index),
        "c": lambda index: segments[index].hypothesis_length,
        "r": lambda index: float(segments[index].reference_length),
        "missing": lambda index: sum(segments[index].total) - sum(segments[index].matched),
    }
    if listing.sort not in sort_keys:
        raise ValueError(f"sort is {listing.sort!r}; choose one of: {', '.join(sort_keys)}")

    def key(index: int) -> float:
        value = sort_keys[listing.sort](index)
        return -math.inf if value is None else value

    indices: Sequence[int] = listing.ngram_indices if listing.ngram else range(texts.size)
    if query := listing.query.casefold().strip():
        indices = [n for n in indices if any(query in line.casefold() for line in texts.row(n))]
    return sorted(indices, key=key, reverse=listing.descending)


def turn_page(
    listing: SegmentListing, direction: str, listed_indices: Sequence[int]
) -> SegmentListing:
    """Return the listing at another page; `direction` is first, back, on or last."""
    last = _last_page(listed_indices)
    pages = {"first": 0, "back": listing.page - 1, "on": listing.page + 1, "last": last}
    return replace(listing, page=min(max(pages[direction], 0), last))


def _last_page(listed_indices: Sequence[int]) -> int:
    return max(0, (len(listed_indices) - 1) // PAGE_SIZE)


def with_system(listing: SegmentListing, system_index: int) -> SegmentListing:
    """Return the first page for another system, without n-gram, sorted by a column that it has.

    >>> with_system(SegmentListing(sort="difference", page=3, system_index=1), 0).sort
    'segment'
    """
    sort = "segment" if not system_index and listing.sort in PAIR_SORT_KEYS else listing.sort
    return replace(listing, system_index=system_index, page=0, sort=sort, ngram=())


def with_sort(listing: SegmentListing, sort: str) -> SegmentListing:
    """Return the first page sorted by a column; the same column again reverses the rows."""
    descending = sort == listing.sort and not listing.descending
    return replace(listing, sort=sort, descending=descending, page=0)


def page_text(listing: SegmentListing, listed_indices: Sequence[int]) -> str:
    """Return which segments a page of the table lists, or that there are none."""
    if not listed_indices:
        if query := listing.query.strip():
            return f"No segment has “{token_text(query)}” in a candidate or a reference."
        return "There is no segment."
    if len(listed_indices) == 1:
        return "One segment"  # “Segment 1 of 1” sounds like an opened segment
    start = listing.page * PAGE_SIZE
    end = min(start + PAGE_SIZE, len(listed_indices))
    numbers = f"Segment {end:,}" if end - start == 1 else f"Segments {start + 1:,} to {end:,}"
    return f"{numbers} of {len(listed_indices):,}"


def segment_table(
    outcome: CorpusResult, listing: SegmentListing, listed_indices: Sequence[int]
) -> str:
    """Return a page of the table of segments; buttons sort it, turn pages and open segments."""
    text = html.prose(page_text(listing, listed_indices))
    if not listed_indices:
        return f'<p class="nothing">{text}</p>'
    last = _last_page(listed_indices)
    start = listing.page * PAGE_SIZE
    page_indices = listed_indices[start : start + PAGE_SIZE]
    labels = _labels(outcome, listing.system_index)
    headers = "".join(_column_header(name, label, listing) for name, label in labels.items())
    rows = "".join(_row(outcome, listing, labels, index) for index in page_indices)
    candidate = html.prose(outcome.name(listing.system_index))
    buttons = "".join(
        button(
            f"page:{direction}", label, f' aria-label="{label} page"', disabled=listing.page == end
        )
        for direction, label, end in (
            ("first", "First", 0),
            ("back", "Previous", 0),
            ("on", "Next", last),
            ("last", "Last", last),
        )
    )
    pages = f'<div class="buttons" role="group" aria-label="Pages">{buttons}</div>'
    filter_note = ""
    if listing.ngram:
        filter_note = (
            '<p class="filtered">One system has more credit here for '
            f"{html.span(Quote(ngram_text(listing.ngram), outcome.writing))} "
            f"{button('ngram:[]', 'Show all segments')}</p>"
        )
    return (
        f'{filter_note}<div class="table" role="group" tabindex="0" aria-label="Segments">'
        f'<table class="segments"><caption>{text}</caption>'
        f'<thead><tr>{headers}<th scope="col" class="words">Candidate of {candidate}'
        f"</th></tr></thead><tbody>{rows}</tbody></table></div>"
        f"{_score_hints(outcome, listing.system_index, page_indices)}"
        f"{pages if last else ''}"
    )


def _column_header(name: str, label: str, listing: SegmentListing) -> str:
    direction = "descending" if listing.descending else "ascending"
    sort = f' aria-sort="{direction}"' if name == listing.sort else ""
    return f'<th scope="col"{sort}>{button(f"sort:{name}", html.prose(label))}</th>'


def _labels(outcome: CorpusResult, system_index: int) -> dict[str, str]:
    """Return the labels of the columns, in order."""
    of_system = f" of {outcome.name(system_index)}" if system_index else ""
    labels = {
        "segment": "Segment",
        "baseline": f"BLEU of {outcome.name(0)}",
        "score": f"BLEU{of_system}",
        "difference": "Difference",
        "c": f"c{of_system}",
        "r": "r",
        "missing": "N-grams not credited",
    }
    return {name: labels[name] for name in labels if system_index or name not in PAIR_SORT_KEYS}


def _row(
    outcome: CorpusResult, listing: SegmentListing, labels: Mapping[str, str], index: int
) -> str:
    system_index = listing.system_index
    corpus, baseline = outcome.corpora[system_index], outcome.corpora[0]
    segment = corpus.segments[index]
    difference = outcome.difference(index, system_index)
    text = outcome.texts.systems[system_index][index]
    markup, direction = _candidate_html(outcome, listing, index), html.dir_lang(writing_of(text))
    if listing.ngram:
        markup, direction = texts_html(outcome, system_index, index, listing.ngram), ""
    cells = {
        "segment": button(
            f"segment:{index}", f"{index + 1:,}", f' aria-label="Segment {index + 1:,}"'
        ),
        "score": _score_text(corpus, index),
        "baseline": _score_text(baseline, index),
        "difference": "—" if difference is None else html.prose(signed_score_text(difference)),
        "c": str(segment.hypothesis_length),
        "r": html.span(Num(segment.reference_length)),
        "missing": html.prose(
            f"{sum(segment.total) - sum(segment.matched)} of {sum(segment.total)}"
        ),
    }
    names = list(labels)[1:]
    attributes = {name: escape(without_isolates(label)) for name, label in labels.items()}
    tds = "".join(f'<td data-label="{attributes[name]}">{cells[name]}</td>' for name in names)
    return (
        f'<tr><th scope="row" data-label="{attributes["segment"]}">{cells["segment"]}</th>{tds}'
        f'<td class="words"{direction}>{markup}</td></tr>'
    )


def _candidate_html(outcome: CorpusResult, listing: SegmentListing, index: int) -> str:
    """Return an excerpt of a candidate and, if it lacks the query, of a text with the query."""
    text, references = outcome.texts.segment(index, listing.system_index)
    query = listing.query.strip()
    markup = f"<span>{_marked_excerpt(text, query)}</span>"
    if query.casefold() in text.casefold():
        return markup
    lines = [("the reference", line) for line in references]
    systems = zip(outcome.texts.names, outcome.texts.systems, strict=True)
    lines += [(html.prose(name_text(name)), system[index]) for name, system in systems]
    for name, line in lines:
        if query.casefold() in line.casefold():
            other = f'<bdi translate="no">{_marked_excerpt(line, query)}</bdi>'
            return f'{markup} <small dir="ltr" translate="yes">in {name}: {other}</small>'
    return markup


def _marked_excerpt(text: str, query: str) -> str:
    """Return an excerpt that includes the first match of a query; all matches are marked."""
    words = r"\s+".join(map(re.escape, query.split()))
    pattern = f"({words})"
    match = re.search(pattern, text, re.IGNORECASE) if query else None
    if not match:
        return escape(excerpt(text))
    start = 0
    if match.end() > MAX_CHARACTERS // 2:
        earliest = max(0, match.start() - MATCH_CONTEXT)
        start = text.find(" ", earliest, match.start()) + 1 or earliest
    parts = re.split(pattern, excerpt(text[start:]), flags=re.IGNORECASE)
    cut = "…\u00a0" if start else ""
    return cut + "".join(
        f'<mark class="lit">{escape(part)}</mark>' if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )


def _score_text(corpus: Corpus, index: int) -> str:
    score = corpus.scores[index]
    if score is None:
        return "no score"
    mark = " <small>too short</small>" if _is_too_short(corpus, index) else ""
    return f"{score_text(score)}{mark}"


def _is_too_short(corpus: Corpus, index: int) -> bool:
    """Return whether a segment scores 0 because it has no n-gram of the highest order."""
    return corpus.scores[index] == 0 and not corpus.segments[index].total[-1]


def _score_hints(outcome: CorpusResult, system_index: int, indices: Sequence[int]) -> str:
    """Return why some of the segments have no score, or score 0 because they are too short."""
    corpora = (outcome.corpora[0], outcome.corpora[system_index])
    reasons = dict.fromkeys(
        corpus.missing_score_reason(index)
        for corpus in corpora
        for index in indices
        if corpus.scores[index] is None
    )
    hints = [f"No score: {html.prose(reason)}." for reason in reasons]
    if any(_is_too_short(corpus, index) for corpus in corpora for index in indices):
        n = outcome.corpora[0].settings.max_order
        hints.append(
            f"Too short: a candidate of fewer than {n} tokens has no {n}-gram, and scores 0 under "
            "these settings. sacreBLEU’s --sentence-level leaves such orders out."
        )
    return "".join(f'<p class="hint">{hint}</p>' for hint in hints)


def excerpt(text: str) -> str:
    """Return the beginning of a text, cut between words if possible, all characters visible."""
    beginning = text[:MAX_CHARACTERS]
    visible = " ".join(map(token_text, beginning.split()))
    if len(text) <= MAX_CHARACTERS:
        return visible
    complete_words, _, last_word = visible.rpartition(" ")
    is_cut_in_word = not (beginning[-1].isspace() or text[MAX_CHARACTERS].isspace())
    if complete_words and is_cut_in_word and len(last_word) <= MAX_WORD_CHARACTERS:
        visible = complete_words
    return f"{visible}\u00a0…"
