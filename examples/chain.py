"""Gradients of composed functions, without a tape: each function brings its callback.

A callback-style function returns its result and a function that takes gradients
from that result back to the inputs:

    result, backprop = vjp_f(*inputs)
    d_inputs = backprop(d_result)

`chain` makes one such function out of two. `normalise` and `spread` are primals to
try it with: chain(vjp_normalise, vjp_spread) is the spread of a normalised vector,
with its gradient.
"""

import numpy as np


def chain(func1, func2):
    """Compose two functions f and g, such that g(f(x))"""

    def forward(*inputs):
        result1, get_d_inputs = func1(*inputs)
        outputs, get_d_result1 = func2(*as_tuple(result1))

        def backprop(*d_outputs):
            d_result1 = get_d_result1(*d_outputs)
            d_inputs = get_d_inputs(*as_tuple(d_result1))
            return d_inputs

        return outputs, backprop

    return forward


def as_tuple(value):
    """A tuple of results: several come as a tuple already, a single one comes bare."""
    return value if isinstance(value, tuple) else (value,)


def normalise(X):
    """X divided by its Euclidean length."""
    return X / np.sqrt(np.sum(X * X))


def spread(X):
    """Sum of the squared distances of the entries from their mean."""
    return np.sum((X - np.mean(X)) ** 2)


class Accumulating:
    """A layer as Thinc has them: backprop collects the gradients of its parameters.

    `vjp` is an emitted callback, of the input and then of each of `params`:

        layer = Accumulating(vjp_affine, {"W": W, "b": b})
        Y, backprop = layer.forward(X)
        dX = backprop(dY)       # and layer.grads["W"] has grown
        layer.step(0.01)
    """

    def __init__(self, vjp, params):
        self.vjp, self.params = vjp, params
        self.grads = {name: np.zeros_like(value) for name, value in params.items()}

    def forward(self, X):
        """The layer's output, and the function from its gradient to the input's."""
        Y, get_gradients = self.vjp(X, *self.params.values())

        def backprop(dY):
            dX, *gradients = get_gradients(dY)
            for name, gradient in zip(self.params, gradients):
                self.grads[name] += gradient
            return dX

        return Y, backprop

    def step(self, rate):
        """One step against the gradients, which start from zero again."""
        for name, gradient in self.grads.items():
            self.params[name] = self.params[name] - rate * gradient
            gradient[...] = 0
