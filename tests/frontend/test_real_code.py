"""What functions of published packages do that gradgen once refused, or broke on."""

import sys
import types

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

HEAD = "import numpy as np\n\n\n"
X = np.array([0.7, 1.2, 0.4, 0.9])


def function(body):
    return imported(f"{HEAD}def f(x):\n    {body}\n", "f")


def holds(f, x=X):
    """The gradient at a call and by a text alone against differences."""
    want = numeric_gradient(f, [x], 0).value
    space = {}
    exec(gradgen.emit(f), space)
    for found in (gradgen.grad(f)(x.copy()), space["grad_f"](x.copy())):
        assert found.shape == x.shape
        assert found.dtype == x.dtype
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "body",
    [
        "return np.linalg.norm([x[0], x[1] ** 2])",
        "return np.sum(np.diag((x[0], x[1], 1.0)) @ x[:3])",
        "return np.linalg.det([[x[0], x[1]], [x[2] ** 2, 3.0]])",
        "return np.sum(np.dot([[x[0], 1.0], [x[1], x[2]]], [x[0], 2.0]))",
        "v = [x[0], x[1] ** 2]\n    return np.std(v) + np.exp(v)[0]",
        "return np.sum(np.linalg.norm([x, x**2], axis=0) ** 3)",
        "return np.einsum('i,i', [x[0], x[1]], [x[2], 2.0])",
    ],
)
def test_a_list_where_an_array_is_taken(body):
    holds(function(body))


def test_a_list_of_counts_stays_a_list():
    f = function("n = len(x)\n    return np.sum(x) * np.prod((n, 2))")
    assert "np.array" not in gradgen.emit(f)


@pytest.mark.parametrize("name", ["asarray", "asanyarray", "ascontiguousarray"])
@pytest.mark.parametrize("told", ["dtype=float", "dtype=np.float64", "float"])
def test_dtypes_of_what_makes_an_array(name, told):
    holds(function(f"return np.sum(np.{name}(x, {told}) ** 2)"))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("'one ' + 'two'", "one two"),
        ("'one ' + 'two {}'.format(len(x)) + ' x' + ' y'", "one two 4 x y"),
        ("'a ' + 'b ' + f'{len(x)}' + ' c' ' d'", "a b 4 c d"),
        ("'n ' + 'is ' + str(len(x))", "n is 4"),
    ],
)
def test_messages_of_several_texts(message, said):
    f = function(f"if x[0] < 0:\n        raise ValueError({message})\n    return x @ x")
    holds(f)
    with pytest.raises(ValueError, match=f"^{said}$"):
        gradgen.grad(f)(-X)


@pytest.mark.parametrize("deep", ["pkg_gone.part", "pkg_gone.part.inner"])
@pytest.mark.parametrize("kept", [True, False])
def test_a_constant_of_a_module_that_its_package_has_deleted(deep, kept, monkeypatch):
    names = ["pkg_gone", *(["pkg_gone.part"] if deep.count(".") == 2 else []), deep]
    modules = [types.ModuleType(name) for name in names]
    modules[-1].rate = 2.5
    for name, module in zip(names, modules, strict=True):
        module.__path__ = []
        monkeypatch.setitem(sys.modules, name, module)
    for outer, inner in zip(modules, modules[1:], strict=False):
        if kept:
            setattr(outer, inner.__name__.rpartition(".")[2], inner)
    f = function("y = np.sin(x * m.rate)\n    return np.sum(y * y)")
    f.__globals__["m"] = modules[-1]
    holds(f)
    text = gradgen.emit(f)
    assert (f"{deep}.rate" in text) == kept


@pytest.mark.parametrize(
    "body",
    [
        "if isinstance(x, int | float):\n        return x\n    return np.sum(x * x)",
        "if isinstance(x, list | np.ndarray):\n        return np.sum(x**3)\n    return x",
        "if isinstance(x, (np.bool_ | bool, str)):\n        return x\n    return x @ x",
        "if type(x).__module__ == 'numpy':\n        return np.sum(x * x)\n    return x",
        "if type(x).__name__ == 'DataFrame':\n        return x.values\n    return x @ x",
    ],
)
def test_classes_that_are_asked_for(body):
    f = function(body)
    want = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X.copy()), want, rtol=1e-6)


@pytest.mark.parametrize(
    "body",
    [
        "out = ()\n    for i in range(3):\n        out = out + (x[i],)\n"
        "    return out[0] * out[2]",
        "out = (x[0],)\n    for i in range(1, 3):\n        out = (x[i],) + out\n"
        "    return out[0] * out[2] ** 2",
        "out = ()\n    for i in range(3):\n        out += (x[i] ** 2, i)\n"
        "    return out[0] * out[2] * out[5]",
        "shape = ()\n    for n in range(2):\n        shape += (len(x) // 2,)\n"
        "    return np.sum(x.reshape(shape) @ x[:2])",
    ],
)
def test_a_tuple_that_a_loop_makes_longer(body):
    holds(function(body))


@pytest.mark.parametrize(
    "body",
    [
        'y = np.einsum("ij,j->i", m.table, x)\n    y *= 3\n    return np.sum(y**2)',
        'y = np.einsum("ij,ik->jk", m.table, np.outer(x, x))\n    y[0] = 3.0\n'
        "    return np.sum(y**2)",
        'y = np.einsum("i,j->ij", x, x)\n    y += x\n    return np.sum(y**2)',
    ],
)
def test_a_product_by_einsum_is_an_array_of_its_own(body):
    f = function(body)
    f.__globals__["m"] = types.SimpleNamespace(table=np.eye(4) + 0.25)
    want = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X.copy()), want, rtol=1e-6)
