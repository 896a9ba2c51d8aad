"""The font of the formulas: of STIX Two Math, as a package has it, the part that they need.

A formula is set right only in a font with a MATH table, which says where limits, indices and bars
stand, and of what tall braces and roots are made; many systems have no such font.
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
"""Of the file in the package: pip checks a package as it installs it, and not again."""

CHARACTERS: Final = (
    f"{ascii_letters}{digits}()[]{{}}|,.:/_+<=> \u00a0\u2061−·×≈≤≥√∑∏∞…′αδεπ"
    # as which a browser draws a letter that stands alone
    "𝑎𝑏𝑐𝑑𝑒𝑓𝑔ℎ𝑖𝑗𝑘𝑙𝑚𝑛𝑜𝑝𝑞𝑟𝑠𝑡𝑢𝑣𝑤𝑥𝑦𝑧𝐾𝑁𝑆𝛼𝛿𝜀𝜋"
)
"""What formulas are written in; the taller forms of a sign, and their parts, come with it."""
PRIME: Final = "minute.ssty"
"""The prime as it is drawn in an index, where formulas have it; the other one is raised already."""


@dataclass(frozen=True, slots=True)
class Font:
    """A font for the page: its name, its version, its licence's text, and its bytes as WOFF2."""

    name: str
    version: str
    licence: str
    content: bytes


def subset_font() -> Font:
    """The font with the glyphs of `CHARACTERS` and its MATH table; the same bytes each time.

    Raises FileNotFoundError where the packages are not installed, and ValueError where the font is
    not the one that was chosen.
    """
    try:
        import brotli  # noqa: F401  (what compresses it; asked for by name, to miss it here)
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
        raise ValueError(f"{FILE} of the package {PACKAGE} is not the font that was chosen")
    font = TTFont(io.BytesIO(content), recalcTimestamp=False)
    names = [font["name"].getDebugName(number) or "" for number in (0, 4, 5, 13)]
    for table in font["cmap"].tables:
        table.cmap[ord("′")] = PRIME
    options = subset.Options(
        layout_features=[], hinting=False, name_IDs=[0, 1, 2, 4, 5, 13, 14], drop_tables=["DSIG"]
    )
    cutter = subset.Subsetter(options)
    cutter.populate(text=CHARACTERS)
    cutter.subset(font)
    font.flavor = "woff2"
    cut = io.BytesIO()
    font.save(cut)
    owner, name, version, licence = names
    text = f"{owner}\n{licence}\n\n{_open_font_license(licences)}"
    return Font(name.removesuffix(" Regular"), version.split()[1], text, cut.getvalue())


def _open_font_license(licences: str) -> str:
    """The licence's text, which the font names, from the licences that fonttools comes with."""
    text = r"SIL OPEN FONT LICENSE Version 1\.1.*?DEALINGS IN THE FONT SOFTWARE\."
    found = re.search(text, licences, re.DOTALL)
    if not found:
        raise ValueError("the package fonttools has not the text of the SIL Open Font License")
    return found[0]
