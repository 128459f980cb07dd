"""Complex arguments: one line per function, through the checker; refusals by name."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.rules.checker import WHOLE
from tests.rules.complex_checker import FORMS, complex_faults, function_of, names_in

UNARY = """
-z | +z | np.exp(z) | np.exp2(z) | np.expm1(z) | np.log(z) | np.log2(z) | np.log10(z)
np.log1p(z) | np.sqrt(z) | np.sin(z) | np.cos(z) | np.tan(z) | np.arcsin(z)
np.arccos(z) | np.arctan(z) | np.sinh(z) | np.cosh(z) | np.tanh(z) | np.arcsinh(z)
np.arccosh(z) | np.arctanh(z) | np.reciprocal(z) | np.square(z) | 1 / z | z ** 2
z ** 3 | z ** -1 | z ** 0.5 | z ** 1.5 | z ** 1 | z ** 2j | z ** (0.5 + 1j) | 2 ** z
2j ** z | (-2) ** z | np.conj(z) | np.conjugate(z) | z.conj() | z.conjugate()
np.real_if_close(z) | np.real(z) | z.real | np.imag(z) | z.imag | np.abs(z) | abs(z) | np.absolute(z)
np.angle(z) | np.angle(z, deg=True) | np.real(x) | np.conj(x) | x.real | x.conj()
x * 1j | np.exp(1j * x) | (1 + 2j) * x | x + 1j | 1j - x | 1j / x | x ** 2j
np.abs(x + 0.5j) ** 2 | z * np.conj(z) | z * z.real | np.where(z.real > 0, z, 0)
np.where(x > 0, x, 1j * x) | np.sqrt(x + 0j) | np.exp(-1j * z).real 
""".replace("\n", "|").split("|")
UNARY = [text.strip() for text in UNARY if text.strip()]

BINARY = """
z + w | z - w | z * w | z / w | z ** w | x + z | x - z | z - x | x * z | x / z | z / x
z ** x | x ** z | np.where(x > 0, z, x) | np.where(x > 0, x, z * x) | x + 1j * y
np.abs(x + 1j * y) | np.angle(x + 1j * y) | np.exp(1j * (x - y)) | np.conj(z) * w
np.power(z, w) | np.multiply(x, z) | np.divide(z, x) | np.real(z) * x | z.imag * w | z + x.imag
""".replace("\n", "|").split("|")
BINARY = [text.strip() for text in BINARY if text.strip()]
PAIRS = [("n d", "n d"), ("n d", "d"), ("n 1", "1 d"), ("", "n d"), ("n d", "")]

REDUCTIONS = [
    ("np.sum(z)", "n d"),
    ("np.sum(z, axis=0)", "n d"),
    ("z.sum(axis=-1, keepdims=True)", "n d"),
    ("np.mean(z)", "n d"),
    ("np.mean(z, axis=1)", "n d"),
    ("np.average(z, axis=0)", "n d"),
    ("np.mean(z, axis=0, where=x > -9)", "n d", "n d"),
    ("np.var(z, axis=0, where=x > -9)", "n d", "n d"),
    ("np.std(z, where=x > -9)", "n d", "n d"),
    ("np.sum(z, axis=1, where=x > 0)", "n d", "n d"),
    ("np.average(z, weights=x)", "d", "d"),
    ("np.prod(z)", "d"),
    ("np.prod(z, axis=1)", "n d"),
    ("np.cumsum(z)", "d"),
    ("np.cumsum(z, axis=0)", "n d"),
    ("np.cumprod(z)", "d"),
    ("np.cumprod(z, axis=1)", "n d"),
    ("np.var(z)", "n d"),
    ("np.var(z, axis=0)", "n d"),
    ("np.var(z, axis=1, ddof=1, keepdims=True)", "n d"),
    ("np.std(z)", "n d"),
    ("np.std(z, axis=0)", "n d"),
    ("np.nansum(z, axis=0)", "n d"),
    ("np.nanmean(z, axis=0)", "n d"),
    ("np.linalg.norm(z)", "d"),
    ("np.linalg.norm(z)", "n d"),
    ("np.linalg.norm(z, axis=1)", "n d"),
    ("np.linalg.norm(z, axis=0, keepdims=True)", "n d"),
    ("np.linalg.norm(z, ord=2, axis=1)", "n d"),
    ("np.linalg.norm(z, 'fro')", "n d"),
    ("np.linalg.vector_norm(z, axis=0)", "n d"),
    ("np.linalg.matrix_norm(z)", "n d"),
    ("np.diff(z)", "n d"),
    ("np.diff(z, n=2, axis=0)", "n d"),
    ("np.trapezoid(z, axis=1)", "n d"),
    ("np.trapezoid(z, x)", "d", "d"),
]

PRODUCTS = [
    ("z @ w", "d", "d"),
    ("z @ w", "n d", "d m"),
    ("x @ w", "n d", "d m"),
    ("w @ x", "n d", "d m"),
    ("z @ w", "b n d", "d m"),
    ("z @ w", "n d", "d"),
    ("z @ x", "n", "n d"),
    ("z @ z.conj().T", "n d"),
    ("np.dot(z, x)", "n d", "d m"),
    ("np.dot(z, w)", "d", "d"),
    ("np.inner(z, w)", "d", "d"),
    ("np.inner(z, x)", "n d", "m d"),
    ("np.outer(z, x)", "n", "d"),
    ("np.vdot(z, w)", "d", "d"),
    ("np.vdot(z, w)", "n d", "n d"),
    ("np.vdot(x, w)", "d", "d"),
    ("np.vdot(z, x)", "d", "d"),
    ("np.vecdot(z, w)", "n d", "n d"),
    ("np.vecdot(z, w)", "n d", "d"),
    ("np.vecdot(z, x)", "d", "d"),
    ("np.vecdot(x, w, axis=0)", "n d", "n d"),
    ("np.matvec(z, w)", "n d", "d"),
    ("np.matvec(z, w)", "b n d", "d"),
    ("np.matvec(x, w)", "b n d", "b d"),
    ("np.vecmat(z, w)", "n", "n d"),
    ("np.vecmat(z, w)", "b n", "n d"),
    ("np.vecmat(z, x)", "b n", "b n d"),
    ("np.einsum('ij,jk->ik', z, w)", "n d", "d m"),
    ("np.einsum('ij,j->i', x, w)", "n d", "d"),
    ("np.einsum('ij,ij->', z, x)", "n d", "n d"),
    ("np.einsum('ii->i', z)", "n n"),
    ("np.tensordot(z, w, axes=1)", "n d", "d m"),
    ("np.kron(z, x)", "n", "d"),
    ("np.cross(z, w)", "n 3", "n 3"),
    ("np.trace(z)", "n n"),
    ("np.linalg.inv(z)", "n n"),
    ("np.linalg.inv(z)", "b n n"),
    ("np.linalg.det(z)", "n n"),
    ("np.linalg.det(z)", "b n n"),
    ("np.linalg.solve(z, w)", "n n", "n d"),
    ("np.linalg.solve(z, w)", "n n", "n"),
    ("np.linalg.solve(z, x)", "n n", "n"),
    ("np.linalg.solve(x, w)", "n n", "n d"),
    ("np.linalg.trace(z)", "n n"),
    ("np.linalg.outer(z, w)", "n", "d"),
    ("np.linalg.matrix_power(z, 3)", "n n"),
    ("np.linalg.matrix_power(z, -1)", "n n"),
    ("np.linalg.multi_dot([z, x, w])", "n d", "d m", "m b"),
]
# these need a shape fact for real arguments as well
RANKED = ("kron", "cross", "trace", "tensordot", "multi_dot", "solve", "inv", "'ii")

SHAPING = [
    ("z.reshape(-1)", "n d"),
    ("z.T", "n d"),
    ("np.transpose(z, (1, 0, 2))", "b n d"),
    ("np.swapaxes(z, 0, 1)", "n d"),
    ("z[1:]", "d"),
    ("z[:, 0]", "n d"),
    ("z[[0, 0, 1]]", "n d"),
    ("z[1:] * x[:-1]", "n d", "n d"),
    ("z[..., None] * x", "n", "n d"),
    ("np.concatenate([z, x])", "n d", "m d"),
    ("np.stack([x, z])", "n d", "n d"),
    ("np.hstack([x, z])", "n", "d"),
    ("np.array([z[0], x[1] * 2, 1j])", "n", "d"),
    ("np.broadcast_to(z, x.shape) * x", "d", "n d"),
    ("np.flip(z, axis=0)", "n d"),
    ("np.roll(z, 1)", "n d"),
    ("np.tile(z, 2)", "n d"),
    ("np.repeat(z, 2, axis=0)", "n d"),
    ("np.pad(z, 1)", "n d"),
    ("np.diag(z)", "n"),
    ("np.tril(z)", "n n"),
    ("np.take(z, [0, 1, 0], axis=0)", "n d"),
    ("np.squeeze(z, axis=1)", "n 1"),
    ("np.expand_dims(z, 0)", "n d"),
    ("np.zeros_like(z) + x", "n d", "n d"),
    ("z * np.ones_like(x)", "n d", "n d"),
    ("x.astype(complex) * z", "n d", "n d"),
    ("x.astype(z.dtype) * z", "n d", "n d"),
    ("z.astype(np.complex128)", "n d"),
    ("np.copy(z)", "n d"),
    ("np.asarray(z)", "n d"),
    ("np.zeros(x.shape, dtype=complex) + x", "n d"),
    ("np.sum(x, axis=0, dtype=complex)", "n d"),
    ("np.moveaxis(z, 0, 1)", "n d"),
    ("np.split(z, [1])[1]", "n d"),
    ("np.array_split(z, 2, axis=1)[0] * x[0, 0]", "n d", "n d"),
    ("np.atleast_2d(z)", "d"),
    ("np.atleast_1d(z, w)[0] * w", "d", "d"),
    ("np.meshgrid(z, x + 0j)[0] * np.meshgrid(z, w)[1]", "n", "d", "d"),
    ("np.broadcast_arrays(z, w)[0] * 2", "d", "n d"),
    ("np.block([[z, x]])", "n d", "n d"),
    ("np.select([x > 0], [z], x)", "n d", "n d"),
]


@WHOLE
@pytest.mark.parametrize("text", UNARY)
def test_elementwise_of_one(text, whole):
    found = complex_faults(text, "n d", forms=(FORMS[0], FORMS[2]), whole=whole)
    found = found or complex_faults(text, "", forms=FORMS[1:2], whole=whole)
    if found:
        pytest.fail(found, pytrace=False)


@WHOLE
@pytest.mark.parametrize("place, text", list(enumerate(BINARY)))
def test_elementwise_of_two(place, text, whole):
    """Two of the pairs of shapes, the second with the other forms; the whole has all."""
    for k in range(place, place + (len(PAIRS) if whole else 2)):
        facts, forms = PAIRS[k % len(PAIRS)], FORMS[k % 2 : k % 2 + 3 : 2]
        found = complex_faults(text, *facts, forms=forms, whole=whole)
        if found:
            pytest.fail(found, pytrace=False)


@WHOLE
@pytest.mark.parametrize(
    "line", [*REDUCTIONS, *PRODUCTS, *SHAPING], ids=lambda line: " of ".join(line)
)
def test_line(line, whole):
    ranked = any(word in line[0] for word in RANKED) or line in SHAPING
    found = complex_faults(*line, ranked=ranked, forms=FORMS[::3], whole=whole)
    if found:
        pytest.fail(found, pytrace=False)


# rules whose formula is that of real numbers alone
REFUSED = """
np.sign(z) | np.maximum(z, w) | np.minimum(z, 0) | np.clip(z, 0, 1) | np.max(z)
np.min(z, axis=0) | np.sort(z) | np.median(z) | np.ptp(z) | np.hypot(z, w)
np.arctan2(z, w) | np.logaddexp(z, w) | np.floor(z) | np.mod(z, w) | np.cbrt(z)
np.convolve(z, w) | np.correlate(z, w) | np.interp(x, y, z) | np.nan_to_num(z)
np.linalg.eigh(z)[0] | np.linalg.cholesky(z) | np.linalg.pinv(z) | np.cov(z)
np.linalg.svd(z)[1] | np.linalg.slogdet(z)[1] | float(z)
np.quantile(z, 0.5) | np.nanmax(z) | np.nanvar(z) | np.sinc(z) | np.unwrap(z)
""".replace("\n", "|").split("|")
REFUSED = [text.strip() for text in REFUSED if text.strip()]


@pytest.mark.parametrize("text", REFUSED)
def test_a_rule_for_real_numbers_refuses_complex_ones(text):
    named = r"GG312 [\w.]+ has no rule for complex arguments"
    with pytest.raises(GradgenError, match=named):
        names = [name for name in names_in(text) if name in "zw"]
        gradgen.emit(function_of(text), complex=names)


def test_the_refusal_names_the_place_also_where_nothing_is_differentiated():
    with pytest.raises(GradgenError, match="GG312 maximum") as caught:
        gradgen.emit(function_of("x * np.maximum(np.fft.fft(y), 0)"), wrt="x")
    assert "return x * np.maximum(np.fft.fft(y), 0)" in str(caught.value)
    assert "np.abs, np.real or np.imag" in str(caught.value)


@pytest.mark.parametrize(
    "text, said",
    [
        ("np.sum(z, dtype=float)", "GG313 sum drops the imaginary part"),
        ("np.full_like(x, z[0])", "GG313 full_like drops"),
        ("np.pad(x, 1, constant_values=2j)", "GG313 pad drops"),
        ("z.astype(float)", "GG313 astype drops"),
        ("np.atleast_1d(x, z)[0]", "atleast_1d of real and complex arguments"),
        ("np.linalg.norm(z, ord=1)", "this norm of complex numbers"),
        ("np.linalg.norm(z, ord=np.inf, axis=1)", "this norm of complex numbers"),
        ("np.linalg.norm(z, ord='nuc')", "this norm of complex numbers"),
        ("np.linalg.matrix_norm(z, ord=2)", "this norm of complex numbers"),
        ("np.linalg.vector_norm(z, ord=3)", "this norm of complex numbers"),
    ],
)
def test_forms_that_are_refused(text, said):
    with pytest.raises(GradgenError, match=said):
        gradgen.emit(function_of(text), complex="z" if "z" in text else ())


def test_masks_and_indices_of_complex_numbers_are_fine():
    for text in ("np.where(np.abs(z) > 1, z, 0)", "z * (z == 0)", "z * np.isnan(z)"):
        z = np.array([0.5 + 1j, 0j, 3 - 1j])
        f = function_of(text)
        mask = {"np.wh": np.abs(z) > 1, "z * (": z == 0, "z * n": np.isnan(z)}[text[:5]]
        g = gradgen.grad(f, complex="z")(z, seed=np.ones(3, complex))
        assert np.array_equal(g, mask.astype(complex))


def test_conventions_at_zero():
    z = np.array([0j, 3 + 4j])
    for text in ("np.abs(z)", "np.sum(np.abs(z))"):
        g = gradgen.grad(function_of(text), complex="z")(z)
        assert g[0] == 0 and np.isclose(g[1], 0.6 - 0.8j)
    g = gradgen.grad(function_of("np.abs(z)"), complex="z")
    assert np.array_equal(g(np.zeros(2, np.complex64)), np.zeros(2))
    tiny = np.array([3e-200 + 4e-200j])
    assert np.allclose(g(tiny), [0.6 - 0.8j])
    f = function_of("np.sum(np.real(z ** w))")
    assert gradgen.grad(f, wrt="w", complex=("z", "w"))(0j * z, 2 + z)[0] == 0


def test_a_real_value_of_a_complex_constant_needs_no_real_part():
    text = gradgen.emit(function_of("np.sum(x * np.abs(2 + 1j))"))
    assert "np.real" not in text
    # Nothing complex flows back here either: the numbers are real.
    f = function_of("np.sum(np.real(x + 1j * y))")
    text = gradgen.emit(f, shapes={"x": "n", "y": "n"})
    assert text.endswith("    d_x = np.full_like(x, d_out)\n    return d_x\n")


def test_autograd_has_the_same_convention():
    autograd = pytest.importorskip("autograd")
    import autograd.numpy as anp

    z = np.array([0.3 + 1j, -0.7 + 0.2j])

    def f(z):
        return anp.sum(anp.abs(anp.exp(z) * anp.conj(z)) ** 2 + anp.real(z**3))

    g = function_of("np.sum(np.abs(np.exp(z) * np.conj(z)) ** 2 + np.real(z**3))")
    assert np.allclose(gradgen.grad(g, complex="z")(z), autograd.grad(f)(z))


def test_a_tangent_in_the_shape_of_the_value_comes_after_it():
    f = function_of("np.conj(y[0])")
    value, change = gradgen.jvp(f)(np.arange(3.0), np.ones(3))
    assert (value, change) == (0, 1)
