"""The Hessian of each rule's line: symmetric, and the differences of its gradient.

The function is the sum of the squares of a line's entries, so that a linear rule has a
Hessian too. It is differentiated at once, forward over reverse (`gradgen.hvp`), and
the matrix of `gradgen.hessian` in each argument is held against that. Most lines are
long tests.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import directional
from tests.fuzz.program import Program
from tests.rules.checker import parameters
from tests.rules.test_second_order import DISTINCT, LINES, REFUSED, label, some

# lines whose gradient has no forward form
NO_FORWARD = {text for text, (mode, _) in REFUSED.items() if mode == "forward"}
# and those whose gradient needs a helper that has none (the text of the gradient,
# where the helper is written out, is differentiated in test_second_order.py)
NO_FORWARD |= {
    "np.fft.irfft(x, 6) ** 2",
    "np.fft.hfft(x) ** 2",
    "np.fft.irfft2(np.fft.rfft2(x), x.shape) ** 2",
    "np.fft.irfftn(x, (3, 4), axes=(0, 1)) ** 2",
    f"np.linalg.eig({DISTINCT})[1] ** 2",
}

# of every line it is a long test
PUSHED = [line for line in LINES if line.text not in NO_FORWARD]
SOME = PUSHED[::32]


@contextmanager
def quietly() -> Iterator[None]:
    """No warnings: of a nan its value tells."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def flat(parts) -> np.ndarray:
    parts = parts if isinstance(parts, tuple) else (parts,)
    return np.concatenate([np.ravel(part) for part in parts])


def posed(line) -> tuple:
    """A line's program, its arguments in wrt, facts, values, and their places."""
    body = (f"r = {line.text}", "return np.sum(r * r)")
    program = Program(parameters(line, line.shapes[0]), body, seed=1)
    shapes = {param.name: param.fact for param in program.params}
    asked = line.names if len(line.names) > 1 else line.names[0]
    places = [[p.name for p in program.params].index(name) for name in line.names]
    return program, asked, shapes, program.arguments(0), places


@pytest.mark.parametrize("line", some(LINES, 2, NO_FORWARD), ids=label)
def test_the_hessian(line):
    program, asked, shapes, args, places = posed(line)
    if line.text in NO_FORWARD:
        with pytest.raises(GradgenError, match="GG3"):
            gradgen.hvp(program.function, wrt=asked, shapes=shapes).source
        return
    times = gradgen.hvp(program.function, wrt=asked, shapes=shapes)
    gradient = gradgen.grad(program.function, wrt=asked, shapes=shapes)
    rng = np.random.default_rng(3)
    u, v = (
        [np.asarray(rng.normal(size=np.shape(args[i])))[()] for i in places]
        for _ in range(2)
    )
    with quietly():
        Hu, Hv = flat(times(*args, *u)), flat(times(*args, *v))
        along = [None] * len(args)
        for i, part in zip(places, v):
            along[i] = part
        want = directional(lambda *a: flat(gradient(*a)), args, along)
    left, right = flat(tuple(u)) @ Hv, flat(tuple(v)) @ Hu
    size = np.abs(flat(tuple(u))) @ np.abs(Hv) + np.abs(flat(tuple(v))) @ np.abs(Hu)
    assert abs(left - right) <= 1e-8 * size + 1e-12, (left, right)
    scale = np.max(np.abs(want.value), initial=0.0)
    error = np.max(want.error, initial=0.0)
    assert error <= 1e-5 * scale + 1e-6, f"not measured: {error} of {scale}"
    assert np.all(np.abs(Hv - want.value) <= 1e-6 * scale + 1e-7 + 4 * error)


@pytest.mark.parametrize("line", SOME, ids=label)
def test_the_matrix_of_some_lines(line):
    matrices_are_products(line)


@pytest.mark.long
@pytest.mark.parametrize(
    "line", [line for line in PUSHED if line not in SOME], ids=label
)
def test_the_matrix(line):
    matrices_are_products(line)


def matrices_are_products(line):
    """The Hessian in each argument of a line, times a vector, is what hvp gives."""
    program, asked, shapes, args, places = posed(line)
    times = gradgen.hvp(program.function, wrt=asked, shapes=shapes)
    rng = np.random.default_rng(3)
    v = [np.asarray(rng.normal(size=np.shape(args[i])))[()] for i in places]
    for i, name in zip(places, line.names, strict=True):
        vector = [part if i == k else 0 * part for k, part in zip(places, v)]
        with quietly():
            matrix = gradgen.hessian(program.function, wrt=name, shapes=shapes)(*args)
            product = times(*args, *vector)
        product = product[places.index(i)] if isinstance(product, tuple) else product
        vector = vector[places.index(i)]
        assert np.shape(matrix) == 2 * np.shape(args[i])
        found = np.tensordot(matrix, vector, np.ndim(vector))
        assert found.shape == np.shape(product)
        room = 1e-9 * np.max(np.abs(product), initial=0.0) + 1e-12
        assert np.all(np.abs(found - product) <= room), (found, product)


def test_each_refusal_is_of_a_line():
    assert NO_FORWARD <= {line.text for line in LINES}
