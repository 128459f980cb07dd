"""Tangents of forward texts and vectors of Hessian products that are whole numbers, or
masks: what is stored into them, or put among them, is cut off nowhere."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.4, 1.2, 0.7])
BODIES = {
    "running": """
    y = x * 1.0
    for i in range(1, len(y)):
        y[i] += 0.5 * y[i - 1]
    return y
""",
    "stored": """
    y = x.copy()
    y[0] = np.sin(x[1]) * x[0]
    y[1:] *= 0.3
    return y
""",
    "in an arm": """
    y = x
    if x[0] > 0:
        y = x.copy()
        y[1] = 0.5 * x[0] * x[2]
    return y * y
""",
    "rows": """
    y = np.outer(x, x)[:, :1] + x
    for i in range(len(y)):
        row = y[i]
        row[i:] = row[i] * 0.25
    return y.sum(0)
""",
    "through a part": """
    y = x.copy()
    z = y[1:]
    z *= 0.7
    z[0] += 0.1 * x[0] ** 2
    return y
""",
    "inserted": "\n    return np.insert(x, [1, 1], x[0] ** 2) * 2\n",
    "padded": "\n    return np.pad(x, 1, constant_values=0.3 * x[1])\n",
    "padded by the mean": "\n    return np.pad(x, (1, 0), mode='mean')\n",
}
WAYS = ({}, {"example": (X,)}, {"shapes": {"x": "n"}}, {"general": True})


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("kind", [int, np.int8, bool])
def test_a_row_of_an_identity_as_a_tangent(tmp_path, name, kind):
    f = written(f"def f(x):{BODIES[name]}", tmp_path)
    for options in WAYS:
        try:
            text = gradgen.emit(f, mode="forward", **options)
        except gradgen.GradgenError:
            assert options.get("general"), name
            continue
        found: dict = {}
        exec(text, found)
        for row in np.eye(3, dtype=kind):
            h = 1e-6 * row
            value, change = found["jvp_f"](X, row)
            np.testing.assert_array_equal(value, f(X))
            want = (f(X + h) - f(X - h)) / 2e-6
            np.testing.assert_allclose(change, want, rtol=1e-6, atol=1e-9)
            single = found["jvp_f"](X, row.astype(np.float32))[1]
            np.testing.assert_allclose(single, want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", ["running", "stored", "in an arm", "rows"])
def test_a_row_of_an_identity_as_a_vector(tmp_path, name):
    body = BODIES[name].replace("return ", "return np.sum((") + "    ) ** 3)\n"
    f = written(f"def f(x):{body}", tmp_path)
    slope = gradgen.grad(f)
    for options in WAYS[:3]:
        found: dict = {}
        exec(gradgen.emit(f, mode="hvp", **options), found)
        for row in np.eye(3, dtype=int):
            h = 1e-5 * row
            want = (slope(X + h) - slope(X - h)) / 2e-5
            got = found["hvp_f"](X, row)
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-7)


def test_a_number_of_unknown_rank_stays_one(tmp_path):
    source = """
def f(x):
    r = x
    for k in range(3):
        r = r + 0.5 * np.sin(r)
        r *= 0.3
    return r
"""
    f = written(source, tmp_path)
    found: dict = {}
    exec(gradgen.emit(f, mode="forward", general=True), found)
    for x, row in ((0.4, 1), (X, np.array([1, 0, 2]))):
        want = (f(x + 1e-6 * row) - f(x - 1e-6 * row)) / 2e-6
        np.testing.assert_allclose(found["jvp_f"](x, row)[1], want, rtol=1e-6)
