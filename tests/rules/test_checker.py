"""The checker itself: rules with the classic mistakes do not pass it."""

import numpy as np
import pytest

from gradgen.errors import GradgenError
from tests.fuzz.stand_in import StandIn
from tests.rules.checker import (
    binary,
    domain_of,
    faults,
    ranked,
    shaped,
    unary,
    uncovered,
)

TANH = unary("np.tanh(x)", -2, 2)
MULTIPLY = binary("np.multiply(x, y)", -2, 2)
SUM = shaped("np.sum(x, axis=0)", "n d")
GATHER = shaped("x[[0, 0, 1]]", "n d")


class Planted(StandIn):
    """One mistake in every gradient."""

    def __init__(self, plant):
        self.plant = plant

    def finish(self, g, arg, seed, result):
        return self.plant(super().finish(g, arg, seed, result), arg, result)


def forgotten_unbroadcast(g, arg, result):
    return g + np.zeros(np.shape(result), g.dtype) if g.ndim else g


def wrong_multiplicity(g, arg, result):
    return g * g.dtype.type(g.size / np.size(result)) if np.size(result) > 1 else g


def transposed(g, arg, result):
    return g.T.copy()


def wrong_dtype(g, arg, result):
    return g.astype(np.float64)


def view(g, arg, result):
    return np.broadcast_to(g, g.shape)


def zero(g, arg, result):
    return np.zeros_like(g)


def sign_lost(g, arg, result):
    return np.abs(g)


@pytest.mark.parametrize(
    "plant, line, said",
    [
        (forgotten_unbroadcast, MULTIPLY, "shape: "),
        (wrong_multiplicity, MULTIPLY, "value: "),
        (transposed, MULTIPLY, "shape: "),
        (transposed, shaped("x @ x", "n n"), "value: "),
        (transposed, SUM, "shape: "),
        (wrong_dtype, TANH, "dtype: "),
        (wrong_dtype, MULTIPLY, "dtype: "),
        (view, TANH, "read-only: "),
        (zero, SUM, "value: "),
        (sign_lost, MULTIPLY, "value: "),
    ],
)
def test_planted_mistake_is_found(plant, line, said):
    assert said in faults(line, Planted(plant), whole=True)


def test_assigned_instead_of_accumulated_is_found():
    def plant(g, arg, result):
        halved = g.copy()
        halved[0] /= 2
        return halved

    assert "value: " in faults(GATHER, Planted(plant))


@pytest.mark.parametrize("line", [TANH, MULTIPLY, SUM, GATHER])
def test_nothing_is_found_without_a_mistake(line):
    assert faults(line, WithoutSpread()) == ""


class WithoutSpread(StandIn):
    """Measures entry by entry, so that a nan stays where it is put."""

    def grad(self, function, wrt, shapes, stop=(), strict=False):
        measured = super().grad(function, wrt, shapes)

        def gradient(*args, seed=1.0):
            lost = np.zeros((), bool)
            for arg in args:
                lost = lost | np.isnan(arg)
            if not np.any(lost):
                return measured(*args, seed=seed)
            known = [np.where(np.isnan(arg), 1.0, arg) for arg in args]
            found = measured(*known, seed=seed)
            if isinstance(wrt, str):
                return np.where(lost, np.nan, found)
            return tuple(np.where(lost, np.nan, g) for g in found)

        gradient.source = self.text
        return gradient


def test_nan_that_spreads_is_found():
    # A difference of sums is nan everywhere as soon as one entry is.
    assert "= nan makes d_x nan at" in faults(TANH, StandIn())


class RefusesUntold(WithoutSpread):
    def grad(self, function, wrt, shapes, stop=(), strict=False):
        if not shapes:
            raise GradgenError("GG302", "ranks are not known")
        return super().grad(function, wrt, shapes)


def test_refusal_is_a_fault_of_a_line():
    assert "GG302 ranks" in faults(SUM, RefusesUntold())
    assert faults(ranked(SUM.text, "n d"), RefusesUntold()) == ""


def test_every_elementwise_operation_is_covered_or_tried():
    class Rule:
        kind = "elementwise"

    class Sum:
        kind = "linear"

    listed = {"numpy.tanh": Rule, "numpy.sinc": Rule, "nonzero_internal": Rule}
    listed |= {"numpy.hypot": Rule, "numpy.where": Rule, "numpy.sum": Sum}
    calls = ["np.hypot(x, y)", "np.sinc(x)", "np.where(x)"]
    assert uncovered(listed, [TANH]) == calls


def test_domain():
    assert domain_of("np.tanh(x)") == (0.2, 0.9)
    assert domain_of("np.arccosh(x)") == (1.2, 1.9)
    assert domain_of("np.log(-x)") == (-0.9, -0.2)
    assert domain_of("np.sqrt(x - 5)") is None
