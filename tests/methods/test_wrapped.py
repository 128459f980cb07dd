"""Bound methods whose decorators take *args, of a class and of one that inherits them."""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.methods.wrapped import Field, Wider

X = np.array([0.5, 1.2, 2.0])
Z = np.array([0.3, 0.4, 0.5])
CALLS = {
    "energy": (X,),
    "force": (X, Z),
    "scaled": (X,),
    "both": (X,),
    "through": (X,),
    "__call__": (X,),
    "without_a_name": (X,),
    "each": (X, Z),
    "plain": (X,),
}
NO_NAMES = ("without_a_name", "each")


def truth(function, args):
    return numeric_gradient(function, [a.copy() for a in args], 0, 1.0).value


@pytest.mark.parametrize("cls", [Field, Wider])
@pytest.mark.parametrize("name", CALLS)
def test_bound(cls, name):
    method, args = getattr(cls(), name), CALLS[name]
    want = truth(method, args)
    g = gradgen.grad(method)(*args)
    assert g.shape == X.shape and g.dtype == X.dtype
    np.testing.assert_allclose(g, want, rtol=1e-7, atol=1e-9)
    value, gradient = gradgen.value_and_grad(method)(*args)
    assert value == method(*args)
    np.testing.assert_allclose(gradient, want, rtol=1e-7, atol=1e-9)
    pushed = gradgen.jvp(method)(*args, Z)[1]
    np.testing.assert_allclose(pushed, want @ Z, rtol=1e-7, atol=1e-9)
    pulled = gradgen.vjp(method)(*args)[1](2.0)
    np.testing.assert_allclose(pulled, 2 * want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("cls", [Field, Wider])
@pytest.mark.parametrize("name", [name for name in CALLS if name not in NO_NAMES])
def test_texts_and_the_class_itself(cls, name):
    instance, args = cls(), CALLS[name]
    want = truth(getattr(instance, name), args)
    for function in (getattr(instance, name), getattr(Field, name)):
        space = {}
        exec(gradgen.emit(function, wrt="x"), space)
        made = space[f"grad_{name}"]
        assert list(inspect.signature(made).parameters)[0] == "self"
        np.testing.assert_allclose(made(instance, *args), want, rtol=1e-7, atol=1e-9)
    g = gradgen.grad(getattr(Field, name), wrt="x")(instance, *args)
    np.testing.assert_allclose(g, want, rtol=1e-7, atol=1e-9)


def test_an_attribute_and_another_instance():
    g = gradgen.grad(Field().force, wrt="self.scale")
    np.testing.assert_allclose(g(X, Z), np.sum(2 * Z))
    other = gradgen.grad(Field(4.0).scaled)(X)
    np.testing.assert_allclose(other, 4.0 * np.cos(X) * Field().W)
