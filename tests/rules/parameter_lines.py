"""Lines with a call of each rule whose own tests are not lines, for the sweep of options.

Of the distributions of scipy.stats they are made from the rule table. What a rule
without a derivative gives (an integer, a bool, an array of constants) multiplies x,
or chooses, so that another value of it is another gradient.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.rules.load import operations
from tests.rules.checker import Line, shaped


def within(text: str, low: float, high: float, *shapes: str) -> Line:
    """An expression of arguments in (low, high), at one set of shapes."""
    return Line(text, (shapes or ("n d",),), low, high, signed=False)


def beside(text: str, low: float, high: float, other, *shapes: str) -> Line:
    """The same, the second argument in an interval of its own."""
    return Line(text, (shapes or ("n d", "n d"),), low, high, False, other)


def counted(text: str, fact: str = "3 5") -> Line:
    """One that multiplies x by numbers, or chooses by them: arrays of five are its rows."""
    return within(text, 0.3, 1.7, fact)


# the values of a distribution's own parameters, and an interval of x
FAMILIES = {
    "norm": ((), (-1.5, 1.5)),
    "expon": ((), (1.2, 3.5)),
    "weibull_min": ((1.7,), (1.2, 3.5)),
    "pareto": ((2.3,), (1.5, 3.5)),
    "lognorm": ((0.7,), (1.2, 3.5)),
    "uniform": ((), (0.2, 0.8)),
    "cauchy": ((), (-2, 2)),
    "logistic": ((), (-2, 2)),
    "laplace": ((), (0.3, 2)),
    "gumbel_r": ((), (-1, 2)),
    "gamma": ((2.5,), (1.2, 3.5)),
    "invgamma": ((2.5,), (0.4, 1.5)),
    "invgauss": ((0.8,), (0.4, 1.5)),
    "recipinvgauss": ((0.8,), (0.4, 1.5)),
    "fatiguelife": ((0.8,), (0.5, 1.9)),
    "chi2": ((3.0,), (1.2, 3.5)),
    "beta": ((2.5, 1.5), (0.2, 0.8)),
    "t": ((4.0,), (-2, 2)),
}
# of whole numbers: how a call is written, its probability in (0.1, 0.9)
COUNTS = {"poisson": "2, x", "binom": "2, 5, x", "bernoulli": "1, x", "geom": "3, x"}


def of_distributions() -> Iterator[Line]:
    """Each method of each distribution: of x alone, and with a place and a scale."""
    for op in operations():
        if not op.startswith("scipy.stats.") or op.count(".") != 3:
            continue
        name, method = op.split(".")[2:]
        if name in COUNTS:
            yield within(f"stats.{name}.{method}({COUNTS[name]})", 0.1, 0.9)
        elif name in FAMILIES:
            given, (low, high) = FAMILIES[name]
            if method in ("ppf", "isf"):
                low, high = 0.15, 0.45
            call = ", ".join(["x", *map(str, given)])
            yield within(f"stats.{name}.{method}({call})", low, high)
            yield within(f"stats.{name}.{method}({call}, 0.1, 1.1)", low, high, "d")


def of_calls(module: str, low: float, high: float, *calls: str) -> list[Line]:
    """A line of x in (low, high) for each call "name(arguments)" of the module's."""
    return [within(f"{module}.{call}", low, high) for call in calls]


STATS = [
    *of_calls("stats", 0.3, 1.7, "circmean(x)", "circvar(x)", "circstd(x)"),
    *of_calls("stats", 0.3, 1.7, "entropy(x)", "tmean(x)", "tvar(x)", "tstd(x)"),
    *of_calls("stats", 0.3, 1.7, "variation(x)", "pmean(x, 1.5)", "gmean(x)"),
    *of_calls("stats", 0.3, 1.7, "hmean(x)", "sem(x)", "zscore(x)", "moment(x, 3)"),
    *of_calls("stats", 0.3, 1.7, "skew(x)", "kurtosis(x)"),
    within("stats.circmean(x, 6.0, 0.5, 1)", 0.6, 1.7, "b n d"),
    within("stats.circvar(x, 6.0, 0.5, 1)", 0.6, 1.7, "b n d"),
    within("stats.circstd(x, 6.0, 0.5, 1)", 0.6, 1.7, "b n d"),
    within("stats.entropy(x, None, 2.0, 1)", 0.3, 1.7, "b n d"),
    within("stats.moment(x, 2, 1)", 0.3, 1.7, "b n d"),
    within("stats.sem(x, 1, 0)", 0.3, 1.7, "b n d"),
    within("stats.zscore(x, 1, 1)", 0.3, 1.7, "b n d"),
    within("stats.kurtosis(x, 1, False)", 0.3, 1.7, "b n d"),
]
DISTANCES = [
    *(
        within(f"spatial.distance.{name}(x, y)", 0.3, 1.7, "d", "d")
        for name in (
            "euclidean sqeuclidean cityblock chebyshev cosine correlation braycurtis "
            "canberra minkowski"
        ).split()
    ),
    within("spatial.distance.minkowski(x, y, 3)", 0.3, 1.7, "3", "3"),
    within("spatial.distance.seuclidean(x, y, w)", 0.3, 1.7, "d", "d", "d"),
    within("spatial.distance.mahalanobis(x, y, np.eye(5) + 0.1)", 0.3, 1.7, "5", "5"),
    within("spatial.distance.cdist(x, y)", 0.3, 1.7, "n d", "m d"),
    within("spatial.distance.pdist(x)", 0.3, 1.7, "n d"),
    within("spatial.distance.squareform(x)", 0.3, 1.7, "3"),
    within(
        "spatial.distance.squareform(np.abs(x[:, None] - x) + 0 * y, checks=False)",
        0.3,
        1.7,
        "n",
        "",
    ),
]
SAMPLES = [
    within("integrate.trapezoid(x)", 0.3, 1.7),
    within("integrate.trapezoid(x, None, 0.5, 0)", 0.3, 1.7, "b n d"),
    within("integrate.simpson(x)", 0.3, 1.7),
    within("integrate.simpson(x, dx=0.5, axis=0)", 0.3, 1.7, "b n d"),
    within("signal.fftconvolve(x, y)", 0.3, 1.7, "n d", "2 3"),
    within("signal.fftconvolve(x, y)", 0.3, 1.7, "d", "n"),
    within("signal.correlate(x, y)", 0.3, 1.7, "n d", "2 3"),
    within("signal.correlate(x, y)", 0.3, 1.7, "d", "n"),
    within("signal.lfilter(x, [1.2, -0.4], y)", 0.3, 1.7, "3", "n d"),
    within("signal.lfilter([0.3, 0.7], x, y)", 0.3, 1.7, "2", "d"),
    within("signal.detrend(x)", 0.3, 1.7),
    within("signal.detrend(x, 1, 'constant')", 0.3, 1.7, "b n d"),
    within("np.logspace(x, 2.0)", 0.3, 1.7, ""),
    within("np.logspace(x, y, 5, False)", 0.3, 1.7, "", "float"),
    within("np.geomspace(x, 2.0)", 0.3, 1.7, ""),
    within("np.geomspace(x, y, 5, False)", 0.3, 1.7, "", "float"),
    within("np.ediff1d(x)", 0.3, 1.7),
    within("np.ediff1d(x, y)", 0.3, 1.7, "d", "2"),
    within("np.roots(x)", 0.3, 1.7, "2"),
    within("np.divmod(x, 0.37)[1]", 0.3, 1.7),
    within("np.frexp(x)[0] * np.frexp(x)[1]", 0.3, 1.7),
    within("np.i0(x)", 0.3, 1.7),
    within("np.float64(x)", 0.3, 1.7, ""),
    within("np.row_stack((x, x))", 0.3, 1.7),
    *(
        within(f"np.{name}.accumulate(x)", 0.3, 1.7)
        for name in ("maximum", "minimum", "fmax", "fmin")
    ),
    within("np.mod(x, 0.37)", 0.3, 1.7),
    within("optimize.rosen(x)", 0.3, 1.7, "d"),
    within("optimize.rosen_der(x)", 0.3, 1.7, "d"),
    within("optimize.rosen_hess_prod(x, y)", 0.3, 1.7, "d", "d"),
    within("linalg.solve_sylvester(x, y, w)", 0.3, 1.7, "n n", "n n", "n n"),
    within("linalg.solve_continuous_lyapunov(x, y)", 0.3, 1.7, "n n", "n n"),
    within("linalg.solve_lyapunov(x, y)", 0.3, 1.7, "n n", "n n"),
    within("linalg.solve_discrete_lyapunov(x / 9, y)", 0.3, 1.7, "n n", "n n"),
    within("linalg.sqrtm(x + 5 * np.eye(3))", 0.3, 1.7, "3 3"),
]
SPECIAL = [
    *of_calls("special", 0.3, 1.7, "yv(1.5, x)", "yn(2, x)", "kv(1.5, x)", "kn(2, x)"),
    *of_calls("special", 0.3, 1.7, "kve(1.5, x)", "k0e(x)", "k1e(x)", "expn(3, x)"),
    *of_calls("special", 0.3, 1.7, "binom(x, 0.7)", "poch(x, 0.7)", "zeta(2.5, x)"),
    *of_calls("special", 0.3, 1.7, "multigammaln(x + 2, 3)", "wrightomega(x)"),
    *of_calls("special", 0.3, 1.7, "voigt_profile(x, 0.6, 0.7)", "spence(x)"),
    *of_calls("special", 0.1, 0.7, "ellipk(x)", "ellipe(x)", "ellipkinc(x, 0.5)"),
    *of_calls("special", 0.1, 0.7, "ellipeinc(x, 0.5)", "gammaincinv(2.5, x)"),
    *of_calls("special", 0.1, 0.7, "gammainccinv(2.5, x)", "betaincc(2.5, 1.5, x)"),
    *of_calls("special", 0.1, 0.7, "betaincinv(2.5, 1.5, x)", "stdtrit(3.5, x)"),
    *of_calls("special", 0.1, 0.7, "betainccinv(2.5, 1.5, x)", "chdtri(3.5, x)"),
    *of_calls("special", 0.3, 1.7, "stdtr(3.5, x)", "chdtr(3.5, x)", "chdtrc(2.5, x)"),
    *of_calls("special", 0.3, 1.7, "fdtr(3.5, 2.5, x)", "fdtrc(3.5, 2.5, x)"),
    *of_calls("special", 0.3, 1.7, "gdtr(1.2, 1.5, x)", "gdtrc(1.2, 1.5, x)"),
    *of_calls("special", 0.3, 1.7, "pdtr(2, x)", "pdtrc(2, x)", "ndtri_exp(-x)"),
    *of_calls("special", 0.1, 0.7, "fdtri(3.5, 2.5, x)", "tklmbda(x, 0.3)"),
    *of_calls("special", 0.3, 1.7, "owens_t(x, 0.4)", "inv_boxcox(x, 0.6)"),
    *of_calls("special", 0.3, 1.7, "inv_boxcox1p(x, 0.6)", "powm1(x, 0.7)"),
    *of_calls("special", 0.1, 0.7, "eval_jacobi(3, 0.5, 1.5, x)", "hyp0f1(1.5, x)"),
    *of_calls("special", 0.1, 0.7, "eval_gegenbauer(3, 0.7, x)", "eval_legendre(3, x)"),
    *of_calls("special", 0.1, 0.7, "eval_chebyt(3, x)", "eval_chebyu(3, x)"),
    *of_calls(
        "special", 0.1, 0.7, "eval_genlaguerre(3, 0.4, x)", "eval_laguerre(3, x)"
    ),
    *of_calls("special", 0.1, 0.7, "eval_hermite(3, x)", "eval_hermitenorm(3, x)"),
    *of_calls("special", 0.1, 0.7, "hyp1f1(0.5, 1.5, x)", "hyp2f1(0.5, 1.5, 2.5, x)"),
    *of_calls("special", 0.1, 0.7, "hyperu(0.5, 1.5, x)", "sici(x)[0]"),
    *of_calls("special", 0.3, 1.7, "fresnel(x)[0]", "airy(x)[0]"),
    within("np.real(special.wofz(x))", 0.3, 1.7),
    within("np.real(special.sph_harm_y(3, 2, x, y))", 0.3, 1.7, "n d", "n d"),
    within("math.nextafter(x, 2.0)", 0.3, 1.7, "float"),
]
# what rules without a derivative give
COMPARED = "greater greater_equal less less_equal equal not_equal isclose"
BITS = "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor"
COUNTED = [
    *(counted(f"np.where(np.{f}(x, 0.9), x, x * x)") for f in COMPARED.split()),
    *(counted(f"np.where(np.{f}(x > 0.9, x > 1.2), x, x * x)") for f in BITS.split()),
    *(
        counted(f"np.where(np.{f}(x > 0.9), x, x * x)")
        for f in ("logical_not", "invert")
    ),
    *(
        counted(f"np.where(np.{f}(x), x, x * x)")
        for f in ("isnan", "isfinite", "isinf", "isneginf", "signbit")
    ),
    *(
        counted(f"x * np.{f}(3 * x)")
        for f in ("ceil", "rint", "trunc", "fix", "spacing")
    ),
    counted("x * np.floor_divide(x, 0.37)"),
    counted("x * np.left_shift(np.arange(5), 1)"),
    counted("x * np.right_shift(np.arange(5), 1)"),
    counted("x * np.isin(np.arange(5), [1, 3])"),
    counted("x * np.all(x > 0.4)"),
    counted("x * np.any(x > 1.2)"),
    counted("x * np.all(x > 0.4, 1)[:, None]", "b n d"),
    counted("x * np.any(x > 1.2, 1)[:, None]", "b n d"),
    counted("x * np.iscomplexobj(x)"),
    counted("x * np.isrealobj(x)"),
    counted("x * np.array_equal(x, x)"),
    counted("x * np.ones_like(x)"),
    counted("x * (np.empty_like(x) == 0.123)"),
    counted("x * np.zeros(5)"),
    counted("x * (np.empty(5) == 0.123)"),
    counted("x * (np.ndarray(5) == 0.123)"),
    counted("x * np.indices((3, 5))[0]"),
    counted("x * np.kaiser(5, 8.6)"),
    counted("x * np.hamming(5)"),
    counted("x * np.blackman(5)"),
    counted("x * np.bartlett(5)"),
    *(
        counted(f"x * np.{sort}(3 * x)", "")
        for sort in "int64 int8 int16 int32 uint8 uint16 uint32 uint64".split()
    ),
    counted("x * np.ndim(x)"),
    counted("x * np.size(x)"),
    counted("x * np.size(x, 1)", "b n d"),
    counted("x * np.finfo(x.dtype).eps"),
    counted("x * np.shape(x)[0]"),
    counted("x * np.ones(np.broadcast_shapes((3, 1), (5,)))"),
    counted("x * np.ones(5, np.result_type(x, np.float32))"),
    counted("x * np.issubdtype(x.dtype, np.floating)"),
    counted("x * np.can_cast(x.dtype, np.float32)"),
    counted("x * np.isscalar(x)"),
    counted("x * np.iterable(x)"),
    counted("x * np.float32(0.1)"),
    counted("x * math.factorial(3)"),
    counted("x * math.comb(5, 2)"),
    counted("x * math.perm(5)"),
    counted("x * math.gcd(6, 4)"),
    counted("x * math.isqrt(17)"),
    counted("x * np.linalg.matrix_rank(x)"),
    counted("x * np.linalg.matrix_rank(x + np.swapaxes(x, 1, 2))[0]", "b n n"),
    counted("x * fft.next_fast_len(7)"),
    counted("x * fft.prev_fast_len(7)"),
    counted("x * np.fft.fftfreq(5)"),
    counted("np.sum(x) * np.fft.rfftfreq(5)"),
    counted("x[np.triu_indices(3)]", "5 5"),
    counted("x[np.tril_indices(3)]", "5 5"),
    counted("x[np.triu_indices_from(x)]"),
    counted("x[np.tril_indices_from(x)]"),
    counted("x[np.diag_indices(3)]"),
    counted("x[np.diag_indices_from(x)]", "n n"),
    counted("x[:2, 0] * np.argwhere(x > 0.4)[0]"),
    counted("x[np.lexsort((x,))]", "d"),
    counted("x.ravel()[np.lexsort(x)]"),
    *(
        counted(f"x * np.polynomial.{rule}(5)[0]")
        for rule in (
            "legendre.leggauss",
            "chebyshev.chebgauss",
            "laguerre.laggauss",
            "hermite.hermgauss",
            "hermite_e.hermegauss",
        )
    ),
    *(
        counted(f"x * special.roots_{rule}(5)[0]")
        for rule in "legendre hermite hermitenorm laguerre chebyt chebyu sh_legendre".split()
    ),
    *(
        counted(f"x * special.{rule}_zeros(1, 5)")
        for rule in ("jn", "jnp", "yn", "ynp")
    ),
]
# methods of arrays and of ufuncs, whose options are in other places
METHODS = [
    *of_calls("x", 0.3, 1.7, "sum()", "mean()", "max()", "min()", "prod()", "std()"),
    *of_calls("x", 0.3, 1.7, "var()", "cumsum()", "cumprod()", "trace()", "diagonal()"),
    *of_calls("x", 0.3, 1.7, "copy()", "flatten()", "ravel()", "squeeze()", "conj()"),
    *of_calls("x", 0.3, 1.7, "conjugate()", "transpose()", "swapaxes(0, 1)"),
    *of_calls("x", 0.3, 1.7, "reshape(-1)", "repeat(2)", "take(1)", "clip(0.5)"),
    *of_calls("x", 0.3, 1.7, "clip(min=0.5)", "astype(np.float64)", "dot(x.T)"),
    counted("x * x.all()"),
    counted("x * x.any()"),
    counted("x.ravel()[x.argmax()]"),
    counted("x.ravel()[x.argmin()]"),
    counted("np.take_along_axis(x, x.argsort(), 1) * np.arange(5)"),
    counted("x * x.round()"),
    within("y * x.searchsorted([0.5, 0.9])", 0.3, 1.7, "2", "5"),
    *(
        within(f"np.{name}.reduce(x)", 0.3, 1.7)
        for name in ("add", "multiply", "maximum", "minimum", "fmax", "fmin")
    ),
    counted("np.where(np.logical_and.reduce(x > 0.4), x, x * x)"),
    counted("np.where(np.logical_or.reduce(x > 1.2), x, x * x)"),
    within("np.add.accumulate(x)", 0.3, 1.7),
    within("np.multiply.accumulate(x)", 0.3, 1.7),
]
# what is refused, whatever its options
REFUSED = [
    *(
        shaped(f"np.{rule}", "n d")
        for rule in (
            "apply_over_axes(np.sum, x, [0])",
            "fromfunction(np.add, (3, 5)) * x",
            "unique(x)",
            "union1d(x, x)",
            "intersect1d(x, x)",
            "setdiff1d(x, x)",
            "setxor1d(x, x)",
            "put_along_axis(x, np.array([[0]]), 1.0, 0)",
            "put(x, 0, 1.0)",
            "place(x, x > 0, 1.0)",
            "putmask(x, x > 0, 1.0)",
            "copyto(x, 1.0)",
            "random.rand(3, 5) * x",
            "random.randn(3, 5) * x",
            "random.random((3, 5)) * x",
            "random.normal(0.0, 1.0, (3, 5)) * x",
            "random.uniform(0.0, 1.0, (3, 5)) * x",
            "random.standard_normal((3, 5)) * x",
            "random.randint(0, 5, (3, 5)) * x",
            "random.choice(x[0], 5)",
            "random.permutation(x)",
            "random.default_rng(0).normal() * x",
        )
    )
]
OF_RULES: list[Line] = [
    *of_distributions(),
    *STATS,
    *DISTANCES,
    *SAMPLES,
    *SPECIAL,
    *COUNTED,
    *METHODS,
    *REFUSED,
]
