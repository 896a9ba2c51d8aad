"""Segments as HTML: an opened one with all candidates, and those in which two systems differ."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from heapq import nlargest
from html import escape
from itertools import groupby
from typing import Final

from app.components import button, options
from app.files.scoring import CorpusResult
from bleu.core.api import Derivation, derive
from bleu.core.ngrams import Ngram, count_ngrams, ngrams
from bleu.core.progress import Progress
from bleu.core.segment import tokenize_segment
from bleu.core.tokenizers import Tokens, token_offsets
from bleu.document.writing import writing_of
from bleu.explanation import explain
from bleu.explanation.matches import marked_texts
from bleu.explanation.phrases import count_with_noun, reference_names, token_text
from bleu.render import html
from bleu.render.numbers import score_text

MAX_ROWS: Final = 5
"""The largest number of segments in each list."""
MAX_CHARACTERS: Final = 600
"""Characters shown of a text; the comparison of two texts takes quadratic time."""
LEGEND: Final = (
    '<p class="hint marks"><span><mark class="credited">right</mark> in this output alone</span> '
    '<span><mark class="unmatched">not in the reference</mark>, in this output alone</span> '
    '<span><mark class="missed">not in the reference</mark>, in both outputs</span></p>'
)


def segment_derivations(outcome: CorpusResult, index: int) -> list[Derivation]:
    """Return the derivation of a segment for every system.

    If a segment has no score alone, it is derived without smoothing, to show its matches.
    """
    settings = outcome.corpora[0].settings.for_parts
    # Single-precision weights, like some smoothings, may leave a segment without a score.
    unsmoothed = replace(settings, smoothing="none", smoothing_value=None, weight_precision="exact")
    return [
        derive(
            *outcome.texts.segment(index, system_index),
            unsmoothed if corpus.scores[index] is None else settings,
        )
        for system_index, corpus in enumerate(outcome.corpora)
    ]


def segment_titles(
    outcome: CorpusResult, derivations: Sequence[Derivation], index: int
) -> list[str]:
    """Return the title of a segment, and of each candidate with its score."""
    titles = [f"Segment {index + 1:,} of {outcome.texts.size:,}"]
    for system_index, derivation in enumerate(derivations):
        reason = outcome.corpora[system_index].missing_score_reason(index)
        score = "no score" if reason else score_text(derivation.score.value)
        titles.append(f"{outcome.name(system_index)}: {score}")
    return titles


def segment_view(
    outcome: CorpusResult,
    derivations: Sequence[Derivation],
    index: int,
    listed_indices: Sequence[int],
    order: int,
    system_index: int,
) -> str:
    """Return a segment: the candidates of all systems, and references with one system's matches.

    `listed_indices` are the segments in the table, and `order` the length of the marked n-grams.
    """
    size = outcome.texts.size
    title, *candidate_titles = segment_titles(outcome, derivations, index)
    position = listed_indices.index(index) if index in listed_indices else -1
    position_text = ""
    if position >= 0 and list(listed_indices) != list(range(size)):
        count = f"{position + 1:,} of {len(listed_indices):,}"
        position_text = f' <span class="hint">{count} in the table</span>'
    labels = {str(order.n): f"{order.n}-grams" for order in derivations[0].orders}
    candidates = "".join(
        _candidate(outcome, derivation, index, candidate_index, order, candidate_title)
        for candidate_index, (derivation, candidate_title) in enumerate(
            zip(derivations, candidate_titles, strict=True)
        )
    )
    derivation = derivations[system_index]
    suffix = ""
    if len(derivations) > 1:
        suffix = f", matches of {outcome.name(system_index)}"
    references = "".join(
        html.marked_text(replace(text, title=f"{name}{suffix}"), f"segment-{system_index}-")
        for name, text in zip(
            reference_names(len(derivation.references)),
            marked_texts(derivation, order)[1:],
            strict=True,
        )
    )
    last = len(listed_indices) - 1
    buttons = (
        _step_button("-1", "Previous", disabled=position <= 0)
        + _step_button("1", "Next", disabled=position in (-1, last))
        + button("segment-close", "Back to the list")
    )
    return (
        f'<div class="segment-head"><h3 id="segment-title" tabindex="-1">{title}'
        f"{position_text}</h3>"
        '<div class="buttons" role="group" aria-label="Segments">'
        f"{buttons}"
        '<label for="segment-order">Mark the matches of</label> '
        '<select id="segment-order" autocomplete="off">'
        f"{options(labels, str(order))}</select></div></div>"
        f'<div class="segment-texts" data-order="{order}">{candidates}'
        f'<div class="segment-references">{references}</div></div>'
        '<p id="segment-reading" class="reading"></p>'
    )


def _step_button(step: str, label: str, *, disabled: bool) -> str:
    name = f' aria-label="{label} segment"'
    return button(f"segment-step:{step}", label, name, disabled=disabled)


def _candidate(
    outcome: CorpusResult,
    derivation: Derivation,
    index: int,
    system_index: int,
    order: int,
    title: str,
) -> str:
    candidate, *_ = marked_texts(derivation, order)
    name = outcome.name(system_index)
    reason = outcome.corpora[system_index].missing_score_reason(index)
    text = html.marked_text(replace(candidate, title=title), f"segment-{system_index}-")
    steps_id, note = f"segment-steps-{system_index}", ""
    spoken = f'<span class="spoken">: {html.prose(name)}</span>'
    buttons = button(f"segment-boxes:{system_index}", f"Open in Score{spoken}")
    if reason:
        note = f'<p class="note">No score by itself: {html.prose(reason)}.</p>'
    else:
        attributes = f' aria-expanded="false" aria-controls="{steps_id}"'
        label = f"Every step{spoken}"
        buttons = button(f"segment-steps:{system_index}", label, attributes) + buttons
    return (
        f'<div class="candidate">{text}{note}<div class="buttons">{buttons}</div>'
        f'<div id="{steps_id}" class="segment-steps" hidden></div></div>'
    )


def parse_segment_key(key: str) -> tuple[int, str] | None:
    """Split a segment's n-gram key into system index and derivation key; return None for others.

    >>> parse_segment_key("segment-1-2-0"), parse_segment_key("2-0")
    ((1, '2-0'), None)
    """
    prefix, _, rest = key.partition("-")
    system_index, _, ngram_key = rest.partition("-")
    if prefix == "segment" and system_index.isdecimal():
        return int(system_index), ngram_key
    return None


def segment_steps(derivation: Derivation, system_index: int) -> str:
    """Return every step of a system's score of the segment."""
    steps = explain(derivation).steps
    return "".join(html.step(step, f"segment-{system_index}-") for step in steps)


def differences_html(outcome: CorpusResult, system_index: int) -> str:
    """Return the segments that a system or the baseline wins by most, and those both get wrong."""
    baseline, system = (html.prose(outcome.name(index)) for index in (0, system_index))
    segments = range(outcome.texts.size)
    gains = [outcome.difference(index, system_index) or 0.0 for index in segments]
    wins = {index: (gain,) for index, gain in enumerate(gains) if gain > 0}
    losses = {index: (-gain,) for index, gain in enumerate(gains) if gain < 0}
    markup = ""
    for label, list_name, ranks in (
        (f"Largest wins of {system}", "win", wins),
        (f"Largest wins of {baseline}", "loss", losses),
        ("Both wrong", "wrong", _failure_ranks(outcome, system_index)),
    ):
        if ranks:
            indices = nlargest(MAX_ROWS, ranks, key=ranks.__getitem__)
            rows = "".join(_row(outcome, system_index, index, list_name) for index in indices)
            count = count_with_noun(len(ranks), "segment")
            state = "" if markup else " open"
            markup += (
                f'<details name="differences"{state}><summary>{label} '
                f'<span class="hint">{count}</span></summary>'
                f'<ol class="faults">{rows}</ol></details>'
            )
    pair = "the systems" if len(outcome.corpora) == 2 else f"{system} and {baseline}"
    title = f"<h3>Where do {pair} differ?</h3>"
    return f'<section class="differences">{title}{LEGEND}{markup}</section>' if markup else ""


def _failure_ranks(outcome: CorpusResult, system_index: int) -> dict[int, tuple[float, ...]]:
    """Return a sort key for each segment that both systems get wrong, by index; larger is worse.

    Both get a segment wrong if neither output scores more than half of the lower corpus score and
    each has an n-gram without credit. A correct short output may score 0, but has no such n-gram.
    """
    corpora = outcome.corpora[system_index], outcome.corpora[0]
    limit = min(corpus.score.value for corpus in corpora) / 2
    ranks: dict[int, tuple[float, ...]] = {}
    for index in range(outcome.texts.size):
        segments = [corpus.segments[index] for corpus in corpora]
        missing = min(1 - sum(segment.matched) / (sum(segment.total) or 1) for segment in segments)
        best = max(corpus.scores[index] or 0.0 for corpus in corpora)
        if missing and best <= limit:
            ranks[index] = -best, missing
    return ranks


def _row(outcome: CorpusResult, system_index: int, index: int, list_name: str) -> str:
    """Return a segment with its texts and the points won or, if both fail, the better score."""
    baseline, score = (outcome.corpora[system].scores[index] or 0.0 for system in (0, system_index))
    points = f"+{100 * abs(score - baseline):.1f}"
    if list_name == "wrong":
        points = f"{100 * max(baseline, score):.1f}"
    segment = button(f"segment:{index}:{list_name}", f"Segment {index + 1:,}", ' class="choice"')
    return (
        f'<li><div class="cost"><b>{html.prose(points)}</b>{segment}</div>'
        f"{texts_html(outcome, system_index, index)}</li>"
    )


def texts_html(outcome: CorpusResult, system_index: int, index: int, ngram: Ngram = ()) -> str:
    """Return the reference and the outputs of the compared systems, with differences marked.

    `ngram` is highlighted. Of several references, the first of those that share the most tokens
    with the outputs is shown.
    """
    settings, texts = outcome.corpora[0].settings, outcome.texts
    _, references = texts.segment(index)
    systems = list(dict.fromkeys((0, system_index)))
    lines = [texts.systems[system][index][:MAX_CHARACTERS] for system in systems]
    references = tuple(reference[:MAX_CHARACTERS] for reference in references)
    tokens = [tokenize_segment(line, references, settings) for line in lines]
    outputs, reference_tokens = [hypothesis for hypothesis, _ in tokens], tokens[0][1]
    shared_counts = [
        sum(len(_shared(output, reference)) for output in outputs) for reference in reference_tokens
    ]
    best = shared_counts.index(max(shared_counts))
    reference = reference_tokens[best]
    name = reference_names(len(references))[best]
    rows = _text(name, "", references[best], reference, [""] * len(reference), ngram)
    for system, line, output, other in zip(systems, lines, outputs, outputs[::-1], strict=True):
        right, shared = _shared(output, reference), _shared(output, other)
        classes = [_css_class(n in right, n in shared) for n in range(len(output))]
        score = outcome.corpora[system].scores[index]
        displayed_score = "—" if score is None else score_text(score)
        rows += _text(outcome.name(system), displayed_score, line, output, classes, ngram)
    return f'<dl class="texts">{rows}</dl>'


def _css_class(is_right: bool, is_shared: bool) -> str:
    if is_right:
        return "" if is_shared else "credited"
    return "missed" if is_shared else "unmatched"


def _shared(tokens: Tokens, other: Tokens) -> set[int]:
    """Return the positions in `tokens` that difflib aligns with equal tokens of `other`."""
    blocks = SequenceMatcher(None, tokens, other, autojunk=False).get_matching_blocks()
    return {block.a + n for block in blocks for n in range(block.size)}


def _text(
    name: str, score: str, text: str, tokens: Tokens, classes: Sequence[str], ngram: Ngram
) -> str:
    """Return a text with its name and score; adjacent tokens of one CSS class share a mark."""
    highlighted = {
        start + n
        for start, candidate in enumerate(ngrams(tokens, len(ngram)))
        if candidate == ngram
        for n in range(len(ngram))
    }
    classes = ["lit" if n in highlighted else css_class for n, css_class in enumerate(classes)]
    markup = ""
    classed_tokens = zip(classes, _split_at_tokens(text, tokens), strict=True)
    for css_class, group in groupby(classed_tokens, key=lambda item: item[0]):
        (_, (gap, first)), *others = group
        words = _escaped(first) + "".join(
            _escaped(gap) + _escaped(word) for _, (gap, word) in others
        )
        marked = f'<mark class="{css_class}">{words}</mark>' if css_class else words
        markup += _escaped(gap) + marked
    cut = " …" if len(text) == MAX_CHARACTERS else ""
    return (
        f"<div><dt>{html.prose(name)} <span>{score}</span></dt>"
        f"<dd{html.dir_lang(writing_of(text))}>{markup or '⟨empty⟩'}{cut}</dd></div>"
    )


def _escaped(text: str) -> str:
    return escape(token_text(text)) if text.strip() else " " * bool(text)


def _split_at_tokens(text: str, tokens: Tokens) -> list[tuple[str, str]]:
    """Return for each token the characters before it, and the token as it is written in the text.

    If the text lacks a token because it was changed, such as an HTML escape, the tokens are
    returned as they are, with a space between any two.
    """
    words = list(map(str, tokens))
    spans = token_offsets(text, list(map(str.lower, words)), len(words), lowercase=True)
    if spans is None:
        return [(" " * bool(n), word) for n, word in enumerate(words)]
    ends = [0, *(end for _, end in spans)]
    return [(text[end:a], text[a:b]) for end, (a, b) in zip(ends, spans, strict=False)]


def iter_differing_segments(
    outcome: CorpusResult, system_index: int, ngram: Ngram
) -> Generator[Progress, None, tuple[int, ...]]:
    """Return the indices of the segments in which two systems differ in credit for an n-gram.

    Yields its progress after each segment.
    """
    texts, settings = outcome.texts, outcome.corpora[0].settings
    n, indices = len(ngram), []
    for index in range(texts.size):
        credits = set()
        for system in (0, system_index):
            tokens, references = tokenize_segment(*texts.segment(index, system), settings)
            maximum = max(count_ngrams(reference, n)[ngram] for reference in references)
            credits.add(min(count_ngrams(tokens, n)[ngram], maximum))
        if len(credits) > 1:
            indices.append(index)
        yield Progress("finding the segments", index + 1, texts.size)
    return tuple(indices)
