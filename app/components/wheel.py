"""The library as a wheel, which the build puts beside the page, for pip."""

from typing import Final
from urllib.parse import urljoin

from bleu.version import __version__

WHEEL: Final = f"bleu_calculator-{__version__}-py3-none-any.whl"


def wheel_source(address: str) -> str:
    """What pip installs the library from, for a page at `address`.

    That is the wheel beside a page that is served, and a folder with a copy of the project, as a
    dot, where the page is a file.

    >>> wheel_source("https://example.org/bleu/#hyp=a").startswith("https://example.org/bleu/bleu_")
    True
    >>> wheel_source("file:///home/page.html")
    '.'
    """
    return urljoin(address, WHEEL) if address.startswith(("https:", "http:")) else "."
