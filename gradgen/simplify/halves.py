"""Functions of masks and of narrow integers: their values are made floats of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Loop, Ref
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.operators import ADDITIVE, MULTIPLICATIVE, OF_BITS, TOTALS
from gradgen.ir.walk import lets, rewrite_derived, subexpressions
from gradgen.ir.sharing import viewed
from gradgen.rules.load import operations
from gradgen.rules.traits import makes_halves
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind

# what leaves halves as they are, and tells no dtype
NUMBERS = (Kind.OTHER, Kind.BOOLEAN, *INTEGRAL, Kind.WEAK)
# operations whose result is made of the numbers that they take
OF_NUMBERS = ("elementwise", "linear", "general")
# entries, and the array that those of a list make
OF_ENTRIES = ("getitem", "stacked", "concatenated", "repeated")
NO_HALVES = ("numpy.astype", "float", "complex")
SHORT = (numpy.int8, numpy.uint8, numpy.int16, numpy.uint16)


def halves(function: Function, facts: Facts) -> Function:
    """The function whose gradient computes with no halves that NumPy makes of masks.

        before:  d_x = (d_out / len(x) * np.exp(m)).astype(x.dtype)
        after:   d_x = (d_out / len(x) * np.exp(m).astype(float)).astype(x.dtype)

    np.exp(m) of a mask m has 16 bits, as np.sqrt(k) of integers of a byte, and a Python
    number that multiplies it leaves them: 1e5 * np.exp(m) is infinite. What the function
    itself computes in halves is not changed.
    """
    made = _Halves(function, facts)
    if not any(map(made.is_made, _parts(lets(function.body)))):
        return function
    own = set(_parts(let for let in lets(function.body) if not let.note.derived))

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or len(node.args) != 2 or node.kwargs:
            return node
        if node.op not in MULTIPLICATIVE | ADDITIVE.keys() or node in own:
            return node
        found = [one for one in node.args if made.is_half(one)]
        others = [one for one in node.args if one not in found]
        if len(found) != 1 or any(map(facts.rank, others)):
            return node
        if node.op in ADDITIVE and isinstance(others[0], Const):
            return node  # of the function itself: 1 + np.sqrt(k)
        args = (_as_floats(one) if one in found else one for one in node.args)
        return replace(node, args=tuple(args))

    return rewrite_derived(function, change)


def _as_floats(value: Expr) -> Expr:
    return Apply("numpy.astype", (value, Const(float, "float")), (), "method:astype")


def _parts(statements: Iterable[Let]) -> Iterator[Apply]:
    """The operations of statements."""
    for let in statements:
        inside = subexpressions(let.value)
        yield from (one for one in inside if isinstance(one, Apply))


class _Halves:
    """What of a function has as many bits as NumPy gives to functions of masks."""

    def __init__(self, function: Function, facts: Facts) -> None:
        self.facts = facts
        self.params = {param.var for param in function.params}
        self.variables: set[Var] = set()
        self.short: set[Var] = set()
        self._learn(function.body)

    def _learn(self, body: Iterable[Stmt]) -> None:
        for stmt in body:
            if isinstance(stmt, Let):
                self._hold(stmt.var, [stmt.value])
            elif isinstance(stmt, Branch):
                self._learn((*stmt.then, *stmt.orelse))
                for merge in stmt.merges:
                    self._hold(merge.var, [merge.then, merge.orelse])
            elif isinstance(stmt, Loop):
                self._learn_loop(stmt)

    def _learn_loop(self, loop: Loop) -> None:
        """What rounds hand on is a half where it begins with a number and stays one."""
        before = set(self.variables), set(self.short)
        likely = [slot for slot in loop.carried if self._is_number(slot.entry)]
        while True:
            self.variables, self.short = set(before[0]), set(before[1])
            for slot in loop.carried:
                self._hold(slot.inner, [slot.entry])
            self.variables |= {slot.inner for slot in likely}
            self._learn(loop.body)
            stay = [slot for slot in likely if self.is_half(slot.next)]
            if stay == likely:
                break
            likely = stay
        for slot in loop.carried:
            self._hold(slot.exit, [slot.entry, slot.next])

    def _is_number(self, expr: Expr) -> bool:
        """Whether an expression is a number of Python's, or a half."""
        return self.is_half(expr) or self.facts.kind(expr) in (Kind.WEAK, Kind.COUNT)

    def _hold(self, var: Var, ways: list[Expr]) -> None:
        if any(map(self.is_half, ways)):
            self.variables.add(var)
        whole = self.facts.kinds.get(var) is Kind.INTEGER
        whole = whole or any(getattr(way, "op", "") in OF_BITS for way in ways)
        if whole and any(map(self._is_short, ways)):
            self.short.add(var)

    def is_half(self, expr: Expr) -> bool:
        """Whether a value may have 16 bits: np.exp(m), or what numbers make of it."""
        if isinstance(expr, Ref):
            return expr.var in self.variables
        if not isinstance(expr, Apply) or not expr.args:
            return False
        if expr.op in OF_ENTRIES or expr.op in TOTALS or viewed(expr):
            return self.is_half(expr.args[0])
        if expr.op == "append":  # what a list begins with is of any kind
            return any(map(self.is_half, expr.args))
        rule = operations().get(expr.op)
        if rule is None or rule.kind not in OF_NUMBERS or expr.op in NO_HALVES:
            return False
        if self.is_made(expr):
            return True
        if "dtype" in dict(expr.kwargs):
            return False
        halves = [arg for arg in expr.args if self.is_half(arg)]
        others = [arg for arg in expr.args if arg not in halves]
        return bool(halves) and all(self.facts.kind(one) in NUMBERS for one in others)

    def is_made(self, expr: Apply) -> bool:
        """Whether NumPy makes floats of masks and narrow integers alone."""
        if not makes_halves(expr.op) or not any(map(self._is_short, expr.args)):
            return False
        others = [arg for arg in expr.args if not self._is_short(arg)]
        return all(self.facts.kind(arg) in INTEGRAL for arg in others)

    def _is_short(self, expr: Expr) -> bool:
        """Whether a value is a mask, or may be integers of a byte or two."""
        if isinstance(expr, Ref):
            kind = self.facts.kinds.get(expr.var)
            if kind is Kind.INTEGER:
                return expr.var in self.params or expr.var in self.short
            return kind is Kind.BOOLEAN or expr.var in self.short
        if isinstance(expr, Const):
            return expr.dtype in ("bool", "int8", "uint8", "int16", "uint16")
        if not isinstance(expr, Apply):
            return False
        if expr.op in OF_BITS:  # whole, also where nothing tells of k in k & 3
            return True
        kind = self.facts.kind(expr)
        if kind is not Kind.INTEGER:
            return kind is Kind.BOOLEAN
        rule = operations().get(expr.op)
        made = rule is not None and rule.kind in ("creation", "integer")
        if made or expr.op in TOTALS or expr.op == "numpy.cumsum":
            dtypes = [one for _, one in expr.kwargs]
            return any(getattr(one, "value", None) in SHORT for one in dtypes)
        return any(map(self._is_short, expr.args))
