"""Calls of every rule with every parameter at values other than its default.

The calls are those of the rule tests, so that a new rule with a line is swept at
once: each parameter that the rule takes, or that the function itself takes, gets
values by its name (option_values.py). What a call must be: right by measured
derivatives, or refused with a code.
"""

from __future__ import annotations

import ast
import copy
import inspect
import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import fft, integrate, linalg, optimize, signal, spatial, special, stats

from gradgen.errors import GradgenError
from gradgen.ir.operators import IN_ORDER, METHODS, UFUNC_METHODS
from gradgen.rules.load import operation_of, operations
from gradgen.rules.rule import Rule
from gradgen.verify.finite import directional, numeric_gradient
from tests.fuzz.program import Program
from tests.rules.checker import Line, parameters
from tests.rules.option_values import OTHERWISE, VALUES

MODULES = (fft, integrate, linalg, math, optimize, signal, spatial, special, stats)
NAMES = {"np": np} | {module.__name__.split(".")[-1]: module for module in MODULES}
# matmul and its like take a larger array, by whose first axes the result is repeated;
# gradgen refuses it where it is run
LARGER, NO_ROOM = "np.zeros((2, ", "out= does not fit"
# Taken where a rule has no such word: an array into which the result is stored, and what
# changes neither values nor shapes of what is computed.
TAKEN = ("out", "subok", "device", "copy", "overwrite_a", "overwrite_b", "overwrite_ab")
# words that the frontend takes to other operations
ELSEWHERE = {f"numpy.{name}": ("shape",) for name in ("ones_like", "empty_like")}
ELSEWHERE |= {f"numpy.as{name}array": ("dtype",) for name in ("contiguous", "fortran")}
OF_ARRAYS = "method:"  # what np.ndarray has, by the name of the method
OF_NO_NUMBER = ("GG501",)  # a result of integers, booleans, ranks


@dataclass(frozen=True)
class Variant:
    """A line, the operation whose call was changed in it, and how."""

    line: Line
    op: str
    text: str
    word: str = ""
    refused: bool = False  # it has to be


def function_of(node: ast.Call) -> object:
    """The function that a call in a line is of, None for a method."""
    try:
        return eval(ast.unparse(node.func), NAMES)
    except Exception:
        return None


def rule_of(op: str) -> Rule:
    """The rule of an operation, of np.add.reduce too, and of a method, "method:sum"."""
    if op.startswith(OF_ARRAYS):
        op = METHODS[op.removeprefix(OF_ARRAYS)]
    return operations()[UFUNC_METHODS.get(op, op)]


def called(lines: list[Line]) -> dict[str, list[tuple[Line, int]]]:
    """The calls of each operation: lines, shortest first, and which node of the text."""
    found: dict[str, list[tuple[Line, int]]] = {}
    for line in sorted(lines, key=lambda line: (len(line.text), line.text)):
        tree = ast.parse(line.text, mode="eval")
        for place, node in enumerate(ast.walk(tree)):
            op = _operation(node, line) if isinstance(node, ast.Call) else ""
            if op:
                found.setdefault(op, []).append((line, place))
    return found


def _operation(node: ast.Call, line: Line) -> str:
    """What a call in a line is of; "" for what has no rule."""
    name = ast.unparse(node.func)
    of, _, method = name.rpartition(".")
    if of in line.names and method in METHODS:
        return OF_ARRAYS + method
    full = f"numpy.{name[3:]}"
    if name.count(".") > 1 and (full in UFUNC_METHODS or full in operations()):
        return full
    op = operation_of().get(id(function_of(node)), f"scipy.{name}")
    return op if op in operations() else ""


def names_of(op: str, function: object) -> dict[str, int | None]:
    """The parameters of the rule and of the function, with their places if known."""
    rule, method = rule_of(op), op.startswith(OF_ARRAYS)
    found: dict[str, int | None] = {}
    known = signature_of(op, function)
    for place, param in enumerate(known):
        given = param.kind is param.POSITIONAL_OR_KEYWORD
        found[param.name] = place if given else None
    if "kwargs" in found:
        more = dict.fromkeys(("keepdims", "initial", "where", "dtype", "casting"))
        found = more | found
    if isinstance(function, np.ufunc):
        found |= dict.fromkeys(("where", "dtype", "casting", "subok", "axes"))
        if op.startswith("scipy.special."):
            found.pop(
                "where", None
            )  # special.xlogy(x, y, where=...) ends Python itself
    for place, param in enumerate(rule.params[method:]):
        name = param.var.name.rstrip("_")
        if param.default is not None:
            found.setdefault(name, None if param.keyword_only else place)
    if op.startswith("scipy.stats.") and op.count(".") == 3:
        found |= {word: found.get(word) for word in ("loc", "scale")}
    return {k: v for k, v in found.items() if k not in ("kwargs", "args", "kwds")}


def signature_of(op: str, function: object) -> list[inspect.Parameter]:
    """The parameters that a function says it has, without the array of a method."""
    try:
        if op.startswith(OF_ARRAYS):
            function = getattr(np.ndarray, op.removeprefix(OF_ARRAYS))
            return list(inspect.signature(function).parameters.values())[1:]
        return list(inspect.signature(function).parameters.values())  # type: ignore
    except (TypeError, ValueError):
        return []


def variants(
    op: str, calls: list[tuple[Line, int]], lines: int = 2, values: int = 99
) -> Iterator[Variant]:
    """The calls of an operation with one parameter changed, by name and by place.

    So many `lines` with its calls, and so many `values` of a parameter, at most.
    """
    seen = set()
    required = [p for p in rule_of(op).params if p.default is None]
    words = {*rule_of(op).by_name, *IN_ORDER.get(rule_of(op).op, ()), *TAKEN}
    words.update(ELSEWHERE.get(op, ()))
    first = len(required) - op.startswith(OF_ARRAYS)
    for line, place in first_calls(calls, lines):
        tree = ast.parse(line.text, mode="eval")
        node = list(ast.walk(tree))[place]
        function = function_of(node)
        before = [_written(p.default) for p in signature_of(op, function)]
        defaults = {p.name: repr(p.default) for p in signature_of(op, function)}
        for name, at in names_of(op, function).items():
            if at is not None and at < first and name not in ("axis", "repeats"):
                continue
            alike = isinstance(function, np.ufunc) and name != "out"  # refused alike
            most = 1 if alike else values
            known = name in words
            for value in VALUES.get(name, OTHERWISE)[:most]:
                unknown = not known and value != defaults.get(name)
                for changed in _changed(tree, place, name, at, value, before):
                    text = ast.unparse(changed)
                    if text not in seen and text != line.text:
                        seen.add(text)
                        yield Variant(line, op, text, name, unknown)


def _written(default: object) -> ast.expr | None:
    """A default as it would be given by hand, None where it cannot be."""
    if type(default) in (bool, int, float, str, type(None)):
        return ast.Constant(default)
    return None


def first_calls(calls, most: int):
    """A few of the lines: of different ranks before others."""
    by_rank = {}
    for line, place in calls:
        by_rank.setdefault(line.shapes[0], (line, place))
    return list(by_rank.values())[:most]


def _changed(tree, place: int, name: str, at: int | None, value: str, before=()):
    """The text with the parameter of one call given, by its name and by its place.

    By its place with all that stand `before` it, as they are where they are left out.
    """
    for by_name in (True, False):
        new = copy.deepcopy(tree)
        node = list(ast.walk(new))[place]
        value = value.replace("{call}", ast.unparse(node))
        given = ast.parse(value, mode="eval").body
        keywords = [k for k in node.keywords if k.arg == name]
        if keywords:
            keywords[0].value = given
        elif at is not None and at < len(node.args):
            node.args[at] = given
        elif by_name:
            node.keywords.append(ast.keyword(name, given))
        elif at is not None and not node.keywords:
            between = list(before[len(node.args) : at])
            if None in between or len(node.args) + len(between) != at:
                continue
            node.args += [*between, given]
        else:
            continue
        yield ast.fix_missing_locations(new)


def wrong(variant: Variant, engine, told: bool = True) -> str:
    """What is wrong with the gradient of a call; "" if it is right or refused.

    A call that NumPy does not take, or that cannot be measured, is no case: "-".
    """
    line = variant.line
    text = variant.text
    params = parameters(line, line.shapes[0])
    names = tuple(param.name for param in params)
    wrt = names if len(names) > 1 else names[0]
    shapes = {param.name: param.fact for param in params} if told else {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for shown in (text, f"np.real({text})", f"1.0 * ({text})"):
            program = Program(params, (f"return {shown}",), seed=1)
            try:
                value = np.asarray(program.function(*program.arguments(0)))
            except Exception:
                value = None
            try:
                gradient = engine.grad(program.function, wrt=wrt, shapes=shapes)
                if variant.refused and value is not None:
                    return f"{variant.word}= is taken, of which its rule knows nothing"
                if value is None:
                    return "-" if gradient.source else ""
                if value.dtype.kind == "f":
                    fault = _faults(program, gradient, names)
                    return fault or _forward_faults(program, engine, shapes)
            except GradgenError as refusal:
                if refusal.code in OF_NO_NUMBER:
                    continue
                return str(refusal) if refusal.code.startswith("GG9") else ""
            except Exception as error:
                return f"internal error: {type(error).__name__}: {error}"
    return "-"


def _faults(program: Program, gradient, names: tuple[str, ...]) -> str:
    args = program.arguments(0)
    value = program.function(*args)
    if not np.all(np.isfinite(value)):
        return "-"
    seed = np.random.default_rng(1).uniform(0.5, 1.5, np.shape(value))[()]
    try:
        found = gradient(*program.arguments(0), seed=seed)
    except GradgenError:
        raise
    except Exception as error:
        if str(error) == NO_ROOM and LARGER in program.lines[0]:
            return ""
        return f"{type(error).__name__}: {error}\n{gradient.source}"
    for k, g in enumerate(found if isinstance(found, tuple) else (found,)):
        want = numeric_gradient(program.function, args, k, seed)
        scale = np.max(np.abs(want.value), initial=0.0)
        if not np.max(want.error, initial=0.0) <= 1e-6 * scale + 1e-7:
            return "-"
        if np.shape(g) != np.shape(want.value):
            return f"shape of d_{names[k]}: {np.shape(g)}\n{gradient.source}"
        if np.asarray(g).dtype != np.float64:
            return f"dtype of d_{names[k]}: {np.asarray(g).dtype}\n{gradient.source}"
        if not np.all(np.abs(g - want.value) <= 4e-6 * scale + 4e-7):
            return f"d_{names[k]}\n{g}\nand not\n{want.value}\n{gradient.source}"
    return _single_faults(program, gradient, seed)


def _forward_faults(program: Program, engine, shapes: dict[str, str]) -> str:
    """What is wrong with the tangent, by differences along one direction."""
    names, args = tuple(p.name for p in program.params), program.arguments(0)
    rng = np.random.default_rng(2)
    vectors = [np.asarray(rng.normal(size=np.shape(arg)))[()] for arg in args]
    try:
        forward = engine.jvp(program.function, wrt=names, shapes=shapes)
        value, change = forward(*program.arguments(0), *vectors)
    except GradgenError as refusal:
        return str(refusal) if refusal.code.startswith("GG9") else ""
    except Exception as error:
        return f"forward: {type(error).__name__}: {error}"

    if np.shape(change) != np.shape(value):
        return f"forward: shape {np.shape(change)}\n{forward.source}"
    want = directional(program.function, args, vectors)
    scale = np.max(np.abs(want.value), initial=0.0)
    if not np.max(want.error, initial=0.0) <= 1e-6 * scale + 1e-7:
        return ""
    if not np.all(np.abs(change - want.value) <= 4e-6 * scale + 4e-7):
        return f"forward\n{change}\nand not\n{want.value}\n{forward.source}"
    return ""


def _single_faults(program: Program, gradient, seed) -> str:
    """Where the function of float32 is float32, so is its gradient."""
    args = program.arguments(0, np.float32)
    try:
        value = program.function(*args)
    except Exception:  # SciPy takes no float32 there
        return ""
    if np.asarray(value).dtype != np.float32:
        return ""
    found = gradient(*program.arguments(0, np.float32), seed=np.float32(seed))
    several = found if isinstance(found, tuple) else (found,)
    for name, g, arg in zip((p.name for p in program.params), several, args):
        if (
            isinstance(arg, (np.ndarray, np.generic))
            and np.asarray(g).dtype != np.float32
        ):
            return f"dtype of d_{name} in float32: {np.asarray(g).dtype}\n{gradient.source}"
    return ""
