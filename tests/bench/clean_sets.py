"""Clean texts in many languages: translations of programs on this machine, made twice.

The files are those that the packages of Debian install, and are not part of the project. A set has
the same English messages in one language as two programs have them, or in two varieties of it.
"""

import gettext
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench.checkup_texts import TextSet

LOCALE_FOLDER: Final = Path("/usr/share/locale")
VARIETIES: Final = (
    ("pt", "pt_BR"), ("en_GB", "en"), ("en_CA", "en"), ("ca", "ca@valencia"), ("nb", "nn"),
)  # fmt: skip
"""Pairs of varieties of a language; "en" is the text of the programs themselves."""
TRUE_FAULTS: Final = {
    ("eu twice", "subwords"): "line 4, “Ezkerretik_eskuinera”: “_” for spaces, in five lines",
    ("pt-pt_BR WebKitGTK-4.1", "case"): "line 59, “controlos de reprodução”: small first letters",
}
"""Faults of 0.5 points or more that the texts have, with the first line."""
MIN_LINES: Final = 60
MAX_LINES: Final = 400
MIN_CHARACTERS: Final = 12
"""Shorter texts are labels."""


def catalog(path: Path) -> dict[str, str]:
    """Return the messages of a file by their English text."""
    try:
        with path.open("rb") as file:
            catalog = gettext.GNUTranslations(file)._catalog
    except (IndexError, ValueError):  # A few old files have a broken header.
        return {}
    return {key: text.strip() for key, text in catalog.items() if isinstance(key, str) and key}


def is_sentence(text: str) -> bool:
    return len(text) >= MIN_CHARACTERS and "\n" not in text


def _text_set(name: str, rows: dict[str, str], locale: str) -> TextSet | None:
    lines = list(rows.items())[:MAX_LINES]
    tokenizer = "zh" if locale.startswith("zh") else "char" if locale[:2] in {"ja", "th"} else "13a"
    if len(lines) < MIN_LINES:
        return None
    return TextSet(name, [a for a, _ in lines], [b for _, b in lines], None, tokenizer)


def twice_translated(folder: Path = LOCALE_FOLDER) -> Iterator[TextSet]:
    """Yield for each language the messages that two programs have in other words."""
    for locale in sorted(path.name for path in folder.iterdir()):
        translations: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for path in sorted((folder / locale / "LC_MESSAGES").glob("*.mo")):
            for key, text in catalog(path).items():
                if is_sentence(text) and text != key:
                    translations[key][text] = None
        pairs = (list(texts)[:2] for texts in translations.values() if len(texts) > 1)
        texts = _text_set(f"{locale} twice", dict(pairs), locale)
        if texts:
            yield texts


def varieties(folder: Path = LOCALE_FOLDER, max_domains: int = 6) -> Iterator[TextSet]:
    """Yield for each pair of varieties the messages of some programs."""
    for locale, other_locale in VARIETIES:
        count = 0
        for path in sorted((folder / locale / "LC_MESSAGES").glob("*.mo")):
            other_path = folder / other_locale / "LC_MESSAGES" / path.name
            texts = catalog(path)
            others = catalog(other_path) if other_path.exists() else {}
            if other_locale == "en":
                others = {key: key.strip() for key in texts}
            rows = {
                text: others[key]
                for key, text in texts.items()
                if key in others and is_sentence(text) and is_sentence(others[key])
            }
            found = _text_set(f"{locale}-{other_locale} {path.stem}", rows, locale)
            if found and count < max_domains:
                count += 1
                yield found
