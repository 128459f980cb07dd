"""k in v of an array v: whether one of its entries equals k."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

V = np.array([1.0, 2.0, 3.0])


def squared_without(v):
    return np.sum(v * v) if 3 not in v else np.sum(v)


def of_what_is_computed(v, k=4.0):
    w = v * 2
    return np.sum(v**3) if k in w else np.sum(v)


def several(v):
    return sum([k * v[0] for k in (1.0, 5.0) if k in v], start=v[1])


@pytest.mark.parametrize("f", [squared_without, of_what_is_computed, several])
@pytest.mark.parametrize("v", [V, V + 0.5, 5 * V])
def test_the_branch_that_python_takes(f, v):
    value, g = gradgen.value_and_grad(f)(v)
    # a step leaves the branch that is taken at v: its gradient is that of the branch
    branch = {
        squared_without: np.ones(3) if 3 in v else 2 * v,
        of_what_is_computed: 3 * v**2 if 4.0 in 2 * v else np.ones(3),
        several: np.array([sum(k for k in (1.0, 5.0) if k in v), 1.0, 0.0]),
    }[f]
    assert value == f(v) and np.allclose(g, branch)
    space = {}
    exec(gradgen.emit(f, shapes={"v": "n"}), space)
    assert np.allclose(space[f"grad_{f.__name__}"](v), branch)


def test_of_a_matrix():
    m = np.arange(6.0).reshape(2, 3) + 0.25
    want = numeric_gradient(squared_without, (m,), 0).value
    assert np.allclose(gradgen.grad(squared_without)(m), want)


def by_an_option(x, options):
    return np.sum(2 * x) if "twice" in options else np.sum(x)


def by_a_place(x, places):
    return np.sum(2 * x) if 3 in places else np.sum(x)


@pytest.mark.parametrize("f", [by_an_option, by_a_place])
def test_what_may_be_a_dictionary_is_none(f):
    """np.equal of a dictionary is False, whatever keys it has."""
    with pytest.raises(gradgen.GradgenError, match="GG203"):
        gradgen.emit(f, wrt="x")
    x = np.ones(3)
    for given in ({"twice": 1}, {3: 1}, [3], (4,)):
        want = np.full(3, 2.0 if f(x, given) == 6 else 1.0)
        np.testing.assert_array_equal(gradgen.grad(f, wrt="x")(x, given), want)
