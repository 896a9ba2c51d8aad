"""The corpus as the page shows it: result, histogram, and a table of segments to page through."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from typing import Final

from app.page.corpus import Outcome
from app.page.uploads import MEGABYTE, Progress, Sheet, Source
from bleu.core.ngrams import Ngram
from bleu.corpus.report import as_json
from bleu.document.blocks import Column, Columns, Figure, Quote, Row, Table, paragraph
from bleu.document.expressions import Num
from bleu.explanation.corpus import explain_corpus, mean_and_bleu
from bleu.explanation.report import report_blocks
from bleu.explanation.words import count_of, ngram_text, token_text
from bleu.render import html, markdown, tabular, text

PAGE: Final = 50
"""Segments on a page of the table."""
WORDS_SHOWN: Final = 160
"""Characters of a text shown in the table."""
BINS: Final = 10
NGRAMS_SHOWN: Final = 15

SORTS: Final = {
    "segment": "Segment",
    "score": "BLEU",
    "baseline": "Baseline",
    "difference": "Difference",
    "c": "c",
    "r": "r",
    "missing": "Missing n-grams",
}
"""The columns that the segments can be sorted by, in order; two of them need two systems."""
PAIRED: Final = {"baseline", "difference"}


@dataclass(frozen=True, slots=True)
class Listing:
    """How segments are listed: sorted by what, which way, filtered by which words, and where."""

    sort: str = "segment"
    descending: bool = False
    words: str = ""
    page: int = 0


def result(outcome: Outcome) -> str:
    """The corpus score at a glance; of two systems, the second's, and both in a table."""
    document = explain_corpus(outcome.corpora[-1])
    blocks = "".join(map(html.block, report_blocks(outcome.report)))
    mean = html.paragraph(mean_and_bleu(outcome.corpora[-1]))
    return (
        f'<div class="corpus-summary"><div>{html.summary(document.summary, "corpus-")}'
        f"{settings_line(outcome)}</div>"
        f"<div>{html.figure(histogram(outcome))}{mean}</div></div>{blocks}"
    )


def settings_line(outcome: Outcome) -> str:
    """The settings beside the score, in words."""
    settings = outcome.corpora[-1].settings
    smoothing = settings.smoothing
    words = [
        f"<strong>{escape(outcome.title)}</strong>" if outcome.title else "Settings",
        f"tokenizer {escape(settings.tokenizer)}",
        "no smoothing" if smoothing == "none" else f"smoothing {escape(smoothing)}",
        f"<i>N</i> = {settings.max_order}",
        "lowercased" if settings.lowercase else "case kept",
    ]
    return f'<p class="signature">{", ".join(words)}</p>'


def derivation(outcome: Outcome) -> str:
    """The steps from the sums to the corpus score."""
    document = explain_corpus(outcome.corpora[-1])
    return "".join(html.step(one, "corpus-") for one in document.steps)


def histogram(outcome: Outcome) -> Figure:
    """How many segments score how much, in ten bins of equal width; 100 is in the last."""
    scores = outcome.corpora[-1].scores
    bins = Counter(min(int(score * BINS), BINS - 1) for score in scores)
    counts = [bins[place] for place in range(BINS)]
    size = max(1, len(scores))
    columns = tuple(
        Column(f"{place * 100 // BINS}–", str(count), Fraction(count, size))
        for place, count in enumerate(counts)
    )
    told = "; ".join(
        f"{place * 100 // BINS} to {(place + 1) * 100 // BINS}: {count}"
        for place, count in enumerate(counts)
    )
    return Figure(
        "corpus-histogram",
        "Share of the segments by their own score, 0–100",
        Columns(columns, float(max(column.value for column in columns)) or 1.0),
        paragraph(f"Segments by score: {told}."),
    )


def order(outcome: Outcome, listing: Listing) -> list[int]:
    """The segments that the listing shows, in its order; of equals, the earlier first.

    Raises ValueError for something that cannot be sorted by.
    """
    texts, corpora = outcome.texts, outcome.corpora
    last = corpora[-1]
    keys: dict[str, Callable[[], Sequence[float]]] = {
        "segment": lambda: range(texts.size),
        "score": lambda: last.scores,
        "baseline": lambda: corpora[0].scores,
        "difference": lambda: [
            ours - theirs for theirs, ours in zip(corpora[0].scores, last.scores, strict=True)
        ],
        "c": lambda: [own.hypothesis_length for own in last.segments],
        "r": lambda: [float(own.reference_length) for own in last.segments],
        "missing": lambda: last.missing,
    }
    if listing.sort not in keys:
        raise ValueError(f"sort is {listing.sort!r}; choose one of: {', '.join(keys)}")
    key = keys[listing.sort]()
    numbers: Sequence[int] = range(texts.size)
    if words := listing.words.casefold().strip():
        sources = (*texts.systems, *texts.references)
        numbers = [n for n in numbers if any(words in one.lines[n].casefold() for one in sources)]
    return sorted(numbers, key=key.__getitem__, reverse=listing.descending)


def segments(outcome: Outcome, listing: Listing, numbers: Sequence[int]) -> str:
    """One page of the table of segments, with buttons to sort, to page, and to open a segment."""
    last = max(0, (len(numbers) - 1) // PAGE)
    page = min(max(listing.page, 0), last)
    shown = numbers[page * PAGE : (page + 1) * PAGE]
    names = [name for name in SORTS if len(outcome.corpora) > 1 or name not in PAIRED]
    heads = "".join(_head(name, listing) for name in names)
    rows = "".join(_row(outcome, names, number) for number in shown)
    first = page * PAGE + 1 if numbers else 0
    caption = f"Segments {first:,} to {page * PAGE + len(shown):,} of {len(numbers):,}"
    return (
        f'<div class="table" role="group" tabindex="0" aria-label="Segments">'
        f'<table class="segments"><caption>{caption}</caption>'
        f'<thead><tr>{heads}<th scope="col" class="words">Candidate</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        f'<div class="buttons" role="group" aria-label="Pages">'
        f"{_pager('first', 'First', page > 0)}{_pager('back', 'Previous', page > 0)}"
        f"{_pager('on', 'Next', page < last)}{_pager('last', 'Last', page < last)}</div>"
    )


def paged(listing: Listing, where: str, numbers: Sequence[int]) -> Listing:
    """The listing at another page: first, back, on or last."""
    last = max(0, (len(numbers) - 1) // PAGE)
    pages = {"first": 0, "back": listing.page - 1, "on": listing.page + 1, "last": last}
    return replace(listing, page=min(max(pages[where], 0), last))


def sorted_by(listing: Listing, name: str) -> Listing:
    """The listing sorted by a column, the other way round if it was already; from its beginning."""
    return replace(
        listing, sort=name, descending=name == listing.sort and not listing.descending, page=0
    )


def _head(name: str, listing: Listing) -> str:
    way = "descending" if listing.descending else "ascending"
    sort = f' aria-sort="{way}"' if name == listing.sort else ""
    return (
        f'<th scope="col"{sort}><button type="button" data-command="sort:{name}">{SORTS[name]}'
        "</button></th>"
    )


def _pager(where: str, label: str, there: bool) -> str:
    off = "" if there else " disabled"
    return f'<button type="button" data-command="page:{where}"{off}>{label}</button>'


def _row(outcome: Outcome, names: Sequence[str], number: int) -> str:
    last, first = outcome.corpora[-1], outcome.corpora[0]
    own = last.segments[number]
    ours, theirs = last.scores[number], first.scores[number]
    words = outcome.texts.systems[-1].lines[number]
    cells = {
        "segment": f'<button type="button" data-command="segment:{number}">{number + 1:,}</button>',
        "score": f"{ours * 100:.2f}",
        "baseline": f"{theirs * 100:.2f}",
        "difference": f"{(ours - theirs) * 100:+.2f}".replace("-", "−"),
        "c": str(own.hypothesis_length),
        "r": html.span(Num(own.reference_length)),
        "missing": f"{sum(own.total) - sum(own.matched)} of {sum(own.total)}",
    }
    tds = "".join(f"<td>{cells[name]}</td>" for name in names[1:])
    return (
        f'<tr><th scope="row">{cells["segment"]}</th>{tds}'
        f'<td class="words"><bdi>{escape(_short(words))}</bdi></td></tr>'
    )


def _short(words: str) -> str:
    cut = words[:WORDS_SHOWN]
    shown = " ".join(map(token_text, cut.split())) if cut.strip() else ""
    return shown + (" …" if len(words) > WORDS_SHOWN else "")


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
            f"N-grams that {name} matches more often",
            ("n-gram", "More matches"),
            rows,
        )
        tables.append(html.table(table))
    return f'<div class="pair">{"".join(tables)}</div>'


def source_line(slot: str, place: int, source: Source) -> str:
    """An opened file with its number of lines, and a button to close it."""
    name = escape(source.name)
    return (
        f"<li><span><bdi>{name}</bdi>: {count_of(len(source.lines), 'line')}</span>"
        f'<button type="button" class="remove" data-command="close:{slot}:{place}" '
        f'aria-label="Close {name}">Close</button></li>'
    )


def column_choices(table: Sheet) -> str:
    """The columns of a table to choose from: for the systems one each, for references several."""
    names = list(enumerate(table.columns))
    plain = "".join(f'<option value="{n}">{escape(name)}</option>' for n, name in names)
    boxes = "".join(
        f'<label><input type="checkbox" name="column" value="{n}"> '
        f"<bdi>{escape(name)}</bdi></label>"
        for n, name in names
    )
    return (
        f"<fieldset><legend>Columns of <bdi>{escape(table.name)}</bdi>, "
        f"{count_of(len(table.rows), 'row')}</legend>"
        f'<label>System <select id="column-system">{plain}</select></label>'
        f'<label>Second system <select id="column-second"><option value="">none</option>{plain}'
        f'</select></label><div role="group" aria-label="References">References {boxes}</div>'
        '<button type="button" id="use-columns" data-command="use-columns">Use these columns'
        "</button></fieldset>"
    )


def time_left(seconds: float, progress: Progress) -> str:
    """How much is done and how long the rest will take, in words.

    >>> time_left(2.0, Progress("scoring", 1000, 4000)), time_left(0.1, Progress("", 10, 4000))
    ('1,000 of 4,000, about 6 s left', '10 of 4,000')
    >>> time_left(0.1, Progress("reading", 1_500_000, 30_000_000, "MB"))
    '1.4 of 28.6 MB'
    """
    done, of = progress.done, progress.of
    words = f"{done:,} of {of:,}"
    if progress.unit == "MB":
        words = f"{done / MEGABYTE:.1f} of {of / MEGABYTE:.1f} MB"
    if seconds < 1 or not done:
        return words
    return f"{words}, about {seconds / done * (of - done):.0f} s left"


def segments_csv(outcome: Outcome) -> str:
    """A line for each segment: its number, and score, counts and lengths under each system.

    Lines end as in RFC 4180. There is no text in it, so nothing that a spreadsheet could run.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    orders = range(1, outcome.corpora[0].settings.max_order + 1)
    columns = ["score", *(f"{kind}_{n}" for n in orders for kind in ("matched", "total")), "c", "r"]
    names = ["system"] if len(outcome.corpora) == 1 else ["baseline", "system"]
    writer.writerow(["segment", *(f"{name}_{column}" for name in names for column in columns)])
    for number in range(outcome.texts.size):
        row: list[object] = [number + 1]
        for corpus in outcome.corpora:
            own = corpus.segments[number]
            pairs = zip(own.matched, own.total, strict=True)
            row += [repr(corpus.scores[number]), *(count for pair in pairs for count in pair)]
            row += [own.hypothesis_length, own.reference_length]
        writer.writerow(row)
    return out.getvalue()


def segments_jsonl(outcome: Outcome) -> str:
    """A JSON object a line for each segment, with its texts and, for each system, its score."""
    lines = []
    for number in range(outcome.texts.size):
        systems = [
            {
                "name": source.name,
                "hypothesis": source.lines[number],
                "score": corpus.scores[number],
                "matched": corpus.segments[number].matched,
                "total": corpus.segments[number].total,
            }
            for source, corpus in zip(outcome.texts.systems, outcome.corpora, strict=True)
        ]
        _, references = outcome.texts.segment(number)
        lines.append(
            json.dumps({"segment": number + 1, "references": references, "systems": systems})
        )
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class CorpusForm:
    """A format to export a corpus in: its name, a file's ending and type, and its maker."""

    label: str
    ending: str
    media_type: str
    render: Callable[[Outcome], str]


def _blocks(make: Callable[..., str]) -> Callable[[Outcome], str]:
    return lambda outcome: make(report_blocks(outcome.report))


CORPUS_FORMS: Final = {
    "markdown": CorpusForm("Table as Markdown", "md", "text/markdown", _blocks(markdown.blocks)),
    "latex": CorpusForm("Table as LaTeX", "tex", "application/x-tex", _blocks(tabular.blocks)),
    "text": CorpusForm("Table as text", "txt", "text/plain", _blocks(text.blocks)),
    "json": CorpusForm(
        "Result as JSON",
        "json",
        "application/json",
        lambda outcome: json.dumps(as_json(outcome.report), indent=1) + "\n",
    ),
    "csv": CorpusForm("Segments as CSV", "csv", "text/csv", segments_csv),
    "jsonl": CorpusForm("Segments as JSON lines", "jsonl", "application/jsonl", segments_jsonl),
}
