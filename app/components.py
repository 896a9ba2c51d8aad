"""Markup of several views: menus, buttons, text boxes, conventions, the formula, the wheel.

Pure: never imports a view or anything that needs a browser.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final, cast
from urllib.parse import urljoin

from app.state.inputs import CHOOSE_MODEL, model_label
from bleu.core.choices import TokenizerChoice
from bleu.core.score import Score
from bleu.core.tokenizers import TOKENIZERS, tokenize, usual_tokenizer
from bleu.document.blocks import ChoiceList, Column, Factor, Product, Table
from bleu.explanation.phrases import count_with_noun
from bleu.metric.conventions import CONVENTIONS
from bleu.metric.rules import REFERENCE_LENGTHS
from bleu.metric.smoothings import SMOOTHINGS, SmoothingName
from bleu.render import html
from bleu.render.html import prose
from bleu.render.numbers import decimal_text, number_text, score_text
from bleu.version import __version__

TOKENIZER_LABELS: Final[Mapping[str, str]] = {
    name: f"{tokenizer.label} ({tokenizer.hint})" if tokenizer.hint else tokenizer.label
    for name, tokenizer in TOKENIZERS.items()
}
COMMON_ORDER: Final = 4
"""The largest N that the row of settings always offers."""
SMOOTHING_LABELS: Final[Mapping[str, str]] = {
    name: smoothing.label for name, smoothing in SMOOTHINGS.items()
}
REFERENCE_LENGTH_LABELS: Final[Mapping[str, str]] = {
    name: {"closest-first": "closest; if tied, the first listed"}.get(name, name)
    for name in REFERENCE_LENGTHS
}
NOT_TRANSLATED: Final = ' translate="no"'
"""The attribute of options whose labels are names of the user."""
WHEEL: Final = f"bleu_calculator-{__version__}-py3-none-any.whl"


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


def max_order_choices(chosen: str, scores: Sequence[str]) -> str:
    """Return radio buttons for N with their scores; rare ones are in sight while *More* is open.

    >>> markup = max_order_choices("4", [""] * 9)
    >>> markup.count("<input"), markup.count("rare")
    (9, 5)
    """
    choices = ""
    for n, score in enumerate(scores, 1):
        rare = ' class="rare"' if n > COMMON_ORDER else ""
        checked = " checked" if str(n) == chosen else ""
        choices += (
            f'<label{rare}><input type="radio" name="n" value="{n}" aria-label="{n}" '
            f'aria-describedby="bleu-{n}"{checked}>{n} <small id="bleu-{n}">{score}</small></label>'
        )
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


def token_count_text(text: str, tokenizer: TokenizerChoice) -> str:
    """Return the token count that is shown beside a box.

    >>> token_count_text("the cat", "whitespace"), token_count_text("", "char")
    ('2 tokens', '0 tokens')
    """
    return count_with_noun(len(tokenize(text, tokenizer)), "token")


def reference_boxes(texts: tuple[str, ...]) -> str:
    """Return a box for each reference; if there are several, each has a remove button."""
    boxes = remove_button = ""
    for number, text in enumerate(texts, 1):
        if len(texts) > 1:
            remove_button = (
                f'<button type="button" class="remove" data-command="remove:{number}" '
                f'aria-label="Remove reference {number}">Remove</button>'
            )
        box = text_box(f"reference-{number}", f"Reference {number}", text, remove_button)
        boxes += f'<div class="reference field">{box}</div>'
    return boxes


def text_box(name: str, label: str, text: str, buttons: str = "") -> str:
    """Return a text box with its label, and with the layers in which static/lanes.mjs draws."""
    hidden = ' aria-hidden="true"'
    lanes = f'<div class="lanes"{hidden}></div>'
    count = token_count_text(text, usual_tokenizer("spaces"))
    box = name.removeprefix("reference-").replace("hypothesis", "0")
    layers = f'<div class="mirror" dir="auto"{hidden}></div>{lanes}{lanes}'
    return (
        f'<div class="field-head"><label for="{name}">{label}</label> <output id="{name}-count" '
        f'for="{name}" aria-live="off">{count}</output>{buttons}</div>'
        f'<div class="box" translate="no">{layers}'
        f'<textarea id="{name}" name="{name}" rows="1" dir="auto" '
        f'aria-describedby="{name}-marks" spellcheck="false" autocomplete="off" '
        f'autocapitalize="off">{escape(text)}</textarea></div>'
        f'<div class="line" translate="no" hidden>{layers}</div>'
        f'<p class="spoken description" id="{name}-marks"></p>'
        + button(f"read-marks:{box}", f"Read the marks of {label}", ' class="spoken read"')
    )


def missing_text_html(text: str) -> str:
    """Return the request to type a missing text, shown instead of a result.

    >>> missing_text_html("Type a reference.")
    '<p class="todo">Type a reference.</p>'
    """
    return f'<p class="todo">{escape(text)}</p>'


def wheel_source(address: str) -> str:
    """Return the source from which pip installs the library, given the page's address.

    A served page has the wheel beside it. For a page opened as a file, the source is ".", a local
    copy of the project.

    >>> wheel_source("https://example.org/bleu/#hyp=a").startswith("https://example.org/bleu/bleu_")
    True
    >>> wheel_source("file:///home/page.html")
    '.'
    """
    return urljoin(address, WHEEL) if address.startswith(("https:", "http:")) else "."


def explain_button(anchor: str, label: str, attributes: str = "") -> str:
    """Return a button that opens a station below the formula, or closes it."""
    expanded = ' aria-expanded="false" aria-controls="station"'
    return button(f"explain:{anchor}", label, f"{attributes}{expanded}")


def product_html(content: Product, prefix: str = "") -> str:
    """Render a product; each factor is a button that opens its station.

    `prefix` keeps the ids of a second formula on the page unique, whose factors are no buttons.

    >>> from bleu import derive, explain
    >>> markup = product_html(explain(derive("a b", ["a c"], max_order=2)).product)
    >>> markup.count("<button"), markup.count("<svg"), "<sup>" in markup
    (3, 4, False)
    """
    root, kind = "", "factors"
    if content.degree > 1:
        kind += " radicand"
        degree = str(content.degree) if content.degree > 2 else ""
        root = (
            '<svg class="radical" viewBox="0 0 22 48" preserveAspectRatio="none" '
            f'aria-hidden="true"><text x="1" y="20" font-size="13">{degree}</text>'
            '<polyline points="1,28 6,25 13,47 21,.8 22,.8" vector-effect="non-scaling-stroke"/>'
            "</svg>"
        )
    return (
        f'<div class="product" data-orders="{len(content.precisions)}" dir="ltr">'
        f"{'' if prefix else _operator('= 100 ×')}"
        f"{factor_html(content.penalty, prefix)}{_operator('×')}{root}"
        f'<div class="{kind}" id="orders" role="group" aria-label="Individual precisions">'
        f"{''.join(_precisions(content, prefix))}"
        '<small class="individual" aria-hidden="true">individual precisions</small></div></div>'
    )


def _operator(sign: str) -> str:
    return f'<span class="op" aria-hidden="true">{sign}</span>'


def _precisions(content: Product, prefix: str) -> Iterator[str]:
    is_first = True
    for factor in content.precisions:
        if factor.is_used and not is_first:
            yield _operator("·")
        is_first = is_first and not factor.is_used
        yield factor_html(factor, prefix)


def factor_html(factor: Factor, prefix: str = "") -> str:
    """Render a factor as a button, or without one if `prefix`: its number, its bar, its names."""
    column = factor.column
    facts = [column.note, f"brevity penalty {number_text(factor.value)}"]
    if factor.order:
        facts = [" of ".join(factor.ratio) or number_text(factor.value)] * factor.is_used
        facts += [factor.remark] * bool(factor.remark)
    remark = f'<small class="remark">{prose(factor.remark)}</small>' if factor.remark else ""
    spoken = f"{column.label}: {', '.join(facts)}"
    label = (
        f'<span class="spoken">{escape(spoken)}</span>'
        f'<span class="sight" aria-hidden="true">{_number(factor)}{_bar(factor, prefix)}'
        f"<b>{prose(column.label)}</b><small>{prose(column.note)}</small>{remark}</span>"
    )
    if prefix:
        return f'<span class="factor">{label}</span>'
    order = f' data-order="{factor.order}"' if factor.order else ""
    attributes = f' class="factor" data-factor="{factor.anchor}"{order}'
    return explain_button(factor.anchor, label, attributes)


def _number(factor: Factor) -> str:
    if not factor.is_used:
        return '<span class="number">–</span>'
    number = number_text(factor.value)
    if factor.ratio:
        above, below = factor.ratio
        number = f'<span class="frac"><span>{above}</span><span>{below}</span></span>'
    elif "e" in number:
        digits, power = f"{float(factor.value):.1e}".split("e")
        exponent = f"{int(power)}".replace("-", "−")
        number = f'<span class="power">{digits}·10<sup>{exponent}</sup></span>'
    if factor.exponent is not None:
        number = f"({number})<sup>{decimal_text(factor.exponent)}</sup>"
    return f'<span class="number">{number}</span>'


def _bar(factor: Factor, prefix: str) -> str:
    """Render the bar of a factor: what counts, on it what clipping took and smoothing added.

    It is drawn with attributes alone, because the page refuses styles in markup.
    """
    column, hatch = factor.column, f"{prefix}hatch-{factor.order}"
    shapes = ""
    if factor.is_used:
        shapes = "".join(_shapes(column, f"url(#{hatch})"))
        if not factor.value:
            shapes += '<rect y="98%" width="100%" height="2%" class="alert-fill"/>'
            shapes += '<text x="50%" y="93%" text-anchor="middle" class="alert-fill">0</text>'
    pattern = (
        f'<defs><pattern id="{hatch}" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect class="clipped-fill" width="2.2" height="6"/>'
        "</pattern></defs>"
    )
    return f'<svg class="bar">{pattern if column.lost else ""}{shapes}</svg>'


def _shapes(column: Column, hatch: str) -> Iterator[str]:
    """Yield the parts of a bar from below; its height is 100 %."""
    end = 0.0
    for share, style in (
        (column.value, 'class="counts-fill"'),
        (column.added, 'class="added"'),
        (column.lost, f'fill="{hatch}" class="clipped-line"'),
    ):
        height = min(100 * float(share), 100 - end)
        if height:
            end += height
            yield f'<rect y="{100 - end:.2f}%" width="100%" height="{height:.2f}%" {style}/>'
