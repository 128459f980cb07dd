"""The forward-mode derivative: each statement of the primal, then its tangent."""

from __future__ import annotations

from dataclasses import replace

from gradgen.derive.activity import active, differentiable_reads
from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Note,
    Origin,
    Param,
    Ref,
    Result,
    Role,
    Supply,
    Var,
)
from gradgen.rules.load import operations
from gradgen.rules.push import push
from gradgen.rules.rule import Call, bind
from gradgen.shapes.infer import Facts


def forward(
    primal: Function,
    wrt: tuple[Var, ...],
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var] = frozenset(),
) -> Function:
    """The primal's value and its derivative along tangents of `wrt`.

        before:  y = np.sin(x)
                 return y
        after:   y = np.sin(x)
                 d_y = d_x * np.cos(x)

    The tangents become parameters, d_x for x.
    """
    seeds = [supply.var(f"d_{var.name}", Origin.TANGENT, var, 1) for var in wrt]
    tangents: dict[Var, Expr] = dict(zip(wrt, map(Ref, seeds)))
    carried = active(primal, wrt, stop)
    body: list[Let] = []
    for let in primal.body:
        body.append(let)
        if let.var in carried:
            body += _tangent(let, tangents, facts, supply)
    (value,) = primal.values
    # A result that does not depend on wrt has the tangent 0.
    tangent = tangents.get(value.var, Const(0)) if value.var in carried else Const(0)
    return replace(
        primal,
        params=(*primal.params, *map(Param, seeds)),
        body=tuple(body),
        results=(Result(tangent, value.var),),
        seeds=tuple(seeds),
    )


def _tangent(
    let: Let, tangents: dict[Var, Expr], facts: Facts, supply: Supply
) -> list[Let]:
    """The statements for the tangent of one operation's result."""
    if isinstance(let.value, Ref):
        tangents[let.var] = tangents[let.value.var]
        return []
    note = Note(Role.GRAD, let.note.lines, let.note.place)
    rule = operations()[let.value.op]
    place = Call(
        result=Ref(let.var),
        bound=bind(rule, let.value),
        cotangent=Const(0),
        rank=facts.rank,
        fresh=lambda name: supply.var(name, Origin.LOCAL),
        is_complex=facts.is_complex,
    )
    given = {v: tangents[v] for v in differentiable_reads(let) if v in tangents}
    try:
        if facts.several(let.value) or facts.several(let.value.args[0]):
            raise GradgenError(
                "GG306",
                "no forward rule for a function with several results",
                advice="reverse mode",
            )
        shared, value = push(rule, let.value, place, given)
    except GradgenError as error:
        raise error.at(let.note.place) from None
    of = let.var
    if facts.may_flow_complex(let) and not facts.is_complex(Ref(of)):
        value = Apply("realpart", (value,))
    var = supply.var(f"d_{of.name}", Origin.TANGENT, of, of.order + 1)
    tangents[of] = Ref(var)
    return [Let(local, expr, note) for local, expr in shared] + [Let(var, value, note)]
