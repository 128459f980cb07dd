"""What is computed again in the backward half, rather than kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC, COMPARISONS, MEASURES
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import children, is_static, subexpressions, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

# reading these costs nothing
FREE = {*MEASURES, "len", "dtype"}
STRUCTURE = {"tuple", "list", "slice", "chain"}
# views that only name the axes anew
MOVED = {
    f"numpy.{name}"
    for name in "transpose swapaxes moveaxis expand_dims squeeze matrix_transpose".split()
}
LOGIC = {"not", "and", "or", "is", "is_not"}
# So many operations on numbers are cheaper than a list.
NUMBERS = 3


class Again:
    """Expressions for the variables of a block, from what can still be read.

    `own` are the block's variables; `values` are those whose value is known
    otherwise. What stands for memory that is changed later cannot be read.
    """

    def __init__(
        self, own: set[Var], body: Iterable[Stmt], sharing: Sharing, facts: Facts
    ) -> None:
        self.own, self.sharing, self.facts = own, sharing, facts
        self.lets = {stmt.var: stmt for stmt in body if isinstance(stmt, Let)}
        self.values: dict[Var, Expr] = {}
        # what can be read instead of a variable of the same shape, for that
        self.alike: list[Var] = []
        self._found: dict[Var, tuple[Expr, int] | None] = {}

    def forget(self) -> None:
        """Starts anew, after `values` have changed."""
        self._found = {}

    def cheap(self, var: Var) -> Expr | None:
        """The variable's value by a cheap computation, or None."""
        found = self._of(var)
        return found[0] if found is not None else None

    def keeping(self, kept: Iterable[Var]) -> Again:
        """The same computations, where other variables are kept."""
        other = Again(self.own, (), self.sharing, self.facts)
        other.lets, other.alike = self.lets, self.alike
        other.values = {**self.values, **{v: Ref(v) for v in kept}}
        return other

    def _of(self, var: Var) -> tuple[Expr, int] | None:
        if var in self.values:
            return self.values[var], 0
        if var not in self.own:
            return Ref(var), 0
        if var not in self._found:
            self._found[var] = None
            let = self.lets.get(var)
            self._found[var] = None if let is None else self._value(let.value, var)
        return self._found[var]

    def _value(self, value: Expr, var: Var) -> tuple[Expr, int] | None:
        if isinstance(value, Const):
            return value, 0
        if isinstance(value, Ref):
            outside = value.var not in self.own
            if outside and self.sharing.is_changed(value.var):
                return None
            return self._of(value.var)
        assert isinstance(value, Apply)
        parts = []
        total = 0
        for child in children(value):
            part = self._operand(child, value)
            if part is None:
                return None
            parts.append(part[0])
            total += part[1]
        again = with_children(value, parts)
        if value.op in STRUCTURE | FREE:
            return again, total
        if value.op in MOVED:
            return again, total
        if value.op == "item" and self._is_given(value.args[0]):
            return again, total  # an entry of a list that nothing changes
        if value.op == "getitem":
            # A number or a view; a gather is a copy of what may be large.
            return (again, total) if self.is_view(value) else None
        number = self.facts.rank(Ref(var)) == 0
        power = number and value.op == "numpy.power" and is_static(value.args[1])
        if not power and value.op not in ARITHMETIC | COMPARISONS | LOGIC:
            return None
        if number:
            return (again, total + 1) if total < NUMBERS else None
        return (again, NUMBERS) if total == 0 else None

    def _operand(self, child: Expr, of: Apply) -> tuple[Expr, int] | None:
        if isinstance(child, Ref):
            outside = child.var not in self.own and child.var not in self.values
            # how long an array is stays as it was, and of a list it does not
            fixed = of.op in FREE and not self.facts.is_list(child)
            if outside and of.op in FREE and not (fixed or self._is_given(child)):
                return None
            read = not fixed and self.facts.rank(child) != 0
            if outside and read and self.sharing.is_changed(child.var):
                return None
            found = self._of(child.var)
            if found is None and fixed and of.op != "dtype":
                found = self._alike(child.var)
            return found
        if isinstance(child, Apply):
            known = child.op in STRUCTURE | FREE | ARITHMETIC | LOGIC | COMPARISONS
            return self._nested(child) if known else None
        return child, 0

    def _is_given(self, items: Expr) -> bool:
        """Whether a list is an argument of the function, or written out: none changes.

        So is a row of such a list.
        """
        if not isinstance(items, Ref) or not self.facts.is_list(items):
            return False
        made = self.facts.definitions.get(items.var)
        if isinstance(made, Apply) and made.op == "item":
            return self._is_given(made.args[0])
        if made is None:  # what goes from round to round has no definition either
            return items.var.origin is Origin.PARAM
        return not any(isinstance(one, Ref) for one in subexpressions(made))

    def _alike(self, var: Var) -> tuple[Expr, int] | None:
        """A variable of the same shape that can be read after the loop."""
        shape = self.facts.shapes[var]
        for other in self.alike:
            if equal(self.facts.shapes[other], shape):
                return Ref(other), 0
        return None

    def _nested(self, value: Apply) -> tuple[Expr, int] | None:
        parts, total = [], 0
        for child in children(value):
            part = self._operand(child, value)
            if part is None:
                return None
            parts.append(part[0])
            total += part[1]
        return with_children(value, parts), total

    def is_view(self, value: Apply) -> bool:
        """Whether a subscript is a number or a view, and no gather."""
        key = value.args[1]
        if isinstance(key, Apply) and key.op == "chain":
            first, second = key.args
            halves = (replace(value, args=(value.args[0], k)) for k in (first, second))
            return all(map(self.is_view, halves))
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
        for item in items:
            if isinstance(item, Apply) and item.op == "slice":
                continue
            if self.facts.rank(item) != 0:
                return False
        return True
