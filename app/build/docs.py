"""The library's documentation: its guide and its docstrings on one page, which loads nothing.

pdoc makes the page in a separate process, because it inspects imported modules.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

PAGE: Final = "docs/index.html"
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
STYLE: Final = (
    "<style>.pdoc { --accent: #f8f8f8; --def: #006000; } main.pdoc a { text-decoration: underline; "
    "} .pdoc .attr { overflow: visible; overflow-wrap: anywhere; }</style>\n</head>"
)
"""Enough contrast in signatures, which wrap, and links that differ by more than their colour."""
HEAD: Final = "<head>"
ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = ROOT / "bleu" / "README.md"
"""The guide, by tasks; its part about the packages of the source is left out."""
END_OF_GUIDE: Final = "## Packages"
CHAPTERS: Final = (
    *("sentence_bleu", "corpus_bleu", "Score", "Settings", "Accumulator", "group_bleu"),
    *("derive", "Derivation", "derive_corpus", "Corpus", "explain"),
    *("compare", "ConventionComparison", "which", "WhichResult", "Candidate"),
    *("check_corpus", "diagnose", "Finding", "repair_corpus"),
    *("confidence_interval", "Interval", "paired_bootstrap", "approximate_randomization"),
    *("PairedTest", "human_agreement"),
    *("segment_statistics", "score_statistics", "Statistics"),
    *("load_tokenizer", "tokenizer", "Tokenizer"),
    *("exercises", "Exercise", "grade", "Grade", "one_like_this", "assess", "Assessment"),
)
"""Names in the order of the documentation; the other public names follow."""
RESULTS: Final = {
    "Assessment": "learn.assessment",
    "Candidate": "analysis.which",
    "ConventionComparison": "analysis.api",
    "Corpus": "corpus.corpus",
    "Exercise": "learn.exercise",
    "Grade": "learn.grading",
    "Interval": "corpus.significance",
    "PairedTest": "corpus.significance",
    "WhichResult": "analysis.which",
}
"""The modules of the classes that functions return, which have no public name of their own."""


def docs_page() -> str:
    """Return the HTML of the page: the guide, and every public name with its parameters.

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
    page = page.replace(HEAD, f"{HEAD}\n{policy}").replace("bleu.html", "index.html")
    page = page.replace("</head>", STYLE).replace("<pre>", '<pre tabindex="0">')
    return page.replace('<a class="headerlink"', '<a class="headerlink" aria-label="Link to this"')


def main() -> None:
    """Write pdoc's pages to the folder that the command line names."""
    from importlib import import_module

    import pdoc
    import pdoc.render

    import bleu

    for name, module in RESULTS.items():
        setattr(bleu, name, getattr(import_module(f"bleu.{module}"), name))
    for name in bleu.__all__:  # resolves the names that are imported lazily
        setattr(bleu, name, getattr(bleu, name))
    others = [name for name in bleu.__all__ if name not in CHAPTERS]
    bleu.__all__[:] = [*CHAPTERS, *others]
    guide, _, _ = GUIDE.read_text("utf-8").partition(END_OF_GUIDE)
    bleu.__doc__ = guide
    pdoc.render.configure(search=False, show_source=False, footer_text=f"bleu {bleu.__version__}")
    packages = ("core", "corpus", "analysis", "learn", "document", "explanation", "render", "cli")
    excluded = (f"!bleu.{name}" for name in (*packages, "notebook", "version", "__main__"))
    pdoc.pdoc("bleu", *excluded, output_directory=Path(sys.argv[1]))


if __name__ == "__main__":
    main()
