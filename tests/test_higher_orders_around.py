"""Derivatives of derivatives of closures, of methods, of arrays, and third ones."""

import numpy as np
import pytest

import gradgen

X = np.array([0.5, 1.5])


def around(mask, lack=None):
    """Functions that read an array of an enclosing function, behind a default or not."""

    def with_default(z, c=3.0):
        y = z**3 * c
        if mask is not None:
            y = y * np.sum(mask)
        return y if lack is None else 0.0

    def without(z):
        y = z**3 * 3.0
        if mask is None:
            return y
        return y * np.sum(mask)

    return with_default, without


class Net:
    def __init__(self):
        self.mask = np.array([1.0, 0.0, 1.0])

    def with_default(self, z, c=3.0):
        y = z**3 * c
        if self.mask is not None:
            y = y * np.sum(self.mask)
        return y

    def named(self, z, mode, k=3.0):
        return z**3 * k * np.sum(self.mask) if mode == "cubed" else z * k


@pytest.mark.parametrize("place", (0, 1))
def test_closures(place):
    mask = np.array([1.0, 0.0, 1.0])
    f = around(mask)[place]
    twice = gradgen.grad(gradgen.grad(f))
    assert twice(2.0) == 72.0
    assert gradgen.value_and_grad(gradgen.grad(f))(2.0) == (72.0, 72.0)
    assert gradgen.jacobian(gradgen.grad(f))(2.0) == 72.0
    assert gradgen.grad(twice)(2.0) == 36.0
    mask[1] = 2.0  # an array that is changed in place is read at each call
    assert twice(2.0) == 144.0


@pytest.mark.parametrize("place", (0, 1))
def test_texts_of_closures_do_not_do_without_the_array(place):
    space = {}
    text = gradgen.emit(around(np.ones(2))[place])
    exec(text, space)
    (grad,) = (one for name, one in space.items() if name.startswith("grad_"))
    with pytest.raises((TypeError, ValueError)):
        grad(2.0)
    assert grad(2.0, mask=np.ones(2)) == 72.0


def test_tangents_behind_a_closure():
    value, tangent = gradgen.jvp(gradgen.grad(around(np.ones(2))[0]))(2.0, 3.0, 1.0)
    assert (value, tangent) == (72.0, 72.0)


def test_an_argument_too_many_is_none_of_the_arrays():
    with pytest.raises(TypeError):
        gradgen.grad(gradgen.grad(around(np.ones(2))[1]))(2.0, 3.0)


def test_methods():
    net = Net()
    twice = gradgen.grad(gradgen.grad(net.with_default))
    assert twice(2.0) == 72.0 and twice(2.0, 1.0) == 24.0
    assert gradgen.grad(twice)(2.0) == 36.0
    net.mask[1] = 2.0
    assert twice(2.0) == 144.0
    net.mask = np.ones(1)
    assert twice(2.0) == 36.0
    net.mask = None
    assert twice(2.0) == 36.0


def test_options_of_methods():
    net = Net()
    twice = gradgen.grad(gradgen.grad(net.named))
    assert twice(2.0, "cubed") == 72.0 and twice(2.0, "plain") == 0.0
    text = gradgen.grad(net.named).specialize(2.0, "cubed")
    assert text.function(net, 2.0, "cubed") == 72.0


def test_of_arrays_the_cotangents_are_ones():
    def cubes(x):
        return x**3

    def total(x):
        return np.sum(x**4)

    first = gradgen.grad(cubes)
    np.testing.assert_allclose(gradgen.grad(first)(X), 6 * X)
    np.testing.assert_allclose(gradgen.grad(gradgen.grad(first))(X), [6.0, 6.0])
    third = gradgen.grad(gradgen.grad(gradgen.grad(total)))
    np.testing.assert_allclose(third(X), 24 * X)
    np.testing.assert_allclose(gradgen.grad(third)(X), [24.0, 24.0])
    np.testing.assert_allclose(
        gradgen.jacobian(gradgen.grad(gradgen.grad(total)))(X), np.diag(24 * X)
    )


def test_a_third_derivative_takes_the_options_of_its_call():
    def powered(x, mode, scale=1.0):
        if mode == "a":
            return np.sum(x**3) * scale
        return np.sum(x**4) * scale

    third = gradgen.grad(gradgen.grad(gradgen.grad(powered)))
    np.testing.assert_allclose(third(X, "a"), [6.0, 6.0])
    np.testing.assert_allclose(third(X, "b", scale=2.0), 48 * X)


def test_of_closures_that_give_arrays():
    w = np.array([1.0, 2.0])

    def f(x):
        return w * x**3

    first = gradgen.grad(f)
    np.testing.assert_allclose(gradgen.grad(first)(X), 6 * w * X)
    np.testing.assert_allclose(gradgen.grad(gradgen.grad(first))(X), 6 * w)


def beside_a_number(x):
    return x**3, 5


def of_two(x):
    return x**3, np.sum(x)


def in_a_dictionary(x):
    return {"a": x**3}


def complex_ones(x):
    return x**3 * (1 + 1j)


def with_others(x, *others):
    return x**3 * (1 + len(others))


@pytest.mark.parametrize(
    "f", (beside_a_number, of_two, in_a_dictionary, complex_ones, with_others)
)
def test_without_one_real_result_it_is_refused(f):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(gradgen.grad(f))(X)
    assert "GG506" in str(caught.value)


def test_pullbacks_have_no_derivative():
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(gradgen.vjp(lambda x: x**3))(X)
