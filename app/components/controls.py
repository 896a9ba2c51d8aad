"""Menus and buttons as HTML, and the labels of options."""

from collections.abc import Mapping
from html import escape
from typing import Final

from app.state.models import CHOOSE_MODEL, model_label
from bleu.core.conventions import CONVENTIONS
from bleu.core.smoothing import SMOOTHINGS

TOKENIZER_LABELS: Final = {
    "whitespace": "white space",
    "13a": "13a (sacreBLEU default)",
    "intl": "intl",
    "char": "char: every character",
    "zh": "zh (sacreBLEU’s, faulty)",
    "zh-corrected": "zh-corrected",
    "ja-char": "ja-char: zh and kana",
    "none": "none (white space)",
    "mteval-v14": "mteval-v14",
    "tensor2tensor": "tensor2tensor",
    "codexglue": "CodeXGLUE",
}
TOOL_GROUPS: Final = {
    "default": "BLEU as published",
    "papineni": "BLEU as published",
    "nltk": "NLTK",
    "sacrebleu-r": "sacRebleu (R)",
    "sacrebleu": "sacreBLEU",
    "huggingface": "Hugging Face and PyTorch",
    "torch": "Hugging Face and PyTorch",
}
"""The groups in the menu of conventions, by the prefix of a convention's name."""
SMOOTHING_LABELS: Final = {
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


def options(labels: Mapping[str, str], chosen: str) -> str:
    """Return the options of a select element.

    >>> options({"a": "A"}, "a")
    '<option value="a" selected>A</option>'
    """
    return "".join(
        f'<option value="{escape(name)}"{" selected" if name == chosen else ""}>{escape(label)}'
        "</option>"
        for name, label in labels.items()
    )


def tokenizer_label(value: str) -> str:
    """Return the label of a tokenizer in a menu."""
    return TOKENIZER_LABELS.get(value) or model_label(value)


def tokenizer_options(chosen: str) -> str:
    """Return the options of the tokenizers; models, and a note on MeCab, come last."""
    labels = TOKENIZER_LABELS | {CHOOSE_MODEL: model_label(CHOOSE_MODEL)}
    return (
        f"{options(labels, chosen)}"
        "<option disabled>ja-mecab (51 MiB), ko-mecab (106 MiB): too large here</option>"
    )


def convention_options(chosen: str) -> str:
    """Return the options of the conventions, grouped by tool, and a hidden one for custom settings.

    >>> convention_options("default").count("<optgroup")
    6
    """
    groups: dict[str, dict[str, str]] = {}
    for name in CONVENTIONS:
        groups.setdefault(_tool_of(name), {})[name] = convention_label(name)
    menus = (
        f'<optgroup label="{tool}">{options(labels, chosen)}</optgroup>'
        for tool, labels in groups.items()
    )
    return "".join(menus) + '<option id="custom-convention" hidden></option>'


def convention_label(name: str) -> str:
    """Return the label of a convention in the menu.

    >>> convention_label("nltk-method0"), convention_label("nltk-method1")
    ('NLTK default (method 0)', 'NLTK method 1')
    """
    return "NLTK default (method 0)" if name == "nltk-method0" else CONVENTIONS[name].title


def _tool_of(name: str) -> str:
    return next((tool for prefix, tool in TOOL_GROUPS.items() if name.startswith(prefix)), "Others")


def short_label(label: str) -> str:
    """Return the label of an option without its explanation.

    >>> short_label("13a (sacreBLEU default)"), short_label("char: every character")
    ('13a', 'char')
    """
    return label.partition(" (")[0].partition(":")[0]


def button(command: str, label: str, attributes: str = "", *, disabled: bool = False) -> str:
    """Return a button that runs a command; `label` and `attributes` are HTML."""
    state = " disabled" if disabled else ""
    return f'<button type="button" data-command="{command}"{attributes}{state}>{label}</button>'


def value_label(smoothing: str) -> str:
    """Return the label of the smoothing value, with its symbol if that is one letter.

    >>> value_label("floor"), value_label("none"), value_label("unknown")
    ('Value ε', 'Value', 'Value')
    """
    symbol = SMOOTHINGS[smoothing].symbol if smoothing in SMOOTHINGS else ""
    return f"Value {symbol}" if len(symbol) == 1 else "Value"
