"""Sizes are polynomials in names: sums, products, exact quotients, their text."""

import pytest

from gradgen.shapes.dims import ONE, Dim

n, d = Dim.of("n"), Dim.of("d")


def test_numbers_and_names():
    assert Dim.of(3).number == 3
    assert Dim.of(0).number == 0
    assert n.number is None
    assert n.symbol == "n"
    assert (n + ONE).symbol is None
    assert (n * d).names == {"n", "d"}


def test_equal_sums_are_equal_whatever_their_order():
    assert n + d == d + n
    assert n * d == d * n
    assert n - n == Dim.of(0)
    assert (n + ONE) * (n - ONE) == n * n - ONE


@pytest.mark.parametrize(
    "dim, text",
    [
        (n - Dim.of(2), "n - 2"),
        (n * d, "d*n"),
        (Dim.of(2) * n, "2*n"),
        (Dim.of(0), "0"),
        (Dim.of(3), "3"),
        (Dim.of(0) - n, "-n"),
    ],
)
def test_text(dim, text):
    assert str(dim) == text


def test_exact_quotients():
    assert (n * d).divided_by(d) == n
    assert (Dim.of(6) * n).divided_by(Dim.of(3)) == Dim.of(2) * n
    assert (n * d - d).divided_by(d) == n - ONE
    assert (n - ONE).divided_by(n - ONE) == ONE
    assert ((n - ONE) * d).divided_by(n - ONE) == d


def test_quotients_that_are_not_exact_are_unknown():
    assert n.divided_by(d) is None
    assert (Dim.of(3) * n).divided_by(Dim.of(2)) is None
    assert (n + ONE).divided_by(n) is None
    assert (n + ONE).divided_by(n - ONE) is None
