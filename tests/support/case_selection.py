"""Which of many like cases every run tries, and which only a run of everything."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest


def fast_and_slow(count: int, cases: Iterable[Any]) -> list[Any]:
    """All cases for `parametrize`: so many in every run, the others among the slow tests."""
    cases = iter(cases)
    return [*islice(cases, count), *(pytest.param(case, marks=pytest.mark.slow) for case in cases)]
