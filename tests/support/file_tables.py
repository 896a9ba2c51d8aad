"""Write the tables of files in the READMEs: `python -m tests.support.file_tables`.

Each row is the first sentence of a file's docstring or head comment, so a table is never out of
date with its files.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = {"bleu/README.md": ["bleu"], "app/README.md": ["app", "static"]}
"""The READMEs, and the folders whose files each of them lists."""
BEGIN, END = "<!-- files: written by tests/support/file_tables.py -->", "<!-- end of files -->"
SUFFIXES = {".py", ".mjs", ".js", ".css"}


def summary(path: Path) -> str:
    """Return the first sentence of a file's docstring or head comment, without its full stop."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        text = ast.get_docstring(ast.parse(text)) or ""
    else:
        text = re.match(r"/\*(.*?)\*/|((?://[^\n]*\n)+)", text, re.DOTALL)[0]
        text = re.sub(r"^(/\*|//| \*)|\*/$", "", text, flags=re.MULTILINE)
    sentence = re.split(r"\.(?:\s|$)|\n\n", text.strip(), maxsplit=1)[0]
    return " ".join(sentence.split())


def tables(folders: list[str]) -> str:
    """Return a heading, the package's summary and a table of its files for each package."""
    parts = []
    for folder in folders:
        root = ROOT / folder
        listed = (path for path in root.rglob("*") if path.suffix in SUFFIXES)
        for package in sorted({path.parent for path in listed}):
            files = [path for path in sorted(package.iterdir()) if path.suffix in SUFFIXES]
            init = package / "__init__.py"
            rows = "\n".join(
                f"| `{path.relative_to(ROOT).as_posix()}` | {summary(path)} |"
                for path in files
                if path != init
            )
            head = f"### {package.relative_to(ROOT).as_posix()}\n"
            parts.append(head + (f"\n{summary(init)}.\n" if init.exists() else ""))
            parts.append(f"| file | what it is |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


def with_tables(name: str) -> str:
    """Return the text of a README with its tables up to date."""
    before, _, rest = (ROOT / name).read_text("utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n\n{tables(FOLDERS[name])}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    for name in FOLDERS:
        (ROOT / name).write_text(with_tables(name), "utf-8")
