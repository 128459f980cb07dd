"""complex(x, y), of numbers."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

LINES = [
    "abs(complex(x[0], x[1]) ** 2)",
    "(complex(x[0], x[1] * x[2]) * complex(0.5, x[0])).imag",
    "np.real(np.exp(complex(0.0, x[2]))) * x[0]",
    "complex(x[0] * x[1]).real",
    "abs(sum(complex(v, k) ** 2 for k, v in enumerate(x)))",
    "abs(np.prod([complex(x[0], 1), complex(2.0, x[1])]))",
]


@pytest.mark.parametrize("line", LINES)
def test_numbers(line, tmp_path):
    function = written(f"def f(x):\n    return {line}\n", tmp_path)
    x = np.array([0.7, 0.4, -1.3])
    value = gradgen.value_and_grad(function)(x)[0]
    np.testing.assert_allclose(value, function(x), rtol=1e-15)
    compare(function, (x,))


def test_a_complex_result(tmp_path):
    function = written("def f(x, y):\n    return complex(x, y) ** 2\n", tmp_path)
    found = gradgen.grad(function, wrt=("x", "y"))(0.7, 0.4, seed=1.0 + 0j)
    np.testing.assert_allclose(found, (1.4, -0.8), rtol=1e-14)
