"""Functions with several results of which one is changed where it lies, in a loop.

What the way back reads of them is kept as it was: a copy of each, since together they are
no array.
"""

import numpy as np
import pytest

import gradgen

STACK = np.random.default_rng(3).normal(size=(3, 3, 3)) + 2 * np.eye(3)


def svd_of_each(A):
    out = 0.0
    for i in range(len(A)):
        U, S, Vt = np.linalg.svd(A[i])
        R = U @ Vt
        if np.linalg.det(R) < 3:
            Vt[2, :] *= -1
            R = U @ Vt
        out += np.sum(R**3)
    return out


def left_of_each(A):
    out = 0.0
    for i in range(len(A)):
        U, S, Vt = np.linalg.svd(A[i])
        R = U @ Vt
        U[0] = U[0] * 2.0
        out += np.sum(R**3) + np.sum((U @ Vt) ** 3) * S[0]
    return out


def eigh_of_each(A):
    out = 0.0
    for i in range(len(A)):
        w, v = np.linalg.eigh(A[i] @ A[i].T)
        if w[0] < 100.0:
            w[1] *= 3.0
        out += np.sum(((v * w) @ v.T) ** 2)
    return out


def qr_of_each(A):
    out = 0.0
    for i in range(len(A)):
        q, r = np.linalg.qr(A[i])
        before = np.sum(q * r)
        r[1] *= 2.0
        out += np.sum((q @ r) ** 2) * before
    return out


def divmod_of_each(A):
    out = 0.0
    for i in range(len(A)):
        whole, rest = np.divmod(A[i], 0.7)
        first = np.sum(rest**2)
        rest[0] *= 2.0
        out += np.sum(rest**2) * first + np.sum(whole)
    return out


def meshgrid_of_each(A):
    out = 0.0
    for i in range(len(A)):
        a, b = np.meshgrid(A[i, 0], A[i, 1, :2])
        first = np.sum(a * b)
        a[0] *= 2.0
        out += np.sum(a * b**2) * first
    return out


def svd_while(A):
    out, i = 0.0, 0
    while i < len(A):
        U, S, Vt = np.linalg.svd(A[i])
        R = U @ Vt
        Vt[2, :] *= -1
        out += np.sum(R**3) * np.sum((U @ Vt) ** 3)
        i += 1
    return out


FUNCTIONS = [
    svd_of_each,
    left_of_each,
    eigh_of_each,
    qr_of_each,
    divmod_of_each,
    meshgrid_of_each,
    svd_while,
]


def differences(function):
    h, found = 1e-5, np.zeros(STACK.shape)
    for at in np.ndindex(STACK.shape):
        step = np.zeros(STACK.shape)
        step[at] = h
        far = function(STACK + 2 * step) - function(STACK - 2 * step)
        near = function(STACK + step) - function(STACK - step)
        found[at] = (8 * near - far) / (12 * h)
    return found


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_is_kept_as_it_was(function):
    wanted, args = differences(function), STACK.copy()
    np.testing.assert_allclose(gradgen.grad(function)(args), wanted, 1e-6, 1e-6)
    np.testing.assert_array_equal(args, STACK)
    for told in ({}, {"A": "n k k"}, {"A": "3 3 3"}):
        space = {}
        exec(gradgen.emit(function, shapes=told), space)
        found = space[f"grad_{function.__name__}"](STACK.copy())
        np.testing.assert_allclose(found, wanted, 1e-6, 1e-6)
