"""A file that is edited while its functions are in use: the text is of others then."""

import importlib
import linecache
import os
import sys

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

HEAD = "import numpy as np\n\nSCALE = 2.0\n\n\n"
FORMS = {
    "a number": "def f(x):\n    return np.sum(x**3)\n",
    "an operator": "def f(x):\n    return np.sum(x**2) / SCALE\n",
    "a name": "def f(x):\n    return np.prod(x**2) * SCALE\n",
    "a comparison": "def f(x):\n    return np.sum(x**2) * SCALE if SCALE > 1 else x\n",
}
FIRST = "def f(x):\n    return np.sum(x**2) * SCALE\n"
INSIDE = """def around(k):
    def f(x):
        def inner(t):
            return t**2 * k
        if k > 1:
            return np.sum(inner(x)) * SCALE
        return np.sum(inner(x))
    return f


f = around(3.0)
"""


@pytest.fixture
def module(tmp_path, monkeypatch, request):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    name = "edited_" + str(abs(hash(request.node.name)))
    path = tmp_path / f"{name}.py"

    def write(text):
        path.write_text(HEAD + text)
        importlib.invalidate_caches()
        return path

    yield name, write
    sys.modules.pop(name, None)


@pytest.mark.parametrize("change", FORMS)
def test_an_edited_function_is_refused(module, change):
    name, write = module
    write(FIRST)
    function = importlib.import_module(name).f
    write(FORMS[change])
    with pytest.raises(gradgen.GradgenError, match="GG106 the text of .* was edited"):
        gradgen.grad(function)(np.ones(2))
    again = importlib.reload(sys.modules[name]).f
    assert gradgen.grad(again)(np.ones(2)).shape == (2,)


@pytest.mark.parametrize("text", [FIRST, INSIDE])
def test_an_edit_elsewhere_changes_nothing(module, text):
    name, write = module
    write(text)
    function = importlib.import_module(name).f
    write(text + "\n\ndef other(x):\n    return x\n")
    x = np.array([0.5, -1.0])
    want = 4 * x if text is FIRST else 12 * x
    np.testing.assert_allclose(gradgen.grad(function)(x), want, rtol=1e-14)


def test_asserts_that_pytest_wrote_anew_are_no_edit():
    def told(x):
        assert np.all(x < 9)
        return np.sum(x * x)

    np.testing.assert_array_equal(gradgen.grad(told)(np.ones(2)), [2.0, 2.0])


# one text, and edits of it that keep names, constants or instructions
STEADY = """def f(x, y=0.7):
    z = 3.0 * x
    if y > 0:
        z = z * z
        z = y * z
    return np.sum(np.sin(z) * (x - y)) / SCALE
"""
SMALL = {
    "operands that change places": ("x - y", "y - x"),
    "another operator": ("x - y", "x + y"),
    "another constant of the same size": ("3.0", "4.0"),
    "another function": ("np.sin", "np.cos"),
    "another name": ("y * z", "z * z"),
    "a statement that leaves its branch": ("        z = y * z", "    z = y * z"),
    "another comparison": ("y > 0", "y < 0"),
    "a name of the module": ("SCALE", "x[0]"),
}
X = np.array([0.3, -0.4, 0.9])


def measured(function):
    return numeric_gradient(function, [X], 0, 1.0).value


@pytest.mark.parametrize("change", SMALL)
@pytest.mark.parametrize("seconds", [-100_000_000, 0, 100_000_000])
@pytest.mark.parametrize("asked", [False, True])
def test_an_edit_with_any_time_is_refused(module, change, seconds, asked):
    name, write = module
    path = write(STEADY)
    first = os.stat(path).st_mtime
    function = importlib.import_module(name).f
    if asked:  # the lines were read before
        np.testing.assert_allclose(
            gradgen.grad(function)(X), measured(function), rtol=1e-7
        )
    write(STEADY.replace(*SMALL[change]))
    os.utime(path, (first + seconds, first + seconds))
    try:  # what was read before may still be at hand, and is then the right text
        got = gradgen.grad(function)(X)
    except gradgen.GradgenError as refusal:
        assert refusal.code == "GG106"
    else:
        assert asked
        np.testing.assert_allclose(got, measured(function), rtol=1e-7)
    again = importlib.reload(sys.modules[name]).f
    np.testing.assert_allclose(gradgen.grad(again)(X), measured(again), rtol=1e-7)


@pytest.mark.parametrize("change", SMALL)
def test_lines_of_an_older_text_are_read_again(module, change):
    name, write = module
    path = write(STEADY)
    first = os.stat(path).st_mtime_ns
    linecache.getlines(str(path))
    text = STEADY.replace(*SMALL[change])
    write(text + "#" * max(0, len(STEADY) - len(text)))
    os.utime(path, ns=(first, first))  # the same time, and often the same size
    function = importlib.import_module(name).f
    np.testing.assert_allclose(gradgen.grad(function)(X), measured(function), rtol=1e-7)


def test_a_called_function_that_was_edited(module):
    name, write = module
    path = write("def g(x):\n    return x**3\n\n\ndef f(x):\n    return np.sum(g(x))\n")
    function = importlib.import_module(name).f
    write("def g(x):\n    return x**2\n\n\ndef f(x):\n    return np.sum(g(x))\n")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    with pytest.raises(gradgen.GradgenError, match="the text of .*g was edited"):
        gradgen.grad(function).source


def test_a_lambda_that_was_edited(module):
    name, write = module
    path = write("f = lambda x, y=0.5: np.sum(x * x * (x - y))\n")
    function = importlib.import_module(name).f
    np.testing.assert_allclose(gradgen.grad(function)(X), measured(function), rtol=1e-7)
    write("f = lambda x, y=0.5: np.sum(x * x * (y - x))\n")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    linecache.checkcache(str(path))
    function.__defaults__ = (0.25,)  # so that it is read again
    with pytest.raises(gradgen.GradgenError, match="GG106 the text of .* was edited"):
        gradgen.grad(function).source


def test_a_relative_file_and_another_folder(tmp_path, monkeypatch):
    for folder, power in (("one", 2), ("other", 3)):
        (tmp_path / folder).mkdir()
        text = f"{HEAD}def f(x):\n    return np.sum(x**{power}) * SCALE\n"
        (tmp_path / folder / "relative_one.py").write_text(text)
    monkeypatch.chdir(tmp_path / "one")
    space = {"__name__": "relative_one"}
    text = (tmp_path / "one/relative_one.py").read_text()
    exec(compile(text, "relative_one.py", "exec"), space)
    monkeypatch.chdir(tmp_path / "other")
    with pytest.raises(gradgen.GradgenError, match="GG106 the text of .* was edited"):
        gradgen.grad(space["f"]).source
    monkeypatch.chdir(tmp_path / "one")
    got = gradgen.grad(space["f"])(X)
    np.testing.assert_allclose(got, measured(space["f"]), rtol=1e-7)


def test_a_compiled_file_alone_has_no_text(module):
    name, write = module
    path = write(FIRST)
    code = compile(path.read_text(), str(path), "exec")
    path.unlink()
    space = {"__name__": name}
    exec(code, space)
    with pytest.raises(gradgen.GradgenError, match="GG106 the source text"):
        gradgen.grad(space["f"]).source
