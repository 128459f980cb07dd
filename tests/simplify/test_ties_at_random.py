"""Random functions of a maximum, at points where its sides tie exactly.

Where the slopes along twelve directions are those of one gradient the function is
differentiable, and that gradient is to be found, whichever side a tie is given to.
"""

from random import Random

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported

SIDES = (
    "X @ x", "x", "2 * x", "y * (X @ x)", "np.sum(X * x, axis=1)", "X @ x - y",
    "np.stack([x, -x])", "np.outer(x, np.ones(2)) + np.array([0.0, 1.0])", "x[:2] - x[1:]", "np.concatenate([x, -x])",
    "(X @ x)[:, None] * np.array([1, -1])", "np.outer(y, x)", "x - x[0]",
    "y * (X @ x) * y - y",
    "np.linalg.norm(np.stack([X @ x + 3, 4 + 0 * y]), axis=0) - 5",
)  # fmt: skip
OTHERS = ("0", "0.0", "-z", "2 * z", "z * 0", "1 - z", "-1", "np.zeros(1)")
CHOICES = (
    "np.maximum(z, {})", "np.minimum(z, {})", "np.maximum({}, z)", "np.clip(z, 0, 1)", "np.clip(z, len(x) - 3, 1)", "np.clip(z, -1, len(y) - 4)",
    "np.clip(z, -1, 0)", "np.maximum({}, 1 - z)", "np.minimum({}, z - 1)",
)  # fmt: skip
TOTALS = (
    "np.sum(m)", "np.mean(m)", "np.sum(0.5 * m + z)", "np.sum(m - z)", "np.sum(-m / 2)",
    "np.sum(m, axis=0)", "np.sum(m, axis=-1)", "np.sum(m * z)", "np.sum(m ** 2)", "m",
    "np.sum(3 * m, keepdims=True)", "np.mean(m) * np.sum(x)",
    "np.sum(m * y)", "np.sum(y * m + z)", "np.sum(m[::2] - m[1::2])",
    "np.sum(m) - np.sum(m * 0.5)", "np.sum(m) + np.sum(m[:1])",
    "np.sum(np.where(y > 0, m, z))", "np.mean(np.where(y < 0, 1 - z, -m))",
    "np.sum(np.where(X[:, 0] > 0, z, m))", "np.sum(np.where(y > 0, m, -m))",
)  # fmt: skip
RESULTS = (
    "t", "np.exp(0.3 * t)", "t * t + t", "np.tanh(t) + np.sum(x ** 2)", "t * x[0]",
    "t * np.arange(np.size(t)).reshape(np.shape(t))",
    "t - np.sum(np.maximum(z, 0))",
)  # fmt: skip
TOLD = ({}, {"x": "d", "X": "n d", "y": "n"})


def program(seed):
    rng = Random(f"ties {seed}")
    choice = rng.choice(CHOICES).format(rng.choice(OTHERS))
    return (
        "import numpy as np\n\n\ndef f(x, X, y):\n"
        f"    z = {rng.choice(SIDES)}\n    m = {choice}\n"
        f"    t = {rng.choice(TOTALS)}\n    return np.sum({rng.choice(RESULTS)})\n"
    )


def points(seed):
    """Whole numbers, so that sides tie; zeros, and opposite rows of opposite weights."""
    rng = np.random.default_rng(seed)
    for k in range(4):
        X, y = (rng.integers(-1, 2, shape).astype(float) for shape in ((4, 3), 4))
        x = rng.integers(-1, 2, 3).astype(float) * (k < 3)
        if k % 2 == 0:
            X[1::2], y = -X[::2], np.array([1.0, -1.0, 1.0, -1.0])
        yield x, X, y, rng.normal(size=(6, 3))


def slopes(f, x, X, y, further):
    """The gradient by one-sided differences; None where the function has none."""
    step, at = 1e-6, f(x, X, y)
    ways = np.vstack([np.eye(3), -np.eye(3), further])
    found = np.array([(f(x + step * way, X, y) - at) / step for way in ways])
    gradient = (found[:3] - found[3:6]) / 2
    scale = 1 + np.max(np.abs(found))
    fits = np.all(np.abs(found - ways @ gradient) < 2e-4 * scale)
    return gradient if fits else None


def compared(seed):
    """At how many points the gradient was compared."""
    f, count = imported(program(seed), "f"), 0
    try:
        f(*next(points(seed))[:3])
    except ValueError:  # weights of another length
        return 0
    for told in TOLD:
        gradient = gradgen.grad(f, wrt="x", shapes=told)
        for x, X, y, further in points(seed):
            want = slopes(f, x, X, y, further)
            if want is None:
                continue
            found = gradient(x, X, y)
            scale = 1 + np.max(np.abs(want))
            assert np.all(np.abs(found - want) < 3e-4 * scale), (seed, found, want)
            count += 1
    return count


@pytest.mark.parametrize(
    "first, last", [(0, 40), pytest.param(40, 2000, marks=pytest.mark.long)]
)
def test_where_a_function_has_a_gradient_that_is_found(first, last):
    count = sum(map(compared, range(first, last)))
    print(f"{count} points compared, programs {first} to {last}")
    assert count > last - first
