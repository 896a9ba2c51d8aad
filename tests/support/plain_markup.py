"""Texts and markup without the marks for translators and for the direction of names."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

E = TypeVar("E", bound=Exception)


def plain(text: str) -> str:
    """Return text or HTML without isolates, `<bdi>` and `translate` attributes."""
    return re.sub(r'</?bdi\b[^>]*>| translate="\w+"|[\u2068\u2069]', "", text)


@contextmanager
def raises_plain(error_type: type[E], match: str) -> Iterator[pytest.ExceptionInfo[E]]:
    """Expect an error whose plain message matches a pattern."""
    with pytest.raises(error_type) as raised:
        yield raised
    assert re.search(match, plain(str(raised.value)))
