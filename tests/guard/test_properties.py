"""What masks and guards promise, over many inputs, of every function in a table.

P1 to P6 are the contract: equal bits where the plain gradient is finite; finite, and 0
where nothing was selected; no new floating-point flag; one statement a guard; the
argument's dtype; one row changes no other.
"""

import ast
from dataclasses import fields
from functools import cache
from inspect import signature

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gradgen.frontend.source.source import find
from gradgen.pipeline.run import run
from gradgen.request.options import Request
from gradgen.request.request import request
from tests.guard.functions import FUNCTIONS, OF_ROWS, UNSELECTED
from tests.rules.checker import by_turns

GUARDS = "guard" in {field.name for field in fields(Request)}
guarded_only = pytest.mark.skipif(not GUARDS, reason="no guards in this version")
many = settings(max_examples=25, deadline=None, derandomize=True, database=None)
of_each = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)


def of_some(turn):
    """Every second function; the others are long tests, and have other properties."""
    given = by_turns(FUNCTIONS, 2, turn)
    return pytest.mark.parametrize("function", given, ids=lambda f: f.__name__)


of_masks = pytest.mark.parametrize("function", UNSELECTED, ids=lambda f: f.__name__)
DTYPES = st.sampled_from([np.float32, np.float64])
FLAGS = ("divide", "over", "invalid")
VALUES = [0.0, -0.0, 1e-30, -1e-30, 1e-5, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0, 5.0, 1e30]
# There a number of float32 with a Python number is float64, and np.dot raises no flag.
OLD = np.__version__.startswith("1.")
SUBNORMAL = {np.float32: 1e-45, np.float64: 5e-324}


@cache
def text_of(function, guard: bool) -> str:
    names = list(signature(function).parameters)
    shapes = {name: "n 2" if name.isupper() else "n" for name in names}
    more = {"guard": True} if guard else {}
    asked = request(function.__name__, wrt=names, shapes=shapes, **more)
    return run(asked, find(function)).text


@cache
def gradient_of(function, guard: bool):
    names: dict = {}
    exec(text_of(function, guard), names)
    return names[f"grad_{function.__name__}"]


def gradients(function, args, guard=False) -> tuple:
    """The gradients in all arguments, for a seed of ones."""
    with np.errstate(all="ignore"):
        value = function(*args)
        seed = np.ones(np.shape(value), args[0].dtype)
        found = gradient_of(function, guard)(*args, seed if seed.ndim else 1.0)
    return found if isinstance(found, tuple) else (found,)


@st.composite
def arguments(draw, function, infinite=False):
    """Arguments for which the primal is finite."""
    dtype = draw(DTYPES)
    values = [*VALUES, SUBNORMAL[dtype], *([np.inf] if infinite else [])]
    values = [v for v in values if not OLD or abs(v) < 1e18 or v == np.inf]
    args = []
    for name in signature(function).parameters:
        shape = (4, 2) if name.isupper() else (3,)
        size = int(np.prod(shape))
        drawn = draw(st.lists(st.sampled_from(values), min_size=size, max_size=size))
        array = np.array(drawn, dtype).reshape(shape)
        args.append(np.abs(array) if name in "uvU" else array)
    with np.errstate(all="ignore"):
        value = function(*args)
    assume(np.all(np.isfinite(value)))
    return args


def overflows(function, args, guard) -> bool:
    """Whether numbers are too large for the dtype, in the primal or in the result."""
    if "over" in flags(function, *args):
        return True
    longer = [arg.astype(np.longdouble) for arg in args]
    top = np.finfo(args[0].dtype).max
    found = gradients(function, longer, guard)
    return any(np.any(~(np.abs(one) <= top)) for one in found)


def flags(call, *args) -> set:
    """The floating-point flags that a call raises."""
    raised = set()
    for flag in FLAGS:
        try:
            with np.errstate(**(dict.fromkeys(FLAGS, "ignore") | {flag: "raise"})):
                call(*args)
        except FloatingPointError:
            raised.add(flag)
    return raised


def same_bits(one, other) -> bool:
    """Equal bits; the sign of a zero may differ."""
    return same_dtype(one, other) and np.array_equal(one, other, equal_nan=True)


def same_dtype(one, other) -> bool:
    """Whether two values have one dtype; a number may be wider in an old NumPy."""
    return one.dtype == other.dtype or OLD and not (one.ndim and other.ndim)


@guarded_only
@of_some(0)
@many
@given(data=st.data())
def test_p1_a_guard_changes_no_finite_entry(function, data):
    args = data.draw(arguments(function, infinite=True))
    plain, guarded = (gradients(function, args, guard) for guard in (False, True))
    for one, other in zip(plain, guarded, strict=True):
        held = np.isfinite(one)
        assert np.shape(one) == np.shape(other)
        assert same_bits(np.asarray(one)[held], np.asarray(other)[held])


@guarded_only
@of_some(1)
@many
@given(data=st.data())
def test_p2_guarded_gradients_are_finite(function, data):
    args = data.draw(arguments(function))
    assume(not overflows(function, args, True))
    for one in gradients(function, args, True):
        assert np.all(np.isfinite(one)), text_of(function, True)


@pytest.mark.parametrize("guard", [False, pytest.param(True, marks=guarded_only)])
@of_masks
@many
@given(data=st.data())
def test_p2_what_was_not_selected_has_gradient_0(function, guard, data):
    args = data.draw(arguments(function))
    unselected = UNSELECTED[function](*args)
    first = gradients(function, args, guard)[0]
    assert np.all(first[unselected] == 0), text_of(function, guard)


@guarded_only
@of_some(0)
@many
@given(data=st.data())
def test_p3_no_new_flag(function, data):
    args = data.draw(arguments(function))
    assume(not overflows(function, args, True))
    seed = np.ones(np.shape(function_value(function, args)), args[0].dtype)
    call = gradient_of(function, True)
    raised = flags(call, *args, seed if seed.ndim else 1.0)
    if max(np.max(np.abs(arg)) for arg in args) > 1e20:
        raised -= {"over"}  # 1 / (1 + x**2) is 0 there, by way of inf
    assert raised <= flags(function, *args), text_of(function, True)


def function_value(function, args):
    with np.errstate(all="ignore"):
        return function(*args)


@guarded_only
@of_each
def test_p4_one_statement_a_guard(function):
    plain, guarded = (text_of(function, guard) for guard in (False, True))
    guards = guarded.count("# guard:")
    # Besides the select: a name for what stood inside of a line, or a quotient of the
    # primal computed again.
    assert statements(guarded) <= statements(plain) + 2 * guards, guarded


def statements(text: str) -> int:
    """The statements of the gradient's function, loops and branches included."""
    (function,) = ast.parse(
        text.partition("\ndef grad_")[2].join(["def grad_", ""])
    ).body
    return sum(isinstance(node, ast.stmt) for node in ast.walk(function))


@pytest.mark.parametrize("guard", [False, pytest.param(True, marks=guarded_only)])
@of_some(1)
@many
@given(data=st.data())
def test_p5_the_dtype_is_the_arguments(function, guard, data):
    args = data.draw(arguments(function, infinite=True))
    for arg, one in zip(args, gradients(function, args, guard), strict=True):
        assert (one.dtype, one.shape) == (arg.dtype, arg.shape)


@pytest.mark.parametrize("guard", [False, pytest.param(True, marks=guarded_only)])
@pytest.mark.parametrize("function", OF_ROWS, ids=lambda f: f.__name__)
@many
@given(data=st.data())
def test_p6_a_row_changes_no_other(function, guard, data):
    (X,) = data.draw(arguments(function))
    other = X.copy()
    other[0] = 0
    one, two = (gradients(function, (rows,), guard)[0] for rows in (X, other))
    assert same_bits(one[1:], two[1:])


def test_the_table_is_long_enough():
    assert len(FUNCTIONS) >= 60
    assert len({f.__name__ for f in FUNCTIONS}) == len(FUNCTIONS)
