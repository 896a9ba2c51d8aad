"""Records: frozen dataclasses with slots, which take next to no time to define.

`dataclass` writes and compiles the methods of every class: more than 2 ms each in Pyodide, and the
page has seventy to define before it can be used. Here only the shape of a method is compiled, once
for each number of fields. A record is a dataclass to all who ask: `replace` and `asdict` take it.
"""

from collections.abc import Callable, Mapping
from dataclasses import Field, FrozenInstanceError, make_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
Values = tuple[object, ...]


@dataclass_transform(frozen_default=True)
def record(kind: type[T]) -> type[T]:
    """The class with its annotated names as fields: given when it is made, compared, and hashed.

    Fields with a default come last, and a default is not copied; methods that the class has stay.
    Making one raises TypeError for a field that is missing, unknown or given twice; changing one
    raises FrozenInstanceError. Raises TypeError for a field without a default after one with it.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(x=1, y=0), Point(1) == (1, 0)
    (Point(x=1, y=0), True, False)
    """
    names = tuple(kind.__annotations__)
    own = {name: value for name, value in vars(kind).items() if name not in _WITHOUT_SLOTS}
    defaults = {name: own.pop(name) for name in names if name in own}
    if tuple(defaults) != names[len(names) - len(defaults) :]:
        raise TypeError(
            f"{kind.__name__} has defaults for {', '.join(defaults)} of {', '.join(names)}; "
            "put the fields with a default last"
        )
    own |= {"__slots__": names, "__match_args__": names, "__dataclass_fields__": _Fields(defaults)}
    made: Any = type(kind.__name__, kind.__bases__, _methods(names) | own)
    made.__init__ = _init(made, names, tuple(defaults.values()))
    filled: type[T] = made
    return filled


_WITHOUT_SLOTS = {"__dict__", "__weakref__"}
"""What a class has for its instances only where they have no slots."""


def _methods(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    # attrgetter gives a single value bare, and none not at all
    values_of: Callable[[object], Values] = (
        attrgetter(*names)
        if len(names) > 1
        else lambda one: tuple(getattr(one, name) for name in names)
    )

    def equal(self: object, other: object) -> Any:
        return values_of(self) == values_of(other) if type(self) is type(other) else NotImplemented

    def shown(self: object) -> str:
        fields = (f"{name}={value!r}" for name, value in zip(names, values_of(self), strict=True))
        return f"{type(self).__qualname__}({', '.join(fields)})"

    def frozen(self: object, name: str, *_: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot change {name} of a {type(self).__name__}")

    return {
        "__eq__": equal,
        "__hash__": lambda self: hash(values_of(self)),
        "__repr__": shown,
        "__reduce__": lambda self: (type(self), values_of(self)),
        "__setattr__": frozen,
        "__delattr__": frozen,
    }


def _init(made: type, names: tuple[str, ...], defaults: Values) -> Callable[..., None]:
    """The method that fills the slots: the template's, with the names of the fields."""
    init: Any = _template(len(names))(*(vars(made)[name].__set__ for name in names))
    init.__code__ = init.__code__.replace(co_varnames=("self", *names))
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__defaults__ = defaults
    filled: Callable[..., None] = init
    return filled


@cache
def _template(size: int) -> Callable[..., object]:
    values = [f"value_{place}" for place in range(size)]
    source = f"""
def make({", ".join(f"set_{value}" for value in values)}):
    def __init__(self, {", ".join(values)}):
        {"; ".join(f"set_{value}(self, {value})" for value in values) or "pass"}
    return __init__
"""
    scope: dict[str, Callable[..., object]] = {}
    exec(source, {}, scope)
    return scope["make"]


class _Fields:
    """What `dataclasses` wants to know of a class, found out when it asks."""

    def __init__(self, defaults: Mapping[str, object]) -> None:
        self.defaults = defaults

    def __get__(self, _: object, kind: Any) -> Mapping[str, Field[Any]]:
        fields: list[Any] = [
            (name, type_, self.defaults[name]) if name in self.defaults else (name, type_)
            for name, type_ in kind.__annotations__.items()
        ]
        twin: Any = make_dataclass(kind.__name__, fields)
        kind.__dataclass_fields__ = known = twin.__dataclass_fields__
        return known  # type: ignore[no-any-return]
