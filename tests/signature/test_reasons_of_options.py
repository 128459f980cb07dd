"""Why a call with an option has no gradient: the reason of the arm that it takes."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.array([0.1, -0.2, 0.3, 0.05])


def by_word(r, alpha, method="parametric"):
    if method == "historical":
        return -np.percentile(r, alpha * 100)
    elif method == "parametric":
        return -(r.mean() + r.std() * alpha)
    raise ValueError("method")


def by_flag(r, alpha, historical=False):
    if historical:
        return -np.percentile(r, alpha * 100)
    return -(r.mean() + r.std() * alpha)


def by_none(r, alpha, kind=None):
    if kind is None:
        return -(r.mean() + r.std() * alpha)
    if kind == "low":
        return -np.quantile(r, alpha)
    return -r.mean() * alpha


class Risk:
    def __init__(self, method):
        self.method = method

    def value(self, r, alpha, method="parametric"):
        return by_word(r, alpha, method)


CASES = [
    (by_word, (R, 0.3, "historical")),
    (by_flag, (R, 0.3, True)),
    (by_none, (R, 0.3, "low")),
    (Risk("no").value, (R, 0.3, "historical")),
]


@pytest.mark.parametrize("f, args", CASES)
@pytest.mark.parametrize("make", [gradgen.grad, gradgen.vjp, gradgen.value_and_grad])
def test_the_reason_of_the_arm_is_told(f, args, make):
    with pytest.raises(gradgen.GradgenError) as caught:
        found = make(f, wrt=("r", "alpha"))(*args)
        if make is gradgen.vjp:
            found[1](1.0)
    assert caught.value.code == "GG308"
    assert "argument q of" in str(caught.value)
    assert "gradgen fixed" not in str(caught.value)


@pytest.mark.parametrize("f, args", CASES)
def test_other_calls_go_on(f, args):
    of_both = gradgen.grad(f, wrt=("r", "alpha"))
    with pytest.raises(gradgen.GradgenError):
        of_both(*args)
    plain = args[:2]
    for i, found in enumerate(of_both(*plain)):
        want = numeric_gradient(f, plain, i).value
        np.testing.assert_allclose(found, want, rtol=1e-6)
    in_r = gradgen.grad(f, wrt="r")(*args)
    np.testing.assert_allclose(in_r, numeric_gradient(f, args, 0).value, atol=1e-6)
