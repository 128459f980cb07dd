"""Options as arguments: an axis, an order, a mode that a call hands over.

A line of the rule tests in which one or two constants are parameters, some with a
default; half of the programs are calls that take an axis, whether the line gives one
or not. Nothing is told; the derivative is called with several values in turn, by
position and by keyword, each of which has to be right, as has the first again.
"""

from __future__ import annotations

import ast
import copy
import re
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
# what reads one triangle of a matrix, which has to stay symmetric: x @ x.swapaxes(-1, -2)
SYMMETRIC = re.compile("cho_|cholesky|eigh|eigvalsh|assume_a")
AXES = [None, 0, -1, 1, (0,), (0, 1), (-1,)]


@lru_cache(maxsize=None)
def lines() -> tuple:
    from tests.rules.test_second_order import LINES

    found = [line for line in LINES if _places(ast.parse(line.text))]
    return tuple(line for line in found if "float" not in line.shapes[0])


@lru_cache(maxsize=None)
def with_axes() -> tuple:
    """The lines with a call that takes an axis, and which node of the text that is."""
    from tests.rules.swept import called, names_of, function_of
    from tests.rules.test_second_order import LINES

    found = {}
    for op, calls in called(LINES).items():
        for line, place in calls[:8]:
            node = list(ast.walk(ast.parse(line.text, mode="eval")))[place]
            named = [k.arg for k in node.keywords]
            if "axis" in names_of(op, function_of(node)) and "out" not in named:
                found.setdefault(op, []).append((line, place))
    return tuple(found.values())


def of_axis(rng: Random):
    """A line with the axis of a call as a parameter, and that axis."""
    from tests.rules.swept import names_of, function_of
    from gradgen.rules.load import operation_of

    line, place = rng.choice(rng.choice(with_axes()))
    tree = copy.deepcopy(ast.parse(line.text, mode="eval"))
    node = list(ast.walk(tree))[place]
    name = ast.Name("k0", ast.Load())
    op = operation_of().get(id(function_of(node)), "")
    at = names_of(op, function_of(node)).get("axis") if op else None
    keywords = [k for k in node.keywords if k.arg == "axis"]
    if keywords:
        keywords[0].value = name
    elif at is not None and at < len(node.args):
        node.args[at] = name
    elif at == len(node.args) and rng.random() < 0.5:
        node.args.append(name)
    else:
        node.keywords.append(ast.keyword("axis", name))
    return line, tree, rng.choice(AXES)


def _places(tree: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    """Where options stand: fields of calls that are constants, or tuples of these."""
    found: list[tuple[ast.AST, str, int | None]] = []
    kept = SYMMETRIC.search(ast.unparse(tree)) is not None
    for node in ast.walk(tree):
        if kept and getattr(getattr(node, "func", None), "attr", "") == "swapaxes":
            continue
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
    if rng.random() < 0.5:
        line, tree, axis = of_axis(rng)
        return _written(line, tree, [axis]), [axis], line, rng
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
    return _written(line, tree, values), values, line, rng


def _written(line, tree: ast.AST, values: list) -> str:
    """The module of a function with these options as defaults."""
    options = [f"k{i}={v!r}" for i, v in enumerate(values)]
    body = ast.unparse(ast.fix_missing_locations(tree))
    head = f"def f({', '.join([*line.names, *options])}):\n    return {body}\n"
    scipy = "".join(f"from scipy import {n}\n" for n in SCIPY if f"{n}." in line.text)
    return f"import numpy as np\n{scipy}{head}"


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    from tests.rules.checker import parameters

    text, values, line, rng = program(seed)
    params = parameters(line, rng.choice(line.shapes))
    made = Module(params, ("return x",), seed, "f", text=text)
    case = Case(made, {}, line.names[0], level="none")
    function = imported(text, "f")
    others = [[rng.choice(_others(value)) for value in values] for _ in range(2)]
    used = [values, *others, values]
    if rng.random() < 0.5 and "k0=None" not in text:
        used = [*others, values]
    yield case, verdict(function, made, used, engine, text)


def _others(value) -> list:
    """Values that an option may have as well."""
    if type(value) is bool:
        return FLAGS
    if value in AXES and value not in OTHERS or value is None:
        return AXES
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
            is_default = options is used[-1] and made.seed % 2
            given = [] if is_default else options
            names = {f"k{i}": one for i, one in enumerate(given)}
            try:
                if made.seed % 3:
                    got = gradient(*made.arguments(0), *given, seed=seed)
                else:
                    got = gradient(*made.arguments(0), **names, seed=seed)
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
