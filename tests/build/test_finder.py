"""The finder of compiled modules: what Python imports through it, and what it leaves to others."""

import importlib
import sys
import traceback
from marshal import dumps

import pytest

from app.build.finder import MemoryFinder

pytestmark = pytest.mark.host

SOURCES = {
    "shelf": (True, "from shelf.inner import deep\nhere = __file__, __path__, __package__"),
    "shelf.inner": (True, ""),
    "shelf.inner.deep": (False, "value = 7\nhere = __file__, __package__"),
    "shelf.broken": (False, "\n1 / 0"),
}


@pytest.fixture(autouse=True)
def shelf(monkeypatch):
    modules = {
        name: (package, dumps(compile(source, f"{name}.py", "exec")))
        for name, (package, source) in SOURCES.items()
    }
    library = MemoryFinder(modules, "/zip")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, library])
    yield library
    for name in [name for name in sys.modules if name.partition(".")[0] == "shelf"]:
        del sys.modules[name]


def test_packages_and_modules_know_where_they_are():
    module = importlib.import_module("shelf")
    assert module.here == ("/zip/shelf/__init__.py", ["/zip/shelf"], "shelf")
    assert module.deep.here == ("/zip/shelf/inner/deep.py", "shelf.inner")
    assert module.deep.value == 7
    assert sys.modules["shelf.inner.deep"] is module.deep


def test_a_module_runs_once_and_its_code_is_let_go(shelf):
    deep = importlib.import_module("shelf.inner.deep")
    deep.value = 8
    assert importlib.import_module("shelf.inner.deep").value == 8
    assert set(shelf.modules) == {"shelf.broken"}


def test_a_module_that_fails_fails_again_in_the_same_way():
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            importlib.import_module("shelf.broken")


def test_what_it_does_not_have_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'shelf\.other'"):
        importlib.import_module("shelf.other")
    assert MemoryFinder({}, "/zip").find_spec("json") is None


def test_an_error_says_the_line_it_is_in():
    with pytest.raises(ZeroDivisionError) as caught:
        importlib.import_module("shelf.broken")
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno) == ("shelf.broken.py", 2)
