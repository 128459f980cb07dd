"""Functions that store into instances of their module: net.forward(x) keeps self.cache."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X, Y = np.array([0.3, 0.8, 1.4]), np.array([0.1, 0.2])


class Layer:
    def __init__(self, rows, columns, seed):
        rng = np.random.default_rng(seed)
        self.w, self.b = rng.normal(size=(rows, columns)), np.zeros(rows)
        self.input = None

    def forward(self, x):
        self.input = x
        self.output = np.tanh(self.w @ x + self.b)
        return self.output

    def backward(self, d_out):
        d_in = d_out * (1 - self.output**2)
        self.d_w = np.outer(d_in, self.input)
        return self.w.T @ d_in


class Network:
    def __init__(self, *layers):
        self.layers, self.calls = list(layers), 0

    def forward(self, x):
        self.calls += 1
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, d_out):
        for layer in reversed(self.layers):
            d_out = layer.backward(d_out)
        return d_out


def network():
    return Network(Layer(4, 3, 0), Layer(2, 4, 1))


net, first, scale = network(), Layer(2, 3, 2), 1.5


def loss(x):
    return np.sum((net.forward(x) - Y) ** 2) * scale


def of_weights(w):
    first.w = w
    return np.sum(first.forward(X) ** 2)


def of_kept_values(x):
    first.forward(x)
    return np.sum(first.output * first.input[:2])


def of_a_backward_pass(x):
    d_x = net.backward(2 * (net.forward(x) - Y))
    return np.sum(d_x**2) + np.sum(net.layers[0].d_w ** 2)


def of_both(x, *, k=2.0):
    return np.sum(net.forward(x)) * k + np.sum(first.forward(x))


def differences(f, a, **given):
    h, found = 1e-6, np.zeros(a.shape)
    for at in np.ndindex(a.shape):
        step = np.zeros(a.shape)
        step[at] = h
        found[at] = (f(a + step, **given) - f(a - step, **given)) / (2 * h)
    return found


@pytest.fixture(autouse=True)
def fresh():
    """The instances of this module as they were."""
    globals().update(net=network(), first=Layer(2, 3, 2), scale=1.5)


FUNCTIONS = [loss, of_weights, of_kept_values, of_a_backward_pass, of_both]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_the_gradient_leaves_them_as_they_were(f):
    a = first.w.copy() if f is of_weights else X
    held = vars(first).copy(), vars(net).copy(), net.layers[0].input
    found = gradgen.grad(f)(a)
    value, again = gradgen.value_and_grad(f)(a)
    back = gradgen.vjp(f)(a)[1]()
    tangent = gradgen.jvp(f)(a, a)[1]
    now = vars(first), vars(net), net.layers[0].input
    assert all(old.keys() == new.keys() for old, new in zip(held[:2], now[:2]))
    assert all(now[0][name] is one for name, one in held[0].items())
    assert net.calls == 0 and now[2] is held[2]
    wanted = differences(f, a)
    for one in (found, again, back):
        np.testing.assert_allclose(one, wanted, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(tangent, np.sum(wanted * a), rtol=1e-6)
    np.testing.assert_allclose(value, f(a))


@pytest.mark.parametrize("f", [loss, of_kept_values, of_both])
def test_what_they_hold_is_read_at_each_call(f):
    global net, first, scale
    made = gradgen.grad(f)
    np.testing.assert_allclose(made(X), differences(f, X), rtol=1e-6, atol=1e-8)
    net.layers[0].w, first.b = net.layers[0].w * 2, first.b + 0.5
    np.testing.assert_allclose(made(X), differences(f, X), rtol=1e-6, atol=1e-8)
    net, first, scale = Network(Layer(2, 3, 7)), Layer(2, 3, 8), 2.5
    np.testing.assert_allclose(made(X), differences(f, X), rtol=1e-6, atol=1e-8)


def test_other_arguments_by_keyword():
    found = gradgen.grad(of_both)(X, k=3.0)
    wanted = differences(of_both, X, k=3.0)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


def test_the_text_names_them():
    made = gradgen.grad(loss)
    text = made.specialize(X).source
    assert "net=None" in text and "Unlike loss, leaves net.calls" in text
    made(X)
    assert made.source == text


def refused_otherwise(x):
    net.total = np.sum(np.unique(x))
    return np.sum(net.forward(x)) + net.total


def test_the_first_refusal_is_told_where_it_is_no_help():
    with pytest.raises(GradgenError):
        gradgen.grad(refused_otherwise)(X)
    assert not hasattr(net, "total")


class Fitted:
    def __init__(self, W):
        self.W = W

    def loss(self, X, y, scale=1.0):
        return scale * np.sum((X @ self.W - y) ** 2)

    def __call__(self, X):
        return np.sum(np.tanh(X @ self.W))

    def bent(self, x, k=2.0, shift=0.0):
        return np.sum((self.W @ x - shift) ** k)


@pytest.mark.parametrize(
    "name, args",
    [
        ("loss", (np.ones((4, 3)), np.ones((4, 2)))),
        ("loss", (np.ones((4, 3)), np.ones((4, 2)), 2.0)),
        ("__call__", (np.ones((4, 3)),)),
        ("bent", (np.ones(2), 3.0)),
    ],
)
def test_an_example_of_a_method_may_begin_with_the_instance(name, args):
    """As a call of the function does: Fitted.loss(net, X, y)."""
    net = Fitted(np.linspace(0.1, 0.6, 6).reshape(3, 2))
    own, plain = getattr(net, name), getattr(Fitted, name)
    want = gradgen.emit(own, example=args)
    assert gradgen.emit(plain, example=(net, *args)) == want
    with pytest.raises(gradgen.GradgenError, match="GG015"):
        gradgen.emit(plain, example=(net, net, *args, 1.0, 2.0))
