"""What a text tells of its arguments: their shapes, and which of them change."""

from __future__ import annotations

from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Function, Ref, Var
from gradgen.ir.reaching import Reaching
from gradgen.shapes.display import show_shape
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind


def has_no_default_seed(value: Var, facts: Facts) -> bool:
    """Whether the seed of the result is not 1.0: that of an array or a complex one."""
    shape = facts.shapes[value]
    whole = bool(shape.rank) or shape in facts.along or facts.is_list(Ref(value))
    return whole or facts.is_complex(Ref(value))


def captured(primal: Function, source: Source) -> tuple[tuple[str, str], ...]:
    """The parameters that stand for arrays around the primal, and where these are."""
    own = {arg.id for arg in source.node.args.args + source.node.args.kwonlyargs}
    named = ((p.bundle or p.var.name, p.outer) for p in primal.params)
    return tuple((name, outer or name) for name, outer in named if name not in own)


def shown(var: Var, facts: Facts, letters: dict[str, str]) -> str:
    """The shape of a variable with its sort: (n, d), (n) int."""
    shape, kind = facts.shapes[var], facts.kinds[var]
    entries = facts.entries.get(var) if var not in facts.definitions else None
    if entries is not None:
        of = "" if entries.rank is None else f" of {show_shape(entries, letters)}"
        return f"a list{of}"
    told = var not in facts.definitions and shape.rank
    sort = "int" if kind in INTEGRAL else "bool" if kind is Kind.BOOLEAN else ""
    if sort == "int" and shape.rank == 0:
        return "int"
    found = show_shape(shape, letters)
    return f"{found} {sort}" if sort and told else found


def changed_arguments(primal: Function, facts: Facts) -> tuple[str, ...]:
    """The arguments that the primal changes in place; a number cannot be.

    Besides arrays the dictionaries and the fields of objects that are stored into.
    """
    reaching = Reaching(primal.body)
    arrays = [p for p in primal.params if facts.shapes[p.var].rank != 0]
    found = (p.label for p in arrays if reaching.changes(p.var))
    return tuple(dict.fromkeys((*found, *primal.left)))
