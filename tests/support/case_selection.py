"""Split of parametrized cases between the fast and the slow tests."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest


def fast_and_slow(count: int, cases: Iterable[Any]) -> list[Any]:
    """Return all cases for `parametrize`; those after the first `count` are marked slow."""
    cases = iter(cases)
    return [*islice(cases, count), *(pytest.param(case, marks=pytest.mark.slow) for case in cases)]
