"""scipy.linalg and scipy.signal: one line per function and form; sparse; refusals."""

import numpy as np
import pytest
import scipy.special as sc
from scipy import linalg, signal, sparse
from scipy.linalg import solve_triangular as triangular_solve
from scipy.special import expit

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.rules.checker import Line, faults, ranked, shaped

REGULAR = "x + 4 * np.eye(x.shape[-1], dtype=x.dtype)"
POSITIVE = f"x @ np.swapaxes(x, -1, -2) + {REGULAR[4:]}"

SCIPY = [
    shaped(f"linalg.inv({REGULAR})", "n n"),
    shaped(f"linalg.det({REGULAR})", "n n"),
    ranked(f"linalg.solve({REGULAR}, y)", "n n", "n"),
    ranked(f"linalg.solve({REGULAR}, y)", "n n", "n b"),
    shaped(f"linalg.cholesky({POSITIVE})", "n n"),
    shaped(f"linalg.cholesky({POSITIVE}, lower=True)", "n n"),
    ranked("linalg.expm(x)", "n n"),
    *(
        ranked(f"linalg.eigh({POSITIVE}{rest})[{at}] ** 2", "n n")
        for rest in ("", ", lower=False")
        for at in (0, 1)
    ),
    ranked(f"linalg.eigh({POSITIVE}, eigvals_only=True)", "n n"),
    *(
        ranked(f"linalg.solve({POSITIVE}, y, assume_a={kind!r}{rest})", "n n", facts)
        for kind in ("pos", "sym")
        for rest in ("", ", lower=True")
        for facts in ("n", "n b")
    ),
    ranked(f"linalg.solve({REGULAR}, y, assume_a='gen')", "n n", "n"),
    *(
        ranked(f"linalg.cho_solve(({factor}, {lower}), y)", "n n", facts)
        for factor, lower in (
            (f"np.linalg.cholesky({POSITIVE})", True),
            (f"linalg.cholesky({POSITIVE})", False),
            (f"linalg.cholesky({POSITIVE}, lower=True)", True),
        )
        for facts in ("n", "n b")
    ),
    ranked(f"linalg.cho_solve(linalg.cho_factor({POSITIVE}), y)", "n n", "n"),
    ranked(f"linalg.cho_solve(linalg.cho_factor({POSITIVE}, True), y)", "n n", "n b"),
    *(
        ranked(f"linalg.solve_banded({widths}, {bands}, y)", "n", facts)
        for widths, bands in (
            ("(1, 1)", "np.stack([x, 4 + x, x])"),
            ("(1, 0)", "np.stack([4 + x, x])"),
            ("(0, 1)", "np.stack([x, 4 + x])"),
        )
        for facts in ("n", "n b")
    ),
    ranked("linalg.solve_banded((0, 0), np.stack([x]), y)", "n", "n"),
    ranked("linalg.toeplitz(x)", "n"),
    ranked("linalg.toeplitz(x, y)", "n", "d"),
    ranked("linalg.toeplitz(x, r=y) @ y", "d", "n"),
    ranked("linalg.block_diag(x)", "n d"),
    ranked("linalg.block_diag(x, y, x.T)", "n d", "d b"),
    *(
        ranked(f"linalg.solve_triangular({REGULAR}, y{rest})", "n n", facts)
        for facts in ("n", "n b")
        for rest in (
            "",
            ", lower=True",
            ", trans=1",
            ", trans='T', lower=True",
            ", 'N', True, True",
            ", unit_diagonal=True",
            ", trans=1, unit_diagonal=True",
        )
    ),
]

SIGNAL = [
    ranked(f"signal.convolve(x, y{rest})", *facts)
    for rest in ("", ", mode='same'", ", 'valid'", ", method='direct'")
    for facts in (("n", "d"), ("d", "n"), ("d", "d"))
]


def label(line: Line) -> str:
    return f"{line.text} of {', '.join(line.shapes[0])}"


@pytest.mark.parametrize("line", [*SCIPY, *SIGNAL], ids=label)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


def by_factor(K, y):
    c, low = linalg.cho_factor(K, lower=True)
    return y @ linalg.cho_solve((c, low), y) + 2 * np.sum(np.log(np.diag(c)))


def by_pair(K, y):
    factor = linalg.cho_factor(K)
    return y @ linalg.cho_solve(factor, y) + 2 * np.sum(np.log(np.diag(factor[0])))


@pytest.mark.parametrize("function", [by_factor, by_pair])
def test_a_factorisation_and_what_solves_with_it(function):
    rng = np.random.default_rng(3)
    A, y = rng.normal(size=(4, 4)), rng.normal(size=4)
    K = A @ A.T + 4 * np.eye(4)
    g = gradgen.grad(function, wrt=("K", "y"), shapes={"K": "n n", "y": "n"})
    inverse = np.linalg.inv(K)
    d_K, d_y = g(K, y)
    want = inverse - np.outer(inverse @ y, inverse @ y)
    np.testing.assert_allclose(d_K, want, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(d_y, 2 * inverse @ y)


def weighted(S, x):
    return S @ x


def turned(S, x):
    return S.T @ x


def by_method(S, x):
    return S.dot(x)


@pytest.mark.parametrize("function", [weighted, turned, by_method])
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, np.asarray])
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("columns", [(), (3,)])
def test_a_sparse_matrix_that_is_held_constant(function, form, told, columns):
    rng = np.random.default_rng(4)
    dense = rng.normal(size=(5, 4)) * (rng.uniform(size=(5, 4)) < 0.5)
    S, matrix = form(dense), dense.T if function is turned else dense
    x = rng.normal(size=(matrix.shape[1], *columns))
    seed = rng.normal(size=(matrix.shape[0], *columns))
    facts = {"S": "n m", "x": "n k" if function is turned else "m k"}
    if not columns:
        facts["x"] = facts["x"][0]
    for sort in (np.float64, np.float32):
        g = gradgen.grad(function, wrt="x", shapes=facts if told else {})
        found = g(S.astype(sort), x.astype(sort), seed=seed.astype(sort))
        assert type(found) is np.ndarray and found.dtype == sort
        tolerance = 1e-12 if sort is np.float64 else 1e-5
        np.testing.assert_allclose(found, matrix.T @ seed, rtol=tolerance, atol=1e-6)


def by_star(S, x):
    return S * x


def among_others(S, x):
    return S @ x + S[0]


def turned_and_more(S, x):
    T = S.T
    return T @ x + T


def by_function(S, x):
    return np.dot(S, x)


OTHERWISE = [by_star, among_others, turned_and_more, by_function]


@pytest.mark.parametrize("function", OTHERWISE)
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array])
def test_a_sparse_matrix_that_is_used_otherwise_is_refused(function, form):
    with pytest.raises(gradgen.GradgenError, match="GG505 the argument S is a sparse"):
        gradgen.grad(function, wrt="x")(form(np.eye(3)), np.ones(3), seed=np.ones(3))


def test_a_sparse_matrix_that_is_asked_for_is_refused():
    with pytest.raises(gradgen.GradgenError, match="GG505 the argument S is a sparse"):
        gradgen.grad(weighted, wrt="S")(sparse.eye(3), np.ones(3), seed=np.ones(3))


def by_three_imports(L, b):
    return sc.erf(expit(triangular_solve(L, b, lower=True)))


def test_functions_are_known_under_every_import():
    g = gradgen.grad(by_three_imports, wrt="b", shapes={"L": "n n", "b": "n"})
    lines = g.source.splitlines()
    imports = [line for line in lines if line.startswith(("import", "from"))]
    assert imports == [
        "import numpy as np",
        "from scipy import linalg",
        "from scipy import special",
    ]
    L, b = np.array([[2.0, 0.0], [1.0, 4.0]]), np.array([0.5, -1.0])
    s = expit(np.linalg.solve(L, b))
    slope = 2 / np.sqrt(np.pi) * np.exp(-(s**2)) * s * (1 - s)
    np.testing.assert_allclose(g(L, b, seed=np.ones(2)), np.linalg.solve(L.T, slope))


def triangular(a, b):
    return linalg.solve_triangular(a, b)


def system(a, b):
    return linalg.solve(a, b)


def upper_system(a, b):
    return linalg.solve(a, b, assume_a="upper triangular")


def exponential(x):
    return linalg.expm(x)


def factored(c, b):
    return linalg.cho_solve((c, True), b)


def chosen(c, b, lower):
    return linalg.cho_solve((c, lower), b)


def banded(ab, b):
    return linalg.solve_banded((1, 1), ab, b)


def constant_rows(x):
    return linalg.toeplitz(x)


def blocks(x, y):
    return linalg.block_diag(x, y)


def smoothed(x, y):
    return signal.convolve(x, y)


def by_rule(x, y):
    return signal.convolve(x, y, method="rule")


REFUSED = [
    (system, {"b": "n"}, "of unknown ranks"),
    (upper_system, {"a": "n n", "b": "n"}, "with this assume_a="),
    (exponential, {}, "of unknown rank"),
    (factored, {"b": "n"}, "cho_solve of unknown ranks"),
    (banded, {}, "solve_banded of unknown ranks"),
    (constant_rows, {}, "not known to be 1-D"),
    (blocks, {"x": "n d"}, "not known to be 2-D"),
    (by_rule, {"x": "n", "y": "d"}, "with this method"),
]


@pytest.mark.parametrize("function, facts, message", REFUSED)
def test_what_has_no_gradient_is_refused(function, facts, message):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for wrt in names:
        with pytest.raises(gradgen.GradgenError, match=message):
            gradgen.grad(function, wrt=wrt, shapes=facts).source


def test_which_triangle_a_factor_has_is_told():
    with pytest.raises(gradgen.GradgenError, match="lower= that is not a constant"):
        gradgen.grad(chosen, wrt="b", shapes={"c": "n n", "b": "n"}).source


def of_rows(S, u):
    return np.sum((u.T @ S) ** 2)


def of_a_row(S, u):
    return np.sum((u[:, 0] @ S) ** 2) + np.dot(u.T @ S, u)[0][0]


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "csr_array"])
@pytest.mark.parametrize("function", [of_rows, of_a_row])
def test_a_sparse_matrix_on_the_right(function, kind):
    dense = np.array([[1.0, 2, 0], [0, 1, 3], [2, 0, 1]])
    u = np.array([[1.0], [2.0], [3.0]])
    made = getattr(sparse, kind)(dense)
    want = numeric_gradient(function, (dense, u), 1).value
    got = gradgen.grad(function, "u")(made, u)
    np.testing.assert_allclose(got, want, rtol=1e-8)
