"""What homework uses of NumPy, for code that runs in the page: arrays as lists, of rows if 2-D."""

import math
import operator
import sys
from collections.abc import Callable, Iterable
from itertools import repeat
from statistics import fmean
from types import ModuleType, SimpleNamespace
from typing import Any


class Array(list[Any]):
    """Numbers, or rows of numbers, with operators that work number by number."""

    def __getitem__(self, key: Any) -> Any:
        """Return an item, a part, what an index for each axis selects, or where a mask is True."""
        if isinstance(key, list):
            values, mask = (self, key) if _axes(key) == 1 else (_numbers(self), _numbers(key))
            return Array(value for value, is_chosen in zip(values, mask, strict=True) if is_chosen)
        first, *rest = key if isinstance(key, tuple) else (key,)
        found = super().__getitem__(first)
        if isinstance(first, slice):
            return Array(row[rest[0]] for row in found) if rest else Array(found)
        return found[rest[0]] if rest else found

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set an item, a part, what an index for each axis selects, or where a mask is True."""
        first, *rest = key if isinstance(key, tuple) else (key,)
        if isinstance(first, int):
            place = super().__getitem__(first)
            if isinstance(place, list):
                place[rest[0] if rest else slice(None)] = value
            else:
                super().__setitem__(first, value)
            return
        places = Array(range(len(self)))[first]
        axes = _axes(self) - sum(isinstance(index, int) for index in rest)
        values = value if _axes(value) == axes else repeat(value, len(places))
        for i, part in zip(places, values, strict=True):
            self[(i, *rest)] = part

    def __bool__(self) -> bool:
        """Return the truth of a single value, as NumPy does."""
        if len(self) != 1:
            raise ValueError("the truth value of an array is ambiguous; use any() or all()")
        return bool(self[0])

    __neg__ = lambda self: 0 - self  # noqa: E731
    ndim = property(lambda self: _axes(self))
    shape = property(lambda self: (len(self), *map(len, self[: self.ndim - 1])))
    size = property(lambda self: len(_numbers(self)))


def _axes(value: Any) -> int:
    """Return 0 for a number, 1 for numbers, 2 for rows of numbers."""
    if not isinstance(value, list | tuple):
        return 0
    axes = 1 + max(map(_axes, value[:1]), default=0)
    if axes > 2:
        raise ValueError("an array has more than two axes")
    return axes


def _numbers(values: Any) -> list[Any]:
    return [number for row in values for number in row] if _axes(values) > 1 else list(values)


def _pairwise(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a function of two numbers or arrays; one with fewer axes is used for each row."""

    def combine(left: Any, right: Any) -> Any:
        axes = _axes(left), _axes(right)
        if axes == (0, 0):
            return function(left, right)
        lefts = left if axes[0] >= axes[1] else repeat(left, len(right))
        rights = right if axes[1] >= axes[0] else repeat(right, len(left))
        return Array(combine(a, b) for a, b in zip(lefts, rights, strict=True))

    return combine


def _quotient(a: Any, b: Any) -> Any:
    """Return a / b; NumPy divides by zero."""
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


def _changing(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a method for operators such as +=, which change an array."""
    return lambda array, other: array.__setitem__(slice(None), function(array, other)) or array


for _name in ("lt", "le", "eq", "ne", "gt", "ge"):
    setattr(Array, f"__{_name}__", _pairwise(getattr(operator, _name)))
for _name in ("add", "sub", "mul", "truediv", "pow"):
    _function = _quotient if _name == "truediv" else getattr(operator, _name)
    _swapped = lambda a, b, function=_function: function(b, a)  # noqa: E731
    setattr(Array, f"__{_name}__", _pairwise(_function))
    setattr(Array, f"__i{_name}__", _changing(_pairwise(_function)))
    setattr(Array, f"__r{_name}__", _pairwise(_swapped))


def _each(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of a number or of each number of an array."""
    return lambda x: Array(map(_each(function), x)) if _axes(x) else function(x)


def _array(values: Iterable[Any], *_: Any, **__: Any) -> Array:
    return Array(_array(value) if _axes(value) else value for value in values)


def _filled(size: Any, value: Any) -> Array:
    first, *rest = size if isinstance(size, tuple | list) else (size,)
    return Array(_filled(rest, value) if rest else value for _ in range(first))


def _reduction(reduce: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a function of all numbers of an array, or of each column or row."""

    def reduced(values: Any, axis: int | None = None) -> Any:
        if axis is None or _axes(values) < 2:
            return reduce(_numbers(values))
        return Array(map(reduce, zip(*values, strict=True) if axis in {0, -2} else values))

    return reduced


def _dot(a: Any, b: Any) -> Any:
    if _axes(b) > 1:
        raise ValueError("the second array of dot() has more than one axis")
    return _reduction(sum)(_pairwise(operator.mul)(a, b), axis=1)


_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": _reduction(sum),
    "prod": _reduction(math.prod),
    "mean": _reduction(fmean),
    "min": _reduction(min),
    "max": _reduction(max),
    "any": _reduction(any),
    "all": _reduction(all),
    "argmin": _reduction(lambda x: x.index(min(x))),
    "argmax": _reduction(lambda x: x.index(max(x))),
}
for _name, _reduce in _REDUCTIONS.items():
    setattr(Array, _name, _reduce)


def numpy_module() -> ModuleType:
    """Return the module `numpy` of the page."""
    module = ModuleType("numpy")
    module.__dict__.update(
        _REDUCTIONS,
        average=_REDUCTIONS["mean"],
        array=_array,
        asarray=_array,
        ndarray=Array,
        zeros=lambda size, *_, **__: _filled(size, 0.0),
        ones=lambda size, *_, **__: _filled(size, 1.0),
        full=lambda size, value, *_, **__: _filled(size, value),
        arange=lambda *limits: Array(range(*limits)),
        exp=_each(math.exp),
        log=_each(lambda x: math.log(x) if x else -math.inf),
        sqrt=_each(math.sqrt),
        abs=_each(abs),
        dot=_dot,
        minimum=_pairwise(min),
        maximum=_pairwise(max),
        power=_pairwise(operator.pow),
        inf=math.inf,
        nan=math.nan,
        e=math.e,
        float64=float,
        int64=int,
        finfo=lambda *_: SimpleNamespace(eps=sys.float_info.epsilon),
    )
    return module
