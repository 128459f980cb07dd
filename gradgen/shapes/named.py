"""Values that the text has a name for anyway: to read them is no work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Let, Origin, Ref

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def note_quotient(facts: Facts, let: Let) -> None:
    """Notes a quotient that has a name: the user's, or that of what zeros are like.

    before:  d_p = np.zeros_like(p)        # p = e / e_sum, of a call that was written out
    after:   p has a name, and is read where e / e_sum would be computed again
    """
    var, value = let.var, let.value
    if let.note.derived and isinstance(value, Apply) and value.op == "numpy.zeros_like":
        first = value.args[0]
        made = facts.definitions.get(first.var) if isinstance(first, Ref) else None
        if isinstance(first, Ref) and first.var.origin is Origin.TEMP and made:
            var, value = first.var, made
            facts.named.add(var)
    elif var.origin is not Origin.USER:
        return
    if isinstance(value, Apply) and value.op == "numpy.divide":
        facts.quotients.setdefault((value.args[0], value.args[1]), var)
