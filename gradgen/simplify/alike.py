"""Parts of the primal that are written twice are computed, and derived, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC, COMPARISONS, IN_PLACE, MATRIX_PRODUCTS
from gradgen.ir.operators import POWERS
from gradgen.ir.walk import (
    all_defined,
    blocks,
    reads,
    reads_of,
    substitute,
    substitute_everywhere,
    with_blocks,
)
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import WHOLE

# what makes one number, or one for each row, of all entries of an array
REDUCTIONS = frozenset(
    f"numpy.{name}"
    for name in ("sum", "mean", "max", "min", "prod", "std", "var", "linalg.norm")
)
# options by which an operation leaves entries as they were
PARTIAL = frozenset(("out", "where"))


def alike(
    primal: Function, facts: Facts, wrt: Collection[Var], stop: Collection[str] = ()
) -> tuple[Function, frozenset[Var]]:
    """The primal with one variable for equal parts of the statements of a block.

        before:  p_exp = np.exp(z)
                 p_exp_2 = np.exp(z)
                 p_sum = np.sum(p_exp_2)
                 p = p_exp / p_sum
        after:   p_exp = np.exp(z)
                 p_sum = np.sum(p_exp)
                 p = p_exp / p_sum

    Value numbering, before anything is derived: the adjoints of equal parts become
    one sum. What depends on an argument of the gradient is of interest, of that
    only arrays, reductions and products, and of other values functions, np.cos(theta);
    of names only those that the user did not give. A name of the user's that is given once may stand for a later part, and for
    an earlier one. What a function that is called twice computes is a part as well, also
    under names: g of the one call is g of the other.
    Variables of `stop` are held constant, so that nothing else is one of them.
    The variables that stand for several parts come with the function.
    Constants that a function called twice names are the same in all of its calls.
    """
    found = _Alike(primal, facts, wrt, stop)
    found.block(primal.body)
    if not found.instead and not found.named:
        return primal, frozenset()
    names = {first: Ref(own) for first, own in found.named.items()}
    instead = {x: names.get(ref.var, ref) for x, ref in found.instead.items()} | names
    changed = substitute_everywhere(primal, instead)
    several = frozenset(ref.var for ref in instead.values())
    gone = found.instead.keys() | set(found.named.values())
    return _renamed(_without(changed, gone), found.named), several


class _Alike:
    def __init__(
        self,
        primal: Function,
        facts: Facts,
        wrt: Collection[Var],
        stop: Collection[str],
    ) -> None:
        self.facts, self.stop = facts, frozenset(stop)
        names = [param.var.name for param in primal.params]
        names += [
            var.name
            for var in all_defined(primal.body)
            if var.origin is not Origin.TEMP
        ]
        self.given = Counter(names)
        self.active = set(wrt)
        # equal values under one variable, for keys; and what is read in the end
        self.numbers: dict[Var, Expr] = {}
        self.instead: dict[Var, Ref] = {}
        self.named: dict[Var, Var] = {}
        self.called: set[Var] = set()  # what functions name that are called

    def block(self, body: Iterable[Stmt]) -> None:
        """Finds the equal parts of a block; those of inner blocks by themselves."""
        seen: dict[Expr, Var] = {}
        for stmt in body:
            if not isinstance(stmt, Let):
                for inner in blocks(stmt):
                    self.block(inner)
                if any(var in self.active for var in reads_of(stmt)):
                    self.active.update(all_defined((stmt,)))
                continue
            if any(var in self.active for var in reads(stmt.value)):
                self.active.add(stmt.var)
            self._let(stmt, seen)

    def _let(self, let: Let, seen: dict[Expr, Var]) -> None:
        value = let.value
        if isinstance(value, Const):
            # of one name: a function that is called twice gives it
            named = Apply("named", (Const(let.var.name), Const(repr(value.value))))
            first = seen.setdefault(named, let.var)
            if first != let.var:
                self.numbers[let.var] = Ref(first)
            return
        if not isinstance(value, Apply) or not _is_pure(value):
            return
        key = substitute(value, self.numbers)
        first = seen.setdefault(key, let.var)
        if _is_called(let):
            self.called.add(let.var)
        if first == let.var:
            return
        self.numbers[let.var] = self.numbers.get(first, Ref(first))
        if not self._is_part(let, value):
            return
        if let.var.origin is Origin.TEMP and self._may_stand(first):
            self.instead[let.var] = Ref(first)
        elif first.origin is Origin.TEMP and self._may_stand(let.var):
            if first not in self.named:  # it is called as the user does later
                self.named[first] = let.var
        elif _is_called(let) and first.origin is Origin.USER:
            if self._may_stand(first) or first in self.called:
                self.instead[let.var] = Ref(first)

    def _may_stand(self, var: Var) -> bool:
        """Whether a variable is there under its own name until the end."""
        if var.origin is Origin.TEMP:
            return True
        once = self.given[var.name] == 1 and var.name not in self.stop
        return var.origin is Origin.USER and once

    def _is_part(self, let: Let, value: Apply) -> bool:
        """Whether a part has a gradient, and memory of its own."""
        rule = operations().get(value.op)
        is_function = rule is not None and rule.kind == "elementwise"
        cheap = value.op in ARITHMETIC | POWERS
        if let.var not in self.active:
            return is_function and not cheap and value.op not in COMPARISONS
        if value.op in REDUCTIONS or value.op in MATRIX_PRODUCTS:
            return True
        if value.op == "getitem":  # U[users] is a copy, U[1:] a view
            key = value.args[1]
            by_places = self.facts.kind(key) in WHOLE and bool(self.facts.rank(key))
            return by_places and isinstance(key, Ref)
        if not is_function:
            return False
        # the user has not written it twice, but calls the function that it stands in
        return not cheap or _is_called(let) or self.facts.rank(Ref(let.var)) != 0


def _is_called(let: Let) -> bool:
    """Whether a statement is one of a function that is called."""
    return any(line.call is not None for line in let.note.lines)


def _is_pure(value: Apply) -> bool:
    """Whether equal operands give equal values, whenever it runs."""
    if value.op in IN_PLACE or value.spelling == "augmented":
        return False
    if any(name in PARTIAL for name, _ in value.kwargs):
        return False
    if not all(_is_pure(arg) for arg in value.args if isinstance(arg, Apply)):
        return False
    if value.op in ("getitem", "slice", "tuple"):
        return True
    rule = operations().get(value.op)
    return rule is not None and rule.kind in ("elementwise", "linear", "general")


def _without(function: Function, gone: Collection[Var]) -> Function:
    """The function without assignments that nothing reads any more."""

    def block(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        kept = (s for s in body if not (isinstance(s, Let) and s.var in gone))
        return tuple(with_blocks(stmt, block) for stmt in kept)

    return replace(function, body=block(function.body))


def _renamed(function: Function, names: Mapping[Var, Var]) -> Function:
    """The function whose assignments give these variables other ones."""

    def block(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        made = (
            replace(s, var=names[s.var]) if isinstance(s, Let) and s.var in names else s
            for s in body
        )
        return tuple(with_blocks(stmt, block) for stmt in made)

    return replace(function, body=block(function.body)) if names else function
