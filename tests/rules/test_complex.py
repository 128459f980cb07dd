"""Complex arguments: one line per function, through the checker; refusals by name."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.rules.complex_checker import complex_faults, function_of

UNARY = """
-z | +z | np.exp(z) | np.exp2(z) | np.expm1(z) | np.log(z) | np.log2(z) | np.log10(z)
np.log1p(z) | np.sqrt(z) | np.sin(z) | np.cos(z) | np.tan(z) | np.arcsin(z)
np.arccos(z) | np.arctan(z) | np.sinh(z) | np.cosh(z) | np.tanh(z) | np.arcsinh(z)
np.arccosh(z) | np.arctanh(z) | np.reciprocal(z) | np.square(z) | 1 / z | z ** 2
z ** 3 | z ** -1 | z ** 0.5 | z ** 1.5 | z ** 1 | z ** 2j | z ** (0.5 + 1j) | 2 ** z
2j ** z | (-2) ** z | np.conj(z) | np.conjugate(z) | z.conj() | z.conjugate()
np.real(z) | z.real | np.imag(z) | z.imag | np.abs(z) | abs(z) | np.absolute(z)
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
RANKED = ("kron", "trace", "tensordot", "multi_dot", "solve", "inv", "'ii")

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
    ("np.select([x > 0], [z], x)", "n d", "n d"),
]


@pytest.mark.parametrize("text", UNARY)
@pytest.mark.parametrize("fact", ["n d", ""])
def test_elementwise_of_one(text, fact):
    found = complex_faults(text, fact)
    if found:
        pytest.fail(found, pytrace=False)


@pytest.mark.parametrize("text", BINARY)
def test_elementwise_of_two(text):
    for facts in PAIRS:
        found = complex_faults(text, *facts)
        if found:
            pytest.fail(found, pytrace=False)


@pytest.mark.parametrize(
    "line", [*REDUCTIONS, *PRODUCTS, *SHAPING], ids=lambda line: " of ".join(line)
)
def test_line(line):
    ranked = any(word in line[0] for word in RANKED) or line in SHAPING
    found = complex_faults(*line, ranked=ranked)
    if found:
        pytest.fail(found, pytrace=False)
