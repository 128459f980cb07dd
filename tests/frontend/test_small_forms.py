"""Forms that once were read as others: starts of sums, orders of entries, counts as keys."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.4, 0.9, -0.31, 1.3])
STARTS = (
    "sum((v * v for v in x), start=x[0])",
    "sum([x[0], x[1]], start=2.0 * x[2])",
    "sum(map(np.sin, x), start=x[1])",
    "sum(x, start=x[3])",
    "sum([[x[0]], [x[1]]], start=[x[2]])[0] * x[1]",
)
ORDERS = (
    "np.ravel(x.reshape(2, 2), order='F')[1]",
    "x.reshape(2, 2).flatten('F')[1] * x[0]",
    "np.reshape(np.reshape(x, (2, 2)), 4, order='F')[1]",
    "np.reshape(np.reshape(x, (2, 2), order='F'), 4, order='F')[1]",
    "np.reshape(np.ravel(np.reshape(x, (2, 2), order='F'), 'F'), (2, 2))[0, 1]",
    "np.sum(np.reshape(np.reshape(np.sin(x), (2, 2), 'F'), 4) * x)",
)
COUNTS = (
    "x[(x[1] > 5) * 1]",
    "x[1 * (x[1] > 5)] * x[(x[0] > 0) + 0]",
    "x[(x > 0.5) * 1].sum()",
    "np.outer(x, x)[(x > 0.5) * 1, (x > 0) * 1].sum()",
    "np.take(x, (x > 0.5) * 1).sum()",
    "x[(x > 0.5) * 1 * 1] @ x",
)


@pytest.mark.parametrize("form", STARTS + ORDERS + COUNTS)
def test_a_form_is_read_as_it_is(form):
    text = f"import numpy as np\n\n\ndef f(x):\n    return {form}\n"
    function = imported(text, "f")
    want = numeric_gradient(function, [X.copy()], 0)
    got = gradgen.grad(function)(X.copy())
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "entries", ("x, 3.0", "x, x[1:]", "x, x[None], x[0]", "2.0, x")
)
@pytest.mark.parametrize(
    "use", ("np.sum({v} ** 2)", "np.size({v}) * x[0]", "{v} @ {v}")
)
def test_entries_of_several_shapes_by_a_key_that_the_data_tell(entries, use):
    value = use.format(v=f"[{entries}][int(x[1] < 0)]")
    text = f"import numpy as np\n\n\ndef f(x):\n    return {value}\n"
    function = imported(text, "f")
    space: dict = {}
    exec(gradgen.emit(function), space)
    for x in (X.copy(), np.where(np.arange(len(X)) == 1, -X, X)):
        if "@" in use and np.ndim(eval(f"[{entries}][int(x[1] < 0)]")) != 1:
            continue  # no operand of a product
        want = numeric_gradient(function, [x], 0).value
        for gradient in (gradgen.grad(function), space["grad_f"]):
            found = gradient(x)
            assert found.shape == x.shape and found.dtype == x.dtype
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "body",
    (
        "if w is None:\n        return np.mean(x ** 2)\n    return np.sum(w * x ** 2)",
        "w = np.ones(4) if w is None else w\n    return np.sum(w * x)",
        "return np.sum(x * (1.0 if w is None else w))",
    ),
)
def test_a_derivative_in_what_is_none_says_so(body):
    text = f"import numpy as np\n\n\ndef f(x, w=None):\n    {body}\n"
    function = imported(text, "f")
    space: dict = {}
    exec(gradgen.emit(function, wrt="w"), space)
    with pytest.raises(ValueError, match="that are None have no gradient here"):
        space["grad_f"](X)
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(function, wrt="w")(X)
    got = gradgen.grad(function, wrt="w")(X, X + 1)
    want = numeric_gradient(function, [X, X + 1], 1)
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


LISTS = (
    "v = [0, 0, 0]\n    for i in range(3):\n        v[i] = x[i] * 2\n    return v[0] + v[1] * v[2]",
    "v = [0] * 5\n    for i in range(4):\n        v[i + 1] = v[i] * 0.5 + x[i] ** 2\n"
    "    return v[-1] * v[2]",
    "v = [0] * 3\n    for e in x:\n        v[int(abs(e) * 2)] += e\n    return v[0] * v[1] + v[2]",
    "v = [1] + [0] * len(x)\n    for i in range(len(x)):\n"
    "        v[i + 1] = v[i] * x[i]\n    return sum(v) + np.sum(np.array(v[1:]) * x)",
)


@pytest.mark.parametrize("body", LISTS)
def test_lists_of_integers_hold_what_they_are_given(body):
    function = imported(f"import numpy as np\n\n\ndef f(x):\n    {body}\n", "f")
    want = numeric_gradient(function, [X.copy()], 0)
    got = gradgen.grad(function)(X.copy())
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


def test_an_array_of_such_a_list_may_be_one_of_integers():
    text = (
        "import numpy as np\n\n\ndef f(x):\n    v = [0] * 4\n    for i in range(4):\n"
        "        if x[i] > 5:\n            v[i] = x[i] ** 2\n    a = np.array(v)\n"
        "    a[0] = x[0]\n    return np.sum(a * x)\n"
    )
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(imported(text, "f"))(X.copy())
    assert caught.value.code == "GG309"
