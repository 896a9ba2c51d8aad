"""An opened segment as HTML: the candidates of all systems, with marked matches and steps."""

from collections.abc import Sequence
from dataclasses import replace

from app.components.controls import button, options
from app.files.scoring import CorpusResult
from bleu.core.api import Derivation, derive
from bleu.explanation import explain
from bleu.explanation.matches import marked_texts
from bleu.explanation.phrases import reference_names
from bleu.render import html
from bleu.render.numbers import score_text


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
        f'<div class="lanes-{order} segment-texts">{candidates}'
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
