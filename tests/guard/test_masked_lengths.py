"""Rows of length 0 that a mask leaves out, without --guard: the gradient there is 0.

What divides on the way back has the mask before it, through sums along the axes that
the mask has not. Where the way leads over more, nan stays, and --guard takes it away.
"""

import numpy as np
import pytest

from tests.cli.command import gradgens

# rows of X divided by their length, where that is not 0
FINITE = {
    "norm": "n = np.linalg.norm(X, axis=-1, keepdims=True)\n    out = np.where(n > 1e-8, X / n, 0)",
    "not_zero": "n = np.linalg.norm(X, axis=-1, keepdims=True)\n    out = np.where(n == 0, 0.0, X / n)",
    "root": "n = np.sqrt(np.sum(X * X, axis=1, keepdims=True))\n    out = np.where(n > 0, X / n, 0)",
    "square": "s = np.sum(X ** 2, axis=1, keepdims=True)\n    out = np.where(s > 0, X / np.sqrt(s), 0)",
    "power": "n = np.sum(X ** 2, axis=-1, keepdims=True) ** 0.5\n    out = np.where(n > 1e-8, X / n, 0)",
    "new_axis": "n = np.linalg.norm(X, axis=1)\n    out = np.where(n[:, None] > 1e-8, X / n[:, None], 0)",
    "by_columns": "n = np.linalg.norm(X.T, axis=0)\n    out = np.where(n > 1e-8, X.T / n, 0).T",
    "cosines": "n = np.linalg.norm(X, axis=1)\n    out = np.where(n > 0, np.sum(X * C, axis=1) / n, 0)[:, None]",
    "lengths": "n = np.linalg.norm(X, axis=1)\n    out = np.where(n > 0, n, 0)[:, None]",
    "deviations": "s = np.std(X, axis=1, keepdims=True)\n    out = np.where(s > 0, (X - np.mean(X, axis=1, keepdims=True)) / s, 0)",
    "first_masked": "n = np.sqrt(np.sum(X * X, axis=1, keepdims=True))\n    n = np.where(n > 0, n, 1)\n    out = X / n",
    "stored": "n = np.linalg.norm(X, axis=1)\n    m = n > 1e-8\n    out = np.zeros_like(X)\n    out[m] = X[m] / n[m][:, None]",
    "looped": "out = np.zeros_like(X)\n    for i in range(len(X)):\n        n = np.linalg.norm(X[i])\n        if n > 1e-8:\n            out[i] = X[i] / n",
    "divided": "n = np.linalg.norm(X, axis=1, keepdims=True)\n    out = np.divide(X, n, out=np.zeros_like(X), where=n > 1e-8)",
}  # fmt: skip
# the way back goes over a sum of what the mask tells apart, or has no mask
OPEN = {
    "summed": "n = np.linalg.norm(X, axis=1, keepdims=True)\n    out = np.where(n > 1e-8, X / n, 0) * np.sum(np.where(X > 0, X / n, 0))",
    "shifted": "n = np.linalg.norm(X, axis=1, keepdims=True) + 1e-8\n    out = X / n",
}  # fmt: skip
X = np.array([[3.0, 4.0], [0.0, 0.0], [1.0, -2.0]])
C = np.array([[0.3, 0.7], [0.2, -0.5], [1.1, 0.4]])
ROWS = [0, 2]


@pytest.fixture(scope="module")
def gradients(tmp_path_factory):
    """name, options -> the gradient at X, and the primal."""
    folder = tmp_path_factory.mktemp("lengths")
    text = "import numpy as np\n"
    for name, body in (FINITE | OPEN).items():
        text += f"\n\ndef {name}(X, C):\n    {body}\n    return np.sum(out * C)\n"
    (folder / "rows.py").write_text(text)
    primals, found = {}, {}
    exec(text, primals)
    facts = ["--shape", "X=n,d", "--shape", "C=n,d", "-q"]
    asked = [(name, guard) for name in FINITE | OPEN for guard in ((), ("--guard",))]
    done = gradgens(
        [["emit", f"rows.{n}", *facts, *guard] for n, guard in asked], folder
    )
    for (name, guard), one in zip(asked, done, strict=True):
        assert one.code == 0, one.err
        names = {}
        exec(one.out, names)
        with np.errstate(all="ignore"):
            found[name, bool(guard)] = names[f"grad_{name}"](X.copy(), C)
    return found, primals


def differences(primal):
    """Central differences at the rows that are not zero."""
    found = np.zeros_like(X)
    with np.errstate(all="ignore"):
        for at in np.ndindex(X.shape):
            step = np.zeros_like(X)
            step[at] = 1e-6
            found[at] = (primal(X + step, C) - primal(X - step, C)) / 2e-6
    return found


@pytest.mark.parametrize("name", FINITE)
def test_a_row_of_zeros_that_is_not_chosen_has_a_gradient_of_zeros(gradients, name):
    found, primals = gradients
    want = differences(primals[name])
    for guarded in (False, True):
        got = found[name, guarded]
        np.testing.assert_allclose(got[ROWS], want[ROWS], rtol=1e-7, atol=1e-9)
        if name != "first_masked":
            assert np.array_equal(got[1], [0, 0])
    if name == "first_masked":  # divided by 1 there
        np.testing.assert_array_equal(found[name, False][1], C[1])


@pytest.mark.parametrize("name", OPEN)
def test_where_the_promise_ends(gradients, name):
    found, primals = gradients
    want = differences(primals[name])
    for guarded in (False, True):
        got = found[name, guarded]
        np.testing.assert_allclose(got[ROWS], want[ROWS], rtol=1e-7, atol=1e-9)
        assert np.isfinite(got[1]).all() is np.bool_(guarded)
