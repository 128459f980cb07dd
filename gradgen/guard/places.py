"""Where guards stand: in the outermost block that has what they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Let,
    Line,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.temporaries import says_nothing, temporary_name
from gradgen.ir.walk import reads, statements, subexpressions
from gradgen.shapes.infer import Facts

NAMED = (Origin.USER, Origin.PARAM)
GIVEN = (Origin.PARAM, Origin.SEED)
DIVISOR = "divisor"


@dataclass
class Frame:
    """A block: what it defines, its statements so far, and its guards.

    `is_arm` says whether it is one of a branch's arms.
    """

    defined: set[Var]
    is_arm: bool = False
    done: list[Stmt] = field(default_factory=list)
    guards: dict[tuple[Expr, str], Ref] = field(default_factory=dict)


class Places:
    """The blocks around the statement in question, and new statements in them.

    `values` are the definitions that proofs read; what is added is put there too.
    """

    def __init__(
        self,
        body: Iterable[Stmt],
        facts: Facts,
        supply: Supply,
        values: dict[Var, Expr],
    ) -> None:
        self.facts, self.supply, self.values = facts, supply, values
        self.frames: list[Frame] = []
        self.role = Role.GRAD  # of the statement in question
        self.merges: Mapping[Var, tuple[Any, ...]] = {
            merge.var: (stmt.mark, {True: merge.then, False: merge.orelse})
            for stmt in statements(body)
            if isinstance(stmt, Branch) and stmt.mark is not None
            for merge in stmt.merges
        }

    def named(self, expr: Expr, name: str = "") -> Ref:
        """A value under a name of its own, once for all its uses."""
        frame = self.home(expr)
        key = expr, "name"
        if key not in frame.guards:
            var = self.supply.var(name or _name_of(expr), Origin.LOCAL)
            frame.guards[key] = self._put(frame, var, expr, (), expr)
        return frame.guards[key]

    def assigned(
        self, frame: Frame, old: Expr, value: Expr, lines: tuple[Line, ...] = ()
    ) -> Ref:
        """A new value under the name of an old one, where it has a name."""
        if not isinstance(old, Ref):
            var = self.supply.var(_name_of(old), Origin.LOCAL)
            return self._put(frame, var, value, lines, old)
        var = old.var
        origin = Origin.USER if var.origin in NAMED else var.origin
        new = self.supply.var(var.name, origin, var.of, var.order)
        return self._put(frame, new, value, lines, old)

    def _put(
        self, frame: Frame, var: Var, value: Expr, lines: tuple[Line, ...], like: Expr
    ) -> Ref:
        facts = self.facts
        facts.shapes[var], facts.kinds[var] = facts.of(like), facts.kind(like)
        if facts.is_complex(like):
            facts.complexes.add(var)
        facts.definitions[var] = self.values[var] = value
        frame.done.append(Let(var, value, Note(self.role, lines)))
        frame.defined.add(var)
        return Ref(var)

    def home(self, expr: Expr) -> Frame:
        """The innermost block that defines something the expression reads.

        What is there only after one of a branch's arms is read in the gradient's
        own arm, and nowhere else.
        """
        read, unset = set(reads(expr)), self._may_be_unset(expr)
        for frame in reversed(self.frames):
            if frame.defined & read or frame.is_arm and unset:
                return frame
        return self.frames[0]

    def _may_be_unset(self, expr: Expr) -> bool:
        """Whether a value is None where an arm was not taken: it or a list's entry."""
        if expr == Const(None):
            return True
        if isinstance(expr, Ref):
            _, ways = self.merges.get(expr.var, (None, {}))
            return any(map(self._may_be_unset, ways.values())) or self._is_entry(
                self.values.get(expr.var)
            )
        parts = list(subexpressions(expr))
        held = [part for part in parts if isinstance(part, Ref)]
        return any(map(self._is_entry, parts)) or any(map(self._may_be_unset, held))

    def _is_entry(self, expr: Expr | None) -> bool:
        if not isinstance(expr, Apply) or expr.op not in ("getitem", "item"):
            return False
        held = expr.args[0]
        if not isinstance(held, Ref):
            return self._is_entry(held)
        return held.var.origin is Origin.SAVED or self.facts.is_list(held)

    def visible(self, expr: Expr) -> bool:
        """Whether all that an expression reads is defined by now."""
        known = set().union(*(frame.defined for frame in self.frames))
        return all(var in known or var.origin in GIVEN for var in reads(expr))


def _name_of(expr: Expr) -> str:
    """A name for a denominator that the primal has none for."""
    name = temporary_name(expr, "") if isinstance(expr, Apply) else DIVISOR
    return DIVISOR if says_nothing(name) else name
