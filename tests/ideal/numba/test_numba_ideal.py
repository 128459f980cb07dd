"""The compiled gradients written by hand are right: against differences.

Their lines are run as Python, without numba; as a long test also compiled by it.
"""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient

HERE = Path(__file__).parent
AS_PYTHON = SimpleNamespace(njit=lambda **options: lambda function: function)


def positive(rng, *shape):
    return rng.uniform(0.5, 1.5, shape)


def arguments(name, rng):
    """The arguments of a function, and how many of them have a gradient."""
    if name == "stencil":
        return (rng.normal(size=7), 0.2, 4), 1
    if name == "rk4":
        return (positive(rng, 4), 0.7, 0.1, 3), 2
    if name == "lstm_cell":
        sizes = (12, 5), 2, 3, 3
        return tuple(rng.normal(size=size) for size in sizes), 4
    if name == "pair_potential":
        X = np.arange(12.0).reshape(4, 3) % 5 + positive(rng, 4, 3)
        return (X, 0.8, 1.1), 3
    assert name == "observation"
    return (positive(rng, 8), positive(rng, 3), positive(rng, 2)), 2


def module(path):
    names = {"__name__": path.stem}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    return names


NAMES = ["stencil", "rk4", "lstm_cell", "pair_potential", "observation"]


def check(name):
    primal = module(HERE / "primals.py")[name]
    given, count = arguments(name, np.random.default_rng(3))
    found = module(HERE / f"{name}.py")[f"grad_{name}"](*given)
    found = found if count > 1 else (found,)

    def owned(*args):
        return primal(*(a.copy() if isinstance(a, np.ndarray) else a for a in args))

    for at in range(count):
        want = numeric_gradient(owned, given, at).value
        np.testing.assert_allclose(found[at], want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_as_python(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", AS_PYTHON)
    check(name)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_compiled(name):
    pytest.importorskip("numba")
    check(name)


def test_every_text_is_checked():
    here = {path.stem for path in HERE.glob("*.py")}
    assert here == {*NAMES, "primals", "test_numba_ideal"}
