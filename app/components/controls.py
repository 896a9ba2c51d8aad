"""Menus, buttons and the score of the bar as HTML, and the labels of options."""

from collections.abc import Mapping
from html import escape
from typing import Final, cast

from app.state.models import CHOOSE_MODEL, model_label
from bleu.core.score import Score
from bleu.core.settings import MAX_ORDER
from bleu.core.tokenizers import TOKENIZERS
from bleu.document.blocks import ChoiceList, Table
from bleu.metric.conventions import CONVENTIONS
from bleu.metric.smoothings import SMOOTHINGS, SmoothingName
from bleu.render import html
from bleu.render.numbers import score_text


def conventions_html(differing: Table, agreeing: Table, noun: str = "score") -> str:
    """Return a table of the conventions whose score differs, and a folded one of those that agree.

    A table without rows is left out. `noun` is “score” or “scores”.
    """
    cells = (cell for row in agreeing.rows for cell in row.cells if isinstance(cell, ChoiceList))
    count = sum(len(cell.choices) for cell in cells)
    ways = "1 way gives" if count == 1 else f"{count} ways give"
    folded = f"<summary>{ways} the same {noun} as this page</summary>{html.table(agreeing)}"
    return (html.table(differing) if differing.rows else "") + (
        f'<details class="agreeing">{folded}</details>' if agreeing.rows else ""
    )


TOKENIZER_LABELS: Final[Mapping[str, str]] = {
    name: f"{tokenizer.label} ({tokenizer.hint})" if tokenizer.hint else tokenizer.label
    for name, tokenizer in TOKENIZERS.items()
}
COMMON_ORDER: Final = 4
"""The largest N that the row of settings always offers."""
SMOOTHING_LABELS: Final[Mapping[str, str]] = {
    name: smoothing.label for name, smoothing in SMOOTHINGS.items()
}


NOT_TRANSLATED: Final = ' translate="no"'
"""The attribute of options whose labels are names of the user."""


def options(labels: Mapping[str, str], chosen: str, attributes: str = "") -> str:
    """Return the options of a select element, each with `attributes`, which are HTML.

    >>> options({"a": "A"}, "a")
    '<option value="a" selected>A</option>'
    """
    return "".join(
        f'<option value="{escape(name)}"{attributes}{" selected" if name == chosen else ""}>'
        f"{escape(label)}</option>"
        for name, label in labels.items()
    )


def score_in_bar(score: Score | None) -> str:
    """Return a score for the bar at the top, on the 0–100 scale, or a dash without one.

    >>> score_in_bar(None)
    '<span>BLEU</span> <b>–</b>'
    """
    return f"<span>BLEU</span> <b>{'–' if score is None else score_text(score.value)}</b>"


def tokenizer_options(chosen: str) -> str:
    """Return the options of the tokenizers; models, and a note on MeCab, come last."""
    labels = {**TOKENIZER_LABELS, CHOOSE_MODEL: model_label(CHOOSE_MODEL)}
    return (
        f"{options(labels, chosen)}"
        '<option value="" disabled>ja-mecab (51 MiB), ko-mecab (106 MiB): too large here</option>'
    )


def convention_options(chosen: str) -> str:
    """Return the options of the conventions: the common ones, then the others grouped by tool.

    A hidden option is for custom settings.

    >>> 'label="NLTK">' in convention_options("default")
    True
    """
    groups: dict[str, dict[str, str]] = {}
    common: dict[str, str] = {}
    for name, convention in CONVENTIONS.items():
        menu = common if convention.is_common else groups.setdefault(convention.group, {})
        menu[name] = convention.label
    menus = (
        f'<optgroup label="{group}">{options(labels, chosen)}</optgroup>'
        for group, labels in groups.items()
    )
    return (
        options(common, chosen)
        + "".join(menus)
        + '<option id="custom-convention" value="" hidden></option>'
    )


def max_order_choices(chosen: str) -> str:
    """Return radio buttons for N; those that few need are in sight while *More* is open.

    >>> max_order_choices("4").count("<input"), max_order_choices("4").count("rare")
    (9, 5)
    """
    choices = ""
    for n in range(1, MAX_ORDER + 1):
        rare = ' class="rare"' if n > COMMON_ORDER else ""
        checked = " checked" if str(n) == chosen else ""
        choices += f'<label{rare}><input type="radio" name="n" value="{n}"{checked}>{n}</label>'
    return choices


def button(command: str, label: str, attributes: str = "", *, disabled: bool = False) -> str:
    """Return a button that runs a command; `label` and `attributes` are HTML."""
    state = " disabled" if disabled else ""
    return f'<button type="button" data-command="{command}"{attributes}{state}>{label}</button>'


def value_label(smoothing: str) -> str:
    """Return the label of the smoothing value, with its symbol if that is one letter.

    >>> value_label("floor"), value_label("none"), value_label("unknown")
    ('Value ε', 'Value', 'Value')
    """
    known = smoothing in SMOOTHINGS
    symbol = SMOOTHINGS[cast(SmoothingName, smoothing)].symbol if known else ""
    return f"Value {symbol}" if len(symbol) == 1 else "Value"
