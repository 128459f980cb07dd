"""Rules whose text is short: what they print, and its numbers at the edges."""

import numpy as np
import pytest

import gradgen

PRODUCT = """
    # Grad of: return np.prod(x)
    left = np.cumprod(np.append(np.ones_like(x[:1]), x[:-1]))
    right = np.cumprod(np.append(np.ones_like(x[:1]), x[:0:-1]))[::-1]
    d_x = d_out * left * right
    return d_x
"""
ROWS = """
    # Grad of: return np.prod(x, axis=1)
    ones = np.ones_like(x[:, :1])
    left = np.cumprod(np.append(ones, x[:, :-1], axis=1), axis=1)
    right = np.cumprod(np.append(ones, x[:, :0:-1], axis=1), axis=1)[:, ::-1]
    d_x = d_out[:, None] * left * right
    return d_x
"""
VECTORS = """
    # Forward
    w, V = np.linalg.eigh(A)

    # Grad of: w, V = np.linalg.eigh(A)
    apart = w - w[:, None]
    far = np.abs(apart) > 10000 * np.spacing(np.maximum(-w[:1], w[-1:]))
    gaps = np.where(far | (np.any(d_V, axis=-2) > np.eye(len(A))), far * apart, np.inf)
    d_A = V @ (np.diag(d_w) + (V.T @ d_V - d_V.T @ V) / (2 * gaps)) @ V.T
    return d_A
"""
GUARD = "    gaps = np.where(gaps == 0, np.inf, gaps)  # guard: x / 0 -> 0\n"


def product(x):
    return np.prod(x)


def products(x):
    return np.prod(x, axis=1)


def both(A):
    w, V = np.linalg.eigh(A)
    return w, V


def vectors(A):
    return np.linalg.eigh(A)[1]


def body(text: str) -> str:
    """What stands behind the docstring."""
    return text[text.rindex('"""') + 3 :]


def test_a_product_is_two_products_of_the_others():
    assert body(gradgen.emit(product, shapes={"x": "n"})) == PRODUCT
    assert body(gradgen.emit(product, shapes={"x": "n"}, guard=True)) == PRODUCT
    assert body(gradgen.emit(products, shapes={"x": "n d"})) == ROWS


def test_eigenvectors_need_no_second_half():
    assert body(gradgen.emit(both, shapes={"A": "n n"})) == VECTORS
    first, last = VECTORS.split("    d_A =")
    guarded = f"{first}{GUARD}    d_A ={last}"
    assert body(gradgen.emit(both, shapes={"A": "n n"}, guard=True)) == guarded


@pytest.mark.parametrize(
    "x, want",
    [
        ([], []),
        ([5.0], [1]),
        ([2.0, 3.0, 5.0], [15, 10, 6]),
        ([2.0, 0.0, 5.0], [0, 10, 0]),
        ([0.0, 0.0, 5.0], [0, 0, 0]),
        ([2.0 + 1j, 3.0, 1j], [3j, 1j * (2 + 1j), 3 * (2 + 1j)]),
    ],
)
def test_the_product_of_the_others(x, want):
    facts = {"shapes": {"x": "n"}}
    if np.iscomplexobj(x):
        facts["complex"] = "x"
    gradient = gradgen.grad(product, **facts)
    for dtype in (np.complex64, complex) if np.iscomplexobj(x) else (np.float32, float):
        found = gradient(np.array(x, dtype), seed=dtype(1))
        assert found.dtype == dtype
        assert np.array_equal(found, want)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_the_products_of_nothing(shape):
    found = gradgen.grad(products, shapes={"x": "n d"})
    assert found(np.ones(shape), seed=np.ones(shape[0])).shape == shape


@pytest.mark.parametrize("function", [both, vectors])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("facts", ["n n", "b n n", None])
def test_equal_eigenvalues_are_guarded(function, dtype, facts):
    A = np.diag(np.array([1, 1, 3], dtype))
    d_V = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], dtype)
    # (V.T @ d_V - d_V.T @ V) / 2 over the gaps 0, 2 and 2, where V is 1
    want = np.array([[0, 0, -1], [0, 0, -0.5], [-1, -0.5, 0]])
    seed = d_V
    if function is both:
        seed = (np.array([10, 20, 30], dtype), d_V)
        want = want + np.diag([10, 20, 30])
    if facts == "b n n":
        A, want = A[None], want[None]
        seed = tuple(s[None] for s in seed) if function is both else d_V[None]
    told = {"A": facts} if facts else {}
    gradient = gradgen.grad(function, shapes=told, guard=True)
    found = gradient(A, seed=seed)
    assert found.dtype == dtype
    assert np.array_equal(found, want)
    with np.errstate(all="ignore"):
        unguarded = gradgen.grad(function, shapes=told)(A, seed=seed)
    assert unguarded.dtype == dtype
    assert not np.all(np.isfinite(unguarded))


@pytest.mark.parametrize("scale", [1e-30, 1, 1e30])
def test_vectors_of_matrices_of_any_size(scale):
    """The diagonal of the gaps takes away what is not exactly 0 there."""
    rng = np.random.default_rng(3)
    A, d_V = rng.normal(size=(5, 5)), rng.normal(size=(5, 5))
    A = A + A.T
    gradient = gradgen.grad(vectors, shapes={"A": "n n"})
    found = scale * gradient(scale * A, seed=d_V)
    np.testing.assert_allclose(found, gradient(A, seed=d_V), rtol=1e-9)
