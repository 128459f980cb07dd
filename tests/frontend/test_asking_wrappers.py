"""Decorators that ask how they are called: whether k is given, by place or by keyword.

A gradient is that of the call as it is made, and a text that of the call with what has to
be given alone.
"""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([1.0, 2.0])
ASKING = {
    "a default of its own": "if 'k' not in kwargs:\n    kwargs['k'] = 3.0\n"
    "return f(*args, **kwargs)",
    "setdefault": "kwargs.setdefault('k', 3.0)\nreturn f(*args, **kwargs)",
    "get": "return f(*args, **kwargs) * kwargs.get('k', 3.0)",
    "pop": "k = kwargs.pop('k', 3.0)\nreturn f(*args, **kwargs) * k",
    "how many": "return f(*args, **kwargs) * len(args)",
    "whether any": "return f(*args, **kwargs) * (2 if kwargs else 5)",
    "the second place": "s = args[1] if len(args) > 1 else 7.0\n"
    "return f(*args, **kwargs) * s",
    "one that has to be": "if 'x' in kwargs:\n    kwargs['x'] = kwargs['x'] * 2\n"
    "return f(*args, **kwargs)",
    "each in its turn": "args = [2.0 * a for a in args]\nreturn f(*args, **kwargs)",
    "each by its name": "for name, v in kwargs.items():\n    kwargs[name] = 2.0 * v\n"
    "return f(*args, **kwargs)",
    "by places of a range": "given = ()\nfor i in range(len(args)):\n"
    "    given = (*given, 2.0 * args[i])\nreturn f(*given, **kwargs)",
    "all but the first": "return f(args[0], *[2.0 * a for a in args[1:]], **kwargs)",
    "under another name": "given = dict(kwargs)\nreturn f(*args, **given) * "
    "given.get('k', 3.0)",
}
STRAIGHT = {
    "of no parameter": "return f(*args, **kwargs) * kwargs.get('unit', 2.0)",
    "the first place": "return f(*args, **kwargs) * np.sum(args[0])",
}
HEADS = ("x, k=1.0", "x, *, k=1.0")
CALLS = ([X], {}), ([X], {"k": 2.0}), ([X, 2.0], {}), ([], {"x": X})


def made(lines, head, tmp_path):
    body = lines.replace("\n", "\n        ")
    return written(
        f"from functools import wraps\n\n\ndef asking(f):\n    @wraps(f)\n"
        f"    def wrapper(*args, **kwargs):\n        {body}\n    return wrapper\n\n\n"
        f"@asking\ndef f({head}):\n    return np.sum(x**2 * k)\n",
        tmp_path,
    )


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("name", {**ASKING, **STRAIGHT})
def test_calls(name, head, tmp_path):
    function = made({**ASKING, **STRAIGHT}[name], head, tmp_path)
    taken = 0
    for args, kwargs in CALLS:
        try:
            function(*args, **kwargs)
        except (TypeError, IndexError):
            continue

        def of_x(x):
            if args:
                return function(x, *args[1:], **kwargs)
            return function(**(kwargs | {"x": x}))

        want = numeric_gradient(of_x, (X.copy(),), 0, 1.0).value
        try:
            g = gradgen.grad(function)(*args, **kwargs)
        except gradgen.GradgenError:
            assert not args  # what was given by its keyword is read by its place
            continue
        np.testing.assert_allclose(g, want, rtol=1e-7, atol=1e-9)
        taken += 1
    assert taken >= 2


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("name", {**ASKING, **STRAIGHT})
def test_texts(name, head, tmp_path):
    function = made({**ASKING, **STRAIGHT}[name], head, tmp_path)
    space = {}
    exec(gradgen.emit(function), space)
    want = numeric_gradient(function, (X.copy(),), 0, 1.0).value
    np.testing.assert_allclose(space["grad_f"](X), want, rtol=1e-7, atol=1e-9)
    if name in STRAIGHT and head == HEADS[0]:
        assert "k" in inspect.signature(space["grad_f"]).parameters
