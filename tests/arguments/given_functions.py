"""Functions of which nothing is told, each with the shapes of its arguments.

`x:34` is an array of (3, 4), `y:0` a number, `p` a matrix that has an inverse, `s` numbers
in order.
"""

import numpy as np

ROWS = r"""
# reductions
x:34 | np.sum(x)
x:34 | np.sum(x, axis=0)
x:34 | np.sum(x, axis=1)
x:34 | np.sum(x, axis=-1)
x:34 | np.sum(x * 1.5, axis=-1, keepdims=True)
x:34 | np.mean(x)
x:34 | np.mean(x, axis=0)
x:34 | np.mean(x, axis=1)
x:34 | np.mean(x, axis=-1)
x:34 | np.sum(x, axis=(0, 1))
x:34 | np.max(x)
x:34 | np.max(x, axis=0)
x:34 | np.max(x, axis=1)
x:34 | np.max(x, axis=-1)
x:34 | np.max(x, axis=(0, 1))
x:34 | np.min(x, axis=-1, keepdims=True)
x:34 | np.prod(x)
x:34 | np.prod(x, axis=0)
x:34 | np.prod(x, axis=-1)
x:34 | np.std(x)
x:34 | np.std(x, axis=0)
x:34 | np.std(x, axis=-1)
x:34 | np.var(x)
x:34 | np.var(x, axis=1)
x:34 | np.var(x, axis=-1, keepdims=True)
x:34 | np.var(x, ddof=1)
x:34 | np.ptp(x, axis=-1)
x:34 | np.median(x)
x:34 | np.median(x, axis=-1)
x:34 | np.quantile(x, 0.3)
x:34 | np.percentile(x, 30, axis=0)
x:34 | np.linalg.norm(x)
x:34 | np.linalg.norm(x, axis=-1)
x:34 | np.linalg.norm(x, axis=0)
x:4 | np.linalg.norm(x, 1)
x:4 | np.linalg.norm(x, 3)
x:4 | np.linalg.norm(x, np.inf)
x:34 | np.trace(x)
x:34 | np.average(x, axis=0)
x:4 w:4 | np.average(x, weights=w)
x:34 | np.nansum(x, axis=-1)
x:34 | np.nanmean(x)
x:34 | np.nanmax(x, axis=0)
x:34 | np.logaddexp.reduce(x)
x:34 | special.logsumexp(x)
x:34 | special.logsumexp(x, axis=-1)
x:34 | special.softmax(x, axis=-1)
x:34 | np.log(np.sum(np.exp(x), axis=-1))
x:34 | np.log(np.sum(np.exp(x), axis=1, keepdims=True))
x:34 | np.exp(x) / np.sum(np.exp(x), axis=-1, keepdims=True)
x:34 | np.subtract(x, np.mean(x, axis=-1, keepdims=True))
x:34 | np.subtract(x, np.max(x, axis=0))
x:34 | np.sqrt(np.sum(np.square(x), axis=-1))
x:34 | np.sum(np.square(x))
x:34 | np.sum(np.power(x, 3))
x:34 | np.sum(np.exp(x), axis=0)
x:34 | np.mean(np.square(x), axis=-1)
# elementwise
x:34 | np.exp(x)
x:34 | np.log(x)
x:34 | np.sin(x)
x:34 | np.sqrt(x)
x:34 | np.tanh(x)
x:34 | np.square(x)
x:34 | np.abs(x)
x:34 | np.negative(x)
x:34 | np.reciprocal(x)
x:34 | np.arctan(x)
x:34 | np.log1p(x)
x:34 | np.expm1(x)
x:34 | np.clip(x, 0.5, 1.5)
x:34 | np.sign(x) * np.exp(x)
x:34 | np.power(x, 2)
x:34 | np.power(x, 2.5)
x:34 | np.cbrt(x)
x:34 | np.sinc(x)
x:34 | np.nan_to_num(x)
x:34 | np.maximum(x, 1)
x:34 | np.minimum(x, 1.0)
x:34 | np.where(np.greater(x, 1), x, 0)
x:34 | np.where(np.greater(x, 1), np.log(x), 2.0)
x:34 | np.positive(x)
x:34 | special.gammaln(x)
x:34 | special.expit(x)
x:34 | special.erf(x)
x:34 | np.asarray(x) * 2
x:34 | np.array(x) ** 2
x:34 | np.copy(x)
x:34 | np.float64(2) * np.exp(x)
# elementwise in pairs
x:34 y:34 | np.multiply(x, y)
x:34 y:34 | np.add(x, y)
x:34 y:34 | np.subtract(x, y)
x:34 y:34 | np.divide(x, y)
x:34 y:4 | np.multiply(x, y)
x:4 y:34 | np.divide(x, y)
x:34 y:0 | np.multiply(x, y)
x:0 y:34 | np.divide(x, y)
x:0 y:0 | np.multiply(x, y)
x:0 y:0 | x * y
x:0 y:0 | x / y
x:0 y:0 | x ** y
x:0 | x * x + 2 * x
x:0 | np.exp(x)
x:0 | np.sin(x) * x
x:34 y:4 | np.power(x, y)
x:34 y:4 | np.maximum(x, y)
x:34 y:4 | np.minimum(x, y)
x:34 y:4 | np.arctan2(x, y)
x:34 y:4 | np.hypot(x, y)
x:34 y:4 | np.logaddexp(x, y)
x:34 y:4 | np.where(np.greater(x, 1), x, y)
x:34 y:4 | np.sum(np.multiply(x, y), axis=-1)
x:34 y:4 | np.sum(np.multiply(x, y))
x:34 y:34 | np.sum(np.multiply(np.subtract(x, y), 0.5))
x:34 y:34 | np.mean(np.square(np.subtract(x, y)))
x:34 y:4 | np.exp(x) * np.exp(y)
x:34 y:4 | np.exp(x) / np.sqrt(y)
x:34 y:34 | x / np.sum(y, axis=-1, keepdims=True)
x:34 y:34 | x / np.sum(y, axis=-1)[..., None]
x:34 y:34 | np.multiply(x, np.mean(y, axis=-1, keepdims=True))
x:34 y:34 | np.multiply(x, np.sum(y))
x:34 y:34 | np.divide(x, np.max(y))
x:34 y:34 | np.divide(x, np.max(y, axis=0))
x:34 y:4 | np.sum(np.exp(x), axis=0) * y
x:34 y:3 | np.sum(np.exp(x), axis=-1) * y
x:34 y:34 | np.clip(x, 0.4, y)
x:34 y:4 | np.clip(x, 0.5, 1.5) * np.exp(y)
x:34 y:4 | np.fmod(x, y)
x:34 y:4 | np.copysign(x, y)
x:34 y:4 | np.float_power(x, y)
x:34 y:4 | special.xlogy(x, y)
x:34 y:4 | special.betaln(x, y)
x:4 y:0 | np.exp(x) * y
x:4 y:0 | np.sum(np.exp(x)) * y
x:4 y:0 | np.sum(np.exp(x) / y)
x:4 y:0 | np.log(np.sum(np.exp(np.divide(x, y)))) * y
x:4 y:0 | np.sum(np.power(x, y))
# products
x:4 y:4 | np.dot(x, y)
x:34 y:4 | np.dot(x, y)
x:34 y:42 | np.dot(x, y)
x:34 y:42 | np.matmul(x, y)
x:34 y:4 | np.matmul(x, y)
x:4 y:42 | np.matmul(x, y)
x:4 y:4 | np.inner(x, y)
x:34 y:24 | np.inner(x, y)
x:4 y:3 | np.outer(x, y)
x:4 y:4 | np.vdot(x, y)
x:34 y:42 | np.einsum("ij,jk->ik", x, y)
x:34 y:4 | np.einsum("ij,j->i", x, y)
x:34 y:34 | np.einsum("ij,ij->", x, y)
x:34 y:42 | np.tensordot(x, y, axes=1)
x:3 y:3 | np.cross(x, y)
x:23 y:23 | np.cross(x, y)
x:3 y:2 | np.kron(x, y)
x:4 y:3 | np.convolve(x, y)
x:4 y:3 | np.correlate(x, y, mode="valid")
x:44 y:4 | np.dot(y, np.dot(x, y))
x:34 | np.dot(x, np.transpose(x))
# shape operations
x:34 | np.reshape(x, (4, 3))
x:34 | np.reshape(x, -1)
x:34 | np.ravel(x)
x:34 | np.transpose(x)
x:34 | np.swapaxes(x, 0, 1)
x:34 | np.moveaxis(x, 0, -1)
x:4 | np.expand_dims(x, 0)
x:14 | np.squeeze(x)
x:14 | np.squeeze(x, axis=0)
x:4 | np.tile(x, 2)
x:4 | np.repeat(x, 2)
x:34 | np.repeat(x, 2, axis=1)
x:34 | np.flip(x)
x:34 | np.flip(x, axis=0)
x:4 | np.flipud(x)
x:34 | np.roll(x, 1)
x:34 | np.roll(x, 1, axis=0)
x:44 | np.rot90(x)
x:4 | np.broadcast_to(x, (3, 4))
x:4 | np.pad(x, 1)
x:4 | np.pad(x, 1, mode="edge")
x:34 y:34 | np.concatenate([x, y])
x:34 y:34 | np.concatenate([x, y], axis=-1)
x:4 y:4 | np.stack([x, y])
x:4 y:4 | np.stack([x, y], axis=-1)
x:4 y:4 | np.vstack([x, y])
x:4 y:3 | np.hstack([x, y])
x:4 y:4 | np.column_stack([x, y])
x:4 y:0 | np.append(x, y)
x:0 y:0 | np.array([x, y, x * y])
x:0 y:0 | np.stack([x, y])
x:4 | np.diag(x)
x:44 | np.diag(x)
x:44 | np.diagonal(x)
x:44 | np.tril(x)
x:44 | np.triu(x, 1)
x:4 | np.atleast_2d(x)
x:4 | np.split(x, 2)[0]
x:34 | np.delete(x, 0, axis=0)
x:4 y:0 | np.insert(x, 1, y)
x:4 | np.meshgrid(x, x)[0]
x:4 | np.vander(x)
x:4 | np.full((3, 4), x)
x:0 | np.full(3, x)
x:4 y:4 | np.block([x, y])
x:34 | np.resize(x, (2, 3))
# cumulative, differences
x:4 | np.cumsum(x)
x:34 | np.cumsum(x, axis=0)
x:34 | np.cumsum(x, axis=-1)
x:4 | np.cumprod(x)
x:34 | np.cumprod(x, axis=-1)
x:4 | np.diff(x)
x:34 | np.diff(x, axis=0)
x:4 | np.diff(x, n=2)
x:4 | np.ediff1d(x)
x:4 | np.gradient(x)
x:4 | np.gradient(x, 0.5)
x:4 | np.trapezoid(x)
x:4 y:4s | np.trapezoid(x, y)
x:4 | np.maximum.accumulate(x)
x:4 | np.interp(x, [0.0, 1.0, 2.0], [0.0, 2.0, 3.0])
x:4 y:3 | np.interp([0.5, 1.5], [0.0, 1.0, 2.0], y) * np.sum(np.exp(x))
x:4 y:0 | np.polyval(x, y)
x:4 y:4 | np.polyval(x, y)
x:4 | np.polyval(x, x)
x:4 | np.unwrap(x)
# sorting
x:34 | np.sort(x)
x:34 | np.sort(x, axis=0)
x:34 | np.sort(x, axis=None)
x:4 | np.sort(x)[::-1]
x:34 | np.partition(x, 1)
# indexing
x:4 | x[0]
x:4 | x[1] * x[2]
x:4 | x[-1] ** 2
x:4 | np.sum(x[1:])
x:4 | np.exp(x[1:])
x:34 | np.exp(x[0])
x:4 | np.take(x, [0, 2, 2])
x:34 | np.take(x, [0, 2, 2], axis=0)
x:34 | np.take(x, 1, axis=-1)
x:34 | np.take_along_axis(x, np.array([[0], [1], [2]]), axis=1)
x:4 | np.compress([True, False, True, True], x)
x:4 | np.extract([True, False, True, True], x)
x:4 | np.asarray(x)[[0, 2]]
x:4 | np.asarray(x)[1:] * np.asarray(x)[:-1]
x:4 | np.sum(np.asarray(x)[np.asarray(x) > 1])
x:4 y:4 | np.choose([0, 1, 0, 1], [x, y])
x:4 y:4 | np.select([np.greater(x, 1), np.greater(y, 1)], [x, y], 0)
x:4 y:4 | np.piecewise(np.asarray(x), [np.greater(x, 1)], [np.exp, np.sin])
x:4 | sum(x)
x:4 | max(x)
x:4 | x[0] + x[1] * 2
x:4 | len(x) * x[0]
x:4 | np.sum(np.exp(x)) / len(x)
x:4 | sum(a * a for a in x)
x:4 y:4 | sum(a * b for a, b in zip(x, y))
x:4 | np.array([a * 2 for a in x])
x:4 y:4 | np.sum([a * b for a, b in zip(x, y)])
x:4 | math.exp(x[0]) * x[1]
x:0 | math.exp(x)
x:0 y:0 | math.hypot(x, y)
# linalg
x:33p | np.linalg.inv(x)
x:33p | np.linalg.det(x)
x:33p | np.linalg.slogdet(x)[1]
x:33p y:3 | np.linalg.solve(x, y)
x:33p y:32 | np.linalg.solve(x, y)
x:33p | np.linalg.cholesky(np.add(x, np.transpose(x)))
x:33p | np.linalg.eigvalsh(np.add(x, np.transpose(x)))
x:33p | np.linalg.pinv(x)
x:33p | np.linalg.matrix_power(x, 3)
x:33p | np.linalg.matrix_power(x, 2)
x:43 y:4 | np.linalg.lstsq(x, y)[0]
x:33p | np.linalg.svd(x, compute_uv=False)
x:33p | np.linalg.norm(x, 2)
x:33p | np.linalg.norm(x, "fro")
x:33p | np.linalg.norm(x, "nuc")
x:33p | np.linalg.qr(x)[1]
x:33p | scipy.linalg.expm(x)
x:33p y:3 | scipy.linalg.solve(x, y)
x:33p y:3 | scipy.linalg.solve_triangular(np.tril(x), y, lower=True)
x:34 | np.cov(x)
x:34 | np.corrcoef(x)
# fft
x:4 | np.abs(np.fft.fft(x))
x:4 | np.real(np.fft.fft(x))
x:34 | np.abs(np.fft.fft(x, axis=0))
x:4 | np.abs(np.fft.rfft(x))
x:34 | np.real(np.fft.ifft2(np.fft.fft2(x) * 0.5))
x:4 | np.fft.irfft(np.fft.rfft(x) * 0.5)
x:4 | np.fft.fftshift(x)
x:4 | scipy.fft.dct(x)
# more compositions
x:34 y:4 | np.matmul(x, y) / np.linalg.norm(y)
x:34 y:34 | np.sum(np.multiply(x, y), axis=-1) / (np.linalg.norm(x, axis=-1) * np.linalg.norm(y, axis=-1))
x:34 y:4 | np.sum(np.square(np.subtract(x, y)), axis=-1)
x:34 y:4 | np.divide(np.subtract(x, np.mean(x, axis=0)), y)
x:34 y:34 | np.sqrt(np.mean(np.square(np.subtract(x, y))))
x:34 y:34 | -np.sum(np.multiply(y, np.log(x)))
x:4 y:4 | np.sum(np.maximum(np.subtract(x, y), 0))
x:4 y:4 | np.where(np.greater(x, y), np.multiply(x, y), 0)
x:4 y:4 | np.where(np.greater(x, y), 0.5, np.divide(x, y))
x:34 y:0 | np.divide(np.clip(x, 0.5, 1.5), y)
x:34 y:34 | np.divide(np.clip(x, 0.5, 1.5), y)
x:34 y:0 | np.exp(-np.divide(np.square(x), y))
x:34 y:4 | np.tanh(np.add(np.multiply(x, y), y))
x:34 y:0 | np.log(np.sum(np.exp(np.multiply(x, y)), axis=-1))
x:4 y:4 | stats.norm.logpdf(x, y)
x:4 y:0 | np.sum(stats.norm.logpdf(x, 0.0, y))
x:234 | np.sum(x, axis=(1, 2))
x:234 | np.max(x, axis=(-1, -2))
x:234 | np.mean(x, axis=(0, -1))
x:234 | np.std(x, axis=(0, 1))
x:234 | np.linalg.norm(x, axis=-1, keepdims=True)
x:234 y:234 | np.sum(np.multiply(x, y), axis=(1, 2))
x:234 y:234 | np.matmul(x, np.swapaxes(y, -1, -2))
"""
HEAD = """import math
import scipy.fft
import scipy.linalg
from scipy import special, stats
"""
MATRIX = np.array([[3.0, 0.5, 0.2], [0.1, 3.2, 0.3], [0.4, 0.2, 2.7]])


def rows():
    """The lines of the table: the arguments, and what is returned."""
    for line in ROWS.strip().splitlines():
        if not line.startswith("#"):
            arguments, expression = line.split(" | ", 1)
            yield tuple(one.split(":") for one in arguments.split()), expression


def source(name, arguments, expression):
    names = ", ".join(name for name, _ in arguments)
    return f"{HEAD}\n\ndef {name}({names}):\n    return {expression}\n"


def array(shape, rng, whole=False):
    """An array of different numbers between 0 and 2.5, or of whole ones from 1."""
    if shape.endswith("p"):
        return np.round(2 * MATRIX) if whole else MATRIX
    sizes = tuple(int(one) for one in shape if one.isdigit() and one != "0")
    count = int(np.prod(sizes))
    numbers = rng.permutation(count) + 1.0
    if not whole:
        numbers = numbers * (2.4 / count) + rng.uniform(0.01, 0.05, count)
    numbers = np.sort(numbers) if shape.endswith("s") else numbers
    return numbers.reshape(sizes) if sizes else numbers[0]
