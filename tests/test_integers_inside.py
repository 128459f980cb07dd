"""Whole numbers in what an argument holds: attributes, entries of dictionaries, of records."""

from types import SimpleNamespace

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.writing import written

STORES = {
    "zeros": "z = np.zeros_like({w})|z[0] = x[0] * 0.5",
    "a copy": "z = {w}.copy()|z[1:] = x[1:] * 0.5",
    "a loop": "z = np.ones_like({w})|for i in range(3):|    z[i] = 0.5 * x[i]",
}
CLASS = """
class K:
    def __init__(self, w):
        self.w = w

    def f(self, x):
{body}        return np.sum(z) + np.sum(x * x)
"""
PLAIN = """
def f(p, x):
{body}    return np.sum(z) + np.sum(x * x)
"""


def of(way, lines, tmp_path):
    """The function, and what it is handed beside x for a w."""
    read = {"attribute": "p.w", "key": 'p["w"]', "instance": "self.w"}[way]
    deep = " " * (8 if way == "instance" else 4)
    body = "".join(f"{deep}{line}\n" for line in lines.format(w=read).split("|"))
    if way == "instance":
        cls = written(CLASS.format(body=body), tmp_path, function="K")
        return cls.f, cls
    function = written(PLAIN.format(body=body), tmp_path)
    return function, (lambda w: {"w": w}) if way == "key" else (
        lambda w: SimpleNamespace(w=w)
    )


@pytest.mark.parametrize("way", ("attribute", "key", "instance"))
@pytest.mark.parametrize("lines", STORES.values(), ids=STORES)
def test_a_text_looks_at_what_it_stores_in(way, lines, tmp_path):
    function, made = of(way, lines, tmp_path)
    x = np.array([0.3, -0.7, 1.1])
    space: dict = {}
    exec(gradgen.emit(function, wrt="x"), space)
    floats = np.array([1.0, 2.0, 3.0])
    steps = np.eye(3) * 1e-6
    want = [
        (function(made(floats), x + e) - function(made(floats), x - e)) / 2e-6
        for e in steps
    ]
    found = space["grad_f"](made(floats), x)
    np.testing.assert_allclose(found, want, rtol=1e-7)
    for dtype in (int, bool, np.uint8):
        with pytest.raises(ValueError, match="holds integers"):
            space["grad_f"](made(floats.astype(dtype)), x)


class Scan:
    def __init__(self, w, scale=1.0):
        self.w, self.scale = w, scale
        self.inner = SimpleNamespace(w=w.copy())

    def own(self, x):
        total = 0.0
        for i in range(len(x)):
            total = 0.3 * total + x[i] * self.w[i]
        return total

    def nested(self, x):
        total = 0.0
        for i in range(len(x)):
            total = 0.3 * total + x[i] * self.inner.w[i]
        return total * self.scale


@pytest.mark.parametrize("dtype", (int, bool, np.int8))
@pytest.mark.parametrize("name, wrt", [("own", "self.w"), ("nested", "self.inner.w")])
def test_an_instance_that_holds_integers_has_no_gradient_in_them(name, wrt, dtype):
    """As by a call, and as where an example tells of an argument."""
    scan, x = Scan(np.array([2, 1, 3]).astype(dtype)), np.array([0.5, 2.0, -1.0])
    method = getattr(scan, name)
    with pytest.raises(GradgenError, match=f"GG502 the argument {wrt}"):
        gradgen.emit(method, wrt=wrt)
    with pytest.raises(GradgenError, match=f"GG502 the argument {wrt}"):
        gradgen.emit(method, wrt=(wrt, "x"))
    with pytest.raises(GradgenError, match="GG502"):
        gradgen.grad(method, wrt=wrt)(x)
    assert "d_x" in gradgen.emit(method, wrt="x")


def test_what_else_an_instance_holds_may_be_whole():
    scan = Scan(np.array([2.0, 1.0, 3.0]), scale=2)
    for wrt in ("self.inner.w", "self.scale"):
        assert "d_" in gradgen.emit(scan.nested, wrt=wrt)


@pytest.mark.parametrize("way", ("attribute", "key", "instance"))
def test_a_list_of_arrays_of_several_lengths_is_no_array(way, tmp_path):
    lines = "z = np.zeros_like({w}[0])|z[0] = x[0] * 0.5|z[1] = np.sum({w}[1]) * x[1]"
    function, made = of(way, lines, tmp_path)
    x = np.array([0.3, -0.7, 1.1])
    space: dict = {}
    exec(gradgen.emit(function, wrt="x"), space)
    held = [np.array([1.0, 2.0, 3.0]), np.array([0.5, -2.0])]
    steps = np.eye(3) * 1e-6
    want = [
        (function(made(held), x + e) - function(made(held), x - e)) / 2e-6
        for e in steps
    ]
    np.testing.assert_allclose(space["grad_f"](made(held), x), want, rtol=1e-7)
