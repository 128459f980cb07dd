"""Which results have a seed: the leaves that are floating, and no settings."""

from __future__ import annotations

from gradgen.derive.activity import active
from gradgen.derive.integers import refuse_rounding
from gradgen.frontend.source.source import Source
from gradgen.ir.absent import WITHHELD
from gradgen.ir.nodes import Function, Param, Ref, Var
from gradgen.request.options import Request
from gradgen.request.wrt import NOT_FLOATING
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind


def seeded_results(
    primal: Function,
    facts: Facts,
    source: Source,
    request: Request,
    wrt: tuple[Var, ...],
    stop: frozenset[Var],
) -> tuple[Var, ...]:
    """The leaves of the result that have a seed: those that are floating.

    With `aux` the result is a pair, and the second has none. Raises GradgenError: of an
    array of integers that rounds what is stored into it that is told, and not its sum.
    """
    count = len(primal.values)
    if request.aux:
        if primal.structure.sort != "tuple" or len(primal.structure.parts) != 2:
            raise source.error(
                "GG119",
                f"the result of {primal.name} is not a pair (value, aux)",
                source.node.body[-1],
                "return value, aux",
            )
        count = len(list(primal.structure.parts[0].leaves()))
    found = [v for v in primal.values[:count] if isinstance(v, Ref)]
    settings = {p.var for p in primal.params if _is_setting(p)}
    found = [v for v in found if _origin(v, facts) not in settings]
    kinds = [facts.kind(v) for v in found]
    seeded = [v.var for v, kind in zip(found, kinds) if kind not in NOT_FLOATING]
    if not seeded:
        refuse_rounding(primal.body, active(primal, wrt, stop), facts)
        kind = kinds[0] if kinds else Kind.OTHER
        raise source.error(
            "GG501",
            f"the result of {primal.name} is {NOT_FLOATING[kind]}, which has no gradient",
            source.node.body[-1],
            "a result computed in floating point",
        )
    return tuple(seeded)


def refuse_withheld(primal: Function, request: Request, source: Source) -> None:
    """Refuses a text that gives back a result which is no more than filled: caches."""
    gives_value = request.value or request.style == "callback"
    if WITHHELD in primal.values and (gives_value or request.mode != "reverse"):
        raise source.error(
            "GG248",
            "a list of tuples whose length is not known is among the results",
            source.node.body[-1],
            "the gradient without the value, or a list for each of its parts",
        )


def _is_setting(param: Param) -> bool:
    """Whether a parameter is a string, a flag or an integer, as its text says."""
    default, annotation = param.default or "", (param.annotation or "").strip("\"'")
    plain = default[:1] in ("'", '"') or default in ("True", "False")
    return plain or annotation in ("str", "bool", "int") or param.fact == ":str"


def _origin(value: Ref, facts: Facts) -> Var:
    """The variable that a result is another name of."""
    while isinstance(same := facts.definitions.get(value.var), Ref):
        value = same
    return value.var


def with_gradient(
    primal: Function, wrt: tuple[Var, ...], facts: Facts
) -> tuple[Var, ...]:
    """The chosen arguments without the parts of containers that are integers.

    A container of integers alone has its zeros, as an argument that is one has.
    """
    bundles = {param.var: param.bundle for param in primal.params if param.bundle}
    kinds = (Kind.BOOLEAN, *INTEGRAL)
    kept = {v for v in wrt if v not in bundles or facts.kinds[v] not in kinds}
    left = {bundles[v] for v in kept if v in bundles}
    return tuple(v for v in wrt if v in kept or bundles[v] not in left)
