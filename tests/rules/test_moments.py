"""scipy.stats' moments and counts, scipy.optimize.rosen, loggamma of complex numbers."""

import numpy as np
import pytest

import gradgen
from tests.rules.beside import check

X = np.array([[0.3, 0.7, 1.2], [2.1, 1.4, 0.9], [0.2, 0.5, 1.7], [0.6, 0.1, 0.8]])
U = np.array([0.4, 0.8, 1.1, 0.2])
P = np.array([0.2, 0.45, 0.7])
LINES = [
    ("stats.gmean(x)", X),
    ("stats.gmean(x, axis=1)", X),
    ("stats.hmean(x)", U),
    ("stats.hmean(x, axis=-1)", X),
    ("stats.sem(x)", X),
    ("stats.sem(x, axis=1, ddof=0)", X),
    ("stats.zscore(x)", X),
    ("stats.zscore(x, axis=1, ddof=1)", X),
    ("stats.zscore(x)", U),
    ("stats.moment(x, 3)", X),
    ("stats.moment(x, order=2, axis=1)", X),
    ("stats.skew(x)", U),
    ("stats.skew(x, axis=1)", X),
    ("stats.kurtosis(x)", U),
    ("stats.kurtosis(x, axis=1, fisher=False)", X),
    ("optimize.rosen(x) / 100", U),
    ("optimize.rosen_der(x) / 100", U),
    ("stats.poisson.pmf(2, x)", U),
    ("stats.poisson.logpmf(2, x)", U),
    ("stats.poisson.cdf(2, x) - stats.poisson.sf(1, x)", X),
    ("stats.poisson.cdf(1.5, x)", X),
    ("stats.binom.pmf(2, 5, x)", P),
    ("stats.binom.cdf(2, 5, x) - stats.binom.sf(1, 4, x)", P),
    ("stats.bernoulli.pmf(np.array([0, 1, 2]), x)", P),
    ("stats.geom.pmf(3, x) + stats.geom.logpmf(2, x)", P),
    ("np.real(special.loggamma(x + 1j * y))", X, P),
    ("np.imag(special.loggamma(x + 1j))", X),
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line[0]}-{line[1].ndim}")
def test_line(line):
    check(*line, second="1j" not in line[0])


@pytest.mark.parametrize(
    "line",
    [
        ("stats.skew(x, bias=False)", U),
        ("stats.kurtosis(x, bias=False)", U),
        ("stats.poisson.cdf(x, 2.0)", U),
        ("stats.binom.cdf(2, x, 0.3)", U + 4),
        ("optimize.rosen(x)", X),
    ],
    ids=lambda line: line[0],
)
def test_refused(line):
    with pytest.raises(gradgen.GradgenError, match="GG30"):
        check(*line)
