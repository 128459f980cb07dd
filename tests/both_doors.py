"""A function by call and as a text that stands alone, held against differences."""

import copy
import inspect

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient


def compare(f, args, wrt=0, text=True):
    """The gradient in one argument: value, shape, dtype and the places of nans."""
    value = f(*copy.deepcopy(args))
    weights = np.random.default_rng(7).uniform(0.5, 1.5, np.shape(value))
    seed = weights if np.ndim(value) else 1.0
    weighted = lambda *more: np.sum(weights * f(*more)) if np.ndim(value) else f(*more)
    want = numeric_gradient(weighted, copy.deepcopy(args), wrt).value
    name = list(inspect.signature(f).parameters)[wrt]
    found = [gradgen.grad(f, wrt=name)(*copy.deepcopy(args), seed=seed)]
    if text:
        space = {}
        exec(gradgen.emit(f, wrt=name), space)
        function = space[f"grad_{f.__name__}"]
        last = list(inspect.signature(function).parameters)[-1]
        found.append(function(*copy.deepcopy(args), **{last: seed}))
    for one in found:
        assert np.shape(one) == np.shape(args[wrt])
        assert np.asarray(one).dtype == np.asarray(args[wrt]).dtype
        np.testing.assert_allclose(one, want, rtol=2e-6, atol=1e-8)
