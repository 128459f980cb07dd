"""Arguments that a derivative takes for floats, and such as it is of, which are no None."""

from __future__ import annotations

from collections.abc import Container, Iterator, Set
from functools import reduce

from gradgen.derive.integers import refuse_rounding
from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Function, Note
from gradgen.ir.nodes import Ref, Role, Stmt, Var
from gradgen.ir.operators import call
from gradgen.ir.walk import children, own_expressions, statements, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind


def looked_at(
    primal: Function, wrt: Container[Var], active: Container[Var], facts: Facts
) -> tuple[Stmt, ...]:
    """Statements that raise where an array cuts off what is stored into it.

    before:  a = np.zeros_like(k)
             a[0] = x[0]
    after:   if np.asarray(k).dtype.kind in "biu":
                 raise ValueError("k is taken for floats, and holds integers")
             a = np.zeros_like(k)
             a[0] = x[0]

    Nothing tells whether k holds integers; the gradient holds for floats alone.
    """
    held = {
        param.var: param.label
        for param in primal.params
        if param.var not in wrt
        and not (param.bundle and _is_by_entries(param.var, primal))
        and Kind.WEAK <= facts.kinds[param.var] <= Kind.LIKE
        and (param.assumed or param.whole or not facts.rank(Ref(param.var)))
        and param.var not in facts.complexes
    }
    found = tuple(_floats(primal, held.keys(), active, facts)) if held else ()
    looks = [*_none(primal, wrt), *(_raised(group, held) for group in found)]
    return tuple(look for look in looks if look not in primal.body)


def _is_by_entries(var: Var, primal: Function) -> bool:
    """Whether entries are read of it alone: self.ws[0], which may be of a list of arrays."""
    whole = Ref(var)
    for stmt in statements(primal.body):
        for own in own_expressions(stmt):
            if own == whole:
                return False
            for expr in filter(lambda one: whole in children(one), subexpressions(own)):
                is_entry = getattr(expr, "op", "") in ("getitem", "item", "len")
                keys = children(expr)[1:]
                if not is_entry or any(isinstance(key, Apply) for key in keys):
                    return False
    return True


def _none(primal: Function, wrt: Container[Var]) -> Iterator[Stmt]:
    """Statements that raise where an argument is None that a derivative is of.

    before:  if w is None:
                 return np.mean(x)
    after:   if w is None:
                 raise ValueError("w is None: the derivative is one in w")
             if w is None:
                 return np.mean(x)
    """
    asked = {
        expr.args[0]
        for stmt in statements(primal.body)
        for own in own_expressions(stmt)
        for expr in subexpressions(own)
        if isinstance(expr, Apply)
        and expr.op in ("is", "is_not")
        and expr.args[1] == Const(None)
    }
    for param in primal.params:
        value = Ref(param.var)
        if (
            param.optional
        ):  # nor has a dictionary that lacks it an entry in the gradient
            continue
        if param.default == "None" and param.var in wrt and value in asked:
            test = Apply("is", (value, Const(None)), (), "operator")
            said = (
                f"arguments such as {param.label} that are None have no gradient here"
            )
            yield _failing(test, said)


def _floats(
    primal: Function, held: Set[Var], active: Container[Var], facts: Facts
) -> Iterator[tuple[Var, ...]]:
    """Groups of arguments that may not all hold integers."""
    left = dict.fromkeys(held)

    def rounds(whole: Set[Var]) -> bool:
        try:
            refuse_rounding(primal.body, active, facts, whole)
        except GradgenError:
            return True
        return False

    while left and rounds(left.keys()):
        group = dict(left)
        for var in left:
            if rounds(group.keys() - {var}):
                del group[var]
        yield tuple(group)
        del left[next(iter(group))]


def _raised(group: tuple[Var, ...], labels: dict[Var, str]) -> Stmt:
    """The statement that raises where all arguments of a group hold integers."""
    tests = [_holds_integers(Ref(var)) for var in group]
    test = reduce(lambda one, more: Apply("and", (one, more), (), "operator"), tests)
    names = " or ".join(labels[var] for var in group)
    return _failing(test, f"{names} is taken for floats, and holds integers")


def _failing(test: Expr, said: str) -> Stmt:
    """if test: raise ValueError(said)"""
    note = Note(Role.FORWARD)
    fail = Effect(Apply("raise", (Const(ValueError, "ValueError"), Const(said))), note)
    return Branch(test, (fail,), (), (), note)


def _holds_integers(value: Expr) -> Expr:
    """np.asarray(k).dtype.kind in "biu" """
    dtype = Apply("dtype", (call("numpy.asarray", value),), (), "attribute:dtype")
    kind = Apply("of_dtype", (dtype,), (), "attribute:kind")
    return Apply("in", (kind, Const("biu")), (), "operator")
