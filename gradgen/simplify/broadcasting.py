"""Each broadcasting word as numpy operations, or as nothing where numpy stretches."""

from __future__ import annotations

from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Role,
    Var,
)
from gradgen.ir.operators import LENGTHS, MULTIPLICATIVE, add, call, getitem, lift
from gradgen.ir.operators import multiply
from gradgen.ir.walk import lets, reads, statements, with_children
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.indexing import names_places_once
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Below, Dropped, Kept, Shape, entries_of_row
from gradgen.shapes.shape import equal, join, ranked
from gradgen.shapes.words import axes_of
from gradgen.simplify.conjugates import conjugated
from gradgen.simplify.extent import Extents, not_constant


class Words:
    """Replaces the words in the adjoints of one function."""

    def __init__(self, function: Function, facts: Facts) -> None:
        self.facts = facts
        self.extents = Extents(function, facts)
        # variables that are there already: in forward mode others come later
        self.slots = {
            slot.inner: slot
            for stmt in statements(function.body)
            if isinstance(stmt, Loop) and stmt.note.role is Role.FORWARD
            for slot in stmt.carried
        }
        self.live = [param.var for param in function.params]
        self.later = {
            let.var
            for let in function.body
            if isinstance(let, Let)
            and let.note.role is Role.FORWARD
            and let.var.origin is Origin.USER
        }
        # What has an adjoint is floating; other arguments may be integers, whose
        # likeness would cut an adjoint to whole numbers.
        floating = {let.var.of for let in lets(function.body)}
        floating |= {result.of for result in function.results}
        self.live = [var for var in self.live if var in floating]
        self.later &= floating

    def reached(self, var: Var) -> None:
        """Notes that a variable is there from now on."""
        self.extents.reached(var)
        if var in self.later:
            self.live.append(var)

    def resolve(self, node: Expr) -> Expr:
        """One word replaced; other nodes as they are."""
        if not isinstance(node, Apply):
            return node
        if node.op == "numpy.shape" and not node.spelling:
            where = self.witness(node.args[0])
            spelling = "attribute:shape" if self.facts.rank(where) else ""
            return Apply("numpy.shape", (where,), (), spelling)
        handler = getattr(self, "_" + node.op, None) if "." not in node.op else None
        return handler(*node.args) if handler else node

    def _real(self, g: Expr, z: Expr) -> Expr:
        """g with the full shape of z."""
        if self.facts.same(g, z) or self.facts.is_list(z):
            return g
        return self._full(z, g)

    def _real_as_others(self, g: Expr, z: Expr) -> Expr:
        """g with the full shape of z, which may have no value: as others that have it."""
        like = self.witness(z, self.facts.is_complex(g))
        if like == z or self.facts.same(g, z):
            return g
        return call("numpy.full_like", like, g)

    def _accumulate(self, g: Expr, c: Expr) -> Expr:
        """c added to g, in place where g is no smaller."""
        smaller = any(isinstance(atom, Below) for atom in self.facts.of(g).atoms)
        return add(g, c) if smaller else Apply("accumulate", (g, c))

    def _realpart(self, g: Expr) -> Expr:
        """The real part of g, which is g where that is real."""
        return call("numpy.real", g) if self.facts.is_complex(g) else g

    def _read_back(self, g: Expr, key: Expr, value: Expr) -> Expr:
        """The adjoint of what was stored at a key: 0 where it was stored over."""
        stored = getitem(g, key)
        if names_places_once(self.facts, key):
            return stored
        if isinstance(key, Apply) and key.op == "chain":
            g, key = getitem(g, key.args[0]), key.args[1]
        last = call("helper._stored_last", g, key)
        if self.facts.rank(value) != 0 and not _is_one_row(key, self.facts):
            last = call("helper._stored_at_last", g, key, value)
        return call("numpy.where", last, stored, Const(0))

    def _conj(self, x: Expr) -> Expr:
        """The conjugate of x, which is x where that is real."""
        return conjugated(x, self.facts)

    def _resized(self, g: Expr, x: Expr) -> Expr:
        """g cut off to the shape of x, or with zeros behind it, where they differ."""
        return g if self.facts.same(g, x) else call("helper._resized", g, x)

    def _full(self, z: Expr, g: Expr) -> Expr:
        """g in an array of z's shape, complex where g is."""
        return call("numpy.full_like", self._like(z, g), g)

    def _like(self, z: Expr, g: Expr) -> Expr:
        """Something of z's shape that is complex where g is, and not elsewhere."""
        complex = self.facts.is_complex(g)
        target = self.witness(z, complex)
        if self.facts.is_complex(target) and not complex:
            return call("numpy.real", target)
        if complex and not self.facts.is_complex(target):
            return add(target, Const(0j))
        return target

    def _hosting(self, g: Expr, x: Expr) -> Expr:
        """g with the full shape of x, and complex where x is."""
        if self.facts.is_complex(x) and not self.facts.is_complex(g):
            return call("numpy.full_like", x, g)
        return self._real(g, x)

    def witness(self, z: Expr, complex: bool | None = None) -> Expr:
        """A variable of z's shape that is there anyway, or z itself.

        With `complex` given, a variable that is so or not.
        """
        shape = self.facts.of(z)
        for var in self.live:
            kind = self.facts.kinds[var]
            is_array = kind is Kind.LIKE or kind is self.facts.kind(z) is Kind.WIDE
            fits = complex is None or complex == (var in self.facts.complexes)
            if is_array and fits and equal(self.facts.shapes[var], shape):
                if self.extents.actual.agree(Ref(var), z):
                    return Ref(var)
        return z

    def _count(self, x: Expr, axis: Expr, cut: Expr = Const(False)) -> Expr:
        """How many entries a reduction of x over axis runs over."""
        return self.extents.count(x, axis, cut == Const(True))

    def _extent(self, x: Expr, axis: Expr, cut: Expr = Const(False)) -> Expr:
        """The length of x along one axis."""
        return self.extents.along(x, axis.value, cut == Const(True))

    def _unreduce(self, g: Expr, x: Expr, axis: Expr, keepdims: Expr) -> Expr:
        """g with the reduced axes put back, as far as numpy does not by itself."""
        if keepdims == Const(True) or axis == Const(None):
            return g
        small, large = self.facts.of(g), self.facts.of(x)
        if small == SCALAR or large.rank == 1:
            return g
        try:
            axes = axes_of(axis)
        except ValueError:
            raise not_constant("keepdims=True") from None
        assert axes is not None  # None has been answered above
        rank = large.rank
        if rank is not None:
            axes = tuple(sorted(a % rank for a in axes))
        if axes == tuple(range(len(axes))):
            return g  # leading axes: numpy puts them back
        if not isinstance(keepdims, Const):
            return self._put_back(g, x, axis, keepdims)
        reduced = self._reduced_shape(large, axes)
        is_last = rank is None and axes == tuple(range(-len(axes), 0))
        if not equal(small, reduced):
            if is_last:
                pass  # what broadcasts to the sum broadcasts to x with an axis at its end
            elif rank is None or small.dims is None:
                target = call("numpy.sum", x, axis=_plain(axes))
                g = self._full(target, g)
            elif len(small.dims) < rank - len(axes):
                g = getitem(g, (None,) * (rank - len(axes) - len(small.dims)) + (...,))
        if rank is not None:
            key = tuple(None if i in axes else slice(None) for i in range(rank))
            return getitem(g, key)
        if is_last and self._may_be_number(g):
            return self._with_axes(g, x, axes)
        if axes == (-1,):
            return getitem(g, (..., None))
        return call("numpy.expand_dims", g, lift(_plain(axes)))

    def _with_axes(self, g: Expr, x: Expr, axes: tuple[int, ...]) -> Expr:
        """g, which may be a number, with axes at its end and the dtype of x.

        A factor that surely is a number stays outside.
        """
        if isinstance(g, Apply) and g.op in MULTIPLICATIVE:
            left, right = g.args
            if self.facts.rank(right) == 0:
                return with_children(g, (self._with_axes(left, x, axes), right))
            if self.facts.rank(left) == 0 and g.op == "numpy.multiply":
                return with_children(g, (left, self._with_axes(right, x, axes)))
        own = Apply("dtype", (x,), spelling="attribute:dtype")
        g = call("numpy.asarray", g, dtype=own)
        if axes == (-1,):
            return getitem(g, (..., None))
        return call("numpy.expand_dims", g, lift(_plain(axes)))

    def _may_be_number(self, g: Expr) -> bool:
        """Whether g may be a number of Python's, as d_out * a is with d_out=1.0."""
        seen: set[Expr] = set()
        stack: list[Expr | None] = [g]
        while stack:
            one = stack.pop()
            if isinstance(one, Ref) and one not in seen:
                if self.facts.rank(one):
                    return False
                seen.add(one)
                stack.append(self.facts.definitions.get(one.var))
            elif isinstance(one, Apply):
                parts = _of_numbers(one)
                if parts is None:
                    return False
                stack += parts
        return True

    def _put_back(self, g: Expr, x: Expr, axis: Expr, keepdims: Expr) -> Expr:
        """g with the reduced axes, where they may have been kept or not."""
        own, kept = (
            Apply("numpy.sum", (x,), (("axis", axis), ("keepdims", keep)))
            for keep in (keepdims, Const(True))
        )
        return call("numpy.reshape", self._full(own, g), call("numpy.shape", kept))

    def _reduced_shape(self, large: Shape, axes: tuple[int, ...]) -> Shape:
        if large.dims is None:
            return Shape(frozenset([Dropped(large, axes)]))
        return ranked(*(d for i, d in enumerate(large.dims) if i not in axes))

    def _unbroadcast(self, c: Expr, z: Expr, x: Expr) -> Expr:
        """c, which stands for something of z's shape, summed to the shape of x."""
        facts = self.facts
        target = facts.of(x)
        full = join(facts.of(c), target) if z == Const(None) else facts.of(z)
        if equal(full, target):
            return c
        if full.dims is not None and target.dims is not None:
            result = self._summed(c, full.dims, target.dims, z)
            if result is not None:
                return result
        row = self._as_row(c, x, z)
        if row is not None:
            return row
        small = facts.of(c)
        if equal(small, full):
            if target == SCALAR:
                return call("numpy.sum", c)
            along = self._along(target, full)
            if along is not None:
                return Apply("numpy.sum", (c,), along)
        elif z != Const(None) and not equal(join(small, target), full):
            # An axis that x was stretched along is missing from c as well.
            if small == target == SCALAR:
                return multiply(self.extents.count(z, Const(None), cut=True), c)
            c = self._full(z, c)
            if target == SCALAR:
                return call("numpy.sum", c)
            if full.dims is not None and target.dims is not None:
                row = self._summed(c, full.dims, target.dims, z)
            row = row or self._as_row(c, x, z)
        return row or call("helper._unbroadcast", c, self._like(x, c))

    def _along(self, target: Shape, full: Shape) -> tuple[tuple[str, Expr], ...] | None:
        """How the full shape is summed, when the target is that reduced.

        Axes that NumPy puts back itself may be gone. What an argument tells stands in
        the text: np.sum(d, axis=axis, keepdims=True).
        """
        if len(target.atoms) != 1:
            return None
        (atom,) = target.atoms
        if isinstance(atom, Dropped) and equal(atom.base, full):
            leading = atom.axes == tuple(range(len(atom.axes)))
            return (("axis", lift(_plain(atom.axes))),) if leading else None
        if isinstance(atom, Kept) and atom.axes and equal(atom.base, full):
            axis = atom.axes[0]
            known = not isinstance(axis, Expr)
            if known or self.facts.labels.keys() >= set(reads(axis)):
                axes = lift(_plain(atom.axes)) if known else axis
                return ("axis", axes), ("keepdims", Const(True))
        return None

    def _as_row(self, c: Expr, x: Expr, z: Expr) -> Expr | None:
        """c summed to the shape of x, a vector or one row of a matrix; None of others."""
        facts = self.facts
        entries = entries_of_row(facts.of(x))
        full = join(facts.of(c), facts.of(x)) if z == Const(None) else facts.of(z)
        if entries is None or full.dims is None:
            return None
        result = self._summed(c, full.dims, entries, z)
        if result is None or facts.of(result) == SCALAR:
            return result
        if not equal(facts.of(result), ranked(*entries)):
            return None
        shape = Apply("numpy.shape", (self._like(x, c),))
        return Apply("numpy.reshape", (result, shape), (), "method:reshape")

    def _summed(
        self, c: Expr, full: tuple[Dim, ...], target: tuple[Dim, ...], z: Expr
    ) -> Expr | None:
        """The sum with ranks known; None when an axis may or may not be stretched."""
        rank, lead = len(full), len(full) - len(target)
        if lead < 0:
            return None  # x += y, where the line raises
        aligned = (ONE,) * lead + target
        axes = []
        for i, (whole, part) in enumerate(zip(full, aligned, strict=True)):
            if i < lead or whole != part:
                if i >= lead and part != ONE:
                    return None
                axes.append(i)
        small = self.facts.of(c).dims
        if small is None:
            return None
        missing = rank - len(small)
        summed: list[int] = []
        factor: Expr | None = None
        for i in axes:
            present = small[i - missing] if i >= missing else ONE
            if present == ONE and (full[i] != ONE or self._may_be_none(c, z, i - rank)):
                extent = self.extents.of_dim(full[i], z, i, cut=True)
                factor = extent if factor is None else multiply(factor, extent)
            elif present != ONE and present != full[i]:
                return None
            if i >= missing and (present != ONE or i < lead):
                summed.append(i)
        if not small and len(axes) == rank > 1 and self.extents.is_part(z, full):
            factor = self.extents.count(z, Const(None))
        if factor is not None:
            c = multiply(factor, c)
        ahead = [i - missing for i in summed if i < lead]
        inner = [i - len(ahead) - missing for i in summed if i >= lead]
        if ahead and len(ahead) == len(small) and not inner:
            return call("numpy.sum", c)
        if ahead:
            c = call("numpy.sum", c, axis=_plain(tuple(ahead)))
        if inner:
            c = call("numpy.sum", c, axis=_plain(tuple(inner)), keepdims=True)
        return c

    def _may_be_none(self, c: Expr, z: Expr, axis: int) -> bool:
        """Whether z may have no entry where c has one: z is x[:1] + y, and c a number."""
        actual = self.extents.actual
        return actual.is_wrong(z, axis) and not actual.is_wrong(c, axis)


def _of_numbers(made: Apply) -> tuple[Expr, ...] | None:
    """What has to be a number where an operation gives one of Python's, None if none."""
    if made.op in LENGTHS:
        return ()
    if made.op == "helper._unbroadcast":
        return made.args[:1]
    if made.op == "getitem":
        return () if getattr(made.args[0], "op", "") == "numpy.shape" else None
    return made.args if made.spelling == "operator" else None


def _plain(axes: tuple[int, ...] | None) -> int | tuple[int, ...] | None:
    return axes[0] if axes is not None and len(axes) == 1 else axes


def _is_one_row(key: Expr, facts: Facts) -> bool:
    """Whether a key has one array of places, of one axis: they are taken in its order."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    arrays = [one for one in items if facts.rank(one) != 0 and not _is_part(one)]
    return len(arrays) == 1 and facts.rank(arrays[0]) == 1


def _is_part(item: Expr) -> bool:
    return isinstance(item, Const) or isinstance(item, Apply) and item.op == "slice"
