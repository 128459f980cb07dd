"""Arrays that a module imports from another: their line stands in the text."""

import importlib
import sys

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

CONSTANTS = """import numpy as np

K = 2.0
UNIT = np.array([1.0, 0.0, 0.5])
GRID = K * np.arange(12.0).reshape(4, 3)
TABLE = {"low": np.array([1.0, 2.0, 3.0])}
TWICE = np.array([1.0, 1.0, 1.0])
TWICE = TWICE * 2
"""
HANDED_ON = """from .constants import *
from .constants import GRID as MESH
"""
FUNCTIONS = """import numpy as np

from . import constants, handed_on
from .constants import GRID, TABLE, TWICE, UNIT
from .handed_on import MESH, UNIT as U


def by_name(x): return np.sum(np.cross(x, UNIT) ** 2)
def made(x): return np.sum((GRID @ x) ** 2)
def of_the_module(x): return np.sum((constants.GRID @ np.sin(x)) ** 2)
def handed(x): return np.sum((MESH @ x) ** 2) + np.sum(U * x**3)
def through(x): return np.sum(handed_on.UNIT * x**3)
def entry(x): return np.sum(TABLE["low"] * x**2)
def own_name(x, GRID_=1.0):
    GRID = x * 2
    return np.sum(GRID**2) + np.sum((constants.GRID @ x) ** 2)
def twice(x): return np.sum(TWICE * x**2)
"""
X = np.array([0.3, 0.8, 1.4])


@pytest.fixture
def functions(tmp_path, monkeypatch):
    folder = tmp_path / "imported_arrays"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "constants.py").write_text(CONSTANTS)
    (folder / "handed_on.py").write_text(HANDED_ON)
    (folder / "functions.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("imported_arrays.functions")
    for name in [one for one in sys.modules if one.startswith("imported_arrays")]:
        del sys.modules[name]


NAMES = "by_name made of_the_module handed through entry own_name".split()


@pytest.mark.parametrize("name", NAMES)
def test_the_text_stands_alone(functions, name):
    f = getattr(functions, name)
    text = gradgen.emit(f)
    assert "imported_arrays" not in text.partition("import numpy as np")[2]
    space: dict = {}
    exec(text, space)
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(space[f"grad_{name}"](X), want, rtol=1e-7)


@pytest.mark.parametrize("name", [*NAMES, "twice"])
def test_a_call_sees_what_changes_there(functions, name):
    f = getattr(functions, name)
    g = gradgen.grad(f)
    for _ in range(2):
        want = numeric_gradient(f, (X,), 0).value
        np.testing.assert_allclose(g(X), want, rtol=1e-7)
        for array in ("UNIT", "GRID", "TWICE"):
            getattr(functions.constants, array)[0] *= 3
        functions.constants.TABLE["low"][1] = 7.0


def test_what_no_line_makes_again_is_refused(functions):
    functions.constants.GRID[0] = 5.0
    with pytest.raises(GradgenError, match="cannot be copied"):
        gradgen.emit(functions.made)
    with pytest.raises(GradgenError, match="no line of the text"):
        gradgen.emit(functions.of_the_module)
    with pytest.raises(GradgenError, match="cannot be copied"):
        gradgen.emit(functions.twice)
