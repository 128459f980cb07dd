"""Arrays that go into a list in a loop and are changed behind it: right, or refused."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X, Y = np.array([1.1, 0.9, 1.2]), np.array([0.5, 0.7, 0.3])
# what a round does with the list out, x and y, and whether out may hold what is changed
HELD = [
    "out.insert(0, y); y *= x",
    "out.insert(0, y); y[:] = 0.5",
    "out.insert(1, y); y += x",
    "out[:] = out[:1] + [y] + out[1:]; y *= x",
    "new = out + [y]; out[:] = new; y *= x",
    "z = y * x; out[:] = out + [z]; z *= 2",
    "out[0:0] = [y]; y *= x",
    "out = [y] + out; y *= x",
]
APART = [
    "y = y * x; out.insert(0, y)",
    "z = y * x; out[:] = [z] + out[:1]",
    "out.insert(0, y.copy()); y *= x",
    "out[:] = out + [y.copy()]; y *= x",
    "out.append(y); out.clear(); out.append(x * t); out.append(x); y *= x",
]


def program(line, tmp_path):
    text = f"""
        import numpy as np

        def f(x, y):
            y = y + 0.0
            out = [x, x]
            for t in range(len(x)):
                {line}
            return np.sum(out[0] * 2 + out[1] * y)
        """
    names: dict = {}
    path = tmp_path / "held.py"
    path.write_text("\n".join(row[8:] for row in text.splitlines()))
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["f"]


@pytest.mark.parametrize("line", HELD)
def test_what_a_list_may_hold_is_not_changed(line, tmp_path):
    with pytest.raises(gradgen.GradgenError, match="GG220.*may hold"):
        gradgen.grad(program(line, tmp_path), "y")(X, Y)


@pytest.mark.parametrize("line", APART)
def test_what_no_list_holds_may_change(line, tmp_path):
    f = program(line, tmp_path)
    value, found = gradgen.value_and_grad(f, "y")(X, Y)
    np.testing.assert_allclose(value, f(X, Y))
    want = numeric_gradient(lambda y: f(X, y), (Y,), 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def three_diagonals(a, b, c, zero=0.0):
    count = len(b)
    rows = [[zero] * count for _ in range(count)]
    last = rows[0]
    last[0] = b[0]
    for i in range(1, count):
        row = rows[i]
        row[i] = b[i]
        row[i - 1] = a[i - 1]
        last[i] = c[i - 1]
        last = row
    return rows


@pytest.mark.parametrize(
    "which, want", [("a", [2, 3]), ("b", [2, 7, 5]), ("c", [4, 1])]
)
def test_a_row_under_a_name_that_was_a_list_of_the_text_before(which, want):
    """A list whose items were known has no shape to keep where a store makes it unknown."""
    seed = [[2.0, 4.0, 9.0], [2.0, 7.0, 1.0], [9.0, 3.0, 5.0]]
    args = np.array([1.1, 1.3]), np.array([0.9, 1.2, 1.7]), np.array([0.4, 0.6])
    found = gradgen.grad(three_diagonals, which)(*args, seed=seed)
    np.testing.assert_array_equal(found, want)
