"""NumPy's numbers that are constants: what a function asks of their type, and overflow."""

import warnings

import numpy as np
import pytest

import gradgen

X = np.array([0.5, 1.5])
TESTS = (
    "FLAG is True",
    "FLAG is np.True_",
    "isinstance(WHOLE, int)",
    "isinstance(WHOLE, np.integer)",
    "type(WHOLE) == int",
    "type(FLOAT) is float",
    "isinstance(SINGLE, float)",
    "isinstance(FLOAT, float)",
    "isinstance(SINGLE, np.floating)",
    "hasattr(FLOAT, 'dtype')",
    "hasattr(WHOLE, 'shape')",
    "isinstance(FLAG, (bool, int))",
    "type(FLAG) is bool",
    "ROW[0] is True",
    "isinstance(ROW[1], int)",
    "TABLE['f'] is False",
    "isinstance(TABLE['n'], int)",
    "SPACE.f is True",
    "isinstance(SPACE.n, int)",
    "len(repr(FLOAT)) > 5",
    "not FLAG",
    "FLAG",
)
SUMS = (
    "FEW << 1",
    "FEW << np.uint8(1)",
    "sum([FEW, FEW])",
    "max(FEW, 3) + 100",
    "min([FEW, 250]) + 100",
    "FEW + 100",
    "FEW * 2",
    "~FEW",
    "-FEW",
    "abs(np.int8(-128))",
    "int(FEW) * 2",
    "np.int64(3) << 63",
    "FLAG + FLAG",
    "SINGLE / 3",
)


def written(line: str, tmp_path, monkeypatch):
    """A function of a file, whose text can be read."""
    head = "\n".join(
        [
            "import types\nimport numpy as np",
            "FLAG, WHOLE, FEW = np.True_, np.int64(3), np.uint8(200)",
            "FLOAT, SINGLE = np.float64(2.0), np.float32(2.0)",
            "ROW, TABLE = (np.True_, np.int64(2)), {'f': np.False_, 'n': np.int32(2)}",
            "SPACE = types.SimpleNamespace(f=np.True_, n=np.int64(1))",
        ]
    )
    name = f"asked_{abs(hash(line))}"
    (tmp_path / f"{name}.py").write_text(f"{head}\ndef f(x):\n    return {line}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return __import__(name).f


@pytest.mark.parametrize("test", TESTS)
def test_of_their_types(test, tmp_path, monkeypatch):
    line = f"np.sum(x * 2) if {test} else np.sum(x**2)"
    f = written(line, tmp_path, monkeypatch)
    want = [2.0, 2.0] if f(X) == 4.0 else 2 * X
    value, gradient = gradgen.value_and_grad(f)(X)
    assert value == f(X)
    np.testing.assert_allclose(gradient, want)
    space = {}
    exec(gradgen.emit(f), space)
    np.testing.assert_allclose(space["grad_f"](X), want)


@pytest.mark.parametrize("line", SUMS)
def test_their_sums_overflow(line, tmp_path, monkeypatch):
    f = written(f"np.sum(x) * ({line})", tmp_path, monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value, gradient = gradgen.value_and_grad(f)(X)
        assert value == f(X)
        np.testing.assert_allclose(gradient, np.full(2, f(X) / 2.0), rtol=1e-6)


def of_an_option(x, k):
    return np.sum(x * 2) if k[0] is True else np.sum(x**2)


def of_a_number(x, k):
    return np.sum(x * 2) if isinstance(k["a"], int) else np.sum(x**2)


@pytest.mark.parametrize(
    "f, option",
    [
        (of_an_option, (np.True_,)),
        (of_an_option, [True]),
        (of_an_option, [np.True_]),
        (of_a_number, {"a": np.int64(1)}),
        (of_a_number, {"a": 1}),
        (of_a_number, {"a": np.True_}),
    ],
)
def test_in_options(f, option):
    value, gradient = gradgen.value_and_grad(f)(X, option)
    assert value == f(X, option)
    np.testing.assert_allclose(gradient, [2.0, 2.0] if value == 4.0 else 2 * X)


class Held:
    def __init__(self, f, n):
        self.f, self.n = f, n


def of_fields(x, p):
    return x * 2 if p.f is True or isinstance(p.n, int) else x**2


@pytest.mark.parametrize("f, n", [(np.True_, np.int64(3)), (True, 3), (np.True_, 3)])
def test_of_what_objects_hold(f, n):
    space = {}
    exec(gradgen.emit(of_fields, wrt="x", example=(1.5, Held(f, n))), space)
    for other in (Held(np.True_, np.int64(3)), Held(True, 3), Held(np.False_, 3)):
        want = 2.0 if of_fields(1.5, other) == 3.0 else 3.0
        try:
            got = space["grad_of_fields"](1.5, other)
        except ValueError as error:
            assert "taken for" in str(error) or "settings" in str(error)
            assert (type(other.f), type(other.n)) != (type(f), type(n))
        else:
            np.testing.assert_allclose(got, want)
