"""Entries of lists by keys that are not known: what changes one of them is seen in the list."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.4, 0.9, 0.31])
LISTS = ("[a, 2 * x]", "(a, 2 * x)", "[a, 2 * x, a]", "[[a, x], [2 * x, a]][k]")
CHANGES = {
    "entry": "items[k][0] = 3 * x[1]",
    "whole": "items[k][:] = x * x",
    "part": "items[k][1:] += x[0]",
    "sort": "items[k].sort()",
    "fill": "items[k].fill(x[0])",
    "out": "np.multiply(items[k], x, out=items[k])",
    "at": "np.add.at(items[k], [0, 0], x[:2])",
    "copyto": "np.copyto(items[k], x * x)",
    "called": "tripled(items[k])",
    "turned": "items[k].T[0] = x[1] ** 2",
    "named": "v = items[k]\n    v *= x",
    "named_entry": "v = items[k]\n    v[0] = x[1] * x[2]",
    "later": "v = items[k]\n    a *= 2\n    x = x * v",
}
READS = {
    "entry": "items[k][0] * x[1]",
    "sum": "np.sum(items[k] * x)",
    "named": "(lambda v: np.sum(v * v))(items[k])",
    "copied": "np.sum((items[k].copy() + items[0]) ** 2)",
    "negative": "np.sum(items[-k] * items[k])",
}
HEAD = "import numpy as np\n\n\ndef tripled(v):\n    v *= 3\n\n\n"
END = "np.sum(a * a * np.array([1.0, 2.0, 3.0])) + np.sum(x * x)"


def made(items, change, result, key="int(np.argmax(x)) % 2", argument=""):
    """The function that makes a list, changes it, and returns a result."""
    lines = [
        "a = np.sin(x)",
        f"k = {key}",
        f"items = {items}",
        change,
        f"return {result}",
    ]
    body = "".join(f"    {line}\n" for line in lines)
    return imported(f"{HEAD}def f(x{argument}):\n{body}", "f")


def agrees(function, *more):
    """The gradient of a function is that which differences have."""
    want = numeric_gradient(function, [X.copy(), *more], 0)
    got = gradgen.grad(function)(X.copy(), *more)
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("items", LISTS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_through_a_key_that_the_data_tell_is_refused(items, change):
    function = made(items, CHANGES[change], END)
    function(X.copy())  # Python runs it
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(function)(X.copy())
    assert caught.value.code in ("GG220", "GG231", "GG232")


@pytest.mark.parametrize("items", LISTS[:3])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_through_a_key_that_is_an_argument_is_taken(items, change):
    agrees(made(items, CHANGES[change], END, "n % 2", ", n"), 3)


@pytest.mark.parametrize("items", LISTS[:3])
@pytest.mark.parametrize("read", READS)
def test_an_entry_that_nothing_changes_is_read(items, read):
    agrees(made(items, "x = x * 1.5", READS[read]))


def test_a_copy_of_an_entry_is_changed():
    change = "v = items[k].copy()\n    v[0] = x[1] * x[2]"
    agrees(made("[a, 2 * x]", change, "np.sum(v * v) + np.sum(items[k] * x)"))


def test_numbers_by_an_unknown_key_are_bound_anew():
    change = "v = items[k]\n    v += x[2]"
    agrees(made("[x[0], x[1] * 2]", change, "v * v + items[0] * items[1]"))
