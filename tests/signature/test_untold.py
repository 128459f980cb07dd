"""Random programs with nothing told: right, and the text that facts would give.

The truth is measured. A derivative that is told all shapes gives the same numbers of
the same dtypes, and in nearly all programs the same text.
"""

from __future__ import annotations

import ast
from collections import Counter

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.fuzz.case import Truth, tolerance
from tests.fuzz.facts import chosen, facts
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative

FORMS = {"broadcasting": generate, "imperative": imperative}
# what the test command tries, what -m long does, and the shares that may be refused
FEW, MANY = 10, 150
REFUSED = {"broadcasting": 0.02, "imperative": 0.05}


def statements(text: str) -> str:
    """The statements of a text, without docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
    return ast.unparse(tree)


def several(found) -> tuple:
    return found if isinstance(found, tuple) else (found,)


def examined(program) -> tuple[str, str]:
    """What became of a program, "right", "refused" or "wrong", with the details."""
    wrt = chosen(program, "full")
    names = several(wrt)
    truth = Truth(program)
    untold = gradgen.grad(program.function, wrt=wrt)
    told = gradgen.grad(program.function, wrt=wrt, shapes=facts(program, "full"))
    for sample, dtype in ((0, np.float64), (1, np.float64), (0, np.float32)):
        args, seed = program.arguments(sample, dtype), truth.seed(sample, dtype)
        try:
            with np.errstate(all="ignore"):
                got = several(untold(*args, seed=seed))
        except GradgenError as refusal:
            return "refused", str(refusal)
        same = several(told(*program.arguments(sample, dtype), seed=seed))
        for name, g, other in zip(names, got, same, strict=True):
            if (
                type(g) is not type(other)
                or np.asarray(g).dtype != np.asarray(other).dtype
            ):
                return "wrong", f"d_{name} in {dtype}: {type(g)}, told {type(other)}"
            want = truth.gradient(sample, name).value
            if dtype is np.float64 and truth.measures((name,)):
                near = np.shape(g) == want.shape
                if not near or np.any(np.abs(g - want) > tolerance(want)):
                    return "wrong", f"d_{name}: {g}, not {want}\n{untold.source}"
    known = untold.specialize(*program.arguments(0)).source
    alike = statements(known) == statements(told.source)
    return "right" if alike else "another text", known


def tallied(form: str, seeds: range) -> Counter:
    found = Counter()
    for seed in seeds:
        program = FORMS[form](seed)
        sort, detail = examined(program)
        assert sort != "wrong", f"{form} {seed}\n{program.source}\n{detail}"
        found[sort] += 1
    print(form, dict(found))
    return found


@pytest.mark.parametrize("form", FORMS)
def test_nothing_told(form):
    found = tallied(form, range(700, 700 + FEW))
    assert found["refused"] == 0 and found["right"] >= 0.8 * FEW


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_many_with_nothing_told(form):
    found = tallied(form, range(MANY))
    assert found["refused"] <= REFUSED[form] * MANY
    assert found["right"] >= 0.85 * MANY
