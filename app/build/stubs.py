"""Stubs: what stands in the build for modules that do what nothing here does.

No page opens sockets or runs programs, none is given packages, and this one reads neither addresses
of the internet nor HTML's names of characters. asyncio, Pyodide, urllib and html import what can,
and with it a tenth of the standard library.
"""

import zlib
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from app.build.unrecognised import UnrecognisedError

_NOTHING: Final = "__all__ = ()\n"

_POLICY: Final = """\
from asyncio.events import _BaseDefaultEventLoopPolicy as _DefaultEventLoopPolicy

__all__ = ()
"""
"""The base of Pyodide's own, which makes loops that the page turns."""

_DEFAULTS: Final = "{} = None\n"
"""What methods of asyncio have as defaults, which every loop must have of its own."""

_PACKAGES: Final = """\
import sys

# No snapshot is taken of a memory unless this is the first that Python takes from the page.
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
"""What Pyodide asks of it at its start."""

_ADDRESSES: Final = """\
def ip_address(address):
    raise ValueError(f"{address!r} is an address of the internet, which nothing here reads")
"""
"""What urllib asks of a host in brackets."""

STUBS: Final = {
    "asyncio/base_events.py": _NOTHING,
    "asyncio/streams.py": _NOTHING,
    "asyncio/subprocess.py": _NOTHING,
    "asyncio/unix_events.py": _POLICY,
    "html/entities.py": "html5 = {}\n",
    "ipaddress.py": _ADDRESSES,
    "pyodide/_package_loader.py": _PACKAGES,
    "socket.py": _DEFAULTS.format("AF_UNSPEC = AI_PASSIVE"),
    "subprocess.py": _DEFAULTS.format("PIPE"),
}
"""The text of each of these modules, by its place in the standard library."""


def with_stubs(stock: Path, target: Path) -> None:
    """Write a standard library in which the stubs stand for its own modules.

    Raises UnrecognisedError where it has no such module, whose name may have changed, and
    ValueError where the file is damaged.
    """
    try:
        with ZipFile(stock) as before, ZipFile(target, "w") as after:
            missing = STUBS.keys() - set(before.namelist())
            if missing:
                raise UnrecognisedError(
                    f"{stock.name} has no {', '.join(sorted(missing))} to stand for"
                )
            for name in before.namelist():
                after.writestr(name, STUBS.get(name) or before.read(name))
    except (BadZipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{stock.name} is damaged: {error}") from None
