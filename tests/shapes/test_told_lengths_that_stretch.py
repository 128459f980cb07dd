"""Told lengths beside ones that nothing is known of: right for one entry, or raised.

NumPy stretches the one entry of what is told to have n along a mask's, a slice's or a
repetition's, and the gradient is not as long as that.
"""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

PARTS = {
    "mask": "x[x > 0]",
    "places": "x[np.nonzero(z > 0)[0]]",
    "first": "x[:k]",
    "repeated": "np.repeat(x, k)",
    "counted": "np.linspace(0, 1, k) * x[0]",
    "chosen": "np.array([v * 2 for v in x if v > 0])",
    "joined": "np.concatenate([x[:k], x[k:]])",
}
USES = {
    "minus": "return np.sum((p - y) ** 2)",
    "where": "return np.sum(np.where(p > y, p, 2 * y))",
    "maximum": "return np.sum(np.maximum(y, p))",
    "into a slice": "q = np.zeros(len(x) + 3)\n    q[1:k] += y * y\n    return np.sum(q) * np.sum(p)",
    "into the first": "q = np.zeros(len(x))\n    q[: len(y)] += y\n    return np.sum(q**2) * np.sum(p)",
    "summed along": "return np.einsum('i,i->', p, y)",
    "added": "q = p * 1.0\n    q += y\n    return np.sum(q**2)",
    "in a branch": "if k > 1:\n        return np.sum((y - p) ** 2)\n    return np.sum(p)",
    "in a loop": "s = 0.0\n    for i in range(2):\n        s = s + np.sum(np.hypot(p, y)) * i\n    return s",
}
WAYS = list(itertools.product(PARTS, USES))
SIZES = [(0, 1), (1, 1), (1, 2), (2, 1), (3, 1), (3, 3), (3, 2)]
RNG = np.random.default_rng(48)


@pytest.mark.parametrize("part, use", WAYS, ids=map("-".join, WAYS))
def test_one_entry_is_right_or_raised(part, use, tmp_path):
    lines = f"p = {PARTS[part]}\n    {USES[use]}"
    f = written(f"def f(x, y, z, k):\n    {lines}\n", tmp_path)
    right = 0
    for letter in "nm":
        space: dict = {}
        told = {"x": "n", "y": letter, "z": "n"}
        exec(gradgen.emit(f, ("x", "y"), shapes=told), space)
        for (n, m), k in itertools.product(SIZES, (1, 2, 3)):
            x, z = RNG.normal(size=(2, n))
            args = x, RNG.normal(size=n if letter == "n" else m), z, k
            try:
                f(*args)
                found = space["grad_f"](*args)
            except (ValueError, IndexError):
                continue  # NumPy does not take it, or it is looked at
            for at, one in enumerate(found):
                want = numeric_gradient(f, args, at, 1.0).value
                assert np.shape(one) == np.shape(want), (letter, n, m, k, at)
                np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-6)
            right += 1
    assert right >= 3  # of 42 calls


SLICES = {
    "of its length": "out[i : i + k] += x[i] * w",
    "of its own length": "out[i : i + len(w)] += x[i] * w",
    "of an argument's": "out[i] = np.sum(x[i : i + k] * w)",
}


@pytest.mark.parametrize("line", SLICES.values(), ids=SLICES)
def test_slices_as_long_as_what_meets_them_are_not_looked_at(line, tmp_path):
    f = written(
        f"""def f(x, w):
    k = len(w)
    out = np.zeros(len(x) + k)
    for i in range(len(x) - k):
        {line}
    return np.sum(out**2)
""",
        tmp_path,
    )
    assert "raise" not in gradgen.emit(f, ("x", "w"), shapes={"x": "n", "w": "k"})


def test_a_last_slice_in_steps_of_its_length_is_not_looked_at(tmp_path):
    f = written(
        """def f(x, w):
    s = 0.0
    for i in range(0, len(x), len(w)):
        s += np.sum(x[i : i + len(w)] * w)
    return s
""",
        tmp_path,
    )
    text = gradgen.emit(f, ("x", "w"), shapes={"x": "n", "w": "k"})
    assert "raise" not in text


def accumulated(x, w):
    s = 0.0
    for i in range(5):
        s += np.sum(np.sin(x[i : i + len(w)] * np.tanh(w)))
    return s


def rows_of(x, w):
    W = np.ones((5, 1)) * w
    s = 0.0
    for i in range(5):
        s += np.sum((x[i : i + len(w)] - W[i]) ** 2)
    return s


def carried(x, w):
    h = w
    for i in range(5):
        h = np.sin(h)
        t = np.sum(x[i : i + len(w)] * h)
    return np.sum(h) + t


IN_LOOPS = {accumulated: False, rows_of: False, carried: True}


@pytest.mark.parametrize("function", IN_LOOPS, ids=lambda f: f.__name__)
def test_slices_of_no_entry_in_loops_raise(function):
    """One entry that is stretched to none: its adjoint is no entry, and raises."""
    space: dict = {}
    text = gradgen.emit(function, ("x", "w"), shapes={"x": "n", "w": "k"})
    assert ("is stretched" in text) == IN_LOOPS[function]
    exec(text, space)
    for n, k in ((9, 3), (5, 1), (8, 2)):
        args = RNG.normal(size=n), RNG.normal(size=k)
        for at, one in enumerate(space[f"grad_{function.__name__}"](*args)):
            want = numeric_gradient(function, args, at, 1.0).value
            np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError):
        space[f"grad_{function.__name__}"](RNG.normal(size=3), RNG.normal(size=1))
