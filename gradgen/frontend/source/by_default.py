"""Functions and instances that __init__ chooses by an option: self.act = ACTS[act].

An argument of __init__ that has a default is taken for that where it decides on a
function, or on an instance whose methods are called: nothing else tells which it is.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from gradgen.frontend.source.fields_told import UNKNOWN, is_none
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.reach import NOTHING

COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    ast.Is: lambda a, b: a is b,
    ast.IsNot: lambda a, b: a is not b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
WORDS = (str, bool, int, type(None))


def options(function: Any, known: Mapping[str, Held]) -> dict[str, Any]:
    """The arguments of a method that are words, whole numbers or None by now."""
    found: dict[str, Any] = {}
    for name, one in inspect.signature(function).parameters.items():
        held = known.get(name, UNKNOWN)
        if held.kind == "setting" and type(held.value.value) in WORDS:
            found[name] = held.value.value
        elif held == UNKNOWN and one.default is None:
            found[name] = None
    return found


class Choice:
    """What expressions of a method come to with the options that it has."""

    def __init__(
        self, options: Mapping[str, Any], module: Callable[[ast.AST], Any]
    ) -> None:
        self.options, self.module = options, module

    def chosen(self, node: ast.AST) -> ast.AST:
        """The arm of a choice that is taken, itself for another expression."""
        while isinstance(node, ast.IfExp):
            test = self.value(node.test)
            if test is NOTHING:
                break
            node = node.body if test else node.orelse
        return node

    def read(self, node: ast.AST) -> frozenset[str]:
        """The options that an expression reads."""
        names = (getattr(one, "id", "") for one in ast.walk(node))
        return frozenset(names) & self.options.keys()

    def value(self, node: ast.AST) -> Any:
        """The value of an expression, NOTHING where the options do not tell it.

        before:  ACTS[act], ACTS[act][0], ACTS.get(act.lower()), act is None, act in ACTS
        """
        try:
            return self._value(node)
        except Exception:  # what a table does not have, or a word has not
            return NOTHING

    def _value(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id in self.options:
            return self.options[node.id]
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.module(node)
        if isinstance(node, ast.IfExp):
            arm = self.chosen(node)
            return NOTHING if arm is node else self._value(arm)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self._value(node.operand)
            return value if value is NOTHING else not value
        if isinstance(node, ast.BoolOp):
            return self._all(node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            test = COMPARED.get(type(node.ops[0]))
            sides = self._value(node.left), self._value(node.comparators[0])
            if test is None or NOTHING in (sides[0], sides[1]):
                return NOTHING
            return test(*sides)
        if isinstance(node, ast.Subscript):
            return self._entry(self._value(node.value), [node.slice])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self._called(node, node.func)
        return NOTHING

    def _all(self, node: ast.BoolOp) -> Any:
        value: Any = NOTHING
        for one in node.values:
            value = self._value(one)
            if value is NOTHING or bool(value) is isinstance(node.op, ast.Or):
                return value
        return value

    def _called(self, node: ast.Call, func: ast.Attribute) -> Any:
        """ACTS.get(act), act.lower()"""
        base = self._value(func.value)
        if isinstance(base, str) and func.attr in ("lower", "upper", "strip"):
            return getattr(base, func.attr)()
        if func.attr == "get" and not node.keywords:
            return self._entry(base, node.args)
        return NOTHING

    def _entry(self, table: Any, places: Iterable[ast.AST]) -> Any:
        key, *others = map(self._value, places)
        if key is NOTHING or NOTHING in others:
            return NOTHING
        if type(table) in (tuple, list) and type(key) is int and not others:
            return table[key]
        if type(table) is not dict:
            return NOTHING
        return table.get(key, others[0]) if others else table[key]


def passed_over(body: Iterable[ast.stmt], choice: Choice) -> Iterator[int]:
    """The assignments and calls, by identity, in arms that the options pass over.

    before:  if act == "relu": self.act = ReLU()
             else: self.act = Tanh()               # act="relu"
    after:   self.act = Tanh() is passed over
    """
    for stmt in body:
        if isinstance(stmt, ast.If):
            test = choice.value(stmt.test)
            if test is not NOTHING:
                for one in stmt.orelse if test else stmt.body:
                    yield from map(id, ast.walk(one))
            for arm in (stmt.body, stmt.orelse):
                yield from passed_over(arm, choice)


def is_chosen(held: Held) -> bool:
    """Whether a field is a function, or an instance, which a text is made of."""
    if held.kind == "setting":
        return is_whole(held.value.value)
    return held.kind == "object"


def is_aside(new: Held, before: Held | None) -> bool:
    """Whether what an arm assigns that is passed over leaves a function what it is."""
    return is_chosen(new) or is_none(new) or before is not None and is_chosen(before)


def is_whole(default: Any) -> bool:
    """Whether a default is a function or a module: act=np.tanh, xp=np."""
    given = default is not inspect.Parameter.empty
    return given and (callable(default) or inspect.ismodule(default))


def is_left_out(
    name: str, left_out: Mapping[str, frozenset[str]], called: Iterable[str]
) -> bool:
    """Whether an attribute is called that is None by default, or one by its option is.

    before:  self.act = act; self.f = ACTS[act]() if act else None      # act=None
    after:   where f is called, both are None
    """
    asked = left_out.get(name, frozenset())
    return any(asked & left_out.get(one, frozenset()) for one in called)


def without(left_out: dict[str, frozenset[str]], names: Iterable[str]) -> None:
    """Forgets attributes that get another value."""
    for name in names:
        left_out.pop(name, None)
