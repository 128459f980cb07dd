"""scipy.stats' means of angles and spreads, entropy; scipy.signal.detrend; np.vander."""

import numpy as np
import pytest

import gradgen
from tests.rules.beside import check

X = np.array([[0.3, 0.7, 1.2], [2.1, 1.4, 0.9], [0.2, 0.5, 1.7], [0.6, 0.1, 0.8]])
U = np.array([0.4, 0.8, 1.1, 0.2])
LINES = [
    ("stats.circmean(x)", U),
    ("stats.circmean(x, axis=0)", X),
    ("stats.circmean(x, high=2.5, low=-2.5, axis=1)", X),
    ("stats.circvar(x)", X),
    ("stats.circvar(x, high=3, axis=0)", X),
    ("stats.circstd(x)", U),
    ("stats.circstd(x, high=4, axis=1)", X),
    ("stats.circstd(x, high=4, normalize=True)", X),
    ("stats.entropy(x)", U),
    ("stats.entropy(x, axis=1)", X),
    ("stats.entropy(x, base=2)", X),
    ("stats.tmean(x)", X),
    ("stats.tmean(x, axis=1)", X),
    ("stats.tvar(x)", U),
    ("stats.tvar(x, axis=1, ddof=0)", X),
    ("stats.tstd(x)", X),
    ("stats.variation(x)", U),
    ("stats.variation(x, axis=1, ddof=1)", X),
    ("stats.pmean(x, 2)", U),
    ("stats.pmean(x, -1.5, axis=1)", X),
    ("signal.detrend(x)", X.T),
    ("signal.detrend(x, axis=0, type='constant')", X),
    ("np.vander(x)", U),
    ("np.vander(x, 3)", U),
    ("np.vander(x, 5, increasing=True)", U),
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line[0]}-{line[1].ndim}")
def test_line(line):
    check(*line, second=True)


@pytest.mark.parametrize(
    "line",
    [
        "stats.tmean(x, (0.2, 1.0))",
        "stats.tvar(x, (0.2, 1.0))",
        "stats.entropy(x, x**2)",
        "stats.circmean(np.ones(3), high=x[0])",
    ],
)
def test_refused(line):
    with pytest.raises(gradgen.GradgenError, match="GG30"):
        check(line, U)
