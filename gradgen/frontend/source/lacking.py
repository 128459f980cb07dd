"""Keys and attributes that an argument may lack: those that some calls alone read."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from gradgen.frontend.source.class_texts import definition, is_of
from gradgen.frontend.source.reach import functions_of


_READS = (gast.Subscript, gast.Attribute)


def read_in_arms(node: gast.FunctionDef, name: str) -> frozenset[str]:
    """The keys and attributes of an argument that only the arms of tests read.

        if use:
            y = y + info["w"] @ x           "w", where nothing else is done with info

    What follows a test that returns is an arm as well. What is tested itself is read at
    once: nothing is None there that only lacks.
    """
    reads: dict[str, list[int]] = {}
    whole: set[int] = set()
    for one in gast.walk(node):
        if isinstance(one, (gast.Subscript, gast.Attribute)):
            base, key = one.value, _key(one)
            if isinstance(base, gast.Name) and base.id == name and key is not None:
                reads.setdefault(key, []).append(id(one))
                whole.add(id(base))
    for one in gast.walk(node):
        if isinstance(one, gast.Name) and one.id == name and id(one) not in whole:
            if not isinstance(one.ctx, gast.Param):
                return frozenset()  # handed on, or read by a key that is computed
    arms = set(_in_arms(node.body, False)) - set(_tested(node))
    return frozenset(k for k, places in reads.items() if arms.issuperset(places))


def _tested(node: gast.AST) -> Iterator[int]:
    """The identities of what is asked whether it is true, or compared, or handed on."""
    for one in gast.walk(node):
        parts: list[gast.AST] = []
        if isinstance(one, (gast.If, gast.IfExp, gast.While)):
            parts = [one.test]
        elif isinstance(one, (gast.Compare, gast.BoolOp)):
            parts = [one]
        elif isinstance(one, gast.UnaryOp) and isinstance(one.op, gast.Not):
            parts = [one.operand]
        elif isinstance(one, (gast.Assign, gast.Return)) and one.value is not None:
            parts = [] if not isinstance(one.value, _READS) else [one.value]
        yield from (id(inner) for part in parts for inner in gast.walk(part))


def _key(read: Any) -> str | None:
    if isinstance(read, gast.Attribute):
        return str(read.attr)
    key = read.slice
    is_text = isinstance(key, gast.Constant) and isinstance(key.value, str)
    return str(key.value) if is_text else None


def _in_arms(block: list[Any], inside: bool) -> Iterator[int]:
    """The identities of what runs in some calls only, of a block."""
    for statement in block:
        parts = (
            (statement.test, statement.body, statement.orelse)
            if isinstance(statement, gast.If)
            else None
        )
        if parts is None:
            yield from _of_expressions(statement, inside)
            continue
        test, body, orelse = parts
        yield from _of_expressions(test, inside)
        yield from _in_arms(body, True)
        yield from _in_arms(orelse, True)
        inside = inside or any(_returns(arm) for arm in (body, orelse))


def _of_expressions(node: gast.AST, inside: bool) -> Iterator[int]:
    if inside:
        yield from map(id, gast.walk(node))
        return
    for one in gast.walk(node):
        if isinstance(one, gast.IfExp):
            yield from map(id, (*gast.walk(one.body), *gast.walk(one.orelse)))
        elif isinstance(one, gast.BoolOp):
            yield from (id(x) for value in one.values[1:] for x in gast.walk(value))
        elif isinstance(one, gast.If):  # of a loop
            arms = (*one.body, *one.orelse)
            yield from (id(x) for arm in arms for x in gast.walk(arm))


def _returns(arm: list[Any]) -> bool:
    return bool(arm) and isinstance(arm[-1], gast.Return)


def assigned_in_arms(cls: type) -> frozenset[str]:
    """The attributes that __init__ assigns in an arm, and nothing else gives instances.

    if bias:
        self.b = np.zeros(n)            b, of an instance without bias
    """
    given = {name for base in cls.__mro__ for name in vars(base)}
    surely, perhaps = set[str](), set[str]()
    for base in cls.__mro__:
        given |= set(vars(base).get("__annotations__", ()))
        for function in functions_of(vars(base).get("__init__", None)):
            code = inspect.unwrap(function).__code__
            text = definition(code, code.co_filename)
            if text is not None:
                surely |= _assigned(text.body, text.receiver, both=True)
                perhaps |= _assigned(text.body, text.receiver, both=False)
    return frozenset(perhaps - surely - given)


def _assigned(block: Iterable[ast.stmt], own: str, both: bool) -> set[str]:
    """The attributes that a block assigns: surely, in `both` arms, or in any."""
    found = set[str]()
    for statement in block:
        if isinstance(statement, ast.If):
            arms = [
                _assigned(arm, own, both) for arm in (statement.body, statement.orelse)
            ]
            found |= arms[0] & arms[1] if both else arms[0] | arms[1]
            continue
        for part in ast.walk(statement):
            if is_of(part, own) and isinstance(part.ctx, ast.Store):
                found.add(part.attr)
    return found
