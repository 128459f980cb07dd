"""Words beside others, and arguments by place: right or refused, none is passed over."""

import numpy as np
import pytest
from scipy import stats

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([[0.3, 0.7, 1.2], [1.4, 0.1, 0.9]])


def below(x):
    return np.sum(np.clip(x, max=0.8) * x)


def by_place_and_name(x):
    return np.sum(x.clip(0.2, max=0.8) * x)


def stored(x):
    return np.sum(np.clip(x, min=0.5, out=np.zeros((2, 3)), where=x > 0.6) * x)


def chosen_into(x):
    known = np.ones(3)
    picked = np.choose([0, 1, 0], [x[0], x[1]], known)
    return np.sum(known * x[1]) + np.sum(picked)


def chosen_in_turn(x):
    known = np.ones(3)
    picked = np.choose([0, 3, 2], [x[0], x[1]], known, "wrap")
    return np.sum(known * x[1]) + np.sum(picked)


def chosen_into_nothing(x):
    return np.sum(np.choose([0, 3, 2], [x[0], x[1]], None, "wrap") * x[1])


def varied(x):
    return np.sum(stats.variation(x, 0, "propagate", 1))


@pytest.mark.parametrize(
    "f",
    [
        below,
        by_place_and_name,
        stored,
        chosen_into,
        chosen_in_turn,
        chosen_into_nothing,
        varied,
    ],
)
def test_right(f):
    want = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-6)


def in_integers(x):
    return np.sum(np.clip(x, min=0.5, dtype=np.int64, casting="unsafe") * x)


def of_some(x):
    return np.sum(np.clip(x, min=0.5, where=x > 0.6) * x)


def all_by_name(x):
    return np.sum(np.clip(a=x, min=0.5, max=0.8) * x)


def given_twice(x):
    return np.sum(np.clip(x, 0.2, 0.8, min=0.5) * x)


def of_both_names(x):
    return np.sum(np.clip(x, a_min=0.5, max=0.8) * x)


def spread_of_angles(x):
    return np.sum(stats.circstd(x, 6.0, 0.0, 0, "omit"))


def chosen_as_integers(x):
    return np.sum(np.choose([0, 1, 0], [x[0], x[1]], np.zeros(3, int)) * x[1])


def varied_without_nan(x):
    return np.sum(stats.variation(x, 0, "omit"))


REFUSED = {
    in_integers: "GG209",
    of_some: "GG209",
    all_by_name: "GG209",
    given_twice: "GG209",
    of_both_names: "GG209",
    spread_of_angles: "GG209",
    chosen_as_integers: "GG309",
    varied_without_nan: "GG302",
}


@pytest.mark.parametrize("f", REFUSED)
def test_refused(f):
    with pytest.raises(gradgen.GradgenError, match=REFUSED[f]):
        gradgen.grad(f)(X)


def scored_without_nan(x):
    return np.sum(stats.zscore(x, nan_policy="omit") ** 3)


@pytest.mark.parametrize("f", [varied_without_nan, scored_without_nan])
def test_refused_in_forward_mode(f):
    with pytest.raises(gradgen.GradgenError, match="GG30"):
        gradgen.jvp(f)(X, X)
