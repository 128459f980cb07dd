"""How many itertools takes at once, known by a name: of a loop around, of an attribute, of a sum."""

import numpy as np
import pytest

from tests.both_doors import compare
from tests.frontend.writing import written

X = np.array([0.7, 0.4, -1.3])
HEAD = """from itertools import combinations, combinations_with_replacement, permutations, product


class Settings:
    degree = 2


settings = Settings()


def f(x):
    s = 0.0
"""
LOOPS = {
    "of a loop": "for d in range(1, 4):\n    for c in combinations(x, d):\n        s += np.prod(c)",
    "with replacement": "for d in range(1, 3):\n    for c in combinations_with_replacement("
    "range(len(x)), d):\n        s += np.prod([x[i] for i in c])",
    "columns": "X = x.reshape(1, -1)\nfor d in range(2, 4):\n    for c in "
    "combinations_with_replacement(range(X.shape[1]), d):\n"
    "        s += np.sum(np.prod([X[:, i] for i in c], axis=0) * d)",
    "of an attribute": "for c in combinations(range(len(x)), settings.degree):\n"
    "    s += x[c[0]] * np.sin(x[c[1]])",
    "of a name": "k = 3\nfor a, b in permutations(x, k - 1):\n    s += a * b**2",
    "repeated": "for d in range(1, 3):\n    for c in product(x, repeat=d):\n"
    "        s += np.prod(c) * d",
}


@pytest.mark.parametrize("name", LOOPS)
def test_counts(name, tmp_path):
    body = LOOPS[name].replace("\n", "\n    ")
    compare(written(f"{HEAD}    {body}\n    return s\n", tmp_path), (X,))


@pytest.mark.parametrize(
    "line",
    [
        "np.sum(np.poly(x) * np.arange(4.0))",
        "np.polyval(np.poly(x[:2]), x[2])",
        "np.poly([x[0], x[1] * x[2], 2.0])[2]",
        "math.nextafter(x[0], math.inf) ** 2 + np.sum(x)",
        "max(0.1, math.nextafter(np.sum(x), x[0])) * x[1]",
        "math.nextafter(2.0, 0.0) * x[0] * x[1]",
    ],
)
def test_coefficients_of_roots_and_steps(line, tmp_path):
    text = f"import math\n\n\ndef f(x):\n    return {line}\n"
    compare(written(text, tmp_path), (np.array([0.7, 0.4, -0.3]),))
