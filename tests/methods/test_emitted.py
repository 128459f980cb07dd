"""Texts of methods: what is told of an instance, and what the class alone tells."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradgen
from examples.layers import Network
from examples.use import train
from generated import network_loss
from gradgen.verify.finite import numeric_gradient

ROOT = Path(__file__).resolve().parents[2]
MODEL = """
import numpy as np


class Dense:
    def __init__(self, n_in, n_out, act=np.tanh):
        self.W = 0.1 * np.random.randn(n_in, n_out)
        self.b = np.zeros(n_out)
        self.act = act
        self.cache = None

    def forward(self, x):
        self.cache = x
        return self.act(x @ self.W + self.b)


class Net:
    eps = 1e-3

    def __init__(self, d, h, lam=0.1):
        self.first = Dense(d, h)
        self.layers = [Dense(h, h), Dense(h, 1)]
        self.lam = lam
        self.training = True
        self.params = {"V": np.random.randn(h, h)}
        self.params["c"] = np.zeros((1, h))
        self.losses = []

    def loss(self, x, y):
        h = self.first.forward(x) @ self.params["V"] + self.params["c"]
        for layer in self.layers:
            h = layer.forward(h)
        r = h[:, 0] - y
        if self.training:
            out = np.mean(r ** 2) + self.lam * np.sum(self.first.W ** 2) + self.eps
        else:
            out = np.mean(r)
        self.losses.append(out)
        return out


class Sub(Net):
    pass


class Bare:
    def fit(self, x):
        self.W, self.b = np.ones((3, 2)), np.ones(2)

    def loss(self, x):
        return np.sum((x @ self.W + self.b) ** 2)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "net_of_tests.py").write_text(MODEL)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    sys.modules.pop("net_of_tests", None)
    import net_of_tests

    return net_of_tests


def made(text):
    """The function of a text, which stands alone."""
    space = {}
    exec(text, space)
    return space


def measured(net, path, x, y):
    value = path(net)

    def run(at):
        before = value.copy()
        value[...] = at
        try:
            return net.loss(x, y)
        finally:
            value[...] = before

    return numeric_gradient(run, [value.copy()], 0).value


@pytest.mark.parametrize("target", ["net_of_tests:Net.loss", "net_of_tests.Sub.loss"])
@pytest.mark.parametrize("training", [True, False])
def test_a_class_alone_tells_enough(module, target, training):
    text = gradgen.emit(target, wrt=("self.first.W", "self.params", "self.layers[1].b"))
    assert "def grad_loss(self, x, y, d_out=1.0):" in text
    assert "self.first.W (d, h), self.first.b (h)" in text
    assert "self.layers[1].W (h, 1), self.layers[1].b (1)" in text
    net = getattr(module, target.split(".")[-2].split(":")[-1])(3, 4)
    net.training = training
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(5, 3)), rng.normal(size=5)
    d_W, d_params, d_b = made(text)["grad_loss"](net, x, y)
    ways = (
        (d_W, lambda n: n.first.W),
        (d_params["V"], lambda n: n.params["V"]),
        (d_params["c"], lambda n: n.params["c"]),
        (d_b, lambda n: n.layers[1].b),
    )
    for found, path in ways:
        want = measured(net, path, x, y)
        assert found.shape == want.shape
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def test_attributes_that_another_method_sets(module):
    text = gradgen.emit("net_of_tests:Bare.loss", wrt=("self.W", "self.b"))
    bare, x = module.Bare(), np.array([[1.0, 2.0, 3.0]])
    bare.fit(x)
    d_W, d_b = made(text)["grad_loss"](bare, x)
    out = x @ bare.W + bare.b
    np.testing.assert_allclose(d_W, x.T @ (2 * out))
    np.testing.assert_allclose(d_b, 2 * out[0])


def test_a_text_can_be_pasted_into_the_class(module):
    text = gradgen.emit("net_of_tests:Bare.loss", wrt="self.W")
    module.Bare.grad_loss = made(text)["grad_loss"]
    bare, x = module.Bare(), np.ones((1, 3))
    bare.fit(x)
    assert bare.grad_loss(x).shape == (3, 2)


def test_the_command_line_emits_and_checks(module, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        "[[tool.gradgen.emit]]\n"
        'function = "net_of_tests:Net.loss"\n'
        'wrt = ["self.first.W", "self.params"]\n'
        'instance = "Net(3, 4)"\n'
        'example = "(np.ones((5, 3)), np.ones(5))"\n'
        'out = "generated/loss.py"\n\n'
        "[[tool.gradgen.emit]]\n"
        'function = "net_of_tests:Bare.loss"\n'
        'wrt = "self.W"\n'
        'shape = {"self.W" = "n m", "self.b" = "m", x = "k n"}\n'
        'out = "generated/bare.py"\n'
    )
    for words in (["build"], ["build", "--check"], ["check"]):
        done = subprocess.run(
            [sys.executable, "-m", "gradgen", *words], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
    text = (tmp_path / "generated/loss.py").read_text()
    assert "--instance 'Net(3, 4)'" in text and "helper" not in text
    assert "def _unbroadcast" not in text
    assert "_un" not in (tmp_path / "generated/bare.py").read_text()
    wrong = text.replace("2 * d_out", "3 * d_out", 1)
    (tmp_path / "generated/loss.py").write_text(wrong)
    done = subprocess.run(
        [sys.executable, "-m", "gradgen", "check"], capture_output=True
    )
    assert done.returncode == 1


@pytest.mark.parametrize(
    "words, code",
    [
        (["net_of_tests:Net.nothing"], "GG102"),
        (["net_of_tests:Net.loss", "--instance", "Bare()"], "GG271"),
        (["net_of_tests:Net.loss", "--instance", "Net("], "GG014"),
        (["net_of_tests:Net.loss", "--wrt", "self.nothing"], "GG021"),
    ],
)
def test_mistakes_are_told(module, words, code):
    done = subprocess.run(
        [sys.executable, "-m", "gradgen", "emit", *words],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and code in done.stderr, done.stderr


def test_the_network_of_the_example_learns():
    network = train.train(steps=150)
    assert network.losses[0] > 10 * network.losses[-1]
    assert len(network.losses) == 150


def test_the_committed_gradient_of_the_example_is_right():
    network = Network(2, 5)
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(7, 2)), rng.normal(size=7)
    found = network_loss.grad_loss(network, X, y)
    for layer, name, gradient in zip(
        (0, 0, 2, 2), ("W", "b", "W", "b"), found, strict=True
    ):
        at = getattr(network.layers[layer], name)
        want = measured(network, lambda _: at, X, y)
        assert gradient.shape == at.shape and gradient.dtype == at.dtype
        np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-9)
