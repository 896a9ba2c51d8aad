"""Rows of the benchmark inside Pyodide: texts as JSON on standard input, rows on standard output.

What sacreBLEU and NLTK import and a score never uses cannot be had here; something empty takes its
place.
"""

import json
import sys
import warnings
from dataclasses import asdict, replace
from types import ModuleType
from unittest.mock import MagicMock

ABSENT = (
    "numpy",
    "regex",
    "lxml",
    "lxml.etree",
    "portalocker",
    "playwright",
    "playwright.sync_api",
)
UNREAD = ("nltk", "nltk.translate")
"""Packages whose own first lines import much more than the score."""


def main() -> None:
    """Measure, and print the rows."""
    warnings.simplefilter("ignore")
    sys.modules |= {name: MagicMock() for name in ABSENT}
    for name in UNREAD:
        sys.modules[name] = package = ModuleType(name)
        package.__path__ = [f"/packages/{name.replace('.', '/')}"]
    from tests.bench.bench import sentences, small_corpus

    texts = json.load(sys.stdin)
    rows = [row for part in (small_corpus, sentences) for row in part(texts)]
    print(json.dumps([asdict(replace(row, what=f"{row.what}, in Pyodide")) for row in rows]))


if __name__ == "__main__":
    main()
