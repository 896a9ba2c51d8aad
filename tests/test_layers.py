"""Who may import whom: the rooms and the one-way flow between them, kept true."""

import ast
import sys
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

import pytest

from app.build.stdlib import needs_browser

pytestmark = pytest.mark.host

ROOT = Path(__file__).parents[1]

MAY_IMPORT: dict[str, set[str]] = {
    # a room, and the rooms or single modules of others that it may import; below another is above
    "bleu.core": set(),
    "bleu.corpus": {"bleu.core"},
    "bleu.analysis": {"bleu.core"},
    "bleu.learn": {"bleu.core"},
    "bleu.document": {"bleu.core.numerics"},
    "bleu.explanation": {
        *("bleu.core", "bleu.corpus", "bleu.analysis", "bleu.learn", "bleu.document"),
    },
    "bleu.render": {"bleu.document", "bleu.core.numerics"},
    "bleu.cli": {
        *("bleu.core", "bleu.corpus", "bleu.analysis", "bleu.learn", "bleu.document"),
        *("bleu.explanation", "bleu.render", "bleu.version"),
    },
    "bleu.notebook": {
        *("bleu.core", "bleu.corpus", "bleu.analysis", "bleu.learn", "bleu.document"),
        *("bleu.explanation", "bleu.render"),
    },
    "app.state": {"bleu"},
    "app.components": {"bleu"},
    "app.browser": {"bleu", "app.state", "app.components"},
    "app.score": {"bleu", "app.state", "app.components"},
    "app.steps": {"bleu", "app.browser"},
    "app.tools": {"bleu", "app.state", "app.components", "app.browser"},
    "app.files": {"bleu", "app.state", "app.components", "app.browser"},
    "app.learn": {"bleu", "app.state", "app.components", "app.browser"},
    "app.build": {"app.components", "app.template", "bleu.version"},
}
ALSO = {
    # these render the numbers themselves, and no document
    "bleu.render.json": {"bleu.core.derivation", "bleu.core.ngrams", "bleu.core.settings"},
    "bleu.render.csv": {"bleu.core.derivation"},
    "app.build.docs": {"bleu"},  # whose documentation it is
    # to be cut: what several views use belongs in components, and main connects the controllers
    "app.files.controller": {"app.tools.which", "app.tools.which_controller"},
    "app.learn.controller": {"app.steps.presentation_controller"},
}
"""What single modules may import beside what their room may."""
ENTRIES = {
    *("bleu", "bleu.__main__", "bleu.version"),
    *("app", "app.__main__", "app.main", "app.template"),
}
"""What stands before the rooms, and opens them."""

BROWSER = {"js", "pyodide", "pyodide_js", "pyscript"}
FONT = {"brotli", "fontTools"}
TEXT = {"bleu.core.tokenizers", "bleu.core.segment"}
NUMBERS_ONLY = ("score", "smoothing", "statistics", "weights", "numerics", "brevity_penalty")
"""What of the core sees numbers and never a text."""

SOURCES = sorted([*(ROOT / "bleu").rglob("*.py"), *(ROOT / "app").rglob("*.py")])


def name_of(path):
    """The dotted name of a module's file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room_of(name):
    """The room that a module stands in, or the module itself where it is an entry."""
    return name if name in ENTRIES else ".".join(name.split(".")[:2])


def imported(source, package=""):
    """Every module that a source imports, also inside functions, with the names taken from it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: 1 - node.level or None]) if node.level else ""
            base = ".".join(part for part in (base, node.module) if part)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def imports_of(path):
    """What a file imports, as dotted names."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return list(imported(path.read_text("utf-8"), package))


def within(name, allowed):
    """Whether a name lies in one of these rooms or modules."""
    return any(name == one or name.startswith(f"{one}.") for one in allowed)


def prints(source):
    """The lines with a call of print()."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]


def test_the_checks_see_every_form_of_import():
    source = (
        "import os.path, js\nif js:\n    from bleu.core.score import smooth\nfrom bleu import x"
    )
    assert set(imported(source)) == {"os.path", "js", "bleu.core.score.smooth", "bleu.x"}
    assert list(imported("from . import a\nfrom ..b import c", "bleu.render")) == [
        "bleu.render.a",
        "bleu.b.c",
    ]
    assert within("bleu.core.score.smooth", {"bleu.core"})
    assert not within("bleu.corpus.report", {"bleu.core", "bleu.corpus.packing"})
    assert prints("print(1)\nx.print(2)") == [1]


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_file_stands_in_a_room(path):
    room = room_of(name_of(path))
    assert room in {*MAY_IMPORT, *ENTRIES}, f"{room} is no room: its rules belong in MAY_IMPORT"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_room_imports_what_it_may(path):
    name = name_of(path)
    room = room_of(name)
    if room in ENTRIES:
        return
    allowed = {room, *MAY_IMPORT[room], *ALSO.get(name, ())}
    for other in imports_of(path):
        if other.split(".")[0] in {"app", "bleu"}:
            assert within(other, allowed), f"{name} may not import {other}"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_controllers_import_the_browser_package(path):
    name = name_of(path)
    if not needs_browser(name):
        assert not [other for other in imports_of(path) if within(other, {"app.browser"})], name


def test_every_permission_is_used():
    used = defaultdict(set)
    for path in SOURCES:
        for key in (name_of(path), room_of(name_of(path))):
            used[key].update(imports_of(path))
    needless = [
        f"{one} may import {other}, and does not"
        for one, allowed in (MAY_IMPORT | ALSO).items()
        for other in allowed
        if not any(within(name, {other}) for name in used[one])
    ]
    assert not needless


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_the_standard_library_does_and_only_the_browser_s_room_knows_the_browser(path):
    name = name_of(path)
    known = {"app", "bleu", *sys.stdlib_module_names}
    if needs_browser(name):
        known |= BROWSER
    if name == "app.build.font":
        known |= FONT
    if name == "app.build.docs":
        known |= {"pdoc"}
    for other in imports_of(path):
        assert other.split(".")[0] in known, f"{name} imports {other}"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_the_command_lines_print(path):
    if room_of(name_of(path)) not in {"bleu.cli", "app.build", "app.__main__"}:
        assert not prints(path.read_text("utf-8")), f"{name_of(path)} prints"


@pytest.mark.parametrize("module", NUMBERS_ONLY)
def test_what_computes_sees_numbers_and_no_text(module):
    for other in imports_of(ROOT / "bleu" / "core" / f"{module}.py"):
        assert not within(other, TEXT), f"{module} imports {other}"


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_says_what_is_in_it(room):
    init = ROOT.joinpath(*room.split("."), "__init__.py")
    said = ast.get_docstring(ast.parse(init.read_text("utf-8")))
    assert said is not None
    assert "never" in said.lower(), f"{room} does not say what never comes in"


def test_neither_rooms_nor_the_modules_within_go_round_in_a_circle():
    names = {name_of(path) for path in SOURCES}
    edges: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        for other in imports_of(path):
            module = other if other in names else other.rpartition(".")[0]
            # a package's own __init__ may gather what its modules hold
            if module in names and not name_of(path).startswith(f"{module}."):
                edges[name_of(path)].add(module)
    done: set[str] = set()
    left = set(names)
    while left:
        free = {name for name in left if edges[name] - {name} <= done}
        assert free, f"these import each other in a circle: {', '.join(sorted(left))}"
        done |= free
        left -= free


def test_pytest_goes_into_every_folder_of_tests(pytestconfig):
    # by itself it passes over some, such as one called build, and says nothing of it
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {part for path in (ROOT / "tests").rglob("test_*.py") for part in path.parts}
    folders -= set(ROOT.parts)
    assert [name for name in folders if any(fnmatch(name, one) for one in passed_over)] == []
