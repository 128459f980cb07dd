"""scipy.stats: one line per density, through the checker; spellings, supports, refusals."""

import numpy as np
import pytest
import scipy
from scipy import stats
from scipy.stats import norm

import gradgen
from tests.rules.checker import Line, binary, by_turns, faults, ranked, shaped, unary

SHAPES = (("n d", "d", "n 1"), ("d", "", ""), ("n 1", "d", "n d"))


def located(text: str) -> list[Line]:
    """A density in x, loc and scale, at shapes that broadcast."""
    return [shaped(text, *shapes) for shapes in SHAPES]


NORMAL = [
    unary("stats.norm.pdf(x)", -3, 3),
    unary("stats.norm.logpdf(x)", -3, 3),
    unary("stats.norm.cdf(x)", -3, 3),
    unary("stats.norm.logcdf(x)", -6, 3),
    unary("stats.norm.sf(x)", -3, 3),
    unary("stats.norm.logsf(x)", -3, 6),
    unary("stats.norm.ppf(x)", 0.1, 0.9),
    binary("stats.norm.logpdf(x, y)", -2, 2),
    binary("stats.norm.logpdf(x, loc=y)", -2, 2),
    binary("stats.norm.logpdf(x, scale=y)", -2, 2, (0.5, 2)),
    binary("stats.norm.cdf(x, scale=y)", -2, 2, (0.5, 2)),
    *(
        line
        for name in ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf")
        for line in located(f"stats.norm.{name}(x, y, np.abs(w))")
    ),
    *located("stats.norm.ppf(0.4 + 0.2 * x, y, np.abs(w))"),
]

FAMILIES = [
    unary("stats.cauchy.logpdf(x)", -3, 3),
    unary("stats.logistic.logpdf(x)", -3, 3),
    unary("stats.chi2.logpdf(x, 3.0)", 0.3, 4),
    binary("stats.cauchy.logpdf(x, 0.5, y)", -3, 3, (0.5, 2)),
    binary("stats.logistic.logpdf(x, loc=y, scale=0.7)", -3, 3),
    binary("stats.logistic.logpdf(0.3, x, scale=y)", -3, 3, (0.5, 2)),
    binary("stats.chi2.logpdf(x, y, scale=0.8)", 0.3, 4),
    binary("stats.chi2.logpdf(4.0, 3, x, y)", 0.3, 2),
    unary("stats.t.logpdf(x, 3)", -3, 3),
    binary("stats.t.logpdf(x, y)", -3, 3, (2, 5)),
    *located("stats.t.logpdf(x, 4, y, np.abs(w))"),
    unary("stats.gamma.logpdf(x, 2.5)", 0.3, 4),
    binary("stats.gamma.logpdf(x, y)", 0.3, 4, (0.5, 3)),
    *located("stats.gamma.logpdf(3 + x, 1.5, y, scale=np.abs(w))"),
    unary("stats.beta.logpdf(x, 2.5, 1.5)", 0.1, 0.9),
    binary("stats.beta.logpdf(0.5, x, y)", 0.5, 3),
    *located("stats.beta.logpdf(x, 2, 3, y - 4, 7 + np.abs(w))"),
    unary("stats.expon.logpdf(x)", 0.2, 3),
    *located("stats.expon.logpdf(x, y - 4, np.abs(w))"),
    unary("stats.laplace.logpdf(x)", 0.2, 3),
    *located("stats.laplace.logpdf(x + 4, y, np.abs(w))"),
    *located("stats.uniform.logpdf(x, -3, 6 + np.abs(w)) * y"),
    *located("stats.uniform.logpdf(x, y - 4, 8 + np.abs(w))"),
    binary("stats.lognorm.logpdf(x, y)", 0.3, 3, (0.4, 1.5)),
    *located("stats.lognorm.logpdf(4 + x, 0.7, y, scale=np.abs(w))"),
    unary("stats.poisson.logpmf(3, x)", 0.5, 4),
    unary("stats.binom.logpmf(2, 5, x)", 0.2, 0.8),
    unary("stats.bernoulli.logpmf(1, x)", 0.2, 0.8),
    unary("stats.bernoulli.logpmf(0, x)", 0.2, 0.8),
]

COVARIANCE = "w.T @ w + 2 * np.eye(w.shape[1], dtype=w.dtype)"
SEVERAL = [
    ranked(f"stats.multivariate_normal.logpdf(x, y, {COVARIANCE})", *shapes)
    for shapes in (("n d", "d", "m d"), ("d", "d", "m d"))
]


def label(line: Line) -> str:
    told = "" if line.elementwise else f" of {', '.join(line.shapes[0])}"
    return f"{line.text}{told}"


@pytest.mark.parametrize("line", [*NORMAL, *by_turns(FAMILIES), *SEVERAL], ids=label)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


def by_name(x, mu):
    return np.sum(norm.logpdf(x, mu))


def by_path(x, mu):
    return np.sum(scipy.stats.norm.logpdf(x, mu))


def counts(k, mu):
    return np.sum(stats.poisson.logpmf(k, mu))


def successes(k, p):
    return np.sum(stats.binom.logpmf(k, 4, p))


def inverse_survival(x):
    return norm.isf(x)


def of_both(x, a):
    return np.sum(stats.gamma.cdf(x, a))


def spread(x):
    return norm.std(x)


def shadowed(x, norm):
    return np.sum(norm.logpdf(x))


def exponential(x):
    return stats.expon.logpdf(x)


def waiting(x):
    return stats.gamma.logpdf(x, 2)


def share(x):
    return stats.beta.logpdf(x, 2, 3)


@pytest.mark.parametrize("function", [by_name, by_path])
def test_a_density_is_known_under_every_import(function):
    g = gradgen.grad(function, wrt="mu", shapes={"x": "n", "mu": ""})
    x = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(g(x, 0.3), np.sum(x - 0.3))
    imports = [line for line in g.source.splitlines() if "import" in line]
    assert imports == ["import numpy as np"]


def test_the_value_imports_what_the_primal_does():
    source = gradgen.value_and_grad(by_name, shapes={"x": "n", "mu": ""}).source
    assert "from scipy import stats" in source and "stats.norm.logpdf(x, mu)" in source


@pytest.mark.parametrize("function", [exponential, waiting, share])
def test_outside_the_support_the_gradient_is_zero(function):
    g = gradgen.grad(function, shapes={"x": "n"})
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(g(np.array([-1.0])), [0])


def test_counts_with_no_weight_have_no_gradient():
    g = gradgen.grad(counts, wrt="mu", shapes={"k": "n", "mu": "n"})
    k, mu = np.array([2.0, -1.0, 0.5]), np.array([4.0, 4.0, 4.0])
    np.testing.assert_array_equal(g(k, mu), [-0.5, 0, 0])
    g = gradgen.grad(successes, wrt="p", shapes={"k": "n", "p": "n"})
    k, p = np.array([2.0, 5.0]), np.array([0.25, 0.25])
    np.testing.assert_allclose(g(k, p), [2 / 0.25 - 2 / 0.75, 0])


REFUSED = [
    (counts, "k", "poisson.logpmf in its count k"),
    (successes, "k", "binom.logpmf in its count k"),
    (inverse_survival, "x", "isf"),
    (of_both, "a", "cdf"),
    (spread, "x", "norm.std is read in its library"),
    (shadowed, "x", "logpdf"),
]


@pytest.mark.parametrize("function, wrt, message", REFUSED)
def test_what_is_not_known_is_refused(function, wrt, message):
    with pytest.raises(gradgen.GradgenError, match=message):
        gradgen.grad(function, wrt=wrt).source
