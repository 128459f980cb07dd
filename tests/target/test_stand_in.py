"""The stand-in for cupy refuses what a device does not do, and computes the rest."""

import operator

import numpy as np
import pytest

from tests.target.device_array import Array, Refused, fetched, given
from tests.target.stand_in import stand_in


@pytest.fixture
def cp():
    with stand_in() as module:
        yield module


@pytest.fixture
def x():
    return given(np.array([0.5, -1.0, 2.0]))


READS = [
    float,
    int,
    bool,
    complex,
    operator.index,
    str,
    repr,
    np.asarray,
    np.sum,
    lambda x: x.item(),
    lambda x: x.tolist(),
    lambda x: 1.0 in x,
    lambda x: range(x),
    lambda x: f"{x}",
    lambda x: max(x, 0),
]


@pytest.mark.parametrize("read", READS)
def test_the_host_reads_no_value(read):
    with pytest.raises(TypeError):
        read(given(np.float64(2.0)))


@pytest.mark.parametrize("other", [np.ones(3), [1.0, 2.0, 3.0], (1.0, 2.0, 3.0)])
@pytest.mark.parametrize(
    "apply",
    [
        operator.add,
        operator.matmul,
        operator.lt,
        operator.iadd,
        lambda x, y: y * x,
        lambda x, y: x.__setitem__(slice(None), y),
    ],
)
def test_arrays_and_lists_of_the_host_are_refused(x, apply, other):
    with pytest.raises(TypeError):
        apply(x, other)


def test_functions_refuse_them_too(cp, x):
    calls = [
        lambda: cp.exp(np.ones(3)),
        lambda: cp.add(x, [1.0, 2.0, 3.0]),
        lambda: cp.sum([1.0, 2.0]),
        lambda: cp.sum(2.0),
        lambda: cp.where(True, x, x),
        lambda: cp.full_like(2.0, x),
        lambda: cp.stack([x, np.ones(3)]),
        lambda: cp.stack([x, 1.0]),
        lambda: cp.sum(x, axis=given(np.array(0))),
        lambda: cp.zeros_like(x, shape=given(np.array(2))),
        lambda: x[np.array([0, 1])],
        lambda: cp.exp(x, out=np.ones(3)),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_names_and_keywords_are_those_of_the_table(cp, x):
    for name in ("errstate", "vecdot", "no_such_function"):
        with pytest.raises(AttributeError):
            getattr(cp, name)
    with pytest.raises(AttributeError):
        cp.linalg.multi_dot
    with pytest.raises(AttributeError):
        cp.maximum.accumulate
    for call in (
        lambda: cp.sum(x, where=x > 0),
        lambda: cp.exp(x, where=x > 0),
        lambda: cp.var(x, correction=1),
        lambda: x.sum(where=x > 0),
    ):
        with pytest.raises(Refused, match="takes no"):
            call()
    from cupyx.scipy import linalg, special

    assert fetched(special.erf(x)).shape == (3,)
    with pytest.raises(AttributeError):
        linalg.cho_solve


def test_reductions_give_arrays_without_axes(cp, x):
    for value in (cp.sum(x), x.max(), cp.mean(x), x @ x, cp.linalg.norm(x), x[0] * 2):
        assert isinstance(value, Array) and value.shape == ()
    assert fetched(cp.sum(x)) == 1.5


def test_an_entry_is_a_view_of_its_memory(x):
    first = x[0]
    x[0] = 7.0
    assert fetched(first) == 7.0
    first += 1
    assert fetched(x).tolist() == [8.0, -1.0, 2.0]


def test_a_sum_that_is_added_to_changes_for_all_its_names(cp, x):
    total = other = cp.sum(x)
    total += 1
    assert fetched(other) == 2.5


def test_a_store_that_names_a_place_twice_is_refused(cp, x):
    twice, once = given(np.array([0, 0])), given(np.array([2, 0]))
    with pytest.raises(Refused, match="twice"):
        x[twice] = 1.0
    with pytest.raises(Refused, match="twice"):
        x[twice] += 1.0
    x[once] += 1.0
    assert fetched(x).tolist() == [1.5, -1.0, 3.0]
    cp.add.at(x, twice, 1.0)
    assert fetched(x).tolist() == [3.5, -1.0, 3.0]


def test_numbers_beside_arrays_are_taken(cp, x):
    value = 2 * x + np.float64(1) - cp.exp(0.0) / x**2
    assert np.allclose(fetched(value), 2 * np.array([0.5, -1, 2]) + 1 - [4, 1, 0.25])
    assert fetched(x.astype(np.float32)).dtype == np.float32


def test_the_modules_are_gone_afterwards():
    import sys

    before = sys.modules.get("cupy")
    with stand_in() as module:
        assert sys.modules["cupy"] is module
    assert sys.modules.get("cupy") is before
