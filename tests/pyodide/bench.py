"""The benchmark inside Pyodide: reads texts as JSON from stdin and prints rows as JSON.

Packages that sacreBLEU and NLTK import but do not use for a score are replaced by mocks.
"""

import json
import sys
import warnings
from dataclasses import asdict, replace
from types import ModuleType
from unittest.mock import MagicMock

MOCKED = (
    "numpy",
    "regex",
    "lxml",
    "lxml.etree",
    "portalocker",
    "playwright",
    "playwright.sync_api",
)
EMPTY_PACKAGES = ("nltk", "nltk.translate")
"""Packages whose __init__ is skipped, because it imports much more than the score needs."""


def main() -> None:
    """Run the benchmarks and print the rows."""
    warnings.simplefilter("ignore")
    sys.modules |= {name: MagicMock() for name in MOCKED}
    for name in EMPTY_PACKAGES:
        sys.modules[name] = package = ModuleType(name)
        package.__path__ = [f"/packages/{name.replace('.', '/')}"]
    from tests.bench.bench import sentence_rows, small_corpus_rows

    texts = json.load(sys.stdin)
    rows = [*small_corpus_rows(texts), *sentence_rows(texts)]
    print(json.dumps([asdict(replace(row, task=f"{row.task}, in Pyodide")) for row in rows]))


if __name__ == "__main__":
    main()
