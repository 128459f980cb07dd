"""Options of the wrong type or value: a refusal that names the option."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError


def product(a, b):
    return np.sum(a * b)


def loss(x, y=2.0):
    return np.sum(x * x) * y


X = np.array([1.0, 2.0])
MODES = ["grad", "value_and_grad", "vjp", "jvp", "hvp", "jacobian", "emit"]
WRT = [
    1.0,
    1j,
    {"x"},
    {"x", "y"},
    b"x",
    True,
    (0, True),
    {"x": 1},
    object(),
    np.ones(1),
]
WRT += [
    (None,),
    ("x", None),
    ("x", ("y",)),
    (1.0,),
    "",
    "x y",
    "z",
    -7,
    5,
    (),
    ("x", 0),
]


@pytest.mark.parametrize("wrt", WRT, ids=lambda w: type(w).__name__)
@pytest.mark.parametrize("mode", MODES)
def test_wrt(mode, wrt):
    with pytest.raises(GradgenError, match="GG00[2567]") as error:
        getattr(gradgen, mode)(loss, wrt).source
    assert error.value.advice and " at 0x" not in str(error.value)


@pytest.mark.parametrize("wrt", [np.int64(0), [0], "x", ("x",), None, range(1)])
def test_wrt_that_is_fine(wrt):
    found = gradgen.grad(loss, wrt)(X)
    is_several = isinstance(wrt, (list, tuple, range))
    assert np.array_equal(found[0] if is_several else found, 4 * X)


def test_a_string_of_several_is_answered_with_the_tuple():
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(product, "a, b")
    assert caught.value.advice == "wrt=('a', 'b')"
    d_a, d_b = gradgen.grad(product, ("a", "b"))(X, 2 * X)
    assert np.array_equal(d_a, 2 * X) and np.array_equal(d_b, X)


@pytest.mark.parametrize("option", ["complex", "stop", "of"])
@pytest.mark.parametrize("value", [(0,), 0, None, ("x", None), 1.0, True, b"x", [[]]])
def test_names(option, value):
    with pytest.raises(GradgenError, match=f"GG002 {option}="):
        gradgen.grad(loss, **{option: value}).source


FACTS = [5, "n", ["n"], {5: "n"}, {None: "n"}, {"x": 5}, {"x": 1.5}, {"x": object()}]
FACTS += [{"x": {1, 2}}, {"x": b"n"}, {"x": np.float64}, {"z": "n"}]


@pytest.mark.parametrize("shapes", FACTS)
def test_shapes(shapes):
    with pytest.raises(GradgenError, match="GG40[24]") as error:
        gradgen.grad(loss, shapes=shapes).source
    assert error.value.advice


@pytest.mark.parametrize("example", [X, 5, "ab", {"x": X}, (X, 1.0, 2.0), b"x"])
def test_example(example):
    with pytest.raises(GradgenError, match="GG015 the example"):
        gradgen.grad(loss, example=example).source


@pytest.mark.parametrize("given", ["no", 1, 0, 1.0, [], object()])
@pytest.mark.parametrize("option", ["strict", "stable", "fast", "has_aux"])
def test_what_is_neither_true_nor_false(option, given):
    with pytest.raises(GradgenError, match=f"GG037 {option}=") as error:
        gradgen.grad(loss, **{option: given})
    assert error.value.advice == f"{option}=True"


def test_flags_of_numpys():
    assert gradgen.emit(loss, value=np.True_) == gradgen.emit(loss, value=True)


@pytest.mark.parametrize("fact", [(2,), X.shape, [2, 3], {"a": (2, 3)}, (np.int64(2),)])
def test_lengths_that_are_no_text(fact):
    with pytest.raises(GradgenError, match="GG402 the fact") as error:
        gradgen.grad(loss, shapes={"x": fact})
    assert '"2' in error.value.advice or '"3' in error.value.advice


@pytest.mark.parametrize("guard", ["a", [1], -1.0, float("nan"), 1j, 10**400])
def test_guard(guard):
    with pytest.raises(GradgenError, match="GG023 guard="):
        gradgen.grad(loss, guard=guard).source
