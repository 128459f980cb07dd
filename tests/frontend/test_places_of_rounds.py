"""Axes that are the number of a round, in loops that are written out: state vectors."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def gate(psi, U, t, n):
    T = psi.reshape([2] * n)
    T = np.tensordot(U, T, axes=([1], [t]))
    return np.moveaxis(T, 0, t).reshape(-1)


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def circuit(params, n):
    psi = np.zeros(2**n)
    psi[0] = 1.0
    for q in range(n):
        psi = gate(psi, turn(params[q]), q, n)
    return np.sum(psi**3)


def swapped(params, n):
    psi = np.arange(2.0**n)
    for q in range(n):
        T = np.swapaxes(psi.reshape((2,) * n), 0, q)
        psi = (turn(params[q]) @ T.reshape(2, -1)).reshape(-1)
    return np.sum(psi**3)


def summed(params, n):
    total = 0.0
    T = np.outer(params, np.arange(2.0**n)).reshape([n] + [2] * n)
    for q in range(n + 1):
        total = total + np.sum(np.max(T, axis=q) ** 2) + np.sum(np.take(T, 0, axis=q))
    return total


class Simulator:
    def __init__(self, n):
        self.n = n

    def run(self, params):
        state = np.zeros([2] * self.n)
        state[(0,) * self.n] = 1.0
        state = state.reshape(-1)
        for q in range(self.n):
            state = gate(state, turn(params[q]), q, self.n)
        return np.sum(state**3)


PARAMS = np.array([0.1, 0.2, 0.3])


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("f", [circuit, swapped, summed])
@pytest.mark.parametrize("n", [2, 3])
def test_a_function_of_a_count(f, n):
    at = PARAMS[:n].copy()
    want = numeric_gradient(lambda p: f(p, n), (at,), 0).value
    derivative = gradgen.grad(f, wrt="params")
    np.testing.assert_allclose(derivative(at, n), want, rtol=1e-6, atol=1e-8)
    text = gradgen.emit(f, wrt="params", example=(at, n))
    np.testing.assert_allclose(made(text)(at, n), want, rtol=1e-6, atol=1e-8)
    with pytest.raises(ValueError):
        made(text)(np.ones(4), 4)


def test_a_count_of_an_instance():
    model = Simulator(3)
    want = numeric_gradient(model.run, (PARAMS.copy(),), 0).value
    np.testing.assert_allclose(gradgen.grad(model.run)(PARAMS), want, rtol=1e-6)
    text = gradgen.emit(model.run, example=(PARAMS,))
    np.testing.assert_allclose(made(text)(model, PARAMS), want, rtol=1e-6)


def test_a_count_that_is_not_told_is_asked_for():
    def f(psi, n):
        return np.sum(psi.reshape([2] * n)[0] ** 2)

    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(f)
    assert caught.value.code == "GG241"
    assert "not told: n" in caught.value.message
    text = gradgen.emit(f, shapes={"n": "=3"})
    psi = np.arange(8.0)
    np.testing.assert_allclose(made(text)(psi, 3), [0, 2, 4, 6, 0, 0, 0, 0])
