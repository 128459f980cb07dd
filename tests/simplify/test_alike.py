"""Parts that are written twice are computed once, where they are one value."""

import textwrap

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.3, -0.7, 1.1, 0.4])

# program, what its text has once, and how often the program has it
TWICE = [
    (
        """
        p = np.exp(x - x.max()) / np.sum(np.exp(x - x.max()))
        return np.sum(p * np.log(p))
        """,
        "np.exp(",
    ),
    (
        """
        mean = np.mean(x)
        var = np.mean((x - mean) ** 2)
        return np.sum((x - mean) ** 3 / np.sqrt(var + 0.1))
        """,
        "x - mean",
    ),
    (
        """
        W = np.arange(16.0).reshape(4, 4) / 10
        return np.sum((x @ W + 1) / (1 + np.exp(-(x @ W + 1))))
        """,
        "x @ W",
    ),
    (
        """
        scale = np.linalg.norm(x)
        return np.sum(np.sin(x / np.linalg.norm(x))) + scale
        """,
        "np.linalg.norm(x)",
    ),
]
# what is written alike is another value
OTHERS = [
    """
    a = x * 1.0
    before = np.sum(np.exp(a))
    a[0] = 0.5 * x[1]
    return before * np.sum(np.exp(a))
    """,
    """
    a = np.sin(x)
    total = np.sum(np.tanh(a + x) * x)
    a = a + 0.5 * x
    return total + np.sum(np.tanh(a + x) * x)
    """,
    """
    w = np.asarray(x - np.mean(x))
    w[0] = 0.3
    return np.sum(w * x) * np.sum((x - np.mean(x)) ** 3)
    """,
    """
    mean = np.mean(x)
    first = x * mean
    mean = 2 * mean
    return np.sum(first * np.mean(x)) + mean
    """,
    """
    total = 0.0
    a = 1.0 * x
    for i in range(3):
        total += np.sum(np.exp(a * x)) * np.sum(np.exp(a * x) * x)
        a *= 0.5
    return total * np.sum(np.exp(a * x))
    """,
]


def made(text, tmp_path):
    body = textwrap.indent(textwrap.dedent(text), "    ")
    return written(f"def f(x):{body}", tmp_path)


def held_against_differences(function, told):
    truth = numeric_gradient(function, [X], 0, 1.0).value
    found = gradgen.grad(function, shapes=told)(X)
    np.testing.assert_allclose(found, truth, rtol=1e-7, atol=1e-9)
    assert found.shape == X.shape and found.dtype == X.dtype


@pytest.mark.parametrize("told", [{}, {"x": "4"}], ids=["none", "4"])
@pytest.mark.parametrize(("text", "part"), TWICE)
def test_equal_parts_are_one(text, part, told, tmp_path):
    function = made(text, tmp_path)
    held_against_differences(function, told)
    code = gradgen.emit(function, shapes=told).split("# Forward")[1]
    computed = [line for line in code.split("\n") if "# Grad of" not in line]
    assert "\n".join(computed).count(part) == 1


@pytest.mark.parametrize("told", [{}, {"x": "n"}], ids=["none", "n"])
@pytest.mark.parametrize("text", OTHERS)
def test_what_changes_in_between_is_another_value(text, told, tmp_path):
    held_against_differences(made(text, tmp_path), told)


@pytest.mark.parametrize(
    ("first", "second"),
    [("np.mean(x)", "mean"), ("mean", "np.mean(x)"), ("np.mean(x)", "np.mean(x)")],
)
def test_what_is_held_constant_is_held_alone(first, second, tmp_path):
    text = f"""
    mean = np.mean(x)
    return np.sum(x * {first}) + 3 * {second}
    """
    function = made(text, tmp_path)
    mean = np.mean(X)
    free = {"np.mean(x)": 1, "mean": 0}
    # of sum(x) * m1 + 3 * m2; what is not held has the slope 1 / n
    slope = free[first] * np.sum(X) + 3 * free[second]
    wanted = np.full_like(X, mean + slope / len(X))
    found = gradgen.grad(function, shapes={"x": "n"}, stop="mean")(X)
    np.testing.assert_allclose(found, wanted)


def test_a_cheap_part_that_no_gradient_reads_stays_as_it_was_written(tmp_path):
    text = """
    top = np.max(x)
    return np.sum(x - top) - np.log(np.sum(np.exp(x - top)))
    """
    function = made(text, tmp_path)
    code = gradgen.emit(function, shapes={"x": "n"}, value=True, bare=True)
    assert "np.sum(x - top)" in code and "np.exp(x - top)" in code
    held_against_differences(function, {"x": "n"})
