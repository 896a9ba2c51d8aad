"""The files of the npm packages that the build uses, each verified against a listed digest.

npm verifies a package only while it installs it. The list has the format of sha256sum.
"""

import hashlib
from pathlib import Path
from typing import Final

DIGEST_LIST: Final = "app/build/packages.sha256"
USED_FILES: Final = {
    "pyodide": ("LICENSE*", "package.json", "pyodide*.mjs", "*.asm.*", "*-lock.json", "*.zip"),
    "@pyscript/core": (
        *("LICENSE*", "package.json", "dist/core*.js", "dist/error-*.js"),
        "src/stdlib/pyscript/**/*.py",
    ),
}
"""The files of each package that the build uses, as glob patterns."""


def write_file_list(source: Path) -> None:
    """Write the list of the files installed in `source`; needed after a package is upgraded.

    Raises FileNotFoundError if the packages are not installed.
    """
    _check_installed(source)
    files = (
        file
        for package, patterns in USED_FILES.items()
        for pattern in patterns
        for file in (source / "node_modules" / package).glob(pattern)
    )
    digests = {file.relative_to(source).as_posix(): _digest(file.read_bytes()) for file in files}
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    (source / DIGEST_LIST).write_text(text, encoding="utf-8")


def copy_listed_files(source: Path, target: Path) -> None:
    """Copy the listed files from `source` to the same paths in `target`.

    Raises FileNotFoundError if the packages are not installed, and ValueError if a file has another
    digest.
    """
    _check_installed(source)
    for line in (source / DIGEST_LIST).read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ", 1)
        content = (source / name).read_bytes() if (source / name).is_file() else b""
        if _digest(content) != digest:
            raise ValueError(
                f"{name} is not the file that {DIGEST_LIST} lists; run npm ci, or, if the package "
                "was upgraded, python -m app list"
            )
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)


def _check_installed(source: Path) -> None:
    if not all((source / "node_modules" / package).is_dir() for package in USED_FILES):
        raise FileNotFoundError("the npm packages are missing; run npm ci or make serve")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
