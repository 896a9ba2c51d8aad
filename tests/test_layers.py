"""Who may import whom: the one-way flow of the library and of the page, kept true."""

import ast
import sys
from pathlib import Path

import pytest

from app.trim import HOST_ONLY, NEEDS_THE_PAGE

pytestmark = pytest.mark.host

ROOT = Path(__file__).parents[1]
ANY = {"*"}
"""The whole of bleu."""

COUNTING = {
    "brevity",
    "clipping",
    "conventions",
    "ngrams",
    "score",
    "segment",
    "settings",
    "smoothing",
    "statistics",
    "tokenizers",
    "weights",
}

MAY_IMPORT: dict[str, set[str]] = {
    # module of bleu: the modules of bleu that it may import; beside these, FOUNDATION and the
    # standard library
    "record": set(),
    "version": set(),
    "numerics": set(),
    "tokenizers": set(),
    "brevity": set(),
    "statistics": {"brevity"},
    "weights": set(),
    "smoothing": {"statistics"},
    "settings": {"brevity", "numerics", "smoothing", "tokenizers", "weights"},
    "lanes": set(),
    "clipping": {"lanes", "tokenizers"},
    "ngrams": {"clipping", "tokenizers"},
    "conventions": {"numerics", "settings"},
    "score": {"brevity", "numerics", "settings", "smoothing", "statistics", "weights"},
    "segment": {"brevity", "clipping", "ngrams", "settings", "statistics", "tokenizers"},
    "derivation": {
        "conventions",
        "ngrams",
        "score",
        "segment",
        "settings",
        "statistics",
        "tokenizers",
    },
    "scoring": {"conventions", "score", "segment", "statistics", "tokenizers"},
    "draws": {"lanes"},
    "packing": {"brevity", "statistics"},
    "resampling": {"draws", "packing", "score", "settings", "statistics"},
    "significance": {"resampling", "settings"},
    "corpus": {"score", "settings", "statistics"},
    "report": {"score", "significance"},
    "lines": set(),
    "options": {"brevity", "conventions", "settings", "smoothing", "tokenizers"},
    "maths": {"numerics"},
    "document": {"maths"},
    "explain": {
        "comparison",
        "corpus",
        "derivation",
        "document",
        "maths",
        "report",
        "whatif",
    }
    | COUNTING,  # never render
    "render": {"derivation", "document", "maths", "ngrams", "numerics"},
    "comparison": COUNTING | {"conventions", "derivation"},
    "diagnosis": COUNTING | {"derivation"},
    "whatif": COUNTING,
    "snippets": COUNTING | {"comparison", "numerics", "conventions", "derivation"},
    "examples": {"derivation", "score", "scoring", "settings"},
    "__init__": ANY,
    "corpus_options": {"lines", "options", "significance"},
    "corpus_command": ANY,
    "__main__": ANY,
}
"""A package (explain, render) has one entry for all its modules, which may import each other."""

FOUNDATION = {"record"}
"""What any module may stand on."""

BROWSER = {"js", "pyodide", "pyodide_js", "pyscript"}
IMPORTS_THE_BROWSER = {f"app/{n}.py" for n in ("main", "corpus_page", "jobs", "pointing", "stage")}
PRINTS = {"bleu/__main__.py", "bleu/corpus_command.py"}

LIBRARY = sorted((ROOT / "bleu").rglob("*.py"))
PAGE = sorted((ROOT / "app").rglob("*.py"))


def name_of(path):
    """The path of a file as the tables write it."""
    return path.relative_to(ROOT).as_posix()


def room_of(path):
    """The entry of MAY_IMPORT for a file of bleu: its module, or the package it lies in."""
    return path.relative_to(ROOT / "bleu").with_suffix("").parts[0]


def imported(source, package=""):
    """Every module that a source imports, also inside functions, by its full dotted name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: 1 - node.level or None]) if node.level else ""
            base = ".".join(part for part in (base, node.module) if part)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def imports_of(path):
    """The imports of a file, as a list of dotted names."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return [name.split(".") for name in imported(path.read_text("utf-8"), package)]


def room_imported(parts):
    """The entry of MAY_IMPORT that an import of bleu means; a name of bleu itself is __init__."""
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else "__init__"


def prints(source):
    """The lines with a call of print()."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]


def test_the_checks_see_every_form_of_import():
    source = "import os.path, js\nif js:\n    from bleu.score import smooth\nfrom bleu import maths"
    assert set(imported(source)) == {"os.path", "js", "bleu.score.smooth", "bleu.maths"}
    assert list(imported("from . import a\nfrom ..b import c", "bleu.render")) == [
        "bleu.render.a",
        "bleu.b.c",
    ]
    assert room_imported(["bleu", "maths"]) == "maths"
    assert room_imported(["bleu", "sentence_bleu"]) == "__init__"
    assert prints("print(1)\nx.print(2)") == [1]


def test_there_is_a_library_to_check():
    assert {"__init__", "score", "derivation"} <= {room_of(path) for path in LIBRARY}


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_every_module_of_the_library_is_in_the_table(path):
    assert room_of(path) in MAY_IMPORT, (
        f"{name_of(path)} is new: add {room_of(path)!r} to MAY_IMPORT in {name_of(Path(__file__))} "
        "with what it may import"
    )


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_imports_of_the_library_follow_the_table(path):
    room = room_of(path)
    allowed = MAY_IMPORT.get(room, set()) | FOUNDATION | {room}
    for parts in imports_of(path):
        if parts[0] == "bleu" and not allowed >= ANY:
            assert room_imported(parts) in allowed, f"{room} may not import {'.'.join(parts)}"


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_the_library_imports_itself_and_the_standard_library_only(path):
    for parts in imports_of(path):
        known = parts[0] == "bleu" or parts[0] in sys.stdlib_module_names
        assert known, f"{name_of(path)} imports {'.'.join(parts)}"


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_the_library_does_not_print(path):
    if name_of(path) not in PRINTS:
        assert not prints(path.read_text("utf-8")), f"{name_of(path)} prints"


@pytest.mark.parametrize("path", PAGE, ids=name_of)
def test_the_adapter_alone_knows_the_browser(path):
    if name_of(path) not in IMPORTS_THE_BROWSER:
        for parts in imports_of(path):
            assert parts[0] not in BROWSER, f"{name_of(path)} imports {'.'.join(parts)}"


def closure(names):
    """The modules of the page and the library that some import, with all that those import."""
    found: set[str] = set()
    left = list(names)
    while left:
        parts = left.pop().split(".")
        path = ROOT.joinpath(*parts)
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        name = ".".join(parts)
        if len(parts) > 1:
            left.append(".".join(parts[:-1]))
        if file.is_file() and name not in found and parts[0] in {"app", "bleu"}:
            found.add(name)
            left += [".".join(one) for one in imports_of(file)]
    return found


def test_what_is_shipped_is_what_the_page_imports():
    files = [name_of(path).removesuffix(".py").replace("/", ".") for path in (*LIBRARY, *PAGE)]
    shipped = {name.removesuffix(".__init__") for name in files} - set(HOST_ONLY)
    assert shipped == closure(["app.main"])
    with_page = {name.removesuffix(".py").replace("/", ".") for name in IMPORTS_THE_BROWSER}
    assert with_page == set(NEEDS_THE_PAGE)


def test_the_table_has_no_circle():
    done: set[str] = set()
    rest = {room: names for room, names in MAY_IMPORT.items() if names != ANY}
    while rest:
        free = {room for room, names in rest.items() if names <= done}
        assert free, f"these import each other in a circle: {', '.join(sorted(rest))}"
        done |= free
        rest = {room: names for room, names in rest.items() if room not in free}
