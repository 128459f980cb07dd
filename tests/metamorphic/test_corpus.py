"""Programs that were found by rewriting others: right by both doors, or refused."""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.corpus.rewritten import HEAD, PROGRAMS, REFUSED
from tests.fuzz.program import imported

X = np.array([0.4, 0.9, 1.31, 1.7])


def by_call(function):
    return gradgen.grad(function)(X.copy())


def by_text(function):
    space = {"__name__": "alone"}
    exec(compile(gradgen.emit(function), "<alone>", "exec"), space)
    made = [one for name, one in space.items() if name.startswith("grad_")]
    return made[-1](X.copy(), **{seed_of(made[-1]): 1.0})


def seed_of(gradient):
    return next(
        name for name in inspect.signature(gradient).parameters if name[:2] == "d_"
    )


@pytest.mark.parametrize("door", [by_call, by_text])
@pytest.mark.parametrize("name", PROGRAMS)
def test_right_or_refused(name, door):
    function = imported(HEAD + PROGRAMS[name].strip("\n") + "\n", "f")
    if name in REFUSED:
        with pytest.raises(GradgenError, match=REFUSED[name]):
            door(function)
        return
    want = numeric_gradient(function, [X.copy()], 0)
    found = door(function)
    assert found.shape == want.value.shape and found.dtype == X.dtype
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-9)


def test_a_flag_is_an_index_of_a_tuple():
    """Flags as arguments, True and False, by a call and in a text, told and untold."""

    def choose(x, flag):
        return (np.sum(x), np.sum(x * x))[flag]

    space = {}
    exec(gradgen.emit(choose, wrt="x"), space)
    for flag in (True, False, 1, 0, np.int64(1)):
        want = 2 * X if flag else np.ones(4)
        np.testing.assert_array_equal(gradgen.grad(choose, wrt="x")(X, flag), want)
        np.testing.assert_array_equal(space["grad_choose"](X, flag, d_out=1.0), want)
