"""Lists of numbers that + joins and * repeats, where an array's entries would be added."""

from __future__ import annotations

from collections.abc import Container

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Function, Ref, Var
from gradgen.ir.operators import OF_TUPLES
from gradgen.ir.walk import lets
from gradgen.shapes.infer import Facts


def refuse_joined(primal: Function, active: Container[Var], facts: Facts) -> None:
    """Raises GradgenError where an argument is a list, and is joined or repeated.

    def f(x: list[float]):
        return np.sum(np.asarray(x + x) ** 2)     # of twice as many numbers
    """
    listed = {param.var: param.label for param in primal.params if param.listed}
    for let in lets(primal.body) if listed else ():
        value = let.value
        if not isinstance(value, Apply) or value.spelling != "operator":
            continue
        if value.op not in OF_TUPLES:
            continue
        rows = [one for one in value.args if isinstance(one, Ref) and one.var in listed]
        others = [one for one in value.args if one not in rows]
        plain = all(facts.rank(one) == 0 for one in others)
        if plain and any(one.var in active for one in rows):
            word = "joins" if value.op == "numpy.add" else "repeats"
            name = listed[rows[0].var]
            raise GradgenError(
                "GG511",
                f"{name} is a list or a tuple of numbers, which this operator {word}",
                advice=f"np.asarray({name})",
            ).at(let.note.place)
