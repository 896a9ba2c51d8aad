"""The library's wheel, which the build puts beside the page for pip."""

from typing import Final
from urllib.parse import urljoin

from bleu.version import __version__

WHEEL: Final = f"bleu_calculator-{__version__}-py3-none-any.whl"


def wheel_source(address: str) -> str:
    """Return the source from which pip installs the library, given the page's address.

    A served page has the wheel beside it. For a page opened as a file, the source is ".", a local
    copy of the project.

    >>> wheel_source("https://example.org/bleu/#hyp=a").startswith("https://example.org/bleu/bleu_")
    True
    >>> wheel_source("file:///home/page.html")
    '.'
    """
    return urljoin(address, WHEEL) if address.startswith(("https:", "http:")) else "."
