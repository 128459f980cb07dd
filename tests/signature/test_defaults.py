"""Defaults that are no plain values: left out, handed over, and as text."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

x = np.array([0.4, 1.1, 1.7])
W = np.array([0.3, 0.6, 1.2])
MANY = np.sin(np.arange(300.0))


@dataclasses.dataclass
class Cfg:
    w: object
    k: float = 2.0


class Pair(NamedTuple):
    w: object
    k: float = 2.0


def spaced(y, xp=np.linspace(0, 2, 9)):
    return np.sum(np.interp(y, xp, xp**2))


def weighted(y, k=2.0, w=W, *, v=np.ones(3)):
    return np.sum(k * w * v * y**2)


def long(y, w=MANY):
    return np.sum(w) * np.sum(y * w[:3])


def listed(y, ws=[W, 2 * W]):
    return sum([np.sum(w * y**2) for w in ws])


def named(y, d={"w": W, "k": 2.0}):
    return np.sum(d["w"] * y**2) * d["k"]


def record(y, cfg=Cfg(W)):
    return np.sum(cfg.w * y**2) * cfg.k


def pair(y, p=Pair(W, 0.5)):
    return np.sum(p.w * y**2) * p.k


def empty(y, d={}):
    return np.sum(y**2) * (d.get("k", 3.0) if d else 2.0)


def boxed(y, w=np.array(2.0)):
    return np.sum(w * y**2)


OTHERS = {
    spaced: np.linspace(0, 3, 5),
    weighted: 3.0,
    long: np.cos(np.arange(40.0)),
    listed: [W, W, np.ones(3)],
    named: {"w": np.ones(3), "k": 1.5},
    record: Cfg(np.ones(3), 0.5),
    pair: Pair(np.ones(3)),
    empty: {"k": 0.5},
    boxed: 1.5,
}


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_left_out_and_handed_over(function):
    g = gradgen.grad(function)
    for more in ((), (OTHERS[function],), ()):
        want = numeric_gradient(lambda y: function(y, *more), [x], 0).value
        for _ in range(3):
            np.testing.assert_allclose(g(x, *more), want, rtol=1e-7)


@pytest.mark.parametrize("function", [weighted, listed, named, record, boxed])
def test_every_maker_takes_the_default(function):
    want = numeric_gradient(function, [x], 0).value
    value, pullback = gradgen.vjp(function)(x)
    assert value == function(x)
    np.testing.assert_allclose(pullback(1.0), want, rtol=1e-7)
    np.testing.assert_allclose(gradgen.jvp(function)(x, W)[1], want @ W, rtol=1e-7)
    slope = (want / x) * W  # each is quadratic in y
    np.testing.assert_allclose(gradgen.hvp(function)(x, W), slope, rtol=1e-7)


def test_a_gradient_in_the_default():
    np.testing.assert_allclose(gradgen.grad(weighted, "w")(x), 2 * x**2, rtol=1e-14)
    np.testing.assert_allclose(gradgen.grad(weighted, "v")(x), 2 * W * x**2, rtol=1e-14)
    found = gradgen.grad(record, "cfg")(x)
    assert type(found) is Cfg
    np.testing.assert_allclose(found.w, 2 * x**2, rtol=1e-14)
    np.testing.assert_allclose(found.k, W @ x**2, rtol=1e-14)


def test_a_default_is_read_at_each_call():
    def scaled(y, w=np.ones(3)):
        return np.sum(w * y**2)

    g = gradgen.grad(scaled)
    for _ in range(3):
        np.testing.assert_allclose(g(x), 2 * x)
    scaled.__defaults__[0][:] = 5.0
    np.testing.assert_allclose(g(x), 10 * x)
    scaled.__defaults__ = (np.full(3, 2.0),)
    np.testing.assert_allclose(g(x), 4 * x)


@pytest.mark.parametrize(
    "function, shown",
    [
        (spaced, "xp=np.linspace(0, 2, 9)"),
        (weighted, "w=np.array([0.3, 0.6, 1.2])"),
        (named, 'd={"w": np.array([0.3, 0.6, 1.2]), "k": 2.0}'),
        (record, "cfg=Cfg(w=np.array([0.3, 0.6, 1.2]), k=2.0)"),
    ],
)
def test_the_default_as_text(function, shown):
    text = gradgen.emit(function)
    assert shown in text.replace("'", '"')
    names: dict = {}
    exec(text, names)
    made = names[f"grad_{function.__name__}"]
    want = numeric_gradient(function, [x], 0).value
    np.testing.assert_allclose(made(x), want, rtol=1e-7)


def test_a_default_that_no_text_holds_has_to_be_given():
    names: dict = {}
    exec(gradgen.emit(long, shapes={"y": "n", "w": "m"}), names)
    with pytest.raises(ValueError, match="w is left out"):
        names["grad_long"](x)
    want = numeric_gradient(long, [x], 0).value
    np.testing.assert_allclose(names["grad_long"](x, MANY), want, rtol=1e-7)


def told(y, *rest, **more):
    if rest or more:
        y = y * 2
    for a in rest:
        y = y * a
    for b in more.values():
        y = y + b
    return np.sum(y**2) + len(rest) - len(more)


@pytest.mark.parametrize(
    "rest, more", [((), {}), ((2.0,), {}), ((), {"b": 0.5}), ((W, 0.5), {"b": W})]
)
def test_rest_and_more(rest, more):
    want = numeric_gradient(lambda y: told(y, *rest, **more), [x], 0).value
    np.testing.assert_allclose(gradgen.grad(told)(x, *rest, **more), want, rtol=1e-7)
