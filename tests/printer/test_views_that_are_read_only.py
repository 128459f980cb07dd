"""Gradients that are diagonals, and get more: np.diag of a matrix may not be written to."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.4, 0.9, 1.3])
A = np.array([[0.2, 1.0, -0.3], [0.5, 0.7, 0.1], [-0.6, 0.4, 0.9]])
BODIES = {
    "product": "np.sum(np.diag(x) @ A) + x[0] ** 2",
    "solved": "np.sum(np.linalg.solve(np.diag(x) + np.eye(3), A)) + x[0]",
    "flat": "np.sum((np.diagflat(x) * A) @ A) + x[0] * x[2]",
    "squares": "np.sum(np.diag(x) ** 2) + np.prod(x[1:])",
    "written": "np.sum(np.linalg.solve(np.diag(x), [x[0], 2.0, 1.0]))",
    "of a part": "np.sum(np.diag(x[:2]) * A[:2, :2]) + x[1] ** 3",
    "in a loop": "sum(np.sum(np.diag(x) * A) * x[i] for i in range(3))",
}
NAMES = ("by a call", "alone", "in general", "pullback", "jacobian", "product")


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("way", NAMES)
def test_the_gradient_is_right_and_may_be_written_to(tmp_path, body, way):
    f = written(f"def f(x, A):\n    return {BODIES[body]}\n", tmp_path)
    names: dict = {}
    if way == "by a call":
        found = gradgen.grad(f)(X, A)
    elif way in ("alone", "in general"):
        facts = {"x": "3", "A": "3 3"} if way == "alone" else {}
        exec(gradgen.emit(f, shapes=facts, general=not facts), names)
        found = names["grad_f"](X, A)
    elif way == "pullback":
        found = gradgen.vjp(f)(X, A)[1]()
    elif way == "jacobian":
        found = gradgen.jacobian(f)(X, A)
    else:
        found = gradgen.hvp(f)(X, A, X)
        h = 1e-4
        of = gradgen.grad(
            written(f"def f(x, A):\n    return {BODIES[body]}\n", tmp_path)
        )
        ends = [(of(X + k * h * X, A) - of(X - k * h * X, A)) / k for k in (1, 2)]
        true = (4 * ends[0] - ends[1]) / 6 / h
        np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-7)
        return
    true = numeric_gradient(f, [X, A], 0, 1.0).value
    np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-8)
    assert found.flags.writeable and found.dtype == X.dtype
