"""max, min and sorted by a key, of ranges, arrays, lists and pairs."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.4, 0.9, -0.31, 1.3])
FORMS = (
    "i = max(range(len(x)), key=lambda i: x[i])\n    return x[i] ** 2 * (i + 1)",
    "i = min(range(1, len(x)), key=lambda i: x[i] * i)\n    return x[i] ** 2 * i",
    "i = max(range(len(x) - 1, -1, -2), key=lambda i: -x[i])\n    return x[i] * i",
    "return max(x, key=lambda v: v * v) * min(x, key=abs)",
    "rows = np.outer(x, x)\n    r = max(rows, key=np.sum)\n    return r @ x",
    "o = sorted(range(len(x)), key=lambda i: x[i])\n"
    "    return sum(r * x[i] ** 2 for r, i in enumerate(o)) + x[o[0]] * len(o)",
    "o = sorted(range(1, len(x)), key=lambda i: -x[i], reverse=True)\n"
    "    return sum(x[i] * (k + 1) for k, i in enumerate(o))",
    "s = sorted(x, key=lambda v: (v - 0.5) ** 2)\n    return s[0] * 3 + s[-1] * s[1]",
    "p = sorted([(x[0], x[1]), (x[2], x[3])], key=lambda p: p[0])\n"
    "    return p[0][1] * 2 + p[1][0] * 3",
    "p = sorted([(x[0], x[1], 1.0), (x[2], x[3], 2.0)], key=lambda p: p[1] * p[2],\n"
    "        reverse=True)\n    return sum(a * b * k for a, b, k in p) + p[0][0]",
    "o = sorted([2, 0, 1], key=lambda i: x[i])\n    return x[o[0]] * 2 + x[o[1]] * o[2]",
    "v = []\n    for e in x:\n        v.append(e * 2)\n"
    "    return max(v, key=lambda e: -e) + sorted(v, key=abs)[1] * x[0]",
)


@pytest.mark.parametrize("form", FORMS)
def test_by_a_key(form):
    function = imported(f"import numpy as np\n\n\ndef f(x):\n    {form}\n", "f")
    want = numeric_gradient(function, [X.copy()], 0)
    got = gradgen.grad(function)(X.copy())
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


def test_of_equal_keys_the_first_counts():
    text = (
        "def f(x):\n    i = max(range(len(x)), key=lambda i: i // 2)\n"
        "    o = sorted(range(len(x)), key=lambda i: -(i // 2), reverse=True)\n"
        "    return x[i] * 2 + x[o[0]] * 3 + x[o[2]] * 5\n"
    )
    got = gradgen.grad(imported(text, "f"))(X.copy())
    np.testing.assert_array_equal(got, [3.0, 0.0, 7.0, 0.0])


def test_nothing_has_no_largest():
    text = "def f(x):\n    return x[max(range(len(x) - 4), key=lambda i: x[i])]\n"
    with pytest.raises(ValueError):
        gradgen.grad(imported(text, "f"))(X.copy())


def changed_by_the_key(x):
    y = x * 1.0

    def k(v):
        y[0] *= 1.25
        return -v

    return max(y, key=k) * 2


def changed_through_a_view(x):
    y = x * 1.0
    z = y[1:]

    def k(v):
        y[1] *= 1.25
        return -v

    return sorted(z, key=k)[0] * 2


def changed_by_a_name(x):
    y, n = x * 1.0, 0

    def k(v):
        nonlocal y
        y = y * 1.25
        return v

    return min(y, key=k) * 2 + n


def with_a_range(x):
    y = x * 1.0

    def k(i):
        y[0] *= 1.25
        return y[i]

    return y[max(range(3), key=k)] * 2


@pytest.mark.parametrize(
    "function",
    [changed_by_the_key, changed_through_a_view, changed_by_a_name],
    ids=lambda f: f.__name__,
)
def test_a_key_that_changes_the_items_is_refused(function):
    with pytest.raises(gradgen.GradgenError, match="GG268"):
        gradgen.grad(function)(np.array([1.3, 0.4, 2.2]))
    with pytest.raises(gradgen.GradgenError, match="GG268"):
        gradgen.emit(function, shapes={"x": "n"})


@pytest.mark.parametrize("first", [0.5, 1.3, 2.5])
def test_a_key_that_changes_what_a_range_reads(first):
    x = np.array([first, 0.4, 2.2])
    want = numeric_gradient(with_a_range, [x], 0).value
    found = gradgen.grad(with_a_range)(x)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
