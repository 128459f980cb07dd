"""One line per rule, through one checker: value, shape, dtype, broadcasting, nan.

A rule for an elementwise function needs no line here: what `operations()` lists
and no line covers is tried by the last test, on inputs in (0.2, 0.9).
"""

import inspect
import re

import numpy as np
import pytest

import gradgen
from gradgen.rules.load import operations
from tests.rules.checker import Line, binary, domain_of, faults, shaped, unary

ELEMENTWISE = [
    unary("np.negative(x)", -2, 2),
    unary("np.positive(x)", -2, 2),
    unary("-x", -2, 2),
    unary("+x", -2, 2),
    unary("np.reciprocal(x)", 0.3, 2),
    unary("np.exp(x)", -2, 2),
    unary("np.exp2(x)", -2, 2),
    unary("np.expm1(x)", -2, 2),
    unary("np.log(x)", 0.3, 3),
    unary("np.log2(x)", 0.3, 3),
    unary("np.log10(x)", 0.3, 3),
    unary("np.log1p(x)", -0.6, 3),
    unary("np.sqrt(x)", 0.3, 3),
    unary("np.cbrt(x)", 0.3, 3),
    unary("np.cbrt(x)", -3, -0.3),
    unary("np.square(x)", -2, 2),
    unary("np.sin(x)", -3, 3),
    unary("np.cos(x)", -3, 3),
    unary("np.tan(x)", -1.2, 1.2),
    unary("np.arcsin(x)", -0.9, 0.9),
    unary("np.arccos(x)", -0.9, 0.9),
    unary("np.arctan(x)", -3, 3),
    unary("np.sinh(x)", -2, 2),
    unary("np.cosh(x)", -2, 2),
    unary("np.tanh(x)", -2, 2),
    unary("np.arcsinh(x)", -3, 3),
    unary("np.arccosh(x)", 1.2, 3),
    unary("np.arctanh(x)", -0.9, 0.9),
    unary("np.abs(x)", -2, 2),
    unary("abs(x)", -2, 2),
    unary("np.absolute(x)", -2, 2),
    unary("np.fabs(x)", -2, 2),
    unary("np.sign(x)", -2, 2),
    unary("np.floor(x)", -2, 2),
    unary("np.deg2rad(x)", -90, 90),
    unary("np.rad2deg(x)", -2, 2),
    unary("np.degrees(x)", -2, 2),
    unary("np.radians(x)", -90, 90),
    unary("np.clip(x, -0.5, 0.7)", -2, 2),
    unary("np.maximum(x, 0)", -2, 2),
    unary("np.minimum(0.5, x)", -2, 2),
    unary("np.where(x > 0, x, 0)", -2, 2),
    unary("np.where(x < 0.5, 1, x * x)", -2, 2),
    unary("x ** 2", -2, 2),
    unary("x ** 3", -2, 2),
    unary("x ** 1", -2, 2),
    unary("x ** 0", -2, 2),
    unary("x ** -1", 0.3, 2),
    unary("x ** 0.5", 0.3, 2),
    unary("x ** -1.5", 0.3, 2),
    unary("2 ** x", -2, 2),
    unary("2 * x", -2, 2),
    unary("x / 3", -2, 2),
    unary("1 / x", 0.3, 2),
    unary("1 - x", -2, 2),
    unary("x + x * x", -2, 2),
    binary("x + y", -2, 2),
    binary("x - y", -2, 2),
    binary("x * y", -2, 2),
    binary("x / y", -2, 2, (0.3, 2)),
    binary("x ** y", 0.3, 2, (-2, 2)),
    binary("np.add(x, y)", -2, 2),
    binary("np.subtract(x, y)", -2, 2),
    binary("np.multiply(x, y)", -2, 2),
    binary("np.divide(x, y)", -2, 2, (0.3, 2)),
    binary("np.true_divide(x, y)", -2, 2, (0.3, 2)),
    binary("np.power(x, y)", 0.3, 2, (-2, 2)),
    binary("np.float_power(x, y)", 0.3, 2, (-2, 2)),
    binary("np.maximum(x, y)", -2, 2),
    binary("np.minimum(x, y)", -2, 2),
    binary("np.fmax(x, y)", -2, 2),
    binary("np.fmin(x, y)", -2, 2),
    binary("np.arctan2(x, y)", -2, 2, (0.3, 2)),
    binary("np.hypot(x, y)", -2, 2, (0.3, 2)),
    binary("np.logaddexp(x, y)", -2, 2),
    binary("np.logaddexp2(x, y)", -2, 2),
    binary("np.mod(x, y)", -3, 3, (1.1, 1.9)),
    binary("np.remainder(x, y)", -3, 3, (1.1, 1.9)),
    binary("np.clip(x, y, 1 + y)", -2, 2, (-1, 0)),
    binary("np.where(x > y, x, y)", -2, 2),
    binary("np.where(x > 0, y, 1)", -2, 2),
]

AXES = [
    ("x", "n d"),
    ("x, axis=0", "n d"),
    ("x, axis=1", "n d"),
    ("x, axis=-1", "n d"),
    ("x, 0", "n d"),
    ("x, axis=(0, 1)", "n d"),
    ("x, keepdims=True", "n d"),
    ("x, axis=0, keepdims=True", "n d"),
    ("x, axis=-1, keepdims=True", "n d"),
    ("x, axis=1", "b n d"),
    ("x, axis=(0, -1)", "b n d"),
    ("x, axis=(2, 0), keepdims=True", "b n d"),
    ("x", "d"),
]
SPREAD = "sum mean prod max min amax amin".split()
REDUCTIONS = [
    shaped(f"np.{name}({call})", fact)
    for name in [*SPREAD, "std", "var"]
    for call, fact in AXES
]
REDUCTIONS += [
    shaped("x.sum()", "n d"),
    shaped("x.sum(axis=0)", "n d"),
    shaped("x.sum(1, keepdims=True)", "n d"),
    shaped("x.mean(axis=-1)", "n d"),
    shaped("x.prod(axis=0)", "n d"),
    shaped("x.max(axis=1, keepdims=True)", "n d"),
    shaped("x.min()", "n d"),
    shaped("x.std(axis=0)", "n d"),
    shaped("x.var(axis=1)", "n d"),
    shaped("np.sum(x, axis=1)", "n 1"),
    shaped("np.mean(x, axis=1)", "n 1"),
    shaped("np.max(x, axis=0)", "1 d"),
    shaped("np.prod(x, axis=0)", "1 d"),
    shaped("np.sum(x)", ""),
    shaped("np.mean(x)", ""),
    shaped("np.std(x, ddof=1)", "n d"),
    shaped("np.std(x, axis=0, ddof=1)", "n d"),
    shaped("np.std(x, axis=1, ddof=1, keepdims=True)", "n d"),
    shaped("np.var(x, ddof=1)", "n d"),
    shaped("np.var(x, axis=0, ddof=1)", "n d"),
    shaped("np.var(x, axis=(0, 1), ddof=1)", "b n d"),
    shaped("np.cumsum(x)", "d"),
    shaped("np.cumsum(x)", "n d"),
    shaped("np.cumsum(x, axis=0)", "n d"),
    shaped("np.cumsum(x, axis=-1)", "n d"),
    shaped("x.cumsum(axis=1)", "n d"),
    shaped("np.trace(x)", "n n"),
    shaped("np.trace(x)", "n d"),
]

NORMS = [
    shaped("np.linalg.norm(x)", "d"),
    shaped("np.linalg.norm(x)", "n d"),
    shaped("np.linalg.norm(x, keepdims=True)", "n d"),
    shaped("np.linalg.norm(x, axis=0)", "n d"),
    shaped("np.linalg.norm(x, axis=1)", "n d"),
    shaped("np.linalg.norm(x, axis=-1, keepdims=True)", "n d"),
    shaped("np.linalg.norm(x, axis=1, keepdims=True)", "b n d"),
    shaped("np.linalg.norm(x, axis=(0, 1))", "n d"),
    shaped("np.linalg.norm(x, axis=(0, 2), keepdims=True)", "b n d"),
    shaped("np.linalg.norm(x, ord=1)", "d"),
    shaped("np.linalg.norm(x, ord=2)", "d"),
    shaped("np.linalg.norm(x, 2)", "d"),
    shaped("np.linalg.norm(x, ord=np.inf)", "d"),
    shaped("np.linalg.norm(x, ord=1, axis=1)", "n d"),
    shaped("np.linalg.norm(x, ord=2, axis=0)", "n d"),
    shaped("np.linalg.norm(x, ord=np.inf, axis=-1)", "n d"),
    shaped("np.linalg.norm(x, ord=1, axis=1, keepdims=True)", "n d"),
    shaped("np.linalg.norm(x, ord=np.inf, axis=0, keepdims=True)", "n d"),
    shaped("np.linalg.norm(x, axis=1) * y", "n d", "n"),
    shaped("x / np.linalg.norm(x, axis=1, keepdims=True)", "n d"),
]

PRODUCTS = [
    shaped("x @ y", "d", "d"),
    shaped("x @ y", "n d", "d"),
    shaped("x @ y", "n", "n d"),
    shaped("x @ y", "n d", "d m"),
    shaped("x @ y.T", "n d", "m d"),
    shaped("x.T @ y", "n d", "n m"),
    shaped("x @ x.T", "n d"),
    shaped("x @ x", "n n"),
    shaped("x @ y", "n 1", "1 d"),
    shaped("x @ y", "b n d", "b d m"),
    shaped("x @ y", "b n d", "d m"),
    shaped("x @ y", "n d", "b d m"),
    shaped("x @ y", "1 n d", "b d m"),
    shaped("x @ y", "b n d", "d"),
    shaped("x @ y", "n", "b n d"),
    shaped("np.matmul(x, y)", "n d", "d m"),
    shaped("np.matmul(x, y)", "b n d", "d m"),
    shaped("np.dot(x, y)", "d", "d"),
    shaped("np.dot(x, y)", "n d", "d"),
    shaped("np.dot(x, y)", "n", "n d"),
    shaped("np.dot(x, y)", "n d", "d m"),
    shaped("np.dot(x, y)", "b n d", "d m"),
    shaped("np.dot(x, y)", "", "n d"),
    shaped("np.dot(x, y)", "n d", "float"),
    shaped("x.dot(y)", "n d", "d m"),
    shaped("np.outer(x, y)", "n", "d"),
    shaped("np.outer(x, y)", "n d", "m"),
    shaped("np.outer(x, y)", "n d", "b 1"),
    shaped("np.inner(x, y)", "d", "d"),
    shaped("np.inner(x, y)", "n d", "m d"),
    shaped("np.inner(x, y)", "n d", "d"),
    shaped("np.inner(x, y)", "d", "n d"),
    shaped("np.vdot(x, y)", "d", "d"),
    shaped("np.vdot(x, y)", "n d", "n d"),
    shaped("np.einsum('ij,jk->ik', x, y)", "n d", "d m"),
    shaped("np.einsum('ij,ij->i', x, y)", "n d", "n d"),
    shaped("np.einsum('ij,ij->', x, y)", "n d", "n d"),
    shaped("np.einsum('ij,ij->i', x, x)", "n d"),
    shaped("np.einsum('ij->ji', x)", "n d"),
    shaped("np.einsum('ij->j', x)", "n d"),
    shaped("np.einsum('ij->', x)", "n d"),
    shaped("np.einsum('i,i->', x, y)", "d", "d"),
    shaped("np.einsum('i,j->ij', x, y)", "n", "d"),
    shaped("np.einsum('ij,j->i', x, y)", "n d", "d"),
    shaped("np.einsum('ij,j', x, y)", "n d", "d"),
    shaped("np.einsum('i,ij->j', x, y)", "n", "n d"),
    shaped("np.einsum('bij,bjk->bik', x, y)", "b n d", "b d m"),
    shaped("np.einsum('bij,jk->bik', x, y)", "b n d", "d m"),
    shaped("np.einsum('ij,jk,kl->il', x, y, w)", "n d", "d m", "m b"),
    shaped("np.einsum('ii->i', x)", "n n"),
    shaped("np.einsum('ii->', x)", "n n"),
    shaped("np.einsum('ij,ij->i', x, y)", "n d", "n 1"),
]

SHAPING = [
    shaped("np.reshape(x, (-1,))", "n d"),
    shaped("x.reshape(-1)", "n d"),
    shaped("x.reshape(x.shape[0], -1)", "b n d"),
    shaped("x.reshape((-1, x.shape[2]))", "b n d"),
    shaped("x.reshape(y.shape) * y", "n d", "d n"),
    shaped("np.ravel(x)", "n d"),
    shaped("x.ravel()", "n d"),
    shaped("x.flatten()", "n d"),
    shaped("np.transpose(x)", "n d"),
    shaped("np.transpose(x)", "b n d"),
    shaped("x.T", "n d"),
    shaped("x.T", "d"),
    shaped("np.transpose(x, (2, 0, 1))", "b n d"),
    shaped("np.transpose(x, axes=(0, 2, 1))", "b n d"),
    shaped("x.transpose(1, 0)", "n d"),
    shaped("x.transpose((1, 2, 0))", "b n d"),
    shaped("np.swapaxes(x, 0, 1)", "n d"),
    shaped("np.swapaxes(x, 0, -1)", "b n d"),
    shaped("x.swapaxes(1, 2)", "b n d"),
    shaped("np.expand_dims(x, 0)", "n d"),
    shaped("np.expand_dims(x, axis=-1)", "n d"),
    shaped("np.expand_dims(x, 1)", "n d"),
    shaped("np.squeeze(x, axis=1)", "n 1"),
    shaped("np.squeeze(x, 0)", "1 d"),
    shaped("np.squeeze(x, axis=-1)", "b n 1"),
    shaped("np.concatenate([x, y])", "n d", "m d"),
    shaped("np.concatenate((x, y), axis=1)", "n d", "n m"),
    shaped("np.concatenate([x, y], axis=-1)", "n d", "n 1"),
    shaped("np.concatenate([x, x * 2, y], axis=0)", "n d", "1 d"),
    shaped("np.concatenate([x, y])", "n", "d"),
    shaped("np.stack([x, y])", "n d", "n d"),
    shaped("np.stack((x, y), axis=1)", "n d", "n d"),
    shaped("np.stack([x, y], axis=-1)", "d", "d"),
    shaped("np.stack([x, x])", "d"),
    shaped("np.vstack([x, y])", "n d", "m d"),
    shaped("np.vstack((x, y))", "d", "d"),
    shaped("np.hstack([x, y])", "n d", "n m"),
    shaped("np.hstack((x, y))", "n", "d"),
    shaped("np.broadcast_to(x, y.shape) * y", "d", "n d"),
    shaped("np.broadcast_to(x, y.shape) * y", "n 1", "n d"),
    shaped("np.flip(x)", "n d"),
    shaped("np.flip(x, axis=0)", "n d"),
    shaped("np.flip(x, 1)", "n d"),
    shaped("np.diag(x)", "d"),
    shaped("np.diag(x)", "n n"),
    shaped("np.diag(x)", "n d"),
]

INDEXING = [
    shaped("x[0]", "n d"),
    shaped("x[-1]", "d"),
    shaped("x[0, 1]", "n d"),
    shaped("x[1:]", "n d"),
    shaped("x[:-1]", "d"),
    shaped("x[::2]", "n d"),
    shaped("x[::-1]", "n d"),
    shaped("x[1::2, :-1]", "n d"),
    shaped("x[:, 0]", "n d"),
    shaped("x[:, 1:]", "n d"),
    shaped("x[..., 0]", "b n d"),
    shaped("x[:, None]", "n d"),
    shaped("x[None]", "d"),
    shaped("x[:, None, 0]", "n d"),
    shaped("x[..., None] * y", "n", "n d"),
    shaped("x[1:] * x[:-1]", "n d"),
    shaped("x[1:] - x[:-1]", "d"),
    shaped("x[0] * x[1]", "d"),
    shaped("x[1] * x[1]", "n d"),
    shaped("x[[0, 0, 2]]", "n d"),
    shaped("x[[0, 0, 1]]", "d"),
    shaped("x[[1, 0]]", "n d"),
    shaped("x[[-1, 0, -1]]", "n d"),
    shaped("x[:, [0, 0, 1]]", "n d"),
    shaped("x[..., [1, 1]]", "b n d"),
    shaped("x[[0, 1, 0], [1, 0, 1]]", "n d"),
    shaped("x[[0, 0], 1]", "n d"),
    shaped("x[1:, [0, 0]]", "n d"),
]

LINES = [*ELEMENTWISE, *REDUCTIONS, *NORMS, *PRODUCTS, *SHAPING, *INDEXING]


def label(line: Line) -> str:
    at = "" if line.elementwise else f" of {', '.join(line.shapes[0])}"
    return f"{line.text}{at} ({line.low}, {line.high})" if not at else line.text + at


@pytest.mark.parametrize("line", LINES, ids=label)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


def uncovered() -> list[str]:
    """Calls of the elementwise operations that no line above mentions."""
    covered = {name for line in LINES for name in re.findall(r"np\.(\w+)", line.text)}
    calls = []
    for operation, rule in sorted(operations().items()):
        name = operation.removeprefix("numpy.")
        function = getattr(np, name, None)
        if rule.kind == "elementwise" and name not in covered and callable(function):
            calls.append(f"np.{name}({', '.join('xyw'[: arity(function)])})")
    return calls


def arity(function) -> int:
    """How many arguments numpy's function must be given."""
    if isinstance(function, np.ufunc):
        return function.nin
    params = inspect.signature(function).parameters.values()
    return sum(param.default is param.empty for param in params)


@pytest.mark.parametrize("call", uncovered())
def test_elementwise_operation_without_a_line(call):
    domain = domain_of(call)
    assert domain, f"{call} is finite in no interval tried: give it a line"
    line = binary(call, *domain) if "y" in call else unary(call, *domain)
    assert "w" not in line.names, f"{call} takes three arguments: give it a line"
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)
