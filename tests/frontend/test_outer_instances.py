"""Instances around a function: what it reads of them, and what it may not change."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written
from tests.fuzz.program import imported

MODULE = """\
import dataclasses
import functools
import types

import numpy as np


class Base:
    gain = 2.0

    def scaled(self, x):
        return self.gain * x


class Lin:
    __slots__ = ("k",)

    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return self.k * x**2

    def cubed(self, x):
        return self.k * x**3


class Net(Base):
    def __init__(self, n, scale=1.0):
        self.W = scale * np.linspace(0.1, 1.0, n * n).reshape(n, n)
        self.big = np.linspace(-1.0, 1.0, 30 * n).reshape(30, n)
        self.rate = 0.3 * scale
        self.name = "tanh"
        self.act = np.tanh
        self.inner = types.SimpleNamespace(k=2.0)
        self.parts = [Lin(1.5), Lin(0.5)]
        self.losses = []
        self.calls = 0

    def forward(self, x):
        return self.act(x @ self.W)

    def wide(self, x):
        return self.big @ x

    @property
    def twice(self):
        return 2 * self.rate

    @property
    def thrice(self):
        return 3 * self.rate

    @functools.cached_property
    def half(self):
        return 0.5 * self.rate

    @staticmethod
    def cube(x):
        return x**3

    def counted(self, x):
        self.calls += 1
        return x**2

    def deep(self, x):
        for part in self.parts:
            x = part(x)
        return x


@dataclasses.dataclass
class Conf:
    rate: float = 0.5
    power: int = 3

    def apply(self, x):
        return self.rate * x**self.power


@dataclasses.dataclass(frozen=True)
class Frozen:
    rate: float = 0.5

    def apply(self, x):
        return self.rate * np.sin(x)


net, other, lin, conf, frozen = Net(3), Net(3, 2.0), Lin(3.0), Conf(), Frozen()
nets, tied = [Net(3), Net(3, 0.5)], [net]
holder = types.SimpleNamespace(part=lin)
table = {"a": Lin(1.0), "b": Lin(2.0)}


def used(m, x):
    return m.forward(x)


def outer():
    own = Net(3)

    def inside(x):
        return own.forward(x) * own.rate

    return inside


inside = outer()


def f(x):
    %s
    return np.sum(y)
"""
X = np.array([0.2, 0.5, 0.9])
NUMBERS = [
    "y = net.rate * x**2 * net.gain",
    "y = net.scaled(x) ** 2",
    "y = net.twice * x * x + net.half * x",
    "y = net.cube(x)",
    "y = lin(x)",
    "y = conf.apply(x)",
    "y = frozen.apply(x)",
    "y = net.deep(x)",
    "y = net.parts[0](x)",
    "y = x**net.inner.k",
    "y = table['b'](x)",
    "y = sum(one(x) for one in net.parts)",
    "y = np.exp(x) if net.name == 'exp' else getattr(net, 'rate') * x**2",
    "n = net\n    y = n.rate * n.act(x)",
    "n = net if len(x) > 5 else other\n    y = n.rate * x**2",
    "y = 0.0\n    for n in nets:\n        y = y + n.rate * x**2",
]
SAME = [
    "y = x * (1.0 if net is other else 2.0)",
    "y = x * (1.0 if net is not None else 2.0)",
    "n = net\n    y = x**2 * (1.0 if n is net else 2.0)",
    "y = x**2 * (1.0 if tied[0] is net else 2.0)",
    "y = x**2 * (1.0 if holder.part is not lin else 2.0)",
]
ARRAYS = [
    "y = net.forward(x)",
    "y = net.wide(x) ** 2 + np.sum(net.big)",
    "y = net.W @ x + other.W @ x**2",
    "y = net.wide(x) * other.wide(x)",
    "y = used(net, x) * used(other, x)",
    "y = nets[1].wide(nets[0].forward(x))",
    "g = net.forward\n    y = g(x)",
    "y = inside(x)",
    "net_big = x * 2\n    y = net.big @ net_big",
]


def function(body, name="f"):
    return imported(MODULE % body, name)


def check(found, f):
    want = numeric_gradient(f, [X], 0).value
    assert found.shape == X.shape
    assert found.dtype == X.dtype
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("body", NUMBERS + SAME)
def test_numbers_and_methods_are_read(body):
    f, space = function(body), {}
    check(gradgen.grad(f)(X.copy()), f)
    exec(gradgen.emit(f), space)
    check(space["grad_f"](X.copy()), f)


@pytest.mark.parametrize("body", ARRAYS)
def test_arrays_are_read_where_a_call_is(body):
    f = function(body)
    check(gradgen.grad(f)(X.copy()), f)
    check(gradgen.value_and_grad(f)(X.copy())[1], f)
    with pytest.raises(gradgen.GradgenError, match="GG211"):
        gradgen.emit(f)


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("y = net.rate * x**2", "net.rate = 9.0"),
        ("y = net.gain * x**2", "net.gain = 9.0"),
        ("y = net.gain * x**2", "Base.gain = 9.0"),
        ("y = net.twice * x", "Net.twice = Net.thrice"),
        ("y = net.forward(x)", "net.W = 2 * net.W"),
        ("y = net.forward(x)", "net.W[0, 0] += 1.0"),
        ("y = net.wide(x) ** 2", "net.big[0, 0] += 1.0"),
        ("y = net.wide(x) ** 2", "net.big = net.big[:10]"),
        ("y = net.forward(x)", "net.act = np.sin"),
        ("y = lin(x)", "lin.k = 9.0"),
        ("y = lin(x)", "Lin.__call__ = Lin.cubed"),
        ("y = net.deep(x)", "net.parts[1].k = 9.0"),
        ("y = net.deep(x)", "net.parts.append(Lin(2.0))"),
        ("y = x**net.inner.k", "net.inner.k = 3.0"),
        ("y = table['b'](x)", "table['b'] = Lin(9.0)"),
        ("y = conf.rate * conf.apply(x)", "conf.power = 4"),
        ("y = net.rate * used(net, x)", "net.act = np.sin"),
    ],
)
def test_what_has_changed_is_read_anew(body, change):
    f = function(body)
    found = gradgen.grad(f)
    check(found(X.copy()), f)
    exec(change, f.__globals__)
    check(found(X.copy()), f)


@pytest.mark.parametrize(
    "body",
    [
        "y = net.counted(x)",
        "net.rate = 2.0\n    y = net.rate * x",
        "net.W[0, 0] = 2.0\n    y = net.W @ x",
        "net.losses.append(1.0)\n    y = net.rate * x",
    ],
)
def test_an_instance_of_the_module_is_left_as_it_was(body):
    f = function(body)
    net = f.__globals__["net"]
    before, weights = dict(vars(net)), net.W.copy()
    losses = list(net.losses)
    found = gradgen.grad(f)(X.copy())
    assert all(vars(net)[name] is one for name, one in before.items())
    np.testing.assert_array_equal(net.W, weights)
    assert net.losses == losses
    check(found, f)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("y = net.counted(x)", "GG230"),
        ("net.rate = 2.0\n    y = net.rate * x", "GG230"),
        ("net.rate += 2.0\n    y = net.rate * x", "GG230"),
        ("net.W[0, 0] = 2.0\n    y = net.W @ x", "GG211"),
        ("net.big += 2.0\n    y = net.wide(x)", "GG211"),
        ("net.losses.append(1.0)\n    y = net.rate * x", "GG230"),
        ("net.inner.k = 3.0\n    y = net.inner.k * x", "GG230"),
        ("y = net.rat * x", "GG240"),
    ],
)
def test_a_text_changes_no_instance_of_the_module(body, code):
    with pytest.raises(gradgen.GradgenError, match=code):
        gradgen.emit(function(body))


GIVEN = """\
import numpy as np


class Net:
    def __init__(self, k):
        self.k, self.h, self.W = k, 1.5, np.full(3, k)

    def stored(self, x):
        self.k = 3.0
        return np.sum(x * net.k)

    def changed(self, x):
        self.W[0] = 3.0
        return np.sum(x * net.W)

    def read(self, x):
        self.k = 3.0
        return np.sum(x**2 * net.h) * self.k


net = Net(2.0)
"""


def test_an_instance_that_is_an_argument_too_is_not_taken_as_it_was():
    net = imported(GIVEN, "net")
    for function in (net.stored, net.changed):
        with pytest.raises(gradgen.GradgenError, match="GG230"):
            gradgen.grad(function)(X.copy())
    check(gradgen.grad(net.read)(X.copy()), net.read)


@pytest.mark.parametrize(
    "form",
    [
        "np.sum(np.ones(C.K) * x)",
        "np.sum(np.array(C.M)[0] * x)",
        "np.sum(np.tile(x, C.K)) * C.N",
        "np.sum(np.full(C.K, x[0]))",
        "np.sum(np.reshape(x, C.L) * C.M[1])",
    ],
)
def test_tuples_of_a_namespace_are_written_out(form, tmp_path):
    held = "import types\nC = types.SimpleNamespace(K=(3,), M=(1.0, 2.0), N=3, L=[3])\n"
    f = written(f"{held}\ndef f(x):\n    return {form}\n", tmp_path)
    x = np.arange(3.0)
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), wanted, rtol=1e-7, atol=1e-9)
    space = {}
    exec(gradgen.emit(f), space)
    np.testing.assert_allclose(space["grad_f"](x), wanted, rtol=1e-7, atol=1e-9)
