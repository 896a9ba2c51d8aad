"""Snapshots: a form with its derivation, document and markup."""

from dataclasses import dataclass

from app.state.inputs import Inputs
from bleu.core.derivation import Derivation
from bleu.document.blocks import Document


@dataclass(frozen=True, slots=True)
class PageMarkup:
    """The parts of the page that depend on the form, as HTML.

    `contents` lists the steps; `steps` are pairs of anchor and HTML; `line` is the result as text,
    and `spoken` its announcement.
    """

    result: str
    figures: str
    contents: str
    steps: tuple[tuple[str, str], ...]
    line: str
    spoken: str


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """A form and everything computed from it.

    `todo` asks for a missing text; if it is not empty, there is no score, and the derivation and
    the document must not be shown.
    """

    inputs: Inputs
    derivation: Derivation
    document: Document
    view: PageMarkup
    todo: str = ""
