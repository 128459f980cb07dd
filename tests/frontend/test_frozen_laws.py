"""Laws of scipy.stats whose parameters are told once: stats.norm(mean, deviation).cdf(x)."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

pytest.importorskip("scipy")
from scipy.stats import multivariate_normal  # noqa: E402

LINES = [
    "ss.norm(1.0, 2.0).cdf(x)",
    "norm(loc=x[0], scale=2.0).logpdf(x) * norm(0.2, x[1]).pdf(0.3)",
    "norm(m, x**2).sf(0.4) * np.sin(x)",
    "sum(law.pdf(x) for law in (norm(0, 1), norm(scale=2)))",
    "norm(0, x[2]).ppf(0.95) * x",
    "ss.t(4).cdf(x) + ss.t(4).logpdf(x)",
    "gamma(2.0, scale=0.5).logpdf(x * x)",
    "norm(x[0], x[2]).interval(0.9)[1] * norm(x[0], 1).median()",
    "ss.poisson(x * x).logpmf(2)",
    "law(x, 2.0).logsf(0.3)",
    "held(x)",
]
HEAD = """import scipy.stats as ss
from scipy.stats import gamma, norm


def law(mean, deviation):
    return norm(mean, deviation)


class Held:
    def __init__(self, mean):
        self.law = ss.norm(mean, 0.5)

    def __call__(self, at):
        return self.law.cdf(at) * self.law.pdf(0.1)


def held(x):
    return Held(x[0])(x)


"""


@pytest.mark.parametrize("line", LINES)
def test_laws(line, tmp_path):
    text = f"{HEAD}def f(x, m=0.5):\n    return np.sum({line})\n"
    function = written(text, tmp_path)
    x = np.array([0.7, 0.4, 1.3])
    value = gradgen.value_and_grad(function)(x)[0]
    np.testing.assert_allclose(value, function(x), rtol=1e-14)
    compare(function, (x,))


@pytest.mark.parametrize("line", ["norm(0.0, x[0]).rvs()", "norm(x[0]).fit(x)[0]"])
def test_others_are_refused(line, tmp_path):
    text = f"{HEAD}def f(x):\n    return {line}\n"
    with pytest.raises(gradgen.GradgenError, match="rv_frozen"):
        gradgen.grad(written(text, tmp_path))(np.array([0.7, 0.4, 1.3]))


ROWS = np.array([[0.3, 0.7], [1.1, 0.2], [0.4, -0.2]])
MEAN = np.array([0.1, 0.3])
COV = np.array([[1.0, 0.2], [0.2, 0.8]])


def density(x, mean, cov):
    return np.sum(multivariate_normal.pdf(x, mean=mean, cov=cov) * [1.0, 2.0, 3.0])


def told_once(x, mean, cov):
    law = multivariate_normal(mean=mean, cov=cov)
    return np.sum(law.logpdf(x)) + np.sum(law.pdf(x) ** 2)


def may_be_singular(x, mean, cov):
    return np.sum(multivariate_normal(mean, cov, allow_singular=True).logpdf(x))


def mixture(x, mean, cov):
    parts = [
        w * multivariate_normal(m, cov).pdf(x) for w, m in [(0.4, mean), (0.6, -mean)]
    ]
    return np.sum(np.log(parts[0] + parts[1]))


def one_row(x, mean, cov):
    return multivariate_normal.pdf(x[0], mean, cov) * multivariate_normal(
        mean, cov
    ).pdf(x[1])


@pytest.mark.parametrize("f", [density, told_once, may_be_singular, mixture, one_row])
@pytest.mark.parametrize("wrt", [0, 1])
def test_several_normal_variables(f, wrt):
    compare(f, (ROWS, MEAN, COV), wrt, text=False)


@pytest.mark.parametrize("f", [density, told_once, mixture])
def test_several_normal_variables_by_their_covariance(f):
    found = gradgen.grad(f, wrt="cov")(ROWS, MEAN, COV)
    for i, j in np.ndindex(2, 2):
        h = np.zeros((2, 2))
        h[i, j] += 5e-6
        h[j, i] += 5e-6  # along symmetric matrices
        want = (f(ROWS, MEAN, COV + h) - f(ROWS, MEAN, COV - h)) / 2e-5
        np.testing.assert_allclose(found[i, j], want, rtol=1e-6)
