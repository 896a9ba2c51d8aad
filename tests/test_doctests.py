"""The examples in the library's docstrings are true, and everything public has a docstring."""

import doctest
import importlib
import pkgutil
from types import FunctionType, ModuleType

import pytest

import bleu

MODULES = ["bleu", *(module.name for module in pkgutil.walk_packages(bleu.__path__, "bleu."))]
METHODS = (FunctionType, property, classmethod, staticmethod)


def public(module):
    """The public functions and classes of a module, and their public methods, by name."""
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__
        if own and not name.startswith("_") and isinstance(thing, FunctionType | type):
            yield name, thing
            for attribute, member in vars(thing).items():
                if not attribute.startswith("_") and isinstance(member, METHODS):
                    yield f"{name}.{attribute}", member


def undocumented(module):
    """The public names without a docstring; what `@dataclass` writes by itself is none."""
    return [
        name
        for name, thing in public(module)
        if not (thing.__doc__ or "").strip() or thing.__doc__.startswith(f"{name}(")
    ]


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_is_documented(name):
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip(), f"{name} has no docstring"
    assert not undocumented(module), f"write a docstring in {name}"


def test_a_missing_docstring_is_noticed():
    module = ModuleType("module")
    code = """
from dataclasses import dataclass
def told(): "Documented."
def untold(): pass
def _private(): pass
@dataclass
class Untold:
    x: int = 0
    def method(self): pass
"""
    exec(code, vars(module))
    assert undocumented(module) == ["untold", "Untold", "Untold.method"]


@pytest.mark.parametrize("name", ["ngrams", "score", "api", "settings", "smoothing"])
def test_the_core_has_examples(name):
    assert doctest.testmod(importlib.import_module(f"bleu.core.{name}")).attempted > 0
