"""The gradient of log(det(S)) is the transposed inverse, where nothing is guarded."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def plain(S):
    return np.log(np.linalg.det(S))


def density(S, e):
    d = np.linalg.det(S)
    return -0.5 * np.log(d) - 0.5 * e @ np.linalg.solve(S, e)


def rounds(S, e):
    loss = 0.0
    for t in range(len(e)):
        loss = loss + e[t] * np.log(np.linalg.det(S))
        S = S @ S + e[t] * np.eye(len(e))
    return loss


def root(S, e):
    d = np.linalg.det(S)
    return np.sqrt(d) + np.log(np.linalg.det(S @ S))


@pytest.mark.parametrize(
    ("primal", "helper"),
    [(plain, False), (density, False), (rounds, False), (root, True)],
)
def test_slope_of_a_log_of_a_determinant(primal, helper):
    S = np.array([[1.3, 0.2, 0.1], [0.4, 1.1, -0.3], [-0.2, 0.3, 0.9]])
    values = [S, np.array([0.3, 0.5, 0.2])][: primal.__code__.co_argcount]
    told = dict(zip(("S", "e"), ("n n", "n")[: len(values)], strict=False))
    text = gradgen.emit(primal, wrt="S", shapes=told)
    assert "np.linalg.inv(" in text
    assert ("_cofactors" in text) == helper
    namespace = {}
    exec(text, namespace)
    found = namespace[f"grad_{primal.__name__}"](*values)
    truth = numeric_gradient(primal, values, 0, np.float64(1))
    np.testing.assert_allclose(found, truth.value, rtol=1e-7, atol=1e-9)


def test_a_guarded_text_keeps_what_is_finite_at_zero():
    text = gradgen.emit(plain, wrt="S", shapes={"S": "n n"}, guard=True)
    assert "_cofactors" in text
    assert "np.linalg.inv(" not in text


def filtered(F, R, Z):
    """An inverse that each round computes: its gradient inverts nothing again."""
    P = np.eye(2)
    total = 0.0
    for t in range(len(Z)):
        P = F @ P @ F.T + R
        inverse = np.linalg.inv(P)
        v = Z[t]
        total += np.log(np.linalg.det(P)) + v @ inverse @ v
        total += np.sum(np.linalg.solve(P, v))
        P = P - 0.5 * P @ inverse @ P
    return total


def test_an_inverse_of_a_round_serves_its_gradient():
    rng = np.random.default_rng(2)
    F, Z = rng.normal(size=(2, 2)), rng.normal(size=(3, 2))
    args = (F, np.eye(2) + 0.1, Z)
    for place, name in enumerate("FR"):
        found = gradgen.grad(filtered, wrt=name)(*args)
        want = numeric_gradient(filtered, args, place).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    text = gradgen.emit(filtered, shapes={"F": "2 2", "R": "2 2", "Z": "t 2"})
    assert text.count("np.linalg.inv(") == 1
