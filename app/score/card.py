"""The card to share: the texts as typed, with the marks of the boxes, and the number."""

from itertools import pairwise

from app.score.lanes import text_indices, text_spans
from app.state.form import PageSnapshot
from bleu.analysis.zero import diagnose_zero
from bleu.core.api import Derivation
from bleu.document.blocks import Product
from bleu.document.writing import writing_of
from bleu.explanation.matches import text_lanes
from bleu.explanation.phrases import escape_invisible, reference_names, token_text
from bleu.explanation.summary import reading, zero_paragraph
from bleu.render import text
from bleu.render.card import Card, CardText, CardToken
from bleu.render.numbers import score_text


def share_card(snapshot: PageSnapshot, product: Product) -> Card:
    """Return the card of a result; `product` are its factors.

    >>> from app.score.html import build_snapshot
    >>> from app.state.inputs import Inputs
    >>> snapshot = build_snapshot(Inputs("a b", ("a c",), max_order="1"))
    >>> [token.marks for token in share_card(snapshot, snapshot.document.product).texts[0].tokens]
    [('c',), ('u',)]
    """
    inputs, derivation, summary = snapshot.inputs, snapshot.derivation, snapshot.document.summary
    titles = "Candidate", *reference_names(len(derivation.references))
    raw = zip((inputs.hypothesis, *inputs.references), text_indices(inputs), strict=True)
    texts = [_card_text(titles[i], each, i, derivation) for each, i in raw if i is not None]
    return Card(
        text.span(summary.name),
        score_text(summary.value),
        _sentence(derivation),
        summary.signature,
        tuple(texts),
        product,
    )


def _sentence(derivation: Derivation) -> str:
    if diagnosis := diagnose_zero(derivation):
        return text.spans(zero_paragraph(diagnosis, derivation).spans[1:2]).strip()
    return "".join(text.spans(part.spans) for part in reading(derivation))


def _card_text(title: str, raw: str, index: int, derivation: Derivation) -> CardText:
    lanes = text_lanes(derivation)[index]
    tokens = (derivation.hypothesis, *derivation.references)[index]
    spans = text_spans(raw, index, derivation)
    words = [token_text(token) for token in tokens[: len(lanes[0][0])]]
    gaps = [True] * len(words)
    if spans is not None:
        words = [escape_invisible(raw[start:end]) for start, end in spans]
        gaps = [end < start for (_, end), (start, _) in pairwise(spans)] + [True]
    card_tokens = [
        CardToken(word, gap, *(tuple(lane[part][i] for lane in lanes) for part in (0, 1)))
        for i, (word, gap) in enumerate(zip(words, gaps, strict=True))
    ]
    if len(tokens) > len(words):
        card_tokens.append(CardToken("…", True, (), ()))
    return CardText(title, tuple(card_tokens), writing_of(raw))
