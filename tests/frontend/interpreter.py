"""Runs the IR with numpy in pure value semantics: every store copies."""

import copy
import math
import operator

import numpy as np

from gradgen.ir.nodes import Apply, Branch, Const, Effect, Let, Loop, Ref

OPERATORS = {
    "numpy.add": operator.add,
    "numpy.subtract": operator.sub,
    "numpy.multiply": operator.mul,
    "numpy.divide": operator.truediv,
    "numpy.power": operator.pow,
    "numpy.remainder": operator.mod,
    "numpy.floor_divide": operator.floordiv,
    "numpy.matmul": operator.matmul,
    "numpy.negative": operator.neg,
    "numpy.positive": operator.pos,
    "numpy.invert": operator.invert,
    "numpy.bitwise_and": operator.and_,
    "numpy.bitwise_or": operator.or_,
    "numpy.bitwise_xor": operator.xor,
    "numpy.less": operator.lt,
    "numpy.less_equal": operator.le,
    "numpy.greater": operator.gt,
    "numpy.greater_equal": operator.ge,
    "numpy.equal": operator.eq,
    "numpy.not_equal": operator.ne,
}
ROUNDS = 10_000


class Raised(Exception):
    """The function raised."""


def _setitem(x, key, value):
    x = copy.copy(x) if isinstance(x, list) else np.array(x)
    x[key] = copy.deepcopy(value)
    return x


def _additem(x, key, value):
    x = np.array(x)
    x[key] += value
    return x


def _add_at(x, key, value):
    x = np.array(x)
    np.add.at(x, key, value)
    return x


WORDS = {
    "tuple": lambda *items: tuple(items),
    "list": lambda *items: list(items),
    "slice": slice,
    "getitem": lambda x, key: x[key],
    "setitem": _setitem,
    "additem": _additem,
    "add_at": _add_at,
    "append": lambda xs, x: [*xs, x],
    "len": len,
    "float": float,
    "int": int,
    "bool": bool,
    "str": str,
    "range": range,
    "dtype": lambda x: x.dtype,
    "is": operator.is_,
    "is_not": operator.is_not,
    "not": operator.not_,
}


def run(function, *args):
    """The value of a lowered function."""
    env = dict(zip((param.var for param in function.params), args, strict=True))
    _block(function.body, env)
    values = [_value(value, env) for value in function.values]
    return values[0] if len(values) == 1 else tuple(values)


def _block(body, env):
    for stmt in body:
        if isinstance(stmt, Let):
            assert not isinstance(stmt.value, Apply) or all(
                not isinstance(arg, Apply) or arg.op in ("tuple", "list", "slice")
                for arg in stmt.value.args
            ), stmt
            assert stmt.var not in env or True
            env[stmt.var] = _value(stmt.value, env)
        elif isinstance(stmt, Branch):
            _branch(stmt, env)
        elif isinstance(stmt, Loop):
            _loop(stmt, env)
        elif isinstance(stmt, Effect):
            _effect(stmt.value, env)
        else:
            raise TypeError(stmt)


def _branch(stmt, env):
    inner = dict(env)
    if isinstance(stmt.test, Apply) and stmt.test.op == "numpy.errstate":
        assert not stmt.orelse
        with np.errstate(**{k: _value(v, env) for k, v in stmt.test.kwargs}):
            _block(stmt.then, inner)
        chosen = True
    else:
        chosen = bool(_value(stmt.test, env))
        _block(stmt.then if chosen else stmt.orelse, inner)
    for merge in stmt.merges:
        env[merge.var] = _value(merge.then if chosen else merge.orelse, inner)


def _loop(stmt, env):
    values = {c.inner: _value(c.entry, env) for c in stmt.carried}
    over = None if stmt.over is None else list(_value(stmt.over, env))
    count = 0
    while over is None or count < len(over):
        inner = {**env, **values}
        inner[stmt.index] = count if over is None else over[count]
        if stmt.test is not None and not _value(stmt.test, inner):
            break
        _block(stmt.body, inner)
        count += 1
        values = {c.inner: _value(c.next, inner) for c in stmt.carried}
        if stmt.until is not None and _value(stmt.until, inner):
            break
        if count > ROUNDS:
            raise RuntimeError("the loop does not end")
    for c in stmt.carried:
        env[c.exit] = values[c.inner]
    env[stmt.count] = count


def _effect(value, env):
    if value.op == "assert":
        if not _value(value.args[0], env):
            raise Raised("assert")
    elif value.op == "raise":
        raise Raised("raise")


def _value(expr, env):
    if isinstance(expr, Ref):
        return env[expr.var]
    if isinstance(expr, Const):
        return expr.value
    if expr.op == "and":
        for arg in expr.args:
            value = _value(arg, env)
            if not value:
                break
        return value
    if expr.op == "or":
        for arg in expr.args:
            value = _value(arg, env)
            if value:
                break
        return value
    args = [_value(arg, env) for arg in expr.args]
    kwargs = {name: _value(value, env) for name, value in expr.kwargs}
    if expr.spelling in ("operator", "augmented") and expr.op in OPERATORS:
        return OPERATORS[expr.op](*args)
    if expr.op in WORDS:
        return WORDS[expr.op](*args, **kwargs)
    if expr.spelling.startswith("name:math."):
        return getattr(math, expr.spelling.rpartition(".")[2])(*args)
    if expr.spelling in ("name:min", "name:max", "name:abs", "name:pow"):
        return (
            getattr(__builtins__, "get", None)(expr.spelling[5:])(*args)
            if isinstance(__builtins__, dict)
            else getattr(__builtins__, expr.spelling[5:])(*args)
        )
    found = np
    root, *parts = expr.op.split(".")
    if root != "numpy":
        found = __import__(root)
    for part in parts:
        found = getattr(found, part)
    if expr.op == "numpy.astype":
        return args[0].astype(*args[1:], **kwargs)
    result = found(*args, **kwargs)
    return np.array(result) if isinstance(result, np.ndarray) else result
