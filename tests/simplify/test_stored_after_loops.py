"""What lines before a loop change is stored into its adjoint after the loop, in turn.

Two of these may meet one place: the second adds to what the first has stored.
"""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

LINES = [
    "c[0] -= c[0]",
    "c[0] += c[1]",
    "c[0] = c[0] * c[1]",
    "c[:2] -= 3 * c[:2]",
    "c[-1] += c[0] * c[0]",
    "c[1:] *= c[:-1]",
    "c[1], c[0] = c[0], c[1]",
]
LOOPS = [
    "for i in range(3):\n        s += (0.1 * i + 0.5) * c[1]",
    "for i in range(1, len(c)):\n        s += c[i] * c[i - 1]",
    "for v in c:\n        s += v * v",
    "for i in range(2):\n        c[i + 1] = c[i] * c[i + 1]\n        s += c[i]",
]
READ = ["t = c[0] + 1.0", "t = c[0] * c[-1]", "t = np.sum(c[:2])"]
WAYS = list(itertools.product(LINES, LINES))


@pytest.mark.parametrize("first, second", WAYS, ids=[f"{a}, {b}" for a, b in WAYS])
def test_two_lines_before_a_loop(first, second, tmp_path):
    for at, loop in enumerate(LOOPS):
        read = READ[(WAYS.index((first, second)) + at) % len(READ)]
        f = written(
            f"def f(c):\n    {first}\n    {read}\n    {second}\n    s = 0.0\n"
            f"    {loop}\n    return t + 0.5 * s\n",
            tmp_path,
        )
        space: dict = {}
        exec(gradgen.emit(f, shapes={"c": "n"}), space)
        c = np.array([0.3, 0.7, -0.4, 1.1])
        want = numeric_gradient(lambda c: f(c.copy()), (c,), 0, 1.0).value
        np.testing.assert_allclose(
            space["grad_f"](c.copy()), want, rtol=1e-6, atol=1e-7
        )
