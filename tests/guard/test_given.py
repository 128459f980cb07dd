"""What a test says of numbers: what is proved to be nonzero is so for every float."""

from itertools import product

import numpy as np
import pytest

import gradgen
from gradgen.guard.given import Given
from gradgen.guard.nonzero import Proofs
from tests.passes.reading import Reading

PROVED = [
    ("x < 0", True, "1.0 - x"),
    ("x < 0", False, "x + 1.0"),
    ("x < 0", True, "x"),
    ("x > 0", True, "np.sqrt(x)"),
    ("x > 0", True, "2 * x"),
    ("x > 1", True, "x - 1"),
    ("x > 0.1", True, "x - 0.1"),
    ("1 < x", True, "1 - x"),
    ("x >= 3", True, "x - 1"),
    ("x != 0", True, "x"),
    ("x == 0", False, "x"),
    ("~(x == 0)", True, "np.abs(x)"),
    ("np.abs(x) > 1e-8", True, "x"),
    ("(x > 0) & (x < 1)", True, "x - 1"),
    ("(x <= 0) | (x > 5)", False, "x"),
    ("x > 0", True, "np.maximum(x, 0)"),
    ("x > 2", True, "np.sqrt(x - 2)"),
    ("x < -1", True, "np.minimum(x, 3) + 1"),
    ("x == 0", True, "x - 2"),
]
NOT_PROVED = [
    ("x < 0", False, "x"),
    ("x >= 0", True, "x"),
    ("x > 0", True, "0.5 * x"),
    ("x > 0", True, "x * x"),
    ("x > 0.3", True, "3 * x - 0.9"),
    ("x > 1", True, "x - 1.000001"),
    ("x != 1", True, "x"),
    ("x == 0", True, "x"),
    ("(x > 0) | (x < 1)", True, "x"),
    ("(x > 0) & (x < 1)", False, "x"),
    ("np.abs(x) >= 0", True, "x"),
    ("x < 1", True, "1 / x"),
    ("x + 1 > 0", True, "x"),
]


def proof(test: str, holds: bool, expr: str) -> Given:
    reading = Reading({"x": "n"}, frozenset())
    function = reading.function(f"m = {test}\ny = {expr}\nreturn y")
    reading.facts.definitions |= {let.var: let.value for let in function.body}
    given = Given(Proofs(reading.facts.definitions, {}), reading.facts)
    m, y = (let.value for let in function.body)
    return given.under(m, holds).numbers(y)


@pytest.mark.parametrize("test, holds, expr", PROVED)
def test_nonzero_where_the_test_holds(test, holds, expr):
    assert proof(test, holds, expr).nonzero


@pytest.mark.parametrize("test, holds, expr", NOT_PROVED)
def test_what_may_be_zero(test, holds, expr):
    assert not proof(test, holds, expr).nonzero


def floats(dtype) -> np.ndarray:
    """Numbers on both sides of all the bounds, and close to them."""
    places = np.array([0, 0.1, 0.25, 0.3, 0.5, 1, 2, 3, 5, 1e-8, 1e-4, 100], dtype)
    places = np.concatenate([places, -places])
    found, up, down = [places], places, places
    for _ in range(3):
        up, down = np.nextafter(up, np.inf), np.nextafter(down, -np.inf)
        found += [up, down]
    limits = np.finfo(dtype)
    ends = [limits.max, limits.tiny, limits.smallest_subnormal, np.inf]
    return np.concatenate([*found, ends, np.negative(ends), [np.nan]]).astype(dtype)


BOUNDS = ["0", "1", "0.1", "0.3", "-2", "1e-8"]
TESTS = [f"x {op} {c}" for op, c in product(("<", "<=", ">", ">=", "=="), BOUNDS)]
VALUES = ["x", "-x", "np.abs(x)", "2 * x", "-3 * x", "0.3 * x", "np.sqrt(x)"]
VALUES += ["np.maximum(x, 0)", "np.minimum(x, 1)"]
OUTER = ["{v}", *(f"{{v}} + {c}" for c in BOUNDS), *(f"{c} - {{v}}" for c in BOUNDS)]
OUTER += ["np.sqrt({v} - 1)", "np.maximum({v}, 0.1) - 0.1", "3 * ({v} - 0.1)"]


@pytest.mark.parametrize("value", VALUES)
def test_proofs_hold_for_floats(value):
    arrays = [floats(dtype) for dtype in (np.float32, np.float64, np.float16)]
    proved = 0
    for test, outer, holds in product(TESTS, OUTER, (True, False)):
        expr = outer.format(v=f"({value})")
        numbers = proof(test, holds, expr)
        tiny = "1e-8" in test + expr  # is 0 in float16
        sure = numbers.nonzero or numbers.is_zero
        for x in arrays[: 2 if tiny else 3] if sure else ():
            with np.errstate(all="ignore"):
                there = eval(test) == holds
                found = eval(expr)[there]
            proved += 1
            if numbers.nonzero:
                assert not np.any(found == 0), (test, holds, expr, x.dtype)
            if numbers.is_zero:
                assert np.all(found == 0), (test, holds, expr, x.dtype)
    assert proved > 100


def crossed(x, y):
    z = y / (x[:, None] * np.ones_like(y))
    return np.sum(z[x != 0])


def test_a_mask_of_rows_says_nothing_of_columns():
    shapes = {"x": "n", "y": "n n"}
    assert "# guard" in gradgen.emit(crossed, "y", shapes=shapes, guard=True)


def over_columns(x, y):
    return np.where(x != 0, np.sum(y / x, axis=1), 0)


def test_a_test_of_rows_says_nothing_inside_a_sum():
    shapes = {"x": "n", "y": "n n"}
    text = gradgen.emit(over_columns, "y", shapes=shapes, guard=True)
    gradient = gradgen.grad(over_columns, "y", shapes=shapes, guard=True)
    with np.errstate(all="ignore"):
        got = gradient(np.array([0.0, 2.0]), np.ones((2, 2)), seed=np.ones(2))
    # row 0 is not selected; column 0 is divided by 0
    assert np.array_equal(got, [[0, 0], [0, 0.5]]), text
