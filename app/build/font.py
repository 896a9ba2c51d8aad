"""The font of the formulas: the subset of STIX Two Math that they need.

Browsers lay out formulas correctly only in a font with a MATH table, which positions limits,
indices and bars, and builds tall braces and roots; many systems have no such font.
"""

import hashlib
import io
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from string import ascii_letters, digits
from typing import Final

from app.build import ThirdPartyPackage

FONT_PACKAGE: Final = "ziamath"
FONT_FILE: Final = "ziamath/fonts/STIXTwoMath-Regular.ttf"
FONT_DIGEST: Final = "8f42cb183a85043a4dc3f8e41ac3821eb27bf178d68ace929ba439523622323c"
"""The SHA-256 of the font file; pip checks a package only while it installs it."""

CHARACTERS: Final = (
    f"{ascii_letters}{digits}()[]{{}}|,.:/_+<=> \u00a0\u2061−·×≈≤≥√∑∏∞…′αδεπ"
    # browsers draw a single-letter identifier in these (mathematical italic)
    "𝑎𝑏𝑐𝑑𝑒𝑓𝑔ℎ𝑖𝑗𝑘𝑙𝑚𝑛𝑜𝑝𝑞𝑟𝑠𝑡𝑢𝑣𝑤𝑥𝑦𝑧𝐾𝑁𝑆𝛼𝛿𝜀𝜋"
)
"""The characters of the formulas; their taller forms and parts are included automatically."""
PRIME: Final = "minute.ssty"
"""The glyph for a prime in a superscript; the font's ordinary prime is already raised."""
LICENSE: Final = re.compile(
    r"SIL OPEN FONT LICENSE Version 1\.1.*?DEALINGS IN THE FONT SOFTWARE\.", re.DOTALL
)
"""Matches the font's license among those that fonttools is shipped with."""


def subset_font() -> ThirdPartyPackage:
    """Return the font with only the glyphs of `CHARACTERS` and the MATH table.

    The same font file gives the same bytes.

    Raises FileNotFoundError if the packages are not installed, and ValueError if the font file has
    another digest, or fonttools has no text of its license.
    """
    try:
        import brotli  # noqa: F401  (fontTools needs it for WOFF2; fail early if it is missing)
        from fontTools import subset
        from fontTools.ttLib import TTFont

        source = distribution(FONT_PACKAGE).locate_file(FONT_FILE)
        licenses = distribution("fonttools").read_text("licenses/LICENSE.external") or ""
    except (ImportError, PackageNotFoundError) as error:
        raise FileNotFoundError(
            f"the font's packages are missing ({error}): run make build, which installs them"
        ) from error
    content = Path(str(source)).read_bytes()
    if hashlib.sha256(content).hexdigest() != FONT_DIGEST:
        raise ValueError(
            f"{FONT_FILE} of the package {FONT_PACKAGE} has another digest; reinstall it, or "
            "update FONT_DIGEST"
        )
    font = TTFont(io.BytesIO(content), recalcTimestamp=False)
    owner, name, version, terms = (font["name"].getDebugName(n) or "" for n in (0, 4, 5, 13))
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
    license = LICENSE.search(licenses)
    if not license:
        raise ValueError("fonttools has no SIL Open Font License; adapt app/build/font.py")
    text = f"{owner}\n{terms}\n\n{license[0]}"
    name, version = name.removesuffix(" Regular"), version.split()[1]
    return ThirdPartyPackage(name, version, "OFL-1.1", text, output.getvalue())
