"""What is chosen from a menu, as HTML."""

from collections.abc import Mapping
from html import escape


def options(labels: Mapping[str, str], chosen: str) -> str:
    """The options of a select.

    >>> options({"a": "A"}, "a")
    '<option value="a" selected>A</option>'
    """
    return "".join(
        f'<option value="{escape(name)}"{" selected" if name == chosen else ""}>{escape(label)}'
        "</option>"
        for name, label in labels.items()
    )
