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
