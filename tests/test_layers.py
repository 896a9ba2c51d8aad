"""The packages and the one-way flow of imports between them."""

import ast
import sys
from collections import defaultdict
from fnmatch import fnmatch
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from app.build.stdlib import needs_browser

pytestmark = pytest.mark.host

ROOT = Path(__file__).parents[1]

MAY_IMPORT: dict[str, set[str]] = {
    # Maps a package to the packages and modules that it may import.
    "bleu.metric": set(),
    "bleu.core": {"bleu.metric"},
    "bleu.files": {"bleu.core"},
    "bleu.corpus": {"bleu.core", "bleu.metric"},
    "bleu.checkup": {"bleu.core", "bleu.files", "bleu.corpus"},
    "bleu.analysis": {"bleu.core", "bleu.files", "bleu.corpus", "bleu.checkup", "bleu.metric"},
    "bleu.learn": {"bleu.core", "bleu.analysis", "bleu.metric"},
    "bleu.document": {"bleu.metric.expressions"},
    "bleu.explanation": {
        *("bleu.core", "bleu.corpus", "bleu.checkup", "bleu.analysis", "bleu.learn"),
        *("bleu.document", "bleu.metric"),
    },
    "bleu.render": {"bleu.document", "bleu.metric.expressions", "bleu.metric.numerics"},
    "bleu.cli": {
        *("bleu.core", "bleu.files", "bleu.corpus", "bleu.checkup", "bleu.analysis"),
        *(
            "bleu.learn",
            "bleu.explanation",
            "bleu.render",
            "bleu.formats",
            "bleu.version",
            "bleu.metric",
        ),
    },
    "bleu.notebook": {
        *(
            "bleu.core",
            "bleu.corpus",
            "bleu.checkup",
            "bleu.analysis",
            "bleu.learn",
            "bleu.document",
        ),
        *("bleu.explanation", "bleu.render", "bleu.metric.expressions"),
    },
    "app.state": {"bleu"},
    "app.components": {"bleu", "app.state"},
    "app.browser": {"bleu", "app.state", "app.components"},
    "app.score": {"bleu", "app.state", "app.components", "app.browser"},
    "app.steps": {"bleu", "app.state", "app.browser"},
    "app.tools": {"bleu", "app.state", "app.components", "app.browser"},
    "app.files": {"bleu", "app.state", "app.components", "app.browser"},
    "app.learn": {"bleu", "app.state", "app.components", "app.browser"},
    "app.build": {"app.components", "app.template", "bleu.version"},
}
EXCEPTIONS = {
    # These render the numbers themselves, not a document.
    "bleu.render.json": {"bleu.core.api", "bleu.core.ngrams", "bleu.core.settings"},
    "bleu.render.csv": {"bleu.core.api"},
    "app.build.docs": {"bleu"},  # It documents the library.
}
"""What single modules may import in addition to what their package may."""
ENTRIES = {
    *("bleu", "bleu.__main__", "bleu.formats", "bleu.version"),
    *("app", "app.__main__", "app.link_controller", "app.main", "app.template"),
}
"""Modules outside the packages, which may import all of them."""

BROWSER = {"js", "pyodide", "pyodide_js", "pyscript"}
FONT = {"brotli", "fontTools"}
ENCODER = {"segno"}
TEXT = {"bleu.core.tokenizers", "bleu.core.segment"}
NUMBERS_ONLY = ("score", "statistics")
"""Modules of the core that see numbers and never a text."""

SOURCES = sorted([*(ROOT / "bleu").rglob("*.py"), *(ROOT / "app").rglob("*.py")])


def name_of(path):
    """Return the dotted name of a module, given its file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def package_of(name):
    """Return the package of a module, or the module itself if it is an entry."""
    return name if name in ENTRIES else ".".join(name.split(".")[:2])


@cache
def parsed(source):
    """Return the syntax tree of a source."""
    return ast.parse(source)


def imported(source, package=""):
    """Yield every name that a source imports, also inside functions, with its module."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: 1 - node.level or None]) if node.level else ""
            base = ".".join(part for part in (base, node.module) if part)
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def imports_of(path):
    """Return what a file imports, as dotted names."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return list(imported(path.read_text("utf-8"), package))


def is_within(name, allowed):
    """Return whether a name lies in one of these packages or modules."""
    return any(name == parent or name.startswith(f"{parent}.") for parent in allowed)


def print_lines(source):
    """Return the numbers of the lines that call print()."""
    return [
        node.lineno
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]


def test_helpers_see_every_form_of_import():
    source = (
        "import os.path, js\nif js:\n    from bleu.core.score import smooth\nfrom bleu import x"
    )
    assert set(imported(source)) == {"os.path", "js", "bleu.core.score.smooth", "bleu.x"}
    assert list(imported("from . import a\nfrom ..b import c", "bleu.render")) == [
        "bleu.render.a",
        "bleu.b.c",
    ]
    assert is_within("bleu.core.score.smooth", {"bleu.core"})
    assert not is_within("bleu.corpus.report", {"bleu.core", "bleu.corpus.corpus"})
    assert print_lines("print(1)\nx.print(2)") == [1]


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_module_belongs_to_a_package_with_rules(path):
    package = package_of(name_of(path))
    assert package in {*MAY_IMPORT, *ENTRIES}, f"{package} has no rules; add it to MAY_IMPORT"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_module_imports_only_what_its_package_may(path):
    name = name_of(path)
    package = package_of(name)
    if package in ENTRIES:
        return
    allowed = {package, *MAY_IMPORT[package], *EXCEPTIONS.get(name, ())}
    for target in imports_of(path):
        if target.split(".")[0] in {"app", "bleu"}:
            assert is_within(target, allowed), f"{name} may not import {target}"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_controllers_import_the_browser_package(path):
    name = name_of(path)
    if not needs_browser(name):
        assert not [target for target in imports_of(path) if is_within(target, {"app.browser"})]


def drawn_rows():
    """Return the row of each package in the drawing of CONTRIBUTING.md, counted from the top."""
    drawing = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Packages")[1].split("```")[1]
    rows, top = {}, ""
    for number, line in enumerate(drawing.splitlines()):
        if not line.startswith(" "):
            top = line.partition("/")[0]
        names = [f"{top}.{word.removesuffix('.py')}" for word in line.split()]
        drawn = takewhile({*MAY_IMPORT, *ENTRIES}.__contains__, names)
        rows |= dict.fromkeys(drawn, number)
    return rows


def test_drawing_has_each_package_above_those_that_it_imports():
    rows = drawn_rows()
    assert {*MAY_IMPORT} - {*rows} == {"app.build"}  # It stands beside the others.
    for path in SOURCES:
        name = package_of(name_of(path))
        for target in imports_of(path):
            [*_, package] = ["", *(package for package in rows if is_within(target, {package}))]
            if name in rows and package and package != name:
                assert rows[name] < rows[package], f"{name} imports {package}, which is not below"


def test_every_permission_is_used():
    used = defaultdict(set)
    for path in SOURCES:
        for key in (name_of(path), package_of(name_of(path))):
            used[key].update(imports_of(path))
    unused = [
        f"{name} may import {target}, and does not"
        for name, allowed in (MAY_IMPORT | EXCEPTIONS).items()
        for target in allowed
        if not any(is_within(used_name, {target}) for used_name in used[name])
    ]
    assert not unused


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_browser_modules_import_more_than_the_standard_library(path):
    name = name_of(path)
    allowed = {"app", "bleu", *sys.stdlib_module_names}
    if needs_browser(name):
        allowed |= BROWSER
    if name == "app.build.font":
        allowed |= FONT
    if name == "app.score.qr_code":
        allowed |= ENCODER
    if name == "app.build.docs":
        allowed |= {"pdoc"}
    for target in imports_of(path):
        assert target.split(".")[0] in allowed, f"{name} imports {target}"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_command_lines_print(path):
    if package_of(name_of(path)) not in {"bleu.cli", "app.build", "app.__main__"}:
        assert not print_lines(path.read_text("utf-8")), f"{name_of(path)} prints"


@pytest.mark.parametrize("module", NUMBERS_ONLY)
def test_numeric_modules_see_no_text(module):
    for target in imports_of(ROOT / "bleu" / "core" / f"{module}.py"):
        assert not is_within(target, TEXT), f"{module} imports {target}"


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_package_docstring_says_what_it_never_holds_or_imports(package):
    [path] = [path for path in SOURCES if name_of(path) == package]
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert docstring is not None
    assert "never" in docstring.lower(), f"{package} does not say what it never holds or imports"


def test_modules_do_not_import_each_other_in_a_cycle():
    names = {name_of(path) for path in SOURCES}
    edges: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        for target in imports_of(path):
            module = target if target in names else target.rpartition(".")[0]
            # A package's __init__ may gather the names of its modules.
            if module in names and not name_of(path).startswith(f"{module}."):
                edges[name_of(path)].add(module)
    done: set[str] = set()
    remaining = set(names)
    while remaining:
        free = {name for name in remaining if edges[name] - {name} <= done}
        assert free, f"these import each other in a cycle: {', '.join(sorted(remaining))}"
        done |= free
        remaining -= free


def test_pytest_collects_every_folder_of_tests(pytestconfig):
    # By default pytest skips some folders, such as one called build, without a message.
    skipped_patterns = pytestconfig.getini("norecursedirs")
    folders = {part for path in (ROOT / "tests").rglob("test_*.py") for part in path.parts}
    folders -= set(ROOT.parts)
    assert not [
        name for name in folders if any(fnmatch(name, pattern) for pattern in skipped_patterns)
    ]
