"""numpy.linalg: one line per function and form; refusals.

Matrices that must be regular, symmetric or of full rank are made so in the line:
x + 3 times the identity, a product with its transpose.
"""

import autograd
import autograd.numpy
import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import examine
from tests.fuzz.program import FIRST_SIZES, OTHER_SIZES, Program
from tests.fuzz.report import report
from tests.rules.checker import WHOLE, Line, faults, parameters, ranked, shaped

REGULAR = "x + 4 * np.eye(x.shape[-1], dtype=x.dtype)"
POSITIVE = f"x @ np.swapaxes(x, -1, -2) + {REGULAR[4:]}"
# eigenvalues near 0, 5, 10, ...
APART = "x + np.swapaxes(x, -1, -2) + 5 * np.diag(np.arange(x.shape[-1]))"

# eigenvalues near 0, 5, 10, ..., the matrix not symmetric
REAL = "x + 5 * np.diag(np.arange(x.shape[-1]))"
# a regular matrix, as a tensor of the shape of x twice
TENSOR = (
    "(np.tensordot(x, x, axes=0) + 4 * np.eye(x.size, dtype=x.dtype).reshape("
    "x.shape[0], x.shape[1], x.shape[0], x.shape[1]))"
)

FIRST = "np.stack([x, y, x * y], -1)"
OTHER = "np.stack([y, x, x], -1)"

SYSTEMS = [
    shaped(f"np.linalg.inv({REGULAR})", "n n"),
    shaped(f"np.linalg.inv({REGULAR})", "b n n"),
    shaped(f"np.linalg.inv({REGULAR}) @ y", "n n", "n"),
    shaped(f"np.linalg.det({REGULAR})", "n n"),
    shaped(f"np.linalg.det({REGULAR})", "b n n"),
    ranked(f"np.linalg.solve({REGULAR}, y)", "n n", "n"),
    ranked(f"np.linalg.solve({REGULAR}, y)", "n n", "n b"),
    ranked(f"np.linalg.solve({REGULAR}, y)", "b n n", "b n m"),
    ranked(f"np.linalg.solve({REGULAR}, y)", "n n", "b n 1"),
    ranked(f"y @ np.linalg.solve({REGULAR}, y)", "n n", "n"),
    ranked(f"np.linalg.solve({REGULAR}, y[:, None])", "n n", "n"),
    shaped("np.linalg.pinv(x)", "n d"),
    shaped("np.linalg.pinv(x)", "d n"),
    shaped("np.linalg.pinv(x)", "b n d"),
    shaped("np.linalg.trace(x)", "n d"),
    shaped("np.linalg.trace(x)", "b n d"),
    shaped("np.linalg.outer(x, y)", "n", "d"),
    shaped("np.linalg.matmul(x, y)", "n d", "d b"),
    shaped("np.linalg.matrix_transpose(x) * y", "n d", "d n"),
    ranked("np.linalg.vecdot(x, y)", "n d", "n d"),
    ranked("np.linalg.tensordot(x, y, axes=1)", "n d", "d b"),
    *(
        shaped(f"np.linalg.cond({REGULAR}, {p})", facts)
        for p in ("1", "-1", "'fro'", "'nuc'", "2", "-2", "np.inf", "-np.inf")
        for facts in ("n n", "b n n")
    ),
    shaped("np.linalg.cond(x, -2)", "n d"),
    shaped("np.linalg.trace(x, offset=1)", "b n d"),
    shaped("np.linalg.diagonal(x)", "n d"),
    shaped("np.linalg.diagonal(x, offset=-1)", "b n d"),
    shaped("np.linalg.det(x)", "b n n"),
    ranked("np.linalg.lstsq(x, y)[0]", "d n", "d"),
    ranked("np.linalg.lstsq(x, y, rcond=None)[0]", "d n", "d b"),
    ranked("np.linalg.lstsq(x, y)[0]", "n d", "n"),
    ranked("np.linalg.lstsq(x, y)[0]", "n d", "n b"),
    ranked("np.linalg.lstsq(x, y)[3]", "d n", "d b"),
    ranked(f"np.linalg.tensorsolve({TENSOR}, y)", "n d", "n d"),
    ranked(f"np.linalg.tensorsolve({TENSOR}[:, :, None], y)", "n d", "n d"),
    ranked(f"np.linalg.tensorsolve({REGULAR}, y)", "n n", "n"),
    ranked(f"np.linalg.tensorinv({TENSOR})", "n d"),
    ranked(f"np.linalg.tensorinv({REGULAR}, ind=1)", "n n"),
    *(
        shaped(f"np.linalg.matrix_power({REGULAR}, {n})", facts)
        for n in (0, -1, -2, -4)
        for facts in ("n n", "b n n")
    ),
    ranked(f"np.cross({FIRST}, {OTHER})", "n", "n"),
    ranked(f"np.cross({FIRST}, {OTHER}[0])", "n", "n"),
    ranked(f"np.cross({FIRST}[None], {OTHER})", "n", "n"),
    ranked(f"np.cross({FIRST}.T, {OTHER}.T, axis=0)", "n", "n"),
    ranked(f"np.cross({FIRST}.T, {OTHER}.T[:, :1], axis=0)", "n", "n"),
    ranked(f"np.cross({FIRST}.T[None], {OTHER}.T[None], axis=1)", "n", "n"),
    shaped(f"np.linalg.cross({FIRST}, {OTHER}[0])", "n", "n"),
    shaped(f"np.linalg.cross({FIRST}[0], {OTHER}[1])", "n", "n"),
    ranked(f"np.linalg.cross({FIRST}.T, {OTHER}.T, axis=0)", "n", "n"),
    shaped(f"np.linalg.eigvals({REAL})", "n n"),
    shaped(f"np.linalg.eigvals({REAL})", "b n n"),
    shaped(f"np.linalg.cond({REGULAR})", "n n"),
    shaped("np.linalg.cond(x)", "n d"),
    shaped("np.linalg.cond(x, 2)", "b n d"),
]

DECOMPOSITIONS = [
    ranked("np.linalg.slogdet(x + 4 * np.eye(x.shape[-1])).logabsdet * x", "n n"),
    ranked("np.linalg.svd(x, full_matrices=False).S", "3 5"),
    ranked("np.linalg.eigvalsh(x + x.T, 'U')", "n n"),
    shaped(f"np.linalg.cholesky({POSITIVE})", "n n"),
    shaped(f"np.linalg.cholesky({POSITIVE})", "b n n"),
    shaped(f"np.linalg.cholesky({POSITIVE}, upper=True)", "n n"),
    shaped(f"np.linalg.cholesky({POSITIVE}, upper=True)", "b n n"),
    shaped(f"np.linalg.eigvalsh({APART})", "n n"),
    shaped(f"np.linalg.eigvalsh({APART})", "b n n"),
    shaped("np.linalg.svd(x, compute_uv=False)", "n d"),
    shaped("np.linalg.svd(x, compute_uv=False)", "d n"),
    shaped("np.linalg.svd(x, compute_uv=False)", "b n d"),
    shaped("np.linalg.svd(x, False, False)", "n n"),
    shaped("np.linalg.svdvals(x)", "n d"),
]

LINES = [*SYSTEMS, *DECOMPOSITIONS]


# NumPy before 2.0, which has no matvec, took an array y of fewer axes otherwise.
ONE_FOR_ALL = pytest.mark.skipif(
    not hasattr(np, "matvec"), reason=f"NumPy {np.__version__} has no np.matvec"
)
LINES += [
    pytest.param(
        ranked(f"np.linalg.solve({REGULAR}, y)", "b n n", fact), marks=ONE_FOR_ALL
    )
    for fact in ("n", "n d")
]


def label(line: Line) -> str:
    return f"{line.text} of {', '.join(line.shapes[0])}"


@pytest.mark.parametrize("line", LINES, ids=label)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


# In both samples d is longer than n.
TALL = (FIRST_SIZES, OTHER_SIZES[3])
# Several results: squares and products do not depend on the factors' signs.
SEVERAL = [
    (f"sign, logdet = np.linalg.slogdet({REGULAR})", "logdet", "n n"),
    (f"sign, logdet = np.linalg.slogdet({REGULAR})", "sign * logdet", "b n n"),
    (f"w, v = np.linalg.eigh({APART})", "w", "n n"),
    (f"w, v = np.linalg.eigh({APART})", "v**2", "n n"),
    (f"w, v = np.linalg.eigh({APART})", "v * w @ (v**3).T", "n n"),
    (f"w, v = np.linalg.eigh({APART})", "v**2 * w[:, None]", "b n n"),
    (f"w, v = np.linalg.eig({REAL})", "w", "n n"),
    (f"w, v = np.linalg.eig({REAL})", "v**2", "n n"),
    (f"w, v = np.linalg.eig({REAL})", "v**2 * w[:, None]", "b n n"),
    ("q, r = np.linalg.qr(x)", "q**2", "d n"),
    ("q, r = np.linalg.qr(x)", "r**2", "d n"),
    ("r = np.linalg.qr(x, mode='r')", "r**2", "d n"),
    ("q, r = np.linalg.qr(x)", "q**2 @ r**2", "d n"),
    ("q, r = np.linalg.qr(x)", "q**2 @ r**2", "n n"),
    ("q, r = np.linalg.qr(x)", "q**2 @ r**2", "b d n"),
    ("u, s, vh = np.linalg.svd(x, full_matrices=False)", "s", "n d"),
    ("u, s, vh = np.linalg.svd(x, full_matrices=False)", "u**2", "n d"),
    ("u, s, vh = np.linalg.svd(x, full_matrices=False)", "vh**2", "d n"),
    ("u, s, vh = np.linalg.svd(x, full_matrices=False)", "u**2 * s @ vh**2", "n d"),
    ("u, s, vh = np.linalg.svd(x, full_matrices=False)", "u**2 * s @ vh**2", "d n"),
    ("u, s, vh = np.linalg.svd(x, False)", "u * s**2 @ vh", "n n"),
    ("u, s, vh = np.linalg.svd(x, False)", "u**2 * s[:, None] @ vh**2", "b n d"),
    ("u, s, vh = np.linalg.svd(x)", "s", "n d"),
]


# Refused where ranks are not known.
LEAST_SQUARES = [
    ("c, rest, rank, s = np.linalg.lstsq(x, x[:, 0] ** 2)", "c * np.sum(rest)", "d n"),
    ("c, rest, rank, s = np.linalg.lstsq(x, x[:, :2] ** 2)", "rest", "d n"),
]


@pytest.mark.parametrize(
    "first, result, fact, told",
    [(*row, told) for row in SEVERAL for told in (True, False)]
    + [(*row, True) for row in LEAST_SQUARES],
)
@WHOLE
def test_several_results(first, result, fact, told, whole):
    """The results with all facts, their sum with none; the whole is both with both."""
    line = Line(first.partition(" = ")[2], ((fact,),))
    forms = result, f"np.sum({result})"
    for form in forms if whole else forms[not told :][:1]:
        lines = (first, f"return {form}")
        program = Program(parameters(line, (fact,)), lines, seed=1, sizes=TALL)
        case = Case(program, {"x": fact} if told else {}, "x", complete=told)
        verdict = examine(case, gradgen, companions=told)
        found = verdict.faults or verdict.refusal or not verdict.measured
        if found:
            pytest.fail(report(case, verdict), pytrace=False)


def system(a, b):
    return np.linalg.solve(a, b)


def eigenvalues(x):
    return np.linalg.eigvalsh(x)


def eigenvectors(x):
    return np.linalg.eigh(x)[1]


def volume(x):
    return np.linalg.det(x)


def triangle(x):
    return np.linalg.qr(x)[1]


def complete_triangle(x):
    return np.linalg.qr(x, mode="complete")[1]


def condition(x):
    return np.linalg.cond(x, 1)


def cut_pseudoinverse(x):
    return np.linalg.pinv(x, 1e-3, True)


def least_squares(a, b):
    return np.linalg.lstsq(a, b)[0]


def spectrum(x):
    return np.linalg.eigvals(x)


def directions(x):
    return np.linalg.eig(x)[1]


def cut_least_squares(a, b):
    return np.linalg.lstsq(a, b, rcond=0.1)[0]


def crossed_with_axisa(a, b):
    return np.cross(a, b, 0)


def rank_of_the_system(a, b):
    x, rest, rank, s = np.linalg.lstsq(a, b)
    return rank * np.sum(x)


def tensor_system(a, b):
    return np.linalg.tensorsolve(a, b)


def tensor_inverse(a):
    return np.linalg.tensorinv(a)


def crossed(a, b):
    return np.cross(a, b)


def crossed_rows(a, b):
    return np.linalg.cross(a, b, axis=0)


def lower_factor(x):
    return np.linalg.cholesky(x)


REFUSED = [
    (complete_triangle, {"x": "n d"}, "qr with this mode"),
    (condition, {"x": "n d"}, "n and d differ, which its gradient takes for one size"),
    (cut_pseudoinverse, {"x": "n d"}, "pinv takes 2 arguments"),
    (cut_least_squares, {"a": "n d", "b": "n"}, "lstsq with this rcond="),
    (rank_of_the_system, {"a": "n d", "b": "n"}, "the rank that np.linalg.lstsq finds"),
    (tensor_system, {}, "tensorsolve of unknown ranks"),
    (tensor_inverse, {}, "tensorinv of unknown rank"),
    (crossed, {"a": "n d", "b": "n d"}, "not known to be of three"),
    (crossed, {"a": "n 2", "b": "n 2"}, "not known to be of three"),
    (crossed, {"a": "3", "b": "n"}, "not known to be of three"),
    (crossed_with_axisa, {"a": "3 3", "b": "3 3"}, "takes 2 arguments"),
    (crossed_rows, {"a": "3 n", "b": "3"}, "of these ranks"),
]


@pytest.mark.parametrize("function, facts, message", REFUSED)
def test_what_has_no_gradient_is_refused(function, facts, message):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for wrt in names:
        with pytest.raises(gradgen.GradgenError, match=message):
            gradgen.grad(function, wrt=wrt, shapes=facts).source


def test_equal_eigenvalues_have_a_gradient_and_their_vectors_have_none():
    identity, seed = np.eye(2), np.array([2.0, 2.0])
    g = gradgen.grad(eigenvalues, shapes={"x": "n n"})
    np.testing.assert_allclose(g(identity, seed=seed), 2 * identity)
    g = gradgen.grad(eigenvectors, shapes={"x": "n n"})
    with np.errstate(all="ignore"):
        found = g(identity, seed=np.array([[1.0, 2.0], [3.0, 5.0]]))
    assert not np.all(np.isfinite(found))


@pytest.mark.skipif(hasattr(np, "matvec"), reason="NumPy 2 takes b for a matrix")
def test_what_numpy_took_for_vectors_is_refused():
    for facts in ({"a": "m n n", "b": "n k"}, {"b": "n k"}):
        with pytest.raises(gradgen.GradgenError, match="a stack before NumPy 2"):
            gradgen.grad(system, wrt="b", shapes=facts).source


def test_the_volume_of_a_singular_matrix():
    gradient = gradgen.grad(volume, shapes={"x": "n n"})
    np.testing.assert_array_equal(gradient(np.zeros((2, 2))), np.zeros((2, 2)))
    x = np.array([[1.0, 2.0], [2.0, 4.0]])
    np.testing.assert_allclose(gradient(x), [[4, -2], [-2, 1]], atol=1e-14)
    x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    want = [[-3, 6, -3], [6, -12, 6], [-3, 6, -3]]
    np.testing.assert_allclose(gradient(x), want, atol=1e-12)
    np.testing.assert_array_equal(gradient(np.array([[3.0]])), [[1]])


def test_complex_eigenvalues_fail_aloud():
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    with pytest.raises(gradgen.GradgenError, match="complex eigenvalues"):
        gradgen.grad(spectrum, shapes={"x": "n n"})(turn)
    with pytest.raises(gradgen.GradgenError, match="complex eigenvalues"):
        gradgen.grad(directions, shapes={"x": "n n"})(turn)


def test_what_is_wide_fails_aloud():
    with pytest.raises(gradgen.GradgenError, match="more columns than rows"):
        wide = gradgen.grad(triangle, shapes={"x": "n d"})
        wide(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]))


@pytest.mark.parametrize("function", [lower_factor, eigenvalues, volume])
def test_as_autograd(function):
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, (4, 4))
    x = x @ x.T + 2 * np.eye(4)
    seed = rng.uniform(0.5, 1.5, np.shape(function(x)))
    theirs = {
        lower_factor: autograd.numpy.linalg.cholesky,
        eigenvalues: lambda a: autograd.numpy.linalg.eigh(a)[0],
        volume: autograd.numpy.linalg.det,
    }[function]
    want = autograd.make_vjp(theirs)(x)[0](seed)
    want = (want + want.T) / 2 if function is eigenvalues else want
    got = gradgen.grad(function, shapes={"x": "n n"})(x, seed=seed)
    np.testing.assert_allclose(got, want, rtol=1e-9)


def test_eigenvalues_of_a_large_matrix_in_their_own_order():
    # np.linalg.eig may order them otherwise than np.linalg.eigvals does
    rng = np.random.default_rng(0)
    n = 300
    q = np.eye(n) + 0.02 * rng.normal(size=(n, n))
    a = q @ np.diag(np.linspace(1, 40, n)) @ np.linalg.inv(q)
    assert np.any(np.linalg.eig(a)[0] != np.linalg.eigvals(a))
    values = np.linalg.eigvals(a)
    places = np.argsort(values)
    seed, change, step = rng.normal(size=n), rng.normal(size=(n, n)), 1e-5

    def along(t):
        return seed[places] @ np.sort(np.linalg.eigvals(a + t * change))

    found = gradgen.grad(large_eigvals, shapes={"x": "n n"})(a, seed=seed)
    want = (along(step) - along(-step)) / (2 * step)
    np.testing.assert_allclose(np.sum(found * change), want, rtol=1e-4)


def large_eigvals(x):
    return np.linalg.eigvals(x)


def rows_and_columns(A):
    q, r = np.linalg.qr(A)
    return np.sum(q[:, 0] * r[0, 0]) + np.sum(r**3)


def the_columns_alone(A):
    return np.sum(np.linalg.qr(A, mode="r") ** 3)


@pytest.mark.parametrize("f", [rows_and_columns, the_columns_alone])
def test_more_columns_than_rows_have_no_qr_gradient(f):
    """At hand and in texts, by their own words and not by those of a solver."""
    rng = np.random.default_rng(4)
    wide, tall, square = (rng.normal(size=size) for size in ((3, 4), (4, 3), (3, 3)))
    space = {}
    exec(gradgen.emit(f, shapes={"A": "m n"}), space)
    text = space[f"grad_{f.__name__}"]
    said = "more columns than rows of np.linalg.qr"
    with pytest.raises(ValueError, match=said):
        text(wide)
    for gradient in (gradgen.grad(f), lambda A: gradgen.jvp(f)(A, A)):
        with pytest.raises(gradgen.GradgenError, match=f"GG302 .* {said}"):
            gradient(wide)
    for A in (tall, square):
        want = numeric_gradient(f, [A], 0, 1.0).value
        for gradient in (gradgen.grad(f), text):
            np.testing.assert_allclose(gradient(A), want, rtol=1e-6, atol=1e-8)
        along = np.sum(want * tall[:1, 0])
        pushed = gradgen.jvp(f)(A, np.full(A.shape, tall[0, 0]))[1]
        np.testing.assert_allclose(pushed, along, rtol=1e-6)
