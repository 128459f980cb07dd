"""Methods of SciPy's own instances: what a distribution computes before loc and scale."""

import numpy as np
import pytest
import scipy.stats as st

import gradgen
from gradgen.verify.finite import numeric_gradient

Q = np.array([0.2, 0.45, 0.8])
CASES = {
    "argus._pdf": (1.3,),
    "betaprime._logpdf": (5.0, 6.0),
    "burr._pdf": (10.5, 4.3),
    "burr._logpdf": (10.5, 4.3),
    "fisk._cdf": (3.1,),
    "fisk._sf": (3.1,),
    "genextreme._logpdf": (-0.1,),
    "gennorm._sf": (1.3,),
    "laplace._sf": (),
    "norm._pdf": (),
    "t._pdf": (2.7,),
    "weibull_max._logpdf": (2.9,),
}


@pytest.mark.parametrize("name", CASES)
def test_a_method_of_a_distribution(name):
    holder, method = name.split(".")
    distribution, rest = getattr(st, holder), CASES[name]
    function = getattr(distribution, method)
    x = distribution.ppf(Q, *rest)
    want = numeric_gradient(lambda x: np.sum(function(x, *rest)), (x,), 0).value
    found = gradgen.grad(function)(x, *rest, seed=np.ones(3))
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def own_density(x):
    return np.sum(st.argus._pdf(x, 1.3) * st.norm._pdf(x))


def with_rules(x):
    return np.sum(st.norm.logpdf(x, 0.1, 2.0) + st.weibull_min.logcdf(x, 2.0))


class Model:
    def __init__(self):
        self.law, self.other, self.width = st.norm, st.argus, 2.0

    def loss(self, x):
        return np.sum(self.law.logpdf(x, scale=self.width)) + self.own(x)

    def own(self, x):
        return np.sum(self.other._logpdf(x, 1.3))


@pytest.mark.parametrize("f", [own_density, with_rules, Model().loss, Model().own])
def test_around_a_function_and_held(f):
    want = numeric_gradient(f, (Q,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(Q), want, rtol=1e-6)


@pytest.mark.parametrize("name", ["beta", "chi", "chi2", "gamma", "gompertz"])
def test_entropies_of_one_number(name):
    """They choose by masks of numbers (apply_where, _lazyselect)."""
    given = {"beta": (2.3, 0.6)}.get(name, (2.7,))
    function = getattr(st, name)._entropy
    if name == "gompertz":  # _scaled_exp1 has no rule
        with pytest.raises(gradgen.GradgenError) as caught:
            gradgen.grad(function)(*given)
        assert caught.value.code == "GG205"
        return
    want = numeric_gradient(function, given, 0).value
    found = gradgen.grad(function)(*given)
    assert np.shape(found) == ()
    np.testing.assert_allclose(found, want, rtol=1e-6)
