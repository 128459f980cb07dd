"""Options as arguments: an axis, an order, a mode that a call hands over.

A line of the rule tests in which one or two constants are parameters, some with a
default. Nothing is told; the derivative is called with several values in turn, each
of which has to be right, as has the first again.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Iterator
from functools import lru_cache
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.constants import Module
from tests.fuzz.program import SCIPY, imported

PROGRAMS = 12
REFUSED_AT_MOST = 0.06
OTHERS = {0: [0, 1, -1], 1: [1, 0, 2], -1: [-1, 0], 2: [2, 1, 3]}
FLAGS = [True, False]


@lru_cache(maxsize=None)
def lines() -> tuple:
    from tests.rules.test_second_order import LINES

    found = [line for line in LINES if _places(ast.parse(line.text))]
    return tuple(line for line in found if "float" not in line.shapes[0])


def _places(tree: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    """Where options stand: fields of calls that are constants, or tuples of these."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found += [(node, "args", i) for i, a in enumerate(node.args) if _fits(a)]
        if isinstance(node, ast.keyword) and _fits(node.value):
            found.append((node, "value", None))
    return found


def _fits(node: ast.expr) -> bool:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return False
    flat = value if isinstance(value, tuple) else (value,)
    return all(isinstance(one, (int, str, type(None))) for one in flat)


def program(seed: int):
    """The text of a function with options, what they are called with, and the line."""
    rng = Random(f"options {seed}")
    line = rng.choice(lines())
    tree = copy.deepcopy(ast.parse(line.text, mode="eval"))
    values = []
    for k in range(rng.choice((1, 1, 2))):
        places = _places(tree)
        if not places:
            break
        node, field, i = rng.choice(places)
        own = getattr(node, field) if i is None else getattr(node, field)[i]
        values.append(ast.literal_eval(own))
        name = ast.Name(f"k{k}", ast.Load())
        if i is None:
            setattr(node, field, name)
        else:
            getattr(node, field)[i] = name
    options = [f"k{i}={v!r}" for i, v in enumerate(values)]
    body = ast.unparse(ast.fix_missing_locations(tree))
    head = f"def f({', '.join([*line.names, *options])}):\n    return {body}\n"
    scipy = "".join(f"from scipy import {n}\n" for n in SCIPY if f"{n}." in line.text)
    return f"import numpy as np\n{scipy}{head}", values, line, rng


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    from tests.rules.checker import parameters

    text, values, line, rng = program(seed)
    params = parameters(line, rng.choice(line.shapes))
    made = Module(params, ("return x",), seed, "f", text=text)
    case = Case(made, {}, line.names[0], level="none")
    function = imported(text, "f")
    others = [rng.choice(_others(value)) for value in values]
    used = [values, others, values]
    yield case, verdict(function, made, used, engine, text)


def _others(value) -> list:
    """Values that an option may have as well."""
    if type(value) is bool:
        return FLAGS
    return OTHERS.get(value, [value]) if type(value) is int else [value]


def verdict(function, made, used, engine, text: str) -> Verdict:
    found = Verdict(text=text)
    args = made.arguments(0)
    gradient = engine.grad(function)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for options in used:
            try:
                value = function(*args, *options)
                if np.asarray(value).dtype.kind != "f":
                    continue
                seed = np.cos(np.arange(np.size(value))).reshape(np.shape(value))[()]
                n = len(args)
                want = numeric_gradient(
                    lambda *a: function(*a[:n], *options), args, 0, seed
                )
            except Exception:
                continue  # NumPy does not take it
            if ".std(" in text and np.any(value == 0):
                continue  # a kink
            scale = np.max(np.abs(want.value), initial=0.0)
            if not np.max(want.error, initial=0.0) <= 1e-6 * scale + 1e-7:
                continue
            is_default = options is not used[1] and made.seed % 2
            given = [] if is_default else options
            try:
                got = gradient(*made.arguments(0), *given, seed=seed)
            except GradgenError as refusal:
                found.refusal = str(refusal)
                continue
            except Exception:
                found.faults.append(broken_off())
                return found
            if np.shape(got) != np.shape(want.value) or not np.all(
                np.abs(got - want.value) <= 4e-6 * scale + 4e-7
            ):
                said = f"{options}: {got}, not {want.value}\n{gradient.source}"
                found.faults.append(Fault("value", said))
    return found
