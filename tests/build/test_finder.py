"""The importer from memory: modules, packages, failing modules and unknown names."""

import importlib
import inspect
import sys
import traceback
from marshal import dumps

import pytest

from app.build.finder import MemoryFinder

pytestmark = pytest.mark.host

SHOWN = """\
value = 7
location = __file__, __package__

def double(n):
    return 2 * n
"""
SOURCES = {
    "shelf": (True, "from shelf.inner import deep\nlocation = __file__, __path__, __package__"),
    "shelf.inner": (True, "def shown_elsewhere(): ..."),
    "shelf.inner.deep": (False, SHOWN),
    "shelf.broken": (False, "\n1 / 0"),
}


@pytest.fixture(autouse=True)
def finder(monkeypatch):
    """A finder of the package `shelf`, installed for one test."""
    modules = {
        name: (is_package, dumps(compile(source, f"{name}.py", "exec")))
        for name, (is_package, source) in SOURCES.items()
    }
    finder = MemoryFinder(modules, "/zip", {"shelf.inner.deep": SHOWN})
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    yield finder
    for name in [name for name in sys.modules if name.partition(".")[0] == "shelf"]:
        del sys.modules[name]


def test_packages_and_modules_have_path_and_package():
    module = importlib.import_module("shelf")
    assert module.location == ("/zip/shelf/__init__.py", ["/zip/shelf"], "shelf")
    assert module.deep.location == ("/zip/shelf/inner/deep.py", "shelf.inner")
    assert module.deep.value == 7
    assert sys.modules["shelf.inner.deep"] is module.deep


def test_module_runs_once_and_its_code_is_freed(finder):
    deep = importlib.import_module("shelf.inner.deep")
    deep.value = 8
    assert importlib.import_module("shelf.inner.deep").value == 8
    assert set(finder.modules) == {"shelf.broken"}


def test_failing_module_fails_at_every_import():
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            importlib.import_module("shelf.broken")


def test_unknown_module_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'shelf\.other'"):
        importlib.import_module("shelf.other")
    assert MemoryFinder({}, "/zip", {}).find_spec("json") is None


def test_source_of_a_shown_module_can_be_inspected():
    deep = importlib.import_module("shelf.inner.deep")
    assert inspect.getsource(deep.double) == "def double(n):\n    return 2 * n\n"
    broken = importlib.import_module("shelf.inner")
    with pytest.raises(OSError, match="could not get source code"):
        inspect.getsource(broken.shown_elsewhere)


def test_traceback_has_the_line():
    with pytest.raises(ZeroDivisionError) as caught:
        importlib.import_module("shelf.broken")
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno) == ("shelf.broken.py", 2)
