"""Sorting, taking, differences, integrals, convolutions and piecewise functions."""

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported
from tests.refusals import refusal
from tests.rules.checker import faults, ranked, shaped, unary
from tests.rules.test_rules import label

ORDER = [
    shaped("np.sort(x)", "d"),
    shaped("np.sort(x)", "n d"),
    shaped("np.sort(x, axis=0)", "n d"),
    shaped("np.sort(x, axis=1)", "b n d"),
    shaped("np.sort(x, axis=None)", "n d"),
    shaped("np.sort(x, kind='stable')[..., 0]", "n d"),
    shaped("np.partition(x, 1)", "d"),
    shaped("np.partition(x, 1, axis=0)", "n d"),
    shaped("np.partition(x, (0, 1))", "n d"),
    shaped("np.partition(x, 1, axis=None)", "n d"),
    shaped("x[np.argsort(x)]", "d"),
    shaped("x[np.argsort(y)]", "d", "d"),
    shaped("x[np.argpartition(y, 1)[:1]]", "d", "d"),
    shaped("x[np.flatnonzero(x > 0.2)]", "d"),
    shaped("x[np.searchsorted([0.5], y)]", "d m", "n"),
    shaped("x[np.digitize(y, [0.0])]", "n d", "m"),
]

TAKING = [
    shaped("np.take(x, [0, 0, 2])", "m"),
    shaped("np.take(x, [0, -1, 0])", "n d"),
    shaped("np.take(x, 1)", "n d"),
    shaped("np.take(x, [1, 1], axis=0)", "n d"),
    shaped("np.take(x, [0, 0, 1], axis=1)", "n d"),
    shaped("np.take(x, [[0, 0], [1, 0]], axis=-1)", "n d"),
    shaped("np.take(x, [[0, 0], [1, 0]])", "n d"),
    shaped("np.take(x, 1, axis=0)", "n d"),
    shaped("np.take(x, -1, axis=-1)", "n d"),
    shaped("np.take(x, [0, 1, 0], axis=1)", "b n d"),
    shaped("x.take([0, 0, 1], axis=0)", "n d"),
    shaped("np.take(x, (0, 0, 1), axis=0)", "n d"),
    shaped("np.take(x, (0, 0, 1), axis=-1)", "n d"),
    shaped("np.take(x, ((0, 0), (1, 0)), axis=1)", "n d"),
    shaped("np.take(x, np.argmax(y, axis=1), axis=0)", "m n", "n d"),
    shaped("np.take(x, np.argsort(y), axis=1)", "n d", "d"),
    shaped("np.take(x, np.argsort(y, axis=0))", "n d", "n d"),
    shaped("np.take_along_axis(x, np.argsort(x, axis=1), axis=1)", "n d"),
    shaped("np.take_along_axis(x, np.argsort(y, axis=0), axis=0)", "n d", "n d"),
    shaped("np.take_along_axis(x, np.argsort(y), axis=-1)", "b n d", "b n d"),
    shaped("np.take_along_axis(x, np.argsort(y), axis=0)", "d", "d"),
    shaped("np.take_along_axis(x, np.argsort(y, axis=None), axis=None)", "n d", "n d"),
    shaped("np.take_along_axis(x, 0 * np.argsort(y), axis=1)", "n d", "n d"),
    shaped("np.take_along_axis(x, np.argmax(y, 1, keepdims=True), 1)", "n d", "n d"),
    shaped("np.take_along_axis(x, np.argmax(y, 1, keepdims=True), 0)", "m d", "1 d"),
    shaped("np.take_along_axis(x, np.argsort(y, axis=1), axis=1)", "1 d", "n d"),
    shaped("np.bincount([0, 1, 1], weights=x[:1] * np.ones(3))", "d"),
    shaped("np.bincount((0, 1, 1), weights=x[:1] * np.ones(3))", "d"),
    shaped("np.bincount(np.argsort(y) // 2, weights=x)", "d", "d"),
    shaped("np.bincount(np.argsort(y), x, minlength=20)", "d", "d"),
]

DIFFERENCES = [
    shaped("np.diff(x)", "d"),
    shaped("np.diff(x)", "n d"),
    shaped("np.diff(x, axis=0)", "n d"),
    shaped("np.diff(x, axis=1)", "b n d"),
    shaped("np.diff(x, axis=-2)", "b n d"),
    shaped("np.diff(x, n=2)", "n m"),
    shaped("np.diff(x, 2, axis=0)", "m n"),
    shaped("np.diff(x, n=3, axis=1)", "b m n"),
    ranked("np.gradient(x)", "m"),
    ranked("np.gradient(x, 0.5)", "m"),
    shaped("np.gradient(x, axis=0)", "n d"),
    shaped("np.gradient(x, 0.1, axis=-1)", "n d"),
    ranked("np.gradient(x, y, axis=1)", "b n d", ""),
    shaped("np.trapezoid(x)", "d"),
    shaped("np.trapezoid(x)", "n d"),
    shaped("np.trapezoid(x, dx=0.5)", "n d"),
    shaped("np.trapezoid(x, dx=0.5, axis=0)", "n d"),
    shaped("np.trapezoid(x, dx=y)", "n d", ""),
    shaped("np.trapezoid(x, dx=y[1:])", "d", "d"),
    ranked("np.trapezoid(x, dx=y)", "n d", "n 1"),
    ranked("np.trapezoid(x, dx=y[1:])", "n d", "d"),
    ranked("np.trapezoid(x, dx=y[1:], axis=0)", "n d", "n 1"),
    shaped("np.trapezoid(x, y)", "d", "d"),
    shaped("np.trapezoid(x, y)", "n d", "d"),
    shaped("np.trapezoid(x, y)", "n d", "n d"),
    shaped("np.trapezoid(x[:, :2], [0, 1.5])", "n d"),
    ranked("np.trapezoid(x, y, axis=0)", "n d", "n"),
    ranked("np.trapezoid(x, y, axis=0)", "n d", "n d"),
    ranked("np.trapezoid(x, y, axis=1)", "b n d", "n"),
    ranked("np.trapezoid(x, y, axis=0)", "d", "d"),
    shaped("np.unwrap(4 * x)", "d"),
    shaped("np.unwrap(4 * x, axis=0)", "n d"),
]

SLIDING = [
    shaped(f"np.{name}(x, y{mode})", first, second)
    for name in ("convolve", "correlate")
    for mode in ("", ", 'full'", ", mode='same'", ", mode='valid'")
    for first, second in (("d", "m"), ("m", "d"), ("n", "m"), ("d", "d"), ("m", "b"))
]
SLIDING += [
    shaped("np.convolve(x, x)", "d"),
    shaped("np.convolve(x, [0.25, 0.5, 0.25], mode='same')", "m"),
    shaped("np.convolve(x, [1.0, -1.0])", "d"),
    shaped("np.correlate(x, x, 'full')", "d"),
]

PIECES = [
    unary("np.sinc(x)", -2, 2),
    unary("np.nan_to_num(x)", -2, 2),
    shaped("np.nan_to_num(np.where(x > 1, np.nan, x), nan=3.0)", "n d"),
    shaped("np.nan_to_num(np.where(x > 1, np.inf, x), posinf=3.0)", "n d"),
    shaped("np.select([x < -1, x < 1], [x * x, 2 * x], -x)", "n d"),
    shaped("np.select([x < 0, x < 1], [x * x, 2 * x])", "n d"),
    shaped("np.select([x > 0], [y], default=3.0)", "n d", "d"),
    shaped("np.select([x > 0, y > 0], [y, x], x * y)", "n d", "n 1"),
    shaped("np.select([x > 0, x > -1], [y, 1.0], w)", "d", "n d", ""),
    shaped("np.interp(x, [-2.0, -0.7, 0.1, 0.9, 2.0], [1.0, 3.0, 2.0, 5.0, 0.5])", "d"),
    shaped("np.interp(x, [-1.0, -0.7, 0.1, 0.9], [1.0, 3.0, 2.0, 5.0])", "n d"),
    shaped("np.interp(x, np.arange(4.0) - 2, y[:1] * np.arange(4.0))", "n d", "d"),
    shaped("np.interp(x, np.cumsum(np.abs(y)) - 3, w)", "n d", "m", "m"),
    shaped("np.interp(x, (-1.0, 0.0, 1.0), y[:3])", "n d", "m"),
    shaped("np.interp(x, [-1.0, 0.0, 1.0], y[0] * np.arange(3.0))", "d", "m"),
    shaped("np.interp(x, np.cumsum(np.abs(y)) - 3, w)", "", "m", "m"),
]


@pytest.mark.parametrize(
    "line", [*ORDER, *TAKING, *DIFFERENCES, *SLIDING, *PIECES], ids=label
)
def test_line(line):
    found = faults(line, gradgen, forward=True)
    if found:
        pytest.fail(found, pytrace=False)


def function_of(text: str):
    return imported(f"import numpy as np\n\n\ndef f(x):\n    return {text}\n", "f")


def grad(text: str, x, facts: str = ""):
    """The gradient of one expression in x at a point."""
    shapes = {"x": facts} if facts else {}
    return gradgen.grad(function_of(text), shapes=shapes)(np.asarray(x))


KNOTS = "[0.0, 1.0, 3.0], [0.0, 2.0, 3.0]"
KINKS = {
    # a knot: the mean of both slopes; an end: half the slope; outside: 0
    f"np.sum(np.interp(x, {KNOTS}))": (
        [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0],
        [0, 1, 2, 1.25, 0.5, 0.25, 0],
    ),
    "np.sum(np.sinc(x))": ([0.0, 1.0], [0, -1]),
    "np.sum(np.nan_to_num(x))": ([1.0, np.nan, np.inf, -np.inf], [1, 0, 0, 0]),
    "np.sum(np.select([x > 0, x > -1], [2 * x, 3 * x], x))": (
        [1.0, 0.0, -1.0, np.nan],
        [2, 3, 1, 1],
    ),
    "np.sum(np.sort(x)[-2:])": ([3.0, 1.0, 2.0], [1, 0, 1]),
    "np.sum(np.partition(x, 1)[:2])": ([3.0, 1.0, 2.0], [0, 1, 1]),
    "np.sum(np.take(x, [0, 0, -1]))": ([3.0, 1.0, 2.0], [2, 0, 1]),
    "np.sum(np.unwrap(x) ** 2)": ([0.0, 6.0], [0, 12 - 4 * np.pi]),
}


@pytest.mark.parametrize("facts", ["", "n"])
@pytest.mark.parametrize("text", KINKS)
def test_kink(text, facts):
    point, wanted = KINKS[text]
    with np.errstate(invalid="ignore"):
        found = grad(text, point, facts)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)


def test_partition_matches_entries_by_value_not_by_place():
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(50, 40))
    gradient = gradgen.grad(function_of("np.partition(x, (3, 20), axis=1)"))
    for dtype in (np.float32, np.float64):
        x = rng.normal(size=(50, 40)).astype(dtype)
        found = gradient(x, seed=weights.astype(dtype))
        parted = np.partition(x, (3, 20), axis=1)
        for row in range(50):
            of = dict(zip(parted[row], weights[row].astype(dtype)))
            assert found[row].tolist() == [of[entry] for entry in x[row]]


def test_a_table_of_numbers_flows_back_to_every_part():
    def f(x, xp, fp):
        return np.sum(np.interp(x, xp, fp) ** 2)

    rng = np.random.default_rng(1)
    args = (rng.uniform(-1, 6, 20), np.arange(5.0), rng.normal(size=5))
    found = gradgen.grad(f, wrt=("x", "xp", "fp"))(*args)
    step = 1e-6
    for k, gradient in enumerate(found):
        for i in range(len(gradient)):
            values = []
            for sign in (1, -1):
                moved = [np.copy(arg) for arg in args]
                moved[k][i] += sign * step
                values.append(f(*moved))
            wanted = (values[0] - values[1]) / (2 * step)
            assert abs(gradient[i] - wanted) < 1e-7


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_every_pair_of_lengths(name, mode):
    text = (
        f"import numpy as np\n\n\ndef f(a, v):\n    return np.{name}(a, v, {mode!r})\n"
    )
    gradient = gradgen.grad(imported(text, "f"), wrt=("a", "v"))
    rng = np.random.default_rng(0)
    for n in range(1, 6):
        for m in range(1, 6):
            a, v = rng.normal(size=n), rng.normal(size=m)
            operation = getattr(np, name)
            g = rng.normal(size=len(operation(a, v, mode)))
            d_a, d_v = gradient(a, v, seed=g)
            left = [g @ operation(one, v, mode) for one in np.eye(n)]
            right = [g @ operation(a, one, mode) for one in np.eye(m)]
            np.testing.assert_allclose(d_a, left, atol=1e-13)
            np.testing.assert_allclose(d_v, right, atol=1e-13)


REFUSALS = {
    "np.gradient(x)": "np.gradient of what may have several axes",
    "np.gradient(x, np.arange(3.0), axis=0)": "np.gradient of unknown rank",
    "np.gradient(x, edge_order=2)": "np.gradient of what may have several axes",
    "np.trapezoid(x, 2 * x, axis=0)": "np.trapezoid of arrays of unknown rank",
    "np.select(x, [x])": "np.select's lists are not written out",
    "np.select([x > 0], [x, x])": "as many choices as conditions",
    "np.nan_to_num(x, copy=False)": "no rule for the argument copy=",
    "np.sort(x, order='a')": "sort has no rule for the argument order=",
}


@pytest.mark.parametrize("text", REFUSALS)
def test_refusal(text):
    assert REFUSALS[text] in str(refusal(function_of(text), general=True))


def test_the_text_of_a_difference():
    text = gradgen.emit(function_of("np.sum(np.diff(x) ** 2)"), shapes={"x": "n"})
    assert "d_x[1:] = d_x_diff\n    d_x[:-1] -= d_x_diff\n" in text
