"""The primal as it is measured: called by name, with stopped variables constant."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import numpy as np

from gradgen.frontend.source.source import Source
from gradgen.verify.limits import LONGEST, within

HOLD = "_gradgen_hold"


class Measured:
    """A primal to be measured around given arguments.

    `function` is the user's; `source` is the frontend's view of it; `stop` names
    the variables that its gradient holds constant. A call that takes too long raises
    TimeoutError: next to arguments that it takes a loop may not end.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        source: Source | None,
        names: Sequence[str],
        stop: Sequence[str] = (),
    ) -> None:
        self._function, self._source = function, source
        self._names, self._stop = tuple(names), tuple(stop)

    def __call__(self, *args: Any) -> Any:
        """The primal's value."""
        with within(LONGEST):
            return self._function(**dict(zip(self._names, args, strict=True)))

    def at(self, args: Sequence[Any]) -> Callable[..., Any]:
        """The primal in which every variable of `stop` keeps its value at args."""
        if not self._stop:
            return self
        holding = _Holding()
        function = self._with_holds(holding)

        def held(*arguments: Any) -> Any:
            holding.at = 0
            with within(LONGEST):
                return function(**dict(zip(self._names, arguments, strict=True)))

        held(*(_wide(arg) for arg in args))
        holding.recording = False
        return held

    def _with_holds(self, hold: Callable[..., Any]) -> Callable[..., Any]:
        """The primal compiled anew; the value of a stopped variable is held.

        x = f(y)  ->  x = f(y); x = hold(x)
        """
        source = self._source
        assert source is not None  # it is there where anything is held
        tree = ast.parse("\n".join(source.lines))
        (node,) = tree.body
        assert isinstance(node, ast.FunctionDef)
        body = [_hold_statement(name) for name in self._names if name in self._stop]
        for statement in node.body:
            body.append(statement)
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                stored = [n.id for n in ast.walk(statement) if _is_stored(n)]
                body += [_hold_statement(name) for name in stored if name in self._stop]
        node.body = body
        names: dict[Any, Any] = {**source.globals, **source.closure, HOLD: hold}
        exec(compile(ast.fix_missing_locations(tree), source.file, "exec"), names)
        function: Callable[..., Any] = names[node.name]
        return function


class _Holding:
    """Remembers the values of one run in order, and gives them back in the next."""

    def __init__(self) -> None:
        self.recording, self.at = True, 0
        self._values: list[Any] = []

    def __call__(self, value: Any) -> Any:
        if self.recording:
            self._values.append(np.copy(value) if np.ndim(value) else value)
            return value
        kept = self._values[self.at]
        self.at += 1
        return np.copy(kept) if np.ndim(kept) else kept


def _hold_statement(name: str) -> ast.stmt:
    return ast.parse(f"{name} = {HOLD}({name})").body[0]


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _wide(arg: Any) -> Any:
    """The argument in float64, as measuring takes it."""
    if isinstance(arg, np.ndarray):
        kinds = {"f": np.float64, "c": np.complex128}
        return arg.astype(kinds.get(arg.dtype.kind, arg.dtype))
    if isinstance(arg, np.complexfloating):
        return np.complex128(arg)
    return np.float64(arg) if isinstance(arg, np.floating) else arg
