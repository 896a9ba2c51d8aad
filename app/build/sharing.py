"""What the page says of itself to sites that show a preview of a link to it, and to its readers."""

import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Final
from urllib.parse import urljoin, urlsplit

PICTURE: Final = "static/pictures/page.png"
"""The picture of a preview, which a build contains only if it knows its own address."""


def preview_tags(page: str, site_url: str) -> str:
    """Return the tags of a link preview: title, description, address and picture.

    `page` is the HTML that has the title and the description; without an address, return "".

    >>> head = '<title>BLEU</title><meta name="description" content="Steps">'
    >>> print(preview_tags(head, "https://example.org/bleu"))
    <link rel="canonical" href="https://example.org/bleu/">
    <meta property="og:type" content="website">
    <meta property="og:url" content="https://example.org/bleu/">
    <meta property="og:title" content="BLEU">
    <meta property="og:description" content="Steps">
    <meta property="og:image" content="https://example.org/bleu/static/pictures/page.png">
    <meta name="twitter:card" content="summary_large_image">
    """
    if not site_url:
        return ""
    address = f"{site_url.rstrip('/')}/"
    patterns = {
        "title": "<title>(.*?)</title>",
        "description": 'name="description" content="(.*?)"',
    }
    texts = {name: re.findall(pattern, page)[0] for name, pattern in patterns.items()}
    properties = {
        "type": "website",
        "url": address,
        **{name: unescape(text) for name, text in texts.items()},
        "image": urljoin(address, PICTURE),
    }
    return "\n".join(
        [
            f'<link rel="canonical" href="{escape(address)}">',
            *(
                f'<meta property="og:{name}" content="{escape(value)}">'
                for name, value in properties.items()
            ),
            '<meta name="twitter:card" content="summary_large_image">',
        ]
    )


def source_link(source_url: str) -> str:
    """Return a link to the source code of the page, or "" without its address.

    >>> source_link("https://example.org/code")
    ' · <a href="https://example.org/code" rel="noreferrer">Source code</a>'
    """
    if not source_url:
        return ""
    return f' · <a href="{escape(source_url)}" rel="noreferrer">Source code</a>'


def address_from(environment: Mapping[str, str], name: str) -> str:
    """Return the address in a variable of the environment, or "" if it is unset.

    Raises ValueError if it is no address of the web.

    >>> address_from({"SITE_URL": "example.org"}, "SITE_URL")
    Traceback (most recent call last):
        ...
    ValueError: SITE_URL is 'example.org'; give an address that begins with https:// or http://
    """
    address = environment.get(name, "").strip()
    if address and not (
        urlsplit(address).scheme in {"http", "https"} and urlsplit(address).hostname
    ):
        raise ValueError(
            f"{name} is {address[:100]!r}; give an address that begins with https:// or http://"
        )
    return address
