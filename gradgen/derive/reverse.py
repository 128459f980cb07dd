"""The reverse-mode gradient: the primal's statements, then their adjoints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.derive.activity import active
from gradgen.derive.adjoints import Block, results_read
from gradgen.derive.calls import Calls, Naming
from gradgen.derive.held import looked_at
from gradgen.derive.hermitian import refuse_transposes
from gradgen.derive.integers import refuse_rounding
from gradgen.derive.rows import refuse_joined
from gradgen.derive.sums import Part, Walk
from gradgen.ir.nodes import (
    Apply,
    Note,
    Role,
    Expr,
    Function,
    Let,
    Line,
    Origin,
    Param,
    Ref,
    Result,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import call
from gradgen.shapes.infer import Facts


def reverse(
    primal: Function,
    wrt: tuple[Var, ...],
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var] = frozenset(),
    seeded: tuple[Var, ...] | None = None,
    name_of: Naming = str,
) -> Function:
    """The gradient of the primal's results `seeded` with respect to `wrt`.

        before:  y = np.sin(x)
                 return y
        after:   y = np.sin(x)
                 d_x = unbroadcast(d_y * np.cos(x), y, x)

    Broadcasting is left as the words unreduce, unbroadcast and real. A loop of
    the gradient reads the variables of the primal's loop with the same mark as
    they were in the round that it goes through, a branch those of the same arm.
    A call that stays a call is one of the function that `name_of` names.
    """
    if seeded is None:
        seeded = tuple(v.var for v in primal.values if isinstance(v, Ref))
    followed = replace(primal, values=tuple(map(Ref, seeded)))
    carrying = active(followed, wrt, stop)
    refuse_rounding(primal.body, carrying, facts)
    refuse_transposes(primal.body, facts)
    refuse_joined(primal, carrying, facts)
    looks = looked_at(primal, wrt, carrying, facts)
    calls = Calls(primal.body, facts, supply)
    walk = Walk(facts, supply, carrying, results_read(primal.body, facts), calls)
    block = Block(walk, primal.body)
    seeds = []
    for result in seeded:
        seed = supply.var(f"d_{result.name}", Origin.SEED, result, 1)
        seeds.append(seed)
        if facts.is_list(Ref(result)):
            # Entries are taken from it one by one; the caller's list stays whole.
            own = supply.var(f"d_{result.name}", Origin.ADJOINT, result, 2)
            whole = Apply("numpy.copy", (Ref(seed),), spelling="function:list")
            block.body.append(Let(own, whole, Note(Role.GRAD)))
            seed = own
        if result in block.first_use:
            # The result is read again by its own function.
            block.parts[result].append(Part(Ref(seed)))
        else:
            block.adjoints[result] = Ref(seed)
    block.run()
    lines = dict(_lines(block.body))
    results = tuple(_result(block, var, lines) for var in wrt)
    primal = calls.written(primal, name_of)
    return replace(
        primal,
        params=(*primal.params, *map(Param, seeds)),
        body=(*looks, *primal.body, *block.body),
        results=results,
        seeds=tuple(seeds),
    )


def _lines(body: Iterable[Stmt]) -> Iterator[tuple[Var, tuple[Line, ...]]]:
    for stmt in body:
        if isinstance(stmt, Let):
            yield stmt.var, stmt.note.lines


def _result(block: Block, var: Var, lines: dict[Var, tuple[Line, ...]]) -> Result:
    block.finish(var)
    value: Expr = block.adjoints.get(var) or _zeros(block, var)
    own = lines.get(value.var, ()) if isinstance(value, Ref) else ()
    return Result(value, var, own)


def _zeros(block: Block, var: Var) -> Expr:
    is_list = block.facts.is_list(Ref(var))
    return block.zeros_of(var) if is_list else call("numpy.zeros_like", Ref(var))
