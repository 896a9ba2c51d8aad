"""Report in one line the programs and fonts that the tests can use and that are not installed."""

import shutil
from importlib.util import find_spec

from tests.engines.engines import ENGINES
from tests.support.fonts import FONTS, missing_fonts

LATEX = ("pdflatex", "lualatex", "tectonic")
LARGE_PACKAGES = {
    "torchmetrics": "the torchmetrics snippet",
    "apache_beam": "the sum in Beam",
    "marimo": "the notebook in marimo",
}
"""Packages that are too large for the requirements, and the tests that use them."""


def missing_tools() -> dict[str, list[str]]:
    """Return the tests that are skipped, each with the programs, fonts or packages it needs."""
    missing = {
        f"the tests in {engine.name}": [name for name, path in engine.parts.items() if path is None]
        for engine in ENGINES.values()
    }
    missing |= {f"the layout in {fonts} fonts": missing_fonts(fonts) for fonts in FONTS}
    missing["the compilation of LaTeX"] = [name for name in LATEX if not shutil.which(name)]
    missing |= {tests: [] if find_spec(name) else [name] for name, tests in LARGE_PACKAGES.items()}
    return {tests: names for tests, names in missing.items() if names}


def report(skipped: dict[str, list[str]]) -> str:
    """Return one line about missing programs, or "" if there are none.

    >>> report({"the tests in WebKit": ["WebKitWebDriver", "Xvfb"], "LaTeX files": ["tectonic"]})
    'Not installed, so skipped: WebKitWebDriver, Xvfb (the tests in WebKit); tectonic (LaTeX files)'
    """
    parts = [f"{', '.join(names)} ({tests})" for tests, names in skipped.items()]
    return f"Not installed, so skipped: {'; '.join(parts)}" if parts else ""


if __name__ == "__main__":
    print(report(missing_tools()) or "Everything that the tests can use is installed")
