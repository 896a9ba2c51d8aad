"""Fonts for the browsers under test: a fontconfig with chosen ones, whatever is installed."""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

FONTS = {
    "narrow": {
        "serif": "Liberation Serif",
        "sans-serif": "Liberation Sans",
        "monospace": "Liberation Mono",
    },
    "wide": {
        "serif": "DejaVu Serif",
        "sans-serif": "DejaVu Sans",
        "monospace": "DejaVu Sans Mono",
    },
}
"""The families of each set of fonts, by generic family."""
FILE_NAMES = {
    "Liberation": [
        f"Liberation{family}-{style}.ttf"
        for family in ("Serif", "Sans", "Mono")
        for style in ("Regular", "Bold", "Italic", "BoldItalic")
    ],
    "DejaVu": [
        f"DejaVu{family}{style}.ttf"
        for family in ("Serif", "Sans", "SansMono")
        for style in ("", "-Bold")
    ],
}
"""The files of each maker's fonts, as in Debian's fonts-liberation and fonts-dejavu-core."""
FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
    Path.home() / ".fonts",
)
FURTHER_NAMES = {"serif": ("Noto Serif", "Times New Roman"), "sans-serif": ("Arial",)}
"""Names that the page's styles and Chromium's defaults ask for: the chosen fonts have them, too."""


@cache
def font_files() -> dict[str, Path]:
    """Return the paths of the installed files of `FILE_NAMES`, by name."""
    names = {name for names in FILE_NAMES.values() for name in names}
    paths = (path for folder in FONT_FOLDERS for path in folder.rglob("*.ttf"))
    return {path.name: path for path in paths if path.name in names}


def missing_fonts(fonts: str) -> list[str]:
    """Return the families of a set of fonts of which a file is not installed."""
    families = set(FONTS[fonts].values())
    [maker] = {family.split()[0] for family in families}
    if set(FILE_NAMES[maker]) <= font_files().keys():
        return []
    return sorted(families)


def configuration(fonts: str, folder: Path) -> str:
    """Return a fontconfig file with only the fonts in a folder, which prefers a set of them."""
    parts = [f"<dir>{folder}</dir><cachedir>{folder / 'cache'}</cachedir>"]
    for generic, family in FONTS[fonts].items():
        parts.append(
            f'<alias binding="same"><family>{generic}</family>'
            f"<prefer><family>{family}</family></prefer></alias>"
        )
        parts += [
            f'<match target="scan"><test name="family"><string>{family}</string></test>'
            f'<edit name="family" mode="prepend"><string>{name}</string></edit></match>'
            for name in FURTHER_NAMES.get(generic, ())
        ]
    default = FONTS[fonts]["sans-serif"]  # also of the family system-ui
    parts.append(
        '<match target="pattern"><edit name="family" mode="append_last">'
        f"<string>{default}</string></edit></match>"
    )
    return f"<fontconfig>{''.join(parts)}</fontconfig>"


@cache
def _made_folder(fonts: str) -> TemporaryDirectory[str]:
    """Return a folder with the fonts and the fontconfig file, which is removed at the exit."""
    made = TemporaryDirectory(prefix=f"bleu-fonts-{fonts}-")
    folder = Path(made.name)
    for name, path in font_files().items():
        (folder / name).symlink_to(path)
    (folder / "fonts.conf").write_text(configuration(fonts, folder), "utf-8")
    return made


def font_environment(fonts: str = "narrow") -> dict[str, str]:
    """Return the environment of a browser with a set of fonts, or as it is if one is missing."""
    if missing_fonts(fonts):
        return dict(os.environ)
    return {**os.environ, "FONTCONFIG_FILE": str(Path(_made_folder(fonts).name, "fonts.conf"))}
