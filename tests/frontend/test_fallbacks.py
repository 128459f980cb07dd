"""try blocks that fall back to another value: both arms, in every mode."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.5, 1.2])
REGULAR = np.array([[2.0, 0.3], [0.1, 1.0]])
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
HEAD = "import numpy as np\nfrom numpy.linalg import LinAlgError\n\n\ndef f(x, M):\n"
BODIES = {
    "assigned": """
    try:
        y = np.linalg.solve(M, np.sin(x))
    except np.linalg.LinAlgError:
        y = np.cos(x) * x
    return np.sum(y * y)
""",
    "loop": """
    s = 0.0
    for k in range(3):
        try:
            y = np.linalg.inv(M * (k - 1.0)) @ np.sin(x)
        except (LinAlgError,) as error:
            y = np.cos(x) * x
        s = s + np.sum(y * y) * (k + 1)
    return s
""",
    "returns": """
    try:
        return np.sum(np.linalg.solve(M, np.sin(x)))
    except LinAlgError:
        return np.sum(x**3)
""",
    "value not needed": """
    try:
        y = np.linalg.solve(M, x)
    except LinAlgError:
        y = 5 * x
    return np.sum(y)
""",
    "one returns": """
    try:
        y = np.linalg.inv(M) @ x**2
    except LinAlgError:
        return 0.0
    return np.sum(y)
""",
    "while": """
    i, y = 0, x
    while i < 3:
        try:
            y = np.linalg.solve(M, y) * 0.1 + y
            i += 2
        except LinAlgError:
            y = y * 1.5
            i += 1
    return np.sum(y * y)
""",
    "else and finally": """
    y = x
    try:
        w = np.linalg.inv(M) @ x
    except LinAlgError:
        pass
    else:
        y = w * w
    finally:
        pass
    return np.sum(y * y)
""",
    "several handlers": """
    try:
        y = np.linalg.solve(M, x)
    except ZeroDivisionError:
        raise
    except LinAlgError:
        y = x * x
    return np.sum(y * y)
""",
    "raised": """
    try:
        if np.linalg.det(M) < 1.0:
            raise LinAlgError("small")
        y = np.exp(x)
    except LinAlgError:
        y = x * x
    return np.sum(y * y)
""",
    "nested": """
    try:
        y = np.linalg.solve(M, x)
    except LinAlgError:
        try:
            y = np.linalg.solve(M + 0.0, x)
        except LinAlgError:
            y = x**3
    return np.sum(y)
""",
}


@pytest.fixture(params=BODIES, scope="module")
def f(request):
    return imported(HEAD + BODIES[request.param], "f")


@pytest.mark.parametrize("M", [REGULAR, SINGULAR], ids=["regular", "singular"])
def test_first_order(f, M):
    want = numeric_gradient(f, (X, M), 0).value
    value, gradient = gradgen.value_and_grad(f)(X, M)
    assert value == f(X, M)
    space = {"__name__": "alone"}
    exec(gradgen.emit(f, shapes={"x": "n", "M": "n n"}), space)
    v = np.array([1.0, 2.0])
    for found in (
        gradient,
        gradgen.grad(f, save="state")(X, M),
        gradgen.vjp(f)(X, M)[1](1.0),
        gradgen.jacobian(f)(X, M),
        space["grad_f"](X, M),
    ):
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(gradgen.jvp(f)(X, M, v)[1], want @ v, rtol=1e-6)


@pytest.mark.parametrize("M", [REGULAR, SINGULAR], ids=["regular", "singular"])
def test_second_order(f, M):
    h = 1e-5

    def gradient(x):
        return gradgen.grad(f)(x, M)

    want = [(gradient(X + h * e) - gradient(X - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(gradgen.hessian(f)(X, M), want, rtol=1e-5, atol=1e-7)
    v = np.array([1.0, 2.0])
    found = gradgen.hvp(f)(X, M, v)
    np.testing.assert_allclose(found, np.array(want) @ v, rtol=1e-5, atol=1e-7)


REFUSED = {
    "a store": """
    y = x * 1.0
    try:
        y[0] = 2.0
        w = np.linalg.solve(M, y)
    except LinAlgError:
        w = y
    return np.sum(w)
""",
    "an appended value": """
    ys = [x]
    try:
        ys.append(np.linalg.solve(M, x))
    except LinAlgError:
        ys.append(x)
    return np.sum(ys[1])
""",
    "a name bound anew": """
    q = x * 2
    try:
        q = q * 3
        w = np.linalg.solve(M, q)
    except LinAlgError:
        w = q
    return np.sum(w)
""",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_what_happened_before_it_raised_is_not_undone(body):
    f = imported(HEAD + body, "f")
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradgen.grad(f)(X, SINGULAR)


@pytest.mark.parametrize("target", ["jax", "torch", "cupy", "dask"])
def test_other_libraries(target):
    f = imported(HEAD + BODIES["assigned"], "f")
    with pytest.raises(gradgen.GradgenError, match="GG70"):
        gradgen.emit(f, target=target, shapes={"x": "n", "M": "n n"})
