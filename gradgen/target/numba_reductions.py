"""Sums along axes and products of letters, as items of loop nests."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref
from gradgen.ir.operators import multiply
from gradgen.ir.walk import static
from gradgen.shapes.dims import Dim
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.numba_making import Making
from gradgen.target.numba_scalars import entry
from gradgen.target.numba_tokens import ADD, SET, SUM, ZEROS, Item, Token

# what is summed as numbers with a point
FLOATING = (Kind.LIKE, Kind.WIDE, Kind.WEAK)
# reductions that a loop over the other axes makes of each row
OF_ROWS = {
    f"numpy.{name}"
    for name in "max min prod mean var std any all argmax argmin median".split()
}

# those of one vector that a helper makes: numba's own take 0.5 s to compile
OF_VECTORS = {"numpy.max": "helper._largest", "numpy.min": "helper._least"}


def of_vector(reduction: Apply) -> Apply:
    """np.max(x) of a vector of floating numbers as _largest(x)."""
    return Apply(OF_VECTORS[reduction.op], reduction.args)


def reduced(items: Making, let: Let) -> list[Token] | None:
    """np.sum(x, axis=1): each entry to its own sum."""
    value = let.value
    if value.op in OF_ROWS:
        return _rows(items, let)
    if value.op == "numpy.einsum":
        return products(items, let)
    if value.op == "numpy.stack":
        return _rows_stacked(items, let)
    if value.op != "numpy.sum" or len(value.args) != 1:
        return None
    given = dict(value.kwargs)
    try:
        axis = static(given.pop("axis", None))
        keepdims = static(given.pop("keepdims", None))
    except ValueError:
        return None
    dims, kind = items.facts.of(value.args[0]).dims, items.facts.kind(value.args[0])
    given.pop("dtype", None)
    if given or dims is None or items.facts.is_list(value.args[0]):
        return None
    kind = items.facts.kind(value)
    if kind not in FLOATING or items.facts.is_complex(value):
        return None
    axis = tuple(range(len(dims))) if axis is None else axis
    axes = [axis] if type(axis) is int else list(axis)
    gone = {one % len(dims) for one in axes}
    place = tuple(
        Const(0) if at in gone else one
        for at, one in enumerate(items.places(len(dims)))
        if keepdims or at not in gone
    )
    if not place:
        return None
    base = items.supply.var(let.var.name, let.var.origin, let.var.of, let.var.order)
    items.facts.shapes[base] = items.facts.of(value)
    items.facts.kinds[base] = kind
    item = items.item(ADD, value.args[0], dims, let.var, base, place)
    return [Let(base, Apply(ZEROS, (Ref(let.var),)), let.note), item]


def _rows(items: Making, let: Let) -> list[Token] | None:
    """np.max(x, axis=1): each entry of its own row."""
    value = let.value
    given = dict(value.kwargs)
    try:
        axis = static(given.pop("axis", None))
        keepdims = static(given.pop("keepdims", None))
    except ValueError:
        return None
    x = value.args[0]
    dims = items.facts.of(x).dims
    kind = items.facts.kind(value)
    if given or dims is None or type(axis) is not int or len(value.args) != 1:
        return None
    if kind in (Kind.OTHER, *INTEGRAL) or len(dims) == 1 or _odd(items, x):
        return None
    before: list[Let] = []
    x = x if isinstance(x, Ref) else items.named(x, before)
    assert isinstance(x, Ref)
    gone, kept = axis % len(dims), items.places(len(dims) - 1)
    whole = Apply("slice", (Const(None),) * 3)
    row = (*kept[:gone], whole, *kept[gone:])
    key = Apply("tuple", row, spelling="operator")
    one = Apply(value.op, (Apply("getitem", (x, key), spelling="operator"),))
    one = of_vector(one) if value.op in OF_VECTORS and kind in FLOATING else one
    base = items.supply.var(let.var.name, let.var.origin, let.var.of, let.var.order)
    items.facts.shapes[base] = items.facts.of(value)
    items.facts.kinds[base] = kind
    place = (*kept[:gone], Const(0), *kept[gone:]) if keepdims else kept
    inner = dims[:gone] + dims[gone + 1 :]
    read = ((x.var, row),)
    item = Item(SET, inner, let.var, base, place, one, let.note, read, tuple(before))
    return [Let(base, Apply(ZEROS, (Ref(let.var),)), let.note), item]


def _rows_stacked(items: Making, let: Let) -> list[Token] | None:
    """np.stack((a, b)): a nest that stores each row, y[0, i] = a[i]."""
    value, dims = let.value, items.facts.of(let.value).dims
    rows = value.args[0]
    if value.kwargs or len(value.args) != 1 or dims is None or len(dims) < 2:
        return None
    if not isinstance(rows, Apply) or rows.op != "tuple" or _odd(items, value):
        return None
    if any(items.facts.of(row).dims != dims[1:] for row in rows.args):
        return None
    if items.facts.kind(value) not in (Kind.LIKE, Kind.WIDE):
        return None
    chain = [items.supply.var(let.var.name, let.var.origin) for _ in rows.args]
    for var in chain:
        items.facts.shapes[var] = items.facts.of(value)
        items.facts.kinds[var] = items.facts.kind(value)
    found: list[Token] = [Let(chain[0], Apply(ZEROS, (Ref(let.var),)), let.note)]
    for at, (row, base) in enumerate(zip(rows.args, chain, strict=True)):
        after = chain[at + 1] if at + 1 < len(chain) else let.var
        place = (Const(at), *items.places(len(dims) - 1))
        found.append(items.item(SET, row, dims[1:], after, base, place))
    return found


def products(items: Making, let: Let) -> list[Token] | None:
    """np.einsum("ij,kj->ik", a, b): sums of products of entries."""
    spec, *factors = let.value.args
    text = spec.value if isinstance(spec, Const) else None
    if not isinstance(text, str) or "." in text or let.value.kwargs:
        return None
    terms, arrow, out = text.replace(" ", "").partition("->")
    if not arrow or not factors or any(_odd(items, one) for one in factors):
        return None
    dims: dict[str, Dim] = {}
    turned = [
        _unturned(factor, letters)
        for factor, letters in zip(factors, terms.split(","), strict=True)
    ]
    factors, terms = [one for one, _ in turned], ",".join(two for _, two in turned)
    for letters, factor in zip(terms.split(","), factors, strict=True):
        known = items.facts.of(factor).dims
        if known is None or len(known) != len(letters):
            return None
        if items.facts.kind(factor) not in (Kind.LIKE, Kind.WIDE):
            return None
        for letter, dim in zip(letters, known, strict=True):
            if dims.setdefault(letter, dim) != dim:
                return None
    pairs = _of_matrices(items, let, terms.split(","), out, factors, dims)
    if pairs is not None:
        return pairs
    order = out + "".join(one for one in dims if one not in out)
    if len(order) > len(items.index):
        return None
    spots = dict(zip(order, items.places(len(order)), strict=True))
    before: list[Let] = []
    value: Expr | None = None
    read = []
    for letters, factor in zip(terms.split(","), factors, strict=True):
        one = factor if isinstance(factor, Ref) else items.named(factor, before)
        assert isinstance(one, Ref)
        place = tuple(spots[letter] for letter in letters)
        read.append((one.var, place))
        found = entry(one, place)
        value = found if value is None else multiply(value, found)
    assert value is not None
    whole, kept = tuple(dims[one] for one in order), tuple(spots[o] for o in out)
    rest = tuple(read), tuple(before)
    if not out:
        item = Item(SUM, whole, let.var, None, (), value, let.note, *rest)
        return [item]
    base = items.supply.var(let.var.name, let.var.origin, let.var.of, let.var.order)
    items.facts.shapes[base] = items.facts.of(let.value)
    items.facts.kinds[base] = items.facts.kind(let.value)
    item = Item(ADD, whole, let.var, base, kept, value, let.note, *rest)
    return [Let(base, Apply(ZEROS, (Ref(let.var),)), let.note), item]


def _odd(items: Making, x: Expr) -> bool:
    return items.facts.is_list(x) or items.facts.is_complex(x)


def _of_matrices(
    items: Making,
    let: Let,
    terms: list[str],
    out: str,
    factors: list[Expr],
    dims: dict[str, Dim],
) -> list[Token] | None:
    """Products of pairs of matrices: out[a, b] = x[a, b] @ y[a, b].T."""
    if len(terms) != 2 or len(out) < 2 or len(set(out)) != len(out):
        return None
    batch, rows, columns = out[:-2], out[-2], out[-1]
    ends = [term.removeprefix(batch) for term in terms]
    if not all(t.startswith(batch) and len(e) == 2 for t, e in zip(terms, ends)):
        return None
    if rows not in ends[0]:
        ends, factors = ends[::-1], factors[::-1]
    between = ends[0].replace(rows, "")
    pair = {rows + between, between + columns}
    sorted_ends = {"".join(sorted(one)) for one in ends}
    if len(between) != 1 or between in out or rows not in ends[0]:
        return None
    if {"".join(sorted(one)) for one in pair} != sorted_ends:
        return None
    before: list[Let] = []
    place = items.places(len(batch))
    sides, read = [], []
    for factor, end, wanted in zip(factors, ends, (rows, between), strict=True):
        one = factor if isinstance(factor, Ref) else items.named(factor, before)
        assert isinstance(one, Ref)
        side = entry(one, place) if place else one
        if end[0] != wanted:
            side = Apply("numpy.transpose", (side,), spelling="attribute:T")
        sides.append(side)
        read.append((one.var, place))
    value = Apply("numpy.matmul", tuple(sides), spelling="operator")
    if not place:
        return [*before, Let(let.var, value, let.note)]
    base = items.supply.var(let.var.name, let.var.origin, let.var.of, let.var.order)
    items.facts.shapes[base] = items.facts.of(let.value)
    items.facts.kinds[base] = items.facts.kind(let.value)
    whole = tuple(dims[one] for one in batch)
    more = items.index[len(place) : len(place) + 2]
    if len(more) < 2:
        return None
    rest = tuple(read), tuple(before), more
    item = Item(SET, whole, let.var, base, place, value, let.note, *rest)
    return [Let(base, Apply(ZEROS, (Ref(let.var),)), let.note), item]


def _unturned(factor: Expr, letters: str) -> tuple[Expr, str]:
    """A factor without its turned axes, and its letters: x.T of "ij" is x of "ji"."""
    if not isinstance(factor, Apply) or factor.op != "numpy.transpose" or factor.kwargs:
        return factor, letters
    try:
        given = [static(arg) for arg in factor.args[1:]]
    except ValueError:
        return factor, letters
    axes = given[0] if given else range(len(letters))[::-1]
    if not isinstance(axes, tuple | range) or len(axes) != len(letters):
        return factor, letters
    own = dict(zip(axes, letters, strict=True))
    return factor.args[0], "".join(own[axis] for axis in range(len(letters)))
