"""What a function asks of its arguments, which a text asks as well or looks at."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

W = np.array([1.0, 2.0])
NUMBERS = [
    np.array([3, 4]),
    np.array([3.0, 4.0]),
    np.array([3, 4], np.uint8),
    np.array([3, 4], np.float32),
]


def doubled_integers(w, x):
    if x.dtype == int:
        return np.sum(w * x) * 2
    return np.sum(w * x)


def images(w, x):
    if x.dtype == np.uint8:
        x = x / 255.0
    return np.sum(w * x)


def by_kind(w, x):
    if np.issubdtype(x.dtype, np.integer):
        return np.sum(w * x) * 2
    return np.sum(w * x)


def in_rounds(w, x):
    for _ in range(2):
        if x.dtype in (np.int64, np.float32):
            w = w * 2
    return np.sum(w * x)


def by_name(w, x):
    if x.dtype.name == "int64" or np.can_cast(x.dtype, np.uint8):
        w = w * 3
    return np.sum(w * x)


def is_right(function, found, x):
    want = numeric_gradient(lambda w: function(w, x), [W], 0).value
    np.testing.assert_allclose(found(W, x), want, rtol=1e-6)


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("f", [doubled_integers, images, by_kind, in_rounds, by_name])
def test_dtypes(f, told):
    """The way back asks as the function does, and not of a dtype of floats."""
    space: dict = {}
    asked = {"example": (W, NUMBERS[1])} if told else {}
    exec(gradgen.emit(f, wrt="w", **asked), space)
    for x in NUMBERS:
        is_right(f, gradgen.grad(f, wrt="w"), x)
        is_right(f, space[f"grad_{f.__name__}"], x)


def test_another_dtype_object_is_refused():
    def f(x):
        return np.sum(x) if x.dtype is np.dtype(float) else np.sum(x**2)

    with pytest.raises(gradgen.GradgenError, match="GG211(.|\n)*x.dtype == "):
        gradgen.grad(f)(W)


def of_lists(x, t):
    if isinstance(t, (list, tuple)):
        x = 2.0 * x
    return np.sum(x**2) * t[0]


def of_attributes(x, t):
    return np.sum(x**2) * t[0] * (2.0 if hasattr(t, "shape") else 1.0)


def of_types(x, t):
    if type(t) is list:
        x = 3.0 * x
    return np.sum(x**2) * t[0]


@pytest.mark.parametrize("f", [of_lists, of_attributes, of_types])
@pytest.mark.parametrize("told", [False, True])
def test_kinds(f, told):
    """A text is right for what it takes an argument for, and raises for others."""
    space: dict = {}
    asked = {"example": (W, NUMBERS[1])} if told else {}
    exec(gradgen.emit(f, **asked), space)
    is_right(f, space[f"grad_{f.__name__}"], NUMBERS[1])
    with pytest.raises(ValueError, match="t is taken for an array"):
        space[f"grad_{f.__name__}"](W, [3.0, 4.0])
    is_right(f, gradgen.grad(f), [3.0, 4.0])


def asked_for_a_key(x, t):
    return np.sum(x**2) * (3.0 if "k" in t else 1.0)


def with_a_default(x, t):
    return np.sum(x**2) * t.get("k", 1.0)


def gone_over(x, t):
    for _ in t:
        x = x * 1.5
    return np.sum(x**2)


def truth(x, t):
    return np.sum(x**2) if t else np.sum(x)


FULL, EMPTY = {"k": 3.0}, {}
CASES = [
    (asked_for_a_key, EMPTY, FULL),
    (asked_for_a_key, FULL, EMPTY),
    (with_a_default, EMPTY, FULL),
    (gone_over, EMPTY, FULL),
    (gone_over, FULL, {"k": 3.0, "j": 1.0}),
    (truth, EMPTY, FULL),
    (truth, FULL, EMPTY),
    (gone_over, [W, W], [W]),
    (gone_over, [W], [W, W, W]),
]


@pytest.mark.parametrize(("f", "told", "other"), CASES)
def test_other_keys_and_lengths(f, told, other):
    space: dict = {}
    exec(gradgen.emit(f, example=(W, told)), space)
    found = space[f"grad_{f.__name__}"]
    is_right(f, found, told)
    with pytest.raises(ValueError, match=r"^t (is empty|has)|to unpack"):
        found(W, other)
    is_right(f, gradgen.grad(f), other)


def joined(x, t):
    return np.sum(x**2) * sum(v**2 for v in t + t)


def test_lists_of_an_example_are_run_as_arrays():
    with pytest.raises(gradgen.GradgenError, match="GG511 the example's t is a list"):
        gradgen.emit(joined, example=(W, [1.0, 2.0]))
    space: dict = {}
    exec(gradgen.emit(joined, example=(W, np.array([1.0, 2.0]))), space)
    is_right(joined, space["grad_joined"], np.array([1.0, 2.0]))


def said(x, t):
    print(f"{t}", t, file=None)
    return np.sum(x * t["k"])


def test_a_dictionary_is_no_array(capsys):
    space: dict = {}
    exec(gradgen.emit(said, example=(W, FULL)), space)
    space["grad_said"](W, FULL)
    assert capsys.readouterr().out == "{'k': 3.0} {'k': 3.0}\n"

    def f(x, t):
        return np.sum(x) * np.asarray(t).size

    with pytest.raises(
        gradgen.GradgenError, match="GG214 a dictionary is not an array"
    ):
        gradgen.emit(f, example=(W, FULL))
