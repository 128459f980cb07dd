"""Statements on arrays as items of loop nests: what each does at one entry."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Let, Origin, Ref, Var
from gradgen.ir.operators import LISTS, STORES, call
from gradgen.ir.temporaries import temporary_name
from gradgen.ir.walk import children, rewrite, subexpressions, with_children
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.shapes.shape import SCALAR
from gradgen.target.numba_making import Making
from gradgen.target.numba_reductions import FLOATING, products, reduced
from gradgen.target.numba_scalars import CALLED, CHEAP, NotScalar, entry
from gradgen.target.numba_scalars import are_places, is_diagonal, is_each, is_whole
from gradgen.target.numba_scalars import without_dtype
from gradgen.target.numba_tokens import ADD, NEW, SET, SUM, Item, Token

# calls whose own operands are looked at, and words that are no calls
STRUCTURE = {
    f"numpy.{name}"
    for name in (
        "matmul transpose sum mean max min reshape dot ravel prod cumsum cumprod diff "
        "flip fliplr flipud roll rot90 repeat tril triu trace diag"
    ).split()
}
# other operations that are written entry by entry
WHOLE = {"accumulate", "numpy.outer"}
ENTRIES = {"getitem", "tuple", "list", "range"}


class Items(Making):
    """Makes items of statements."""

    def of(self, let: Let) -> list[Token] | None:
        """Items and numbers, in their order; None for a statement that stays.

        before:  y[1:] += 2 * x[:-1]      z = np.exp(x) / np.sum(x)
        after:   y[i + 1] += 2 * x[i]     x_sum = 0.0, x_sum += x[i]
                                          z[i] = np.exp(x[i]) / x_sum
        """
        self.note, value = let.note, let.value
        if not isinstance(value, Apply):
            return None
        try:
            if value.op in ("setitem", "additem"):
                return self._stored(let) or self._added_at(let)
            if value.op == "add_at":
                return self._added_at(let)
            rank = self.facts.rank(Ref(let.var))
            if rank == 0 and value.op == "numpy.einsum":
                return products(self, let)
            if rank == 0:
                return self._sums(let) or self._operands(let)
            if rank is None:
                return self._operands(let)
            if value.op == "accumulate" or value.spelling == "augmented":
                found = self._in_place(let)
                if found is not None:
                    return found
            written = value.op in CHEAP | CALLED | WHOLE
            written = written or is_diagonal(value, self.facts)
            if not (written or self._fills(value) or self._pairs(value)):
                return reduced(self, let) or self._operands(let)
            return [self._new(let.var, value)]
        except NotScalar:
            return None

    def _operands(self, let: Let) -> list[Token] | None:
        """What a call is of, entry by entry: (a * b) @ C as ab @ C."""
        before: list[Let] = []
        value = let.value
        assert isinstance(value, Apply)

        def named(arg: Expr) -> Expr:
            if not isinstance(arg, Apply) or arg.op not in CHEAP | CALLED | STRUCTURE:
                return arg
            if arg.op in STRUCTURE:
                return with_children(arg, map(named, children(arg)))
            if not self.facts.rank(arg) or self.facts.is_complex(arg):
                return arg
            return self.named(arg, before)

        if value.op == "getitem":  # np.sqrt(x)[:, None]
            found = replace(value, args=(named(value.args[0]), *value.args[1:]))
        elif value.op in STORES or value.op in LISTS or value.op in ENTRIES:
            return None
        else:
            found = with_children(value, map(named, children(value)))
        return [*before, replace(let, value=found)] if before else None

    # entries

    def _fills(self, value: Apply) -> bool:
        """np.full_like(a, m) of an array m, which numba has of numbers alone."""
        is_fill = value.op == "numpy.full_like" and len(value.args) == 2
        return is_fill and bool(self.facts.rank(value.args[1])) and not value.kwargs

    def _pairs(self, value: Apply) -> bool:
        """A[i, j] of two vectors, which numba reads by one alone."""
        if value.op != "getitem" or self.facts.is_list(value.args[0]):
            return False
        key = value.args[1]
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
        return sum(are_places(one, self.facts) for one in items) > 1

    def _new(self, var: Var, value: Expr) -> Item:
        dims = self.facts.of(value).dims
        kind = self.facts.kind(value)
        if dims is None or kind in (Kind.OTHER, *INTEGRAL):
            raise NotScalar
        if self.facts.is_complex(value) or self._is_exotic(value):
            raise NotScalar
        return self.item(NEW, value, dims, var, None, self.places(len(dims)))

    def _is_exotic(self, value: Expr) -> bool:
        return any(
            isinstance(one, Apply) and one.op in ("text", "dtype", "numpy.astype")
            for one in subexpressions(rewrite(value, without_dtype))
        )

    def _in_place(self, let: Let) -> list[Token] | None:
        """x += y, where x is not read any more."""
        base, added = let.value.args
        place = self.live.at.get(id(let))
        dims = self.facts.of(let.value).dims
        if not isinstance(base, Ref) or place is None or dims is None:
            return None
        if self.facts.of(base).dims != dims or self.live.read_after(base.var, place):
            return None
        if self.facts.is_complex(let.value):
            raise NotScalar
        whole = self.places(len(dims))
        sort, value = ADD, added
        if let.value.op != "accumulate":
            sort, value = SET, replace(let.value, spelling="operator")
        item = self.item(sort, value, dims, let.var, base.var, whole)
        if not self._reads_elsewhere(item, base.var):
            return [item]
        if self.facts.of(value).dims != dims:
            raise NotScalar
        made = self.item(NEW, value, dims, self._fresh(value), None, whole)
        return [made, self.item(sort, Ref(made.of), dims, let.var, base.var, whole)]

    def _stored(self, let: Let) -> list[Token] | None:
        """y[1:] = value, y[1:] += value."""
        base, key, stored = let.value.args[:3]
        if not isinstance(base, Ref) or self.facts.is_list(base):
            return None
        if (self.facts.rank(key) or 0) > 1 and self.facts.is_boolean(key):
            return self._masked(let)
        part = Apply("getitem", (base, key), spelling="operator")
        dims = self.facts.of(part).dims
        if dims == ():
            return self._sums(let)  # y[k] = np.sum(x)
        if not dims or self.facts.is_complex(base) or self.facts.is_complex(stored):
            return None
        if self._is_exotic(stored):
            return None
        if self.facts.kind(base) in (Kind.BOOLEAN, *INTEGRAL):
            return None
        where, before = self.entries()
        if len(dims) > len(self.index):
            return None
        found = where.of(part, self.places(len(dims)), dims)
        if not isinstance(found, Apply) or found.args[0] != base or before:
            return None
        at = found.args[1]
        place = at.args if isinstance(at, Apply) and at.op == "tuple" else (at,)
        kind = SET if let.value.op == "setitem" else ADD
        try:
            item = self.item(kind, stored, dims, let.var, base.var, place)
        except NotScalar:
            return None
        if not self._reads_elsewhere(item, base.var):
            return [item]
        if self.facts.of(stored).dims != dims:
            return None
        value = self.item(
            NEW, stored, dims, self._fresh(stored), None, self.places(len(dims))
        )
        own = Ref(value.of)
        return [value, self.item(kind, own, dims, let.var, base.var, place)]

    def _masked(self, let: Let) -> list[Token] | None:
        """y[mask] = v of a number v, for a mask of y's axes: a choice at each place."""
        base, key, stored = let.value.args[:3]
        dims, kind = self.facts.of(base).dims, self.facts.kind(base)
        plain = kind in (Kind.LIKE, Kind.WIDE) and not self.facts.is_complex(stored)
        if not dims or self.facts.of(key).dims != dims or not plain:
            return None
        if self.facts.rank(stored) != 0 or let.value.op != "setitem":
            return None
        value, whole = call("numpy.where", key, stored, base), self.places(len(dims))
        try:
            item = self.item(SET, value, dims, let.var, base.var, whole)
        except NotScalar:
            return None
        return None if self._reads_elsewhere(item, base.var) else [item]

    def _added_at(self, let: Let) -> list[Token] | None:
        """np.add.at(y, k, v) of a vector of places: y[k[i], j] += v[i, j].

        Of y[:, k], y[i, k[j]] += v[i, j], and y[i, i] = v[i] of y[np.arange(n), np.arange(n)].
        """
        base, key, stored = let.value.args[:3]
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
        dims, kind = self.facts.of(base).dims, self.facts.kind(base)
        arrays = [one for one in items if are_places(one, self.facts)]
        plain = kind in (Kind.LIKE, Kind.WIDE) and not self.facts.is_complex(base)
        if not isinstance(base, Ref) or not dims or not plain or not arrays:
            return None
        others = [one for one in items if one not in arrays]
        if not all(is_whole(one) or self.facts.is_index(one) for one in others):
            return None
        sizes = {(self.facts.of(one).dims or (None,))[0] for one in arrays}
        (count,) = sizes if len(sizes) == 1 else (None,)
        if count is None or len(items) > len(dims) or self._is_exotic(stored):
            return None
        # the axis of the places stands where they do, or first where they are apart
        spots = [at for at, one in enumerate(items) if not is_whole(one)]
        first = spots[0] if spots[-1] - spots[0] == len(spots) - 1 else 0
        kept = [
            at for at in range(len(dims)) if at >= len(items) or is_whole(items[at])
        ]
        whole = [dims[at] for at in kept]
        whole.insert(first, count)
        writer, before = self.entries()
        at = [*self.places(len(whole))]
        row = (at.pop(first),)
        steps = [one for one in arrays if is_each(one)]
        named = [one for one in arrays if one not in steps]
        vectors = {id(one): self._vector(one, before) for one in named}
        place = [
            at.pop(0)
            if is_whole(one)
            else entry(vectors[id(one)], row)
            if id(one) in vectors
            else row[0]
            if one in steps
            else one
            for one in items
        ]
        sort = SET if let.value.op == "setitem" else ADD
        try:
            spot = (*place, *at)
            own = (writer, before)
            item = self.item(sort, stored, tuple(whole), let.var, base.var, spot, own)
        except NotScalar:
            return None
        if self._reads_elsewhere(item, base.var):
            return None
        keys = tuple((one.var, row) for one in vectors.values())
        return [replace(item, read=(*keys, *item.read))]

    def _vector(self, key: Expr, before: list[Let]) -> Ref:
        """A vector of places by its name."""
        found = key if isinstance(key, Ref) else self.named(key, before)
        assert isinstance(found, Ref)
        return found

    def _fresh(self, value: Expr) -> Var:
        name = temporary_name(value, "") if isinstance(value, Apply) else "rhs"
        var = self.supply.var("rhs" if name == "inner" else name, Origin.TEMP)
        self.facts.shapes[var] = self.facts.of(value)
        self.facts.kinds[var] = self.facts.kind(value)
        return var

    def _reads_elsewhere(self, item: Item, base: Var) -> bool:
        from_views = {let.var for let in item.before}
        return any(
            self.root(var) == self.root(base) and (var != base or place != item.place)
            for var, place in item.read
        ) or any(
            isinstance(one, Ref) and self.root(one.var) == self.root(base)
            for let in item.before
            for one in subexpressions(let.value)
            if from_views
        )

    def root(self, var: Var) -> Var:
        return var  # set by the pass

    # reductions

    def _sums(self, let: Let) -> list[Token] | None:
        """The sums over whole arrays inside a statement of numbers."""
        items: list[Item] = []

        def change(node: Expr) -> Expr:
            if not isinstance(node, Apply) or node.op != "numpy.sum":
                return node
            if len(node.args) != 1 or node.kwargs or self.facts.is_list(node.args[0]):
                return node
            dims = self.facts.of(node.args[0]).dims
            kind = self.facts.kind(node.args[0])
            floating = kind in FLOATING
            if not dims or not floating or self.facts.is_complex(node):
                return node
            total = self.supply.var(temporary_name(node, ""), Origin.TEMP)
            self.facts.shapes[total], self.facts.kinds[total] = SCALAR, kind
            try:
                items.append(self.item(SUM, node.args[0], dims, total, None, ()))
            except NotScalar:
                return node
            return Ref(total)

        value = rewrite(let.value, change)
        if not items:
            return None
        if value == Ref(items[-1].of):  # s = np.sum(x)
            items[-1] = replace(items[-1], of=let.var)
            return [*items]
        return [*items, replace(let, value=value)]
