"""The arguments that a request asks a gradient for."""

from __future__ import annotations

from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source import did_you_mean
from gradgen.ir.nodes import Function, Param, Var
from gradgen.ir.structure import LEAF
from gradgen.parts import path_of, step_into
from gradgen.request import Request
from gradgen.shapes.kinds import Kind
from gradgen.shapes.spec import read_sort
from gradgen.shapes.statics import is_static

# what has no gradient, in words
NOT_FLOATING = {
    Kind.BOOLEAN: "true or false",
    Kind.INTEGER: "an integer",
    Kind.OTHER: "not a number",
}


def chosen(
    primal: Function, request: Request
) -> tuple[tuple[Var, ...], tuple[tuple[str, tuple[Any, ...]], ...]]:
    """The variables to differentiate in, and the parts of containers that they are."""
    params: dict[str, list[Param]] = {}
    for param in primal.params:
        fixed = param.fact == ":str" or is_static(param.fact)
        if read_sort(param.fact) is None and not fixed:
            params.setdefault(param.bundle or param.var.name, []).append(param)
    if not params:
        raise GradgenError(
            "GG001",
            f"{primal.name} has no argument to differentiate",
            advice="a parameter for what the gradient is of",
        )
    names = request.wrt if request.wrt is not None else tuple(params)[:1]
    variables: list[Var] = []
    asked = []
    for text in names:
        name, keys = path_of(text)
        sorts = [read_sort(p.fact) for p in primal.params if p.var.name == name]
        if name not in params and sorts and sorts[0] is not None:
            raise GradgenError(
                "GG002",
                f"{name} is told to be {NOT_FLOATING[sorts[0]]}, which has no gradient",
                advice=f"one of {', '.join(params)}",
            )
        if name not in params:
            raise GradgenError(
                "GG002",
                f"{primal.name} has no argument {name}",
                advice=did_you_mean(name, list(params)),
            )
        found = step_into(dict(primal.bundles).get(name, LEAF), keys)
        own = [p for p in params[name] if found and p.path[: len(keys)] == found[0]]
        if found is None or not own:
            labels = [p.label for p in params[name]]
            told = f"one of {', '.join(labels)}"
            raise GradgenError(
                "GG021",
                f"the argument {name} has no part {text} with a gradient, as far as "
                "is told",
                advice=told if labels != [name] else f'--shape {text}="..."',
            )
        variables += [param.var for param in own]
        asked.append((name, found[0]))
    return tuple(variables), tuple(asked)
