"""Which variables may stand for the same memory, and which of it is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gradgen.ir.callee import shared_arguments
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Loop, Ref, Stmt, Var
from gradgen.ir.operators import ENTRY, LISTS, READ_ONLY, STORES
from gradgen.ir.walk import defined, statements

# operations whose result may share the memory of their first argument
VIEWS = {
    "getitem",
    "item",
    "helper._unbroadcast",
    "helper._upright",
    "numpy.array_split",
    "numpy.asanyarray",
    "numpy.asarray",
    "numpy.ascontiguousarray",
    "numpy.broadcast_to",
    "numpy.diag",
    "numpy.diagonal",
    "numpy.dsplit",
    "numpy.expand_dims",
    "numpy.flip",
    "numpy.fliplr",
    "numpy.flipud",
    "numpy.hsplit",
    "numpy.lib.stride_tricks.sliding_window_view",
    "numpy.linalg.diagonal",
    "numpy.linalg.matrix_transpose",
    "numpy.matrix_transpose",
    "numpy.moveaxis",
    "numpy.permute_dims",
    "numpy.ravel",
    "numpy.real",
    "numpy.imag",
    "numpy.real_if_close",
    "numpy.reshape",
    "numpy.rollaxis",
    "numpy.rot90",
    "numpy.split",
    "numpy.squeeze",
    "numpy.swapaxes",
    "numpy.transpose",
    "numpy.unstack",
    "numpy.vsplit",
    "real",
}
# of these, the ones whose axes go through memory in another order
TURNS = {
    f"numpy.{name}"
    for name in (
        "linalg.matrix_transpose matrix_transpose moveaxis permute_dims rollaxis rot90 "
        "swapaxes transpose"
    ).split()
}
# of these, the ones with several results
PARTS = {
    f"numpy.{name}" for name in "array_split dsplit hsplit split unstack vsplit".split()
}
# operations whose results may share the memory of any of their arguments
VIEWS_OF_ALL = {
    f"numpy.{name}"
    for name in (
        "atleast_1d atleast_2d atleast_3d broadcast_arrays histogram ix_"
    ).split()
}
# Python's own, which return one of their arguments
CHOOSING = ("name:min", "name:max")
# operations and how often they are done, where the argument itself comes back
UNCHANGED = (("numpy.diff", Const(0)), ("numpy.linalg.matrix_power", Const(1)))


def viewed(value: Apply) -> tuple[Expr, ...]:
    """The arguments whose memory the result of an operation may share."""
    if value.op in VIEWS or value.op == "part":
        return value.args[:1]
    if value.op in ("kept", "vjp"):
        return shared_arguments(value)
    if value.op in VIEWS_OF_ALL:
        return value.args
    if value.op == "numpy.einsum":  # of one operand: a transposition, a diagonal
        return value.args[1:] if len(value.args) == 2 else ()
    if value.op == "numpy.conj" and value.spelling.startswith("method:"):
        return value.args[:1]
    if value.spelling in CHOOSING:
        return value.args
    if value.spelling == "conditional":  # d_u if y > k else 0.0
        return value.args[1:]
    given = dict(value.kwargs)
    if "out" in given:
        return (given["out"],)
    if value.op == "numpy.astype" and "copy" in given:
        return value.args[:1]
    n = value.args[1] if len(value.args) > 1 else given.get("n")
    if (value.op, n) in UNCHANGED:
        return value.args[:1]
    return ()


def is_read_only(value: Expr, rank: Callable[[Expr], int | None]) -> bool:
    """Whether a view may not be written to: a diagonal, what is broadcast.

    np.diag of a vector is a matrix of its own.
    """
    if not isinstance(value, Apply):
        return False
    if value.op in READ_ONLY:
        return value.op != "numpy.diag" or rank(value.args[0]) != 1
    return any(is_read_only(base, rank) for base in viewed(value))


def changes(let: Let) -> bool:
    """Whether an assignment changes its first argument, as it is printed."""
    value = let.value
    if not isinstance(value, Apply):
        return False
    return value.op in (*STORES, "accumulate", *LISTS) or (
        value.spelling == "augmented"
    )


def of_a_list(let: Let) -> bool:
    """Whether what changes is a list, not an array that it holds."""
    return isinstance(let.value, Apply) and let.value.op in (*LISTS, "put")


class Sharing:
    """Classes of variables that may share memory, in any round and any branch."""

    def __init__(self, body: Iterable[Stmt]) -> None:
        self._parent: dict[Var, Var] = {}
        self._changed: set[Var] | None = None
        changed = []
        for stmt in statements(body):
            if isinstance(stmt, Let):
                self._assigned(stmt.var, stmt.value)
                if changes(stmt) and not of_a_list(stmt):
                    changed.append(stmt.var)
            elif isinstance(stmt, Branch):
                for merge in stmt.merges:
                    self._assigned(merge.var, merge.then)
                    self._assigned(merge.var, merge.orelse)
            elif isinstance(stmt, Loop):
                for slot in stmt.carried:
                    self.join(slot.inner, slot.exit)
                    self._assigned(slot.inner, slot.entry)
                    self._assigned(slot.inner, slot.next)
        self._stores = changed

    def root(self, var: Var) -> Var:
        """The variable that stands for the class."""
        top = var
        while (above := self._parent.get(top, top)) != top:
            top = above
        while var != top:  # the next one asks for less
            self._parent[var], var = top, self._parent[var]
        return top

    def is_changed(self, var: Var) -> bool:
        """Whether some statement changes memory that the variable may share."""
        if self._changed is None:
            self._changed = {self.root(store) for store in self._stores}
        return self.root(var) in self._changed

    def is_settled(self, var: Var, block: Sequence[Stmt]) -> bool:
        """Whether a block makes the memory itself, and is done with changing it.

        Then no round of a loop with that body changes what an earlier one made.
        """
        made = {v: i for i, stmt in enumerate(block) for v in defined(stmt)}
        known = {*self._parent, *self._parent.values()}
        root = self.root(var)
        if not all(v in made for v in known if self.root(v) == root):
            return False
        stores = [store for store in self._stores if self.root(store) == root]
        return all(made[store] <= made[var] for store in stores)

    def join(self, a: Var, b: Var) -> None:
        """Puts two variables into one class."""
        first, second = self.root(a), self.root(b)
        if first != second:
            self._changed = None
            self._parent[second] = first

    def _assigned(self, var: Var, value: Expr) -> None:
        for source in shared_with(value):
            self.join(var, source)


def shared_with(value: Expr) -> Sequence[Var]:
    """The variables whose memory a value may share."""
    if isinstance(value, Ref):
        return (value.var,)
    if not isinstance(value, Apply):
        return ()
    inside = list(viewed(value))
    if value.op in (*STORES, "accumulate", "append") or value.spelling == "augmented":
        inside.insert(0, value.args[0])
    if value.op in ENTRY:
        inside.append(value.args[ENTRY[value.op]])
    elif value.op in ("tuple", "list", "sliced", "repeated", "joined"):
        inside += value.args
    return [var for one in inside for var in shared_with(one)]
