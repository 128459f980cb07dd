"""Functions of scipy.stats under names of the function's own, and starred arguments of classes."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

SOURCE = """
from collections import namedtuple
from dataclasses import dataclass

from scipy import stats
from scipy.stats import norm

Four = namedtuple("Four", "a b c d")


@dataclass
class Fields:
    a: float
    b: float
    c: float
    d: float


class Made:
    def __init__(self, a, b, c, d):
        self.a, self.b, self.c, self.d = a, b, c, d


def f(x):
    {body}
"""
BODIES = [
    "N = stats.norm.cdf\n    return np.sum(N(x) ** 2)",
    "d = stats.norm\n    return np.sum(d.cdf(x) + d.logpdf(x))",
    "p, c = norm.pdf, norm.cdf\n    return np.sum(p(x) / c(x))",
    "fs = [norm.cdf, norm.pdf, np.sin]\n    return sum(np.sum(g(x)) for g in fs)",
    "ways = {'a': norm.cdf, 'b': np.tanh}\n    return np.sum(ways['a'](x))",
    "t = Four(*x)\n    return t.a * t.b + t.c * t.d",
    "t = Fields(*x)\n    return t.a * t.b + t.c * t.d",
    "t = Made(*x)\n    return t.a * t.b + t.c * t.d",
    "t = Made(x[0], *x[1:])\n    return t.a * t.b + t.c * t.d",
]
X = np.array([0.5, 1.21, 0.7, -0.4])


@pytest.mark.parametrize("body", BODIES)
def test_it_is_known_what_is_called(body, tmp_path):
    f = written(SOURCE.format(body=body), tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    wanted = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, 1e-6, 1e-7)
    np.testing.assert_allclose(names["grad_f"](X), wanted, 1e-6, 1e-7)


@pytest.mark.parametrize("body", BODIES[5:8])
def test_as_many_as_there_are_fields(body, tmp_path):
    f = written(SOURCE.format(body=body), tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    with pytest.raises(ValueError):
        names["grad_f"](X[:3])
