"""Guarded gradients: finite where they divide by zero, the same bits elsewhere."""

import inspect
import warnings

import numpy as np
import pytest

import gradgen
from tests.guard import primals

NAMES = [name for name, f in vars(primals).items() if inspect.isfunction(f)]
ROWS = np.array([[0.3, -1.2, 0.0], [0.0, 0.0, 0.0], [0.7, 0.7, 0.7], [-1.0, 1.0, 2.0]])
OTHER = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, -3.0], [0.5, 0.0, 1e-5], [0.0, 1.0, 2.0]])
EXTREMES = [
    5e-324,
    -1e-300,
    1e-30,
    1e30,
    -1e30,
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-200,
    1e-5,
    2.0,
]
# one round of a loop divides by one entry of Y, not by a row
VECTOR = {"divided_rounds"}


def points(name):
    arrays = [ROWS, np.abs(ROWS), np.array(EXTREMES).reshape(4, 3)]
    for X in arrays:
        for Y in (OTHER, np.abs(OTHER), np.zeros((4, 3))):
            yield X, (Y[:, 1] if name in VECTOR else Y)


def gradients(name, X, Y, **options):
    function = getattr(primals, name)
    parameters = list(inspect.signature(function).parameters)
    wrt = [p for p in parameters if p != "flag"]
    g = gradgen.value_and_grad(function, wrt=tuple(wrt), **options)
    given = {"X": X, "Y": Y, "flag": True}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value, found = g(*(given[p] for p in parameters))
        plain = function(*(given[p] for p in parameters))
    return value, plain, found, [given[p] for p in wrt]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", NAMES)
def test_a_guard_changes_no_finite_number(name, dtype):
    """P1 and P5: the same bits wherever the unguarded gradient is finite."""
    for X, Y in points(name):
        X, Y = X.astype(dtype), Y.astype(dtype)
        value, plain, guarded, given = gradients(name, X, Y, guard=True)
        *_, free, _ = gradients(name, X, Y)
        np.testing.assert_array_equal(value, plain)
        for g, f, x in zip(guarded, free, given, strict=True):
            assert g.dtype == x.dtype == dtype and g.shape == x.shape
            finite = np.isfinite(f)
            np.testing.assert_array_equal(g[finite], f[finite])


ZEROS = {
    "cosine_loss": (np.zeros(3), np.array([1.0, 2.0, 3.0])),
    "angle": (np.zeros(3), np.zeros(3)),
    "masked_quotient": (np.ones(3), np.array([0.0, 2.0, 0.0])),
    "norm_rows": (ROWS, None),
    "pairwise": (ROWS, None),
    "root": (np.array([0.0, 4.0, 1.0]), None),
    "xlogy": (np.array([0.0, 1.0, 2.0]), np.zeros(3)),
    "sigmoid": (np.array([-1000.0, 0.0, 1000.0]), None),
    "power": (np.zeros(3), np.array([0.5, 0.0, 2.0])),
    "std": (np.ones(3), None),
    "std_rows": (ROWS, None),
    "arccos_clip": (np.array([-2.0, -1.0, 1.0]), None),
    "chain": (np.ones(3), np.zeros(3)),
    "reciprocal_squares": (np.zeros(3), None),
    "divided_rounds": (np.ones(3), np.array([2.0, 0.0])),
    "divided_arm": (np.ones(3), np.zeros(3)),
    "rows_in_turn": (ROWS, np.ones((4, 3))),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ZEROS)
def test_every_entry_is_a_number_at_a_zero(name, dtype):
    X, Y = (None if a is None else a.astype(dtype) for a in ZEROS[name])
    *_, found, given = gradients(name, X, Y, guard=True)
    for g, x in zip(found, given, strict=True):
        assert np.isfinite(g).all() and g.dtype == x.dtype == dtype


def test_what_a_row_of_zeros_gives():
    *_, (d_X,), _ = gradients("norm_rows", ROWS, None, guard=True)
    lengths = np.array([np.sqrt(1.53), np.inf, np.sqrt(1.47), np.sqrt(6.0)])
    np.testing.assert_allclose(d_X, ROWS / lengths[:, None], rtol=1e-15)
    np.testing.assert_array_equal(d_X[1], 0)


def test_half_pairs_at_a_distance_of_zero():
    """The rows 0, 1 and 1: the pair at distance 0 pulls at neither."""
    *_, (d_X,), _ = gradients(
        "pairwise", np.array([[0.0], [1.0], [1.0]]), None, guard=True
    )
    np.testing.assert_array_equal(d_X, [[-4.0], [2.0], [2.0]])


def test_a_finite_gradient_behind_an_infinite_quotient():
    """arctan(1 / 0 + y) does not depend on y, guarded or not."""
    X, Y = np.array([0.0, 1.0]), np.array([2.0, 0.0])
    *_, (_, d_Y), _ = gradients("bent", X, Y, guard=True)
    np.testing.assert_array_equal(d_Y, [0.0, 0.5])


def test_a_proof_needs_no_guard():
    assert "# guard" not in gradgen.emit(primals.stable, wrt="Y", guard=True)


def test_the_size_of_a_denominator():
    g = gradgen.grad(primals.root, guard=0.25)
    np.testing.assert_array_equal(g(np.array([0.0, 1 / 64, 1.0])), [2.0, 2.0, 0.5])
    text = gradgen.emit(primals.root, guard=1e-8)
    assert "  # guard: |out| >= 1e-8" in text and "--guard=1e-8" in text


def test_a_number_stays_of_its_dtype():
    g = gradgen.grad(primals.root, shapes={"X": ""}, guard=True)
    for value in (np.float32(0), np.float32(4)):
        found = g(value, seed=np.float32(1))
        assert found == (0.25 if value else 0) and found.dtype == np.float32
    assert "out = out or np.inf  # guard: x / 0 -> 0" in g.source
