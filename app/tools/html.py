"""The panels of Other tools as HTML: comparison, tokenizers, what if, and code."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from html import escape
from typing import Final

from app.state.form import PageSnapshot, chosen_tokenizer, form_derivation
from app.state.inputs import OPEN_MODELS, Inputs, scored_references
from bleu.analysis.comparison import convention_results
from bleu.analysis.edits import Edit, scored_edits
from bleu.analysis.snippets import Snippet, snippets
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.tokenizers import PRIVATE_TOKENIZERS, TOKENIZERS, Tokens, tokenize
from bleu.document.blocks import Dot, DotPlot
from bleu.document.writing import isolate
from bleu.explanation.comparison import (
    comparison_plot,
    comparison_tables,
    leading_results,
    leading_table,
    spread_paragraph,
)
from bleu.explanation.edits import word_value_blocks
from bleu.explanation.phrases import english_list, reference_names
from bleu.explanation.steps import token_list
from bleu.render import html
from bleu.render.numbers import score_text

MAX_VISIBLE_TOKENS: Final = 60
"""The largest number of tokens of a text that are listed under a tokenizer."""
TICKS: Final = range(0, 101, 20)
"""The positions of the lines and labels of the axis."""
DIAMETER: Final = 11
"""The diameter of a dot, and the distance of stacked ones, in pixels."""
CLOSE: Final = 0.013
"""The distance in [0, 1] below which two dots are stacked: a diameter on a wide screen."""
LABEL_HEIGHT: Final = 20
"""The height of a line of labels, in pixels."""


def iter_comparison_html(snapshot: PageSnapshot) -> Generator[None, None, str]:
    """Score the texts under every convention; yield after each, and return the tables."""
    current = snapshot.derivation
    texts = snapshot.inputs.hypothesis, scored_references(snapshot.inputs)
    results = []
    for result in convention_results(*texts, current.settings):
        results.append(result)
        yield
    leading = leading_results(results)
    others = [result for result in results if result not in leading]
    return (
        html.paragraph(spread_paragraph(results, current))
        + dot_plot(comparison_plot(results, current))
        + html.table(leading_table(leading, current))
        + f'<details class="agreeing"><summary>The other {len(others)} ways</summary>'
        + "".join(html.table(table) for table in comparison_tables(others, current) if table.rows)
        + "</details>"
    )


def iter_what_if_html(snapshot: PageSnapshot, edits: list[Edit]) -> Generator[None, None, str]:
    """Score edits of single words; yield after each, and return the tables.

    The edits are appended to `edits`, in the order that the buttons of the tables refer to.
    """
    hypothesis, references = snapshot.inputs.hypothesis, scored_references(snapshot.inputs)
    for edit in scored_edits(hypothesis, references, snapshot.derivation.settings):
        edits.append(edit)
        yield
    return "".join(map(html.block, word_value_blocks(edits, snapshot.derivation, hypothesis)))


def tokenizers_html(inputs: Inputs) -> str:
    """Return the texts under each tokenizer that splits them differently, with its score.

    >>> markup = tokenizers_html(Inputs("a-b", ("a b",)))
    >>> markup.count("<h4>") == 2 * markup.count("<h3>") > 2
    True
    """
    texts = inputs.hypothesis, *scored_references(inputs)
    titles = ("Candidate", *reference_names(len(texts) - 1))
    chosen, *others = _group_tokenizers(inputs, texts)
    chosen_names, chosen_texts = chosen
    chosen_tokens = [set(tokens) for tokens in chosen_texts]
    legend = " A dashed border marks tokens that your choice does not give." if others else ""
    fragments = [f"<p>{_same_tokens_sentence(chosen_names)}{legend}</p>"]
    for names, tokens in (chosen, *others):
        fragments.append(f"<h3>{html.prose(_tokenizers_heading(inputs, names))}</h3>")
        for title, text_tokens, current in zip(titles, tokens, chosen_tokens, strict=True):
            visible_tokens = text_tokens[:MAX_VISIBLE_TOKENS]
            kinds = tuple("" if token in current else "differs" for token in visible_tokens)
            block = token_list(title, text_tokens, MAX_VISIBLE_TOKENS, kinds)
            fragments.append(html.token_list(block))
    return "".join(fragments)


def _group_tokenizers(
    inputs: Inputs, texts: tuple[str, ...]
) -> list[tuple[list[str], tuple[Tokens, ...]]]:
    """Group the tokenizers by the tokens they make of the texts; the chosen one comes first.

    Tokenizers in `PRIVATE_TOKENIZERS` are listed only if chosen.
    """
    hidden = {"none", *PRIVATE_TOKENIZERS}
    offered = [name for name in (*TOKENIZERS, *OPEN_MODELS) if name not in hidden]
    names_by_tokens: dict[tuple[Tokens, ...], list[str]] = {}
    for name in dict.fromkeys([inputs.tokenizer, *offered]):
        tokenizer = chosen_tokenizer(name)
        tokens = tuple(tokenize(text, tokenizer, lowercase=inputs.lowercase) for text in texts)
        names_by_tokens.setdefault(tokens, []).append(name)
    return [(names, tokens) for tokens, names in names_by_tokens.items()]


def _same_tokens_sentence(names: list[str]) -> str:
    chosen, *same = [f"<strong>{html.prose(_label(name))}</strong>" for name in names]
    if not same:
        return f"No other tokenizer gives the same tokens as your choice, {chosen}."
    verb = "gives" if len(same) == 1 else "give"
    return f"{english_list(same)} {verb} the same tokens as your choice, {chosen}."


def _tokenizers_heading(inputs: Inputs, names: list[str]) -> str:
    if inputs.tokenizer in names:
        label = f"{_label(inputs.tokenizer)} (chosen)"
    else:
        label = english_list([_label(name) for name in names])
    try:
        score = form_derivation(replace(inputs, tokenizer=names[0])).score.value
    except ValueError:
        return f"{label}: no score"
    return f"{label}: BLEU {score_text(score)} on the 0–100 scale"


def _label(tokenizer: str) -> str:
    named = chosen_tokenizer(tokenizer)
    return isolate(str(named)) if isinstance(named, Tokenizer) else TOKENIZERS[named].label


def code_html(snapshot: PageSnapshot, source: str = ".") -> str:
    """Return code that prints the score: for every library that agrees with it, and for none.

    `source` is what pip installs this library from.
    """
    texts = snapshot.inputs.hypothesis, scored_references(snapshot.inputs)
    return "".join(
        f'<div class="snippet"><h3 translate="no">{snippet.library}</h3>'
        f"{_snippet_html(snippet, number)}</div>"
        for number, snippet in enumerate(snippets(*texts, snapshot.derivation, source))
    )


def _snippet_html(snippet: Snippet, number: int) -> str:
    remark = f"<p>{html.prose(snippet.remark)}</p>" if snippet.remark else ""
    if not snippet.code:
        return remark
    need = f'To install it: <code translate="no">{escape(snippet.install)}</code>'
    return (
        f"<p>{need if snippet.install else 'It runs without a library.'}</p>{remark}"
        f'<pre tabindex="0" translate="no"><code id="snippet-{number}">'
        f"{html.isolate_strings(snippet.code)}</code></pre>"
        f'<p>It prints <code translate="no">{escape(snippet.output)}</code>, on the 0–1 scale.</p>'
        f'<button type="button" data-command="copy-code:{number}" '
        f'aria-label="Copy the code: {snippet.library}">Copy the code</button>'
    )


def dot_plot(plot: DotPlot) -> str:
    """Return a dot plot, which screen readers hear as its text alternative.

    Dots closer than `CLOSE` are stacked. Pointing at a dot shows its name and its value.
    """
    marked = plot.marked
    head = _row("", LABEL_HEIGHT, _text(marked, LABEL_HEIGHT - 5, "counts-fill"))
    ticks = (
        f'<text x="{_x(tick / 100)}" y="15" text-anchor="middle" class="soft-fill">{tick}</text>'
        for tick in TICKS
    )
    foot = _row("", LABEL_HEIGHT, "".join(ticks))
    rows = "".join(_dots(title, dots, marked) for title, dots in plot.rows)
    label = escape(plot.alternative)
    return f'<div class="dots" role="img" aria-label="{label}">{head}{rows}{foot}</div>'


def levels(values: Sequence[float]) -> list[int]:
    """Return the level of each dot, so that no two dots of a level are closer than `CLOSE`.

    >>> levels([0.0, 0.31, 0.0, 0.0, 0.32])
    [0, 0, 1, 2, 1]
    """
    last_values: list[float] = []
    result = [0] * len(values)
    for index in sorted(range(len(values)), key=values.__getitem__):
        value = values[index]
        free = (level for level, last in enumerate(last_values) if value - last >= CLOSE)
        level = next(free, len(last_values))
        last_values[level : level + 1] = [value]
        result[index] = level
    return result


def _dots(title: str, dots: Sequence[Dot], marked: Dot) -> str:
    dots = sorted(dots, key=lambda dot: not dot.is_named)  # They stand at the bottom of a stack.
    dot_levels = levels([dot.value for dot in dots])
    named = [replace(dot, name=dot.name.removeprefix(f"{title} ")) for dot in dots if dot.is_named]
    base = 8 + DIAMETER * (1 + max(dot_levels))
    height = base + LABEL_HEIGHT * bool(named) + 4
    lines = "".join(
        f'<line x1="{_x(tick / 100)}" x2="{_x(tick / 100)}" y1="0" y2="{height}" '
        'class="line-line"/>'
        for tick in TICKS
    )
    x = _x(marked.value)
    lines += f'<line x1="{x}" x2="{x}" y1="0" y2="{height}" class="counts-line"/>'
    circles = "".join(
        f'<circle cx="{_x(dot.value)}" cy="{base - DIAMETER * level - DIAMETER // 2}" '
        f'r="{(DIAMETER - 1) / 2}" class="{"named" if dot.is_named else "plain"}">'
        f"<title>{escape(dot.name)}: {score_text(dot.value)}</title></circle>"
        for dot, level in zip(dots, dot_levels, strict=True)
    )
    labels = "".join(_text(dot, height - 7, "ink-fill") for dot in named)
    return _row(escape(title), height, lines + circles + labels)


def _row(title: str, height: int, shapes: str) -> str:
    """Return a row of the plot: its title, and a drawing of this height in pixels."""
    return (
        f'<div aria-hidden="true"><span>{title}</span>'
        f'<svg width="100%" height="{height}" direction="ltr">{shapes}</svg></div>'
    )


def _text(dot: Dot, y: int, css_class: str) -> str:
    """Return the name and the value of a dot, which stay within the drawing."""
    anchor = "start" if dot.value < 0.2 else "end" if dot.value > 0.8 else "middle"
    return (
        f'<text x="{_x(dot.value)}" y="{y}" text-anchor="{anchor}" class="{css_class}">'
        f"{escape(dot.name)} {score_text(dot.value)}</text>"
    )


def _x(value: float) -> str:
    """Return the position of a value in [0, 1] as a share of the drawing's width.

    A value above 1, which some conventions give, stands just behind the end of the axis.

    >>> _x(0), _x(0.5), _x(1), _x(7.4)
    ('2.0%', '49.0%', '96.0%', '98.0%')
    """
    return f"{2 + 94 * min(value, 96 / 94):.1f}%"
