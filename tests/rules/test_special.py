"""scipy.special: one line per function, through the checker; kinks, imports, refusals."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import special

import gradgen
from tests.rules.checker import Line, binary, faults, shaped, unary

UNARY = [
    unary("special.expit(x)", -4, 4),
    unary("special.log_expit(x)", -4, 4),
    unary("special.logit(x)", 0.1, 0.9),
    unary("special.expm1(x)", -2, 2),
    unary("special.exp2(x)", -2, 2),
    unary("special.exp10(x)", -1, 1),
    unary("special.log1p(x)", -0.6, 3),
    unary("special.cosm1(x)", -2, 2),
    unary("special.erf(x)", -2, 2),
    unary("special.erfc(x)", -2, 2),
    unary("special.erfcx(x)", -1, 3),
    unary("special.erfinv(x)", -0.9, 0.9),
    unary("special.erfcinv(x)", 0.1, 1.9),
    unary("special.dawsn(x)", -3, 3),
    unary("special.ndtr(x)", -3, 3),
    unary("special.log_ndtr(x)", -6, 3),
    unary("special.ndtri(x)", 0.1, 0.9),
    unary("special.gamma(x)", 0.4, 4),
    unary("special.gamma(x)", -0.8, -0.2),
    unary("special.gammaln(x)", 0.4, 4),
    unary("special.loggamma(x)", 0.4, 4),
    unary("special.rgamma(x)", 0.4, 4),
    unary("special.digamma(x)", 0.4, 4),
    unary("special.psi(x)", 0.4, 4),
    unary("special.polygamma(1, x)", 0.4, 4),
    unary("special.polygamma(2, x)", 0.4, 4),
    unary("special.gammainc(2, x)", 0.3, 4),
    unary("special.gammainc(0.5, x)", 0.3, 4),
    unary("special.gammaincc(1.5, x)", 0.3, 4),
    unary("special.xlogy(2, x)", 0.3, 3),
    unary("special.xlogy(x, 3)", -2, 3),
    unary("special.entr(x)", 0.2, 2),
    unary("special.huber(1.0, x)", 1.2, 3),
    unary("special.huber(1.0, x)", -0.8, 0.8),
    unary("special.huber(0.5, x)", -2, -0.7),
    unary("special.pseudo_huber(0.5, x)", -2, 2),
    unary("special.boxcox(x, 0.3)", 0.3, 3),
    unary("special.boxcox(x, 0)", 0.3, 3),
    unary("special.boxcox1p(x, 1.5)", -0.5, 3),
    unary("special.erfi(x)", -1, 1),
    unary("special.expi(x)", 0.3, 2),
    unary("special.exp1(x)", 0.3, 2),
    unary("special.exprel(x)", -2, 2),
    unary("special.exprel(x / 300)", -2, 2),
    unary("special.betainc(2, 3, x)", 0.1, 0.9),
    unary("special.betainc(0.5, 1.5, x)", 0.1, 0.9),
    unary("special.i0e(x)", 0.3, 3),
    unary("special.i0e(x)", -3, -0.3),
    unary("special.i1e(x)", -3, -0.3),
    unary("special.j0(x)", 0.3, 6),
    unary("special.j1(x)", -3, 3),
    unary("special.jv(2, x)", 0.3, 6),
    unary("special.i0(x)", -2, 2),
    unary("special.i1(x)", -2, 2),
    unary("special.iv(1, x)", 0.3, 3),
    unary("special.k0(x)", 0.4, 3),
    unary("special.k1(x)", 0.4, 3),
    unary("special.y0(x)", 0.4, 3),
    unary("special.y1(x)", 0.4, 3),
]

BINARY = [
    binary("special.beta(x, y)", 0.5, 3),
    binary("special.betaln(x, y)", 0.5, 3),
    binary("special.xlogy(x, y)", 0.3, 2),
    binary("special.xlog1py(x, y)", -2, 2, (-0.6, 2)),
    binary("special.rel_entr(x, y)", 0.3, 2),
    binary("special.kl_div(x, y)", 0.3, 2),
    binary("special.huber(x, y)", 2, 3, (-1.7, 1.7)),
    binary("special.huber(x, y)", 0.5, 1, (1.2, 3)),
    binary("special.pseudo_huber(x, y)", 0.5, 2, (-2, 2)),
]

REDUCTIONS = [
    shaped("special.logsumexp(x)", "n d"),
    shaped("special.logsumexp(x)", "d"),
    shaped("special.logsumexp(x, axis=0)", "n d"),
    shaped("special.logsumexp(x, axis=1)", "n d"),
    shaped("special.logsumexp(x, -1)", "b n d"),
    shaped("special.logsumexp(x, axis=(0, 2))", "b n d"),
    shaped("special.logsumexp(x, axis=-1, keepdims=True)", "n d"),
    shaped("special.logsumexp(x, keepdims=True)", "n d"),
    shaped("x - special.logsumexp(x, axis=1, keepdims=True)", "n d"),
    shaped("special.logsumexp(x, axis=1, b=np.abs(y))", "n d", "n d"),
    shaped("special.logsumexp(x, axis=1, b=np.abs(y))", "n d", "d"),
    shaped("special.logsumexp(x, b=np.abs(y), axis=0)", "n 1", "n d"),
    shaped("special.logsumexp(x, b=np.abs(y), keepdims=True)", "n d", "n 1"),
    shaped("special.softmax(x)", "n d"),
    shaped("special.softmax(x)", "d"),
    shaped("special.softmax(x, axis=0)", "n d"),
    shaped("special.softmax(x, axis=-1)", "b n d"),
    shaped("special.softmax(x, (0, 1))", "b n d"),
    shaped("y * special.softmax(x, axis=1)", "n d", "n d"),
    shaped("special.log_softmax(x)", "n d"),
    shaped("special.log_softmax(x, axis=0)", "n d"),
    shaped("special.log_softmax(x, axis=-1)", "b n d"),
    shaped("y * special.log_softmax(x, axis=1)", "n d", "n d"),
]


def label(line: Line) -> str:
    told = "" if line.elementwise else f" of {', '.join(line.shapes[0])}"
    return f"{line.text}{told} {line.low}"


@pytest.mark.parametrize("line", [*UNARY, *BINARY, *REDUCTIONS], ids=label)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


def gamma_of_both(a, x):
    return special.gammainc(a, x)


def part_of_beta(a, b, x):
    return special.betainc(a, b, x)


def transformed(x, power):
    return special.boxcox(x, power)


def relative(x):
    return special.exprel(x)


def entropy(p):
    return -np.sum(special.xlogy(p, p))


def cross_entropy(p, q):
    return -np.sum(special.xlogy(p, q))


def mixture(logits):
    return special.logsumexp(logits)


def bessel(x):
    return np.sum(special.i1(x)) + np.sum(special.j1(x))


def shadowed(x, special):
    return np.sum(sigmoid(x) * special)


def twice_shadowed(x, special, scipy):
    return np.sum(sigmoid(x) * special * scipy)


def with_signs(x):
    return special.logsumexp(x, return_sign=True)


def unknown_function(x):
    return special.itairy(x)[0]


sigmoid = special.expit


def test_an_order_may_be_an_array_that_is_held_constant():
    g = gradgen.grad(gamma_of_both, wrt="x", shapes={"a": "n", "x": "n"})
    a, x = np.array([0.5, 2.0]), np.array([1.0, 3.0])
    np.testing.assert_allclose(g(a, x), x ** (a - 1) * np.exp(-x) / special.gamma(a))


def test_an_order_has_no_gradient():
    with pytest.raises(gradgen.GradgenError, match="gammainc in its first argument"):
        gradgen.grad(gamma_of_both, wrt="a").source

    with pytest.raises(gradgen.GradgenError, match="betainc in its second argument"):
        gradgen.grad(part_of_beta, wrt="b").source
    with pytest.raises(gradgen.GradgenError, match="boxcox in its exponent"):
        gradgen.grad(transformed, wrt="power").source


def test_the_relative_exponential_at_zero():
    g = gradgen.grad(relative, shapes={"x": "n"})
    np.testing.assert_array_equal(g(np.zeros(1)), [0.5])


def test_what_is_not_known_is_refused():
    with pytest.raises(gradgen.GradgenError, match="return_sign="):
        gradgen.grad(with_signs, wrt="x").source
    with pytest.raises(gradgen.GradgenError, match="special.itairy has no rule"):
        gradgen.grad(unknown_function, wrt="x").source


def test_a_class_of_no_weight_counts_nothing():
    p, q = np.array([1.0, 0.0]), np.array([0.5, 0.0])
    with np.errstate(all="ignore"):
        g = gradgen.grad(cross_entropy, wrt="q", shapes={"p": "n", "q": "n"})(p, q)
    np.testing.assert_array_equal(g, [-2, 0])


def test_entries_of_minus_infinity_weigh_nothing():
    g = gradgen.grad(mixture, wrt="logits", shapes={"logits": "n"})
    np.testing.assert_array_equal(g(np.array([0.0, -np.inf, 0.0])), [0.5, 0, 0.5])


def test_bessel_functions_at_zero():
    np.testing.assert_array_equal(gradgen.grad(bessel)(np.zeros(2)), [1, 1])


@pytest.mark.parametrize(
    "function, line, call",
    [
        (mixture, "from scipy import special", " special.logsumexp("),
        (shadowed, "import scipy.special", " scipy.special.expit("),
        (
            twice_shadowed,
            "from scipy import special as _scipy_special",
            " _scipy_special.expit(",
        ),
    ],
)
def test_the_name_of_the_module_is_one_that_is_free(function, line, call):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    g = gradgen.grad(function, wrt=names[0])
    assert line in g.source.splitlines() and call in g.source
    args = [np.array([0.5, 1.5])] + [2.0] * (len(names) - 1)
    if function is not mixture:
        s = special.expit(args[0])
        np.testing.assert_allclose(g(*args), s * (1 - s) * 2 ** (len(names) - 1))


def test_a_text_without_scipy_does_not_import_it():
    lines = gradgen.grad(cross_entropy, wrt="q").source.splitlines()
    assert [line for line in lines if "import" in line] == ["import numpy as np"]


def test_a_primal_without_scipy_does_not_load_it():
    code = (
        "import sys, gradgen\n"
        "gradgen.emit('examples/losses.py:cosine_loss')\n"
        "assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
