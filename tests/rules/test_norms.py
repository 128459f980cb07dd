"""numpy.linalg's norms: one line per order and form; ties, refusals."""

import numpy as np
import pytest

import gradgen
from tests.rules.checker import Line, faults, ranked, shaped

NORMS = [
    *(ranked(f"np.linalg.norm(x, {ord})", "d") for ord in ("-np.inf", "3", "-1", "-2")),
    *(
        shaped(f"np.linalg.norm(x, {ord}, axis={axis})", "b n d")
        for ord in ("1", "2", "np.inf", "-np.inf", "2.5", "-1")
        for axis in ("-1, keepdims=True",)
    ),
    *(
        ranked(f"np.linalg.norm(x, {ord}{rest})", "n d")
        for ord in ("'nuc'", "1", "-1", "2", "-2", "np.inf", "-np.inf")
        for rest in ("", ", axis=(0, 1), keepdims=True")[: 1 + (ord in ("1", "2"))]
    ),
    *(
        ranked(f"np.linalg.norm(x, {ord}, axis={axis})", "b n d")
        for ord in ("'fro'", "'nuc'", "1", "-1", "2", "-2", "np.inf", "-np.inf")
        for axis in ("(1, 2)", "(-2, -1)")[: 1 + (ord in ("-1", "-2"))]
    ),
    *(
        shaped(f"np.linalg.norm(x, {ord}, axis={axis})", "b n d")
        for ord in ("'fro'", "1", "-1", "np.inf", "-np.inf")
        for axis in ("(0, 2)", "(-1, 0), keepdims=True")[: 1 + (ord == "1")]
    ),
    *(
        ranked(f"np.linalg.norm(x, {ord}, axis={axis})", "b n d")
        for ord in ("'nuc'", "2", "-2")
        for axis in ("(0, 2)", "(2, 1), keepdims=True")
    ),
    shaped("np.linalg.norm(x, 'fro')", "n d"),
    *(
        shaped(f"np.linalg.matrix_norm(x{rest})", facts)
        for rest in ("", *(f", ord={o}" for o in ("'nuc'", 1, -1, 2, -2, "np.inf")))
        for facts in ("b n d",)
    ),
    shaped("np.linalg.matrix_norm(x)", "n d"),
    shaped("np.linalg.matrix_norm(x, ord=-np.inf, keepdims=True)", "b n d"),
    *(
        shaped(f"np.linalg.vector_norm(x{rest})", "n d")
        for rest in (
            "",
            ", ord=1",
            ", axis=0",
            ", axis=-1, ord=3",
            ", ord=np.inf, axis=1, keepdims=True",
            ", ord=-np.inf",
            ", axis=(0, 1), ord=2.5",
        )
    ),
]


def label(line: Line) -> str:
    return f"{line.text} of {', '.join(line.shapes[0])}"


@pytest.mark.parametrize("line", NORMS, ids=label)
def test_line(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


def one_norm(x):
    return np.linalg.norm(x, 1)


def largest_row(x):
    return np.linalg.matrix_norm(x, ord=np.inf)


def smallest(x):
    return np.linalg.norm(x, -np.inf)


def nuclear(x):
    return np.linalg.norm(x, "nuc")


@pytest.mark.parametrize(
    "function, want",
    [
        (one_norm, [[0.5, 0.5, 0], [0.5, -0.5, 0]]),
        (largest_row, [[0, 0, 0], [1, -1, 1]]),
    ],
)
def test_ties_share(function, want):
    x = np.array([[1.0, 3.0, 0.5], [4.0, -2.0, 0.5]])
    gradient = gradgen.grad(function, shapes={"x": "n d"})
    np.testing.assert_array_equal(gradient(x), want)


def test_the_smallest_entries_share():
    gradient = gradgen.grad(smallest, shapes={"x": "n"})
    np.testing.assert_array_equal(gradient(np.array([2.0, -1, 1])), [0, -0.5, 0.5])


REFUSED = []


@pytest.mark.parametrize("function, facts, message", REFUSED)
def test_what_has_no_gradient_is_refused(function, facts, message):
    with pytest.raises(gradgen.GradgenError, match=message):
        gradgen.grad(function, shapes=facts).source
