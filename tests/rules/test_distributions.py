"""scipy.stats: each distribution's functions together, and under -m long one by one."""

import numpy as np
import pytest
from scipy import stats

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.rules.checker import binary, faults, unary

FORWARD = ("pdf", "logpdf", "cdf", "sf", "logcdf", "logsf")
# name, parameters, whether a probability has a derivative in them, an interval of x
FAMILIES = {
    "expon": ((), True, (1.2, 3.5)),
    "weibull_min": ((1.7,), True, (1.2, 3.5)),
    "pareto": ((2.3,), True, (1.5, 3.5)),
    "lognorm": ((0.7,), True, (1.2, 3.5)),
    "uniform": ((), True, (0.2, 0.8)),
    "cauchy": ((), True, (-2, 2)),
    "logistic": ((), True, (-2, 2)),
    "laplace": ((), True, (0.3, 2)),
    "gumbel_r": ((), True, (-1, 2)),
    "gamma": ((2.5,), False, (1.2, 3.5)),
    "chi2": ((3.0,), False, (1.2, 3.5)),
    "beta": ((2.5, 1.5), False, (0.2, 0.8)),
    "t": ((4.0,), False, (-2, 2)),
}


def of_location(name):
    """All functions of one distribution in x, loc and scale, its parameters held."""
    given = "".join(f"{p}, " for p in FAMILIES[name][0])
    terms = [f"np.cos(stats.{name}.{m}(x, {given}loc, scale))" for m in FORWARD]
    terms += [
        f"stats.{name}.{m}(0.3 + x / 40, {given}loc, scale)" for m in ("ppf", "isf")
    ]
    return _function("of_location", "x, loc, scale", terms)


def of_parameters(name):
    """Those of its functions that have a derivative in its parameters."""
    given = ", ".join("pq"[: len(FAMILIES[name][0])])
    methods = FORWARD if FAMILIES[name][1] else ("pdf", "logpdf")
    terms = [f"np.cos(stats.{name}.{m}(x, {given}))" for m in methods]
    if FAMILIES[name][1]:
        terms += [f"stats.{name}.{m}(0.3 + x / 40, {given})" for m in ("ppf", "isf")]
    return _function("of_parameters", f"x, {given}", terms)


def _function(name, arguments, terms):
    from tests.fuzz.program import imported

    lines = [f"    total = {terms[0]}"]
    lines += [f"    total = total + {k}.5 * {term}" for k, term in enumerate(terms[1:])]
    head = "import numpy as np\nfrom scipy import stats\n\n\n"
    body = "\n".join(
        [f"def {name}({arguments}):", *lines, "    return np.sum(total)\n"]
    )
    return imported(head + body, name)


def check(function, args):
    names = tuple(range(len(args)))
    found = gradgen.grad(function, wrt=names)(*args)
    vectors = [0.3 + 0.1 * np.cos(np.asarray(a)) for a in args]
    value, change = gradgen.jvp(function, wrt=names)(*args, *vectors)
    assert value == function(*args)
    total = 0.0
    for k, (g, arg, v) in enumerate(zip(found, args, vectors, strict=True)):
        want = numeric_gradient(function, args, k)
        assert np.shape(g) == np.shape(arg)
        np.testing.assert_allclose(g, want.value, rtol=2e-6, atol=1e-8)
        total += np.sum(want.value * v)
    np.testing.assert_allclose(change, total, rtol=2e-6, atol=1e-8)


@pytest.mark.parametrize("name", FAMILIES)
def test_location_and_scale(name):
    low, high = FAMILIES[name][2]
    x = np.linspace(low, high, 6).reshape(2, 3)
    check(of_location(name), (x, np.array([0.05, -0.1, 0.1]), 1.2))


@pytest.mark.parametrize("name", [n for n, found in FAMILIES.items() if found[0]])
def test_parameters(name):
    low, high = FAMILIES[name][2]
    x = np.linspace(low, high, 4)
    check(of_parameters(name), (x, *(np.array(p) + 0.1 * x for p in FAMILIES[name][0])))


@pytest.mark.parametrize("name", [n for n, found in FAMILIES.items() if found[0]])
def test_float32(name):
    x = np.linspace(*FAMILIES[name][2], 4).astype(np.float32)
    given = [np.float32(p) for p in FAMILIES[name][0]]
    g = gradgen.grad(of_parameters(name))(x, *given)
    assert g.shape == x.shape and g.dtype == np.float32


def all_below(x):
    return np.sum(stats.expon.pdf(x) + stats.weibull_min.cdf(x, 1.5))


def beside(x):
    return np.sum(stats.uniform.cdf(x) + stats.beta.pdf(x, 2.0, 3.0))


@pytest.mark.parametrize("function", [all_below, beside])
def test_outside_the_support_is_zero(function):
    g = gradgen.grad(function)(np.array([-1.5, -0.3]))
    assert np.array_equal(g, [0.0, 0.0])


def shape_of_gamma(a, x):
    return np.sum(stats.gamma.cdf(x, a))


def freedom(df, x):
    return np.sum(stats.t.sf(x, df))


def both_of_beta(a, x):
    return np.sum(stats.beta.ppf(x, a, 2.0))


@pytest.mark.parametrize("function", [shape_of_gamma, freedom, both_of_beta])
def test_no_closed_form_is_refused(function):
    with pytest.raises(gradgen.GradgenError, match="GG302"):
        gradgen.grad(function)(2.5, np.array([0.2, 0.6]))


def lines():
    for name, (given, _, (low, high)) in FAMILIES.items():
        pre = "".join(f"{p}, " for p in given)
        for method in FORWARD:
            yield unary(f"stats.{name}.{method}(x, {pre}0.1, 1.1)", low, high)
        for method in ("ppf", "isf"):
            yield unary(f"stats.{name}.{method}(x, {pre}0.1, 1.1)", 0.15, 0.45)
            yield binary(f"stats.{name}.{method}(0.3, {pre}x, y)", 0.5, 1.5)


@pytest.mark.long
@pytest.mark.parametrize("line", tuple(lines()), ids=lambda line: line.text)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)
