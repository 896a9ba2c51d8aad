"""The page's changing parts as HTML, made by the same code in the browser and in the build."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from app.components.controls import options
from app.components.export_format import ExportFormat
from app.components.wheel import WHEEL
from app.files.html import CORPUS_FORMATS, conventions_html, sacrebleu_signature
from app.files.scoring import DEFAULT_TEST, TESTS
from app.state.file_settings import FILE_CONVENTIONS, FileInputs
from app.state.form import (
    Inputs,
    departures,
    example_inputs,
    form_derivation,
    input_notes,
    scored_references,
    todo_text,
)
from bleu.analysis.comparison import agree, convention_results, segment_caveats
from bleu.analysis.diagnosis import Finding, findings
from bleu.analysis.edits import ScoredEdit, scored_edits
from bleu.analysis.examples import EXAMPLES
from bleu.analysis.snippets import snippets
from bleu.analysis.zero import ALMOST_ZERO, Remedy, diagnose_zero
from bleu.core.conventions import CONVENTIONS
from bleu.core.derivation import Derivation
from bleu.core.settings import MAX_ORDER
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.tokenizers import TOKENIZERS, Token, Tokens, tokenize
from bleu.document.blocks import Document
from bleu.explanation import explain
from bleu.explanation.comparison import comparison_tables, spread_paragraph
from bleu.explanation.edits import changes_table, word_value_blocks
from bleu.explanation.matches import marked_texts, stacked_texts
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    escape_invisible,
    reference_names,
    token_text,
)
from bleu.explanation.zero import remedy_name, zero_paragraph
from bleu.render import csv, html, json, latex, markdown, svg, text
from bleu.render import html_page as whole
from bleu.render.numbers import number_text, score_text

FIRST_EXAMPLE = "partial-match"
FIRST_ORDER = "1"
DEFAULT = Inputs().convention
LENS_SHOWN = 60
STRING = re.compile(r"""('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")""")
DIFFERS = ' class="differs"'
PRIVATE_TOKENIZERS = {"mteval-v14", "tensor2tensor"}
"""Tokenizers that belong to one convention, and are offered with it only."""

NEED_MODELS = (
    "<option disabled>ja-mecab, ko-mecab, spm, flores: need large models, so not here</option>"
)
TOKENIZER_LABELS = {
    "whitespace": "white space",
    "13a": "13a (sacreBLEU default)",
    "intl": "intl",
    "char": "char: every character",
    "zh": "zh (sacreBLEU’s, faulty)",
    "zh-corrected": "zh-corrected",
    "none": "none (white space)",
    "mteval-v14": "mteval-v14",
    "tensor2tensor": "tensor2tensor",
}
SMOOTHING_LABELS = {
    "none": "none (as in the paper)",
    "floor": "floor: ε (NLTK 1)",
    "add-k": "add-k: k more, for n ≥ 2",
    "exp": "exp: ½, ¼, … (sacreBLEU)",
    "length-exp": "by length (NLTK 4)",
    "average": "average of neighbours",
    "interpolation": "interpolation",
    "length-average": "by length, then average",
    "add-k-all": "add-k for every order",
    "nltk-min-float": "2.2e−308 (NLTK 0)",
    "average-last": "average (NLTK 5)",
    "interpolation-last": "interpolation (NLTK 6)",
    "length-average-last": "length, average (NLTK 7)",
    "coco-epsilon": "1e−15 (coco-caption)",
    "segment-floor": "ε by segment (R)",
}


@dataclass(frozen=True, slots=True)
class PageMarkup:
    """What of the page one state of the form changes; `steps` are (anchor, HTML) in order."""

    result: str
    figures: str
    contents: str
    steps: tuple[tuple[str, str], ...]
    line: str
    spoken: str


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """What the page shows, computed once: a form, its derivation, that in words, and its HTML.

    `todo` says what is to be typed before there is a score; then the rest is of no text.
    """

    inputs: Inputs
    derivation: Derivation
    document: Document
    view: PageMarkup
    todo: str = ""


def _document(make: Callable[[Document], str]) -> Callable[[PageSnapshot], str]:
    return lambda shown: make(shown.document)


def _derivation(make: Callable[[Derivation], str]) -> Callable[[PageSnapshot], str]:
    return lambda shown: make(shown.derivation)


EXPORT_FORMATS: Final = {
    "markdown": ExportFormat("Markdown", "md", "text/markdown", _document(markdown.render)),
    "latex": ExportFormat("LaTeX", "tex", "application/x-tex", _document(latex.render)),
    "text": ExportFormat("Plain text", "txt", "text/plain", _document(text.render)),
    "json": ExportFormat("JSON", "json", "application/json", _derivation(json.render)),
    "csv": ExportFormat("CSV of the n-grams", "csv", "text/csv", _derivation(csv.render)),
    "svg": ExportFormat("Picture (SVG)", "svg", "image/svg+xml", _document(svg.render)),
    "html": ExportFormat("Web page (HTML)", "html", "text/html", _document(whole.render)),
}


def build_snapshot(inputs: Inputs) -> PageSnapshot:
    """All that the page shows of a form.

    Raises ValueError that says which setting makes no sense.

    >>> build_snapshot(Inputs("a b", ("a b",), max_order="2")).view.steps[0][0]
    'tokens'
    """
    scored = form_derivation(inputs)
    document = explain(scored)
    if todo := todo_text(inputs):
        head = '<div class="headline"><h2 id="result-title">No score yet</h2></div>'
        said = f"No score yet. {todo}"
        nothing = f'<nav aria-label="Steps">{todo_html(todo)}</nav>'
        view = PageMarkup(head + todo_html(todo), "", nothing, (), said, said)
        return PageSnapshot(inputs, scored, document, view, todo)
    steps = tuple((step.anchor, html.step(step)) for step in document.steps)
    contents = html.contents(document)
    found = findings(inputs.hypothesis, scored_references(inputs), scored)
    view = PageMarkup(
        _convention(inputs, scored)
        + _notes(inputs)
        + _findings(found)
        + html.summary(document.summary, remarks=_why_zero(scored)),
        html.figures(document),
        contents,
        steps,
        text.one_line(document.summary),
        _spoken(scored),
    )
    return PageSnapshot(inputs, scored, document, view)


def todo_html(words: str) -> str:
    """What is to be typed, in the place of what would be shown of it."""
    return f'<p class="todo">{escape(words)}</p>'


def _why_zero(scored: Derivation) -> str:
    """One box for a score of 0: why, and buttons for what would give another."""
    found = diagnose_zero(scored)
    if found is None:
        return ""
    items = "".join(_remedy(remedy, nltk=bool(found.value)) for remedy in found.remedies)
    head = "<p>On the 0–100 scale, the score would be</p>"
    helping = f"{head}<ul>{items}</ul>" if items else ""
    why = html.spans(zero_paragraph(found, scored).spans)
    return f'<div class="note why-zero"><p>{why}</p>{helping}</div>'


def _remedy(remedy: Remedy, *, nltk: bool) -> str:
    choice = str(getattr(remedy.settings, remedy.setting))
    return (
        f"<li><b>{score_text(remedy.value)}</b> with "
        f'<button type="button" class="action" '
        f'data-command="apply:{remedy.setting}:{escape(choice)}">'
        f"{escape(remedy_name(remedy, nltk=nltk))}</button></li>"
    )


def _spoken(scored: Derivation) -> str:
    score = scored.score
    penalty = number_text(score.brevity_penalty)
    return f"BLEU is {score_text(score.value)} of 100, with a brevity penalty of {penalty}"


def matches_html(scored: Derivation, order: str) -> str:
    """The texts with the matches of one order marked; of all orders for "0".

    An order above the derivation's is taken for its highest.

    >>> from bleu import derive
    >>> matches_html(derive("a b", ["a b"], max_order=2), "2").count('class="marked"')
    2
    >>> matches_html(derive("a b", ["a b"], max_order=2), "0").count('class="stacked')
    4
    """
    chosen = min(int(order), len(scored.orders))
    if not chosen:
        texts = "".join(map(html.marked_rows, stacked_texts(scored)))
        return f'<div class="stack" data-order="0">{texts}</div>'
    texts = "".join(map(html.marked_text, marked_texts(scored, chosen)))
    return f'<div class="lanes-{chosen}" data-order="{chosen}">{texts}</div>'


def order_choices(marked: str) -> str:
    """The choice of the order whose matches are marked.

    >>> order_choices("1").count("<input"), order_choices("1").count(" checked")
    (10, 1)
    """
    labels = {str(n): f"{n}-grams" for n in range(1, MAX_ORDER + 1)} | {"0": "all orders"}
    return "".join(
        f'<label><input type="radio" name="order" value="{n}"'
        f"{' checked' if n == marked else ''}> {label}</label>"
        for n, label in labels.items()
    )


def score_bar(snapshot: PageSnapshot) -> str:
    """The score in the bar that stays in sight; a dash where there are no texts to score.

    >>> score_bar(build_snapshot(Inputs("a b c d", ("a b c d",))))
    '<span>BLEU</span> <b>100.00</b>'
    >>> score_bar(build_snapshot(Inputs()))
    '<span>BLEU</span> <b>–</b>'
    """
    score = "–" if snapshot.todo else score_text(snapshot.derivation.score.value)
    return f"<span>BLEU</span> <b>{score}</b>"


def pinned_text(before: Derivation, after: Derivation | None) -> str:
    """How far the score has moved since a result was pinned; None where there is none now.

    >>> from bleu import derive
    >>> pinned_text(derive("a b c d", ["a b c d"]), derive("a b c", ["a b c d"]))
    'Pinned: <b>100.00 → 0.00</b> (−100.00)'
    """
    first = score_text(before.score.value)
    if after is None:
        return f"Pinned: <b>{first}</b>."
    if before == after:
        return f"Pinned: <b>{first}</b>. Change a text or a setting to see how the score changes."
    one, two = before.score.value, after.score.value
    second = score_text(two)
    return f"Pinned: <b>{first} → {second}</b> ({score_text(two - one, difference=True)})"


def pinned_changes(before: Derivation, after: Derivation) -> str:
    """What changed since a result was pinned."""
    return html.table(changes_table(before, after))


def what_if_slices(snapshot: PageSnapshot, scored: list[ScoredEdit]) -> Iterator[str]:
    """What single words are worth, in slices: nothing until the last, which is the whole.

    `tried` is filled with the trials.
    """
    hypothesis, references = snapshot.inputs.hypothesis, scored_references(snapshot.inputs)
    for one in scored_edits(hypothesis, references, snapshot.derivation.settings):
        scored.append(one)
        yield ""
    yield "".join(map(html.block, word_value_blocks(scored, snapshot.derivation, hypothesis)))


def _convention(inputs: Inputs, scored: Derivation) -> str:
    if inputs.convention == DEFAULT:
        return ""
    convention = CONVENTIONS[inputs.convention]
    reported = number_text(scored.score.value * convention.scale)
    lines = [f"<strong>{escape(convention.title)}</strong>: {html.prose(convention.difference)}"]
    if changed := departures(inputs.convention, scored.settings):
        title, how = escape(convention.title), html.prose(english_list(changed))
        lines = [f"<strong>{title}, but {how}</strong>. By itself it may report another number."]
    else:
        lines += [f"It reports {reported}, on a scale of 0 to {convention.scale}."]
    if not changed and (issues := segment_caveats(convention, scored)):
        lines.append(f"<strong>Caution</strong>: {html.prose(' '.join(issues))}")
    if 0 < scored.score.value < ALMOST_ZERO and diagnose_zero(scored) is None:
        lines.append(f"Here {number_text(scored.score.value)} on the 0–1 scale stands for 0.")
    if convention.single_precision:
        lines.append("It rounds to single precision, so digits after the sixth may differ.")
    theirs = ""
    if inputs.convention.startswith("sacrebleu") and "sacrebleu-r" not in inputs.convention:
        theirs = sacrebleu_signature(scored.settings, len(scored.references))
    lines.append('<a href="#comparison">Compare with the others</a>')
    return f'<p class="note convention">{" ".join(lines)}</p>{theirs}'


def _notes(inputs: Inputs) -> str:
    return "".join(f'<p class="note">{html.prose(line)}</p>' for line in input_notes(inputs))


def _findings(findings: Sequence[Finding]) -> str:
    items = "".join(
        f"<li>{html.prose(escape_invisible(one.message))}{_button(one)}</li>" for one in findings
    )
    return f'<ul class="note findings">{items}</ul>' if items else ""


def _button(finding: Finding) -> str:
    if not finding.action:
        return ""
    return (
        f' <button type="button" class="action" data-command="apply:{escape(finding.action)}">'
        f"{escape(finding.label)}</button>"
    )


def comparison_html(inputs: Inputs) -> str:
    """Every convention's score for these texts, and where it differs.

    >>> markup = comparison_html(Inputs("a b c d", ("a b c d",)))
    >>> shown = [name for name in CONVENTIONS if not name.endswith("-summed")]
    >>> markup.count("data-command") == len(shown)
    True
    """
    *_, markup = comparison_slices(build_snapshot(inputs))
    return markup


def comparison_slices(snapshot: PageSnapshot) -> Iterator[str]:
    """`comparison_html` in slices of work: nothing until the last, which is the whole."""
    here = snapshot.derivation
    names = [name for name in CONVENTIONS if not name.endswith("-summed")]
    found = []
    texts = snapshot.inputs.hypothesis, scored_references(snapshot.inputs)
    for one in convention_results(*texts, here.settings, names):
        found.append(one)
        yield ""
    count = sum(agree(one.value, here.score.value) for one in found)
    yield html.paragraph(spread_paragraph(found, here)) + conventions_html(
        *comparison_tables(found, here), count
    )


def tokenizer_lens(inputs: Inputs) -> str:
    """The texts under the tokenizers that split them otherwise, each with its score.

    >>> lens = tokenizer_lens(Inputs("a-b", ("a b",)))
    >>> lens.count("<h3>"), lens.count("<h4>")
    (2, 4)
    """
    texts = inputs.hypothesis, *scored_references(inputs)
    here, *others = _by_tokens(inputs, texts)
    key = " Tokens with a dashed border do not occur under it." if others else ""
    parts = [f"<p>{_lens_same(here[0])}{key}</p>"]
    for names, tokens in (here, *others):
        chosen = here[1] if names is not here[0] else tokens
        parts.append(f"<h3>{escape(_lens_title(inputs, names))}</h3>")
        titles = ("Candidate", *reference_names(len(texts) - 1))
        for title, own, before in zip(titles, tokens, chosen, strict=True):
            parts.append(_lens_tokens(title, own, set(before)))
    return "".join(parts)


def _by_tokens(
    inputs: Inputs, texts: tuple[str, ...]
) -> list[tuple[list[str], tuple[Tokens, ...]]]:
    """Tokenizers by what they make of the texts, the one that is chosen first."""
    offered = [name for name in TOKENIZERS if name not in {"none", *PRIVATE_TOKENIZERS}]
    found: dict[tuple[Tokens, ...], list[str]] = {}
    for name in dict.fromkeys([inputs.tokenizer, *offered]):
        tokens = tuple(tokenize(text, name, lowercase=inputs.lowercase) for text in texts)
        found.setdefault(tokens, []).append(name)
    return [(names, tokens) for tokens, names in found.items()]


def _lens_same(names: list[str]) -> str:
    first, *same = [f"<strong>{escape(_lens_name(name))}</strong>" for name in names]
    if not same:
        return f"No other tokenizer splits these texts as your choice, {first}, does."
    verb = "gives" if len(same) == 1 else "give"
    return f"{english_list(same)} {verb} the same tokens as your choice, {first}."


def _lens_title(inputs: Inputs, names: list[str]) -> str:
    chosen = " (chosen)" if inputs.tokenizer in names else ""
    names = names[:1] if chosen else names
    words = english_list([_lens_name(name) for name in names])
    try:
        score = form_derivation(replace(inputs, tokenizer=names[0])).score.value
    except ValueError:
        return f"{words}{chosen}: no score"
    return f"{words}{chosen}: BLEU {score_text(score)} on the 0–100 scale"


def _lens_name(name: str) -> str:
    return TOKENIZER_LABELS[name].partition(" (")[0].partition(":")[0]


def _lens_tokens(title: str, tokens: Tokens, chosen: set[Token]) -> str:
    items = "".join(
        f"<li{'' if token in chosen else DIFFERS}>{escape(token_text(token))}</li>"
        for token in tokens[:LENS_SHOWN]
    )
    more = len(tokens) - LENS_SHOWN
    rest = f'<p class="more">and {more:,} more</p>' if more > 0 else ""
    return (
        f'<div class="tokens"><h4>{title}: {count_with_noun(len(tokens), "token")}</h4>'
        f'<ol class="token-list" dir="auto">{items}</ol>{rest}</div>'
    )


def code_html(snapshot: PageSnapshot, source: str = ".") -> str:
    """Code that prints the number on the screen, for every library that agrees.

    `source` is what pip installs this one from.
    """
    texts = snapshot.inputs.hypothesis, scored_references(snapshot.inputs)
    return "".join(
        f'<div class="snippet"><h3>{snippet.library}</h3>'
        f"<p>To install it: <code>{escape(snippet.install)}</code></p>"
        f"{f'<p>{html.prose(snippet.remark)}</p>' if snippet.remark else ''}"
        f'<pre tabindex="0"><code id="snippet-{number}">{_source(snippet.code)}</code></pre>'
        f"<p>It prints <code>{escape(snippet.output)}</code>, on the 0–1 scale.</p>"
        f'<button type="button" data-command="copy-code:{number}">Copy the code</button></div>'
        for number, snippet in enumerate(snippets(*texts, snapshot.derivation, source))
    )


def _source(code: str) -> str:
    """Code with each string set in its own direction, so that Arabic ones change no place."""
    return "".join(
        f"<bdi>{escape(part)}</bdi>" if STRING.fullmatch(part) else escape(part)
        for part in STRING.split(code)
    )


def token_count(words: str, tokenizer: str = "whitespace") -> str:
    """The live count beside a box.

    >>> token_count("the cat"), token_count("")
    ('2 tokens', '0 tokens')
    """
    return count_with_noun(len(tokenize(words, tokenizer)), "token")


def reference_box(number: int, words: str, *, removable: bool) -> str:
    """One reference with its label, count and, where it is not the only one, remove button."""
    name = f"reference-{number}"
    remove = (
        f'<button type="button" class="remove" data-command="remove:{number}" '
        f'aria-label="Remove reference {number}">Remove</button>'
        if removable
        else ""
    )
    return (
        f'<div class="reference field"><div class="field-head"><label for="{name}">Reference '
        f'{number}</label> <output id="{name}-count" for="{name}" aria-live="off">'
        f"{token_count(words)}</output>{remove}</div>"
        f'<textarea id="{name}" name="{name}" rows="2" dir="auto" spellcheck="false" '
        f'autocomplete="off" autocapitalize="off">{escape(words)}</textarea></div>'
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
        f'<button type="button" class="example" data-command="example:{name}">'
        f"{escape(example.name)}</button>"
        for name, example in EXAMPLES.items()
    )


def value_label(smoothing: str) -> str:
    """The label of the smoothing's value, with its symbol where that is one letter: ε, k or K."""
    symbol = SMOOTHINGS[smoothing].symbol if smoothing in SMOOTHINGS else ""
    return f"Value {symbol}" if len(symbol) == 1 else "Value"


FILE_SYSTEMS = (
    '<span hidden><label for="file-which-system">of</label> '
    '<select id="file-which-system" autocomplete="off"></select></span>\n'
)
"""The menu of the systems that a number may be of."""


def which_box(name: str, texts: str, more: str = "") -> str:
    """The box that asks which BLEU a number is; the ids and commands in it begin with its name.

    `texts` is what the number is of, and `more` stands beside the number.
    """
    return (
        f'<details id="{name}" class="which"><summary>Which BLEU is this number?</summary><div>\n'
        f'<p class="hint" id="{name}-hint">Type the score that a paper, a tool or a colleague has '
        f"for these {texts}, with all its digits: 26.60, 0.266 or 26,6 %. Every implementation "
        "is tried, with the common tokenizers, both cases, its smoothings and <i>N</i> from 1 to "
        "4, and so are the usual mistakes in calling a library.</p>\n"
        '<div class="buttons">\n'
        f'<label for="{name}-number">Number</label> <input id="{name}-number" type="text" '
        f'inputmode="decimal" size="10" autocomplete="off" aria-describedby="{name}-hint">\n{more}'
        f'<button type="button" id="{name}-search" data-command="{name}">Find out</button>\n'
        f'<button type="button" id="{name}-cancel" data-command="{name}-cancel" hidden>Cancel'
        "</button>\n</div>\n"
        f'<progress id="{name}-progress" max="1" value="0" hidden aria-label="Progress"></progress>'
        f'\n<p id="{name}-error" role="alert" class="alert"></p>\n'
        f'<p id="{name}-status" role="status"></p>\n'
        f'<p id="{name}-stale" class="hint" hidden>The {texts} have changed since. Press Find out '
        "again.</p>\n"
        f'<div id="{name}-body"></div>\n</div></details>'
    )


def fill_template(template: str) -> str:
    """The template with the first worked example put in, ready to be read before Python is.

    >>> fill_template("<!--build:examples-->").count("<button")
    8
    """
    example = build_snapshot(example_inputs(FIRST_EXAMPLE))
    forms = {name: form.label for name, form in EXPORT_FORMATS.items()}
    parts = {
        "orders": order_choices(FIRST_ORDER),
        "matches": matches_html(example.derivation, FIRST_ORDER),
        "figures": example.view.figures,
        "forms": options(forms, "markdown"),
        "tests": options(TESTS, DEFAULT_TEST),
        "which": which_box("which", "texts"),
        "file-which": which_box("file-which", "files", FILE_SYSTEMS),
        "file-conventions": options(FILE_CONVENTIONS, FileInputs().convention),
        "file-tokenizers": options(TOKENIZER_LABELS, FileInputs().tokenizer) + NEED_MODELS,
        "corpus-forms": options({n: f.label for n, f in CORPUS_FORMATS.items()}, "markdown"),
        "examples": example_buttons(),
        "references": reference_boxes(example.inputs.references),
        "conventions": options({n: c.title for n, c in CONVENTIONS.items()}, DEFAULT),
        "tokenizers": options(TOKENIZER_LABELS, "whitespace") + NEED_MODELS,
        "smoothings": options(SMOOTHING_LABELS, "none"),
        "result": example.view.result,
        "strip": score_bar(example),
        "comparison": "".join(comparison_slices(example)),
        "lens": tokenizer_lens(example.inputs),
        "derivation": example.view.contents + "".join(markup for _, markup in example.view.steps),
    }
    for name, markup in parts.items():
        template = template.replace(f"<!--build:{name}-->", markup)
    return template.replace('href="bleu_calculator.whl"', f'href="{WHEEL}"')
