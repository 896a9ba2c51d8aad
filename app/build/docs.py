"""The library's documentation: one page made from its docstrings by pdoc, which loads nothing.

pdoc runs in a separate process, because it inspects imported modules.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

PAGE: Final = "docs/index.html"
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
HEAD: Final = "<head>"
ROOT: Final = Path(__file__).parents[2]


def docs_page() -> str:
    """Return the HTML of the page: every public name of `bleu`, with parameters and docstring.

    Raises RuntimeError if pdoc fails, or if its page has a script or no single `<head>`.
    """
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "app.build.docs", folder]
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if process.returncode:
            raise RuntimeError(f"pdoc failed:\n{process.stderr}")
        page = Path(folder, "bleu.html").read_text(encoding="utf-8")
    if page.count(HEAD) != 1 or "<script" in page:
        raise RuntimeError(
            f"pdoc's page has a script, or no single {HEAD}; adapt app/build/docs.py"
        )
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return page.replace(HEAD, f"{HEAD}\n{policy}").replace("bleu.html", "index.html")


def main() -> None:
    """Write pdoc's pages to the folder that the command line names."""
    import inspect

    import pdoc
    import pdoc.render

    import bleu

    for name in bleu.__all__:  # resolves the names that are imported lazily
        setattr(bleu, name, getattr(bleu, name))
    # functions first, then classes, then constants
    bleu.__all__.sort(
        key=lambda name: (not inspect.isfunction(getattr(bleu, name)), name.isupper())
    )
    pdoc.render.configure(search=False, show_source=False, footer_text=f"bleu {bleu.__version__}")
    packages = ("core", "corpus", "analysis", "learn", "document", "explanation", "render", "cli")
    excluded = (f"!bleu.{name}" for name in (*packages, "notebook", "version", "__main__"))
    pdoc.pdoc("bleu", *excluded, output_directory=Path(sys.argv[1]))


if __name__ == "__main__":
    main()
