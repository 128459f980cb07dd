"""Entries of a list that get other values while a loop goes over the list.

Where the loop has been there already nothing that it still reads has changed; where it
comes there later, Python's loop sees the new value, and gradgen refuses.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([1.0, 2.0, 0.5])
P = np.array([0.5, 0.7, 1.1])
END = "return np.sum(items[0] * items[1] + items[-1])"
TAKEN = {
    "each in its turn": "for i, v in enumerate(items):\n    items[i] = v * p",
    "those before": "for i, v in enumerate(items):\n    items[0] = items[0] * v\n"
    "    if i > 0:\n        items[i - 1] = v",
    "by a test of numbers": "for i, v in enumerate(items):\n    if np.sum(v) > 2.0:\n"
    "        items[i] = v * v",
    "side by side": "for i, (v, w) in enumerate(zip(items, items)):\n"
    "    items[i] = v * w",
    "with names": "for i, (name, v) in enumerate(zip('abc', items)):\n"
    "    if name != 'b':\n        items[i] = np.asarray(v) * p",
    "backwards": "for i, v in zip((2, 1, 0), reversed(items)):\n    items[i] = v * p",
    "added to": "for i, v in enumerate(items):\n    items[i] += v * p",
}
LATER = {
    "the next": "for i, v in enumerate(items):\n    if i < 2:\n        items[i + 1] = v",
    "the last": "for v in items:\n    items[-1] = v * p",
    "of the other way round": "for v, w in zip(items, reversed(items)):\n"
    "    items[0] = v * w",
    "of a loop around": "for v in items:\n    for i, w in enumerate(items):\n"
    "        items[i] = v * w",
    "longer": "for i, v in enumerate(items):\n    if i < 2:\n        items.append(v)",
    "by a function": "for v in map(lambda z: 2 * z, items):\n    items[0] = v",
}


def made(lines, tmp_path):
    body = f"items = [x, 2 * x, x * p]\n{lines}\n{END}".replace("\n", "\n    ")
    return written(f"def f(x, p):\n    {body}\n", tmp_path)


@pytest.mark.parametrize("name", TAKEN)
def test_entries_that_the_loop_has_read(name, tmp_path):
    function = made(TAKEN[name], tmp_path)
    want = numeric_gradient(function, (X.copy(), P), 0, 1.0).value
    np.testing.assert_allclose(gradgen.grad(function)(X, P), want, rtol=1e-7)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space["grad_f"](X, P), want, rtol=1e-7)


@pytest.mark.parametrize("name", LATER)
def test_entries_that_the_loop_comes_to(name, tmp_path):
    with pytest.raises(gradgen.GradgenError) as found:
        gradgen.emit(made(LATER[name], tmp_path))
    assert {p.code for p in found.value.problems} <= {"GG249", "GG268"}


def test_a_wrapper_that_converts_what_it_is_given(tmp_path):
    function = written(
        """
        from functools import wraps

        def arrays(f):
            @wraps(f)
            def wrapper(*args, **kwargs):
                args = list(args)
                for i, v in enumerate(args):
                    if v is not None:
                        args[i] = np.asarray(v)
                for k, v in kwargs.items():
                    if v is not None:
                        kwargs[k] = np.asarray(v)
                return f(*args, **kwargs)
            return wrapper

        @arrays
        def f(x, y, scale=None):
            return np.sum(x * y**2) * (1 if scale is None else scale)
        """,
        tmp_path,
    )
    np.testing.assert_allclose(gradgen.grad(function)(X, P), P**2)
    np.testing.assert_allclose(gradgen.grad(function)(X, P, scale=2.0), 2 * P**2)
    np.testing.assert_allclose(gradgen.grad(function)(X, y=P), P**2)


def test_a_wrapper_that_converts_by_names(tmp_path):
    function = written(
        """
        import inspect
        from functools import wraps

        def arrays(*names):
            def decorator(f):
                @wraps(f)
                def wrapper(*args, **kwargs):
                    spec = inspect.getfullargspec(f)
                    args = list(args)
                    for i, (name, v) in enumerate(zip(spec.args, args)):
                        if name in names and v is not None:
                            args[i] = 2 * np.array(v)
                    assert len(inspect.getfullargspec(f).kwonlyargs) == 0
                    return f(*args, **kwargs)
                return wrapper
            return decorator

        @arrays("x")
        def f(x, y):
            return np.sum(x * y**2)
        """,
        tmp_path,
    )
    np.testing.assert_allclose(gradgen.grad(function)(X, P), 2 * P**2)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space["grad_f"](X, P), 2 * P**2)
