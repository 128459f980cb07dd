"""Options at hand that a function of a library is not read with: refused by their reason."""

import numpy as np
import pytest
from scipy import fft, stats

import gradgen
from gradgen import GradgenError

X = np.array([0.3, 0.5, 0.2, 0.9, 0.7])


def by_type(x, t=2):
    return np.sum(fft.dct(x, type=t) ** 2)


def by_norm(x, norm):
    return np.sum(fft.dct(x, norm=norm) ** 2)


def by_length(x, n=None):
    return np.sum(fft.dct(x, n=n) ** 2)


def by_policy(x, policy="propagate"):
    return stats.iqr(x, nan_policy=policy) ** 2


def of_another_sort(x, t):
    if t == 7:
        raise NotImplementedError("no such loss")
    return np.sum(x**t)


CALLS = [
    (by_type, 3, "transform of another type"),
    (by_norm, "forward", "transform of another type or norm"),
    (by_length, 4, "or of n"),
    (by_policy, "omit", "iqr with these options"),
]


@pytest.mark.parametrize("maker", [gradgen.grad, gradgen.value_and_grad])
@pytest.mark.parametrize("f, option, said", CALLS)
def test_the_reason_is_the_option(f, option, said, maker):
    with pytest.raises(GradgenError, match=f"(GG302|GG113) .*{said}") as caught:
        maker(f, "x")(X, option)
    assert "shapes=" not in str(caught.value)
    with pytest.raises(GradgenError, match=said):
        gradgen.jvp(f, "x")(X, option, X)


def test_what_the_function_raises_itself_comes_first():
    with pytest.raises(NotImplementedError, match="no such loss"):
        gradgen.grad(of_another_sort, "x")(X, 7)
    np.testing.assert_allclose(gradgen.grad(of_another_sort, "x")(X, 2), 2 * X)
