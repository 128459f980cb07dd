"""Parameters and their defaults in the text: what they are, not what is written."""

import inspect

import numpy as np
import pytest

import gradgen

x = np.array([0.5, -1.0, 2.0])


def above(x, low=float("-inf")):
    return np.sum(np.maximum(x, low) ** 2)


def nested(x, pair=(1.0, (np.inf,))):
    return np.sum(np.minimum(x, pair[1][0]) ** 2) * pair[0]


@pytest.mark.parametrize("function", [above, nested])
def test_a_default_that_is_not_finite(function):
    made = gradgen.grad(function)
    np.testing.assert_allclose(made(x), 2 * x, rtol=1e-14)
    own = inspect.signature(function).parameters.values()
    found = inspect.signature(made.function).parameters
    assert all(found[p.name].default == p.default for p in own)


def test_a_default_that_was_set_later():
    def scaled(x, c=2.0, *, k=1.0):
        return c * k * np.sum(x**2)

    scaled.__defaults__, scaled.__kwdefaults__ = (7.0,), {"k": 3.0}
    np.testing.assert_allclose(gradgen.grad(scaled)(x), 42 * x, rtol=1e-14)


def with_a_function(x, how=(np.sum, 1)):
    return how[0](x**2)


def test_a_default_that_holds_a_function_is_what_the_text_is_made_of():
    names: dict = {}
    exec(gradgen.emit(with_a_function), names)
    np.testing.assert_allclose(names["grad_with_a_function"](x), 2 * x, rtol=1e-14)
    with pytest.raises(ValueError, match="other than as in with_a_function"):
        names["grad_with_a_function"](x, (np.mean, 1))


def by_position(x, /, y):
    return np.sum(x * y)


def test_a_positional_only_parameter_has_a_name_in_the_text():
    assert "def grad_by_position(x, y" in gradgen.emit(by_position, "y")
