"""Shapes: what broadcasts to what, for certain, and what cannot at all."""

import itertools

import numpy as np
import pytest

from gradgen.shapes.shape import (
    SCALAR,
    Below,
    Dropped,
    Kept,
    Shape,
    ShapeConflict,
    equal,
    join,
    ranked,
    whole,
)

X, Y = whole("X"), whole("Y")


def of(atom) -> Shape:
    return Shape(frozenset([atom]))


@pytest.mark.parametrize(
    "small, large",
    [
        (SCALAR, X),
        (SCALAR, ranked("n", "d")),
        (ranked("d"), ranked("n", "d")),
        (ranked(1, "d"), ranked("n", "d")),
        (ranked("n", 1), ranked("n", "d")),
        (ranked("#n", "d"), ranked("n", "d")),
        (of(Kept(X, (1,))), X),
        (of(Kept(X, None)), X),
        (of(Dropped(X, (0,))), X),
        (of(Below(X)), X),
        (of(Kept(X, (-1,))), join(X, Y)),
        (of(Below(join(X, Y))), join(X, Y)),
        (X, join(X, Y)),
    ],
)
def test_broadcasts_for_certain(small, large):
    assert small <= large
    assert equal(join(small, large), large)


@pytest.mark.parametrize(
    "small, large",
    [
        (X, Y),
        (X, SCALAR),
        (ranked("n"), ranked("n", "d")),
        (ranked("n", "d"), ranked("d")),
        (ranked("n", "d"), ranked("n", 1)),
        (ranked("n", "d"), ranked("#n", "d")),
        (ranked(1, 1), X),
        (of(Dropped(X, (1,))), X),
        (X, of(Kept(X, (1,)))),
        (join(X, Y), X),
    ],
)
def test_what_is_not_certain_is_not_claimed(small, large):
    assert not small <= large


def test_axes_of_different_names_conflict():
    with pytest.raises(ShapeConflict, match=r"\(n\) and \(d\) do not broadcast"):
        join(ranked("n"), ranked("d"))
    with pytest.raises(ShapeConflict):
        join(ranked("n", 3), ranked(4))


def test_join_agrees_with_numpy():
    sizes = {"n": 3, "d": 5, 1: 1}
    shapes = [
        axes for rank in range(4) for axes in itertools.product(sizes, repeat=rank)
    ]
    for a, b in itertools.product(shapes, repeat=2):
        lengths = [tuple(sizes[x] for x in axes) for axes in (a, b)]
        try:
            want = np.broadcast_shapes(*lengths)
        except ValueError:
            with pytest.raises(ShapeConflict):
                join(ranked(*a), ranked(*b))
            continue
        got = join(ranked(*a), ranked(*b)).dims
        assert tuple(sizes[dim.symbol or dim.number] for dim in got) == want


def test_rank():
    assert ranked("n", "d").rank == 2
    assert SCALAR.rank == 0
    assert X.rank is None
    assert join(X, ranked("n")).rank is None
