"""A network of plain classes that learns with the gradient of its own method.

`python -m examples.use.train` prints the loss as it falls. The gradient is the text in
generated/network_loss.py, which reads the weights on the network at each call.
"""

import numpy as np

from examples.layers import Network
from generated.network_loss import grad_loss


def data(n=200, seed=1):
    """Points of the plane, and a wave over them."""
    X = np.random.default_rng(seed).uniform(-2, 2, (n, 2))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]


def train(steps=400, rate=0.1):
    """A network, trained."""
    X, y = data()
    network = Network(2, 16)
    first, _, last = network.layers
    for _ in range(steps):
        network.loss(X, y)
        d_W1, d_b1, d_W2, d_b2 = grad_loss(network, X, y)
        first.W -= rate * d_W1
        first.b -= rate * d_b1
        last.W -= rate * d_W2
        last.b -= rate * d_b2
    return network


if __name__ == "__main__":
    for step, loss in enumerate(train().losses):
        if step % 50 == 0:
            print(f"{step:4}  {loss:.4f}")
