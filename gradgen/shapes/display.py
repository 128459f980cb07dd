"""Shapes as a person reads them in a docstring: (n, d), (*s), (...)."""

from __future__ import annotations

from gradgen.ir.nodes import Function
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR, Shape, Whole, Within


def letters_of(primal: Function, facts: Facts) -> dict[str, str]:
    """*s, *t, ... for the arguments of unknown shape."""
    names = [
        atom.name
        for param in primal.params
        for atom in facts.shapes[param.var].atoms
        if isinstance(atom, Whole)
    ]
    found = {name: name for name in names if name.startswith("*")}
    spare = iter(sorted({f"*{c}" for c in "stuvwxyz"} - set(found)))
    for name in names:
        if name not in found:
            found[name] = next(spare, "...")
    return found


def show_shape(shape: Shape, letters: dict[str, str]) -> str:
    """(n, d); (*s) for an unknown one; (<n, d) for what broadcasts to that; (d|1, d) for a row; (...) for what follows from unknown ones."""
    if shape == SCALAR:
        return "()"
    if shape.dims is not None:
        sizes = ["?" if "?" in str(dim) else str(dim) for dim in shape.dims]
        return f"({', '.join(sizes)})"
    if len(shape.atoms) == 1:
        (atom,) = shape.atoms
        if isinstance(atom, Within) and atom.is_row:
            one_row = show_shape(atom.base, letters)
            return f"({one_row.removeprefix('(1, ')[:-1]}|{one_row[1:]}"
        if isinstance(atom, Within):
            return f"(<{show_shape(atom.base, letters)[1:]}"
        if isinstance(atom, Whole) and atom.name in letters:
            return f"({letters[atom.name]})"
    return "(...)"
