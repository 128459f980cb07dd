"""Arrays that are read no more take the result of the next operation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from gradgen.ir.liveness import Liveness
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Expr,
    Function,
    Let,
    Loop,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import BINARY
from gradgen.ir.walk import reads
from gradgen.printer.fresh import fresh
from gradgen.printer.memory import NOWHERE, Memory
from gradgen.printer.spine import (
    Step,
    first_of,
    is_done_in_place,
    steps_from,
    steps_from_new,
)
from gradgen.shapes.certain import dims_of, rank_of
from gradgen.shapes.infer import Facts
from gradgen.shapes.promotion import Promotion

_IN_PLACE = {op for name, op in BINARY.items() if name in ("Add", "Sub", "Mult", "Div")}


def reused(
    function: Function, facts: Facts, supply: Supply, callback: bool = False
) -> Function:
    """The function that computes in the arrays that it has made, where it may.

        before:  e = np.exp(x - m)
                 p = e / m
                 p_sin = np.sin(p)
        after:   e = x - m
                 np.exp(e, out=e)
                 p = np.divide(e, m, out=e)
                 p_sin = np.sin(p)

    The array is the text's own, whole, of the shape and the dtype of the result, and
    nothing that may share its memory is read afterwards. A temporary array gets a line
    where NumPy would not reuse it by itself, as it does in a + b + c.
    """
    return _Reused(function, facts, supply, callback).done()


class _Reused:
    def __init__(
        self, function: Function, facts: Facts, supply: Supply, callback: bool
    ) -> None:
        self.function, self.facts, self.supply = function, facts, supply
        self.callback = callback
        self.live = Liveness(function, whole=False, kept=callback)
        rank = partial(rank_of, facts=facts)  # of what loops keep nothing was learned
        self.memory = Memory(self._is_number, self._is_basic, rank)
        self.fresh, self.promotion = fresh(function), Promotion(function, facts)
        # what a statement was split into, the same in each round over a loop
        self.split: dict[Var, dict[int, Var]] = {}

    def _rank(self, var: Var) -> int | None:
        shape = self.facts.shapes.get(var)
        return None if shape is None else shape.rank

    def _is_number(self, var: Var) -> bool:
        return False  # a place too many takes nothing away

    def _is_basic(self, key: Expr) -> bool:
        return True  # as if every part were a view

    def done(self) -> Function:
        """The whole function."""
        for param in self.function.params:
            self.memory.given(param.var)
        body = tuple(self._block(self.function.body))
        return replace(self.function, body=body)

    def _block(self, body: Iterable[Stmt]) -> list[Stmt]:
        done: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Let):
                for let in self._lets(stmt):
                    self.memory.assigned(let)
                    done.append(let)
            elif isinstance(stmt, Branch):
                then, orelse = self._block(stmt.then), self._block(stmt.orelse)
                for merge in stmt.merges:
                    self.memory.joined(merge.var, [merge.then, merge.orelse])
                done.append(replace(stmt, then=tuple(then), orelse=tuple(orelse)))
            elif isinstance(stmt, Loop):
                run = partial(self._block, stmt.body)
                done.append(replace(stmt, body=tuple(self.memory.loop(stmt, run))))
            else:
                done.append(stmt)
        return done

    def _lets(self, let: Let) -> list[Let]:
        """The statement, or those that compute the same in place."""
        dims = dims_of(Ref(let.var), self.facts)
        if not dims or not is_done_in_place(let.value):
            return [let]
        place = self.live.at[id(let)]

        def is_free(expr: Expr) -> bool:
            return (
                isinstance(expr, Ref)
                and expr.var in self.fresh
                and self._fits(expr, let.value)
                and self._is_over(expr.var, place, let.note.role)
            )

        def is_room(expr: Expr) -> bool:
            return self._fits(expr, let.value)

        steps = steps_from(let.value, is_free, is_room)
        if steps:
            base = steps[0].base
            later = {v for step in steps[1:] for arg in step.others for v in reads(arg)}
            shared = self.memory.sharers(self.memory.own.get(base.var, NOWHERE))
            if not later & (shared | {base.var}):
                return self._in(let, base, steps)
        steps = steps_from_new(let.value, is_room)
        return self._apart(let, first_of(let.value, steps, self.facts), steps)

    def _fits(self, expr: Expr, value: Expr) -> bool:
        """Whether an array has the shape and the dtype of a value."""
        own, wanted = dims_of(expr, self.facts), dims_of(value, self.facts)
        return bool(own) and own == wanted and self.promotion.has_room(expr, value)

    def _is_over(self, var: Var, place: int, role: Role) -> bool:
        """Whether memory is the text's own, and nothing reads it after a place."""
        places = self.memory.own.get(var, NOWHERE)
        roles = (role,) if self.callback else tuple(Role)
        if not places or not self.memory.is_owned(places, roles):
            return False
        return not any(
            self.live.defined.get(one, 0) <= place and self.live.read_after(one, place)
            for one in self.memory.sharers(places) | {var}
        )

    def _in(self, let: Let, base: Expr, steps: list[Step], first: int = 0) -> list[Let]:
        """The steps in an array that is there: np.exp(e, out=e).

        `first` is the number of the first, so that each has a variable of its own.
        """
        made: list[Let] = []
        for at, step in enumerate(steps, first):
            last = at == first + len(steps) - 1
            var = let.var if last else self._part(let, at)
            made.append(replace(let, var=var, value=_taking(step, base, var)))
            base = Ref(var)
        return made

    def _apart(self, let: Let, at: int | None, steps: list[Step]) -> list[Let]:
        """The statement with what is new in a line, and the steps from one on in that."""
        if at is None:
            return [let]
        var = self._part(let, at - 1)
        begun = replace(let, var=var, value=steps[at].base)
        return [begun, *self._in(let, Ref(var), steps[at:], at)]

    def _part(self, let: Let, at: int) -> Var:
        """The array that is to be the result, under its name, before a step."""
        known = self.split.setdefault(let.var, {})
        if at not in known:
            own = let.var
            known[at] = self.supply.var(own.name, own.origin, own.of, own.order)
            self.facts.shapes[known[at]] = self.facts.shapes[own]
            self.facts.kinds[known[at]] = self.facts.kinds[own]
            if own in self.facts.complexes:
                self.facts.complexes.add(known[at])
        return known[at]


def _taking(step: Step, base: Expr, var: Var) -> Apply:
    """A step that leaves its result in an array: x += y where the name stays."""
    args = [*step.others]
    args.insert(step.at, base)
    same = base.var.name == var.name
    if same and len(args) == 2 and step.op in _IN_PLACE and not step.at:
        return Apply(step.op, tuple(args), (), "augmented")
    return Apply(step.op, tuple(args), (("out", base),))
