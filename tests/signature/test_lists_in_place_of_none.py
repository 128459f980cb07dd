"""Arguments that are lists, or None in whose place a list of numbers stands."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def by_or(p, shift=None):
    shift = shift or [0, 0, 0]
    x = p - shift[0]
    return x * shift[1] + shift[2]


def by_branch(p, shift=None):
    if shift is None:
        shift = [0, 0, 0]
    x = p - shift[0]
    return x * shift[1] ** 2 + shift[2]


def by_expression(p, shift=None):
    shift = [0.0, 1.0, 0.0] if shift is None else shift
    return np.sin(p - shift[0]) * shift[1] + shift[2]


def by_truth(p, shift):
    if not shift:
        return p
    total = 0.0
    for one in shift:
        total = total + one * p
    return total**2


def by_and(p, shift):
    scale = shift and shift[-1]
    return p * scale**2


def kept(p, shift=None):
    shift = shift or [1.0]
    shift = shift + [2.0]
    return p * shift[0] ** len(shift)


EVERY = [by_or, by_branch, by_expression, by_truth, by_and, kept]
SHIFTS = [[0.1, 0.2, 0.3], (0.1, 0.2, 0.3), [1, 2, 3]]


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


def differences(f, p, shift):
    def of(values):
        return f(p, type(shift)(float(v) for v in values))

    return numeric_gradient(of, (np.array(shift, float),), 0).value


@pytest.mark.parametrize("f", EVERY)
@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("wrt", ["p", "shift"])
def test_a_list_that_is_given_is_that_list(f, shift, wrt):
    if f is kept and isinstance(shift, tuple):
        shift = list(shift)  # a tuple and a list make no list
    if wrt == "p":
        want = numeric_gradient(lambda p: f(p, shift), (2.0,), 0).value
    else:
        want = differences(f, 2.0, shift)
    derivative = gradgen.grad(f, wrt=wrt)
    for _ in range(2):
        found = derivative(2.0, shift)
        np.testing.assert_allclose(found, want, rtol=1e-6)
    if wrt == "shift":
        assert type(found) is type(shift)
    text = gradgen.emit(f, wrt=wrt, example=(2.0, shift))
    np.testing.assert_allclose(made(text)(2.0, shift), want, rtol=1e-6)


@pytest.mark.parametrize("f", [by_or, by_branch, by_expression])
def test_other_lengths_and_none_are_other_calls(f):
    derivative = gradgen.grad(f, wrt="shift")
    for shift in ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1, 5.0]):
        np.testing.assert_allclose(derivative(2.0, shift), differences(f, 2.0, shift))
    in_p = gradgen.grad(f, wrt="p")
    for shift in ([0.1, 0.2, 0.3], None):
        want = numeric_gradient(lambda p: f(p, shift), (2.0,), 0).value
        np.testing.assert_allclose(in_p(2.0, shift), want, atol=1e-9)


def test_a_method():
    class Model:
        def __init__(self, k):
            self.k = k

        def value(self, p, shift=None):
            shift = shift or [0, 0]
            return self.k * (p - shift[0]) * shift[1]

    found = gradgen.grad(Model(3.0).value, wrt="shift")(2.0, [0.5, 0.25])
    np.testing.assert_allclose(found, [-0.75, 4.5])


def test_an_array_has_no_truth():
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(by_or, wrt="shift")(2.0, np.array([0.1, 0.2, 0.3]))
    assert caught.value.code == "GG204"


@pytest.mark.parametrize("f", [by_or, by_branch, by_expression])
def test_what_may_be_an_array_is_told(f):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(f, wrt="shift")
    assert caught.value.code == "GG222"
    assert "shift is an array by one way, and a list by the other" in str(caught.value)
    told = gradgen.emit(f, wrt="shift", shapes={"shift": ["", "", ""]})
    shift = [0.1, 0.2, 0.3]
    np.testing.assert_allclose(made(told)(2.0, shift), differences(f, 2.0, shift))


@pytest.mark.parametrize(
    "value, others", [([1, 2], [1, 3]), ([[1, 2], [3, 4]], [[1, 2], [3]]), ([0], [])]
)
def test_a_list_that_is_told_as_a_value_is_looked_at(value, others):
    def f(x, k):
        return x**2 * len(k)

    text = gradgen.emit(f, wrt="x", shapes={"k": f"={value}"})
    np.testing.assert_allclose(made(text)(1.5, value), 3.0 * len(value))
    with pytest.raises(ValueError, match="values of k other than"):
        made(text)(1.5, others)


def test_whole_numbers_round_what_goes_into_their_array():
    def f(x, k=None):
        k = k or [1, 2]
        return np.sum(np.full_like(k, x) * 1.5)

    with pytest.raises(gradgen.GradgenError, match="GG309|GG204"):
        gradgen.grad(f)(1.3, [1, 2, 3])
    with pytest.raises(gradgen.GradgenError, match="GG309|GG204"):
        gradgen.emit(f, wrt="x", example=(1.3, [1, 2, 3]))
    found = gradgen.grad(f)(1.3, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(found, 4.5)
