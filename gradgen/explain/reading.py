"""What the front end read: one operation a line, with its shape and kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gradgen.ir.nodes import Function, Var
from gradgen.ir.renaming import in_expression, replaced
from gradgen.ir.text import listing
from gradgen.ir.walk import all_defined
from gradgen.shapes.display import letters_of, show_shape
from gradgen.shapes.infer import Facts


def read_text(function: Function, facts: Facts) -> str:
    """The listing of a primal, each value under a name of its own, its shape behind it."""
    named = _distinct(function)
    letters = letters_of(function, facts)
    shapes = {
        names.name: show_shape(facts.shapes[var], letters)
        for var, names in named.items()
        if var in facts.shapes
    }
    numbers = {var.id: new for var, new in named.items()}
    body = replaced(function.body, {}, numbers)
    values = tuple(in_expression(value, {}, numbers) for value in function.values)
    lines = listing(replace(function, body=body, values=values)).split("\n")
    params = (param.var for param in function.params)
    head = ", ".join(f"{var.name} {shapes.get(var.name, '')}" for var in params)
    width = max(len(line) for line in lines) + 2
    told = [_with_shape(line, shapes, width) for line in lines]
    return "\n".join([f"{function.name}: {head}", *told])


def _distinct(function: Function) -> dict[Var, Var]:
    """Each variable under a name that no other has: h_in, h_in_2."""
    every = [*(param.var for param in function.params), *all_defined(function.body)]
    taken = {param.var.name for param in function.params}
    seen: Counter[str] = Counter(taken)
    named = {}
    for var in dict.fromkeys(every):
        seen[var.name] += 1
        name = var.name
        if seen[name] > 1 and var not in (param.var for param in function.params):
            number = seen[name]
            while f"{name}_{number}" in taken:
                number += 1
            name = f"{name}_{number}"
        taken.add(name)
        named[var] = replace(var, name=name)
    return named


def _with_shape(line: str, shapes: dict[str, str], width: int) -> str:
    """A line with the shape of what it assigns."""
    name, equals, _ = line.strip().partition(" = ")
    shape = shapes.get(name, "") if equals else ""
    return f"{line:<{width}}{shape}" if shape else line
