"""The forward-mode derivative: each statement of the primal, then its tangent."""

from __future__ import annotations

from dataclasses import replace

from gradgen.derive.activity import active, differentiable_reads
from gradgen.derive.calls import is_call
from gradgen.derive.integers import refuse_rounding
from gradgen.errors import GradgenError
from gradgen.ir.callee import callee_of
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
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import IN_PLACE
from gradgen.ir.walk import all_defined, lets
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
    _refuse_calls(primal)
    carried = active(primal, wrt, stop)
    refuse_rounding(primal.body, carried, facts)
    body: list[Let] = []
    waiting: list[Let] = []  # tangents of a line a, b = f(x) stand behind it
    for let, following in zip(primal.body, [*primal.body[1:], None], strict=True):
        body.append(let)
        if not isinstance(let, Let):
            _refuse_blocks(let, carried)
        elif let.var in carried:
            waiting += _tangent(let, tangents, facts, supply)
        if not _is_taken_apart(following, facts):
            body += waiting
            waiting = []
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


def _refuse_calls(primal: Function) -> None:
    """Refuses a call of a function that calls itself."""
    for let in filter(is_call, lets(primal.body)):
        raise GradgenError(
            "GG315",
            f"no forward mode of {callee_of(let.value).name}, which calls itself",
            advice="reverse mode, or a loop",
        ).at(let.note.place)


def _refuse_blocks(stmt: Stmt, carried: frozenset[Var]) -> None:
    """Refuses a loop or a branch that a tangent would go through."""
    if any(var in carried for var in all_defined((stmt,))):
        raise GradgenError(
            "GG311",
            "no forward mode through loops and branches yet",
            advice="reverse mode",
        ).at(stmt.note.place)


def _refuse_changes(let: Let) -> None:
    """Refuses a change in place, whose tangent would be one as well."""
    if let.value.op in IN_PLACE:
        raise GradgenError(
            "GG311",
            "no forward mode through stores into arrays and lists yet",
            advice="np.where, np.concatenate or np.stack, or reverse mode",
        ).at(let.note.place)


def _is_taken_apart(let: Stmt | None, facts: Facts) -> bool:
    """Whether a statement takes one of several results that has just been made."""
    if (
        not isinstance(let, Let)
        or not isinstance(let.value, Apply)
        or let.value.op != "getitem"
    ):
        return False
    return bool(facts.several(let.value.args[0]))


def _tangent(
    let: Let, tangents: dict[Var, Expr], facts: Facts, supply: Supply
) -> list[Let]:
    """The statements for the tangent of one operation's result."""
    if isinstance(let.value, Ref):
        tangents[let.var] = tangents[let.value.var]
        return []
    _refuse_changes(let)
    if let.value.spelling == "augmented":
        let = replace(let, value=replace(let.value, spelling="operator"))
    note = Note(Role.GRAD, let.note.lines, let.note.place)
    source = let.value.args[0] if let.value.args else None
    if facts.several(source) and let.value.op == "getitem":
        taken = replace(let.value, args=(tangents[source.var], *let.value.args[1:]))
        return _named(let.var, taken, tangents, note, supply)
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
        if facts.several(let.value) and rule.kind != "linear" and not rule.tangents:
            raise GradgenError(
                "GG306",
                "no forward rule for a function with several results",
                advice="reverse mode",
            )
        shared, value = push(rule, let.value, place, given)
    except GradgenError as error:
        raise error.at(let.note.place) from None
    if facts.may_flow_complex(let) and not facts.is_complex(Ref(let.var)):
        value = Apply("realpart", (value,))
    shared_lets = [Let(local, expr, note) for local, expr in shared]
    return shared_lets + _named(let.var, value, tangents, note, supply)


def _named(
    of: Var, value: Expr, tangents: dict[Var, Expr], note: Note, supply: Supply
) -> list[Let]:
    """The statement that makes a value the tangent of a variable."""
    var = supply.var(f"d_{of.name}", Origin.TANGENT, of, of.order + 1)
    tangents[of] = Ref(var)
    return [Let(var, value, note)]
