"""Arrays of rank 0 take stores; what is computed of them are numbers, which do not."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

BODIES = {
    "asarray": """
        y = np.asarray(x[..., 0] * 1.5)
        y[np.asarray(y > 6)] = 0
        return np.sum(y * x[..., 1])
    """,
    "array": """
        e = np.array(x[..., 0])
        e[e > 0.5] = 0
        return np.sum(e * e) + np.sum(x)
    """,
    "of a list": """
        p, q, r = np.array([x[..., k] for k in range(x.shape[-1])])
        c = np.asarray(p / 2).astype(np.float64)
        c[np.asarray(q > 1)] = 0
        return np.sum(c * q + r)
    """,
    "stacked": """
        c = np.asarray(x[..., 0] / 2)
        c[np.asarray(x[..., 1] > 1)] = 0
        z = np.asarray([c, x[..., 1], x[..., 2]])
        return np.sum(z**2)
    """,
    "added to": """
        e = np.array(x[..., 0])
        e += x[..., 1]
        e[e > 0.1] *= 3
        return np.sum(np.stack([e, x[..., 1]]) ** 2)
    """,
    "in a loop": """
        e = np.array(x[..., 0])
        for k in range(3):
            e[e < 2] += np.sum(x[..., k])
        return np.sum(e * e)
    """,
    "out": """
        e = np.array(x[..., 0])
        np.multiply(e, x[..., 1], out=e)
        return np.sum(e * x[..., 1])
    """,
    "filled": """
        e = np.array(np.sum(x, axis=-1))
        e.fill(2.0)
        return np.sum(e * x[..., 1])
    """,
    "values": """
        e = np.array(x[..., 0])
        e[e > 0.5] = np.sum(x)
        return np.sum(e * x[..., 2])
    """,
}
ROW = np.array([0.7, 1.3, 0.4])
ROWS = np.array([[0.7, 1.3, 0.4], [0.2, 0.9, 1.4]])


@pytest.mark.parametrize("x", [ROW, ROWS], ids=["row", "rows"])
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("door", ["call", "emit"])
def test_a_store_by_a_mask(name, x, door, tmp_path):
    f = written(f"def f(x):{BODIES[name]}", tmp_path)
    if door == "call":
        found = gradgen.grad(f)(x)
    else:
        names: dict = {}
        exec(gradgen.emit(f), names)
        found = names["grad_f"](x)
    truth = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-6, atol=1e-8)
    assert found.shape == x.shape and found.dtype == x.dtype


@pytest.mark.parametrize("x", [ROW, ROWS], ids=["row", "rows"])
@pytest.mark.parametrize("name", BODIES)
def test_its_other_derivatives(name, x, tmp_path):
    f = written(f"def f(x):{BODIES[name]}", tmp_path)
    v = np.linspace(0.5, -1.0, x.size).reshape(x.shape)
    truth = numeric_gradient(f, [x], 0).value
    _, change = gradgen.jvp(f)(x, v)
    np.testing.assert_allclose(change, np.sum(truth * v), rtol=1e-6, atol=1e-8)
    step = 1e-6
    ahead, behind = (numeric_gradient(f, [x + h * v], 0).value for h in (step, -step))
    found = gradgen.hvp(f)(x, v)
    np.testing.assert_allclose(found, (ahead - behind) / (2 * step), atol=1e-3)


def test_a_store_of_the_primals_into_a_number_raises(tmp_path):
    f = written(
        "def f(x):\n    s = np.sum(x)\n    s[s > 0] = 0.0\n    return s * x[0]\n",
        tmp_path,
    )
    with pytest.raises(TypeError):
        f(ROW)
    with pytest.raises((TypeError, gradgen.GradgenError)):
        gradgen.grad(f)(ROW)
