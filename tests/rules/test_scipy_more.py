"""scipy: special functions, filters, samples, distances, equations of matrices."""

import numpy as np
import pytest

import gradgen
from tests.rules.beside import check

X = np.array([[0.3, 0.7, 1.2], [2.1, 1.4, 0.9]])
Y = np.array([0.4, 0.8, 1.1])
TALL = np.array([[0.3, 0.7, 1.2], [2.1, 1.4, 0.9], [0.2, 0.5, 1.7], [0.6, 0.1, 0.8]])
KERNEL = np.array([[0.4, 0.8], [1.1, 0.3]])
V = np.array([0.4, 0.8, 1.1, 0.2, 0.9])
PLACES = np.cumsum(V)
U = np.array([0.4, 0.8, 1.1, 0.2])
W = np.array([1.07, 0.39, 1.86, 0.84])
ROWS = np.array([[0.4, 0.8, 0.1], [1.1, 0.3, 0.6]])
A = np.array([[0.3, 0.2], [-0.1, 0.4]])
B = np.array([[0.9, 0.1], [0.2, 0.7]])
Q = np.array([[1.0, 0.3], [0.5, 2.0]])
FIR = np.array([0.3, 0.5, 0.2])
IIR = np.array([1.2, -0.4])

SPECIAL = [
    ("special.comb(x + 4, y)", X, Y),
    ("special.comb(np.array([2.6, 4.0, 1.0]), x + y)", X, Y),
    ("special.binom(x + 4, y)", X, Y),
    ("special.poch(x, y)", X, Y),
    ("special.multigammaln(x + 2, 3)", X),
    ("np.real(special.wofz(x + 1j * y))", X, Y),
    ("np.imag(special.wofz(x))", X),
    ("special.voigt_profile(x, y, w)", X, Y, 0.7),
    ("np.real(special.lambertw(x))", X),
    ("special.lambertw(-x / 9, -1).real * special.lambertw(x + 1j * y).imag", X, Y),
    ("special.wrightomega(x)", X),
    ("np.abs(special.wrightomega(x + 1j * y))", X, Y),
    ("special.kn(2, x) + special.yn(3, y)", X, Y),
    ("special.kn(0.7, x) * special.kn(-0.4, x) * special.yn(0.6, y)", X, Y),
    ("np.sum(x) * special.jn_zeros(1, 4) - y[0] * special.ynp_zeros(2, 4)", X, Y),
    ("special.ellipk(x / 3)", X),
    ("special.ellipe(x / 3)", X),
    ("special.ellipkinc(x, y / 2)", X, Y),
    ("special.ellipeinc(x, y / 2)", X, Y),
    ("special.expn(3, x)", X),
    ("special.expn(0, x)", X),
    ("special.powm1(np.array([0.0, 0.5, 0.9]), x)", X),
    ("special.spence(x)", X),
    ("special.zeta(2.5, x)", X),
    ("special.sici(x)[0]", X),
    ("special.sici(x)[1] * special.sici(x)[0]", X),
    ("special.fresnel(x)[0] + special.fresnel(x)[1]", X),
    ("special.airy(x)[0] + special.airy(x)[1]", X),
    ("special.airy(x)[2] - special.airy(x)[3] / 9", X),
    ("special.gammaincinv(2.5, x / 3)", X),
    ("special.gammainccinv(2.5, x / 3)", X),
    ("special.betaincinv(2.5, 1.5, x / 3)", X),
    ("special.stdtr(3.5, x)", X),
    ("special.chdtr(3.5, x) - special.chdtrc(2.5, x)", X),
    ("special.betaincc(2.5, 1.5, x / 3) + special.betainccinv(2.5, 1.5, x / 3)", X),
    ("special.stdtrit(3.5, x / 3)", X),
    ("special.chdtri(3.5, x / 3)", X),
    ("special.fdtr(3.5, 2.5, x) - special.fdtrc(2.0, 4.5, x)", X),
    ("special.fdtri(3.5, 2.5, x / 3)", X),
    ("special.gdtr(x, 1.5, y) - special.gdtrc(y, 2.5, x)", X, Y),
    ("special.pdtr(2, x) - special.pdtrc(3, y)", X, Y),
    ("special.ndtri_exp(-x)", X),
    ("special.tklmbda(x, 0.3) + special.tklmbda(x, -0.7)", X),
    ("special.owens_t(x, y)", X, Y),
    ("special.inv_boxcox(x, 0.6) - special.inv_boxcox1p(x, -0.2)", X),
    ("special.powm1(x, y)", X, Y),
    ("special.eval_jacobi(3, 0.5, 1.5, x / 3)", X),
    ("special.eval_gegenbauer(3, 0.7, x / 3)", X),
    ("special.eval_legendre(np.array([0, 1, 4]), x)", X),
    ("special.eval_chebyt(4, x / 3) - special.eval_chebyu(3, x / 3)", X),
    ("special.eval_chebyt(0, x) - special.eval_chebyu(1, x)", X),
    ("special.eval_genlaguerre(np.array([0, 1, 3]), 0.4, x)", X),
    ("special.eval_laguerre(3, x) * special.eval_hermite(3, x)", X),
    ("special.eval_hermitenorm(np.array([0, 1, 4]), x)", X),
    ("special.eval_hermite(np.array([0, 1, 4]), x)", X),
    ("special.eval_hermite(np.array([0, 3, 4], np.uint8), x)", X),
    ("special.yv(1.5, x) + special.yn(2, x)", X),
    ("special.kv(1.5, x) + special.kn(2, x)", X),
    ("special.k0e(x) + special.k1e(x)", X),
    ("special.hyp0f1(1.5, x)", X),
    ("special.hyp1f1(0.5, 1.5, x) - special.hyp1f1(2, 3, -x)", X),
    ("special.hyp2f1(0.5, 1.5, 2.5, x / 3)", X),
    ("special.hyperu(0.5, 1.5, x)", X),
    ("np.abs(special.hyp2f1(1, 0.7, 1.3, -0.2 * (x + 1j) / (x - 1j)))", X),
    ("np.imag(special.hyp0f1(1.5, x * 1j) * special.hyp1f1(0.3, 0.4, x * 1j))", X),
]
MODES = ("full", "same", "valid")
FILTERS = [
    *((f"signal.convolve(x, y, mode='{mode}')", TALL, KERNEL) for mode in MODES),
    *((f"signal.fftconvolve(x, y, mode='{mode}')", TALL, KERNEL) for mode in MODES),
    *((f"signal.correlate(x, y, mode='{mode}')", TALL, KERNEL) for mode in MODES),
    *((f"signal.fftconvolve(x, y, '{mode}')", V, V[:2]) for mode in MODES),
    *((f"signal.correlate(x, y, '{mode}')", V[:2], V) for mode in MODES),
    ("signal.convolve(x, y, 'valid')", KERNEL, TALL),
    ("signal.lfilter(x, y, w)", FIR, IIR, V),
    ("signal.lfilter(x, y, w, axis=0)", FIR, IIR, TALL),
    ("signal.lfilter(x, [1.0], y)", FIR, V),
    ("signal.lfilter([0.3, 0.7], x, y)", IIR, TALL),
]
SAMPLES = [
    ("integrate.trapezoid(x, y)", V, PLACES),
    ("integrate.trapezoid(x)", TALL),
    ("integrate.trapezoid(x, dx=y[1:])", V, PLACES),
    ("integrate.trapezoid(x, y, axis=0)", TALL, PLACES[:4]),
    *(("integrate.simpson(x)", V[:n]) for n in (2, 3, 4, 5)),
    ("integrate.simpson(x, dx=0.3)", TALL),
    ("integrate.simpson(x, dx=0.3, axis=0)", TALL),
]
HELD = [
    *(("integrate.simpson(x, x=y)", V[:n], PLACES[:n]) for n in (3, 4, 5)),
    ("integrate.simpson(x, x=y, axis=0)", TALL, PLACES[:4]),
]
NAMED = (
    "euclidean sqeuclidean cityblock chebyshev cosine correlation braycurtis canberra"
)
D = "spatial.distance."
DISTANCES = [
    *((f"{D}{name}(x, y)", U, W) for name in NAMED.split()),
    *((f"{D}{name}(x, y, w)", U, W, U + 0.2) for name in NAMED.split()[:3]),
    (f"{D}minkowski(x, y, 3)", U, W),
    (f"{D}minkowski(x, y, p=1.5)", U, W),
    (f"{D}seuclidean(x, y, w)", U, W, U + 0.3),
    (f"{D}mahalanobis(x, y, w)", U, W, np.eye(4) + 0.1),
    *((f"{D}cdist(x, y, '{name}')", TALL, ROWS) for name in NAMED.split()[:3]),
    (f"{D}cdist(x, y)", TALL, ROWS),
    *((f"{D}pdist(x, '{name}')", TALL) for name in NAMED.split()[:2]),
    (f"{D}squareform({D}pdist(x))", TALL),
    (f"{D}squareform(x)", V[:3]),
    (f"{D}squareform(x, checks=False)", Q + Q.T - 2 * np.diag(np.diag(Q))),
]
EQUATIONS = [
    ("linalg.solve_sylvester(x, y, w)", A + np.eye(2), B, Q),
    ("linalg.solve_discrete_lyapunov(x, y)", A, Q),
    ("linalg.solve_continuous_lyapunov(x, y)", A + np.eye(2), Q),
    ("linalg.sqrtm(x)", Q),
]
ALL = [*SPECIAL, *FILTERS, *SAMPLES, *DISTANCES, *EQUATIONS]


@pytest.mark.parametrize("line", ALL, ids=lambda line: f"{line[0]}-{len(line)}")
def test_line(line):
    check(*line)


@pytest.mark.parametrize("line", HELD, ids=lambda line: line[0])
def test_held(line):
    check(*line, held=(1,))


@pytest.mark.long
@pytest.mark.parametrize("line", ALL, ids=lambda line: line[0])
def test_second(line):
    check(*line, second=True)


REFUSED = [
    ("special.expn(x, 2.0)", 3.0),
    ("special.gammaincinv(x, 0.3)", 2.5),
    ("special.hyp0f1(x, 0.3)", 2.5),
    ("special.hyp1f1(0.5, x, 0.3)", 2.5),
    ("special.hyp2f1(0.5, 1.5, x, 0.3)", 2.5),
    ("special.hyperu(x, 1.5, 0.3)", 2.5),
    ("special.zeta(x, 2.0)", 2.5),
    ("integrate.simpson(x, x=x)", PLACES),
    ("signal.fftconvolve(x, x, axes=0)", TALL),
    (f"{D}cdist(x, x, 'jaccard')", TALL),
    ("linalg.sqrtm(x)", np.stack([Q, Q])),
    ("linalg.solve_discrete_lyapunov(x, x)", np.stack([A, A])),
    (f"{D}minkowski(np.ones(2), np.zeros(2), x)", 2.5),
]


@pytest.mark.parametrize("line", REFUSED, ids=lambda line: line[0])
def test_refused(line):
    with pytest.raises(gradgen.GradgenError, match="GG30"):
        check(*line)


def test_a_root_that_is_complex_is_an_error():
    from tests.rules.beside import function_of

    with pytest.raises(gradgen.GradgenError, match="no real square root"):
        gradgen.grad(function_of("linalg.sqrtm(x)", 1))(-Q)
