"""Forward mode: the hand-written text, and derivatives of random programs."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import gradgen
from examples import losses, networks
from gradgen.rules.load import helpers
from gradgen.verify.finite import directional
from tests.frontend.writing import written
from tests.fuzz.generate import generate

L2_NORM = '''import numpy as np


def jvp_L2_norm(X, d_X):
    """Value of L2_norm, and its derivative along d_X.

    Shapes: X (*s), d_X (*s) -> XX_sqrt (), d_XX_sqrt ()
    """
    XX = X * X
    d_XX = 2 * X * d_X
    XX_sum = np.sum(XX)
    d_XX_sum = np.sum(d_XX)
    XX_sqrt = np.sqrt(XX_sum)
    d_XX_sqrt = d_XX_sum / (2 * XX_sqrt)
    return XX_sqrt, d_XX_sqrt
'''


def test_text_is_the_hand_written_one():
    text = gradgen.emit(losses.L2_norm, mode="forward")
    assert text[text.index("import numpy") :] == L2_NORM
    assert "# Regenerate: gradgen emit examples.losses.L2_norm --mode forward\n" in text


def dot(x, y) -> float:
    return float(np.sum(np.asarray(x) * np.asarray(y)))


def test_forward_and_reverse_are_adjoint():
    """<seed, J v> = <J^T seed, v>, for a model with a max, a matmul and a norm."""
    rng = np.random.default_rng(0)
    shapes = {"Q": "n d", "K": "m d", "V": "m e", "target": "n e"}
    sizes = {"n": 3, "m": 4, "d": 2, "e": 5}
    args = [
        rng.normal(size=[sizes[s] for s in text.split()]) for text in shapes.values()
    ]
    vectors = [rng.normal(size=a.shape) for a in args]
    for facts in (shapes, None):
        wrt = tuple(shapes)
        _, change = gradgen.jvp(networks.attention_loss, wrt, shapes=facts)(
            *args, *vectors
        )
        gradients = gradgen.grad(networks.attention_loss, wrt, shapes=facts)(*args)
        assert np.isclose(change, sum(map(dot, gradients, vectors)), rtol=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed):
    program = generate(seed)
    names = [param.name for param in program.params]
    for sample in (0, 1):
        args = list(program.arguments(sample))
        rng = np.random.default_rng([seed, sample])
        tangents = [np.asarray(rng.normal(size=np.shape(a)))[()] for a in args]
        want = directional(program.function, args, tangents)
        try:
            made = gradgen.jvp(program.function, tuple(names))
        except gradgen.GradgenError as refusal:
            assert "GG306" in str(refusal)
            return
        value, change = made(*args, *tangents)
        primal = program.function(*args)
        assert np.asarray(value).tobytes() == np.asarray(primal).tobytes()
        assert np.shape(change) == np.shape(primal)
        scale = 1e-6 * np.max(np.abs(want.value), initial=1.0)
        assert np.all(np.abs(change - want.value) <= scale), made.source


def test_tangents_follow_the_arguments(tmp_path):
    source = "def f(x, y, scale=2.0):\n    return np.sum(x * y) * scale\n"
    f = written(source, tmp_path)
    x, y, v = np.array([1.0, 2.0]), np.array([3.0, -1.0]), np.array([0.5, 0.25])
    j = gradgen.jvp(f, "y", shapes={"x": "n", "y": "n", "scale": ""})
    assert j(x, y, 1.5, v) == (1.5, 1.5 * dot(x, v))
    assert j(x, y, v, scale=1.5) == (1.5, 1.5 * dot(x, v))
    # a result that does not depend on the argument
    value, change = gradgen.jvp(written("def f(x, y):\n    return y\n", tmp_path, "g"))(
        x, y, v
    )
    assert np.array_equal(value, y) and np.array_equal(change, [0, 0])


def test_float32_stays_float32():
    X = np.ones((2, 3), np.float32)
    _, change = gradgen.jvp(losses.L2_norm)(X, X)
    assert change.dtype == np.float32


def test_options_that_do_not_go_together():
    for options in ({"value": True}, {"style": "callback"}):
        with pytest.raises(gradgen.GradgenError, match="GG009"):
            gradgen.emit(losses.L2_norm, mode="forward", **options)


def test_the_command_and_its_check(tmp_path):
    root = Path(__file__).resolve().parents[1]
    (tmp_path / "losses.py").write_text((root / "examples/losses.py").read_text())
    command = [sys.executable, "-m", "gradgen"]
    environment = {"PYTHONPATH": str(root), "PATH": ""}

    def run(*words):
        return subprocess.run(
            [*command, *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )

    facts = ["--shape", "X=n", "--shape", "Y=n"]
    emit = run(
        "emit", "losses.py:cosine_loss", "--mode", "forward", *facts, "-o", "jvp.py"
    )
    assert emit.returncode == 0, emit.stderr
    assert run("check", "jvp.py").returncode == 0
    path = tmp_path / "jvp.py"
    text = path.read_text()
    line = re.search(r"    d_out = -(\w+)\n", text)
    path.write_text(text.replace(line.group(0), f"    d_out = {line.group(1)}\n"))
    check = run("check", "jvp.py")
    assert check.returncode == 1
    assert "wrong gradient" in check.stderr


STATEMENTS = {
    "stores": """
        def f(x, y):
            z = np.zeros_like(x)
            z[1:] = x[:-1] * y
            z[0] += np.sin(x[0])
            z[::2] *= x[::2]
            return z * x
    """,
    "a store that leaves nothing of the old": """
        def f(x, y):
            z = x * y
            z[:] = 2.0
            z[1] = y * y
            return z
    """,
    "places that repeat": """
        def f(x, y):
            z = y * np.ones(3)
            np.add.at(z, [0, 2, 0], x[:3])
            np.add.at(z, np.nonzero(x[:3] > 0), y)
            return z
    """,
    "a key that is written out": """
        def f(x, y):
            z = np.outer(x, x)
            np.add.at(z, np.s_[1:, [0, 0]], y * x[1:, None])
            return z[np.s_[:, 0]]
    """,
    "results by name, and read later": """
        def f(x, y):
            w, v = np.linalg.eigh(np.outer(x, x) + y * np.diag(np.arange(4.0)))
            s = np.linalg.svd(np.outer(w, x) + np.diag(x), full_matrices=False)
            r = np.sin(w) * v[0] ** 2
            return r + s[1] * y
    """,
    "a quotient that is named further down": """
        def f(x, y):
            length = np.linalg.norm(x * y)
            unit = x / length
            return unit * length
    """,
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name, tmp_path):
    f = written(STATEMENTS[name], tmp_path, "primal_" + name.replace(" ", "_"))
    x, y = np.array([0.4, -0.7, 1.1, 0.3]), 1.7
    v, w = np.array([0.5, 0.25, -1.0, 2.0]), 0.3
    for shapes in ({"x": "4", "y": ""}, {"x": "n", "y": ""}):
        made = gradgen.jvp(f, ("x", "y"), shapes=shapes)
        value, change = made(x.copy(), y, v.copy(), w)
        want = directional(f, (x, y), (v, w))
        assert np.array_equal(value, f(x, y)) and np.shape(change) == np.shape(value)
        np.testing.assert_allclose(change, want.value, rtol=1e-7, atol=1e-9)


def test_a_linear_rule_with_more_arguments_is_refused(tmp_path):
    """What a rule does not call linear is no zero."""
    text = """
    def f(x, t):
        return _cumprod_tangent(t, x, 0)
    """
    helper = "\n\n\n".join(helpers().values())
    f = written(helper + "\n\n\n" + textwrap.dedent(text), tmp_path, "primal_linear")
    x, t = np.array([0.4, -0.7, 1.1]), np.array([1.0, 2.0, 0.5])
    value, change = gradgen.jvp(f, "t")(x, t, t)
    np.testing.assert_allclose(change, value)
    with pytest.raises(gradgen.GradgenError, match="GG306.*_cumprod_tangent"):
        gradgen.jvp(f, "x")(x, t, x)


def test_a_result_without_a_forward_line_is_refused(tmp_path):
    source = "def f(x):\n    r = np.linalg.lstsq(x, x[0])\n    return r[2] * x\n"
    with pytest.raises(gradgen.GradgenError, match="GG3"):
        gradgen.jvp(written(source, tmp_path, "rank"), shapes={"x": "n n"}).source


def test_lists_that_do_not_depend_on_what_moves(tmp_path):
    text = """
    def f(x, y):
        return [x * i for i in range(3)], y * 2
    """
    f = written(textwrap.dedent(text), tmp_path, "still")
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    _, (still, moved) = gradgen.jvp(f, "y")(x, y, np.ones(2))
    assert [one.tolist() for one in still] == [[0.0, 0.0]] * 3
    assert moved.tolist() == [2.0, 2.0]


DTYPES = {
    "powers": "np.sum(x**a * a**x)",
    "polynomial": "np.polyval(x, x[0])",
    "logarithm": "x @ x * np.log(a)",
    "mean": "np.mean(np.where(x > 1, 2.0, 1.0) * x)",
}


@pytest.mark.parametrize("form", DTYPES)
def test_tangents_of_float32_are_float32(form, tmp_path):
    text = f"def f(x, a):\n    return {DTYPES[form]}\n"
    f = written(text, tmp_path, form)
    x = np.array([0.5, 1.5, 0.7], np.float32)
    value, tangent = gradgen.jvp(f)(x, 1.3, np.ones(3, np.float32))
    assert value.dtype == f(x, 1.3).dtype
    assert tangent.dtype == value.dtype


def test_a_counter_of_python_stays_one(tmp_path):
    text = """
    def f(x):
        count = {"n": 0}
        def scaled(v):
            count["n"] += 1
            return v * count["n"]
        return np.sum(scaled(x) * scaled(x) * scaled(x))
    """
    f = written(textwrap.dedent(text), tmp_path, "counter")
    x = np.array([0.5, 1.5], np.float32)
    value, tangent = gradgen.jvp(f)(x, np.ones(2, np.float32))
    assert value.dtype == tangent.dtype == np.float32
    np.testing.assert_allclose(value, 6 * np.sum(x**3), rtol=1e-6)
    value, gradient = gradgen.value_and_grad(f)(x)
    assert value.dtype == gradient.dtype == np.float32
