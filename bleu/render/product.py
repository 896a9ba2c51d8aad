"""A score as a product, as HTML: each factor stands above its own bar, which is drawn as SVG.

The bars are drawn with attributes alone, because the page refuses styles in markup.
"""

from collections.abc import Iterator
from html import escape

from bleu.document.blocks import Column, Factor, Product
from bleu.render.html import prose, step_id
from bleu.render.numbers import decimal_text, number_text


def product(content: Product) -> str:
    """Render a product: the penalty links to its step, and each precision is a button.

    >>> from bleu import derive, explain
    >>> markup = product(explain(derive("a b", ["a c"], max_order=2)).product)
    >>> markup.count("<button"), markup.count("<svg"), "<sup>" in markup
    (2, 4, False)
    """
    penalty = content.penalty
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
        f"{_operator('= 100 ×')}"
        f'<a class="factor" href="#{step_id(penalty.anchor)}" data-factor="{penalty.anchor}">'
        f"{_factor(penalty)}</a>{_operator('×')}{root}"
        f'<div class="{kind}" id="orders" role="group" aria-label="Precisions">'
        f"{''.join(_buttons(content))}</div></div>"
    )


def _operator(sign: str) -> str:
    return f'<span class="op" aria-hidden="true">{sign}</span>'


def _buttons(content: Product) -> Iterator[str]:
    is_first = True
    for factor in content.precisions:
        if factor.is_used and not is_first:
            yield _operator("·")
        is_first = is_first and not factor.is_used
        yield (
            f'<button type="button" class="factor" data-command="order:{factor.order}" '
            f'data-factor="{factor.anchor}" data-order="{factor.order}" aria-pressed="false">'
            f"{_factor(factor)}</button>"
        )


def _factor(factor: Factor) -> str:
    """Render what stands in a factor: its number, its bar, and its names."""
    column = factor.column
    facts = [column.note, f"brevity penalty {number_text(factor.value)}"]
    if factor.order:
        facts = [" of ".join(factor.ratio) or number_text(factor.value)] * factor.is_used
        facts += [factor.remark] * bool(factor.remark)
    remark = f'<small class="remark">{prose(factor.remark)}</small>' if factor.remark else ""
    spoken = f"{column.label}: {', '.join(facts)}"
    return (
        f'<span class="spoken">{escape(spoken)}</span>'
        f'<span class="sight" aria-hidden="true">{_number(factor)}{_bar(factor)}'
        f"<b>{prose(column.label)}</b><small>{prose(column.note)}</small>{remark}</span>"
    )


def _number(factor: Factor) -> str:
    if not factor.is_used:
        return '<span class="number">–</span>'
    number = number_text(factor.value)
    if factor.ratio:
        above, below = factor.ratio
        number = f'<span class="frac"><span>{above}</span><span>{below}</span></span>'
    if factor.exponent is not None:
        number = f"({number})<sup>{decimal_text(factor.exponent)}</sup>"
    return f'<span class="number">{number}</span>'


def _bar(factor: Factor) -> str:
    """Render the bar of a factor: what counts, on it what clipping took and smoothing added."""
    column, hatch = factor.column, f"hatch-{factor.order}"
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
