"""What is known of Python lists: how deep they are, and the shape of their entries."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Var
from gradgen.ir.operators import ENTRY, LISTS_OF_ADJOINTS, MADE_LISTS
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import Shape, equal, ranked

LISTS = (*MADE_LISTS, *LISTS_OF_ADJOINTS)


class Entries:
    """Facts of lists, for the facts of all variables."""

    # of a list: the shape of its entries, None before it has any
    entries: dict[Var, Shape | None]
    # of a list of lists: a list like its entries
    examples: dict[Var, Expr]
    # how many entries a list has, where that is known
    counts: dict[Var, Dim]
    of: Callable[[Expr], Shape]
    dim: Callable[[Expr], Dim]
    is_index: Callable[[Expr], bool]
    fresh: Callable[[], Shape]
    fresh_dim: Callable[[], Dim]

    def is_list(self, expr: Expr) -> bool:
        """Whether a value is a Python list of its own."""
        if isinstance(expr, Ref):
            return expr.var in self.entries
        if not isinstance(expr, Apply):
            return False
        if expr.op == "setitem":
            return self.is_list(expr.args[0])
        if _is_item(expr):
            inner = self.example(expr.args[0])
            return inner is not None and self.is_list(inner)
        return expr.op in LISTS

    def example(self, expr: Expr) -> Expr | None:
        """Of a list of lists: a list like its entries."""
        if isinstance(expr, Ref):
            return self.examples.get(expr.var)
        if not isinstance(expr, Apply) or not expr.args:
            return None
        if expr.op in ENTRY and self.is_list(expr.args[ENTRY[expr.op]]):
            return expr.args[ENTRY[expr.op]]
        if expr.op in ("list", "repeated"):
            return expr.args[0] if self.is_list(expr.args[0]) else None
        found = self.example(expr.args[0])
        return self.example(found) if _is_item(expr) and found else found

    def depth(self, expr: Expr | None) -> int:
        """1 for a list of arrays, 2 for a list of such lists, 0 for no list."""
        deep = 0
        while expr is not None and self.is_list(expr):
            deep, expr = deep + 1, self.example(expr)
        return deep

    def entries_of(self, expr: Expr) -> Shape | None:
        """The shape of a list's entries; a fresh one where they may differ."""
        if isinstance(expr, Ref):
            return self.entries.get(expr.var)
        assert isinstance(expr, Apply)
        if _is_item(expr):
            example = self.example(expr.args[0])
            assert example is not None  # of a list of lists alone
            return self.entries_of(example)
        if expr.op in (
            "zeros_of",
            "popped",
            "shortened",
            "added_lists",
            "setitem",
            "sliced",
        ):
            return self.entries_of(expr.args[0])
        if expr.op == "repeated" and expr.args[0] == Const(None):
            return None
        if expr.op == "joined":
            both = [self.entries_of(arg) for arg in expr.args[:2]]
            known = [one for one in both if one is not None]
            return self.alike(known) if known else None
        if expr.op == "split_like":
            return self.entries_of(expr.args[1])
        if expr.op == "entries":
            dims = self.of(expr.args[0]).dims
            return self.fresh() if dims is None else ranked(*dims[1:])
        shapes = [self.of(arg) for arg in expr.args]
        if expr.op == "repeated":
            return shapes[0]
        if expr.op in ENTRY:
            first, new = self.entries_of(expr.args[0]), shapes[ENTRY[expr.op]]
            shapes = [new] if first is None else [first, new]
        if not shapes:
            return None
        return self.alike(shapes)

    def learn_list(self, let: Let) -> None:
        """Adds what follows of a list for the variable of a statement."""
        self.entries[let.var] = self.entries_of(let.value)
        example, count = self.example(let.value), self.count_of(let.value)
        if example is not None:
            self.examples[let.var] = example
        self.note_count(let.var, count)

    def note_count(self, var: Var, count: Dim | None) -> None:
        """Notes how many entries a list has, or that this is not known."""
        if count is None:
            self.counts.pop(var, None)
        else:
            self.counts[var] = count

    def count_of(self, expr: Expr) -> Dim | None:
        """How many entries a list has; None where that is not known.

        before:  [], [x, x]     out + [y]     out.append(y)     [x] * n
        after:   0, 2           len(out) + 1  len(out) + 1      n
        """
        if isinstance(expr, Ref):
            return self.counts.get(expr.var)
        assert isinstance(expr, Apply)
        if expr.op == "list":
            return Dim.of(len(expr.args))
        if expr.op == "repeated":
            return self.dim(expr.args[1])
        if expr.op not in ("append", "put", "setitem", "joined"):
            return None
        first = self.count_of(expr.args[0])
        if expr.op in ("put", "setitem"):
            return first if self.is_index(expr.args[1]) else None
        if first is None:
            return None
        more = Dim.of(1) if expr.op == "append" else self.count_of(expr.args[1])
        return None if more is None else first + more

    def alike(self, shapes: list[Shape]) -> Shape:
        """What holds of each of several shapes."""
        if all(equal(shapes[0], shape) for shape in shapes):
            return shapes[0]
        ranks = {shape.rank for shape in shapes}
        if len(ranks) > 1 or None in ranks:
            return self.fresh()
        axes = zip(*(shape.dims for shape in shapes))
        return ranked(*(d[0] if len(set(d)) == 1 else self.fresh_dim() for d in axes))


def _is_item(expr: Apply) -> bool:
    """Whether an operation reads one entry: items[i], and no part of a list."""
    if expr.op == "item":
        return True
    key = expr.args[1] if expr.op == "getitem" else None
    return key is not None and getattr(key, "op", "") not in ("slice", "tuple", "chain")
