"""Text boxes as HTML: reference boxes, token counts, and the request for a missing text."""

from html import escape

from bleu.core.choices import TokenizerChoice
from bleu.core.tokenizers import tokenize, usual_tokenizer
from bleu.explanation.phrases import count_with_noun


def token_count_text(text: str, tokenizer: TokenizerChoice) -> str:
    """Return the token count that is shown beside a box.

    >>> token_count_text("the cat", "whitespace"), token_count_text("", "char")
    ('2 tokens', '0 tokens')
    """
    return count_with_noun(len(tokenize(text, tokenizer)), "token")


def reference_boxes(texts: tuple[str, ...]) -> str:
    """Return a box for each reference; if there are several, each has a remove button."""
    return "".join(
        _reference_box(number, text, removable=len(texts) > 1)
        for number, text in enumerate(texts, 1)
    )


def _reference_box(number: int, text: str, *, removable: bool) -> str:
    remove_button = (
        f'<button type="button" class="remove" data-command="remove:{number}" '
        f'aria-label="Remove reference {number}">Remove</button>'
        if removable
        else ""
    )
    box = text_box(f"reference-{number}", f"Reference {number}", text, remove_button)
    return f'<div class="reference field">{box}</div>'


def text_box(name: str, label: str, text: str, button: str = "") -> str:
    """Return a text box with its label, and with the layers in which static/lanes.mjs draws."""
    hidden = ' aria-hidden="true"'
    lanes = f'<div class="lanes"{hidden}></div>'
    count = token_count_text(text, usual_tokenizer("spaces"))
    layers = f'<div class="mirror" dir="auto"{hidden}></div>{lanes}{lanes}'
    return (
        f'<div class="field-head"><label for="{name}">{label}</label> <output id="{name}-count" '
        f'for="{name}" aria-live="off">{count}</output>{button}</div>'
        f'<div class="box" translate="no">{layers}'
        f'<textarea id="{name}" name="{name}" rows="1" dir="auto" '
        f'aria-describedby="{name}-marks" spellcheck="false" autocomplete="off" '
        f'autocapitalize="off">{escape(text)}</textarea></div>'
        f'<div class="line" translate="no" hidden>{layers}</div>'
        f'<p class="spoken description" id="{name}-marks"></p>'
    )


def missing_text_html(text: str) -> str:
    """Return the request to type a missing text, shown instead of a result.

    >>> missing_text_html("Type a reference.")
    '<p class="todo">Type a reference.</p>'
    """
    return f'<p class="todo">{escape(text)}</p>'
