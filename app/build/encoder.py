"""The encoder of QR codes: two modules of segno, without its writers, which the page does not need.

An empty `__init__` takes the place of segno's, which imports the writers of all its formats.
"""

import hashlib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from app.build import ThirdPartyPackage

PACKAGE: Final = "segno"
MODULES: Final = ("consts.py", "encoder.py")
DIGEST: Final = "78708b64061a1edb0a56fd131b19bcb6620881306e91f40ab1f86cac2baee84c"
"""The SHA-256 of both modules; pip checks a package only while it installs it."""


def copy_encoder(target: Path) -> ThirdPartyPackage:
    """Copy the modules to a package in the folder `target`, and return where they come from.

    Raises FileNotFoundError if segno is not installed, and ValueError if the modules have another
    digest.
    """
    try:
        package = distribution(PACKAGE)
    except PackageNotFoundError as error:
        raise FileNotFoundError(
            f"the package {PACKAGE} is missing: run make build, which installs it"
        ) from error
    files = [Path(str(package.locate_file(f"{PACKAGE}/{name}"))).read_bytes() for name in MODULES]
    if hashlib.sha256(b"".join(files)).hexdigest() != DIGEST:
        raise ValueError(
            f"the modules of {PACKAGE} have another digest; reinstall it, or update DIGEST in "
            "app/build/encoder.py"
        )
    folder = target / PACKAGE
    folder.mkdir(parents=True)
    for name, content in zip(("__init__.py", *MODULES), (b"", *files), strict=True):
        (folder / name).write_bytes(content)
    text = package.read_text("licenses/LICENSE") or ""
    return ThirdPartyPackage(PACKAGE, package.version, "BSD-3-Clause", text)
