"""Refusals of a request or of a function: what is wrong with it, and what is right."""

import re

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from tests.refusals import HEAD, refusal


def test_stars_of_the_definition(write):
    error = refusal(write("def f(*xs):\n    return xs\n"))
    assert error.code == "GG109" and "*xs" in error.message
    error = refusal(write("def f(**options):\n    return options\n"))
    assert error.code in ("GG109", "GG001")
    error = refusal(write("def f():\n    return 1.0\n"))
    assert error.code == "GG001"
    error = refusal(write("def f(x, /, y):\n    return np.packbits(x, y)\n"))
    assert error.code == "GG205" and "resolves to nothing" not in str(error)


def test_a_function_of_python_is_not_called_numpys(write):
    error = refusal(write("def f(x):\n    return bytes(x)\n"))
    assert "did you mean" not in error.advice


def test_all_problems_at_once_in_source_order(write):
    target = write(
        "def f(x, y):\n"
        "    x.flat = 1\n"
        "    a = np.packbit(x, 3) + np.mean(x, initial=2)\n"
        "    for i in x:\n"
        "        del y\n"
        "    b = a * missing\n"
        "    return b, y\n"
    )
    error = refusal(target)
    found = [(p.code, p.line, p.column) for p in error.problems]
    assert found == [
        ("GG115", 6, 5),
        ("GG205", 7, 9),
        ("GG209", 7, 28),
        ("GG210", 10, 13),
        ("GG215", 11, 15),
    ]
    places = re.findall(r"^source_0\.py:(\d+:\d+): ", str(error), re.M)
    assert places == [f"{line}:{column}" for _, line, column in found]


def test_one_mistake_is_told_once(write):
    target = write(
        "def f(x):\n    a = np.packbit(x, 3)\n    b = a * a\n    return b + a\n"
    )
    assert len(refusal(target).problems) == 1


FINE = "def f(x, y, scale=2.0):\n    return np.sum(x * y) * scale\n"


def test_wrt(write):
    target = write(FINE)
    error = refusal(target, "scal")
    assert error.code == "GG002" and error.advice == "did you mean scale?"
    assert refusal(target, "z").advice == "one of x, y, scale"
    for position in (3, -4):
        error = refusal(target, position)
        assert error.code == "GG006" and str(position) in error.message
    assert refusal(target, ()).code == "GG005"
    assert refusal(target, ("x", "x")).code == "GG007"
    assert refusal(target, ("x", 0)).code == "GG007"
    assert refusal(target, style="tape").code == "GG003"
    assert "did you mean scale?" in refusal(target, stop="scales").advice


def test_integer_arguments(write):
    target = write(FINE)
    with pytest.raises(GradgenError, match="GG502.*y is an array of int64"):
        gradgen.grad(target, ("x", "y"))(np.ones(3), np.arange(3))
    with pytest.raises(GradgenError, match="x.astype\\(float\\)"):
        gradgen.vjp(target)(np.arange(3), np.ones(3))
    error = refusal(target, "x", example=(np.arange(3), np.ones(3)))
    assert error.code == "GG502" and "astype(float)" in error.advice
    # Not where nobody asks for its gradient, nor where it is a plain number.
    assert gradgen.emit(target, "y", example=(np.arange(3), np.ones(3)))
    assert gradgen.grad(target)(2, 3) == 6.0


@pytest.mark.parametrize(
    "result, word",
    [
        ("x > y", "true or false"),
        ("np.any(x > 0)", "true or false"),
        ("np.argmax(x)", "an integer"),
        ("len(x)", "an integer"),
        ("x.shape", "an integer"),
        ("'text'", "not a number"),
        ("None", "not a number"),
    ],
)
def test_results_without_a_gradient(write, result, word):
    error = refusal(write(f"def f(x, y):\n    return {result}\n"))
    assert error.code == "GG501" and "no gradient" in error.message
    assert word in error.message and error.advice


def test_functions_without_source_text():
    names: dict = {}
    exec("def made(x):\n    return x\n", names)
    assert refusal(names["made"]).code == "GG106"
    for other in (dict, "x".join, type, [].append):
        error = refusal(other)
        assert error.code in ("GG105", "GG106", "GG108"), other
        assert error.advice
    error = refusal(eval("lambda x: x"))
    assert error.code == "GG106" and "file" in error.advice


WRAPPED = """import functools


def twice(f):
    @functools.wraps(f)
    def doubled(x):
        return 2 * f(x)

    return doubled


def loss(x):
    return np.sum(x)


loss_twice = twice(loss)


def f(x):
    return loss_twice(x)
"""


def test_what_a_decorator_has_made_is_not_taken_for_what_it_decorates(write):
    target = write(WRAPPED)
    for name in (":loss_twice", ":f"):
        space: dict = {}
        exec(gradgen.emit(target.replace(":f", name)), space)
        made = next(v for k, v in space.items() if k.startswith("grad_"))
        assert made(np.ones(3)).tolist() == [2.0, 2.0, 2.0]


def test_targets_that_lead_nowhere(write, tmp_path):
    target = write(FINE)
    file = target.removesuffix(":f")
    error = refusal(f"{file}:ff")
    assert error.code == "GG102" and error.advice == "did you mean f?"
    assert refusal("nothing.py:f").code == "GG103"
    assert refusal("no_such_module.f").code == "GG104"
    assert refusal("no_such_module:f").code == "GG104"
    assert refusal("f").code == "GG101"
    assert refusal(f"{file}:").code == "GG101"
    assert refusal("").code == "GG101"
    assert refusal("numpy.linalg").code == "GG101"
    assert refusal(3).code == "GG101"
    assert refusal(None).code == "GG101"


def test_modules_that_fail(write, tmp_path):
    (tmp_path / "raising.py").write_text("1 / 0\n")
    for name in ("raising.f", "raising.py:f", "raising.f"):
        error = refusal(name)  # the second time as well
        assert error.code == "GG104" and "ZeroDivisionError" in error.message, name
        assert (error.file, error.line) == ("raising.py", 1)
        assert "    1 / 0" in error.message and "importlib" not in error.message
    (tmp_path / "exiting.py").write_text("import sys\n\nsys.exit(3)\n")
    assert "SystemExit" in refusal("exiting.f").message
    (tmp_path / "lazy.py").write_text("def __getattr__(name):\n    raise KeyError(7)\n")
    error = refusal("lazy.f")
    assert error.code == "GG104" and error.line == 2 and "KeyError" in error.message
    (tmp_path / "broken.py").write_text("def f(:\n")
    assert "SyntaxError" in refusal("broken.f").message


def test_shapes(write):
    target = write(FINE)
    error = refusal(target, shapes={"x": "n^2"})
    assert (
        error.code == "GG402" and "'n^2'" in error.message and '"n d"' in error.advice
    )
    for text in ("*s d", "n -1", "...", "n//2", "#"):
        assert refusal(target, shapes={"x": text}).code == "GG402", text
    error = refusal(target, shapes={"scal": ""})
    assert error.code == "GG404" and error.advice == "did you mean scale?"
    annotated = write('def f(x: Float[np.ndarray, "n d"]):\n    return np.sum(x)\n')
    annotated_text = "from __future__ import annotations\n" + HEAD
    with open(annotated.removesuffix(":f"), "r+") as file:
        rest = file.read().removeprefix(HEAD)
        file.seek(0)
        file.write(annotated_text + rest)
    error = refusal(annotated, shapes={"x": "n"})
    assert error.code == "GG405" and "'n d'" in error.message and "'n'" in error.message
    assert gradgen.emit(annotated, shapes={"x": "n, d"})
    error = refusal(target, shapes={"x": "n", "y": "m"})
    assert error.code == "GG401" and error.line == 6
    assert "(n)" in error.message and "(m)" in error.message


def test_an_unknown_rank_needs_a_helper_or_is_refused(write):
    target = write("def f(x, y):\n    return np.sum(np.tanh(x @ y))\n")
    text = gradgen.emit(target, ("x", "y"))
    assert "def _matmul_left(" in text and "def _matmul_right(" in text
    error = refusal(target, ("x", "y"), strict=True)
    assert error.code == "GG403" and "_matmul" in error.message
    assert error.advice == '--shape x="..." --shape y="..."'
    known = {"x": "n d", "y": "d"}
    assert "def _" not in gradgen.emit(target, ("x", "y"), shapes=known, strict=True)


@pytest.mark.parametrize(
    "result, shapes",
    [
        ("np.transpose(x, (9, 9))", {"x": "n d"}),
        ("np.transpose(x, (9, 9))", {}),
        ("np.expand_dims(x, None)", {"x": "n d"}),
        ("np.expand_dims(x, None)", {}),
        ("np.sum(x, axis=(0, 'a'))", {"x": "n d"}),
        ("np.sum(x, axis=2)", {"x": "n d"}),
        ("np.matmul(x, y)", {"x": "n d", "y": ""}),
        ("np.broadcast_to(x, (3, 4))", {"x": "n d"}),
        ("np.einsum('i,i', x, y)", {"x": "n", "y": "m"}),
        ("np.einsum('ij,jk', x, y)", {"x": "n", "y": "n n"}),
        ("np.concatenate([x, y])", {"x": "n d", "y": "n k"}),
        ("x[0][-1]", {"x": "n"}),
        ("x * np.array([1.0, 2.0])[np.argmax(x)][0]", {"x": "n"}),
        ("np.hypot(np.inf - np.nan * x, y)", {"x": "n", "y": "n"}),
        ("x * -missing", {}),
        ("x * -'text'", {}),
        ("x * -None", {}),
    ],
)
def test_arguments_that_do_not_fit(write, result, shapes):
    """Nothing but a refusal comes out, if anything is wrong at all."""
    try:
        gradgen.emit(write(f"def f(x, y):\n    return {result}\n"), shapes=shapes)
    except GradgenError as error:
        assert error.advice and (error.file or error.code == "GG501")


@pytest.mark.parametrize(
    "result",
    [
        "np.sum(np.array([x, 2 * x]) ** 2)",
        "np.sum(np.full_like(y, np.sum(x)))",
        "np.sum(np.full(3, np.sum(x)))",
        "np.sum(np.array([np.sum(x), 1.0]))",
        "np.sum(np.clip(y, 0, -x * x))",
    ],
)
def test_a_gradient_is_right_or_refused(write, result):
    """No zeros in silence, wherever the argument enters."""
    from gradgen.verify.finite import numeric_gradient

    target = write(f"def f(x, y):\n    return {result}\n")
    try:
        gradient = gradgen.grad(target, shapes={"x": "n", "y": "n"})
    except GradgenError:
        return
    args = (np.array([0.7, 1.2, 0.4]), np.array([0.3, -0.8, 1.1]))
    want = numeric_gradient(gradient.primal, args, 0).value
    assert np.allclose(gradient(*args), want, rtol=1e-7)
