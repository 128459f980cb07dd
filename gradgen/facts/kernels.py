"""Numbers of a kernel: what scales a matrix of which one triangle is read."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.numbers import Numbers, Step
from gradgen.facts.through import is_elementwise
from gradgen.ir.nodes import Apply, Expr, Ref, Var
from gradgen.ir.operators import ADDITIVE, MULTIPLICATIVE, SIGNED, TOTALS
from gradgen.ir.walk import lets, reads
from gradgen.rules.load import operations
from gradgen.rules.traits import OF_ONE_TRIANGLE, SAID_SYMMETRIC
from gradgen.shapes.taken import Taken

READ = OF_ONE_TRIANGLE.keys() - SAID_SYMMETRIC.keys()


def kernels(numbers: Numbers) -> Iterator[Step]:
    """The scales of a kernel are numbers: the amplitude, the length and the noise.

    before:  K = amplitude**2 * np.exp(-np.sum(gaps**2, axis=-1) / length) + s * np.eye(n)
             L = np.linalg.cholesky(K)
    after:   amplitude, length and s are numbers

    An array in the place of one of them would make a matrix that is not symmetric, or
    would have to be symmetric itself.
    """
    facts = numbers.facts
    values = {let.var: let.value for let in lets(numbers.primal.body)}
    free = {p.var for p in numbers.primal.params if facts.shapes[p.var].rank is None}
    known = Taken(values, facts)
    # b of b - b.T, a of a[i] are no numbers
    free -= {
        var
        for value in values.values()
        if isinstance(value, Apply) and not is_elementwise(value)
        for var in reads(value)
    }
    for let in lets(numbers.primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op in READ and value.args:
            if not known.is_argument(value.args[0]):
                found = _scales(value.args[0], values, set()) & free
                # what has a capital is the matrix that is scaled
                found = {var for var in found if var.name[:1].islower()}
                yield [(var, 0) for var in sorted(found, key=lambda var: var.id)]


def _scales(expr: Expr, values: dict[Var, Expr], seen: set[Var]) -> set[Var]:
    """The arguments beside others in products and sums that a matrix is made of."""
    made = values.get(expr.var, expr) if isinstance(expr, Ref) else expr
    if isinstance(expr, Ref):
        if expr.var in seen:
            return set()
        seen.add(expr.var)
    if not isinstance(made, Apply):
        return set()
    found: set[Var] = set()
    if not is_elementwise(made):
        rule = operations().get(made.op)
        moves = rule is not None and rule.kind == "linear" and len(made.args) == 1
        moves = moves or made.op in TOTALS
        return _scales(made.args[0], values, seen) if moves else found
    for arg in made.args:
        bare = _bare(arg, values)
        scales = made.op in MULTIPLICATIVE or made.op in ADDITIVE
        if scales and isinstance(bare, Ref) and bare.var not in values:
            found.add(bare.var)
        else:
            found |= _scales(arg, values, seen)
    return found


def _bare(expr: Expr, values: dict[Var, Expr]) -> Expr:
    """What a power or a negative is of: s of s**2."""
    made = values.get(expr.var, expr) if isinstance(expr, Ref) else expr
    while isinstance(made, Apply) and (made.op in SIGNED or made.op == "numpy.power"):
        expr = made.args[0]
        made = values.get(expr.var, expr) if isinstance(expr, Ref) else expr
    return expr
