"""Docstrings of the library: their examples are correct, and everything public has one."""

import doctest
import importlib
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


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_correct(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


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


@pytest.mark.parametrize("name", ["ngrams", "score", "api", "settings", "smoothing"])
def test_core_modules_have_examples(name):
    assert doctest.testmod(importlib.import_module(f"bleu.core.{name}")).attempted > 0
