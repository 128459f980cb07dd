"""The workloads of bench/ for numba: printed, and right compiled."""

import numpy as np
import pytest

import gradgen
from bench.workloads import WORKLOADS
from tests.target.numba_texts import function_of
from tests.target.texts import quietly


def text_of(workload, target):
    return gradgen.emit(
        workload.primal,
        wrt=workload.wrt,
        value=True,
        shapes=workload.facts,
        target=target,
    )


def leaves(found):
    if isinstance(found, tuple):
        return [leaf for one in found for leaf in leaves(one)]
    return [found]


# straight-line, products of matrices and functions like np.exp: they stay NumPy's
LEFT = ("cox_likelihood", "logistic_regression", "mlp_loss")


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: one.name)
def test_each_is_printed(workload):
    text = text_of(workload, "numba")
    assert ("@numba.njit(cache=True" in text) == (workload.name not in LEFT)
    assert ("    Not compiled: " in text) == (workload.name in LEFT)
    assert ("import numba" in text) == (workload.name not in LEFT)


@pytest.mark.libraries
@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: one.name)
def test_compiled_is_as_numpy(workload):
    """Value, shape, dtype and places of NaN are those of NumPy's text and by hand."""
    pytest.importorskip("numba")
    with quietly():
        found = []
        for target, compiled in (("numba", True), ("numpy", False)):
            args = workload.inputs("small", np.random.default_rng(0))
            found.append(function_of(text_of(workload, target), compiled)(*args))
        args = workload.inputs("small", np.random.default_rng(0))
        found.append(workload.hand(*args))
    got, plain, by_hand = map(leaves, found)
    for one, other, hand in zip(got, plain, by_hand, strict=True):
        assert np.shape(one) == np.shape(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True)
        np.testing.assert_allclose(one, hand, rtol=1e-6, atol=1e-9, equal_nan=True)
