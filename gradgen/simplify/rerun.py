"""Elementwise statements of a loop's round that run again in the reversed round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Expr,
    Let,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import COMPARISONS
from gradgen.ir.walk import children, reads, substitute, with_children
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.simplify.again import FREE, LOGIC, STRUCTURE, Again


class Rerun:
    """What the reversed rounds compute again from what enters a round.

    `inners` are the loop's carried variables at the start of a round.
    """

    def __init__(
        self, again: Again, inners: tuple[Var, ...], facts: Facts, supply: Supply
    ) -> None:
        self.again, self.inners = again, inners
        self.facts, self.supply = facts, supply
        self.leaves: dict[Var, frozenset[Var]] = {}
        self.chosen: list[Var] = []

    def kept(self, wanted: Iterable[Var]) -> list[Var]:
        """The variables to keep, when as many as pay off run again.

        They pay off when what they are computed from is kept anyway, or is no more
        than they are.
        """
        wanted = list(wanted)
        self.chosen = []
        base: dict[Var, None] = {}
        for var in wanted:
            if self._leaves(var) == {var}:
                base[var] = None
            elif self._runs(var):
                self.chosen.append(var)
            else:  # computed from what can be read anyway, or from what is kept
                base.update(dict.fromkeys(self._leaves(var)))
        more: dict[Var, None] = {}
        for var in self.chosen:
            more.update((leaf, None) for leaf in self._leaves(var) if leaf not in base)
        if len(more) > len(self.chosen):
            for var in list(self.chosen):
                if not self._leaves(var) <= base.keys():
                    base[var] = None
            self.chosen = [v for v in self.chosen if v not in base]
            more = {}
        return [*base, *more]

    def statements(self, kept: Iterable[Var]) -> tuple[list[Let], dict[Var, Expr]]:
        """The statements that run again, and what stands for each variable.

        before:  xs and inners are kept
        after:   x = xs[step]
                 inner = x + 0.5 * dt * (a * x - b * xs[step] * y)
        """
        self.done: dict[Var, Expr] = {}
        self.kept_here = set(kept)
        self.body: list[Let] = []
        for var in self.chosen:
            self._emit(var)
        order = {var: i for i, var in enumerate((*self.inners, *self.again.lets))}
        names = {e.var: var for var, e in self.done.items() if isinstance(e, Ref)}
        self.body.sort(key=lambda let: order.get(names[let.var], -1))
        inlined = self._inlined()
        return inlined, {v: e for v, e in self.done.items() if isinstance(e, Ref)}

    def is_cheap(self, body: Iterable[Stmt]) -> bool:
        """Whether running all of a body again costs no more than elementwise work."""
        return all(
            isinstance(stmt, Let) and (self._again(stmt) or self._is_store(stmt.value))
            for stmt in body
        )

    def _is_store(self, value: Expr) -> bool:
        if not isinstance(value, Apply) or value.op not in ("setitem", "additem"):
            return False
        place = replace(value, op="getitem", args=value.args[:2])
        return self.again.is_view(place) and self._is_elementwise(value.args[2])

    def _leaves(self, var: Var) -> frozenset[Var]:
        """What has to be kept for a variable: itself, where it cannot run again."""
        if var in self.leaves:
            return self.leaves[var]
        self.leaves[var] = frozenset([var])
        again = self.again
        if var in again.values:
            found: frozenset[Var] | None = frozenset()
        elif var not in again.own:
            changed = again.sharing.is_changed(var) and self.facts.rank(Ref(var)) != 0
            found = None if changed else frozenset()
        elif var not in self.inners and again.cheap(var) is not None:
            found = frozenset()
        else:
            let = again.lets.get(var)
            found = (
                self._of(let.value) if let is not None and self._again(let) else None
            )
        if found is not None:
            self.leaves[var] = found
        return self.leaves[var]

    def _of(self, value: Expr) -> frozenset[Var] | None:
        found: frozenset[Var] = frozenset()
        for var in reads(value):
            leaves = self._leaves(var)
            if var not in self.again.own and leaves:
                return None  # memory that is changed later
            found |= leaves
        return found

    def _again(self, let: Let) -> bool:
        """Whether a statement costs no more than elementwise operations do."""
        value = let.value
        if isinstance(value, Apply) and value.op == "getitem":
            return self.again.is_view(value)
        if not self._is_elementwise(value):
            return False
        plain = _plain(value)
        same = self.facts.kind(plain) is self.facts.kinds[let.var]
        return same and self.facts.same(plain, Ref(let.var))

    def _is_elementwise(self, value: Expr) -> bool:
        if not isinstance(value, Apply):
            return True
        if value.op not in STRUCTURE | FREE | COMPARISONS | LOGIC:
            rule = operations().get(value.op)
            if rule is None or rule.kind != "elementwise":
                return False
        return all(map(self._is_elementwise, children(value)))

    def _runs(self, var: Var) -> bool:
        """Whether a variable gets a statement of its own."""
        let = self.again.lets.get(var)
        if let is None or var in self.inners or not isinstance(let.value, Apply):
            return False
        return self._again(let) and self.again.cheap(var) is None

    def _emit(self, var: Var) -> Expr:
        """What stands for a variable in the reversed round."""
        if var in self.done:
            return self.done[var]
        if var not in self.again.own or var in self.again.values:
            found = self.again.values.get(var, Ref(var))
            if var in self.kept_here:
                found = self._line(var, found)
        else:
            cheap = self.again.cheap(var) if not self._leaves(var) else None
            if cheap is not None:
                found = cheap
            else:
                value = self.again.lets[var].value
                found = self._line(var, self._with(_plain(value)))
        self.done[var] = found
        return found

    def _with(self, value: Expr) -> Expr:
        if isinstance(value, Ref):
            return self._emit(value.var)
        if isinstance(value, Apply):
            return with_children(value, map(self._with, children(value)))
        return value

    def _line(self, var: Var, value: Expr) -> Ref:
        origin = Origin.USER if var.origin is Origin.USER else Origin.LOCAL
        new = self.supply.var(var.name, origin)
        self.facts.shapes[new] = self.facts.shapes[var]
        self.facts.kinds[new] = self.facts.kinds[var]
        self.body.append(Let(new, value, Note(Role.GRAD)))
        return Ref(new)

    def _inlined(self) -> list[Let]:
        """The statements, with subexpressions that are read once back in place."""
        counted = Counter(var for let in self.body for var in reads(let.value))
        wanted = {self.done[var] for var in self.chosen}
        names = {e.var: var for var, e in self.done.items() if isinstance(e, Ref)}
        values: dict[Var, Expr] = {}
        body: list[Let] = []
        for let in self.body:
            let = replace(let, value=substitute(let.value, values))
            once = counted[let.var] == 1 and Ref(let.var) not in wanted
            temporary = names[let.var].origin is not Origin.USER
            if once and temporary and names[let.var] not in self.kept_here:
                values[let.var] = let.value
                self.done[names[let.var]] = let.value
            else:
                body.append(let)
        return body


def _plain(value: Expr) -> Expr:
    """The operation as it is without changing its first argument."""
    if isinstance(value, Apply) and value.spelling == "augmented":
        return replace(value, spelling="operator")
    return value
