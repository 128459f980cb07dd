"""A file that is edited while its functions are in use: the text is of others then."""

import importlib
import sys

import numpy as np
import pytest

import gradgen
from gradgen.frontend import edited

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


def test_asserts_that_pytest_wrote_anew_are_no_edit(monkeypatch):
    monkeypatch.setattr(edited, "STARTED", 0.0)

    def told(x):
        assert np.all(x < 9)
        return np.sum(x * x)

    np.testing.assert_array_equal(gradgen.grad(told)(np.ones(2)), [2.0, 2.0])
