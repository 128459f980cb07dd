"""Arrays that an instance holds under two names: the gradient is asked of either."""

import subprocess
import sys

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.random.default_rng(0).normal(size=(5, 3))


class Affine:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def forward(self, x):
        return x @ self.W + self.b


class Net:
    """Its layers hold the arrays of its dictionary, as they are."""

    def __init__(self, params_first=True, size=4):
        rng = np.random.default_rng(1)
        params = {"W1": rng.normal(size=(3, size)), "b1": np.ones(size)}
        layers = {"A": Affine(params["W1"], params["b1"])}
        if params_first:
            self.params, self.layers = params, layers
        else:
            self.layers, self.params = layers, params
        self.weight = params["W1"]
        self.unlike, self.history, self.title = np.ones((3, size)), [], "net"

    def loss(self, x):
        for layer in self.layers.values():
            x = layer.forward(x)
        return np.sum(np.tanh(x))

    def decayed(self, x):
        return self.loss(x) + 0.1 * np.sum(self.params["W1"] ** 2)

    def squared(self, x):
        return self.loss(x) + np.sum((x @ self.weight) ** 2)


def differences(net, name):
    W = net.weight
    h, found = 1e-6, np.zeros(W.shape)
    for at in np.ndindex(W.shape):
        values = []
        for step in (h, -2 * h, h):
            W[at] += step  # under all its names
            values.append(getattr(net, name)(X))
        found[at] = (values[0] - values[1]) / (2 * h)
    return found


NAMES = ["self.params['W1']", "self.weight", "self.layers['A'].W"]


@pytest.mark.parametrize("name", ["loss", "decayed", "squared"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("wrt", NAMES)
def test_the_gradient_is_that_of_the_array(name, first, wrt):
    net = Net(first)
    wanted = differences(net, name)
    got = gradgen.grad(getattr(net, name), wrt=wrt)(X)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)
    got = gradgen.grad(getattr(Net, name), wrt=wrt)(net, X)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["loss", "decayed", "squared"])
@pytest.mark.parametrize("first", [True, False])
def test_a_dictionary_of_them_and_a_text(name, first):
    net = Net(first)
    wanted = differences(net, name)
    whole = gradgen.grad(getattr(net, name), wrt="self.params")(X)
    np.testing.assert_allclose(whole["W1"], wanted, rtol=1e-6, atol=1e-8)
    around = {}
    exec(gradgen.emit(getattr(net, name), wrt="self.params['W1']"), around)
    got = around[f"grad_{name}"](net, X)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)


def test_the_command(tmp_path):
    command = [sys.executable, "-m", "gradgen", "emit", f"{__file__}:Net.loss"]
    command += ["--wrt", "self.params['W1']", "--instance", "Net()"]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    around, net = {}, Net()
    exec(made.stdout, around)
    wanted = differences(net, "loss")
    got = around["grad_loss"](net, X)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)


def test_one_that_is_read_nowhere_has_zeros_and_what_holds_none_is_refused():
    net = Net()
    assert not gradgen.grad(net.loss, wrt="self.unlike")(X).any()
    for wrt in ("self.history", "self.title", "self.none"):
        with pytest.raises(GradgenError, match="GG0"):
            gradgen.grad(net.loss, wrt=wrt)(X)


@pytest.mark.parametrize("name", ["loss", "decayed", "squared"])
@pytest.mark.parametrize("wrt", NAMES)
def test_a_text_looks_whether_they_are_one_array_still(name, wrt):
    net, around = Net(), {}
    exec(gradgen.emit(getattr(net, name), wrt=wrt), around)
    text = around[f"grad_{name}"]
    np.testing.assert_allclose(text(net, X), differences(net, name), rtol=1e-6)
    net.params["W1"] = net.params["W1"] - 0.1
    assert net.params["W1"] is not net.layers["A"].W
    if name == "decayed" or "params" in wrt:  # else they are not read
        with pytest.raises(ValueError, match="self|net"):
            text(net, X)
    # at hand the arrays of a call are what they are in it
    got = gradgen.grad(getattr(net, name), wrt="self.layers['A'].W")(X)
    own = net.layers["A"]

    def value(W):
        kept, own.W = own.W, W
        result = getattr(net, name)(X)
        own.W = kept
        return result

    h, wanted = 1e-6, np.zeros(own.W.shape)
    for at in np.ndindex(own.W.shape):
        step = np.zeros(own.W.shape)
        step[at] = h
        wanted[at] = (value(own.W + step) - value(own.W - step)) / (2 * h)
    if name != "squared":  # its weight is tied to the layer's, and is not in value
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)
