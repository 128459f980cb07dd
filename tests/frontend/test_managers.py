"""with blocks of functions that contextlib.contextmanager has made, and closures in rounds."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.4, 0.9, -0.31, 1.3])
HEAD = """import numpy as np
from contextlib import contextmanager


class Box:
    def __init__(self, a):
        self.a = a


@contextmanager
def scaled(k, by=2.0):
    yield k * by


@contextmanager
def pushed(box, v):
    old = box.a
    box.a = v
    try:
        yield box
    finally:
        box.a = old


@contextmanager
def counted(box):
    n = 0.0
    box.a = box.a + 1
    n = n + box.a
    yield
    box.a = box.a * n
    n = 5.0


@contextmanager
def buffer(n):
    b = np.zeros(n)
    yield b
    b[0] = 9.0


@contextmanager
def forgiving(v):
    try:
        yield v
    except ValueError:
        pass


@contextmanager
def either(v):
    if v > 0:
        yield v
    else:
        yield -v


def made(v):
    def inner(w):
        return v * w
    return inner


"""
TAKEN = (
    "with scaled(x[0]) as k:\n        s = k * x[1]\n    return s",
    "o = Box(x[0])\n    with pushed(o, x[1]) as c:\n        s = c.a * o.a\n    return s + o.a",
    "o = Box(x[0])\n    with counted(o):\n        s = o.a * x[1]\n    return s * o.a",
    "with buffer(4) as b:\n        b[:] = x * x\n        s = np.sum(b * x)\n"
    "    return s + np.sum(b * x)",
    "with scaled(x[0]) as k, scaled(k, x[1]) as j:\n        s = k * j\n    return s",
    "with scaled(*x[:2]) as k:\n        x = x * k\n    return np.sum(x * x)",
    "s = 0.0\n    for v in x:\n        with scaled(v, by=3.0) as k:\n"
    "            if k < 0:\n                continue\n            s += k * k\n    return s",
    "o = Box(x[0])\n    def g():\n        with pushed(o, x[1]):\n"
    "            if x[2] < 0:\n                return o.a * 2\n        return o.a * 7\n"
    "    return g() + o.a",
    "s = 0.0\n    o = Box(1.0)\n    for i in range(3):\n"
    "        with pushed(o, x[i]) as c:\n            s += c.a * o.a\n"
    "            if i == 1:\n                break\n        s *= o.a + i\n    return s * o.a",
    "s = 0.0\n    for v in x:\n        s += made(v)(s + 2.0)\n    return s",
    "s = 0.0\n    for v in x:\n        g = made(v) if v > 0 else made(v * 2)\n"
    "        s += g(v)\n    return s",
    "def step(s, v):\n        n = 0.0\n        def put(w):\n            nonlocal n\n"
    "            n = n + w\n        put(v)\n        put(v * s)\n        return n\n"
    "    s = 1.0\n    for v in x:\n        s = step(s, v)\n    return s",
)
REFUSED = (
    "with forgiving(x[0]) as v:\n        s = v * 2\n    return s",
    "with either(x[0]) as v:\n        s = v * 2\n    return s",
    "s = 0.0\n    for v in x:\n        g = made(v)\n        s += g(v)\n    return s + g(3.0)",
)


@pytest.mark.parametrize("body", TAKEN)
def test_what_is_done_around_a_block(body):
    function = imported(f"{HEAD}def f(x):\n    {body}\n", "f")
    want = numeric_gradient(function, [X.copy()], 0)
    got = gradgen.grad(function)(X.copy())
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body):
    function = imported(f"{HEAD}def f(x):\n    {body}\n", "f")
    function(X.copy())  # Python runs it
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(function)(X.copy())
    assert caught.value.code in ("GG113", "GG222")


@pytest.mark.parametrize(
    "call",
    (
        "g(*x[:3])",
        "(lambda a, b, c: a * b + c)(*x[1:])",
        "o.go(*x[:2])",
        "o(x[0], *x[2:])",
    ),
)
def test_a_starred_array_is_as_many_as_the_function_takes(call):
    text = (
        "class C:\n    def go(self, a, b):\n        return a / b\n\n"
        "    def __call__(self, a, b, c):\n        return a - b * c\n\n\n"
        "def f(x):\n    def g(a, b, c):\n        return a * b + c\n    o = C()\n"
        f"    return {call}\n"
    )
    function = imported(text, "f")
    want = numeric_gradient(function, [X.copy()], 0)
    got = gradgen.grad(function)(X.copy())
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)
