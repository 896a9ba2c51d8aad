"""Records: the names of their families stand in few modules, and each has what tests need."""

import ast
from functools import cache
from pathlib import Path

import pytest

from bleu import CONVENTIONS, SMOOTHINGS, TOKENIZERS
from bleu.learn.kinds import KINDS

pytestmark = pytest.mark.host

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for top in ("bleu", "app") for path in (ROOT / top).rglob("*.py"))
ORDINARY_WORDS = {
    *("char", "corpus", "default", "floor", "mark", "mistake", "none", "order", "references"),
    *("setting", "step", "whole"),
    "exp",  # The function.
    "sacrebleu",  # A library, and a command.
}
"""Names that are ordinary words, and mean something else in most modules."""
MAX_MODULES = {
    "smoothings": (SMOOTHINGS, 6),
    "tokenizers": (TOKENIZERS, 12),
    "conventions": (CONVENTIONS, 12),
    "kinds": (KINDS, 8),
}


@cache
def literals(source):
    """Return the texts in a source, docstrings aside."""
    tree = ast.parse(source)
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in statements
    }


def compared_kinds(source):
    """Return the kinds of exercise that code compares with a kind."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and "kind" in ast.unparse(node.left):
            found |= {*KINDS} & literals(ast.unparse(node))
    return found


def test_helpers_find_names_in_code_only():
    assert literals('"""13a"""\nx = "intl"\n"char"') == {"intl"}
    assert compared_kinds('if exercise.kind in {"bet"}:\n    x = "step"') == {"bet"}


@pytest.mark.parametrize("family", MAX_MODULES)
def test_names_of_a_family_stand_in_few_modules(family):
    names, most = MAX_MODULES[family]
    modules = {
        str(path.relative_to(ROOT)): found
        for path in SOURCES
        if (found := literals(path.read_text("utf-8")) & {*names} - ORDINARY_WORDS)
    }
    assert len(modules) <= most, modules


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_asks_for_the_kind_of_an_exercise(path):
    # Most of their names are ordinary words, so they are not counted above.
    assert not compared_kinds(path.read_text("utf-8"))
