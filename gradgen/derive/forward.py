"""The forward-mode derivative: each statement of the primal, then its tangent."""

from __future__ import annotations

from dataclasses import replace

from gradgen.derive.activity import active
from gradgen.derive.held import looked_at
from gradgen.derive.integers import refuse_rounding
from gradgen.derive.rows import refuse_joined
from gradgen.derive.tangents import Tangents
from gradgen.errors import GradgenError
from gradgen.ir.callee import Callee, callee_of
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Param,
    Ref,
    Result,
    Supply,
    Var,
)
from gradgen.ir.walk import all_defined, lets
from gradgen.shapes.infer import Facts


def forward(
    primal: Function,
    wrt: tuple[Var, ...],
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var] = frozenset(),
    seeded: tuple[Var, ...] | None = None,
    letter: str = "d",
) -> Function:
    """The primal's values and their derivatives along tangents of `wrt`.

        before:  y = np.sin(x)
                 return y
        after:   y = np.sin(x)
                 d_y = d_x * np.cos(x)

    The tangents become parameters, d_x for x (or with another letter); that of a container is a container.
    `seeded` are the values whose derivatives are asked for. In a loop the tangents
    of carried variables are carried beside them, in a branch each arm has its own.
    """
    if seeded is None:
        seeded = tuple(v.var for v in primal.values if isinstance(v, Ref))
    _refuse_calls(primal)
    followed = replace(primal, values=tuple(map(Ref, seeded)))
    carrying = active(followed, wrt, stop)
    refuse_rounding(primal.body, carrying, facts)
    refuse_joined(primal, carrying, facts)
    looks = looked_at(primal, wrt, carrying, facts)
    walk = Tangents(facts, supply, carrying, letter)
    own = {param.var: param for param in primal.params}
    params, bundles = [], dict(primal.bundles)
    for var in wrt:
        seed = supply.var(f"{letter}_{var.name}", Origin.TANGENT, var, 1)
        walk.known[var] = Ref(seed)
        params.append(Param(seed))
        bundle = own[var].bundle
        if bundle:
            name = _free(f"{letter}_{bundle}", primal)
            path, lacking = own[var].path, own[var].optional
            params[-1] = Param(seed, bundle=name, path=path, optional=lacking)
            bundles[name] = bundles[bundle]
    body = walk.block(primal.body)
    results = tuple(Result(_tangent(walk, value), value) for value in seeded)
    return replace(
        primal,
        params=(*primal.params, *params),
        body=(*looks, *body),
        results=results,
        seeds=tuple(param.var for param in params),
        bundles=tuple(bundles.items()),
    )


def _free(wished: str, primal: Function) -> str:
    """A name for a container of tangents that no variable of the primal has."""
    taken = {var.name for var in all_defined(primal.body)}
    taken |= {param.var.name for param in primal.params} | dict(primal.bundles).keys()
    return _free(f"{wished}_", primal) if wished in taken else wished


def _tangent(walk: Tangents, value: Var) -> Expr:
    """A result's tangent, which is 0 where the result does not depend on wrt."""
    if walk.facts.is_list(Ref(value)):
        return walk.of(Ref(value))
    return walk.known.get(value, Const(0)) if value in walk.active else Const(0)


def _refuse_calls(primal: Function) -> None:
    """Refuses a call of a function that calls itself."""
    for let in lets(primal.body):
        called = _called(let)
        if called is None:
            continue
        raise GradgenError(
            "GG315",
            f"no forward mode of {called.name}, which calls itself",
            advice="reverse mode, or a loop",
        ).at(let.note.place)


def _called(let: Let) -> Callee | None:
    """The function that a statement calls, in a primal or in a gradient."""
    value = let.value
    if isinstance(value, Apply) and value.op in ("kept", "vjp"):
        return callee_of(value)
    return None
