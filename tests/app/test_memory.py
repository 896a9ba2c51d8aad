"""Handling of exhausted memory: it is reported, and the caches are cleared."""

import weakref

import pytest

from app.state.form import OUT_OF_MEMORY_TEXT, guard_memory
from bleu.core.ngrams import count_ngrams


class BrowserError(Exception):
    """A JavaScript error as Pyodide raises it."""

    def __init__(self, name):
        self.name = name


class LargeObject:
    """Stands for an object that fills the memory."""


@pytest.mark.parametrize(
    "error", [MemoryError(), BrowserError("RangeError"), BrowserError("InternalError")]
)
def test_out_of_memory_is_reported_and_clears_the_caches(error):
    count_ngrams(("a",), 1)
    reports = []

    def fail(number):
        assert number == 1
        raise error

    def report(message):
        reports.append((message, len(count_ngrams.recent)))
        return "reported"

    assert guard_memory(report)(fail)(1) == "reported"
    assert reports == [(OUT_OF_MEMORY_TEXT, 0)]


def test_large_objects_are_freed_before_the_report():
    references, alive = [], []

    def fill_memory():
        large_object = LargeObject()
        references.append(weakref.ref(large_object))
        raise MemoryError

    guard_memory(lambda _: alive.append(references[0]()))(fill_memory)()
    assert alive == [None]


def test_return_value_is_passed_on():
    assert guard_memory(pytest.fail)(lambda a, b: a + b)(1, 2) == 3


@pytest.mark.parametrize("error", [ValueError("x"), BrowserError("TypeError"), NameError("x")])
def test_other_errors_are_raised(error):
    def fail():
        raise error

    with pytest.raises(type(error)):
        guard_memory(pytest.fail)(fail)()
