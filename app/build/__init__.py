"""The build: makes the folder that is served, from the npm packages and the sources.

It runs on the host and is never shipped. README.md explains what it does to Pyodide, and why.
"""

from dataclasses import dataclass


class UnrecognisedError(ValueError):
    """A Pyodide or PyScript that is not as expected, as after an upgrade; nothing is built."""


@dataclass(frozen=True, slots=True)
class ThirdPartyPackage:
    """Third-party software in the build: its name, version, license, and license text.

    `content` is the font as WOFF2, and empty for the packages whose files are copied.
    """

    name: str
    version: str
    license: str
    text: str
    content: bytes = b""
