"""The page's changing parts as HTML, made by the same code in the browser and in the build."""

from dataclasses import dataclass
from html import escape

from app.model import Inputs, derivation, example_inputs, notes
from bleu.document import Document
from bleu.examples import EXAMPLES
from bleu.explain import explain
from bleu.explain.words import count_of
from bleu.render import html, text
from bleu.smoothing import SMOOTHINGS

FIRST_EXAMPLE = "partial-match"


@dataclass(frozen=True, slots=True)
class View:
    """What the page shows for one state of the form; `steps` are (anchor, HTML) in order."""

    result: str
    contents: str
    steps: tuple[tuple[str, str], ...]
    line: str


def view(inputs: Inputs) -> View:
    """The view of a form.

    Raises ValueError that says which setting makes no sense.

    >>> view(Inputs("a b", ("a b",), max_order="2")).steps[0][0]
    'tokens'
    """
    document: Document = explain(derivation(inputs))
    warnings = "".join(f'<p class="note">{escape(line)}</p>' for line in notes(inputs))
    return View(
        warnings + html.summary(document.summary),
        html.contents(document),
        tuple((step.anchor, html.step(step)) for step in document.steps),
        text.one_line(document.summary),
    )


def token_count(words: str) -> str:
    """The live count beside a box.

    >>> token_count("the cat"), token_count("")
    ('2 tokens', '0 tokens')
    """
    return count_of(len(words.split()), "token")


def reference_box(number: int, words: str, *, removable: bool) -> str:
    """One reference with its label, count and, where it is not the only one, remove button."""
    name = f"reference-{number}"
    remove = (
        f'<button type="button" class="remove" data-remove="{number}" '
        f'aria-label="Remove reference {number}">Remove</button>'
        if removable
        else ""
    )
    return (
        f'<div class="reference"><div class="field-head"><label for="{name}">Reference {number}'
        f'</label><output id="{name}-count" for="{name}" aria-live="off">{token_count(words)}'
        f"</output>{remove}"
        f'</div><textarea id="{name}" rows="2" dir="auto" spellcheck="false" autocomplete="off">'
        f"{escape(words)}</textarea></div>"
    )


def reference_boxes(texts: tuple[str, ...]) -> str:
    """All reference boxes."""
    return "".join(
        reference_box(number, words, removable=len(texts) > 1)
        for number, words in enumerate(texts, 1)
    )


def example_buttons() -> str:
    """A button for every worked example."""
    return "".join(
        f'<button type="button" class="example" data-example="{name}">{escape(example.name)}'
        "</button>"
        for name, example in EXAMPLES.items()
    )


def value_label(smoothing: str) -> str:
    """The label of the smoothing's value: ε, k, or a dash where it takes none."""
    symbol = SMOOTHINGS[smoothing].symbol if smoothing in SMOOTHINGS else ""
    return f"Value {symbol}" if symbol else "Value"


def page(template: str) -> str:
    """The template with the first worked example put in, ready to be read before Python is.

    >>> page("<!--build:examples-->").count("<button")
    8
    """
    shown = view(example_inputs(FIRST_EXAMPLE))
    parts = {
        "examples": example_buttons(),
        "result": shown.result,
        "derivation": shown.contents + "".join(markup for _, markup in shown.steps),
    }
    for name, markup in parts.items():
        template = template.replace(f"<!--build:{name}-->", markup)
    return template
