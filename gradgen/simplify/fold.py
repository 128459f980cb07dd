"""Compiler temporaries used once go back into the expression that uses them."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Function, Let, Origin, Ref, Role
from gradgen.ir.walk import reads, substitute, uses

IN_PLACE = ("setitem", "additem", "add_at")


def aliases(function: Function) -> Function:
    """The function without adjoints that are only other names.

    before:  d_XX = d_XX_sum
             d_X = 2 * d_XX * X
    after:   d_X = 2 * d_XX_sum * X
    """
    values: dict = {}
    body: list[Let] = []
    places: dict = {}
    for let in function.body:
        value = substitute(let.value, values)
        place = places.get(value.var) if isinstance(value, Ref) else None
        if let.note.role is Role.FORWARD or not isinstance(value, (Ref, Const)):
            places[let.var] = len(body)
            body.append(replace(let, value=value))
        elif place is not None and is_temporary(body[place]) and not is_temporary(let):
            # The value takes the name that the user gave one of its variables.
            old = body[place].var
            later = {old: Ref(let.var)}
            values = {var: substitute(v, later) for var, v in values.items()} | later
            body[place] = replace(body[place], var=let.var)
            places[let.var] = place
            for i in range(place + 1, len(body)):
                body[i] = replace(body[i], value=substitute(body[i].value, later))
        else:
            values[let.var] = value
    if not values:
        return function
    return replace(
        function,
        body=tuple(body),
        results=tuple(
            replace(result, value=substitute(result.value, values))
            for result in function.results
        ),
    )


def is_temporary(let: Let) -> bool:
    """Whether the statement is the compiler's, not one of the user's names."""
    if let.var.origin in (Origin.TEMP, Origin.LOCAL):
        return True
    of = let.var.of
    return (
        let.var.origin in (Origin.ADJOINT, Origin.TANGENT)
        and of is not None
        and (of.origin is Origin.TEMP)
    )


def fold(function: Function) -> Function:
    """The function with single-use temporaries of the gradient folded in.

        before:  d_t = d_y * np.cos(t)
                 d_x = 2 * d_t
                 return d_x
        after:   d_x = 2 * (d_y * np.cos(t))
                 return d_x

    What an in-place statement changes stays a name of its own.
    """
    counted = uses(function)
    changed = {
        arg.var
        for let in function.body
        if isinstance(let.value, Apply) and let.value.op in IN_PLACE
        for arg in let.value.args[:1]
        if isinstance(arg, Ref)
    }
    changed |= {
        let.var
        for let in function.body
        if isinstance(let.value, Apply) and let.value.op in IN_PLACE
    }
    values: dict = {}
    body = []
    for let in function.body:
        if any(var in values for var in reads(let.value)):
            let = replace(let, value=substitute(let.value, values))
        once = counted[let.var] == 1 and let.var not in changed
        if let.note.role is Role.GRAD and once and is_temporary(let):
            values[let.var] = let.value
        else:
            body.append(let)
    if not values:
        return function
    results = tuple(
        replace(result, value=substitute(result.value, values))
        for result in function.results
    )
    return replace(function, body=tuple(body), results=results)
