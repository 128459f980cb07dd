"""Arguments that may be lists: of which entries, lengths and functions of NumPy are read.

before:  a * x[0] + b * x[1]                      x = np.asarray(x)
after:   x may be a list of two numbers, as it may be an array
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import ITSELF, LENGTHS, OF_SEQUENCE
from gradgen.ir.walk import own_expressions, reads, statements, subexpressions
from gradgen.shapes.infer import Facts


def with_entries(primal: Function, facts: Facts) -> Function:
    """The function, with the parameters known that may be lists of numbers.

    What is told of them is another matter, and so is an argument that no entry is read
    of: that is an array, or a number.
    """
    found = _by_entries(primal, facts)
    params = tuple(replace(p, by_entries=p.var in found) for p in primal.params)
    return replace(primal, params=params) if found else primal


def _by_entries(primal: Function, facts: Facts) -> set[Var]:
    own = {param.var for param in primal.params if not param.bundle}
    every: Counter[Var] = Counter()
    fitting: Counter[Var] = Counter()
    read: set[Var] = set()
    expressions = [e for stmt in statements(primal.body) for e in own_expressions(stmt)]
    for expr in (*expressions, *primal.values):
        every.update(var for var in reads(expr) if var in own)
        for one in subexpressions(expr):
            for i, arg in enumerate(one.args if isinstance(one, Apply) else ()):
                if not isinstance(arg, Ref) or arg.var not in own:
                    continue
                is_entry = one.op == "getitem" and i == 0
                is_entry = is_entry and _is_place(one.args[1], facts)
                is_given = one.op.startswith("numpy.") and not one.spelling
                is_read = is_entry or one.op in ITSELF | OF_SEQUENCE
                read |= {arg.var} if is_read else set()
                fitting[arg.var] += is_entry or is_given or one.op in LENGTHS
    return {var for var in read if fitting[var] == every[var]}


def _is_place(key: Expr, facts: Facts) -> bool:
    """Whether a key is a place, or one after the other: K[0][1] of a list of rows."""
    keys = key.args if isinstance(key, Apply) and key.op == "chain" else (key,)
    return all(map(facts.is_index, keys))
