"""Functions of libraries themselves: gradgen.grad(np.linalg.norm)(x, axis=1).

The outermost call of a line of the rule tests gives the function object and the
arguments, options by their places or by their names.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from functools import lru_cache
from random import Random

import numpy as np
import scipy

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.constants import Module
from tests.fuzz.program import SCIPY

PROGRAMS = 12
REFUSED_AT_MOST = 0.06


@lru_cache(maxsize=None)
def lines() -> tuple:
    from tests.rules.test_second_order import LINES

    found = [line for line in LINES if _call_of(line) is not None]
    return tuple(line for line in found if "float" not in line.shapes[0])


def _space() -> dict:
    modules = {name: getattr(scipy, name) for name in SCIPY}
    return {"np": np, "scipy": scipy, **modules}


def _call_of(line) -> ast.Call | None:
    """The call that the line is, if it is one of a library's function."""
    node = ast.parse(line.text, mode="eval").body
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    base = node.func
    while isinstance(base, ast.Attribute):
        base = base.value
    if not isinstance(base, ast.Name) or base.id in line.names:
        return None
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.Name) or first.id not in line.names:
        return None
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        return None
    return node


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    from tests.rules.checker import parameters

    rng = Random(f"called {seed}")
    line = rng.choice(lines())
    node = _call_of(line)
    params = parameters(line, rng.choice(line.shapes))
    head = f"import numpy as np\nfrom scipy import {', '.join(SCIPY)}\n\n\n"
    head += f"# gradgen.grad({ast.unparse(node.func)})\n"
    text = f"{head}def f({', '.join(line.names)}):\n    return {line.text}\n"
    made = Module(params, ("return x",), seed, "f", text=text)
    first = line.names.index(node.args[0].id)
    case = Case(made, {}, line.names[first], level="none")
    yield case, verdict(made, node, line, first, engine, text)


def verdict(made, node, line, first, engine, text) -> Verdict:
    found = Verdict(text=text)
    space = _space() | dict(zip(line.names, made.arguments(0)))

    def value_of(one: ast.expr):
        return eval(compile(ast.Expression(one), "<called>", "eval"), space)

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function = value_of(node.func)
            args = [value_of(arg) for arg in node.args]
            kwargs = {str(k.arg): value_of(k.value) for k in node.keywords}
            value = function(*args, **kwargs)
            if np.asarray(value).dtype.kind != "f" or isinstance(value, tuple):
                return found
            seed = np.cos(np.arange(np.size(value))).reshape(np.shape(value))[()]
            want = numeric_gradient(
                lambda x: function(x, *args[1:], **kwargs), (args[0],), 0, seed
            )
    except Exception:
        return found  # no call of the function alone
    scale = np.max(np.abs(want.value), initial=0.0)
    if not np.max(want.error, initial=0.0) <= 1e-6 * scale + 1e-7:
        found.measured = False
        return found
    try:
        gradient = engine.grad(function)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            got = gradient(*args, **kwargs, seed=seed)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    if np.shape(got) != np.shape(want.value) or not np.all(
        np.abs(got - want.value) <= 4e-6 * scale + 4e-7
    ):
        found.faults.append(Fault("value", f"{got}, not {want.value}"))
    return found
