"""A replacement for Pyodide's package loader, which imports zipfile and tempfile at every start.

The page loads no packages.
"""

import zlib
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from app.build import UnrecognisedError

MODULE: Final = "pyodide/_package_loader.py"

REPLACEMENT: Final = """\
import sys

# Pyodide takes a snapshot only if this is the first object that Python gets from JavaScript.
from pyodide_js import loadedPackages


class Folder:
    def __init__(self, path):
        self.path = path

    def __str__(self):
        return self.path


SITE_PACKAGES = Folder("/lib/python{}.{}/site-packages".format(*sys.version_info))
DSO_DIR = Folder("/usr/lib")


def init_loaded_packages():
    pass
"""
"""The names that Pyodide uses while it starts."""


def replace_package_loader(stock: Path, target: Path) -> None:
    """Copy a zipped standard library, with `REPLACEMENT` as its package loader.

    Raises UnrecognisedError if the library has no package loader, and ValueError if the zip is
    damaged.
    """
    try:
        with ZipFile(stock) as source, ZipFile(target, "w") as copy:
            names = source.namelist()
            if MODULE not in names:
                raise UnrecognisedError(f"{stock.name} has no {MODULE} to replace")
            for name in names:
                copy.writestr(name, REPLACEMENT if name == MODULE else source.read(name))
    except (BadZipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{stock.name} is damaged: {error}; run npm ci") from None
