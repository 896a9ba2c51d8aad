"""Says in one line which programs the tests can use are not here, and what is skipped for it."""

import shutil
from importlib.util import find_spec

from tests.engines.engines import ENGINES

LATEX = ("pdflatex", "lualatex", "tectonic")


def missing() -> dict[str, list[str]]:
    """What is skipped, each with the programs or packages that it lacks."""
    lacking = {
        f"the tests in {engine.name}": [name for name, at in engine.parts.items() if at is None]
        for engine in ENGINES.values()
    }
    lacking["LaTeX compiled by them"] = [name for name in LATEX if not shutil.which(name)]
    lacking["the snippet for it run"] = [] if find_spec("torchmetrics") else ["torchmetrics"]
    return {what: names for what, names in lacking.items() if names}


def line(skipped: dict[str, list[str]]) -> str:
    """What is not here, on one line; empty where all is.

    >>> line({"the tests in WebKit": ["WebKitWebDriver", "Xvfb"], "LaTeX compiled": ["tectonic"]})
    'Not here, so skipped: WebKitWebDriver, Xvfb (the tests in WebKit); tectonic (LaTeX compiled)'
    """
    parts = [f"{', '.join(names)} ({what})" for what, names in skipped.items()]
    return f"Not here, so skipped: {'; '.join(parts)}" if parts else ""


if __name__ == "__main__":
    print(line(missing()) or "All that the tests can use is here")
