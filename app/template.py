"""The template of the page, filled by the build with the first worked example.

Everything can be read before Python has started.
"""

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from app.components import (
    REFERENCE_LENGTH_LABELS,
    SMOOTHING_LABELS,
    WHEEL,
    button,
    convention_options,
    max_order_choices,
    options,
    reference_boxes,
    text_box,
    tokenizer_options,
)
from app.files.result_html import CORPUS_FORMATS
from app.files.scoring import DEFAULT_TEST, TESTS
from app.score.html import build_snapshot, matches_html, order_scores, score_bar, settings_line
from app.score.lanes import lanes_json, lanes_key
from app.state.file_settings import FILE_CONVENTIONS, FileInputs
from app.state.inputs import CHOICES, FIRST_EXAMPLE, LANGUAGES, Inputs, example_inputs
from app.state.saved_form import ALL_ORDERS
from app.tools.html import iter_comparison_html, tokenizers_html
from bleu.analysis.examples import EXAMPLES
from bleu.core.progress import run_to_end
from bleu.explanation.exercises import TOPIC_TITLES
from bleu.explanation.glossary import GLOSSARY, GlossaryEntry
from bleu.formats import EXERCISE_FORMATS, SCORE_FORMATS, OutputFormat
from bleu.learn.generation import ORDERS, VARIANTS
from bleu.learn.kinds import KINDS

SYSTEM_MENU: Final = (
    '<span hidden><label for="file-which-system">of</label> '
    '<select id="file-which-system" autocomplete="off"></select></span>\n'
)
"""The menu of the translation systems, to say which of them has the reported score."""


def fill_template(template: str) -> str:
    """Return the template with generated HTML in place of marks such as `<!--build:examples-->`.

    >>> fill_template("<!--build:candidate-->").count("example:")
    9
    """
    example = build_snapshot(example_inputs(FIRST_EXAMPLE))
    comparison = run_to_end(iter_comparison_html(example))
    steps = example.view.steps
    inputs, file_inputs = Inputs(), FileInputs()
    markup_by_mark = {
        "lanes-key": lanes_key(example.derivation, int(ALL_ORDERS)),
        "settings-line": settings_line(example.inputs),
        "lanes": escape(lanes_json(example.inputs, example.derivation, int(ALL_ORDERS))),
        "candidate": text_box("hypothesis", "Candidate", example.inputs.hypothesis, _examples()),
        "matches": matches_html(example.derivation, "1"),
        "forms": _format_options(SCORE_FORMATS, "markdown"),
        "tests": options(TESTS, DEFAULT_TEST),
        "which": which_box("which", "texts"),
        "file-which": which_box("file-which", "files", SYSTEM_MENU),
        "file-conventions": options(FILE_CONVENTIONS, file_inputs.convention),
        "file-tokenizers": tokenizer_options(file_inputs.tokenizer),
        "corpus-forms": _format_options(CORPUS_FORMATS, "table-markdown"),
        "max-orders": max_order_choices(inputs.max_order, order_scores(example.inputs)),
        "orders": options({n: n for n in CHOICES["max_order"]}, inputs.max_order),
        "reference-lengths": options(REFERENCE_LENGTH_LABELS, inputs.reference_length),
        "references": reference_boxes(example.inputs.references),
        "conventions": convention_options(inputs.convention),
        "tokenizers": tokenizer_options(inputs.tokenizer),
        "languages": options(LANGUAGES, inputs.lang),
        "smoothings": options(SMOOTHING_LABELS, inputs.smoothing),
        "result": example.view.result,
        "strip": score_bar(example),
        "comparison": comparison,
        "lens": tokenizers_html(example.inputs),
        "glossary": _glossary(),
        "topics": _checkboxes("topic", TOPIC_TITLES),
        "kinds": _checkboxes("kind", {kind.name: kind.label for kind in KINDS.values()}),
        "worksheet-orders": options({str(n): str(n) for n in ORDERS}, ""),
        "variants": options({variant: variant for variant in VARIANTS[:2]}, ""),
        "worksheet-forms": _format_options(EXERCISE_FORMATS, "latex"),
        "derivation": "".join([steps.contents, *steps.by_anchor.values()]),
    }
    for mark, markup in markup_by_mark.items():
        template = template.replace(f"<!--build:{mark}-->", markup)
    return template.replace('href="bleu_calculator.whl"', f'href="{WHEEL}"')


def _glossary() -> str:
    """Return the terms of the glossary, each with its sentence."""
    return "\n".join(
        f"<div><dt>{_explained(entry)}</dt><dd>{escape(entry.sentence)}</dd></div>"
        for entry in GLOSSARY
    )


def _explained(entry: GlossaryEntry) -> str:
    """Return the term as a link to the answer that explains it, if there is one."""
    return f'<a href="#{entry.anchor}">{entry.term}</a>' if entry.anchor else entry.term


def _examples() -> str:
    """Return the menu of worked examples."""
    buttons = (button(f"example:{name}", escape(entry.name)) for name, entry in EXAMPLES.items())
    return (
        '<details id="examples" class="menu"><summary>Examples</summary>'
        f"<div>{''.join(buttons)}</div></details>"
    )


def _format_options(formats: Mapping[str, OutputFormat[Any, Any]], chosen: str) -> str:
    return options({name: form.label for name, form in formats.items() if form.label}, chosen)


def _checkboxes(name: str, labels: Mapping[str, str]) -> str:
    return "".join(
        f'<label><input type="checkbox" name="{name}" value="{value}"> {label}</label>'
        for value, label in labels.items()
    )


def which_box(name: str, texts: str, more: str = "") -> str:
    """Return the box that searches for the BLEU variant that gives a number.

    - `name`: prefix of the ids and commands in the box.
    - `texts`: noun for the texts that the number belongs to.
    - `more`: markup placed beside the number field; without it, the box is open at first.
    """
    is_open = "" if more else " open"
    return (
        f'<details id="{name}" class="which"{is_open}>'
        "<summary>Which BLEU is this number?</summary><div>\n"
        f'<p class="hint" id="{name}-hint">Type a score that someone reports for these {texts}, '
        "with all its digits: 26.60, 0.266 or 26,6 %. The search tries every tool with the common "
        "tokenizers, open SentencePiece models, both cases, its smoothings and <i>N</i> from 1 to "
        "4, and the usual mistakes in calling a library.</p>\n"
        '<div class="buttons">\n'
        f'<label for="{name}-number">Number</label> <input id="{name}-number" type="text" '
        'inputmode="decimal" size="10" dir="ltr" autocomplete="off" '
        f'aria-describedby="{name}-hint">\n{more}'
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
