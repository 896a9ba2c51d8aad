"""The font of the formulas: the subset of STIX Two Math that they need.

Browsers lay out formulas correctly only in a font with a MATH table, which positions limits,
indices and bars, and builds tall braces and roots; many systems have no such font.
"""

import hashlib
import io
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from string import ascii_letters, digits
from typing import Final

PACKAGE: Final = "ziamath"
FILE: Final = "ziamath/fonts/STIXTwoMath-Regular.ttf"
DIGEST: Final = "8f42cb183a85043a4dc3f8e41ac3821eb27bf178d68ace929ba439523622323c"
"""The SHA-256 of the font file; pip checks a package only while it installs it."""

CHARACTERS: Final = (
    f"{ascii_letters}{digits}()[]{{}}|,.:/_+<=> \u00a0\u2061−·×≈≤≥√∑∏∞…′αδεπ"
    # browsers draw a single-letter identifier in these (mathematical italic)
    "𝑎𝑏𝑐𝑑𝑒𝑓𝑔ℎ𝑖𝑗𝑘𝑙𝑚𝑛𝑜𝑝𝑞𝑟𝑠𝑡𝑢𝑣𝑤𝑥𝑦𝑧𝐾𝑁𝑆𝛼𝛿𝜀𝜋"
)
"""The characters of the formulas; their taller forms and parts are included automatically."""
PRIME: Final = "minute.ssty"
"""The glyph for a prime in a superscript; the font's ordinary prime is already raised."""


@dataclass(frozen=True, slots=True)
class Font:
    """A font for the page: its name, version, licence text, and content as WOFF2."""

    name: str
    version: str
    licence: str
    content: bytes


def subset_font() -> Font:
    """Return the font with the glyphs of `CHARACTERS` and its MATH table; reproducibly.

    Raises FileNotFoundError if the packages are not installed, and ValueError if the font file has
    another digest.
    """
    try:
        import brotli  # noqa: F401  (fontTools needs it for WOFF2; fail early if it is missing)
        from fontTools import subset
        from fontTools.ttLib import TTFont

        source = distribution(PACKAGE).locate_file(FILE)
        licences = distribution("fonttools").read_text("licenses/LICENSE.external") or ""
    except (ImportError, PackageNotFoundError) as error:
        raise FileNotFoundError(
            f"the font's packages are missing ({error}): run make build, which installs them"
        ) from error
    with open(str(source), "rb") as file:
        content = file.read()
    if hashlib.sha256(content).hexdigest() != DIGEST:
        raise ValueError(
            f"{FILE} of the package {PACKAGE} has another digest; reinstall it, or update DIGEST"
        )
    font = TTFont(io.BytesIO(content), recalcTimestamp=False)
    names = [font["name"].getDebugName(number) or "" for number in (0, 4, 5, 13)]
    for table in font["cmap"].tables:
        table.cmap[ord("′")] = PRIME
    options = subset.Options(
        layout_features=[], hinting=False, name_IDs=[0, 1, 2, 4, 5, 13, 14], drop_tables=["DSIG"]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    output = io.BytesIO()
    font.save(output)
    owner, name, version, licence = names
    text = f"{owner}\n{licence}\n\n{_open_font_license(licences)}"
    return Font(name.removesuffix(" Regular"), version.split()[1], text, output.getvalue())


def _open_font_license(licences: str) -> str:
    """Return the text of the font's licence, from the licences that fonttools is shipped with."""
    pattern = r"SIL OPEN FONT LICENSE Version 1\.1.*?DEALINGS IN THE FONT SOFTWARE\."
    match = re.search(pattern, licences, re.DOTALL)
    if not match:
        raise ValueError("the package fonttools has no text of the SIL Open Font License")
    return match[0]
