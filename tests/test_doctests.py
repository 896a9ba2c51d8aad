"""Docstrings of the library: their examples are correct, and everything public has one."""

import doctest
import importlib
import inspect
import pkgutil
from types import FunctionType, ModuleType

import pytest

import bleu

MODULES = ["bleu", *(module.name for module in pkgutil.walk_packages(bleu.__path__, "bleu."))]
METHODS = (FunctionType, property, classmethod, staticmethod)


def public(module):
    """Yield the public functions, classes and methods of a module, with their names."""
    for name, value in vars(module).items():
        is_local = getattr(value, "__module__", None) == module.__name__
        if is_local and not name.startswith("_") and isinstance(value, FunctionType | type):
            yield name, value
            for attribute, member in vars(value).items():
                if not attribute.startswith("_") and isinstance(member, METHODS):
                    yield f"{name}.{attribute}", member


def undocumented(module):
    """Return the public names without a docstring; that of `@dataclass` does not count."""
    return [
        name
        for name, value in public(module)
        if not (value.__doc__ or "").strip() or value.__doc__.startswith(f"{name}(")
    ]


class Finder(doctest.DocTestFinder):
    """Finds the examples of wrapped functions, too."""

    def _from_module(self, module, value):
        return super()._from_module(module, inspect.unwrap(value) if callable(value) else value)


def run_examples(name):
    runner = doctest.DocTestRunner()
    for test in Finder().find(importlib.import_module(name)):
        runner.run(test)
    return runner.summarize()


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_correct(name):
    assert run_examples(name).failed == 0


def test_examples_of_wrapped_functions_are_found():
    functions = [test.name for test in Finder().find(importlib.import_module("bleu.core.api"))]
    assert "bleu.core.api.corpus_bleu" in functions


@pytest.mark.parametrize("name", MODULES)
def test_all_public_names_have_docstrings(name):
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip(), f"{name} has no docstring"
    assert not undocumented(module), f"write a docstring in {name}"


def test_undocumented_returns_names_without_docstrings():
    module = ModuleType("module")
    code = """
from dataclasses import dataclass
def documented(): "Documented."
def missing(): pass
def _private(): pass
@dataclass
class Missing:
    x: int = 0
    def method(self): pass
"""
    exec(code, vars(module))
    assert undocumented(module) == ["missing", "Missing", "Missing.method"]


@pytest.mark.parametrize(
    "name", ["core.ngrams", "core.score", "core.api", "core.settings", "metric.method"]
)
def test_main_modules_have_examples(name):
    assert run_examples(f"bleu.{name}").attempted > 0
