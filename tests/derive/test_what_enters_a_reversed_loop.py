"""What enters the way back of a loop has the shape of what the loop has left.

Of complex values the text makes it whole there; the start of a round may be a number
where its end is an array.
"""

import numpy as np
import pytest

import gradgen
from tests.scopes import watched

M = np.array([[0.4, 0.3, -0.5], [0.2, -0.4, 0.6]])


def own_name(x, y, n):
    for _ in range(n):
        x = x * x + y
    return np.sum(np.abs(x) ** 2)


def from_a_number(x, y, n):
    z = 0.5j
    for _ in range(n):
        z = z * z + x * y
    return np.sum(np.abs(z) ** 2)


def with_another_arm(x, y, n):
    z = x * 1j
    for _ in range(n):
        z = z * z + y if n < 3 else y * z
    return np.sum(np.abs(z) ** 2)


@pytest.mark.parametrize("function", (own_name, from_a_number, with_another_arm))
@pytest.mark.parametrize("x", (0.3 + 0.1j, np.array([0.1j, 0.2, 0.4])))
@pytest.mark.parametrize("rounds", (1, 2))
def test_arrays_grow_in_a_round(function, x, rounds):
    with watched() as out_of_place:
        text = gradgen.emit(function, complex="x", general=True)
    assert not out_of_place
    space: dict = {}
    exec(text, space)
    step = 1e-6

    def at(d, i):
        z = np.array(x)
        z[i] += d
        return function(z, M, rounds)

    def slope(d, i):
        return (at(d, i) - at(-d, i)) / (2 * step)

    places = list(np.ndindex(np.shape(x)))
    want = [slope(step, i) - 1j * slope(1j * step, i) for i in places]
    for got in (
        space[f"grad_{function.__name__}"](x, M, rounds),
        gradgen.grad(function)(x, M, rounds),
    ):
        assert np.shape(got) == np.shape(x)
        np.testing.assert_allclose(np.ravel(got), want, rtol=1e-6, atol=1e-8)
