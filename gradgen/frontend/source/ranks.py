"""The ranks of arrays that __init__ makes: np.zeros((n, m)), 0.1 * rng.normal(...)."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gradgen.frontend.source.lookup import part_of
from gradgen.frontend.source.reach import NOTHING

# functions that take a shape first, or the lengths one by one, or by a keyword
BY_SHAPE = (np.zeros, np.ones, np.empty, np.full)
RANDOM_BY_SHAPE = ("random",)
RANDOM_BY_LENGTHS = ("rand", "randn")
BY_SIZE = "normal uniform standard_normal random random_sample".split()
# functions that leave the shape as it is
SAME = (np.sqrt, np.exp, np.abs, np.tanh, np.log, np.square, np.asarray, np.copy)
LETTERS = "n m k p q r s t u v w".split()


def counts_of(node: ast.AST) -> set[str]:
    """The names that stand in shapes: n and m of np.zeros((n, m))."""
    counts: set[str] = set()
    for part in ast.walk(node):
        if not isinstance(part, ast.Call):
            continue
        name = getattr(part.func, "attr", getattr(part.func, "id", ""))
        if name in ("rand", "randn", "range"):
            counts |= _names(part.args)
        for arg in [*part.args, *(word.value for word in part.keywords)]:
            if isinstance(arg, ast.Tuple):
                counts |= _names(arg.elts)
    return counts


def lengths_of(node: ast.AST) -> set[str]:
    """The names that surely are lengths: n and m of np.zeros((n, m)), range(k)."""
    words = {getattr(one, "__name__", "") for one in BY_SHAPE}
    found: set[str] = set()
    for part in ast.walk(node):
        if not isinstance(part, ast.Call) or not part.args:
            continue
        name = getattr(part.func, "attr", getattr(part.func, "id", ""))
        if name in (*RANDOM_BY_LENGTHS, "range"):
            found |= _names(part.args)
        elif name in words and isinstance(part.args[0], ast.Tuple):
            found |= _names(part.args[0].elts)
    return found


class Ranks:
    """Reads what expressions tell of the shapes of arrays, as facts."""

    def __init__(
        self,
        names: Mapping[str, Any],
        receiver: str,
        taken: set[str],
        lengths: dict[str, str],
    ) -> None:
        self.names, self.receiver, self.taken = names, receiver, taken
        # what the lengths are called that the arguments of __init__ are
        self.lengths = lengths
        # names that stand among lengths, and so are numbers
        self.counts: set[str] = set()
        # arguments of __init__ that are numbers by annotations and defaults
        self.numbers: set[str] = set()

    def object(self, node: ast.AST) -> Any:
        """The object of the module that an expression names, or NOTHING."""
        if isinstance(node, ast.Name):
            value = self.names.get(node.id, NOTHING)
            return getattr(builtins, node.id, NOTHING) if value is NOTHING else value
        if isinstance(node, ast.Attribute):
            base = self.object(node.value)
            return NOTHING if base is NOTHING else part_of(base, node.attr, NOTHING)
        return NOTHING

    def fact(self, node: ast.AST) -> str | None:
        """The fact that an expression's array fulfils, None where nothing is known.

        before:  0.1 * np.random.randn(n_in, 4)
        after:   "n_in n"
        """
        axes = self._axes(node)
        return None if axes is None else " ".join(axes)

    def _axes(self, node: ast.AST) -> list[str] | None:
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            sides = [self._axes(node.left), self._axes(node.right)]
            known = [side for side in sides if side is not None]
            return max(known, key=len) if known else None
        if isinstance(node, ast.UnaryOp):
            return self._axes(node.operand)
        if isinstance(node, ast.Attribute) and node.attr == "T":
            axes = self._axes(node.value)
            return axes and axes[::-1]
        if isinstance(node, ast.Call):
            return self._of_call(node)
        return None

    def _of_call(self, node: ast.Call) -> list[str] | None:
        if _has_starred(node.args):
            return None
        function = self.object(node.func)
        words = {word.arg: word.value for word in node.keywords}
        if _is_one_of(function, (*BY_SHAPE, *_random(RANDOM_BY_SHAPE))):
            shape = words.get("shape", words.get("size"))
            return self._lengths(node.args[0] if node.args else shape)
        if _is_one_of(function, _random(RANDOM_BY_LENGTHS)):
            return [self._length(arg) for arg in node.args] if node.args else None
        if _is_one_of(function, SAME) and node.args:
            return self._axes(node.args[0])
        if function is np.eye and node.args:
            return [self._length(node.args[0]), self._length(node.args[-1])]
        if function is np.array and node.args:
            return self._of_list(node.args[0])
        name = getattr(node.func, "attr", "")
        if name in BY_SIZE:
            place = 1 if name.startswith(("standard", "random")) else 3
            size = node.args[place - 1] if len(node.args) >= place else None
            return self._lengths(words.get("size", size))
        if name in ("rand", "randn") and node.args:
            return [self._length(arg) for arg in node.args]
        if name == "reshape" and node.args and isinstance(node.func, ast.Attribute):
            whole = len(node.args) == 1
            return self._lengths(
                node.args[0] if whole else ast.Tuple(node.args, ast.Load())
            )
        if name in ("copy", "astype") and isinstance(node.func, ast.Attribute):
            return self._axes(node.func.value)
        return None

    def _of_list(self, node: ast.AST) -> list[str] | None:
        if not isinstance(node, ast.List) or not node.elts:
            return None
        if isinstance(node.elts[0], ast.Constant) or all(
            map(self._is_number, node.elts)
        ):
            return [self._fresh()]
        inner = self._of_list(node.elts[0])
        return None if inner is None else [self._fresh(), *inner]

    def _is_number(self, node: ast.AST) -> bool:
        """Whether an item is a number: 0.5, or x of __init__(self, x=0.0)."""
        is_name = isinstance(node, ast.Name) and node.id in self.numbers
        return is_name or isinstance(node, ast.Constant)

    def _lengths(self, node: ast.AST | None) -> list[str] | None:
        """The axes of a shape: (n, m), or one length."""
        if isinstance(node, (ast.Tuple, ast.List)):
            known = not _has_starred(node.elts)
            return [self._length(one) for one in node.elts] if known else None
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return [self._length(node)]
        if node is not None and _names([node]) & self.counts:
            return [self._length(node)]
        return None

    def _length(self, node: ast.AST) -> str:
        """The name of a length: that of the argument, 1, 4*h, or one of its own.

        A number that is written out twice is one length: (3, 4) and (4, 2).
        """
        if isinstance(node, ast.Constant) and node.value == 1:
            return "1"
        name = getattr(node, "id", "")
        if isinstance(node, ast.Constant) and type(node.value) is int:
            name = f"={node.value}"
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == (
            self.receiver
        ):
            name = f".{node.attr}"
        if not name.isascii() or not name:
            return self._size(node) or self._fresh()
        if name not in self.lengths:
            self.lengths[name] = self._fresh()
        return self.lengths[name]

    def _size(self, node: ast.AST) -> str:
        """What a length is a multiple or the sum of, 4 * h, n + h; "" of anything else."""
        if not isinstance(node, ast.BinOp):
            return ""
        sides = node.left, node.right
        if isinstance(node.op, ast.Add) and all(map(self._is_counted, sides)):
            return "+".join(map(self._length, sides))
        if isinstance(node.op, ast.Mult):
            for one, other in (sides, sides[::-1]):
                factor = getattr(one, "value", None)
                if type(factor) is int and factor > 1 and self._is_counted(other):
                    return f"{factor}*{self._length(other)}"
        return ""

    def _is_counted(self, node: ast.AST) -> bool:
        """Whether a name stands among lengths elsewhere, or here."""
        return isinstance(node, ast.Name) and node.id in self.counts

    def given(self, parameters: list[str], node: ast.Call) -> dict[str, str]:
        """The lengths of an instance that a call makes: n_in is d in Dense(d, 4)."""
        named = dict(zip(parameters, node.args))
        named |= {word.arg: word.value for word in node.keywords if word.arg}
        return {name: self._length(value) for name, value in named.items()}

    def stored(self, name: str, value: ast.AST) -> None:
        """Notes that an attribute is an argument: self.n = n."""
        if isinstance(value, ast.Name) and value.id in self.lengths:
            self.lengths[f".{name}"] = self.lengths[value.id]

    def _fresh(self) -> str:
        for i in range(1000):
            for letter in LETTERS:
                name = f"{letter}{i or ''}"
                if name not in self.taken:
                    self.taken.add(name)
                    return name
        return "n"


def _has_starred(nodes: list[Any]) -> bool:
    """Whether several lengths stand in one place: np.random.randn(n, *size)."""
    return any(isinstance(one, ast.Starred) for one in nodes)


def _names(nodes: list[Any]) -> set[str]:
    """The names, of arguments or of attributes, among expressions: h of 4 * h."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
            found |= _names([node.left, node.right])
        found.add(getattr(node, "attr", getattr(node, "id", "")))
    return found - {""}


def _random(names: Iterable[str]) -> tuple[object, ...]:
    """Functions of np.random, which NumPy loads where it is first asked for."""
    module = sys.modules.get("numpy.random")
    return () if module is None else tuple(getattr(module, name) for name in names)


def _is_one_of(value: object, functions: tuple[Any, ...]) -> bool:
    return any(value is one for one in functions)
