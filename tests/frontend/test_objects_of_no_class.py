"""Arguments that nothing tells of, and that fields are read of: objects, in a text."""

from types import SimpleNamespace as Space

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient


def scaled(x, cfg):
    return np.sum(x**2) * cfg.rate


def layer(x, cfg):
    y = x @ cfg.W + cfg.b
    if cfg.relu:
        y = np.maximum(y, 0)
    return np.sum(y**2)


def inner(x, c):
    return np.sum(x @ c.W) * c.rate


def handed_on(x, cfg):
    return inner(x, cfg) + cfg.bias


def nested(x, cfg):
    return np.sum(x * cfg.opt.rate) + cfg.opt.net.c * x[0]


def stored(x, cfg, out):
    out.loss = np.sum(x * x)
    cfg.rate = cfg.rate * 2
    return out.loss * cfg.rate


def gone_through(x, cfg):
    for w in cfg.weights:
        x = np.tanh(x @ w)
    return np.sum(x)


def by_option(x, cfg):
    if cfg.kind == "square":
        return np.sum(x**2) * 2.0
    return np.sum(x)


R = np.random.default_rng(0)
X = R.normal(size=(3, 2))
CFG = Space(rate=0.7, W=R.normal(size=(2, 2)), b=R.normal(size=2), relu=True, bias=0.1)
DEEP = Space(opt=Space(rate=0.3, net=Space(c=1.5)))
WEIGHTS = Space(weights=[R.normal(size=(2, 2)), R.normal(size=(2, 2))])
CASES = [
    (scaled, (X, CFG)),
    (layer, (X, CFG)),
    (layer, (X, Space(**{**CFG.__dict__, "relu": False}))),
    (handed_on, (X, CFG)),
    (nested, (X[0], DEEP)),
    (gone_through, (X, WEIGHTS)),
    (by_option, (X, Space(kind="square"))),
    (by_option, (X, Space(kind="plain"))),
]


@pytest.mark.parametrize("function, args", CASES)
def test_texts(function, args):
    space = {}
    exec(gradgen.emit(function, wrt="x"), space)
    want = numeric_gradient(function, args, 0).value
    got = space[f"grad_{function.__name__}"](*args)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def test_what_is_stored_is_left_as_it_was():
    space = {}
    exec(gradgen.emit(stored), space)
    cfg, out = Space(rate=0.7), Space()
    np.testing.assert_allclose(space["grad_stored"](X, cfg, out), 2.8 * X)
    assert cfg.rate == 0.7 and not hasattr(out, "loss")


def test_a_field_that_is_missing_raises():
    space = {}
    exec(gradgen.emit(scaled), space)
    with pytest.raises(AttributeError):
        space["grad_scaled"](X, Space())


def if_it_has(x, cfg):
    if hasattr(cfg, "bias"):
        x = x + cfg.bias
    return np.sum(x**2) * cfg.rate


def or_else(x, cfg):
    return np.sum(x * getattr(cfg, "scale", 1.0)) * cfg.rate


def of_a_kind(x, cfg):
    return np.sum(x) * cfg.rate if isinstance(cfg, Space) else np.sum(x) + cfg.rate


def if_true(x, cfg):
    return np.sum(x) * cfg.rate if cfg else np.sum(x)


def if_equal(x, cfg, other):
    return np.sum(x) * cfg.rate if cfg == other else np.sum(x) * other.rate


def by_table(x, cfg):
    return np.sum(x) * cfg.rate * len(cfg.__dict__)


def counted(x, cfg):
    return np.sum(x) * cfg.rate * len(cfg)


def called(x, cfg):
    return np.sum(cfg.scale(x)) * cfg.rate


def multiplied(x, cfg):
    return np.sum(x * cfg) + cfg.rate


def of_the_object(cfg):
    return np.sum(cfg.w**2)


@pytest.mark.parametrize(
    "function",
    [
        if_it_has,
        or_else,
        of_a_kind,
        if_true,
        if_equal,
        by_table,
        counted,
        called,
        multiplied,
        of_the_object,
    ],
)
def test_what_its_class_would_answer_is_refused(function):
    with pytest.raises(GradgenError) as found:
        gradgen.emit(function)
    assert not found.value.code.startswith("GG9")
