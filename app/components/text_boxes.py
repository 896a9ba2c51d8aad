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
    name = f"reference-{number}"
    remove_button = (
        f'<button type="button" class="remove" data-command="remove:{number}" '
        f'aria-label="Remove reference {number}">Remove</button>'
        if removable
        else ""
    )
    return (
        f'<div class="reference field"><div class="field-head"><label for="{name}">Reference '
        f'{number}</label> <output id="{name}-count" for="{name}" aria-live="off">'
        f"{token_count_text(text, usual_tokenizer('spaces'))}</output>{remove_button}</div>"
        f'<textarea id="{name}" name="{name}" rows="2" dir="auto" translate="no" '
        'spellcheck="false" autocomplete="off" autocapitalize="off">'
        f"{escape(text)}</textarea></div>"
    )


def missing_text_html(text: str) -> str:
    """Return the request to type a missing text, shown instead of a result.

    >>> missing_text_html("Type a reference.")
    '<p class="todo">Type a reference.</p>'
    """
    return f'<p class="todo">{escape(text)}</p>'
