"""One segment of the files as HTML: what every system made of it, with the matches marked."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from app.components.controls import options
from app.files.scoring import (
    CorpusResult,
)
from bleu.core.derivation import Derivation, derive
from bleu.document.blocks import MarkedText
from bleu.explanation import explain
from bleu.explanation.matches import marked_texts
from bleu.explanation.phrases import reference_names, token_text
from bleu.render import html
from bleu.render.numbers import score_text


def segment_derivations(outcome: CorpusResult, number: int) -> list[Derivation]:
    """The derivation of one segment under every system.

    Where the segment has no score by itself, it is that of the matches, without their smoothing.
    """
    settings = outcome.corpora[0].settings.of_parts
    plain = replace(settings, smoothing="none", smoothing_value=None, weight_precision="exact")
    return [
        derive(
            *outcome.texts.segment(number, place),
            plain if corpus.scores[number] is None else settings,
        )
        for place, corpus in enumerate(outcome.corpora)
    ]


def segment_view(
    outcome: CorpusResult,
    derivations: Sequence[Derivation],
    number: int,
    numbers: Sequence[int],
    order: int,
    system_index: int,
) -> str:
    """A segment: the candidates of all systems, and the references with the matches of one.

    `numbers` are the segments as they are listed, `order` is that whose matches are marked.
    """
    size = outcome.texts.size
    here = numbers.index(number) if number in numbers else -1
    listed = ""
    if here >= 0 and (len(numbers) != size or list(numbers) != list(range(size))):
        listed = f' <span class="hint">{here + 1:,} of {len(numbers):,} in the table</span>'
    orders = options({str(one.n): f"{one.n}-grams" for one in derivations[0].orders}, str(order))
    candidates = "".join(
        _candidate(outcome, derivations[k], number, k, order) for k in range(len(derivations))
    )
    names = reference_names(len(derivations[0].references))
    of = (
        f", matches of {token_text(outcome.texts.systems[system_index].name)}"
        if len(derivations) > 1
        else ""
    )
    references = "".join(
        html.marked_text(_with_system_keys(replace(one, title=f"{name}{of}"), system_index))
        for name, one in zip(names, marked_texts(derivations[system_index], order)[1:], strict=True)
    )
    return (
        f'<div class="segment-head"><h3 id="segment-title" tabindex="-1">Segment {number + 1:,} of '
        f"{size:,}{listed}</h3>"
        '<div class="buttons" role="group" aria-label="Segments">'
        f"{_step(-1, 'Previous', here > 0)}{_step(1, 'Next', 0 <= here < len(numbers) - 1)}"
        '<button type="button" data-command="segment-close">Back to the table</button>'
        '<label for="segment-order">Mark the matches of</label> '
        f'<select id="segment-order" autocomplete="off">{orders}</select></div></div>'
        f'<div class="lanes-{order} segment-texts">{candidates}'
        f'<div class="segment-references">{references}</div></div>'
        '<p id="segment-reading" role="status" class="reading"></p>'
    )


def _step(way: int, label: str, there: bool) -> str:
    off = "" if there else " disabled"
    return f'<button type="button" data-command="segment-step:{way}"{off}>{label}</button>'


def _candidate(
    outcome: CorpusResult, found: Derivation, number: int, system_index: int, order: int
) -> str:
    own, *_ = marked_texts(found, order)
    name = token_text(outcome.texts.systems[system_index].name)
    of, why = escape(name), outcome.corpora[system_index].missing_score_reason(number)
    title = f"{name}: {'no score' if why else score_text(found.score.value)}"
    text = html.marked_text(_with_system_keys(replace(own, title=title), system_index))
    steps = (
        f'<button type="button" data-command="segment-steps:{system_index}" aria-expanded="false" '
        f'aria-controls="segment-steps-{system_index}" aria-label="Every step: {of}">Every step</button>'
    )
    note = f'<p class="note">No score by itself: {html.prose(why)}.</p>'
    return (
        f'<div class="candidate">{text}{note if why else ""}<div class="buttons">'
        f"{'' if why else steps}"
        f'<button type="button" data-command="segment-boxes:{system_index}" '
        f'aria-label="Open in the boxes: {of}">Open in the boxes'
        f'</button></div><div id="segment-steps-{system_index}" class="segment-steps" hidden></div></div>'
    )


def _with_system_keys(text: MarkedText, system_index: int) -> MarkedText:
    """A text whose n-grams have keys of their own, so that no other system's light up with them."""
    tokens = tuple(
        replace(
            token,
            key=segment_key(system_index, token.key),
            runs=tuple(replace(run, key=segment_key(system_index, run.key)) for run in token.runs),
        )
        for token in text.tokens
    )
    return replace(text, tokens=tokens)


def segment_key(system_index: int, key: str) -> str:
    """The key of an n-gram of one system's derivation; nothing for nothing.

    >>> segment_key(1, "2-0"), segment_key(1, "")
    ('segment-1-2-0', '')
    """
    return f"segment-{system_index}-{key}" if key else ""


def parse_segment_key(key: str) -> tuple[int, str] | None:
    """The system and the key in its derivation, or None for another key.

    >>> parse_segment_key("segment-1-2-0"), parse_segment_key("2-0")
    ((1, '2-0'), None)
    """
    word, _, rest = key.partition("-")
    place, _, own = rest.partition("-")
    return (int(place), own) if word == "segment" and place.isdecimal() else None


def segment_steps(found: Derivation, system_index: int) -> str:
    """Every step of one system's score of the segment."""
    steps = explain(found).steps
    return "".join(html.step(one, f"segment-{system_index}-") for one in steps)
