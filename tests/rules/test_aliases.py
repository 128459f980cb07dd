"""Each rule's line between stores: its result may be a view of its argument, or not.

An array is changed after the line has read it, or its result is changed, and both are
read afterwards. The gradient must know what shares memory with what; the differences
of the function, which NumPy runs, do. Such a program may be refused (GG220, GG232),
and is no case where NumPy itself refuses the store. Most lines are long tests.
"""

import re
import warnings

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.fuzz.case import Truth, tolerance
from tests.fuzz.program import Program
from tests.rules.checker import Line, parameters, shaped
from tests.rules.test_second_order import LINES, label

WINDOW = "np.lib.stride_tricks.sliding_window_view"
MORE = [
    shaped(f"{WINDOW}(x, 2)[:, 0]", "n"),
    shaped(f"{WINDOW}(x, 2)[:, 1] * y", "n", ""),
    shaped("np.squeeze(np.expand_dims(x, 0))", "n d"),
    shaped("np.atleast_2d(x)[0]", "n"),
    shaped("np.reshape(x.T, -1)", "n d"),
    shaped("np.ravel(x)[::2]", "n d"),
    shaped("np.split(x, 3)[0]", "3 d"),
    shaped("np.diagonal(x)", "n n"),
    shaped("np.broadcast_arrays(x, y)[0]", "n d", "n d"),
    # arrays without axes, which a store changes as it does others
    shaped("np.cov(x)", "n"),
    shaped("np.tensordot(x, y, 1)", "n", "n"),
    shaped("np.einsum('i,i->', x, x, optimize=True)", "n"),
    shaped("np.einsum('ij,ij->', x, y, optimize='greedy')", "n d", "n d"),
    shaped("np.roll(np.sum(x), 1)", "n"),
    shaped("np.pad(np.sum(x), 0)", "n"),
    shaped("np.i0(np.sum(x))", "n"),
    shaped("np.transpose(np.sum(x))", "n"),
    shaped("np.asarray(np.sum(x))", "n"),
    shaped("np.array(np.sum(x)).astype('float64')", "n"),
    shaped("special.polygamma(1, np.sum(x * x))", "n"),
    shaped("np.tile(x[0], ())", "n"),
    shaped("np.array(x[0])", "n"),
    shaped("np.squeeze(x[:1])", "n"),
    shaped("np.sum(x)", "n"),
    shaped("x[0]", "n"),
]
# the argument is changed after the line, or the result; then both are read
STORES = {
    "the argument": ("{a} *= 1.25", "{a}[...] = {a} * {a}"),
    "the result": ("r *= 1.25", "r[...] = r * r"),
}


def posed(line: Line, store: str) -> Program:
    """The line's value of an array of the function's own, and a store."""
    params = parameters(line, line.shapes[0])
    name = params[0].name
    text = re.sub(rf"\b{name}\b", "a", line.text)
    body = (
        f"a = {name} * 1.0",
        f"r = {text}",
        "s = r",
        store.format(a="a"),
        "return np.sum(r * r) + np.sum(s * np.sum(a)) + np.sum(a * a)",
    )
    return Program(params, body, seed=1)


def wrong(program: Program) -> str | None:
    """What is wrong with the gradient; None where the program is no case."""
    args, name = program.arguments(0), program.params[0].name
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = program.function(*program.arguments(0))
        except (TypeError, ValueError):
            return None  # no array, or one that NumPy gives read-only
        if np.ndim(value) or np.iscomplexobj(value) or not np.isfinite(value):
            return None
        truth = Truth(program)
        wanted = truth.gradient(0, name)
        if np.any(wanted.error > tolerance(wanted.value) / 4):
            return None
        try:
            found = gradgen.grad(program.function, wrt=name)(*args, seed=truth.seed(0))
        except GradgenError:
            return None
    close = np.abs(found - wanted.value) <= tolerance(wanted.value)
    return "" if np.all(close) else f"{found}\nwanted\n{wanted.value}"


def sampled(lines: list[Line]) -> list:
    """The lines, most of them as long tests."""
    return [
        line if at % 60 == 0 else pytest.param(line, marks=pytest.mark.long)
        for at, line in enumerate(lines)
    ]


@pytest.mark.parametrize("changed", STORES)
@pytest.mark.parametrize("line", [*MORE, *sampled(LINES)], ids=label)
def test_a_store_beside_the_line(line, changed):
    for store in STORES[changed]:
        program = posed(line, store)
        fault = wrong(program)
        assert not fault, f"{program.source}\n{fault}"
