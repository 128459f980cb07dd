"""Held arguments of whole numbers: what goes into their dtype is refused, the rest right."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

KINDS = {
    "int": lambda: np.array([1, 2, 3]),
    "int32": lambda: np.array([1, 2, 3], np.int32),
    "bool": lambda: np.array([True, False, True]),
    "list": lambda: [1, 2, 3],
}
HELD = pytest.mark.parametrize("kind", KINDS)
FACTS = pytest.mark.parametrize("facts", [{}, {"x": "n", "k": "n"}], ids=["none", "n"])


def of(lines, tmp_path):
    body = "".join(f"    {line}\n" for line in lines.split("|"))
    return written(f"def f(x, k):\n{body}    return np.sum(r * 1.5)\n", tmp_path)


@HELD
@FACTS
@pytest.mark.parametrize(
    "lines",
    [
        "r = np.full_like(k, x[0])",
        "r = np.zeros_like(k)|r[0] = x[0]",
        "r = np.ones_like(k)|for i in range(3):|    r[i] = x[i] * 2",
        "r = np.array(k)|r[1:] = x[1:]",
        "r = np.sort(k)|np.add.at(r, [0, 1], x[0])",
        "r = np.where(np.asarray(k) > 1, 1, 0)|r[0] = x[0]",
        "r = np.concatenate([k, k])|v = r[1:]|v[0] = x[0]",
        "r = np.pad(k, 1, constant_values=x[0])",
        "r = np.insert(k, 0, x[0])",
        "r = x.astype(np.asarray(k).dtype)",
        "r = np.zeros(len(k), np.asarray(k).dtype)|r[:] = x",
    ],
)
def test_what_goes_into_whole_numbers_is_refused(lines, facts, kind, tmp_path):
    with pytest.raises(gradgen.GradgenError, match="GG309|GG302"):
        gradgen.grad(of(lines, tmp_path), shapes=facts)(np.ones(3), KINDS[kind]())


@FACTS
@pytest.mark.parametrize("kind", [*KINDS, "float"])
@pytest.mark.parametrize(
    "lines",
    [
        "r = np.asarray(k) * x",
        "r = np.full_like(k, 2) * x[0]",
        "r = np.asarray(k) * 1.0|r[0] = x[0]",
        "r = np.zeros_like(k, dtype=float)|r[1:] = x[1:]",
        "r = np.append(k, x[0]) * x[1]",
        "r = np.where(np.asarray(k) > 1, x, k)",
    ],
)
def test_what_is_made_floats_of_them_is_right(lines, kind, facts, tmp_path):
    function, x = of(lines, tmp_path), np.array([0.7, 1.3, -2.6])
    held = KINDS.get(kind, lambda: np.array([1.0, 2.0, 3.0]))
    want = numeric_gradient(lambda x: function(x, held()), [x], 0, 1.0)
    found = gradgen.grad(function, shapes=facts)(x, held())
    np.testing.assert_allclose(found, want.value, atol=1e-7)


def alone(function):
    """The function of a text that nothing was told for, executed by itself."""
    names = {}
    exec(gradgen.emit(function, wrt="x"), names)
    return names["grad_f"]


@pytest.mark.parametrize("kind", ["int", "int32", "bool", "list", "float"])
@pytest.mark.parametrize(
    "lines",
    [
        "r = np.full_like(k, x[0])",
        "r = np.zeros_like(k)|r[0] = x[0]",
        "r = np.array([x[0], x[1]], dtype=np.asarray(k).dtype)",
        "r = np.zeros(3, np.result_type(np.asarray(k)))|r[:] = x",
        "r = np.cumsum(x, dtype=np.asarray(k).dtype)",
        "r = np.asarray(k) * 2|for i in range(3):|    r[i] = x[i] * 2",
        "r = np.full(3, x[0], type(np.asarray(k)[0]))",
    ],
)
def test_a_text_alone_looks_at_what_it_stores_in(lines, kind, tmp_path):
    function, x = of(lines, tmp_path), np.array([0.7, 1.3, -2.6])
    held = KINDS.get(kind, lambda: np.array([1.0, 2.0, 3.0]))
    if kind == "float":
        want = numeric_gradient(lambda x: function(x, held()), [x], 0, 1.0)
        np.testing.assert_allclose(alone(function)(x, held()), want.value, atol=1e-7)
        return
    with pytest.raises(ValueError, match="k is taken for floats, and holds integers"):
        alone(function)(x, held())


def test_integers_that_meet_floats_are_no_reason_to_raise(tmp_path):
    lines = "r = np.asarray(k) + np.asarray(m)|r[0] = x[0]"
    body = "".join(f"    {line}\n" for line in lines.split("|"))
    source = f"def f(x, k, m):\n{body}    return np.sum(r * 1.5)\n"
    gradient, x = alone(written(source, tmp_path)), np.array([0.7, 1.3, -2.6])
    whole, floats = np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0])
    for k, m in ((whole, floats), (floats, whole), (floats, floats)):
        np.testing.assert_allclose(gradient(x, k, m), [1.5, 0, 0])
    with pytest.raises(ValueError, match="k or m is taken for floats"):
        gradient(x, whole, whole)


@pytest.mark.parametrize("dtype", ["int", "'i8'", "np.int32"])
def test_an_argument_that_is_a_dtype_of_integers(dtype, tmp_path):
    source = f"def f(x, k={dtype}):\n    r = np.zeros(3, k)\n    r[:] = x\n    return np.sum(r)\n"
    function = written(source, tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG309|GG501"):
        gradgen.grad(function)(np.ones(3))
    with pytest.raises(gradgen.GradgenError, match="GG309|GG501"):
        gradgen.emit(function)


@pytest.mark.parametrize("values", ["(1, 2, 3)", "[1, 2, 3]", "np.array([1, 2, 3])"])
@pytest.mark.parametrize(
    "lines",
    [
        "r = np.full_like(np.sort(K), x[0])",
        "r = np.cumsum(K)|r[0] = x[0]",
        "r = np.asarray(K)|r[0] = x[0]",
        "r = np.pad(np.flip(K), 1, constant_values=x[0])",
        "r = np.array([x[0], x[1]], dtype=np.sort(K).dtype)",
    ],
)
def test_whole_numbers_of_the_module(lines, values, tmp_path):
    body = "".join(f"    {line}\n" for line in lines.split("|"))
    source = f"K = {values}\n\n\ndef f(x):\n{body}    return np.sum(r * 1.5)\n"
    with pytest.raises(gradgen.GradgenError, match="GG309|GG2"):
        gradgen.grad(written(source, tmp_path))(np.array([0.7, 1.3, -2.6]))


@pytest.mark.parametrize("held", [(1, 2, 3), [1, 2, 3], np.array([1, 2, 3])])
def test_whole_numbers_in_an_argument_of_a_call(held, tmp_path):
    source = "def f(x, k):\n    return np.full_like(np.sort(k), x[0])[0] * 2.0\n"
    gradient = gradgen.grad(written(source, tmp_path))
    with pytest.raises(gradgen.GradgenError, match="GG309"):
        gradient(np.array([0.7, 1.3]), held)
    found = gradient(np.array([0.7, 1.3]), (1.0, 2, 3))
    np.testing.assert_array_equal(found, [2.0, 0.0])


def test_an_argument_whose_rank_is_assumed_is_looked_at_as_well(tmp_path):
    lines = "r = np.pad(np.sort(k), 1, constant_values=x[0])"
    function, x = of(lines, tmp_path), np.array([0.7, 1.3, -2.6])
    with pytest.raises(ValueError, match="k is taken for floats, and holds integers"):
        alone(function)(x, np.array([1, 2, 3]))
