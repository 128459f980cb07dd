"""Keywords and forms of calls that other rule tests have no line for; refusals."""

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import Program
from tests.rules.checker import faults, parameters, ranked, shaped
from tests.rules.test_rules import label

PLACES = "np.cumsum(np.abs(y) + 0.5)"
KNOTS = "np.array([-1.5, -0.4, 0.3, 1.1])"

ENDS = [
    ranked("np.diff(x, prepend=0)", "d"),
    ranked("np.diff(x, append=0.5, axis=0)", "n d"),
    ranked("np.diff(x, prepend=y, axis=1)", "n d", "n 1"),
    ranked("np.diff(x, prepend=y)", "n d", ""),
    ranked("np.diff(x, append=y, axis=-2)", "b n d", "b m d"),
    ranked("np.diff(x, prepend=x[:1])", "d"),
    ranked("np.diff(x, prepend=y, append=y * y)", "d", ""),
    ranked("np.diff(x, prepend=y, append=0, axis=0)", "n d", "m d"),
    ranked("np.diff(x, n=2, prepend=0)", "d"),
    ranked("np.diff(x, n=2, prepend=y, append=x, axis=0)", "n d", "n d"),
    ranked("np.diff(x, n=4)", "n m"),
    ranked("np.diff(x, n=0)", "n d"),
]
LOOKUPS = [
    shaped(f"np.interp(x, {KNOTS}, y, left=0.5)", "n d", "4"),
    shaped(f"np.interp(x, {KNOTS}, y, right=-1)", "n", "4"),
    shaped(f"np.interp(x, {KNOTS} + w[0] / 9, y, z, w[1])", "n", "2", "4", ""),
    shaped(f"np.interp(x, {KNOTS}, y, period=2.0)", "n d", "4"),
    shaped("np.interp(x, y, x[:1] * y, period=1.7)", "n", "d"),
]
SLOPES = [
    ranked("np.gradient(x, edge_order=2)", "m"),
    ranked("np.gradient(x, 0.1, edge_order=2, axis=0)", "m n"),
    ranked("np.gradient(x, y, axis=1, edge_order=2)", "n m", ""),
    ranked(f"np.gradient(x, {PLACES})", "m", "m"),
    ranked(f"np.gradient(x, {PLACES}, axis=1)", "n m", "m"),
    ranked(f"np.gradient(x, {PLACES}, axis=-2)", "b m n", "m"),
    ranked("np.gradient(x, [0.0, 0.5, 2.0], axis=0)", "3 d"),
]
COUNTS = [
    ranked("np.linalg.norm(x, 0)", "d"),
    shaped("np.linalg.norm(x, ord=0, axis=1)", "n d"),
    shaped("np.linalg.vector_norm(x, ord=0, axis=0)", "n d"),
    shaped("np.unwrap(4 * x, period=4.0)", "d"),
    shaped("np.sort(x, stable=True)", "n d"),
    shaped("x[np.argsort(x, stable=True)]", "d"),
]
COVARIANCES = [
    ranked("np.cov(x, y)", "2 d", "3 d"),
    ranked("np.cov(x, y, rowvar=False, ddof=0)", "n 2", "n 3"),
    ranked("np.cov(x, fweights=np.array([1, 2, 1]))", "n 3"),
    ranked("np.cov(x, aweights=np.array([0.5, 2.0, 1.0]))", "n 3"),
    ranked("np.cov(x, aweights=np.array([0.5, 2.0, 1.0]), bias=True)", "3"),
    ranked("np.cov(x, None, False, False, 1, [1, 2, 1], [0.5, 2.0, 1.0])", "3 d"),
    ranked("np.corrcoef(x, y)", "2 d", "3 d"),
    ranked("np.corrcoef(x, y, rowvar=False)", "n 2", "n 3"),
]
CHOICES = [
    shaped("np.choose([0, 3, 1], [x, y], mode='clip')", "n 3", "3"),
    shaped("np.choose([0, 3, -1], (x, y), mode='wrap')", "3", "n 3"),
    ranked("np.delete(x, np.s_[1:3])", "m"),
    ranked("np.delete(x, np.s_[::2], axis=1)", "n d"),
    ranked("np.delete(x, np.s_[:1], 0)", "n d"),
]
HEIGHTS = "np.histogram([0.1, 0.4, 0.8, 3.0], 2, (0, 1), "
CHOICES += [
    shaped(f"{HEIGHTS}True, np.exp(x))[0]", "4"),
    shaped(f"{HEIGHTS}density=True, weights=np.exp(x))[0]", "4"),
]
if hasattr(np, "concat"):  # NumPy before 2.0 takes weights of one axis alone
    COVARIANCES += [
        ranked("np.average(x, axis=(0, 1), weights=np.exp(y))", "b n d", "b n"),
        ranked("np.average(x, axis=(-3, 2), weights=np.exp(y))", "b n d", "b d"),
    ]
# singular values near 5, 3 and 0.4
PARTS = "(x / 9 + np.array([5.0, 3.0, 0.4]) * np.eye(x.shape[-2], 3))"
INVERSES = [
    ranked(f"np.linalg.pinv({PARTS}, 0.3)", "3 3"),
    ranked(f"np.linalg.pinv({PARTS}, rcond=1e-9)", "4 3"),
    ranked(f"np.linalg.pinv({PARTS}, 0.75)", "b 3 3"),
    ranked(f"np.linalg.pinv({PARTS}, 0.3)", "4 3"),
    ranked(f"np.linalg.pinv({PARTS}.T, 0.3)", "4 3"),
]
if hasattr(np, "concat"):  # NumPy before 2.0 has no rtol=
    INVERSES += [ranked(f"np.linalg.pinv({PARTS}, rtol=0.3)", "b 4 3")]
ENTRIES = [
    ranked("np.quantile(x, 0.4, method='lower')", "d"),
    ranked("np.quantile(x, 0.4, axis=(0, 2), method='higher')", "b n d"),
    ranked("np.percentile(x, 30, axis=1, method='nearest', keepdims=True)", "n d"),
]
MARGINS = [
    ranked("np.pad(x, 2, mode='mean')", "d"),
    ranked("np.pad(x, (1, 3), 'maximum')", "d"),
    ranked("np.pad(x, (2, 0), mode='minimum')", "d"),
    ranked("np.pad(x, ((1, 2), (0, 3)), mode='symmetric')", "m n"),
    ranked("np.pad(x, [(1, 2), (0, 0)], 'wrap')", "m n"),
]
LINES = [
    *ENTRIES,
    *INVERSES,
    *MARGINS,
    *ENDS,
    *LOOKUPS,
    *SLOPES,
    *COUNTS,
    *COVARIANCES,
    *CHOICES,
]


@pytest.mark.parametrize("line", LINES, ids=label)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


# the gradient of the sum, worked out by hand: (call, x, gradient)
BY_HAND = [
    ("np.diff(x, prepend=0)", [3.0, 5.0, 4.0], [0, 0, 1]),
    ("np.diff(x, append=9)", [3.0, 5.0, 4.0], [-1, 0, 0]),
    ("np.diff(x, n=0)", [3.0, 5.0], [1, 1]),
    ("np.gradient(x, edge_order=2)", [1.0, 2.0, 4.0], [-1.5, 0, 1.5]),
    # before 1: slope (f1 - f0) / 1; inside: (2 * that + (f2 - f1) / 2) / 3; last
    ("np.gradient(x, [0.0, 1.0, 3.0])", [1.0, 2.0, 4.0], [-5 / 3, 1, 2 / 3]),
    ("np.interp([0.5, 3.0], [0.0, 1.0], x, right=7)", [2.0, 4.0], [0.5, 0.5]),
    ("np.interp([3.0], [1.0, 2.0], x, period=4)", [2.0, 4.0], [1 / 3, 2 / 3]),
    ("np.pad(x, 2, mode='mean')", [2.0, 4.0], [3, 3]),
    ("np.pad(x, (1, 2), mode='maximum')", [4.0, 1.0, 4.0], [2.5, 1, 2.5]),
    ("np.quantile(x, 0.5, method='higher')", [1.0, 3.0, 3.0, 0.0], [0, 0.5, 0.5, 0]),
    ("np.linalg.norm(x, 0)", [2.0, 0.0], [0, 0]),
    ("np.choose(3, [x, 5 * x], mode='clip')", [2.0, 4.0], [5, 5]),
    ("np.delete(x, np.s_[:2])", [2.0, 4.0, 8.0], [0, 0, 1]),
]


def written(text: str, *facts: str):
    line = ranked(text, *facts)
    return Program(parameters(line, facts), (f"return np.sum({text})",), 1).function


@pytest.mark.parametrize("text, x, want", BY_HAND)
def test_by_hand(text, x, want):
    for dtype in (np.float32, np.float64):
        found = gradgen.grad(written(text, "n"), shapes={"x": "n"})(np.array(x, dtype))
        assert found.dtype == dtype
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-7)


REFUSED = [
    ("np.gradient(x, y, edge_order=2)", ("n", "n"), "places, edge_order=2"),
    ("np.cov(x, y, aweights=[1.0, 2.0])", ("2", "2"), "two arrays with weights"),
    ("np.cov(x, y)", ("d", "n d"), "a vector and a matrix"),
    ("np.cov(x, aweights=y)", ("n d", "d"), "the argument aweights of cov"),
    ("np.corrcoef(x, y)", ("d", "n d"), "np.corrcoef of a vector and a matrix"),
    ("np.average(x, axis=(1, 0), weights=y)", ("n d b", "d n"), "in this form"),
]


@pytest.mark.parametrize("text, facts, said", REFUSED)
def test_refusal(text, facts, said):
    told = dict(zip("xy", facts))
    with pytest.raises(gradgen.GradgenError, match=said):
        gradgen.grad(written(text, *facts), wrt=("x", "y"), shapes=told).source


def test_places_that_move_have_no_forward_form():
    function = written(f"np.gradient(x, {PLACES})", "n", "n")
    for shapes in ({"x": "n", "y": "n"}, {"x": "n"}):
        with pytest.raises(gradgen.GradgenError, match="GG306"):
            gradgen.jvp(function, wrt="y", shapes=shapes).source


# What linear rules and rules of several results refuse, forward mode refuses as well.
NOT_FORWARD = [
    ("np.mean(x, dtype=np.int64)", "n", "mean makes integers here"),
    ("np.cumsum(x, dtype=np.int64)", "n", "cumsum makes integers here"),
    ("np.reshape(x, -1, order='A')", "n d", "an order of memory"),
    ("np.ravel(x, order='K')", "n d", "an order of memory"),
    ("np.linalg.lstsq(x, x[:, 0], rcond=0.1)[0]", "n d", "no forward rule"),
]


@pytest.mark.parametrize("text, fact, said", NOT_FORWARD)
def test_what_forward_mode_refuses(text, fact, said):
    with pytest.raises(gradgen.GradgenError, match=said):
        gradgen.jvp(written(text, fact), shapes={"x": fact}).source
