"""Calls of functions and of methods that do nothing but raise, in some branch."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def bad(k=0):
    raise ValueError("no such one")


def picked(x, i):
    if i == 0:
        return x
    raise ValueError("no such one")


class Element:
    def _index_error(self):
        raise ValueError("no such one")

    @classmethod
    def _of_the_class(cls):
        raise ValueError("no such one")

    def basis(self, x, i):
        if i == 0:
            phi = 1.0 - x
        elif i == 1:
            phi = x**2
        else:
            self._index_error()
        return np.sum(phi * x)

    def other(self, x, i):
        if i < 2:
            return np.sum(x**3)
        phi = self._of_the_class()
        return np.sum(phi)


ELEMENT = Element()


def by_a_function(x, i):
    if i == 0:
        p = x
    else:
        bad(i)
    return np.sum(p**2)


def in_a_loop(x, i):
    for k in range(3):
        if i == 2 and k == 1:
            ELEMENT._index_error()
        x = np.sin(x) * 1.5
    return np.sum(x)


def of_the_array(x, i):
    if np.any(x < -5) or i == 2:
        bad(np.sum(x))
    return np.sum(x**2)


def at_the_end(x, i):
    if i == 0:
        return np.sum(x)
    elif i == 1:
        return np.sum(x**2)
    else:
        ELEMENT._index_error()


def inside(x, i):
    return np.sum(picked(x, i - 1) * x)


ALL = [ELEMENT.basis, ELEMENT.other, by_a_function, in_a_loop]
ALL += [of_the_array, at_the_end, inside]
X = np.array([0.7, 0.4, 1.3])


@pytest.mark.parametrize("i", [0, 1, 2])
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_it_raises_where_the_function_does(f, i):
    derivative = gradgen.grad(f)
    space: dict = {}
    exec(gradgen.emit(f), space)
    text = space[f"grad_{f.__name__}"]
    own = (ELEMENT,) if hasattr(f, "__self__") else ()
    try:
        f(X, i)
    except ValueError as error:
        for call in (derivative, lambda *given: text(*own, *given)):
            with pytest.raises(ValueError, match=str(error)):
                call(X, i)
        return
    want = numeric_gradient(f, (X, i), 0).value
    np.testing.assert_allclose(derivative(X, i), want, rtol=1e-7)
    np.testing.assert_allclose(text(*own, X, i), want, rtol=1e-7)


def _undefined(v):
    raise ValueError("no units")


def _scaled(v):
    return v * 2.0 if _undefined(v) else v * 3.0


scaled = np.vectorize(_scaled, otypes=[float])


def of_entries(x):
    return np.sum(scaled(x))


def of_a_list(x):
    return np.sum(np.array([_undefined(v) * v for v in x]))


def of_a_sum(x):
    return sum(_undefined(v) for v in x)


def of_a_choice(x):
    return np.sum(x**2 if np.sum(x) > 5 else _undefined(x))


def of_a_test(x):
    s = 0.0
    for v in x:
        s += v if v > 0.1 and _undefined(v) else 2 * v
    return s


def of_a_while(x):
    while _undefined(x):
        x = x * 2
    return np.sum(x)


def of_an_assert(x):
    for v in x:
        assert _undefined(v)
    return np.sum(x)


def of_a_comparison(x):
    s = 0.0
    for v in x:
        if v > _undefined(v):
            s += v
    return s


def of_a_key(x):
    return np.sum(x[_undefined(x)])


def of_a_branch(x):
    for v in x:
        if _undefined(v):
            return v
    return np.sum(x)


NEVER = [of_entries, of_a_list, of_a_sum, of_a_choice, of_a_test, of_a_while]
NEVER += [of_an_assert, of_a_comparison, of_a_key, of_a_branch]


@pytest.mark.parametrize("f", NEVER, ids=lambda f: f.__name__)
def test_what_always_raises_raises_or_is_refused(f):
    with pytest.raises(ValueError, match="no units"):
        f(X)
    for made in (lambda: gradgen.grad(f)(X), lambda: _by_text(f)):
        with pytest.raises((ValueError, gradgen.GradgenError)) as caught:
            made()
        refused = isinstance(caught.value, gradgen.GradgenError)
        assert refused or "no units" in str(caught.value)


def _by_text(f):
    space: dict = {}
    exec(gradgen.emit(f), space)
    return space[f"grad_{f.__name__}"](X)
