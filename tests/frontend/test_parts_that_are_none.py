"""A part of the result that is None on one way: the value is it as well."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def fitted(x, both=False):
    length = np.sqrt(np.sum(x * x))
    if both:
        return x * length, length
    return x * length, None


def alone(x, both=False):
    if both:
        return np.sum(x * x)
    return None


def named(x, both=False):
    length = np.sqrt(np.sum(x * x))
    if both:
        return {"sum": np.sum(x), "length": length}
    return {"sum": np.sum(x), "length": None}


def listed(x, both=False):
    if not both:
        return [np.sum(x), None]
    return [np.sum(x), np.exp(x)]


def by_turns(x, n=1):
    if n == 0:
        return np.sum(x), None, None
    if n == 1:
        return np.sum(x), x * x, None
    return np.sum(x), x * x, np.exp(x)


def inner(x, limit=0.5):
    total = np.sum(x)
    if total > limit:
        return total, np.exp(-total), (x * total, None)
    return total, None, (None, total)


def in_an_expression(x, both=False):
    return (np.sum(x), np.sum(x * x)) if both else (np.sum(x), None)


def parts(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [part for one in value for part in parts(one)]
    return [value]


def ones(value):
    if isinstance(value, dict):
        return {key: ones(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(ones(one) for one in value)
    return None if value is None else np.ones_like(value)[()]


CASES = [
    *((f, rest) for f in (fitted, alone, named, listed) for rest in ((), (False,))),
    *((f, (True,)) for f in (fitted, alone, named, listed, in_an_expression)),
    *((by_turns, rest) for rest in ((), (0,), (1,), (2,))),
    *((inner, rest) for rest in ((), (100.0,))),
    (in_an_expression, ()),
]


@pytest.mark.parametrize(("f", "rest"), CASES)
def test_the_value_and_the_gradient(f, rest):
    x = np.array([0.4, 1.3, 2.1])
    want = f(x, *rest)

    def total(y):
        return sum(np.sum(part) for part in parts(f(y, *rest)) if part is not None)

    value, pull = gradgen.vjp(f)(x, *rest)
    assert type(value) is type(want)
    for one, other in zip(parts(value), parts(want), strict=True):
        assert (one is None) is (other is None)
        assert one is None or np.array_equal(one, other)
    expected = numeric_gradient(total, (x,), 0).value if any_part(want) else 0 * x
    np.testing.assert_allclose(pull(ones(want)), expected, rtol=1e-7, atol=1e-9)


def any_part(value):
    return any(part is not None for part in parts(value))
