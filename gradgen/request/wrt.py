"""The arguments that a request asks a gradient for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.named import did_you_mean
from gradgen.ir.nodes import Function, Param, Var
from gradgen.ir.structure import LEAF, Structure
from gradgen.ir.walk import uses
from gradgen.request.parts import path_of, step_into
from gradgen.request.options import Request
from gradgen.shapes.kinds import Kind
from gradgen.shapes.spec import read_sort
from gradgen.shapes.statics import is_static

# what has no gradient, in words
NOT_FLOATING = {
    Kind.BOOLEAN: "true or false",
    Kind.COUNT: "an integer",
    Kind.INTEGER: "an integer",
    Kind.OTHER: "not a number",
}


def chosen(
    primal: Function, request: Request
) -> tuple[Function, tuple[Var, ...], tuple[tuple[str, tuple[Any, ...]], ...]]:
    """The variables to differentiate in, and the parts of containers that they are.

    The function is without the parts of its instance that nothing reads.
    """
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
    objects = {name for name, one in primal.bundles if one.is_object}
    # the instance of a method, also where it is a NamedTuple
    objects |= {
        param.bundle for param in primal.params if param.bundle and not param.path
    }
    arguments = [name for name in params if name not in objects]
    if request.wrt is None and not arguments:
        labels = [p.label for name in sorted(objects) for p in params.get(name, [])]
        raise GradgenError(
            "GG001",
            f"{primal.name} has no argument but the instance",
            advice=f'wrt="{labels[0]}"' if labels else "a parameter",
        )
    names = request.wrt if request.wrt is not None else tuple(arguments[:1])
    variables: list[Var] = []
    asked: list[tuple[str, tuple[Any, ...]]] = []
    for text in names:
        name, keys = path_of(text)
        sorts = [read_sort(p.fact) for p in primal.params if p.var.name == name]
        if name not in params and sorts and sorts[0] is not None:
            raise GradgenError(
                "GG002",
                f"{name} is told to be {NOT_FLOATING[sorts[0]]}, which has no gradient",
                advice=f"one of {', '.join(params)}",
            )
        text_by_default = [
            p.default
            for p in params.get(name, ())
            if is_text(p.default) and not p.optional
        ]
        if text_by_default:
            raise GradgenError(
                "GG002",
                f"{name} is a string, {text_by_default[0]} by its default, and has no "
                "gradient",
                advice=f"one of {', '.join(n for n in params if n != name)}",
            )
        known = [p.fact for p in primal.params if p.var.name == name]
        if name not in params and known and known[0] is not None:
            raise GradgenError(
                "GG002",
                f"{name} is {known[0].removeprefix('=')} here, which has no gradient",
                advice=f"a value of {name}, or one of {', '.join(params)}",
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
        if _has_object(found[1]):
            inside = ", ".join(p.label for p in own)
            raise GradgenError(
                "GG273",
                f"{text} is an instance, and a gradient is of arrays",
                advice=f"of {inside}",
            )
        variables += [param.var for param in own]
        asked.append((name, found[0]))
    return without_idle(primal, asked), tuple(variables), tuple(asked)


def is_text(default: str | None) -> bool:
    """Whether a default is a string that is written out."""
    return default is not None and default[:1] in ("'", '"')


def _has_object(structure: Structure) -> bool:
    """Whether an instance is among the parts of a container."""
    return structure.is_object or any(map(_has_object, structure.parts))


def without_idle(
    primal: Function, asked: Iterable[tuple[str, tuple[Any, ...]]]
) -> Function:
    """The function without what its instance holds and nothing reads.

    before:  self.W, self.unused              after:  self.W
    """
    objects = {name for name, one in primal.bundles if one.is_object}
    # the instance of a method, also where it is a NamedTuple
    objects |= {
        param.bundle for param in primal.params if param.bundle and not param.path
    }
    if not objects:
        return primal
    read = uses(primal)

    def stays(param: Param) -> bool:
        if param.bundle not in objects or not param.path or read[param.var]:
            return True
        ways = [path for name, path in asked if name == param.bundle]
        return any(param.path[: len(way)] == way for way in ways)

    return replace(primal, params=tuple(filter(stays, primal.params)))
