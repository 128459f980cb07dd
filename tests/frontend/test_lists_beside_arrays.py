"""x * [0.5, 2.0]: a list beside an array is an array, beside a number a repetition."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

BODIES = {
    "times": "return np.sum(x * [1.0, 2.0, 3.0])",
    "times, list first": "return np.sum([1.0, 2.0, 3.0] * x)",
    "plus": "return np.sum((x + [0.5, 0.25, 1.0]) ** 2)",
    "plus, list first": "return np.sum(([0.5, 0.25, 1.0] + x) ** 2)",
    "minus a tuple": "return np.sum((x - (1.0, 2.0, 3.0)) ** 2)",
    "over": "return np.sum(x / [1, 2, 4]) + np.sum([1, 2, 4] / x)",
    "power": "return np.sum(x ** [2, 3, 1])",
    "matmul": "return np.sum([1.0, 2.0, 3.0] @ np.outer(x, x))",
    "in place": "y = x * x\n    y -= [1.0, 2.0, 3.0]\n    return np.sum(y**2)",
    "in place, times": "y = x * x\n    y *= [1.0, 2.0, 3.0]\n    return np.sum(y**2)",
    "of a name": "w = [0.5, 0.25]\n    return np.sum(x[:2] * w * len(w))",
    "of values": "return np.sum(x * [x[0], 2.0, x[1] * x[2]])",
    "rows": "return np.sum(np.outer(x, x) * [[1, 0, 2], [0, 3, 0], [4, 0, 5]])",
    "compared": "return np.sum(np.where(x > [0.5, 1.5, 0.1], x, 2 * x))",
    "filled": (
        "w = []\n    for v in x:\n        w.append(v * v)\n    return np.sum(x * w) + np.sum(w + x)"
    ),
    "beside a number": "w = [x[0], x[1]] * 2\n    return w[2] * w[3]",
    "0-d": "s = np.sum(x)\n    return np.sum((s - [1.0, 2.0]) ** 2)",
}


@pytest.mark.parametrize("name", BODIES)
def test_called(name, tmp_path):
    text = f"import numpy as np\n\n\ndef f(x):\n    {BODIES[name]}\n"
    f = written(text, tmp_path, function="f")
    x = np.array([0.7, 1.3, 0.4])
    try:
        found = gradgen.grad(f)(x)
    except gradgen.GradgenError as refusal:
        assert name == "0-d" and "GG214" in str(refusal)
        return
    truth = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-6, atol=1e-8)
    assert found.dtype == x.dtype and found.shape == x.shape
    single = gradgen.grad(f)(x.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, truth, rtol=1e-4)


def test_a_row_of_one_list(tmp_path):
    text = "import numpy as np\n\n\ndef f(x):\n    return np.sum(x * [1.0, 2.0, 3.0])\n"
    f = written(text, tmp_path, function="f")
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(gradgen.grad(f)(x), [[1, 2, 3], [1, 2, 3]])
    one = np.array([[1.0], [2.0]])
    np.testing.assert_array_equal(gradgen.grad(f)(one), [[6], [6]])


def test_with_a_matrix_and_nothing_told(tmp_path):
    text = "import numpy as np\n\n\ndef f(x):\n    return np.sum([1.0, 2.0] @ np.outer(x, x))\n"
    f = written(text, tmp_path, function="f")
    names: dict = {}
    exec(gradgen.emit(f), names)
    x = np.array([0.7, 1.3])
    truth = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(names["grad_f"](x), truth, rtol=1e-6)


OF_SHAPES = {
    "equal": "if x.shape == (3, 3):\n        return np.sum(x * x)\n    return np.sum(x)",
    "a part": "if x.shape[-2:] == (3, 3):\n        return np.sum(x * x)\n    return np.sum(x)",
    "unequal": "if np.shape(x)[-1:] != (3,):\n        return np.sum(x * x)\n    return np.sum(x)",
    "less": "s = x.shape\n    if s[-1:] < (4,):\n        return np.sum(x * x)\n    return np.sum(x)",
    "either": (
        "s = x.shape if np.sum(x) > 0 else x.T.shape\n"
        "    if s == (3, 4):\n        return np.sum(x * x)\n    return np.sum(x)"
    ),
    "longer": "y = np.zeros(x.shape + (2,))\n    y[..., 0] = x\n    return np.sum(y * y)",
}


@pytest.mark.parametrize("shape", [(3, 3), (3, 4)])
@pytest.mark.parametrize("name", OF_SHAPES)
def test_shapes_are_tuples(name, shape, tmp_path):
    f = written(f"def f(x):\n    {OF_SHAPES[name]}\n", tmp_path)
    x = np.linspace(0.5, 2.0, shape[0] * shape[1]).reshape(shape)
    truth = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), truth, rtol=1e-6)
