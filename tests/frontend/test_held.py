"""Constants around a function: numbers of NumPy's, dtypes, containers, arrays."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

HEAD = "import numpy as np\n"
X = np.array([0.4, 1.1, 1.7])

PROGRAMS = {
    "float32 meets both dtypes": "K = np.float32(0.3)\ndef f(x): return K * x + x / K",
    "float32 with a sign": "K = np.float32(0.3)\ndef f(x): return np.exp(-K * x) - K",
    "float16": "K = np.float16(1.5)\ndef f(x): return x ** K * K",
    "int64 is float64 of float32": "K = np.int64(3)\ndef f(x): return K * x",
    "int64 as a count": "K = np.int64(3)\n"
    "def f(x): return sum([x * i for i in range(K)]) + x[K - 1]",
    "uint8": "K = np.uint8(2)\ndef f(x): return np.tile(x, K)[:3] * K",
    "a flag": "K = np.bool_(True)\ndef f(x): return x * 2 if K else x",
    "a type": "K = np.float32\ndef f(x): return x.astype(K) * 2",
    "a dtype": "K = np.dtype('f4')\ndef f(x): return np.zeros(3, dtype=K) + x",
    "a list": "K = [0.5, 2.0]\ndef f(x): return sum([k * x for k in K]) * K[1]",
    "pairs": "K = ((0.5, 1), (2.0, 0))\n"
    "def f(x): return sum([a * x ** b for a, b in K])",
    "a tuple in a loop": "K = (0.5, 2.0)\ndef f(x):\n    t = 0.0\n"
    "    for k in K:\n        t = t + k * x\n    return t",
    "a dict": "K = {'a': 0.5, 'b': np.float32(2)}\n"
    "def f(x): return K['a'] * x + K.get('b', 1.0) * np.sum(list(K.values())) * x",
    "a dict in a dict": "K = {'a': {'b': np.float64(0.5)}, 'c': [1.0, 2.0]}\n"
    "def f(x): return K['a']['b'] * x + K['c'][1]",
    "a slice": "K = slice(0, 2)\ndef f(x): return x[K] * 2",
    "arrays in a list": "K = [np.ones(3), 2 * np.ones(3)]\n"
    "def f(x): return sum([k * x for k in K])",
    "a class": "class C:\n    K = np.float32(0.3)\n    N = 2\n"
    "def f(x): return C.K * x + C.N",
    "an inherited one": "class B:\n    K = [0.5, 1.5]\nclass C(B):\n    pass\n"
    "def f(x): return C.K[1] * x",
    "a namespace": "import types\nC = types.SimpleNamespace(K=0.5, n={'a': 2.0})\n"
    "def f(x): return C.K * x + C.n['a']",
    "a NamedTuple": "from typing import NamedTuple\nclass P(NamedTuple):\n"
    "    a: float\n    b: object\nK = P(0.5, np.float32(2))\n"
    "def f(x): return K.a * x + K.b",
    "a dataclass": "import dataclasses\n@dataclasses.dataclass\nclass P:\n"
    "    a: float = 0.5\nK = P()\ndef f(x): return K.a * x",
    "a closure": "def make(K):\n    def f(x): return K[0] * x + K[1]\n    return f\n"
    "f = make((np.float32(0.5), [2.0][0]))",
    "defaults of a callee": "def h(x, k=np.float32(0.5), t=np.float64, r=[0.5, 2.0]):\n"
    "    return k * x.astype(t) + r[1]\ndef f(x): return h(x)",
    "partial": "import functools\ndef h(x, t): return x.astype(t) * 2\n"
    "g = functools.partial(h, t=np.float32)\ndef f(x): return g(x)",
}


def function_of(text):
    return imported(f"{HEAD}{text}\n", "f")


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_constant(name, dtype):
    function, x = function_of(PROGRAMS[name]), X.astype(dtype)
    want = function(x)
    value, gradient = gradgen.value_and_grad(function)(x)
    assert value.dtype == want.dtype and value.tobytes() == want.tobytes()
    seed = np.ones(np.shape(want))
    measured = numeric_gradient(function, [X], 0, seed).value
    loose = 1e-2 if "32" in PROGRAMS[name] or "f4" in PROGRAMS[name] else 1e-6
    loose = 1e-2 if dtype is np.float32 else loose
    assert gradient.dtype == dtype
    np.testing.assert_allclose(gradient, measured, rtol=loose, atol=loose)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_stands_alone(name):
    function = function_of(PROGRAMS[name])
    text = gradgen.emit(function, shapes={"x": "3"})
    assert text == gradgen.emit(function, shapes={"x": "3"})
    names: dict = {}
    exec(compile(text, "<alone>", "exec"), names)
    seed = np.full(np.shape(function(X)), 0.7)
    want = gradgen.grad(function)(X, seed=seed)
    np.testing.assert_allclose(names["grad_f"](X, seed), want, rtol=1e-6)


@pytest.mark.parametrize(
    "text, change",
    [
        ("K = np.float32(0.5)\ndef f(x): return K * x", "K = np.float32(2)"),
        ("K = [0.5]\ndef f(x): return K[0] * x", "K[0] = 2.0"),
        ("K = {'a': [0.5]}\ndef f(x): return K['a'][0] * x", "K['a'][0] = 2.0"),
        ("class C:\n    K = 0.5\ndef f(x): return C.K * x", "C.K = 2.0"),
        ("class B:\n    K = 0.5\nclass C(B): pass\ndef f(x): return C.K * x", "C.K = 2.0"),
        ("import types\nC = types.SimpleNamespace(K=0.5)\ndef f(x): return C.K * x",)
        + ("C.K = 2.0",),
        ("K = np.random.rand(3)\ndef f(x): return K * x", "K *= 2.0"),
        ("K = [np.random.rand(3)]\ndef f(x): return K[0] * x", "K[0][1] = 7.0"),
    ],
)  # fmt: skip
def test_a_constant_that_changes(text, change):
    function = function_of(text)
    gradient = gradgen.grad(function)
    for _ in range(2):
        for _ in range(3):
            want = numeric_gradient(function, [X], 0, np.ones(3)).value
            np.testing.assert_allclose(gradient(X), want, rtol=1e-7)
        exec(change, function.__globals__)


def test_what_no_line_makes_is_not_written_into_a_text():
    for text in (
        "K = np.random.rand(3)\ndef f(x): return K * x",
        "K = [np.random.rand(3)]\ndef f(x): return K[0] * x",
        "K = np.ones(3)\nK[0] = 5\ndef f(x): return K * x",
    ):
        with pytest.raises(gradgen.GradgenError, match="GG211"):
            gradgen.emit(function_of(text))


def test_a_container_of_the_module_is_not_changed():
    for change in ("K.append(x)", "c = K\n    c.append(x)", "K['a'] = x"):
        value = "{'a': 1.0}" if "'a'" in change else "[1.0]"
        text = f"K = {value}\ndef f(x):\n    {change}\n    return x * 2"
        with pytest.raises(gradgen.GradgenError):
            gradgen.emit(function_of(text))


def test_other_libraries_have_no_numbers_of_numpys():
    function = function_of("K = np.float32(0.5)\ndef f(x): return K * x")
    with pytest.raises(gradgen.GradgenError, match="GG702 K is a number of NumPy's"):
        gradgen.emit(function, value=True, target="cupy")


def test_what_is_no_constant_is_refused():
    for value in ("object()", "[object()]", "{'a': object()}", "[0.0] * 101"):
        with pytest.raises(gradgen.GradgenError, match="GG211"):
            gradgen.emit(function_of(f"K = {value}\ndef f(x): return x * len(K)"))
