"""Texts for numba: right as Python in the test command, and compiled by it.

Compiled they are run by python -m pytest -m "libraries and numba" where it is installed,
as the extra `libraries` does it.
"""

import ast
import subprocess
import sys

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.target.numba_texts import function_of
from tests.target.texts import committed, difference, quietly
from tests.test_generated import FILES, call

REFUSED = {
    # a function that is handed back
    "cosine_loss_callback": "GG712",
    "L2_norm_callback": "GG712",
    "normalise_callback": "GG712",
    "spread_callback": "GG712",
    "gated_layer_callback": "GG712",
    "gram_schmidt": "GG712",
    "spectral_loss": "GG702",  # np.fft
    "binomial_option": "GG708",  # _unbroadcast
    "dose": "GG713",  # a call that is kept
}


def compare(name, compiled):
    for at in (0, 1):
        args, _, seed = call(name, at)
        again, _, seed = call(name, at)
        with quietly():
            want = function_of(committed(name, "numpy"))(*args, seed)
            got = function_of(committed(name, "numba"), compiled)(*again, seed)
        assert not difference(got, want, 1e-10)


@pytest.mark.parametrize("name", [name for name in FILES if name not in REFUSED])
def test_each_is_right_as_python(name):
    compare(name, compiled=False)


@pytest.mark.libraries
@pytest.mark.parametrize("name", [name for name in FILES if name not in REFUSED])
def test_each_is_right_compiled(name):
    pytest.importorskip("numba")
    compare(name, compiled=True)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_has_a_code(name):
    with pytest.raises(gradgen.GradgenError) as refusal:
        committed(name, "numba")
    assert refusal.value.code == REFUSED[name]


def stencil(u, c):
    u = u.copy()
    for _ in range(3):
        u[1:-1] = u[1:-1] + c * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def two_fields(u, v):
    for _ in range(3):
        v = v + 0.1 * np.sin(u)
        u = u * v
        u[0] = v[1]
    return np.sum(u * v)


def rows(X, w):
    shift = np.max(X, axis=1, keepdims=True)
    p = np.exp(X - shift)
    p = p / np.sum(p, axis=1, keepdims=True)
    return np.sum(np.log(np.mean(p * p, axis=0)) * w)


def letters(A, B):
    return np.sum(np.tanh(np.einsum("aij,akj->aik", A, B)) ** 2)


def triangle(L, b):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return np.sum(x * x)


def masks(x, limit):
    y = np.where(x > limit, x - limit, 0.0)
    return np.sum(y * np.clip(x, -1.0, 1.0))


def backwards(x):
    s = 0.0
    for i in reversed(range(1, len(x), 2)):
        s = np.tanh(s * x[i] + x[i - 1])
    return s


def histories(W, x):
    hs = [x]
    for t in range(4):
        hs.append(np.tanh(W @ hs[t]))
    return np.sum(np.array(hs) ** 2)


def either(x, k):
    s = 0.0
    for i in range(len(x)):
        if x[i] > k:
            s += x[i] ** 2
        else:
            s -= np.cos(x[i])
    return s


def shifted(x, y):
    z = x[1:] * y[:-1]
    w = z[1:] + z[:-1]
    return np.sum(w * x[2:])


def overlapping(x, k):
    x = x.copy()
    x[1:] += x[:-1]
    x += x[::-1]
    x *= x[::-1]
    return np.sum(x * x * k)


PROGRAMS = {
    overlapping: {"x": "n", "k": "n"},
    stencil: {"u": "n", "c": ""},
    two_fields: {"u": "n", "v": "n"},
    rows: {"X": "n d", "w": "d"},
    letters: {"A": "b n d", "B": "b m d"},
    triangle: {"L": "n n", "b": "n"},
    masks: {"x": "n", "limit": ""},
    backwards: {"x": "n"},
    histories: {"W": "n n", "x": "n"},
    either: {"x": "n", "k": ""},
    shifted: {"x": "n", "y": "n"},
}


def arguments(shapes, seed):
    rng = np.random.default_rng(seed)
    sizes = {"n": 5, "d": 3, "b": 2, "m": 4}
    drawn = []
    for fact in shapes.values():
        value = rng.uniform(0.4, 1.6, tuple(sizes[one] for one in fact.split()))
        drawn.append(value if fact else float(value))
    return drawn


def measured(function, args):
    def owned(*given):
        return function(*(a.copy() if isinstance(a, np.ndarray) else a for a in given))

    return [numeric_gradient(owned, args, at).value for at in range(len(args))]


def check(function, compiled):
    shapes = PROGRAMS[function]
    text = gradgen.emit(function, wrt=tuple(shapes), shapes=shapes, target="numba")
    args = arguments(shapes, 3)
    got = function_of(text, compiled)(*args)
    got = got if len(shapes) > 1 else (got,)
    for one, want in zip(got, measured(function, arguments(shapes, 3)), strict=True):
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_programs_as_python(function):
    check(function, compiled=False)


@pytest.mark.libraries
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_programs_compiled(function):
    pytest.importorskip("numba")
    check(function, compiled=True)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_statements_on_arrays_of_known_shape_are_loops(function):
    text = gradgen.emit(function, shapes=PROGRAMS[function], target="numba")
    nodes = list(ast.walk(ast.parse(text)))
    assert "@numba.njit(cache=True" in text
    assert any(isinstance(node, ast.For) for node in nodes)
    assert "reversed" not in {one.id for one in nodes if isinstance(one, ast.Name)}


def test_other_lengths_raise():
    text = gradgen.emit(shifted, shapes=PROGRAMS[shifted], target="numba")
    with pytest.raises(ValueError, match="axis 0 of y"):
        function_of(text)(np.ones(5), np.ones(4))


def test_integers_are_refused():
    text = gradgen.emit(shifted, shapes=PROGRAMS[shifted], target="numba")
    with pytest.raises(ValueError):
        function_of(text)(np.arange(5), np.ones(5))


@pytest.mark.parametrize(
    "code, body",
    [
        ("GG702", "np.sum(np.abs(np.fft.rfft(x)) ** 2)"),
        ("GG702", "np.sum(np.unwrap(x) * x)"),
        ("GG702", "np.sum(np.pad(x, 2) ** 2)"),
    ],
)
def test_refusals_name_the_line(code, body, tmp_path, monkeypatch):
    (tmp_path / "refused.py").write_text(
        f"import numpy as np\n\n\ndef f(x):\n    return {body}\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "refused", raising=False)
    with pytest.raises(gradgen.GradgenError) as refusal:
        gradgen.emit("refused.f", shapes={"x": "n"}, target="numba")
    assert refusal.value.code == code and refusal.value.line == 5


def test_numba_is_not_imported():
    line = "import gradgen, sys; gradgen.grad; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True)
    assert done.stdout.strip() == "False"


@pytest.mark.libraries
@pytest.mark.parametrize("function", [stencil, masks, either, overlapping])
def test_in_process_nothing_told(function):
    pytest.importorskip("numba")
    args = arguments(PROGRAMS[function], 5)
    value, got = gradgen.value_and_grad(function, target="numba")(*args)
    np.testing.assert_allclose(value, function(*args), rtol=1e-12)
    want = measured(function, arguments(PROGRAMS[function], 5))[0]
    np.testing.assert_allclose(got, want, rtol=1e-6)


def unlike(x):
    s = 0.0
    for i in range(len(x)):
        s = s + x * x[i] if i > 1 else s
    return np.sum(s)


@pytest.mark.libraries
def test_what_numba_does_not_compile_is_told():
    pytest.importorskip("numba")
    with pytest.raises(gradgen.GradgenError) as refusal:
        gradgen.value_and_grad(unlike, target="numba")(np.ones(4))
    assert refusal.value.code in ("GG708", "GG714")  # never a traceback of numba


@pytest.mark.libraries
@pytest.mark.parametrize("told", [{}, {"x": "n"}], ids=["none", "all"])
@pytest.mark.parametrize(
    "line", ["x[1:] += x[:-1]", "x[1:] -= x[:-1]", "x[:-1] -= x[1:]"]
)
def test_what_overlaps_is_read_before_it_is_written(line, told, tmp_path, monkeypatch):
    """numba alone would add to an array what it has just written there."""
    pytest.importorskip("numba")
    text = f"import numpy as np\n\n\ndef f(x):\n    x = x.copy()\n    {line}\n"
    text += "    return np.sum(np.sin(x) ** 2)\n"
    (tmp_path / "overlap.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "overlap", raising=False)
    args = arguments({"x": "n"}, 4)
    made = gradgen.emit("overlap.f", wrt="x", shapes=told, target="numba", value=True)
    value, got = function_of(made, compiled=True)(*args)
    names: dict = {}
    exec(text, names)
    np.testing.assert_allclose(value, names["f"](*args), rtol=1e-12)
    np.testing.assert_allclose(got, measured(names["f"], args)[0], rtol=1e-6)
