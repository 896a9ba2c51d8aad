"""The library's documentation: its guide and docstrings on one page, and pages on tasks.

The pages load nothing. pdoc makes them in a separate process, because it inspects imported modules.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

FOLDER: Final = "docs"
TEACHING: Final = "teaching.html"
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
STYLE: Final = (
    "<style>.pdoc { --accent: #f8f8f8; --def: #006000; } main.pdoc a { text-decoration: underline; "
    "} .pdoc .attr { overflow: visible; overflow-wrap: anywhere; }</style>\n</head>"
)
"""Raises the contrast of signatures, lets them wrap, and underlines links."""
DECORATOR: Final = re.compile(r'<div class="decorator decorator-(?!classmethod).*?</div>\s*')
"""Matches a decorator in pdoc's page; only classmethod matters to users, and stays."""
HEAD: Final = "<head>"
ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = ROOT / "bleu" / "README.md"
"""The guide, ordered by tasks; its part about the packages of the source is left out."""
TASKS: Final = (
    "score-files",
    "from-other-libraries",
    "notebook",
    "training-loop",
    "spark",
    "embed",
)
"""The pages on tasks in the folder `app/docs`, the most common first."""
GUIDES: Final = {
    TEACHING: ROOT / "app" / "learn" / "TEACHING.md",
    **{f"{name}.html": ROOT / "app" / "docs" / f"{name}.md" for name in TASKS},
}
"""The Markdown of the other pages; the page for teachers gets a table of mistakes."""
GUIDE_STYLE: Final = (
    "h2 { font-size: 1.2rem; } table { margin-block: 1rem; } th, td { text-align: start; } "
    "pre, pre code { font-family: monospace; white-space: pre-wrap; } "
    "pre { padding: .5rem 1rem; border-inline-start: 3px solid #8886; }"
)
EXAMPLE_HYPOTHESES: Final = ("the dog barks at the the the cat", "The cat sat on mat, it")
EXAMPLE_REFERENCES: Final = (
    ("the dog barks at the old cat outside", "a dog barks at a cat on the"),
    ("the cat sat on the mat. it", "the cat sat on a mat, it is all"),
)
"""Two segments for which most misconceptions give another score than the right one."""
END_OF_GUIDE: Final = "## Packages"
DOCUMENTED_FIRST: Final = (
    *("sentence_bleu", "corpus_bleu", "Score", "Settings", "Accumulator"),
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
RESULT_CLASSES: Final = {
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
"""The classes that public functions return but `bleu` does not export, with their modules."""


def docs_pages() -> dict[str, str]:
    """Return the HTML of the pages by file name: index.html, and those of `GUIDES`.

    index.html has the guide of the library, and every public name with its parameters.

    Raises RuntimeError if pdoc fails, or if a page has a script or no single `<head>`.
    """
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "app.build.docs", folder]
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if process.returncode:
            raise RuntimeError(f"pdoc failed:\n{process.stderr}")
        page = Path(folder, "bleu.html").read_text(encoding="utf-8")
    page = page.replace("bleu.html", "index.html").replace("</head>", STYLE)
    page = DECORATOR.sub("", page)
    page = page.replace('<a class="headerlink"', '<a class="headerlink" aria-label="Link to this"')
    pages = {"index.html": page, **{name: _guide_page(name) for name in GUIDES}}
    return {name: seal(markup) for name, markup in pages.items()}


def seal(page: str) -> str:
    """Return a page that may load nothing, and whose code can be scrolled by keyboard."""
    if page.count(HEAD) != 1 or "<script" in page:
        raise RuntimeError(
            f"pdoc's page has a script, or no single {HEAD}; adapt app/build/docs.py"
        )
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return page.replace(HEAD, f"{HEAD}\n{policy}").replace("<pre>", '<pre tabindex="0">')


def mistakes_table() -> str:
    """Return a Markdown table of misconceptions, each with the BLEU it gives for two segments."""
    from bleu.learn.hand_calculation import HandCalculation, Task
    from bleu.learn.misconceptions import MISCONCEPTIONS

    task = Task(EXAMPLE_HYPOTHESES, EXAMPLE_REFERENCES)
    right = HandCalculation(task)["bleu"]
    hypotheses = "” and “".join(task.hypotheses)
    references = " and ".join(
        " / ".join(f"“{text}”" for text in texts) for texts in task.references
    )
    lines = [
        f"The candidates “{hypotheses}”, with the references {references}, score BLEU-2 = "
        f"**{float(right):.4f}** together. Each mistake below gives another number; "
        "other mistakes do not show in these texts.",
        "",
        "| BLEU-2 | mistake |",
        "|--:|---|",
    ]
    listed = {f"{float(right):.4f}"}
    for misconception in MISCONCEPTIONS.values():
        number = f"{float(HandCalculation(task, misconception.change)['bleu']):.4f}"
        if number not in listed:
            listed.add(number)
            lines.append(f"| {number} | {misconception.third_person_sentence} |")
    return "\n".join(lines)


def main() -> None:
    """Write pdoc's page to the folder that the command line names."""
    from importlib import import_module

    import pdoc
    import pdoc.render

    import bleu

    for name, module in RESULT_CLASSES.items():
        setattr(bleu, name, getattr(import_module(f"bleu.{module}"), name))
    for name in bleu.__all__:  # resolves the names that are imported lazily
        setattr(bleu, name, getattr(bleu, name))
    others = [name for name in bleu.__all__ if name not in DOCUMENTED_FIRST]
    bleu.__all__[:] = [*DOCUMENTED_FIRST, *others]
    guide, _, _ = GUIDE.read_text("utf-8").partition(END_OF_GUIDE)
    tasks = ", ".join(f"[{_title(f'{name}.html')}]({name}.html)" for name in TASKS)
    bleu.__doc__ = guide.replace("\n## ", f"\nTasks: {tasks}.\n\n## ", 1)
    pdoc.render.configure(search=False, show_source=False, footer_text=f"bleu {bleu.__version__}")
    packages = ("core", "corpus", "analysis", "learn", "document", "explanation", "render", "cli")
    excluded = (f"!bleu.{name}" for name in (*packages, "notebook", "version", "__main__"))
    pdoc.pdoc("bleu", *excluded, output_directory=Path(sys.argv[1]))


def _title(name: str) -> str:
    return GUIDES[name].read_text("utf-8").partition("\n")[0].removeprefix("# ")


def _guide_page(name: str) -> str:
    from pdoc.render_helpers import to_html

    guide = GUIDES[name].read_text("utf-8")
    guide += f"\n{mistakes_table()}" if name == TEACHING else "\n[The library](index.html)"
    body = to_html(guide).replace("<table>", '<div class="table"><table>')
    body = body.replace("</table>", "</table></div>")
    return plain_page(_title(name), body)


def plain_page(title: str, body: str, head: str = "") -> str:
    """Return a page of running text; `head` is what its head has besides title and style."""
    from bleu.render.html_page import CONTENT_STYLE, PAGE_STYLE

    return (
        f'<!doctype html>\n<html lang="en">\n{HEAD}\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n{head}"
        f"<style>{PAGE_STYLE}{CONTENT_STYLE}{GUIDE_STYLE}</style>\n"
        f"</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


if __name__ == "__main__":
    main()
