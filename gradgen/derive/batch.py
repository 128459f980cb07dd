"""Many seeds, or tangents, at once: a leading axis for each value that depends on them."""

from __future__ import annotations

from collections.abc import Container, Callable, Iterable, Mapping
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.operators import TOTALS, call, getitem, matmul, multiply
from gradgen.ir.walk import (
    children,
    is_static,
    reads,
    reads_of,
    statements,
    static,
    with_children,
)
from gradgen.rules.load import operations
from gradgen.rules.binding import bind
from gradgen.rules.traits import counting_axes, squeezes
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ranked

WHOLE = slice(None)


class Unbatched(Exception):
    """An operation has no form with a leading axis."""


def batched(
    function: Function, first: Mapping[Var, Expr], size: Dim, facts: Facts
) -> tuple[Function, Facts]:
    """The function with a leading axis where it depends on the variables `first`.

        before:  d_x = d_y @ W                  d_y (m), W (m, n)
        after:   d_y = np.eye(len(y))
                 d_x = d_y @ W                  d_y (k, m), d_x (k, n)

    `first` are values for these variables, with the leading axis, whose length is
    `size`. Raises Unbatched.
    """
    work = _Batch(facts, size)
    before = []
    derived = (i for i, stmt in enumerate(function.body) if _is_derived(stmt, first))
    at = next(derived, None)
    if at is None:  # nothing depends on them
        raise Unbatched
    for var, value in first.items():
        before.append(Let(var, value, function.body[at].note))
        work.take(var)
    body = [*function.body[:at], *before, *work.block(function.body[at:])]
    if not all(work.depends(result.value) for result in function.results):
        raise Unbatched
    results = tuple(
        replace(result, value=work.lifted(result.value)) for result in function.results
    )
    return replace(function, body=tuple(body), results=results), work.after


def _is_derived(stmt: Stmt, carrying: Container[Var]) -> bool:
    """Whether a statement is the derivative's, or has to do with it.

    A loop of the primal may carry tangents, and hand them on without a statement.
    """
    return any(
        one.note.derived or any(var in carrying for var in reads_of(one))
        for one in statements([stmt])
    )


class _Batch:
    def __init__(self, facts: Facts, size: Dim) -> None:
        self.facts, self.after, self.size = facts, facts.copy(), size
        self.batched: set[Var] = set()

    def take(self, var: Var) -> None:
        """Notes that a variable has the leading axis."""
        dims = self.facts.shapes[var].dims
        if dims is None:
            raise Unbatched
        self.batched.add(var)
        self.after.shapes[var] = ranked(self.size, *dims)

    def block(self, body: Iterable[Stmt]) -> list[Stmt]:
        done: list[Stmt] = []
        for stmt in body:
            if not isinstance(stmt, Let):
                if _is_derived(stmt, self.batched):  # it goes one way at a time
                    raise Unbatched
                done.append(stmt)
                continue
            if self.depends(stmt.value):
                stmt = replace(stmt, value=self.lifted(stmt.value))
                self.take(stmt.var)
            self.after.definitions[stmt.var] = stmt.value
            done.append(stmt)
        return done

    def depends(self, expr: Expr) -> bool:
        """Whether a value has the leading axis."""
        return any(var in self.batched for var in reads(expr))

    def rank(self, expr: Expr) -> int:
        """How many axes a value has without the leading one."""
        rank = self.facts.rank(expr)
        if rank is None:
            raise Unbatched
        return rank

    def lifted(self, expr: Expr) -> Expr:
        """The value with the leading axis, where it depends on what has one."""
        if not isinstance(expr, Apply) or not self.depends(expr):
            return expr
        handler = HANDLERS.get(expr.op)
        if handler is not None:
            return handler(self, expr)
        rule = operations().get(expr.op)
        if rule is None:
            raise Unbatched(expr.op)
        if rule.kind == "elementwise":
            return self.elementwise(expr)
        if rule.kind == "linear":
            return self.along_axis(expr)
        raise Unbatched(expr.op)

    def elementwise(self, expr: Apply) -> Expr:
        """Each entry for itself: axes of length 1 where others are longer."""
        rank = self.rank(expr)
        return with_children(expr, (self.widened(a, rank) for a in children(expr)))

    def widened(self, expr: Expr, rank: int) -> Expr:
        """A value with the leading axis in front of `rank` others."""
        if not self.depends(expr):
            return expr
        own, lifted = self.rank(expr), self.lifted(expr)
        if own == rank:
            return lifted
        return getitem(lifted, (WHOLE, *(None,) * (rank - own), *(WHOLE,) * own))

    def along_axis(self, expr: Apply) -> Expr:
        """A linear function along axes of its first argument."""
        rule = operations()[expr.op]
        bound = {param.name: value for param, value in bind(rule, expr).items()}
        counting = [
            p.var.name for p in rule.params if p.var.name in counting_axes(rule)
        ]
        others = [v for name, v in bound.items() if v is not expr.args[0]]
        several = rule.kind == "linear" and len(rule.linear) > 1
        if several or any(map(self.depends, others)) or not counting:
            raise Unbatched
        if any(self.facts.rank(value) for value in others if not is_static(value)):
            raise Unbatched  # an array beside the first has no axis in front
        axes = {name: self.moved(expr, bound[name]) for name in counting}
        first, *rest = expr.args
        places = dict(zip((param.var.name for param in rule.params[1:]), rest))
        if len(axes) > 1:  # in the places where they were given
            places |= {name: axes.pop(name) for name in counting if name in places}
        elif counting[0] in list(places)[:-1]:
            raise Unbatched  # arguments behind the axis, without their names
        else:
            places.pop(counting[0], None)
        kwargs = ((k, v) for k, v in expr.kwargs if k not in counting)
        args = self.lifted(first), *places.values()
        return replace(expr, args=args, kwargs=(*axes.items(), *kwargs))

    def moved(self, expr: Apply, axis: Expr) -> Expr:
        """What counts axes of the first argument, behind the leading one."""
        first, none = expr.args[0], axis == Const(None)
        if none and squeezes(operations()[expr.op]):
            return self.single(first)
        if none and expr.op not in TOTALS and self.rank(first) != 1:
            raise Unbatched
        return self.shifted(axis, self.rank(first))

    def single(self, expr: Expr) -> Expr:
        """The axes of length 1, behind the leading one, which may have that length too."""
        dims = self.facts.of(expr).dims
        if dims is None or any(dim.number is None for dim in dims):
            raise Unbatched
        return self.shifted(Const(tuple(i for i, d in enumerate(dims) if d == ONE)), 0)

    def shifted(self, axis: Expr, rank: int) -> Expr:
        """An axis, behind the leading one; all of them for None."""
        if not is_static(axis):
            raise Unbatched
        axes = static(axis)
        if axes is None:
            axes = tuple(range(rank))
        if isinstance(axes, int):
            return Const(axes if axes < 0 else axes + 1)
        moved = tuple(a if a < 0 else a + 1 for a in axes)
        if len(moved) == 1:
            return Const(moved[0])
        return Apply("tuple", tuple(map(Const, moved)))

    def alone(self, expr: Apply) -> Expr:
        """A function that changes no axis: of its first argument alone."""
        if any(map(self.depends, children(expr)[1:])):
            raise Unbatched
        first, *rest = children(expr)
        return with_children(expr, (self.lifted(first), *rest))

    def product(self, expr: Apply) -> Expr:
        """a @ b, with one of them batched."""
        a, b = expr.args
        m, n = self.rank(a), self.rank(b)
        if not m or not n or self.depends(a) and self.depends(b):
            raise Unbatched
        if self.depends(a):
            if n > 2 and m < n:
                raise Unbatched
            return replace(expr, args=(self.lifted(a), b))
        moved = self.lifted(b)
        if n == 1 and m == 1:
            return matmul(moved, a)
        if n == 1 and m == 2:
            return matmul(moved, _transposed(a))
        if n == 1 or m > n:
            raise Unbatched
        if m == 1 or expr.op == "numpy.matmul":
            return replace(expr, args=(a, moved))
        if n > 2:  # np.dot puts the axes of b behind those of a
            raise Unbatched
        return matmul(a, moved)

    def outer(self, expr: Apply) -> Expr:
        a, b = expr.args
        if self.rank(a) != 1 or self.rank(b) != 1:
            raise Unbatched
        if self.depends(a) and self.depends(b):
            raise Unbatched
        if self.depends(a):
            return multiply(getitem(self.lifted(a), (WHOLE, WHOLE, None)), b)
        column = getitem(a, (WHOLE, None))
        return multiply(column, getitem(self.lifted(b), (WHOLE, None, WHOLE)))

    def transpose(self, expr: Apply) -> Expr:
        rank, first = self.rank(expr.args[0]), self.lifted(expr.args[0])
        axes = tuple(reversed(range(rank)))
        if len(children(expr)) > 1:
            if not is_static(children(expr)[1]):
                raise Unbatched
            axes = static(children(expr)[1]) or axes
        if rank < 2:
            return first
        moved = (0, *(a % rank + 1 for a in axes))
        order = Apply("tuple", tuple(map(Const, moved)))
        return Apply("numpy.transpose", (first, order), spelling="method*:transpose")

    def reshape(self, expr: Apply) -> Expr:
        first, shape = children(expr)[:2]
        if isinstance(shape, Apply) and shape.op == "numpy.shape":
            lengths = (getitem(shape, i) for i in range(self.rank(shape.args[0])))
            shape = Apply("tuple", tuple(lengths))
        if not isinstance(shape, Apply) or shape.op != "tuple" or self.depends(shape):
            raise Unbatched
        if Const(-1) in shape.args or len(children(expr)) > 2:
            raise Unbatched
        # -1 is no length where another one is 0
        leading = next(Ref(var) for var in reads(first) if var in self.batched)
        count = Apply("len", (leading,), spelling="name:len")
        shape = replace(shape, args=(count, *shape.args))
        return replace(expr, args=(self.lifted(first), shape), kwargs=())

    def item(self, expr: Apply) -> Expr:
        """x[key]: the leading axis whole, then the key."""
        first, key = expr.args
        if self.depends(key):
            raise Unbatched
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
        arrays = [i for i, item in enumerate(items) if not _is_basic(item, self.facts)]
        if arrays:
            numbers = [
                i
                for i, item in enumerate(items)
                if i in arrays or _is_number(item, self.facts)
            ]
            if any(self.rank(items[i]) == 0 for i in arrays):
                raise Unbatched
            if numbers != list(range(len(numbers))):
                raise Unbatched  # numpy would put their axes first
        whole = Apply("slice", (Const(None),) * 3)
        return replace(expr, args=(self.lifted(first), Apply("tuple", (whole, *items))))

    def filled(self, expr: Apply) -> Expr:
        """np.full_like(x, d): d in every entry of an array like x."""
        like, value = expr.args
        if self.depends(like) or self.rank(value) != 0:
            raise Unbatched
        wide = self.widened(value, self.rank(like))
        return multiply(wide, call("numpy.ones_like", like))

    def joined(self, expr: Apply) -> Expr:
        """np.concatenate or np.stack of arrays that are all batched."""
        parts = expr.args[0]
        if not isinstance(parts, Apply) or not all(map(self.depends, parts.args)):
            raise Unbatched
        axis = dict(expr.kwargs).get("axis", Const(0))
        if len(expr.args) > 1 or not is_static(axis) or static(axis) is None:
            raise Unbatched
        place = static(axis)
        moved = Const(place if place < 0 else place + 1)
        items = replace(parts, args=tuple(map(self.lifted, parts.args)))
        return replace(expr, args=(items,), kwargs=(("axis", moved),))

    def stored(self, expr: Apply) -> Expr:
        """A store into an array of zeros, which gets the leading axis too."""
        base, key, value = expr.args
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
        if self.depends(key) or not all(_is_basic(i, self.facts) for i in items):
            raise Unbatched
        if not self.depends(base):
            raise Unbatched
        part = self.facts.rank(getitem(base, key))
        if part is None:
            raise Unbatched
        whole = Apply("slice", (Const(None),) * 3)
        return replace(
            expr,
            args=(
                self.lifted(base),
                Apply("tuple", (whole, *items)),
                self.widened(value, part),
            ),
        )

    def solved(self, expr: Apply) -> Expr:
        """np.linalg.solve(A, b) with the right side batched."""
        a, b = expr.args
        if self.depends(a) or self.rank(a) != 2:
            raise Unbatched
        if self.rank(b) == 1:
            return _transposed(replace(expr, args=(a, _transposed(self.lifted(b)))))
        return replace(expr, args=(a, self.lifted(b)))


def _transposed(expr: Expr) -> Expr:
    return Apply("numpy.transpose", (expr,), spelling="attribute:T")


def _is_basic(item: Expr, facts: Facts) -> bool:
    if isinstance(item, Apply):
        return item.op == "slice"
    return isinstance(item, Const) or facts.is_index(item)


def _is_number(item: Expr, facts: Facts) -> bool:
    if isinstance(item, Const):
        return type(item.value) is int
    return not isinstance(item, Apply) and facts.is_index(item)


HANDLERS: dict[str, Callable[[_Batch, Apply], Expr]] = {
    "numpy.sum": _Batch.along_axis,
    "numpy.mean": _Batch.along_axis,
    "numpy.cumsum": _Batch.along_axis,
    "numpy.matmul": _Batch.product,
    "numpy.dot": _Batch.product,
    "numpy.outer": _Batch.outer,
    "numpy.transpose": _Batch.transpose,
    "numpy.reshape": _Batch.reshape,
    "numpy.full_like": _Batch.filled,
    "numpy.concatenate": _Batch.joined,
    "numpy.stack": _Batch.joined,
    "numpy.copy": _Batch.alone,
    "numpy.astype": _Batch.alone,
    "numpy.real": _Batch.alone,
    "getitem": _Batch.item,
    "setitem": _Batch.stored,
    "additem": _Batch.stored,
    "numpy.linalg.solve": _Batch.solved,
}
