"""What homework uses of NumPy, for code that runs in the page: an array as a list of numbers."""

import builtins
import math
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from types import ModuleType, SimpleNamespace
from typing import Any


class Array(list[Any]):
    """Numbers with operators that work number by number, or row by row."""

    def __getitem__(self, key: Any) -> Any:
        """Return an item, a part, or the items for which a list of truth values has True."""
        if isinstance(key, list):
            return Array(value for value, is_chosen in zip(self, key, strict=True) if is_chosen)
        found = super().__getitem__(key)
        return Array(found) if isinstance(key, slice) else found

    def __bool__(self) -> bool:
        """Return the truth of a single value, as NumPy does."""
        if len(self) != 1:
            raise ValueError("the truth value of an array is ambiguous; use any() or all()")
        return builtins.bool(self[0])

    size = property(len)
    shape = property(lambda self: (len(self),))


def _pairwise(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a method that combines two arrays, or an array and a number."""

    def method(left: Any, right: Any) -> Any:
        if isinstance(right, Sequence):
            return Array(function(a, b) for a, b in zip(left, right, strict=True))
        return Array(function(a, right) for a in left)

    return method


for _name in ("add", "sub", "mul", "truediv", "pow", "lt", "le", "eq", "ne", "gt", "ge"):
    _function = getattr(operator, _name)
    setattr(Array, f"__{_name}__", _pairwise(_function))
    if _name in {"add", "sub", "mul", "truediv", "pow"}:
        _swapped = lambda a, b, function=_function: function(b, a)  # noqa: E731
        setattr(Array, f"__r{_name}__", _pairwise(_swapped))


def _each(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of a number or of each number of an array."""
    return lambda x: Array(map(function, x)) if isinstance(x, Sequence) else function(x)


def _array(values: Iterable[Any], **_: Any) -> Array:
    return Array(values)


_REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: sum(x, start=0.0),
    "prod": lambda x: math.prod(x, start=1.0),
    "mean": fmean,
    "average": fmean,
    "min": min,
    "max": max,
    "any": any,
    "all": all,
    "argmin": lambda x: x.index(min(x)),
    "argmax": lambda x: x.index(max(x)),
}
for _name in ("sum", "prod", "mean", "min", "max", "any", "all", "argmin", "argmax"):
    setattr(Array, _name, lambda self, reduce=_REDUCTIONS[_name]: reduce(self))


def numpy_module() -> ModuleType:
    """Return the module `numpy` of the page."""
    module = ModuleType("numpy")
    module.__dict__.update(
        _REDUCTIONS,
        array=_array,
        asarray=_array,
        ndarray=Array,
        zeros=lambda size, **_: Array([0.0] * size),
        ones=lambda size, **_: Array([1.0] * size),
        full=lambda size, value, **_: Array([value] * size),
        arange=lambda *limits: Array(range(*limits)),
        exp=_each(math.exp),
        log=_each(lambda x: math.log(x) if x else -math.inf),
        sqrt=_each(math.sqrt),
        abs=_each(abs),
        dot=lambda a, b: sum(x * y for x, y in zip(a, b, strict=True)),
        minimum=lambda a, b: min(a, b) if not isinstance(a, list) else Array(map(min, a, b)),
        maximum=lambda a, b: max(a, b) if not isinstance(a, list) else Array(map(max, a, b)),
        power=operator.pow,
        inf=math.inf,
        e=math.e,
        float64=float,
        int64=int,
        finfo=lambda *_: SimpleNamespace(eps=sys.float_info.epsilon),
    )
    return module
