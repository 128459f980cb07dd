"""Forward mode keeps what masks and guards promise: the tables of the properties."""

from functools import cache
from inspect import signature

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from gradgen.frontend.source.source import find
from gradgen.pipeline.run import run
from gradgen.request.request import request
from tests.guard.functions import FUNCTIONS
from tests.guard.test_properties import (
    arguments,
    flags,
    function_value,
    many,
    of_some,
    same_dtype,
)


@cache
def text_of(function, guard: bool) -> str:
    names = list(signature(function).parameters)
    shapes = {name: "n 2" if name.isupper() else "n" for name in names}
    asked = request(
        function.__name__, wrt=names, shapes=shapes, mode="forward", guard=guard
    )
    return run(asked, find(function)).text


@cache
def derivative_of(function, guard: bool):
    names: dict = {}
    exec(text_of(function, guard), names)
    return names[f"jvp_{function.__name__}"]


def derivative(function, args, tangents, guard):
    with np.errstate(all="ignore"):
        return derivative_of(function, guard)(*args, *tangents)[1]


@st.composite
def points(draw, function, infinite=False):
    """Arguments for which the primal is finite, and tangents."""
    args = draw(arguments(function, infinite))
    values = st.sampled_from([1.0, -0.5, 0.0, 2.0])
    tangents = []
    for arg in args:
        drawn = draw(st.lists(values, min_size=arg.size, max_size=arg.size))
        tangents.append(np.array(drawn, arg.dtype).reshape(arg.shape))
    return args, tangents


def overflows(function, args, tangents) -> bool:
    """Whether numbers are too large for the dtype, in the primal or the result."""
    if "over" in flags(function, *args):
        return True
    top = np.finfo(args[0].dtype).max
    longer = [[a.astype(np.longdouble) for a in some] for some in (args, tangents)]
    found = derivative(function, *longer, True)
    return bool(np.any(~(np.abs(found) <= top)))


@of_some(1)
@many
@given(data=st.data())
def test_p1_a_guard_changes_no_finite_entry(function, data):
    args, tangents = data.draw(points(function, infinite=True))
    plain, guarded = (
        np.asarray(derivative(function, args, tangents, guard))
        for guard in (False, True)
    )
    held = np.isfinite(plain)
    assert plain.shape == guarded.shape and same_dtype(plain, guarded)
    found, known = guarded[held], plain[held]
    assert np.array_equal(found, known), text_of(function, True)


@of_some(0)
@many
@given(data=st.data())
def test_p2_guarded_derivatives_are_finite(function, data):
    args, tangents = data.draw(points(function))
    assume(not overflows(function, args, tangents))
    found = derivative(function, args, tangents, True)
    assert np.all(np.isfinite(found)), text_of(function, True)


@of_some(1)
@many
@given(data=st.data())
def test_p3_no_new_flag(function, data):
    args, tangents = data.draw(points(function))
    tangents = [np.ones_like(one) for one in tangents]
    assume(not overflows(function, args, tangents))
    raised = flags(derivative_of(function, True), *args, *tangents)
    if max(np.max(np.abs(arg)) for arg in args) > 1e20:
        raised -= {"over"}
    assert raised <= flags(function, *args), text_of(function, True)


@of_some(0)
@many
@given(data=st.data())
def test_p5_the_dtype_and_shape_are_the_values(function, data):
    args, tangents = data.draw(points(function))
    value = np.asarray(function_value(function, args))
    found = np.asarray(derivative(function, args, tangents, True))
    assert same_dtype(found, value) and found.shape == value.shape


def test_the_whole_table_has_a_forward_mode():
    assert all("\ndef jvp_" in text_of(function, True) for function in FUNCTIONS)
