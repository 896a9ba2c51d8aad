"""The corpus as the page shows it: result, histogram, and a table of segments to page through."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from typing import Final

from app.components.controls import options
from app.components.conventions import conventions_html, sacrebleu_signature
from app.files.scoring import (
    CorpusResult,
)
from app.files.tables import MEGABYTE, ROLES, SPLIT_LABEL, DataTable, Progress, TextSource
from bleu.analysis.comparison import ConventionResult, agree_all, corpus_caveats
from bleu.core.clipping import Ngram
from bleu.core.conventions import CONVENTIONS
from bleu.core.settings import ResamplingOptions
from bleu.corpus.corpus import Corpus
from bleu.corpus.significance import RESAMPLES, SEED
from bleu.document.blocks import BarChart, Column, Figure, Quote, Row, Table, paragraph
from bleu.document.expressions import Num
from bleu.explanation.comparison import corpus_tables
from bleu.explanation.corpus import explain_corpus, mean_and_bleu
from bleu.explanation.phrases import count_with_noun, ngram_text, signed_score_text, token_text
from bleu.explanation.report import (
    components_table,
    difference_text,
    digits_table,
    systems_table,
    verdict_blocks,
)
from bleu.render import html
from bleu.render.numbers import score_text

PAGE_SIZE: Final = 50
"""Segments on a page of the table."""
WORDS_SHOWN: Final = 160
"""Characters of a text shown in the table."""
WORD_HALVED: Final = 20
"""Characters of a word that is not shown rather than halved; what is longer is no word."""
BINS: Final = 10
NGRAMS_SHOWN: Final = 15
CELL_SHOWN: Final = 80
"""Characters of a cell of a table shown beside its column."""

SORT_KEYS: Final = ("segment", "baseline", "score", "difference", "c", "r", "missing")
"""The columns that the segments can be sorted by, in order."""
PAIR_SORT_KEYS: Final = {"baseline", "difference"}
"""Those of them that need two systems."""


@dataclass(frozen=True, slots=True)
class SegmentListing:
    """How segments are listed: sorted by what, which way, filtered by which words, and where.

    `system_index` is the system that is held against the baseline; a single one is at 0.
    """

    sort: str = "segment"
    descending: bool = False
    query: str = ""
    page: int = 0
    system_index: int = 0


def result_html(outcome: CorpusResult, system_index: int) -> str:
    """The systems side by side, with what a test says, and one of them at a glance."""
    report = outcome.report
    lead = "".join(
        f'<p class="difference"><strong>{escape(words)}</strong>{escape(rest)}</p>'
        for words, rest in ([difference_text(report, 1)] if len(report.systems) == 2 else [])
    )
    if len(report.systems) > 1:
        tables = html.table(components_table(report)) + html.table(digits_table(report))
        summary = "Precisions, brevity penalty, lengths; every number with all its digits"
    else:
        tables = html.table(systems_table(report)) + html.table(digits_table(report))
        summary = "As a row of a table; every number with all its digits"
    parts = f'<details class="parts"><summary>{summary}</summary>{tables}</details>'
    several = html.table(systems_table(report)) if len(report.systems) > 1 else ""
    words = "".join(map(html.block, verdict_blocks(report)))
    return f"{lead}{several}{words}{system_choice(outcome, system_index)}{system_summary(outcome, system_index)}{parts}"


def system_choice(outcome: CorpusResult, system_index: int) -> str:
    """The menu of the system that is shown in detail, where there is a choice."""
    if len(outcome.texts.systems) < 2:
        return ""
    names = [token_text(one.name) for one in outcome.texts.systems]
    listed = options({str(n): name for n, name in enumerate(names)}, str(system_index))
    return (
        '<p class="buttons shown-system"><label for="corpus-shown">In detail</label> '
        f'<select id="corpus-shown" autocomplete="off">{listed}</select></p>'
    )


def system_summary(outcome: CorpusResult, system_index: int) -> str:
    """One system's score with its precisions and settings, and the scores of its segments."""
    corpus, system = outcome.corpora[system_index], outcome.report.systems[system_index]
    summary = explain_corpus(corpus).summary
    summary = replace(summary, name=f"{summary.name} of {token_text(system.name)}")
    remarks = "".join(map(html.paragraph, summary.remarks))
    if system.interval:
        low, high = score_text(system.interval.low), score_text(system.interval.high)
        remarks = f'<p class="interval">95 % interval: {low} to {high}</p>{remarks}'
    figures = "".join(map(html.figure, histograms(outcome, system_index)))
    mean = html.paragraph(mean_and_bleu(corpus, token_text(system.name)))
    return (
        f'<div class="corpus-summary"><div>{html.summary(summary, "corpus-", remarks)}'
        f"{settings_line(outcome)}</div><div>{figures}{mean}</div></div>"
    )


def settings_line(outcome: CorpusResult) -> str:
    """The settings beside the score, in words, and what to know of whose they are."""
    convention = CONVENTIONS[outcome.convention]
    settings = outcome.corpora[-1].settings
    smoothing = settings.smoothing
    words = [
        f"<strong>{escape(convention.title)}</strong>",
        f"tokenizer {escape(settings.tokenizer)}",
        "no smoothing" if smoothing == "none" else f"smoothing {escape(smoothing)}",
        f'<span class="whole"><i>N</i> = {settings.max_order}</span>',
        "lowercased" if settings.lowercase else "case kept",
    ]
    scores = [one.score for one in outcome.corpora]
    references = outcome.corpora[-1].references
    known = corpus_caveats(convention, scores, outcome.texts.size, references)
    issue = html.prose(" ".join(known))
    caution = f'<p class="note"><strong>Caution</strong>: {issue}</p>' if issue else ""
    theirs = sacrebleu_signature(settings, references, **_resampled(outcome))
    return f'<p class="signature">{", ".join(words)}</p>{theirs}{caution}'


def _resampled(outcome: CorpusResult) -> ResamplingOptions:
    test = outcome.report.test
    if test and not test.results[0].intervals:
        return ResamplingOptions(randomization=test.results[0].trials, seed=test.seed)
    drawn = any(system.interval for system in outcome.report.systems)
    return ResamplingOptions(bootstrap=RESAMPLES, seed=SEED) if drawn else ResamplingOptions()


def derivation_html(outcome: CorpusResult, system_index: int) -> str:
    """The steps from the sums to the corpus score of one system."""
    document = explain_corpus(outcome.corpora[system_index])
    return "".join(html.step(one, "corpus-") for one in document.steps)


def histograms(outcome: CorpusResult, system_index: int) -> list[Figure]:
    """How many segments score how much, in ten bins of equal width; 100 is in the last.

    One figure for the baseline, and below it one for the system, to the same scale.
    """
    size = max(1, outcome.texts.size)
    places = sorted({0, system_index})
    found = []
    for one in places:
        scores = [score for score in outcome.corpora[one].scores if score is not None]
        bins = Counter(min(int(score * BINS), BINS - 1) for score in scores)
        found.append([bins[number] for number in range(BINS)])
    most = max(map(max, found))
    end = _round_end(most) / size
    borders = tuple(str(number * 100 // BINS) for number in range(BINS + 1))
    figures = []
    for one, counts in zip(places, found, strict=True):
        columns = tuple(
            Column("", "", Fraction(count, size), value_text=f"{count:,}") for count in counts
        )
        told = "; ".join(
            f"{number * 100 // BINS} to {(number + 1) * 100 // BINS}: {count}"
            for number, count in enumerate(counts)
        )
        if without := size - sum(counts):
            told += f"; without a score: {without}"
        name = token_text(outcome.texts.systems[one].name)
        figures.append(
            Figure(
                "corpus-histogram" if one == system_index else "corpus-histogram-baseline",
                f"{name}: number of segments by their own score, 0–100",
                BarChart(columns, end, size, borders),
                paragraph(f"Segments of {name} by score: {told}."),
            )
        )
    return figures


def _round_end(most: int) -> int:
    """Where an axis ends that holds a count: at a round number whose half is a whole one, too.

    >>> [_round_end(most) for most in (0, 1, 3, 9, 11, 58, 101, 1013)]
    [2, 2, 4, 10, 12, 60, 120, 1200]
    """
    unit = int(10 ** (len(str(most)) - 1))
    if most < 2 * unit:
        unit //= 5
    unit = max(2, unit)
    return max(2, -(-most // unit) * unit)


def sort_segments(outcome: CorpusResult, listing: SegmentListing) -> list[int]:
    """The segments that the listing shows, in its order; of equals, the earlier first.

    One without a score is below all that have one.

    Raises ValueError for something that cannot be sorted by.
    """
    texts, corpora = outcome.texts, outcome.corpora
    last = corpora[listing.system_index]
    keys: dict[str, Callable[[], Sequence[float]]] = {
        "segment": lambda: range(texts.size),
        "score": lambda: _sortable(last.scores),
        "baseline": lambda: _sortable(corpora[0].scores),
        "difference": lambda: _sortable(
            [_difference(*pair) for pair in zip(last.scores, corpora[0].scores, strict=True)]
        ),
        "c": lambda: [own.hypothesis_length for own in last.segments],
        "r": lambda: [float(own.reference_length) for own in last.segments],
        "missing": lambda: last.uncredited,
    }
    if listing.sort not in keys:
        raise ValueError(f"sort is {listing.sort!r}; choose one of: {', '.join(keys)}")
    key = keys[listing.sort]()
    numbers: Sequence[int] = range(texts.size)
    if words := listing.query.casefold().strip():
        sources = (*texts.systems, *texts.references)
        numbers = [n for n in numbers if any(words in one.lines[n].casefold() for one in sources)]
    return sorted(numbers, key=key.__getitem__, reverse=listing.descending)


def _sortable(values: Sequence[float | None]) -> list[float]:
    return [-math.inf if value is None else value for value in values]


def _difference(one: float | None, other: float | None) -> float | None:
    """A difference; None where one of the two is not there."""
    return None if one is None or other is None else one - other


def segment_table(outcome: CorpusResult, listing: SegmentListing, numbers: Sequence[int]) -> str:
    """One page of the table of segments, with buttons to sort, to page, and to open a segment."""
    if not numbers:
        return f'<p class="nothing" role="status">{escape(_empty_message(listing))}</p>'
    last = max(0, (len(numbers) - 1) // PAGE_SIZE)
    page = min(max(listing.page, 0), last)
    shown = numbers[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
    names = [name for name in SORT_KEYS if listing.system_index or name not in PAIR_SORT_KEYS]
    heads = "".join(_column_header(outcome, name, listing) for name in names)
    rows = "".join(_row(outcome, listing.system_index, names, number) for number in shown)
    caption = f"Segments {page * PAGE_SIZE + 1:,} to {page * PAGE_SIZE + len(shown):,} of {len(numbers):,}"
    candidate = escape(token_text(outcome.texts.systems[listing.system_index].name))
    why_none = _why_none(outcome, listing.system_index, shown)
    corpora = (outcome.corpora[0], outcome.corpora[listing.system_index])
    if any(_too_short(one, number) for one in corpora for number in shown):
        n = outcome.corpora[0].settings.max_order
        why_none += (
            f'<p class="hint">Too short: a candidate of fewer than {n} tokens has no {n}-gram, '
            "and scores 0 under these settings. sacreBLEU’s --sentence-level leaves such orders "
            "out.</p>"
        )
    return (
        f'<div class="table" role="group" tabindex="0" aria-label="Segments">'
        f'<table class="segments"><caption>{caption}</caption>'
        f'<thead><tr>{heads}<th scope="col" class="words">Candidate of <bdi>{candidate}</bdi></th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>{why_none}"
        f'<div class="buttons" role="group" aria-label="Pages">'
        f"{_pager('first', 'First', page > 0)}{_pager('back', 'Previous', page > 0)}"
        f"{_pager('on', 'Next', page < last)}{_pager('last', 'Last', page < last)}</div>"
    )


def _empty_message(listing: SegmentListing) -> str:
    words = listing.query.strip()
    if not words:
        return "There is no segment."
    return f"No segment has “{token_text(words)}” in a candidate or a reference."


def turn_page(listing: SegmentListing, where: str, numbers: Sequence[int]) -> SegmentListing:
    """The listing at another page: first, back, on or last."""
    last = max(0, (len(numbers) - 1) // PAGE_SIZE)
    pages = {"first": 0, "back": listing.page - 1, "on": listing.page + 1, "last": last}
    return replace(listing, page=min(max(pages[where], 0), last))


def with_system(listing: SegmentListing, system_index: int) -> SegmentListing:
    """The listing of another system, from its beginning; the baseline alone has no pair to sort by.

    >>> with_system(SegmentListing(sort="difference", page=3, system_index=1), 0)
    SegmentListing(sort='segment', descending=False, query='', page=0, system_index=0)
    """
    sort = "segment" if not system_index and listing.sort in PAIR_SORT_KEYS else listing.sort
    return replace(listing, system_index=system_index, page=0, sort=sort)


def with_sort(listing: SegmentListing, name: str) -> SegmentListing:
    """The listing sorted by a column, the other way round if it was already; from its beginning."""
    return replace(
        listing, sort=name, descending=name == listing.sort and not listing.descending, page=0
    )


def _column_header(outcome: CorpusResult, name: str, listing: SegmentListing) -> str:
    way = "descending" if listing.descending else "ascending"
    sort = f' aria-sort="{way}"' if name == listing.sort else ""
    label = _labels(outcome, listing.system_index)[name]
    return (
        f'<th scope="col"{sort}><button type="button" data-command="sort:{name}">'
        f"{escape(label)}</button></th>"
    )


def _labels(outcome: CorpusResult, system_index: int) -> dict[str, str]:
    """What the columns are called."""
    systems = outcome.texts.systems
    return {
        "segment": "Segment",
        "score": f"BLEU of {token_text(systems[system_index].name)}" if system_index else "BLEU",
        "baseline": f"BLEU of {token_text(systems[0].name)}",
        "difference": "Difference",
        "c": f"c of {token_text(systems[system_index].name)}" if system_index else "c",
        "r": "r",
        "missing": "N-grams not credited",
    }


def _pager(where: str, label: str, there: bool) -> str:
    off = "" if there else " disabled"
    return f'<button type="button" data-command="page:{where}"{off}>{label}</button>'


def _row(outcome: CorpusResult, system_index: int, names: Sequence[str], number: int) -> str:
    last, first = outcome.corpora[system_index], outcome.corpora[0]
    own = last.segments[number]
    difference = _difference(last.scores[number], first.scores[number])
    words = outcome.texts.systems[system_index].lines[number]
    cells = {
        "segment": f'<button type="button" data-command="segment:{number}">{number + 1:,}</button>',
        "score": _score_text(last, number),
        "baseline": _score_text(first, number),
        "difference": "—" if difference is None else signed_score_text(difference),
        "c": str(own.hypothesis_length),
        "r": html.span(Num(own.reference_length)),
        "missing": f"{sum(own.total) - sum(own.matched)} of {sum(own.total)}",
    }
    labels = {name: escape(label) for name, label in _labels(outcome, system_index).items()}
    tds = "".join(f'<td data-label="{labels[name]}">{cells[name]}</td>' for name in names[1:])
    return (
        f'<tr><th scope="row" data-label="{labels["segment"]}">{cells["segment"]}</th>{tds}'
        f'<td class="words"><bdi>{escape(_abbreviate(words))}</bdi></td></tr>'
    )


def _score_text(corpus: Corpus, number: int) -> str:
    score = corpus.scores[number]
    if score is None:
        return "no score"
    mark = " <small>too short</small>" if _too_short(corpus, number) else ""
    return f"{score_text(score)}{mark}"


def _too_short(corpus: Corpus, number: int) -> bool:
    """Whether a segment scores 0 as it has no n-gram of the highest order."""
    return corpus.scores[number] == 0 and not corpus.segments[number].total[-1]


def _why_none(outcome: CorpusResult, system_index: int, numbers: Sequence[int]) -> str:
    """Why some of the segments have no score, each reason once."""
    reasons = {
        corpus.missing_score_reason(number): None
        for corpus in (outcome.corpora[0], outcome.corpora[system_index])
        for number in numbers
        if corpus.scores[number] is None
    }
    return "".join(f'<p class="hint">No score: {html.prose(why)}.</p>' for why in reasons)


def _abbreviate(words: str) -> str:
    cut = words[:WORDS_SHOWN]
    shown = " ".join(map(token_text, cut.split())) if cut.strip() else ""
    if len(words) <= WORDS_SHOWN:
        return shown
    before, _, last = shown.rpartition(" ")
    halved = not (cut[-1].isspace() or words[WORDS_SHOWN].isspace())
    if before and halved and len(last) <= WORD_HALVED:
        shown = before
    return f"{shown}\u00a0…"


def conventions_table(
    outcome: CorpusResult, system_index: int, found: Sequence[ConventionResult]
) -> str:
    """Every convention's scores of the baseline and one system; those that agree are folded."""
    places = list(dict.fromkeys((0, system_index)))
    names = [token_text(outcome.texts.systems[one].name) for one in places]
    here = [outcome.corpora[one] for one in places]
    values = [corpus.score.value for corpus in here]
    count = sum(agree_all(one.values, values) for one in found)
    scores = "score" if len(places) == 1 else "scores"
    return conventions_html(*corpus_tables(found, names, here), count, scores)


def ngram_gains(more: Counter[Ngram], names: tuple[str, str]) -> str:
    """The n-grams that one system is credited and the other is not, the most often first."""
    better = sorted(more.items(), key=lambda pair: (-pair[1], -len(pair[0])))
    tables = []
    for name, found, sign in (
        (names[1], [one for one in better if one[1] > 0], 1),
        (names[0], [one for one in reversed(better) if one[1] < 0], -1),
    ):
        rows = tuple(
            Row((Quote(ngram_text(gram)), Num(sign * count)))
            for gram, count in found[:NGRAMS_SHOWN]
        )
        table = Table(
            "ngram-gains",
            f"N-grams that {token_text(name)} matches more often",
            ("n-gram", "More matches"),
            rows,
        )
        tables.append(html.table(table))
    return f'<div class="pair">{"".join(tables)}</div>'


def source_item(slot: str, place: int, source: TextSource) -> str:
    """An opened file with its number of lines, and buttons to close it and to split its lines."""
    name = escape(source.name)
    split = (
        f'<button type="button" class="remove" data-command="split:{slot}:{place}" '
        f'aria-label="{SPLIT_LABEL}: {name}">{SPLIT_LABEL}</button>'
    )
    return (
        f"<li><span><bdi>{name}</bdi>: {count_with_noun(len(source.lines), 'line')}</span>"
        f"{split if source.note else ''}"
        f'<button type="button" class="remove" data-command="close:{slot}:{place}" '
        f'aria-label="Close {name}">Close</button></li>'
    )


def system_rows(systems: Sequence[tuple[str, str, str]], baseline: str) -> str:
    """The names of the systems, each to be edited, and the choice of the baseline.

    Of each system there are its key, its first name, and the name that was given to it, if any.
    """
    rows = "".join(
        _system_row(number, *one, several=len(systems) > 1, chosen=one[0] == baseline)
        for number, one in enumerate(systems)
    )
    return f"<legend>Names of the systems</legend>{rows}" if systems else ""


def _system_row(
    number: int, key: str, first: str, given: str, *, several: bool, chosen: bool
) -> str:
    name = escape(first)
    radio = (
        f'<label><input type="radio" name="corpus-baseline" value="{escape(key)}" '
        f'aria-label="baseline: {name}"{" checked" if chosen else ""}> baseline</label>'
    )
    return (
        f'<div class="system-row"><input type="text" id="corpus-name-{number}" '
        f'data-system="{escape(key)}" value="{escape(given or first)}" placeholder="{name}" '
        'dir="auto" maxlength="200" spellcheck="false" autocomplete="off" '
        f'aria-label="Name of {name}">'
        f"{radio if several else ''}</div>"
    )


def system_options(names: Mapping[str, str], chosen: str) -> str:
    """The systems, by their keys, as the options of a menu."""
    return options({key: token_text(name) for key, name in names.items()}, chosen)


def column_choices(table: DataTable, roles: Sequence[str], *, named: bool = True) -> str:
    """The columns of a table with what they are used as, and what is in their first row.

    Of a table whose first row may name the columns, one can say whether it does: `named`.
    """
    checked = " checked" if named else ""
    heading = (
        f'<div class="check"><input type="checkbox" id="columns-named"{checked} autocomplete="off">'
        '<label for="columns-named">The first row names the columns</label></div>'
        if table.header
        else ""
    )
    rows = "".join(
        f'<tr><th scope="row"><label for="column-{n}"><bdi>{escape(name)}</bdi></label></th>'
        f'<td><select id="column-{n}" data-column="{n}" autocomplete="off">'
        f"{options(ROLES, role)}</select>"
        f'</td><td class="words"><bdi>{escape(_cell(table, n))}</bdi></td></tr>'
        for n, (name, role) in enumerate(zip(table.columns, roles, strict=True))
    )
    return (
        f"<fieldset><legend>Columns of <bdi>{escape(table.name)}</bdi>, "
        f"{count_with_noun(len(table.rows), 'row')}</legend>"
        '<div class="table"><table class="columns"><thead><tr><th scope="col">Column</th>'
        '<th scope="col">Used as</th><th scope="col" class="words">First entry</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{heading}"
        '<div class="buttons"><button type="button" id="use-columns" data-command="use-columns">'
        'Use these columns</button><button type="button" data-command="close-table">'
        "Close the table</button></div></fieldset>"
    )


def _cell(table: DataTable, place: int) -> str:
    """What is in the first row, cut."""
    cell = table.rows[0][place] if table.rows else ""
    cells = cell if isinstance(cell, list) else [cell]
    words = " | ".join("" if one is None else str(one) for one in cells)
    return _abbreviate(words[:CELL_SHOWN]) + (" …" if len(words) > CELL_SHOWN else "")


def remaining_time_text(seconds: float, progress: Progress) -> str:
    """How much is done and how long the rest will take, in words.

    >>> remaining_time_text(2.0, Progress("scoring", 1000, 4000)), remaining_time_text(0.1, Progress("", 10, 4000))
    ('1,000 of 4,000, about 6 s left', '10 of 4,000')
    >>> remaining_time_text(0.1, Progress("reading", 1_500_000, 30_000_000, "MB"))
    '1.4 of 28.6 MB'
    """
    done, of = progress.done, progress.total
    words = f"{done:,} of {of:,}"
    if progress.unit == "MB":
        words = f"{done / MEGABYTE:.1f} of {of / MEGABYTE:.1f} MB"
    if seconds < 1 or not done:
        return words
    return f"{words}, about {seconds / done * (of - done):.0f} s left"
