"""Quadratic forms are of vectors, distances of pairs of points in rows, and what a loop
takes of arrays for other arrays is a number, or a row.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import numpy as np
import pytest
import scipy.linalg

import gradgen
from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(49)


def real(*shape):
    return RNG.normal(size=shape)


def square(n):
    return (lambda a: a @ a.T + np.eye(n))(real(n, n))


def kernel(theta, X):
    gaps = ((X[:, None] - X[None]) ** 2).sum(-1)
    return np.exp(theta[0] - gaps * np.exp(theta[1])) + 0.1 * np.eye(len(X))


def solved(theta, X, y):
    K = kernel(theta, X)
    return 0.5 * y.T @ np.linalg.solve(K, y) + 0.5 * np.linalg.slogdet(K)[1]


def inverted(theta, X, y):
    K = kernel(theta, X)
    return 0.5 * y.T @ np.linalg.inv(K) @ y + np.sum(np.log(np.diag(K)))


def form(e, P):
    return float(e @ P @ e)


def tracked(K, P, z, x):
    gap = z - K @ x
    return float(0.5 * gap @ np.linalg.solve(P, gap))


def normal(mu, S, x):
    sign, size = np.linalg.slogdet(S)
    d = x - mu
    return -0.5 * (d @ np.linalg.inv(S) @ d + size)


def coulomb(xyz, q):
    i, j = np.triu_indices(len(xyz), 1)
    return (q[i] * q[j] / np.linalg.norm(xyz[i] - xyz[j], axis=-1)).sum()


def bonds(pos, links):
    d = pos[links[:, 0]] - pos[links[:, 1]]
    return np.sum((np.sqrt((d * d).sum(-1)) - 1.0) ** 2)


def repelled(x, width):
    gaps = np.sum(np.square(x[:, None] - x[None]), axis=-1)
    return np.sum(np.exp(-gaps / width))


def likely(noise, X, y):
    K = np.exp(-((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))
    try:
        L = np.linalg.cholesky(K + noise * np.eye(len(K)))
    except np.linalg.LinAlgError:
        L = np.linalg.cholesky(K + np.eye(len(K)))
    return y @ scipy.linalg.cho_solve((L, True), y)


def density(samples, x, h=0.5):
    total = np.zeros(len(x))
    for s in samples:
        total += np.exp(-0.5 * ((x - s) / h) ** 2)
    return np.sum(np.log(total))


def nearest(points, q):
    best = 0.0
    for p in points:
        best += np.exp(-np.sum((q - p) ** 2))
    return best


def shaded(normals, lights, albedo):
    out = np.zeros((3, 2))
    for n, a in zip(normals, albedo):
        out += np.tanh(lights @ n)[:, None] * a
    return np.sum(out**2)


def splatted(centers, colors):
    image = np.zeros((3, 3, 2))
    y, x = np.meshgrid(np.arange(3), np.arange(3), indexing="ij")
    for c, color in zip(centers, colors):
        image += np.exp(-((x - c[0]) ** 2) - (y - c[1]) ** 2)[..., None] * color
    return np.sum(image**2)


def pruned(lengths, leaves, tree, M):
    parts = [leaves[i] for i in range(leaves.shape[0])]
    for left, right in tree:
        parts.append(np.exp(lengths[left] * M @ parts[left]) * (M @ parts[right]))
    return np.log(np.sum(parts[-1]))


OTHERS = [0.7, real(3), real(3, 1), real(1, 3), real(3, 3), real(1)]
CASES = [
    (solved, "theta", "X is a matrix, y is a vector", (real(2), real(4, 2), real(4))),
    (inverted, "theta", "X is a matrix, y is a vector", (real(2), real(3, 2), real(3))),
    (form, "e", "e is a vector", (real(3), real(3, 3))),
    (tracked, "x", "x is a vector", (real(2, 3), square(2), real(2), real(3))),
    (normal, "mu", "mu is a vector", (real(3), square(3), real(3))),
    (coulomb, "xyz", "xyz is a matrix", (real(4, 3), real(4))),
    (bonds, "pos", "pos is a matrix", (real(4, 3), np.array([[0, 1], [1, 3]]))),
    (repelled, "x", "x is a matrix", (real(4, 2), 1.5)),
    (density, "samples", "samples is a vector", (real(4), real(3))),
    (nearest, "points", "points is a matrix", (real(4, 3), real(3))),
    (shaded, "normals", "albedo is a matrix", (real(4, 3), real(3, 3), real(4, 2))),
    (splatted, "centers", "", (real(4, 2), real(4, 2))),
    (
        pruned,
        "lengths",
        "",
        (real(4), real(3, 2) ** 2, np.array([[0, 1], [3, 2]]), real(2, 2) ** 2),
    ),
    (likely, "noise", "X is", (0.5, real(3, 2), real(3))),
]
IDS = [function.__name__ for function, *_ in CASES]


@pytest.mark.parametrize("function, wrt, words, args", CASES, ids=IDS)
def test_right_for_usual_arguments_and_right_or_raised_for_others(
    function, wrt, words, args
):
    text, gradient = text_of(function, [wrt])
    assert words in " ".join(text.split())
    assert function in (likely, splatted, pruned) or "def _" not in text
    is_right(function, gradient, [wrt], args)

    def right(given):
        is_right(function, gradient, [wrt], given)

    names = function.__code__.co_varnames[: len(args)]
    assert sweep(function, gradient, right, args, dict.fromkeys(names, OTHERS))


def gram(Z, L):
    return np.trace(Z.T @ L @ Z) + np.sum(Z**2)


def small_gram(z, L):
    return np.trace(z.T @ L @ z)


@pytest.mark.parametrize("function", [gram, small_gram])
def test_a_form_in_a_trace_is_one_of_a_matrix(function):
    _, gradient = text_of(function, None)
    is_right(
        function, gradient, [function.__code__.co_varnames[0]], (real(4, 2), square(4))
    )


def steps(x):
    return np.sum(np.sqrt(np.sum((x[1:] - x[:-1]) ** 2, axis=-1)))


def gaps(x):
    return np.sum(np.exp(-((x[:, None] - x[None]) ** 2)).sum(axis=-1) ** 2)


@pytest.mark.parametrize("function, x", [(steps, real(4)), (gaps, real(4))])
def test_of_other_sums_along_the_last_axis_nothing_is_said(function, x):
    _, gradient = text_of(function, None)
    is_right(function, gradient, ["x"], (x,))


@pytest.mark.parametrize("name", ["eigh", "eig"])
def test_a_vector_has_no_eigenvectors(name):
    names: dict = {"np": np}
    exec(f"def f(Q):\n    return np.sum(np.linalg.{name}(Q)[1])", names)
    with pytest.raises(gradgen.GradgenError):
        gradgen.emit(names["f"], shapes={"Q": "n"})
