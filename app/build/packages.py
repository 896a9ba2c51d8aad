"""What the build takes of the npm packages, each file held to the digest that is on a list.

npm checks a package as it installs it, and not again. The list has the form of sha256sum.
"""

import hashlib
from pathlib import Path
from typing import Final

LIST: Final = "app/build/packages.sha256"
USED: Final = {
    "pyodide": ("LICENSE*", "package.json", "pyodide*.mjs", "*.asm.*", "*-lock.json", "*.zip"),
    "@pyscript/core": (
        *("LICENSE*", "package.json", "dist/core*.js", "dist/error-*.js"),
        "src/stdlib/pyscript/**/*.py",
    ),
}
"""The files of each package that the build needs."""


def write_file_list(source: Path) -> None:
    """Write the list anew, of what is below `source` now: after a package was upgraded.

    Raises FileNotFoundError where the packages are not installed.
    """
    _check(source)
    files = (
        file
        for package, patterns in USED.items()
        for pattern in patterns
        for file in (source / "node_modules" / package).glob(pattern)
    )
    lines = {f.relative_to(source).as_posix(): _digest(f.read_bytes()) for f in files}
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(lines.items()))
    (source / LIST).write_text(text, encoding="utf-8")


def copy_listed_files(source: Path, target: Path) -> None:
    """Copy the files on the list, which are below `source`, to the same places below `target`.

    Raises FileNotFoundError where the packages are not installed, and ValueError that names a file
    that is not as it was.
    """
    _check(source)
    for line in (source / LIST).read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ", 1)
        content = (source / name).read_bytes() if (source / name).is_file() else b""
        if _digest(content) != digest:
            raise ValueError(
                f"{name} is not the file that {LIST} lists: run npm ci to have that one back, "
                "or python -m app list, if the package was upgraded"
            )
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)


def _check(source: Path) -> None:
    if not all((source / "node_modules" / package).is_dir() for package in USED):
        raise FileNotFoundError("the npm packages are missing: run npm ci, or make serve")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
