"""Dataclasses whose methods are written at their first use, beside the standard ones."""

import copy
import dataclasses
import pickle
import re
from dataclasses import FrozenInstanceError, field
from pathlib import Path

import pytest

import gradgen
from gradgen import frozen

MAKERS = {"standard": dataclasses.dataclass, "late": frozen.dataclass}


def classes(dataclass):
    """One class of each kind, made with a decorator."""

    @dataclass(frozen=True)
    class Point:
        """Two numbers."""

        x: float
        y: float = 0.5
        name: str = field(default="", compare=False)

    @dataclass(frozen=True)
    class Named(Point):
        parts: list = field(default_factory=list, hash=False)
        shown: int = field(default=3, repr=False, kw_only=True)

    @dataclass(frozen=True, eq=False)
    class Alone:
        x: float = 1.0

    @dataclass
    class Loose:
        x: float
        seen: dict = field(default_factory=dict)
        count: int = field(default=0, init=False)

        def __post_init__(self):
            self.count = len(self.seen) + 1

    @dataclass(frozen=True, kw_only=True)
    class Worded:
        a: int
        b: int = 2

    @dataclass(frozen=True)
    class Hashed:
        x: int
        y: int = 0

        def __hash__(self):
            return 7 * self.x

        def __repr__(self):
            return f"<{self.x}>"

    @dataclass(frozen=True)
    class Empty:
        pass

    return Point, Named, Alone, Loose, Worded, Hashed, Empty


CALLS = [
    lambda c: c[0](1.0),
    lambda c: c[0](1.0, 2.0, "p"),
    lambda c: c[0](y=2.0, x=1.0),
    lambda c: c[0](),
    lambda c: c[0](1.0, z=2.0),
    lambda c: c[0](1.0, 2.0, "", 4.0),
    lambda c: c[1](1.0, 2.0),
    lambda c: c[1](1.0, parts=[1], shown=5),
    lambda c: c[1](1.0, 2.0, "", [], 5),
    lambda c: c[2](),
    lambda c: c[3](1.0),
    lambda c: c[3](1.0, {"a": 1}),
    lambda c: c[3](1.0, {}, 4),
    lambda c: c[4](a=1),
    lambda c: c[4](1),
    lambda c: c[5](2),
    lambda c: c[6](),
]


def told(make, by):
    """What comes of a call: the text of the object, its hash, or the error's sort."""
    try:
        made = make(classes(MAKERS[by]))
    except TypeError as error:
        return re.sub(r"\S*__init__\(\)", "__init__()", str(error))
    hashed = "none"
    if type(made).__hash__ is None:
        with pytest.raises(TypeError, match="unhashable"):
            hash(made)
    elif type(made).__name__ != "Alone":  # which is hashed by its place
        hashed = hash(made)
    own = type(made)
    alike = dataclasses.replace(made) == made
    values = dataclasses.asdict(made), own.__match_args__, dataclasses.astuple(made)
    return (
        repr(made),
        hashed,
        alike,
        values,
        own.__doc__ and "doc",
        copy.copy(made).x if (hasattr(made, "x")) else None,
    )


@pytest.mark.parametrize("make", CALLS)
def test_they_are_as_the_standard_ones(make):
    assert told(make, "late") == told(make, "standard")


@pytest.mark.parametrize("by", MAKERS)
def test_fields_of_a_frozen_one_are_not_set(by):
    point = classes(MAKERS[by])[0](1.0)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2.0
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'other'"):
        point.other = 2.0
    assert point.x == 1.0


@pytest.mark.parametrize("by", MAKERS)
def test_what_is_equal(by):
    point, named, alone, loose, *_ = classes(MAKERS[by])
    assert point(1.0, 2.0, "a") == point(1.0, 2.0, "b")
    assert len({point(1.0, 2.0, "a"), point(1.0, 2.0, "b"), point(2.0)}) == 2
    assert point(1.0) != named(1.0) and point(1.0) != (1.0, 0.5)
    assert point(1.0).__eq__(3) is NotImplemented
    assert alone() != alone() and loose(1.0) == loose(1.0)
    nan = float("nan")
    assert point(nan) == point(nan) and point(nan) != point(-nan)


@frozen.dataclass(frozen=True)
class Kept:
    x: int
    more: tuple = ()


def test_they_are_pickled():
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))


def test_a_method_is_written_once():
    Kept(1)
    written = Kept.__init__
    Kept(2)
    assert Kept.__init__ is written and written.__code__.co_argcount == 3


def test_all_of_the_project_are_made_so():
    place = Path(gradgen.__file__).parent
    standard = re.compile(
        r"^from dataclasses import .*\bdataclass\b|dataclasses\.dataclass\(", re.M
    )
    files = [path for path in place.rglob("*.py") if path.name != "frozen.py"]
    assert not [path for path in files if standard.search(path.read_text("utf-8"))]
