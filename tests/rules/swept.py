"""Calls of every rule with every parameter at values other than its default.

The calls are those of the rule tests, so that a new rule with a line is swept at
once: each parameter that the rule takes, or that the function itself takes, gets
values by its name (VALUES). What a call must be: right by measured derivatives, or
refused with a code.
"""

from __future__ import annotations

import ast
import copy
import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg, signal, special, stats

from gradgen.errors import GradgenError
from gradgen.rules.load import operation_of, operations
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import Program
from tests.rules.checker import Line, parameters

NAMES = dict(np=np, linalg=linalg, signal=signal, special=special, stats=stats)
AXES = ("0", "-1", "1", "None", "(0,)", "(0, 1)", "(-1, 0)")
FLAGS = ("True", "False")
MASK = ("np.abs(x) > 0.9", "np.zeros(1, dtype=bool)")
# values by the name of a parameter; what NumPy does not take there is no case
VALUES = {
    "axis": AXES,
    "axes": AXES,
    "axis1": ("1", "-1"),
    "axis2": ("0", "-2"),
    "dtype": ("int", "np.int32", "bool", "complex", "np.float64"),
    "copy": FLAGS,
    "keepdims": ("True", "1"),
    "include_initial": FLAGS,
    "endpoint": FLAGS,
    "rowvar": FLAGS,
    "bias": FLAGS,
    "hermitian": FLAGS,
    "upper": FLAGS,
    "check_finite": FLAGS,
    "overwrite_a": FLAGS,
    "overwrite_b": FLAGS,
    "overwrite_ab": FLAGS,
    "overwrite_c": FLAGS,
    "overwrite_input": FLAGS,
    "unit_diagonal": FLAGS,
    "transposed": FLAGS,
    "full_matrices": FLAGS,
    "compute_uv": FLAGS,
    "compute_expm": FLAGS,
    "density": FLAGS,
    "deg": FLAGS,
    "right": FLAGS,
    "returned": FLAGS,
    "where": MASK,
    "initial": ("2.0", "0.1", "1"),
    "ddof": ("1", "2", "0.5"),
    "correction": ("1",),
    "out": ("np.zeros_like({call})",),
    "casting": ("'unsafe'", "'no'"),
    "order": ("'F'", "'A'", "'K'", "'C'"),
    "UPLO": ("'U'", "'u'", "'L'"),
    "lower": FLAGS,
    # of symmetric matrices, the gradients are symmetric: tests of their own
    "assume_a": ("'gen'", "'lower triangular'", "'diagonal'"),
    "trans": ("1", "2", "'T'", "'C'", "'N'"),
    "rcond": ("0.5", "1e-3", "-1"),
    "rtol": ("0.5",),
    "tol": ("0.5",),
    "norm": ("'ortho'", "'forward'", "'backward'"),
    "n": ("2", "3", "7", "0"),
    "s": ("(2,)", "(2, 3)", "(6, 7)"),
    "side": ("'right'", "'left'"),
    "offset": ("1", "-1", "0"),
    "k": ("1", "-1", "2"),
    "kind": ("'stable'", "'heapsort'"),
    "weights": ("np.array([1.0, 2.0, 0.5])", "np.ones(5)", "x * x"),
    "fweights": ("[1, 2, 1, 3, 1]", "[2, 1, 1]"),
    "aweights": ("[0.5, 1.0, 2.0, 1.0, 1.0]", "[1.0, 2.0, 1.0]"),
    "ord": (
        "1",
        "2",
        "-1",
        "-2",
        "np.inf",
        "-np.inf",
        "'fro'",
        "'nuc'",
        "0",
        "3",
        "2.5",
    ),
    "p": ("1", "2", "-1", "-2", "np.inf", "-np.inf", "'fro'", "'nuc'"),
    "mode": tuple(
        "'full' 'same' 'valid' 'wrap' 'clip' 'raise' 'edge' 'reflect' 'symmetric' 'mean' "
        "'linear_ramp' 'maximum' 'median' 'empty' 'r' 'complete' 'raw' 'reduced'".split()
    ),
    "method": tuple(
        "'lower' 'higher' 'nearest' 'midpoint' 'hazen' 'weibull' 'median_unbiased' "
        "'inverted_cdf' 'closest_observation' 'direct' 'fft' 'auto'".split()
    ),
    "interpolation": ("'lower'",),
    "constant_values": ("1.5", "(1.0, 2.0)"),
    "prepend": ("0.5",),
    "append": ("0.5",),
    "period": ("2.0",),
    "edge_order": ("2",),
    "decimals": ("1", "-1"),
    "range": ("(0.0, 1.0)",),
    "bins": ("3",),
    "minlength": ("9",),
    "num": ("4", "1"),
    "shift": ("2", "-1"),
    "repeats": ("0", "3"),
    "loc": ("0.3",),
    "scale": ("1.7",),
    "nan": ("0.5",),
    "subscripts": (),
    "reps": ("(2, 1)", "3"),
    "optimize": ("True", "'greedy'"),
    "ind": ("1", "2"),
    "M": ("2",),
    "dx": ("0.5",),
    "stable": FLAGS,
    "like": ("np.ones(1)",),
    "device": ("'cpu'",),
    "ndmin": ("3",),
    "subok": FLAGS,
}
OTHERWISE = ("True", "False", "0", "1", "2", "0.5", "None", "'full'")  # another name


OF_NO_NUMBER = ("GG501",)  # a result of integers, booleans, ranks


@dataclass(frozen=True)
class Variant:
    """A line, the operation whose call was changed in it, and how."""

    line: Line
    op: str
    text: str


def function_of(node: ast.Call) -> object:
    """The function that a call in a line is of, None for a method."""
    try:
        return eval(ast.unparse(node.func), NAMES)
    except Exception:
        return None


def called(lines: list[Line]) -> dict[str, list[tuple[Line, int]]]:
    """The calls of each operation: lines, shortest first, and which node of the text."""
    ids, found = operation_of(), {}
    for line in sorted(lines, key=lambda line: (len(line.text), line.text)):
        tree = ast.parse(line.text, mode="eval")
        for place, node in enumerate(ast.walk(tree)):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                op = ids.get(id(function_of(node)), f"scipy.{name}")
                if name.count(".") > 1 and f"numpy.{name[3:]}" in operations():
                    op = f"numpy.{name[3:]}"
                if op in operations():
                    found.setdefault(op, []).append((line, place))
    return found


def names_of(op: str, function: object) -> dict[str, int | None]:
    """The parameters of the rule and of the function, with their places if known."""
    rule = operations()[op]
    found: dict[str, int | None] = {}
    try:
        signature = inspect.signature(function).parameters.values()
        known = [p.name for p in signature]
        firsts = [p.name for p in signature if p.kind in (p.POSITIONAL_OR_KEYWORD,)]
        found |= {name: None for name in known}
        found |= {name: known.index(name) for name in firsts}
    except (TypeError, ValueError):
        pass
    if isinstance(function, np.ufunc):
        found |= dict.fromkeys(("where", "dtype", "casting", "subok", "axes"))
        if op.startswith("scipy.special."):
            found.pop("where")  # special.xlogy(x, y, where=...) ends Python itself
    for place, param in enumerate(rule.params):
        name = param.var.name.rstrip("_")
        if param.default is not None:
            found.setdefault(name, None if param.keyword_only else place)
    return {k: v for k, v in found.items() if k not in ("kwargs", "args", "kwds")}


def variants(
    op: str, calls: list[tuple[Line, int]], lines: int = 2, values: int = 99
) -> Iterator[Variant]:
    """The calls of an operation with one parameter changed, by name and by place.

    So many `lines` with its calls, and so many `values` of a parameter, at most.
    """
    seen = set()
    for line, place in _different(calls, lines):
        tree = ast.parse(line.text, mode="eval")
        node = list(ast.walk(tree))[place]
        function = function_of(node)
        required = [p for p in operations()[op].params if p.default is None]
        for name, at in names_of(op, function).items():
            if (
                at is not None
                and at < len(required)
                and name not in ("axis", "repeats")
            ):
                continue
            most = 1 if isinstance(function, np.ufunc) else values  # refused alike
            for value in VALUES.get(name, OTHERWISE)[:most]:
                for changed in _changed(tree, place, name, at, value):
                    text = ast.unparse(changed)
                    if text not in seen and text != line.text:
                        seen.add(text)
                        yield Variant(line, op, text)


def _different(calls, most: int):
    """A few of the lines: of different ranks before others."""
    by_rank = {}
    for line, place in calls:
        by_rank.setdefault(line.shapes[0], (line, place))
    return list(by_rank.values())[:most]


def _changed(tree, place: int, name: str, at: int | None, value: str):
    """The text with the parameter of one call given, by its name and by its place."""
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
        elif at == len(node.args) and not node.keywords:
            node.args.append(given)
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
                if value is None:
                    return "-" if gradient.source else ""
                if value.dtype.kind == "f":
                    return _faults(program, gradient, names)
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
        return f"{type(error).__name__}: {error}\n{gradient.source}"
    for k, g in enumerate(found if isinstance(found, tuple) else (found,)):
        want = numeric_gradient(program.function, args, k, seed)
        scale = np.max(np.abs(want.value), initial=0.0)
        if not np.max(want.error, initial=0.0) <= 1e-6 * scale + 1e-7:
            return "-"
        if np.shape(g) != np.shape(want.value):
            return f"shape of d_{names[k]}: {np.shape(g)}\n{gradient.source}"
        if not np.all(np.abs(g - want.value) <= 4e-6 * scale + 4e-7):
            return f"d_{names[k]}\n{g}\nand not\n{want.value}\n{gradient.source}"
    return ""
