"""Forms of the primal that neither overflow nor cancel, on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeGuard

from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import IN_PLACE, add, call, negative, subtract
from gradgen.ir.walk import lets, substitute_everywhere, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.simplify.dead import dead

ONES, TWOS = (Const(1), Const(1.0)), (Const(2), Const(2.0))


def stable(primal: Function, facts: Facts, supply: Supply) -> Function:
    """The primal in a form whose intermediate values stay in range.

        before:  e = np.exp(X)
                 y = np.log(1 + e)
                 return y
        after:   y = np.logaddexp(0, X)
                 return y

    Each rewrite owes the proof that, for real numbers, both forms are equal where
    the old one is a number, so that values change by rounding alone:

    - log(1 + exp(u)) is what np.logaddexp(0, u) computes.
    - log(sum(exp(u))) = s + log(sum(exp(u - s))) for every finite s; s is the
      maximum, or 0 where that is infinite or nan, which leaves such entries as they
      were. An axis of length 0, which has no maximum, raises.
    - log(exp(u) / sum(exp(u))) = u - log(sum(exp(u))).
    - 1 / (1 + exp(u)) = exp(-log(1 + exp(u))); exp(u) / (1 + exp(u)) is that at -u.
    - sqrt(x) ** 2 = x, as x >= 0 where sqrt(x) is a number.
    """
    changed = _Stable(primal, facts, supply)
    body = tuple(changed.block(primal.body))
    if body == primal.body and not changed.squares:
        return primal
    return dead(_without_squares(replace(primal, body=body), changed.squares))


class _Stable:
    def __init__(self, primal: Function, facts: Facts, supply: Supply) -> None:
        self.facts, self.supply = facts, supply
        self.values = {let.var: let.value for let in lets(primal.body)}
        self.stored = {
            let.value.args[0]
            for let in lets(primal.body)
            if isinstance(let.value, Apply) and let.value.op in IN_PLACE
        }
        # variables that are the square of a root -> what the root is of
        self.squares: dict[Var, Expr] = {}
        self.added: list[Let] = []

    def block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if not isinstance(stmt, Let):
                yield with_blocks(stmt, lambda b: tuple(self.block(b)))
                continue
            self.let, self.added = stmt, []
            value = self._rewritten(stmt.value)
            yield from self.added
            yield stmt if value is None else replace(stmt, value=value)

    def _rewritten(self, value: Expr) -> Expr | None:
        """Another form of a statement's value; None where it has none."""
        if not isinstance(value, Apply) or self.facts.is_complex(value):
            return None
        if value.op in ("numpy.log", "numpy.log1p") and _plain(value):
            return self._log(value)
        if value.op == "numpy.divide" and not value.kwargs:
            return self._share(*value.args)
        root = self._root(value)
        if root is not None and self._may_stand_for(root, value):
            self.squares[self.let.var] = root
        return None

    def _value(self, expr: Expr) -> Expr:
        """What a variable was assigned."""
        return self.values.get(expr.var, expr) if isinstance(expr, Ref) else expr

    def _exponent(self, expr: Expr) -> Expr | None:
        """u, where the value is exp(u)."""
        value = self._value(expr)
        found = isinstance(value, Apply) and value.op == "numpy.exp" and _plain(value)
        return value.args[0] if found else None

    def _one_more(self, expr: Expr) -> Expr | None:
        """e, where the value is 1 + e."""
        value = self._value(expr)
        if isinstance(value, Apply) and value.op == "numpy.add" and not value.kwargs:
            for one, other in (value.args, value.args[::-1]):
                if one in ONES:
                    return other
        return None

    def _log(self, log: Apply) -> Expr | None:
        inner = log.args[0]
        one_more = inner if log.op == "numpy.log1p" else self._one_more(inner)
        if one_more is not None:
            exponent = self._exponent(one_more)
            return None if exponent is None else _softplus(exponent)
        value = self._value(inner)
        if not isinstance(value, Apply):
            return None
        if value.op == "scipy.special.softmax":
            return replace(value, op="scipy.special.log_softmax", spelling="")
        if value.op == "numpy.divide":
            exponent, total = self._exponent(value.args[0]), self._value(value.args[1])
            if exponent is None or not _is_sum(total, value.args[0]):
                return None
            whole = self._log_of_sum(total, value.args[1])
            return subtract(exponent, self._named(whole, "log_sum"))
        if value.op == "numpy.sum":
            found = self._log_of_sum(value, inner)
            return None if found == call("numpy.log", inner) else found
        return None

    def _log_of_sum(self, total: Apply, name: Expr) -> Expr:
        """log(sum(exp(u))), shifted unless u is already."""
        as_it_is = call("numpy.log", name)
        options = dict(total.kwargs)
        if len(total.args) == 2:
            options["axis"] = total.args[1]
        exponent = self._exponent(total.args[0])
        if exponent is None or options.keys() - {"axis", "keepdims"}:
            return as_it_is
        if self._is_shifted(exponent):
            return as_it_is
        axis = {"axis": options["axis"]} if "axis" in options else {}
        keeps = options.get("keepdims", Const(False)) == Const(True)
        kept = {"keepdims": Const(True)} if axis or keeps else {}
        top = self._named(call("numpy.max", exponent, **axis, **kept), "top")
        finite = call("numpy.where", call("numpy.isfinite", top), top, Const(0))
        shift = self._named(finite, "shift")
        shifted = self._named(subtract(exponent, shift), "shifted")
        weights = self._named(call("numpy.exp", shifted), "weights")
        weight = self._named(
            replace(total, args=(weights, *total.args[1:]), spelling=""), "weight"
        )
        if axis and not keeps:
            shift = self._named(call("numpy.squeeze", shift, **axis), "shift")
        return add(shift, self._named(call("numpy.log", weight), "log_weight"))

    def _is_shifted(self, exponent: Expr) -> bool:
        """Whether a maximum is subtracted already."""
        value = self._value(exponent)
        if not isinstance(value, Apply) or value.op != "numpy.subtract":
            return False
        shift = self._value(value.args[1])
        while isinstance(shift, Apply) and shift.op in ("getitem", "numpy.expand_dims"):
            shift = self._value(shift.args[0])
        return isinstance(shift, Apply) and shift.op in ("numpy.max", "numpy.where")

    def _share(self, above: Expr, below: Expr) -> Expr | None:
        """1 / (1 + exp(u)) or exp(u) / (1 + exp(u)) without a quotient."""
        one_more = self._one_more(below)
        exponent = None if one_more is None else self._exponent(one_more)
        if exponent is None:
            return None
        if above != one_more:
            if above not in ONES:
                return None
        elif _is_negative(self._value(exponent)):
            exponent = self._value(exponent).args[0]
        else:
            exponent = self._named(negative(exponent), "negated")
        lost = self._named(_softplus(exponent), "lost")
        return call("numpy.exp", self._named(negative(lost), "log_share"))

    def _root(self, value: Apply) -> Expr | None:
        """x, where the value is sqrt(x) ** 2."""
        base = value.args[0] if value.args else None
        squares = not value.kwargs and (
            value.op == "numpy.square"
            and _plain(value)
            or value.op == "numpy.power"
            and value.args[1] in TWOS
            or value.op == "numpy.multiply"
            and value.args[1] == base
        )
        root = self._value(base) if base is not None and squares else None
        if isinstance(root, Apply) and root.op == "numpy.sqrt" and _plain(root):
            return root.args[0]
        return None

    def _may_stand_for(self, root: Expr, square: Apply) -> bool:
        """Whether the one may be read for the other: no store, no other dtype."""
        here = {Ref(self.let.var), root}
        alike = self.facts.kind(root) == self.facts.kind(square)
        return isinstance(root, Ref) and alike and here.isdisjoint(self.stored)

    def _named(self, value: Expr, name: str) -> Ref:
        var = self.supply.var(name, Origin.TEMP)
        self.added.append(Let(var, value, self.let.note))
        return Ref(var)


def _softplus(exponent: Expr) -> Apply:
    return call("numpy.logaddexp", Const(0), exponent)


def _plain(value: Apply) -> bool:
    """Whether a call has one argument and no options."""
    return len(value.args) == 1 and not value.kwargs


def _is_sum(total: Expr, of: Expr) -> TypeGuard[Apply]:
    return isinstance(total, Apply) and total.op == "numpy.sum" and total.args[0] == of


def _is_negative(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op == "numpy.negative"


def _without_squares(function: Function, squares: dict[Var, Expr]) -> Function:
    """The function that reads x for sqrt(x) ** 2."""
    for var in squares:
        function = substitute_everywhere(function, {var: squares[var]})
    return function
