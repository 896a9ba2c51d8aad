"""Where memory runs out: it is said, and what is remembered makes room; another error is raised."""

import weakref

import pytest

from app.state.memory import OUT_OF_MEMORY_TEXT, guard_memory
from bleu.core.clipping import count_ngrams


class BrowserError(Exception):
    """An error of JavaScript's, as Pyodide hands it on."""

    def __init__(self, name):
        self.name = name


class Big:
    """What filled the memory."""


@pytest.mark.parametrize(
    "error", [MemoryError(), BrowserError("RangeError"), BrowserError("InternalError")]
)
def test_it_is_said_and_all_that_is_remembered_is_forgotten(error):
    count_ngrams(("a",), 1)
    said = []

    def work(number):
        assert number == 1
        raise error

    def say(words):
        said.append((words, len(count_ngrams.recent)))
        return "said"

    assert guard_memory(say)(work)(1) == "said"
    assert said == [(OUT_OF_MEMORY_TEXT, 0)]


def test_what_filled_the_memory_is_let_go_before_it_is_said():
    known, left = [], []

    def work():
        big = Big()
        known.append(weakref.ref(big))
        raise MemoryError

    guard_memory(lambda _: left.append(known[0]()))(work)()
    assert left == [None]


def test_what_works_is_returned_as_it_is():
    assert guard_memory(pytest.fail)(lambda a, b: a + b)(1, 2) == 3


@pytest.mark.parametrize("error", [ValueError("x"), BrowserError("TypeError"), NameError("x")])
def test_another_error_is_raised(error):
    def work():
        raise error

    with pytest.raises(type(error)):
        guard_memory(pytest.fail)(work)()
