"""The SentencePiece models that are open in the page, and their values in menus and links."""

import re
from typing import Final

from bleu.core.choices import TokenizerChoice
from bleu.core.custom_tokenizers import SACREBLEU_MODELS, Tokenizer, model_name
from bleu.explanation.phrases import escape_invisible

OPEN_MODELS: Final[dict[str, Tokenizer]] = {}
"""The open models, by their menu values."""
CHOOSE_MODEL: Final = "model"
"""The menu value that asks for the file of a model."""
_MODEL_VALUE: Final = re.compile("sp-([0-9a-f]{64})")


def is_model(value: object) -> bool:
    """Return whether a menu value stands for a model, open or not, or asks for its file.

    >>> is_model("sp-" + 64 * "0"), is_model("model"), is_model("sp-1"), is_model("13a")
    (True, True, False, False)
    """
    return isinstance(value, str) and (value == CHOOSE_MODEL or bool(_MODEL_VALUE.fullmatch(value)))


def menu_value(tokenizer: TokenizerChoice) -> str:
    """Return the menu value of a tokenizer: its name, or for a model, `sp-` and its digest.

    >>> menu_value("13a"), menu_value(Tokenizer("sp-01", str.split, "01ab"))
    ('13a', 'sp-01ab')
    """
    if isinstance(tokenizer, Tokenizer) and tokenizer.digest:
        return f"sp-{tokenizer.digest}"
    return str(tokenizer)


def model_label(value: str) -> str:
    """Return the label of a model in a menu: its name in signatures, and its file if it is open.

    >>> model_label("sp-" + 64 * "0"), model_label("model")
    ('sp-00000000: not open', 'SentencePiece model …')
    """
    if value == CHOOSE_MODEL:
        return "SentencePiece model …"
    model = OPEN_MODELS.get(value)
    file = escape_invisible(model.file) if model else "not open"
    return f"{model or model_name(value[3:])}: {file}"


def is_model_file(name: str) -> bool:
    """Return whether a file's name is that of a SentencePiece model.

    >>> is_model_file("Unigram.model"), is_model_file("flores200sacrebleuspm"), is_model_file("a")
    (True, True, False)
    """
    return name.endswith((".model", *SACREBLEU_MODELS.values()))
