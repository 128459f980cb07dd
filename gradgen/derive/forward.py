"""The forward-mode derivative: each statement of the primal, then its tangent."""

from __future__ import annotations

from collections.abc import Sequence
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
from gradgen.ir.operators import IN_PLACE, STORES, getitem
from gradgen.ir.walk import all_defined, lets
from gradgen.rules.load import operations
from gradgen.rules.push import push
from gradgen.rules.rule import NOTHING, Call, bind
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
    for k, let in enumerate(primal.body):
        following = primal.body[k + 1] if k + 1 < len(primal.body) else None
        body.append(let)
        if not isinstance(let, Let):
            _refuse_blocks(let, carried)
        elif let.var in carried:
            result = _results(primal.body[k:], facts)
            waiting += _tangent(let, result, tangents, facts, supply)
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
    """Refuses a list that is filled, and a sum that a loop collects."""
    if let.value.op in IN_PLACE and let.value.op not in STORES:
        raise GradgenError(
            "GG311",
            "no forward mode through lists that are filled yet",
            advice="np.concatenate or np.stack, or reverse mode",
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


def _results(body: Sequence[Stmt], facts: Facts) -> Expr:
    """What the first statement makes: a tuple of its results, where it has several.

    Those that the statements behind it take have their names, a, b = f(x).
    """
    made, count = body[0].var, facts.several(body[0].value)
    if not count:
        return Ref(made)
    results = [getitem(Ref(made), i) for i in range(count)]
    for stmt in body[1:]:
        value = stmt.value if isinstance(stmt, Let) else None
        if not isinstance(value, Apply) or value not in results:
            break
        results[value.args[1].value] = Ref(stmt.var)
    return Apply("tuple", tuple(results))


def _tangent(
    let: Let, result: Expr, tangents: dict[Var, Expr], facts: Facts, supply: Supply
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
        taken = _taken(let, tangents[source.var])
        return _named(let.var, taken, tangents, note, supply)
    rule = operations()[let.value.op]
    place = Call(
        result=result,
        bound=bind(rule, let.value),
        cotangent=Const(0),
        rank=facts.rank,
        fresh=lambda name: supply.var(name, Origin.LOCAL),
        is_complex=facts.is_complex,
    )
    given = {v: tangents[v] for v in differentiable_reads(let) if v in tangents}
    try:
        shared, value = push(rule, let.value, place, given)
    except GradgenError as error:
        raise error.at(let.note.place) from None
    if facts.may_flow_complex(let) and not facts.is_complex(Ref(let.var)):
        value = Apply("realpart", (value,))
    shared_lets = [Let(local, expr, note) for local, expr in shared]
    if isinstance(result, Apply) and isinstance(value, Apply) and value.op == "tuple":
        tangents[let.var] = value  # a tuple, whose items are taken
        return shared_lets
    return shared_lets + _named(let.var, value, tangents, note, supply)


def _taken(let: Let, tangent: Expr) -> Expr:
    """The tangent of one result that a statement takes from several."""
    if not isinstance(tangent, Apply):
        return replace(let.value, args=(tangent, *let.value.args[1:]))
    index = let.value.args[1].value
    if tangent.args[index] == NOTHING:
        raise GradgenError(
            "GG306",
            f"no forward rule for the result {index} of this function",
            advice="reverse mode",
        ).at(let.note.place)
    return tangent.args[index]


def _named(
    of: Var, value: Expr, tangents: dict[Var, Expr], note: Note, supply: Supply
) -> list[Let]:
    """The statement that makes a value the tangent of a variable."""
    var = supply.var(f"d_{of.name}", Origin.TANGENT, of, of.order + 1)
    tangents[of] = Ref(var)
    return [Let(var, value, note)]
