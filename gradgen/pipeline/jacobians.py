"""Jacobians and Hessians: all seeds, or all tangents, at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gradgen.derive.batch import Unbatched, batched
from gradgen.derive.calls import Naming
from gradgen.derive.forward import forward
from gradgen.derive.reverse import reverse
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Note,
    Origin,
    Ref,
    Result,
    Role,
    Supply,
    Var,
)
from gradgen.ir.operators import call, getitem, multiply
from gradgen.ir.renaming import replaced
from gradgen.ir.walk import lets, reads, statements, substitute_everywhere
from gradgen.rules.load import operations
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import equal, ranked
from gradgen.simplify.masks import masks
from gradgen.simplify.stretch import stretch


def jacobian(
    primal: Function,
    wrt: tuple[Var, ...],
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var],
    out: Var,
    direction: str = "",
    name_of: Naming = str,
) -> tuple[Function, Facts]:
    """The Jacobians of one result in each of `wrt`, of shape result + argument.

        before:  y = W @ x                  after:  J = W
                 return y                           return J

    The Jacobian of one number is its gradient, and that in one number the tangent.
    In `direction` "reverse" its rows are gradients, all computed at once; in "forward"
    its columns are tangents. Without one the smaller side decides, as far as shapes
    tell. Raises Unbatched where an operation has no form for many seeds.
    """
    if not direction:
        direction = _smaller_side(facts, out, wrt)
        direction = "reverse" if len(wrt) > 1 else direction
    if direction == "forward":
        if len(wrt) > 1:
            raise Unbatched
        return _by_columns(primal, wrt[0], facts, supply, stop, out)
    made = reverse(primal, wrt, facts, supply, stop, (out,), name_of)
    made, facts = stretch(made, facts)
    made = masks(made, facts, supply)
    if not _dims(facts, out):
        return _with_one(made), facts
    (seed,) = made.seeds
    made, facts = _many(made, {seed: out}, facts, supply)
    for result in made.results:
        dims = _dims(facts, out) + _dims(facts, result.of)
        rows = _full(result.value, result.of, out, facts)
        if len(_dims(facts, out)) != 1:
            rows = _reshaped(rows, (out, result.of), facts)
        name = "J" if len(made.results) == 1 else f"J_{result.of.name}"
        made, facts = _returned(made, result, rows, name, dims, facts, supply)
    return made, facts


def diagonal(
    primal: Function,
    wrt: tuple[Var, ...],
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var],
    out: Var,
    alone: bool,
) -> tuple[Function, Facts] | None:
    """The Jacobian of a function of each entry for itself; None for other functions.

        before:  y = np.sin(x)              after:  J = np.diag(np.cos(x))
                 return y                           return J

    With `alone` it is the diagonal, of the shape of the argument.
    """
    (x, *others), shape = wrt, facts.shapes[out]
    if others or shape.dims is None or not equal(shape, facts.shapes[x]):
        return None
    if not alone and shape.rank != 1:
        return None
    made = forward(primal, (x,), facts, supply, stop, (out,))
    made, facts = stretch(made, facts)
    made = masks(made, facts, supply)
    (seed,) = made.seeds
    if not _is_entrywise(made, seed, facts):
        return None
    made = _with_one(made)
    for let in lets(made.body):  # some tangents are numbers now
        if let.note.derived:
            facts.learn(let)
    result = replace(made.results[0], of=x)
    made = replace(made, results=(result,))
    if alone:
        named = replace(result, name="diagonal")
        return replace(made, results=(named,)), facts
    entries = result.value
    if not equal(facts.of(entries), shape):
        return None
    matrix = call("numpy.diag", entries)
    return _returned(made, result, matrix, "J", shape.dims * 2, facts, supply)


def _is_entrywise(made: Function, seed: Var, facts: Facts) -> bool:
    """Whether each tangent is one entry's of the argument, at the same place."""
    carrying = {seed}
    for stmt in made.body:
        if not isinstance(stmt, Let):
            if stmt.note.derived or any(s.note.derived for s in statements([stmt])):
                return False
        elif any(var in carrying for var in reads(stmt.value)):
            if not _keeps_places(stmt.value, carrying, facts):
                return False
            carrying.add(stmt.var)
    return True


def _keeps_places(expr: Expr, carrying: set[Var], facts: Facts) -> bool:
    if not any(var in carrying for var in reads(expr)):
        return True
    if isinstance(expr, Ref):
        return True
    rule = operations().get(expr.op)
    if rule is None or rule.kind != "elementwise":
        return False
    same = [
        facts.same(arg, expr) or not any(var in carrying for var in reads(arg))
        for arg in expr.args
    ]
    return all(same) and all(_keeps_places(a, carrying, facts) for a in expr.args)


def hessian(
    pushed: Function, wrt: tuple[Var, ...], facts: Facts, supply: Supply
) -> tuple[Function, Facts]:
    """The Hessian, from the derivative of a gradient along tangents of one argument."""
    if len(wrt) > 1:
        raise Unbatched
    (x,), (seed,) = wrt, pushed.seeds
    made, facts = _many(pushed, {seed: x}, facts, supply)
    (result,) = made.results
    rows = _full(result.value, x, x, facts)
    if len(_dims(facts, x)) != 1:
        rows = _reshaped(rows, (x, x), facts)
    dims = _dims(facts, x) * 2
    return _returned(made, result, rows, "H", dims, facts, supply)


def _by_columns(
    primal: Function,
    x: Var,
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var],
    out: Var,
) -> tuple[Function, Facts]:
    made = forward(primal, (x,), facts, supply, stop, (out,))
    made, facts = stretch(made, facts)
    made = masks(made, facts, supply)
    (seed,) = made.seeds
    if not _dims(facts, x):
        made = _with_one(made)
        if not facts.same(made.results[0].value, Ref(out)):
            raise Unbatched
        result = replace(made.results[0], of=x, like=out, name="J")
        return replace(made, results=(result,)), facts
    made, facts = _many(made, {seed: x}, facts, supply)
    result = replace(made.results[0], of=x)
    made = replace(made, results=(result,))
    columns = _full(result.value, out, x, facts)
    rank = len(_dims(facts, out))
    if rank == 1:
        columns = Apply("numpy.transpose", (columns,), spelling="attribute:T")
    elif rank:
        columns = call("numpy.moveaxis", columns, Const(0), Const(-1))
    if len(_dims(facts, x)) != 1:
        columns = _reshaped(columns, (out, x), facts)
    dims = _dims(facts, out) + _dims(facts, x)
    return _returned(made, result, columns, "J", dims, facts, supply)


def _with_one(made: Function) -> Function:
    """The function with 1 for its one seed, or tangent, which is a number."""
    (seed,) = made.seeds
    params = tuple(param for param in made.params if param.var != seed)
    made = substitute_everywhere(made, {seed: Const(1.0)})
    return replace(made, params=params, seeds=())


def _smaller_side(facts: Facts, out: Var, wrt: tuple[Var, ...]) -> str:
    """Whether rows or columns are fewer, as far as the shapes tell."""
    rows = _dims(facts, out)
    columns = [dim for var in wrt for dim in _dims(facts, var)]
    numbers = [dim.number for dim in rows], [dim.number for dim in columns]
    if None not in numbers[0] and None not in numbers[1]:
        return "reverse" if _product(numbers[0]) <= _product(numbers[1]) else "forward"
    return "reverse" if len(rows) <= len(columns) else "forward"


def _product(numbers: list[Any]) -> int:
    total = 1
    for number in numbers:
        total *= number
    return total


def _dims(facts: Facts, var: Var) -> tuple[Dim, ...]:
    dims = facts.shapes[var].dims
    if dims is None:
        raise Unbatched
    return dims


def _many(
    made: Function, seeds: dict[Var, Var], facts: Facts, supply: Supply
) -> tuple[Function, Facts]:
    """The function for all unit vectors of its one seed, which is like a variable."""
    ((seed, like),) = seeds.items()
    dims = _dims(facts, like)
    if not dims:
        raise Unbatched
    x = Ref(like)
    count = _extent(x, 0, dims) if len(dims) == 1 else _size(x)
    dtype = Apply("dtype", (x,), spelling="attribute:dtype")
    units: Expr = call("numpy.eye", count, dtype=dtype)
    if len(dims) > 1:
        lengths = (_extent(x, axis, dims) for axis in range(len(dims)))
        shape = Apply("tuple", (count, *lengths))  # -1 is no length of nothing
        units = Apply("numpy.reshape", (units, shape), spelling="method*:reshape")
    size = dims[0] if len(dims) == 1 else facts.fresh_dim()
    if seed.origin is Origin.SEED:
        local = supply.var(seed.name, Origin.ADJOINT, seed.of, 1)
    else:
        local = supply.var(seed.name, Origin.TANGENT, seed.of, 1)
    facts.shapes[local], facts.kinds[local] = facts.shapes[like], Kind.LIKE
    made = substitute_everywhere(made, {seed: Ref(local)})
    made = replace(
        made, params=tuple(p for p in made.params if p.var != seed), seeds=()
    )
    return batched(made, {local: units}, size, facts)


def _extent(x: Expr, axis: int, dims: tuple[Dim, ...]) -> Expr:
    """The length of an axis."""
    if dims[axis].number is not None:
        return Const(dims[axis].number)
    if axis == 0:
        return Apply("len", (x,), spelling="name:len")
    return getitem(Apply("numpy.shape", (x,), spelling="attribute:shape"), axis)


def _size(x: Expr) -> Expr:
    return Apply("numpy.size", (x,), spelling="attribute:size")


def _full(value: Expr, of: Var, batch: Var, facts: Facts) -> Expr:
    """What was computed for each seed, in the full shape of its variable."""
    found, own = facts.of(value).dims, _dims(facts, of)
    if found is None or not isinstance(value, Ref | Apply) or not found:
        raise Unbatched
    if equal(ranked(*found[1:]), ranked(*own)):
        return value
    missing = len(own) - (len(found) - 1)
    key = (slice(None), *(None,) * missing, *(slice(None),) * (len(found) - 1))
    wide = getitem(value, key) if missing else value
    return multiply(wide, call("numpy.ones_like", Ref(of)))


def _reshaped(value: Expr, variables: tuple[Var, ...], facts: Facts) -> Expr:
    lengths = tuple(
        _extent(Ref(var), axis, _dims(facts, var))
        for var in variables
        for axis in range(len(_dims(facts, var)))
    )
    shape = Apply("tuple", lengths)
    return Apply("numpy.reshape", (value, shape), spelling="method*:reshape")


def _returned(
    made: Function,
    result: Result,
    value: Expr,
    name: str,
    dims: tuple[Dim, ...],
    facts: Facts,
    supply: Supply,
) -> tuple[Function, Facts]:
    """The function with a matrix in place of one of its results."""
    body = made.body
    if isinstance(value, Ref):  # the last name of a value is the one that is told
        var = replace(value.var, name=name, of=None)
        body = replaced(body, {}, {var.id: var})
    else:
        var = supply.var(name, Origin.ADJOINT)
        roles = {stmt.note.role for stmt in body}
        role = Role.GRAD if Role.GRAD in roles else Role.TANGENT
        body = (*body, Let(var, value, Note(role, result.lines)))
        facts.definitions[var] = value
    facts.shapes[var], facts.kinds[var] = ranked(*dims), Kind.LIKE
    value = Ref(var)
    results = tuple(
        replace(one, value=value, name=name, like=var) if one is result else one
        for one in made.results
    )
    return replace(made, body=body, results=results), facts
