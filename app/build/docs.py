"""The documentation of the library, made from its docstrings by pdoc: one page that loads nothing.

It runs in a process of its own, as pdoc looks at what is imported.
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
    """The page's HTML: every public name of `bleu`, with its parameters and its docstring.

    Raises RuntimeError with what pdoc said where it fails, or makes a page that is not as known.
    """
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "app.build.docs", folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"the documentation was not made:\n{done.stderr}")
        page = Path(folder, "bleu.html").read_text(encoding="utf-8")
    if page.count(HEAD) != 1 or "<script" in page:
        raise RuntimeError("the page that pdoc makes has another form")
    rule = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return page.replace(HEAD, f"{HEAD}\n{rule}").replace("bleu.html", "index.html")


def main() -> None:
    """Make pdoc's pages in the folder named."""
    import inspect

    import pdoc
    import pdoc.render

    import bleu

    for name in bleu.__all__:  # those too that are imported when they are first asked for
        setattr(bleu, name, getattr(bleu, name))
    # functions come first, then classes, then what is to choose from
    bleu.__all__.sort(
        key=lambda name: (not inspect.isfunction(getattr(bleu, name)), name.isupper())
    )
    pdoc.render.configure(search=False, show_source=False, footer_text=f"bleu {bleu.__version__}")
    hidden = ("core", "corpus", "analysis", "learn", "document", "explanation", "render", "cli")
    others = (f"!bleu.{room}" for room in (*hidden, "notebook", "version", "__main__"))
    pdoc.pdoc("bleu", *others, output_directory=Path(sys.argv[1]))


if __name__ == "__main__":
    main()
