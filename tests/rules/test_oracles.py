"""The rules against autograd and JAX, where both have a function and agree on it.

The first line of the rule tests that names a function is tried for it; without the
extra `oracles` there is nothing to do.
"""

import importlib
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import SCIPY, Program
from tests.rules.checker import Line, parameters

autograd = pytest.importorskip("autograd")
jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)

HERE = Path(__file__)
# how near the two oracles must be to each other, and gradgen to them
TOLERANCE = {"rtol": 1e-8, "atol": 1e-10}


def lines_of_the_tests() -> dict[str, Line]:
    """For each function the first line that names it, as the rule tests list them."""
    found: dict[str, Line] = {}
    for path in sorted(HERE.parent.glob("test_*.py")):
        if path == HERE:
            continue
        module = importlib.import_module(f"tests.rules.{path.stem}")
        lists = [value for value in vars(module).values() if isinstance(value, list)]
        for line in (one for values in lists for one in values):
            if isinstance(line, Line):
                for name in functions(line):
                    found.setdefault(name, line)
    return found


def functions(line: Line) -> list[str]:
    """The functions that a line calls: np.sum, special.erf, and methods (.sum)."""
    modules = "|".join(("np", *SCIPY))
    return re.findall(
        rf"(?<![\w.])(?:{modules})(?:\.\w+)+(?=\()|(?<=\w)\.\w+(?=\()", line.text
    )


LINES = lines_of_the_tests()


def with_modules(program: Program, modules: dict) -> object:
    """The program's function, whose np is another library's."""
    names: dict = {}
    body = program.source[program.source.index("def ") :]
    exec(compile(body, "oracle", "exec"), names)
    names.update(modules)
    return names[program.name]


def modules_of(library: str) -> dict:
    """autograd's or JAX's np, and its parts of scipy."""
    modules = {"np": importlib.import_module(f"{library}.numpy")}
    for name in SCIPY:
        try:
            modules[name] = importlib.import_module(f"{library}.scipy.{name}")
        except ImportError:  # a part that the library has not
            continue
    return modules


MODULES = {name: modules_of(name) for name in ("autograd", "jax")}


def by_autograd(program: Program, args: list, seed) -> list | None:
    function = with_modules(program, MODULES["autograd"])
    return [autograd.make_vjp(function, i)(*args)[0](seed) for i in range(len(args))]


def by_jax(program: Program, args: list, seed) -> list | None:
    function = with_modules(program, MODULES["jax"])
    _, pullback = jax.vjp(function, *(jax.numpy.asarray(arg) for arg in args))
    return list(pullback(jax.numpy.asarray(seed)))


def attempt(oracle, *args) -> list | None:
    """The oracle's gradients, or None where it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [np.asarray(g) for g in oracle(*args)]
    except Exception:  # whatever another library says, it means: not this one
        return None


@pytest.mark.parametrize("name", LINES)
def test_as_the_oracles(name):
    line = LINES[name]
    facts = line.shapes[0]
    params = parameters(line, facts)
    program = Program(params, (f"return {line.text}",), seed=1)
    args = program.arguments(0)
    value = np.asarray(program.function(*args))
    seed = np.random.default_rng(1).uniform(0.5, 1.5, value.shape)[()]
    theirs = []
    for oracle in (by_autograd, by_jax):
        gradients = attempt(oracle, program, args, seed)
        if gradients is None:
            pytest.skip("not in both oracles")
        theirs.append(gradients)
    for first, second in zip(*theirs, strict=True):
        same = first.shape == second.shape
        if not same or not np.allclose(first, second, **TOLERANCE):
            pytest.skip("the oracles differ")
    wrt = tuple(param.name for param in params)
    told = {param.name: param.fact for param in params}
    ours = gradgen.grad(program.function, wrt=wrt, shapes=told)(*args, seed=seed)
    for got, want in zip(ours, theirs[1], strict=True):
        np.testing.assert_allclose(got, want, **TOLERANCE)
