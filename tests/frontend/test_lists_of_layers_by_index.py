"""for l in range(len(weights)): x = np.tanh(weights[l] @ x), of layers of several shapes.

By a key that is not known the entries would be read from an array of them, which there is
none of: the rounds are written out.
"""

import numpy as np
import pytest

import gradgen

R = np.random.default_rng(0)
WEIGHTS = [R.normal(size=(4, 3)), R.normal(size=(2, 4))]
BIASES = [R.normal(size=(4, 1)), R.normal(size=(2, 1))]
SQUARE = [R.normal(size=(3, 3)), R.normal(size=(3, 3))]
X = np.full((3, 1), 0.3)


def by_length(x, weights, biases):
    for k in range(len(weights)):
        x = np.tanh(weights[k] @ x + biases[k])
    return np.sum(x)


def by_number(x, weights, biases):
    for k in range(2):
        x = np.tanh(weights[k] @ x + biases[k])
    return np.sum(x)


def by_a_step_behind(x, weights, biases):
    layers = len(weights) + 1
    for k in range(1, layers):
        x = np.tanh(weights[k - 1] @ x + biases[k - 1])
    return np.sum(x)


def with_activations(x, weights, biases):
    kept = [x]
    for k in range(2):
        kept.append(np.tanh(weights[k] @ kept[k] + biases[k]))
    return np.sum(kept[-1] ** 2)


def backwards(x, weights, biases):
    for k in range(2):
        x = np.tanh(weights[k] @ x + biases[k])
    for k in reversed(range(2)):
        x = weights[k].T @ x
    return np.sum(x**2)


def penalised(x, weights, biases):
    total = np.sum(by_length(x, weights, biases))
    for k in range(len(weights)):
        total += 0.1 * np.sum(weights[k] ** 2)
    return total


FUNCTIONS = [
    by_length,
    by_number,
    by_a_step_behind,
    with_activations,
    backwards,
    penalised,
]


def differences(f, a):
    h, found = 1e-6, np.zeros(a.shape)
    for at in np.ndindex(a.shape):
        step = np.zeros(a.shape)
        step[at] = h
        found[at] = (f(a + step) - f(a - step)) / (2 * h)
    return found


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("weights", [WEIGHTS, SQUARE], ids=["several", "one"])
def test_gradients_in_all_arguments(f, weights):
    biases = BIASES if weights is WEIGHTS else [b[:1] for b in BIASES]
    args = X, weights, biases
    d_x, d_weights, _ = gradgen.grad(f, wrt=("x", "weights", "biases"))(*args)
    close = dict(rtol=1e-6, atol=1e-8)
    wanted = differences(lambda x: f(x, weights, biases), X)
    np.testing.assert_allclose(d_x, wanted, **close)
    np.testing.assert_allclose(gradgen.grad(f)(*args), wanted, **close)
    for k in range(2):

        def of_one(w, k=k):
            return f(X, [*weights[:k], w, *weights[k + 1 :]], biases)

        np.testing.assert_allclose(
            d_weights[k], differences(of_one, weights[k]), **close
        )


class Network:
    def __init__(self, weights):
        self.weights, self.layers = weights, len(weights) + 1
        self.deltas = [np.zeros(len(w)) for w in weights]
        self.kept = []

    def __call__(self, x):
        self.kept = [x]
        for k in range(self.layers - 1):
            x = np.tanh(self.weights[k] @ x)
            self.kept.append(x)
        return np.sum(x**2)

    def steps(self, x):
        self(x)
        self.deltas[-1] = self.kept[-1] * (1 - self.kept[-1] ** 2)
        for k in range(2, self.layers):
            self.deltas[-k] = self.weights[-k + 1].T @ self.deltas[-k + 1]
        return np.sum(self.deltas[0] ** 2)


@pytest.mark.parametrize("name", ["__call__", "steps"])
def test_layers_that_an_instance_holds(name):
    method = getattr(Network(WEIGHTS), name)
    wanted = differences(lambda x: getattr(Network(WEIGHTS), name)(x), X)
    np.testing.assert_allclose(gradgen.grad(method)(X), wanted, rtol=1e-6, atol=1e-8)

    by_name = {"__call__": called_network, "steps": stepped_network}[name]
    found = gradgen.grad(by_name)(X, Network(WEIGHTS))
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


def called_network(x, network):
    return network(x)


def stepped_network(x, network):
    return network.steps(x)


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize(
    "told",
    [
        {"example": (X, WEIGHTS, BIASES)},
        {"shapes": {"weights": ["4 3", "2 4"], "biases": ["4 1", "2 1"]}},
    ],
    ids=["example", "numbers"],
)
def test_texts_of_several_shapes(f, told):
    space = {}
    exec(gradgen.emit(f, **told), space)
    found = space[f"grad_{f.__name__}"](X, WEIGHTS, BIASES)
    wanted = differences(lambda x: f(x, WEIGHTS, BIASES), X)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
