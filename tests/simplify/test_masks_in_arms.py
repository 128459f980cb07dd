"""Masks of what a with block, a branch or a try block computes: finite where not chosen."""

import numpy as np
import pytest

import gradgen

X = np.array([0.0, 1.0, 2.0])


def within(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.sin(x) / x
    return np.sum(np.where(np.isfinite(q), q, 1.0))


def in_an_arm(x):
    if np.max(x) > 0:
        q = np.sin(x) / x
    else:
        q = x
    return np.sum(np.where(np.isfinite(q), q, 1.0))


def in_a_try(x):
    try:
        q = np.sin(x) / x
    except ZeroDivisionError:
        q = x
    return np.sum(np.where(x == 0, 1.0, q))


def in_both(x):
    if np.max(x) > 0:
        with np.errstate(all="ignore"):
            q = np.sin(x) / x
        return np.sum(np.where(x > 0, q, 1.0))
    return np.sum(x)


def of_nans(x):
    with np.errstate(all="ignore"):
        q = np.sin(x) / x
    return np.nansum(q)


def of_two(x):
    q = np.sin(x) / x
    return 0.5 * np.sum(np.nan_to_num(q, nan=1.0)) + 0.5 * np.nansum(q)


@pytest.mark.parametrize(
    "f",
    [within, in_an_arm, in_a_try, in_both, of_nans, of_two],
    ids=lambda f: f.__name__,
)
def test_what_is_not_chosen_is_zero(f):
    wanted = np.where(X == 0, 0, (X * np.cos(X) - np.sin(X)) / np.where(X, X, 1) ** 2)
    with np.errstate(all="ignore"):
        found = gradgen.grad(f)(X)
        space = {}
        exec(gradgen.emit(f), space)
        text = space[f"grad_{f.__name__}"](X)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(text, wanted, rtol=1e-12, atol=1e-15)
