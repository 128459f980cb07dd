"""Outer products added up round by round become one product after the loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Carried,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import call, getitem, matmul, multiply, negative
from gradgen.ir.walk import defined, map_expressions, reads, reads_of, substitute
from gradgen.ir.walk import with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import Shape, equal, ranked
from gradgen.simplify.kept import KeptList, Known
from gradgen.simplify.rounds import plural, plus_one, position, whole_range


def products(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with one matrix product in place of many outer products.

        before:  d_W = np.zeros_like(W)
                 for t in reversed(range(len(X))):
                     d_h = 2 * d_s * hs[t]
                     d_W += np.outer(X[t], d_h)
        after:   d_hs = np.empty((len(X), W.shape[1]), W.dtype)
                 for t in reversed(range(len(X))):
                     d_hs[t] = 2 * d_s * hs[t]
                 d_W = X.T @ d_hs

    One of the two vectors is a row of an array that the loop goes over whole, or
    an entry of a list that was kept; the other becomes a row of a new array. With
    no rounds the product of two arrays without rows is the zeros it should be.
    """
    gradient = [s for s in function.body if s.note.role is Role.GRAD]
    if all(isinstance(stmt, Let) for stmt in gradient):
        return function
    known = Known(function)
    body = _block(function.body, known, facts, supply)
    return function if body == function.body else replace(function, body=body)


def _block(
    source: Iterable[Stmt], known: Known, facts: Facts, supply: Supply
) -> tuple[Stmt, ...]:
    body: list[Stmt] = []
    for stmt in source:
        stmt = with_blocks(stmt, lambda b: _block(b, known, facts, supply))
        if isinstance(stmt, Loop) and stmt.note.role is Role.GRAD:
            body += _Rounds(stmt, known, facts, supply).gathered()
        else:
            body.append(stmt)
    return tuple(body)


@dataclass(frozen=True)
class _Sum:
    """An accumulator: where it is carried and added to, and what is added."""

    slot: Carried
    let: Let
    value: Expr
    factor: Expr


class _Rounds:
    """One reversed loop, and the arrays that its rounds fill."""

    def __init__(self, loop: Loop, known: Known, facts: Facts, supply: Supply) -> None:
        self.loop, self.known = loop, known
        self.facts, self.supply = facts, supply
        self.inside = {loop.index, *(slot.inner for slot in loop.carried)}
        self.inside |= {var for stmt in loop.body for var in defined(stmt)}
        self.lets = {stmt.var: stmt for stmt in loop.body if isinstance(stmt, Let)}
        self.before: list[Stmt] = []
        self.slots: list[Carried] = []
        self.rows: dict[Var, Var] = {}
        self.stores: dict[Var, Let] = {}

    def gathered(self) -> list[Stmt]:
        """The statements that stand for the loop."""
        sums = list(self._sums())
        after: dict[Var, Let] = {}
        for one in sums:
            made = self._product(one)
            if made is not None:
                after[one.let.var] = made
        for one in sums:
            if isinstance(one.value, Ref) and one.value.var in self.rows:
                array = Ref(self.rows[one.value.var])
                total = call("numpy.sum", array, axis=0)
                after[one.let.var] = self._after(one, total)
        if not after:
            return [self.loop]
        gone = {one.slot.inner for one in sums if one.let.var in after}
        carried = tuple(s for s in self.loop.carried if s.inner not in gone)
        body: list[Stmt] = []
        for stmt in self.loop.body:
            if isinstance(stmt, Let) and stmt.var in after:
                continue
            body.append(stmt)
            body += [self.stores[v] for v in defined(stmt) if v in self.stores]
        body = self._read_once(body)
        loop = replace(self.loop, carried=(*carried, *self.slots), body=tuple(body))
        return [*self.before, loop, *after.values()]

    def _read_once(self, body: list[Stmt]) -> list[Stmt]:
        """The round without names for kept values that one statement is left to read."""
        counted = Counter(var for stmt in body for var in reads_of(stmt))
        counted.update(
            v for slot in self.loop.carried for v in (*reads(slot.next),) * 2
        )
        once = {
            let.var: let.value
            for let in self.lets.values()
            if let.var.origin is Origin.LOCAL
            and counted[let.var] == 1
            and self._entry(let.value) is not None
        }
        body = [stmt for stmt in body if not once.keys() & set(defined(stmt))]
        return list(map_expressions(body, lambda value: substitute(value, once)))

    def _sums(self) -> Iterable[_Sum]:
        """The accumulators that nothing else in the loop reads."""
        counted: Counter[Var] = Counter()
        for stmt in self.loop.body:
            counted.update(reads_of(stmt))
        for slot in self.loop.carried:
            counted.update(reads(slot.next))
        for slot in self.loop.carried:
            let = self.lets.get(slot.next.var) if isinstance(slot.next, Ref) else None
            if let is None or not isinstance(let.value, Apply):
                continue
            value = let.value
            if value.op != "accumulate":
                continue
            alone = counted[slot.inner] == 1 and counted[let.var] == 1
            if not alone or value.args[0] != Ref(slot.inner):
                continue
            part = value.args[1]
            if self.facts.kinds[slot.exit] is not Kind.LIKE:
                continue
            part, factor = self._apart(part)
            if equal(self._shape(part), self.facts.shapes[slot.exit]):
                yield _Sum(slot, let, part, factor)

    def _apart(self, part: Expr) -> tuple[Expr, Expr]:
        """What is added without a number that is the same in every round."""
        if not isinstance(part, Apply):
            return part, Const(1)
        if part.op == "numpy.negative":
            inner, factor = self._apart(part.args[0])
            return inner, _negated(factor)
        if part.op == "numpy.outer" and not part.kwargs:
            for i, arg in enumerate(part.args):
                if isinstance(arg, Apply) and arg.op == "numpy.negative":
                    args = list(part.args)
                    args[i] = arg.args[0]
                    inner, factor = self._apart(replace(part, args=tuple(args)))
                    return inner, _negated(factor)
        if part.op == "numpy.multiply":
            number, inner = part.args
            outside = not any(var in self.inside for var in reads(number))
            if outside and self.facts.rank(number) == 0:
                return inner, number
        return part, Const(1)

    def _shape(self, value: Expr) -> Shape:
        """The shape of what is added; that of an outer product by its vectors."""
        if not isinstance(value, Apply) or value.op != "numpy.outer":
            return self.facts.of(value)
        dims = [self._vector(arg).dims for arg in value.args]
        axes = [d[0] for d in dims if d is not None and len(d) == 1]
        if value.kwargs or len(axes) != len(dims):
            return self.facts.fresh()
        return ranked(axes[0], axes[1])

    def _vector(self, value: Expr) -> Shape:
        source = self._entry(value)
        kept = None if source is None else self.known.list_of(source[0])
        return self.facts.of(value if kept is None else kept.item)

    def _entry(self, row: Expr) -> tuple[Expr, Expr] | None:
        """What a vector is an entry of, and at which place."""
        if isinstance(row, Ref) and row.var in self.lets:
            row = self.lets[row.var].value
        if not isinstance(row, Apply) or row.op != "getitem":
            return None
        source, place = row.args
        inside = any(var in self.inside for var in reads(source))
        return None if inside else (source, place)

    def _product(self, one: _Sum) -> Let | None:
        """The product that stands for a sum of outer products, after the loop."""
        value = one.value
        if not isinstance(value, Apply) or value.op != "numpy.outer":
            return None
        like = self.known.visible(one.slot)
        if like is None or self.facts.kinds.get(like.var) is not Kind.LIKE:
            return None
        for side in (0, 1):
            there = self._there(value.args[side], like, side)
            made = value.args[1 - side]
            if there is None or not self._is_made(made):
                continue
            kept = self._kept(value.args[side])
            rows = Ref(self._rows(made.var, like, 1 - side, one.let.note, kept))
            pair = (there, rows) if side == 0 else (rows, there)
            return self._after(one, matmul(_transposed(pair[0]), pair[1]))
        return None

    def _is_made(self, made: Expr) -> bool:
        return isinstance(made, Ref) and made.var in self.lets

    def _after(self, one: _Sum, total: Expr) -> Let:
        if one.factor == Const(-1):
            total = negative(total)
        elif one.factor != Const(1):
            total = multiply(one.factor, total)
        entry = one.slot.entry
        if not self.known.is_zero(entry):
            total = Apply("accumulate", (entry, total))
        return Let(one.slot.exit, total, one.let.note)

    def _there(self, row: Expr, like: Expr, side: int) -> Expr | None:
        """The array whose rows a vector is, one for each round in their order."""
        entry = self._entry(row)
        if entry is None:
            return None
        source, place = entry
        kept = self.known.list_of(source)
        if kept is None:
            return self._array(source, place)
        here = position(self.loop.over, Ref(self.loop.index))
        if place == here or place == plus_one(here) and kept.full:
            return self._stacked(source, kept, place == here, like, side)
        return None

    def _over(self) -> Expr:
        """What the loop goes over, backwards or, with both halves, forwards."""
        assert self.loop.over is not None
        over = self.loop.over
        return over.args[0] if over.op == "reversed" else over

    def _array(self, source: Expr, place: Expr) -> Expr | None:
        """An array that the loop goes through from its first row to its last."""
        if place != Ref(self.loop.index) or not isinstance(source, Ref):
            return None
        if self.facts.kind(source) is not Kind.LIKE:
            return None
        over = self._over()
        start, stop, step = whole_range(over).args
        if (start, step) != (Const(0), Const(1)):
            return None
        dims = self.facts.of(source).dims
        if dims is None or len(dims) != 2 or self.facts.dim(stop) != dims[0]:
            return None
        return source if over.op == "range" else getitem(source, over.args[1])

    def _stacked(
        self, source: Expr, kept: KeptList, first: bool, like: Expr, side: int
    ) -> Expr:
        """A list of vectors as an array, also where it is empty."""
        if kept.full:
            narrow = self.facts.kind(kept.item) is Kind.LIKE
            array = call("numpy.array", source, *(() if narrow else (_dtype(like),)))
            return getitem(array, slice(None, -1) if first else slice(1, None))
        count = Apply("len", (source,), spelling="name:len")
        shape = Apply("tuple", (count, _length(like, side)))
        array = call("numpy.array", source, _dtype(like))
        return Apply("numpy.reshape", (array, shape), spelling="method*:reshape")

    def _kept(self, row: Expr) -> Expr | None:
        """The list that a vector of each round is kept in, one for each."""
        entry = self._entry(row)
        kept = None if entry is None else self.known.list_of(entry[0])
        return None if entry is None or kept is None or kept.full else entry[0]

    def _rows(
        self, made: Var, like: Expr, side: int, note: Note, kept: Expr | None
    ) -> Var:
        """The array that a vector of each round is a row of."""
        if made in self.rows:
            return self.rows[made]
        name = plural(made.name)
        new = [self.supply.var(name, Origin.SAVED) for _ in range(4)]
        start, inner, stored, exit = new
        for var in new:
            self.facts.shapes[var] = self.facts.fresh()
            self.facts.kinds[var] = Kind.LIKE
        shape = Apply("tuple", (self._count(kept), _length(like, side)))
        begin = call("numpy.empty", shape, _dtype(like))
        self.before.append(Let(start, begin, self.loop.note))
        place = position(self.loop.over, Ref(self.loop.index))
        value = Apply("setitem", (Ref(inner), place, Ref(made)))
        self.stores[made] = Let(stored, value, self.lets[made].note)
        self.slots.append(Carried(inner, Ref(start), Ref(stored), exit))
        self.rows[made] = exit
        return exit

    def _count(self, kept: Expr | None) -> Expr:
        """How many rounds the loop makes: as many as a list has entries."""
        over = self._over()
        if over.op == "getitem":  # as many as a loop that was left has made
            return over.args[1].args[1]
        start, stop, step = over.args
        if (start, step) == (Const(0), Const(1)) and self._is_length(stop):
            return stop
        return Apply("len", (over if kept is None else kept,), spelling="name:len")

    def _is_length(self, stop: Expr) -> bool:
        """Whether a number is surely not negative."""
        if isinstance(stop, Ref):
            if stop.var.origin is Origin.COUNT:
                return True
            stop = self.known.values.get(stop.var, stop)
        if isinstance(stop, Apply) and stop.op == "getitem":
            source = stop.args[0]
            if isinstance(source, Ref):
                source = self.known.values.get(source.var, source)
            return isinstance(source, Apply) and source.op == "numpy.shape"
        return isinstance(stop, Apply) and stop.op == "len"


def _negated(factor: Expr) -> Expr:
    if isinstance(factor, Const):
        return Const(-factor.value)
    return negative(factor)


def _dtype(like: Expr) -> Expr:
    return Apply("dtype", (like,), spelling="attribute:dtype")


def _transposed(x: Expr) -> Expr:
    return Apply("numpy.transpose", (x,), spelling="attribute:T")


def _length(like: Expr, axis: int) -> Expr:
    shape = Apply("numpy.shape", (like,), spelling="attribute:shape")
    return getitem(shape, axis)
