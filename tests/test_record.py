"""Records against dataclasses, which they are but for the time that they take to define."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive
from bleu.record import record

NAMES = ("first", "second", "third", "fourth", "fifth")


def made(decorator, size, defaults):
    """A class of so many fields, the last of them with defaults."""
    body = {"__doc__": "One of the two.", "__module__": __name__, "__qualname__": "Made"}
    names = NAMES[:size]
    body["__annotations__"] = dict.fromkeys(names, int)
    body |= {name: -place for place, name in enumerate(names) if place >= size - defaults}
    return decorator(type("Made", (), body))


def outcome(do):
    """What comes of it: a value, or the kind of error."""
    try:
        return do()
    except Exception as error:
        return type(error)


@record
class Pair:
    """Two numbers."""

    left: int
    right: int = 2

    @property
    def total(self):
        """Their sum."""
        return self.left + self.right


@record
class Other:
    """The same fields, another class."""

    left: int
    right: int = 2


@given(
    st.integers(0, 5),
    st.integers(0, 5),
    st.lists(st.integers(0, 2), max_size=6),
    st.dictionaries(st.sampled_from((*NAMES, "unknown")), st.integers(0, 2), max_size=3),
)
def test_it_is_made_compared_and_shown_as_a_dataclass(size, defaults, values, named):
    ours = made(record, size, min(size, defaults))
    theirs = made(dataclass(frozen=True, slots=True), size, min(size, defaults))
    one, other = (outcome(lambda kind=kind: kind(*values, **named)) for kind in (ours, theirs))
    if isinstance(other, type):
        assert one is other is TypeError
        return
    assert repr(one) == repr(other)
    assert hash(one) == hash(other)
    assert one == ours(*values, **named)
    assert one != other
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__slots__ == theirs.__slots__
    assert dataclasses.asdict(one) == dataclasses.asdict(other)
    shown = [(field.name, field.default, field.init) for field in dataclasses.fields(ours)]
    assert shown == [(field.name, field.default, field.init) for field in dataclasses.fields(other)]
    for name in NAMES[:size]:
        changed = dataclasses.replace(one, **{name: 7})
        assert getattr(changed, name) == 7
        assert dataclasses.asdict(changed) == dataclasses.asdict(
            dataclasses.replace(other, **{name: 7})
        )


def test_it_cannot_be_changed():
    pair = Pair(1)
    for change in (
        lambda: setattr(pair, "left", 3),
        lambda: setattr(pair, "middle", 3),
        lambda: delattr(pair, "left"),
    ):
        with pytest.raises(FrozenInstanceError, match="of a Pair"):
            change()
    assert pair == Pair(1, 2)
    assert not hasattr(pair, "__dict__")


def test_records_of_two_kinds_are_never_the_same():
    assert Pair(1) == Pair(1, right=2)
    assert Pair(1) != Other(1)
    assert Pair(1) != (1, 2)
    assert len({Pair(1), Pair(1, 2), Pair(2, 1)}) == 2


def test_it_keeps_what_the_class_says_of_itself():
    assert Pair.__doc__ == "Two numbers."
    assert Pair.__module__ == __name__
    assert Pair(1).total == 3
    assert str(inspect.signature(Pair)) == "(left, right=2)"
    with pytest.raises(TypeError, match=r"^Pair.__init__\(\) missing 1 .* argument: 'left'"):
        Pair()
    match Pair(4, 5):
        case Pair(left, right=5):
            assert left == 4
        case _:
            pytest.fail("it matches by place and by name")


def test_a_method_of_its_own_stays():
    @record
    class Quiet:
        secret: int

        def __repr__(self):
            return "Quiet()"

    assert repr(Quiet(7)) == "Quiet()"
    assert Quiet(7) == Quiet(7)


def test_a_field_without_a_default_cannot_follow_one_with_it():
    with pytest.raises(TypeError, match="Wrong has defaults for left of left, right; put"):

        @record
        class Wrong:
            left: int = 1
            right: int


def test_results_can_be_copied_and_kept():
    scored = derive("the cat", ["the cat sat"], max_order=2)
    assert dataclasses.is_dataclass(scored)
    assert pickle.loads(pickle.dumps(scored)) == copy.deepcopy(scored) == scored
