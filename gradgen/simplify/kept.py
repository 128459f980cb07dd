"""What is known of the lists that loops keep values in."""

from __future__ import annotations


from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Carried, Expr, Function, Let, Loop, Origin, Ref, Var
from gradgen.ir.walk import defined, statements


@dataclass(frozen=True)
class KeptList:
    """A kept list: what is appended; whether it starts before the first round."""

    item: Expr
    full: bool


class Known:
    """What the whole function says of its variables and of the lists it keeps."""

    def __init__(self, function: Function) -> None:
        self.outside = {param.var for param in function.params}
        self.outside |= {var for stmt in function.body for var in defined(stmt)}
        self.values: dict[Var, Expr] = {}
        self.entries: dict[Var, Var] = {}
        self.ends: dict[Var, Var] = {}
        # of a list: the one that it is after something has been appended
        self.longer: dict[Var, Expr] = {}
        for stmt in statements(function.body):
            if isinstance(stmt, Let):
                self.values[stmt.var] = stmt.value
                value = stmt.value
                if isinstance(value, Apply) and value.op == "append":
                    self.longer[stmt.var] = value.args[1]
            elif isinstance(stmt, Loop):
                for slot in stmt.carried:
                    if isinstance(slot.entry, Ref) and isinstance(slot.next, Ref):
                        self.entries[slot.exit] = slot.entry.var
                        self.ends[slot.exit] = slot.next.var

    def visible(self, slot: Carried) -> Ref | None:
        """What has the shape of an accumulator and can be read around its loop."""
        of = slot.exit.of
        while of is not None:  # of a tangent its adjoint, and of that the argument
            if of in self.outside:
                return Ref(of)
            of = of.of
        return slot.entry if isinstance(slot.entry, Ref) else None

    def is_zero(self, entry: Expr) -> bool:
        """Whether an accumulator starts as an array of zeros."""
        value = self.values.get(entry.var) if isinstance(entry, Ref) else None
        return isinstance(value, Apply) and value.op == "numpy.zeros_like"

    def list_of(self, kept: Expr) -> KeptList | None:
        """The kept list that an expression stands for, of vectors as they were."""
        depth = 0
        while isinstance(kept, Apply) and kept.op == "getitem":
            kept, depth = kept.args[0], depth + 1
        if not isinstance(kept, Ref) or kept.var.origin is not Origin.SAVED:
            return None
        var = kept.var
        for _ in range(depth):  # the list that is appended to the outer one
            item = self.longer.get(self.ends.get(var, var))
            if not isinstance(item, Ref):
                return None
            var = item.var
        start = self.values.get(self.entries.get(var, var))
        item = self.longer.get(self.ends.get(var, var))
        if not isinstance(start, Apply) or start.op != "list" or item is None:
            return None
        return KeptList(item, full=bool(start.args))
