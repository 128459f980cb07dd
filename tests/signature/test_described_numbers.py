"""A default, an annotation or a docstring says t is a number, and an array comes."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient


def by_default(x, t=0.5):
    return (1 - t) * x + t * x**2


def by_annotation(x, t: float):
    return x * np.exp(-t)


def by_docstring(x, t):
    """A blend.

    :param t: how far
    :type t: float
    """
    return np.sum(np.sin(t * x))


def by_both(x: np.ndarray, t: float = 0.25) -> np.ndarray:
    return np.where(x > t, x * t, 0.1 * x)


FUNCTIONS = [by_default, by_annotation, by_docstring, by_both]
x = np.array([0.4, 0.9, 1.3])


def emitted(function):
    space = {}
    exec(gradgen.emit(function, wrt=("x", "t")), space)
    return space[f"grad_{function.__name__}"]


def measured(function, t):
    value = np.asarray(function(x, t))
    seed = np.cos(np.arange(value.size)).reshape(value.shape)[()]
    wants = [numeric_gradient(function, [x, t], i, seed).value for i in (0, 1)]
    return seed, wants


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_text_is_right_of_a_number(function):
    seed, wants = measured(function, 0.7)
    for found, want in zip(emitted(function)(x, 0.7, seed), wants, strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-6)
        assert np.shape(found) == np.shape(want)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape", [(3,), (1,), (3, 1), (2, 3)])
def test_the_text_raises_of_an_array(function, shape):
    with pytest.raises(ValueError, match="t is taken for a number"):
        emitted(function)(x, np.full(shape, 0.6))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape", [(3,), (1,), (3, 1), (2, 3)])
def test_a_call_has_a_text_for_the_array(function, shape):
    t = np.linspace(0.3, 0.8, int(np.prod(shape))).reshape(shape)
    seed, wants = measured(function, t)
    seed = 1.0 if seed.ndim == 0 else seed
    found = gradgen.grad(function, wrt=("x", "t"))(x, t, seed=seed)
    for one, want in zip(found, wants, strict=True):
        np.testing.assert_allclose(one, want, rtol=1e-6)
        assert np.shape(one) == np.shape(want)


def of_two_numbers(x: float, t: float = 0.5) -> float:
    return np.sum(np.sin(x[:-1] * x[1:])) * t


class Model:
    def decay(self, x: float, t: float) -> float:
        return x * np.exp(-t)


@pytest.mark.parametrize("function", [of_two_numbers, Model().decay])
def test_a_call_with_arrays_alone(function):
    def total(*args):
        return np.sum(function(*args))

    wants = [numeric_gradient(total, [x, 0.7], i).value for i in (0, 1)]
    found = gradgen.grad(function, wrt=("x", "t"))(x, 0.7)
    for one, want in zip(found, wants, strict=True):
        np.testing.assert_allclose(one, want, rtol=1e-6)


@pytest.mark.parametrize("function", [by_annotation, by_both])
def test_a_call_holds_to_a_fact(function):
    with pytest.raises(GradgenError) as raised:
        gradgen.grad(function, shapes={"t": ""})(x, np.full(3, 0.6))
    assert raised.value.code == "GG503"


@pytest.mark.parametrize("function", [by_annotation, by_both])
def test_a_fact_says_more_than_an_annotation(function):
    space, t = {}, np.full(3, 0.6)
    exec(gradgen.emit(function, wrt=("x", "t"), shapes={"x": "n", "t": "n"}), space)
    seed, wants = measured(function, t)
    found = space[f"grad_{function.__name__}"](x, t, d_out=seed)
    for one, want in zip(found, wants, strict=True):
        np.testing.assert_allclose(one, want, rtol=1e-6)


def with_options(x, axis=0, kind="mean", flag=True, s=1.5):
    y = np.mean(x, axis=axis) if kind == "mean" else np.sum(x, axis=axis)
    return np.sum(y * s) if flag else np.sum(y**2) * s


def test_options_are_not_looked_at():
    text = gradgen.emit(with_options)
    for name in ("axis", "kind", "flag"):
        assert f"np.ndim({name})" not in text


@pytest.mark.parametrize("told", [{"x": "n"}, {"x": "*s"}])
def test_it_raises_where_the_shape_of_another_argument_is_told(told):
    function, space = by_default, {}
    exec(gradgen.emit(function, shapes=told), space)
    grad = space[f"grad_{function.__name__}"]
    seed, wants = measured(function, 0.7)
    np.testing.assert_allclose(grad(x, 0.7, d_out=seed), wants[0], rtol=1e-6)
    for shape in [(3,), (1,), (2, 3)]:
        with pytest.raises(ValueError, match="t is taken for a number"):
            grad(x, np.full(shape, 0.6), d_out=seed)


@pytest.mark.parametrize("function", [by_annotation, by_both])
def test_an_annotation_holds_as_a_told_fact_does(function):
    assert "is taken for" not in gradgen.emit(function, shapes={"x": "n"})
